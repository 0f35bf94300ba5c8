// SPDX-License-Identifier: Apache-2.0
// The plan to run W threads of a kernel side by side, one thread in each lane of a vector. LLVM's own analysis is no
// help: on a CPU it takes all values for uniform.
//
// The words used here and in the emitter:
//   lane                one of the W threads that a vector holds; lanes are neighbours in x
//   width               W. A row of a block is whole vectors: ntid.x is a multiple of W
//   uniform             the same value in all lanes
//   affine              lane k holds the first lane's value + k * stride
//   stride              the difference between neighbouring lanes of an affine register
//   widening            an affine 32-bit index extended to 64 bits
//   lane offsets        known differences from the first lane that are not affine
//   lattice value       the analysis' knowledge of a register, from "not seen" down to "unknown"
//   transfer rule       how an instruction makes a lattice value from the values of its sources
//   active mask         a bit for each lane that executes
//   masked block        may be executed by some of the lanes only
//   divergent block     masked while the inactive lanes still run elsewhere, not just have ended
//   reconvergence point the block where all lanes are together again
//   post-dominator      a block on all ways from another block to the end
//   serial access       runs one lane after the other
//   block-local         a register that no block reads after another block wrote it
//   cold block          outside of the loops of a kernel that has loops
//   per-lane memory     a .local variable, of which each lane has a copy
//   non-temporal store  bypasses the caches
//   grid-stride loop    i += gridDim * blockDim; the threads of a block yield to each other in it
//   prefetch            reads for the blocks or rows to come
//   spin loop           its exit depends on other threads
//   combined atomic     the lanes' atomic operations on one element, made one
#pragma once

#include "software/jit/analysis/analysis.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace warplight::jit {

inline constexpr unsigned kWarpLanes = 32;
inline constexpr unsigned kLineBytes = 64; ///< of a cache line

// --- registers

/// A widened register is affine only where its index does not wrap between two lanes. With x the first lane's index,
/// lane k holds factor * extend(x + k * step) + k * (stride - factor * step) + a uniform value. Example: a + 4 *
/// zext(i) has step 1, factor 4 and stride 4. If i wraps in lane 2, lane 2 holds a, not a + 2^34.
struct Widening {
    bool is_signed = false;
    std::int64_t step = 0, factor = 1;
    bool operator==(const Widening&) const = default;
};

/// The lattice value of a register: from "not seen" down to "unknown", which has no stride.
struct LaneValue {
    bool known = false;                 ///< seen
    std::optional<std::int64_t> stride; ///< modulo the register's size; 0: uniform
    bool multiple = false;              ///< the first lane's value is a multiple of the width
    std::optional<Widening> widening;   ///< none: affine without exception
    unsigned zeros = 0;                 ///< low bits that are 0 in all lanes
    unsigned first_zeros = 0;           ///< and in the first lane, if `multiple` and `zeros` do not tell so many
    bool operator==(const LaneValue&) const = default;
};

/// A float that is an integer plus a number, exactly where the sum is within ±2^17.
struct CountedFloat {
    ptx::RegisterId integer = 0;    ///< 32 bits, affine with stride 1, or uniform
    std::int32_t floor = 0;         ///< of the number
    bool is_unsigned = false;       ///< the integer
    std::uint32_t first_writer = 0; ///< instruction that writes the integer
    std::uint32_t last_writer = 0;  ///< and the one that writes the float. Between them the two do not agree
    bool has_fraction = false;      ///< a number was added
};

