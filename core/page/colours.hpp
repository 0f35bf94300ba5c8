// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/image.hpp"

#include <span>

namespace warplight::page {

/// Between which the colours of the map viridis lie, from dark to bright, at equal distances.
std::span<const Colour> viridis_stops();
/// @param share from 0, dark, to 1, bright; what is beyond becomes an end
Colour viridis(double share);

} // namespace warplight::page
