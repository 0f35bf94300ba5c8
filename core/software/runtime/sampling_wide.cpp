// SPDX-License-Identifier: Apache-2.0
// Samples by vectors: a template for all formats and lengths of vectors, and functions of it for two kinds of hosts.
#include "sampling_wide.hpp"

#include "sampling.hpp"
#include "texel_formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__x86_64__) && !defined(_WIN32) // Windows does not align stacks for these vectors
#define WARPLIGHT_WIDE_SAMPLES 1
#endif

namespace warplight::software {

#ifdef WARPLIGHT_WIDE_SAMPLES
namespace {

using namespace texel_formats;

#define WARPLIGHT_INLINE __attribute__((always_inline)) inline

/// Vectors of so many lanes, by what the compilers have for all hosts: as many doubles as a register holds.
template <unsigned lanes>
struct Wide {
    typedef std::int32_t Ints __attribute__((vector_size(4 * lanes)));
    typedef std::uint32_t Words __attribute__((vector_size(4 * lanes)));
    typedef float Floats __attribute__((vector_size(4 * lanes)));
    typedef double Doubles __attribute__((vector_size(8 * lanes)));
    typedef std::int64_t Longs __attribute__((vector_size(8 * lanes)));
    static constexpr std::make_index_sequence<lanes> each{};
};

/// A vector of what a function says of each lane. Made of an array in memory it would wait for the array's stores.
template <class Vector, class Of, std::size_t... lane>
WARPLIGHT_INLINE void fill(Vector& vector, Of of, std::index_sequence<lane...>) {
    vector = Vector{of(lane)...};
}

/// Values of a format as vectors: Value, how sums of 256 weights and single values become results.
template <class Format, unsigned lanes>
struct WideFormat {
    using W = Wide<lanes>;
    static constexpr bool is_real = std::is_same_v<typename Format::Value, double>;
    using Values = std::conditional_t<is_real, typename W::Doubles, typename W::Ints>;
    using Value = std::conditional_t<is_real, double, std::int32_t>;

