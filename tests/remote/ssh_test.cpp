// SPDX-License-Identifier: Apache-2.0
// Quoting for real shells, and what is said about failures of the real ssh.
#include "remote/place.hpp"
#include "remote/shell_words.hpp"
#include "remote/ssh.hpp"
#include "remote/ssh_run.hpp"
#include "ssh_server.hpp"
#include "warplight/version.hpp"
#include "worker/platform.hpp"

#include <QStandardPaths>
#include <QtTest>

#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace warplight::remote;
using HostKey = SshServerSettings::HostKey;

namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

/// The place of a server's alias.
Place lab() { return *parse_place("ssh://lab/software", nullptr); }

SshResult far(std::string_view script, const SshOptions& options = {.interactive = false}) {
    return run_ssh(ssh_script(lab(), script, options), {.timeout = std::chrono::seconds(20)});
}

QString explained(const SshResult& result) { return text(explain_ssh_failure(result.exit_code, result.errors, "lab")); }

} // namespace

class SshTest : public QObject {
    Q_OBJECT

    /// One server for the tests that need nothing special.
    std::unique_ptr<SshServer> server_;

private slots:
    void words_survive_every_shell_data();
    void words_survive_every_shell();

    void environment_of_children();

    void begin_server();
    void commands_run_in_every_login_shell_data();
    void commands_run_in_every_login_shell();
    void output_and_input_pass_unchanged();
    void late_commands_end();
    void connections_are_shared();
    void own_sharing_of_the_user_is_left();
    void program_is_found_data();
    void program_is_found();
    void end_server();

    void banner_and_profile_do_no_harm();
    void failures_are_explained();
    void host_keys_are_checked();
    void no_home_folder();
};

namespace {
const std::vector<std::string>& difficult_words() {
    static const std::vector<std::string> words = {
        "plain", "",    " ",    "a b",   "'",     "''",      "it's",  "\\",   "\\\\",
        "a\\",   "\\'", "\"",   "\"x\"", "$HOME", "${HOME}", "$(id)", "`id`", "!",
        "!!",    "a!b", "!x",   "*",     "?",     "[a]",     "{a,b}", "~",    "~root",
        "%self", "#",   "a#b",  "&",     "|",     ";",       "<",     ">",    "(",
        ")",     "=ls", "-n",   "--",    "^",     "a^b^c",   "@",     "a=b",  "\xc3\xa4\xe2\x82\xac",
        "\\n",   "\\!", "'\\''"};
    return words;
}
} // namespace

namespace {
void add_shells(std::initializer_list<const char*> names) {
    QTest::addColumn<QString>("shell");
    int found = 0;
    for (const char* each : names) {
        const auto shell = QStandardPaths::findExecutable(each);
        if (shell.isEmpty()) continue;
        ++found;
        QTest::newRow(each) << shell;
    }
    QVERIFY(found >= 2);
}
} // namespace

void SshTest::words_survive_every_shell_data() {
    add_shells({"sh", "dash", "bash", "ksh", "zsh", "csh", "tcsh", "fish", "busybox"});
}

void SshTest::words_survive_every_shell() {
    QFETCH(QString, shell);
    std::vector<std::string> command = {"printf", "%s\\n"};
    std::string expected;
    for (const auto& each : difficult_words()) {
        command.push_back("<" + each + ">");
        expected += "<" + each + ">\n";
    }
    // The whole, bare words, and a script in sh inside of it.
    std::vector<std::string> lines = {joined_for_shells(command), in_posix_shell(joined_for_shells(command))};
    for (const auto& line : lines) {
        QProcess process;
        QStringList arguments{"-c", text(line)};
        if (shell.endsWith("busybox")) arguments.prepend("sh");
        process.start(shell, arguments);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.readAllStandardError(), QByteArray());
        QCOMPARE(QString::fromUtf8(process.readAllStandardOutput()), text(expected));
    }
}

