// SPDX-License-Identifier: Apache-2.0
#include "page/listing.hpp"

#include "page/html.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace warplight::page {
namespace {

/// From white for a share of 0 to orange for 1.
std::string colour_of(double share) {
    const auto mix = [share](int white, int full) {
        return static_cast<int>(std::lround(white + (full - white) * share));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0xF4, 0xFF), mix(0xF5, 0xA0), mix(0xF7, 0x40));
}

/// The share of each line in the cost of the most costly one.
std::map<int, double> shares_of(const profile::Profile& profile, std::string_view file) {
    std::map<int, double> shares;
    std::uint64_t most = 0;
    const auto lines = profile.lines();
    const auto is_here = [file](const profile::Line& line) {
        const std::string_view path = line.file;
        return path == file ||
               (path.ends_with(file) && path.size() > file.size() &&
                (path[path.size() - file.size() - 1] == '/' || path[path.size() - file.size() - 1] == '\\'));
    };
    for (const auto& line : lines)
        if (is_here(line)) most = std::max(most, profile::cost_of(line.figures));
    if (most == 0) return shares;
    for (const auto& line : lines)
        if (is_here(line))
            shares[line.line] = static_cast<double>(profile::cost_of(line.figures)) / static_cast<double>(most);
    return shares;
}

} // namespace

std::string listing(std::string_view source, const std::optional<profile::Profile>& profile, std::string_view file) {
    const auto shares = profile ? shares_of(*profile, file) : std::map<int, double>();
    std::string html = "<pre>";
    int number = 0;
    while (!source.empty()) {
        const std::size_t end = source.find('\n');
        const auto line = source.substr(0, end);
        source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
        const auto share = shares.find(++number);
        const bool marked = share != shares.end() && share->second >= 0.01;
        fmt::format_to(std::back_inserter(html), "<span class=\"quiet\">{:4}</span>  ", number);
        if (marked)
            fmt::format_to(std::back_inserter(html), "<span style=\"background-color: {}\">{}</span>\n",
                           colour_of(share->second), escaped(line));
        else
            fmt::format_to(std::back_inserter(html), "{}\n", escaped(line));
    }
    html += "</pre>\n";
    if (!shares.empty()) html += "<p class=\"quiet\">The darker a line, the more of the kernel's cost it has.</p>\n";
    return html;
}

} // namespace warplight::page
