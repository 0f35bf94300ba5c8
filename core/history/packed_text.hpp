// SPDX-License-Identifier: Apache-2.0
// Texts, deflated; one that resembles an earlier text as what differs from it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplight::history {

/// @param base an earlier text, of which the last 32 KiB count; empty for none
std::string pack(std::string_view text, std::string_view base = {});
/// @param size of the text. @param base that it was packed with
/// @throws std::invalid_argument where the bytes are not such a text
std::string unpack(std::string_view packed, std::size_t size, std::string_view base = {});

} // namespace warplight::history
