// SPDX-License-Identifier: Apache-2.0
// Names of machines, command lines of ssh, quoting for real shells, and what is said about failures of the real ssh.
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
    void places_data();
    void places();
    void refused_places_data();
    void refused_places();
    void command_line();
    void words_survive_every_shell_data();
    void words_survive_every_shell();
    void no_form_for_control_characters();
    void failures_of_texts_data();
    void failures_of_texts();

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

void SshTest::places_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("driver");
    QTest::addColumn<int>("ordinal");
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("canonical");
    const auto row = [](const char* written, const char* user, const char* host, int port, const char* driver,
                        int ordinal, const char* machine, const char* canonical) {
        QTest::newRow(written) << written << user << host << port << driver << ordinal << machine << canonical;
    };
    row("ssh://lab", "", "lab", 0, "auto", 0, "lab", "ssh://lab/auto");
    row("ssh://lab/", "", "lab", 0, "auto", 0, "lab", "ssh://lab/auto");
    row("SSH://me@lab.example.org:2222/cuda:3", "me", "lab.example.org", 2222, "cuda", 3, "me@lab.example.org:2222",
        "ssh://me@lab.example.org:2222/cuda:3");
    row("ssh://me@10.0.0.7/software:0", "me", "10.0.0.7", 0, "software", 0, "me@10.0.0.7",
        "ssh://me@10.0.0.7/software");
    row("ssh://[::1]:22/cuda", "", "::1", 22, "cuda", 0, "[::1]:22", "ssh://[::1]:22/cuda");
    row("ssh://[fe80::1%eth0]", "", "fe80::1%eth0", 0, "auto", 0, "fe80::1%eth0", "ssh://fe80::1%eth0/auto");
    row("ssh://me@corp.example@lab/cuda", "me@corp.example", "lab", 0, "cuda", 0, "me@corp.example@lab",
        "ssh://me@corp.example@lab/cuda");
    row(R"(ssh://CORP\me@lab/auto)", R"(CORP\me)", "lab", 0, "auto", 0, R"(CORP\me@lab)", R"(ssh://CORP\me@lab/auto)");
}

void SshTest::places() {
    QFETCH(QString, written);
    std::string problem;
    const auto place = parse_place(written.toStdString(), &problem);
    QVERIFY2(place, problem.c_str());
    QTEST(text(place->user), "user");
    QTEST(text(place->host), "host");
    QTEST(place->port, "port");
    QTEST(text(place->driver), "driver");
    QTEST(place->ordinal, "ordinal");
    QTEST(text(machine_of(*place)), "machine");
    QTEST(text(to_text(*place)), "canonical");
    QCOMPARE(parse_place(to_text(*place), nullptr), place);
    QVERIFY(is_place(written.toStdString()));
    QCOMPARE(text(driver_at(*place, "cuda")), "ssh://" + text(machine_of(*place)) + "/cuda");
}

void SshTest::refused_places_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* written, const char* said) { QTest::newRow(written) << written << said; };
    row("lab/cuda", "does not begin with ssh://");
    row("ssh:/lab", "does not begin with ssh://");
    row("ssh://", "the host is missing");
    row("ssh://@lab", "the user is missing");
    row("ssh:///cuda", "the host is missing");
    row("ssh://-oProxyCommand=x/cuda", "begins with '-'");
    row("ssh://-l@lab/cuda", "begins with '-'");
    row("ssh://la b/cuda", "space");
    row("ssh://lab\n/cuda", "control character");
    row("ssh://lab\x7f/cuda", "control character");
    row("ssh://$(id)/cuda", "'$'");
    row("ssh://a;b/cuda", "';'");
    row("ssh://me'@lab/cuda", "'''");
    row("ssh://me:secret@lab/cuda", "password");
    row("ssh://lab:0", "no port");
    row("ssh://lab:65536", "no port");
    row("ssh://lab:22x", "no port");
    row("ssh://lab:", "no port");
    row("ssh://[::1", "not closed");
    row("ssh://[::1]22", "only a port");
    row("ssh://[lab]", "no IPv6 address");
    row("ssh://lab/opencl", "no driver");
    row("ssh://lab/cuda:x", "no number of a device");
    row("ssh://lab/cuda:-1", "no number of a device");
    row("ssh://lab/cuda:99999999999", "no number of a device");
    row("ssh://lab/auto:1", "auto");
    row("ssh://lab/cuda/0", "no driver");
    QTest::newRow("long") << "ssh://" + QString(300, 'a') << "longer than";
}

