// SPDX-License-Identifier: Apache-2.0
// Sessions from strangers that name files of the user: to read them, to show them, to replace them.
#include "session/named_files.hpp"
#include "session/reach.hpp"
#include "session/runner.hpp"
#include "session/saved_results.hpp"
#include "session/session.hpp"
#include "warplight/driver.hpp"
#include "warplight/file_io.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"
#include "worker/client.hpp"

#include "../finished_process.hpp"
#include "../make_link.hpp"
#include "copying_session.hpp"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace warplight;
using namespace warplight::session;
namespace fs = std::filesystem;

namespace {

Session with_text(const std::string& before) {
    auto session = harmless();
    session.source.text = before + copy_kernel;
    return session;
}

#ifdef _WIN32
constexpr bool kWindows = true;
#else
constexpr bool kWindows = false;
#endif

FileSource raw(const std::string& path) { return {path, "uint8", Shape{16}, 0}; }

} // namespace

class SessionAttackTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path root_, inside_, outside_;
    std::optional<driver::Driver> driver_;
    bool links_ = false; ///< the system lets this test make links

    /// Where there are no links, the paths to which they lead.
    QString here(QString text) const {
        if (links_) return text;
        text.replace("folder//", "../private//")
            .replace("folder/", "../private/")
            .replace("link.bin", "../private/secret.bin");
        return text.replace("second.bin", "../private/secret.bin").replace("link.h", "../private/secret.h");
    }
    std::string here(const char* text) const { return here(QString(text)).toStdString(); }
    /// False for paths that are Linux's, and for links without a path to stand for them.
    bool has(const QString& text) const {
        const auto contains = [&](const char* each) { return text.contains(each); };
        if (kWindows && std::ranges::any_of(std::array{"/etc", "/proc", "/dev/", "/no/such"}, contains)) return false;
        return links_ || std::ranges::none_of(
                             std::array{"circle", "good.bin", "result.npy", "nothing.npy", "nowhere/new"}, contains);
    }

    static void write(const fs::path& file, std::string_view text) {
        fs::create_directories(file.parent_path());
        write_file_atomically(file, text);
    }
    RunOptions options() const {
        RunOptions result;
        result.folder = inside_;
        return result;
    }
    Report run_it(const Session& session, const RunOptions& options) const {
        return run(session, *driver_, options).report;
    }
    static void ran(const Report& report) {
        QVERIFY2(report.status == Status::ok, report.error ? report.error->message.c_str() : "a result differs");
    }
    /// Nothing of the files outside is in the report.
    static void silent(const Report& report) {
        const auto text = to_json(report).dump() + to_text(report);
        QVERIFY2(text.find(secret) == std::string::npos, text.c_str());
        QVERIFY2(text.find("root:") == std::string::npos, text.c_str());
    }
    /// The session is refused, the report tells which file, and nothing of it.
    void refused(const Session& session, const std::string& file = {}) {
        const auto report = run_it(session, options());
        silent(report);
        QCOMPARE(status_name(report.status), status_name(Status::input_error));
        QVERIFY(report.error.has_value());
        QVERIFY2(report.error->message.find("outside of the session's folder") != std::string::npos,
                 report.error->message.c_str());
        QVERIFY(!report.launched);
        QCOMPARE(report.error->outside.size(), std::size_t(1));
        if (!file.empty()) QCOMPARE(report.error->outside.front(), file);
    }
    /// It does not run, for whatever reason, and its report is silent.
    void fails(const Session& session) {
        const auto report = run_it(session, options());
        silent(report);
        QVERIFY(report.error.has_value());
        QVERIFY(!report.launched);
    }

