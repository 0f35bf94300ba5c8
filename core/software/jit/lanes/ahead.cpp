// SPDX-License-Identifier: Apache-2.0
// Loads that go through memory from block to block, as `x[blockIdx.x * blockDim.x + threadIdx.x]` does. A processor's
// prefetchers stop at the end of a page, so that a kernel which does little more than that waits at the beginning of
// each; but where the blocks to come will read is known.
#include "lanes.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using SR = ptx::SpecialRegister;

namespace {

constexpr std::int64_t kMostThreads = 1024; ///< of a block
constexpr std::int64_t kMostRounds = 16;    ///< elements that a thread may read, a block apart

/// A sum of such products, of what is the same in all blocks, and of the number that is known of it.
struct Sum {
    std::int64_t block = 0;                 ///< times ctaid.x
    std::int64_t blocks_threads = 0;        ///< times ctaid.x * ntid.x
    std::int64_t threads = 0;               ///< times ntid.x
    std::optional<std::int64_t> number = 0; ///< what is added, where that is known

    [[nodiscard]] bool is_number() const { return number && !block && !blocks_threads && !threads; }
    [[nodiscard]] Sum times(std::int64_t by) const {
        const auto product = number ? std::optional(*number * by) : std::nullopt;
        return {block * by, blocks_threads * by, threads * by, product};
    }
};

class Sums {
public:
    explicit Sums(const ptx::Function& kernel) : kernel_(kernel), writers_(writers_of(kernel)) {}

    std::optional<Sum> of(RegisterId r) {
        constexpr unsigned kDeepest = 500;              // of one made of another: the stack has an end
        const auto [at, fresh] = known_.try_emplace(r); // nothing for what a loop makes of itself
        if (!fresh || writers_[r].size() != 1 || depth_ == kDeepest) return at->second;
        const Instruction& i = kernel_.instructions[writers_[r][0]];
        if (i.guarded || i.operands[0].kind != Operand::Kind::reg) return std::nullopt;
        ++depth_;
        const auto sum = made_by(i);
        --depth_;
        return known_[r] = sum;
    }

private:
    static bool is_small(std::int64_t number) { return std::abs(number) < std::int64_t{1} << 20; }

    std::optional<Sum> of(const Operand& x) {
        switch (x.kind) {
        case Operand::Kind::reg: return x.negated ? std::nullopt : of(x.reg);
        case Operand::Kind::integer: return Sum{.number = x.integer};
        case Operand::Kind::special:
            if (x.special == SR::tid_x) return Sum{.number = std::nullopt}; // LanePlan::stride tells how often
            if (x.special == SR::ctaid_x) return Sum{.block = 1};
            if (x.special == SR::ntid_x) return Sum{.threads = 1};
            return std::nullopt;
        default: return std::nullopt;
        }
    }
    static std::optional<Sum> sum(const std::optional<Sum>& x, const std::optional<Sum>& y, int sign) {
        if (!x || !y) return std::nullopt;
        Sum z = y->times(sign);
        z.number = x->number && z.number ? std::optional(*x->number + *z.number) : std::nullopt;
        z.block += x->block;
        z.blocks_threads += x->blocks_threads;
        z.threads += x->threads;
        return z;
    }
    static std::optional<Sum> product(const std::optional<Sum>& x, const std::optional<Sum>& y) {
        if (!x || !y) return std::nullopt;
        if (y->is_number() && is_small(*y->number)) return x->times(*y->number);
        if (x->is_number() && is_small(*x->number)) return y->times(*x->number);
        const auto is_only = [](const Sum& s, std::int64_t Sum::* part) {
            Sum rest = s;
            rest.*part = 0;
            return rest.is_number() && *rest.number == 0 && is_small(s.*part);
        };
        for (const auto& [a, b] : {std::pair(x, y), std::pair(y, x)})
            if (is_only(*a, &Sum::block) && is_only(*b, &Sum::threads))
                return Sum{.blocks_threads = a->block * b->threads};
        return std::nullopt;
    }

    std::optional<Sum> made_by(const Instruction& i) {
        for (std::size_t k = 0; k < i.type_count; ++k)
            if (ptx::bits(i.types[k]) < 32 || ptx::is_float(i.types[k])) return std::nullopt;
        for (const Modifier m : {Modifier::sat, Modifier::cc, Modifier::hi})
            if (i.has(m)) return std::nullopt;
        const auto operand = [&](std::size_t k) { return of(i.operands.at(k)); };
        switch (i.opcode) {
        case Opcode::ld:
            if (i.space != ptx::Space::param || i.vector_width > 1) return std::nullopt;
            return Sum{.number = std::nullopt};
        case Opcode::mov:
        case Opcode::cvt:
        case Opcode::cvta: return operand(1);
        case Opcode::add: return sum(operand(1), operand(2), 1);
        case Opcode::sub: return sum(operand(1), operand(2), -1);
        case Opcode::mul: return product(operand(1), operand(2));
        case Opcode::mad: return sum(product(operand(1), operand(2)), operand(3), 1);
        case Opcode::shl: {
            const auto x = operand(1), by = operand(2);
            if (!x || !by || !by->is_number() || *by->number < 0 || *by->number > 20) return std::nullopt;
            return x->times(std::int64_t{1} << *by->number);
        }
        case Opcode::or_: { // of what has no bit in common, mostly
            auto x = operand(1);
            const auto y = operand(2);
            if (!x || !y || !y->is_number()) return std::nullopt;
            x->number.reset();
            return x;
        }
        default: return std::nullopt;
        }
    }

    const ptx::Function& kernel_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::map<RegisterId, std::optional<Sum>> known_;
    unsigned depth_ = 0;
};

/// By block of code: whether it is in a loop.
std::vector<bool> in_loops(const LanePlan& plan) {
    std::vector<bool> in_loop(plan.blocks.size());
    for (std::uint32_t end = 0; end < plan.blocks.size(); ++end)
        for (const std::uint32_t start : plan.blocks[end].successors)
            if (start <= end) std::fill(in_loop.begin() + start, in_loop.begin() + end + 1, true);
    return in_loop;
}

} // namespace

void find_ahead(const ptx::Function& kernel, unsigned width, LanePlan& plan) {
    plan.ahead.assign(kernel.instructions.size(), false);
    const std::vector<bool> in_loop = in_loops(plan);
    Sums sums(kernel);
    for (std::uint32_t k = 0; k < kernel.instructions.size(); ++k) {
        const Instruction& i = kernel.instructions[k];
        if (i.opcode != Opcode::ld || (i.space != ptx::Space::global && i.space != ptx::Space::generic)) continue;
        const Operand& address = i.operands.at(1);
        if (in_loop[plan.block_of[k]] || address.base_kind != Operand::Kind::reg) continue;
        const std::int64_t bytes = ptx::bits(i.type()) / 8 * std::max(1U, unsigned{i.vector_width});
        if (bytes * width < kLineBytes || plan.stride_of(address) != bytes) continue;
        const auto sum = sums.of(address.reg);
        if (!sum) continue;
        // From block to block it is as far as the block's threads go, or a few times that.
        const bool by_threads =
            sum->blocks_threads >= bytes && !sum->block && sum->blocks_threads <= kMostRounds * bytes;
        const bool by_number = !sum->blocks_threads && sum->block >= bytes && sum->block <= kMostThreads * bytes;
        plan.ahead[k] = by_threads || by_number;
    }
}

} // namespace warplight::jit
