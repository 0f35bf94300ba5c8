// SPDX-License-Identifier: Apache-2.0
/// The options of a run. run_options.def has one row for each of them, and everything else derives from the rows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace warplight::session {

/// The row of an option, except for its type and its default.
struct RunOption {
    /// Bounds of a whole number.
    struct Values {
        std::int64_t least = 0;
        std::int64_t most = std::numeric_limits<int>::max();

        static constexpr Values any() { return {}; }
        static constexpr Values at_least(std::int64_t least) { return {.least = least}; }
        static constexpr Values between(std::int64_t least, std::int64_t most) { return {least, most}; }
    };

    const char* name; ///< of the member, and of the worker's parameter
    const char* flag; ///< of warplight-cli; empty: the command line does not have it
    const char* help;
    Values values;
};

struct RunOptions {
#define WARPLIGHT_RUN_OPTION(type, name, initial, flag, values, help) type name = initial;
#include "session/run_options.def"
#undef WARPLIGHT_RUN_OPTION

    bool operator==(const RunOptions&) const = default;
};

/// Calls `visit` with the row and the member pointer of each option, in the order of the rows.
template <class Visit>
void visit_run_options(Visit&& visit) {
#define WARPLIGHT_RUN_OPTION(type, name, initial, flag, values, help)                                                  \
    visit(RunOption{#name, flag, help, RunOption::Values::values}, &RunOptions::name);
#include "session/run_options.def"
#undef WARPLIGHT_RUN_OPTION
}

} // namespace warplight::session
