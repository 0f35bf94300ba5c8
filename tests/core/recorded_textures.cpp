// SPDX-License-Identifier: Apache-2.0
// Textures of every shape and format, read in every mode.
#include "recorded_cases.hpp"
#include "warplight/array.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/structured_copy.hpp"
#include "warplight/texture.hpp"

#include <array>
#include <cstring>

using namespace warplight::driver;
using warplight::ConstBuffer;

namespace recorded {
namespace {

constexpr std::size_t kPoints = 24;

/// Samples at four numbers a point: x, y, z and a layer.
std::string kernel(const std::string& name, const std::string& geometry, const std::string& coordinates) {
    return ".visible .entry " + name + R"((.param .u64 texture, .param .u64 places, .param .u64 out)
{
    .reg .f32 %f<4>; .reg .b32 %r<8>; .reg .b64 %rd<6>;
    ld.param.u64 %rd0, [texture]; ld.param.u64 %rd1, [places]; ld.param.u64 %rd2, [out];
    mov.u32 %r0, %tid.x; mul.wide.u32 %rd3, %r0, 16;
    add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
    ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%rd1];
    cvt.rzi.u32.f32 %r1, %f3;
    tex.)" +
           geometry + ".v4.u32.f32 {%r2, %r3, %r4, %r5}, [%rd0, " + coordinates + R"(];
    st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};
    ret;
}
)";
}

struct Shape {
    const char* name;
    const char* kernel;
    ArrayDescriptor3D extents; ///< without a format
    std::array<float, 3> size;
    std::size_t slices;
    bool cube = false;
};
constexpr Shape kShapes[] = {
    {"1-D", "t1", {13, 0, 0}, {13, 1, 1}, 1},
    {"2-D", "t2", {7, 5, 0}, {7, 5, 1}, 1},
    {"3-D", "t3", {5, 4, 3}, {5, 4, 3}, 3},
    {"1-D layers", "a1", {11, 0, 4, {}, 0, array3d_flags::LAYERED}, {11, 1, 1}, 4},
    {"2-D layers", "a2", {6, 5, 3, {}, 0, array3d_flags::LAYERED}, {6, 5, 1}, 3},
    {"cubemap", "cube", {4, 4, 6, {}, 0, array3d_flags::CUBEMAP}, {1, 1, 1}, 6, true},
};
struct Format {
    const char* name;
    array_format format;
    unsigned channels, bytes; ///< of a channel
};
constexpr Format kFormats[] = {
    {"u8x4", array_format::UNSIGNED_INT8, 4, 1}, {"s8x2", array_format::SIGNED_INT8, 2, 1},
    {"u16", array_format::UNSIGNED_INT16, 1, 2}, {"s16x4", array_format::SIGNED_INT16, 4, 2},
    {"u32", array_format::UNSIGNED_INT32, 1, 4}, {"s32x2", array_format::SIGNED_INT32, 2, 4},
    {"half x4", array_format::HALF, 4, 2},       {"float", array_format::FLOAT, 1, 4},
};
constexpr const char* kModes[] = {"wrap", "clamp", "mirror", "border"};

Bytes texels(const Shape& shape, const Format& format, std::uint32_t seed) {
    const std::size_t rows = std::max<std::size_t>(shape.extents.height, 1);
    const std::size_t elements = shape.extents.width * rows * shape.slices;
    Bytes bytes = noise(elements * format.channels * format.bytes, seed);
    if (format.format == array_format::FLOAT)
        for (std::size_t i = 0; i < bytes.size() / 4; ++i) {
            const float value = static_cast<float>(bytes[4 * i] * 256 + bytes[4 * i + 1]) / 64.0F - 400.0F;
            std::memcpy(bytes.data() + 4 * i, &value, 4);
        }
    if (format.format == array_format::HALF)
        for (std::size_t i = 1; i < bytes.size(); i += 2) // exponents from 2^-11 to 2^4
            bytes[i] = static_cast<std::uint8_t>((bytes[i] & 0x83) | (4 + bytes[i] / 4 % 16) << 2);
    return bytes;
}

