// SPDX-License-Identifier: Apache-2.0
// Children on Windows, each a process of its own: their command lines, pipes, and who ends when another one is gone.
#include "compiler/platform.hpp"
#include "worker/platform.hpp"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <io.h>
#include <string>
#include <thread>
#include <vector>
#include <windows.h>

#include <shellapi.h>

using namespace warplight::worker::platform;

namespace {

std::string utf8(const wchar_t* text) { return QString::fromWCharArray(text).toStdString(); }

/// What this program does as a child, by its first argument.
int be_child(const std::string& part, const std::vector<std::string>& words) {
    _setmode(_fileno(stdout), _O_BINARY);
    if (part == "--words") { // as it gets them
        for (const std::string& each : words)
            std::fwrite(each.c_str(), 1, each.size() + 1, stdout);
        return 0;
    }
    if (part == "--variable") {
        std::fputs(utf8(_wgetenv(L"WARPLIGHT_MARK")).c_str(), stdout);
        std::fputs("of errors", stderr);
        return 7;
    }
    if (part == "--stay") {
        Sleep(INFINITE);
        return 0;
    }
    if (part == "--until-input-ends") { // and does something then
        while (std::getchar() != EOF) {
        }
        std::ofstream(std::filesystem::path(words.at(0))) << "ended";
        return 0;
    }
    // "--own": starts another one and tells its id. "--own-ending": the same with one that ends with its input.
    const bool ends = part == "--own-ending";
    std::vector<std::string> arguments = {ends ? "--until-input-ends" : "--stay"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    Child child(own_program(), arguments, {.at_terminal = ends, .ends_with_input = ends});
    std::printf("%lld\n", static_cast<long long>(child.id()));
    std::fflush(stdout);
    Sleep(INFINITE);
    return 0;
}

std::string all_of(Child& child, std::size_t (Child::*read)(std::byte*, std::size_t)) {
    std::string text;
    std::array<std::byte, 4096> piece{};
    while (const auto count = (child.*read)(piece.data(), piece.size()))
        text.append(reinterpret_cast<const char*>(piece.data()), count);
    return text;
}

/// Of a process that runs now. Its end can be waited for when its id belongs to another one.
class Running {
public:
    explicit Running(DWORD id) : process_(OpenProcess(SYNCHRONIZE, FALSE, id)) {}
    ~Running() { CloseHandle(process_); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    [[nodiscard]] bool runs() const { return process_ && WaitForSingleObject(process_, 0) == WAIT_TIMEOUT; }
    [[nodiscard]] bool ends_soon() const { return process_ && WaitForSingleObject(process_, 10000) == WAIT_OBJECT_0; }

private:
    HANDLE process_;
};

DWORD first_line(Child& child) {
    std::string line;
    std::byte each{};
    while (child.read_output(&each, 1) == 1 && static_cast<char>(each) != '\n')
        line += static_cast<char>(each);
    return static_cast<DWORD>(std::stoul(line));
}

} // namespace

class WindowsChildTest : public QObject {
    Q_OBJECT

    /// An owner that was started as any program, its child, and the end of the owner alone.
    static DWORD start_owner(QProcess& owner, const QStringList& arguments) {
        owner.start(QString::fromStdWString(own_program().wstring()), arguments);
        while (!owner.canReadLine() && owner.waitForReadyRead(10000)) {
        }
        return owner.readLine().trimmed().toULong();
    }

private slots:
    /// Such as commands for another machine, which have every kind of quotation mark.
    void words_arrive_unchanged() {
        const std::vector<std::string> words = {"plain",
                                                "",
                                                " ",
                                                "a b",
                                                "'",
                                                "\"",
                                                "\"\"",
                                                "a\"b",
                                                "\\",
                                                "\\\\",
                                                "a\\",
                                                "a b\\",
                                                "a b\\\\",
                                                "\\\"",
                                                "a\\\"b c\\\\\"",
                                                "%PATH%",
                                                "!x!",
                                                "^",
                                                "a&b",
                                                "a|b",
                                                "<",
                                                ">",
                                                "*",
                                                "?.cpp",
                                                "$HOME",
                                                "`id`",
                                                "@file",
                                                "a\tb",
                                                "C:\\Users\\x y\\data.npy",
                                                "sh -c 'i=\"${HOME-}/.local\"; test -x \"$i\" || { echo '\\''no'\\'' "
                                                ">&2; exit 127; }; exec \"$p\" remote-serve'",
                                                "\xc3\xa4\xe2\x82\xac\xf0\x9f\x9a\x80",
                                                "-n",
                                                "--"};
        auto arguments = words;
        arguments.insert(arguments.begin(), "--words");
        Child child(own_program(), arguments, {.environment = ChildSettings::Environment::whole});
        std::string expected;
        for (const auto& each : words)
            expected.append(each).push_back('\0');
        const auto got = all_of(child, &Child::read_output);
        QCOMPARE(QByteArray::fromStdString(got), QByteArray::fromStdString(expected));
        QCOMPARE(child.wait().code, 0);
    }

    void variables_errors_and_codes_pass() {
        qputenv("WARPLIGHT_MARK", "here");
        Child child(own_program(), {"--variable"},
                    {.environment = ChildSettings::Environment::whole,
                     .variables = {{"warplight_mark", "C:\\a b\\\xc3\xa4=\"x\""}},
                     .at_terminal = true});
        QCOMPARE(QString::fromStdString(all_of(child, &Child::read_output)), QString("C:\\a b\\ä=\"x\""));
        QCOMPARE(QString::fromStdString(all_of(child, &Child::read_errors)), QString("of errors"));
        const auto end = child.wait();
        QVERIFY(end.code == 7 && !end.by_signal);
        qunsetenv("WARPLIGHT_MARK");
    }

    void killing_takes_what_it_has_started_along() {
        Child child(own_program(), {"--own"});
        const Running started(first_line(child));
        QVERIFY(started.runs());
        child.kill();
        child.wait();
        QVERIFY(started.ends_soon());
    }

    /// No ssh stays when a bridge is killed.
    void children_end_with_a_killed_owner() {
        QProcess owner;
        const Running started(start_owner(owner, {"--own"}));
        QVERIFY(started.runs());
        owner.kill();
        QVERIFY(owner.waitForFinished(10000));
        QVERIFY(started.ends_soon());
    }

    /// A bridge ends the worker on the other machine first.
    void some_children_end_with_their_input_instead() {
        const QTemporaryDir folder;
        QProcess owner;
        const Running started(start_owner(owner, {"--own-ending", folder.filePath("done")}));
        QVERIFY(started.runs());
        owner.kill();
        QVERIFY(owner.waitForFinished(10000));
        QVERIFY(started.ends_soon());
        QVERIFY(QFile::exists(folder.filePath("done")));
    }

    /// Nobody reads what is written, and a pipe takes little.
    void closing_the_input_ends_a_write_that_waits() {
        Child child(own_program(), {"--stay"});
        std::atomic<int> written = -1;
        std::thread writer([&] {
            const std::vector<std::byte> bytes(8 << 20);
            written = child.write(bytes.data(), bytes.size());
        });
        QTest::qWait(200);
        QCOMPARE(written.load(), -1);
        QElapsedTimer since;
        since.start();
        child.close_input();
        child.close_input(); // once more does nothing
        const auto took = since.elapsed();
        writer.join();
        QCOMPARE(written.load(), 0);
        QVERIFY2(took < 5000, qPrintable(QString::number(took)));
        std::byte more{};
        QVERIFY(!child.write(&more, 1));
        child.kill();
        child.wait();
    }

    void stopped_reads_end() {
        Child child(own_program(), {"--stay"});
        std::thread output([&] { (void)all_of(child, &Child::read_output); });
        std::thread errors([&] { (void)all_of(child, &Child::read_errors); });
        QTest::qWait(100);
        child.stop_reading();
        output.join();
        errors.join();
        child.kill();
        child.wait();
    }

    /// A folder of sessions may hold a program of the same name.
    void programs_of_the_current_folder_are_not_taken() {
        const QTemporaryDir folder;
        const auto before = QDir::currentPath();
        QVERIFY(
            QFile::copy(QString::fromStdWString(own_program().wstring()), folder.filePath("warplight-planted.exe")));
        QVERIFY(QDir::setCurrent(folder.path()));
        const auto found = warplight::compiler::platform::find_on_path("warplight-planted.exe");
        const auto path = qgetenv("PATH");
        qputenv("PATH", path + ";" + QDir::toNativeSeparators(folder.path()).toUtf8());
        const auto listed = warplight::compiler::platform::find_on_path("warplight-planted");
        qputenv("PATH", path);
        QVERIFY(QDir::setCurrent(before));
        QVERIFY2(found.empty(), found.string().c_str());
        QVERIFY(!listed.empty());
    }
};

int main(int argc, char** argv) {
    int count = 0;
    wchar_t** words = CommandLineToArgvW(GetCommandLineW(), &count);
    std::vector<std::string> arguments;
    for (int i = 1; i < count; ++i)
        arguments.push_back(utf8(words[i]));
    LocalFree(words);
    for (const char* each : {"--words", "--variable", "--stay", "--until-input-ends", "--own", "--own-ending"})
        if (!arguments.empty() && arguments[0] == each) return be_child(each, {arguments.begin() + 1, arguments.end()});
    WindowsChildTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "windows_child_test.moc"
