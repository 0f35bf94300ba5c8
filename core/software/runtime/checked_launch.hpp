// SPDX-License-Identifier: Apache-2.0
// Where and when something happens in a launch that is checked.
#pragma once

#include "../checks/collector.hpp"
#include "findings/finding.hpp"
#include "module.hpp"
#include "software/jit/abi/abi.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace warplight::software {

/// A thread at an instruction.
struct Caller {
    std::uint32_t linear; ///< thread in its block
    std::uint32_t site;
};

class CheckedLaunch {
public:
    /// All of them outlive this.
    CheckedLaunch(const Function& function, const jit::CompiledKernel& kernel, const LaunchContext& launch);

    /// Number of a block, by which those of a cluster follow each other in the order of their ranks. Without clusters
    /// it is that in the grid.
    [[nodiscard]] std::uint32_t number_of(const BlockContext& block) const;
    /// Its place in the grid.
    [[nodiscard]] BlockContext block_at(std::uint32_t number) const;
    [[nodiscard]] checks::Moment moment(const BlockContext& block, std::uint32_t thread) const;
    [[nodiscard]] findings::Event event_at(const BlockContext& block, Caller caller, const char* access) const;
    /// Of grid.sync(); empty where the launch has none.
    [[nodiscard]] CheckedRange grid_workspace() const;
    /// The same place in the source has the same text; without lines, the same instruction.
    [[nodiscard]] static std::string text_of(const findings::Event& event);
    /// Keeps a finding of a place and of `what` is wrong there. `tell` fills in all but the event.
    checks::Collector::Place keep(const BlockContext& block, Caller caller, const char* access, std::string_view what,
                                  const std::function<void(findings::Finding&)>& tell) const;

    const Function& function;
    const jit::CompiledKernel& kernel;
    const LaunchContext& launch;
    /// Shared addresses of the kernel's code have the rank of a block in its cluster.
    const bool knows_clusters;

private:
    const std::uint64_t number_; ///< of launches that were checked
};

} // namespace warplight::software
