// SPDX-License-Identifier: Apache-2.0
#include "inner_code.hpp"

#include "software/jit/lanes/linear_form.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

constexpr std::uint32_t kLongest = 400;     ///< instructions of a region: they are written twice
constexpr std::int64_t kFarthest = 1 << 20; ///< by which indices differ that one test is for
constexpr std::int64_t kWidest = 1 << 30;   ///< divisors: twice as much is a number too

bool is_clamp(Opcode opcode) { return opcode == Opcode::min || opcode == Opcode::max; }

bool is_word(ptx::Type type) { return type == ptx::Type::s32 || type == ptx::Type::u32; }

/// A minimum, maximum or remainder of 32-bit integers.
bool may_bend(const Instruction& i) {
    return (is_clamp(i.opcode) || i.opcode == Opcode::rem) && !i.guarded && i.type_count == 1 && i.modifiers.none() &&
           is_word(i.type()) && i.operands.size() == 3 && i.operands[0].kind == Operand::Kind::reg;
}

bool accesses_memory(const Instruction& i) { return i.opcode == Opcode::ld || i.opcode == Opcode::st; }
RegisterId base_of(const Instruction& i) {
    const Operand* const address = ptx::accessed_address(i);
    return address && address->kind == Operand::Kind::address && address->base_kind == Operand::Kind::reg
               ? address->reg
               : std::numeric_limits<RegisterId>::max();
}

/// Code of one basic block: from the first instruction that bends the lanes' indices to the last access by them.
struct Region {
    std::uint32_t begin = 0, end = 0;
    std::set<std::uint32_t> common; ///< other arithmetic on indices: comes first, once for both versions
    std::set<std::uint32_t> early;  ///< what bends indices, and what that needs: comes first in the second version
    /// That the second version has for itself, and the instructions that write them.
    std::map<RegisterId, std::uint32_t> own_registers;
};

/// A register and a number that is added to it.
struct Index {
    RegisterId base = 0;
    std::int64_t number = 0;
};

/// What an index of all lanes has to keep to: low <= base + from, base + to <= high.
struct Bounds {
    std::int64_t from = 0, to = 0;
    std::vector<Operand> low, high;
};

bool same(const Operand& x, const Operand& y) {
    return x.kind == y.kind && (x.kind == Operand::Kind::reg ? x.reg == y.reg : x.integer == y.integer);
}

/// What code in the middle of two versions of a region must not do.
bool ends_region(const Instruction& i) {
    return ptx::may_suspend(i) || is_warp_operation(i) || ptx::ends_block(i) || i.opcode == Opcode::call ||
           i.opcode == Opcode::trap || ptx::publishes(i);
}

class InnerCode {
public:
    InnerCode(const ptx::Function& function, const LanePlan& plan)
        : f_(function), plan_(plan), graph_(function), live_(function, graph_), writers_(writers_of(function)),
          code_(function) {}

    [[nodiscard]] std::optional<ChangedFunction> run() {
        for (std::uint32_t k = 0; k < graph_.end(); ++k)
            if (!plan_.blocks[k].divergent) find_in(k);
        if (regions_.empty()) return std::nullopt;
        std::ranges::sort(regions_, {}, &Region::begin);
        auto region = regions_.begin();
        for (std::uint32_t at = 0; at < f_.instructions.size(); ++at) {
            if (region != regions_.end() && at == region->begin) {
                write(*region);
                at = region++->end - 1;
            } else {
                keep(at);
            }
        }
        return code_.finish();
    }

private:
    // --- what is found

