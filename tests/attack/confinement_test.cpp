// SPDX-License-Identifier: Apache-2.0
// The walls around a worker: what they refuse, that work goes on behind them, and that missing ones are named.
#include "confinement_attempts.hpp"

#include "../session/cli_fixture.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <map>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

/// For a child before it becomes another program: makes system calls fail as an old kernel or a container does.
struct Missing {
    std::vector<int> calls;
    int error = ENOSYS;

    void install() const {
        std::vector<sock_filter> code{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
        for (const int call : calls) {
            code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
            code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)));
        }
        code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
        const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    }
};

const std::vector<int> landlock_calls = {444, 445, 446};
const std::vector<int> seccomp_calls = {SYS_seccomp};

constexpr int nobody = 65534;

} // namespace

class ConfinementTest : public CliFixture {
    Q_OBJECT
    std::map<QString, QString> tried_;

    QProcessEnvironment attack_environment() const {
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", path("home"));
        environment.insert("WARPLIGHT_CACHE_DIR", path("cache"));
        environment.insert("WARPLIGHT_TEST_SESSION", path("session"));
        environment.insert("WARPLIGHT_TEST_OUT", path("out"));
        environment.insert("WARPLIGHT_TEST_OTHER", path("other"));
        environment.insert("WARPLIGHT_TEST_PARENT", QString::number(getpid()));
        return environment;
    }
    Result attack(const QString& argument, QProcess::ExitStatus* status = nullptr) const {
        QProcess process;
        process.setProcessEnvironment(attack_environment());
        process.start(QCoreApplication::applicationFilePath(), {argument});
        Result result = finish(process);
        if (status) *status = process.exitStatus();
        if (status && *status == QProcess::CrashExit) result.code = process.exitCode();
        return result;
    }
    QJsonObject doctor(const std::function<void()>& in_child = {}) const {
        const Result result = cli({"doctor", "--json"}, environment(), in_child);
        return QJsonDocument::fromJson(result.out.toUtf8()).object();
    }
    static QMap<QString, QString> missing_of(const QJsonObject& doctor) {
        QMap<QString, QString> missing;
        for (const auto& each : doctor["walls"].toArray()) {
            const auto wall = each.toObject();
            if (!wall["stands"].toBool()) missing[wall["name"].toString()] = wall["missing"].toString();
        }
        return missing;
    }
    bool stands(const char* wall) const {
        const auto found = tried_.find(QString("wall-") + wall);
        return found != tried_.end() && found->second == "stands";
    }

private slots:
    void initTestCase() {
        QVERIFY(temporary_.isValid());
        write_scale();
        for (const char* folder : {"home", "session", "out", "other"})
            QVERIFY(QDir(temporary_.path()).mkdir(folder));
        write("session/data", "of the session");
        write("other/secret", "of another");
        QVERIFY(QFile::link(path("other/secret"), path("session/link")));
        qputenv("WARPLIGHT_CACHE_DIR", path("cache").toUtf8());
        const Result result = attack("--attempts");
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        for (const QString& line : result.out.split('\n', Qt::SkipEmptyParts))
            tried_[line.section(' ', 0, -2)] = line.section(' ', -1);
        QVERIFY2(tried_.size() > 20, qPrintable(result.all()));
    }

    void attempts_fail_data() {
        QTest::addColumn<QString>("wall");
        QTest::addColumn<QString>("attempt");
        QTest::addColumn<QString>("answers");
        const auto row = [](const char* wall, const char* attempt, const char* answers) {
            QTest::newRow(attempt) << wall << attempt << answers;
        };
        for (const char* works :
             {"read-session", "write-out", "truncate-out", "rename-in-out", "read-library", "own-maps"})
            row("files", works, "done");
        for (const char* refused :
             {"read-shadow", "read-passwd", "list-root", "list-tmp", "read-other", "read-through-link",
              "read-through-dots", "read-in-thread", "write-session", "overwrite-session", "write-other", "write-home",
              "write-tmp", "remove-other", "own-environment", "own-memory", "parent-environment", "parent-memory",
              "parent-maps"})
            row("files", refused, "EACCES ENOENT");
        for (const char* refused : {"truncate-other", "chmod-other", "chown-other", "times-other", "link-other",
                                    "link-out", "rename-other", "rename-out", "fifo"})
            row("files", refused, "EACCES EPERM EXDEV");
        for (const char* refused : {"spawn", "fork", "exec", "exec-memory"})
            row("programs", refused, "EPERM");
        for (const char* refused : {"socket-tcp", "socket-udp", "socket-unix", "socket-netlink", "socket-pair"})
            row("network", refused, "EPERM");
        for (const char* refused :
             {"ptrace-parent", "ptrace-me", "read-parent", "write-parent", "signal-parent", "signal-group",
              "signal-all", "signal-thread", "signal-by-file", "handle-of-parent", "limits-of-parent", "group"})
            row("processes", refused, "EPERM ENOSYS");
        for (const char* works : {"read-self", "signal-self"})
            row("processes", works, "done");
        row("system calls", "calls-of-later-kernels", "0");
        row("system calls", "ioctl-terminal", "ENOTTY EPERM");
        row("privileges", "no-new-privileges", "1");
        row("privileges", "capabilities", "0");
        row("limits", "core-limit", "0");
        row("limits", "file-limit", "1");
        row("limits", "raise-limit", "EPERM");
    }
    void attempts_fail() {
        QFETCH(QString, wall);
        QFETCH(QString, attempt);
        QFETCH(QString, answers);
        if (wall != "environment" && !stands(qPrintable(wall))) QSKIP("this system lacks the wall");
        const auto found = tried_.find(attempt);
        QVERIFY2(found != tried_.end(), "it was not tried");
        QVERIFY2(answers.split(' ').contains(found->second), qPrintable(found->second));
    }

