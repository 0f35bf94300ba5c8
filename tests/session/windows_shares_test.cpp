// SPDX-License-Identifier: Apache-2.0
// Sessions and files in folders of other machines, \\machine\share. The share is that of WARPLIGHT_TEST_SHARE, which
// scripts/wine.sh makes, or this machine's own drive as it shows itself to administrators of other machines.
#include "cli_fixture.hpp"

#include "files/paths.hpp"
#include "session/reach.hpp"

#include <filesystem>
#include <memory>

namespace fs = std::filesystem;
namespace files = warplight::files;

namespace {

fs::path native(const QString& path) { return fs::path(path.toStdU16String()).make_preferred(); }
QString text(const fs::path& path) { return QString::fromStdU16String(path.u16string()); }
/// As it stands in a session's JSON.
QByteArray escaped(const QString& path) { return path.toUtf8().replace("\\", "\\\\"); }

} // namespace

class WindowsSharesTest : public CliFixture {
    Q_OBJECT

    QString share_;                         ///< \\machine\share, or a folder of it
    std::unique_ptr<QTemporaryDir> folder_; ///< on the share

    QString on_share(const QString& name) const {
        return QDir::toNativeSeparators(folder_->path()) + "\\" + QString(name).replace('/', '\\');
    }
    static void put(const QString& file, const QByteArray& content) {
        fs::create_directories(native(file).parent_path());
        QFile out(file);
        QVERIFY2(out.open(QIODevice::WriteOnly), qPrintable(file));
        QCOMPARE(out.write(content), content.size());
    }
    void copy(const char* name, const QString& to) const {
        QFile::remove(to);
        QVERIFY2(QFile::copy(path(name), to), qPrintable(to));
    }
    void passes(const QStringList& arguments) const {
        const auto result = run(arguments);
        QVERIFY2(result.code == 0, qPrintable(arguments.join(' ') + ": " + result.all()));
    }

private slots:
    void initTestCase() {
        write_scale();
        share_ = qEnvironmentVariable("WARPLIGHT_TEST_SHARE");
        if (share_.isEmpty()) {
            const QString here = QDir::toNativeSeparators(QDir::tempPath());
            share_ = "\\\\localhost\\" + here.left(1) + "$" + here.mid(2);
        }
        folder_ = std::make_unique<QTemporaryDir>(share_ + "\\shares-XXXXXX");
        if (!folder_->isValid())
            QSKIP(qPrintable("There is no folder " + share_ + ": " + folder_->errorString() +
                             ". Name another in WARPLIGHT_TEST_SHARE."));
    }

