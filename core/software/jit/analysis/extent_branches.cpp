// SPDX-License-Identifier: Apache-2.0
#include "extent_branches.hpp"

#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SpecialRegister;

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kFewValues = 8;
constexpr unsigned kMostChanges = 4; ///< of a register's interval, before it is taken for unknown

/// The values that a register may have, taken for integers with a sign: all that 32 bits hold, or some of them. Of a
/// predicate 0 or 1.
struct Interval {
    std::int64_t least = kLeast, most = kMost;
    bool operator==(const Interval&) const = default;

    [[nodiscard]] bool has_no_sign() const { return least >= 0; }
};
using Known = std::optional<Interval>; ///< nothing: anything

Known within(std::int64_t least, std::int64_t most) {
    if (least < kLeast || most > kMost) return std::nullopt;
    return Interval{least, most};
}

bool is_integer_of(const Instruction& i, unsigned bits) {
    return !ptx::is_float(i.type()) && ptx::bits(i.type()) == bits;
}

class Intervals {
public:
    Intervals(const ptx::Function& function, unsigned threads)
        : f_(function), graph_(function), threads_(threads), writers_(ptx::writers_of(function)),
          seen_(function.registers.size(), false), changes_(function.registers.size(), 0),
          values_(function.registers.size()) {
        const ptx::Liveness live(function, graph_);
        for (ptx::RegisterId r = 0; r < values_.size(); ++r) // zero where no write came before
            if (graph_.end() == 0 || live.live_in[0].contains(r)) join(r, within(0, 0));
        for (bool again = true; again;) {
            again = false;
            for (const Instruction& i : f_.instructions)
                again |= update(i);
        }
    }

    [[nodiscard]] std::map<std::uint32_t, bool> decided() const {
        std::map<std::uint32_t, bool> found;
        for (std::uint32_t k = 0; k < graph_.end(); ++k) {
            const std::uint32_t at = graph_.blocks()[k].end - 1;
            const Instruction& i = f_.instructions[at];
            if (!i.guarded || (i.opcode != Opcode::bra && !ptx::ends_thread(i))) continue;
            const std::optional<bool> guard = of_guard(i, k);
            if (guard) found[at] = *guard != i.guard_negated;
        }
        return found;
    }

private:
    // --- values of registers, wherever they are read

    /// Joins the interval of a register with that of one more write. Returns whether it grew.
    bool update(const Instruction& i) {
        const Operand* to = ptx::destination_of(i);
        bool any = false;
        if (to && to->kind == Operand::Kind::reg) return join(to->reg, result_of(i));
        ptx::each_written(f_, i, [&](ptx::RegisterId r) { any |= join(r, std::nullopt); });
        return any;
    }

    bool join(ptx::RegisterId r, Known value) {
        Known& kept = values_[r];
        if (!seen_[r]) {
            seen_[r] = true;
            kept = value;
            return true;
        }
        if (!kept) return false;
        const Interval before = *kept;
        if (value) {
            kept->least = std::min(before.least, value->least);
            kept->most = std::max(before.most, value->most);
            if (*kept == before) return false;
        }
        if (!value || ++changes_[r] > kMostChanges) kept.reset();
        return true;
    }

    [[nodiscard]] Known of(const Operand& x) const {
        if (x.negated) return std::nullopt;
        switch (x.kind) {
        case Operand::Kind::integer: return within(x.integer, x.integer);
        case Operand::Kind::reg: return writers_[x.reg].empty() ? std::nullopt : values_[x.reg];
        case Operand::Kind::special:
            if (x.special == SpecialRegister::tid_x) return Interval{0, threads_ - std::int64_t{1}};
            if (x.special == SpecialRegister::laneid) return Interval{0, 31};
            return std::nullopt;
        default: return std::nullopt;
        }
    }

    [[nodiscard]] Known result_of(const Instruction& i) const {
        if (ptx::uses_carry(i) || i.has(Modifier::sat) || i.type_count == 0) return std::nullopt;
        const auto operand = [&](std::size_t k) { return k < i.operands.size() ? of(i.operands[k]) : std::nullopt; };
        const Known x = operand(1), y = operand(2);
        if (i.opcode == Opcode::setp) {
            const std::optional<bool> result = compared(i, x, y);
            return result ? within(*result, *result) : std::nullopt;
        }
        if (i.type() == ptx::Type::pred) return of_predicates(i, x, y);
        if (i.opcode == Opcode::cvt && i.type_count == 2) return converted(i, x);
        if (i.opcode == Opcode::mul && i.has(Modifier::wide)) return is_integer_of(i, 32) ? product(i, x, y) : Known();
        if (!is_integer_of(i, 32)) return std::nullopt;
        switch (i.opcode) {
        case Opcode::mov: return x;
        case Opcode::selp: return x && y ? within(std::min(x->least, y->least), std::max(x->most, y->most)) : Known();
        case Opcode::add: return x && y ? within(x->least + y->least, x->most + y->most) : Known();
        case Opcode::sub: return x && y ? within(x->least - y->most, x->most - y->least) : Known();
        case Opcode::mul: return i.has(Modifier::lo) ? product(i, x, y) : Known();
        case Opcode::mad: {
            const Known p = i.has(Modifier::lo) ? product(i, x, y) : Known(), z = operand(3);
            return p && z ? within(p->least + z->least, p->most + z->most) : Known();
        }
        case Opcode::min:
        case Opcode::max: return least_or_most(i, x, y);
        case Opcode::shl:
        case Opcode::shr: return shifted(i, x, y);
        case Opcode::and_: return masked(x, y);
        default: return std::nullopt;
        }
    }

