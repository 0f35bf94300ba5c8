// SPDX-License-Identifier: Apache-2.0
// Folders and options whose names are commands of a shell, given to nvcc. It passes its arguments to a shell.
#include "compiler/nvcc_command.hpp"
#include "warplight/compiler.hpp"
#include "warplight/error.hpp"
#include "warplight/nvcc.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace warplight::compiler;
namespace fs = std::filesystem;

namespace {

// Passes its arguments to a shell, as nvcc does, with or without marks around them. The second process writes PTX, with
// each header `scale.h` of an include folder as a comment.
constexpr char kFakeNvcc[] = R"(#!/bin/sh
case $1 in
--version) echo "fake compiler, release 12.3, V12.3.45"; exit 0 ;;
--list-gpu-arch) echo compute_80; exit 0 ;;
--inner)
    shift
    output=
    previous=
    for argument in "$@"; do [ "$previous" = -o ] && output=$argument; previous=$argument; done
    for argument in "$@"; do
        case $argument in
        -I) ;;
        -I*) sed 's|^|// |' "${argument#-I}/scale.h" >>"$output" ;;
        *.cu) grep '#define' "$argument" | sed 's|^|// |' >>"$output" ;;
        esac
        [ "$previous" = -I ] && sed 's|^|// |' "$argument/scale.h" >>"$output"
        previous=$argument
    done
    printf '.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n' >>"$output"
    exit 0 ;;
esac
command="'$0' --inner"
for argument in "$@"; do
    command="$command MARK$argument""MARK"
done
sh -c "$command"
)";

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

} // namespace

class CompilerPathsTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::string quoting_, bare_;

    fs::path base() const { return folder_.path().toStdString(); }
    std::string fake(const char* name, const std::string& mark) const {
        std::string text = kFakeNvcc;
        for (std::size_t at = text.find("MARK"); at != std::string::npos; at = text.find("MARK"))
            text.replace(at, 4, mark);
        const fs::path program = base() / name;
        write(program, text);
        fs::permissions(program, fs::perms::owner_all);
        return program.string();
    }
    CompileRequest request(const std::string& nvcc) const {
        CompileRequest request{
            .source = "__global__ void k() {}\n", .arch = "sm_80", .backend = Backend::nvcc, .use_cache = false};
        request.nvcc = nvcc;
        return request;
    }
    /// Commands run in the working folder.
    bool harmed() const { return fs::exists(base() / "work" / "pwned"); }

