// SPDX-License-Identifier: Apache-2.0
// Where compilers are looked for, and that one which is installed meanwhile is found by a running process.
#include "compiler/nvrtc_library.hpp"
#include "compiler/platform.hpp"
#include "compiler/toolkit.hpp"
#include "warplight/compiler.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace warplight::compiler;
namespace fs = std::filesystem;

class ToolkitTest : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    fs::path cache() const { return temporary_.path().toStdString(); }
    static void write(const fs::path& file, const std::string& text) {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    /// NVRTC below a toolkit's folder.
    static fs::path nvrtc_in(const fs::path& toolkit) {
#ifdef _WIN32
        return toolkit / "bin/nvrtc64_130_0.dll";
#else
        return toolkit / "lib/libnvrtc.so.13";
#endif
    }
    /// As install_toolkit.py leaves it.
    void install() const {
        write(nvrtc_in(cache() / "toolkit"), "");
        write(cache() / "toolkit/bin" / platform::program_file("cuobjdump-of-a-test"), "");
        write(cache() / "toolkit/include/cuda_fp16.h", "");
        write(cache() / "toolkit/include/cuda.h", "#define CUDA_VERSION 13000\n");
        write(cache() / "toolkit/warplight-toolkit.json", "{\n  \"cuda\": \"13.0\",\n  \"packages\": {}\n}\n");
    }

private slots:
    void init() {
        qunsetenv("WARPLIGHT_NVRTC");
        qputenv("WARPLIGHT_CACHE_DIR", temporary_.path().toLocal8Bit());
        fs::remove_all(cache() / "toolkit");
    }

    void installed_after_it_was_missed() {
        // First in this process: once NVRTC is found it stays.
        qputenv("WARPLIGHT_NVRTC", "/nowhere/libnvrtc.so");
        const CompilerInfo missing = compiler_info(Backend::nvrtc);
        QVERIFY(!missing.found);
        const std::string first_line = missing.problem.substr(0, missing.problem.find('\n'));
        QVERIFY2(first_line.find("`warplight-cli toolkit install`") != std::string::npos, first_line.c_str());
        QVERIFY(missing.problem.find("/nowhere/libnvrtc.so") > first_line.size());
        CompileRequest request;
        request.source = "__global__ void k() {}";
        const CompileResult result = compile(request);
        QVERIFY(result.compiler_missing && !result.ok);
        QCOMPARE(result.diagnostics.size(), std::size_t(1));
        QCOMPARE(result.diagnostics[0].message, first_line);
        qunsetenv("WARPLIGHT_NVRTC");
        if (!compiler_info(Backend::nvrtc).found) QSKIP("no toolkit here");
        QVERIFY(compile(request).ok);
    }

    void the_installed_toolkit_comes_after_the_users() {
        const auto position = [this](std::vector<std::string>& list) {
            return std::find(list.begin(), list.end(), nvrtc_in(cache() / "toolkit"));
        };
        auto candidates = nvrtc_candidates();
        QVERIFY(position(candidates) == candidates.end());
        install();
        QCOMPARE(installed_toolkit_release(), std::string("13.0"));
        candidates = nvrtc_candidates();
        const auto ours = position(candidates);
        QVERIFY(ours != candidates.end());
        // Behind it only what the loader knows by its name.
        QVERIFY(std::all_of(ours + 1, candidates.end(), [](const std::string& each) {
            return !fs::path(each).has_parent_path() || each.find("/toolkit/") != std::string::npos;
        }));
        const auto before = qgetenv("CUDA_PATH");
        const fs::path chosen = cache() / "chosen";
        write(nvrtc_in(chosen), "");
        qputenv("CUDA_PATH", QByteArray::fromStdString(chosen.string()));
        QCOMPARE(fs::path(nvrtc_candidates().front()), nvrtc_in(chosen));
        before.isEmpty() ? qunsetenv("CUDA_PATH") : qputenv("CUDA_PATH", before);
    }

    void tools_and_headers_of_it_are_found() {
        QVERIFY(find_tool("cuobjdump-of-a-test").empty());
        install();
        QCOMPARE(find_tool("cuobjdump-of-a-test").parent_path(), cache() / "toolkit/bin");
        const auto headers = include_dirs_for(nvrtc_in(cache() / "toolkit"), 13);
        QVERIFY(!headers.empty());
        QCOMPARE(headers.front(), fs::canonical(cache() / "toolkit/include"));
    }

    void removal_takes_only_what_was_installed() {
        write(cache() / "toolkit/mine.txt", "");
        QVERIFY(!remove_installed_toolkit());
        QVERIFY(fs::exists(cache() / "toolkit/mine.txt"));
        install();
        QVERIFY(remove_installed_toolkit());
        for (const auto& left : fs::directory_iterator(cache()))
            QVERIFY(!left.path().filename().string().starts_with("toolkit"));
        QVERIFY(installed_toolkit_release().empty());
    }
};

QTEST_GUILESS_MAIN(ToolkitTest)
#include "toolkit_test.moc"
