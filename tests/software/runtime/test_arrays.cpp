// SPDX-License-Identifier: Apache-2.0
// Arrays, textures and surfaces through the entry points: what the C++ interface does not reach.
#include "driver_fixture.hpp"

#include <cstring>
#include <optional>

namespace {

CUDA_ARRAY3D_DESCRIPTOR shape(std::size_t width, std::size_t height, std::size_t depth, unsigned flags = 0,
                              CUarray_format format = CU_AD_FORMAT_FLOAT, unsigned channels = 1) {
    CUDA_ARRAY3D_DESCRIPTOR d{};
    d.Width = width;
    d.Height = height;
    d.Depth = depth;
    d.Flags = flags;
    d.Format = format;
    d.NumChannels = channels;
    return d;
}

CUarray make(const CUDA_ARRAY3D_DESCRIPTOR& d) {
    CUarray array = nullptr;
    return cuArray3DCreate(&array, &d) == CUDA_SUCCESS ? array : nullptr;
}

CUDA_RESOURCE_DESC of(CUarray array) {
    CUDA_RESOURCE_DESC r{};
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = array;
    return r;
}

constexpr char kReference[] = ".global .texref image;\n.global .surfref canvas;\n.visible .entry nothing() { ret; }\n";

} // namespace

class ArraysTest : public QObject {
    Q_OBJECT
    std::optional<Session> session_;

private slots:
    void init() { session_.emplace(); }
    void cleanup() { session_.reset(); }

