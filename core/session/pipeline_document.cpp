// SPDX-License-Identifier: Apache-2.0
#include "session/pipeline_document.hpp"

#include "session/launch_document.hpp"
#include "session/session.hpp"

#include <fmt/format.h>
#include <utility>

namespace warplight::session {
namespace {

constexpr int deepest_loop = 8;
constexpr const char* rounds_words = "must be 1 or more";

std::string needed_text(const JsonReader& reader, std::string_view key, std::string_view what) {
    auto text = reader.text(key);
    if (text.empty()) reader.refuse(key, fmt::format("is missing: {}", what));
    return text;
}

/// @param value a name, or an object with a type and a value or formula
StepArgument read_step_argument(const ordered_json& value, const std::string& pointer) {
    StepArgument argument;
    if (value.is_string()) {
        argument.name = value.get<std::string>();
        return argument;
    }
    const JsonReader reader(value, pointer);
    argument.type = needed_text(reader, "type", "a value of the launch's own needs one, such as i32 or f32");
    if (const auto short_name = type_of_dtype(argument.type); !short_name.empty()) argument.type = short_name;
    if (dtype_of_type(argument.type).empty())
        reader.refuse("type", fmt::format("is \"{}\"; a value of a launch's own is one of i8, i16, i32, i64, u8, u16, "
                                          "u32, u64, f16, f32, f64. Others are arguments of the session",
                                          argument.type));
    argument.formula = reader.text("formula");
    if (reader.has("value") == !argument.formula.empty())
        reader.refuse("value", "or \"formula\" says what the kernel gets: exactly one of them");
    argument.value = reader.number("value", std::int64_t{0});
    if (!argument.formula.empty()) return argument;
    try {
        (void)pack_scalar(argument.type, argument.value);
    } catch (const SessionError& error) {
        throw SessionError(fmt::format("{} (At {} in the session.)", error.what(), reader.at("value")),
                           reader.at("value"));
    }
    return argument;
}

LaunchStep read_launch_step(const JsonReader& reader) {
    LaunchStep step;
    step.kernel = reader.text("kernel");
    if (const auto* arguments = reader.find("arguments")) {
        if (!arguments->is_array())
            reader.refuse("arguments", "must be a list of names of the session's arguments, and of values");
        for (std::size_t i = 0; i < arguments->size(); ++i)
            step.arguments.push_back(
                read_step_argument((*arguments)[i], fmt::format("{}/{}", reader.at("arguments"), i)));
    }
    step.launch = read_launch(reader.object("launch"));
    step.grid = reader.texts("grid");
    if (step.grid.size() > 3) reader.refuse("grid", "has more than three formulas: x, y, z");
    return step;
}

std::optional<std::uint64_t> read_count(const JsonReader& reader) {
    if (!reader.has("count")) return {};
    return reader.unsigned_integer("count", 0);
}

CopyStep read_copy(const JsonReader& reader) {
    CopyStep step;
    step.from = needed_text(reader, "from", "name the array that is copied");
    step.to = needed_text(reader, "to", "name the array that the elements go to");
    step.from_start = reader.unsigned_integer("from_start", 0);
    step.to_start = reader.unsigned_integer("to_start", 0);
    step.count = read_count(reader);
    return step;
}

FillStep read_fill(const JsonReader& reader) {
    FillStep step;
    step.buffer = needed_text(reader, "buffer", "name the array that is filled");
    step.value = reader.number("value", std::int64_t{0});
    step.range = {reader.unsigned_integer("start", 0), read_count(reader)};
    return step;
}

SwapStep read_swap(const JsonReader& reader) {
    const auto names = reader.texts("buffers");
    if (names.size() != 2) reader.refuse("buffers", "must be a list of two names of arrays");
    return {names[0], names[1]};
}

std::vector<PipelineStep> read_steps(const JsonReader& reader, int depth);

LoopStep read_loop(const JsonReader& reader, int depth) {
    LoopStep loop;
    if (depth > deepest_loop) reader.refuse("steps", fmt::format("has loops deeper than {}", deepest_loop));
    loop.until = reader.text("until");
    if (reader.has("times") && !loop.until.empty())
        reader.refuse("times", "and \"until\" exclude each other; \"at_most\" bounds a loop with \"until\"");
    if (!reader.has("times") && loop.until.empty())
        reader.refuse("times", "is missing: give a number of rounds, or \"until\" with a formula");
    loop.times = reader.unsigned_integer("times", 1, most_loop_rounds);
    loop.every = reader.unsigned_integer("every", 1, most_loop_rounds);
    loop.at_most = reader.unsigned_integer("at_most", 1000, most_loop_rounds);
    if (!loop.every) reader.refuse("every", rounds_words);
    if (!loop.at_most) reader.refuse("at_most", rounds_words);
    loop.steps = read_steps(reader, depth);
    return loop;
}

PipelineStep read_step(const JsonReader& reader, int depth) {
    PipelineStep step;
    const auto kind = reader.text("kind");
    if (kind == "launch") {
        step.what = read_launch_step(reader);
        step.unknown = reader.unknown({"kind", "kernel", "arguments", "launch", "grid"});
    } else if (kind == "copy") {
        step.what = read_copy(reader);
        step.unknown = reader.unknown({"kind", "from", "to", "from_start", "to_start", "count"});
    } else if (kind == "fill") {
        step.what = read_fill(reader);
        step.unknown = reader.unknown({"kind", "buffer", "value", "start", "count"});
    } else if (kind == "swap") {
        step.what = read_swap(reader);
        step.unknown = reader.unknown({"kind", "buffers"});
    } else if (kind == "loop") {
        step.what = read_loop(reader, depth + 1);
        step.unknown = reader.unknown({"kind", "steps", "times", "until", "every", "at_most"});
    } else {
        constexpr std::string_view kinds = "launch, copy, fill, swap or loop";
        reader.refuse("kind", kind.empty() ? fmt::format("is missing: use {}", kinds)
                                           : fmt::format("is \"{}\"; use {}", kind, kinds));
    }
    return step;
}

std::vector<PipelineStep> read_steps(const JsonReader& reader, int depth) {
    const auto* list = reader.find("steps");
    if (!list || !list->is_array()) reader.refuse("steps", "must be a list of objects");
    std::vector<PipelineStep> steps;
    steps.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i)
        steps.push_back(read_step(JsonReader((*list)[i], fmt::format("{}/{}", reader.at("steps"), i)), depth));
    return steps;
}

PipelineFrames read_frames(const JsonReader& reader) {
    PipelineFrames frames;
    frames.buffer = needed_text(reader, "buffer", "name the array that is kept");
    frames.every = reader.unsigned_integer("every", 1, most_loop_rounds);
    frames.at_most = reader.unsigned_integer("at_most", 200, 100'000);
    if (!frames.every) reader.refuse("every", rounds_words);
    if (!frames.at_most) reader.refuse("at_most", rounds_words);
    frames.unknown = reader.unknown({"buffer", "every", "at_most"});
    return frames;
}

ordered_json write_step_argument(const StepArgument& argument) {
    if (!argument.name.empty()) return argument.name;
    ordered_json object = {{"type", argument.type}};
    if (argument.formula.empty())
        object["value"] = from_number(argument.value);
    else
        object["formula"] = argument.formula;
    return object;
}

ordered_json write_steps(const std::vector<PipelineStep>& steps);

struct WriteStep {
    ordered_json operator()(const LaunchStep& step) const {
        ordered_json object = {{"kernel", step.kernel}, {"arguments", ordered_json::array()}};
        for (const StepArgument& each : step.arguments)
            object["arguments"].push_back(write_step_argument(each));
        object["launch"] = write_launch(step.launch);
        if (!step.grid.empty()) object["grid"] = step.grid;
        return object;
    }
    ordered_json operator()(const CopyStep& step) const {
        ordered_json object = {{"from", step.from}, {"to", step.to}};
        if (step.from_start) object["from_start"] = step.from_start;
        if (step.to_start) object["to_start"] = step.to_start;
        if (step.count) object["count"] = *step.count;
        return object;
    }
    ordered_json operator()(const FillStep& step) const {
        ordered_json object = {{"buffer", step.buffer}, {"value", from_number(step.value)}};
        if (step.range.start) object["start"] = step.range.start;
        if (step.range.count) object["count"] = *step.range.count;
        return object;
    }
    ordered_json operator()(const SwapStep& step) const { return {{"buffers", {step.first, step.second}}}; }
    ordered_json operator()(const LoopStep& step) const {
        ordered_json object = ordered_json::object();
        if (step.until.empty()) {
            object["times"] = step.times;
        } else {
            object["until"] = step.until;
            object["every"] = step.every;
            object["at_most"] = step.at_most;
        }
        object["steps"] = write_steps(step.steps);
        return object;
    }
};

ordered_json write_steps(const std::vector<PipelineStep>& steps) {
    ordered_json list = ordered_json::array();
    for (const PipelineStep& step : steps) {
        ordered_json object = {{"kind", kind_of(step)}};
        object.update(std::visit(WriteStep{}, step.what));
        add_unknown(object, step.unknown);
        list.push_back(std::move(object));
    }
    return list;
}

} // namespace

std::string_view kind_of(const PipelineStep& step) {
    constexpr std::string_view kinds[] = {"launch", "copy", "fill", "swap", "loop"};
    return kinds[step.what.index()];
}

std::string label_of(const PipelineStep& step) {
    struct Label {
        std::string operator()(const LaunchStep& step) const { return step.kernel; }
        std::string operator()(const CopyStep& step) const { return fmt::format("copy {} to {}", step.from, step.to); }
        std::string operator()(const FillStep& step) const {
            return fmt::format("fill {} with {}", step.buffer, as_double(step.value));
        }
        std::string operator()(const SwapStep& step) const {
            return fmt::format("swap {} and {}", step.first, step.second);
        }
        std::string operator()(const LoopStep& step) const {
            return step.until.empty() ? fmt::format("loop {} time{}", step.times, step.times == 1 ? "" : "s")
                                      : fmt::format("loop until {}", step.until);
        }
    };
    return std::visit(Label{}, step.what);
}

Pipeline read_pipeline(const JsonReader& reader) {
    Pipeline pipeline;
    const auto run_as = reader.text("run_as", "launches");
    if (run_as != "launches" && run_as != "graph")
        reader.refuse("run_as", fmt::format("is \"{}\"; use launches or graph", run_as));
    pipeline.graph = run_as == "graph";
    pipeline.steps = read_steps(reader, 0);
    if (reader.has("frames")) pipeline.frames = read_frames(reader.object("frames"));
    pipeline.unknown = reader.unknown({"run_as", "steps", "frames"});
    return pipeline;
}

ordered_json write_pipeline(const Pipeline& pipeline) {
    ordered_json object = {{"run_as", pipeline.graph ? "graph" : "launches"}, {"steps", write_steps(pipeline.steps)}};
    if (const auto& frames = pipeline.frames) {
        object["frames"] = {{"buffer", frames->buffer}, {"every", frames->every}, {"at_most", frames->at_most}};
        add_unknown(object["frames"], frames->unknown);
    }
    add_unknown(object, pipeline.unknown);
    return object;
}

LaunchConfiguration read_launch(const JsonReader& reader) {
    LaunchConfiguration launch;
    launch.grid = read_extents(reader, "grid");
    launch.block = read_extents(reader, "block");
    launch.shared = reader.unsigned_integer("shared", 0, UINT32_MAX);
    launch.cooperative = reader.boolean("cooperative", false);
    launch.options = read_launch_options(reader);
    std::vector<std::string_view> known{"grid", "block", "shared", "cooperative"};
    known.insert(known.end(), launch_option_keys.begin(), launch_option_keys.end());
    launch.unknown = reader.unknown(known);
    return launch;
}

ordered_json write_launch(const LaunchConfiguration& launch) {
    ordered_json object = {
        {"grid", launch.grid}, {"block", launch.block}, {"shared", launch.shared}, {"cooperative", launch.cooperative}};
    write_launch_options(launch.options, object);
    add_unknown(object, launch.unknown);
    return object;
}

void add_unknown(ordered_json& object, const std::string& unknown) {
    if (unknown.empty()) return;
    const auto rest = ordered_json::parse(unknown, nullptr, false);
    if (!rest.is_object()) return;
    for (const auto& [key, value] : rest.items())
        if (!object.contains(key)) object[key] = value;
}

} // namespace warplight::session
