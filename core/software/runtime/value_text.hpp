// SPDX-License-Identifier: Apache-2.0
// Values of kernels as people write them.
#pragma once

#include "software/ptx/module.hpp"

#include <cstdint>
#include <string>

namespace warplight::software {

/// "1.5", "-3 (unsigned 4294967293)": PTX does not tell int from unsigned. Empty for types that are no numbers of
/// their own, such as .b32 and packed ones.
[[nodiscard]] std::string number_text(ptx::Type type, std::uint64_t value);

} // namespace warplight::software
