// SPDX-License-Identifier: Apache-2.0
// The part of a temporary name that nobody can guess.
#pragma once

#include <string>
#include <string_view>

namespace warplight::files {

/// How often a new name is tried before giving up.
inline constexpr int kNameTries = 100;

/// Ten small letters and digits: 50 bits from the system's source of randomness.
[[nodiscard]] std::string random_name();
[[nodiscard]] bool is_random_name(std::string_view text);

} // namespace warplight::files
