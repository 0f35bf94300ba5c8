// SPDX-License-Identifier: Apache-2.0
/// What a report has of a pipeline. docs/report.md has every key.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warplight::session {

struct ReportStep {
    std::string path; ///< "2.1": the first step of the loop that is step 2
    std::string kind; ///< launch, copy, fill, swap, loop
    std::string label;
    std::vector<std::uint32_t> grid, block; ///< of a launch
    std::uint64_t rounds = 0;               ///< how often it was done; of a loop: its rounds
    double sum_ms = 0;
    double min_ms = 0, median_ms = 0, p95_ms = 0;
    std::optional<bool> held; ///< of a loop with `until`: that ended it, else its most rounds
};

struct ReportFrames {
    std::string name, dtype;
    std::vector<std::size_t> shape; ///< frames first
    std::vector<std::uint64_t> rounds;
    std::optional<std::int64_t> buffer; ///< id in the worker, where there is one
};

struct ReportPipeline {
    std::string run_as;            ///< launches, graph
    std::uint64_t graphs = 0;      ///< that were captured
    std::uint64_t graph_nodes = 0; ///< of all of them
    std::string note;              ///< why something was not captured
    bool apart = false;            ///< the steps were timed in one more run, as launches
    std::vector<ReportStep> steps;
    std::optional<ReportFrames> frames;
};

nlohmann::json to_json(const ReportPipeline& pipeline);
/// @throws nlohmann::json::exception
ReportPipeline pipeline_from_json(const nlohmann::json& json);

} // namespace warplight::session
