// SPDX-License-Identifier: Apache-2.0
// What is ordinary on Windows: long paths, letters of all kinds, lines that end in CR LF, files that programs hold,
// Ctrl+C.
#include "cli_fixture.hpp"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <filesystem>
#include <vector>
#include <windows.h>

#include <tlhelp32.h>

namespace fs = std::filesystem;

namespace {

std::vector<HANDLE> children_of(DWORD parent) {
    std::vector<HANDLE> children;
    const HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32W each{};
    each.dwSize = sizeof each;
    for (BOOL more = Process32FirstW(all, &each); more; more = Process32NextW(all, &each))
        if (each.th32ParentProcessID == parent)
            if (const HANDLE child = OpenProcess(SYNCHRONIZE, FALSE, each.th32ProcessID)) children.push_back(child);
    CloseHandle(all);
    return children;
}

fs::path native(const QString& path) { return fs::path(path.toStdU16String()).make_preferred(); }

} // namespace

class WindowsOddPathsTest : public CliFixture {
    Q_OBJECT

    void put(const QString& file, const QByteArray& text) const {
        QFile out(file);
        QVERIFY2(out.open(QIODevice::WriteOnly), qPrintable(file));
        QCOMPARE(out.write(text), text.size());
    }
    /// A session with source, data and expectation in a folder.
    void fill(const QString& folder, const QByteArray& saves) const {
        fs::create_directories(native(folder));
        for (const char* name : {"scale.cu", "x.npy", "right.npy"})
            fs::copy_file(native(path(name)), native(folder + "/" + name), fs::copy_options::overwrite_existing);
        put(folder + "/s.warplight",
            session(R"(, "save": ")" + saves + R"(", "expect": {"path": "right.npy", "rtol": 0, "atol": 0})"));
    }
    QStringList names_in(const QString& folder) const {
        // std::filesystem lists another folder where the path is long.
        auto names = QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
        names.sort();
        return names;
    }

private slots:
    void initTestCase() { write_scale(); }

