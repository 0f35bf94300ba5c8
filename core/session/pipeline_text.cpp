// SPDX-License-Identifier: Apache-2.0
#include "session/pipeline_text.hpp"

#include "session/report.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::session {

std::string to_text(const ReportPipeline& pipeline) {
    constexpr std::size_t longest_label = 30; // loops are at most eight deep
    std::string text =
        fmt::format("  {:<12}{:<32}{:>8}{:>12}{:>12}{:>12}\n", "step", "", "rounds", "sum", "median", "p95");
    for (const ReportStep& step : pipeline.steps) {
        const auto depth = static_cast<std::size_t>(std::ranges::count(step.path, '.'));
        const std::string label = fmt::format("{:<{}}{:.{}}", "", 2 * depth, step.label, longest_label - 2 * depth);
        const bool timed = step.kind != "loop" && step.kind != "swap";
        text += fmt::format("  {:<12}{:<32}{:>8}", step.path, label, step.rounds);
        if (step.kind != "swap") text += fmt::format("{:>12}", format_ms(step.sum_ms));
        if (timed) text += fmt::format("{:>12}{:>12}", format_ms(step.median_ms), format_ms(step.p95_ms));
        if (step.held) text += *step.held ? "  its condition held" : "  ITS CONDITION NEVER HELD";
        text += '\n';
    }
    const bool graph = pipeline.run_as == "graph";
    if (pipeline.apart) text += fmt::format("  {:<12}{}\n", "", "steps were timed in one more run, one by one");
    if (graph)
        text += fmt::format("  {:<12}{} graph{} with {} nodes\n", "graph", pipeline.graphs,
                            pipeline.graphs == 1 ? "" : "s", pipeline.graph_nodes);
    if (!pipeline.note.empty()) text += fmt::format("  {:<12}{}\n", "", pipeline.note);
    if (const auto& frames = pipeline.frames)
        text += fmt::format("  {:<12}{} of {}, to round {}\n", "frames", frames->rounds.size(), frames->name,
                            frames->rounds.empty() ? 0 : frames->rounds.back());
    return text;
}

} // namespace warplight::session
