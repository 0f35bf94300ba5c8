// SPDX-License-Identifier: Apache-2.0
// Prefetches for accesses that move on from block to block, such as `x[blockIdx.x * blockDim.x + threadIdx.x]`. A
// processor's own prefetchers stop at the end of a page, so that a short kernel waits at the start of each page. The
// addresses of the next blocks are known: those that lie a little further on are prefetched. Where the threads of a
// block have several elements, those are the block's own, and the next block's are prefetched. So it is with blocks or
// warps that go through a row each, `for (i = threadIdx.x; i < n; i += blockDim.x) … row[i]`. The rows to come mostly
// lie behind this one.
#include "block_sums.hpp"
#include "flat_division.hpp"
#include "linear_form.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using SR = ptx::SpecialRegister;

namespace {

constexpr std::int64_t kMostThreads = 1024; ///< of a block
constexpr std::int64_t kMostRounds = 16;    ///< elements that a thread reads, ntid.x elements between them
constexpr std::int64_t kLongBlock = 3072;   ///< bytes: a prefetch by a fixed distance stays in the block

/// Accesses in loops by which a block or a warp goes through a row: from round to round they move on by all that its
/// threads access.
class RowLoads {
public:
    RowLoads(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width, const LanePlan& plan,
             BlockSums& sums)
        : kernel_(kernel), width_(width), plan_(plan), sums_(sums), writers_(writers_of(kernel)) {
        for (const ptx::BackEdge& edge : ptx::back_edges(graph)) {
            const Range loop{graph.blocks()[edge.to].begin, graph.blocks()[edge.from].end};
            bool is_plain = true;
            for (std::uint32_t k = loop.begin; k < loop.end; ++k)
                is_plain &= !is_block_barrier(kernel.instructions[k]);
            if (is_plain) loops_.push_back(loop);
        }
    }

    [[nodiscard]] bool contains(std::uint32_t load, const Operand& address) {
        const Range* innermost = nullptr;
        for (const Range& loop : loops_)
            if (loop.contains(load) && (!innermost || loop.end - loop.begin < innermost->end - innermost->begin))
                innermost = &loop;
        if (!innermost) return false;
        const Sources sources = sources_of_address(address.reg);
        if (!sources.block && !sources.shared && !sources.memory) return false; // the same row for all
        constexpr int kMostSteps = 8;                                           // from the address to the index
        RegisterId r = address.reg;
        for (int step = 0; step < kMostSteps; ++step) {
            if (moves_on(r, *innermost)) return true;
            const Instruction* writer = writer_in(*innermost, r);
            const auto linear = writer ? linear_form_of(*writer) : std::nullopt;
            if (!linear) return false;
            const Operand* from = nullptr;
            for (const std::size_t k : {std::size_t{1}, linear->addend})
                if (k != 0 && is_affine(writer->operands.at(k))) from = &writer->operands[k];
            if (!from) return false;
            r = from->reg;
        }
        return false;
    }

    /// Whether the address depends on a number that threads of the block share, and on no other that was read: mostly a
    /// block has taken the next tile, and the one behind it comes next.
    [[nodiscard]] bool is_of_tile(RegisterId address) const {
        const Sources sources = sources_of_address(address);
        return sources.shared && !sources.memory;
    }

private:
    struct Range {
        std::uint32_t begin = 0, end = 0; ///< instructions
        [[nodiscard]] bool contains(std::uint32_t k) const { return k >= begin && k < end; }
    };

