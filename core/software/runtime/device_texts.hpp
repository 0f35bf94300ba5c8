// SPDX-License-Identifier: Apache-2.0
// Names and descriptions of the errors that kernels see, in memory of the device.
#pragma once

#include <cstdint>

namespace warplight::software {

/// The address of an error's name or description; 0 where the device has no memory for the texts.
[[nodiscard]] std::uint64_t device_error_name(std::uint64_t code);
[[nodiscard]] std::uint64_t device_error_text(std::uint64_t code);

} // namespace warplight::software