/// All vectors are by register.
struct LaneRegisters {
    std::vector<LaneValue> values;
    std::vector<std::optional<std::int64_t>> constants; ///< the only number that is ever written to it
    std::vector<bool> block_local;                      ///< inactive lanes may lose their value of it
    std::vector<bool> read;                             ///< some instruction reads it
    /// As if lanes never parted: how far apart they lie before they do. Empty: no block is divergent.
    std::vector<std::optional<std::int64_t>> strides_in_step;
    /// Depends on memory that differs from lane to lane. Other addresses are mostly neighbours, even unknown ones.
    std::vector<bool> from_memory;
    /// Of shared addresses that are not affine: each lane's difference from the first lane, modulo 2^32.
    std::map<ptx::RegisterId, std::vector<std::int32_t>> lane_offsets;
    /// The same of other addresses. It holds where no index is negative or wraps, so the running code has to look.
    std::map<ptx::RegisterId, std::vector<std::int32_t>> likely_offsets;
    /// Of others: a power of two of which the distances between neighbouring lanes mostly are multiples, in bytes.
    std::map<ptx::RegisterId, std::uint64_t> lane_distances;
    /// Accesses to shared memory at addresses that are not affine, but equally far from each other all the same: only
    /// the running code knows how far. So are the sources of the instructions that make these addresses, which are here
    /// too.
    std::set<std::uint32_t> evenly_spaced;

    [[nodiscard]] std::optional<std::int64_t> stride(ptx::RegisterId r) const { return values[r].stride; }
    [[nodiscard]] bool uniform(ptx::RegisterId r) const { return stride(r) == 0; }
    [[nodiscard]] bool is_affine(ptx::RegisterId r) const { return stride(r).value_or(0) != 0; }
};

// --- control flow

struct LaneBlock {
    std::uint32_t begin = 0, end = 0;      ///< instructions
    std::vector<std::uint32_t> successors; ///< blocks; the number of blocks stands for the end of the kernel
    bool masked = false;                   ///< may be executed by some of the lanes only
    bool divergent = false;                ///< masked while the inactive lanes still run elsewhere
    bool cold = false;                     ///< outside of the loops of a kernel that has loops
    std::uint32_t reconverges_at = 0;      ///< of a masked block
};

/// The basic blocks in the order of the text; a branch back goes to a lower number.
class LaneBlocks {
public:
    struct Loop {
        std::uint32_t head = 0, last = 0; ///< blocks; the last one goes back to the head
        [[nodiscard]] bool has(std::uint32_t block) const { return head <= block && block <= last; }
    };

    LaneBlocks() = default;
    explicit LaneBlocks(const ptx::FlowGraph& graph);

    [[nodiscard]] std::size_t size() const { return blocks_.size(); }
    [[nodiscard]] const LaneBlock& operator[](std::size_t k) const { return blocks_[k]; }
    [[nodiscard]] LaneBlock& operator[](std::size_t k) { return blocks_[k]; }
    [[nodiscard]] auto begin() const { return blocks_.begin(); }
    [[nodiscard]] auto end() const { return blocks_.end(); }
    [[nodiscard]] std::uint32_t number_of(std::uint32_t instruction) const { return block_of_[instruction]; }
    [[nodiscard]] const LaneBlock& of(std::uint32_t instruction) const { return blocks_[number_of(instruction)]; }
    [[nodiscard]] const std::vector<Loop>& loops() const { return loops_; } ///< one for each head

private:
    std::vector<LaneBlock> blocks_;
    std::vector<Loop> loops_;
    std::vector<std::uint32_t> block_of_; ///< by instruction
};

using InstructionSet = std::set<std::uint32_t>;

// --- memory

/// The .local variables of a kernel: the copies of all lanes lie one after the other.
class PerLaneMemory {
public:
    PerLaneMemory() = default;
    explicit PerLaneMemory(const ptx::Function& kernel);

    /// Bytes of a lane's copy of a variable of the kernel. 0: all lanes share the variable.
    [[nodiscard]] std::int64_t bytes(std::uint32_t variable) const { return bytes_.at(variable); }
    /// The same of an operand that is a variable, or an address by one. 0 of any other operand.
    [[nodiscard]] std::int64_t bytes(const ptx::Operand& operand) const;
    [[nodiscard]] std::int64_t total() const; ///< bytes of a lane

private:
    std::vector<std::int64_t> bytes_;
};