    void folders_of_all_kinds_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("blanks") << path("my own  session");
        QTest::newRow("Cyrillic letters and an emoji") << path("Мои ядра 😀 & 100% (é)");
        QString deep = path("deep");
        while (deep.size() < 330)
            deep += "/Ordner mit langem Namen 0123456789";
        QTest::newRow("more than 260 characters") << deep;
    }
    void folders_of_all_kinds() {
        QFETCH(QString, folder);
        const QString saved = folder + "/out put/Ergebnis ж 😀.npy";
        fill(folder, "out put/Ergebnis ж 😀.npy");
        const QString document = QDir::toNativeSeparators(folder + "/s.warplight");
        for (const QStringList& more : {QStringList{}, QStringList{"--in-process"}}) {
            const auto result = run(QStringList{document, "--json"} + more);
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            const auto report = QJsonDocument::fromJson(result.out.toUtf8()).object();
            QCOMPARE(report["status"].toString(), QString("ok"));
            QVERIFY2(result.out.contains("Ergebnis ж 😀.npy"), qPrintable(result.out)); // UTF-8 in the output
            const auto y = warplight::load_npy(native(saved).string());
            QCOMPARE(y.size(), std::size_t(1000));
        }
        const auto text = run({document});
        QVERIFY2(text.out.contains("Ergebnis ж 😀.npy"), qPrintable(text.all()));
        QCOMPARE(names_in(folder), (QStringList{"out put", "right.npy", "s.warplight", "scale.cu", "x.npy"}));
        QCOMPARE(names_in(folder + "/out put"), QStringList{"Ergebnis ж 😀.npy"});
    }

    void lines_that_end_in_cr_lf() {
        const auto windows = [](QByteArray text) { return text.replace("\n", "\r\n"); };
        fill(path("crlf"), "y.npy");
        put(path("crlf/s.warplight"), windows(session("")));
        put(path("crlf/scale.cu"), windows(scale_source));
        auto result = run({path("crlf/s.warplight")});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        put(path("crlf/scale.cu"), windows(QByteArray(scale_source).replace("a * x[i]", "a * z[i]")));
        result = run({path("crlf/s.warplight"), "--json"});
        auto report = QJsonDocument::fromJson(result.out.toUtf8()).object();
        QVERIFY2(report["error"].toObject()["message"].toString().contains("line 4"), qPrintable(result.out));
        put(path("crlf/scale.cu"), windows(QByteArray(scale_source).replace("y[i] = a", "y[i + 100000000] = a")));
        result = run({path("crlf/s.warplight"), "--json"});
        QVERIFY2(result.code != 0 && result.out.contains("scale.cu"), qPrintable(result.all()));
        QVERIFY2(result.out.contains(QRegularExpression("\"line\": *4\\b|scale\\.cu:4|line 4")),
                 qPrintable(result.out));
        put(path("crlf/s.warplight"), windows(session("").replace("\"warplight\": 1,", "\"warplight\": 1,\n\n oops")));
        result = run({path("crlf/s.warplight")});
        QVERIFY2(result.code == 2 && result.all().contains("line 3"), qPrintable(result.all()));
    }

    void files_elsewhere_by_their_drive() {
        fill(path("elsewhere"), "y.npy");
        const QString x = QDir::toNativeSeparators(path("x.npy"));
        put(path("elsewhere/s.warplight"),
            session("").replace("\"x.npy\"", "\"" + QByteArray(x.toUtf8()).replace("\\", "\\\\") + "\""));
        auto result = run({path("elsewhere/s.warplight")});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.all().contains("--allow"), qPrintable(result.all()));
        for (const QString& allowed : {QDir::toNativeSeparators(temporary_.path()), x, x.toUpper(), x.toLower()}) {
            result = run({path("elsewhere/s.warplight"), "--allow", allowed});
            QVERIFY2(result.code == 0, qPrintable(allowed + result.all()));
        }
    }

    void a_result_that_another_program_holds() {
        fill(path("held"), "y.npy");
        const QString document = path("held/s.warplight");
        QCOMPARE(run({document}).code, 0);
        for (const DWORD share : {DWORD(0), DWORD(FILE_SHARE_READ)}) {
            const HANDLE held = CreateFileW(native(path("held/y.npy")).c_str(), GENERIC_READ, share, nullptr,
                                            OPEN_EXISTING, 0, nullptr);
            QVERIFY(held != INVALID_HANDLE_VALUE);
            for (const QStringList& more : {QStringList{}, QStringList{"--overwrite"}}) {
                const auto result = run(QStringList{document} + more);
                QCOMPARE(result.code, 2);
                QVERIFY2(result.all().contains("another program has that file open") && result.all().contains("y.npy"),
                         qPrintable(result.all()));
            }
            CloseHandle(held);
            QCOMPARE(names_in(path("held")), (QStringList{"right.npy", "s.warplight", "scale.cu", "x.npy", "y.npy"}));
            QCOMPARE(warplight::load_npy(native(path("held/y.npy")).string()).size(), std::size_t(1000));
        }
        QCOMPARE(run({document}).code, 0);
    }

    void a_break_ends_a_run() {
        fill(path("endless"), "y.npy");
        put(path("endless/scale.cu"),
            QByteArray(scale_source).replace("if (i < n) y[i]", "while (n) { y[0] += 1; }\n y[i]"));
        AllocConsole(); // fails where there is one
        QProcess process;
        process.setProcessEnvironment(environment());
        process.setCreateProcessArgumentsModifier([](QProcess::CreateProcessArguments* arguments) {
            arguments->flags = (arguments->flags & ~DWORD(CREATE_NO_WINDOW)) | CREATE_NEW_PROCESS_GROUP;
        });
        process.start(WARPLIGHT_CLI, {"run", path("endless/s.warplight"), "--device", device_});
        QVERIFY(process.waitForStarted());
        const HANDLE handle = OpenProcess(PROCESS_ALL_ACCESS, FALSE, static_cast<DWORD>(process.processId()));
        QTest::qWait(4000); // it compiles and runs
        QVERIFY(process.state() == QProcess::Running);
        const auto workers = children_of(static_cast<DWORD>(process.processId()));
        QCOMPARE(workers.size(), std::size_t(1));
        QElapsedTimer timer;
        timer.start();
        // A handler of this program keeps it alive where the group cannot be named.
        SetConsoleCtrlHandler([](DWORD) -> BOOL { return TRUE; }, TRUE);
        const bool told = GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, static_cast<DWORD>(process.processId())) ||
                          GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, 0);
        if (!told) {
            qWarning("There is no console here (error %lu): the process is killed.", GetLastError());
            TerminateProcess(handle, 0xC000013A);
        }
        QVERIFY2(process.waitForFinished(10'000), "it goes on");
        QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(process.exitStatus() == QProcess::CrashExit || process.exitCode() != 0);
        for (const HANDLE worker : workers) {
            QCOMPARE(WaitForSingleObject(worker, 2000), DWORD(WAIT_OBJECT_0));
            CloseHandle(worker);
        }
        CloseHandle(handle);
        QCOMPARE(names_in(path("endless")), (QStringList{"right.npy", "s.warplight", "scale.cu", "x.npy"}));
    }
};

QTEST_GUILESS_MAIN(WindowsOddPathsTest)
#include "windows_odd_paths_test.moc"
