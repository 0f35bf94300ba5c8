// SPDX-License-Identifier: Apache-2.0
#include "page/settings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplight::page {
namespace {

using nlohmann::json;

/// "random: dtype float32, shape [1024], seed 1"
std::string phrase(const json& object, const char* first) {
    std::string text = object.value(first, "");
    for (const auto& [key, value] : object.items()) {
        if (key == first) continue;
        const std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
        text += fmt::format("{} {} {}",
                            text.empty()                          ? ""
                            : text.find(':') == std::string::npos ? ":"
                                                                  : ",",
                            key, shown);
    }
    return text;
}

std::string data_text(const json& argument) {
    std::string text;
    if (argument.value("direction", "") == "scalar") {
        const auto value = argument.value("value", json());
        text = fmt::format("{} {}", argument.value("type", ""),
                           value.is_string() ? value.get<std::string>() : value.dump());
    } else if (const auto source = argument.find("source"); source != argument.end()) {
        text = phrase(*source, "kind");
    }
    if (const auto expect = argument.find("expect"); expect != argument.end())
        text += "; expected: " + phrase(*expect, "expression");
    return text;
}

} // namespace

std::vector<std::vector<std::string>> argument_rows(const session::Session& session) {
    std::vector<std::vector<std::string>> rows;
    const auto document = session::to_json(session);
    const auto arguments = document.find("arguments");
    if (arguments == document.end()) return rows;
    rows.reserve(arguments->size());
    for (const auto& each : *arguments)
        rows.push_back({each.value("name", ""),
                        each.value("direction", "") + (each.value("variable", false) ? " variable" : ""),
                        data_text(each)});
    return rows;
}

std::string session_text(const session::Session& session) {
    session::Session without = session;
    without.source.text.clear();
    without.source.path = without.source.name;
    return session::to_text(without);
}

} // namespace warplight::page
