// SPDX-License-Identifier: Apache-2.0
/// What differs between two runs of the history.
#pragma once

#include "history/run.hpp"
#include "session/timing_statistics.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::history {

/// One thing that is not the same in both. A side is empty where it has no such thing.
struct Difference {
    std::string what; ///< "block", "option", "argument n", "registers", "result y" …
    std::string before, after;
};

struct Line {
    enum class Kind { same, removed, added } kind;
    std::string text;
};

struct RunDifference {
    std::vector<Difference> settings;      ///< of what ran
    std::vector<Difference> results;       ///< of what came out: status, function attributes, outputs by their digest
    std::vector<std::string> same_outputs; ///< whose bytes are the same in both
    std::vector<Line> source;              ///< all lines of both; empty where the sources are equal
    /// Of the kernel's times; none where a run has none.
    std::optional<session::SampleDifference> times;
};

RunDifference difference(const Run& before, const Run& after);

/// "Run 3 is 1.42 times as fast as run 1 (…)", or that nothing can be said; one or two sentences.
std::string times_text(const session::SampleDifference& times, std::string_view before, std::string_view after);

/// What was changed between the two, as one phrase: "block 128 → 256, source: 3 lines". "nothing" where they ran alike.
std::string change_text(const Run& before, const Run& after);

/// The lines of two texts, with as few removed and added as there can be where fewer than 2000 are. Else all of the
/// lines between the first and the last difference are.
std::vector<Line> line_difference(std::string_view before, std::string_view after);

/// As `diff -u` prints it, with three lines around each change. Empty where nothing differs.
std::string unified_text(const std::vector<Line>& lines, std::string_view name_before, std::string_view name_after);

} // namespace warplight::history