    [[nodiscard]] static Known product(const Instruction& i, Known x, Known y) {
        if (!x || !y || (!ptx::is_signed(i.type()) && (!x->has_no_sign() || !y->has_no_sign()))) return std::nullopt;
        const auto [least, most] =
            std::minmax({x->least * y->least, x->least * y->most, x->most * y->least, x->most * y->most});
        return within(least, most);
    }
    [[nodiscard]] static Known least_or_most(const Instruction& i, Known x, Known y) {
        const bool is_signed = ptx::is_signed(i.type());
        if (!is_signed && (!x || !y || !x->has_no_sign() || !y->has_no_sign())) return std::nullopt;
        const Interval a = x.value_or(Interval()), b = y.value_or(Interval());
        return i.opcode == Opcode::min ? within(std::min(a.least, b.least), std::min(a.most, b.most))
                                       : within(std::max(a.least, b.least), std::max(a.most, b.most));
    }
    [[nodiscard]] static Known shifted(const Instruction& i, Known x, Known by) {
        if (!x || !by || by->least != by->most || by->least < 0 || by->least > 31) return std::nullopt;
        if (i.opcode == Opcode::shl) return within(x->least << by->least, x->most << by->least);
        if (!ptx::is_signed(i.type()) && !x->has_no_sign()) return std::nullopt;
        return within(x->least >> by->least, x->most >> by->least);
    }
    [[nodiscard]] static Known masked(Known x, Known y) {
        if (!x || x->least != x->most) std::swap(x, y);
        if (!x || x->least != x->most || x->least < 0) return std::nullopt; // no mask
        const std::int64_t mask = x->least;
        const bool keeps_all = y && y->has_no_sign() && y->most <= mask && std::has_single_bit(std::uint64_t(mask) + 1);
        return keeps_all ? y : within(0, y && y->has_no_sign() ? std::min(mask, y->most) : mask);
    }
    [[nodiscard]] static Known converted(const Instruction& i, Known x) {
        const auto is_wide = [](ptx::Type t) {
            return !ptx::is_float(t) && (ptx::bits(t) == 32 || ptx::bits(t) == 64);
        };
        if (!x || !is_wide(i.types[0]) || !is_wide(i.types[1])) return std::nullopt;
        return ptx::is_signed(i.types[1]) || x->has_no_sign() ? x : std::nullopt;
    }
    [[nodiscard]] static Known of_predicates(const Instruction& i, Known x, Known y) {
        const auto is = [](const Known& k, std::int64_t value) { return k && k->least == value && k->most == value; };
        switch (i.opcode) {
        case Opcode::mov: return x;
        case Opcode::not_: return x ? within(1 - x->most, 1 - x->least) : Known();
        case Opcode::and_:
            if (is(x, 0) || is(y, 0)) return within(0, 0);
            return is(x, 1) ? y : is(y, 1) ? x : Known();
        case Opcode::or_:
            if (is(x, 1) || is(y, 1)) return within(1, 1);
            return is(x, 0) ? y : is(y, 0) ? x : Known();
        default: return std::nullopt;
        }
    }

    [[nodiscard]] static std::optional<bool> compared(const Instruction& i, Known x, Known y) {
        if (i.operands.size() != 3 || !is_integer_of(i, 32) || !x || !y) return std::nullopt;
        const bool alike = x->has_no_sign() && y->has_no_sign(); // with and without a sign
        const auto decide = [&](bool always, bool never) -> std::optional<bool> {
            return always ? std::optional(true) : never ? std::optional(false) : std::nullopt;
        };
        const bool apart = x->most < y->least || y->most < x->least;
        const bool same = x->least == x->most && *x == *y;
        if (i.has(Modifier::eq)) return decide(same, apart);
        if (i.has(Modifier::ne)) return decide(apart, same);
        if (!ptx::is_signed(i.type()) && !alike) return std::nullopt;
        if (i.has(Modifier::lt) || i.has(Modifier::lo)) return decide(x->most < y->least, x->least >= y->most);
        if (i.has(Modifier::le) || i.has(Modifier::ls)) return decide(x->most <= y->least, x->least > y->most);
        if (i.has(Modifier::gt) || i.has(Modifier::hi)) return decide(x->least > y->most, x->most <= y->least);
        if (i.has(Modifier::ge) || i.has(Modifier::hs)) return decide(x->least >= y->most, x->most < y->least);
        return std::nullopt;
    }