    static WARPLIGHT_INLINE void result(const Values& sum, unsigned c, typename W::Words& to) {
        if constexpr (std::is_same_v<Format, Single>) {
            const typename W::Floats rounded = __builtin_convertvector(sum * (1.0 / 256), typename W::Floats);
            std::memcpy(&to, &rounded, sizeof to);
        } else if constexpr (is_real) {
            fill(to, [&](std::size_t k) { return Format::result(sum[k], c); }, W::each);
        } else {
            to_words((sum + 128) >> 8, to);
        }
    }
    static WARPLIGHT_INLINE void single(const Values& value, unsigned c, typename W::Words& to) {
        if constexpr (std::is_same_v<Format, Signed<std::int8_t>> || is_real)
            fill(to, [&](std::size_t k) { return Format::single(value[k], c); }, W::each);
        else
            to_words(value, to);
    }

private:
    static WARPLIGHT_INLINE void to_words(const Values& value, typename W::Words& to) {
        constexpr float largest =
            std::is_same_v<Format, Unsigned<std::uint8_t>> || std::is_same_v<Format, Unsigned<std::uint16_t>> ? 65535.0f
            : std::is_same_v<Format, Signed<std::int8_t>> || std::is_same_v<Format, Signed<std::int16_t>>     ? 32767.0f
                                                                                                              : 0;
        if constexpr (largest != 0) {
            const typename W::Floats fraction = __builtin_convertvector(value, typename W::Floats) / largest;
            std::memcpy(&to, &fraction, sizeof to);
        } else {
            std::memcpy(&to, &value, sizeof to);
        }
    }
};

/// One axis of a texture.
struct WideAxis {
    std::int32_t size;
    CUaddress_mode mode;
    bool normalized;
};

/// Elements along an axis; -1: the border. The second one weighs `weight` of 256.
template <unsigned lanes>
struct WideNeighbours {
    typename Wide<lanes>::Ints first, second, weight;
};

/// What does not change from lane to lane.
struct WideTexture {
    const TexelMemory& memory;
    const SamplerState& sampler;
    const TextureLevel& level;
    WideAxis axes[3];
    unsigned dimensions;
    std::uint32_t element_bytes;
    std::uint32_t slices; ///< layers that `layer` may name; 0: there is none
    bool linear;
};

/// Turns indices into elements, by the address mode.
template <unsigned lanes>
WARPLIGHT_INLINE void address(const WideAxis& axis, typename Wide<lanes>::Ints& index) {
    using Ints = typename Wide<lanes>::Ints;
    using Doubles = typename Wide<lanes>::Doubles;
    const std::int32_t n = axis.size;
    switch (axis.mode) {
    case CU_TR_ADDRESS_MODE_WRAP:
    case CU_TR_ADDRESS_MODE_MIRROR: {
        const std::int32_t period = axis.mode == CU_TR_ADDRESS_MODE_MIRROR ? 2 * n : n;
        // The quotient may be one too large or too small.
        const Ints turns = __builtin_convertvector(__builtin_convertvector(index, Doubles) * (1.0 / period), Ints);
        Ints rest = index - turns * period;
        rest = rest < 0 ? rest + period : rest;
        rest = rest >= period ? rest - period : rest;
        index = rest < n ? rest : 2 * n - 1 - rest;
        break;
    }
    case CU_TR_ADDRESS_MODE_BORDER: index = ((index < 0) | (index >= n)) ? Ints{} - 1 : index; break;
    default: index = index < 0 ? Ints{} : index; index = index >= n ? Ints{} + (n - 1) : index;
    }
}

/// Elements around coordinates. Answers the lanes that are too far away for it, bit by bit.
template <unsigned lanes>
WARPLIGHT_INLINE std::uint32_t find_elements_of(const WideAxis& axis, bool linear,
                                                const typename Wide<lanes>::Floats& coordinate,
                                                WideNeighbours<lanes>& found) {
    using W = Wide<lanes>;
    using Ints = typename W::Ints;
    using Floats = typename W::Floats;
    using Doubles = typename W::Doubles;
    // Further out than any texture is large: there borders and edges are the same everywhere.
    constexpr double kFar = 1 << 29;
    const bool turns = axis.mode == CU_TR_ADDRESS_MODE_WRAP || axis.mode == CU_TR_ADDRESS_MODE_MIRROR;
    Floats within = coordinate * (axis.normalized ? static_cast<float>(axis.size) : 1.0f);
    // From 2^23 on a wrapped or mirrored coordinate has no fraction, and is 0. So is NaN.
    if (turns) within = ((coordinate < 0x1p23f) & (coordinate > -0x1p23f)) ? within : Floats{};
    within = within == within ? within : Floats{};
    Doubles place = __builtin_convertvector(within, Doubles);
    if (linear) place = place * 256 + 0.5; // coordinates have eight bits of fraction
    place = place > kFar ? Doubles{} + kFar : place;
    place = place < -kFar ? Doubles{} - kFar : place;
    const Ints cut = __builtin_convertvector(place, Ints);
    std::uint32_t far = 0;
    if (turns) {
        const Ints is_far = (cut >= static_cast<std::int32_t>(kFar)) | (cut <= -static_cast<std::int32_t>(kFar));
        std::uint64_t pairs[lanes / 2], any = 0;
        std::memcpy(pairs, &is_far, sizeof is_far);
        for (const std::uint64_t pair : pairs)
            any |= pair;
        if (any != 0)
            for (unsigned k = 0; k < lanes; ++k)
                far |= static_cast<std::uint32_t>(is_far[k] & 1) << k;
    }
    // Downwards.
    const Ints whole = cut + __builtin_convertvector(__builtin_convertvector(cut, Doubles) > place, Ints);
    found.first = whole;
    if (linear) {
        const Ints fixed = whole - 128;
        found.first = fixed >> 8;
        found.second = found.first + 1;
        found.weight = fixed & 255;
        address<lanes>(axis, found.second);
    }
    address<lanes>(axis, found.first);
    return far;
}

/// Sums of an element of each lane after the other, in the order in which sample() adds them.
template <class Format, unsigned channels, unsigned lanes>
class WideSum {
public:
    using W = Wide<lanes>;
    using F = WideFormat<Format, lanes>;
    using Ints = typename W::Ints;
    using Words = typename W::Words;
    using Values = typename F::Values;