    void paths_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("normal");
        QTest::addColumn<QString>("joined");
        const auto row = [](const char* path, const char* normal, const char* joined) {
            QTest::newRow(path) << path << normal << joined;
        };
        // As System.IO.Path.GetFullPath() and Path.Combine() of Windows have them, but for a root on a share.
        row(R"(\\m\s\a\b)", R"(\\m\s\a\b)", R"(\\m\s\a\b)");
        row(R"(//m/s/a/b)", R"(\\m\s\a\b)", R"(\\m\s\a\b)");
        row(R"(\\m\s\a\.\..\b)", R"(\\m\s\b)", R"(\\m\s\b)");
        row(R"(\\m\s\..\..\b)", R"(\\m\s\b)", R"(\\m\s\b)");
        row(R"(\\m\s\\a)", R"(\\m\s\a)", R"(\\m\s\a)");
        row(R"(\\m\s)", R"(\\m\s)", R"(\\m\s)");
        row(R"(\\m)", R"(\\m)", R"(\\m)");
        row(R"(C:\a\..\b)", R"(C:\b)", R"(C:\b)");
        row(R"(a\..\b)", R"(b)", R"(\\n\t\f\b)");
        row(R"(..\b)", R"(..\b)", R"(\\n\t\b)");
        row(R"(\b)", R"(\b)", R"(\\n\t\b)");
    }
    void paths() {
        QFETCH(QString, path);
        QFETCH(QString, normal);
        QFETCH(QString, joined);
        const fs::path given(path.toStdU16String());
        QCOMPARE(text(files::normal(given)), normal);
        QCOMPARE(text(files::normal(files::join(LR"(\\n\t\f)", given))), joined);
        const bool whole = path.startsWith("\\\\") || path.startsWith("//") || path.startsWith("C:");
        QCOMPARE(files::is_absolute(given), whole);
        if (whole) QCOMPARE(text(files::absolute(given)), normal);
    }
    void roots() {
        QVERIFY(files::same_root(LR"(\\m\s\a)", LR"(//M/S/b)"));
        QVERIFY(!files::same_root(LR"(\\m\s\a)", LR"(\\m\t\a)"));
        QVERIFY(!files::same_root(LR"(\\m\s\a)", LR"(\\n\s\a)"));
        QVERIFY(!files::same_root(LR"(\\m\s\a)", LR"(C:\a)"));
        QVERIFY(files::same_root(LR"(C:\a)", LR"(c:\b)"));
    }
    void a_real_path() {
        std::error_code problem;
        put(on_share("Upper/File.txt"), "x");
        for (const QString& spelled : {on_share("upper/file.txt"), on_share("Upper/../UPPER/File.txt")}) {
            const auto real = files::real_path(native(spelled), problem);
            QVERIFY(!problem);
            // Wine tells where the share lies on this machine.
            QVERIFY2(text(real).endsWith("\\Upper\\File.txt") && files::is_absolute(real), qPrintable(text(real)));
        }
        const auto none = text(files::real_path(native(on_share("none/x")), problem));
        QVERIFY2(!problem && none.endsWith("\\none\\x") && files::is_absolute(native(none)), qPrintable(none));
    }

    void a_session_on_a_share() {
        const QString folder = on_share("my session ж");
        put(folder + "\\scale.cu", QByteArray("#include \"lib/own.h\"\n") + scale_source + "static_assert(OWN == 1);");
        put(folder + "\\lib\\own.h", "#define OWN 1\n");
        for (const char* name : {"x.npy", "right.npy"})
            copy(name, folder + "\\" + name);
        const QString document = folder + "\\s.warplight";
        put(document, session(R"(, "save": "out/y.npy", "expect": {"path": "right.npy", "rtol": 0, "atol": 0})"));
        for (QString spelled : {document, QString(document).replace('\\', '/')}) {
            passes({spelled});
            passes({spelled, "--in-process"});
            passes({spelled, "--out", on_share("other folder")});
        }
        for (const QString& saved : {folder + "\\out\\y.npy", on_share("other folder/out/y.npy")})
            QCOMPARE(warplight::load_npy(native(saved).string()).size(), std::size_t(1000));
        const auto compiled = cli({"compile", folder + "\\scale.cu"});
        QVERIFY2(compiled.code == 0, qPrintable(compiled.all()));
    }
    void what_lies_beside_the_session_s_folder() {
        const QString folder = on_share("inside");
        for (const char* name : {"scale.cu", "x.npy"}) {
            fs::create_directories(native(folder));
            copy(name, folder + "\\" + name);
        }
        put(folder + "\\s.warplight", session("").replace("\"x.npy\"", "\"../x.npy\""));
        copy("x.npy", on_share("x.npy"));
        const auto result = run({folder + "\\s.warplight"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.all().contains("lies outside of the session's folder") && result.all().contains("--allow "),
                 qPrintable(result.all()));
        passes({folder + "\\s.warplight", "--allow", folder_->path()});
    }

    void files_of_a_share() {
        copy("x.npy", on_share("x.npy"));
        copy("scale.cu", on_share("scale.cu"));
        const QByteArray x = escaped(on_share("x.npy")),
                         source = escaped(QString(on_share("scale.cu")).replace('\\', '/')),
                         y = escaped(on_share("saved/y.npy"));
        put(path("s.warplight"), session(R"(, "save": ")" + y + R"(", "expect": {"path": "right.npy"})")
                                     .replace("\"x.npy\"", "\"" + x + "\"")
                                     .replace("\"scale.cu\"", "\"" + source + "\""));
        const auto refused = run({path("s.warplight")});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.all().contains("--allow \\\\"), qPrintable(refused.all()));
        QVERIFY(!QFile::exists(on_share("saved/y.npy")));
        for (const QString& allowed : {QDir::toNativeSeparators(folder_->path()), folder_->path(), share_}) {
            passes({path("s.warplight"), "--allow", allowed});
            QCOMPARE(warplight::load_npy(native(on_share("saved/y.npy")).string()).size(), std::size_t(1000));
        }
        // Agreement to one share is none to another.
        const warplight::session::Reach reach(native(temporary_.path()), {native(folder_->path())});
        QVERIFY(reach.contains(reach.place(on_share("x.npy").toStdString())));
        QVERIFY(!reach.contains(reach.place(R"(\\192.0.2.1\share\x.npy)")));
    }
    void a_source_on_a_share() {
        copy("x.npy", on_share("x.npy"));
        copy("scale.cu", on_share("scale.cu"));
        passes({on_share("scale.cu"), "--kernel", "scale", "--grid", "4", "--block", "256", "--arg",
                "out=float32[1000]", "--arg", "in=" + on_share("x.npy"), "--arg", "f32=2.5", "--arg", "i32=1000",
                "--save", "0=" + on_share("typed.npy")});
        QCOMPARE(warplight::load_npy(native(on_share("typed.npy")).string()).size(), std::size_t(1000));
    }
};

QTEST_GUILESS_MAIN(WindowsSharesTest)
#include "windows_shares_test.moc"
