// SPDX-License-Identifier: Apache-2.0
#include "sampling.hpp"

#include <algorithm>
#include <cmath>

namespace warplight::software {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 40; ///< further out than any texture is large

/// Downwards; a plain processor has no instruction for it, and this is no call.
std::int64_t floor_of(double value) {
    const auto cut = static_cast<std::int64_t>(value);
    return cut - (static_cast<double>(cut) > value);
}

/// A coordinate in elements. NaN is 0, and coordinates far outside are clamped to kFar.
double scaled(float coordinate, std::uint32_t size, bool normalized, bool turns = false) {
    // From here on a wrapped or mirrored coordinate has no fraction.
    if (turns && !(std::fabs(coordinate) < 0x1p23f)) return 0;
    const float value = normalized ? coordinate * static_cast<float>(size) : coordinate;
    if (std::isnan(value)) return 0;
    return std::clamp(static_cast<double>(value), -static_cast<double>(kFar), static_cast<double>(kFar));
}

/// The element that an index means in an address mode, or -1: the border.
std::int64_t addressed(std::int64_t index, std::uint32_t size, CUaddress_mode mode) {
    const auto n = static_cast<std::int64_t>(size);
    if (index >= 0 && index < n) return index;
    switch (mode) {
    case CU_TR_ADDRESS_MODE_WRAP: {
        const std::int64_t rest = index % n;
        return rest < 0 ? rest + n : rest;
    }
    case CU_TR_ADDRESS_MODE_MIRROR: {
        std::int64_t rest = index % (2 * n);
        if (rest < 0) rest += 2 * n;
        return rest < n ? rest : 2 * n - 1 - rest;
    }
    case CU_TR_ADDRESS_MODE_BORDER: return -1;
    default: return index < 0 ? 0 : n - 1;
    }
}

/// Two neighbours along an axis, and how much the second one weighs, of 256.
struct Neighbours {
    std::int64_t first = 0, second = 0;
    std::int32_t weight = 0;
};

struct Axis {
    std::uint32_t size = 1;
    CUaddress_mode mode = CU_TR_ADDRESS_MODE_CLAMP;
    bool normalized = false;
    std::int32_t offset = 0;

    [[nodiscard]] double place(float coordinate) const {
        return scaled(coordinate, size, normalized,
                      mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR);
    }
    [[nodiscard]] std::int64_t nearest(float coordinate) const {
        const std::int64_t index = floor_of(place(coordinate));
        return addressed(index + offset, size, mode);
    }
    /// Not yet addressed: a seamless cube wants to know.
    [[nodiscard]] Neighbours around(float coordinate) const {
        // Coordinates have eight bits of fraction.
        const std::int64_t fixed = floor_of(place(coordinate) * 256 + 0.5) - 128;
        const std::int64_t first = (fixed >> 8) + offset;
        return {first, first + 1, static_cast<std::int32_t>(fixed & 255)};
    }
    [[nodiscard]] Neighbours neighbours(float coordinate) const {
        Neighbours n = around(coordinate);
        n.first = addressed(n.first, size, mode);
        n.second = addressed(n.second, size, mode);
        return n;
    }
};

/// Wrapping and mirroring want normalised coordinates.
CUaddress_mode mode_of(const SamplerState& sampler, std::size_t axis) {
    const CUaddress_mode mode = sampler.address[axis];
    const bool turns = mode == CU_TR_ADDRESS_MODE_WRAP || mode == CU_TR_ADDRESS_MODE_MIRROR;
    return turns && !sampler.normalized_coordinates ? CU_TR_ADDRESS_MODE_CLAMP : mode;
}

unsigned dimensions_of(TextureGeometry geometry) {
    switch (geometry) {
    case TextureGeometry::d1:
    case TextureGeometry::a1d: return 1;
    case TextureGeometry::d3: return 3;
    default: return 2;
    }
}

bool is_cube(TextureGeometry geometry) {
    return geometry == TextureGeometry::cube || geometry == TextureGeometry::acube;
}

/// Layers (or faces) that the memory has, one a slice.
std::uint32_t slices_of(const TexelMemory& memory) {
    const std::uint32_t layers = memory.layered ? std::max(memory.layers, 1u) : 1;
    return memory.cubemap ? layers * 6 : layers;
}

/// A direction as a face and a place on it, both in [-1, 1]; `major` is the length along the face's axis.
struct FacePlace {
    std::uint32_t face = 0;
    float s = 0, t = 0, major = 1;
};

template <class T>
std::uint32_t face_of(T x, T y, T z, T& s, T& t, T& major) {
    const T ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    if (az >= ax && az >= ay) {
        major = az;
        t = -y;
        s = z >= 0 ? x : -x;
        return z >= 0 ? 4 : 5;
    }
    if (ay >= ax) {
        major = ay;
        s = x;
        t = y >= 0 ? z : -z;
        return y >= 0 ? 2 : 3;
    }
    major = ax;
    t = -y;
    s = x >= 0 ? -z : z;
    return x >= 0 ? 0 : 1;
}

FacePlace place_of(float x, float y, float z) {
    FacePlace p;
    float s = 0, t = 0;
    p.face = face_of(x, y, z, s, t, p.major);
    p.s = p.major == 0 ? 0 : s / p.major;
    p.t = p.major == 0 ? 0 : t / p.major;
    return p;
}

/// Everything about where a sample lies but the level.
struct Place {
    TextureGeometry geometry = TextureGeometry::d1;
    std::uint32_t slice = 0; ///< layer, or cube * 6 + face
    std::array<float, 3> coordinate{};
    std::array<std::int32_t, 3> offset{};
    bool normalized = false;
    std::uint32_t cube = 0, face = 0;
};

/// One level of a texture, and the place in it.
struct View {
    const TexelMemory& memory;
    const TextureLevel& level;
    const SamplerState& sampler;
    const std::byte* base; ///< of the layer or face
    std::uint32_t element_bytes;

