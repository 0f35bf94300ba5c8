// SPDX-License-Identifier: Apache-2.0
// Programs of others, run by `warplight-cli exec`: they find the software device as libcuda.so.1, replace the command's
// process, and their ends and outputs are theirs.
#include "exec_environment.hpp"
#include "launch_log/launch_log.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <csignal>
#include <memory>
#include <vector>

using namespace warplight;

namespace {

/// driver_program with these arguments.
Result program(const QStringList& arguments, const QStringList& options = {},
               const QProcessEnvironment& environment = plain_environment()) {
    return cli(QStringList("exec") + options + QStringList{"--", DRIVER_PROGRAM} + arguments, environment);
}

} // namespace

class ExecTest : public QObject {
    Q_OBJECT

private slots:
    void linked_program() {
        const auto result = program({"sum", "100000"});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        QCOMPARE(result.out, "4999950000\n");
    }

    void calls_at_the_exit() {
        for (int i = 0; i < 5; ++i) {
            const auto result = program({"at-exit", "1000"});
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            QCOMPARE(result.out, "499500\n0 1\n");
        }
    }

    void all_names() {
        const auto result = cli({"exec", "--", DRIVER_NAMES, CUDA_HEADERS});
        QVERIFY2(result.code == 0, qPrintable(result.out + result.err));
        const auto counts = result.out.split(' ');
        QVERIFY2(counts[0].toInt() > 400 && counts[2].toInt() > 400, qPrintable(result.out));
    }

    void python_program() {
        if (QByteArray(PYTHON).isEmpty()) QSKIP("there is no Python");
        const auto result = cli({"exec", "--workers", "2", "--", PYTHON, PYTHON_PROGRAM});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        QCOMPARE(result.out, "ctypes program: done\n");
    }

    void linking_program() {
        if (QByteArray(PYTHON).isEmpty()) QSKIP("there is no Python");
        const auto result = cli({"exec", "--", PYTHON, LINKING_PROGRAM});
        QVERIFY2(result.code == 0, qPrintable(result.err));
        QCOMPARE(result.out, "linking program: done\n");
    }

    /// The program is waited for: what its kernels did wrong makes its success none.
    void checked_program() {
        const QTemporaryDir folder;
        const QString file = folder.filePath("findings.jsonl");
        const auto wrong = program({"past", "4096", "8"}, {"--check", "memory", "--findings", file});
        QCOMPARE(wrong.out, "0\n"); // the access was left out
        QVERIFY2(wrong.code == 5, qPrintable(wrong.all()));
        QVERIFY2(wrong.err.contains("checks found 1 place") && wrong.err.contains("8 bytes past the end of"),
                 qPrintable(wrong.err));
        QFile lines(file);
        QVERIFY(lines.open(QIODevice::ReadOnly));
        const QJsonObject process = QJsonDocument::fromJson(lines.readAll()).object();
        QCOMPARE(process["program"].toString(), QFileInfo(DRIVER_PROGRAM).fileName());
        QCOMPARE(process["findings"].toArray().size(), 1);
        const QJsonObject finding = process["findings"].toArray()[0].toObject();
        QCOMPARE(finding["kind"].toString(), "memory");
        QCOMPARE(finding["kernel"].toString(), "add_up");
        QCOMPARE(finding["access"].toString(), "atomic");
        QCOMPARE(finding["size"].toInt(), 8);

        const auto right = program({"sum", "1000"}, {"--check", "all"});
        QVERIFY2(right.code == 0, qPrintable(right.all()));
        QCOMPARE(right.out, "499500\n");
        QVERIFY2(right.err.contains("checks found nothing"), qPrintable(right.err));
        QCOMPARE(program({"exit", "7"}, {"--check", "all"}).code, 7);
        const auto leak = program({"past", "4096", "-8"}, {"--check", "leak"});
        QCOMPARE(leak.out, "0\n");
        QVERIFY2(leak.code == 5 && leak.err.contains("warning: the 4096 bytes at") && leak.err.contains("cuMemFree()"),
                 qPrintable(leak.all()));
        const auto unknown = program({"sum", "1"}, {"--check", "nonsense"});
        QVERIFY2(unknown.code != 0 && unknown.err.contains("no check"), qPrintable(unknown.all()));
    }

