// SPDX-License-Identifier: Apache-2.0
// `warplight-cli remote …` with a real SSH server, and --device with places.
#include "../session/cli_fixture.hpp"
#include "remote/versions.hpp"
#include "ssh_server.hpp"
#include "warplight/version.hpp"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

using nlohmann::json;

namespace {

QString ownVersion() { return QString::fromStdString(std::string(warplight::version())); }

json jsonOf(const Result& result) { return json::parse(result.out.toStdString(), nullptr, false); }

QByteArray readAll(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class RemoteCliTest : public CliFixture {
    Q_OBJECT

    std::unique_ptr<SshServer> server_;

    Result remote(const SshServer& server, QStringList arguments) const {
        arguments.prepend("remote");
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.setProcessEnvironment(environmentFor(server));
        process.setStandardInputFile(QProcess::nullDevice()); // nobody answers questions
        process.start(WARPLIGHT_CLI, arguments);
        return finish(process);
    }
    Result remote(const QStringList& arguments) const { return remote(*server_, arguments); }
    QProcessEnvironment environmentFor(const SshServer& server) const {
        auto environment = server.environment();
        environment.insert("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        environment.insert("XDG_STATE_HOME", path("state"));
        return environment;
    }
    /// An archive with the program as a script, which another version may have.
    QString archive(const QString& name, const QByteArray& program, const QString& top = "warplight") const {
        const auto folder = path("archives/") + name;
        QDir().mkpath(folder + "/" + top + "/bin");
        QFile file(folder + "/" + top + "/bin/warplight-cli");
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(program);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        // What tells whose code it is; and some bytes that do not shrink, so that sending takes several pieces.
        QProcess::execute("cp", {"/bin/true", folder + "/" + top + "/bin/code"});
        QProcess::execute("sh", {"-c", QString("head -c 3000000 /dev/urandom > '%1/%2/filler'").arg(folder, top)});
        const auto file_name = folder + ".tar.gz";
        QProcess::execute("tar", {"-czf", file_name, "-C", folder, top});
        return file_name;
    }
    static QByteArray script(const QByteArray& version) { return "#!/bin/sh\necho 'warplight-cli " + version + "'\n"; }
    QString installed(const SshServer& server) const { return server.home() + "/.local/share/warplight/remote"; }

private slots:
    void initTestCase() {
        if (const auto why = SshServer::whyNone(); !why.isEmpty()) QSKIP(qPrintable(why));
        server_ = std::make_unique<SshServer>(
            SshServerSettings{.banner = "Authorised users only.\n", .profile = "echo 'welcome to the lab'"});
        const auto problem = server_->start();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        write_scale();
    }

    void machinesAreKept() {
        QCOMPARE(remote({"list"}).out, "There are none. `warplight-cli remote add USER@HOST` adds one.\n");
        const auto added = remote({"add", "me@host.example:2222", "--name", "The lab", "--json"});
        QCOMPARE(added.code, 0);
        QCOMPARE(jsonOf(added)["place"], "ssh://me@host.example:2222");
        QCOMPARE(remote({"add", "ssh://lab/cuda:1"}).code, 0); // the device is no part of it
        const auto twice = remote({"add", "me@host.example:2222"});
        QCOMPARE(twice.code, 2);
        QVERIFY2(twice.err.contains("is there already, as \"The lab\""), qPrintable(twice.err));
        const auto same_name = remote({"add", "other", "--name", "The lab"});
        QVERIFY2(same_name.code == 2 && same_name.err.contains("Choose another name"), qPrintable(same_name.err));
        for (const char* bad : {"-oProxyCommand=x", "a b", "$(id)", ""})
            QCOMPARE(remote({"add", "--", bad}).code, 2);

        const auto listed = jsonOf(remote({"list", "--json"}))["machines"];
        QCOMPARE(listed.size(), std::size_t(2));
        QCOMPARE(listed[0]["name"], "The lab");
        QCOMPARE(listed[1]["name"], "lab");
        QCOMPARE(listed[1]["place"], "ssh://lab");
        QVERIFY(remote({"list"}).out.contains("The lab  ssh://me@host.example:2222  added 20"));

        QVERIFY(remote({"rename", "The lab", "Attic"}).out.contains("ssh://me@host.example:2222 is called Attic now."));
        const auto taken = remote({"rename", "me@host.example:2222", "lab"});
        QVERIFY2(taken.code == 2 && taken.err.contains("Choose another name"), qPrintable(taken.err));
        QCOMPARE(remote({"rename", "Attic", "Attic"}).code, 0); // its own
        QCOMPARE(jsonOf(remote({"rename", "Attic", "", "--json"}))["name"], "me@host.example:2222");
        QCOMPARE(remote({"rename", "Attic", "Cellar"}).code, 2); // it is no more
        QCOMPARE(remote({"rename", "me@host.example:2222", "-x"}).code, 2);
        QCOMPARE(remote({"rename", "me@host.example:2222", "The lab"}).code, 0);
        const auto again = jsonOf(remote({"list", "--json"}))["machines"];
        QCOMPARE(again, listed); // in the same order, added at the same time
        QCOMPARE(remote({"remove", "The lab"}).code, 0);
        QCOMPARE(remote({"remove", "ssh://lab"}).code, 0);
        const auto none = remote({"remove", "lab"});
        QVERIFY2(none.code == 2 && none.err.contains("remote list"), qPrintable(none.err));
        QCOMPARE(jsonOf(remote({"list", "--json"}))["machines"].size(), std::size_t(0));
    }

    /// Eight programs at once, and none is forgotten.
    void machinesAddedAtOnceAreAllKept() {
        std::vector<std::unique_ptr<QProcess>> all;
        for (int i = 0; i < 8; ++i) {
            all.push_back(std::make_unique<QProcess>());
            all.back()->setProcessEnvironment(environmentFor(*server_));
            all.back()->start(WARPLIGHT_CLI, {"remote", "add", QString("host%1").arg(i)});
        }
        for (auto& each : all)
            QCOMPARE(finish(*each).code, 0);
        QCOMPARE(jsonOf(remote({"list", "--json"}))["machines"].size(), std::size_t(8));
        for (int i = 0; i < 8; ++i)
            QCOMPARE(remote({"remove", QString("host%1").arg(i)}).code, 0);
    }

    void damagedListIsLeft() {
        const auto file = environmentFor(*server_).value("XDG_CONFIG_HOME") + "/warplight/machines.json";
        const QStringList texts = {"{", "[]", "{'warplight_machines': 2, 'machines': []}",
                                   "{'warplight_machines': 1, 'machines': [{'name': 'x', 'place': 'ssh://-x'}]}"};
        for (const auto& each : texts) {
            const auto text = QString(each).replace("'", "\"").toUtf8();
            QFile to(file);
            QVERIFY(to.open(QIODevice::WriteOnly));
            to.write(text);
            to.close();
            for (const auto& arguments : {QStringList{"list"}, {"add", "lab"}, {"remove", "lab"}}) {
                const auto result = remote(arguments);
                QCOMPARE(result.code, 2);
                QVERIFY2(result.err.contains("cannot be used"), qPrintable(result.err));
            }
            QCOMPARE(readAll(file), text);
        }
        QVERIFY(QFile::remove(file));
    }

    void installsStepByStep() {
        const auto none = remote({"status", "lab"});
        QVERIFY2(none.code == 4 && none.err.contains("`warplight-cli remote install lab`"), qPrintable(none.err));

        // Nobody agrees.
        const auto first = archive("first", script("0.0.1"));
        auto result = remote({"install", "lab", "--archive", first});
        QCOMPARE(result.code, 2);
        QVERIFY(result.out.contains("Go on?"));
        QVERIFY(QDir(installed(*server_)).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());

        const auto names = [&] {
            return QDir(installed(*server_))
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                .join(" ");
        };
        result = remote({"install", "lab", "--archive", first, "--yes", "--progress"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY2(result.out.contains("progress 1.000 ") && result.out.contains("Warplight 0.0.1 is on lab"),
                 qPrintable(result.out));
        QCOMPARE(names(), "0.0.1 current");
        // The next version, and the one after it: one earlier version stays.
        QCOMPARE(remote({"install", "lab", "--archive", archive("second", script("0.0.2")), "--yes"}).code, 0);
        QCOMPARE(names(), "0.0.1 0.0.2 current");
        QCOMPARE(remote({"install", "lab", "--archive", archive("third", script("0.0.3")), "--yes"}).code, 0);
        QCOMPARE(names(), "0.0.2 0.0.3 current");
        QCOMPARE(QFileInfo(installed(*server_) + "/current").canonicalFilePath(),
                 QFileInfo(installed(*server_) + "/0.0.3").canonicalFilePath());
        // The same once more, with another program.
        QCOMPARE(remote({"install", "lab", "--archive", archive("again", script("0.0.3") + "# new\n"), "--yes"}).code,
                 0);
        QVERIFY(readAll(installed(*server_) + "/0.0.3/bin/warplight-cli").contains("# new"));
        QCOMPARE(names(), "0.0.2 0.0.3 current");

        // What does not run there changes nothing.
        for (const auto& broken : {archive("broken", "#!/bin/sh\necho no such library >&2; exit 127\n"),
                                   archive("wild", script("../../x"))}) {
            result = remote({"install", "lab", "--archive", broken, "--yes"});
            QVERIFY2(result.code == 4 && result.err.contains("does not run on lab"), qPrintable(result.err));
            QVERIFY2(names().endsWith("0.0.2 0.0.3 current"), qPrintable(names()));
        }

        QCOMPARE(remote({"uninstall", "lab"}).code, 0);
        QVERIFY(!QFileInfo::exists(installed(*server_)));
        QVERIFY(remote({"uninstall", "lab"}).out.contains("Nothing was installed"));
    }

    void sendingGoesOnWhereItStopped() {
        const auto file = archive("resumed", script("0.0.4"));
        const auto bytes = readAll(file);
        const auto digest = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
        QVERIFY(QDir().mkpath(installed(*server_)));
        const auto leave = [&](const QByteArray& part) {
            QFile to(installed(*server_) + "/" + digest + ".part");
            QVERIFY(to.open(QIODevice::WriteOnly));
            to.write(part);
        };
        leave(bytes.first(2000000));
        auto result = remote({"install", "lab", "--archive", file, "--yes"});
        QVERIFY2(result.code == 0 && result.out.contains("1.9 MiB are there from an earlier try"),
                 qPrintable(result.all()));
        // What is damaged is found, and removed; then all is sent.
        leave(QByteArray(2000000, 'x'));
        result = remote({"install", "lab", "--archive", file, "--yes"});
        QVERIFY2(result.code == 4 && result.err.contains("is damaged, and was removed"), qPrintable(result.all()));
        result = remote({"install", "lab", "--archive", file, "--yes"});
        QVERIFY2(result.code == 0 && !result.out.contains("earlier try"), qPrintable(result.all()));
        QCOMPARE(remote({"uninstall", "lab"}).code, 0);
    }

    void whatCannotBeInstalledIsRefused() {
        const auto refused = [&](const SshServer& server, const QString& file, const char* said) {
            const auto result = remote(server, {"install", "lab", "--archive", file, "--yes"});
            QVERIFY2(result.code == 4 || result.code == 2, qPrintable(result.all()));
            QVERIFY2(result.err.contains(said), qPrintable(result.err));
        };
        write("text.tar.gz", "no archive");
        refused(*server_, path("text.tar.gz"), "no bin/warplight-cli");
        refused(*server_, archive("nothing", script("1"), "x/y"), "no bin/warplight-cli");
        const auto good = archive("good", script("0.0.5"));
        auto half = readAll(good);
        write("half.tar.gz", half.first(half.size() / 2));
        refused(*server_, path("half.tar.gz"), "half.tar.gz");

        // Machines that only say what they are.
        const auto pretend = [&](const QString& profile, const char* said) {
            SshServer server({.profile = profile});
            QVERIFY(server.start().isEmpty());
            refused(server, good, said);
            QVERIFY(!QFileInfo::exists(installed(server) + "/0.0.5"));
        };
        const QString programs = "d=$(mktemp -d); PATH=$d:$PATH; ";
        pretend(programs + "printf '#!/bin/sh\\ncase $1 in -s) echo Linux;; *) echo riscv64;; esac\\n' > $d/uname; "
                           "chmod +x $d/uname",
                "is a machine of the kind riscv64");
        pretend(programs + "printf '#!/bin/sh\\necho FreeBSD\\n' > $d/uname; chmod +x $d/uname", "runs FreeBSD");
        pretend(programs + "printf '#!/bin/sh\\necho glibc 2.2\\n' > $d/getconf; chmod +x $d/getconf",
                "has glibc 2.2,");
        pretend(programs + "printf '#!/bin/sh\\necho musl libc\\n' > $d/getconf; chmod +x $d/getconf",
                "another C library");
        pretend(programs + "printf '#!/bin/sh\\necho; echo x 1 1 0 1 x\\n' > $d/df; chmod +x $d/df",
                "The disk is full on lab");
        {
            SshServer server({.home = SshServerSettings::Home::unset});
            QVERIFY(server.start().isEmpty());
            refused(server, good, "no home folder");
        }
        {
            SshServer server({.home = SshServerSettings::Home::missing});
            QVERIFY(server.start().isEmpty());
            refused(server, good, "cannot be made on lab");
        }
        {
            SshServer server({.lets_in = false});
            QVERIFY(server.start().isEmpty());
            refused(server, good, "lets nobody in");
        }
        if (geteuid() == 0) { // the disk fills up while the archive comes
            SshServer server(
                {.profile = programs + "printf '#!/bin/sh\\necho; echo x 1 1 9999999 1 x\\n' > $d/df; chmod +x $d/df",
                 .disk = 1000000});
            QVERIFY(server.start().isEmpty());
            refused(server, good, "No space left");
        }
    }

    /// The program that runs here, packed and sent, answers there.
    void thisInstallationGoesThere() {
        auto result = remote({"install", "lab", "--yes"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        result = remote({"status", "lab", "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto status = jsonOf(result);
        QCOMPARE(QString::fromStdString(status["version"]), ownVersion());
        QCOMPARE(status["problem"], "");
        QCOMPARE(status["stored"], 0);
        QCOMPARE(status["holders"], 0);
        QVERIFY(std::abs(status["clock_difference"].get<double>()) < 30);
        const auto& software = status["drivers"]["software"]["devices"];
        QVERIFY2(software.size() >= 1 && software[0]["id"] == "software:0", qPrintable(result.out));
        QVERIFY(software[0]["free_memory"].get<std::uint64_t>() > 0);
        QCOMPARE(QString::fromStdString(status["folder"]), server_->cache() + "/warplight/remote");
        const auto text = remote({"status", "lab"}).out;
        QVERIFY2(text.contains("They fit together") && text.contains("software:0"), qPrintable(text));

        // A session runs there, with a banner and a profile that prints, and leaves no connection behind.
        write("good.warplight", session(R"(, "expect": {"path": "right.npy"})"));
        for (const char* place : {"ssh://lab", "ssh://lab/software:0"}) {
            result = cli({"run", "good.warplight", "--device", place, "--json"}, environmentFor(*server_));
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            QCOMPARE(jsonOf(result)["machine"], "lab");
        }
        QCOMPARE(jsonOf(remote({"clean", "lab", "--all", "--json"}))["holders"], 0);

        // Stored data go. What has a second name is in use by a connection, and stays.
        const auto data = server_->cache() + "/warplight/remote/data/ab";
        QVERIFY(QDir().mkpath(data));
        const QString unused = "ab" + QString(62, '1'), used = "ab" + QString(62, '2');
        for (const auto& name : {unused, used}) {
            QFile file(data + "/" + name);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray(1 << 20, 'x'));
        }
        QCOMPARE(QProcess::execute("ln", {data + "/" + used, server_->home() + "/second"}), 0);
        QCOMPARE(jsonOf(remote({"status", "lab", "--json"}))["stored"], 2 << 20);
        QCOMPARE(jsonOf(remote({"clean", "lab", "--json"}))["bytes"], 1 << 20);
        QVERIFY(!QFileInfo::exists(data + "/" + unused));
        QCOMPARE(QFileInfo(data + "/" + used).size(), 1 << 20);

        // A worker that is held there is told, and ended only when asked.
        QProcess relay;
        relay.setProcessEnvironment(environmentFor(*server_));
        const QString id(32, 'a');
        relay.start(server_->ssh(), {"lab", ".local/share/warplight/remote/current/bin/warplight-cli", "remote-serve",
                                     "--token", "abc", "--id", id});
        QByteArray greeting;
        const auto greeted = [&] { return (greeting += relay.readAllStandardOutput()).contains("WARPLIGHT-REMOTE"); };
        QTRY_VERIFY_WITH_TIMEOUT(greeted(), 20000);
        QCOMPARE(jsonOf(remote({"status", "lab", "--json"}))["holders"], 1);
        QCOMPARE(jsonOf(remote({"clean", "lab", "--json"}))["holders"], 0);
        QVERIFY(QFileInfo::exists(server_->cache() + "/warplight/remote/held/" + id));
        QCOMPARE(jsonOf(remote({"clean", "lab", "--all", "--json"}))["holders"], 1);
        QVERIFY(!QFileInfo::exists(server_->cache() + "/warplight/remote/held/" + id));
        QVERIFY(relay.waitForFinished(20000));
    }

    /// A sweep and an exercise tell of files on their way and of a connection that is cut, once for all of their
    /// workers.
    void longCommandsTellOfTheConnection() {
        // Bytes that do not shrink, and a kernel that lasts.
        std::vector<std::uint32_t> values(1'000'000);
        std::mt19937 random(5);
        std::ranges::generate(values, [&] { return static_cast<std::uint32_t>(random()); });
        const auto save_values = [&] {
            warplight::save_npy(path("big.npy").toStdString(), warplight::NdArray::from(values));
        };
        save_values();
        write("slow.cu", R"(extern "C" __global__ void slow(const unsigned* x, unsigned* y, unsigned rounds) {
            unsigned v = x[0];
            for (unsigned i = 0; i < rounds; ++i) { v = v * 1664525u + 1013904223u; y[1] = v; __threadfence(); }
            y[0] = v;
        })");
        const unsigned rounds = 20'000'000;
        std::uint32_t right = values.front();
        for (unsigned i = 0; i < rounds; ++i)
            right = right * 1664525U + 1013904223U;
        write("slow.warplight", QStringLiteral(R"({"warplight": 4, "source": "slow.cu", "kernel": "slow", "arguments": [
            {"name": "x", "direction": "in", "source": {"kind": "file", "path": "big.npy"}},
            {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "uint32", "shape": [2]},
             "expect": {"expression": "%1"}},
            {"name": "rounds", "direction": "scalar", "type": "u32", "value": %2}],
            "launch": {"grid": 1, "block": 1}, "repeat": 1, "warmup": 0,
            "exercise": {"cases": [{"name": "only"}]}})")
                                    .arg(right)
                                    .arg(rounds)
                                    .toUtf8());
        auto environment = environmentFor(*server_);
        environment.insert("WARPLIGHT_REMOTE_PROGRAM", WARPLIGHT_CLI);
        QProcess sweep;
        sweep.setWorkingDirectory(temporary_.path());
        sweep.setProcessEnvironment(environment);
        sweep.start(WARPLIGHT_CLI, {"sweep", "slow.warplight", "--vary", "option=,-DA", "--rounds", "3", "--device",
                                    "ssh://lab/software", "--json", "-"});
        QByteArray said;
        const auto says = [&](const char* words) { return (said += sweep.readAllStandardError()).contains(words); };
        QTRY_VERIFY2_WITH_TIMEOUT(says("sending big.npy: "), said.constData(), 60000);
        QTest::qWait(300); // into the first runs
        server_->cutConnections();
        QTRY_VERIFY2_WITH_TIMEOUT(says("is lost"), said.constData(), 60000);
        const auto result = finish(sweep);
        said += result.err.toUtf8();
        QVERIFY2(result.code == 0, said.constData());
        QCOMPARE(said.count("The connection to lab is lost. What runs there goes on"), 1);
        QCOMPARE(said.count("Connected to lab again."), 1);
        QCOMPARE(said.count("sending big.npy: "), 1); // workers that compile need no data
        QVERIFY2(said.contains(" of 4.0 MB"), said.constData());
        QCOMPARE(said.count("lab: welcome to the lab\n"), 1);
        const auto points = jsonOf(result)["points"]; // standard output is the report alone
        QCOMPARE(points.size(), std::size_t(2));
        for (const auto& each : points)
            QCOMPARE(each["state"], "measured");

        // The data are there by now. Two solutions at once, whose workers have the same to tell.
        QVERIFY(QDir().mkpath(path("solutions")));
        for (const char* name : {"solutions/ada.cu", "solutions/bob.cu"})
            QVERIFY(QFile::copy(path("slow.cu"), path(name)));
        const auto graded = cli({"grade", "solutions", "--session", "slow.warplight", "--jobs", "2", "--device",
                                 "ssh://lab/software", "--json"},
                                environment);
        QVERIFY2(graded.code == 0, qPrintable(graded.all()));
        QCOMPARE(graded.err.count("lab: welcome to the lab\n"), 1);
        QVERIFY2(!graded.err.contains("sending"), qPrintable(graded.err));
        QCOMPARE(jsonOf(graded)["solutions"].size(), std::size_t(2));

        // At a terminal a line shows how far a file is, and is cleared.
        if (QStandardPaths::findExecutable("script").isEmpty()) QSKIP("needs script (bsdutils)");
        ++values.back();
        save_values();
        QProcess exercise;
        exercise.setWorkingDirectory(temporary_.path());
        exercise.setProcessEnvironment(environment);
        exercise.start(
            "script", {"-qec", "'" WARPLIGHT_CLI "' exercise slow.warplight --device ssh://lab/software", "/dev/null"});
        const auto shown = finish(exercise);
        QVERIFY2(shown.code == 0, qPrintable(shown.all()));
        const QRegularExpression line("sending big\\.npy: [0-9.]+ MB of 4\\.0 MB[^\\r\\n]*\r +\r");
        QVERIFY2(line.match(shown.all()).hasMatch(), qPrintable(shown.all()));
    }

    /// Whatever it answers, nothing crashes and the terminal obeys nothing.
    void hostileAnswersAreHarmless() {
        const QStringList answers = {
            "{}",
            "[]",
            "{'version': 7, 'protocol': 'x', 'drivers': [], 'compilers': 1, 'holders': 'many', 'clock': {}}",
            "{'version': '9\\u001b[31m', 'protocol': 1e300, 'drivers': {'cuda': {'devices': [1, null, 'x', {'id': "
            "{}}]}}}",
            "{'protocol': 1, 'version': 'x', 'stored': -1, 'holders': -1e99, 'clock': 1e308, 'folder': '\\u0007'}",
            "{'protocol': 1, 'compilers': {'nvrtc': {'found': 'yes'}}, 'drivers': {'software': {'devices': {'a': 1}}}}",
        };
        for (auto each : answers) {
            write("answer", "#!/bin/sh\necho \"$4 \"'" + each.replace("'", "\"").toUtf8() + "'\n");
            QFile(path("answer")).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
            auto environment = environmentFor(*server_);
            environment.insert("WARPLIGHT_REMOTE_PROGRAM", path("answer"));
            for (const auto& arguments : {QStringList{"remote", "status", "lab"}, {"remote", "clean", "lab"}}) {
                const auto result = cli(arguments, environment);
                QVERIFY2(result.code == 0 || result.code == 4, qPrintable(each + "\n" + result.all()));
                QVERIFY2(!result.out.contains('\x1b') && !result.out.contains('\x07'), qPrintable(result.out));
                QVERIFY2(!result.all().contains("json.exception"), qPrintable(each + "\n" + result.all()));
            }
            QVERIFY(QFile::remove(path("answer")));
        }
    }

    void versionsAreCompared() {
        using warplight::remote::version_problem;
        QCOMPARE(version_problem(1, "9.9.9", "lab"), "");
        QVERIFY(version_problem(0, "0.0.1", "lab").find("warplight-cli remote install lab") != std::string::npos);
        QVERIFY(version_problem(2, "9.9.9", "lab").find("Update Warplight on this machine") != std::string::npos);
    }

    /// ssh asks at the terminal, also below a worker whose input is a pipe. Ctrl+C is for all of them.
    void sshAsksAtTheTerminal() {
        if (QStandardPaths::findExecutable("script").isEmpty()) QSKIP("needs script (bsdutils)");
        SshServer server({.host_key = SshServerSettings::HostKey::unknown});
        QVERIFY(server.start().isEmpty());
        write("over-ssh", "#!/bin/sh\nexec \"$WARPLIGHT_SSH\" lab '" WARPLIGHT_CLI "' worker --driver software\n");
        QFile(path("over-ssh")).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        auto environment = environmentFor(server);
        environment.insert("WARPLIGHT_WORKER", path("over-ssh"));
        const auto at_terminal = [&](const QByteArray& typed) {
            QProcess process;
            process.setProcessEnvironment(environment);
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start("script", {"-qec", "'" WARPLIGHT_CLI "' devices --device ssh://lab/software", "/dev/null"});
            QByteArray shown;
            QElapsedTimer since;
            since.start();
            while (since.elapsed() < 20000 && !shown.contains("(yes/no") && process.waitForReadyRead(20000))
                shown += process.readAll();
            process.write(typed);
            process.waitForFinished(20000);
            return std::pair(process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                             shown + process.readAll());
        };
        // Nobody has agreed yet.
        auto [code, shown] = at_terminal("no\n");
        QVERIFY2(code != 0 && shown.contains("(yes/no"), shown.constData());
        std::tie(code, shown) = at_terminal("\x03"); // Ctrl+C
        QVERIFY2(code != 0 && !shown.contains("software:0"), shown.constData());
        QTRY_COMPARE(server.connections(), 0);
        std::tie(code, shown) = at_terminal("yes\n");
        QVERIFY2(code == 0 && shown.contains("ssh://lab/software:0"), shown.constData());
    }

    /// A worker that only knows drivers of this machine stands for one there.
    void devicesOfPlacesAreUsed() {
        write("stand-in", QByteArray("#!/bin/sh\nprintf '%s\\n' \"$*\" >> '") + path("calls").toUtf8() +
                              "'\nfor a do shift; case \"$a\" in ssh://lab/*) a=${a##*/};; esac; set -- \"$@\" \"$a\"; "
                              "done\nexec '" WARPLIGHT_CLI "' \"$@\"\n");
        QFile(path("stand-in")).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        auto environment = this->environment();
        environment.insert("WARPLIGHT_WORKER", path("stand-in"));
        write("good.warplight", session(R"(, "expect": {"path": "right.npy"})"));
        const auto run = [&](const QStringList& arguments) { return cli(arguments, environment); };

        auto result = run({"run", "good.warplight", "--device", "ssh://lab/software", "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        auto report = jsonOf(result);
        QCOMPARE(report["machine"], "lab");
        QCOMPARE(report["device"]["driver"], "software");
        QVERIFY(readAll(path("calls")).contains("worker --driver ssh://lab/software "));
        result = run({"run", "good.warplight", "--device", "ssh://lab/software", "--keep"});
        QVERIFY2(result.out.contains(" on lab, compute capability"), qPrintable(result.all()));
        QVERIFY(run({"history", "list"}).out.contains(" on lab"));
        // "auto" asks there, whatever is here.
        QVERIFY(QFile::remove(path("calls")));
        result = run({"run", "good.warplight", "--device", "ssh://lab", "--json"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY(readAll(path("calls")).contains("worker --driver ssh://lab/cuda"));
        // One here has no machine.
        QCOMPARE(jsonOf(run({"run", "good.warplight", "--device", "software", "--json"}))["machine"], "");

        result = run({"sweep", "good.warplight", "--vary", "block=256,512", "--rounds", "1", "--device",
                      "ssh://lab/software", "--quiet", "--json", "-"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        const auto points = jsonOf(result)["points"];
        QVERIFY2(QString::fromStdString(points[0]["device"]).endsWith(" on lab"), qPrintable(result.out));

        result = run({"devices", "--device", "ssh://lab/software"});
        QVERIFY2(result.code == 0 && result.out.contains("ssh://lab/software:0"), qPrintable(result.all()));
        result = run({"doctor", "--driver", "ssh://lab/software"});
        QVERIFY2(result.out.contains("software:0"), qPrintable(result.all()));

        // Where it cannot be, and what is no place.
        for (const auto& arguments :
             {QStringList{"run", "good.warplight", "--in-process", "--device", "ssh://lab/cuda"},
              {"inspect", "scale.cu", "--device", "ssh://lab/cuda"},
              {"exec", "--device", "ssh://lab/cuda", "--", "true"}}) {
            result = run(arguments);
            QVERIFY2(result.code == 2 && result.err.contains("names another machine"), qPrintable(result.all()));
        }
        result = run({"run", "good.warplight", "--device", "ssh://-x/cuda"});
        QVERIFY2(result.code == 2 && result.err.contains("names no machine"), qPrintable(result.all()));
        // A session cannot name one.
        auto named = session("");
        named.replace("\"kernel\"", "\"device\": \"ssh://lab/cuda\", \"kernel\"");
        write("named.warplight", named);
        QVERIFY(QFile::remove(path("calls")));
        result = run({"run", "named.warplight"});
        QVERIFY2(result.code == 2 && result.err.contains("which a session cannot do"), qPrintable(result.all()));
        QVERIFY(!QFileInfo::exists(path("calls")));
    }
};

QTEST_GUILESS_MAIN(RemoteCliTest)
#include "remote_cli_test.moc"
