// SPDX-License-Identifier: Apache-2.0
// What every driver has to answer alike: the names of its errors, the classes that they are thrown as, attributes.
#include "array_fixture.hpp"
#include "driver/entry_points.hpp"
#include "warplight/compiler.hpp"
#include "warplight/device.hpp"
#include "warplight/function.hpp"
#include "warplight/linker.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/source_module.hpp"
#include "warplight/stream.hpp"
#include "warplight/version.hpp"

#include <QtTest>

#include <algorithm>
#include <optional>

using namespace warplight;
using namespace warplight::driver;

namespace {

constexpr char kTrap[] = R"(
.version 6.5
.target sm_75
.address_size 64
.visible .entry stop()
{
    trap;
    ret;
}
)";

struct Code {
    int value;
    const char* name;
};
constexpr Code kCodes[] = {
#define WARPLIGHT_ERROR_CODE(name, value, class) {value, #name},
#include "driver/error_codes.def"
#undef WARPLIGHT_ERROR_CODE
};

/// The code of what `call` throws, which must be of class E; -1 when it throws nothing or something else.
template <class E, class Call>
int code_thrown_as(const Call& call) {
    try {
        call();
    } catch (const E& error) {
        return error.code();
    } catch (const std::exception& error) {
        qWarning("another class: %s", error.what());
    }
    return -1;
}

} // namespace

class DriverAnswersTest : public QObject {
    Q_OBJECT
    Driver driver_ = array_fixture::test_driver();

private slots:
    // covers: enum CUresult.*
    void every_result_has_the_drivers_name() {
        const auto name_of = driver_.state().functions.fn_cuGetErrorName;
        int known = 0;
        for (const Code& code : kCodes) {
            const char* name = nullptr;
            if (name_of(static_cast<CUresult>(code.value), &name) != CUDA_SUCCESS) continue;
            QCOMPARE(QByteArray(name), QByteArray(code.name));
            ++known;
        }
        // Drivers before 13.0 lack the codes that came since.
        if (get_driver_version() >= 13000) QCOMPARE(known, static_cast<int>(std::size(kCodes)));
        QVERIFY2(known > 80, qPrintable(QString::number(known)));
    }

    // covers: enum device_attribute.*
    void every_attribute_is_answered() {
        const Device device(0);
        const auto answered = device.get_attributes();
        int wanted = 0;
        const auto check = [&](device_attribute attribute, const char* name) {
            ++wanted;
            const bool found = std::any_of(answered.begin(), answered.end(),
                                           [&](const auto& each) { return each.first == attribute; });
            if (!found) qWarning("not answered: %s", name);
            return found;
        };
        int missing = 0;
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning)                                    \
    missing += !check(device_attribute::NAME, #NAME);
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number)
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS
        QVERIFY(wanted > 100);
        if (get_driver_version() >= 13000) QCOMPARE(missing, 0);
    }

    // covers: Error, MemoryError, LogicError, RuntimeError
    void each_class_is_thrown() {
        const Context context = Device(0).make_context();
        const std::size_t all = Device(0).total_memory();
        QCOMPARE(code_thrown_as<MemoryError>([&] { (void)mem_alloc(2 * all); }), 2);
        QCOMPARE(code_thrown_as<Error>([&] { (void)mem_alloc(2 * all); }), 2);
        QCOMPARE(code_thrown_as<LogicError>([] { (void)module_from_buffer(std::string_view("no image")); }), 200);
        Linker linker;
        QCOMPARE(code_thrown_as<RuntimeError>([&] { linker.add_file("/nowhere/at_all.ptx", jit_input_type::PTX); }),
                 301);
    }

    // covers: CompileError, CompileError.msg, CompileError.command_line, CompileError.stdout, CompileError.stderr
    void sources_that_do_not_compile() {
        if (!compiler::compiler_info(compiler::Backend::nvrtc).found) QSKIP("no NVRTC on this machine");
        const Context context = Device(0).make_context();
        try {
            compiler::SourceModule module("__global__ void k(float* x) {\n  x[0] = nowhere;\n}",
                                          compiler::SourceOptions{.name = "mine.cu"});
            QFAIL("it compiled");
        } catch (const CompileError& error) {
            QVERIFY2(QByteArray(error.what()).contains("mine.cu:2"), error.what());
            QVERIFY2(QByteArray(error.msg().c_str()).contains("mine.cu"), error.msg().c_str());
            QVERIFY2(error.command_line().find("compute_") != std::string::npos, error.command_line().c_str());
            QVERIFY2(error.stderr_text().find("nowhere") != std::string::npos, error.stderr_text().c_str());
            QCOMPARE(error.stdout_text(), std::string());
        }
    }

    // covers: Stream.__del__, DeviceAllocation
    void what_is_out_of_scope_is_given_back() {
        const Context context = Device(0).make_context();
        const std::size_t before = mem_get_info().free;
        constexpr std::size_t kBytes = std::size_t{64} << 20;
        {
            const Stream stream;
            const DeviceAllocation memory = mem_alloc(kBytes);
            QVERIFY(static_cast<bool>(memory));
            QVERIFY(mem_get_info().free + kBytes <= before);
        }
        context.synchronize();
        QVERIFY(mem_get_info().free + kBytes / 2 > before);
    }

    // covers: Context.push()
    void pushed_contexts() {
        Context one = Device(0).make_context();
        Context two = Device(0).make_context();
        QVERIFY(Context::get_current() == two);
        one.push();
        QVERIFY(Context::get_current() == one);
        Context::pop();
        QVERIFY(Context::get_current() == two);
        Context::pop();
        QVERIFY(Context::get_current() == one);
    }

    /// The last one: on a GPU it ends the process's CUDA.
    // covers: LaunchError
    void zz_a_kernel_that_stops() {
        set_cleanup_reporter([](const Error&) {});
        {
            const Context context = Device(0).make_context();
            const Module module = module_from_buffer(std::string_view(kTrap));
            module.get_function("stop")({.grid = {1}, .block = {1}});
            QCOMPARE(code_thrown_as<LaunchError>([&] { context.synchronize(); }), 719);
        }
        set_cleanup_reporter({});
    }
};

QTEST_GUILESS_MAIN(DriverAnswersTest)
#include "driver_answers_test.moc"