private slots:
    void initTestCase() {
        if (!qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
        for (const char* state : {"XDG_STATE_HOME", "LOCALAPPDATA"})
            qputenv(state, (temporary_.path() + "/state").toUtf8());
        driver_ = driver::Driver::from_name(qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software").toStdString());
        root_ = fs::canonical(temporary_.path().toStdString()).make_preferred();
        inside_ = root_ / "session";
        outside_ = root_ / "private";
        write(outside_ / "secret.bin", std::string(secret) + "........");
        write(outside_ / "secret.csv", std::string("1,2\n") + secret + ",3\n");
        write(outside_ / "secret.h", std::string("#error ") + secret + "\n" + secret + " " + secret + ";\n");
        write(outside_ / "kernel.cu", std::string(copy_kernel) + "// " + secret + "\n");
        write(inside_ / "data/own.bin", "0123456789abcdef");
        write(inside_ / "include/own.h", "#define OWN 1\n#include \"sub/deeper.h\"\n");
        write(inside_ / "include/sub/deeper.h", "#include \"../other.h\"\n");
        write(inside_ / "include/other.h", "#define OTHER 2\n");
        save_npy(outside_ / "y.npy", NdArray::zeros({16}, DType::uint8()));
        links_ = make_link(outside_ / "secret.bin", inside_ / "link.bin") &&
                 make_link(outside_ / "secret.h", inside_ / "link.h") &&
                 make_link(outside_, inside_ / "folder", true) && make_link("link.bin", inside_ / "second.bin") &&
                 make_link("circle", inside_ / "circle") && make_link("data/own.bin", inside_ / "good.bin");
        if (!kWindows) QVERIFY(links_);
    }

    void files_inside_are_read_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("plain") << "data/own.bin";
        QTest::newRow("dots") << "./data/../data/own.bin";
        QTest::newRow("slashes") << "data//own.bin";
        QTest::newRow("link") << "good.bin";
        QTest::newRow("absolute") << QString::fromStdString((inside_ / "data/own.bin").string());
        QTest::newRow("out and in") << "../session/data/own.bin";
    }
    void files_inside_are_read() {
        QFETCH(QString, path);
        if (!has(path)) QSKIP("needs links, or Linux");
        ran(run_it(copying(raw(path.toStdString())), options()));
    }

    void files_outside_are_not_read_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("file");
        const auto bin = QString::fromStdString((outside_ / "secret.bin").string());
        QTest::newRow("absolute") << bin << bin;
        QTest::newRow("dots") << "../private/secret.bin" << bin;
        QTest::newRow("dots below") << "data/../../private/secret.bin" << bin;
        QTest::newRow("link") << "link.bin" << bin;
        QTest::newRow("link to a link") << "second.bin" << bin;
        QTest::newRow("folder") << "folder/secret.bin" << bin;
        QTest::newRow("slashes") << "folder//secret.bin" << bin;
        QTest::newRow("shadow") << "/etc/shadow" << "/etc/shadow";
        QTest::newRow("slashes before") << "//etc//shadow" << "/etc/shadow";
        QTest::newRow("passwd") << "../../../../../../../../../etc/passwd" << "/etc/passwd";
        QTest::newRow("environment") << "/proc/self/environ" << "";
        QTest::newRow("its folder") << "/proc/self/cwd/x.bin" << "";
        QTest::newRow("a descriptor") << "/proc/self/fd/0" << "";
        QTest::newRow("memory") << "/dev/mem" << "";
        QTest::newRow("zeros") << "/dev/zero" << "/dev/zero";
        QTest::newRow("missing") << "/no/such/file.bin" << "/no/such/file.bin";
        QTest::newRow("a folder of a like name") << "../session2/x.bin" << "";
        QTest::newRow("circle") << "circle" << "";
        QTest::newRow("table") << "../private/secret.csv" << QString::fromStdString((outside_ / "secret.csv").string());
        QTest::newRow("array") << "../private/y.npy" << QString::fromStdString((outside_ / "y.npy").string());
        QTest::newRow("picture") << "../private/no.png" << "";
    }
    void files_outside_are_not_read() {
        QFETCH(QString, path);
        QFETCH(QString, file);
        if (!has(path)) QSKIP("needs links, or Linux");
        path = here(path);
        auto session = copying(raw(path.toStdString()));
        session.arguments[1].save = "stolen.npy";
        refused(session, file.toStdString());
        QVERIFY(!fs::exists(inside_ / "stolen.npy"));
        // The same file as an expectation, whose mismatches would tell its contents.
        session = harmless();
        session.arguments[1].expect = Expectation{path.toStdString(), {}, {}, {}, 0, 0, {}};
        refused(session, file.toStdString());
    }

    void names_with_a_zero_byte_are_refused() {
        fails(copying(raw(std::string("data/own.bin\0/../../private/secret.bin", 38))));
        fails(copying(raw(std::string("link.bin\0.npy", 13))));
    }

    void case_and_slashes_do_not_help() {
        fails(copying(raw("DATA/../../PRIVATE/secret.bin")));
        fails(copying(raw("folder/../private/secret.bin")));
        fails(copying(raw("data/own.bin/")));
        fails(copying(raw("data/")));
        fails(copying(raw("")));
    }

    void the_source_lies_inside_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("absolute") << QString::fromStdString((outside_ / "kernel.cu").string());
        QTest::newRow("dots") << "../private/kernel.cu";
        QTest::newRow("link") << "folder/kernel.cu";
        QTest::newRow("passwd") << "/etc/passwd";
        QTest::newRow("ptx") << "folder/kernel.ptx";
    }
    void the_source_lies_inside() {
        QFETCH(QString, path);
        if (!has(path)) QSKIP("needs links, or Linux");
        path = here(path);
        auto session = harmless();
        session.source = {};
        session.source.path = path.toStdString();
        refused(session);
    }

    void another_session_may_be_expected_inside_only() {
        auto other = harmless();
        other.arguments[1].save = "y.npy";
        save(other, outside_ / "other.warplight");
        auto session = harmless();
        session.arguments[1].expect = Expectation{{}, "../private/other.warplight", "y", {}, 0, 0, {}};
        refused(session, (outside_ / "other.warplight").string());
        // One inside whose result is a link.
        if (!make_link(outside_ / "y.npy", inside_ / "result.npy")) return;
        other.arguments[1].save = "result.npy";
        save(other, inside_ / "inner.warplight");
        session.arguments[1].expect->session = "inner.warplight";
        fails(session);
    }

    void headers_inside_are_read_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("quoted") << QByteArray("#include \"include/own.h\"\n");
        QTest::newRow("through a parent") << QByteArray("#include \"include/sub/../own.h\"\n");
        QTest::newRow("toolkit") << QByteArray("#include <cuda_fp16.h>\n#include <cuda/std/atomic>\n");
        QTest::newRow("stand-ins") << QByteArray("#include <stdio.h>\n#include <cstdint>\n");
        QTest::newRow("macro") << QByteArray("#define HEADER \"include/own.h\"\n#include HEADER\n");
        QTest::newRow("asked for") << QByteArray("#if __has_include(\"include/none.h\")\n#error\n#endif\n");
        QTest::newRow("in words") << QByteArray("// #include everything here, \"/etc/shadow\" too\n");
        QTest::newRow("line") << QByteArray("#line 7 \"/generated/from/elsewhere.cu\"\n");
    }
    void headers_inside_are_read() {
        QFETCH(QByteArray, text);
        ran(run_it(with_text(text.toStdString()), options()));
    }

    void headers_outside_are_not_read_data() {
        QTest::addColumn<QByteArray>("text");
        const auto header = QByteArray::fromStdString((outside_ / "secret.h").string());
        QTest::newRow("environment") << QByteArray("#include \"/proc/self/environ\"\n");
        QTest::newRow("environment, angles") << QByteArray("#include </proc/self/environ>\n");
        QTest::newRow("passwd") << QByteArray("#include \"/etc/passwd\"\n");
        QTest::newRow("absolute") << "#include \"" + header + "\"\n";
        QTest::newRow("dots") << QByteArray("#include \"../private/secret.h\"\n");
        QTest::newRow("dots, angles") << QByteArray("#include <../private/secret.h>\n");
        QTest::newRow("dots from the toolkit") << QByteArray("#include <../../../../../../../etc/passwd>\n");
        QTest::newRow("link") << QByteArray("#include \"link.h\"\n");
        QTest::newRow("folder") << QByteArray("#include \"folder/secret.h\"\n");
        QTest::newRow("folder, angles") << QByteArray("#include <folder/secret.h>\n");
        QTest::newRow("blanks") << QByteArray(" \t#\tinclude\t\"folder/secret.h\"\n");
        QTest::newRow("no blank") << QByteArray("#include\"folder/secret.h\"\n");
        QTest::newRow("digraph") << QByteArray("%:include \"folder/secret.h\"\n");
        QTest::newRow("trigraph") << QByteArray("?\?=include \"folder/secret.h\"\n");
        QTest::newRow("spliced") << QByteArray("#inc\\\nlude \"folder/sec\\\nret.h\"\n");
        QTest::newRow("spliced with a return") << QByteArray("#inc\\\r\nlude \"folder/secret.h\"\n");
        QTest::newRow("spliced by a trigraph") << QByteArray("#inc?\?/\nlude \"folder/secret.h\"\n");
        QTest::newRow("after a comment") << QByteArray(
            "/* a */ /* b\n */ # /* c\n */ include /* d */ \"folder/secret.h\"\n");
        QTest::newRow("after a string of a comment")
            << QByteArray("const char* s = \"/*\";\n#include \"folder/secret.h\"\n//*/\n");
        QTest::newRow("after a raw string")
            << QByteArray("const char* s = R\"(\n/*)\";\n#include \"folder/secret.h\"\n");
        QTest::newRow("return") << QByteArray("int a;\r#include \"folder/secret.h\"\n");
        QTest::newRow("feed") << QByteArray("\f#include\v\"folder/secret.h\"\n");
        QTest::newRow("mark") << QByteArray("\xef\xbb\xbf#include \"folder/secret.h\"\n");
        QTest::newRow("next") << QByteArray("#include_next <folder/secret.h>\n");
        QTest::newRow("import") << QByteArray("#import \"folder/secret.h\"\n");
        QTest::newRow("embed") << QByteArray("const char s[] = {\n#embed \"folder/secret.h\"\n};\n");
        QTest::newRow("asked for") << QByteArray("#if __has_include(\"/etc/passwd\")\n#endif\n");
        QTest::newRow("macro") << QByteArray("#define H \"folder/secret.h\"\n#include H\n");
        QTest::newRow("macro, two definitions")
            << QByteArray("#define H \"include/own.h\"\n#undef H\n#define H </etc/passwd>\n#include H\n");
        QTest::newRow("own header") << QByteArray("#include \"sneaky/inner.h\"\n");
    }
    void headers_outside_are_not_read() {
        QFETCH(QByteArray, text);
        write(inside_ / "sneaky/inner.h", "#include \"../../private/secret.h\"\n");
        if (!has(text)) QSKIP("needs Linux");
        refused(with_text(here(QString(text)).toStdString()));
    }

    void headers_that_cannot_be_told_are_refused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("pasted") << QByteArray("#define S(x) #x\n#include S(folder/secret.h)\n");
        QTest::newRow("angles") << QByteArray(
            "#define D folder\n#include <D/secret.h>\n#define H <D/secret.h\n#include H>\n");
        QTest::newRow("macro of a macro") << QByteArray("#define A \"folder/secret.h\"\n#define B A\n#include B\n");
        QTest::newRow("macro of the toolkit") << QByteArray("#include __THRUST_HOST_SYSTEM_GATHER_HEADER\n");
        QTest::newRow("raw string") << QByteArray("#include R\"(folder/secret.h)\"\n");
        QTest::newRow("spelled by an escape") << QByteArray("#\\u0069nclude \"folder/secret.h\"\n");
        QTest::newRow("alias") << QByteArray("#pragma include_alias(\"a.h\", \"folder/secret.h\")\n#include \"a.h\"\n");
        QTest::newRow("spliced after a blank") << QByteArray("#inc\\ \nlude \"folder/secret.h\"\n");
        QTest::newRow("a folder") << QByteArray("#include \"nowhere/../../../etc/passwd\"\n");
    }
    void headers_that_cannot_be_told_are_refused() {
        QFETCH(QByteArray, text);
        fails(with_text(here(QString(text)).toStdString()));
    }

    void macros_of_options_name_no_header_outside() {
        auto session = with_text("#include H\n");
        session.compile.options = {here("-DH=\"folder/secret.h\"")};
        refused(session);
        if (kWindows) return;
        session.compile.options = {"--define-macro", "H=</etc/passwd>"};
        refused(session, "/etc/passwd");
    }

    void include_folders_lie_inside_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("joined") << QStringList{"-I../private"};
        QTest::newRow("apart") << QStringList{"-I", "../private"};
        QTest::newRow("long") << QStringList{"--include-path=" + QString::fromStdString(outside_.string())};
        QTest::newRow("long, apart") << QStringList{"--include-path", "folder"};
        QTest::newRow("equals") << QStringList{"-I=folder"};
        QTest::newRow("root") << QStringList{"-I/"};
        QTest::newRow("etc") << QStringList{"-I/etc"};
        QTest::newRow("second") << QStringList{"-Iinclude", "-DX=1", "-Ifolder"};
    }
    void include_folders_lie_inside() {
        QFETCH(QStringList, options);
        if (!links_ && options.filter(QRegularExpression("folder$")).size() == 1) QSKIP("needs links");
        auto session = harmless();
        for (const QString& each : options)
            session.compile.options.push_back(each.toStdString());
        refused(session);
    }

    void include_folders_start_at_the_sessions_folder() {
        auto session = with_text("#include <own.h>\n#include <other.h>\nstatic_assert(OWN + OTHER == 3, \"\");\n");
        session.compile.options = {"-Iinclude"};
        ran(run_it(session, options()));
        session.compile.options = {"--include-path", "include"};
        ran(run_it(session, options()));
    }

    void a_header_without_end_is_no_hang() {
        // A text of comments that begin everywhere, and a header of the greatest size.
        std::string text;
        for (int i = 0; i < 200'000; ++i)
            text += "#/*\n";
        fails(with_text(text));
        write(inside_ / "huge.h", "");
        // Windows would fill it with zeros.
        fs::resize_file(inside_ / "huge.h", kWindows ? std::uintmax_t{65} << 20 : std::uintmax_t{1} << 40);
        fails(with_text("#include \"huge.h\"\n"));
        fs::remove(inside_ / "huge.h");
        for (int i = 0; i < 300; ++i)
            write(inside_ / ("chain/" + std::to_string(i) + ".h"), "#include \"" + std::to_string(i + 1) + ".h\"\n");
        write(inside_ / "chain/300.h", "#include \"../../private/secret.h\"\n");
        refused(with_text("#include \"chain/0.h\"\n"), (outside_ / "secret.h").string());
    }

    void what_the_user_agrees_to_is_read() {
        auto allowed = options();
        allowed.allow = {outside_};
        ran(run_it(copying(raw("../private/secret.bin")), allowed));
        ran(run_it(copying(raw(here("folder/secret.bin"))), allowed));
        ran(run_it(copying(raw((outside_ / "secret.bin").string())), allowed));
        auto session = harmless();
        session.source = {};
        session.source.path = "../private/kernel.cu";
        ran(run_it(session, allowed));
        write(outside_ / "fine.h", "#define FINE 1\n");
        session =
            with_text(here("#include \"folder/fine.h\"\n") + "#include <fine.h>\nstatic_assert(FINE == 1, \"\");\n");
        session.compile.options = {"-I../private"};
        ran(run_it(session, allowed));
        session = harmless();
        session.arguments[1].save = (outside_ / "saved.npy").string();
        ran(run_it(session, allowed));
        QVERIFY(fs::exists(outside_ / "saved.npy"));
        // A file alone, with a separator at the end of a folder, and not its neighbours.
        allowed.allow = {outside_ / "secret.bin"};
        ran(run_it(copying(raw(here("link.bin"))), allowed));
        QVERIFY(run_it(copying(raw("../private/secret.csv")), allowed).error.has_value());
        allowed.allow = {outside_ / ""};
        ran(run_it(copying(raw(here("link.bin"))), allowed));
        // All of the machine is less than its processes and devices.
        if (kWindows) return;
        allowed.allow = {"/"};
        ran(run_it(copying(raw(here("link.bin"))), allowed));
        QVERIFY(run_it(copying(raw("/proc/self/environ")), allowed).error.has_value());
        QVERIFY(run_it(with_text("#include \"/proc/self/environ\"\n"), allowed).error.has_value());
    }

    void results_stay_inside_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("absolute") << QString::fromStdString((outside_ / "new.npy").string());
        QTest::newRow("dots") << "../new.npy";
        QTest::newRow("dots below") << "data/../../new.npy";
        QTest::newRow("folder") << "folder/new.npy";
        QTest::newRow("link") << "result.npy";
        QTest::newRow("link to nothing") << "nothing.npy";
        QTest::newRow("folder that is a link to nothing") << "nowhere/new.npy";
        QTest::newRow("home") << "~/new.npy/../../../new.npy";
    }
    void results_stay_inside() {
        QFETCH(QString, path);
        if (!has(path)) QSKIP("needs links, or Linux");
        path = here(path);
        make_link(outside_ / "y.npy", inside_ / "result.npy");
        make_link(outside_ / "new.npy", inside_ / "nothing.npy");
        make_link(outside_ / "new", inside_ / "nowhere");
        const auto before = read_text_file(outside_ / "y.npy");
        auto session = harmless();
        session.arguments[1].save = path.toStdString();
        fails(session);
        QVERIFY(!fs::exists(outside_ / "new.npy") && !fs::exists(root_ / "new.npy") && !fs::exists(outside_ / "new"));
        QCOMPARE(read_text_file(outside_ / "y.npy"), before);
    }

    void results_replace_nothing_that_the_session_reads() {
        const auto keeps = [&](Session session, const std::string& name, const char* says) {
            session.arguments[1].save = name;
            const auto before = read_text_file(inside_ / name);
            for (const bool overwrite : {false, true}) {
                auto all = options();
                all.overwrite = overwrite;
                const auto report = run_it(session, all);
                QVERIFY2(report.error && !report.launched, report.error ? report.error->message.c_str() : "it ran");
                // Headers are known later than files that the session has not written.
                QVERIFY2(report.error->message.find(says) != std::string::npos ||
                             (!overwrite && !report.error->replaces.empty()),
                         report.error->message.c_str());
                QCOMPARE(report.error->pointer, std::string("/arguments/1/save"));
                QCOMPARE(read_text_file(inside_ / name), before);
            }
        };
        save_npy(inside_ / "in.npy", NdArray::zeros({16}, DType::uint8()));
        keeps(copying(FileSource{"in.npy", {}, {}, 0}), "in.npy", "which the run reads");
        if (make_link("in.npy", inside_ / "other.npy"))
            keeps(copying(FileSource{"other.npy", {}, {}, 0}), "in.npy", "which the run reads");
        auto session = harmless();
        session.arguments[1].expect = Expectation{"in.npy", {}, {}, {}, 0, 0, {}};
        keeps(session, "in.npy", "is an expectation");
        // The result of another session, and a header with the name of an array.
        auto first = harmless();
        first.arguments[1].save = "first.npy";
        save(first, inside_ / "first.warplight");
        auto all = options();
        all.session_path = (inside_ / "first.warplight").string();
        ran(run_it(first, all));
        session.arguments[1].expect = Expectation{{}, "first.warplight", "y", {}, 0, 0, {}};
        keeps(session, "first.npy", "is an expectation");
        write(inside_ / "header.npy", "#define HEADER 1\n");
        keeps(with_text("#include \"header.npy\"\n"), "header.npy", "includes");
        fs::remove(inside_ / "header.npy");
    }

    void results_replace_only_the_sessions_own_files() {
        const auto file = (inside_ / "own/y.npy").make_preferred();
        fs::create_directories(file.parent_path());
        auto session = harmless();
        session.arguments[1].save = "own/y.npy";
        auto all = options();
        all.session_path = (inside_ / "one.warplight").string();
        const auto refused_for_its_own = [&](const char* what) {
            const auto before = read_text_file(file);
            const auto report = run_it(session, all);
            QVERIFY2(report.error && !report.launched, what);
            QVERIFY2(report.error->message.find("--overwrite") != std::string::npos, report.error->message.c_str());
            QCOMPARE(report.error->replaces, std::vector<std::string>{file.string()});
            QCOMPARE(read_text_file(file), before);
        };
        save_npy(file, NdArray::zeros({3}, DType::float32()));
        refused_for_its_own("a file of the user's");
        fs::remove(file);
        ran(run_it(session, all));
        ran(run_it(session, all)); // its own
        // A change of one byte that keeps size and time.
        const auto time = fs::last_write_time(file);
        auto text = read_text_file(file);
        text.back() ^= 1;
        write(file, text);
        fs::last_write_time(file, time);
        refused_for_its_own("changed within a tick");
        all.overwrite = true;
        ran(run_it(session, all));
        all.overwrite = false;
        ran(run_it(session, all));
        // The same bytes, written later.
        fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(2));
        refused_for_its_own("written anew");
        // Another session in the same folder.
        fs::remove(file);
        ran(run_it(session, all));
        all.session_path = (inside_ / "two.warplight").string();
        refused_for_its_own("another session's");
        // A folder in its place is the error of old.
        fs::remove(file);
        fs::create_directories(file / "full");
        const auto report = run_it(session, all);
        QVERIFY(report.launched && failed_to_save(report));
    }

    void a_record_survives_a_kill_between_file_and_record() {
        const auto file = inside_ / "killed.npy";
        RunOptions all = options();
        const SavedResults results(all);
        const auto array = NdArray::zeros({100000}, DType::float32());
        const std::vector<SavedArray> saved{{"killed", &array}};
        results.save(file, saved);
        QVERIFY(results.may_replace(file));
        // What a kill leaves: the record says what is about to be written, the file is the new one or the old one.
        std::string record;
        fs::path place;
        for (const auto& each : fs::directory_iterator(saved_results_folder()))
            if (const auto text = read_text_file(each.path()); text.find("killed.npy") != std::string::npos) {
                record = text;
                place = each.path();
            }
        QVERIFY(!record.empty());
        auto pending = record;
        const auto at = pending.find("saved ");
        auto words = pending.substr(at + 6);
        words.resize(words.rfind(' '));
        write(place, pending.substr(0, at) + "pending " + words + "\n");
        QVERIFY(results.may_replace(file));
        write(place, record + "pending 12 0123456789abcdef\n");
        QVERIFY(results.may_replace(file));
        fs::remove(place);
        QVERIFY(!results.may_replace(file));
        write(place, "no record");
        QVERIFY(!results.may_replace(file));
    }

    void named_files_outside_are_listed() {
        auto session = copying(raw(here("link.bin")));
        session.source = {};
        session.source.path = (root_ / "etc/passwd").string();
        session.compile.options = {"-I", (root_ / "etc").string(), "-Iinclude"};
        session.arguments[1].expect = Expectation{"../private/y.npy", {}, {}, {}, 0, 0, {}};
        const auto found = named_outside(session, Reach(inside_));
        QCOMPARE(found.size(), std::size_t(4));
        QVERIFY(named_outside(session, Reach(inside_, {outside_, root_ / "etc"})).empty());
        QVERIFY(named_outside(harmless(), Reach(inside_)).empty());
        QVERIFY(named_outside(harmless(), Reach()).empty());
    }

    void the_command_line_asks_for_agreement() {
        save(copying(raw(here("link.bin"))), inside_ / "reads.warplight");
        const auto cli = [&](QStringList arguments) {
            QProcess process;
            process.setWorkingDirectory(temporary_.path());
            process.start(WARPLIGHT_CLI,
                          QStringList{"run", "session/reads.warplight", "--device", "software"} + arguments);
            return finish(process);
        };
        auto result = cli({});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.all().contains("--allow " + QString::fromStdString(outside_.string())),
                 qPrintable(result.all()));
        QVERIFY(!result.all().contains(secret));
        result = cli({"--json"});
        const auto report = nlohmann::json::parse(result.out.toStdString());
        QCOMPARE(report["error"]["outside"][0].get<std::string>(), (outside_ / "secret.bin").string());
        result = cli({"--allow", "private"});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        result = cli({"--in-process", "--allow", QString::fromStdString(inside_.string()), "--allow",
                      QString::fromStdString(outside_.string())});
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(cli({"--in-process"}).code, 2);
        QCOMPARE(cli({"--allow", "no/such/folder"}).code, 2);
    }

    void the_worker_holds_the_same_line() {
        worker::ClientOptions client_options;
        client_options.driver = "software";
        client_options.program = WARPLIGHT_CLI;
        client_options.access.read = {root_}; // the worker's walls would do
        client_options.access.write = {inside_};
        worker::Client client(client_options);
        client.start();
        const std::string folder = inside_.string();
        nlohmann::json params = {{"session", to_json(copying(raw(here("link.bin"))))}, {"folder", folder}};
        auto reply = client.call_wait("run", params);
        QVERIFY2(reply.ok, reply.error.c_str());
        QCOMPARE((*reply.result)["status"].get<std::string>(), std::string("input_error"));
        params["allow"] = {outside_.string()};
        reply = client.call_wait("run", params);
        QVERIFY2(reply.ok, reply.error.c_str());
        QCOMPARE((*reply.result)["status"].get<std::string>(), std::string("ok"));

        // What it saves, it may replace, and the record is the user's.
        fs::create_directories(inside_ / "kept");
        auto saves = harmless();
        saves.arguments[1].save = "kept/by_worker.npy";
        params = {{"session", to_json(saves)}, {"folder", folder}};
        for (int i = 0; i < 2; ++i) {
            reply = client.call_wait("run", params);
            QVERIFY2(reply.ok && (*reply.result)["status"] == "ok", reply.ok ? reply.result->dump().c_str() : "no");
        }
        RunOptions own = options();
        QVERIFY(SavedResults(own).may_replace(inside_ / "kept/by_worker.npy"));

        params = {{"source", here("#include \"link.h\"\n") + copy_kernel}, {"folder", folder}};
        reply = client.call_wait("compile", params);
        QVERIFY2(reply.ok, reply.error.c_str());
        QVERIFY(!(*reply.result)["ok"].get<bool>());
        QVERIFY(reply.result->dump().find(secret) == std::string::npos);
        QCOMPARE((*reply.result)["outside"][0].get<std::string>(), (outside_ / "secret.h").string());
        params["allow"] = {outside_.string()};
        reply = client.call_wait("compile", params);
        QVERIFY(reply.result->dump().find(secret) != std::string::npos); // the user agreed to it
        params = {{"source", copy_kernel}, {"folder", folder}, {"options", {"--options-file=/etc/passwd"}}};
        QVERIFY(!client.call_wait("compile", params).ok);
        params["options"] = {"-I/etc"};
        QVERIFY(!client.call_wait("compile", params).ok);
        client.shutdown();
    }

    void nvcc_holds_the_same_line() {
        QProcess nvcc;
        nvcc.start("nvcc", {"--version"});
        if (!nvcc.waitForFinished() && !fs::exists("/usr/local/cuda/bin/nvcc")) QSKIP("there is no nvcc here");
        for (const char* text :
             {"#include \"/proc/self/environ\"\n", "#include <folder/secret.h>\n", "#include <../../etc/passwd>\n",
              "#line 1 \"/etc/passwd\"\n#warning x\n", "# 1 \"/etc/passwd\"\n#warning x\n"}) {
            auto session = with_text(text);
            session.compile.compiler = "nvcc";
            fails(session);
        }
        auto session = harmless();
        session.compile.compiler = "nvcc";
        session.compile.options = {"-Iinclude,/etc"};
        fails(session);
    }
};

QTEST_GUILESS_MAIN(SessionAttackTest)
#include "session_test.moc"