/// An address among the kernel's parameters.
struct ParameterPlace {
    std::uint32_t parameter = 0;
    std::int64_t offset = 0; ///< in it
    bool operator==(const ParameterPlace&) const = default;
};

/// Stores of whole cache lines into memory that the kernel does not read.
struct NonTemporalStores {
    std::vector<ParameterPlace> pointers;                  ///< to that memory
    std::map<std::uint32_t, std::uint32_t> by_instruction; ///< an index into `pointers`

    [[nodiscard]] std::optional<std::uint32_t> pointer_of(std::uint32_t instruction) const;
};

/// The kernel's only access to the memory that a parameter points to.
struct HeldStore {
    ParameterPlace pointer;
    std::uint32_t instruction = 0;
};

/// Accesses that prefetch the memory of blocks or rows to come.
struct Prefetches {
    InstructionSet all;
    InstructionSet likely;   ///< loads that move on in the mean, by likely_offsets or from row to row. Not among `all`
    InstructionSet of_tiles; ///< those of them whose blocks have rows in other places: blocks go through a line each
    /// From a block's elements to the next one's.
    struct Step {
        std::uint64_t bytes = 0;
        bool each_thread = false; ///< so many for each thread of the block
    };
    std::map<std::uint32_t, Step> of_long_blocks; ///< those of them that are one of several elements of a thread
};

/// A load of whole lines in a grid-stride loop, or in a loop with barriers. It prefetches what it will read in the next
/// turn, or, without steps, what the next threads read.
struct StrideRead {
    std::vector<ptx::Operand> steps; ///< uniform registers: their sum is added to an index in each round
    std::int64_t bytes = 0;          ///< by which the address moves if one is added to that index
    std::uint32_t rounds = 0;        ///< of a turn; between barriers one
};

// --- branches

/// A guard that joins conditions by "or" or by "and", such as `x >= n || y >= m`.
struct JoinedConditions {
    struct Condition {
        ptx::RegisterId predicate = 0;
        bool negated = false;
        std::uint32_t comparison = 0; ///< the instruction, of `compared`
    };
    bool any = true;                  ///< "or": one that holds decides. Else "and": one that does not hold
    std::vector<Condition> uniform;   ///< one value in all lanes
    std::vector<Condition> compared;  ///< the first and the last lane tell the result
    bool has_others = false;          ///< of which two lanes tell nothing
    std::vector<std::uint32_t> again; ///< instructions that make the guard of what is not uniform
};

// --- the plan

struct OneRow;

struct LanePlan {
    LaneBlocks blocks;
    LaneRegisters registers;
    PerLaneMemory per_lane_memory;
    /// By block: the comparison that decides the branch at its end, if two lanes tell its result in all lanes.
    std::vector<std::optional<std::uint32_t>> comparisons;
    /// By block: the conditions that decide the branch at its end, if there are several.
    std::vector<std::optional<JoinedConditions>> conditions;
    NonTemporalStores non_temporal_stores;
    std::optional<HeldStore> held_store;
    std::map<ptx::RegisterId, CountedFloat> counted;
    Prefetches prefetches;
    std::map<std::uint32_t, std::uint32_t> grid_stride_loops; ///< their branches back, and rounds between yields
    std::uint32_t first_stride_rounds = 0;                    ///< before the first yield of them behind a barrier
    std::map<std::uint32_t, StrideRead> grid_stride_loads;    ///< their loads of whole lines
    bool has_barriers = false;                                ///< of the block
    bool has_warp_operations = false;                         ///< the lanes are a whole warp
    bool has_spin_loops = false;                              ///< their threads yield

    std::shared_ptr<const OneRow> one_row; ///< another plan, for part of the code; or none
    /// Of that plan: divisions of affine numbers whose quotient is taken to be the same in all lanes.
    InstructionSet row_divisions;
    /// Of that plan, by register: affine or uniform there, and unknown here. None: this plan is no such plan.
    std::vector<bool> own_registers;