    void arrays() {
        const auto d = shape(16, 8, 0);
        CUarray array = nullptr;
        CUDA_ARRAY_DESCRIPTOR flat{};
        CUDA_ARRAY3D_DESCRIPTOR told{};
        CU_FAILS(cuArray3DCreate(nullptr, &d), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuArray3DCreate(&array, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuArrayCreate(&array, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU(cuArray3DCreate(&array, &d));
        CU_FAILS(cuArrayGetDescriptor(nullptr, array), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuArrayGetDescriptor(&flat, nullptr), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuArray3DGetDescriptor(&told, reinterpret_cast<CUarray>(&flat)), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuArrayDestroy(nullptr), CUDA_ERROR_INVALID_HANDLE);
        CU(cuArrayDestroy(array));
        CU_FAILS(cuArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuArrayGetDescriptor(&flat, array), CUDA_ERROR_INVALID_HANDLE);
        float host[16] = {};
        CU_FAILS(cuMemcpyHtoA(array, 0, host, 16), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuMemcpyHtoA(nullptr, 0, host, 16), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemcpy2D(nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemcpy3D(nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMemcpy3DPeer(nullptr), CUDA_ERROR_INVALID_VALUE);
        CUcontext context = nullptr;
        CU(cuCtxPopCurrent(&context));
        CU_FAILS(cuArray3DCreate(&array, &d), CUDA_ERROR_INVALID_CONTEXT);
        CU_FAILS(cuMemcpyHtoA(array, 0, host, 16), CUDA_ERROR_INVALID_CONTEXT);
        CU(cuCtxPushCurrent(context));
    }

    void copies() {
        const CUarray array = make(shape(16, 8, 0));
        std::vector<float> host(128);
        CUDA_MEMCPY3D c{};
        c.srcMemoryType = CU_MEMORYTYPE_HOST;
        c.srcHost = host.data();
        c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        c.dstArray = array;
        c.WidthInBytes = 64;
        c.Height = 8;
        c.Depth = 1;
        CU(cuMemcpy3D(&c));
        c.reserved0 = host.data(); // not looked at, as the level of what is no array
        c.srcLOD = 1;
        CU(cuMemcpy3D(&c));
        c.dstLOD = 1;
        CU_FAILS(cuMemcpy3D(&c), CUDA_ERROR_INVALID_VALUE);
        c.dstLOD = c.srcLOD = 0;
        c.reserved0 = nullptr;
        CU_FAILS(cuMemcpy3DAsync(&c, reinterpret_cast<CUstream>(&c)), CUDA_ERROR_INVALID_HANDLE);
        CUDA_MEMCPY3D_PEER p{};
        p.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        p.srcDevice = Session::allocate(512);
        p.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        p.dstArray = array;
        p.WidthInBytes = 64;
        p.Height = 8;
        p.Depth = 1;
        CU(cuMemcpy3DPeer(&p)); // addresses say where their memory is
        p.srcContext = session_->context;
        CU(cuMemcpy3DPeer(&p));
        CU(cuMemcpy3DPeerAsync(&p, nullptr));
        CU(cuMemcpyHtoAAsync(make(shape(64, 0, 0)), 0, host.data(), 256, nullptr));
        CU(cuCtxSynchronize());
    }

    void levels() {
        const auto d = shape(16, 8, 0);
        CUmipmappedArray array = nullptr;
        CU(cuMipmappedArrayCreate(&array, &d, 3));
        CUarray level = nullptr, same = nullptr;
        CU(cuMipmappedArrayGetLevel(&level, array, 1));
        CU(cuMipmappedArrayGetLevel(&same, array, 1));
        QCOMPARE(level, same);
        CU_FAILS(cuMipmappedArrayGetLevel(&level, array, 3), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuMipmappedArrayGetLevel(&level, nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuArrayDestroy(level), CUDA_ERROR_INVALID_HANDLE); // it goes with the whole
        CUDA_ARRAY_DESCRIPTOR told{};
        CU(cuArrayGetDescriptor(&told, level));
        QCOMPARE(told.Width, std::size_t{8});
        CU(cuMipmappedArrayDestroy(array));
        CU_FAILS(cuMipmappedArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuArrayGetDescriptor(&told, level), CUDA_ERROR_INVALID_HANDLE);
    }

    void memory_is_given_back_with_the_context() {
        std::size_t before = 0, after = 0, total = 0;
        CU(cuMemGetInfo(&before, &total));
        {
            const Session inner;
            const CUarray array = make(shape(1024, 1024, 0));
            QVERIFY(array);
            CUDA_TEXTURE_DESC t{};
            CUtexObject texture = 0;
            const auto r = of(array);
            CU(cuTexObjectCreate(&texture, &r, &t, nullptr));
            CU(cuMemGetInfo(&after, &total));
            QCOMPARE(before - after, std::size_t{4} << 20);
        }
        CU(cuMemGetInfo(&after, &total));
        QCOMPARE(after, before);
    }

    void objects() {
        const CUarray array = make(shape(16, 8, 0, CUDA_ARRAY3D_SURFACE_LDST));
        const auto r = of(array);
        CUDA_TEXTURE_DESC t{};
        CUDA_RESOURCE_DESC back{};
        CUDA_RESOURCE_VIEW_DESC view{};
        CUtexObject texture = 0;
        CUsurfObject surface = 0;
        CU_FAILS(cuTexObjectCreate(nullptr, &r, &t, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuTexObjectCreate(&texture, nullptr, &t, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuTexObjectCreate(&texture, &r, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuSurfObjectCreate(nullptr, &r), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuSurfObjectCreate(&surface, nullptr), CUDA_ERROR_INVALID_VALUE);
        auto flagged = r;
        flagged.flags = 1;
        CU_FAILS(cuTexObjectCreate(&texture, &flagged, &t, nullptr), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuSurfObjectCreate(&surface, &flagged), CUDA_ERROR_INVALID_VALUE);
        CU(cuTexObjectCreate(&texture, &r, &t, nullptr));
        CU(cuSurfObjectCreate(&surface, &r));
        CU_FAILS(cuTexObjectGetResourceDesc(nullptr, texture), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuTexObjectGetResourceDesc(&back, surface), CUDA_ERROR_INVALID_VALUE); // of the other kind
        CU_FAILS(cuSurfObjectGetResourceDesc(&back, texture), CUDA_ERROR_INVALID_VALUE);
        view.width = 77;
        CU(cuTexObjectGetResourceViewDesc(&view, texture)); // there is none: nothing is written
        QCOMPARE(view.width, std::size_t{77});
        t.borderColor[0] = 77;
        CU(cuTexObjectGetTextureDesc(&t, texture));
        QCOMPARE(t.borderColor[0], 77.0F);
        // What is no object can be destroyed as often as one likes.
        CU(cuTexObjectDestroy(surface));
        CU(cuTexObjectDestroy(0));
        CU(cuSurfObjectGetResourceDesc(&back, surface));
        CU(cuTexObjectDestroy(texture));
        CU(cuTexObjectDestroy(texture));
        CU_FAILS(cuTexObjectGetTextureDesc(&t, texture), CUDA_ERROR_INVALID_VALUE);
        CU(cuSurfObjectDestroy(surface));
        CU(cuSurfObjectDestroy(surface));
        CU(cuArrayDestroy(array));
        CU_FAILS(cuTexObjectCreate(&texture, &r, &t, nullptr), CUDA_ERROR_INVALID_HANDLE);
    }

    /// Its texture and its surface are left without memory.
    void an_array_that_is_gone() {
        constexpr const char* read = R"(
.visible .entry texture(.param .u64 from, .param .u64 to)
{
    .reg .f32 %f<4>; .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [from]; ld.param.u64 %rd1, [to];
    tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {0f3F800000, 0f3F800000}];
    st.global.f32 [%rd1], %f0; ret;
}
.visible .entry surface(.param .u64 from, .param .u64 to)
{
    .reg .b32 %r; .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [from]; ld.param.u64 %rd1, [to];
    suld.b.2d.b32.trap %r, [%rd0, {0, 0}];
    st.global.u32 [%rd1], %r; ret;
}
)";
        for (const bool surface : {false, true}) {
            for (const bool gone : {false, true}) {
                Session session;
                const CUfunction f = session.load(ptx(read), surface ? "surface" : "texture");
                QVERIFY2(f, last_error_text().c_str());
                const CUarray array = make(shape(256, 256, 0));
                const auto r = of(array);
                const CUDA_TEXTURE_DESC t{};
                unsigned long long object = 0;
                if (surface)
                    CU(cuSurfObjectCreate(&object, &r));
                else
                    CU(cuTexObjectCreate(&object, &r, &t, nullptr));
                CUdeviceptr out = Session::allocate(4);
                std::size_t before = 0, after = 0, total = 0;
                CU(cuMemGetInfo(&before, &total));
                if (gone) CU(cuArrayDestroy(array));
                CU(cuMemGetInfo(&after, &total));
                QCOMPARE(after > before, gone);
                CUDA_RESOURCE_DESC told{};
                if (surface)
                    CU(cuSurfObjectGetResourceDesc(&told, object));
                else
                    CU(cuTexObjectGetResourceDesc(&told, object));
                CU(Session::launch(f, 1, 1, {&object, &out}));
                QCOMPARE(code_name(cuCtxSynchronize()), code_name(gone ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS));
                if (gone)
                    QVERIFY2(last_error_text().find("memory is gone") != std::string::npos, last_error_text().c_str());
            }
        }
    }

    void references() {
        CUmodule module = nullptr;
        CU(cuModuleLoadData(&module, ptx(kReference).c_str()));
        CUtexref image = nullptr;
        CUsurfref canvas = nullptr;
        CU(cuModuleGetTexRef(&image, module, "image"));
        CU(cuModuleGetSurfRef(&canvas, module, "canvas"));
        CUdeviceptr address = 0;
        std::size_t size = 0;
        CU_FAILS(cuModuleGetGlobal(&address, &size, module, "image"), CUDA_ERROR_NOT_FOUND);
        const CUarray plain = make(shape(16, 8, 0)), drawn = make(shape(16, 8, 0, CUDA_ARRAY3D_SURFACE_LDST));
        CU(cuTexRefSetArray(image, plain, 0));
        CU_FAILS(cuTexRefSetArray(image, plain, 2), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuTexRefSetArray(nullptr, plain, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuTexRefSetArray(image, nullptr, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_HANDLE);
        CU(cuTexRefSetArray(image, plain, CU_TRSA_OVERRIDE_FORMAT));
        CU_FAILS(cuTexRefDestroy(image), CUDA_ERROR_INVALID_VALUE); // it goes with its module
        CU_FAILS(cuSurfRefSetArray(canvas, drawn, 1), CUDA_ERROR_INVALID_VALUE);
        CU(cuSurfRefSetArray(canvas, drawn, 0));
        // What else a reference has.
        const float border[4] = {1, 2, 3, 4};
        float back[4] = {}, low = 0, high = 0, bias = 0;
        int anisotropy = 0;
        CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
        CU(cuTexRefSetBorderColor(image, const_cast<float*>(border)));
        CU(cuTexRefGetBorderColor(back, image));
        QVERIFY(std::memcmp(border, back, sizeof back) == 0);
        CU(cuTexRefSetMipmapLevelClamp(image, 1, 3));
        CU(cuTexRefGetMipmapLevelClamp(&low, &high, image));
        QCOMPARE(low + high, 4.0F);
        CU(cuTexRefSetMipmapLevelBias(image, -2));
        CU(cuTexRefGetMipmapLevelBias(&bias, image));
        QCOMPARE(bias, -2.0F);
        CU(cuTexRefSetMaxAnisotropy(image, 40));
        CU(cuTexRefGetMaxAnisotropy(&anisotropy, image));
        QCOMPARE(anisotropy, 16);
        CU(cuTexRefSetMipmapFilterMode(image, CU_TR_FILTER_MODE_LINEAR));
        CU(cuTexRefGetMipmapFilterMode(&filter, image));
        QCOMPARE(filter, CU_TR_FILTER_MODE_LINEAR);
        const auto d = shape(16, 8, 0);
        CUmipmappedArray levels = nullptr, bound = nullptr;
        CU(cuMipmappedArrayCreate(&levels, &d, 3));
        CU_FAILS(cuTexRefGetMipmappedArray(&bound, image), CUDA_ERROR_INVALID_VALUE);
        CU(cuTexRefSetMipmappedArray(image, levels, CU_TRSA_OVERRIDE_FORMAT));
        CU(cuTexRefGetMipmappedArray(&bound, image));
        QCOMPARE(bound, levels);
        CUarray array = nullptr;
        CU_FAILS(cuTexRefGetArray(&array, image), CUDA_ERROR_INVALID_VALUE);
        const CUdeviceptr memory = Session::allocate(4096);
        CU_FAILS(cuTexRefSetAddress(nullptr, image, memory + 4, 64), CUDA_ERROR_INVALID_VALUE);
        CU(cuTexRefGetMipmappedArray(&bound, image)); // what was refused changed nothing
        CU(cuTexRefSetAddress(nullptr, image, memory, 64));
        CU(cuTexRefSetAddress(nullptr, image, 0, 0));
        CU(cuTexRefGetAddress(&address, image));
        QCOMPARE(address, CUdeviceptr{0});
        const CUarray brief = make(shape(16, 8, 0));
        CU(cuTexRefSetArray(image, brief, CU_TRSA_OVERRIDE_FORMAT));
        CU(cuArrayDestroy(brief));
        CU_FAILS(cuTexRefGetArray(&array, image), CUDA_ERROR_INVALID_VALUE);

        CUfunction function = nullptr;
        CU(cuModuleGetFunction(&function, module, "nothing"));
        // No driver of today takes any.
        CU_FAILS(cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, image), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuParamSetTexRef(function, 0, image), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuParamSetTexRef(nullptr, CU_PARAM_TR_DEFAULT, image), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuParamSetTexRef(function, CU_PARAM_TR_DEFAULT, nullptr), CUDA_ERROR_INVALID_HANDLE);

        CUtexref own = nullptr;
        CU(cuTexRefCreate(&own));
        CU(cuTexRefDestroy(own));
        CU_FAILS(cuTexRefDestroy(own), CUDA_ERROR_INVALID_HANDLE);
        CU(cuModuleUnload(module));
        unsigned flags = 0;
        CU_FAILS(cuTexRefGetFlags(&flags, image), CUDA_ERROR_INVALID_HANDLE);
        CU_FAILS(cuSurfRefGetArray(&array, canvas), CUDA_ERROR_INVALID_HANDLE);
    }
};

QTEST_GUILESS_MAIN(ArraysTest)
#include "test_arrays.moc"
