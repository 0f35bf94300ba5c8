// SPDX-License-Identifier: Apache-2.0
#include "remote/greeting.hpp"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::remote {
namespace {

using nlohmann::json;

constexpr std::string_view kGreetingMark = "WARPLIGHT-REMOTE ";
constexpr std::array<std::string_view, 4> kStateNames = {"new", "resumed", "gone", "refused"};

std::string greeting_field(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Nothing where the line is none, or one for somebody else.
std::optional<Greeting> greeting_in(std::string_view line, std::string_view token) {
    // A profile may have printed something without a line feed, and a terminal may add a carriage return.
    const auto at = line.find(kGreetingMark);
    if (at == std::string_view::npos) return std::nullopt;
    line.remove_prefix(at + kGreetingMark.size());
    const json object = json::parse(line.begin(), line.end(), nullptr, false);
    if (!object.is_object() || greeting_field(object, "token") != token) return std::nullopt;
    Greeting greeting{std::string(token), 0, greeting_field(object, "version")};
    if (const auto found = object.find("protocol"); found != object.end() && found->is_number_integer())
        greeting.protocol = found->get<int>();
    greeting.problem = greeting_field(object, "problem");
    greeting.state = Greeting::State::refused;
    const std::string state = greeting_field(object, "state");
    for (std::size_t i = 0; i < kStateNames.size(); ++i)
        if (state == kStateNames[i]) greeting.state = static_cast<Greeting::State>(i);
    return greeting;
}

} // namespace

std::string greeting_text(const Greeting& greeting) {
    json object = {{"token", greeting.token},
                   {"protocol", greeting.protocol},
                   {"version", greeting.version},
                   {"state", kStateNames[static_cast<std::size_t>(greeting.state)]}};
    if (!greeting.problem.empty()) object["problem"] = greeting.problem;
    // Names of files are bytes.
    return fmt::format("\n{}{}\n", kGreetingMark, object.dump(-1, ' ', true, json::error_handler_t::replace));
}

std::optional<Greeting> read_greeting(Stream& stream, std::string_view token,
                                      const std::function<void(std::string_view line)>& on_banner,
                                      std::string& problem) {
    std::string line;
    for (std::size_t total = 0; total < kLargestBanner; ++total) {
        std::byte each{};
        if (stream.read(&each, 1) == 0) {
            if (!line.empty() && on_banner) on_banner(line);
            problem = "the connection ended before Warplight's worker on the other machine had answered";
            return std::nullopt;
        }
        if (each != std::byte{'\n'}) {
            line += static_cast<char>(each);
            continue;
        }
        if (auto greeting = greeting_in(line, token)) return greeting;
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty() && on_banner) on_banner(line);
        line.clear();
    }
    problem =
        "the other machine prints more than 1 MiB before Warplight's worker there can answer; its shell's profile "
        "(.bashrc, .profile) should print nothing where no terminal is";
    return std::nullopt;
}

} // namespace warplight::remote
