// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profile.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace warplight::page {

/// The source with numbers of lines, as HTML. Lines that cost much have a colour, where there is a profile.
/// @param file the name of the source in the profile
std::string listing(std::string_view source, const std::optional<profile::Profile>& profile, std::string_view file);

} // namespace warplight::page
