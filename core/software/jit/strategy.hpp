// SPDX-License-Identifier: Apache-2.0
// How a kernel runs: how many of its threads as lanes of a vector, and as a loop or as coroutines. All of it is decided
// here, in three steps:
//
//   lane_candidates()     from the kernel's text, before anything is compiled: the numbers of lanes worth a try
//   choose_strategy()     from the analysis, for one of these numbers: whether lanes work and pay, loop or coroutine
//   grid_stride_order()   for each launch: whether the threads go through a grid-stride loop together
//
// The runtime asks the first and the last, and compile() obeys the second. A kernel that cannot have lanes, or gains
// nothing by them, falls back to one lane, which always works.
//
// Two questions are answered elsewhere. plan_lanes() (lanes/plan.cpp) finds out whether a kernel can have lanes at all.
// find_always_masked() (emit/lanes/always_masked.cpp) finds blocks that have code under a mask only.
#pragma once

#include "options.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace warplight::ptx {
struct Function;
}

namespace warplight::jit {

struct Analysis;
struct LanePlan;

/// Who makes vectors of the code.
enum class Vectors : std::uint8_t {
    emitted, ///< the emitter: a register is a vector of lanes
    by_llvm, ///< LLVM, of the loop over the block's threads, where it can
    none,    ///< nobody: LLVM makes vectors of innermost loops only, and the loop over threads is not one
};

/// Why a loop or coroutines.
enum class ModeReason : std::uint8_t {
    nothing_waits, ///< a loop
    barriers,      ///< threads wait at barriers of the block
    spin_loops,    ///< threads wait for memory that others write
    threads_wait,  ///< one lane: at a barrier, in a warp operation or in a spin loop
    grid_stride,   ///< the launch asked for GridStride::together
    requested,     ///< the caller asked for this mode
};

struct Lanes {
    unsigned count = 1;
    LanesReason reason = LanesReason::requested;
    bool along_y = false; ///< neighbours in y instead of x: Options
};

/// The numbers of lanes that may suit a kernel: powers of two from `least` to `most`, or one lane.
struct LaneCandidates {
    unsigned most = 1, least = 1;
    LanesReason reason = LanesReason::requested; ///< why not more than `most`
    /// Most lanes for blocks with this extent in x: rows of a block are whole vectors.
    [[nodiscard]] Lanes for_extent(unsigned extent) const;
};
/// @param requested number of lanes, or 0 for the fastest. Kernels with warp operations get whole warps or one lane.
[[nodiscard]] LaneCandidates lane_candidates(const ptx::Function& kernel, unsigned requested);

/// The same for blocks with one extent in x, and the bound of it that leaves out code: a power of two. 0: none does.
struct BlockCandidates {
    LaneCandidates lanes;
    unsigned most_threads = 0;
};
[[nodiscard]] BlockCandidates block_candidates(const ptx::Function& kernel, unsigned requested, unsigned extent);

/// The decision, and its reasons.
struct Strategy {
    Lanes lanes;
    std::string obstacle = {}; ///< a few words, for LanesReason::obstacle
    Mode mode = Mode::loop;    ///< loop or coroutine
    ModeReason mode_reason = ModeReason::nothing_waits;
    Vectors vectors = Vectors::by_llvm;

    /// Why not more lanes, in a few words.
    [[nodiscard]] std::string why_not_wider() const;
    /// "32 threads side by side (…), as a loop (…)", for logs.
    [[nodiscard]] std::string sentence() const;
};

/// Facts about a kernel that decide its strategy.
struct KernelFacts {
    const ptx::Function& kernel; ///< with its calls inlined where it is to have several lanes
    const Analysis& analysis;    ///< of the kernel and its callees
    const LanePlan* plan;        ///< for Options::width lanes; null: for one lane, or the kernel cannot have so many
    std::string obstacle = {};   ///< in the latter case: the reason
};
/// Answers with Options::width lanes, with fewer where these are faster, or with one where so many do not work or do
/// not pay. The requested mode is for Options::width lanes; one lane instead gets the mode that suits it. Throws
/// std::runtime_error when a loop is requested and threads wait.
[[nodiscard]] Strategy choose_strategy(const KernelFacts& facts, const Options& options);

/// What a processor's caches may keep of a launch's memory until the next one.
inline constexpr std::uint64_t kCachedBytes = 64 << 20;

/// Facts about one launch of a kernel.
struct LaunchFacts {
    bool has_grid_stride_loops;
    GridStride compiled; ///< of the code that the kernel has anyway
    std::array<unsigned, 3> grid, block;
    std::function<std::uint64_t()> memory; ///< bytes of the allocations that its parameters point into
};
/// Calls `memory` only where it matters.
[[nodiscard]] GridStride grid_stride_order(const LaunchFacts& launch);

} // namespace warplight::jit
