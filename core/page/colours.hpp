// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/image.hpp"

namespace warplight::page {

/// @param share from 0, dark, to 1, bright; what is beyond becomes an end
Colour viridis(double share);

} // namespace warplight::page
