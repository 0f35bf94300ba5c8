// SPDX-License-Identifier: Apache-2.0
// The compile cache: what is a hit, what is a miss, damage, several processes, its size limit.
#include "compiler/sha256.hpp"
#include "warplight/compiler.hpp"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <memory>

using namespace warplight::compiler;
namespace fs = std::filesystem;

namespace {
std::string kernel(int number) {
    return "extern \"C\" __global__ void k(int* x) { *x = " + std::to_string(number) + "; }\n";
}
void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::vector<fs::path> entries() {
    std::vector<fs::path> result;
    std::error_code error;
    for (fs::recursive_directory_iterator it(cache_folder(), error), end; !error && it != end; it.increment(error))
        if (it->is_regular_file()) result.push_back(it->path());
    return result;
}
} // namespace

class CompilerCacheTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

private slots:
    void initTestCase() {
        if (!compiler_info(Backend::nvrtc).found) QSKIP("no NVRTC here");
    }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qputenv("WARPLIGHT_CACHE_DIR", folder_->path().toUtf8());
        qunsetenv("WARPLIGHT_CACHE_LIMIT");
    }

    void digest() {
        // The examples of FIPS 180-4, and a million letters.
        QCOMPARE(sha256_hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(sha256_hex(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
        QCOMPARE(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                 std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
        QCOMPARE(sha256_hex(std::string(1000000, 'a')),
                 std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
        Sha256 one, two;
        one.field("ab"), one.field("c");
        two.field("a"), two.field("bc");
        QVERIFY(one.hex() != two.hex());
    }

    void second_time_is_a_hit() {
        CompileRequest request{.source = kernel(1), .arch = "sm_80", .cubin = true, .report = true};
        CompileResult first = compile(request), second = compile(request);
        QVERIFY(first.ok && !first.cached);
        QVERIFY(second.ok && second.cached);
        QCOMPARE(second.ptx, first.ptx);
        QVERIFY(second.cubin == first.cubin);
        QCOMPARE(second.report.size(), first.report.size());
        QCOMPARE(second.kernels.size(), first.kernels.size());
        request.use_cache = false;
        QVERIFY(!compile(request).cached);
    }

    void everything_that_counts_is_in_the_key() {
        CompileRequest base{.source = kernel(1), .arch = "compute_80"};
        QVERIFY(!compile(base).cached);
        auto differs = [](CompileRequest request) { return !compile(request).cached; };
        CompileRequest request = base;
        request.source = kernel(2);
        QVERIFY(differs(request));
        request = base, request.options = {"-DA=1"};
        QVERIFY(differs(request));
        request = base, request.options = {"-DA", "-D1"};
        QVERIFY(differs(request));
        request = base, request.arch = "compute_90";
        QVERIFY(differs(request));
        request = base, request.line_info = false;
        QVERIFY(differs(request));
        request = base, request.name = "other.cu";
        QVERIFY(differs(request));
        QVERIFY(compile(base).cached);
    }

    void a_changed_header_is_a_miss() {
        QTemporaryDir sources;
        fs::path folder = sources.path().toStdString();
        fs::create_directory(folder / "sub");
        write(folder / "a.h", "#include \"sub/b.h\"\n");
        write(folder / "sub/b.h", "#  include <c.h>\n");
        write(folder / "sub/c.h", "constexpr int kC = 1;\n");
        CompileRequest request{.source = "#include \"a.h\"\nextern \"C\" __global__ void k(int* x) { *x = kC; }\n",
                               .folder = folder,
                               .options = {"-I" + (folder / "sub").string()}};
        CompileResult result = compile(request);
        QVERIFY2(result.ok, result.log.c_str());
        QVERIFY(compile(request).cached);
        write(folder / "sub/c.h", "constexpr int kC = 12345;\n");
        result = compile(request);
        QVERIFY(result.ok && !result.cached);
        QVERIFY(result.ptx.find("12345") != std::string::npos);
        // A header that comes before it in the path takes its place.
        write(folder / "c.h", "constexpr int kC = 54321;\n");
        result = compile(request);
        QVERIFY(result.ok && !result.cached);
        // A computed include cannot be followed: never from the cache.
        request.source = "#define H \"a.h\"\n#include H\n__global__ void k(int* x) { *x = kC; }\n";
        QVERIFY(compile(request).ok);
        QVERIFY(!compile(request).cached);
    }

    void damage_is_a_miss() {
        CompileRequest request{.source = kernel(3)};
        CompileResult good = compile(request);
        QCOMPARE(entries().size(), std::size_t{1});
        fs::path file = entries()[0];
        std::ifstream in(file, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(in)), {});
        in.close();
        std::string flipped = bytes;
        flipped[flipped.size() / 2] ^= 1;
        for (const std::string& damaged : {flipped, bytes.substr(0, bytes.size() / 2), bytes + "x", std::string(),
                                           std::string(5000, '\xff'), bytes.substr(0, 30)}) {
            write(file, damaged);
            CompileResult result = compile(request);
            QVERIFY(result.ok);
            QVERIFY(!result.cached);
            QCOMPARE(result.ptx, good.ptx);
            QVERIFY(compile(request).cached); // and it was repaired
        }
    }

    void failures_are_not_kept() {
        QVERIFY(!compile({.source = "__global__ void k() { oops; }"}).ok);
        QVERIFY(entries().empty());
    }

    void a_folder_that_cannot_be_written() {
        write(folder_->path().toStdString() + "/file", "not a folder");
        qputenv("WARPLIGHT_CACHE_DIR", (folder_->path() + "/file").toUtf8());
        CompileResult result = compile({.source = kernel(4)});
        QVERIFY(result.ok);
        QVERIFY(!result.cached);
    }

    void size_is_bounded_and_the_oldest_goes_first() {
        CompileRequest first{.source = kernel(100)};
        compile(first);
        std::uintmax_t one = fs::file_size(entries()[0]);
        qputenv("WARPLIGHT_CACHE_LIMIT", QByteArray::number(static_cast<qulonglong>(one * 4 + one / 2)));
        auto age = [](int hours) {
            for (const fs::path& path : entries())
                fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(hours));
        };
        age(1);
        CompileRequest old{.source = kernel(101)};
        compile(old);
        age(1);
        QVERIFY(compile(first).cached); // used again: the newest now
        for (int i = 102; i < 105; ++i)
            compile({.source = kernel(i)});
        std::uintmax_t total = 0;
        for (const fs::path& path : entries())
            total += fs::file_size(path);
        QVERIFY(total <= one * 4 + one / 2);
        QVERIFY(compile(first).cached);
        QVERIFY(!compile(old).cached);
    }

    void two_processes() {
        if (qEnvironmentVariableIsSet("WARPLIGHT_TEST_CACHE_CHILD")) QSKIP("runs in the parent");
        // Both compile the same and different sources at once, in one folder.
        std::vector<std::unique_ptr<QProcess>> children;
        for (int i = 0; i < 3; ++i) {
            auto child = std::make_unique<QProcess>();
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("WARPLIGHT_TEST_CACHE_CHILD", folder_->path());
            child->setProcessEnvironment(environment);
            child->setProcessChannelMode(QProcess::MergedChannels);
            child->start(QCoreApplication::applicationFilePath(), {"child"});
            children.push_back(std::move(child));
        }
        for (auto& child : children) {
            QVERIFY(child->waitForFinished(120000));
            QVERIFY2(child->exitStatus() == QProcess::NormalExit && child->exitCode() == 0,
                     child->readAll().constData());
        }
        QCOMPARE(entries().size(), std::size_t{20});
        QVERIFY(compile({.source = kernel(200)}).cached);
    }
    void child() {
        if (!qEnvironmentVariableIsSet("WARPLIGHT_TEST_CACHE_CHILD")) return;
        qputenv("WARPLIGHT_CACHE_DIR", qgetenv("WARPLIGHT_TEST_CACHE_CHILD"));
        for (int round = 0; round < 3; ++round)
            for (int i = 200; i < 220; ++i) {
                CompileResult result = compile({.source = kernel(i)});
                QVERIFY(result.ok);
                QVERIFY(result.ptx.find(std::to_string(i)) != std::string::npos);
            }
    }
};

QTEST_GUILESS_MAIN(CompilerCacheTest)
#include "compiler_cache_test.moc"
