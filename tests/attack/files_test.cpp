// SPDX-License-Identifier: Apache-2.0
// Paths that name no plain file, files without an end, files that change while they are read: each is refused at once,
// and nothing waits or ends the process.
#include "compiler/include_scan.hpp"
#include "files/input_file.hpp"
#include "session/data_source.hpp"
#include "session/reach.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "warplight/npy.hpp"
#include "worker/buffer_methods.hpp"
#include "worker/keeper.hpp"

#include <fstream>
#include <set>

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace warplight;
namespace fs = std::filesystem;

namespace {

/// Ends the process where something waits for ever: the test then fails by its signal.
class Deadline {
public:
    explicit Deadline(unsigned seconds) { alarm(seconds); }
    ~Deadline() { alarm(0); }
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
};

template <class Call>
QString failure_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

} // namespace

class FilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;

    fs::path path(const char* name) const { return fs::path(temporary_.path().toStdString()) / name; }
    void write(const char* name, std::string_view text) const { std::ofstream(path(name), std::ios::binary) << text; }

    void make_pipe(const char* name) const { QCOMPARE(mkfifo(path(name).c_str(), 0600), 0); }
    void make_sparse(const char* name, std::uint64_t size) const {
        write(name, "");
        fs::resize_file(path(name), size);
    }
    /// What a name with this ending may be, and what the message says of it.
    static void add_traps() {
        QTest::addColumn<QString>("trap");
        QTest::addColumn<QString>("said");
        QTest::newRow("pipe") << "pipe" << "is a pipe, not a file";
        QTest::newRow("endless device") << "zero" << "is a device, not a file";
        QTest::newRow("socket") << "socket" << "is a socket, not a file";
        QTest::newRow("sparse file") << "sparse" << "more than";
        QTest::newRow("nothing") << "nothing" << "";
    }
    /// A trap that has the ending of a kind of file.
    fs::path trap(const QString& kind, const char* ending) const {
        const std::string name = kind.toStdString() + ending;
        std::error_code ignored;
        fs::remove(path(name.c_str()), ignored);
        if (kind == "pipe") make_pipe(name.c_str());
        if (kind == "zero") fs::create_symlink("/dev/zero", path(name.c_str()));
        if (kind == "sparse") make_sparse(name.c_str(), std::uint64_t{1} << 42);
        if (kind == "socket") {
            const int handle = socket(AF_UNIX, SOCK_STREAM, 0);
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            const std::string where = path(name.c_str()).string();
            where.copy(address.sun_path, sizeof address.sun_path - 1);
            const auto* to = reinterpret_cast<const sockaddr*>(&address);
            if (bind(handle, to, sizeof address) != 0) qWarning("the socket cannot be made");
            close(handle);
        }
        return path(name.c_str());
    }