private slots:
    void initTestCase() {
#if defined(_WIN32)
        QSKIP("the fake nvcc is a shell script");
#endif
        qputenv("WARPLIGHT_CACHE_DIR", folder_.filePath("cache").toUtf8());
        fs::create_directories(base() / "work");
        QVERIFY(QDir::setCurrent(folder_.filePath("work")));
        quoting_ = fake("quoting-nvcc", "\\\"");
        bare_ = fake("bare-nvcc", "");
    }
    void init() { fs::remove(base() / "work" / "pwned"); }

    void folders_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"a`touch pwned`b",
                                 "a$(touch pwned)b",
                                 "a${IFS}b",
                                 "a;touch pwned;b",
                                 "a\";touch pwned;\"b",
                                 "a';touch pwned;'b",
                                 "a&touch pwned&b",
                                 "a|touch pwned|b",
                                 "a\ntouch pwned\nb",
                                 "a>pwned",
                                 "a<b",
                                 "two words",
                                 "one,two",
                                 "a\\b",
                                 "*",
                                 "a?b",
                                 "~",
                                 "#a",
                                 "(a)",
                                 "{a,b}",
                                 "!a",
                                 "%PATH%",
                                 "a\tb",
                                 "[ab]",
                                 "-Da -o pwned",
                                 "größe"})
            QTest::newRow(QByteArray(name).replace('\n', "\\n").constData()) << name;
    }
    void folders() {
        QFETCH(QString, name);
        const fs::path own = base() / name.toStdString() / "source", other = base() / name.toStdString();
        fs::create_directories(own);
        write(own / "scale.h", "beside the source\n");
        write(other / "scale.h", "in an include folder\n");
        for (const std::string& nvcc : {quoting_, bare_}) {
            CompileRequest attack = request(nvcc);
            attack.folder = own;
            attack.name = name.toStdString() + ".cu";
            for (const auto& options : std::vector<std::vector<std::string>>{
                     {"-I" + other.string()}, {"-I", other.string()}, {"--include-path=" + other.string()}}) {
                attack.options = options;
                const bool list = name.contains(','); // nvcc reads such an option as two folders
                if (list) attack.options.clear();
                const CompileResult result = compile(attack);
                QVERIFY(!harmed());
                QVERIFY2(result.ok, result.diagnostics.empty() ? "" : result.diagnostics[0].message.c_str());
                QVERIFY2(result.ptx.find("// beside the source") != std::string::npos, result.command.c_str());
                const bool looked_at = !list && options[0].starts_with("-I"); // by the fake nvcc
                QVERIFY2(!looked_at || result.ptx.find("// in an include folder") != std::string::npos,
                         result.command.c_str());
            }
        }
        fs::remove_all(other);
    }

    void macros_data() {
        QTest::addColumn<QString>("value");
        for (const char* value : {"`touch pwned`", "$(touch pwned)", ";touch pwned;", "\";touch pwned;\"", "(a + b)",
                                  "\"text\"", "a|b", "one two", "a<b>", "\\"})
            QTest::newRow(value) << value;
    }
    /// A macro of any value is a line of the source.
    void macros() {
        QFETCH(QString, value);
        for (const std::string& nvcc : {quoting_, bare_}) {
            CompileRequest attack = request(nvcc);
            attack.options = {"-DVALUE=" + value.toStdString(), "-D", "F(x)=" + value.toStdString()};
            const CompileResult result = compile(attack);
            QVERIFY(!harmed());
            QVERIFY(result.ok);
            for (const char* start : {"#define VALUE ", "#define F(x) "})
                QVERIFY2(result.ptx.find(start + value.toStdString()) != std::string::npos, result.ptx.c_str());
        }
    }

    void other_options_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("host compiler") << QStringList{"-Xcompiler", "`touch pwned`"};
        QTest::newRow("joined") << QStringList{"--compiler-options=$(touch pwned)"};
        QTest::newRow("no option") << QStringList{"`touch pwned`"};
        QTest::newRow("undefine") << QStringList{"-U", "A;touch pwned"};
        QTest::newRow("lines in a macro") << QStringList{"-DA=1\n;touch pwned"};
        QTest::newRow("end of a line") << QStringList{"-O3\ntouch pwned"};
    }
    /// Such an option is refused with a reason, and nothing is started.
    void other_options() {
        QFETCH(QStringList, options);
        std::vector<std::string> given;
        for (const QString& option : options)
            given.push_back(option.toStdString());
        for (const std::string& nvcc : {quoting_, bare_}) {
            CompileRequest attack = request(nvcc);
            attack.options = given;
            const CompileResult result = compile(attack);
            QVERIFY(!harmed());
            QVERIFY(!result.ok);
            const std::string& message = result.diagnostics.at(0).message;
            QVERIFY2(message.find("passes its arguments to a shell") != std::string::npos, message.c_str());
            QVERIFY_THROWS_EXCEPTION(warplight::RuntimeError,
                                     (void)compile_plain("", given, false, nvcc, {.use = false}, "ptx"));
            QVERIFY_THROWS_EXCEPTION(warplight::RuntimeError, (void)preprocess_source("", given, nvcc));
        }
        QVERIFY(!harmed());
    }

    void every_character_of_an_argument_is_checked() {
        const std::string letters = "abcxyzABCXYZ0189_-+=.,:/@";
        for (int c = 1; c < 128; ++c) {
            const std::string text(1, static_cast<char>(c));
            const bool listed = std::isalnum(c) || letters.find(text) != std::string::npos || c == '[' || c == ']';
            QCOMPARE(is_plain_argument("a" + text + "b"), listed);
        }
        QVERIFY(!is_plain_argument(std::string(1, '\0')));
    }

    void the_real_nvcc_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("backticks") << "a`touch pwned`b";
        QTest::newRow("all") << "$(touch pwned) \"'\\;\n|,";
    }
    void the_real_nvcc() {
        if (!compiler_info(Backend::nvcc).found) QSKIP("no nvcc here");
        QFETCH(QString, name);
        const fs::path own = base() / "real" / name.toStdString(), more = own / "more";
        fs::create_directories(more);
        write(own / "scale.h", "#include <offset.h>\ninline __device__ float scaled(float x) { return FACTOR * x; }\n");
        write(more / "offset.h", "constexpr float offset = NUMBER;\n");
        CompileRequest attack = request("nvcc");
        attack.source = "#include \"scale.h\"\n__global__ void k(float* x) {\n  *x = scaled(*x) + offset;\n}\n";
        attack.name = "k.cu";
        attack.folder = own;
        attack.options = {"-I" + more.string(), "-DNUMBER=(1 + 2)", "-DFACTOR=2"};
        CompileResult result = compile(attack);
        QVERIFY(!harmed());
        QVERIFY2(result.ok, result.log.c_str());
        QVERIFY(std::ranges::any_of(
            result.lines, [](const LineMapping& line) { return line.file == "k.cu" && line.source_line == 3; }));
        QVERIFY2(result.ptx.find("include0") == std::string::npos, result.ptx.c_str());

        attack.options[1] = "-DNUMBER=nothere";
        result = compile(attack);
        QVERIFY(!harmed() && !result.ok);
        QVERIFY2(QString::fromStdString(result.diagnostics.at(0).file).endsWith("more/offset.h"), result.log.c_str());
        attack.options[1] = "-DNUMBER=1";
        attack.source += "\nnonsense\n";
        result = compile(attack);
        QVERIFY(!harmed() && !result.ok);
        QCOMPARE(result.diagnostics.at(0).file, std::string("k.cu"));
        QCOMPARE(result.diagnostics.at(0).line, 6);
    }
};

QTEST_GUILESS_MAIN(CompilerPathsTest)
#include "compiler_paths_test.moc"
