// SPDX-License-Identifier: Apache-2.0
// Every arithmetic instruction on values that are hard, against an independent computation.
// On the software device; with WARPLIGHT_TEST_DRIVER=cuda on a GPU. `--dump FILE` writes all results, `--compare FILE`
// tells which instructions gave other results than those in the file (of another device).
#include "cases.hpp"
#include "device.hpp"

#include <QFile>
#include <QHash>
#include <QTest>
#include <QTextStream>

#include <cstdio>
#include <memory>

using namespace instructions;

namespace {

QString dump_path, compare_path;

QString hex(std::uint64_t value, const std::string& type) {
    return QString("%1").arg(qulonglong{value}, static_cast<int>(bits_of(type) + 3) / 4, 16, QChar('0'));
}

bool is_nan(std::uint64_t x, const std::string& type) {
    if (type == "f32") return (x & 0x7FFFFFFF) > 0x7F800000;
    if (type == "f64") return (x & 0x7FFFFFFFFFFFFFFF) > 0x7FF0000000000000;
    return false;
}

} // namespace

class TestInstructions : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void instruction_data();
    void instruction();
    void cleanupTestCase();

private:
    Cases cases_ = all_cases();
    std::unique_ptr<Device> device_;
    QFile dump_;
    QHash<QString, QByteArray> earlier_;
    int different_ = 0;
};

void TestInstructions::initTestCase() {
    const QByteArray driver = qgetenv("WARPLIGHT_TEST_DRIVER");
    QString library = WARPLIGHT_SOFTWARE_DRIVER;
    if (driver == "cuda") {
#ifdef Q_OS_WIN
        library = "nvcuda.dll";
#else
        library = "libcuda.so.1";
#endif
    }
    device_ = std::make_unique<Device>(library);
    QVERIFY2(device_->error().isEmpty(), qPrintable(device_->error()));
    qInfo("device: %s, sm_%u", qPrintable(device_->name()), device_->architecture());
    if (!dump_path.isEmpty()) {
        dump_.setFileName(dump_path);
        QVERIFY2(dump_.open(QIODevice::WriteOnly), qPrintable(dump_.errorString()));
    }
    if (!compare_path.isEmpty()) {
        QFile file(compare_path);
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
        // One line an instruction: its name, a tab, its results in hexadecimal.
        while (!file.atEnd()) {
            const QByteArray line = file.readLine().trimmed();
            const qsizetype tab = line.indexOf('\t');
            if (tab > 0) earlier_.insert(QString::fromUtf8(line.left(tab)), line.mid(tab + 1));
        }
    }
}

void TestInstructions::instruction_data() {
    QTest::addColumn<int>("index");
    for (std::size_t k = 0; k < cases_.size(); ++k)
        QTest::newRow(cases_[k].name.c_str()) << static_cast<int>(k);
}

void TestInstructions::instruction() {
    QFETCH(int, index);
    const Case& c = cases_[static_cast<std::size_t>(index)];
    if (device_->architecture() < c.target) QSKIP(qPrintable(QString("needs sm_%1").arg(c.target)));
    const std::vector<Inputs> inputs = inputs_of(c);
    QVERIFY(!inputs.empty());
    QString problem;
    const std::vector<Outputs> results = device_->run(ptx_of(c), inputs, problem);
    QVERIFY2(problem.isEmpty(), qPrintable(problem));

    const auto input_text = [&](std::size_t run) {
        QStringList list;
        for (std::size_t k = 0; k < c.inputs.size(); ++k)
            list << hex(inputs[run][k], c.inputs[k]);
        return list.join(", ");
    };
    QByteArray line;
    for (const Outputs& o : results)
        for (std::size_t k = 0; k < c.outputs.size(); ++k)
            line += hex(o[k], c.outputs[k]).toLatin1() + ' ';
    line = line.trimmed();
    if (dump_.isOpen()) dump_.write(QByteArray::fromStdString(c.name) + '\t' + line + '\n');
    const auto earlier = earlier_.constFind(QString::fromStdString(c.name));
    if (earlier != earlier_.constEnd() && *earlier != line) {
        const QList<QByteArray> then = earlier->split(' '), now = line.split(' ');
        int count = 0, first = -1;
        for (int k = 0; k < std::min(then.size(), now.size()); ++k)
            if (then[k] != now[k] && ++count == 1) first = k;
        ++different_;
        std::printf("differs: %s: %d of %d results%s\n", c.name.c_str(), count, static_cast<int>(now.size()),
                    first < 0
                        ? ", another number of them"
                        : qPrintable(QString("; of (%1): here %2, there %3")
                                         .arg(input_text(static_cast<std::size_t>(first) / c.outputs.size()),
                                              QString::fromLatin1(now[first]), QString::fromLatin1(then[first]))));
    }

    int wrong = 0;
    QString message;
    for (std::size_t run = 0; run < results.size(); ++run) {
        const Outputs want = c.reference(inputs[run]);
        for (std::size_t k = 0; k < c.outputs.size(); ++k) {
            const std::uint64_t got = results[run][k], expected = want[k] & mask(bits_of(c.outputs[k]));
            bool good = got == expected;
            if (!good && c.compare != Compare::bits) good = is_nan(got, c.outputs[k]) && is_nan(expected, c.outputs[k]);
            if (!good && c.compare == Compare::within) good = c.accept(inputs[run], got, expected);
            if (good || ++wrong > 5) continue;
            message += QString("\n  (%1) gives %2, must give %3%4")
                           .arg(input_text(run), hex(got, c.outputs[k]), hex(expected, c.outputs[k]),
                                k ? " (second result)" : "");
        }
    }
    if (wrong != 0)
        QFAIL(qPrintable(QString("%1: %2 of %3 wrong%4 %5")
                             .arg(c.name.c_str())
                             .arg(wrong)
                             .arg(results.size())
                             .arg(message, QString::fromStdString(c.note))));
}

void TestInstructions::cleanupTestCase() {
    if (!compare_path.isEmpty()) std::printf("%d instructions differ from %s\n", different_, qPrintable(compare_path));
    device_.reset();
}

int main(int argc, char** argv) {
    std::vector<char*> rest;
    for (int k = 0; k < argc; ++k) {
        const QString argument = argv[k];
        if (argument == "--dump" && k + 1 < argc)
            dump_path = argv[++k];
        else if (argument == "--compare" && k + 1 < argc)
            compare_path = argv[++k];
        else
            rest.push_back(argv[k]);
    }
    TestInstructions test;
    return QTest::qExec(&test, static_cast<int>(rest.size()), rest.data());
}

#include "test_instructions.moc"