void SshTest::environment_of_children() {
    using warplight::worker::platform::Child;
    using warplight::worker::platform::ChildSettings;
    qputenv("SSH_AUTH_SOCK", "/run/agent");
    qputenv("WARPLIGHT_MARK", "here");
    const auto environment = [](const ChildSettings& settings) {
        Child child("/usr/bin/env", {}, settings);
        std::string text(1 << 16, '\0');
        std::size_t size = 0;
        while (const auto count =
                   child.read_output(reinterpret_cast<std::byte*>(text.data()) + size, text.size() - size))
            size += count;
        child.wait();
        return "\n" + QString::fromUtf8(text.data(), static_cast<qsizetype>(size));
    };
    // What runs sessions has no use for the user's agent. What starts ssh has.
    const auto usual = environment({});
    QVERIFY2(!usual.contains("SSH_AUTH_SOCK") && usual.contains("\nWARPLIGHT_MARK=here\n"), qPrintable(usual));
    const auto whole = environment({.environment = ChildSettings::Environment::whole,
                                    .variables = {{"WARPLIGHT_MARK", "other"}, {"DISPLAY", ":7"}}});
    for (const char* each : {"\nSSH_AUTH_SOCK=/run/agent\n", "\nWARPLIGHT_MARK=other\n", "\nDISPLAY=:7\n"})
        QVERIFY2(whole.contains(each), qPrintable(whole));
    QVERIFY(!whole.contains("WARPLIGHT_MARK=here"));
    qunsetenv("SSH_AUTH_SOCK");
    qunsetenv("WARPLIGHT_MARK");
}

void SshTest::begin_server() {
    if (const auto why = SshServer::whyNone(); !why.isEmpty()) QSKIP(qPrintable(why));
    server_ = std::make_unique<SshServer>();
    const auto problem = server_->start();
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    server_->use();
}

void SshTest::commands_run_in_every_login_shell_data() { add_shells({"dash", "bash", "csh", "fish"}); }

void SshTest::commands_run_in_every_login_shell() {
    if (!server_) QSKIP("no server");
    QFETCH(QString, shell);
    SshServer server({.shell = shell});
    const auto problem = server.start();
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
    server.use();
    qputenv("WARPLIGHT_REMOTE_PROGRAM", "printf");
    std::vector<std::string> words = {"%s\\n"};
    std::string expected;
    for (const auto& each : difficult_words()) {
        words.push_back("<" + each + ">");
        expected += "<" + each + ">\n";
    }
    const auto result = run_ssh(ssh_command(lab(), words, {.interactive = false, .share_connection = false}));
    qunsetenv("WARPLIGHT_REMOTE_PROGRAM");
    server_->use();
    QVERIFY2(result.ok(), result.errors.c_str());
    QCOMPARE(text(result.output), text(expected));
}

void SshTest::output_and_input_pass_unchanged() {
    if (!server_) QSKIP("no server");
    std::string sent;
    for (int i = 0; i < 300000; ++i)
        sent += static_cast<char>(i * 7 % 256);
    std::size_t at = 0;
    const auto give = [&](std::span<std::byte> to) {
        const auto count = std::min(to.size(), sent.size() - at);
        std::memcpy(to.data(), sent.data() + at, count);
        at += count;
        return count;
    };
    const auto result =
        run_ssh(ssh_script(lab(), "cat; echo told >&2; exit 7", {.interactive = false}), {.input = give});
    QCOMPARE(result.exit_code, 7);
    QVERIFY(result.output == sent);
    QCOMPARE(result.errors, "told\n");
}

void SshTest::late_commands_end() {
    if (!server_) QSKIP("no server");
    QElapsedTimer since;
    since.start();
    const auto result = run_ssh(ssh_script(lab(), "exec sleep 60", {.interactive = false}),
                                {.timeout = std::chrono::milliseconds(300)});
    QVERIFY(result.late && !result.ok());
    QVERIFY(since.elapsed() < 20000);
}

