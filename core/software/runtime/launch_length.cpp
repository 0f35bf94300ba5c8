// SPDX-License-Identifier: Apache-2.0
#include "launch_length.hpp"

#include "configuration.hpp"
#include "context.hpp"
#include "software/ptx/flow.hpp"

#include <cstdint>

namespace warplight::software {
namespace {

constexpr float kTurns = 16; ///< that a loop is taken to have
/// Making quick code instead of fast code saves some 0.2 ms for each instruction of PTX. Quick code takes about twice
/// the time of fast code, which takes up to a nanosecond for each instruction of a thread.
constexpr double kShortLaunch = 1 << 18; ///< threads, times turns

} // namespace

float turns_of(const ptx::Module& module, const ptx::Reachable& reachable) {
    double executed = 0, written = 0;
    for (const ptx::FunctionId f : reachable.functions) {
        const ptx::Function& function = module.functions[f];
        if (!function.defined) continue;
        const ptx::FlowGraph graph(function);
        const auto edges = ptx::back_edges(graph);
        for (std::uint32_t block = 0; block < graph.end(); ++block) {
            const double instructions = graph.blocks()[block].end - graph.blocks()[block].begin;
            double turns = 1;
            for (const ptx::BackEdge& edge : edges)
                if (edge.to <= block && block <= edge.from && turns < kTurns * kTurns * kTurns) turns *= kTurns;
            executed += instructions * turns;
            written += instructions;
        }
    }
    return written > 0 ? static_cast<float>(executed / written) : 1;
}

CodeWanted code_wanted(const LaunchRequest& request) {
    const Function& function = *request.function.function;
    const Configuration& settings = configuration();
    // Whoever reads a time takes it for what the kernel takes.
    if (function.module.context.is_timed || settings.summary || !settings.launch_log.empty()) return CodeWanted::fast;
    double threads = 1;
    for (const auto& extents : {request.grid, request.block})
        for (const unsigned extent : extents)
            threads *= extent;
    if (threads > kShortLaunch) return CodeWanted::fast;
    return threads * static_cast<double>(function.turns()) <= kShortLaunch ? CodeWanted::any : CodeWanted::fast;
}

} // namespace warplight::software