    [[nodiscard]] bool is_index_register(const Operand& x) const {
        return x.kind == Operand::Kind::reg && !x.negated && ptx::bits(f_.registers[x.reg].type) == kIndexBits &&
               !ptx::is_float(f_.registers[x.reg].type);
    }
    [[nodiscard]] bool is_uniform(const Operand& x) const {
        return (x.kind == Operand::Kind::integer && !x.negated) || (is_index_register(x) && plan_.uniform(x.reg));
    }
    [[nodiscard]] bool differs(const Operand& x, const Region& region) const {
        return is_index_register(x) &&
               ((plan_.is_affine(x.reg) && !plan_.widening(x.reg)) || region.own_registers.contains(x.reg));
    }
    [[nodiscard]] bool is_written_once(RegisterId r) const { return writers_[r].size() == 1; }
    [[nodiscard]] bool reads(std::uint32_t at, RegisterId r) const {
        bool found = false;
        ptx::each_read(f_, f_.instructions[at], [&](RegisterId read) { found |= read == r; });
        return found;
    }
    /// Whether the one instruction that writes a register of a region comes before all of the region that read it.
    [[nodiscard]] bool is_new_in(const Region& region, RegisterId r, std::uint32_t writer) const {
        if (!is_written_once(r)) return false;
        for (std::uint32_t at = region.begin; at <= writer; ++at)
            if (reads(at, r)) return false;
        return true;
    }

    /// The operand that is the result away from the edges, but for a divisor that has been added before; 0: the
    /// instruction bends no lanes' indices.
    [[nodiscard]] std::size_t bent_operand(const Instruction& i, const Region& region) const {
        if (!may_bend(i) || !is_index_register(i.operands[0])) return 0;
        if (differs(i.operands[1], region) && is_uniform(i.operands[2])) return 1;
        if (i.opcode == Opcode::rem) return 0;
        return differs(i.operands[2], region) && is_uniform(i.operands[1]) ? 2 : 0;
    }

