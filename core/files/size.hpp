// SPDX-License-Identifier: Apache-2.0
// Sizes of files and memory as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplight::files {

/// Bytes of "4G", "512M", "1GiB", "1000". Nothing for any other text and where 64 bits do not suffice.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

/// The bytes that an environment variable names; `otherwise` where it is not set or no size.
[[nodiscard]] std::uint64_t size_from_environment(const char* variable, std::uint64_t otherwise);

} // namespace warplight::files