    WARPLIGHT_INLINE explicit WideSum(const WideTexture& t) : t_(t) {
        for (unsigned c = 0; c < channels; ++c)
            border_[c] = static_cast<typename F::Value>(Format::border(t.sampler.border[c], c));
    }

    /// The elements' offsets from the memory's first byte; -1: the border.
    WARPLIGHT_INLINE void place(const Ints& x, const Ints* y, const Ints* z, const Ints* slice) {
        Ints at = x * static_cast<std::int32_t>(t_.element_bytes), least = x;
        if (y) at += *y * static_cast<std::int32_t>(t_.level.row_bytes), least |= *y;
        if (z) at += *z * static_cast<std::int32_t>(t_.level.slice_bytes), least |= *z;
        if (slice) at += *slice * static_cast<std::int32_t>(t_.level.slice_bytes);
        outside_ = least < 0;
        inside_ = at & ~outside_;
    }

    /// One element, unfiltered.
    WARPLIGHT_INLINE void single(Words (&result)[channels]) {
        for (unsigned c = 0; c < channels; ++c) {
            if constexpr (requires { Format::raw; }) { // every bit is kept
                Words value;
                fill(value, [&](std::size_t k) { return load<std::uint32_t>(t_.level.base + inside_[k], c); }, W::each);
                result[c] = outside_ != 0 ? Words{} + Format::single(border_[c], c) : value;
            } else {
                Values value;
                read(c, value);
                F::single(value, c, result[c]);
            }
        }
    }

    WARPLIGHT_INLINE void begin() {
        for (Values& sum : sum_)
            sum = Values{};
    }
    WARPLIGHT_INLINE void add(const Ints& weight) {
        const Values as_values = __builtin_convertvector(weight, Values);
        for (unsigned c = 0; c < channels; ++c) {
            Values value;
            read(c, value);
            // An infinity of no weight does not count.
            if constexpr (F::is_real)
                sum_[c] += as_values == 0 ? Values{} : as_values * value;
            else
                sum_[c] += as_values * value;
        }
    }
    WARPLIGHT_INLINE void end(Words (&result)[channels]) {
        for (unsigned c = 0; c < channels; ++c)
            F::result(sum_[c], c, result[c]);
    }

private:
    WARPLIGHT_INLINE void read(unsigned c, Values& value) {
        if constexpr (std::is_same_v<Format, Single>) {
            typename W::Floats loaded;
            fill(loaded, [&](std::size_t k) { return load<float>(t_.level.base + inside_[k], c); }, W::each);
            value = __builtin_convertvector(loaded, Values);
        } else {
            fill(
                value,
                [&](std::size_t k) {
                    return static_cast<typename F::Value>(Format::element(t_.level.base + inside_[k], c));
                },
                W::each);
        }
        if constexpr (F::is_real)
            value = __builtin_convertvector(outside_, typename W::Longs) != 0 ? Values{} + border_[c] : value;
        else
            value = outside_ != 0 ? Values{} + border_[c] : value;
    }

