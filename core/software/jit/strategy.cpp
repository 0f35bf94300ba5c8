// SPDX-License-Identifier: Apache-2.0
#include "strategy.hpp"

#include "host.hpp"
#include "software/jit/analysis/analysis.hpp"
#include "software/jit/analysis/decided_branches.hpp"
#include "software/jit/analysis/extent_branches.hpp"
#include "software/jit/lanes/lanes.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace warplight::jit {

// --- step 1: candidates, from the kernel's text

namespace {

bool has_warp_operations(const ptx::Function& kernel) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), is_warp_operation);
}

bool has_packed_halves(const ptx::Function& kernel) {
    constexpr std::ptrdiff_t kMany = 4;
    return std::count_if(kernel.instructions.begin(), kernel.instructions.end(), [](const ptx::Instruction& i) {
               return i.type() == ptx::Type::f16x2 || i.type() == ptx::Type::bf16x2;
           }) >= kMany;
}

enum class LoopsWithBarriers : std::uint8_t { none, some, all };

/// A kernel without barriers has none. One that has barriers and no loops has them in all of them.
LoopsWithBarriers loops_with_barriers(const ptx::Function& kernel) {
    const auto& all = kernel.instructions;
    if (std::none_of(all.begin(), all.end(), is_block_barrier)) return LoopsWithBarriers::none;
    const ptx::FlowGraph graph(kernel);
    const std::vector<ptx::BackEdge> loops = ptx::back_edges(graph);
    const auto with = std::count_if(loops.begin(), loops.end(), [&](const ptx::BackEdge& loop) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(graph.blocks()[loop.to].begin);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(graph.blocks()[loop.from].end);
        return std::any_of(begin, end, is_block_barrier);
    });
    if (with == std::ssize(loops)) return LoopsWithBarriers::all;
    return with > 0 ? LoopsWithBarriers::some : LoopsWithBarriers::none;
}

/// Two vectors of bytes, or of halves, take one line.
bool moves_words(const ptx::Function& kernel) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [](const ptx::Instruction& i) {
        const bool accesses = i.opcode == ptx::Opcode::ld || i.opcode == ptx::Opcode::st;
        return accesses && i.space != ptx::Space::param &&
               ptx::bits(i.types[i.type_count - 1U]) * std::max(1U, unsigned{i.vector_width}) >= 32;
    });
}

/// With two vectors at once such code takes long to compile, and gains nothing. The addresses of per-lane memory are
/// four vectors of 64 bits where other code has none. Where threads wait in loops, two vectors at once wait half as
/// often.
bool has_much_code(const ptx::Function& kernel) {
    constexpr std::size_t kManyInstructions = 250, kManyLoops = 6;
    if (std::any_of(kernel.variables.begin(), kernel.variables.end(),
                    [](const ptx::Variable& v) { return v.space == ptx::Space::local; }))
        return true;
    if (loops_with_barriers(kernel) != LoopsWithBarriers::none) return false;
    return kernel.instructions.size() > kManyInstructions ||
           ptx::back_edges(ptx::FlowGraph(kernel)).size() >= kManyLoops;
}

/// Of other kernels LLVM makes vectors itself, for blocks of any extent.
bool has_loops_or_barriers(const ptx::Function& kernel) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), is_block_barrier) ||
           !ptx::back_edges(ptx::FlowGraph(kernel)).empty();
}

/// Whether blocks have rows: then their extent in x is a number that suits rows, such as 8.
bool has_rows(const ptx::Function& kernel) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [](const ptx::Instruction& i) {
        return std::ranges::any_of(i.operands, [](const ptx::Operand& x) {
            return x.kind == ptx::Operand::Kind::special &&
                   (x.special == ptx::SpecialRegister::tid_y || x.special == ptx::SpecialRegister::tid_z);
        });
    });
}

/// Of lanes that read and store a row each. Where rows are a power of two of bytes apart, all of them meet in one set
/// of the first cache, which has eight to twelve lines.
constexpr unsigned kRowLanes = 8;

