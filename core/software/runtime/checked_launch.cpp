// SPDX-License-Identifier: Apache-2.0
#include "checked_launch.hpp"

#include "block_scheduler.hpp"
#include "findings/toolkit_headers.hpp"
#include "launch_log/launch_log.hpp"
#include "report.hpp"
#include "software/ptx/effects.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace warplight::software {
namespace {

std::atomic<std::uint64_t> launches = 0;

bool has_clusters(const Function& function) {
    const auto& functions = function.reachable.functions;
    return std::any_of(functions.begin(), functions.end(), [&](ptx::FunctionId f) {
        const auto& code = function.module.ptx.functions[f].instructions;
        return std::any_of(code.begin(), code.end(), ptx::is_of_clusters);
    });
}

} // namespace

CheckedLaunch::CheckedLaunch(const Function& of, const jit::CompiledKernel& compiled, const LaunchContext& context)
    : function(of), kernel(compiled), launch(context), knows_clusters(has_clusters(of)), number_(++launches) {}

std::uint32_t CheckedLaunch::number_of(const BlockContext& block) const {
    const auto* n = launch.nclusters;
    if (launch.cluster_blocks <= 1) return static_cast<std::uint32_t>(moment(block, 0).block);
    const std::uint32_t cluster = block.clusterid[0] + n[0] * (block.clusterid[1] + n[1] * block.clusterid[2]);
    return cluster * launch.cluster_blocks + block.cluster_rank;
}

BlockContext CheckedLaunch::block_at(std::uint32_t number) const {
    BlockContext block{};
    place_block(block, launch,
                launch.cluster_blocks <= 1
                    ? number
                    : block_of_cluster(launch, number / launch.cluster_blocks, number % launch.cluster_blocks));
    return block;
}

checks::Moment CheckedLaunch::moment(const BlockContext& block, std::uint32_t thread) const {
    const auto* n = launch.nctaid;
    return {number_, block.ctaid[0] + n[0] * (block.ctaid[1] + std::uint64_t{n[1]} * block.ctaid[2]), thread};
}

findings::Event CheckedLaunch::event_at(const BlockContext& block, Caller caller, const char* access) const {
    findings::Event event;
    event.kernel = launch_log::source_name(function.ptx().name);
    event.access = access;
    place_event(function.module.ptx, kernel.site(caller.site), event);
    findings::leave_toolkit(event);
    std::copy(block.ctaid, block.ctaid + 3, event.block.begin());
    event.thread = thread_index(launch, caller.linear);
    return event;
}

CheckedRange CheckedLaunch::grid_workspace() const {
    constexpr std::uint64_t kBytes = 8;
    if (!launch.cooperative) return {};
    return {std::uint64_t{launch.envreg[1]} << 32 | launch.envreg[2], kBytes};
}

std::string CheckedLaunch::text_of(const findings::Event& event) {
    return findings::to_text(event.place, event.inlined_at, event.ptx_line);
}

checks::Collector::Place CheckedLaunch::keep(const BlockContext& block, Caller caller, const char* access,
                                             std::string_view what,
                                             const std::function<void(findings::Finding&)>& tell) const {
    findings::Finding f;
    static_cast<findings::Event&>(f) = event_at(block, caller, access);
    // Of one place in the source there may be several instructions, in loops that were unrolled.
    const checks::Spot spot{function.ptx().name, text_of(f), std::string(what)};
    return checks::Collector::instance().add(spot, moment(block, caller.linear), [&] {
        tell(f);
        return f;
    });
}

} // namespace warplight::software
