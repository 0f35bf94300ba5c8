// SPDX-License-Identifier: Apache-2.0
// How a type of the source lies in memory: its fields, and where each is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::debug {

struct Layout {
    enum class Kind : std::uint8_t {
        number,
        structure,
        alternatives, ///< a union: all fields at offset 0
        pointer,
        bits, ///< a bit field
        bytes ///< nothing is known of them
    };
    struct Enumerator {
        std::string name;
        std::int64_t value = 0;
    };

    std::string name;         ///< of the field, parameter or variable
    std::uint64_t offset = 0; ///< bytes from the start of what it belongs to
    Kind kind = Kind::bytes;
    std::string type;                   ///< as in the source: Particle, unsigned int, float4
    std::string number;                 ///< of numbers and bit fields: i32, f32, bool, bf16, …
    std::uint64_t size = 0;             ///< bytes of one element
    std::vector<std::uint64_t> extents; ///< of an array, slowest first; the last one of a vector type is its own
    std::vector<Layout> fields;         ///< of a structure. Of a pointer to a known type: that type alone
    std::vector<Enumerator> enumerators;
    unsigned first_bit = 0, bit_count = 0; ///< of a bit field, in the number at its offset

    /// Elements of an array; the largest number where there are more.
    [[nodiscard]] std::uint64_t count() const {
        constexpr auto most = std::numeric_limits<std::uint64_t>::max();
        std::uint64_t all = 1;
        for (const std::uint64_t extent : extents) {
            if (extent != 0 && all > most / extent) return most;
            all *= extent;
        }
        return all;
    }
    [[nodiscard]] std::uint64_t bytes() const { return size * count(); }
    [[nodiscard]] bool has_fields() const { return kind == Kind::structure || kind == Kind::alternatives; }
    [[nodiscard]] const Layout* find(std::string_view field) const {
        for (const Layout& each : fields)
            if (each.name == field) return &each;
        return nullptr;
    }
};

/// The parameters of a kernel, or the variables of a module.
struct NamedLayouts {
    std::string name; ///< of the kernel in the PTX; empty: variables of the module, by their names in the PTX
    std::vector<Layout> layouts;
};

inline constexpr std::uint64_t kLargestLayout = std::uint64_t{1} << 30; ///< bytes
inline constexpr std::size_t kMostLayoutFields = 4096;                  ///< of one type, nested ones included
inline constexpr unsigned kDeepestLayout = 24;

/// @param left fields that there may still be
inline bool is_sound(const Layout& layout, unsigned depth, std::size_t& left) {
    if (depth > kDeepestLayout || left == 0 || layout.size > kLargestLayout || layout.extents.size() > 16) return false;
    --left;
    const std::uint64_t count = layout.count();
    if (count > kLargestLayout || layout.size * count > kLargestLayout) return false;
    const bool is_bits = layout.kind == Layout::Kind::bits;
    if (is_bits && (layout.bit_count == 0 || layout.bit_count > 64 || layout.first_bit > 63 || layout.size == 0 ||
                    layout.size > 8 || layout.first_bit + layout.bit_count > layout.size * 8))
        return false;
    for (const Layout& field : layout.fields) {
        if (!is_sound(field, depth + 1, left)) return false;
        const bool is_inside = field.bytes() <= layout.size && field.offset <= layout.size - field.bytes();
        if (layout.kind != Layout::Kind::pointer && !is_inside) return false;
    }
    return true;
}

/// Whether all fields lie within their type, and no limit is exceeded. Layouts from other processes are asked first.
inline bool is_sound(const Layout& layout) {
    std::size_t left = 2 * kMostLayoutFields;
    return is_sound(layout, 0, left);
}

} // namespace warplight::debug