    /// What an address differs by from block to block, or from row to row.
    struct Sources {
        bool block = false;  ///< the block's number
        bool shared = false; ///< something read in shared memory, or made by an atomic operation
        bool memory = false; ///< something else that was read
    };
    [[nodiscard]] Sources sources_of_address(RegisterId address) const {
        constexpr std::size_t kMostRegisters = 64;
        Sources sources;
        std::vector<RegisterId> seen{address};
        for (std::size_t k = 0; k < seen.size() && seen.size() < kMostRegisters; ++k)
            for (const std::uint32_t w : writers_[seen[k]]) {
                const Instruction& i = kernel_.instructions[w];
                const bool reads = i.opcode == Opcode::ld && i.space != ptx::Space::param;
                if (i.opcode == Opcode::atom || (reads && i.space == ptx::Space::shared))
                    sources.shared = true;
                else if (reads)
                    sources.memory = true;
                if (reads || i.opcode == Opcode::atom) continue;
                for (const Operand& x : ptx::sources_of(i)) {
                    if (x.kind == Operand::Kind::special)
                        sources.block |=
                            x.special == SR::ctaid_x || x.special == SR::ctaid_y || x.special == SR::ctaid_z;
                    if (x.kind == Operand::Kind::reg && std::ranges::find(seen, x.reg) == seen.end())
                        seen.push_back(x.reg);
                }
            }
        return sources;
    }
    [[nodiscard]] bool is_affine(const Operand& x) const {
        return x.kind == Operand::Kind::reg && !x.negated && plan_.is_affine(x.reg);
    }
    /// The only instruction of a loop that writes a register, or null.
    [[nodiscard]] const Instruction* writer_in(const Range& loop, RegisterId r) const {
        const Instruction* only = nullptr;
        for (const std::uint32_t w : writers_[r]) {
            if (!loop.contains(w)) continue;
            if (only || kernel_.instructions[w].guarded) return nullptr;
            only = &kernel_.instructions[w];
        }
        return only;
    }
    /// Whether a round adds to a register what all lanes, or all threads of a row of the block, are apart.
    [[nodiscard]] bool moves_on(RegisterId index, const Range& loop) {
        constexpr int kMostAdds = 8; // in a loop that is written out several times
        std::int64_t constant = 0;
        bool by_threads = false;
        RegisterId r = index;
        for (int add = 0; add < kMostAdds; ++add) {
            const Instruction* i = writer_in(loop, r);
            const auto linear = i ? linear_form_of(*i) : std::nullopt;
            if (!linear || linear->factor || linear->subtracts || linear->converts) return false;
            const Operand* affine = &i->operands.at(1);
            if (linear->addend) {
                const Operand* by = &i->operands.at(linear->addend);
                if (!is_affine(*affine)) std::swap(affine, by);
                if (const auto number = plan_.constant_of(*by))
                    constant += *number;
                else if (by->kind == Operand::Kind::reg && is_threads(by->reg))
                    by_threads = true;
                else
                    return false;
            }
            if (!is_affine(*affine)) return false;
            r = affine->reg;
            if (r == index) return by_threads || constant >= plan_.stride(index).value_or(0) * width_;
        }
        return false;
    }
    /// Some of a block's threads in x: ntid.x, or a multiple.
    [[nodiscard]] bool is_threads(RegisterId r) {
        const auto sum = sums_.of(r);
        return sum && sum->threads > 0 && !sum->block && !sum->blocks_threads && sum->number == 0;
    }

    const ptx::Function& kernel_;
    const std::int64_t width_;
    const LanePlan& plan_;
    BlockSums& sums_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<Range> loops_; ///< without barriers
};

/// Whether an instruction reads the number of a thread's or block's row.
bool reads_row_number(const Instruction& i) {
    return std::ranges::any_of(i.operands, [](const Operand& x) {
        return x.kind == Operand::Kind::special && (x.special == SR::tid_y || x.special == SR::ctaid_y);
    });
}

/// Whether the lanes' elements lie close to each other, and those of the next blocks behind them.
bool is_likely(const LanePlan& plan, unsigned width, const BlockSum& sum, RegisterId address) {
    const auto offsets = plan.registers.likely_offsets.find(address);
    if (offsets == plan.registers.likely_offsets.end() || sum.block || sum.rows) return false;
    const auto [lowest, highest] = std::ranges::minmax(offsets->second);
    constexpr double kLeast = kLineBytes / 4.0;
    return sum.blocks_threads * width >= kLeast &&
           sum.blocks_threads * width >= 0.5 * (double(highest) - double(lowest));
}

} // namespace

Prefetches find_prefetches(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width,
                           const LanePlan& plan) {
    Prefetches found;
    InstructionSet& loads = found.all;
    struct Line {
        RegisterId reg;
        bool is_load;
        std::int64_t offset;
    };
    std::vector<Line> lines; // that are prefetched by now, in front of or behind what registers point to
    const std::vector<bool> in_loop = ptx::between_back_edges(graph);
    BlockSums sums(kernel);
    RowLoads rows(kernel, graph, width, plan, sums);
    for (std::uint32_t k = 0; k < kernel.instructions.size(); ++k) {
        const Instruction& i = kernel.instructions[k];
        const bool is_load = i.opcode == Opcode::ld;
        if ((!is_load && i.opcode != Opcode::st) || i.aid != ptx::Aid::none ||
            (i.space != ptx::Space::global && i.space != ptx::Space::generic))
            continue;
        const Operand& address = i.operands.at(is_load ? 1 : 0);
        if (address.base_kind != Operand::Kind::reg) continue;
        const std::int64_t bytes = ptx::bits(i.type()) / 8 * std::max(1U, unsigned{i.vector_width});
        const auto same = [&](const Line& line) {
            return line.reg == address.reg && line.is_load == is_load &&
                   std::abs(line.offset - address.integer) < kLineBytes;
        };
        if (is_load && !plan.stride(address.reg) && !in_loop[plan.blocks.number_of(k)]) {
            const auto sum = sums.of(address.reg);
            if (!sum || !is_likely(plan, width, *sum, address.reg) || std::ranges::any_of(lines, same)) continue;
            lines.push_back({address.reg, is_load, address.integer});
            found.likely.insert(k);
        }
        if (2 * bytes * width < kLineBytes || plan.stride_of(address) != bytes) continue;
        if (in_loop[plan.blocks.number_of(k)]) {
            if (rows.contains(k, address)) loads.insert(k);
            continue;
        }
        const auto sum = sums.of(address.reg);
        if (!sum) {
            if (rows.is_of_tile(address.reg)) loads.insert(k);
            continue;
        }
        // From block to block the address moves by the bytes that the threads of a block read.
        const bool by_threads =
            sum->blocks_threads >= bytes && !sum->block && sum->blocks_threads <= kMostRounds * bytes;
        const bool by_number =
            !sum->blocks_threads && sum->block >= bytes && sum->block <= kMostRounds * kMostThreads * bytes;
        if (!by_threads && !by_number) continue;
        if (std::ranges::any_of(lines, same)) continue;
        lines.push_back({address.reg, is_load, address.integer});
        loads.insert(k);
        if (sum->rows)
            found.of_tiles.insert(k);
        else if (by_number ? sum->block > kLongBlock : sum->blocks_threads > bytes)
            found.of_long_blocks[k] = {static_cast<std::uint64_t>(by_number ? sum->block : sum->blocks_threads),
                                       by_threads};
    }
    return found;
}

