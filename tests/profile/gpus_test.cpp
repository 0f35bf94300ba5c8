// SPDX-License-Identifier: Apache-2.0
// GPUs with peak figures are found by their names and by what drivers call them, and by nothing else.
#include "profile/roofline.hpp"

#include <QTest>
#include <set>

using warplight::profile::find_gpu;
using warplight::profile::Gpu;
using warplight::profile::gpus;

class GpusTest : public QObject {
    Q_OBJECT
private slots:
    void every_name_finds_its_own() {
        std::set<std::string_view> names;
        for (const Gpu& each : gpus()) {
            QVERIFY2(names.insert(each.name).second, each.name.data());
            QCOMPARE(find_gpu(each.name), &each);
            QVERIFY(each.gigabytes_a_second > 0 && each.f32 > 0 && !each.source.empty());
            std::string_view rest = each.reported;
            while (!rest.empty()) {
                const auto end = std::min(rest.find('|'), rest.size());
                QCOMPARE(find_gpu(rest.substr(0, end)), &each);
                rest.remove_prefix(std::min(end + 1, rest.size()));
            }
        }
    }
    void others_are_not_taken_for_them_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"", "NVIDIA A10G", "NVIDIA L40", "NVIDIA H100 NVL", "NVIDIA GeForce RTX 3090 Ti", "A",
                                 "NVIDIA GeForce RTX 4090 Laptop GPU", "Warplight software device", "|"})
            QTest::newRow(name) << name;
    }
    void others_are_not_taken_for_them() {
        QFETCH(QString, name);
        QVERIFY(find_gpu(name.toStdString()) == nullptr);
    }
    void case_makes_no_difference() {
        QVERIFY(find_gpu("h100 pcie") == find_gpu("NVIDIA H100 PCIe"));
        QVERIFY(find_gpu("h100 pcie") != find_gpu("H100"));
    }
};

QTEST_GUILESS_MAIN(GpusTest)
#include "gpus_test.moc"
