// SPDX-License-Identifier: Apache-2.0
/// What limits on the registers of a thread do to a kernel: its spills, and the blocks that fit on a multiprocessor.
#pragma once

#include "warplight/compiler.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warplight::session {

struct RegisterRow {
    int limit = 0; ///< --maxrregcount; 0: none
    bool ok = false;
    std::string problem; ///< why this limit has no figures
    int registers = 0;
    std::size_t stack = 0, spill_stores = 0, spill_loads = 0; ///< bytes of a thread
    int blocks_per_sm = 0, warps_per_sm = 0, max_warps_per_sm = 0;
    double occupancy = 0;
    std::string limiter; ///< as in ReportOccupancy
};

struct RegisterTable {
    bool ok = false;
    std::string problem; ///< why there is no table
    std::vector<compiler::Diagnostic> diagnostics;
    std::string arch;
    std::string kernel;
    int threads = 0;          ///< of a block
    std::uint64_t shared = 0; ///< static and dynamic, bytes of a block
    int chosen = 0;           ///< the limit in the options that were given
    /// __launch_bounds__(bound_threads, bound_blocks); 0: none.
    int bound_threads = 0, bound_blocks = 0;
    int bound_registers = 0; ///< the most registers with which that many blocks are resident
    std::vector<RegisterRow> rows;
};

/// The limits of a table, with one that the options may have.
inline constexpr std::array kRegisterLimits{0, 128, 96, 64, 48, 40, 32};

/// The value of --maxrregcount in the options of NVRTC or nvcc; 0: none.
int register_limit_of(const std::vector<std::string>& options);
/// The options with another limit; 0 removes it.
std::vector<std::string> with_register_limit(std::vector<std::string> options, int limit);

/// Compiles the kernel once for each limit, several at a time, and through the cache. Does not throw.
/// @param kernel its name in the source or in PTX
/// @param threads of a block; more than __launch_bounds__ allows is no error, and no block fits
/// @param dynamic_shared bytes of a block
RegisterTable register_table(const compiler::CompileRequest& request, const std::string& kernel, int threads,
                             std::uint64_t dynamic_shared);

/// Lines for people: the table, and what follows from __launch_bounds__.
std::string register_table_text(const RegisterTable& table);

} // namespace warplight::session
