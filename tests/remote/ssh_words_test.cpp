// SPDX-License-Identifier: Apache-2.0
// Names of machines, command lines of ssh, and what is said about the texts of failures: what needs no ssh. It is the
// same on Windows, but for what its ssh cannot do.
#include "remote/place.hpp"
#include "remote/shell_words.hpp"
#include "remote/ssh.hpp"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace warplight::remote;

namespace {

QString text(std::string_view view) { return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size())); }

} // namespace

class SshWordsTest : public QObject {
    Q_OBJECT

private slots:
    void places_data();
    void places();
    void refused_places_data();
    void refused_places();
    void command_line();
    void no_form_for_control_characters();
    void failures_of_texts_data();
    void failures_of_texts();
    void batch_files_are_refused_on_windows();
};

void SshWordsTest::places_data() {
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

void SshWordsTest::places() {
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

void SshWordsTest::refused_places_data() {
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

void SshWordsTest::refused_places() {
    QFETCH(QString, written);
    QFETCH(QString, said);
    std::string problem;
    QVERIFY(!parse_place(written.toStdString(), &problem));
    QVERIFY2(text(problem).contains(said), problem.c_str());
    QVERIFY2(text(problem).contains("ssh://user@host"), problem.c_str());
    QVERIFY(!parse_place(written.toStdString(), nullptr));
}

void SshWordsTest::command_line() {
    qputenv("WARPLIGHT_SSH", "/opt/my/ssh");
    const auto place = *parse_place("ssh://me@lab:2222/cuda", nullptr);
    const auto command = ssh_command(place, {"remote-serve", "--id", "a b"}, {.share_connection = false});
    QCOMPARE(command.program, std::filesystem::path("/opt/my/ssh"));
    const auto& words = command.arguments;
    const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
    for (const char* each : {"-T", "-x", "ForwardAgent=no", "ClearAllForwardings=yes", "PermitLocalCommand=no",
                             "RemoteCommand=none", "Compression=no", "ServerAliveInterval=5"})
        QVERIFY2(has(each), each);
#ifdef Q_OS_WIN // its ssh has no sockets to share a connection by
    for (const bool share : {false, true})
        for (const auto& each : ssh_script(place, "true", {.share_connection = share}).arguments)
            QVERIFY2(!text(each).contains("Control"), each.c_str());
#else
    QVERIFY(has("ControlPath=none"));
#endif
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

void SshWordsTest::no_form_for_control_characters() {
    for (const std::string& each :
         {std::string("a\nb"), std::string("\t"), std::string("a\0b", 3), std::string("\x7f")})
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)quoted_for_shells(each));
}

void SshWordsTest::failures_of_texts_data() {
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

void SshWordsTest::failures_of_texts() {
    QFETCH(int, code);
    QFETCH(QString, errors);
    QFETCH(QString, said);
    const auto sentence = text(explain_ssh_failure(code, errors.toStdString(), "lab"));
    QVERIFY2(sentence.contains(said), qPrintable(sentence));
    QVERIFY2(!sentence.contains('\x1b') && !sentence.contains('\n'), qPrintable(sentence));
}

/// cmd.exe, which would run them there, reads a command by rules of its own.
void SshWordsTest::batch_files_are_refused_on_windows() {
    const auto place = *parse_place("ssh://lab", nullptr);
    for (const char* each : {"C:\\my\\ssh.cmd", "C:/my/SSH.BAT"}) {
        qputenv("WARPLIGHT_SSH", each);
        QString refused;
        try {
            (void)ssh_script(place, "true", {.share_connection = false});
        } catch (const std::runtime_error& error) {
            refused = error.what();
        }
#ifdef Q_OS_WIN
        QVERIFY2(refused.contains("WARPLIGHT_SSH name a program"), qPrintable(refused));
#else
        QVERIFY2(refused.isEmpty(), qPrintable(refused)); // a name as any other
#endif
    }
    qunsetenv("WARPLIGHT_SSH");
}

QTEST_APPLESS_MAIN(SshWordsTest)
#include "ssh_words_test.moc"