/// In a narrow block a part of a vector is still several times as fast as a thread at a time.
constexpr unsigned kLeastLanes = 4;

constexpr unsigned kShortestRow = 8; ///< shorter ones are parts of a reduction or a transform more often

/// Threads of a row, where `%tid.x` counts through rows of a power of two: `%tid.x & 15` is the column and `%tid.x >>
/// 4` the row. Of several such numbers the least, and 0 where there is none. A vector that is no longer than a row has
/// neighbours of one row in its lanes.
unsigned threads_of_row(const ptx::Function& kernel) {
    using ptx::Opcode;
    using Kind = ptx::Operand::Kind;
    constexpr std::uint32_t kBitsOfThread = 10;
    std::vector<bool> is_index(kernel.registers.size()), is_zero(kernel.registers.size());
    std::uint32_t columns = 0, rows = 0; // bit k: of 2^k threads
    for (const ptx::Instruction& i : kernel.instructions) {
        const bool shifts = i.opcode == Opcode::shr;
        if (i.opcode != Opcode::mov && i.opcode != Opcode::add && i.opcode != Opcode::and_ && !shifts) continue;
        const ptx::Operand &to = i.operands[0], &from = i.operands[1], &by = i.operands.back();
        if (to.kind != Kind::reg) continue;
        if (i.opcode == Opcode::mov) {
            if (from.kind == Kind::special && from.special == ptx::SpecialRegister::tid_x) is_index[to.reg] = true;
            continue;
        }
        if (from.kind != Kind::reg) continue;
        const auto number = static_cast<std::uint32_t>(by.integer);
        const bool of_index = is_index[from.reg], by_number = by.kind == Kind::integer;
        // Numbers with a sign are divided so: (t + (t >> 31 >>> 28)) >> 4 is the row, and t - (that & -16) the column.
        if (i.opcode == Opcode::add && of_index && by.kind == Kind::reg && is_zero[by.reg])
            is_index[to.reg] = true;
        else if (shifts && by_number && (is_zero[from.reg] || (of_index && number >= kBitsOfThread)))
            is_zero[to.reg] = true;
        else if (shifts && by_number && of_index)
            rows |= 1U << number;
        else if (i.opcode == Opcode::and_ && by_number && of_index)
            columns |= std::has_single_bit(number + 1)    ? number + 1
                       : std::has_single_bit(~number + 1) ? ~number + 1
                                                          : 0;
    }
    const std::uint32_t both = rows & columns;
    return both ? 1U << std::countr_zero(both) : 0;
}

} // namespace

LaneCandidates lane_candidates(const ptx::Function& kernel, unsigned requested) {
    if (requested == 1) return {1, 1, LanesReason::requested};
    if (has_warp_operations(kernel)) return {kWarpLanes, kWarpLanes, LanesReason::warp_operations};
    if (requested > 1) return {requested, requested, LanesReason::requested};
    const unsigned vector = host_width();
    const unsigned least = has_loops_or_barriers(kernel) || has_rows(kernel) ? kLeastLanes : vector;
    if (has_packed_halves(kernel)) return {vector, least, LanesReason::packed_halves};
    const unsigned row = threads_of_row(kernel);
    if (row >= kShortestRow && row <= vector) return {row, std::min(row, least), LanesReason::rows};
    constexpr unsigned kFloatsOfLine = kLineBytes / sizeof(float);
    if (vector == kFloatsOfLine && only_copies(kernel) && moves_words(kernel))
        return {vector, least, LanesReason::only_copies};
    if (loops_with_barriers(kernel) == LoopsWithBarriers::all)
        return {kWarpLanes, least, LanesReason::barriers_in_loops};
    if (has_much_code(kernel)) return {vector, least, LanesReason::much_code};
    return {2 * vector, least, LanesReason::two_vectors};
}

