// SPDX-License-Identifier: Apache-2.0
// Texture and surface instructions through the driver's own functions, on the device that WARPLIGHT_TEST_DRIVER names:
// arrays, texture and surface objects, PTX. What is read is compared with the model of the programming guide.
#include "../software/runtime/texture_model.hpp"

#include <cuda.h>

#include <QLibrary>
#include <QTest>

#include <bit>
#include <functional>
#include <string>

using warplight::software::SamplerState;
using warplight::software::Texel;
using warplight::software::TexelMemory;

namespace {

QLibrary& library() {
    static QLibrary loaded(qgetenv("WARPLIGHT_TEST_DRIVER") == "cuda" ? QStringLiteral("libcuda.so.1")
                                                                      : QStringLiteral(SOFTWARE_DRIVER));
    loaded.setLoadHints(QLibrary::ResolveAllSymbolsHint | QLibrary::PreventUnloadHint);
    return loaded;
}

/// A function of the driver by its exported name, with the type that the header gives it.
template <class F>
F* driver(const char* name, F*) {
    const QFunctionPointer f = library().resolve(name);
    if (!f) qFatal("the driver has no %s", name);
    return reinterpret_cast<F*>(f);
}
#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)
/// The header may give a name its version by a macro: what it becomes is what is exported.
#define CALL(name) driver(TEXT(name), static_cast<decltype(&name)>(nullptr))
#define CU(name, ...) QCOMPARE(static_cast<int>(CALL(name)(__VA_ARGS__)), 0)

using Words = std::array<std::uint32_t, 4>;
using Input = std::array<float, 8>;
constexpr unsigned kThreads = 64;

/// As many inputs a thread as in the runtime's test: %f1…%f8, and truncated %i1…%i8; results in %r1…%r4.
std::string kernel(const char* name, const std::string& body) {
    std::string text =
        ".visible .entry " + std::string(name) +
        "(.param .u64 out, .param .u64 in, .param .u64 object)\n{\n"
        ".reg .b16 %h<8>; .reg .b32 %r<20>; .reg .s32 %i<10>; .reg .f32 %f<10>; .reg .b64 %rd<10>, %obj;\n"
        "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; ld.param.u64 %obj, [object];\n"
        "mov.u32 %r10, %tid.x; mul.wide.u32 %rd3, %r10, 32; add.s64 %rd2, %rd2, %rd3;\n"
        "mul.wide.u32 %rd3, %r10, 16; add.s64 %rd1, %rd1, %rd3;\n"
        "mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0;\n";
    for (int k = 1; k <= 8; ++k) {
        const std::string n = std::to_string(k);
        text += "ld.global.f32 %f" + n + ", [%rd2+" + std::to_string(4 * (k - 1)) + "]; cvt.rzi.s32.f32 %i" + n +
                ", %f" + n + ";\n";
    }
    return text + body + "\nst.global.v4.b32 [%rd1], {%r1, %r2, %r3, %r4};\nret;\n}\n";
}

std::string program() {
    const std::string to = "{%r1,%r2,%r3,%r4}, ";
    return ".version 7.0\n.target sm_75\n.address_size 64\n" +
           kernel("t1d", "tex.1d.v4.f32.f32 " + to + "[%obj, {%f1}];") +
           kernel("t2d", "tex.2d.v4.f32.f32 " + to + "[%obj, {%f1,%f2}];") +
           kernel("t3d", "tex.3d.v4.f32.f32 " + to + "[%obj, {%f1,%f2,%f3,%f3}];") +
           kernel("ta1d", "tex.a1d.v4.f32.f32 " + to + "[%obj, {%i4,%f1}];") +
           kernel("ta2d", "tex.a2d.v4.f32.f32 " + to + "[%obj, {%i4,%f1,%f2,%f2}];") +
           kernel("tcube", "tex.cube.v4.f32.f32 " + to + "[%obj, {%f1,%f2,%f3,%f3}];") +
           kernel("tacube", "tex.acube.v4.f32.f32 " + to + "[%obj, {%i4,%f1,%f2,%f3}];") +
           kernel("tlevel", "tex.level.2d.v4.f32.f32 " + to + "[%obj, {%f1,%f2}], %f5;") +
           kernel("tgrad", "tex.grad.2d.v4.f32.f32 " + to + "[%obj, {%f1,%f2}], {%f5,%f6}, {%f7,%f8};") +
           kernel("tinteger", "tex.2d.v4.u32.s32 " + to + "[%obj, {%i1,%i2}];") +
           kernel("toffset", "tex.2d.v4.f32.f32 " + to + "[%obj, {%f1,%f2}], {1, -2};") +
           kernel("tfetch", "tex.1d.v4.f32.s32 " + to + "[%obj, {%i1}];") +
           kernel("tgather", "tld4.g.2d.v4.f32.f32 " + to + "[%obj, {%f1,%f2}];") +
           kernel("sload", "suld.b.2d.v2.b32.trap {%r1,%r2}, [%obj, {%i1,%i2}];"
                           "suld.b.2d.b32.clamp %r3, [%obj, {%i3,%i4}]; suld.b.2d.b32.zero %r4, [%obj, {%i3,%i4}];") +
           kernel("sstore", "sust.b.2d.b32.trap [%obj, {%i1,%i2}], %i3; sust.b.2d.b16.zero [%obj, {%i4,%i5}], %h0;"
                            "sust.b.2d.b32.clamp [%obj, {-4,%i5}], %i3;") +
           kernel("sreduce", "sured.b.add.2d.s32.trap [%obj, {%i1,%i2}], %i3;") +
           kernel("slayer", "sust.b.a2d.b32.trap [%obj, {%i4,%i1,%i2,0}], %i3;"
                            "suld.b.a2d.b32.trap %r1, [%obj, {%i4,%i1,%i2,0}];") +
           kernel("soutside", "suld.b.2d.b32.trap %r1, [%obj, {%i1,%i2}];");
}

struct Shape {
    unsigned width, height, depth; ///< as cuArray3DCreate has them
    unsigned flags = 0, levels = 1;
};

constexpr CUarray_format kArrayFormats[] = {
    CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
    CU_AD_FORMAT_SIGNED_INT16,  CU_AD_FORMAT_SIGNED_INT32,   CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};

class Random {
public:
    std::uint32_t bits() { return (state_ = state_ * 1664525u + 1013904223u) >> 8; }
    float between(float low, float high) { return low + (high - low) * static_cast<float>(bits() % 65536) / 65536.0f; }

private:
    std::uint32_t state_ = 5;
};

} // namespace

