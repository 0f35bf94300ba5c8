// SPDX-License-Identifier: Apache-2.0
// What differs between the versions: layouts of structures, numbers of parameters, and the texture references of 11.
// The libraries are opened by name, as no header has the functions of all.
#include "fat_binary.hpp"
#include "library.hpp"
#include "runtime_api/abi.hpp"

#include <QtTest>

using namespace warplight::runtime_api;
using runtime_test::fat_binary;
using runtime_test::Library;
using runtime_test::Wrapper;

namespace {

constexpr unsigned char kUntouched = 0xa5;

/// Bytes that a function filled; the rest is as it was.
struct Buffer {
    std::vector<unsigned char> bytes = std::vector<unsigned char>(2048, kUntouched);
    void* data() { return bytes.data(); }
    template <class Value>
    Value at(std::size_t offset) const {
        Value value;
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    }
    std::size_t filled() const {
        std::size_t size = bytes.size();
        while (size > 0 && bytes[size - 1] == kUntouched)
            --size;
        return size;
    }
};

/// Offsets of members of cudaDeviceProp, as the headers of the version have them.
struct Offsets {
    std::size_t size, total, warp, grid, major, processors, texture_3d, engines, optin, reserved;
};
constexpr Offsets kProperties[] = {
    {728, 288, 308, 336, 360, 388, 456, 600, 696, 720},
    {1032, 288, 308, 336, 360, 388, 456, 600, 696, 720},
    {1008, 288, 308, 336, 360, 384, 440, 584, 672, 696},
};

const char* const kTexturePtx = R"(.version 7.0
.target sm_70
.address_size 64
.global .texref picture;
.visible .entry fetch(.param .u64 out) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [out];
    cvta.to.global.u64 %rd1, %rd0;
    mov.u32 %r0, %tid.x;
    tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r3}, [picture, {%r0}];
    mul.wide.u32 %rd2, %r0, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
)";

} // namespace

class FormsTest : public QObject {
    Q_OBJECT

