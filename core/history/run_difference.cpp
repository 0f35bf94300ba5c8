// SPDX-License-Identifier: Apache-2.0
#include "history/run_difference.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

namespace warplight::history {
namespace {

void compare(std::vector<Difference>& to, std::string what, std::string before, std::string after) {
    if (before != after) to.push_back({std::move(what), std::move(before), std::move(after)});
}

/// Each argument as the document has it, by name.
std::map<std::string, std::string> arguments_of(const session::Session& session) {
    std::map<std::string, std::string> arguments;
    const auto document = session::to_json(session);
    if (const auto found = document.find("arguments"); found != document.end())
        for (const auto& each : *found) {
            auto rest = each;
            const std::string name = rest.value("name", "");
            rest.erase("name");
            arguments[name] = rest.dump();
        }
    return arguments;
}

/// Each step by its number, and what is said of all of them.
std::map<std::string, std::string> steps_of(const session::Session& session) {
    std::map<std::string, std::string> steps;
    if (!session.pipeline) return steps;
    session::visit_steps(session.pipeline->steps, [&](const session::PipelineStep& step, const std::string& path) {
        auto shown = step;
        if (auto* loop = std::get_if<session::LoopStep>(&shown.what)) loop->steps.clear(); // they come themselves
        session::Session alone;
        alone.pipeline = session::Pipeline{.steps = {std::move(shown)}, .frames = {}, .unknown = {}};
        steps[path] = session::to_json(alone)["pipeline"]["steps"][0].dump();
    });
    return steps;
}

template <class Map>
void compare_maps(std::vector<Difference>& to, std::string_view what, const Map& before, const Map& after) {
    const auto value = [](const Map& map, const auto& key) {
        const auto found = map.find(key);
        return found == map.end() ? std::string() : fmt::format("{}", found->second);
    };
    Map all = before;
    all.insert(after.begin(), after.end());
    for (const auto& [key, unused] : all)
        compare(to, fmt::format("{}{}", what, key), value(before, key), value(after, key));
}

void compare_pipelines(std::vector<Difference>& to, const session::Session& before, const session::Session& after) {
    const auto run_as = [](const session::Session& session) {
        return std::string(!session.pipeline ? "" : session.pipeline->graph ? "graph" : "launches");
    };
    const auto frames = [](const session::Session& session) {
        if (!session.pipeline || !session.pipeline->frames) return std::string();
        const auto& kept = *session.pipeline->frames;
        return fmt::format("{} every {}, at most {}", kept.buffer, kept.every, kept.at_most);
    };
    compare(to, "pipeline run as", run_as(before), run_as(after));
    compare(to, "frames", frames(before), frames(after));
    compare_maps(to, "step ", steps_of(before), steps_of(after));
}

bool are_times(const std::vector<double>& times) {
    return !times.empty() && std::all_of(times.begin(), times.end(), [](double ms) { return ms > 0; });
}

/// "128" of "128,1,1"
std::string short_shape(std::string_view shape) {
    while (shape.ends_with(",1"))
        shape.remove_suffix(2);
    return std::string(shape);
}

/// The value of a scalar whose document is this one; else nothing.
std::string scalar_value(const std::string& argument) {
    const auto document = nlohmann::json::parse(argument, nullptr, false);
    if (!document.is_object() || !document.contains("value")) return {};
    return document["value"].is_primitive() ? document["value"].dump() : std::string();
}

/// "block 128 → 256"; without the values where they are long.
std::string phrase_of(const Difference& setting) {
    constexpr std::size_t most_letters = 40;
    std::string what = setting.what, before = setting.before, after = setting.after;
    if (what == "grid" || what == "block") {
        before = short_shape(before);
        after = short_shape(after);
    } else if (what == "device") {
        return what; // two long names
    } else if (what.starts_with("step ")) {
        return before.empty() ? what + " is new" : after.empty() ? what + " is gone" : what;
    } else if (constexpr std::string_view argument = "argument "; what.starts_with(argument)) {
        if (before.empty()) return what + " is new";
        if (after.empty()) return what + " is gone";
        before = scalar_value(before);
        after = scalar_value(after);
        if (before.empty() || after.empty() || before == after) return what;
        what.erase(0, argument.size());
    }
    if (before.size() + after.size() > most_letters) return what;
    return fmt::format("{} {} → {}", what, before.empty() ? "none" : before, after.empty() ? "none" : after);
}

/// Lines that are not the same: of lines that were replaced by others, the larger number.
std::size_t changed_lines(const std::vector<Line>& lines) {
    std::size_t count = 0, removed = 0, added = 0;
    for (const auto& line : lines) {
        removed += line.kind == Line::Kind::removed;
        added += line.kind == Line::Kind::added;
        if (line.kind != Line::Kind::same) continue;
        count += std::max(removed, added);
        removed = added = 0;
    }
    return count + std::max(removed, added);
}

std::map<std::string, std::string> digests_of(const session::Report& report) {
    std::map<std::string, std::string> digests;
    for (const auto& output : report.outputs)
        digests[output.name] = output.digest;
    return digests;
}

/// The kernel of a session with a pipeline is not what it launches.
const std::string& launched_kernels(const Run& run) {
    return run.document.pipeline ? run.report.kernel : run.document.kernel;
}

void compare_launches(std::vector<Difference>& settings, const session::LaunchConfiguration& a,
                      const session::LaunchConfiguration& b) {
    compare(settings, "grid", fmt::format("{}", fmt::join(a.grid, ",")), fmt::format("{}", fmt::join(b.grid, ",")));
    compare(settings, "block", fmt::format("{}", fmt::join(a.block, ",")), fmt::format("{}", fmt::join(b.block, ",")));
    compare(settings, "dynamic shared memory", fmt::format("{} B", a.shared), fmt::format("{} B", b.shared));
    compare(settings, "cooperative", a.cooperative ? "yes" : "no", b.cooperative ? "yes" : "no");
    compare(settings, "launch options", a.options.text(), b.options.text());
}

/// "1410 MHz", "1410 … 1980 MHz"
std::string sm_clock_text(const session::Report& report) {
    if (!report.clocks || !report.clocks->sm_mhz) return {};
    const auto& [low, high] = *report.clocks->sm_mhz;
    return low == high ? fmt::format("{} MHz", low) : fmt::format("{} … {} MHz", low, high);
}

} // namespace

RunDifference difference(const Run& before, const Run& after) {
    RunDifference result;
    const auto& a = before.document;
    const auto& b = after.document;
    auto& settings = result.settings;
    compare(settings, "kernel", launched_kernels(before), launched_kernels(after));
    if (!a.pipeline && !b.pipeline) compare_launches(settings, a.launch, b.launch);
    compare_pipelines(settings, a, b);
    compare(settings, "compiler", before.report.compile.compiler, after.report.compile.compiler);
    compare(settings, "options", before.entry.options, after.entry.options);
    compare(settings, "architecture", before.report.compile.arch, after.report.compile.arch);
    compare(settings, "device", before.entry.device, after.entry.device);
    compare(settings, "L2 cache", before.report.cold_l2 ? "cold" : "warm", after.report.cold_l2 ? "cold" : "warm");
    compare_maps(settings, "argument ", arguments_of(a), arguments_of(b));

    auto& results = result.results;
    compare(results, "status", std::string(session::status_name(before.report.status)),
            std::string(session::status_name(after.report.status)));
    compare_maps(results, "", before.report.function, after.report.function);
    compare(results, "SM clock", sm_clock_text(before.report), sm_clock_text(after.report));
    compare(results, "clocks", before.entry.clocks, after.entry.clocks);
    const auto digests = digests_of(before.report), later_digests = digests_of(after.report);
    compare_maps(results, "result ", digests, later_digests);
    for (const auto& [name, digest] : digests)
        if (const auto found = later_digests.find(name);
            !digest.empty() && found != later_digests.end() && found->second == digest)
            result.same_outputs.push_back(name);

    if (a.source.text != b.source.text) result.source = line_difference(a.source.text, b.source.text);
    const auto &times = before.report.times.kernel_ms, &later_times = after.report.times.kernel_ms;
    if (are_times(times) && are_times(later_times)) result.times = session::compare_samples(times, later_times);
    return result;
}

std::string times_text(const session::SampleDifference& times, std::string_view before, std::string_view after) {
    const auto sentence = [&](std::string_view more) {
        std::string text =
            times.ratio <= 1 ? fmt::format("{} is {:.2f} times as fast as {}{}.", after, 1 / times.ratio, before, more)
                             : fmt::format("{} is {:.2f} times as slow as {}{}.", after, times.ratio, before, more);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    };
    if (!times.enough)
        return sentence("") +
               fmt::format(" Whether by chance cannot be told: that takes {} repeats of each.", session::least_repeats);
    if (!times.seen)
        return fmt::format("The times are not distinguishable: the median of {} is {:.2f} times that of {} (95 %: "
                           "{:.2f} to {:.2f}; permutation test, p = {:.2g}).",
                           after, times.ratio, before, times.interval.low, times.interval.high, times.p);
    const bool faster = times.ratio <= 1;
    const double low = faster ? 1 / times.interval.high : times.interval.low;
    const double high = faster ? 1 / times.interval.low : times.interval.high;
    return sentence(fmt::format(" (95 %: {:.2f} to {:.2f}; permutation test, p = {:.2g})", low, high, times.p));
}

std::string change_text(const Run& before, const Run& after) {
    constexpr std::size_t most_parts = 2;
    Run a = before, b = after;
    a.report.times = b.report.times = {}; // they are not asked for
    const auto changes = difference(a, b);
    std::vector<std::string> parts;
    if (const auto count = changed_lines(changes.source); count != 0)
        parts.push_back(fmt::format("source: {} {}", count, count == 1 ? "line" : "lines"));
    for (const auto& setting : changes.settings)
        parts.push_back(phrase_of(setting));
    if (parts.empty()) return "nothing";
    const std::size_t more = parts.size() - std::min(parts.size(), most_parts);
    parts.resize(parts.size() - more);
    return fmt::format("{}{}", fmt::join(parts, ", "), more ? fmt::format(" and {} more", more) : std::string());
}

} // namespace warplight::history