class TextureKernelTest : public QObject {
    Q_OBJECT

    CUmodule module_ = nullptr;
    Random random_;

    /// A mipmapped array with random elements, and the same on this side.
    struct Picture {
        CUmipmappedArray array = nullptr;
        TexelMemory memory;
        std::vector<std::vector<std::byte>> levels;
    };

    void make(Picture& p, Texel format, unsigned channels, const Shape& shape) {
        CUDA_ARRAY3D_DESCRIPTOR d{};
        d.Width = shape.width;
        d.Height = shape.height;
        d.Depth = shape.depth;
        d.Format = kArrayFormats[static_cast<std::size_t>(format)];
        d.NumChannels = channels;
        d.Flags = shape.flags;
        CU(cuMipmappedArrayCreate, &p.array, &d, shape.levels);
        const bool layered = shape.flags & CUDA_ARRAY3D_LAYERED, cube = shape.flags & CUDA_ARRAY3D_CUBEMAP;
        p.memory.format = format;
        p.memory.channels = channels;
        p.memory.dimensions = shape.height == 0 ? 1 : shape.depth && !layered && !cube ? 3 : 2;
        p.memory.cubemap = cube;
        p.memory.layered = layered;
        p.memory.layers = cube ? shape.depth / 6 : layered ? shape.depth : 1;
        for (unsigned k = 0; k < shape.levels; ++k) {
            warplight::software::TextureLevel l;
            l.width = std::max(shape.width >> k, 1u);
            l.height = std::max(shape.height >> k, 1u);
            l.depth = layered || cube ? 1 : std::max(shape.depth >> k, 1u);
            l.row_bytes = std::uint64_t{l.width} * p.memory.element_bytes();
            l.slice_bytes = l.row_bytes * l.height;
            const std::size_t slices = layered || cube ? shape.depth : l.depth;
            auto& bytes = p.levels.emplace_back(l.slice_bytes * slices);
            const std::size_t step = p.memory.element_bytes() / channels;
            for (std::size_t at = 0; at < bytes.size(); at += step) {
                std::uint32_t value = random_.bits() << 8 ^ random_.bits();
                if (format == Texel::f32) value = std::bit_cast<std::uint32_t>(random_.between(-10, 10));
                if (format == Texel::f16) value = (value & 0x83FF) | (10 + random_.bits() % 8) << 10;
                std::memcpy(&bytes[at], &value, step);
            }
            p.memory.levels.push_back(l);
            CUarray level = nullptr;
            CU(cuMipmappedArrayGetLevel, &level, p.array, k);
            CUDA_MEMCPY3D copy{};
            copy.srcMemoryType = CU_MEMORYTYPE_HOST;
            copy.srcHost = bytes.data();
            copy.srcPitch = l.row_bytes;
            copy.srcHeight = l.height;
            copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
            copy.dstArray = level;
            copy.WidthInBytes = l.row_bytes;
            copy.Height = l.height;
            copy.Depth = slices;
            CU(cuMemcpy3D, &copy);
        }
        for (unsigned k = 0; k < shape.levels; ++k)
            p.memory.levels[k].base = p.levels[k].data();
    }

