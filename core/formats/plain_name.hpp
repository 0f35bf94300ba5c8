// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplight::formats {

enum class NameBytes { utf8, unknown };

/// A name from a file as one that a message, a terminal and a session can hold: a control character is written as
/// `\x1b`. So is each byte behind ASCII of a name whose encoding is unknown. Other names stay as they are.
std::string plain_name(std::string_view name, NameBytes bytes = NameBytes::utf8);

} // namespace warplight::formats