    void find_in(std::uint32_t number) {
        const ptx::BasicBlock& block = graph_.blocks()[number];
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            if (!bent_operand(f_.instructions[at], {})) continue;
            std::optional<Region> region = region_at(at, std::min(block.end, at + kLongest));
            if (!region) continue;
            find_read_behind(*region, number);
            at = region->end - 1;
            regions_.push_back(std::move(*region));
        }
    }

    [[nodiscard]] std::optional<Region> region_at(std::uint32_t begin, std::uint32_t limit) const {
        Region region{begin, 0, {}, {}, {}};
        for (std::uint32_t at = begin; at < limit && !ends_region(f_.instructions[at]); ++at) {
            const Instruction& i = f_.instructions[at];
            if (is_common(at, region)) {
                region.common.insert(at);
            } else if (bent_operand(i, region)) {
                std::set<std::uint32_t> needed;
                if (!may_come_early(at, region, needed)) continue;
                region.early.merge(needed);
                region.own_registers.emplace(i.operands[0].reg, at);
            } else if (follows(at, region)) {
                region.own_registers.emplace(i.operands[0].reg, at);
            } else if (accesses_memory(i) && region.own_registers.contains(base_of(i))) {
                region.end = at + 1;
            }
        }
        if (region.end == 0) return std::nullopt;
        std::erase_if(region.own_registers, [&](const auto& own) { return own.second >= region.end; });
        for (std::set<std::uint32_t>* all : {&region.common, &region.early})
            std::erase_if(*all, [&](std::uint32_t at) { return at >= region.end; });
        return region;
    }

    /// Whether an instruction is arithmetic on indices or predicates that depends on nothing else of the region. It
    /// must not be there twice: what registers are made of is known of those that are written once.
    [[nodiscard]] bool is_common(std::uint32_t at, const Region& region) const {
        const Instruction& i = f_.instructions[at];
        const RegisterId* const to = ptx::destination_register(i);
        const bool is_float = std::any_of(i.types.begin(), i.types.begin() + i.type_count, ptx::is_float);
        if (i.guarded || !to || is_float || !ptx::is_computed_on_vectors(i) || ptx::uses_carry(i)) return false;
        if (bent_operand(i, region) || !is_new_in(region, *to, at)) return false;
        bool is_known = true;
        ptx::each_read(f_, i, [&](RegisterId r) {
            for (const std::uint32_t writer : writers_[r])
                is_known = is_known && (writer < region.begin || writer >= at || region.common.contains(writer));
        });
        return is_known;
    }

    /// Index arithmetic on what is bent.
    [[nodiscard]] bool follows(std::uint32_t at, const Region& region) const {
        const Instruction& i = f_.instructions[at];
        if (i.guarded || !linear_form_of(i) || i.operands[0].kind != Operand::Kind::reg) return false;
        const auto sources = ptx::sources_of(i);
        return std::ranges::any_of(sources,
                                   [&](const Operand& x) {
                                       return x.kind == Operand::Kind::reg && region.own_registers.contains(x.reg);
                                   }) &&
               is_new_in(region, i.operands[0].reg, at);
    }

    /// Adds an instruction of the region and those it needs. False: one cannot be done where the region begins.
    [[nodiscard]] bool may_come_early(std::uint32_t at, const Region& region, std::set<std::uint32_t>& needed) const {
        if (region.common.contains(at) || region.early.contains(at) || !needed.insert(at).second) return true;
        const Instruction& i = f_.instructions[at];
        const RegisterId* const to = ptx::destination_register(i);
        if (i.guarded || !to || !ptx::is_computed_on_vectors(i) || ptx::uses_carry(i) || !is_new_in(region, *to, at))
            return false;
        bool may = true;
        ptx::each_read(f_, i, [&](RegisterId r) {
            for (const std::uint32_t writer : writers_[r])
                if (writer >= region.begin && writer < at)
                    may = may && is_written_once(r) && may_come_early(writer, region, needed);
        });
        return may;
    }

    /// Notes which of a region's own registers are read behind it.
    void find_read_behind(const Region& region, std::uint32_t number) {
        const ptx::BasicBlock& block = graph_.blocks()[number];
        ptx::RegisterSet read(f_.registers.size());
        for (std::uint32_t at = region.end; at < block.end; ++at)
            ptx::each_read(f_, f_.instructions[at], [&](RegisterId r) { read.insert(r); });
        for (const std::uint32_t next : block.successors)
            read.insert(live_.live_in[next]);
        for (const auto& [r, writer] : region.own_registers)
            if (read.contains(r)) read_behind_.insert(r);
    }

    // --- what is written

    void write(const Region& region) {
        names_.clear();
        bounds_.clear();
        in_rows_.clear();
        divisors_.clear();
        inner_.reset();
        for (const auto& [r, writer] : region.own_registers)
            names_.emplace(r, code_.new_register(f_.registers[r].type));
        for (const std::uint32_t at : region.common)
            keep(at);
        for (const std::uint32_t at : region.early)
            write_inner(at, region);
        code_.begin(region.begin);
        test_bounds();
        write_rows(region);
        const std::uint32_t inner = code_.new_label(), behind = code_.new_label();
        code_.add_branch(inner, inner_);
        for (std::uint32_t at = region.begin; at < region.end; ++at)
            if (!region.common.contains(at)) keep(at);
        code_.begin(region.begin);
        code_.add_branch(behind, std::nullopt);
        code_.place(inner);
        for (std::uint32_t at = region.begin; at < region.end; ++at)
            if (!region.common.contains(at) && !region.early.contains(at)) write_inner(at, region);
        code_.begin(region.begin);
        for (const auto& [outer, own] : names_)
            if (read_behind_.contains(outer))
                code_.add(Opcode::mov, untyped(code_.bits_of(outer)), {register_operand(outer), register_operand(own)});
        code_.place(behind);
    }

    void keep(std::uint32_t at) {
        code_.begin(at);
        code_.keep();
    }

    [[nodiscard]] Operand renamed(Operand x) const {
        ptx::each_operand(x, [&](Operand& one) {
            const bool is_register = one.kind == Operand::Kind::reg ||
                                     (one.kind == Operand::Kind::address && one.base_kind == Operand::Kind::reg);
            if (const auto own = names_.find(one.reg); is_register && own != names_.end()) one.reg = own->second;
        });
        return x;
    }

    /// An instruction of the second version.
    void write_inner(std::uint32_t at, const Region& region) {
        code_.begin(at);
        const Instruction& i = f_.instructions[at];
        const std::size_t bent = region.early.contains(at) ? bent_operand(i, region) : 0;
        if (const auto in_row = in_rows_.find(at); in_row != in_rows_.end()) {
            code_.add(Opcode::add, ptx::Type::s64,
                      {renamed(i.operands[0]), in_row->second.first, in_row->second.second});
        } else if (bent == 0) {
            code_.keep();
            for (Operand& x : code_.last().operands)
                x = renamed(std::move(x));
        } else {
            write_clamped(i, bent, at);
        }
    }

    void write_clamped(const Instruction& i, std::size_t bent, std::uint32_t at) {
        if (i.opcode == Opcode::rem) return write_remainder(i, at);
        Bounds& bounds = bounds_of(index_of(i.operands[bent].reg, at), i.type(), 0);
        add(i.opcode == Opcode::max ? bounds.low : bounds.high, i.operands[3 - bent]);
        code_.add(Opcode::mov, ptx::Type::b32, {renamed(i.operands[0]), renamed(i.operands[bent])});
    }

    /// The remainder of what is less than the divisor, or of that and the divisor: 0 <= index, index + 1 <= divisor.
    void write_remainder(const Instruction& i, std::uint32_t at) {
        const Index index = index_of_remainder(i, at);
        Bounds& bounds = bounds_of(index, i.type(), 1);
        add(bounds.low, number_operand(0));
        add(bounds.high, i.operands[2]);
        const std::pair divisor(i.operands[2], i.type());
        if (std::ranges::none_of(divisors_,
                                 [&](const auto& x) { return same(x.first, divisor.first) && x.second == i.type(); }))
            divisors_.push_back(divisor);
        code_.add(Opcode::add, i.type(),
                  {renamed(i.operands[0]), renamed(register_operand(index.base)), number_operand(index.number)});
    }
    [[nodiscard]] Index index_of_remainder(const Instruction& i, std::uint32_t at) const {
        Index index = index_of(i.operands[1].reg, at);
        const Operand& divisor = i.operands[2];
        if (divisor.kind == Operand::Kind::integer && index.number > divisor.integer / 2 && divisor.integer > 0)
            index.number -= divisor.integer;
        if (!is_written_once(index.base)) return index;
        const std::uint32_t writer = writers_[index.base][0];
        const Instruction& sum = f_.instructions[writer];
        if (sum.opcode != Opcode::add || sum.guarded || !linear_form_of(sum) || !is_before(writer, at)) return index;
        for (const std::size_t k : {1, 2}) {
            if (!is_index_register(sum.operands[k]) || !same(sum.operands[3 - k], divisor)) continue;
            if (!stays(sum.operands[k].reg, writer) || !stays(divisor, writer)) continue;
            const Index less = index_of(sum.operands[k].reg, writer);
            return {less.base, less.number + index.number};
        }
        return index;
    }

    // --- rows of elements around a place: their addresses are one address and a number each

    /// A wide product, of a sum whose one term is the same for all elements of a row, as y * w is.
    struct InRow {
        Index index;
        RegisterId term = 0;
        std::uint32_t at = 0;
    };
    [[nodiscard]] std::optional<InRow> in_row(std::uint32_t at, const Region& region) const {
        const Instruction& i = f_.instructions[at];
        if (i.opcode != Opcode::mul || !i.has(ptx::Modifier::wide) || i.guarded || !is_index_register(i.operands[1]) ||
            (i.type() != ptx::Type::s32 && i.type() != ptx::Type::u32) ||
            i.operands[2].kind != Operand::Kind::integer || i.operands[0].kind != Operand::Kind::reg)
            return std::nullopt;
        if (i.operands[2].integer <= 0 || i.operands[2].integer >= kFarthest) return std::nullopt;
        const auto own = region.own_registers.find(i.operands[1].reg);
        if (own == region.own_registers.end() || !names_.contains(i.operands[0].reg)) return std::nullopt;
        const Instruction& sum = f_.instructions[own->second];
        if (sum.opcode != Opcode::add || !linear_form_of(sum)) return std::nullopt;
        for (const std::size_t k : {1, 2}) {
            const Operand &x = sum.operands[k], &term = sum.operands[3 - k];
            if (!is_index_register(x) || !is_index_register(term) || !names_.contains(x.reg)) continue;
            if (names_.contains(term.reg) || !is_there(term.reg, region)) continue;
            return InRow{index_of(x.reg, own->second), term.reg, at};
        }
        return std::nullopt;
    }
    /// Before a region, or as soon as what is common has been done.
    [[nodiscard]] bool is_there(RegisterId r, const Region& region) const {
        return std::ranges::all_of(writers_[r], [&](std::uint32_t writer) {
            return writer < region.begin || writer >= region.end || region.common.contains(writer);
        });
    }

    void write_rows(const Region& region) {
        std::map<std::tuple<RegisterId, RegisterId, std::int64_t, ptx::Type>, std::vector<InRow>> rows;
        for (std::uint32_t at = region.begin; at < region.end; ++at)
            if (const auto one = in_row(at, region)) {
                const Instruction& i = f_.instructions[at];
                rows[{one->index.base, one->term, i.operands[2].integer, i.type()}].push_back(*one);
            }
        for (const auto& [key, row] : rows) {
            const auto& [base, term, factor, type] = key;
            const auto own = region.own_registers.find(base);
            const bool is_early =
                own != region.own_registers.end() ? region.early.contains(own->second) : is_there(base, region);
            if (row.size() < 2 || !is_early) continue;
            const auto [least, most] = std::ranges::minmax(row, {}, [](const InRow& one) { return one.index.number; });
            const Operand sum = code_.temporary(ptx::Type::b32), product = code_.temporary(ptx::Type::b64);
            code_.add(Opcode::add, type, {sum, renamed(register_operand(base)), register_operand(term)});
            test(sum, {least.index.number, most.index.number, {least_of(type)}, {}}, type);
            set(code_.add(Opcode::mul, type, {product, sum, number_operand(factor)}), ptx::Modifier::wide);
            for (const InRow& one : row)
                in_rows_.emplace(one.at, std::pair(product, number_operand(one.index.number * factor)));
        }
    }

    /// What a register is the sum of, as far as the block tells.
    [[nodiscard]] Index index_of(RegisterId r, std::uint32_t at) const {
        Index index{r, 0};
        while (is_written_once(index.base)) {
            const std::uint32_t writer = writers_[index.base][0];
            if (!is_before(writer, at)) break;
            const Instruction& i = f_.instructions[writer];
            if (names_.contains(index.base) && i.opcode == Opcode::rem && may_bend(i)) {
                const Index less = index_of_remainder(i, writer);
                return {less.base, less.number + index.number};
            }
            const std::size_t bent = names_.contains(index.base) ? bent_operand_of(i) : 0;
            const std::size_t next = bent ? bent : 1;
            if (i.guarded || (!bent && !adds_number(i)) || !is_index_register(i.operands[next])) break;
            const RegisterId base = i.operands[next].reg;
            if (!stays(base, writer)) break;
            if (!bent) index.number += i.opcode == Opcode::sub ? -i.operands[2].integer : i.operands[2].integer;
            index.base = base;
            at = writer;
        }
        return index;
    }
    /// Of a clamp that is done without.
    [[nodiscard]] std::size_t bent_operand_of(const Instruction& i) const {
        if (!is_clamp(i.opcode)) return 0;
        return is_uniform(i.operands[2]) ? 1 : 2;
    }
    [[nodiscard]] static bool adds_number(const Instruction& i) {
        return (i.opcode == Opcode::add || i.opcode == Opcode::sub) && linear_form_of(i) &&
               ptx::bits(i.type()) == kIndexBits && i.operands[2].kind == Operand::Kind::integer &&
               i.operands[2].integer > -kFarthest && i.operands[2].integer < kFarthest;
    }
    /// In the same block.
    [[nodiscard]] bool is_before(std::uint32_t writer, std::uint32_t at) const {
        return writer < at && graph_.block_of()[writer] == graph_.block_of()[at];
    }
    /// Whether a register still holds at the end of the block what it holds at an instruction.
    [[nodiscard]] bool stays(RegisterId r, std::uint32_t at) const {
        if (!is_written_once(r)) return false;
        const std::uint32_t writer = writers_[r][0];
        return writer < at || graph_.block_of()[writer] != graph_.block_of()[at];
    }
    [[nodiscard]] bool stays(const Operand& x, std::uint32_t at) const {
        return x.kind != Operand::Kind::reg || stays(x.reg, at);
    }

    /// Those of the register that an index is made of, so that one test is for all indices around a place. They are for
    /// the index itself, and for it and a number.
    Bounds& bounds_of(const Index& index, ptx::Type type, std::int64_t more) {
        const auto [found, fresh] = bounds_.try_emplace({index.base, type}, Bounds{index.number, index.number, {}, {}});
        found->second.from = std::min({found->second.from, index.number, index.number + more});
        found->second.to = std::max({found->second.to, index.number, index.number + more});
        return found->second;
    }
    static void add(std::vector<Operand>& to, const Operand& bound) {
        if (std::ranges::none_of(to, [&](const Operand& x) { return same(x, bound); })) to.push_back(bound);
    }

    void test_bounds() {
        for (const auto& [index, bounds] : bounds_)
            test(renamed(register_operand(index.first)), bounds, index.second);
        for (const auto& [divisor, type] : divisors_)
            test(divisor, {0, 0, {}, {number_operand(kWidest)}}, type);
    }

    static Operand least_of(ptx::Type type) {
        return number_operand(type == ptx::Type::s32 ? std::numeric_limits<std::int32_t>::min() : 0);
    }
    void test(const Operand& base, const Bounds& bounds, ptx::Type type) {
        const Operand least = least_of(type);
        const Operand most =
            number_operand(type == ptx::Type::s32 ? std::numeric_limits<std::int32_t>::max()
                                                  : std::int64_t{std::numeric_limits<std::uint32_t>::max()});
        for (std::size_t k = 0; k < std::max(bounds.low.size(), bounds.high.size()); ++k) {
            const Operand within = code_.temporary(ptx::Type::pred);
            code_
                .add(Opcode::invalid, type,
                     {within, base, number_operand(bounds.from), number_operand(bounds.to),
                      k < bounds.low.size() ? bounds.low[k] : least, k < bounds.high.size() ? bounds.high[k] : most})
                .aid = ptx::Aid::lanes_within;
            require(within);
        }
    }
    void require(const Operand& condition) {
        if (!inner_) {
            inner_ = condition.reg;
            return;
        }
        const Operand both = code_.temporary(ptx::Type::pred);
        code_.add(Opcode::and_, ptx::Type::pred, {both, register_operand(*inner_), condition});
        inner_ = both.reg;
    }

    const ptx::Function& f_;
    const LanePlan& plan_;
    const ptx::FlowGraph graph_;
    const ptx::Liveness live_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    AddedCode code_;
    std::vector<Region> regions_;
    std::set<RegisterId> read_behind_;
    // Of the region that is written:
    std::map<RegisterId, RegisterId> names_; ///< in the second version
    std::map<std::pair<RegisterId, ptx::Type>, Bounds> bounds_;
    std::map<std::uint32_t, std::pair<Operand, Operand>> in_rows_; ///< of which sums to make wide products
    std::vector<std::pair<Operand, ptx::Type>> divisors_;          ///< of remainders that the second version has not
    std::optional<RegisterId> inner_; ///< the predicate: the second version does the same as the first
};

} // namespace

bool may_have_inner_code(const ptx::Function& function) {
    return function.calls.empty() && std::ranges::any_of(function.instructions, may_bend);
}

std::optional<ChangedFunction> inner_code(const ptx::Function& function, const LanePlan& plan) {
    return InnerCode(function, plan).run();
}

} // namespace warplight::jit
