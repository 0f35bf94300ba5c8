// SPDX-License-Identifier: Apache-2.0
/// Names the arguments whose device memory a fault is about.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::session {

struct ArgumentMemory {
    std::string argument;        ///< "x"
    std::string name;            ///< "x, float32[1024]"
    std::uint64_t address = 0;   ///< of its allocation
    std::uint64_t allocated = 0; ///< bytes
    std::uint64_t bytes = 0;     ///< of the array, which may be less
    std::uint32_t element = 1;   ///< bytes of one
};

/// The start of what a driver calls its memory: "the 4096 bytes at 0x7f40 (".
[[nodiscard]] std::string phrase_of(const ArgumentMemory& argument);

/// Puts an argument's name in place of its memory in a driver's fault report: "4 bytes before the 4096 bytes at 0x7f40
/// (device memory)" becomes "4 bytes before x, float32[1024]". A report without addresses stays as it is.
[[nodiscard]] std::string name_arguments(std::string report, const std::vector<ArgumentMemory>& arguments);

} // namespace warplight::session
