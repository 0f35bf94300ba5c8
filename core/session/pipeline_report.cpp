// SPDX-License-Identifier: Apache-2.0
#include "session/pipeline_report.hpp"

#include <nlohmann/json.hpp>

namespace warplight::session {

using nlohmann::json;

namespace {

json write(const ReportStep& step) {
    json object = {{"path", step.path},
                   {"kind", step.kind},
                   {"label", step.label},
                   {"rounds", step.rounds},
                   {"sum_ms", step.sum_ms}};
    if (step.kind == "launch") {
        object["grid"] = step.grid;
        object["block"] = step.block;
    }
    if (step.kind != "loop") {
        object["min_ms"] = step.min_ms;
        object["median_ms"] = step.median_ms;
        object["p95_ms"] = step.p95_ms;
    }
    if (step.held) object["held"] = *step.held;
    return object;
}

ReportStep read_step(const json& object) {
    ReportStep step;
    step.path = object.at("path");
    step.kind = object.at("kind");
    step.label = object.at("label");
    step.rounds = object.at("rounds");
    step.sum_ms = object.at("sum_ms");
    step.grid = object.value("grid", std::vector<std::uint32_t>());
    step.block = object.value("block", std::vector<std::uint32_t>());
    step.min_ms = object.value("min_ms", 0.0);
    step.median_ms = object.value("median_ms", 0.0);
    step.p95_ms = object.value("p95_ms", 0.0);
    if (object.contains("held")) step.held = object.at("held").get<bool>();
    return step;
}

} // namespace

json to_json(const ReportPipeline& pipeline) {
    json object = {{"run_as", pipeline.run_as}, {"apart", pipeline.apart}, {"steps", json::array()}};
    for (const ReportStep& step : pipeline.steps)
        object["steps"].push_back(write(step));
    if (pipeline.run_as == "graph") {
        object["graphs"] = pipeline.graphs;
        object["graph_nodes"] = pipeline.graph_nodes;
    }
    if (!pipeline.note.empty()) object["note"] = pipeline.note;
    if (const auto& frames = pipeline.frames) {
        object["frames"] = {
            {"name", frames->name}, {"dtype", frames->dtype}, {"shape", frames->shape}, {"rounds", frames->rounds}};
        if (frames->buffer) object["frames"]["buffer"] = *frames->buffer;
    }
    return object;
}

ReportPipeline pipeline_from_json(const json& object) {
    ReportPipeline pipeline;
    pipeline.run_as = object.at("run_as");
    pipeline.apart = object.value("apart", false);
    pipeline.graphs = object.value("graphs", std::uint64_t{0});
    pipeline.graph_nodes = object.value("graph_nodes", std::uint64_t{0});
    pipeline.note = object.value("note", "");
    for (const json& each : object.at("steps"))
        pipeline.steps.push_back(read_step(each));
    if (object.contains("frames")) {
        const json& from = object.at("frames");
        ReportFrames frames{from.at("name"),
                            from.at("dtype"),
                            from.at("shape").get<std::vector<std::size_t>>(),
                            from.at("rounds").get<std::vector<std::uint64_t>>(),
                            {}};
        if (from.contains("buffer")) frames.buffer = from.at("buffer").get<std::int64_t>();
        pipeline.frames = std::move(frames);
    }
    return pipeline;
}

} // namespace warplight::session
