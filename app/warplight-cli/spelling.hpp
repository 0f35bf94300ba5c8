// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::cli {

/// The candidate that a misspelled word was probably meant to be; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// What was written that is neither a command nor an option, with the nearest that is one; empty when that was not it.
std::string misspelled(const CLI::App& app);

} // namespace warplight::cli
