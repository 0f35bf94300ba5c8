// SPDX-License-Identifier: Apache-2.0
// Functions that only the libraries of 11 and 12 have: references of textures and surfaces, and names of threads for
// what is the device's. They are found by name.
#include "fat_binary.hpp"
#include "library.hpp"
#include "runtime_api/abi.hpp"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace warplight::runtime_api;
using runtime_test::Library;

namespace {

const char* const kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.global .texref line;
.global .texref area;
.global .texref levels;
.global .surfref canvas;

// out[i] = line[i]
.visible .entry read_line(.param .u64 out) {
    .reg .b32 %r<5>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [out];
    cvta.to.global.u64 %rd1, %rd0;
    mov.u32 %r0, %tid.x;
    tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [line, {%r0}];
    mul.wide.u32 %rd2, %r0, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}

// out[i] = area(first + i, 1)
.visible .entry read_area(.param .u64 out, .param .u32 first) {
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [out];
    ld.param.u32 %r5, [first];
    cvta.to.global.u64 %rd1, %rd0;
    mov.u32 %r0, %tid.x;
    add.u32 %r6, %r0, %r5;
    mov.u32 %r7, 1;
    tex.2d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [area, {%r6, %r7}];
    mul.wide.u32 %rd2, %r0, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}

// *out = the middle of a level
.visible .entry read_level(.param .u64 out, .param .f32 level) {
    .reg .f32 %f<6>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [out];
    ld.param.f32 %f0, [level];
    cvta.to.global.u64 %rd1, %rd0;
    mov.f32 %f1, 0f3F000000;
    tex.level.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [levels, {%f1, %f1}], %f0;
    st.global.f32 [%rd1], %f2;
    ret;
}

// *out = value
.visible .entry store(.param .u64 out, .param .u32 value) {
    .reg .b32 %r0;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [out];
    ld.param.u32 %r0, [value];
    cvta.to.global.u64 %rd1, %rd0;
    st.global.u32 [%rd1], %r0;
    ret;
}

// canvas(i, 1) = value + i
.visible .entry draw(.param .u32 value) {
    .reg .b32 %r<5>;
    ld.param.u32 %r0, [value];
    mov.u32 %r1, %tid.x;
    add.u32 %r2, %r0, %r1;
    shl.b32 %r3, %r1, 2;
    mov.u32 %r4, 1;
    sust.b.2d.b32.trap [canvas, {%r3, %r4}], {%r2};
    ret;
}
)";

/// What stands for them in the host.
TextureReference line, area, levels, not_registered;
ChannelFormat canvas; // a surfaceReference
char read_line, read_area, read_level, store, draw, no_kernel;

const ChannelFormat kWord{32, 0, 0, 0, 1}, kFloat{32, 0, 0, 0, 2};
constexpr int kToDevice = 1, kToHost = 2;

/// The program's code, registered in a library for as long as this lives.
class Code {
public:
    explicit Code(const Library& library) : library_(library), image_(runtime_test::fat_binary(kPtx)) {
        wrapper_.image = image_.data();
        handle_ = function<void**(void*)>("__cudaRegisterFatBinary")(&wrapper_);
        using Register = void(void**, const void*, const void*, const char*, int, void*, void*, void*, void*, void*);
        auto* add = function<Register>("__cudaRegisterFunction");
        const auto kernel = [&](const void* host, const char* name) {
            add(handle_, host, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
        };
        kernel(&read_line, "read_line");
        kernel(&read_area, "read_area");
        kernel(&read_level, "read_level");
        kernel(&store, "store");
        kernel(&draw, "draw");
        if (!library.symbol("__cudaRegisterTexture")) return; // 12
        auto* texture =
            function<void(void**, const void*, const void**, const char*, int, int, int)>("__cudaRegisterTexture");
        texture(handle_, &line, nullptr, "line", 1, 0, 0);
        texture(handle_, &area, nullptr, "area", 2, 0, 0);
        texture(handle_, &levels, nullptr, "levels", 2, 0, 0);
        function<void(void**, const void*, const void**, const char*, int, int)>("__cudaRegisterSurface")(
            handle_, &canvas, nullptr, "canvas", 2, 0);
    }
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    ~Code() { function<void(void**)>("__cudaUnregisterFatBinary")(handle_); }

private:
    template <class Type>
    Type* function(const char* name) const {
        return reinterpret_cast<Type*>(library_.symbol(name));
    }
    const Library& library_;
    std::vector<std::uint64_t> image_;
    runtime_test::Wrapper wrapper_;
    void** handle_ = nullptr;
};

std::vector<unsigned> numbers(std::size_t count) {
    std::vector<unsigned> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = unsigned(3 * i + 1);
    return values;
}

std::atomic<bool> worked = false;
void work(void*) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    worked = true;
}

} // namespace