    static CUarray first_level(const Picture& p) {
        CUarray level = nullptr;
        CALL(cuMipmappedArrayGetLevel)(&level, p.array, 0);
        return level;
    }

    void make_texture(CUtexObject& texture, const Picture& p, const SamplerState& s) {
        CUDA_RESOURCE_DESC resource{};
        if (p.memory.levels.size() > 1) {
            resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
            resource.res.mipmap.hMipmappedArray = p.array;
        } else {
            resource.resType = CU_RESOURCE_TYPE_ARRAY;
            resource.res.array.hArray = first_level(p);
        }
        CUDA_TEXTURE_DESC d{};
        std::copy(s.address.begin(), s.address.end(), d.addressMode);
        d.filterMode = s.filter;
        d.flags = (s.read_as_integer ? CU_TRSF_READ_AS_INTEGER : 0u) |
                  (s.normalized_coordinates ? CU_TRSF_NORMALIZED_COORDINATES : 0u);
        d.mipmapFilterMode = s.mipmap_filter;
        d.mipmapLevelBias = s.level_bias;
        d.minMipmapLevelClamp = s.min_level;
        d.maxMipmapLevelClamp = s.max_level;
        std::copy(s.border.begin(), s.border.end(), d.borderColor);
        CU(cuTexObjectCreate, &texture, &resource, &d, nullptr);
    }

    void launch(const char* name, std::uint64_t object, const std::vector<Input>& in, std::vector<Words>& out,
                CUresult expected = CUDA_SUCCESS) {
        CUfunction function = nullptr;
        CU(cuModuleGetFunction, &function, module_, name);
        CUdeviceptr from = 0, to = 0;
        CU(cuMemAlloc, &from, in.size() * sizeof(Input));
        CU(cuMemAlloc, &to, in.size() * sizeof(Words));
        CU(cuMemcpyHtoD, from, in.data(), in.size() * sizeof(Input));
        void* arguments[] = {&to, &from, &object};
        CU(cuLaunchKernel, function, 1, 1, 1, static_cast<unsigned>(in.size()), 1, 1, 0, nullptr, arguments, nullptr);
        QCOMPARE(static_cast<int>(CALL(cuCtxSynchronize)()), static_cast<int>(expected));
        if (expected != CUDA_SUCCESS) return;
        out.resize(in.size());
        CU(cuMemcpyDtoH, out.data(), to, out.size() * sizeof(Words));
        CU(cuMemFree, from);
        CU(cuMemFree, to);
    }

    /// Places around and beyond the texture.
    std::vector<Input> places(const Shape& shape, bool normalized) {
        std::vector<Input> all(kThreads);
        const std::array<unsigned, 3> size = {shape.width, shape.height, shape.depth};
        for (Input& in : all) {
            for (std::size_t k = 0; k < 3; ++k) {
                const float extent = normalized ? 1 : static_cast<float>(std::max(size[k], 1u));
                in[k] = random_.between(-2 * extent, 3 * extent);
            }
            in[3] = static_cast<float>(random_.bits() % 6);
        }
        return all;
    }

    static double value(const TexelMemory& m, const SamplerState& s, std::uint32_t bits) {
        if (m.format == Texel::u32 || (s.read_as_integer && m.format < Texel::s8)) return bits;
        if (m.format == Texel::s32 || (s.read_as_integer && m.format < Texel::f16))
            return static_cast<std::int32_t>(bits);
        return static_cast<double>(std::bit_cast<float>(bits));
    }

