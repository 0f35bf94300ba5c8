// SPDX-License-Identifier: Apache-2.0
// The environment variables of the software device. Read once, at the first use.
#pragma once

#include "findings/finding.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::software {

struct Configuration {
    int devices = 1;          ///< WARPLIGHT_SOFTWARE_DEVICES, 0 to 64
    unsigned capability = 80; ///< WARPLIGHT_SOFTWARE_ARCH: "8.0", "80" or "sm_80"
    std::uint64_t memory = 0; ///< WARPLIGHT_SOFTWARE_MEMORY, bytes a device; K, M, G, T are powers of 1024
    unsigned workers = 1;     ///< WARPLIGHT_SOFTWARE_WORKERS: threads that run blocks
    /// WARPLIGHT_SOFTWARE_LANES: threads side by side in a vector, wherever that can be; 1: always a thread at a time.
    /// 0 where it is not set: the fastest width (jit::lane_candidates), in kernels that gain by it.
    unsigned lanes = 0;
    /// WARPLIGHT_SOFTWARE_WALLS=0: kernels may reach all memory of the process. For programs that let kernels use
    /// the host's own addresses.
    bool walls = true;
    bool high_window = false; ///< WARPLIGHT_SOFTWARE_WALLS=high: as if the host had memory at low addresses
    bool log = false;         ///< WARPLIGHT_SOFTWARE_LOG: messages go to standard error
    findings::Checks checks;  ///< WARPLIGHT_SOFTWARE_CHECKS: what kernels are checked for, as `exec --check` has it
    bool profile = false;     ///< launches are profiled
    std::string findings;     ///< WARPLIGHT_SOFTWARE_FINDINGS: the file that findings are added to, an object a process
    std::string lost_findings; ///< WARPLIGHT_SOFTWARE_LOST_FINDINGS: the file of those that cannot be written there
    bool summary = false;      ///< WARPLIGHT_SOFTWARE_SUMMARY: what the process did is told when it ends
    std::string launch_log;    ///< WARPLIGHT_LAUNCH_LOG: the file in which launches are noted while they come
    std::string snapshot;      ///< WARPLIGHT_SNAPSHOT: the folder for what one launch reads and leaves; empty: of none
    std::string snapshot_kernel;       ///< WARPLIGHT_SNAPSHOT_KERNEL
    std::uint64_t snapshot_launch = 1; ///< WARPLIGHT_SNAPSHOT_LAUNCH: which launch of that kernel
    /// WARPLIGHT_SOFTWARE_ROUND_ALLOCATIONS: bytes, as memory: kernels may use what lies between the end of an
    /// allocation and the next multiple behind it. For programs that run past their arrays. 0: none.
    std::uint64_t round_allocations = 0;
    std::string cache_directory;                          ///< of compiled kernels; empty: none
    std::uint64_t cache_limit = std::uint64_t{512} << 20; ///< WARPLIGHT_CACHE_LIMIT: bytes of compiled kernels
    std::string build;                                    ///< of this library: differs when its file does
    std::string processor;                                ///< the host's processor, by name
};

[[nodiscard]] const Configuration& configuration();

/// "8.0", "80", "sm_80", "compute_80" → 80. Nothing for text that is no architecture.
[[nodiscard]] std::optional<unsigned> parse_architecture(std::string_view text);

} // namespace warplight::software