private slots:
    void initTestCase() { QVERIFY(temporary_.isValid()); }

    void the_one_place_that_opens_data() { add_traps(); }
    void the_one_place_that_opens() {
        QFETCH(QString, trap);
        QFETCH(QString, said);
        const Deadline deadline(10);
        const fs::path file = this->trap(trap, ".any");
        for (const auto kind : {files::Kind::source, files::Kind::header, files::Kind::session, files::Kind::table,
                                files::Kind::image, files::Kind::module, files::Kind::settings}) {
            const QString text = failure_of([&] { (void)files::read_text(file, kind); });
            QVERIFY2(text.contains(said.isEmpty() ? "no such file" : said), qPrintable(text));
            QVERIFY2(text.startsWith(QString::fromStdString(file.string())), qPrintable(text));
        }
        QVERIFY(failure_of([] { (void)files::read_text("/", files::Kind::source); }).contains("is a folder"));
    }

    void sizes_are_told() {
        const QString text = failure_of([&] { (void)files::read_text(trap("sparse", ".cu"), files::Kind::source); });
        QVERIFY2(text.contains("has 4 TiB, more than the 64 MiB that a source may have"), qPrintable(text));
        QCOMPARE(files::size_text(0), std::string("0 bytes"));
        QCOMPARE(files::size_text(1), std::string("1 byte"));
        QCOMPARE(files::size_text(1023), std::string("1023 bytes"));
        QCOMPARE(files::size_text(1536), std::string("1.5 KiB"));
        QCOMPARE(files::size_text(std::uint64_t{64} << 20), std::string("64 MiB"));
        QCOMPARE(files::size_text(~std::uint64_t{0}), std::string("15.9 EiB"));
    }

    void readers_of_the_core_data() { add_traps(); }
    void readers_of_the_core() {
        QFETCH(QString, trap);
        QFETCH(QString, said);
        const Deadline deadline(30);
        const auto refused = [&](const char* what, const QString& text) {
            // A sparse array is refused for what is in it, or is not.
            const bool fine = !text.isEmpty() && (said.isEmpty() || trap == "sparse" || text.contains(said));
            QVERIFY2(fine, qPrintable(QString(what) + ": " + text));
        };
        refused("read_file", failure_of([&] { (void)read_file(this->trap(trap, ".bin")); }));
        refused("read_text_file", failure_of([&] { (void)read_text_file(this->trap(trap, ".ptx")); }));
        const fs::path npy = this->trap(trap, ".npy");
        refused("load_npy", failure_of([&] { (void)load_npy(npy); }));
        refused("read_npy_header", failure_of([&] { (void)read_npy_header(npy); }));
        refused("open_npy", failure_of([&] { (void)open_npy(npy); }));
        refused("session", failure_of([&] { (void)session::load(this->trap(trap, ".warplight")); }));
        for (const char* ending : {".npy", ".csv", ".tsv", ".png", ".pgm", ".raw"}) {
            const fs::path file = this->trap(trap, ending);
            const session::FileSource source{file.filename().string(),
                                             ending == std::string_view(".raw") ? "float32" : "", std::nullopt, 0};
            refused(ending, failure_of([&] {
                        (void)session::read_array(source, session::Reach::everywhere(file.parent_path()));
                    }));
            if (ending == std::string_view(".raw") && trap == "sparse") continue; // its description is right
            refused(ending, failure_of([&] {
                        (void)session::describe(source, session::Reach::everywhere(file.parent_path()));
                    }));
        }
        worker::BufferStore store;
        for (const char* ending : {".npy", ".csv", ".png"}) {
            const worker::json params = {{"path", this->trap(trap, ending).string()}};
            refused("buffer.open", failure_of([&] { worker::call_buffer_method("buffer.open", params, store, {}); }));
        }
    }

    void a_header_that_is_no_file_data() { add_traps(); }
    void a_header_that_is_no_file() {
        QFETCH(QString, trap);
        QFETCH(QString, said);
        const Deadline deadline(60);
        const fs::path header = this->trap(trap, ".cuh");
        const std::string source =
            "#include \"" + header.filename().string() + "\"\n__global__ void k(float* a) { a[0] = 1; }\n";
        const auto scan = compiler::scan_includes(source, header.parent_path(), {});
        QCOMPARE(scan.problem.empty(), trap == "nothing");
        QVERIFY2(QString::fromStdString(scan.problem).contains(said), scan.problem.c_str());
        compiler::CompileRequest request;
        request.source = source;
        request.name = "k.cu";
        request.folder = header.parent_path();
        for (const bool cache : {true, false}) {
            request.use_cache = cache;
            const auto result = compiler::compile(request);
            QVERIFY(!result.ok);
            QVERIFY(!result.diagnostics.empty());
            if (result.compiler_missing || trap == "nothing") continue;
            QVERIFY2(QString::fromStdString(result.diagnostics[0].message).contains(said),
                     result.diagnostics[0].message.c_str());
        }
    }

    void long_chains_of_includes() {
        const Deadline deadline(120);
        // In a folder of its own; deep recursion ended the process here.
        const fs::path folder = path("chain");
        fs::create_directory(folder);
        constexpr int kHeaders = 25000;
        for (int i = 0; i < kHeaders; ++i)
            std::ofstream(folder / ("h" + std::to_string(i))) << "#include \"h" << i + 1 << "\"\n";
        const auto scan = compiler::scan_includes("#include \"h0\"\n", folder, {});
        QVERIFY(!scan.complete); // more than the 20000 that are looked at
        QCOMPARE(scan.headers.size(), std::size_t{20000});
        const auto end = compiler::scan_includes("#include \"h24000\"\n", folder, {});
        QVERIFY(end.complete);
        QCOMPARE(end.headers.size(), std::size_t{1000});
        // Circles are no chains.
        std::ofstream(folder / "circle") << "#include \"circle\"\n#include \"circle\"\n";
        QCOMPARE(compiler::scan_includes("#include \"circle\"\n", folder, {}).headers.size(), std::size_t{1});
    }

    void files_that_grow() {
        const Deadline deadline(30);
        write("grows.cu", std::string(1 << 20, 'a'));
        std::atomic<bool> enough = false;
        std::thread writer([&] {
            std::ofstream out(path("grows.cu"), std::ios::binary | std::ios::app);
            const std::string more(1 << 16, 'b');
            for (int i = 0; i < 2000 && !enough; ++i)
                out << more << std::flush;
        });
        for (int i = 0; i < 20; ++i) {
            const files::InputFile file(path("grows.cu"));
            const std::size_t size = file.size();
            if (size > files::limit_of(files::Kind::table)) break;
            QVERIFY(files::read_bytes(file, files::Kind::table).size() <= size);
        }
        enough = true;
        writer.join();
    }

    /// A mapped file that another program shortens ends the process at the next access.
    void buffers_of_files_that_are_shortened() {
        const Deadline deadline(30);
        const NdArray array = NdArray::zeros({1 << 20}, DType::float32());
        save_npy(path("cut.npy"), array);
        std::ofstream(path("cut.raw"), std::ios::binary) << std::string(4 << 20, '\1');
        worker::BufferStore store;
        const auto call = [&](const char* method, const worker::json& params) {
            return worker::call_buffer_method(method, params, store, {});
        };
        for (const char* name : {"cut.npy", "cut.raw"}) {
            worker::json params = {{"path", path(name).string()}};
            if (name == std::string_view("cut.raw")) params["dtype"] = "float32";
            const auto opened = call("buffer.open", params);
            const auto id = opened.at("buffer");
            const worker::json last = {{"buffer", id}, {"offset", (1 << 20) - 4}, {"count", 4}};
            QCOMPARE(call("buffer.read", last).at("count").get<int>(), 4);
            QCOMPARE(call("buffer.summary", {{"buffer", id}}).at("elements").get<int>(), 1 << 20);
            fs::resize_file(path(name), 4096);
            for (const char* method : {"buffer.read", "buffer.bytes"}) {
                const QString text = failure_of([&] { call(method, last); });
                QVERIFY2(text.contains("became shorter"), qPrintable(text));
            }
            for (const char* method : {"buffer.summary", "buffer.plot"}) {
                const QString text = failure_of(
                    [&] { call(method, {{"buffer", id}, {"points", 10}, {"offset", 0}, {"count", 1 << 20}}); });
                QVERIFY2(text.contains("became shorter"), qPrintable(text));
            }
            const QString saved =
                failure_of([&] { call("buffer.save", {{"buffer", id}, {"path", path("copy.npy").string()}}); });
            QVERIFY2(saved.contains("became shorter"), qPrintable(saved));
            QVERIFY(!fs::exists(path("copy.npy")));
        }
    }

    void buffers_of_files_are_read_where_they_lie() {
        NdArray array = NdArray::zeros({300, 200}, DType::int32());
        for (std::size_t i = 0; i < array.size(); ++i)
            array.set_item(i, static_cast<double>(i));
        save_npy(path("rows.npy"), array);
        save_npy(path("columns.npy"), array.copy(Order::F));
        worker::BufferStore store;
        for (const char* name : {"rows.npy", "columns.npy"}) {
            const auto id =
                worker::call_buffer_method("buffer.open", {{"path", path(name).string()}}, store, {}).at("buffer");
            const auto window = worker::call_buffer_method(
                "buffer.window", {{"buffer", id}, {"row", 17}, {"rows", 2}, {"column", 5}, {"columns", 3}}, store, {});
            const auto& bytes = window.at("data").get_binary();
            QCOMPARE(bytes.size(), std::size_t{24});
            std::array<std::int32_t, 6> values{};
            std::memcpy(values.data(), bytes.data(), bytes.size());
            for (int row = 0; row < 2; ++row)
                for (int column = 0; column < 3; ++column)
                    QCOMPARE(values[static_cast<std::size_t>(row * 3 + column)], (17 + row) * 200 + 5 + column);
            worker::call_buffer_method("buffer.save", {{"buffer", id}, {"path", path("again.npy").string()}}, store,
                                       {});
            const NdArray again = load_npy(path("again.npy"));
            QCOMPARE(again.shape(), array.shape());
            for (std::size_t i = 0; i < array.size(); i += 997)
                QCOMPARE(again.item(i), array.item(i));
        }
    }