Lanes LaneCandidates::for_extent(unsigned extent) const {
    for (unsigned count = most; count >= least && count > 1; count /= 2)
        if (extent % count == 0) return {count, count == most ? reason : LanesReason::extent};
    return {1, most > 1 ? LanesReason::extent : reason};
}

BlockCandidates block_candidates(const ptx::Function& kernel, unsigned requested, unsigned extent) {
    constexpr unsigned kMostOfAnyBlock = 1024;
    const unsigned bound = std::bit_ceil(extent);
    const std::size_t decided = bound < kMostOfAnyBlock ? find_decided_branches(kernel, bound).size() : 0;
    if (decided == 0 || decided <= find_decided_branches(kernel, kMostOfAnyBlock).size())
        return {lane_candidates(kernel, requested)};
    return {lane_candidates(without_decided_branches(kernel, bound).function, requested), bound};
}

// --- step 2: one candidate, from the analysis

namespace {

/// Whether lanes leave a loop one by one. So few of them are slower than a thread at a time then.
bool parts_at_loops(const ptx::Function& kernel, const LanePlan& plan) {
    for (std::uint32_t k = 0; k < plan.blocks.size(); ++k) {
        const LaneBlock& block = plan.blocks[k];
        const ptx::Instruction& last = kernel.instructions[block.end - 1];
        const bool is_back =
            std::any_of(block.successors.begin(), block.successors.end(), [&](std::uint32_t to) { return to <= k; });
        if (is_back && last.guarded && !plan.uniform(last.guard)) return true;
    }
    return false;
}

/// Why a kernel has one lane, or nothing.
std::optional<LanesReason> reason_against_lanes(const KernelFacts& facts, const Options& options) {
    if (!facts.plan) return LanesReason::obstacle;
    const auto pays = [&](const LanePlan& plan) { return lanes_pay(facts.kernel, plan, options.width); };
    const OneRow* row = facts.plan->one_row.get();
    if (options.gain == Gain::required && !pays(*facts.plan) && !(row && pays(row->plan))) return LanesReason::no_gain;
    if (options.width == kLeastLanes && options.width_reason == LanesReason::extent && !facts.plan->has_barriers &&
        parts_at_loops(facts.kernel, *facts.plan))
        return LanesReason::extent;
    return std::nullopt;
}

/// Why the threads must be coroutines, or nothing. Lanes do the operations of their warp together, and wait for nobody.
std::optional<ModeReason> reason_to_wait(const KernelFacts& facts, bool side_by_side) {
    if (!side_by_side) return facts.analysis.kernel_waits ? std::optional(ModeReason::threads_wait) : std::nullopt;
    if (facts.plan->has_barriers) return ModeReason::barriers;
    return facts.plan->has_spin_loops ? std::optional(ModeReason::spin_loops) : std::nullopt;
}

void choose_mode(Strategy& strategy, const KernelFacts& facts, Mode requested, GridStride grid_stride) {
    const auto waits = reason_to_wait(facts, strategy.lanes.count > 1);
    strategy.mode = Mode::coroutine;
    if (requested == Mode::loop && waits)
        throw std::runtime_error("kernel '" + facts.kernel.name + "' waits: it cannot run as a loop");
    if (requested != Mode::automatic) {
        strategy.mode = requested;
        strategy.mode_reason = ModeReason::requested;
    } else if (waits) {
        strategy.mode_reason = *waits;
    } else if (grid_stride == GridStride::together) {
        strategy.mode_reason = ModeReason::grid_stride;
    } else {
        strategy.mode = Mode::loop;
        strategy.mode_reason = ModeReason::nothing_waits;
    }
}

Vectors choose_vectors(const Strategy& strategy, const Analysis& analysis) {
    if (strategy.lanes.count > 1) return Vectors::emitted;
    const auto& functions = analysis.reachable.functions;
    const bool has_loops = std::any_of(functions.begin(), functions.end(),
                                       [&](ptx::FunctionId f) { return analysis.functions[f].has_loop; });
    return has_loops || strategy.mode == Mode::coroutine ? Vectors::none : Vectors::by_llvm;
}

} // namespace