    void dangerous_system_calls_fail() {
        if (!stands("system calls")) QSKIP("this system lacks the wall");
        int count = 0;
        for (const auto& [name, answer] : tried_) {
            if (!name.startsWith("call-")) continue;
            ++count;
            QVERIFY2(answer == "EPERM" || answer == "ENOSYS", qPrintable(name + ": " + answer));
        }
        QVERIFY(count > 50);
    }

    /// A filter that looked at numbers alone would take these for other calls.
    void other_tables_of_system_calls_end_the_process() {
#if defined(__x86_64__)
        if (!stands("system calls")) QSKIP("this system lacks the wall");
        for (const char* which : {"--int80", "--x32"}) {
            QProcess::ExitStatus status = QProcess::NormalExit;
            const Result result = attack(which, &status);
            QVERIFY2(status == QProcess::CrashExit && !result.out.contains("survived"), qPrintable(result.all()));
            QCOMPARE(result.code, SIGSYS);
        }
#endif
    }

    void a_session_runs_behind_the_walls() {
        const Result good = run({"good.warplight"});
        QVERIFY2(good.code == 0, qPrintable(good.all()));
        write("saving.warplight", session(R"(, "save": "results/y.npy")"));
        const Result saving = run({"saving.warplight"});
        QVERIFY2(saving.code == 0 && QFile::exists(path("results/y.npy")), qPrintable(saving.all()));
        const Result elsewhere = run({"saving.warplight", "--out", path("made/later")});
        QVERIFY2(elsewhere.code == 0 && QFile::exists(path("made/later/results/y.npy")), qPrintable(elsewhere.all()));
    }

    /// nvcc starts a shell and the host's compiler, in a process that may do nothing else.
    void nvcc_works_behind_the_walls() {
        const Result toolkit = cli({"toolkit", "--json"});
        const auto nvcc = QJsonDocument::fromJson(toolkit.out.toUtf8()).object()["nvcc"].toObject();
        if (!nvcc["found"].toBool()) QSKIP("no nvcc here");
        write("other.h", "#define FACTOR a");
        write("with_header.cu", QByteArray("#include \"other.h\"\n") + scale_source);
        auto text = session(R"(, "expect": {"path": "right.npy"})");
        text.replace("\"source\": \"scale.cu\"",
                     "\"source\": \"with_header.cu\", \"compile\": {\"compiler\": \"nvcc\"}");
        write("nvcc.warplight", text);
        const Result good = run({"nvcc.warplight"});
        QVERIFY2(good.code == 0, qPrintable(good.all()));
    }

    /// Without the checks of a session: the source is the user's own, and names what it wants.
    void a_compiler_reads_only_its_folders() {
        if (!stands("files")) QSKIP("this system lacks the wall");
        QVERIFY(QDir(temporary_.path()).mkpath("sources"));
        write("secret.h", "#error this text is secret");
        // The command line finds headers by their names, and opens those. It computes none.
        write("sources/macro.cu", "#define TEXT_OF(x) #x\n#define TEXT(x) TEXT_OF(x)\n#define NAME " +
                                      path("secret.h").toUtf8() + "\n#include TEXT(NAME)\n" + scale_source);
        const Result refused = run({"sources/macro.cu", "--kernel", "other", "--grid", "1", "--block", "1"});
        QVERIFY2(refused.code != 0 && !refused.all().contains("text is secret"), qPrintable(refused.all()));
        const Result open =
            run({"sources/macro.cu", "--kernel", "other", "--grid", "1", "--block", "1", "--unconfined"});
        QVERIFY2(open.all().contains("text is secret"), qPrintable(open.all()));
    }

    /// The name lies in the session's folder; the file does not.
    void a_link_leads_nowhere() {
        if (!stands("files")) QSKIP("this system lacks the wall");
        QVERIFY(QDir(temporary_.path()).mkdir("sub"));
        for (const char* name : {"scale.cu", "x.npy"})
            QVERIFY(QFile::copy(path(name), path("sub/") + name));
        QVERIFY(QFile::link(path("right.npy"), path("sub/right.npy")));
        write("sub/good.warplight", session(R"(, "expect": {"path": "right.npy"})"));
        const Result refused = run({"sub/good.warplight"});
        QVERIFY2(refused.code == 2 && refused.all().contains("right.npy"), qPrintable(refused.all()));
        const Result agreed = run({"sub/good.warplight", "--allow", path("right.npy")});
        QVERIFY2(agreed.code == 0, qPrintable(agreed.all()));
    }