void SshTest::refused_places() {
    QFETCH(QString, written);
    QFETCH(QString, said);
    std::string problem;
    QVERIFY(!parse_place(written.toStdString(), &problem));
    QVERIFY2(text(problem).contains(said), problem.c_str());
    QVERIFY2(text(problem).contains("ssh://user@host"), problem.c_str());
    QVERIFY(!parse_place(written.toStdString(), nullptr));
}

void SshTest::command_line() {
    qputenv("WARPLIGHT_SSH", "/opt/my/ssh");
    const auto place = *parse_place("ssh://me@lab:2222/cuda", nullptr);
    const auto command = ssh_command(place, {"remote-serve", "--id", "a b"}, {.share_connection = false});
    QCOMPARE(command.program, std::filesystem::path("/opt/my/ssh"));
    const auto& words = command.arguments;
    const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
    for (const char* each : {"-T", "-x", "ForwardAgent=no", "ClearAllForwardings=yes", "PermitLocalCommand=no",
                             "RemoteCommand=none", "Compression=no", "ServerAliveInterval=5", "ControlPath=none"})
        QVERIFY2(has(each), each);
    // Host keys are the user's business, and whoever is there may be asked.
    for (const auto& each : words)
        QVERIFY2(!text(each).contains("StrictHostKeyChecking") && !text(each).contains("UserKnownHosts") &&
                     !text(each).contains("BatchMode"),
                 each.c_str());
    // The host comes after "--", and the command is one word.
    QCOMPARE(words[words.size() - 5], "-p");
    QCOMPARE(words[words.size() - 4], "2222");
    QCOMPARE(words[words.size() - 3], "--");
    QCOMPARE(words[words.size() - 2], "me@lab");
    QVERIFY(text(words.back()).startsWith("sh -c '"));
    QVERIFY(command.environment.empty());

    const auto silent = ssh_script(place, "true", {.interactive = false, .share_connection = false});
    QVERIFY(std::ranges::find(silent.arguments, "BatchMode=yes") != silent.arguments.end());

    qputenv("WARPLIGHT_ASKPASS", "/usr/bin/warplight-askpass");
    qunsetenv("DISPLAY");
    const auto asking = ssh_script(place, "true", {.share_connection = false});
    const std::vector<std::pair<std::string, std::string>> expected = {{"SSH_ASKPASS", "/usr/bin/warplight-askpass"},
                                                                       {"SSH_ASKPASS_REQUIRE", "force"},
                                                                       {"WARPLIGHT_ASKPASS_MODE", "1"},
                                                                       {"DISPLAY", ":0"}};
    QCOMPARE(asking.environment, expected);
    qunsetenv("WARPLIGHT_ASKPASS");

    qputenv("WARPLIGHT_SSH", "no-such-program-anywhere");
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)ssh_script(place, "true", {}));
    qunsetenv("WARPLIGHT_SSH");
}

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

void SshTest::no_form_for_control_characters() {
    for (const std::string& each :
         {std::string("a\nb"), std::string("\t"), std::string("a\0b", 3), std::string("\x7f")})
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)quoted_for_shells(each));
}

void SshTest::failures_of_texts_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("errors");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, int code, const char* errors, const char* said) {
        QTest::newRow(name) << code << errors << said;
    };
    row("name", 255, "ssh: Could not resolve hostname lab: Name or service not known\n", "No machine of the name lab");
    row("time", 255, "ssh: connect to host lab port 22: Connection timed out\n", "lab does not answer");
    row("way", 255, "ssh: connect to host lab port 22: No route to host\n", "no way to lab");
    row("keys", 255, "Received disconnect from 1.2.3.4 port 22:2: Too many authentication failures\n",
        "IdentitiesOnly");
    row("lost", 255, "Timeout, server lab not responding.\n", "lab does not answer");
    row("old", 2, "error: There is no command \"remote-serve\". There are: devices, run, worker.\n", "too old");
    row("library", 1, "warplight-cli: /lib/libc.so.6: version `GLIBC_2.38' not found (required by warplight-cli)\n",
        "cannot be run there");
    row("machine", 126, "sh: 1: warplight-cli: Exec format error\n", "cannot be run there");
    row("other", 3, "\x1b[31mfirst\nsecond\nthird\n\nfourth\n", "ended with code 3: second third fourth");
    row("nothing", 255, "", "The connection to lab is lost.");
}

void SshTest::failures_of_texts() {
    QFETCH(int, code);
    QFETCH(QString, errors);
    QFETCH(QString, said);
    const auto sentence = text(explain_ssh_failure(code, errors.toStdString(), "lab"));
    QVERIFY2(sentence.contains(said), qPrintable(sentence));
    QVERIFY2(!sentence.contains('\x1b') && !sentence.contains('\n'), qPrintable(sentence));
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
