// SPDX-License-Identifier: Apache-2.0
/// Device memory by the arguments that have it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::session {

struct ArgumentMemory {
    std::string name;            ///< "x, float32[1024]"
    std::uint64_t address = 0;   ///< of its allocation
    std::uint64_t allocated = 0; ///< bytes
    std::uint64_t bytes = 0;     ///< of the array, which may be less
};

/// Says the argument's name where a driver's report of a fault speaks of its memory: "4 bytes before the 4096 bytes at
/// 0x7f40 (device memory)" is "4 bytes before x, float32[1024]". A report without addresses stays as it is.
[[nodiscard]] std::string name_arguments(std::string report, const std::vector<ArgumentMemory>& arguments);

} // namespace warplight::session
