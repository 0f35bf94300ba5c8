// SPDX-License-Identifier: Apache-2.0
// Programs made at random with one wrong access: what is told of it is what their interpretation knows.
#include "fault_program.hpp"

#include <QElapsedTimer>
#include <QtTest>

namespace {

/// What is told otherwise than it is, with the program; or nothing.
std::string told_wrongly(std::uint64_t seed) {
    const FaultProgram program = fault_program(seed);
    const auto finding = check_fault_program(program);
    return finding ? "seed " + std::to_string(seed) + ": " + *finding + "\n" + program.text : std::string();
}

} // namespace

class FaultProgramsTest : public QObject {
    Q_OBJECT
private slots:
    void areToldAsTheyAre() {
        constexpr std::uint64_t kPrograms = 100;
#ifdef WARPLIGHT_SANITIZED
        constexpr qint64 kMilliseconds = 90'000; // fewer programs on a busy machine
        QElapsedTimer timer;
        timer.start();
#endif
        for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
            const std::string wrong = told_wrongly(seed);
            QVERIFY2(wrong.empty(), wrong.c_str());
#ifdef WARPLIGHT_SANITIZED
            if (timer.elapsed() > kMilliseconds) {
                qInfo("the time was over after %llu programs", static_cast<unsigned long long>(seed));
                return;
            }
#endif
        }
    }

    void knownSeeds_data() {
        QTest::addColumn<qulonglong>("seed");
        // Each planted an exclusive or that a loop took back.
        for (const qulonglong seed : {70010218, 176196, 227797, 349359})
            QTest::addRow("seed %llu", seed) << seed;
    }
    void knownSeeds() {
        QFETCH(qulonglong, seed);
        const std::string wrong = told_wrongly(seed);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
};

QTEST_APPLESS_MAIN(FaultProgramsTest)
#include "test_fault_programs.moc"