namespace {

using Writers = std::vector<std::vector<std::uint32_t>>;

/// The last instruction before `at` that writes a register.
std::optional<std::uint32_t> writer_before(const Writers& writers, RegisterId r, std::uint32_t at) {
    const auto behind = std::ranges::lower_bound(writers[r], at);
    return behind == writers[r].begin() ? std::nullopt : std::optional(*std::prev(behind));
}

/// x % y, or x - x / y * y.
bool is_remainder(const ptx::Function& kernel, const Writers& writers, const LanePlan& plan, std::uint32_t at) {
    const Instruction& i = kernel.instructions[at];
    if (i.opcode == Opcode::rem) return true;
    const auto is_register = [](const Operand& x) { return x.kind == Operand::Kind::reg; };
    if (i.opcode != Opcode::sub || !is_register(i.operands[1]) || !is_register(i.operands[2])) return false;
    const auto product = writer_before(writers, i.operands[2].reg, at);
    if (!product || kernel.instructions[*product].opcode != Opcode::mul) return false;
    const Operand& factor = kernel.instructions[*product].operands[1];
    const auto quotient = is_register(factor) ? writer_before(writers, factor.reg, *product) : std::nullopt;
    const auto division = quotient ? flat_division(kernel, plan.blocks, *quotient) : std::nullopt;
    return division && division->x.reg == i.operands[1].reg;
}

/// Registers that move on from block to block. A remainder begins again and again, as in bias[i % width].
std::vector<bool> find_moving(const ptx::Function& kernel, const LanePlan& plan) {
    const Writers writers = ptx::writers_of(kernel);
    std::vector<bool> moving(kernel.registers.size(), false), remainder(kernel.instructions.size());
    for (std::uint32_t at = 0; at < remainder.size(); ++at)
        remainder[at] = is_remainder(kernel, writers, plan, at);
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t at = 0; at < kernel.instructions.size(); ++at) {
            const Instruction& i = kernel.instructions[at];
            const RegisterId* to = ptx::destination_register(i);
            if (!to || moving[*to] || remainder[at]) continue;
            bool moves = i.opcode == Opcode::ld && i.space != ptx::Space::param && i.space != ptx::Space::constant;
            for (const Operand& x : ptx::sources_of(i))
                moves |= x.kind == Operand::Kind::special;
            ptx::each_read(kernel, i, [&](RegisterId r) { moves |= moving[r]; });
            moving[*to] = moves;
            again |= moves;
        }
    }
    return moving;
}

} // namespace

InstructionSet find_row_prefetches(const ptx::Function& kernel, const ptx::FlowGraph& graph, const LanePlan& plan,
                                   const LanePlan& row) {
    constexpr std::int64_t kFarthest = 4; // elements from lane to lane
    const std::vector<bool> in_loop = ptx::between_back_edges(graph);
    InstructionSet found;
    if (std::ranges::any_of(kernel.instructions, reads_row_number)) return found; // the lines of others come next
    const std::vector<bool> moving = find_moving(kernel, plan);
    std::map<RegisterId, std::int64_t> lines; // the last place of each register that is prefetched
    for (std::uint32_t k = 0; k < kernel.instructions.size(); ++k) {
        const Instruction& i = kernel.instructions[k];
        if (i.opcode != Opcode::ld || (i.space != ptx::Space::global && i.space != ptx::Space::generic) ||
            in_loop[plan.blocks.number_of(k)])
            continue;
        const Operand& address = i.operands.at(1);
        if (address.base_kind != Operand::Kind::reg || plan.stride(address.reg)) continue;
        const std::int64_t stride = row.stride(address.reg).value_or(0), bytes = ptx::bits(i.type()) / 8;
        if (stride < bytes || stride > kFarthest * bytes || !moving[address.reg]) continue;
        const auto [line, fresh] = lines.try_emplace(address.reg, address.integer);
        if (!fresh && std::abs(line->second - address.integer) < kLineBytes) continue;
        line->second = address.integer;
        found.insert(k);
    }
    return found;
}

} // namespace warplight::jit
