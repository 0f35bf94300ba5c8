// SPDX-License-Identifier: Apache-2.0
// A kernel ready to be planned and emitted: analysed, for lanes without calls, and with shadows where they are asked
// for.
#pragma once

#include "software/jit/analysis/analysis.hpp"
#include "software/jit/jit.hpp"
#include "software/jit/lanes/lanes.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplight::jit {

struct KernelSource {
    ptx::FunctionId kernel = 0;
    const ptx::Module* module = nullptr; ///< the given one, or `changed`
    Analysis analysis;
    std::vector<Site> origins; ///< by site, where the code was changed: its place in the given module; else empty
    std::unique_ptr<ptx::Module> changed;
    bool has_turns = false; ///< with_stride_turns()

    [[nodiscard]] const ptx::Function& function() const { return module->functions[kernel]; }
};

/// Analyses a kernel. For more than one lane, and to follow values, its calls are inlined where that is possible.
/// Throws std::runtime_error for a function that is no kernel.
[[nodiscard]] KernelSource prepare_source(const ptx::Module& module, ptx::FunctionId kernel, const Options& options);

/// What plan_lanes() found out.
struct LanesOrObstacle {
    std::optional<LanePlan> plan; ///< none for one lane, or where there is an obstacle
    std::string obstacle;
};
[[nodiscard]] LanesOrObstacle plan_source(const KernelSource& source, unsigned width);

} // namespace warplight::jit
