// SPDX-License-Identifier: Apache-2.0
// SIGKILL at random moments: of the command, of the worker, of a compiler, of the window. The next run works, nothing
// is left behind, and the last result is whole. WARPLIGHT_KILL_MOMENTS=200 takes as many moments as the record in
// docs/security.md did.
#include "endurance_fixture.hpp"
#include "warplight/npy.hpp"

#include <QElapsedTimer>
#include <QtTest>

#include <csignal>
#include <filesystem>
#include <random>

namespace fs = std::filesystem;

namespace {

constexpr int kCount = 300'000;

/// Processes that were started with this environment variable, whoever their parent is now.
std::vector<pid_t> processes_with(const std::string& variable) {
    std::vector<pid_t> found;
    std::error_code error;
    for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream file(it->path() / "environ", std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        if (('\0' + text).find('\0' + variable + '\0') != std::string::npos) found.push_back(std::stoi(name));
    }
    return found;
}

} // namespace

class KillsTest : public QObject {
    Q_OBJECT
    OwnHome home_;
    std::mt19937 random_{20260101};
    int number_ = 0;

    /// Starts a program, kills one of its processes after a random part of `most` milliseconds, and waits until all of
    /// them are gone.
    void start_and_kill(const QString& program, const QStringList& arguments, int most) {
        const QByteArray mark =
            "WARPLIGHT_TEST_KILLS=" + QByteArray::number(getpid()) + "." + QByteArray::number(++number_);
        auto environment = home_.environment();
        environment.insert("WARPLIGHT_TEST_KILLS", mark.mid(mark.indexOf('=') + 1));
        // The leak sanitizer looks through a process at its end from a child, and waits for ever if that is the victim.
        environment.insert("ASAN_OPTIONS", environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(home_.work());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        QVERIFY(process.waitForStarted());
        const int moment = std::uniform_int_distribution(0, most)(random_);
        (void)process.waitForFinished(moment);
        const auto alive = processes_with(mark.toStdString());
        if (!alive.empty()) {
            const auto victim = alive[std::uniform_int_distribution<std::size_t>(0, alive.size() - 1)(random_)];
            ::kill(victim, SIGKILL);
        }
        // The command ends by itself; a window that has lost its worker goes on.
        const bool window = program != QStringLiteral(WARPLIGHT_CLI);
        if (window) (void)process.waitForFinished(100);
        if (window) process.kill();
        QVERIFY2(process.state() == QProcess::NotRunning || process.waitForFinished(30000), "did not end");
        QElapsedTimer timer;
        timer.start();
        auto left = processes_with(mark.toStdString());
        for (; !left.empty() && timer.elapsed() < 20000; left = processes_with(mark.toStdString()))
            QTest::qWait(5);
        for (const pid_t each : left) { // not for the tests that follow
            QFile name(QStringLiteral("/proc/%1/comm").arg(each));
            if (name.open(QIODevice::ReadOnly)) qWarning() << "still there:" << each << name.readAll().trimmed();
            ::kill(each, SIGKILL);
        }
        QVERIFY(left.empty());
        result_is_whole();
    }

    int run(const QString& program, const QStringList& arguments, QByteArray& said) const {
        QProcess process;
        process.setProcessEnvironment(home_.environment());
        process.setWorkingDirectory(home_.work());
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        if (!process.waitForFinished(60000)) return -1;
        said = process.readAll();
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }

    void result_is_whole() const {
        const auto y = warplight::load_npy(home_.work("y.npy").toStdString());
        QCOMPARE(y.size(), static_cast<std::size_t>(kCount));
        const auto values = y.as<float>();
        const float first = values[0]; // of this run or an earlier one
        for (int i = 0; i < kCount; i += 1000)
            QCOMPARE(values[static_cast<std::size_t>(i)], 2.0f * static_cast<float>(i) + first);
    }

    /// A run that compiles something new, and so writes wherever runs write.
    void next_run_works() {
        home_.write_session(++number_, kCount);
        QByteArray said;
        QVERIFY2(run(WARPLIGHT_CLI, {"run", "k.warplight"}, said) == 0, said.constData());
        QCOMPARE(warplight::load_npy(home_.work("y.npy").toStdString()).as<float>()[1],
                 2.0f + static_cast<float>(number_));
        QCOMPARE(OwnHome::names(home_.work()), QStringList({"k.cu", "k.warplight", "y.npy"}));
        // The process that starts compilers ends a moment after the worker.
        QTRY_COMPARE(OwnHome::names(home_.path("tmp")).join(' '), QString());
        QCOMPARE(home_.strange_cache_files().join(' '), QString());
    }

private slots:
    void initTestCase() { next_run_works(); }

    void command_and_workers() {
        const int moments = count_from("WARPLIGHT_KILL_MOMENTS", 30);
        QElapsedTimer timer;
        timer.start();
        next_run_works();
        const int most = static_cast<int>(timer.elapsed());
        for (int i = 0; i < moments; ++i) {
            home_.write_session(++number_, kCount);
            start_and_kill(WARPLIGHT_CLI, {"run", "k.warplight"}, most);
            if (QTest::currentTestFailed()) return;
            if (i % 10 == 9) next_run_works();
        }
        next_run_works();
    }

    /// Its programs, which a compiler of its own starts, end too, and their files go.
    void nvcc() {
        QByteArray said;
        home_.write_session(++number_, kCount, "nvcc");
        QElapsedTimer timer;
        timer.start();
        if (run(WARPLIGHT_CLI, {"run", "k.warplight"}, said) != 0) QSKIP("no nvcc here");
        const int most = static_cast<int>(timer.elapsed());
        for (int i = 0, moments = count_from("WARPLIGHT_KILL_MOMENTS", 2); i < moments; ++i) {
            home_.write_session(++number_, kCount, "nvcc");
            start_and_kill(WARPLIGHT_CLI, {"run", "k.warplight"}, most);
            if (QTest::currentTestFailed()) return;
        }
        next_run_works();
    }

#ifdef WARPLIGHT_WINDOW
    void windows() {
        const int moments = count_from("WARPLIGHT_KILL_MOMENTS", 4);
        const QStringList shows = {"--run", "--screenshot", home_.path("window.png"), "k.warplight"};
        QElapsedTimer timer;
        timer.start();
        QByteArray said;
        QVERIFY2(run(WARPLIGHT_WINDOW, shows, said) == 0, said.constData());
        const int most = static_cast<int>(timer.elapsed());
        for (int i = 0; i < moments; ++i) {
            home_.write_session(++number_, kCount);
            start_and_kill(WARPLIGHT_WINDOW, {"--run", "k.warplight"}, most);
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY2(run(WARPLIGHT_WINDOW, shows, said) == 0, said.constData());
        QCOMPARE(OwnHome::files(home_.path("home/.cache/warplight")).join(' '), QString());
        next_run_works();
        // Locks and half files of windows that are gone.
        const QStringList left = OwnHome::files(home_.path("home"));
        for (const char* part : {".lock", ".warplight-", ".json."})
            QCOMPARE(left.filter(part).join(' '), QString());
    }
#endif
};

QTEST_GUILESS_MAIN(KillsTest)
#include "kills_test.moc"
