// SPDX-License-Identifier: Apache-2.0
// The memory of processes, and the system's limits for it.
#pragma once

#include <cstdint>
#include <vector>

namespace warplight::worker::platform {

/// The processes that a process started, and those that they started. None where a job of the system holds them.
std::vector<std::int64_t> descendants(std::int64_t process);
/// Bytes in memory or swapped out, with page tables and without pages of files. 0 for a process that is gone, and where
/// a job of the system holds the limit.
std::uint64_t memory_of(std::int64_t process);

/// Makes allocations of this process, and of each that it starts, fail when it has that many bytes more than now, and
/// some room for the stacks of threads.
void limit_data(std::uint64_t bytes);
/// How many processes the system has killed so far for lack of memory, as far as that can be seen.
std::uint64_t memory_kills();

} // namespace warplight::worker::platform
