// SPDX-License-Identifier: Apache-2.0
// A profile for people who read it in a terminal.
#include "hints.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::profile {
namespace {

std::string mean(std::uint64_t sum, std::uint64_t count) {
    return count == 0 ? std::string() : fmt::format("{:.1f}", static_cast<double>(sum) / static_cast<double>(count));
}

/// "32.0/4.0": what there is for each request, and what could be.
std::string of_ideal(std::uint64_t is, std::uint64_t ideal, std::uint64_t requests) {
    return requests == 0 ? std::string() : mean(is, requests) + "/" + mean(ideal, requests);
}

std::string name_of_file(const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); }

std::string text_of_hints(const std::vector<Hint>& hints) {
    constexpr std::size_t kMost = 5;
    std::string text;
    for (std::size_t k = 0; k < hints.size() && k < kMost; ++k) {
        const Hint& hint = hints[k];
        const std::string place = !hint.file.empty()  ? fmt::format("{}:{}: ", name_of_file(hint.file), hint.line)
                                  : hint.ptx_line > 0 ? fmt::format("line {} of the PTX: ", hint.ptx_line)
                                                      : std::string();
        text += fmt::format("hint: {}{}\n", place, hint.text);
    }
    if (hints.size() > kMost) text += fmt::format("… and {} more hints with --json\n", hints.size() - kMost);
    return text.empty() ? text : "\n" + text;
}

} // namespace

std::string to_text(const Profile& profile, const Gpu* gpu) {
    std::vector<Line> lines = profile.lines();
    const std::string hints = text_of_hints(hints_of(profile, gpu));
    if (lines.empty()) return "The PTX names no lines of the source; --json has each instruction.\n" + hints;
    std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        const std::uint64_t of_a = cost_of(a.figures), of_b = cost_of(b.figures);
        return of_a != of_b ? of_a > of_b : a.line < b.line;
    });
    constexpr std::size_t kMost = 40;
    std::string text = fmt::format("{:<24} {:>12} {:>6} {:>9} {:>12} {:>12} {:>12} {:>12}\n", "line", "executions",
                                   "lanes", "divergent", "requests", "sectors", "wavefronts", "operations");
    for (std::size_t k = 0; k < lines.size() && k < kMost; ++k) {
        const Figures& f = lines[k].figures;
        std::uint64_t operations = 0;
        for (const std::uint64_t each : f.operations)
            operations += each;
        text += fmt::format("{:<24} {:>12} {:>6} {:>9} {:>12} {:>12} {:>12} {:>12}\n",
                            fmt::format("{}:{}", name_of_file(lines[k].file), lines[k].line), f.executions,
                            mean(f.active_lanes, f.executions), f.divergent_branches,
                            f.requests + f.shared_requests + f.local_requests,
                            of_ideal(f.sectors, f.sectors_ideal, f.requests),
                            of_ideal(f.wavefronts, f.wavefronts_ideal, f.shared_requests), operations);
    }
    if (lines.size() > kMost) text += fmt::format("… and {} more lines\n", lines.size() - kMost);
    text += "Sectors and wavefronts: of each request, and the fewest possible.\n";
    if (profile.lost_blocks > 0)
        text += fmt::format("{} blocks are missing: their threads did more than could be kept.\n", profile.lost_blocks);
    return text + hints;
}

} // namespace warplight::profile
