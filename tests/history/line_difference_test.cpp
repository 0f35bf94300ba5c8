// SPDX-License-Identifier: Apache-2.0
// Differences of lines: right by their own definition, as short as an independent algorithm finds, and as `patch` reads
// them.
#include "history/run_difference.hpp"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>

using namespace warplight;
using history::Line;

namespace {

std::vector<std::string> some_lines(std::mt19937& random, std::size_t most) {
    std::vector<std::string> lines(random() % most);
    for (auto& line : lines)
        line = std::string(1, static_cast<char>('a' + random() % 4));
    return lines;
}
std::string text_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines)
        text += line + '\n';
    return text;
}
std::string side(const std::vector<Line>& lines, Line::Kind other) {
    std::string text;
    for (const auto& line : lines)
        if (line.kind != other) text += line.text + '\n';
    return text;
}
/// The longest common subsequence, by its table.
std::size_t common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j)
            table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    return table[a.size()][b.size()];
}

} // namespace

class LineDifferenceTest : public QObject {
    Q_OBJECT
private slots:
    void randomTexts();
    void patchAppliesThem();
    void manyChanges();
};

void LineDifferenceTest::randomTexts() {
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
        const auto a = some_lines(random, 24), b = some_lines(random, 24);
        const auto lines = history::line_difference(text_of(a), text_of(b));
        QCOMPARE(side(lines, Line::Kind::added), text_of(a));
        QCOMPARE(side(lines, Line::Kind::removed), text_of(b));
        const auto same =
            std::count_if(lines.begin(), lines.end(), [](const Line& l) { return l.kind == Line::Kind::same; });
        QCOMPARE(static_cast<std::size_t>(same), common(a, b));
    }
}

void LineDifferenceTest::patchAppliesThem() {
    QTemporaryDir folder;
    std::mt19937 random(9);
    for (int i = 0; i < 40; ++i) {
        std::vector<std::string> a(60);
        for (std::size_t line = 0; line < a.size(); ++line)
            a[line] = "line " + std::to_string(line);
        auto b = a;
        for (int change = 0; change < 5; ++change) {
            const auto at = b.begin() + static_cast<std::ptrdiff_t>(random() % b.size());
            if (random() % 2)
                b.erase(at);
            else
                b.insert(at, "new");
        }
        const auto patch = history::unified_text(history::line_difference(text_of(a), text_of(b)), "a", "b");
        QFile before(folder.filePath("a"));
        QVERIFY(before.open(QFile::WriteOnly | QFile::Truncate));
        before.write(text_of(a).c_str());
        before.close();
        QProcess program;
        program.setWorkingDirectory(folder.path());
        program.start("patch", {"-s", "-o", "b", "a"});
        if (!program.waitForStarted()) QSKIP("there is no patch here");
        program.write(patch.c_str());
        program.closeWriteChannel();
        QVERIFY(program.waitForFinished());
        QVERIFY2(program.exitCode() == 0, patch.c_str());
        QFile after(folder.filePath("b"));
        QVERIFY(after.open(QFile::ReadOnly));
        QCOMPARE(after.readAll().toStdString(), text_of(b));
    }
}

void LineDifferenceTest::manyChanges() {
    std::string a = "first\n", b = "first\n";
    for (int i = 0; i < 20000; ++i) {
        a += "old " + std::to_string(i) + "\n";
        b += "new " + std::to_string(i) + "\n";
    }
    const auto lines = history::line_difference(a, b);
    QCOMPARE(side(lines, Line::Kind::added), a);
    QCOMPARE(side(lines, Line::Kind::removed), b);
    QVERIFY(history::line_difference("", "").empty());
    QCOMPARE(history::unified_text(history::line_difference("", "x\n"), "a", "b"),
             std::string("--- a\n+++ b\n@@ -0,0 +1,1 @@\n+x\n"));
}

QTEST_GUILESS_MAIN(LineDifferenceTest)
#include "line_difference_test.moc"