    [[nodiscard]] const std::byte* at(std::int64_t x, std::int64_t y, std::int64_t z) const {
        if (x < 0 || y < 0 || z < 0) return nullptr;
        return base + static_cast<std::uint64_t>(z) * level.slice_bytes +
               static_cast<std::uint64_t>(y) * level.row_bytes + static_cast<std::uint64_t>(x) * element_bytes;
    }
    [[nodiscard]] Axis axis(std::size_t which, std::uint32_t size, bool normalized, std::int32_t offset) const {
        return {std::max(size, 1u), mode_of(sampler, which), normalized, offset};
    }
};

/// Splits a weight among two neighbours, and among two rows of them. Weights are whole numbers, and what is given to
/// one is taken from the other.
std::array<std::int32_t, 4> bilinear(std::int32_t all, std::int32_t x, std::int32_t y) {
    const std::int32_t right = (all * x + 128) >> 8, left = all - right;
    const std::int32_t right_low = (right * y + 128) >> 8, left_low = (left * y + 127) >> 8;
    return {left - left_low, right - right_low, left_low, right_low};
}

/// The element of a face's plane at (i, j), one step beyond an edge at most, wherever it lies; null at a corner.
const std::byte* across_edges(const View& v, std::uint32_t cube, std::uint32_t face, std::int64_t i, std::int64_t j) {
    const auto n = static_cast<std::int64_t>(v.level.width);
    const bool out_i = i < 0 || i >= n, out_j = j < 0 || j >= n;
    if (out_i && out_j) return nullptr;
    if (out_i || out_j) {
        const double size = static_cast<double>(n);
        const double s = (2.0 * static_cast<double>(i) + 1) / size - 1,
                     t = (2.0 * static_cast<double>(j) + 1) / size - 1;
        double x = 0, y = 0, z = 0;
        switch (face) {
        case 0: x = 1, y = -t, z = -s; break;
        case 1: x = -1, y = -t, z = s; break;
        case 2: x = s, y = 1, z = t; break;
        case 3: x = s, y = -1, z = -t; break;
        case 4: x = s, y = -t, z = 1; break;
        default: x = -s, y = -t, z = -1; break;
        }
        double major = 1, across = 0, down = 0;
        face = face_of(x, y, z, across, down, major);
        const auto index = [&](double place) {
            return std::clamp(static_cast<std::int64_t>(std::floor((place / major + 1) / 2 * size)), std::int64_t{0},
                              n - 1);
        };
        i = index(across);
        j = index(down);
    }
    const std::byte* base = v.level.base + (std::uint64_t{cube} * 6 + face) * v.level.slice_bytes;
    return base + static_cast<std::uint64_t>(j) * v.level.row_bytes + static_cast<std::uint64_t>(i) * v.element_bytes;
}

/// Weighs the four elements around a place on a cube whose faces are filtered together. The three at a corner share
/// the weight of the missing one.
void add_seamless(Footprint& footprint, const View& v, const Place& p, Neighbours x, Neighbours y, std::int32_t all) {
    const std::array<std::int32_t, 4> weights = bilinear(all, x.weight, y.weight);
    std::array<const std::byte*, 4> elements{};
    std::size_t missing = 4;
    for (std::size_t k = 0; k < 4; ++k) {
        elements[k] = across_edges(v, p.cube, p.face, k & 1 ? x.second : x.first, k & 2 ? y.second : y.first);
        if (!elements[k]) missing = k;
    }
    if (missing == 4) {
        for (std::size_t k = 0; k < 4; ++k)
            footprint.add(elements[k], weights[k]);
        return;
    }
    const std::int32_t share = weights[missing] / 3;
    std::int32_t left = weights[missing] - 2 * share;
    for (std::size_t k = 0; k < 4; ++k) {
        if (k == missing) continue;
        footprint.add(elements[k], weights[k] + left);
        left = share;
    }
}

} // namespace

