// SPDX-License-Identifier: Apache-2.0
/// Several kernels in order on the arguments of one session. docs/pipelines.md explains each step.
#pragma once

#include "session/launch_configuration.hpp"
#include "session/number.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplight::session {

/// That a document may ask for.
inline constexpr std::uint64_t most_loop_rounds = 1'000'000'000;

/// An argument of a launch: one of the session's, or a value of the launch's own.
struct StepArgument {
    std::string name; ///< of the session's argument; empty: a value
    std::string type = "i32";
    Number value = std::int64_t{0};
    std::string formula; ///< instead of the value, of the session's scalars and `round`
};

struct LaunchStep {
    std::string kernel; ///< as in the source; may be empty where the source has only one
    std::vector<StepArgument> arguments;
    LaunchConfiguration launch;
    std::vector<std::string> grid; ///< formulas instead of the launch's grid, of scalars and bx, by, bz
};

/// Elements of a buffer; without a count all from `start` on.
struct ElementRange {
    std::uint64_t start = 0;
    std::optional<std::uint64_t> count;
};
struct CopyStep {
    std::string from, to;
    std::uint64_t from_start = 0, to_start = 0; ///< elements
    std::optional<std::uint64_t> count;         ///< of elements; without it all that `from` has
};
struct FillStep {
    std::string buffer;
    Number value = std::int64_t{0};
    ElementRange range;
};
/// Two buffers exchange their names.
struct SwapStep {
    std::string first, second;
};
struct PipelineStep;
struct LoopStep {
    std::vector<PipelineStep> steps;
    std::uint64_t times = 1;
    /// Instead of `times`: ends the loop where it is not 0. It is computed each `every` rounds.
    std::string until;
    std::uint64_t every = 1;
    std::uint64_t at_most = 1000; ///< rounds, where `until` never holds

    [[nodiscard]] std::uint64_t most_rounds() const { return until.empty() ? times : at_most; }
};

struct PipelineStep {
    std::variant<LaunchStep, CopyStep, FillStep, SwapStep, LoopStep> what;
    std::string unknown; ///< JSON object of keys that this version does not know; written back
};
/// launch, copy, fill, swap, loop
std::string_view kind_of(const PipelineStep& step);
/// "heat", "copy t to next", "swap t and next", "loop 200 times"
std::string label_of(const PipelineStep& step);

/// A buffer that is kept now and then, to be looked at. Rounds are those of the loops that are in no other loop.
struct PipelineFrames {
    std::string buffer;
    std::uint64_t every = 1;
    std::uint64_t at_most = 200; ///< frames, with the one before the first round
    std::string unknown;
};

struct Pipeline {
    std::vector<PipelineStep> steps;
    bool graph = false; ///< captured as CUDA graphs; else launched one by one
    std::optional<PipelineFrames> frames;
    std::string unknown;
};

/// Calls `visit(step, path)` for each step, a loop before its steps. Paths are as people count: "2.1".
template <class Steps, class Visit>
void visit_steps(Steps& steps, const Visit& visit, const std::string& above = {}) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::string path = above + std::to_string(i + 1);
        visit(steps[i], path);
        if (auto* loop = std::get_if<LoopStep>(&steps[i].what)) visit_steps(loop->steps, visit, path + ".");
    }
}

} // namespace warplight::session
