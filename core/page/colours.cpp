// SPDX-License-Identifier: Apache-2.0
#include "page/colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace warplight::page {
namespace {

constexpr Colour stops[] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142}, {38, 130, 142},
                            {31, 158, 137}, {53, 183, 121}, {110, 206, 88}, {181, 222, 43}, {253, 231, 37}};

} // namespace

std::span<const Colour> viridis_stops() { return stops; }

Colour viridis(double share) {
    constexpr std::size_t last = std::size(stops) - 1;
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(last);
    const std::size_t first = std::min(static_cast<std::size_t>(place), last - 1);
    const double part = place - static_cast<double>(first);
    const auto mix = [part](int from, int to) {
        return static_cast<std::uint8_t>(std::lround(from + (to - from) * part));
    };
    const Colour &a = stops[first], &b = stops[first + 1];
    return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

} // namespace warplight::page
