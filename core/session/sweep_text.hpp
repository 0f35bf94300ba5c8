// SPDX-License-Identifier: Apache-2.0
/// The parts of a sweep as they are typed: `--vary block=32x1,64x2`, `--set grid='ceil(n/bx)'`.
#pragma once

#include "session/sweep.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

enum class SweepKind {
    block,
    grid,
    extent,
    shared,
    cluster,
    cooperative,
    carveout,
    cache,
    priority,
    kernel,
    template_argument,
    arch,
    compiler,
    device,
    option,
    define,
    argument,
    shape,
    l2,     ///< warm, cold
    run_as, ///< of a pipeline
    times,  ///< of a loop
    every,
    at_most,
    value, ///< of a launch's own
};
/// The axes of the block and of the grid, as formulas name them.
inline constexpr std::string_view extent_names[] = {"bx", "by", "bz", "gx", "gy", "gz"};
/// A name of an axis or a setting: "define:TILE" is {define, "TILE"}, and "step:flow.block" is {block, "", "flow"}.
struct SweepName {
    SweepKind kind = SweepKind::block;
    std::string subject;                 ///< behind the colon; of extent "bx" to "gz"
    std::string step = {};               ///< of a pipeline: a step's number or a kernel; empty: it is about the session
    std::vector<std::string> paths = {}; ///< of the steps that are meant; found by find_subject()
};
/// Of a launch: a session without a pipeline has one, and others have one in each step.
[[nodiscard]] bool is_of_launch(SweepKind kind);
/// @throws SessionError that lists the names there are
SweepName parse_sweep_name(std::string_view name);
/// That a setting may have: kernel and the like have no formula. @throws SessionError
SweepName parse_setting_name(std::string_view name);

/// The parts between commas that stand in no brackets: "max(1,2),3" has two. `brackets` has pairs of them.
std::vector<std::string> split_values(std::string_view text, std::string_view brackets);
/// The values of an axis: "32x1, 64x2". A range is a value for each of its whole numbers: "1..8", "16..128+16" or
/// "32..1024*2". A value in quotation marks is taken as it is: "\"-Xptxas -O1,-v\"". @throws SessionError
std::vector<std::string> parse_values(std::string_view text);
/// The text that parse_values reads these from. Many numbers with a constant step become a range.
std::string values_text(const std::vector<std::string>& values);
/// "block=32x1,64x2". @throws SessionError
SweepAxis parse_axis(std::string_view text);
/// "grid=ceil(n/bx),ceil(n/by)". @throws SessionError
SweepSetting parse_setting(std::string_view text);

/// "32x8" has 32 and 8: one to three whole numbers of at least `least`. @throws SessionError
std::vector<std::uint64_t> parse_lengths(std::string_view text, std::string_view axis, std::size_t most_lengths,
                                         std::uint64_t least, std::uint64_t most);

} // namespace warplight::session
