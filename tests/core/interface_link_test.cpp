// SPDX-License-Identifier: Apache-2.0
// Linking, libraries, options of the just-in-time compiler, the launch functions of old, the profiler and versions,
// on the device that WARPLIGHT_TEST_DRIVER names.
#include "interface_kernels.hpp"
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/library.hpp"
#include "warplight/linker.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/profiler.hpp"
#include "warplight/result_code.hpp"
#include "warplight/stream.hpp"
#include "warplight/version.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace warplight::driver;

namespace {

// A kernel that needs a function and a variable of another module. Both have a static function of the same name.
constexpr char kUser[] = R"(
.version 6.5
.target sm_75
.address_size 64

.extern .func (.param .b32 result) twice_plus (.param .b32 value);
.extern .global .align 4 .u32 addend;

.func (.param .b32 result) helper (.param .b32 value)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r0, [value];
    add.u32 %r1, %r0, 1000;
    st.param.b32 [result], %r1;
    ret;
}

.visible .entry user(.param .u64 user_out)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [user_out];
    ld.global.u32 %r0, [addend];
    {
    .param .b32 p0;
    .param .b32 r0;
    st.param.b32 [p0], %r0;
    call.uni (r0), twice_plus, (p0);
    ld.param.b32 %r1, [r0];
    }
    {
    .param .b32 p0;
    .param .b32 r0;
    st.param.b32 [p0], %r1;
    call.uni (r0), helper, (p0);
    ld.param.b32 %r2, [r0];
    }
    st.global.u32 [%rd0], %r2;
    ret;
}
)";

constexpr char kProvider[] = R"(
.version 6.5
.target sm_75
.address_size 64

.visible .global .align 4 .u32 addend = 5;

.func (.param .b32 result) helper (.param .b32 value)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r0, [value];
    add.u32 %r1, %r0, 3;
    st.param.b32 [result], %r1;
    ret;
}

.visible .func (.param .b32 result) twice_plus (.param .b32 value)
{
    .reg .b32 %r<4>;
    ld.param.u32 %r0, [value];
    shl.b32 %r1, %r0, 1;
    {
    .param .b32 p0;
    .param .b32 r0;
    st.param.b32 [p0], %r1;
    call.uni (r0), helper, (p0);
    ld.param.b32 %r2, [r0];
    }
    st.param.b32 [result], %r2;
    ret;
}
)";
constexpr unsigned kLinkedResult = 5 * 2 + 3 + 1000;

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}
bool is_software() { return test_driver().name() == "software"; }

/// Both in one text.
std::string self_contained() {
    std::string text = kProvider, user = kUser;
    const std::string helper = "helper";
    for (std::size_t at = user.find(helper); at != std::string::npos; at = user.find(helper, at + 8))
        user.replace(at, helper.size(), "helper_2");
    // The directives are there already, and so is what was extern.
    return text + user.substr(user.find(".func (.param .b32 result) helper_2"));
}

unsigned run_user(const Function& user) {
    const DeviceAllocation out = mem_alloc(4);
    memset_d32(out, 0, 1);
    user({.grid = {1}, .block = {1}}, out);
    std::vector<unsigned> result(1);
    memcpy_dtoh(result, out);
    return result[0];
}

template <class Call>
Error error_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    return Error({.text = "no error"});
}

std::string bare(const char* text) { return text; }

template <class T>
void put(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
/// A fat binary with one PTX text, not compressed.
std::string fat_binary(std::string text) {
    text.resize((text.size() + 8) / 8 * 8);
    std::string entry;
    put<std::uint16_t>(entry, 1); // PTX
    put<std::uint16_t>(entry, 0x101);
    put<std::uint32_t>(entry, 64); // this header
    put<std::uint64_t>(entry, text.size());
    put<std::uint64_t>(entry, 0);
    put<std::uint16_t>(entry, 5);
    put<std::uint16_t>(entry, 6);
    put<std::uint32_t>(entry, 75);
    put<std::uint64_t>(entry, 0);
    put<std::uint64_t>(entry, 0x11);
    put<std::uint64_t>(entry, 0);
    put<std::uint64_t>(entry, 0);
    entry += text;
    std::string image;
    put<std::uint32_t>(image, 0xBA55ED50);
    put<std::uint16_t>(image, 1);
    put<std::uint16_t>(image, 16);
    put<std::uint64_t>(image, entry.size());
    return image + entry;
}

} // namespace

class InterfaceLinkTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    QTemporaryDir folder_;

private slots:
    void initTestCase() { context_.emplace(Device(0, test_driver()).make_context()); }
    void cleanupTestCase() { context_->detach(); }

    // covers: Linker(message_handler=None, options=None, log_verbose=False)
    // covers: Linker.add_data(data, input_type, name="unknown"), Linker.link_module(), Linker.__del__
    void two_texts_become_one_module() {
        bool called = false, worked = false;
        Linker linker(
            [&](bool success, const std::string&, const std::string&) {
                called = true;
                worked = success;
            },
            {{jit_option::OPTIMIZATION_LEVEL, 4}}, true);
        linker.add_data(bare(kUser), jit_input_type::PTX, "user.ptx");
        linker.add_data(std::as_bytes(std::span(kProvider, sizeof kProvider - 1)), jit_input_type::PTX);
        const Module module = linker.link_module();
        QVERIFY(called);
        QVERIFY(worked);
        QCOMPARE(run_user(module.get_function("user")), kLinkedResult);
        // The variable is one and the same for both.
        const Global addend = module.get_global("addend");
        QCOMPARE(addend.size, std::size_t{4});
        const unsigned seven = 7;
        memcpy_htod(addend.pointer, {&seven, 4});
        QCOMPARE(run_user(module.get_function("user")), 7 * 2 + 3 + 1000U);
        // It is used up.
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)linker.link_module());
        QVERIFY_THROWS_EXCEPTION(LogicError, linker.add_data(bare(kUser), jit_input_type::PTX));
    }

    // covers: Linker.add_file(filename, input_type)
    void files() {
        const std::filesystem::path user = folder_.filePath("user.ptx").toStdString();
        const std::filesystem::path provider = folder_.filePath("provider.ptx").toStdString();
        std::ofstream(user) << kUser;
        std::ofstream(provider) << kProvider;
        Linker linker;
        linker.add_file(provider, jit_input_type::PTX);
        linker.add_file(user, jit_input_type::PTX);
        QCOMPARE(run_user(linker.link_module().get_function("user")), kLinkedResult);
        Linker other;
        const Error error =
            error_of([&] { other.add_file(folder_.filePath("none").toStdString(), jit_input_type::PTX); });
        QCOMPARE(error.routine(), std::string("cuLinkAddFile"));
        QVERIFY(error.code() != 0);
    }

    void order_does_not_matter_and_kernels_of_all_inputs_are_there() {
        Linker linker;
        linker.add_data(bare(kKernels), jit_input_type::PTX, "kernels.ptx");
        linker.add_data(bare(kProvider), jit_input_type::PTX, "provider.ptx");
        linker.add_data(bare(kUser), jit_input_type::PTX, "user.ptx");
        const Module module = linker.link_module();
        QCOMPARE(run_user(module.get_function("user")), kLinkedResult);
        const std::vector<float> x = {1, 2}, y = {1, 1};
        const DeviceAllocation dx = to_device(x), dy = to_device(y);
        module.get_function("saxpy")({.grid = {1}, .block = {32}}, 2, 10.0f, dx, dy);
        std::vector<float> result(2);
        memcpy_dtoh(result, dy);
        QCOMPARE(result, (std::vector<float>{11, 21}));
    }

    // A real driver wants more of these formats than can be made up here.
    void binaries_with_ptx() {
        if (!is_software()) QSKIP("made for the software device");
        const std::string image = fat_binary(self_contained());
        QCOMPARE(run_user(module_from_buffer(std::string_view(image)).get_function("user")), kLinkedResult);
        {
            Linker linker;
            linker.add_data(fat_binary(kProvider), jit_input_type::FATBINARY, "provider.fatbin");
            linker.add_data("\x7f"
                            "ELF and so on" +
                                fat_binary(kUser) + "more",
                            jit_input_type::OBJECT, "user.o");
            QCOMPARE(run_user(linker.link_module().get_function("user")), kLinkedResult);
        }
        // Of a library only what is needed is taken: the second member would define addend once more.
        std::string twice = kProvider;
        twice.replace(twice.find("twice_plus"), 10, "other_name");
        {
            Linker linker;
            linker.add_data("!<arch>\n" + fat_binary("garbage") + fat_binary(kProvider), jit_input_type::LIBRARY,
                            "lib.a");
            linker.add_data(bare(kUser), jit_input_type::PTX, "user.ptx");
            QCOMPARE(run_user(linker.link_module().get_function("user")), kLinkedResult);
        }
        {
            Linker linker;
            linker.add_data("!<arch>\n" + fat_binary(kProvider) + fat_binary(twice), jit_input_type::LIBRARY, "lib.a");
            linker.add_data(bare(kKernels), jit_input_type::PTX, "kernels.ptx");
            const Module module = linker.link_module();
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)module.get_global("addend"));
        }
        const auto code_of = [](std::string data, jit_input_type type) {
            return error_of([&] { Linker().add_data(data, type, "data"); }).code();
        };
        QCOMPARE(code_of("\x7f"
                         "ELF",
                         jit_input_type::CUBIN),
                 result_code::NO_BINARY_FOR_GPU);
        QCOMPARE(code_of("nothing here", jit_input_type::OBJECT), result_code::UNKNOWN);
        QCOMPARE(code_of("nothing here", jit_input_type::FATBINARY), result_code::INVALID_IMAGE);
        QCOMPARE(code_of(fat_binary(""), jit_input_type::FATBINARY), result_code::NO_BINARY_FOR_GPU);
        QCOMPARE(code_of(fat_binary("").substr(0, 30), jit_input_type::FATBINARY), result_code::INVALID_IMAGE);
        QCOMPARE(code_of("no archive", jit_input_type::LIBRARY), result_code::UNKNOWN);
        QCOMPARE(code_of("code", jit_input_type::NVVM), result_code::JIT_COMPILER_NOT_FOUND);
        QCOMPARE(code_of("code", static_cast<jit_input_type>(77)), result_code::INVALID_VALUE);
        QCOMPARE(code_of("not ptx", jit_input_type::PTX), result_code::INVALID_IMAGE);
    }

    void what_cannot_be_linked() {
        {
            bool worked = true;
            std::string log;
            Linker linker([&](bool success, const std::string&, const std::string& error) {
                worked = success;
                log = error;
            });
            linker.add_data(bare(kUser), jit_input_type::PTX, "user.ptx");
            const Error error = error_of([&] { (void)linker.link_module(); });
            QCOMPARE(error.routine(), std::string("cuLinkComplete"));
            QCOMPARE(error.code(), result_code::INVALID_SOURCE);
            QVERIFY(!worked);
            QVERIFY2(log.find("twice_plus") != std::string::npos, log.c_str());
            QVERIFY2(error.detail().find("twice_plus") != std::string::npos, error.what());
        }
        {
            Linker linker;
            linker.add_data(bare(kProvider), jit_input_type::PTX, "first.ptx");
            const Error error = error_of([&] {
                linker.add_data(bare(kProvider), jit_input_type::PTX, "second.ptx");
                (void)linker.link_module();
            });
            QCOMPARE(error.routine(), std::string("cuLinkAddData"));
            QCOMPARE(error.code(), result_code::INVALID_SOURCE);
            QVERIFY2(error.detail().find("twice_plus") != std::string::npos ||
                         error.detail().find("addend") != std::string::npos,
                     error.what());
        }
        {
            Linker linker;
            const Error error = error_of([&] {
                linker.add_data("this is no PTX", jit_input_type::PTX, "noise");
                (void)linker.link_module();
            });
            QCOMPARE(error.routine(), std::string("cuLinkAddData"));
            QCOMPARE(error.code(), result_code::INVALID_IMAGE);
            QCOMPARE(error_of([&] {
                         linker.add_data(".version 6.5\n.target sm_75\nfoo bar;\n", jit_input_type::PTX);
                     }).code(),
                     result_code::INVALID_PTX);
            // What was refused does not count.
            linker.add_data(bare(kProvider), jit_input_type::PTX, "provider.ptx");
            QCOMPARE(linker.link_module().get_global("addend").size, std::size_t{4});
        }
        {
            // Nothing is linked to an empty module.
            Linker linker;
            const Module empty = linker.link_module();
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)empty.get_function("user"));
        }
        {
            Linker linker;
            QVERIFY_THROWS_EXCEPTION(Error,
                                     linker.add_data(std::span<const std::byte>(), jit_input_type::CUBIN, "empty"));
        }
        QVERIFY_THROWS_EXCEPTION(LogicError, Linker({}, {{jit_option::ERROR_LOG_BUFFER, 0}}));
        Context::pop();
        QVERIFY_THROWS_EXCEPTION(LogicError, Linker());
        context_->push();
    }

    // covers: module_from_buffer(buffer, options=[], message_handler=None)
    void options_of_the_compiler() {
        std::string info, errors;
        bool worked = false;
        const MessageHandler handler = [&](bool success, const std::string& info_log, const std::string& error_log) {
            worked = success;
            info = info_log;
            errors = error_log;
        };
        const auto [major, minor] = Device(0, test_driver()).compute_capability();
        const Module module =
            module_from_buffer(std::string_view(kKernels),
                               {{jit_option::MAX_REGISTERS, 32},
                                {jit_option::OPTIMIZATION_LEVEL, 3},
                                {jit_option::LOG_VERBOSE, 1},
                                {jit_option::GENERATE_LINE_INFO, 1},
                                {jit_option::TARGET, static_cast<std::uint64_t>(major * 10 + minor)},
                                {jit_option::FALLBACK_STRATEGY, static_cast<std::uint64_t>(jit_fallback::PREFER_PTX)},
                                {jit_option::CACHE_MODE, static_cast<std::uint64_t>(jit_cache_mode::CA)}},
                               handler);
        QVERIFY(worked);
        QCOMPARE(module.info_log(), info);
        QVERIFY(module.get_function("saxpy").num_regs() <= 32);
        const Error error = error_of([&] {
            (void)module_from_buffer(std::string_view(".version 6.5\n.target sm_75\n.address_size 64\nfoo bar;\n"), {},
                                     handler);
        });
        QVERIFY(!worked);
        QCOMPARE(error.code(), result_code::INVALID_PTX);
        QVERIFY(!errors.empty());
        QCOMPARE(error.detail(), errors);
        // Targets that no driver has any more are refused here, with a reason.
        for (const jit_target gone : {jit_target::COMPUTE_10, jit_target::COMPUTE_13, jit_target::COMPUTE_21}) {
            const Error refused = error_of([&] {
                (void)module_from_buffer(std::string_view(kKernels),
                                         {{jit_option::TARGET, static_cast<std::uint64_t>(gone)}});
            });
            QCOMPARE(refused.code(), 0);
            QVERIFY2(std::string(refused.what()).find(to_string(gone)) != std::string::npos, refused.what());
        }
    }

    void libraries() {
        if (!test_driver().has_entry_point("cuLibraryLoadData")) QSKIP("the driver has no libraries");
        const Device device(0, test_driver());
        std::optional<Function> add_up;
        {
            const Library library = library_from_buffer(std::string_view(kKernels));
            const auto names = library.kernels();
            QVERIFY(std::find(names.begin(), names.end(), "saxpy") != names.end());
            const Kernel kernel = library.get_kernel("saxpy");
            QCOMPARE(kernel.name(), std::string("saxpy"));
            QVERIFY(kernel.get_attribute(function_attribute::NUM_REGS, device) > 0);
            QCOMPARE(kernel.get_attribute(function_attribute::NUM_REGS, device), kernel.get_function().num_regs());
            kernel.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, device);
            QCOMPARE(kernel.get_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, device), 1024);
            kernel.set_cache_config(func_cache::PREFER_L1, device);
            const std::vector<float> x = {1, 2}, y = {3, 3};
            const DeviceAllocation dx = to_device(x), dy = to_device(y);
            kernel.get_function()({.grid = {1}, .block = {32}}, 2, 2.0f, dx, dy);
            std::vector<float> result(2);
            memcpy_dtoh(result, dy);
            QCOMPARE(result, (std::vector<float>{5, 7}));
            // Arguments are checked as those of a module's kernel.
            QVERIFY_THROWS_EXCEPTION(LogicError, kernel.get_function()({.grid = {1}, .block = {32}}, 2, 2.0f, dx));
            const Global counter = library.get_global("counter");
            std::vector<unsigned> value(1);
            memcpy_dtoh(value, counter.pointer);
            QCOMPARE(value[0], 5U);
            QCOMPARE(library.get_module().get_global("counter").pointer, counter.pointer);
            const Error missing = error_of([&] { (void)library.get_kernel("none"); });
            QCOMPARE(missing.code(), result_code::NOT_FOUND);
            QVERIFY2(missing.detail().find("saxpy") != std::string::npos, missing.what());
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)library.get_global("none"));
            add_up.emplace(library.get_kernel("saxpy").get_function());
            // In another context the variables are others.
            {
                Context other = device.make_context();
                const unsigned nine = 9;
                memcpy_htod(library.get_global("counter").pointer, {&nine, 4});
                Context::pop();
                other.detach();
            }
            memcpy_dtoh(value, library.get_global("counter").pointer);
            QCOMPARE(value[0], 5U);
        }
        // A function keeps its library loaded.
        const std::vector<float> x = {1}, y = {0};
        const DeviceAllocation dx = to_device(x), dy = to_device(y);
        (*add_up)({.grid = {1}, .block = {1}}, 1, 4.0f, dx, dy);
        std::vector<float> result(1);
        memcpy_dtoh(result, dy);
        QCOMPARE(result[0], 4.0f);
        // A driver looks at the code when something of it is asked for.
        const Library useless = library_from_buffer(std::string_view("no code"));
        QCOMPARE(error_of([&] { (void)useless.get_kernel("saxpy"); }).code(), result_code::INVALID_IMAGE);
        QCOMPARE(error_of([&] { (void)useless.get_module(); }).code(), result_code::INVALID_IMAGE);
        QCOMPARE(error_of([&] { (void)useless.get_global("counter"); }).code(), result_code::INVALID_IMAGE);
        QVERIFY(useless.kernels().empty());
        const Library broken =
            library_from_buffer(std::string_view(".version 6.5\n.target sm_75\n.address_size 64\nfoo bar;\n"));
        QCOMPARE(error_of([&] { (void)broken.get_kernel("foo"); }).code(), result_code::INVALID_PTX);
        QVERIFY_THROWS_EXCEPTION(FileError, (void)library_from_file("/nowhere/at/all.ptx"));
        const std::filesystem::path file = folder_.filePath("kernels.ptx").toStdString();
        std::ofstream(file) << kKernels;
        QCOMPARE(library_from_file(file).get_kernel("reverse").name(), std::string("reverse"));
    }

    // covers: Function._set_block_shape(x,y,z), Function._set_shared_size(bytes), Function._param_set(*args)
    // covers: Function._param_set_size(bytes), Function._param_seti(offset, value)
    // covers: Function._param_setf(offset, value), Function._param_setv(offset, buffer), Function._launch()
    // covers: Function._launch_grid(grid_width, grid_height), Function._launch_grid_async(grid_width, grid_height, s)
    void launch_functions_of_old() {
        const Module module = module_from_buffer(std::string_view(kKernels));
        const Function saxpy = module.get_function("saxpy");
        std::vector<float> x(256), y(256, 1.0f);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<float>(i);
        const DeviceAllocation dx = to_device(x), dy = to_device(y);
        const auto expect = [&](float first, float factor, std::size_t count) {
            memcpy_dtoh(y, dy);
            for (std::size_t i = 0; i < y.size(); ++i)
                if (y[i] != (i < count ? first + factor * static_cast<float>(i) : 1.0f)) return false;
            return true;
        };
        // Field by field: n at 0, a at 4, x at 8, y at 16.
        saxpy.set_block_shape(64, 1, 1);
        saxpy.set_shared_size(0);
        saxpy.param_seti(0, 256);
        saxpy.param_setf(4, 2.0f);
        const device_ptr addresses[] = {dx.get(), dy.get()};
        saxpy.param_setv(8, {addresses, sizeof addresses});
        saxpy.param_set_size(24);
        saxpy.launch(); // one block
        context_->synchronize();
        QVERIFY(expect(1, 2, 64));
        memset_d32(dy, 0x3f800000, 256);
        saxpy.launch_grid(2, 1);
        context_->synchronize();
        QVERIFY(expect(1, 2, 128));
        memset_d32(dy, 0x3f800000, 256);
        // All at once, in a stream.
        const Stream stream;
        saxpy.param_set(256, 3.0f, dx, dy);
        saxpy.launch_grid_async(2, 1, stream);
        stream.synchronize();
        memcpy_dtoh(y, dy);
        QCOMPARE(y[1], 4.0f);
        QCOMPARE(y[127], 1 + 3 * 127.0f);
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.param_set(256, 3.0f, dx));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.param_set(256, 3.0f, In(x), dy));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.set_block_shape(0, 1, 1));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.set_block_shape(2000, 1, 1));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.param_set_size(std::size_t{1} << 40));
    }

    // covers: Function._launch_kernel(grid, block, arg_buf, shared, stream), Function.arg_format
    // covers: Function.set_shared_config(sc)
    void packed_arguments() {
        const Module module = module_from_buffer(std::string_view(kKernels));
        const Function saxpy = module.get_function("saxpy");
        const std::vector<float> x = {1, 2, 3}, y = {10, 20, 30};
        const DeviceAllocation dx = to_device(x), dy = to_device(y);
        struct {
            int n;
            float a;
            device_ptr x, y;
        } const packed = {3, 2.0f, dx.get(), dy.get()};
        const Stream stream;
        saxpy.set_shared_config(shared_config::FOUR_BYTE_BANK_SIZE);
        saxpy.launch_kernel({1}, {32}, {&packed, sizeof packed}, 0, &stream);
        stream.synchronize();
        std::vector<float> result(3);
        memcpy_dtoh(result, dy);
        QCOMPARE(result, (std::vector<float>{12, 24, 36}));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.launch_kernel({1}, {0}, {&packed, sizeof packed}));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.launch_kernel({1}, {4096}, {&packed, sizeof packed}));
        QCOMPARE(saxpy.arg_format(), std::string());
        saxpy.prepare("ifPP");
        QCOMPARE(module.get_function("saxpy").arg_format(), std::string("ifPP"));
    }

    // covers: ArgumentHandler(ary), ArgumentHandler.get_device_alloc(), ArgumentHandler.pre_call(stream)
    void argument_handlers() {
        std::vector<int> values = {1, 2, 3};
        const InOut handler{values};
        const device_ptr address = handler.get_device_alloc().get();
        QCOMPARE(handler.get_device_alloc().get(), address); // made once
        handler.pre_call(nullptr);
        std::vector<int> back(3);
        memcpy_dtoh(back, address);
        QCOMPARE(back, values);
        memset_d32(address, 7, 3);
        QVERIFY(handler.copies_back());
        handler.post_call(nullptr);
        QCOMPARE(values, (std::vector<int>{7, 7, 7}));
        const In in{values};
        in.pre_call(nullptr);
        memset_d32(in.get_device_alloc(), 1, 3);
        QVERIFY(!in.copies_back());
        in.post_call(nullptr);
        QCOMPARE(values[0], 7);
    }

    // covers: start_profiler(), stop_profiler()
    void profiler() {
        start_profiler();
        start_profiler(); // no profiler watches: nothing happens
        stop_profiler();
        stop_profiler();
        Context::pop();
        QVERIFY_THROWS_EXCEPTION(LogicError, start_profiler());
        QVERIFY_THROWS_EXCEPTION(LogicError, stop_profiler());
        context_->push();
    }
    // covers: initialize_profiler(config_file, output_file, output_mode)
    void profiler_of_old() {
        if (test_driver().version() < 12000) QSKIP("this driver may still have it");
        const Error error = error_of([&] {
            initialize_profiler(folder_.filePath("config").toStdString(), folder_.filePath("out").toStdString(),
                                profiler_output_mode::CSV);
        });
        QCOMPARE(error.code(), result_code::NOT_SUPPORTED);
        QCOMPARE(error.routine(), std::string("cuProfilerInitialize"));
    }

    // covers: get_version(), get_driver_version(), init(flags=0), have_gl_ext()
    // covers: pycuda.VERSION, pycuda.VERSION_STATUS, pycuda.VERSION_TEXT
    void versions() {
        QVERIFY(!warplight::version().empty());
        const auto [major, minor, patch] = get_version();
        QVERIFY(major >= 11);
        QVERIFY(minor >= 0 && minor < 10);
        QVERIFY(patch >= 0);
        const int version = get_driver_version(test_driver());
        QVERIFY2(version >= 11000 && version < 20000, qPrintable(QString::number(version)));
        test_driver().init(0);
        test_driver().init(); // again: no effect
        if (is_software())
            QVERIFY(!have_gl_ext(test_driver()));
        else
            (void)have_gl_ext(test_driver()); // as the machine is
    }
};

QTEST_GUILESS_MAIN(InterfaceLinkTest)
#include "interface_link_test.moc"