    using Expect = std::function<model::Channels(const Picture&, const SamplerState&, const Input&)>;

    /// Runs and compares. Filtered values may be off by what weights of eight bits make of them.
    void check(const char* name, const Picture& p, const SamplerState& s, const std::vector<Input>& in,
               const Expect& expect, double slack = -1) {
        CUtexObject texture = 0;
        make_texture(texture, p, s);
        std::vector<Words> out;
        launch(name, texture, in, out);
        CU(cuTexObjectDestroy, texture);
        if (QTest::currentTestFailed()) return;
        const bool real = p.memory.format == Texel::f16 || p.memory.format == Texel::f32;
        if (slack < 0) slack = s.filter == CU_TR_FILTER_MODE_LINEAR ? (real ? 10.0 : 1.0) * 6 / 256 : real ? 0 : 1e-7;
        for (std::size_t k = 0; k < in.size(); ++k) {
            const model::Channels expected = expect(p, s, in[k]);
            for (std::size_t c = 0; c < 4; ++c) {
                const double got = value(p.memory, s, out[k][c]);
                if (std::fabs(got - expected[c]) <= slack) continue;
                QFAIL(qPrintable(QString("%1 format %2 at %3, %4, %5, %6: channel %7 is %8, expected %9")
                                     .arg(name)
                                     .arg(static_cast<int>(p.memory.format))
                                     .arg(static_cast<double>(in[k][0]))
                                     .arg(static_cast<double>(in[k][1]))
                                     .arg(static_cast<double>(in[k][2]))
                                     .arg(static_cast<double>(in[k][3]))
                                     .arg(c)
                                     .arg(got, 0, 'g', 9)
                                     .arg(expected[c], 0, 'g', 9)));
            }
        }
    }

    void check_modes(const char* name, unsigned dimensions, const Shape& shape) {
        for (int format = 0; format < 8; ++format)
            for (const unsigned channels : {1u, 2u, 4u}) {
                const auto texel = static_cast<Texel>(format);
                Picture p;
                make(p, texel, channels, shape);
                for (int variant = 0; variant < 32 && !QTest::currentTestFailed(); ++variant) {
                    SamplerState s;
                    s.normalized_coordinates = variant & 1;
                    s.filter = variant & 2 ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
                    s.read_as_integer = variant & 4;
                    s.address.fill(CU_TR_ADDRESS_MODE_CLAMP);
                    std::fill_n(s.address.begin(), dimensions, static_cast<CUaddress_mode>(variant >> 3));
                    const bool integers = s.read_as_integer || texel == Texel::u32 || texel == Texel::s32;
                    if (integers && (variant & 2)) continue;
                    if (texel >= Texel::f16 && s.read_as_integer) continue;
                    if ((texel == Texel::u32 || texel == Texel::s32) && !s.read_as_integer) continue;
                    if (!integers) s.border = {1, 0, 1, 0};
                    check(name, p, s, places(shape, s.normalized_coordinates),
                          [&](const Picture& from, const SamplerState& state, const Input& in) {
                              const bool layered = from.memory.layered;
                              const int slice =
                                  layered ? std::min(static_cast<int>(in[3]), static_cast<int>(from.memory.layers) - 1)
                                          : 0;
                              return model::fetch(from.memory, state, from.memory.levels[0], slice,
                                                  {in.begin(), in.begin() + dimensions});
                          });
                }
                CU(cuMipmappedArrayDestroy, p.array);
                if (QTest::currentTestFailed()) return;
            }
    }

private slots:
    void initTestCase() {
        QVERIFY2(library().load(), qPrintable(library().errorString()));
        CU(cuInit, 0);
        CUdevice device = 0;
        CU(cuDeviceGet, &device, 0);
        CUcontext context = nullptr;
        CU(cuDevicePrimaryCtxRetain, &context, device);
        CU(cuCtxSetCurrent, context);
        CU(cuModuleLoadData, &module_, program().c_str());
    }