    // --- branches

    [[nodiscard]] std::optional<bool> of_guard(const Instruction& branch, std::uint32_t block) const {
        const Known& guard = values_[branch.guard];
        if (!writers_[branch.guard].empty() && guard && guard->least == guard->most) return guard->least != 0;
        // Is it a comparison with a number that other branches on the way here exclude?
        const Instruction* comparison = equality(branch.guard);
        if (!comparison) return std::nullopt;
        const ptx::RegisterId r = comparison->operands[1].reg;
        Known x = values_[r];
        if (!x || x->most - x->least >= kFewValues) return std::nullopt;
        for (bool again = true; again && x->least < x->most;) {
            again = false;
            for (std::uint32_t k = 0; k < graph_.end() && !again; ++k) {
                const std::optional<std::int64_t> not_it = excluded_by(k, block, r);
                if (!not_it || (*not_it != x->least && *not_it != x->most)) continue;
                again = true;
                if (*not_it == x->least)
                    ++x->least;
                else
                    --x->most;
            }
        }
        return compared(*comparison, x, of(comparison->operands[2]));
    }

    /// The only write of a predicate, where it says whether a register that is written once equals a number.
    [[nodiscard]] const Instruction* equality(ptx::RegisterId predicate) const {
        if (writers_[predicate].size() != 1) return nullptr;
        const Instruction& i = f_.instructions[writers_[predicate][0]];
        if (i.opcode != Opcode::setp || i.guarded || i.operands.size() != 3 || !is_integer_of(i, 32)) return nullptr;
        if (!i.has(Modifier::eq) && !i.has(Modifier::ne)) return nullptr;
        const Operand &to = i.operands[0], &x = i.operands[1], &y = i.operands[2];
        const bool plain = to.kind == Operand::Kind::reg && x.kind == Operand::Kind::reg && !x.negated &&
                           y.kind == Operand::Kind::integer && !y.negated;
        return plain && writers_[x.reg].size() == 1 ? &i : nullptr;
    }

    /// The number that a register does not hold in `block`, because all ways there leave block k by the branch at its
    /// end that says so.
    [[nodiscard]] std::optional<std::int64_t> excluded_by(std::uint32_t k, std::uint32_t block,
                                                          ptx::RegisterId r) const {
        const ptx::BasicBlock& from = graph_.blocks()[k];
        const Instruction& last = f_.instructions[from.end - 1];
        if (last.opcode != Opcode::bra || !last.guarded || from.successors.size() != 2) return std::nullopt;
        const Instruction* comparison = equality(last.guard);
        if (!comparison || comparison->operands[1].reg != r) return std::nullopt;
        const std::uint32_t compares = graph_.block_of()[writers_[last.guard][0]];
        const std::uint32_t writes = graph_.block_of()[writers_[r][0]];
        const bool taken_if_equal = comparison->has(Modifier::eq) != last.guard_negated;
        const std::uint32_t to = from.successors[taken_if_equal ? 1 : 0]; // where it is another number
        if (compares != k || to == graph_.end() || graph_.predecessors(to).size() != 1) return std::nullopt;
        // The register keeps its value on the way, and every way to the block goes by here.
        if (writes == k || reaches(to, writes, graph_.end()) || reaches(0, block, to)) return std::nullopt;
        return comparison->operands[2].integer;
    }

    /// Whether there is a way between two blocks that does not go by a third one.
    [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to, std::uint32_t avoided) const {
        std::vector<bool> seen(graph_.end(), false);
        std::vector<std::uint32_t> todo{from};
        while (!todo.empty()) {
            const std::uint32_t at = todo.back();
            todo.pop_back();
            if (at == graph_.end() || at == avoided || seen[at]) continue;
            if (at == to) return true;
            seen[at] = true;
            todo.insert(todo.end(), graph_.blocks()[at].successors.begin(), graph_.blocks()[at].successors.end());
        }
        return false;
    }

    const ptx::Function& f_;
    const ptx::FlowGraph graph_;
    const unsigned threads_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<bool> seen_;
    std::vector<unsigned> changes_;
    std::vector<Known> values_;
};

} // namespace

std::map<std::uint32_t, bool> find_decided_branches(const ptx::Function& function, unsigned threads) {
    return Intervals(function, threads).decided();
}

} // namespace warplight::jit