bool reads(const TexelMemory& memory, TextureGeometry geometry, bool integers) {
    const bool row = memory.dimensions == 1;
    if (memory.levels.empty()) return false;
    if (memory.linear) return integers && (geometry == TextureGeometry::d1 || geometry == TextureGeometry::a1d);
    if (memory.cubemap) return is_cube(geometry);
    if (memory.dimensions == 3) return geometry == TextureGeometry::d3;
    switch (geometry) {
    case TextureGeometry::d1: return integers ? row && memory.layered : !(row && memory.layered);
    case TextureGeometry::a1d: return row && memory.layered;
    case TextureGeometry::d2:
    case TextureGeometry::a2d: return !(row && memory.layered);
    default: return false;
    }
}

namespace {

Place place_in(const TexelMemory& memory, const SamplerState& sampler, TextureGeometry geometry, std::uint32_t layer,
               float x, float y, float z) {
    Place p;
    p.geometry = geometry;
    p.coordinate = {x, y, z};
    p.normalized = sampler.normalized_coordinates;
    const std::uint32_t slices = slices_of(memory);
    if (is_cube(geometry)) {
        const FacePlace face = place_of(x, y, z);
        p.coordinate = {(face.s + 1) / 2, (face.t + 1) / 2, 0};
        p.normalized = true;
        const std::uint32_t cubes = std::max(slices / 6, 1u);
        p.cube = geometry == TextureGeometry::acube ? std::min(layer, cubes - 1) : 0;
        p.face = face.face;
        p.slice = std::min(p.cube * 6 + face.face, slices - 1);
    } else if (geometry == TextureGeometry::a1d || geometry == TextureGeometry::a2d) {
        p.slice = std::min(layer, slices - 1);
    }
    return p;
}

View view_of(const TexelMemory& memory, const SamplerState& sampler, const TextureLevel& level, const Place& p) {
    return {memory, level, sampler, level.base + std::uint64_t{p.slice} * level.slice_bytes, memory.element_bytes()};
}

/// A cube that is not seamless is one picture a face, with the address modes of any other.
bool seamless(const SamplerState& sampler, const TexelMemory& memory, const Place& p) {
    return is_cube(p.geometry) && sampler.seamless_cubemap && memory.cubemap;
}

std::array<Axis, 3> axes_of(const View& v, const Place& p) {
    const bool whole = seamless(v.sampler, v.memory, p);
    const auto axis = [&](std::size_t which, std::uint32_t size) {
        Axis a = v.axis(which, size, p.normalized, p.offset[which]);
        if (whole) a.mode = CU_TR_ADDRESS_MODE_CLAMP;
        return a;
    };
    return {axis(0, v.level.width), axis(1, v.level.height), axis(2, v.level.depth)};
}

void add_nearest(Footprint& footprint, const View& v, const Place& p, std::int32_t all) {
    const std::array<Axis, 3> axes = axes_of(v, p);
    const unsigned dimensions = dimensions_of(p.geometry);
    const std::int64_t x = axes[0].nearest(p.coordinate[0]);
    const std::int64_t y = dimensions > 1 ? axes[1].nearest(p.coordinate[1]) : 0;
    const std::int64_t z = dimensions > 2 ? axes[2].nearest(p.coordinate[2]) : 0;
    footprint.add(v.at(x, y, z), all);
}

void add_four(Footprint& footprint, const View& v, const Neighbours& x, const Neighbours& y, std::int64_t z,
              std::int32_t all) {
    const std::array<std::int32_t, 4> weights = bilinear(all, x.weight, y.weight);
    footprint.add(v.at(x.first, y.first, z), weights[0]);
    footprint.add(v.at(x.second, y.first, z), weights[1]);
    footprint.add(v.at(x.first, y.second, z), weights[2]);
    footprint.add(v.at(x.second, y.second, z), weights[3]);
}

void add_neighbours(Footprint& footprint, const View& v, const Place& p, std::int32_t all) {
    const std::array<Axis, 3> axes = axes_of(v, p);
    if (seamless(v.sampler, v.memory, p))
        return add_seamless(footprint, v, p, axes[0].around(p.coordinate[0]), axes[1].around(p.coordinate[1]), all);
    const unsigned dimensions = dimensions_of(p.geometry);
    const Neighbours x = axes[0].neighbours(p.coordinate[0]);
    if (dimensions == 1) {
        // A 1-D texture is a picture of one row, read at its upper edge: with a border along y, half of it is border.
        const bool half = p.geometry == TextureGeometry::d1 && mode_of(v.sampler, 1) == CU_TR_ADDRESS_MODE_BORDER;
        const std::array<std::int32_t, 4> weights = bilinear(all, x.weight, half ? 128 : 256);
        if (half) footprint.add(nullptr, weights[0] + weights[1]);
        footprint.add(v.at(x.first, 0, 0), weights[2]);
        footprint.add(v.at(x.second, 0, 0), weights[3]);
        return;
    }
    const Neighbours y = axes[1].neighbours(p.coordinate[1]);
    if (dimensions == 2) return add_four(footprint, v, x, y, 0, all);
    const Neighbours z = axes[2].neighbours(p.coordinate[2]);
    const std::int32_t behind = (all * z.weight + 128) >> 8;
    add_four(footprint, v, x, y, z.first, all - behind);
    add_four(footprint, v, x, y, z.second, behind);
}

void clear(TextureResult result) { std::fill_n(result, 4, 0u); }

std::int32_t fixed_level(float level) {
    return std::isnan(level) ? 0 : static_cast<std::int32_t>(std::clamp(level, -4096.0f, 4096.0f) * 256);
}

/// What samples are made for: their channels.
class Blended {
public:
    Blended(const TexelMemory& memory, const SamplerState& sampler)
        : blend_(blend_of(memory, sampler)), border_(sampler.border.data()) {}
    void operator()(const Footprint& footprint, TextureResult result) const { blend_(footprint, border_, result); }

private:
    Blend blend_;
    const float* border_;
};

/// @param deliver gets the elements of each sample, and where its channels go
template <class Deliver>
void sample_levels(const TexelMemory& memory, const SamplerState& sampler, const Place& p, float level,
                   const Deliver& deliver, TextureResult result) {
    const bool linear = sampler.filter == CU_TR_FILTER_MODE_LINEAR;
    Footprint footprint;
    const auto add = [&](std::size_t which, std::int32_t weight) {
        const View v = view_of(memory, sampler, memory.levels[which], p);
        if (linear)
            add_neighbours(footprint, v, p, weight);
        else
            add_nearest(footprint, v, p, weight);
    };
    if (memory.levels.size() == 1) {
        add(0, 256);
    } else {
        // Levels have eight bits of fraction. An instruction that names none reads the finest, whatever the bias.
        const std::int32_t last = static_cast<std::int32_t>(memory.levels.size() - 1) << 8;
        std::int32_t detail = std::isnan(level) ? 0 : fixed_level(level) + fixed_level(sampler.level_bias);
        detail = std::min(std::max(detail, fixed_level(sampler.min_level)), fixed_level(sampler.max_level));
        detail = std::clamp(detail, 0, last);
        if (sampler.mipmap_filter != CU_TR_FILTER_MODE_LINEAR) {
            add(static_cast<std::size_t>((detail + 128) >> 8), 256);
        } else {
            const std::int32_t weight = detail & 255;
            add(static_cast<std::size_t>(detail >> 8), 256 - weight);
            if (weight != 0) add(static_cast<std::size_t>(detail >> 8) + 1, weight);
        }
    }
    deliver(footprint, result);
}

/// The common case, 2-D textures without mipmaps, has a function of its own.
template <class Deliver>
void sample_picture(const TexelMemory& memory, const SamplerState& sampler, float x, float y, const Deliver& deliver,
                    TextureResult result) {
    const TextureLevel& level = memory.levels[0];
    const View v{memory, level, sampler, level.base, memory.element_bytes()};
    const Axis across = v.axis(0, level.width, sampler.normalized_coordinates, 0);
    const Axis down = v.axis(1, level.height, sampler.normalized_coordinates, 0);
    Footprint footprint;
    if (sampler.filter == CU_TR_FILTER_MODE_LINEAR)
        add_four(footprint, v, across.neighbours(x), down.neighbours(y), 0, 256);
    else
        footprint.add(v.at(across.nearest(x), down.nearest(y), 0), 256);
    deliver(footprint, result);
}

/// Memory without an array: elements in a row.
template <class Deliver>
void fetch_linear(const TexelMemory& memory, std::int64_t index, const Deliver& deliver, TextureResult result) {
    clear(result);
    const TextureLevel& level = memory.levels[0];
    if (index < 0 || index >= static_cast<std::int64_t>(level.width)) return;
    Footprint footprint;
    footprint.add(level.base + static_cast<std::uint64_t>(index) * memory.element_bytes(), 256);
    deliver(footprint, result);
}

/// At integer coordinates: unfiltered, and 0 outside whatever the address modes say.
template <class Deliver>
void sample_integer(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& r,
                    const Deliver& deliver, TextureResult result) {
    clear(result);
    const std::int64_t index = r.level > 0 ? static_cast<std::int64_t>(std::min(r.level, 4096.0f)) : 0; // NaN is 0
    const bool has_layers = memory.layered || memory.levels.size() > 1;
    if (r.geometry == TextureGeometry::a2d && r.layer > 0 && !has_layers) return; // it would be clamped there
    if (index >= static_cast<std::int64_t>(memory.levels.size())) return;
    const TextureLevel& level = memory.levels[static_cast<std::size_t>(index)];
    const unsigned dimensions = dimensions_of(r.geometry);
    std::array<std::int64_t, 3> at{};
    const std::array<std::uint32_t, 3> size = {level.width, level.height, level.depth};
    for (std::size_t k = 0; k < dimensions; ++k) {
        at[k] = std::int64_t{r.i[k]} + r.offset[k];
        if (at[k] < 0 || at[k] >= static_cast<std::int64_t>(size[k])) return;
    }
    const Place p = place_in(memory, sampler, r.geometry, r.layer, 0, 0, 0);
    const View v = view_of(memory, sampler, level, p);
    Footprint footprint;
    footprint.add(v.at(at[0], at[1], at[2]), 256);
    deliver(footprint, result);
}

/// One channel of the four elements that a linear filter would blend.
template <class Deliver>
void gather_component(const TexelMemory& memory, const SamplerState& sampler, const Place& p, std::uint32_t component,
                      const Deliver& deliver, TextureResult result) {
    clear(result);
    const View v = view_of(memory, sampler, memory.levels[0], p);
    const std::array<Axis, 3> axes = axes_of(v, p);
    const bool whole = seamless(sampler, memory, p);
    const Neighbours x = whole ? axes[0].around(p.coordinate[0]) : axes[0].neighbours(p.coordinate[0]);
    const Neighbours y = whole ? axes[1].around(p.coordinate[1]) : axes[1].neighbours(p.coordinate[1]);
    const std::array<std::array<std::int64_t, 2>, 4> places = {
        {{x.first, y.second}, {x.second, y.second}, {x.second, y.first}, {x.first, y.first}}};
    for (std::size_t k = 0; k < 4; ++k) {
        Footprint footprint;
        const auto [i, j] = places[k];
        if (whole) {
            const auto n = static_cast<std::int64_t>(v.level.width);
            const std::byte* element = across_edges(v, p.cube, p.face, i, j);
            if (!element) // beyond a corner: the one before it
                element = across_edges(v, p.cube, p.face, std::clamp(i, std::int64_t{0}, n - 1), j);
            footprint.add(element, 256);
        } else {
            footprint.add(v.at(i, j, 0), 256);
        }
        TextureResult channels;
        deliver(footprint, channels);
        result[k] = channels[component];
    }
}

/// A step between samples, in elements.
std::array<double, 3> step_in(const TextureLevel& level, const TextureRequest& r, const float* step) {
    if (!is_cube(r.geometry)) {
        const std::array<std::uint32_t, 3> size = {level.width, level.height, level.depth};
        std::array<double, 3> elements{};
        for (std::size_t k = 0; k < dimensions_of(r.geometry); ++k)
            elements[k] = static_cast<double>(step[k]) * size[k];
        return elements;
    }
    // How the place on the face moves: it is the quotient of two coordinates.
    const std::uint32_t face = place_of(r.x, r.y, r.z).face;
    float s = 0, t = 0, major = 0;
    (void)face_of(r.x, r.y, r.z, s, t, major);
    if (major == 0) return {};
    const auto toward = [&](float x, float y, float z, std::array<float, 3>& along) {
        switch (face) {
        case 0: along = {-z, -y, x}; break;
        case 1: along = {z, -y, -x}; break;
        case 2: along = {x, z, y}; break;
        case 3: along = {x, -z, -y}; break;
        case 4: along = {x, -y, z}; break;
        default: along = {-x, -y, -z}; break;
        }
    };
    std::array<float, 3> along{};
    toward(step[0], step[1], step[2], along);
    const double scale = level.width / (2.0 * static_cast<double>(major));
    const double ds = static_cast<double>(along[0] - s / major * along[2]) * scale;
    const double dt = static_cast<double>(along[1] - t / major * along[2]) * scale;
    return {ds, dt, 0};
}

/// The level at which the samples' ellipse is as long as an element.
float level_of(const TexelMemory& memory, const TextureRequest& r) {
    const std::array<double, 3> dx = step_in(memory.levels[0], r, r.dx), dy = step_in(memory.levels[0], r, r.dy);
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        xx += dx[k] * dx[k];
        yy += dy[k] * dy[k];
        xy += dx[k] * dy[k];
    }
    const double longest = (xx + yy + std::sqrt((xx - yy) * (xx - yy) + 4 * xy * xy)) / 2;
    return static_cast<float>(0.5 * std::log2(std::max(longest, 0x1p-60)));
}

} // namespace