    void variables_are_kept_back() {
        auto environment = this->environment();
        environment.insert("A_TOKEN_OF_THE_USER", "secret");
        const Result result = cli({"doctor", "--json"}, environment);
        QVERIFY2(result.out.contains("a list of variables"), qPrintable(result.all()));
    }

    void walls_that_are_missing_are_named_data() {
        QTest::addColumn<QList<int>>("calls");
        QTest::addColumn<int>("error");
        QTest::addColumn<QStringList>("missing");
        QTest::addColumn<QString>("why");
        const QList<int> landlock(landlock_calls.begin(), landlock_calls.end());
        const QList<int> seccomp(seccomp_calls.begin(), seccomp_calls.end());
        QTest::newRow("a kernel without Landlock") << landlock << ENOSYS << QStringList{"files"} << "5.13";
        QTest::newRow("Landlock turned off") << landlock << EOPNOTSUPP << QStringList{"files"} << "lsm=";
        QTest::newRow("a container without Landlock") << landlock << EPERM << QStringList{"files"} << "container";
        QTest::newRow("a container without seccomp") << seccomp << EPERM << QStringList{"system calls"} << "container";
        QTest::newRow("a container without both")
            << landlock + seccomp << EPERM << QStringList{"files", "network", "processes", "programs", "system calls"}
            << "container";
        QTest::newRow("a container that keeps privileges")
            << QList<int>{SYS_capset} << EPERM << QStringList{"privileges"} << "privileges";
    }
    void walls_that_are_missing_are_named() {
        QFETCH(QList<int>, calls);
        QFETCH(int, error);
        QFETCH(QStringList, missing);
        QFETCH(QString, why);
        if (!stands("files") || !stands("system calls")) QSKIP("this system lacks walls itself");
        const Missing filter{{calls.begin(), calls.end()}, error};
        const auto in_child = [&] { filter.install(); };
        const auto answer = doctor(in_child);
        const auto found = missing_of(answer);
        for (const QString& wall : missing)
            QVERIFY2(found.value(wall).contains(why), qPrintable(wall + ": " + found.value(wall)));
        QCOMPARE(found.keys(), missing);
        const Result text = cli({"doctor"}, environment(), in_child);
        QCOMPARE(text.code, 1);
        QVERIFY2(text.out.contains("MISSING"), qPrintable(text.all()));
        const Result ran = cli({"run", "good.warplight", "--device", device_}, environment(), in_child);
        QVERIFY2(ran.code == 0, qPrintable(ran.all()));
    }

    void unconfined_is_said() {
        const Result both = cli({"worker", "--help"});
        QVERIFY2(both.out.contains("--unconfined"), qPrintable(both.all()));
        const Result exec = cli({"exec", "--help"});
        QVERIFY2(exec.out.contains("not confined"), qPrintable(exec.all()));
    }

    void another_user_has_the_same_walls() {
        if (geteuid() != 0) QSKIP("only an administrator becomes another user");
        QTemporaryDir theirs;
        QVERIFY(chmod(qPrintable(theirs.path()), 0777) == 0);
        for (const char* name : {"scale.cu", "x.npy", "right.npy", "good.warplight"})
            QVERIFY(QFile::copy(path(name), theirs.filePath(name)));
        auto environment = this->environment();
        environment.insert("HOME", theirs.path());
        environment.insert("WARPLIGHT_CACHE_DIR", theirs.filePath("cache"));
        const auto in_child = [] {
            if (setgid(nobody) != 0 || setuid(nobody) != 0) _exit(99);
        };
        const Result answer = cli({"doctor", "--json"}, environment, in_child);
        if (answer.code == -1 || answer.out.isEmpty()) QSKIP("another user cannot reach this build");
        const auto missing = missing_of(QJsonDocument::fromJson(answer.out.toUtf8()).object());
        QCOMPARE(missing.keys(), missing_of(doctor()).keys());
        const Result ran = cli({"run", theirs.filePath("good.warplight"), "--device", device_}, environment, in_child);
        QVERIFY2(ran.code == 0, qPrintable(ran.all()));
    }
};

int main(int count, char** arguments) {
    const QByteArray what = count > 1 ? arguments[1] : "";
    // Without clean-up: a leak checker would start a process.
    const auto end = [](int code) {
        std::fflush(nullptr);
        std::_Exit(code);
    };
    if (what == "--attempts") end(confinement::attempts());
    if (what == "--int80" || what == "--x32") end(confinement::foreign_call(what.constData() + 2));
    const QCoreApplication application(count, arguments);
    ConfinementTest test;
    return QTest::qExec(&test, count, arguments);
}
#include "confinement_test.moc"