    void findings_that_cannot_be_written_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("full disk") << "/dev/full" << 5 << "the findings cannot be written to /dev/full";
        QTest::newRow("no folder") << "none/such/findings.jsonl" << 2 << "choose another file for --findings";
        QTest::newRow("a folder") << "/" << 2 << "choose another file for --findings";
    }
    /// They are told on standard error all the same, and by the exit code.
    void findings_that_cannot_be_written() {
        QFETCH(QString, file);
        QFETCH(QString, says);
        const auto result = program({"past", "4096", "8"}, {"--check", "memory", "--findings", file});
        QTEST(result.code, "code");
        QVERIFY2(result.err.contains(says), qPrintable(result.err));
        QCOMPARE(result.err.contains("8 bytes past the end of"), result.code == 5);
    }

    void a_checked_program_that_is_stopped_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    /// While its kernel runs, which never ends. What was found so far is not lost.
    void a_checked_program_that_is_stopped() {
        QFETCH(int, signal);
        const QTemporaryDir folder;
        const QString file = folder.filePath("findings.jsonl");
        QProcess process;
        process.setProcessEnvironment(plain_environment());
        process.start(WARPLIGHT_CLI, {"exec", "--check", "all", "--findings", file, "--summary", "--", DRIVER_PROGRAM,
                                      "past-and-stay", "4096"});
        QByteArray out;
        while (!out.contains("stays") && process.waitForReadyRead(60000))
            out += process.readAllStandardOutput();
        QVERIFY2(out.contains("stays"), out + process.readAllStandardError());
        ::kill(static_cast<pid_t>(process.processId()), signal);
        const auto result = finish(process);
        QVERIFY2(result.code != 0, qPrintable(result.all()));
        QVERIFY2(result.err.contains("checks found 1 place") && result.err.contains("8 bytes past the end of"),
                 qPrintable(result.err));
        QVERIFY2(!result.err.contains("leak") && result.err.contains("on the software device"), qPrintable(result.err));
        QFile lines(file);
        QVERIFY(lines.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(lines.readAll()).object()["findings"].toArray().size(), 1);
    }

    void an_unknown_check_of_the_environment() {
        auto environment = plain_environment();
        environment.insert("WARPLIGHT_SOFTWARE_CHECKS", "memory,nonsense");
        const auto result = program({"sum", "1000"}, {}, environment);
        QCOMPARE(result.out, "499500\n");
        QVERIFY2(result.err.contains("there is no check \"memory,nonsense\"") && result.err.contains("sync"),
                 qPrintable(result.err));
    }

    /// Of streams that nothing orders, whatever ran first.
    void races_of_streams() {
        const auto wrong = program({"streams", "0"}, {"--check", "race"});
        QVERIFY2(wrong.code == 5 && wrong.err.contains("checks found 1 place"), qPrintable(wrong.all()));
        QVERIFY2(wrong.err.contains("a write by kernel 'put' at PTX line") && wrong.err.contains("in another stream"),
                 qPrintable(wrong.err));
        const auto right = program({"streams", "1"}, {"--check", "race"});
        QVERIFY2(right.code == 0 && right.err.contains("checks found nothing"), qPrintable(right.all()));
    }

    void memory_of_no_context_that_is_left() {
        const auto left = program({"left"}, {"--check", "leak"});
        QVERIFY2(left.code == 5 && left.err.contains("checks found 3 places"), qPrintable(left.all()));
        for (const char* each : {"the 1000 bytes at", "(memory of a pool)", "the 3000 bytes at", "(memory of a graph)",
                                 "4194304 bytes of physical memory"})
            QVERIFY2(left.err.contains(each), qPrintable(left.err));
    }

    /// Linked with NVIDIA's linker, or with what has its names and versions.
    void programs_of_the_linker() {
        const QStringList programs = QString(LINKED_PROGRAMS).split(',', Qt::SkipEmptyParts);
        QVERIFY(programs.size() >= 2);
        for (const QString& program : programs) {
            const auto result = cli({"exec", "--", QString(LINKED_FOLDER) + '/' + program});
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            QCOMPARE(result.out, "linked\n");
            QCOMPARE(result.err, ""); // nothing of missing versions either
        }
    }

    void settings() {
        auto result =
            program({"settings"}, {"--devices", "3", "--arch", "sm_90", "--memory", "512M", "--workers", "2", "--log"});
        QCOMPARE(result.err, QString());
        QCOMPARE(result.out, QString("3 9.0 %1 2 1\n").arg(512 << 20));
        // What the environment says counts where no option says otherwise.
        auto environment = plain_environment();
        environment.insert("WARPLIGHT_SOFTWARE_DEVICES", "2");
        environment.insert("WARPLIGHT_SOFTWARE_ARCH", "7.5");
        result = program({"settings"}, {"--devices=4"}, environment);
        QVERIFY2(result.out.startsWith("4 7.5 "), qPrintable(result.out + result.err));
        result = program({"sum", "1000"}, {"--devices", "2"});
        QCOMPARE(result.out, "499500\n499500\n");
    }

    void wrong_options_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("devices") << QStringList{"--devices", "0"};
        QTest::newRow("many") << QStringList{"--devices", "65"};
        QTest::newRow("arch") << QStringList{"--arch", "ampere"};
        QTest::newRow("memory") << QStringList{"--memory", "much"};
        QTest::newRow("rounding") << QStringList{"--round-allocations", "up"};
        QTest::newRow("workers") << QStringList{"--workers", "-1"};
        QTest::newRow("unknown") << QStringList{"--verbose"};
    }
    void wrong_options() {
        QFETCH(QStringList, arguments);
        const auto result = program({"exit", "0"}, arguments);
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains(arguments[0]), qPrintable(result.err));
        QCOMPARE(result.out, QString());
    }

    void no_program() {
        for (const QStringList& arguments :
             {QStringList{"exec"}, QStringList{"exec", "--"}, QStringList{"exec", DRIVER_PROGRAM, "exit", "0"}}) {
            const auto result = cli(arguments);
            QCOMPARE(result.code, 2);
            QVERIFY2(result.err.contains("exec -- PROGRAM"), qPrintable(result.err));
        }
        auto result = cli({"exec", "--", "there-is-no-such-program"});
        QCOMPARE(result.code, 127);
        QVERIFY2(result.err.contains("there-is-no-such-program"), qPrintable(result.err));
        QTemporaryDir folder;
        result = cli({"exec", "--", folder.path()});
        QCOMPARE(result.code, 126);
        QVERIFY2(result.err.contains(folder.path()), qPrintable(result.err));
        write_script(folder.filePath("script"), "#!/no/such/interpreter\n");
        result = cli({"exec", "--", folder.filePath("script")});
        QCOMPARE(result.code, 127);
        QVERIFY2(result.err.contains("interpreter"), qPrintable(result.err));
    }

    void replaces_the_process() {
        QProcess process;
        process.setProcessEnvironment(plain_environment());
        process.start(WARPLIGHT_CLI, {"exec", "--", DRIVER_PROGRAM, "process"});
        QVERIFY(process.waitForStarted());
        const auto id = process.processId();
        QCOMPARE(finish(process).out.trimmed().toLongLong(), id);
        QCOMPARE(program({"exit", "0"}).code, 0);
        QCOMPARE(program({"exit", "3"}).code, 3);
        QCOMPARE(program({"exit", "200"}).code, 200);
        QCOMPARE(program({"signal", QString::number(SIGTERM)}).code, -1);
        // From outside, too.
        process.start(WARPLIGHT_CLI, {"exec", "--", "sleep", "100"});
        QVERIFY(process.waitForStarted());
        process.terminate();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    }

    void arguments_stay_as_they_are() {
        const auto result = program({"arguments", "", "--devices", "2", "--", "[1,2]", "a b", "--help"});
        QCOMPARE(result.out, "[][--devices][2][--][[1,2]][a b][--help]\n");
    }

    void search_path_is_kept() {
        auto environment = plain_environment();
        environment.insert("LD_LIBRARY_PATH", "/some/where:/else");
        const auto path = [&] {
            return cli({"exec", "--", "sh", "-c", "echo \"$LD_LIBRARY_PATH\""}, environment).out.trimmed();
        };
        const auto first = QFileInfo(SOFTWARE_DRIVER).dir().canonicalPath() + "/exec";
        QCOMPARE(path(), first + ":/some/where:/else");
        // An empty path would become one with the working folder in it.
        environment.insert("LD_LIBRARY_PATH", "");
        QCOMPARE(path(), first);
    }

    void children_find_it() {
        const auto result = cli({"exec", "--devices", "2", "--", "sh", "-c",
                                 QString("'%1' sum 10; '%1' sum 20; exit 5").arg(DRIVER_PROGRAM)});
        QCOMPARE(result.out, "45\n45\n190\n190\n");
        QCOMPARE(result.code, 5);
    }

    void several_at_once() {
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 0; i < 6; ++i) {
            processes.push_back(std::make_unique<QProcess>());
            processes.back()->setProcessEnvironment(plain_environment());
            processes.back()->start(
                WARPLIGHT_CLI, {"exec", "--memory", "256M", "--", DRIVER_PROGRAM, "sum", QString::number(100000 + i)});
        }
        for (qint64 i = 0; i < 6; ++i) {
            const auto result = finish(*processes[static_cast<std::size_t>(i)]);
            QCOMPARE(result.err, QString());
            QCOMPARE(result.out.trimmed().toLongLong(), (100000 + i) * (99999 + i) / 2);
        }
    }

    /// A library that lies by itself: the names are made in the cache folder, once.
    void library_elsewhere() {
        QTemporaryDir folder;
        const auto library = folder.filePath("device.so");
        QVERIFY(QFile::copy(SOFTWARE_DRIVER, library));
        auto environment = plain_environment();
        environment.insert("WARPLIGHT_SOFTWARE_LIBRARY", library);
        environment.insert("WARPLIGHT_CACHE_DIR", folder.filePath("cache"));
        for (int i = 0; i < 2; ++i) {
            const auto result = program({"sum", "10"}, {}, environment);
            QCOMPARE(result.err, QString());
            QCOMPARE(result.out, "45\n");
        }
        const QDir made(folder.filePath("cache/exec"));
        const auto folders = made.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(folders.size(), 1);
        const QDir names(made.filePath(folders[0]));
        QCOMPARE(names.entryList(QDir::Files),
                 (QStringList{"libcuda.so", "libcuda.so.1", "libnvJitLink.so.12", "libnvJitLink.so.13"}));
    }

    void library_is_missing() {
        auto environment = plain_environment();
        environment.insert("WARPLIGHT_SOFTWARE_LIBRARY", "/no/such/library.so");
        auto result = program({"exit", "0"}, {}, environment);
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("/no/such/library.so"), qPrintable(result.err));
        QTemporaryDir folder;
        write_script(folder.filePath("broken.so"), "no library\n");
        environment.insert("WARPLIGHT_SOFTWARE_LIBRARY", folder.filePath("broken.so"));
        result = program({"exit", "0"}, {}, environment);
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("broken.so"), qPrintable(result.err));
    }

    void summary() {
        const auto result = program({"sum", "1000"}, {"--summary", "--devices", "2"});
        QCOMPARE(result.code, 0);
        QCOMPARE(result.out, "499500\n499500\n");
        const QRegularExpression head("^\\[warplight\\] driver_program \\(process \\d+\\) on the software device\n");
        QVERIFY2(head.match(result.err).hasMatch(), qPrintable(result.err));
        for (const char* device : {"0", "1"}) {
            const QRegularExpression line(
                QString("\n +1 +\\d+\\.\\d+ +\\d+\\.\\d+  add_up \\(4\\) x \\(256\\) on device %1\n").arg(device));
            QVERIFY2(line.match(result.err).hasMatch(), qPrintable(result.err));
            QVERIFY2(result.err.contains(QString("\n  memory of device %1: 8 B at most\n").arg(device)),
                     qPrintable(result.err));
        }
        QVERIFY2(result.err.contains("\n  copies: 2 to devices, 16 B; 2 to the host, 16 B\n"), qPrintable(result.err));
        QVERIFY2(result.err.endsWith("\n  faults: 0\n"), qPrintable(result.err));
        QCOMPARE(program({"sum", "1000"}).err, QString());
    }

    /// Every process appends its lines; a crash leaves those that were written.
    void log_of_launches() {
        QTemporaryDir folder;
        const QString file = folder.filePath("the log ж");
        write_file(file, "of an earlier run\n");
        auto result = cli({"exec", "--log-launches", file, "--", "sh", "-c",
                           QString("'%1' sum 1000; '%1' sum-and-signal 10 %2; '%1' fault; true")
                               .arg(DRIVER_PROGRAM)
                               .arg(int(SIGSEGV))});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        std::vector<launch_log::Event> events;
        QFile log(file);
        QVERIFY(log.open(QIODevice::ReadOnly));
        while (!log.atEnd()) {
            const auto event = launch_log::from_line(log.readLine().toStdString());
            QVERIFY(event.has_value());
            QCOMPARE(launch_log::from_line(launch_log::to_line(*event))->index(), event->index());
            events.push_back(*event);
        }
        std::array<int, 4> count{};
        for (const auto& event : events)
            ++count[event.index()];
        QCOMPARE(count[0], 3); // starts
        QVERIFY(count[1] >= 2);
        QCOMPARE(count[2], 1);
        QCOMPARE(count[3], 2); // one was ended by a signal
        const auto& start = std::get<launch_log::Start>(events[0]);
        QCOMPARE(start.driver, std::string("software"));
        QCOMPARE(start.program, std::string("driver_program"));
        const auto& launch = std::get<launch_log::Launch>(events[1]);
        QCOMPARE(launch.kernel, std::string("add_up"));
        QCOMPARE(launch.process, start.process);
        QCOMPARE(launch.grid, (std::array<unsigned, 3>{4, 1, 1}));
        QCOMPARE(launch.block, (std::array<unsigned, 3>{256, 1, 1}));
        QVERIFY(launch.ms && *launch.ms > 0);
        const auto& end = std::get<launch_log::End>(events[2]);
        QCOMPARE(end.launches, std::uint64_t(1));
        QCOMPARE(end.copies.size(), std::size_t(2));
        QCOMPARE(end.copies[0].direction, std::string("to devices"));
        QVERIFY(end.memory.size() == 1 && end.memory[0].bytes > 0);
        QVERIFY(!launch_log::from_line("{\"event\":\"launch\",\"process\":1,\"dev"));
        QVERIFY(!launch_log::from_line("[1]"));

        result = program({"sum", "10"}, {"--log-launches", folder.filePath("no/such/folder")});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("cannot be written"), qPrintable(result.err));
    }

    void on_a_gpu() {
        if (QFile::exists("/proc/driver/nvidia/version")) QSKIP("NVIDIA's driver is installed");
        const auto result = program({"sum", "10"}, {"--device", "cuda"});
        QCOMPARE(result.code, 4);
        QVERIFY2(result.err.contains("NVIDIA's driver"), qPrintable(result.err));
    }

    /// Each process that used a device tells of itself; the shell, which did not, nothing.
    void summary_of_children() {
        const auto result =
            cli({"exec", "--summary", "--", "sh", "-c", QString("'%1' sum 10; '%1' sum 20; true").arg(DRIVER_PROGRAM)});
        QCOMPARE(result.code, 0);
        QCOMPARE(result.err.count("driver_program (process"), 2);
        QCOMPARE(result.err.count("(process"), 2);
    }

    /// What had not ended is told of, not left out.
    void summary_of_unfinished_launches() {
        QTemporaryDir folder;
        for (const int count : {1, 3}) {
            const auto result = program({"leave", QString::number(count)},
                                        {"--summary", "--log-launches", folder.filePath(QString::number(count))});
            QCOMPARE(result.code, 0);
            const QString told = QString("\n  %1 had not ended: synchronize before the program's end\n"
                                         "  no launch ended\n")
                                     .arg(count == 1 ? "1 launch" : "3 launches");
            QVERIFY2(result.err.contains(told), qPrintable(result.err));
            QFile log(folder.filePath(QString::number(count)));
            QVERIFY(log.open(QIODevice::ReadOnly));
            const QByteArray last = log.readAll().trimmed().split('\n').last();
            const auto event = launch_log::from_line(last.toStdString());
            QVERIFY2(event && std::holds_alternative<launch_log::End>(*event), last.constData());
            QCOMPARE(std::get<launch_log::End>(*event).unfinished, std::uint64_t(count));
        }
        QVERIFY(!program({"sum", "10"}, {"--summary"}).err.contains("had not ended"));
    }

    void summary_of_a_crash() {
        for (const int signal : {SIGABRT, SIGSEGV, SIGTERM}) {
            const auto result = program({"sum-and-signal", "1000", QString::number(signal)}, {"--summary"});
            QCOMPARE(result.code, -1);
            QCOMPARE(result.err.count("add_up (4) x (256)"), 1);
        }
        const auto result = program({"fault"}, {"--summary"});
        QCOMPARE(result.out, "700\n");
        QVERIFY2(result.err.contains(
                     "\n  faults: 1\n    an illegal memory access was encountered in kernel 'add_up'\n      at "),
                 qPrintable(result.err));
    }

    /// Kernels may use what lies behind an array, as far as was asked for.
    void rounded_allocations() {
        QCOMPARE(program({"past", "4096", "0"}).out, "700\n");
        QCOMPARE(program({"past", "4096", "0"}, {"--round-allocations", "512"}).out, "0\n");
        QCOMPARE(program({"past", "4096", "504"}, {"--round-allocations", "512"}).out, "0\n");
        QCOMPARE(program({"past", "4096", "512"}, {"--round-allocations", "512"}).out, "700\n");
        QCOMPARE(program({"past", "1000000", "100000"}, {"--round-allocations", "2M"}).out, "0\n");
        QCOMPARE(program({"past", "1000000", "100000"}, {"--round-allocations", "1"}).out, "700\n");
    }

    /// The CUDA runtime learns that it cannot be, and its user why; once.
    void private_tables() {
        const auto result = program({"tables"});
        const QStringList codes = result.out.split(' ');
        QCOMPARE(QStringList(codes.mid(1)), QStringList({"801", "801\n"}));
        QCOMPARE(codes[0], "1"); // of a table that no driver has
        QCOMPARE(result.err.count("private tables"), 1);
        QVERIFY2(result.err.contains("driver_program is linked with the static CUDA runtime"), qPrintable(result.err));
        QVERIFY2(result.err.contains("`warplight-cli exec -- nvcc"), qPrintable(result.err));
    }

    void closed_library() {
        const auto result = program({"library", CLOSED_LIBRARY});
        QCOMPARE(result.out, "801\n");
        QVERIFY2(result.err.startsWith("warplight: this program uses cuFFT (") &&
                     result.err.contains("/libcufft.so.12)"),
                 qPrintable(result.err));
    }
};

QTEST_GUILESS_MAIN(ExecTest)
#include "exec_test.moc"
