// SPDX-License-Identifier: Apache-2.0
#include "history/run_difference.hpp"

#include <algorithm>
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

std::map<std::string, std::string> digests_of(const session::Report& report) {
    std::map<std::string, std::string> digests;
    for (const auto& output : report.outputs)
        digests[output.name] = output.digest;
    return digests;
}

} // namespace

RunDifference difference(const Run& before, const Run& after) {
    RunDifference result;
    const auto& a = before.document;
    const auto& b = after.document;
    auto& settings = result.settings;
    compare(settings, "kernel", a.kernel, b.kernel);
    compare(settings, "grid", fmt::format("{}", fmt::join(a.launch.grid, ",")),
            fmt::format("{}", fmt::join(b.launch.grid, ",")));
    compare(settings, "block", fmt::format("{}", fmt::join(a.launch.block, ",")),
            fmt::format("{}", fmt::join(b.launch.block, ",")));
    compare(settings, "dynamic shared memory", fmt::format("{} B", a.launch.shared),
            fmt::format("{} B", b.launch.shared));
    compare(settings, "cooperative", a.launch.cooperative ? "yes" : "no", b.launch.cooperative ? "yes" : "no");
    compare(settings, "launch options", a.launch.options.text(), b.launch.options.text());
    compare(settings, "compiler", before.report.compile.compiler, after.report.compile.compiler);
    compare(settings, "options", before.entry.options, after.entry.options);
    compare(settings, "architecture", before.report.compile.arch, after.report.compile.arch);
    compare(settings, "device", before.entry.device, after.entry.device);
    compare_maps(settings, "argument ", arguments_of(a), arguments_of(b));

    auto& results = result.results;
    compare(results, "status", std::string(session::status_name(before.report.status)),
            std::string(session::status_name(after.report.status)));
    compare_maps(results, "", before.report.function, after.report.function);
    compare_maps(results, "result ", digests_of(before.report), digests_of(after.report));

    if (a.source.text != b.source.text) result.source = line_difference(a.source.text, b.source.text);
    return result;
}

} // namespace warplight::history