Strategy choose_strategy(const KernelFacts& facts, const Options& options) {
    Strategy strategy;
    strategy.lanes = {options.width, options.width_reason, options.along_y};
    const auto against = options.width > 1 ? reason_against_lanes(facts, options) : std::nullopt;
    if (against) {
        strategy.lanes = {1, *against};
        strategy.obstacle = facts.obstacle;
        choose_mode(strategy, facts, Mode::automatic, GridStride::alone);
    } else if (options.gain == Gain::required && options.width > kRowLanes &&
               stores_far_rows(facts.kernel, *facts.plan)) {
        strategy.lanes = {kRowLanes, LanesReason::far_rows, options.along_y};
        choose_mode(strategy, facts, Mode::automatic, GridStride::alone);
    } else {
        choose_mode(strategy, facts, options.mode, options.grid_stride);
    }
    strategy.vectors = choose_vectors(strategy, facts.analysis);
    return strategy;
}

// --- step 3: a launch

GridStride grid_stride_order(const LaunchFacts& launch) {
    /// Bytes for each thread. A vector of threads with fewer rounds leaves so few pages open that the processor's
    /// prefetchers are still at work there when the next vector comes.
    constexpr std::uint64_t kBytesAThread = 384;
    const auto product = [](const std::array<unsigned, 3>& extent) {
        return std::uint64_t{extent[0]} * extent[1] * extent[2];
    };
    if (!launch.has_grid_stride_loops || launch.compiled == GridStride::together) return launch.compiled;
    const std::uint64_t threads = product(launch.grid) * product(launch.block);
    const std::uint64_t memory = launch.memory();
    return memory < kCachedBytes || memory / kBytesAThread < threads ? GridStride::alone : GridStride::together;
}

// --- the reasons in words

namespace {

std::string text_of(ModeReason reason) {
    switch (reason) {
    case ModeReason::nothing_waits: return "no thread waits for another";
    case ModeReason::barriers: return "threads wait at barriers";
    case ModeReason::spin_loops: return "threads wait in spin loops";
    case ModeReason::threads_wait: return "threads wait for each other";
    case ModeReason::grid_stride: return "threads yield in grid-stride loops to stay close in memory";
    case ModeReason::requested: break;
    }
    return "as requested";
}

} // namespace

std::string Strategy::why_not_wider() const {
    switch (lanes.reason) {
    case LanesReason::requested: break;
    case LanesReason::warp_operations: return "warp operations take whole warps";
    case LanesReason::packed_halves: return "packed halves are computed as two vectors already";
    case LanesReason::only_copies: return "it only copies, and two lines of memory at once are slower";
    case LanesReason::barriers_in_loops: return "threads meet at a barrier in every loop, a warp at a time";
    case LanesReason::much_code: return "its code keeps the processor busy with one vector";
    case LanesReason::rows: return "its threads are counted in rows of so many";
    case LanesReason::far_rows: return "each of its threads goes through a row of its own";
    case LanesReason::two_vectors: return "two vectors keep the processor busy";
    case LanesReason::extent: return "the block's extent in x is no multiple of more";
    case LanesReason::obstacle: return obstacle;
    case LanesReason::no_gain: return "its addresses are scattered, or its lanes part";
    }
    return "as requested";
}

std::string Strategy::sentence() const {
    if (lanes.count == 1 && lanes.reason != LanesReason::requested) return "a thread at a time: " + why_not_wider();
    const std::string how = (mode == Mode::loop ? "a loop (" : "coroutines (") + text_of(mode_reason) + ")";
    if (lanes.count == 1) return "a thread at a time, as " + how;
    return std::to_string(lanes.count) + " threads side by side " + (lanes.along_y ? "in y (" : "(") + why_not_wider() +
           "), as " + how;
}

} // namespace warplight::jit
