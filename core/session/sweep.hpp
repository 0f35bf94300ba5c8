// SPDX-License-Identifier: Apache-2.0
/// What a sweep varies: a part of the session document. docs/sweep.md explains it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::session {

/// What takes several values: "block", "define:NAME", "step:flow.block" and others that docs/sweep.md lists.
struct SweepAxis {
    std::string name;
    std::vector<std::string> values; ///< "32x8", "16", "scale<float>"

    bool operator==(const SweepAxis&) const = default;
};

/// What follows from the values at a point, such as "grid" or "argument:NAME", by a formula for each axis.
struct SweepSetting {
    std::string name;
    std::vector<std::string> formulas;

    bool operator==(const SweepSetting&) const = default;
};

struct Sweep {
    std::vector<SweepAxis> vary;
    std::vector<SweepSetting> set; ///< in this order
    bool zip = false;              ///< value i of all axes makes point i, instead of each with each
    std::string where;             ///< formula that is not 0 at the points that are run; empty: all
    std::uint64_t sample = 0;      ///< so many of the points, by chance; 0: all
    std::uint64_t seed = 0;        ///< of that chance
    int rounds = 8;
    double stop_slower = 3;        ///< a point that takes so many times as long as the best is not measured on; 0: none
    std::string time;              ///< of a pipeline: the step whose time counts, such as "2.1"; empty: all of it
    std::string bytes, operations; ///< formulas of what a launch moves and computes; empty: a profile tells
    std::string unknown;           ///< JSON object of keys that this version does not know; written back

    /// Has what earlier versions of the document do not have: options of a launch, template arguments, and steps.
    [[nodiscard]] bool is_of_fourth_version() const;
};

} // namespace warplight::session