    const WideTexture& t_;
    typename F::Value border_[channels];
    Ints outside_, inside_;
    Values sum_[channels];
};

/// Adds two neighbours in each of two rows, which together weigh `all`.
template <unsigned lanes, class Sum>
WARPLIGHT_INLINE void add_rows(Sum& sum, const WideNeighbours<lanes>& x, const WideNeighbours<lanes>& y,
                               const typename Wide<lanes>::Ints* z, const typename Wide<lanes>::Ints* slice,
                               const typename Wide<lanes>::Ints& all) {
    using Ints = typename Wide<lanes>::Ints;
    const Ints right = (all * x.weight + 128) >> 8, left = all - right;
    const Ints right_low = (right * y.weight + 128) >> 8, left_low = (left * y.weight + 127) >> 8;
    sum.place(x.first, &y.first, z, slice);
    sum.add(left - left_low);
    sum.place(x.second, &y.first, z, slice);
    sum.add(right - right_low);
    sum.place(x.first, &y.second, z, slice);
    sum.add(left_low);
    sum.place(x.second, &y.second, z, slice);
    sum.add(right_low);
}

template <unsigned lanes, class Sum>
WARPLIGHT_INLINE void add_all(Sum& sum, const WideNeighbours<lanes> (&at)[3], unsigned dimensions,
                              const typename Wide<lanes>::Ints* slice) {
    using Ints = typename Wide<lanes>::Ints;
    sum.begin();
    const Ints whole = Ints{} + 256;
    if (dimensions == 1) {
        sum.place(at[0].first, nullptr, nullptr, slice);
        sum.add(whole - at[0].weight);
        sum.place(at[0].second, nullptr, nullptr, slice);
        sum.add(at[0].weight);
    } else if (dimensions == 2) {
        add_rows<lanes>(sum, at[0], at[1], nullptr, slice, whole);
    } else {
        add_rows<lanes>(sum, at[0], at[1], &at[2].first, slice, whole - at[2].weight);
        add_rows<lanes>(sum, at[0], at[1], &at[2].second, slice, at[2].weight);
    }
}

/// Numbers of lanes from `begin` on. Lanes that there are not have the first one's.
template <class Vector>
WARPLIGHT_INLINE void read_lanes(const void* from, unsigned count, Vector& to) {
    if (count * 4 == sizeof to)
        std::memcpy(&to, from, sizeof to);
    else
        for (unsigned k = 0; k < sizeof to / 4; ++k)
            std::memcpy(reinterpret_cast<std::byte*>(&to) + 4 * k,
                        static_cast<const std::byte*>(from) + (k < count ? 4 * k : 0), 4);
}

/// Writes the channels of lanes of `mask`, from lane `begin` on.
template <unsigned lanes, unsigned channels>
WARPLIGHT_INLINE void write_lanes(const typename Wide<lanes>::Words (&result)[channels], const TextureLanes& all,
                                  unsigned begin, std::uint32_t mask) {
    for (unsigned c = 0; c < 4; ++c) {
        std::uint32_t* to = all.result + std::size_t{c} * all.lanes + begin;
        const typename Wide<lanes>::Words value =
            c < channels ? result[c < channels ? c : 0] : typename Wide<lanes>::Words{};
        if (mask == (1U << lanes) - 1)
            std::memcpy(to, &value, sizeof value);
        else
            for (unsigned k = 0; k < lanes; ++k)
                if ((mask >> k & 1) != 0) to[k] = value[k];
    }
}

template <class Format, unsigned channels, unsigned lanes>
WARPLIGHT_INLINE std::uint32_t sample_as(const WideTexture& t, const TextureLanes& all) {
    using W = Wide<lanes>;
    std::uint32_t left = 0;
    WideSum<Format, channels, lanes> sum(t);
    for (unsigned begin = 0; begin < all.lanes; begin += lanes) {
        const unsigned count = std::min(all.lanes - begin, lanes);
        const std::uint32_t mask = all.mask >> begin & ((1U << count) - 1);
        if (mask == 0) continue;
        WideNeighbours<lanes> at[3];
        std::uint32_t far = 0;
        for (unsigned axis = 0; axis < t.dimensions; ++axis) {
            typename W::Floats coordinate;
            read_lanes(all.coordinates + std::size_t{axis} * all.lanes + begin, count, coordinate);
            far |= find_elements_of<lanes>(t.axes[axis], t.linear, coordinate, at[axis]);
        }
        typename W::Ints slice{};
        if (t.slices != 0 && all.layer) {
            typename W::Words layer;
            read_lanes(all.layer + begin, count, layer);
            layer = layer > t.slices - 1 ? typename W::Words{} + (t.slices - 1) : layer;
            slice = __builtin_convertvector(layer, typename W::Ints);
        }
        const typename W::Ints* slices = t.slices != 0 ? &slice : nullptr;
        typename W::Words result[channels];
        if (t.linear) {
            add_all<lanes>(sum, at, t.dimensions, slices);
            sum.end(result);
        } else {
            sum.place(at[0].first, t.dimensions > 1 ? &at[1].first : nullptr, t.dimensions > 2 ? &at[2].first : nullptr,
                      slices);
            sum.single(result);
        }
        write_lanes<lanes, channels>(result, all, begin, mask & ~far);
        left |= (mask & far) << begin;
    }
    return left;
}

template <class Format, unsigned channels, unsigned lanes>
WARPLIGHT_INLINE std::uint32_t fetch_as(const WideTexture& t, const TextureLanes& all) {
    using W = Wide<lanes>;
    WideSum<Format, channels, lanes> sum(t);
    for (unsigned begin = 0; begin < all.lanes; begin += lanes) {
        const unsigned count = std::min(all.lanes - begin, lanes);
        const std::uint32_t mask = all.mask >> begin & ((1U << count) - 1);
        if (mask == 0) continue;
        typename W::Ints index;
        read_lanes(all.coordinates + begin, count, index);
        index = ((index < 0) | (index >= t.axes[0].size)) ? typename W::Ints{} - 1 : index;
        sum.place(index, nullptr, nullptr, nullptr);
        typename W::Words result[channels];
        sum.single(result);
        for (typename W::Words& of_channel : result)
            of_channel = index < 0 ? typename W::Words{} : of_channel;
        write_lanes<lanes, channels>(result, all, begin, mask);
    }
    return 0;
}

using Work = std::uint32_t (*)(const WideTexture&, const TextureLanes&);

#define WARPLIGHT_AVX512 "avx512f,avx512bw,avx512dq,avx512vl"

template <class Format, unsigned channels>
__attribute__((target(WARPLIGHT_AVX512))) std::uint32_t sample_by_avx512(const WideTexture& t,
                                                                         const TextureLanes& all) {
    return sample_as<Format, channels, 8>(t, all);
}
template <class Format, unsigned channels>
__attribute__((target("avx2"))) std::uint32_t sample_by_avx2(const WideTexture& t, const TextureLanes& all) {
    return sample_as<Format, channels, 4>(t, all);
}
template <class Format, unsigned channels>
__attribute__((target(WARPLIGHT_AVX512))) std::uint32_t fetch_by_avx512(const WideTexture& t, const TextureLanes& all) {
    return fetch_as<Format, channels, 8>(t, all);
}
template <class Format, unsigned channels>
__attribute__((target("avx2"))) std::uint32_t fetch_by_avx2(const WideTexture& t, const TextureLanes& all) {
    return fetch_as<Format, channels, 4>(t, all);
}

bool has_avx512() {
    static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return has;
}
bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}

template <class Format, unsigned channels>
Work work(bool integers) {
    if (has_avx512()) return integers ? &fetch_by_avx512<Format, channels> : &sample_by_avx512<Format, channels>;
    return integers ? &fetch_by_avx2<Format, channels> : &sample_by_avx2<Format, channels>;
}
template <class Format>
Work work_for(std::uint32_t channels, bool integers) {
    if (channels == 1) return work<Format, 1>(integers);
    return channels == 2 ? work<Format, 2>(integers) : work<Format, 4>(integers);
}

/// Null: there is none.
Work work_of(const TexelMemory& memory, const SamplerState& sampler, bool integers) {
    if (!has_avx2() || (sampler.srgb && memory.format == Texel::u8)) return nullptr;
    const std::uint32_t channels = memory.channels;
    const bool raw = sampler.read_as_integer;
    const bool linear = !integers && sampler.filter == CU_TR_FILTER_MODE_LINEAR;
    switch (memory.format) {
    case Texel::u8:
        return raw ? work_for<Integer<std::uint8_t>>(channels, integers)
                   : work_for<Unsigned<std::uint8_t>>(channels, integers);
    case Texel::u16:
        return raw ? work_for<Integer<std::uint16_t>>(channels, integers)
                   : work_for<Unsigned<std::uint16_t>>(channels, integers);
    case Texel::s8:
        return raw ? work_for<Integer<std::int8_t>>(channels, integers)
                   : work_for<Signed<std::int8_t>>(channels, integers);
    case Texel::s16:
        return raw ? work_for<Integer<std::int16_t>>(channels, integers)
                   : work_for<Signed<std::int16_t>>(channels, integers);
    case Texel::u32:
    case Texel::s32: return linear ? nullptr : work_for<Integer<std::uint32_t>>(channels, integers);
    case Texel::f16: return work_for<Half>(channels, integers);
    case Texel::f32: return work_for<Single>(channels, integers);
    }
    return nullptr;
}

/// Wrapping and mirroring want normalised coordinates.
CUaddress_mode mode_along(const SamplerState& sampler, std::size_t axis) {
    const CUaddress_mode mode = sampler.address[axis];
    const bool turns = mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR;
    return turns && !sampler.normalized_coordinates ? CU_TR_ADDRESS_MODE_CLAMP : mode;
}

} // namespace

