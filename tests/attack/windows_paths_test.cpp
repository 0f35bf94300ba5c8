// SPDX-License-Identifier: Apache-2.0
// Paths that only Windows has: devices, streams, drives, other machines, names that it shortens or changes.
#include "copying_session.hpp"

#include "session/named_files.hpp"
#include "session/reach.hpp"
#include "session/runner.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/file_io.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <windows.h>

using namespace warplight;
using namespace warplight::session;
namespace fs = std::filesystem;

namespace {

FileSource raw(const std::string& path) { return {path, "uint8", Shape{16}, 0}; }

std::string utf8(const fs::path& path) {
    const auto text = path.u8string();
    return {text.begin(), text.end()};
}

std::string short_name(const fs::path& path) {
    wchar_t text[1024]{};
    GetShortPathNameW(path.c_str(), text, 1024);
    return utf8(fs::path(text).filename());
}

} // namespace

class WindowsPathsTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path root_, inside_, outside_;
    std::optional<driver::Driver> driver_;

    static void write(const fs::path& file, std::string_view text) {
        fs::create_directories(file.parent_path());
        write_file_atomically(file, text);
    }
    RunOptions options() const {
        RunOptions result;
        result.folder = inside_;
        return result;
    }
    /// All files with their contents.
    std::map<std::string, std::string> all_files() const {
        std::map<std::string, std::string> all;
        for (const auto& each : fs::recursive_directory_iterator(root_))
            if (each.is_regular_file()) all[utf8(each.path())] = read_text_file(each.path());
        return all;
    }
    /// It does not run, says why in words, and tells and changes nothing.
    void refused(const Session& session, const char* use) {
        const auto before = all_files();
        QElapsedTimer timer;
        timer.start();
        Report report;
        try {
            report = run(session, *driver_, options()).report;
        } catch (const std::exception& error) {
            QFAIL(qPrintable(QString("%1: it threw %2").arg(use, error.what())));
        }
        QVERIFY2(timer.elapsed() < 20'000, use);
        const auto text = to_json(report).dump() + to_text(report);
        QVERIFY2(text.find(secret) == std::string::npos, (std::string(use) + ": " + text).c_str());
        QVERIFY2(report.error.has_value() && !report.launched, (std::string(use) + ": it ran").c_str());
        const auto& message = report.error->message;
        const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
        QVERIFY2(says("outside of the session's folder") || says("Windows") || says("A session writes only below") ||
                     says("it names no file") || says("is a folder"),
                 (std::string(use) + ": " + message).c_str());
        QVERIFY2(all_files() == before, use);
    }
    void ran(const Session& session, const RunOptions& options) {
        const auto report = run(session, *driver_, options).report;
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "a result differs");
    }