    void one_dimension() { check_modes("t1d", 1, {7, 0, 0}); }
    void two_dimensions() { check_modes("t2d", 2, {5, 3, 0}); }
    void three_dimensions() { check_modes("t3d", 3, {4, 3, 2}); }
    void layers_of_one_dimension() { check_modes("ta1d", 1, {6, 0, 3, CUDA_ARRAY3D_LAYERED}); }
    void layers_of_two_dimensions() { check_modes("ta2d", 2, {4, 5, 3, CUDA_ARRAY3D_LAYERED}); }

    void cubemaps() {
        for (const bool many : {false, true})
            for (const bool linear : {false, true}) {
                Picture p;
                make(p, Texel::f32, 1,
                     {4, 4, many ? 12u : 6u, CUDA_ARRAY3D_CUBEMAP | (many ? CUDA_ARRAY3D_LAYERED : 0u)});
                SamplerState s;
                s.normalized_coordinates = true;
                s.address.fill(CU_TR_ADDRESS_MODE_CLAMP);
                s.filter = linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
                check(many ? "tacube" : "tcube", p, s, places({1, 1, 1}, true),
                      [&](const Picture& from, const SamplerState& state, const Input& in) {
                          int face = 0;
                          float u = 0, v = 0;
                          model::cube(in[0], in[1], in[2], face, u, v);
                          const int cube = many ? std::min(static_cast<int>(in[3]), 1) : 0;
                          return model::fetch(from.memory, state, from.memory.levels[0], cube * 6 + face, {u, v});
                      });
                CU(cuMipmappedArrayDestroy, p.array);
            }
    }

    void mipmaps() {
        Picture p;
        make(p, Texel::f32, 2, {16, 8, 0, 0, 4});
        SamplerState s;
        s.normalized_coordinates = true;
        s.max_level = 9;
        std::vector<Input> in = places({1, 1, 0}, true);
        for (std::size_t k = 0; k < in.size(); ++k)
            in[k][4] = -1 + static_cast<float>(k) / 8 + 0.03f;
        for (const bool smooth : {false, true}) {
            s.mipmap_filter = smooth ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
            check(
                "tlevel", p, s, in,
                [&](const Picture& from, const SamplerState& state, const Input& i) {
                    const double level = std::clamp(static_cast<double>(i[4]), 0.0, 3.0);
                    const auto at = [&](int which) {
                        return model::fetch(from.memory, state, from.memory.levels.at(static_cast<std::size_t>(which)),
                                            0, {i[0], i[1]});
                    };
                    if (!smooth) return at(static_cast<int>(std::floor(level + 0.5)));
                    const int finer = static_cast<int>(level);
                    model::Channels a = at(finer);
                    const model::Channels b = at(std::min(finer + 1, 3));
                    for (std::size_t c = 0; c < 4; ++c)
                        a[c] += (level - finer) * (b[c] - a[c]);
                    return a;
                },
                smooth ? 20.0 / 256 : 0);
        }
        // Steps of 2^n elements along an axis are level n.
        s.mipmap_filter = CU_TR_FILTER_MODE_POINT;
        for (std::size_t k = 0; k < in.size(); ++k) {
            in[k][4] = in[k][5] = in[k][6] = in[k][7] = 0;
            (k & 1 ? in[k][4] : in[k][7]) = static_cast<float>(1 << (k / 2) % 4) / (k & 1 ? 16.0f : 8.0f);
        }
        std::size_t index = 0;
        check("tgrad", p, s, in, [&](const Picture& from, const SamplerState& state, const Input& i) {
            const std::size_t k = index++;
            return model::fetch(from.memory, state, from.memory.levels.at(k / 2 % 4), 0, {i[0], i[1]});
        });
        CU(cuMipmappedArrayDestroy, p.array);
    }

    void integer_coordinates_and_offsets() {
        Picture p;
        make(p, Texel::s16, 2, {5, 3, 0});
        SamplerState s;
        s.address.fill(CU_TR_ADDRESS_MODE_CLAMP);
        s.read_as_integer = true;
        std::vector<Input> in(kThreads);
        for (std::size_t k = 0; k < in.size(); ++k)
            in[k] = {static_cast<float>(k % 9) - 2, static_cast<float>(k / 9) - 2};
        check("tinteger", p, s, in, [](const Picture& from, const SamplerState& state, const Input& i) {
            if (i[0] < 0 || i[0] > 4 || i[1] < 0 || i[1] > 2) return model::Channels{};
            return model::fetch(from.memory, state, from.memory.levels[0], 0, {i[0], i[1]});
        });
        check("toffset", p, s, in, [](const Picture& from, const SamplerState& state, const Input& i) {
            return model::fetch(from.memory, state, from.memory.levels[0], 0, {i[0] + 1, i[1] - 2});
        });
        CU(cuMipmappedArrayDestroy, p.array);
    }

