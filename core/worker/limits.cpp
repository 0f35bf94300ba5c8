// SPDX-License-Identifier: Apache-2.0
#include "worker/limits.hpp"

#include "worker/platform.hpp"
#include "worker/process_memory.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace warplight::worker {
namespace {

using std::chrono::milliseconds;

/// The number in front, and the text behind it. Nothing unless the number is finite and above 0.
std::optional<std::pair<double, std::string_view>> split(std::string_view text) {
    double value = 0;
    const auto [end, problem] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (problem != std::errc() || !std::isfinite(value) || value <= 0) return std::nullopt;
    return std::pair(value, text.substr(static_cast<std::size_t>(end - text.data())));
}

} // namespace

std::optional<milliseconds> parse_duration(std::string_view text) {
    const auto parts = split(text);
    if (!parts) return std::nullopt;
    const auto [value, unit] = *parts;
    constexpr std::pair<std::string_view, double> units[] = {{"ms", 1},     {"s", 1000},     {"", 1000},
                                                             {"m", 60'000}, {"min", 60'000}, {"h", 3'600'000}};
    constexpr double most = 366.0 * 24 * 3'600'000;
    for (const auto& [name, factor] : units) {
        if (unit != name) continue;
        const double duration = std::ceil(value * factor);
        if (duration > most) return std::nullopt;
        return milliseconds(static_cast<std::int64_t>(duration));
    }
    return std::nullopt;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    const auto parts = split(text);
    if (!parts) return std::nullopt;
    auto [value, unit] = *parts;
    double factor = 1;
    if (!unit.empty() && unit != "B") {
        constexpr std::string_view letters = "kMGT";
        const auto power = letters.find(unit.front() == 'K' ? 'k' : unit.front());
        if (power == std::string_view::npos) return std::nullopt;
        factor = std::pow(1024.0, static_cast<double>(power + 1));
        unit.remove_prefix(1);
        if (!unit.empty() && unit != "B" && unit != "iB") return std::nullopt;
    }
    const double bytes = std::floor(value * factor);
    if (bytes < 1 || bytes > 0x1p62) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
}

std::string format_duration(milliseconds duration) {
    const auto count = duration.count();
    if (count % 60'000 == 0 && count >= 120'000) return fmt::format("{} min", count / 60'000);
    if (count % 1000 == 0) return fmt::format("{} s", count / 1000);
    return count < 10'000 ? fmt::format("{} ms", count) : fmt::format("{:.1f} s", static_cast<double>(count) / 1000);
}

void apply_memory_limit(std::uint64_t bytes) {
    if (bytes == 0) return;
    // A device that has less keeps that.
    const char* const set = std::getenv("WARPLIGHT_SOFTWARE_MEMORY");
    const auto own = set ? parse_bytes(set) : std::nullopt;
    platform::set_environment("WARPLIGHT_SOFTWARE_MEMORY", std::to_string(own ? std::min(*own, bytes) : bytes));
    platform::limit_data(bytes);
}

} // namespace warplight::worker
