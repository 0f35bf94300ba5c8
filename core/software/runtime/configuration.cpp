// SPDX-License-Identifier: Apache-2.0
#include "configuration.hpp"

#include "files/size.hpp"
#include "launch_log/launch_log.hpp"
#include "launch_log/snapshot.hpp"
#include "platform.hpp"
#include "process_end.hpp"
#include "software/jit/jit.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

namespace warplight::software {
namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Configuration read() {
    Configuration c;
    if (const auto n = parse_number<int>(environment("WARPLIGHT_SOFTWARE_DEVICES")); n && *n >= 0) {
        c.devices = std::min(*n, 64);
    }
    if (const auto arch = parse_architecture(environment("WARPLIGHT_SOFTWARE_ARCH"))) c.capability = *arch;
    c.workers = std::max(1U, platform::processors());
    if (const auto n = parse_number<unsigned>(environment("WARPLIGHT_SOFTWARE_WORKERS")); n && *n > 0) {
        c.workers = std::min(*n, 1024U);
    }
    if (const auto n = parse_number<unsigned>(environment("WARPLIGHT_SOFTWARE_LANES"));
        n && *n > 0 && *n <= kWarpSize && std::has_single_bit(*n)) {
        c.lanes = *n;
    }
    const std::uint64_t physical = platform::physical_memory();
    c.memory = physical / 4 * 3;
    if (const auto size = files::parse_size(environment("WARPLIGHT_SOFTWARE_MEMORY")); size && *size > 0)
        c.memory = *size;
    const std::string walls = environment("WARPLIGHT_SOFTWARE_WALLS");
    c.walls = walls != "0";
    c.high_window = walls == "high";
    const auto is_set = [](const char* name) {
        const std::string value = environment(name);
        return !value.empty() && value != "0";
    };
    c.log = is_set("WARPLIGHT_SOFTWARE_LOG");
    c.summary = is_set("WARPLIGHT_SOFTWARE_SUMMARY");
    const std::string checks = environment("WARPLIGHT_SOFTWARE_CHECKS");
    if (const auto known = findings::Checks::parse(checks))
        c.checks = *known;
    else
        platform::write_error("[warplight] WARPLIGHT_SOFTWARE_CHECKS: there is no check \"" + checks +
                              "\", and none is made; there are " + findings::names_of_checks() + ", and all\n");
    c.profile = environment("WARPLIGHT_SOFTWARE_PROFILE") == "1";
    c.findings = environment("WARPLIGHT_SOFTWARE_FINDINGS");
    c.lost_findings = environment("WARPLIGHT_SOFTWARE_LOST_FINDINGS");
    c.launch_log = environment(launch_log::kVariable);
    c.snapshot = environment(launch_log::kSnapshotVariable);
    c.snapshot_kernel = environment(launch_log::kSnapshotKernelVariable);
    if (const auto n = parse_number<std::uint64_t>(environment(launch_log::kSnapshotLaunchVariable)); n && *n > 0)
        c.snapshot_launch = *n;
    if (const auto size = files::parse_size(environment("WARPLIGHT_SOFTWARE_ROUND_ALLOCATIONS")))
        c.round_allocations = std::min(*size, std::uint64_t{1} << 30);
    c.processor = platform::processor_name();

    c.build = platform::build_identity();
    std::string cache = environment("WARPLIGHT_CACHE_DIR");
    if (cache.empty()) {
        const std::string base = platform::cache_folder();
        if (!base.empty()) cache = base + "/warplight";
    }
    // Without knowing which build this is, code of another one could not be told from its own.
    if (!cache.empty() && !c.build.empty()) c.cache_directory = cache + "/objects";
    c.cache_limit = files::size_from_environment("WARPLIGHT_CACHE_LIMIT", c.cache_limit);
    return c;
}

} // namespace

std::optional<unsigned> parse_architecture(std::string_view text) {
    for (const std::string_view prefix : {"sm_", "compute_"}) {
        if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    }
    unsigned value = 0;
    if (const auto dot = text.find('.'); dot != std::string_view::npos) {
        const auto major = parse_number<unsigned>(text.substr(0, dot));
        const auto minor = parse_number<unsigned>(text.substr(dot + 1));
        if (!major || !minor || *minor > 9) return std::nullopt;
        value = *major * 10 + *minor;
    } else if (const auto number = parse_number<unsigned>(text)) {
        value = *number;
    }
    if (value < 50 || value > 129) return std::nullopt;
    return value;
}

const Configuration& configuration() {
    static const auto* const instance =
        new Configuration(read()); // never destroyed: threads may run until the process ends
    return *instance;
}

} // namespace warplight::software