#ifdef WARPLIGHT_CLI
    void whole_runs_data() {
        QTest::addColumn<QString>("trap");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".ptx", ".csv", ".npy", ".warplight"})
            QTest::addRow("pipe as %s", ending) << "pipe" << "is a pipe" << ending;
        QTest::newRow("device as source") << "zero" << "never reads files of /dev" << ".ptx";
        QTest::newRow("device as session") << "zero" << "is a device" << ".warplight";
        QTest::newRow("sparse source") << "sparse" << "more than" << ".ptx";
        QTest::newRow("sparse table") << "sparse" << "more than" << ".csv";
        QTest::newRow("pipe as expectation") << "pipe" << "is a pipe" << "expect.csv";
        QTest::newRow("pipe as the session of an expectation") << "pipe" << "is a pipe" << "expect.warplight";
    }
    void whole_runs() {
        QFETCH(QString, trap);
        QFETCH(QString, said);
        QFETCH(QString, ending);
        const QByteArray suffix = ending.mid(ending.indexOf('.')).toUtf8();
        const fs::path file = this->trap(trap, suffix.constData());
        const std::string name = file.filename().string();
        write("k.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a) { ret; }\n");
        const bool data = !ending.startsWith("expect") && (suffix == ".csv" || suffix == ".npy");
        QString document = "{'warplight': 1, 'source': 'SOURCE', 'kernel': 'k', 'launch': {'grid': 1, 'block': 1}, "
                           "'arguments': [{'name': 'a', 'direction': 'inout', 'source': DATA EXPECT}]}";
        document.replace("SOURCE", suffix == ".ptx" ? QString::fromStdString(name) : "k.ptx");
        document.replace("DATA", data ? "{'kind': 'file', 'path': 'NAME'}"
                                      : "{'kind': 'zeros', 'dtype': 'float32', 'shape': [4]}");
        document.replace("EXPECT", ending == "expect.csv"         ? ", 'expect': {'path': 'NAME'}"
                                   : ending == "expect.warplight" ? ", 'expect': {'session': 'NAME', 'argument': 'a'}"
                                                                  : "");
        document.replace("NAME", QString::fromStdString(name)).replace('\'', '"');
        write("run.warplight", document.toStdString());
        QProcess process;
        process.setWorkingDirectory(temporary_.path());
        process.start(WARPLIGHT_CLI, {"run", ending == ".warplight" ? QString::fromStdString(name) : "run.warplight",
                                      "--device", "software"});
        const bool ended = process.waitForFinished(20000);
        if (!ended) {
            process.kill();
            process.waitForFinished();
        }
        const QString text = QString::fromUtf8(process.readAllStandardError() + process.readAllStandardOutput());
        QVERIFY2(ended, qPrintable(text));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QVERIFY2(process.exitCode() == 2, qPrintable(QString::number(process.exitCode()) + ": " + text));
        QVERIFY2(text.contains(said), qPrintable(text));
    }
#endif
};

QTEST_GUILESS_MAIN(FilesTest)
#include "files_test.moc"
