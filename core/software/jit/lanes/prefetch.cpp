// SPDX-License-Identifier: Apache-2.0
// Prefetches for loads that move on from block to block, such as `x[blockIdx.x * blockDim.x + threadIdx.x]`. A
// processor's own prefetchers stop at the end of a page, so that a short kernel waits at the start of each page. The
// addresses of the next blocks are known and can be prefetched.
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

/// block * ctaid.x + blocks_threads * ctaid.x * ntid.x + threads * ntid.x + number
struct Sum {
    std::int64_t block = 0;
    std::int64_t blocks_threads = 0;
    std::int64_t threads = 0;
    std::optional<std::int64_t> number = 0; ///< none: not known, but the same in all blocks

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
        constexpr unsigned kDeepest = 500;              // keeps the recursion within the stack
        const auto [at, fresh] = known_.try_emplace(r); // stays empty while the register depends on itself
        if (!fresh || writers_[r].size() != 1 || depth_ == kDeepest) return at->second;
        const Instruction& i = kernel_.instructions[writers_[r][0]];
        if (i.guarded || i.operands[0].kind != Operand::Kind::reg) return std::nullopt;
        ++depth_;
        const auto sum = of_result(i);
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
            if (x.special == SR::tid_x) return Sum{.number = std::nullopt}; // LaneValue::stride has its factor
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

    static std::optional<Sum> shifted(const std::optional<Sum>& x, const std::optional<Sum>& by) {
        if (!x || !by || !by->is_number() || *by->number < 0 || *by->number > kMostShift) return std::nullopt;
        return x->times(std::int64_t{1} << *by->number);
    }

    std::optional<Sum> of_result(const Instruction& i) {
        const auto operand = [&](std::size_t k) { return of(i.operands.at(k)); };
        if (const auto linear = linear_form_of(i)) {
            auto x = operand(1);
            if (linear->factor) x = linear->shifts ? shifted(x, operand(2)) : product(x, operand(2));
            return linear->addend ? sum(x, operand(linear->addend), linear->subtracts ? -1 : 1) : x;
        }
        if (!is_index(i.type())) return std::nullopt;
        if (i.opcode == Opcode::ld && i.space == ptx::Space::param && i.vector_width <= 1)
            return Sum{.number = std::nullopt};
        if (i.opcode != Opcode::or_) return std::nullopt;
        auto x = operand(1); // mostly a sum: the numbers have no bit in common
        const auto y = operand(2);
        if (!x || !y || !y->is_number()) return std::nullopt;
        x->number.reset();
        return x;
    }

    static constexpr std::int64_t kMostShift = 20;

    const ptx::Function& kernel_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::map<RegisterId, std::optional<Sum>> known_;
    unsigned depth_ = 0;
};

} // namespace

InstructionSet find_prefetches(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width,
                               const LanePlan& plan) {
    InstructionSet loads;
    const std::vector<bool> in_loop = ptx::between_back_edges(graph);
    Sums sums(kernel);
    for (std::uint32_t k = 0; k < kernel.instructions.size(); ++k) {
        const Instruction& i = kernel.instructions[k];
        if (i.opcode != Opcode::ld || i.aid != ptx::Aid::none ||
            (i.space != ptx::Space::global && i.space != ptx::Space::generic))
            continue;
        const Operand& address = i.operands.at(1);
        if (in_loop[plan.blocks.number_of(k)] || address.base_kind != Operand::Kind::reg) continue;
        const std::int64_t bytes = ptx::bits(i.type()) / 8 * std::max(1U, unsigned{i.vector_width});
        if (bytes * width < kLineBytes || plan.stride_of(address) != bytes) continue;
        const auto sum = sums.of(address.reg);
        if (!sum) continue;
        // From block to block the address moves by the bytes that the threads of a block read.
        const bool by_threads =
            sum->blocks_threads >= bytes && !sum->block && sum->blocks_threads <= kMostRounds * bytes;
        const bool by_number = !sum->blocks_threads && sum->block >= bytes && sum->block <= kMostThreads * bytes;
        if (by_threads || by_number) loads.insert(k);
    }
    return loads;
}

} // namespace warplight::jit
