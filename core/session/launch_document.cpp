// SPDX-License-Identifier: Apache-2.0
#include "session/launch_document.hpp"

#include "session/json_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace warplight::session {
namespace {

std::optional<int> read_integer(const JsonReader& reader, std::string_view key, int least, int most) {
    const auto* value = reader.find(key);
    if (!value) return {};
    if (value->is_number_integer())
        // An unsigned one that is too large for the type would become negative.
        if (const auto number = value->get<std::int64_t>();
            number >= least && number <= most && (!value->is_number_unsigned() || number >= 0))
            return static_cast<int>(number);
    reader.refuse(key, fmt::format("must be a whole number from {} to {}", least, most));
}

} // namespace

LaunchOptions read_launch_options(const JsonReader& reader) {
    LaunchOptions options;
    if (reader.has("cluster")) options.cluster = read_extents(reader, "cluster");
    if (std::ranges::count(options.cluster, 0u)) reader.refuse("cluster", "must have 1 or more blocks along each axis");
    options.carveout = read_integer(reader, "carveout", 0, 100);
    options.cache = reader.text("cache");
    if (!options.cache.empty() && std::ranges::find(cache_preferences, options.cache) == cache_preferences.end())
        reader.refuse("cache", fmt::format("must be one of {}", fmt::join(cache_preferences, ", ")));
    options.priority = read_integer(reader, "priority", -furthest_priority, furthest_priority).value_or(0);
    return options;
}

void write_launch_options(const LaunchOptions& options, nlohmann::ordered_json& launch) {
    if (!options.cluster.empty()) launch["cluster"] = options.cluster;
    if (options.carveout) launch["carveout"] = *options.carveout;
    if (!options.cache.empty()) launch["cache"] = options.cache;
    if (options.priority != 0) launch["priority"] = options.priority;
}

} // namespace warplight::session
