// SPDX-License-Identifier: Apache-2.0
/// Limits of a run: how long it may take, and how much memory its worker may use.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::worker {

struct Limits {
    std::chrono::milliseconds timeout{0}; ///< of the whole run, with compilation; 0: none
    std::uint64_t memory = 0;             ///< bytes of the worker and its children; 0: none
};

/// The least limit of memory. A worker needs about so much before it has done anything.
inline constexpr std::uint64_t least_memory = std::uint64_t{64} << 20;

/// "10s", "500ms", "2m", "1h", "1.5s"; a number alone is seconds. Nothing for other texts, for 0, and beyond a year.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);
/// "2G", "512M", "1.5GiB"; a number alone is bytes. Units are powers of 1024. Nothing for other texts and for 0.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

/// "10 s", "500 ms", "2 min"
std::string format_duration(std::chrono::milliseconds duration);

/// Makes a limit of memory hold in this process, a worker, and in those that it starts. Devices get no more memory than
/// that, and allocations fail beyond it. Before other threads exist.
void apply_memory_limit(std::uint64_t bytes);

} // namespace warplight::worker