    void each_version() {
        QTest::addColumn<int>("major");
        for (int major : {11, 12, 13})
            QTest::addRow("%d", major) << major;
    }

private slots:
    void device_properties_data() { each_version(); }
    void device_properties() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        const Offsets& o = kProperties[major - 11];
        Buffer properties;
        QCOMPARE(library(major == 12 ? "cudaGetDeviceProperties_v2" : "cudaGetDeviceProperties", properties.data(), 0),
                 0);
        QCOMPARE(properties.filled(), o.size);
        const auto attribute = [&](int number) {
            int value = -1;
            (void)library("cudaDeviceGetAttribute", &value, number, 0);
            return value;
        };
        QCOMPARE(properties.at<int>(o.warp), attribute(10));
        QCOMPARE(properties.at<int>(o.grid + 8), attribute(7));
        QCOMPARE(properties.at<int>(o.major), attribute(75));
        QCOMPARE(properties.at<int>(o.processors), attribute(16));
        QCOMPARE(properties.at<int>(o.texture_3d + 8), attribute(26));
        QCOMPARE(properties.at<int>(o.engines), attribute(40));
        QCOMPARE(properties.at<std::size_t>(o.optin), std::size_t(attribute(97)));
        QCOMPARE(properties.at<std::size_t>(o.reserved), std::size_t(attribute(111)));
        QVERIFY(properties.at<std::size_t>(o.total) > 0);
        if (major == 12) { // programs of 11 that were linked anew
            Buffer older;
            QCOMPARE(library("cudaGetDeviceProperties", older.data(), 0), 0);
            QCOMPARE(older.filled(), kProperties[0].size);
        }
    }

    void structures_data() { each_version(); }
    void structures() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        Buffer pointer;
        QCOMPARE(library("cudaPointerGetAttributes", pointer.data(), static_cast<const void*>(this)), 0);
        QCOMPARE(pointer.filled(), major == 13 ? std::size_t{88} : std::size_t{24});
        // A texture.
        ChannelFormat format{32, 0, 0, 0, 2};
        Array array = nullptr;
        QCOMPARE(library("cudaMallocArray", &array, &format, std::size_t{8}, std::size_t{2}, 0U), 0);
        ResourceDescription resource{};
        resource.resource.array.handle = array;
        TextureDescription texture{};
        texture.max_anisotropy = 3;
        CUtexObject object = 0;
        QCOMPARE(library("cudaCreateTextureObject", &object, &resource, &texture, static_cast<void*>(nullptr)), 0);
        Buffer told;
        QCOMPARE(library("cudaGetTextureObjectTextureDesc", told.data(), object), 0);
        QCOMPARE(told.filled(), major == 11 ? std::size_t{68} : std::size_t{72});
        QCOMPARE(told.at<unsigned>(offsetof(TextureDescription, max_anisotropy)), 3U);
        Buffer told_resource;
        QCOMPARE(library("cudaGetTextureObjectResourceDesc", told_resource.data(), object), 0);
        QCOMPARE(told_resource.filled(), major == 13 ? std::size_t{144} : std::size_t{64});
        QCOMPARE(told_resource.at<Array>(8), array);
        QCOMPARE(library("cudaDestroyTextureObject", object), 0);
        QCOMPARE(library("cudaFreeArray", array), 0);
    }

    void graphs_data() { each_version(); }
    void graphs() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        Graph graph = nullptr;
        QCOMPARE(library("cudaGraphCreate", &graph, 0U), 0);
        GraphNode a = nullptr, b = nullptr;
        GraphNode* const none = nullptr;
        QCOMPARE(library("cudaGraphAddEmptyNode", &a, graph, none, std::size_t{0}), 0);
        QCOMPARE(library("cudaGraphAddEmptyNode", &b, graph, none, std::size_t{0}), 0);
        void* const no_data = nullptr;
        std::size_t count = 0;
        if (major == 13) {
            QCOMPARE(library("cudaGraphAddDependencies", graph, &a, &b, no_data, std::size_t{1}), 0);
            QCOMPARE(library("cudaGraphGetEdges", graph, none, none, no_data, &count), 0);
        } else {
            QCOMPARE(library("cudaGraphAddDependencies", graph, &a, &b, std::size_t{1}), 0);
            QCOMPARE(library("cudaGraphGetEdges", graph, none, none, &count), 0);
        }
        QCOMPARE(count, std::size_t{1});
        GraphExec exec = nullptr;
        if (major == 11) {
            char log[64] = {};
            GraphNode wrong = nullptr;
            QCOMPARE(library("cudaGraphInstantiate", &exec, graph, &wrong, &log[0], sizeof log), 0);
            int result = 9;
            QCOMPARE(library("cudaGraphExecUpdate", exec, graph, &wrong, &result), 0);
            QCOMPARE(result, 0);
        } else {
            QCOMPARE(library("cudaGraphInstantiate", &exec, graph, 0ULL), 0);
            Buffer result;
            QCOMPARE(library("cudaGraphExecUpdate", exec, graph, result.data()), 0);
            QCOMPARE(result.at<int>(0), 0);
        }
        QCOMPARE(library("cudaGraphLaunch", exec, Stream{nullptr}), 0);
        QCOMPARE(library("cudaDeviceSynchronize"), 0);
        QCOMPARE(library("cudaGraphExecDestroy", exec), 0);
        QCOMPARE(library("cudaGraphDestroy", graph), 0);
        // A capture that tells of itself.
        Stream stream = nullptr;
        QCOMPARE(library("cudaStreamCreate", &stream), 0);
        QCOMPARE(library("cudaStreamBeginCapture", stream, 2), 0);
        int status = 9;
        unsigned long long id = 0;
        if (major == 13)
            QCOMPARE(library("cudaStreamGetCaptureInfo", stream, &status, &id, no_data, no_data, no_data, no_data), 0);
        else
            QCOMPARE(library("cudaStreamGetCaptureInfo", stream, &status, &id), 0);
        QCOMPARE(status, 1);
        QCOMPARE(library("cudaStreamEndCapture", stream, &graph), 0);
        QCOMPARE(library("cudaGraphDestroy", graph), 0);
        QCOMPARE(library("cudaStreamDestroy", stream), 0);
    }

    void memory_data() { each_version(); }
    void memory() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        void* pointer = nullptr;
        QCOMPARE(library("cudaMallocManaged", &pointer, std::size_t{1} << 20, 1U), 0);
        const std::size_t size = 1 << 20;
        const void* const begin = pointer;
        int concurrent = 0;
        QCOMPARE(library("cudaDeviceGetAttribute", &concurrent, 89, 0), 0);
        if (concurrent) {
            if (major == 13) {
                QCOMPARE(library("cudaMemAdvise", begin, size, 3, Location{location_device, 0}), 0);
                QCOMPARE(library("cudaMemPrefetchAsync", begin, size, Location{location_host, 0}, 0U, Stream{}), 0);
            } else {
                QCOMPARE(library("cudaMemAdvise", begin, size, 3, 0), 0);
                QCOMPARE(library("cudaMemAdvise", begin, size, 3, 1000), 101);
                QCOMPARE(library("cudaMemPrefetchAsync", begin, size, -1, Stream{}), 0);
            }
        }
        QCOMPARE(library("cudaFree", pointer), 0);
        void* function = nullptr;
        int found = 9;
        if (major == 11)
            QCOMPARE(library("cudaGetDriverEntryPoint", "cuMemAlloc", &function, 0ULL), 0);
        else
            QCOMPARE(library("cudaGetDriverEntryPoint", "cuMemAlloc", &function, 0ULL, &found), 0);
        QVERIFY(function);
    }

    /// 12 initialises a device when it is chosen, 11 when it is used.
    void choosing_a_device_data() { each_version(); }
    void choosing_a_device() {
        QFETCH(int, major);
        const Library library(major);
        QVERIFY2(library, dlerror());
        QCOMPARE(library("cudaDeviceReset"), 0);
        void* function = nullptr;
        int found = 9;
        QCOMPARE(Library(13)("cudaGetDriverEntryPoint", "cuDevicePrimaryCtxGetState", &function, 0ULL, &found), 0);
        unsigned flags = 0;
        int active = -1;
        const auto state = reinterpret_cast<CUresult (*)(CUdevice, unsigned*, int*)>(function);
        QCOMPARE(state(0, &flags, &active), CUDA_SUCCESS);
        QCOMPARE(active, 0);
        QCOMPARE(library("cudaSetDevice", 0), 0);
        QCOMPARE(state(0, &flags, &active), CUDA_SUCCESS);
        QCOMPARE(active, major == 11 ? 0 : 1);
    }

    void texture_references() {
        const Library library(11);
        QVERIFY2(library, dlerror());
        TextureReference picture{};
        char fetch = 0;
        const auto image = fat_binary(kTexturePtx);
        Wrapper wrapper;
        wrapper.image = image.data();
        void** const handle = reinterpret_cast<void** (*)(void*)>(library.symbol("__cudaRegisterFatBinary"))(&wrapper);
        void* const nothing = nullptr;
        reinterpret_cast<void (*)(void**, const void*, const void*, const char*, int, void*, void*, void*, void*,
                                  void*)>(library.symbol("__cudaRegisterFunction"))(
            handle, &fetch, nullptr, "fetch", -1, nothing, nothing, nothing, nothing, nothing);
        reinterpret_cast<void (*)(void**, const void*, const void**, const char*, int, int, int)>(
            library.symbol("__cudaRegisterTexture"))(handle, &picture, nullptr, "picture", 1, 0, 0);
        void *memory = nullptr, *out = nullptr;
        QCOMPARE(library("cudaMalloc", &memory, std::size_t{64}), 0);
        QCOMPARE(library("cudaMalloc", &out, std::size_t{64}), 0);
        unsigned numbers[16], back[16] = {};
        for (unsigned i = 0; i < 16; ++i)
            numbers[i] = 3 * i + 1;
        QCOMPARE(library("cudaMemcpy", memory, static_cast<const void*>(numbers), std::size_t{64}, 1), 0);
        const ChannelFormat format{32, 0, 0, 0, 1};
        std::size_t offset = 9;
        const TextureReference* const reference = &picture;
        QCOMPARE(
            library("cudaBindTexture", &offset, reference, static_cast<const void*>(memory), &format, std::size_t{64}),
            0);
        QCOMPARE(offset, std::size_t{0});
        void* arguments[] = {static_cast<void*>(&out)};
        QCOMPARE(library("cudaLaunchKernel", static_cast<const void*>(&fetch), Dim3{1, 1, 1}, Dim3{16, 1, 1},
                         &arguments[0], std::size_t{0}, Stream{nullptr}),
                 0);
        QCOMPARE(library("cudaMemcpy", static_cast<void*>(back), static_cast<const void*>(out), std::size_t{64}, 2), 0);
        QVERIFY(std::memcmp(back, numbers, sizeof back) == 0);
        const TextureReference* same = nullptr;
        QCOMPARE(library("cudaGetTextureReference", &same, static_cast<const void*>(&picture)), 0);
        QCOMPARE(same, reference);
        QCOMPARE(library("cudaUnbindTexture", reference), 0);
        TextureReference other{};
        QCOMPARE(library("cudaBindTexture", &offset, static_cast<const TextureReference*>(&other),
                         static_cast<const void*>(memory), &format, std::size_t{64}),
                 int(cudaErrorInvalidTexture));
        reinterpret_cast<void (*)(void**)>(library.symbol("__cudaUnregisterFatBinary"))(handle);
        QCOMPARE(library("cudaFree", memory), 0);
        QCOMPARE(library("cudaFree", out), 0);
    }
};

QTEST_GUILESS_MAIN(FormsTest)
#include "forms_test.moc"