    void gathered() {
        Picture p;
        make(p, Texel::u8, 4, {6, 5, 0, CUDA_ARRAY3D_TEXTURE_GATHER});
        SamplerState s;
        s.address.fill(CU_TR_ADDRESS_MODE_CLAMP);
        check("tgather", p, s, places({6, 5, 0}, false),
              [](const Picture& from, const SamplerState& state, const Input& in) {
                  // Counter-clockwise from the lower left; GPUs round coordinates to 1/256.
                  const auto low = [](float x) {
                      return static_cast<float>(
                          std::floor((std::floor(static_cast<double>(x) * 256 + 0.5) - 128) / 256));
                  };
                  const float i = low(in[0]), j = low(in[1]);
                  const auto green = [&](float x, float y) {
                      return model::fetch(from.memory, state, from.memory.levels[0], 0, {x, y})[1];
                  };
                  return model::Channels{green(i, j + 1), green(i + 1, j + 1), green(i + 1, j), green(i, j)};
              });
        CU(cuMipmappedArrayDestroy, p.array);
    }

    void linear_memory() {
        const std::array<std::int8_t, 16> bytes = {-128, -127, -1, 0, 1, 2, 64, 127, 5, 6, 7, 8, 9, 10, 11, 12};
        CUdeviceptr memory = 0;
        CU(cuMemAlloc, &memory, 512);
        CU(cuMemcpyHtoD, memory, bytes.data(), bytes.size());
        CUDA_RESOURCE_DESC resource{};
        resource.resType = CU_RESOURCE_TYPE_LINEAR;
        resource.res.linear.devPtr = memory;
        resource.res.linear.format = CU_AD_FORMAT_SIGNED_INT8;
        resource.res.linear.numChannels = 2;
        resource.res.linear.sizeInBytes = bytes.size();
        CUDA_TEXTURE_DESC d{};
        CUtexObject texture = 0;
        CU(cuTexObjectCreate, &texture, &resource, &d, nullptr);
        std::vector<Input> in(kThreads);
        for (std::size_t k = 0; k < in.size(); ++k)
            in[k][0] = static_cast<float>(k) - 20;
        std::vector<Words> out;
        launch("tfetch", texture, in, out);
        for (std::size_t k = 0; k < in.size(); ++k)
            for (std::size_t c = 0; c < 4; ++c) {
                const int index = static_cast<int>(k) - 20;
                const bool inside = index >= 0 && index < 8 && c < 2;
                const float expected =
                    inside
                        ? std::max(static_cast<float>(bytes[static_cast<std::size_t>(index) * 2 + c]) / 127.0f, -1.0f)
                        : 0.0f;
                QCOMPARE(std::bit_cast<float>(out[k][c]), expected);
            }
        CU(cuTexObjectDestroy, texture);
        CU(cuMemFree, memory);
    }

