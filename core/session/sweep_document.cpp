// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_document.hpp"

#include "session/sweep_text.hpp"

#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace warplight::session {
namespace {

/// A text, a number, true or false, or lengths such as [32, 8].
std::string read_value(const ordered_json& value, const JsonReader& reader) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number() || value.is_boolean()) return value.dump();
    if (!value.is_array() || value.empty())
        reader.refuse("values", fmt::format("must hold texts, numbers and lists such as [32, 8], but holds {}",
                                            json_kind(value)));
    std::string text;
    for (const auto& each : value) {
        if (!each.is_number_integer())
            reader.refuse("values", "has a list that holds something else than whole numbers");
        text += (text.empty() ? "" : "x") + each.dump();
    }
    return text;
}

/// Whole numbers are written as numbers, others as the texts that they are.
ordered_json write_value(const std::string& value) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (problem == std::errc() && end == value.data() + value.size() && fmt::format("{}", number) == value)
        return number;
    return value;
}

/// Calls `visit` with each object of a list.
template <class Visit>
void visit_objects(const JsonReader& reader, std::string_view key, Visit&& visit) {
    const auto* list = reader.find(key);
    if (!list) return;
    if (!list->is_array()) reader.refuse(key, fmt::format("must be a list of objects, but is {}", json_kind(*list)));
    for (std::size_t i = 0; i < list->size(); ++i)
        visit(JsonReader((*list)[i], fmt::format("{}/{}", reader.at(key), i)));
}

/// Has the pointer to its place.
template <class Step>
void at_place(const JsonReader& reader, std::string_view key, Step&& step) {
    try {
        step();
    } catch (const SessionError& error) {
        throw SessionError(error.what(), reader.at(key));
    }
}

} // namespace

Sweep read_sweep(const JsonReader& reader) {
    Sweep sweep;
    visit_objects(reader, "vary", [&](const JsonReader& each) {
        SweepAxis axis{each.text("name"), {}};
        at_place(each, "name", [&] { (void)parse_sweep_name(axis.name); });
        const auto* values = each.find("values");
        if (!values || !values->is_array() || values->empty())
            each.refuse("values", "must be a list with one value at least");
        for (const auto& value : *values)
            axis.values.push_back(read_value(value, each));
        sweep.vary.push_back(std::move(axis));
    });
    visit_objects(reader, "set", [&](const JsonReader& each) {
        SweepSetting setting{each.text("name"), {}};
        at_place(each, "name", [&] { (void)parse_setting_name(setting.name); });
        setting.formulas = each.texts("formulas");
        if (setting.formulas.empty()) each.refuse("formulas", "must be a list with one formula at least");
        sweep.set.push_back(std::move(setting));
    });
    sweep.zip = reader.boolean("zip", false);
    sweep.where = reader.text("where");
    sweep.sample = reader.unsigned_integer("sample", 0);
    sweep.seed = reader.unsigned_integer("seed", 0);
    sweep.rounds = static_cast<int>(reader.unsigned_integer("rounds", 8, 1'000'000));
    if (sweep.rounds < 1) reader.refuse("rounds", "must be 1 or more");
    sweep.stop_slower = reader.real("stop_slower", 3);
    if (!(sweep.stop_slower == 0 || (sweep.stop_slower > 1 && sweep.stop_slower < 1e300)))
        reader.refuse("stop_slower", "must be greater than 1, or 0: no point is stopped");
    sweep.time = reader.text("time");
    sweep.bytes = reader.text("bytes");
    sweep.operations = reader.text("operations");
    sweep.unknown = reader.unknown(
        {"vary", "set", "zip", "where", "sample", "seed", "rounds", "stop_slower", "time", "bytes", "operations"});
    return sweep;
}

ordered_json write_sweep(const Sweep& sweep) {
    const Sweep defaults;
    ordered_json object = {{"vary", ordered_json::array()}};
    for (const auto& axis : sweep.vary) {
        ordered_json values = ordered_json::array();
        for (const auto& value : axis.values)
            values.push_back(write_value(value));
        object["vary"].push_back({{"name", axis.name}, {"values", std::move(values)}});
    }
    for (const auto& setting : sweep.set)
        object["set"].push_back({{"name", setting.name}, {"formulas", setting.formulas}});
    if (sweep.zip) object["zip"] = true;
    if (!sweep.where.empty()) object["where"] = sweep.where;
    if (sweep.sample) object["sample"] = sweep.sample;
    if (sweep.seed) object["seed"] = sweep.seed;
    object["rounds"] = sweep.rounds;
    if (sweep.stop_slower != defaults.stop_slower) object["stop_slower"] = sweep.stop_slower;
    if (!sweep.time.empty()) object["time"] = sweep.time;
    if (!sweep.bytes.empty()) object["bytes"] = sweep.bytes;
    if (!sweep.operations.empty()) object["operations"] = sweep.operations;
    return object;
}

} // namespace warplight::session
