// SPDX-License-Identifier: Apache-2.0
// SourceModule on a device: from source text to numbers. WARPLIGHT_TEST_DRIVER chooses the driver.
#include "warplight/array.hpp"
#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/source_module.hpp"
#include "warplight/texture.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <optional>
#include <vector>

using namespace warplight;
using compiler::SourceModule;
using compiler::SourceOptions;

namespace {

/// References are types that headers up to CUDA 11 declare. The compiler still knows them by their attributes, and
/// makes variables of them: .texref and .surfref.
constexpr char kReferences[] = R"(
#if __CUDACC_VER_MAJOR__ >= 12
struct __attribute__((device_builtin)) textureReference { int settings[32]; };
template <class T, int dimensions = 1, int mode = 0>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};
struct __attribute__((device_builtin)) surfaceReference { int settings[5]; };
template <class T, int dimensions = 1>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {};
#endif

__attribute__((used)) texture<float, 2> image;
__attribute__((used)) surface<void, 2> canvas;

extern "C" __global__ void sample(float* out, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    const float u = (x + 0.5f) / width, v = (y + 0.5f) / height;
    float value;
    asm volatile("{.reg .f32 a, b, c; tex.2d.v4.f32.f32 {%0, a, b, c}, [image, {%1, %2}];}"
                 : "=f"(value) : "f"(u), "f"(v));
    out[y * blockDim.x + x] = value;
}
extern "C" __global__ void draw(float factor) {
    const int x = threadIdx.x, y = blockIdx.x;
    const float value = factor * (100 * y + x);
    asm volatile("sust.b.2d.b32.trap [canvas, {%0, %1}], {%2};" : : "r"(4 * x), "r"(y), "f"(value) : "memory");
}
)";

} // namespace