std::vector<float> places(const Shape& shape, bool normalized, std::uint32_t seed) {
    const Bytes bytes = noise(kPoints * 8, seed);
    std::vector<float> all;
    for (std::size_t i = 0; i < kPoints; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            // From -1 to 2 of the extent, in steps that coordinates have exactly.
            const float part = static_cast<float>(bytes[8 * i + 2 * k] * 256 + bytes[8 * i + 2 * k + 1]) / 65536.0F;
            const float extent = normalized || shape.cube ? 1.0F : shape.size[k];
            all.push_back(shape.cube ? part * 2 - 1 : (part * 3 - 1) * extent);
        }
        all.push_back(static_cast<float>(bytes[8 * i + 6] % 6));
    }
    return all;
}

Bytes sampled(const Shape& shape, const Format& format, const TextureDescriptor& how, std::uint32_t seed) {
    static const std::string text = ".version 6.5\n.target sm_75\n.address_size 64\n" + kernel("t1", "1d", "{%f0}") +
                                    kernel("t2", "2d", "{%f0, %f1}") + kernel("t3", "3d", "{%f0, %f1, %f2, %f2}") +
                                    kernel("a1", "a1d", "{%r1, %f0}") + kernel("a2", "a2d", "{%r1, %f0, %f1, %f1}") +
                                    kernel("cube", "cube", "{%f0, %f1, %f2, %f2}");
    ArrayDescriptor3D descriptor = shape.extents;
    descriptor.format = format.format;
    descriptor.num_channels = format.channels;
    const Array array(descriptor);
    const Bytes content = texels(shape, format, seed);
    Memcpy3D fill;
    fill.set_src_host(ConstBuffer{content.data(), content.size()});
    fill.set_dst_array(array);
    fill.width_in_bytes = fill.src_pitch = descriptor.width * format.channels * format.bytes;
    fill.height = fill.src_height = std::max<std::size_t>(descriptor.height, 1);
    fill.depth = shape.slices;
    fill();
    const TextureObject texture(ResourceDescriptor::array(array), how);
    const std::vector<float> where = places(shape, (how.flags & TRSF_NORMALIZED_COORDINATES) != 0, seed + 1);
    const DeviceAllocation in = to_device(where), out = mem_alloc(kPoints * 16);
    const Module module = module_from_buffer(std::string_view(text));
    module.get_function(shape.kernel)({.grid = {1}, .block = {kPoints}}, texture, in, out);
    Bytes result(kPoints * 16);
    memcpy_dtoh({result.data(), result.size()}, out);
    return result;
}

} // namespace

void add_textures(std::vector<Case>& cases) {
    std::uint32_t seed = 5000;
    for (const Shape& shape : kShapes)
        for (const Format& format : kFormats) {
            const bool real = format.format == array_format::HALF || format.format == array_format::FLOAT;
            const bool wide = format.bytes == 4 && !real;
            // Nearest and linear, as fractions and as integers, each in two modes that are others for other formats.
            for (int variant = 0; variant < 8; ++variant, ++seed) {
                TextureDescriptor how;
                how.address_mode.fill(address_mode((static_cast<int>(seed) / 8 + variant + variant / 4) % 4));
                if (variant & 1) how.filter_mode = filter_mode::LINEAR;
                if ((variant & 2) && (real || wide)) continue;
                if ((variant & 2) || wide) how.flags |= TRSF_READ_AS_INTEGER;
                if (shape.cube || (seed / 8 + static_cast<std::uint32_t>(variant) / 4) % 2 == 0)
                    how.flags |= TRSF_NORMALIZED_COORDINATES;
                const bool integers = (how.flags & TRSF_READ_AS_INTEGER) != 0;
                if (!integers) how.border_color = {1, 0, 1, 0};
                cases.push_back({std::string(shape.name) + " texture, " + format.name +
                                     (integers && !wide ? " as integers, " : ", ") +
                                     (how.filter_mode == filter_mode::LINEAR ? "linear, " : "nearest, ") +
                                     kModes[static_cast<int>(how.address_mode[0])] +
                                     (how.flags & TRSF_NORMALIZED_COORDINATES ? ", normalised" : ""),
                                 [=, &shape, &format] { return sampled(shape, format, how, seed); }});
            }
        }
}

} // namespace recorded