void SshTest::connections_are_shared() {
    if (!server_) QSKIP("no server");
    QString socket;
    for (const auto& each : ssh_script(lab(), "true", {.interactive = false}).arguments)
        if (text(each).startsWith("ControlPath=")) socket = text(each).mid(QString("ControlPath=").size());
    if (socket.isEmpty()) QSKIP("the folders for temporary files have too long names for sockets, or ssh is too old");
    QVERIFY(far("true").ok());
    const auto before = server_->log().count("Accepted publickey");
    for (int i = 0; i < 3; ++i)
        QVERIFY(far("true").ok());
    QCOMPARE(server_->log().count("Accepted publickey"), before);
    // Those that are to be apart have connections of their own.
    QVERIFY(far("true", {.interactive = false, .share_connection = false}).ok());
    QCOMPARE(server_->log().count("Accepted publickey"), before + 1);
    // The socket is nobody else's.
    const QFileInfo folder(QFileInfo(socket).path());
    QVERIFY(folder.isDir());
    QCOMPARE(folder.permissions() & (QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther),
             QFile::Permissions());
}

void SshTest::own_sharing_of_the_user_is_left() {
    if (!server_) QSKIP("no server");
    SshServer server({.client_configuration = "Host lab\n  ControlPath none-of-ours-%C\n"});
    QVERIFY(server.start().isEmpty());
    server.use();
    const auto command = ssh_script(lab(), "true", {.interactive = false});
    for (const auto& each : command.arguments)
        QVERIFY2(!text(each).contains("Control"), each.c_str());
    server_->use();
}

void SshTest::program_is_found_data() {
    QTest::addColumn<QStringList>("places");
    QTest::addColumn<QString>("chosen");
    QTest::addColumn<QString>("runs"); // empty: none
    const auto own = ".local/share/warplight/remote/" + text(warplight::version()) + "/bin";
    const QString current = ".local/share/warplight/remote/current/bin", path = "programs";
    QTest::newRow("none") << QStringList{} << "" << "";
    QTest::newRow("this version") << QStringList{own, current, path} << "" << own;
    QTest::newRow("of the path") << QStringList{current, path} << "" << path;
    QTest::newRow("another version") << QStringList{current} << "" << current;
    QTest::newRow("chosen") << QStringList{own, path, "x y"} << "~/x y/warplight-cli" << "x y";
    QTest::newRow("chosen, not there") << QStringList{own, path} << "/no/such/warplight-cli" << "";
}

void SshTest::program_is_found() {
    if (!server_) QSKIP("no server");
    QFETCH(QStringList, places);
    QFETCH(QString, chosen);
    QFETCH(QString, runs);
    SshServer server;
    QVERIFY(server.start().isEmpty());
    const auto path = server.home() + "/programs:/usr/bin:/bin";
    server.use();
    for (const auto& each : places) {
        const auto folder = server.home() + "/" + each;
        QVERIFY(QDir().mkpath(folder));
        QFile program(folder + "/warplight-cli");
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\necho \"" + each.toUtf8() + ": $*\"\n");
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    if (!chosen.isEmpty()) qputenv("WARPLIGHT_REMOTE_PROGRAM", chosen.toUtf8());
    auto command =
        ssh_command(lab(), {"remote-serve", "--id", "12"}, {.interactive = false, .share_connection = false});
    qunsetenv("WARPLIGHT_REMOTE_PROGRAM");
    command.arguments.back() =
        joined_for_shells({"env", "PATH=" + path.toStdString()}) + " " + command.arguments.back();
    const auto result = run_ssh(command);
    server_->use();
    if (!runs.isEmpty()) {
        QVERIFY2(result.ok(), result.errors.c_str());
        QCOMPARE(text(result.output), runs + ": remote-serve --id 12\n");
        return;
    }
    QCOMPARE(result.exit_code, kNoProgramCode);
    QVERIFY2(explained(result).contains("warplight-cli remote install lab"), qPrintable(explained(result)));
}

void SshTest::end_server() { server_.reset(); }

void SshTest::banner_and_profile_do_no_harm() {
    if (const auto why = SshServer::whyNone(); !why.isEmpty()) QSKIP(qPrintable(why));
    SshServer server({.banner = "No entry without a badge.\n", .profile = "echo welcome; echo beware >&2"});
    QVERIFY(server.start().isEmpty());
    server.use();
    const auto result = far("echo done");
    QVERIFY(result.ok());
    QCOMPARE(result.output, "welcome\ndone\n");
    QVERIFY(text(result.errors).contains("badge") && text(result.errors).contains("beware"));
}