    void surfaces() {
        Picture p;
        make(p, Texel::s32, 1, {16, 4, 0, CUDA_ARRAY3D_SURFACE_LDST});
        CUDA_RESOURCE_DESC resource{};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = first_level(p);
        CUsurfObject surface = 0;
        CU(cuSurfObjectCreate, &surface, &resource);
        std::vector<std::int32_t> words(64);
        std::memcpy(words.data(), p.levels[0].data(), 256);
        const auto download = [&] {
            std::vector<std::int32_t> now(64);
            CUDA_MEMCPY3D copy{};
            copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
            copy.srcArray = first_level(p);
            copy.dstMemoryType = CU_MEMORYTYPE_HOST;
            copy.dstHost = now.data();
            copy.dstPitch = 64;
            copy.dstHeight = 4;
            copy.WidthInBytes = 64;
            copy.Height = 4;
            copy.Depth = 1;
            CALL(cuMemcpy3D)(&copy);
            return now;
        };
        std::vector<Input> in(32);
        for (std::size_t k = 0; k < in.size(); ++k)
            in[k] = {static_cast<float>(k % 8 * 8), static_cast<float>(k / 8), (static_cast<float>(k % 20) - 2) * 4,
                     static_cast<float>(k / 4) - 2};
        std::vector<Words> out;
        launch("sload", surface, in, out);
        for (std::size_t k = 0; k < in.size(); ++k) {
            const std::size_t at = k / 8 * 16 + k % 8 * 2;
            QCOMPARE(static_cast<std::int32_t>(out[k][0]), words[at]);
            QCOMPARE(static_cast<std::int32_t>(out[k][1]), words[at + 1]);
            const int x = static_cast<int>(k % 20) - 2, y = static_cast<int>(k / 4) - 2;
            const bool inside = x >= 0 && x < 16 && y >= 0 && y < 4;
            const auto clamped = static_cast<std::size_t>(std::clamp(y, 0, 3) * 16 + std::clamp(x, 0, 15));
            QCOMPARE(static_cast<std::int32_t>(out[k][2]), words[clamped]);
            QCOMPARE(static_cast<std::int32_t>(out[k][3]), inside ? words[clamped] : 0);
        }
        // One thread: words, half of one that lies outside, and one that is drawn to the edge.
        launch("sstore", surface, {{8, 1, 1234, 64, 3}}, out);
        words[16 + 2] = words[48] = 1234;
        QVERIFY(download() == words);
        launch("sreduce", surface, std::vector<Input>(32, Input{4, 2, -3}), out);
        words[32 + 1] += 32 * -3;
        QVERIFY(download() == words);
        CU(cuSurfObjectDestroy, surface);
        CU(cuMipmappedArrayDestroy, p.array);
    }

    void layered_surfaces() {
        Picture p;
        make(p, Texel::u32, 1, {4, 2, 3, CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST});
        CUDA_RESOURCE_DESC resource{};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = first_level(p);
        CUsurfObject surface = 0;
        CU(cuSurfObjectCreate, &surface, &resource);
        std::vector<Input> in(24);
        for (std::size_t k = 0; k < in.size(); ++k)
            in[k] = {static_cast<float>(k % 4 * 4), static_cast<float>(k / 4 % 2), static_cast<float>(k + 100),
                     static_cast<float>(k / 8)};
        std::vector<Words> out;
        launch("slayer", surface, in, out);
        for (std::size_t k = 0; k < in.size(); ++k)
            QCOMPARE(out[k][0], static_cast<std::uint32_t>(k) + 100);
        CU(cuSurfObjectDestroy, surface);
        CU(cuMipmappedArrayDestroy, p.array);
    }

    /// Numbers that are no texture read as 0; a GPU may still find one that was destroyed there.
    void no_object() {
        Picture p;
        make(p, Texel::f32, 1, {4, 4, 0});
        CUtexObject destroyed = 0;
        make_texture(destroyed, p, SamplerState{});
        CU(cuTexObjectDestroy, destroyed);
        for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{0x7777}, std::uint64_t{destroyed}}) {
            std::vector<Words> out;
            launch("t2d", number, {{1, 1}, {2, 3}}, out);
            if (QTest::currentTestFailed()) return;
            if (library().resolve("cuxWarplightLastError") == nullptr) continue;
            for (const Words& words : out)
                QVERIFY(words == Words{});
        }
        CU(cuMipmappedArrayDestroy, p.array);
    }

    /// The last one: the context is lost.
    void outside_of_a_surface() {
        Picture p;
        make(p, Texel::u32, 1, {4, 4, 0, CUDA_ARRAY3D_SURFACE_LDST});
        CUDA_RESOURCE_DESC resource{};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = first_level(p);
        CUsurfObject surface = 0;
        CU(cuSurfObjectCreate, &surface, &resource);
        std::vector<Words> out;
        launch("soutside", surface, {{0, 0}, {4, 3}, {16, 0}}, out, CUDA_ERROR_ILLEGAL_ADDRESS);
        // The software device says more than a GPU.
        if (const QFunctionPointer f = library().resolve("cuxWarplightLastError")) {
            char text[4096] = "";
            reinterpret_cast<int (*)(char*, std::size_t)>(f)(text, sizeof text);
            for (const char* part : {"outside of a surface", "'soutside'", "suld", "block (0,0,0)", "thread (2,0,0)"})
                QVERIFY2(std::strstr(text, part), text);
        }
    }
};

QTEST_GUILESS_MAIN(TextureKernelTest)
#include "texture_kernel_test.moc"
