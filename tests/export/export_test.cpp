// SPDX-License-Identifier: Apache-2.0
// How programs are written: names, values, templates, and the folder that nothing is lost in.
#include "../finished_process.hpp"

#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_folder.hpp"
#include "export/scalar_text.hpp"
#include "export/template_text.hpp"
#include "session/session.hpp"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace warplight;
using namespace warplight::exporting;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

void overwrite(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

QString text_of(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

class ExportTest : public QObject {
    Q_OBJECT

    QTemporaryDir temporary_;

    /// The message of a refusal; empty: it was written.
    QString write(const QString& folder, const std::vector<ProgramFile>& files, bool force = false) const {
        try {
            ProgramFolder(folder.toStdString(), force).write(files, "numba");
        } catch (const ExportError& error) {
            return error.what();
        }
        return {};
    }

private slots:
    void names_are_identifiers_once() {
        Identifiers identifiers;
        const std::pair<const char*, const char*> names[] = {{"x", "x"},
                                                             {"class", "class_"},
                                                             {"in", "in_"},
                                                             {"half pair", "half_pair"},
                                                             {"half-pair", "half_pair_2"},
                                                             {"X", "X_2"},
                                                             {"2d", "a2d"},
                                                             {"_private", "private_"},
                                                             {"ä", "argument"},
                                                             {"d_x", "d_x_3"},
                                                             {"x_result", "x_result_2"}};
        for (const auto& [name, identifier] : names)
            QCOMPARE(text_of(identifiers.make(name)), QString(identifier));
    }

    void scalars_keep_their_bytes() {
        const auto python = [](const char* type, const session::Number& value) {
            return text_of(python_scalar(type, session::pack_scalar(type, value)));
        };
        const auto cpp = [](const char* type, const session::Number& value) {
            return text_of(cpp_scalar(type, session::pack_scalar(type, value), "v"));
        };
        QCOMPARE(python("f32", 0.1), "np.float32(0.1)");
        QCOMPARE(python("f32", 3.0), "np.float32(3.0)");
        QCOMPARE(python("f64", -std::numeric_limits<double>::infinity()), "np.float64(float(\"-inf\"))");
        QCOMPARE(python("bool", std::int64_t{1}), "np.bool_(True)");
        QCOMPARE(python("bf16", 1.5), "np.uint16(0x3fc0)");
        QCOMPARE(cpp("f32", 0.1), "float v = 0.1f;");
        QCOMPARE(cpp("f64", 1e300), "double v = 1e+300;");
        QCOMPARE(cpp("i64", std::numeric_limits<std::int64_t>::min()), "std::int64_t v = INT64_MIN;");
        QCOMPARE(cpp("u32", std::int64_t{4294967295}), "std::uint32_t v = UINT64_C(4294967295);");
        QCOMPARE(cpp("f16", 1.0), "struct { std::uint16_t bits; } v{0x3c00};");
        const auto four = session::pack_scalar("float4", session::Components{1.0, 2.0, 3.0, 0.5});
        QCOMPARE(text_of(python_scalar("float4", four)), "np.array([1.0, 2.0, 3.0, 0.5], np.float32)");
        QCOMPARE(text_of(cpp_scalar("float4", four, "v")),
                 "struct alignas(16) { float values[4]; } v{{1.0f, 2.0f, 3.0f, 0.5f}};");
    }

    void templates_are_filled() {
        QCOMPARE(
            text_of(fill("a @ONE@ b\n  @TWO@\n  @NONE@\nc@d\n", {{"ONE", "1"}, {"TWO", "x\ny @ONE@\n"}, {"NONE", ""}})),
            "a 1 b\n  x\n  y @ONE@\nc@d\n");
        QVERIFY_THROWS_EXCEPTION(std::logic_error, (void)fill("@ONE@\n", {}));
    }

    void texts_cannot_leave_their_comments() {
        QCOMPARE(text_of(one_line("a\nb \"\"\" c\\")), "a b ''' c");
        QCOMPARE(text_of(quoted_text("a\"b\\c\nd")), "\"a\\\"b\\\\c\\nd\"");
    }

    void a_folder_of_others_stays() {
        const QString folder = temporary_.filePath("others");
        QVERIFY(QDir().mkpath(folder));
        overwrite(folder + "/run.py", "mine");
        QVERIFY(write(folder, {{"run.py", "theirs"}}).contains("has files that no export has made"));
        QCOMPARE(contents(folder + "/run.py"), "mine");
        QCOMPARE(write(folder, {{"run.py", "theirs"}}, true), "");
        QCOMPARE(contents(folder + "/run.py"), "theirs");
        overwrite(temporary_.filePath("file"), "x");
        QVERIFY(write(temporary_.filePath("file"), {{"run.py", "x"}}).contains("is no folder"));
    }

    void a_changed_file_stays() {
        const QString folder = temporary_.filePath("changed");
        QCOMPARE(write(folder, {{"run.py", "one"}, {"data/x.txt", "x"}, {"old.txt", "o"}, {"kept.txt", "k"}}), "");
        // The next export of the same folder replaces what is unchanged, and removes what it has not.
        overwrite(folder + "/kept.txt", "the user's own now");
        QCOMPARE(write(folder, {{"run.py", "two"}, {"data/x.txt", "y"}}), "");
        QCOMPARE(contents(folder + "/run.py"), "two");
        QCOMPARE(contents(folder + "/data/x.txt"), "y");
        QVERIFY(!QFile::exists(folder + "/old.txt"));
        QCOMPARE(contents(folder + "/kept.txt"), "the user's own now");
        overwrite(folder + "/run.py", "edited");
        const auto refused = write(folder, {{"run.py", "three"}, {"data/x.txt", "z"}});
        QVERIFY2(refused.contains("run.py would be replaced") && refused.contains("--force"), qPrintable(refused));
        QCOMPARE(contents(folder + "/run.py"), "edited");
        QCOMPARE(contents(folder + "/data/x.txt"), "y"); // nothing was written
        QCOMPARE(write(folder, {{"run.py", "three"}}, true), "");
        QCOMPARE(contents(folder + "/run.py"), "three");
    }

    void a_list_names_nothing_outside() {
        const QString folder = temporary_.filePath("list");
        QCOMPARE(write(folder, {{"run.py", "one"}}), "");
        overwrite(temporary_.filePath("victim.txt"), "one");
        QByteArray list = contents(folder + "/.warplight-export.json");
        list.replace("\"run.py\"", "\"../victim.txt\"");
        overwrite(folder + "/.warplight-export.json", list);
        QVERIFY(write(folder, {{"main.cpp", "two"}}).contains("has files that no export has made"));
        QCOMPARE(write(folder, {{"main.cpp", "two"}}, true), "");
        QCOMPARE(contents(temporary_.filePath("victim.txt")), "one");
    }

    void a_link_is_not_followed() {
#ifndef Q_OS_UNIX
        QSKIP("links are made otherwise there");
#endif
        const QString folder = temporary_.filePath("links"), elsewhere = temporary_.filePath("elsewhere");
        QVERIFY(QDir().mkpath(folder) && QDir().mkpath(elsewhere));
        QVERIFY(QFile::link(elsewhere, folder + "/data"));
        QVERIFY(write(folder, {{"data/x.txt", "x"}}, true).contains("is a link"));
        QVERIFY(QDir(elsewhere).isEmpty());
    }

    void a_folder_that_cannot_be_made_is_told() {
#ifndef Q_OS_LINUX
        QSKIP("there is no folder where nobody can make one");
#endif
        const auto refused = write("/proc/warplight-export", {{"run.py", "x"}});
        QVERIFY2(refused.contains("The program is not complete in /proc/warplight-export"), qPrintable(refused));
        QVERIFY(refused.contains("choose another folder"));
    }

    void what_cannot_be_written_leaves_no_new_folder() {
        const QString folder = temporary_.filePath("half");
        // A file whose folder would have the name of a file.
        const auto refused = write(folder, {{"run.py", "x"}, {"run.py/data", "y"}});
        QVERIFY2(refused.contains("is not complete"), qPrintable(refused));
        QVERIFY(!QFile::exists(folder));
    }

    void sessions_that_no_program_can_be() {
#ifndef WARPLIGHT_CLI
        QSKIP("there is no software device");
#else
        const QString examples = WARPLIGHT_SOURCE_DIR "/resources/examples/";
        const auto cli = [](const QStringList& arguments) {
            QProcess process;
            process.start(WARPLIGHT_CLI, QStringList{"export"} + arguments);
            return finish(process);
        };
        const QString folder = temporary_.filePath("cli");
        auto result = cli({examples + "first_program/first_program.warplight", "--as", "numba", "-o", folder});
        QVERIFY2(result.code == 2 && result.err.contains("program with main() already"), qPrintable(result.all()));
        result = cli({examples + "saxpy/saxpy.warplight", "--as", "fortran", "-o", folder});
        QVERIFY2(result.code == 2 && result.err.contains("cpp-driver"), qPrintable(result.all()));
        result = cli({examples + "saxpy/saxpy.cu", "--as", "numba", "-o", folder});
        QVERIFY2(result.code == 2 && result.err.contains("is no session"), qPrintable(result.all()));
        result = cli({examples + "saxpy/saxpy.warplight", "--as", "numba", "-o", examples + "saxpy"});
        QVERIFY2(result.code == 2 && result.err.contains("folder of its own"), qPrintable(result.all()));
        QVERIFY(!QFile::exists(folder));
        const auto session = [&](const QByteArray& kernel, const QByteArray& type, const QByteArray& value) {
            overwrite(temporary_.filePath("k.warplight"),
                      R"({"warplight": 2, "source": {"text": ")" + kernel + R"("}, "arguments": [{"name": "v", )" +
                          R"("direction": "scalar", "type": ")" + type + R"(", "value": )" + value + "}]}");
            return temporary_.filePath("k.warplight");
        };
        result = cli(
            {session("__global__ void k(double4 v) {}", "double4", "[1, 2, 3, 4]"), "--as", "cuda-core", "-o", folder});
        QVERIFY2(result.code == 2 && result.err.contains("v is a double4"), qPrintable(result.all()));
        result = cli({session("__global__ void k(int v) { x }", "i32", "1"), "--as", "numba", "-o", folder});
        QVERIFY2(result.code == 3 && result.err.contains("does not compile"), qPrintable(result.all()));
        result = cli({session("__global__ void k(int v) {}", "f32", "1"), "--as", "numba", "-o", folder});
        QVERIFY2(result.code == 2 && result.err.contains("/arguments/0/type"), qPrintable(result.all()));
        overwrite(temporary_.filePath("k.warplight"),
                  R"({"warplight": 1, "source": {"text": "__global__ void k() {}"}, "arguments": [],)"
                  R"( "launch": {"shared": 65536}})");
        result = cli({temporary_.filePath("k.warplight"), "--as", "numba", "-o", folder});
        QVERIFY2(result.code == 2 && result.err.contains("Numba cannot ask for"), qPrintable(result.all()));
        QVERIFY(!QFile::exists(folder));
#endif
    }
};

QTEST_GUILESS_MAIN(ExportTest)
#include "export_test.moc"
