// SPDX-License-Identifier: Apache-2.0
// Texture fetching as the CUDA programming guide's appendix describes it, in plain double precision: slow, and written
// apart from the code that it checks. Weights are not rounded; who compares allows for that.
#pragma once

#include "software/runtime/texture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

namespace model {

using warplight::software::SamplerState;
using warplight::software::Texel;
using warplight::software::TexelMemory;
using warplight::software::TextureLevel;
using Channels = std::array<double, 4>;

template <class T>
double at(const std::byte* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return static_cast<double>(value);
}

inline double half(const std::byte* p) {
    std::uint16_t bits;
    std::memcpy(&bits, p, 2);
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double magnitude =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25); // finite ones alone
    return bits & 0x8000 ? -magnitude : magnitude;
}

inline double channel(const TexelMemory& m, const SamplerState& s, const std::byte* p) {
    const bool raw = s.read_as_integer;
    switch (m.format) {
    case Texel::u8: return at<std::uint8_t>(p) / (raw ? 1 : 255.0);
    case Texel::u16: return at<std::uint16_t>(p) / (raw ? 1 : 65535.0);
    case Texel::u32: return at<std::uint32_t>(p);
    case Texel::s8: return raw ? at<std::int8_t>(p) : std::max(at<std::int8_t>(p) / 127.0, -1.0);
    case Texel::s16: return raw ? at<std::int16_t>(p) : std::max(at<std::int16_t>(p) / 32767.0, -1.0);
    case Texel::s32: return at<std::int32_t>(p);
    case Texel::f16: return half(p);
    case Texel::f32: return at<float>(p);
    }
    return 0;
}

/// The element at whole coordinates, address modes applied; the border where they say so.
inline Channels element(const TexelMemory& m, const SamplerState& s, const TextureLevel& l, int slice,
                        std::array<long, 3> index) {
    const std::array<long, 3> size = {static_cast<long>(l.width), static_cast<long>(l.height),
                                      static_cast<long>(l.depth)};
    Channels out{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        long& i = index[axis];
        const long n = size[axis];
        switch (s.address[axis]) {
        case CU_TR_ADDRESS_MODE_BORDER:
            if (i < 0 || i >= n) {
                for (std::size_t c = 0; c < m.channels; ++c)
                    out[c] = static_cast<double>(s.border[c]);
                return out;
            }
            break;
        case CU_TR_ADDRESS_MODE_WRAP:
            if (s.normalized_coordinates) {
                while (i < 0)
                    i += n;
                while (i >= n)
                    i -= n;
                break;
            }
            i = std::clamp(i, 0L, n - 1);
            break;
        case CU_TR_ADDRESS_MODE_MIRROR:
            if (s.normalized_coordinates) {
                while (i < 0 || i >= n)
                    i = i < 0 ? -1 - i : 2 * n - 1 - i;
                break;
            }
            i = std::clamp(i, 0L, n - 1);
            break;
        default: i = std::clamp(i, 0L, n - 1); break;
        }
    }
    const std::size_t bytes = m.element_bytes() / m.channels;
    const std::byte* p = l.base + static_cast<std::size_t>(slice + index[2]) * l.slice_bytes +
                         static_cast<std::size_t>(index[1]) * l.row_bytes +
                         static_cast<std::size_t>(index[0]) * m.element_bytes();
    for (std::size_t c = 0; c < m.channels; ++c)
        out[c] = channel(m, s, p + c * bytes);
    return out;
}

/// One level at floating-point coordinates in as many dimensions as given.
inline Channels fetch(const TexelMemory& m, const SamplerState& s, const TextureLevel& l, int slice,
                      const std::vector<float>& coordinates) {
    const std::array<std::uint32_t, 3> size = {l.width, l.height, l.depth};
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < coordinates.size(); ++k)
        x[k] = static_cast<double>(s.normalized_coordinates ? coordinates[k] * static_cast<float>(size[k])
                                                            : coordinates[k]);
    const auto whole = [](double v) { return static_cast<long>(std::floor(v)); };
    if (s.filter == CU_TR_FILTER_MODE_POINT) return element(m, s, l, slice, {whole(x[0]), whole(x[1]), whole(x[2])});
    Channels sum{};
    const std::size_t corners = std::size_t{1} << coordinates.size();
    for (std::size_t corner = 0; corner < corners; ++corner) {
        double weight = 1;
        std::array<long, 3> index{};
        for (std::size_t k = 0; k < coordinates.size(); ++k) {
            const double from = x[k] - 0.5, fraction = from - std::floor(from);
            const bool upper = corner >> k & 1;
            weight *= upper ? fraction : 1 - fraction;
            index[k] = whole(from) + upper;
        }
        const Channels c = element(m, s, l, slice, index);
        for (std::size_t k = 0; k < 4; ++k)
            sum[k] += weight * c[k];
    }
    return sum;
}

/// A direction's face and place on it, by the table of the guide.
inline void cube(float x, float y, float z, int& face, float& s, float& t) {
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    double m = 0, sc = 0, tc = 0;
    if (ax > ay && ax > az) {
        face = x > 0 ? 0 : 1, m = ax, sc = x > 0 ? -z : z, tc = -y;
    } else if (ay > ax && ay > az) {
        face = y > 0 ? 2 : 3, m = ay, sc = x, tc = y > 0 ? z : -z;
    } else {
        face = z > 0 ? 4 : 5, m = az, sc = z > 0 ? x : -x, tc = -y;
    }
    s = static_cast<float>((sc / m + 1) / 2);
    t = static_cast<float>((tc / m + 1) / 2);
}

} // namespace model