void SshTest::failures_are_explained() {
    if (const auto why = SshServer::whyNone(); !why.isEmpty()) QSKIP(qPrintable(why));
    {
        SshServer server({.lets_in = false});
        QVERIFY(server.start().isEmpty());
        server.use();
        const auto result = far("true");
        QCOMPARE(result.exit_code, 255);
        QVERIFY2(explained(result).contains("lets nobody in"), qPrintable(explained(result)));
        server.stop();
        const auto refused = far("true");
        QVERIFY2(explained(refused).contains("refuses connections"), qPrintable(explained(refused)));
    }
    {
        SshServer server({.client_configuration = "NoSuchOption yes\n"});
        QVERIFY(server.start().isEmpty());
        server.use();
        const auto result = far("true");
        QVERIFY2(explained(result).contains("configuration of ssh"), qPrintable(explained(result)));
    }
    {
        SshServer server;
        QVERIFY(server.start().isEmpty());
        server.use();
        const auto result =
            run_ssh(ssh_script(*parse_place("ssh://no-such-machine.invalid", nullptr), "true", {.interactive = false}));
        QVERIFY2(text(explain_ssh_failure(result.exit_code, result.errors, "x")).contains("No machine of the name x"),
                 result.errors.c_str());
        // The connection is cut while a command runs: one that others use as well, and one of its own.
        for (const bool shared : {true, false}) {
            const auto begun = server.home() + "/begun";
            const auto command =
                ssh_script(lab(), "echo > begun; exec sleep 60", {.interactive = false, .share_connection = shared});
            std::thread cutter([&] {
                for (int i = 0; i < 1000 && !QFile::exists(begun); ++i)
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                server.cutConnections();
            });
            const auto cut = run_ssh(command);
            cutter.join();
            QVERIFY(QFile::remove(begun));
            QCOMPARE(cut.exit_code, 255);
            // One that is shared says nothing about its end, or something else each time.
            const bool lost = shared && explained(cut).contains("is lost");
            QVERIFY2(lost || explained(cut).contains("closed from the other side"), qPrintable(explained(cut)));
        }
    }
}

void SshTest::host_keys_are_checked() {
    if (const auto why = SshServer::whyNone(); !why.isEmpty()) QSKIP(qPrintable(why));
    for (const auto which : {HostKey::unknown, HostKey::other}) {
        SshServer server({.host_key = which});
        QVERIFY(server.start().isEmpty());
        server.use();
        const auto result = far("echo in");
        QCOMPARE(result.exit_code, 255);
        QCOMPARE(result.output, "");
        const auto said = explained(result);
        QVERIFY2(said.contains(which == HostKey::unknown ? "is not known yet" : "is another one than before"),
                 qPrintable(said));
        if (which == HostKey::other) QVERIFY2(said.contains("ssh-keygen"), qPrintable(said));
        QVERIFY(!server.log().contains("Accepted"));
    }
}

void SshTest::no_home_folder() {
    if (const auto why = SshServer::whyNone(); !why.isEmpty()) QSKIP(qPrintable(why));
    for (const auto home : {SshServerSettings::Home::unset, SshServerSettings::Home::missing}) {
        SshServer server({.home = home});
        QVERIFY(server.start().isEmpty());
        server.use();
        const auto none = run_ssh(ssh_command(lab(), {"x"}, {.interactive = false, .share_connection = false}));
        QCOMPARE(none.exit_code, kNoProgramCode);
        qputenv("WARPLIGHT_REMOTE_PROGRAM", "echo");
        const auto there = run_ssh(ssh_command(lab(), {"x"}, {.interactive = false, .share_connection = false}));
        qunsetenv("WARPLIGHT_REMOTE_PROGRAM");
        QVERIFY2(there.ok(), there.errors.c_str());
        QCOMPARE(there.output, "x\n");
    }
}

QTEST_GUILESS_MAIN(SshTest)
#include "ssh_test.moc"
