// SPDX-License-Identifier: Apache-2.0
// What a run does on its device, in order: names are found, and ranges and grids are numbers. A session without a
// pipeline is a plan of one launch.
#pragma once

#include "session/argument_data.hpp"
#include "session/pipeline.hpp"
#include "session/scalar_formula.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warplight::session {

struct CompiledSource;

/// The value of a launch's own, as an argument that is checked like the others.
struct OwnValue {
    Argument argument;
    ArgumentData data;
    std::unique_ptr<ScalarFormula> formula; ///< of the plan's scalars and the round; null: it does not change
    std::string expression;                 ///< the formula as it is in the session
};
struct PlannedArgument {
    std::size_t argument = 0;      ///< of the session's
    std::shared_ptr<OwnValue> own; ///< instead
    GivenAs as = GivenAs::address; ///< of an array
};

struct PlannedLaunch {
    std::string kernel;   ///< as the session names it
    std::size_t code = 0; ///< of Plan::kernels
    LaunchConfiguration launch;
    std::vector<PlannedArgument> arguments;
    [[nodiscard]] bool depends_on_round() const;
};
struct PlannedCopy {
    std::size_t from = 0, to = 0; ///< arguments
    std::uint64_t from_offset = 0, to_offset = 0, bytes = 0;
};
struct PlannedFill {
    std::size_t buffer = 0;
    std::uint64_t offset = 0; ///< bytes
    std::uint64_t count = 0;  ///< elements
    std::vector<std::byte> element;
};
struct PlannedSwap {
    std::size_t first = 0, second = 0;
};
struct PlannedStep;
struct PlannedLoop {
    std::vector<PlannedStep> steps;
    std::uint64_t rounds = 0; ///< at most
    std::string until;
    std::uint64_t every = 1;
};
struct PlannedStep {
    std::string path;    ///< "2.1"; empty: the session's own kernel
    std::string pointer; ///< /pipeline/steps/1/steps/0
    std::string label;
    std::size_t number = 0; ///< of all steps, a loop before its steps
    std::variant<PlannedLaunch, PlannedCopy, PlannedFill, PlannedSwap, PlannedLoop> what;
};

struct Plan {
    std::vector<PlannedStep> steps;
    std::vector<PlannedStep*> launches; ///< in their order; the plan stays where it is
    std::vector<std::string> kernels;   ///< each once, in the order of their first launches
    std::vector<double> scalars;        ///< values for the formulas of launches, but for the round
    std::size_t step_count = 0;
    std::optional<std::size_t> framed; ///< the argument that is kept

    Plan() = default;
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
};

/// The kernels that a session launches, with pointers to their names, each once.
struct KernelName {
    std::string name, pointer;
};
std::vector<KernelName> kernels_of(const Session& session);

/// @throws StageError for names and ranges that do not fit, with a pointer
void make_plan(const Session& session, std::vector<ArgumentData>& arguments, Plan& plan);

/// Checks that the kernels' parameters fit what their launches are given, and decides what each array is given as.
/// @throws StageError, which names the step
void fit_launches(const CompiledSource& compiled, const std::vector<ArgumentData>& arguments, Plan& plan);

/// By its number; null: there is none.
const PlannedStep* find_step(const std::vector<PlannedStep>& steps, std::string_view path);
/// Runs `check`, whose errors are about the launch of a step: then they name it.
void in_step(const PlannedStep& step, const std::function<void()>& check);
/// "Step 2.1 (heat)"
std::string phrase_of(const PlannedStep& step);

} // namespace warplight::session