    [[nodiscard]] bool uniform(ptx::RegisterId r) const { return registers.uniform(r); }
    /// An affine register is kept as a scalar, the first lane's value. Active lanes agree with it even where the first
    /// lane is inactive.
    [[nodiscard]] bool is_affine(ptx::RegisterId r) const { return registers.is_affine(r); }
    [[nodiscard]] std::optional<std::int64_t> stride(ptx::RegisterId r) const { return registers.stride(r); }
    [[nodiscard]] const std::optional<Widening>& widening(ptx::RegisterId r) const {
        return registers.values[r].widening;
    }
    [[nodiscard]] bool uniform(const ptx::Operand& operand) const;
    [[nodiscard]] std::optional<std::int64_t> stride_of(const ptx::Operand& operand) const;
    [[nodiscard]] std::optional<std::int64_t> constant_of(const ptx::Operand& operand) const;
    /// Whether lanes may go two ways behind a block: its branch depends on something that differs between them.
    [[nodiscard]] bool parts(const ptx::Function& kernel, std::uint32_t block) const;
    /// Whether a block is the end of the kernel, or does nothing but to end it.
    [[nodiscard]] bool ends_at(const ptx::Function& kernel, std::uint32_t block) const;
    /// Counts up by one from a multiple of the width, and so wraps between no two lanes.
    [[nodiscard]] bool counts(const ptx::Operand& operand) const;
    /// Whether the handle of a texture instruction is uniform.
    [[nodiscard]] bool names_one_texture(const ptx::Instruction& i) const;
};

/// The plan for a flat index whose lanes are in one row, and where its code lies.
struct OneRow {
    LanePlan plan;
    std::vector<bool> begins; ///< by block: its beginning has code by this plan
    InstructionSet entries;   ///< divisions at which code goes over to this plan
    /// By instruction: the plan's own registers that are live where code may go back to the other plan.
    std::map<std::uint32_t, std::vector<ptx::RegisterId>> exits;
    /// How the next vector of threads comes to the divisions: all of it may be done again, as it only computes.
    struct Loop {
        std::vector<std::uint32_t> path; ///< blocks, from the kernel's beginning to that of the first divisions
        std::uint32_t last = 0;          ///< of the divisions there
    };
    std::optional<Loop> loop;
};

/// The plan for `width` lanes, or the reason why the kernel runs one thread at a time.
[[nodiscard]] std::variant<LanePlan, std::string> plan_lanes(const ptx::Function& kernel, const FunctionFacts& facts,
                                                             unsigned width);

// Each part of a plan is made by one function. It may read the parts named in its comment.

/// LanePlan::comparisons and conditions, from blocks and register values (lanes/comparisons.cpp).
void find_comparisons(const ptx::Function& kernel, const ptx::FlowGraph& graph, LanePlan& plan);

/// LaneRegisters::from_memory, from the values (lanes/gain.cpp).
[[nodiscard]] std::vector<bool> find_from_memory(const ptx::Function& kernel, const LaneRegisters& registers);

/// LaneRegisters::lane_offsets and likely_offsets, from blocks and register values (lanes/lane_offsets.cpp).
void find_lane_offsets(const ptx::Function& kernel, unsigned width, LanePlan& plan);

/// LaneRegisters::lane_distances, from register values (lanes/lane_distances.cpp).
[[nodiscard]] std::map<ptx::RegisterId, std::uint64_t> find_lane_distances(const ptx::Function& kernel,
                                                                           const LanePlan& plan);

/// LaneRegisters::evenly_spaced, from blocks and register values (lanes/lane_distances.cpp).
[[nodiscard]] InstructionSet find_evenly_spaced(const ptx::Function& kernel, const LanePlan& plan);

/// LanePlan::counted, from blocks and register values (lanes/counted.cpp).
[[nodiscard]] std::map<ptx::RegisterId, CountedFloat> find_counted(const ptx::Function& kernel, const LanePlan& plan);