class CompilerSourceModuleTest : public QObject {
    Q_OBJECT
    QTemporaryDir cache_;
    std::optional<driver::Context> context_;

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_CACHE_DIR", cache_.path().toUtf8());
        const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
        const auto driver = driver::Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
        if (!driver.available() || driver::Device::count(driver) == 0) QSKIP("no device of this driver");
        if (!compiler::compiler_info(compiler::Backend::nvrtc).found) QSKIP("no NVRTC here");
        bool refused = false;
        try {
            SourceModule module("__global__ void k() {}");
        } catch (const LogicError&) {
            refused = true; // there is no context yet
        }
        QVERIFY(refused);
        context_.emplace(driver::Device(0, driver).make_context());
    }
    void cleanupTestCase() {
        if (context_) driver::Context::pop();
        context_.reset();
    }

    // covers: SourceModule.get_global, CudaModule, CudaModule.get_function(name)
    void source_to_numbers() {
        SourceModule module("__global__ void doublify(float* a) { a[threadIdx.x] *= 2; }\n__constant__ int c[3];\n");
        NdArray values = NdArray::from({1.0f, 2.0f, -3.0f, 0.5f});
        module.get_function("doublify")({.grid = {1}, .block = {4}}, driver::InOut(values));
        const float expected[] = {2, 4, -6, 1};
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(values.at<float>(i), expected[i]);
        QCOMPARE(module.get_global("c").size, std::size_t{12});
        QCOMPARE(module.result().kernels.size(), std::size_t{1});
    }

    void messages_name_the_parameters_of_the_source() {
        SourceModule module("__global__ void fill(float* out, int count, size_t step, unsigned flags, bool on) {}");
        const driver::Function fill = module.get_function("fill");
        const driver::DeviceAllocation memory = driver::mem_alloc(64);
        const auto message = [&](auto... arguments) {
            try {
                fill(driver::Grid{1}, driver::Block{1}, arguments...);
            } catch (const LogicError& error) {
                return error.info().text;
            }
            return std::string();
        };
        const driver::DevicePointer out(memory);
        QCOMPARE(message(out, std::size_t{4}, 1, std::int64_t{2}, true), std::string());
        QCOMPARE(message(out, 3'000'000'000ULL, 1, 2, true),
                 std::string("parameter 2 'count' (int) of kernel fill cannot hold 3000000000 (uint64)"));
        QCOMPARE(message(out, 1, -1, 2, true),
                 std::string("parameter 3 'step' (size_t) of kernel fill cannot hold -1 (int32)"));
        QCOMPARE(message(out, 1, 1, std::int64_t{-2}, true),
                 std::string("parameter 4 'flags' (unsigned) of kernel fill cannot hold -2 (int64)"));
        QCOMPARE(message(5, 1, 1, 1, true),
                 std::string("parameter 1 'out' (float *) of kernel fill is a pointer, not int32"));
        QCOMPARE(message(out, 1.5, 1, 1, true),
                 std::string("parameter 2 'count' (int) of kernel fill is a 32-bit integer, not float64"));
        QCOMPARE(message(out, 1, 1),
                 std::string("kernel fill takes 5 arguments, 3 were given; the first that is missing is parameter 4 "
                             "'flags' (unsigned), a 32-bit integer"));
        context_->synchronize();
    }

    void messages_name_the_instance() {
        const SourceModule module("template <class T> __global__ void fill(T* out, T value) {}",
                                  SourceOptions{.no_extern_c = true, .name_expressions = {"fill<int>"}});
        try {
            module.get_function("fill<int>")(driver::Grid{1}, driver::Block{1}, nullptr, 1.5);
            QFAIL("nothing was thrown");
        } catch (const LogicError& error) {
            QCOMPARE(error.info().text,
                     std::string("parameter 2 'value' (int) of kernel fill<int> is a 32-bit integer, not float64"));
        }
    }

    void templates_by_name_expression() {
        SourceModule module("template <class T, int N> __global__ void fill(T* x) { x[threadIdx.x] = T(N); }",
                            SourceOptions{.no_extern_c = true, .name_expressions = {"fill<int, 7>", "fill<float, 3>"}});
        NdArray numbers = NdArray::zeros({5}, DType::int32());
        module.get_function("fill<int, 7>")({.block = {5}}, driver::Out(numbers));
        for (std::size_t i = 0; i < 5; ++i)
            QCOMPARE(numbers.at<int>(i), 7);
        NdArray reals = NdArray::zeros({5}, DType::float32());
        module.get_function("fill<float, 3>")({.block = {5}}, driver::Out(reals));
        QCOMPARE(reals.at<float>(4), 3.0f);
    }

    void mangled_names_are_found_by_the_source_name() {
        SourceModule module("namespace n { __global__ void one(int* x) { *x = 1; } }",
                            SourceOptions{.no_extern_c = true});
        NdArray number = NdArray::zeros({1}, DType::int32());
        module.get_function("n::one")({.block = {1}}, driver::Out(number));
        QCOMPARE(number.at<int>(0), 1);
    }

    // covers: SourceModule.get_texref, SourceModule.get_surfref
    void references() {
        using namespace driver;
        const SourceModule module(kReferences, SourceOptions{.no_extern_c = true});
        const TextureReference image = module.get_texref("image");
        const SurfaceReference canvas = module.get_surfref("canvas");
        const Array pixels({8, 4, 0, array_format::FLOAT, 1, array3d_flags::SURFACE_LDST});
        canvas.set_array(pixels);
        module.get_function("draw")({.grid = {4}, .block = {8}}, 0.5f);
        // Twice as large, and half way into it the coordinates wrap around.
        image.set_array(pixels);
        image.set_flags(TRSF_NORMALIZED_COORDINATES);
        for (const int dimension : {0, 1})
            image.set_address_mode(dimension, address_mode::WRAP);
        std::vector<float> out(16 * 8);
        module.get_function("sample")({.grid = {8}, .block = {16}}, Out(out), 8, 4);
        for (std::size_t y = 0; y < 8; ++y)
            for (std::size_t x = 0; x < 16; ++x)
                QCOMPARE(out[y * 16 + x], 0.5f * static_cast<float>(100 * (y % 4) + x % 8));
        QVERIFY_THROWS_EXCEPTION(LogicError, module.get_texref("canvas"));
        QVERIFY_THROWS_EXCEPTION(LogicError, module.get_surfref("image"));
        QVERIFY_THROWS_EXCEPTION(LogicError, module.get_texref("other"));
    }

    void errors_say_what_is_wrong() {
        QString message, log;
        try {
            SourceModule module("__global__ void k(float* x) {\n  x[0] = nowhere;\n}",
                                SourceOptions{.name = "mine.cu"});
        } catch (const CompileError& error) {
            message = error.what();
            log = QString::fromStdString(error.stderr_text());
        }
        QVERIFY2(message.contains("mine.cu:2") && message.contains("nowhere"), qPrintable(message));
        QVERIFY(log.contains("1 error"));
        SourceModule module("__global__ void k() {}");
        QVERIFY_THROWS_EXCEPTION(LogicError, module.get_function("other"));
        QVERIFY_THROWS_EXCEPTION(LogicError, module.get_global("other"));
    }
};

QTEST_GUILESS_MAIN(CompilerSourceModuleTest)
#include "compiler_source_module_test.moc"