private slots:
    void initTestCase() {
        if (!qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        qputenv("LOCALAPPDATA", (temporary_.path() + "/state").toUtf8());
        _putenv_s("LOCALAPPDATA", (temporary_.path() + "/state").toUtf8().constData());
        driver_ = driver::Driver::from_name("software");
        root_ = fs::absolute(fs::path(temporary_.path().toStdU16String())).make_preferred() / "root";
        inside_ = root_ / "session";
        outside_ = root_ / "private";
        const std::string bytes = std::string(secret) + "...";
        for (const char* name : {"x.bin", "x.npy", "x.warplight", "long name of a secret.bin"})
            write(outside_ / name, bytes);
        write(outside_ / "x.cu", std::string(copy_kernel) + "// " + secret + "\n");
        write(outside_ / "x.h", std::string("#error ") + secret + "\n");
        write(inside_ / "own.bin", "0123456789abcdef");
        write(inside_ / "own.npy", "0123456789abcdef");
        write(inside_ / "own.h", "#define OWN 1\n");
        write(inside_ / "kernel.cu", copy_kernel);
        write(inside_ / "sub/deep/own.bin", "0123456789abcdef");
        auto other = harmless();
        other.arguments[1].save = "y.npy";
        save(other, inside_ / "own.warplight");
        save_npy(inside_ / "in.npy", NdArray::zeros({16}, DType::uint8()));
        fs::current_path(outside_);
    }
    void cleanupTestCase() { fs::current_path(fs::temp_directory_path()); }

    void hostile_paths_are_refused_data() {
        QTest::addColumn<QString>("path");
        const auto row = [](const QString& path) { QTest::newRow(path.left(60).toUtf8().constData()) << path; };
        // The secret in each way to name it. In other folders than C: the path is that of the temporary folder.
        const auto whole = QString::fromStdU16String((outside_ / "x").u16string());
        const QString drive = whole.left(2), rooted = whole.mid(2);
        for (const char* end : {".bin", ".npy", ".cu", ".h", ".warplight"})
            for (const QString& start : {whole,
                                         QString(whole).replace('\\', '/'),
                                         rooted,
                                         drive + "x",
                                         drive.toLower() + "x",
                                         "\\\\?\\" + whole,
                                         "//?/" + QString(whole).replace('\\', '/'),
                                         "\\\\.\\" + whole,
                                         "//./" + whole,
                                         "\\?\?\\" + whole,
                                         "/?\?/" + whole,
                                         "\\\\?\\GLOBALROOT\\DosDevices\\" + whole,
                                         "\\\\.\\GLOBALROOT\\??\\" + whole,
                                         QString("..\\private\\x"),
                                         QString("..\\..\\root\\private\\x"),
                                         QString("sub\\..\\..\\private/x"),
                                         QString("sub/deep\\../..\\../private\\x"),
                                         QString(".. /private/x"),
                                         QString("..  /private/x"),
                                         QString(".. \\private\\x"),
                                         QString("... /private/x"),
                                         QString(".../private/x"),
                                         QString("sub/.. /../private/x"),
                                         QString("..\\PRIVATE\\X"),
                                         QString("\\\\localhost\\") + drive[0] + "$" + rooted,
                                         QString("//127.0.0.1/") + drive[0] + "$" + rooted})
                row(start + end);
        for (const char* each : {"C:\\Windows\\win.ini",
                                 "C:/windows/win.ini",
                                 "c:win.ini",
                                 "\\Windows\\win.ini",
                                 "/Windows/win.ini",
                                 "own.bin/",
                                 "own.npy\\",
                                 "Z:/etc/passwd",
                                 "Z:\\etc\\passwd",
                                 "/etc/passwd",
                                 "C:",
                                 "C:\\",
                                 "\\",
                                 "/",
                                 "\\\\server\\share\\x.npy",
                                 "//server/share/x.npy",
                                 "\\/server/share\\x.npy",
                                 "\\\\localhost\\c$\\x.npy",
                                 "\\\\server",
                                 "//",
                                 "\\\\?\\UNC\\server\\share\\x.npy",
                                 "\\\\?\\C:\\Windows\\win.ini",
                                 "\\\\?\\own.bin",
                                 "\\\\.\\C:",
                                 "\\\\.\\PhysicalDrive0",
                                 "\\\\.\\pipe\\x.npy",
                                 "//./pipe/x.npy",
                                 "\\\\.\\NUL",
                                 "\\\\.\\COM1",
                                 "\\\\?\\Volume{00000000-0000-0000-0000-000000000000}\\x.npy",
                                 "\\?\?\\C:\\Windows\\win.ini",
                                 "\\Device\\HarddiskVolume1\\x.npy",
                                 "file:///C:/Windows/win.ini",
                                 "%SystemRoot%:\\x.npy"})
            row(each);
        for (const char* device :
             {"CON",     "PRN",  "AUX",  "NUL",  "COM0", "COM1", "COM9", "LPT0", "LPT1",   "LPT9",  "CONIN$",
              "CONOUT$", "COM¹", "COM²", "COM³", "LPT¹", "nul",  "Nul",  "cOn",  "conin$", "CLOCK$"})
            for (const char* form : {"%1", "%1.npy", "%1.bin", "sub/%1", "sub\\%1.npy", "%1/x.npy", "%1 .npy",
                                     "%1:", "%1::$DATA", "./%1", "%1.tar.npy", "%1."})
                row(QString(form).arg(device));
        for (const char* each : {"own.bin:stream",
                                 "own.bin::$DATA",
                                 "own.bin:$DATA",
                                 "own.npy:stream.npy",
                                 "own.npy::$DATA",
                                 "kernel.cu:hidden",
                                 "kernel.cu:hidden.npy",
                                 "sub:x.npy",
                                 "sub::$INDEX_ALLOCATION/x.npy",
                                 ":x.npy",
                                 "own.h::$DATA",
                                 "own.warplight::$DATA",
                                 "own.bin.",
                                 "own.npy.",
                                 "own.npy ",
                                 "own.npy. .",
                                 "own.bin ",
                                 "own.h.",
                                 "own.h ",
                                 "kernel.cu.",
                                 "kernel.cu ",
                                 "own.warplight.",
                                 "sub./deep/own.bin",
                                 "sub /deep/own.bin",
                                 "sub/deep /x.npy",
                                 "sub/deep./x.npy",
                                 "own\t.npy",
                                 "own\n.npy",
                                 "own\x01.npy",
                                 "own\x1f.npy",
                                 "ow?.npy",
                                 "own.*",
                                 "*.npy",
                                 "<.npy",
                                 "own>.npy",
                                 "\"own\".npy",
                                 "own|.npy",
                                 "sub\\ \\x.npy",
                                 "new\n/x.npy"})
            row(each);
        row(QString(300, 'n') + ".npy");
        row("sub/" + QString(300, 'n') + "/x.npy");
        // What a name of the private folder is in short.
        const auto folder = QString::fromStdString(short_name(outside_ / "long name of a secret.bin"));
        row("..\\private\\" + folder);
    }
    void hostile_paths_are_refused() {
        QFETCH(QString, path);
        const auto text = path.toStdString();
        refused(copying(raw(text)), "data");
        auto session = harmless();
        session.arguments[1].expect = Expectation{text, {}, {}, {}, 0, 0, {}};
        refused(session, "expectation");
        session.arguments[1].expect = Expectation{{}, text, "y", {}, 0, 0, {}};
        refused(session, "session");
        session = harmless();
        session.source = {};
        session.source.path = text;
        refused(session, "source");
        session = harmless();
        session.arguments[1].save = text;
        refused(session, "result");
        session.arguments[1].save = text + ".npy";
        // A blank or a dot at the end of a name is one inside it then.
        if (!QString(".. ").contains(path.right(1)) && path.size() < 250 && !path.endsWith('/') && !path.endsWith('\\'))
            refused(session, "result with the right end");
        session = harmless();
        session.compile.options = {"-I" + text};
        if (!text.starts_with('/') || text.size() > 1) refused(session, "folder of headers");
        if (text.find_first_of("\n\"") != std::string::npos) return;
        session = harmless();
        session.source.text = "#include \"" + text + "\"\n" + copy_kernel;
        refused(session, "header");
    }

    void files_inside_are_read_data() {
        QTest::addColumn<QString>("path");
        const auto whole = QString::fromStdU16String((inside_ / "sub/deep/own.bin").make_preferred().u16string());
        QTest::newRow("slashes") << "sub/deep/own.bin";
        QTest::newRow("backslashes") << "sub\\deep\\own.bin";
        QTest::newRow("mixed") << ".\\sub/..\\sub//deep/own.bin";
        QTest::newRow("capitals") << "SUB/Deep/OWN.BIN";
        QTest::newRow("drive") << whole;
        QTest::newRow("small drive") << whole.left(1).toLower() + whole.mid(1);
        QTest::newRow("drive and capitals") << whole.toUpper();
        QTest::newRow("rooted") << whole.mid(2);
        QTest::newRow("out and in") << "..\\session\\own.bin";
    }
    void files_inside_are_read() {
        QFETCH(QString, path);
        ran(copying(raw(path.toStdString())), options());
        auto session = harmless();
        session.source.text = "#include \"sub\\..\\OWN.h\"\n" + session.source.text;
        ran(session, options());
    }

    void results_replace_nothing_under_another_spelling_data() {
        QTest::addColumn<QString>("name");
        for (const char* each : {"in.npy", "IN.NPY", "In.npy", ".\\iN.npy", "./in.nPy", ".//IN.NPY"})
            QTest::newRow(each) << each;
        QTest::newRow("short") << QString::fromStdString(short_name(inside_ / "in.npy"));
    }
    void results_replace_nothing_under_another_spelling() {
        QFETCH(QString, name);
        const auto before = all_files();
        const auto keeps = [&](Session session, const char* says) {
            session.arguments[1].save = name.toStdString();
            auto all = options();
            all.overwrite = true;
            const auto report = run(session, *driver_, all).report;
            QVERIFY2(report.error && !report.launched, says);
            QVERIFY2(report.error->message.find(says) != std::string::npos, report.error->message.c_str());
            QVERIFY(all_files() == before);
        };
        keeps(copying(FileSource{"in.npy", {}, {}, 0}), "which the run reads");
        auto session = harmless();
        session.arguments[1].expect = Expectation{"In.npy", {}, {}, {}, 0, 0, {}};
        keeps(session, "is an expectation");
    }
    void no_result_replaces_another_or_a_source() {
        const auto before = all_files();
        auto session = harmless();
        session.arguments[0].direction = Direction::inout;
        session.arguments[0].save = "new/Result.npy";
        session.arguments[1].save = "NEW\\rESULT.npy";
        const auto report = run(session, *driver_, options()).report;
        QVERIFY(report.error && !report.launched);
        QVERIFY2(report.error->message.find("another result goes to") != std::string::npos,
                 report.error->message.c_str());
        session = harmless();
        session.source = {};
        session.source.path = "kernel.cu";
        session.arguments[1].save = "KERNEL.CU";
        QVERIFY(run(session, *driver_, options()).report.error.has_value());
        write(inside_ / "kernel.npy", copy_kernel);
        session = harmless();
        session.source.text = "#include \"kernel.npy\"\n";
        session.arguments[1].save = "KERNEL.NPY";
        auto all = options();
        all.overwrite = true;
        const auto third = run(session, *driver_, all).report;
        QVERIFY(third.error && !third.launched);
        fs::remove(inside_ / "kernel.npy");
        QVERIFY(all_files() == before);
    }

    void names_that_are_no_text_are_no_crash() {
        for (const char* text :
             {"#include \"\xff.h\"\n", "#line 1 \"\xff.cu\"\n#error x\n", "#line 1 \"NUL\"\n#error x\n",
              "#line 1 \"//192.0.2.1/a/x\"\n#error x\n", "#line 1 \"x.cu:a\"\n#error x\n"}) {
            auto session = harmless();
            session.source.text = std::string(text) + copy_kernel;
            const auto report = run(session, *driver_, options()).report;
            QVERIFY2(report.error && !report.launched, text);
        }
    }

    void another_machine_is_not_asked() {
        QElapsedTimer timer;
        timer.start();
        const Reach reach(inside_);
        for (const char* path : {"\\\\192.0.2.1\\share\\x.npy", "//192.0.2.1/share/x.npy"}) {
            QVERIFY(!reach.contains(reach.place(path)));
            QVERIFY_THROWS_EXCEPTION(OutsideError, reach.for_reading(reach.place(path)));
            QCOMPARE(named_outside(copying(raw(path)), reach).size(), std::size_t(1));
        }
        QVERIFY(!Reach::can_be_allowed(reach.place("sub/NUL")));
        QVERIFY(!Reach::can_be_allowed(reach.place("\\\\.\\pipe\\x")));
        QVERIFY(timer.elapsed() < 2000);
    }
};

QTEST_GUILESS_MAIN(WindowsPathsTest)
#include "windows_paths_test.moc"