/// From register values (lanes/non_temporal.cpp).
[[nodiscard]] NonTemporalStores find_non_temporal_stores(const ptx::Function& kernel, unsigned width,
                                                         const LanePlan& plan);

/// LanePlan::held_store, from register values (lanes/non_temporal.cpp).
[[nodiscard]] std::optional<HeldStore> find_held_store(const ptx::Function& kernel, const ptx::FlowGraph& graph,
                                                       const LanePlan& plan);

/// LanePlan::prefetches, from blocks and register values (lanes/prefetch.cpp).
[[nodiscard]] Prefetches find_prefetches(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width,
                                         const LanePlan& plan);

/// Prefetches::likely of the second plan's code, where a flat index goes on (lanes/prefetch.cpp).
[[nodiscard]] InstructionSet find_row_prefetches(const ptx::Function& kernel, const ptx::FlowGraph& graph,
                                                 const LanePlan& plan, const LanePlan& row);

/// Whether the rows of neighbouring blocks are to take turns, where no thread waits (lanes/joined_blocks.cpp).
/// @param plan null: of one lane
[[nodiscard]] bool joins_blocks(const ptx::Function& kernel, const LanePlan* plan);

/// By block: threads may end behind it that have done nothing yet, as in `if (x >= n || y >= n) return;`. Empty: none
/// do, or there is nothing to gain (lanes/idle_rows.cpp).
[[nodiscard]] std::vector<bool> find_idle_exits(const ptx::Function& kernel, const LanePlan& plan);

/// The kernel with the x and y of its special registers exchanged (lanes/exchanged_axes.cpp).
[[nodiscard]] ptx::Function with_exchanged_axes(ptx::Function kernel);
/// Whether nobody can tell that its threads and blocks are exchanged likewise.
[[nodiscard]] bool may_exchange_axes(const ptx::Function& kernel);
/// Whether lanes that are neighbours in y have more neighbours in memory than those in x have.
/// @param exchanged the plan of with_exchanged_axes()
[[nodiscard]] bool exchange_pays(const ptx::Function& kernel, const LanePlan& plan, const LanePlan& exchanged);

/// LanePlan::grid_stride_loops and grid_stride_loads, from blocks, register values and constants
/// (lanes/grid_stride.cpp).
void find_grid_stride_loops(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width, LanePlan& plan);

/// LanePlan::row_divisions of the second plan, from the values of the first one (lanes/one_row.cpp). None: there is no
/// second plan.
[[nodiscard]] InstructionSet find_row_divisions(const ptx::Function& kernel, unsigned width, const LanePlan& plan);

/// The other parts of OneRow, from its plan. False: it gains nothing (lanes/one_row.cpp).
[[nodiscard]] bool find_row_code(const ptx::Function& kernel, const ptx::Liveness& live, const LanePlan& plan,
                                 OneRow& row);

/// Whether all lanes of a vector come to each barrier, and to each operation of their warp, which names all lanes.
[[nodiscard]] bool meets_whole(const ptx::Function& kernel, const LanePlan& plan);

/// Whether the spin loops end even if the spinning lane waits for another lane (lanes/spin_loops.cpp).
[[nodiscard]] bool spin_loops_end(const ptx::Function& kernel, const FunctionFacts& facts, const LanePlan& plan);

/// Whether vectors save more than scattered accesses cost, and lanes that leave loops one by one (lanes/gain.cpp).
[[nodiscard]] bool lanes_pay(const ptx::Function& kernel, const LanePlan& plan, unsigned width);

/// Whether lanes that are far from each other store elements that follow one another in a loop (lanes/gain.cpp).
[[nodiscard]] bool stores_far_rows(const ptx::Function& kernel, const LanePlan& plan);

/// Whether the kernel does little more than loads and stores, each once (lanes/gain.cpp).
[[nodiscard]] bool only_copies(const ptx::Function& kernel);

} // namespace warplight::jit