class OlderTest : public QObject {
    Q_OBJECT

    void eleven_and_twelve() {
        QTest::addColumn<int>("major");
        for (int major : {11, 12})
            QTest::addRow("%d", major) << major;
    }
    static int launch(const Library& library, const void* kernel, unsigned threads, void** arguments) {
        return library("cudaLaunchKernel", kernel, Dim3{1, 1, 1}, Dim3{threads, 1, 1}, arguments, std::size_t{0},
                       Stream{nullptr});
    }
    static void* memory(const Library& library, std::size_t size) {
        void* pointer = nullptr;
        return library("cudaMalloc", &pointer, size) == 0 ? pointer : nullptr;
    }
    static int copy(const Library& library, void* target, const void* source, std::size_t size, int kind) {
        return library("cudaMemcpy", target, source, size, kind);
    }

private slots:
    void textures_of_memory() {
        const Library library(11);
        QVERIFY2(library, dlerror());
        const Code code(library);
        constexpr std::size_t pitch = 512, skipped = 16; // bytes that no texture begins at
        const auto values = numbers(2 * pitch / 4);
        void* source = memory(library, 2 * pitch);
        void* out = memory(library, 32);
        QCOMPARE(copy(library, source, values.data(), 2 * pitch, kToDevice), 0);
        const TextureReference *one = &line, *plane = &area;
        std::size_t offset = 9, told = 9;
        QCOMPARE(library("cudaGetTextureAlignmentOffset", &told, one), int(cudaErrorInvalidTextureBinding));
        // A line, from within the memory: the texture begins before it.
        const auto* const within = static_cast<const void*>(static_cast<char*>(source) + skipped);
        QCOMPARE(library("cudaBindTexture", &offset, one, within, &kWord, std::size_t{32}), 0);
        QCOMPARE(offset, skipped);
        QCOMPARE(library("cudaGetTextureAlignmentOffset", &told, one), 0);
        QCOMPARE(told, skipped);
        std::size_t* const no_offset = nullptr;
        QCOMPARE(library("cudaBindTexture", no_offset, one, within, &kWord, std::size_t{32}),
                 int(cudaErrorInvalidValue));
        void* arguments[2] = {static_cast<void*>(&out), nullptr};
        unsigned back[8] = {};
        QCOMPARE(launch(library, &read_line, 8, arguments), 0);
        QCOMPARE(copy(library, back, out, sizeof back, kToHost), 0);
        QVERIFY(std::equal(back, back + 8, values.begin()));
        QCOMPARE(library("cudaUnbindTexture", one), 0);
        QCOMPARE(library("cudaGetTextureAlignmentOffset", &told, one), int(cudaErrorInvalidTextureBinding));

        // Two rows, at their begin and within.
        for (const std::size_t begin : {std::size_t{0}, skipped}) {
            const auto* const rows = static_cast<const void*>(static_cast<char*>(source) + begin);
            QCOMPARE(library("cudaBindTexture2D", &offset, plane, rows, &kWord, std::size_t{8}, std::size_t{2}, pitch),
                     0);
            QCOMPARE(offset, begin);
            QCOMPARE(library("cudaGetTextureAlignmentOffset", &told, plane), 0);
            QCOMPARE(told, begin);
            auto first = unsigned(offset / 4);
            arguments[1] = &first;
            QCOMPARE(launch(library, &read_area, 8, arguments), 0);
            QCOMPARE(copy(library, back, out, sizeof back, kToHost), 0);
            QVERIFY(std::equal(back, back + 8, values.begin() + (pitch + begin) / 4));
        }
        QCOMPARE(library("cudaBindTexture2D", no_offset, plane, within, &kWord, std::size_t{8}, std::size_t{2}, pitch),
                 int(cudaErrorInvalidValue));

        const TextureReference *other = &not_registered, *none = nullptr;
        QCOMPARE(library("cudaBindTexture2D", &offset, other, within, &kWord, std::size_t{8}, std::size_t{2}, pitch),
                 int(cudaErrorInvalidTexture));
        QCOMPARE(library("cudaBindTexture2D", &offset, none, within, &kWord, std::size_t{8}, std::size_t{2}, pitch),
                 int(cudaErrorInvalidTexture));
        QCOMPARE(library("cudaGetTextureAlignmentOffset", &offset, other), int(cudaErrorInvalidTexture));
        QCOMPARE(library("cudaGetTextureAlignmentOffset", no_offset, plane), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaFree", source), 0);
        QCOMPARE(library("cudaFree", out), 0);
    }

    void textures_of_arrays() {
        const Library library(11);
        QVERIFY2(library, dlerror());
        const Code code(library);
        const auto values = numbers(16);
        Array array = nullptr;
        const auto size = [](std::size_t bytes) { return bytes; };
        QCOMPARE(library("cudaMallocArray", &array, &kWord, size(8), size(2), 0U), 0);
        QCOMPARE(library("cudaMemcpy2DToArray", array, size(0), size(0), static_cast<const void*>(values.data()),
                         size(32), size(32), size(2), kToDevice),
                 0);
        void* out = memory(library, 32);
        const TextureReference *plane = &area, *stack = &levels, *other = &not_registered;
        QCOMPARE(library("cudaBindTextureToArray", plane, array, &kWord), 0);
        unsigned first = 0, back[8] = {};
        void* arguments[] = {static_cast<void*>(&out), &first};
        QCOMPARE(launch(library, &read_area, 8, arguments), 0);
        QCOMPARE(copy(library, back, out, sizeof back, kToHost), 0);
        QVERIFY(std::equal(back, back + 8, values.begin() + 8));
        QCOMPARE(library("cudaUnbindTexture", plane), 0);
        const ChannelFormat* const no_format = nullptr;
        QCOMPARE(library("cudaBindTextureToArray", other, array, &kWord), int(cudaErrorInvalidTexture));
        QCOMPARE(library("cudaBindTextureToArray", plane, Array{nullptr}, &kWord), int(cudaErrorInvalidResourceHandle));
        QCOMPARE(library("cudaBindTextureToArray", plane, array, no_format), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaFreeArray", array), 0);

        // Levels, each of one number.
        MipmappedArray mipmapped = nullptr;
        QCOMPARE(library("cudaMallocMipmappedArray", &mipmapped, &kFloat, Extent{8, 8, 0}, 3U, 0U), 0);
        for (unsigned number = 0; number < 3; ++number) {
            const std::size_t width = 8U >> number;
            const std::vector<float> same(width * width, 10.0F * float(number + 1));
            QCOMPARE(library("cudaGetMipmappedArrayLevel", &array, mipmapped, number), 0);
            QCOMPARE(library("cudaMemcpy2DToArray", array, size(0), size(0), static_cast<const void*>(same.data()),
                             4 * width, 4 * width, width, kToDevice),
                     0);
        }
        levels.normalized = 1;
        levels.max_mipmap_level_clamp = 2;
        QCOMPARE(library("cudaBindTextureToMipmappedArray", stack, mipmapped, &kFloat), 0);
        for (int number = 0; number < 3; ++number) {
            auto level = float(number), value = 0.0F;
            void* of_level[] = {static_cast<void*>(&out), &level};
            QCOMPARE(launch(library, &read_level, 1, of_level), 0);
            QCOMPARE(copy(library, &value, out, sizeof value, kToHost), 0);
            QCOMPARE(value, 10.0F * (level + 1));
        }
        QCOMPARE(library("cudaUnbindTexture", stack), 0);
        QCOMPARE(library("cudaBindTextureToMipmappedArray", other, mipmapped, &kFloat), int(cudaErrorInvalidTexture));
        QCOMPARE(library("cudaBindTextureToMipmappedArray", stack, MipmappedArray{nullptr}, &kFloat),
                 int(cudaErrorInvalidResourceHandle));
        QCOMPARE(library("cudaFreeMipmappedArray", mipmapped), 0);
        QCOMPARE(library("cudaFree", out), 0);
    }

    void surfaces() {
        const Library library(11);
        QVERIFY2(library, dlerror());
        const Code code(library);
        constexpr unsigned for_surfaces = 2;
        Array array = nullptr;
        QCOMPARE(library("cudaMallocArray", &array, &kWord, std::size_t{8}, std::size_t{2}, for_surfaces), 0);
        const void *reference = &canvas, *same = nullptr, *other = &not_registered;
        QCOMPARE(library("cudaGetSurfaceReference", &same, reference), 0);
        QCOMPARE(same, reference);
        QCOMPARE(library("cudaBindSurfaceToArray", reference, array, &kWord), 0);
        unsigned value = 50, back[8] = {};
        void* arguments[] = {&value};
        QCOMPARE(launch(library, &draw, 8, arguments), 0);
        QCOMPARE(library("cudaMemcpy2DFromArray", static_cast<void*>(back), std::size_t{32}, array, std::size_t{0},
                         std::size_t{1}, std::size_t{32}, std::size_t{1}, kToHost),
                 0);
        for (unsigned i = 0; i < 8; ++i)
            QCOMPARE(back[i], 50 + i);
        QCOMPARE(library("cudaBindSurfaceToArray", other, array, &kWord), int(cudaErrorInvalidSurface));
        QCOMPARE(library("cudaBindSurfaceToArray", reference, Array{nullptr}, &kWord),
                 int(cudaErrorInvalidResourceHandle));
        QCOMPARE(library("cudaGetSurfaceReference", &same, other), int(cudaErrorInvalidSurface));
        const void** const nowhere = nullptr;
        QCOMPARE(library("cudaGetSurfaceReference", nowhere, reference), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaFreeArray", array), 0);
    }

    void names_of_threads_data() { eleven_and_twelve(); }
    void names_of_threads() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        constexpr int stack = 0, prefer_l1 = 2;
        std::size_t before = 0, now = 0, same = 0;
        QCOMPARE(library("cudaThreadGetLimit", &before, stack), 0);
        QCOMPARE(library("cudaThreadSetLimit", stack, std::size_t{8192}), 0);
        QCOMPARE(library("cudaThreadGetLimit", &now, stack), 0);
        QVERIFY(now >= 8192);
        QCOMPARE(library("cudaDeviceGetLimit", &same, stack), 0);
        QCOMPARE(same, now);
        QCOMPARE(library("cudaThreadSetLimit", stack, before), 0);
        QCOMPARE(library("cudaThreadSetLimit", 77, before), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaThreadGetLimit", static_cast<std::size_t*>(nullptr), stack), int(cudaErrorInvalidValue));

        int config = 9, as_device = 9;
        QCOMPARE(library("cudaThreadSetCacheConfig", prefer_l1), 0);
        QCOMPARE(library("cudaThreadGetCacheConfig", &config), 0);
        QCOMPARE(library("cudaDeviceGetCacheConfig", &as_device), 0);
        QCOMPARE(config, as_device);
        QVERIFY(config == prefer_l1 || config == 0); // a device with fixed sizes has no wish
        QCOMPARE(library("cudaThreadSetCacheConfig", 77), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaThreadGetCacheConfig", static_cast<int*>(nullptr)), int(cudaErrorInvalidValue));
        QCOMPARE(library("cudaThreadSetCacheConfig", 0), 0);

        Stream stream = nullptr;
        QCOMPARE(library("cudaStreamCreate", &stream), 0);
        worked = false;
        QCOMPARE(library("cudaLaunchHostFunc", stream, CUhostFn{work}, static_cast<void*>(nullptr)), 0);
        QCOMPARE(library("cudaThreadSynchronize"), 0);
        QVERIFY(worked);

        // The end of the device's context, with all that it has.
        void* state = nullptr;
        int found = 9, active = -1;
        QCOMPARE(Library(13)("cudaGetDriverEntryPoint", "cuDevicePrimaryCtxGetState", &state, 0ULL, &found), 0);
        QCOMPARE(library("cudaThreadExit"), 0);
        unsigned flags = 0;
        QCOMPARE(reinterpret_cast<CUresult (*)(CUdevice, unsigned*, int*)>(state)(0, &flags, &active), CUDA_SUCCESS);
        QCOMPARE(active, 0);
        void* again = memory(library, 64); // there is a new one
        QVERIFY(again);
        QCOMPARE(library("cudaFree", again), 0);
    }

    void without_effect_data() { eleven_and_twelve(); }
    void without_effect() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        double number = 1.5;
        QCOMPARE(library("cudaSetDoubleForDevice", &number), 0);
        QCOMPARE(library("cudaSetDoubleForHost", &number), 0);
        QCOMPARE(number, 1.5); // every device has doubles
        if (major == 11) QCOMPARE(library("cudaProfilerInitialize", "config", "out", 0), int(cudaErrorNotSupported));
        // Semaphores come from graphics interfaces: here is none.
        CUexternalSemaphore none = nullptr;
        const char parameters[256] = {};
        const auto* const data = static_cast<const void*>(parameters);
        for (const char* name : {"cudaSignalExternalSemaphoresAsync_v2", "cudaWaitExternalSemaphoresAsync_v2"})
            QCOMPARE(library(name, &none, data, 1U, Stream{nullptr}), int(cudaErrorInvalidResourceHandle));
        for (const char* name : {"cudaSignalExternalSemaphoresAsync", "cudaWaitExternalSemaphoresAsync"})
            QCOMPARE(library(name, &none, data, 1U, Stream{nullptr}), int(cudaErrorNotSupported));
    }

    void launches_on_several_devices_data() { eleven_and_twelve(); }
    void launches_on_several_devices() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        const Code code(library);
        const char* const name = "cudaLaunchCooperativeKernelMultiDevice";
        Stream stream = nullptr;
        QCOMPARE(library("cudaStreamCreate", &stream), 0);
        void* out = memory(library, 32);
        unsigned value = 30;
        const unsigned before = 7;
        unsigned after = 8;
        QCOMPARE(copy(library, out, &before, sizeof before, kToDevice), 0);
        void* arguments[] = {static_cast<void*>(&out), &value};
        MultiDeviceLaunch one{&no_kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream};
        QCOMPARE(library(name, &one, 0U, 0U), int(cudaErrorInvalidValue));
        QCOMPARE(library(name, static_cast<MultiDeviceLaunch*>(nullptr), 1U, 0U), int(cudaErrorInvalidValue));
        QCOMPARE(library(name, &one, 1U, 0U),
                 int(major == 11 ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle));
        one.function = &store;
        const int error = library(name, &one, 1U, 0U);
        QVERIFY2(error == 0 || error == int(cudaErrorNotSupported), qPrintable(QString::number(error)));
        QCOMPARE(library("cudaStreamSynchronize", stream), 0);
        QCOMPARE(copy(library, &after, out, sizeof after, kToHost), 0);
        QCOMPARE(after, error == 0 ? value : before);
        QCOMPARE(library("cudaFree", out), 0);
        QCOMPARE(library("cudaStreamDestroy", stream), 0);
    }
};

QTEST_GUILESS_MAIN(OlderTest)
#include "older_test.moc"
