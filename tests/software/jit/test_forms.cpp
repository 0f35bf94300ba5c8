// SPDX-License-Identifier: Apache-2.0
// Every form of instruction in forms/*.txt (all of which ptxas takes for sm_90) is loaded and compiled, a thread at a
// time and side by side. forms/refused.txt lists what is refused, forms/one_at_a_time.txt the reasons for which a
// kernel runs a thread at a time.
#include "mini_runtime.hpp"

#include <QFile>
#include <QTest>

#include <map>
#include <stdexcept>

using warplight::jit::Mode;

namespace {

constexpr const char* kBefore = R"(
.version 9.0
.target sm_90
.address_size 64
.const .align 16 .b8 cmem[64];
.global .align 16 .b8 gmem[64];
.func helper() { ret; }
.visible .entry k(.param .align 16 .b8 par[64]) {
    .reg .pred %p<8>;
    .reg .b16 %h<8>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<16>;
    .reg .f32 %f<16>;
    .reg .f64 %d<8>;
    .reg .b128 %rq<4>;
)";
constexpr const char* kAfter = "\nnext:\nend: ret;\n}\n";

/// Variables of the kernel are there for those alone that name them.
std::string text_of(const QByteArray& instruction) {
    std::string text = kBefore;
    const auto declare = [&](const char* name, const char* declaration) {
        if (instruction.contains(name)) text += declaration;
    };
    declare("lmem", ".local .align 16 .b8 lmem[64];\n");
    declare("smem", ".shared .align 128 .b8 smem[1024];\n");
    declare("mbar", ".shared .align 8 .b64 mbar;\n");
    declare("[arg]", ".param .align 16 .b8 arg[64];\n");
    declare("table", "table: .branchtargets end, next;\n");
    return text + instruction.toStdString() + kAfter;
}

QList<QByteArray> lines_of(const char* name) {
    QFile file(QString(WARPLIGHT_FORMS) + "/" + name);
    QList<QByteArray> lines;
    if (!file.open(QFile::ReadOnly)) return lines;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine().trimmed();
        if (!line.isEmpty() && !line.startsWith("//")) lines << line;
    }
    return lines;
}

} // namespace

class TestForms : public QObject {
    Q_OBJECT
private slots:
    void loads_and_compiles_data();
    void loads_and_compiles();
};

void TestForms::loads_and_compiles_data() {
    QTest::addColumn<QByteArray>("file");
    for (const char* file : {"compiled.txt", "handwritten.txt"})
        QTest::newRow(file) << QByteArray(file);
}

void TestForms::loads_and_compiles() {
    QFETCH(QByteArray, file);
    const QList<QByteArray> lines = lines_of(file.constData());
    QVERIFY(lines.size() > 200);
    QStringList refused, unexpected;
    std::map<std::string, int> reasons;
    const QList<QByteArray> known = lines_of("one_at_a_time.txt"), open = lines_of("refused.txt");
    for (const QByteArray& line : lines) {
        try {
            const mini::Program program(text_of(line));
            for (const auto& f : program.module().functions)
                for (const auto& i : f.instructions)
                    if (const auto why = warplight::jit::unsupported(program.module(), f, i))
                        throw std::runtime_error(*why);
            if (!program.compile("k", Mode::coroutine)) throw std::runtime_error("no code");
            if (open.contains(line)) throw std::logic_error("is not refused any more: take it from refused.txt");
            std::string why;
            if (program.compile("k", Mode::automatic, {}, 32, &why)) continue;
            ++reasons[why];
            const QByteArray reason = QByteArray::fromStdString(why);
            if (!known.contains(reason)) unexpected << QString("%1 (%2)").arg(QString(line), QString(reason));
        } catch (const std::logic_error& e) {
            refused << QString("%1 (%2)").arg(QString(line), QString(e.what()));
        } catch (const std::exception& e) {
            if (open.contains(line)) continue;
            refused << QString("%1 (%2)").arg(QString(line), QString(e.what()));
        }
    }
    for (const auto& [why, count] : reasons)
        qInfo("%d a thread at a time: %s", count, why.c_str());
    for (const QString& line : refused)
        qInfo("refused: %s", qPrintable(line));
    for (const QString& line : unexpected)
        qInfo("not side by side: %s", qPrintable(line));
    QCOMPARE(refused.size(), 0);
    QCOMPARE(unexpected.size(), 0);
}

QTEST_GUILESS_MAIN(TestForms)
#include "test_forms.moc"
