// SPDX-License-Identifier: Apache-2.0
// DynamicModule, the rest of SourceModule's options, and the functions around nvcc, on the device that
// WARPLIGHT_TEST_DRIVER names. nvcc itself is played by a script, so that no toolkit is needed.
#include "warplight/context.hpp"
#include "warplight/debugging.hpp"
#include "warplight/device.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/nvcc.hpp"
#include "warplight/source_module.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

using namespace warplight;
using compiler::DynamicModule;
using compiler::DynamicOptions;
using compiler::DynamicSourceModule;
using compiler::SourceModule;
using compiler::SourceOptions;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}
/// A static library's file name.
std::string library(const std::string& name) {
#ifdef _WIN32
    return name + ".lib";
#else
    return "lib" + name + ".a";
#endif
}

void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Writes down its arguments, answers --version, copies the source for --preprocess, and makes a product that names
// the target otherwise. A source with the word "wrong" does not compile.
constexpr char kFakeNvcc[] = R"(#!/bin/sh
here=$(dirname "$0")
echo "$@" >>"$here/calls.txt"
[ "$1" = --version ] && { echo "fake compiler, release 12.3, V12.3.45"; exit 0; }
previous= source= output=
for argument in "$@"; do
    case $argument in *.cu) source=$argument ;; esac
    [ "$previous" = -o ] && output=$argument
    previous=$argument
done
grep -q wrong "$source" && { echo "kernel.cu(1): error: something is wrong"; exit 2; }
case $1 in
--preprocess) if grep -q vanish "$source"; then : >"$output"; else cp "$source" "$output"; fi ;;
*) echo "$1 of" >"$output"; cat "$source" >>"$output" ;;
esac
)";

} // namespace

class CompilerDynamicTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::optional<driver::Context> context_;
    std::string nvcc_;
    bool nvrtc_ = false;
    bool software_ = false;

    fs::path file(const char* name) const { return fs::path(folder_.path().toStdString()) / name; }
    /// What the fake was called with since the last time.
    std::string calls() {
        const std::string text = read(file("calls.txt"));
        write(file("calls.txt"), "");
        return text;
    }
    static std::string message_of(const std::function<void()>& call) {
        try {
            call();
        } catch (const CompileError& error) {
            return error.what();
        }
        return "";
    }

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_CACHE_DIR", folder_.filePath("cache").toUtf8());
        qunsetenv("WARPLIGHT_DISABLE_CACHE");
        const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
        const auto driver = driver::Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
        software_ = driver.name() == "software";
        context_.emplace(driver::Device(0, driver).make_context());
        nvrtc_ = compiler::compiler_info(compiler::Backend::nvrtc).found;
        nvcc_ = file("nvcc").string();
        write(nvcc_, kFakeNvcc);
        fs::permissions(nvcc_, fs::perms::owner_all);
    }
    void init() {
#if defined(_WIN32)
        if (std::strncmp(QTest::currentTestFunction(), "nvcc", 4) == 0) QSKIP("the fake nvcc is a shell script");
#endif
        (void)calls();
    }
    void cleanupTestCase() { context_->detach(); }

    // covers: get_nvcc_version(nvcc)
    void nvcc_version() {
        QVERIFY(compiler::get_nvcc_version(nvcc_).find("release 12.3") != std::string::npos);
        QVERIFY(compiler::get_nvcc_version(nvcc_).find("release 12.3") != std::string::npos);
        QCOMPARE(calls(), std::string("--version\n")); // asked once
        QVERIFY_THROWS_EXCEPTION(RuntimeError, (void)compiler::get_nvcc_version("/nowhere/nvcc"));
    }

    // covers: preprocess_source(source, options, nvcc)
    void nvcc_preprocesses() {
        QCOMPARE(compiler::preprocess_source("#include <x>\nint a;\n", {"-DX=1"}, nvcc_),
                 std::string("#include <x>\nint a;\n"));
        const std::string call = calls();
        QVERIFY2(call.starts_with("--preprocess -DX=1 ") && call.ends_with("--compiler-options -P\n"), call.c_str());
        QVERIFY(message_of([&] {
                    (void)compiler::preprocess_source("this is wrong", {}, nvcc_);
                }).find("something is wrong") != std::string::npos);
        QVERIFY_THROWS_EXCEPTION(CompileError, (void)compiler::preprocess_source("vanish", {}, nvcc_));
    }

    // covers: compile_plain
    void nvcc_compiles_plainly() {
        const compiler::CacheDir cache{.folder = file("plain")};
        const auto compile = [&](const char* source, const char* target) {
            return text_of(compiler::compile_plain(source, {"-O2"}, false, nvcc_, cache, target));
        };
        QCOMPARE(compile("int a;\n", "ptx"), std::string("--ptx of\nint a;\n"));
        QVERIFY(calls().starts_with("--ptx -O2 "));
        QCOMPARE(compile("int a;\n", "ptx"), std::string("--ptx of\nint a;\n"));
        QCOMPARE(calls(), std::string()); // from the cache
        QVERIFY(!fs::is_empty(file("plain")));
        QCOMPARE(compile("int a;\n", "cubin"), std::string("--cubin of\nint a;\n"));
        QCOMPARE(compile("int b;\n", "fatbin"), std::string("--fatbin of\nint b;\n"));
        (void)calls();
        // What is included counts, so the preprocessor is asked.
        (void)compile("#include <x>\n", "ptx");
        QVERIFY(calls().starts_with("--preprocess "));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)compile("int a;\n", "exe"));
        QVERIFY(message_of([&] { (void)compile("wrong", "ptx"); }).find("something is wrong") != std::string::npos);
        // Failures are not kept, and a cache may be forbidden.
        (void)calls();
        QVERIFY_THROWS_EXCEPTION(CompileError, (void)compile("wrong", "ptx"));
        QVERIFY(!calls().empty());
        qputenv("WARPLIGHT_DISABLE_CACHE", "1");
        (void)compile("int a;\n", "ptx");
        QVERIFY(!calls().empty());
        qunsetenv("WARPLIGHT_DISABLE_CACHE");
        (void)compiler::compile_plain("int a;\n", {"-O2"}, false, nvcc_, {.use = false}, "ptx");
        QVERIFY(!calls().empty());
    }

    // covers: compile
    void nvcc_compiles() {
        const auto [major, minor] = context_->get_device().compute_capability();
        const std::string own_arch = "-arch sm_" + std::to_string(major) + std::to_string(minor);
        const std::string cubin = text_of(compiler::compile("int a;", {.nvcc = nvcc_, .cache_dir = {.use = false}}));
        QCOMPARE(cubin, std::string("--cubin of\nextern \"C\" {\nint a;\n}\n"));
        std::string call = calls();
        QVERIFY2(call.find("--cubin " + own_arch + " ") != std::string::npos, call.c_str());
        QCOMPARE(text_of(compiler::compile("int a;\n", {.nvcc = nvcc_,
                                                        .options = {{"-O1"}},
                                                        .no_extern_c = true,
                                                        .arch = "sm_75",
                                                        .code = "sm_86",
                                                        .cache_dir = {.use = false},
                                                        .include_dirs = {"/some/place"},
                                                        .target = "ptx"})),
                 std::string("--ptx of\nint a;\n"));
        call = calls();
        QVERIFY2(call.starts_with("--ptx -O1 -arch sm_75 -code sm_86 -I/some/place "), call.c_str());
    }

    // covers: DEFAULT_NVCC_FLAGS
    void nvcc_default_flags() {
        const auto before = compiler::DEFAULT_NVCC_FLAGS;
        compiler::DEFAULT_NVCC_FLAGS = {"-DBY_DEFAULT"};
        (void)compiler::compile("int a;", {.nvcc = nvcc_, .cache_dir = {.use = false}});
        QVERIFY(calls().starts_with("--cubin -DBY_DEFAULT "));
        // Options that are given replace them, also when there are none.
        (void)compiler::compile("int a;",
                                {.nvcc = nvcc_, .options = std::vector<std::string>(), .cache_dir = {.use = false}});
        QVERIFY(calls().find("BY_DEFAULT") == std::string::npos);
        compiler::DEFAULT_NVCC_FLAGS = before;
    }

    // covers: set_debugging(flag=True), CUDA_DEBUGGING
    void nvcc_debugging() {
        QVERIFY(!driver::CUDA_DEBUGGING);
        driver::set_debugging();
        QVERIFY(driver::CUDA_DEBUGGING);
        for (int time = 0; time < 2; ++time) {
            (void)compiler::compile("int a;", {.nvcc = nvcc_, .cache_dir = {.folder = file("debug")}});
            const std::string call = calls(); // not from a cache
            QVERIFY2(call.starts_with("--cubin -g -G ") && call.find("--keep") != std::string::npos, call.c_str());
            // What was kept is what the compiler was given.
            const std::size_t end = call.find("kernel.cu "), begin = call.rfind(' ', end) + 1;
            const fs::path kept = call.substr(begin, end - begin);
            QCOMPARE(read(kept / "kernel.cu"), std::string("extern \"C\" {\nint a;\n}\n"));
            fs::remove_all(kept);
        }
        driver::set_debugging(false);
        QVERIFY(!driver::CUDA_DEBUGGING);
        QVERIFY(!fs::exists(file("debug")));
    }

    // covers: SourceModule(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs)
    // covers: SourceModule.module
    void source_module_options() {
        if (!nvrtc_) QSKIP("no NVRTC here");
        fs::create_directories(file("include"));
        write(file("include") / "three.h", "#define THREE 3\n");
        const auto run = [](const SourceModule& module) {
            NdArray out = NdArray::zeros({1}, DType::int32());
            module.get_function("k")({.block = {1}}, driver::Out(out));
            return out.at<int>(0);
        };
        const char* source = "#include \"three.h\"\n__global__ void k(int* x) { *x = THREE * FOUR; }\n";
        const SourceOptions options{.options = {"-DFOUR=4"},
                                    .include_dirs = {file("include")},
                                    .keep = true,
                                    .code = "compute_75",
                                    .cache_dir = file("own cache")};
        const SourceModule module(source, options);
        QCOMPARE(run(module), 12);
        QCOMPARE(module.result().arch, std::string("compute_75"));
        QVERIFY(!module.result().cached);
        QVERIFY(module.module().functions().size() == 1);
        QCOMPARE(read(fs::path(module.result().kept) / "kernel.cu"), std::string(source));
        QCOMPARE(read(fs::path(module.result().kept) / "kernel.ptx"), module.result().ptx);
        fs::remove_all(fs::path(module.result().kept));
        QVERIFY(!fs::is_empty(file("own cache")));
        const SourceModule again(source, options);
        QVERIFY(again.result().cached);
        fs::remove_all(fs::path(again.result().kept));
        const auto before = compiler::DEFAULT_NVCC_FLAGS;
        compiler::DEFAULT_NVCC_FLAGS = {"-DFOUR=5"};
        QCOMPARE(run(SourceModule(source, {.include_dirs = {file("include")}})), 15);
        compiler::DEFAULT_NVCC_FLAGS = before;
        QVERIFY_THROWS_EXCEPTION(CompileError, SourceModule(source, SourceOptions()));
        QVERIFY_THROWS_EXCEPTION(CompileError, SourceModule("__global__ void k() {}", {.arch = "sm_1"}));
        QVERIFY_THROWS_EXCEPTION(CompileError, SourceModule("__global__ void k() {}", {.nvcc = "/nowhere/nvcc"}));
    }

    // covers: DynamicModule, DynamicModule.add_source, DynamicModule.add_data(data, input_type, name="unknown")
    // covers: DynamicModule.add_file(filename, input_type), DynamicModule.link()
    void sources_are_linked() {
        if (!nvrtc_) QSKIP("no NVRTC here");
        const char* user = "__device__ int helper(int);\n"
                           "extern __device__ int shared_value;\n"
                           "__global__ void user(int* x) { *x = helper(*x) + shared_value; }\n";
        const char* provider = "__device__ int shared_value = 100;\n"
                               "__device__ int helper(int a) { return a * 2; }\n";
        bool told = false;
        DynamicModule module(
            {.message_handler = [&](bool success, const std::string&, const std::string&) { told = success; },
             .log_verbose = true});
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)module.get_function("user")); // not linked yet
        module.add_source(user, {"-rdc=true"}, "user.ptx").add_source(provider, {"-rdc=true"}, "provider.ptx").link();
        QVERIFY(told);
        const auto run = [](const compiler::CudaModule& linked) {
            NdArray value = NdArray::from({21});
            linked.get_function("user")({.block = {1}}, driver::InOut(value));
            return value.at<int>(0);
        };
        QCOMPARE(run(module), 142);
        QCOMPARE(module.get_global("shared_value").size, std::size_t{4});
        QVERIFY_THROWS_EXCEPTION(LogicError, module.add_source(user));
        QVERIFY_THROWS_EXCEPTION(LogicError, module.link());

        // The same from PTX in memory and in a file.
        compiler::CompileRequest request{.source = provider, .options = {"-rdc=true"}, .extern_c = true};
        const auto compiled = compiler::compile(request);
        QVERIFY(compiled.ok);
        DynamicModule other;
        other.add_source(user, {"-rdc=true"}).add_data(compiled.ptx, driver::jit_input_type::PTX, "provider").link();
        QCOMPARE(run(other), 142);
        write(file("provider.ptx"), compiled.ptx);
        DynamicModule third;
        third.add_file(file("provider.ptx"), driver::jit_input_type::PTX).add_source(user, {"-rdc=true"}).link();
        QCOMPARE(run(third), 142);
        // What is missing is named.
        DynamicModule incomplete;
        incomplete.add_source(user, {"-rdc=true"});
        try {
            incomplete.link();
            QFAIL("linked without the helper");
        } catch (const Error& error) {
            QVERIFY2(std::strstr(error.what(), "helper"), error.what());
        }
        QVERIFY_THROWS_EXCEPTION(CompileError, DynamicModule().add_source("this is no source"));
    }

    // covers: DynamicModule.add_stdlib(libname)
    // covers: DynamicSourceModule
    void device_runtime() {
        if (!nvrtc_) QSKIP("no NVRTC here");
        QVERIFY_THROWS_EXCEPTION(FileError, DynamicModule().add_stdlib("no-such-library"));
        DynamicOptions options;
        if (software_) {
            // A library with nothing in it: nothing of the runtime is needed here.
            fs::create_directories(file("lib"));
            write(file("lib") / library("cudadevrt"), "!<arch>\n");
            options.cuda_libdir = file("lib");
        } else {
            try {
                DynamicModule().add_stdlib("cudadevrt");
            } catch (const FileError&) {
                QSKIP("no toolkit here");
            }
        }
        const DynamicSourceModule module("__device__ int triple(int a) { return 3 * a; }\n"
                                         "__global__ void k(int* x) { *x = triple(*x); }\n",
                                         {}, options);
        NdArray value = NdArray::from({5});
        module.get_function("k")({.block = {1}}, driver::InOut(value));
        QCOMPARE(value.at<int>(0), 15);
        if (!software_) return;
        write(file("lib") / library("broken"), "no archive");
        QVERIFY_THROWS_EXCEPTION(Error, DynamicModule(options).add_stdlib("broken"));
    }
};

QTEST_GUILESS_MAIN(CompilerDynamicTest)
#include "compiler_dynamic_test.moc"
