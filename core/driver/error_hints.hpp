// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplight::driver {

/// What to do about a code of that driver ("cuda", "software"); empty where there is nothing to say.
[[nodiscard]] std::string error_hint_on(std::string_view driver, int code);
/// Error::sticky() of a code.
[[nodiscard]] bool is_sticky(int code) noexcept;

} // namespace warplight::driver