std::uint32_t sample_wide(const TexelMemory& memory, const SamplerState& sampler, TextureGeometry geometry,
                          const TextureLanes& all) {
    if (memory.levels.size() != 1 || memory.cubemap || !reads(memory, geometry, false)) return all.mask;
    if (geometry == TextureGeometry::cube || geometry == TextureGeometry::acube) return all.mask;
    const unsigned dimensions = geometry == TextureGeometry::d3                                       ? 3
                                : geometry == TextureGeometry::d1 || geometry == TextureGeometry::a1d ? 1
                                                                                                      : 2;
    const bool linear = sampler.filter == CU_TR_FILTER_MODE_LINEAR;
    // There half of the sample is border.
    if (linear && geometry == TextureGeometry::d1 && mode_along(sampler, 1) == CU_TR_ADDRESS_MODE_BORDER)
        return all.mask;
    const Work work = work_of(memory, sampler, false);
    if (!work) return all.mask;
    const TextureLevel& level = memory.levels[0];
    const bool layered = geometry == TextureGeometry::a1d || geometry == TextureGeometry::a2d;
    WideTexture t{memory, sampler, level, {}, dimensions, memory.element_bytes(), 0, linear};
    if (layered) t.slices = memory.layered ? std::max(memory.layers, 1U) : 1;
    const std::uint32_t size[3] = {std::max(level.width, 1U), std::max(level.height, 1U), std::max(level.depth, 1U)};
    constexpr std::uint32_t kMostElements = 1 << 20; // so that what is far out is outside
    for (std::size_t axis = 0; axis < dimensions; ++axis) {
        if (size[axis] > kMostElements) return all.mask;
        t.axes[axis] = {static_cast<std::int32_t>(size[axis]), mode_along(sampler, axis),
                        sampler.normalized_coordinates};
    }
    // Offsets are words.
    std::uint64_t last = std::uint64_t{size[0]} * t.element_bytes;
    if (dimensions > 1) last += (size[1] - 1) * level.row_bytes;
    if (dimensions > 2) last += (size[2] - 1) * level.slice_bytes;
    if (t.slices > 1) last += (t.slices - 1) * level.slice_bytes;
    if (last >> 31 != 0) return all.mask;
    return work(t, all);
}

std::uint32_t fetch_wide(const TexelMemory& memory, const SamplerState& sampler, const TextureLanes& all) {
    if (!memory.linear || memory.levels.size() != 1) return all.mask;
    const TextureLevel& level = memory.levels[0];
    if (level.width == 0 || (std::uint64_t{level.width} * memory.element_bytes()) >> 31 != 0) return all.mask;
    const Work work = work_of(memory, sampler, true);
    if (!work) return all.mask;
    WideTexture t{memory, sampler, level, {}, 1, memory.element_bytes(), 0, false};
    t.axes[0].size = static_cast<std::int32_t>(level.width);
    return work(t, all);
}

#else

std::uint32_t sample_wide(const TexelMemory&, const SamplerState&, TextureGeometry, const TextureLanes& all) {
    return all.mask;
}
std::uint32_t fetch_wide(const TexelMemory&, const SamplerState&, const TextureLanes& all) { return all.mask; }

#endif

} // namespace warplight::software
