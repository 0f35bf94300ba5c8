// SPDX-License-Identifier: Apache-2.0
// What must be known of a kernel to run W of its threads side by side, one a lane of a vector: which registers hold
// the same in all lanes, which grow by a constant from lane to lane, and where lanes may have gone different ways.
// LLVM's own analysis takes everything for uniform on a CPU.
//
// The lanes of a vector are neighbours in x: a block's rows are whole vectors (ntid.x is a multiple of W).
#pragma once

#include "software/jit/analysis/analysis.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace warplight::jit {

struct LaneBlock {
    std::uint32_t begin = 0, end = 0;      ///< instructions
    std::vector<std::uint32_t> successors; ///< blocks; the number of blocks stands for the end of the kernel
    bool diverged = false;                 ///< may be run by some of the lanes only
    bool apart = false;                    ///< while others are elsewhere, and not just at their end
    bool seldom = false;                   ///< outside of the loops of a kernel that has some
    std::uint32_t join = 0;                ///< of a diverged block: where all lanes are together again
    /// The comparison that the branch at its end goes by, if the first lane's number tells what all lanes find.
    std::optional<std::uint32_t> comparison = {};
};

/// A 64-bit register with a stride that came from an index of 32 bits: where that wraps between two lanes the register
/// does not grow evenly. With the first lane's index x, lane k holds `factor` times the 64-bit value of x + k `step`,
/// and k times what is left of its stride, and what is the same in all lanes.
struct Widening {
    bool is_signed = false;
    std::int64_t step = 0, factor = 1;
    bool operator==(const Widening&) const = default;
};

/// An address among the kernel's parameters.
struct ParameterPlace {
    std::uint32_t parameter = 0;
    std::int64_t offset = 0; ///< in it
    bool operator==(const ParameterPlace&) const = default;
};

struct LanePlan {
    std::vector<LaneBlock> blocks;       ///< in the order of the text; a branch back goes to a lower number
    std::vector<std::uint32_t> block_of; ///< by instruction
    /// By register: what it grows by from lane to lane, modulo its size. 0: the same in all lanes. None: unknown.
    std::vector<std::optional<std::int64_t>> stride;
    /// By register with a stride: none where it grows evenly, modulo its size.
    std::vector<std::optional<Widening>> widening;
    /// By register: the first lane's value is a multiple of the number of lanes.
    std::vector<bool> multiple;
    std::vector<std::uint8_t> zeros; ///< by register: so many low bits are 0 in all lanes
    /// By register: made of what differs from lane to lane in memory. Other addresses that are made of lanes' numbers
    /// mostly turn out to be neighbours, even where nothing is known of them.
    std::vector<bool> from_memory;
    /// By register: what it holds outside of the block that writes it is of no interest, so that lanes which are not
    /// there may lose it.
    std::vector<bool> local;
    /// By register that holds shared addresses, does not grow, and in which lanes differ all the same by what is known:
    /// what each has beyond the first one's value, modulo 2^32.
    std::map<ptx::RegisterId, std::vector<std::int32_t>> beyond_first;
    /// By variable of the kernel: the bytes that each lane has of it, one after the other. 0: it is shared.
    std::vector<std::int64_t> own;
    std::vector<std::optional<std::int64_t>> constant;  ///< by register: the only number that is ever written to it
    std::vector<ParameterPlace> streams;                ///< memory that is written a line at a time, and not read
    std::vector<std::optional<std::uint32_t>> streamed; ///< by instruction: a store into that one of `streams`
    std::vector<bool> ahead; ///< by instruction: a load after which the blocks to come read on
    /// Branches back of loops that stride through memory: their threads keep together (lanes/grid_stride.cpp).
    std::set<std::uint32_t> takes_turns;
    bool has_barriers = false;        ///< of the block: where the lanes wait
    bool has_warp_operations = false; ///< the lanes are a whole warp
    bool spins = false;               ///< loops wait for other threads, and give way in between

    [[nodiscard]] bool uniform(ptx::RegisterId r) const { return stride[r] == 0; }
    /// Known of all lanes when it is known of the first: kept as a scalar. Active lanes agree with it even where the
    /// first one has no part in it.
    [[nodiscard]] bool grows(ptx::RegisterId r) const { return stride[r] && stride[r] != 0; }
    [[nodiscard]] bool uniform(const ptx::Operand& operand) const;
    [[nodiscard]] std::optional<std::int64_t> stride_of(const ptx::Operand& operand) const;
    /// Of an operand that is a variable or an address by one: the bytes that each lane has of it, 0 where all share it.
    [[nodiscard]] std::int64_t own_bytes(const ptx::Operand& operand) const;
    [[nodiscard]] std::optional<std::int64_t> constant_of(const ptx::Operand& operand) const;
    /// Grows by one from a multiple of the number of lanes, and so wraps between none of them.
    [[nodiscard]] bool counts(const ptx::Operand& operand) const;
    /// Whether the handle of a texture instruction is the same in all lanes.
    [[nodiscard]] bool names_one_texture(const ptx::Instruction& i) const;
};

inline constexpr unsigned kWarpLanes = 32;
inline constexpr unsigned kLineBytes = 64; ///< that caches hold at a time

/// The plan for that many lanes, or why this kernel has to run a thread at a time.
[[nodiscard]] std::variant<LanePlan, std::string> plan_lanes(const ptx::Function& kernel, const FunctionFacts& facts,
                                                             unsigned width);

/// Fills in LanePlan::from_memory (lanes/gain.cpp).
void find_loaded(const ptx::Function& kernel, LanePlan& plan);

/// Fills in LanePlan::beyond_first (lanes/lane_offsets.cpp).
void find_lane_offsets(const ptx::Function& kernel, unsigned width, LanePlan& plan);

/// Fills in LanePlan::streams and LanePlan::streamed (lanes/non_temporal.cpp).
void find_non_temporal_stores(const ptx::Function& kernel, unsigned width, LanePlan& plan);

/// Fills in LanePlan::ahead (lanes/prefetch.cpp).
void find_prefetches(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width, LanePlan& plan);

/// Fills in LanePlan::takes_turns (lanes/grid_stride.cpp).
void find_grid_stride_loops(const ptx::Function& kernel, const ptx::FlowGraph& graph, LanePlan& plan);

/// Little more than loads and stores, once each (lanes/gain.cpp).
[[nodiscard]] bool only_copies(const ptx::Function& kernel);

/// Fills in LaneBlock::comparison (lanes/comparisons.cpp).
void find_comparisons(const ptx::Function& kernel, const ptx::FlowGraph& graph, LanePlan& plan);

/// Whether spin loops end side by side as well (lanes/spin_loops.cpp).
[[nodiscard]] bool spin_loops_end(const ptx::Function& kernel, const FunctionFacts& facts, const LanePlan& plan);

/// Whether vectors save more than the kernel's scattered accesses cost (lanes/gain.cpp).
[[nodiscard]] bool lanes_pay(const ptx::Function& kernel, const LanePlan& plan);

} // namespace warplight::jit
