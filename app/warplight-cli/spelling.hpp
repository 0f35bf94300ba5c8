// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::cli {

/// The candidate that is nearest to a misspelled word. Empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Names the word that is neither a command nor an option, with the nearest one. Empty when there is no such word.
std::string misspelled(const CLI::App& app);

} // namespace warplight::cli
