// SPDX-License-Identifier: Apache-2.0
#include "remote/place.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace warplight::remote {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr std::size_t kLongestName = 255; // of a host, by the rules of DNS

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Characters that no name has and some shell or `ssh` itself would take for something else.
bool is_plain(char c) {
    const auto code = static_cast<unsigned char>(c);
    return code > ' ' && code != 0x7f &&
           std::string_view(R"("'`$;&<>|(){}*?!#~^/\,%=)").find(c) == std::string_view::npos;
}

std::string place_name_problem(std::string_view what, std::string_view name, std::string_view also_allowed) {
    if (name.empty()) return fmt::format("the {} is missing", what);
    if (name.size() > kLongestName) return fmt::format("the {} is longer than {} characters", what, kLongestName);
    if (name.front() == '-') return fmt::format("the {} begins with '-', which ssh takes for an option", what);
    const auto bad = std::ranges::find_if(
        name, [&](char c) { return !is_plain(c) && also_allowed.find(c) == std::string_view::npos; });
    if (bad == name.end()) return {};
    const auto code = static_cast<unsigned char>(*bad);
    if (code <= ' ' || code == 0x7f) return fmt::format("the {} has a space or a control character", what);
    return fmt::format("the {} has the character '{}'", what, *bad);
}

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "host", "host:22", "[::1]:22", "::1".
std::string read_host(std::string_view text, Place& place) {
    std::string_view port;
    bool has_port = false;
    bool address = false;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos) return "the bracket of the address is not closed";
        place.host = text.substr(1, end - 1);
        const auto rest = text.substr(end + 1);
        has_port = !rest.empty();
        if (has_port && !rest.starts_with(':')) return "only a port may follow the address in brackets";
        if (has_port) port = rest.substr(1);
        address = true;
    } else if (std::ranges::count(text, ':') > 1) {
        place.host = text;
        address = true;
    } else {
        const auto colon = text.find(':');
        has_port = colon != std::string_view::npos;
        place.host = text.substr(0, colon);
        if (has_port) port = text.substr(colon + 1);
    }
    if (address && place.host.find(':') == std::string::npos) return "what stands in brackets is no IPv6 address";
    // "%eth0" behind an address names a network of this machine.
    if (auto problem = place_name_problem("host", place.host, address ? ":%" : ""); !problem.empty()) return problem;
    if (!address && place.host.find_first_of(":[]@") != std::string::npos)
        return "the host has one of the characters ':', '[', ']' and '@'";
    if (!has_port) return {};
    const auto value = whole_number(port);
    if (!value || *value < 1 || *value > 65535) return fmt::format("'{}' is no port from 1 to 65535", port);
    place.port = *value;
    return {};
}

std::string read_device(std::string_view text, Place& place) {
    const auto colon = text.find(':');
    const auto driver = text.substr(0, colon);
    if (driver != "auto" && driver != "cuda" && driver != "software")
        return fmt::format("'{}' is no driver; there are cuda, software and auto", driver);
    place.driver = driver;
    if (colon == std::string_view::npos) return {};
    const auto ordinal = whole_number(text.substr(colon + 1));
    if (!ordinal || *ordinal < 0) return fmt::format("'{}' is no number of a device", text.substr(colon + 1));
    place.ordinal = *ordinal;
    if (driver == "auto" && *ordinal != 0) return "auto takes no number of a device";
    return {};
}

std::string read_place(std::string_view text, Place& place) {
    if (!is_place(text)) return "it does not begin with ssh://";
    text.remove_prefix(kScheme.size());
    const auto slash = text.find('/');
    auto machine = text.substr(0, slash);
    if (const auto at = machine.rfind('@'); at != std::string_view::npos) { // the user of a domain has another one
        place.user = machine.substr(0, at);
        if (auto problem = place_name_problem("user", place.user, R"(\)"); !problem.empty()) return problem;
        if (place.user.find(':') != std::string::npos)
            return "it has a password or a ':' in the user; ssh asks for passwords itself";
        if (place.user.back() == '\\') return "the user ends with '\\'";
        machine.remove_prefix(at + 1);
    }
    if (auto problem = read_host(machine, place); !problem.empty()) return problem;
    if (slash == std::string_view::npos || slash + 1 == text.size()) return {};
    return read_device(text.substr(slash + 1), place);
}

} // namespace

bool is_place(std::string_view device) {
    return device.size() >= kScheme.size() && std::ranges::equal(device.substr(0, kScheme.size()), kScheme, {}, lower);
}

std::optional<Place> parse_place(std::string_view text, std::string* problem) {
    Place place;
    const auto why = read_place(text, place);
    if (why.empty()) return place;
    if (problem)
        *problem = fmt::format("'{}' names no machine: {}. Write ssh://user@host or ssh://user@host:port/cuda:0.",
                               text.substr(0, 2 * kLongestName), why);
    return std::nullopt;
}

std::string machine_of(const Place& place) {
    std::string text;
    if (!place.user.empty()) text = place.user + "@";
    if (place.port == 0) return text + place.host;
    const bool address = place.host.find(':') != std::string::npos;
    return text +
           (address ? fmt::format("[{}]:{}", place.host, place.port) : fmt::format("{}:{}", place.host, place.port));
}

std::string driver_at(const Place& place, std::string_view driver) {
    return fmt::format("ssh://{}/{}", machine_of(place), driver);
}

std::string to_text(const Place& place) {
    auto text = driver_at(place, place.driver);
    if (place.ordinal != 0) text += fmt::format(":{}", place.ordinal);
    return text;
}

} // namespace warplight::remote
