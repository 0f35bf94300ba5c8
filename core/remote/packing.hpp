// SPDX-License-Identifier: Apache-2.0
// Large packets of a link, compressed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace warplight::remote {

/// Nothing where it gains less than a tenth: then the bytes go as they are.
std::optional<std::vector<std::byte>> pack(std::span<const std::byte> bytes);
/// Nothing for what pack() has not made, and for more than `most` bytes; memory is taken for no more than that.
std::optional<std::vector<std::byte>> unpack(std::span<const std::byte> packed, std::size_t most);
/// As the bytes say it, without a look at the rest. Nothing where they do not.
std::optional<std::size_t> unpacked_size(std::span<const std::byte> packed);

} // namespace warplight::remote