void sample(const TexelMemory& memory, const SamplerState& sampler, TextureGeometry geometry, std::uint32_t layer,
            float x, float y, float z, float level, TextureResult result) {
    if (!reads(memory, geometry, false)) return clear(result);
    if (geometry == TextureGeometry::d2 && memory.levels.size() == 1)
        return sample_picture(memory, sampler, x, y, Blended(memory, sampler), result);
    sample_levels(memory, sampler, place_in(memory, sampler, geometry, layer, x, y, z), level, Blended(memory, sampler),
                  result);
}

void fetch(const TexelMemory& memory, const SamplerState& sampler, std::int32_t x, TextureResult result) {
    if (memory.linear && !memory.levels.empty()) return fetch_linear(memory, x, Blended(memory, sampler), result);
    TextureRequest request{};
    request.integer_coordinates = 1;
    request.i[0] = x;
    request.component = -1;
    sample(memory, sampler, request, result);
}

namespace {

template <class Deliver>
void sample_for(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& r, const Deliver& deliver,
                TextureResult result) {
    if (!reads(memory, r.geometry, r.integer_coordinates != 0)) return clear(result);
    if (r.integer_coordinates) {
        if (memory.linear) return fetch_linear(memory, std::int64_t{r.i[0]} + r.offset[0], deliver, result);
        return sample_integer(memory, sampler, r, deliver, result);
    }
    Place p = place_in(memory, sampler, r.geometry, r.layer, r.x, r.y, r.z);
    if (!is_cube(r.geometry)) p.offset = {r.offset[0], r.offset[1], r.offset[2]};
    if (r.component >= 0)
        return gather_component(memory, sampler, p, static_cast<std::uint32_t>(r.component) & 3, deliver, result);
    sample_levels(memory, sampler, p, r.has_gradient ? level_of(memory, r) : r.level, deliver, result);
}

} // namespace

void sample(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& r, TextureResult result) {
    sample_for(memory, sampler, r, Blended(memory, sampler), result);
}

void find_elements(const TexelMemory& memory, const SamplerState& sampler, const TextureRequest& r,
                   const ElementsOf& elements, TextureResult result) {
    sample_for(memory, sampler, r, elements, result);
}

} // namespace warplight::software
