// SPDX-License-Identifier: Apache-2.0
// Programs made at random with one wrong access: what is told of it is what their interpretation knows.
#include "fault_program.hpp"

#include <QElapsedTimer>
#include <QtTest>

class FaultProgramsTest : public QObject {
    Q_OBJECT
private slots:
    void areToldAsTheyAre() {
        constexpr std::uint64_t kPrograms = 100;
        constexpr qint64 kMilliseconds = 90'000; // of sanitized code on a busy machine: fewer programs, then
        QElapsedTimer timer;
        timer.start();
        std::uint64_t seed = 1;
        for (; seed <= kPrograms && timer.elapsed() < kMilliseconds; ++seed) {
            const FaultProgram program = fault_program(seed);
            const auto finding = check_fault_program(program);
            if (finding) QFAIL(("seed " + std::to_string(seed) + ": " + *finding + "\n" + program.text).c_str());
        }
        if (seed <= kPrograms)
            qInfo("the time was over after %llu programs", static_cast<unsigned long long>(seed - 1));
    }
};

QTEST_APPLESS_MAIN(FaultProgramsTest)
#include "test_fault_programs.moc"
