// SPDX-License-Identifier: Apache-2.0
#include "stride_turns.hpp"

#include "software/jit/analysis/sums.hpp"
#include "software/jit/lanes/thread_order.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;
using Kind = Operand::Kind;
using SR = ptx::SpecialRegister;

namespace {

/// Each turn does again what lies in front of the loop: instructions, of which a division counts as several.
constexpr int kMostInFront = 48, kDivision = 12;
constexpr int kMostSteps = 12; ///< that an extent or a bound is made by

/// A register that each round adds something to, the same in all threads.
struct Moving {
    RegisterId at = 0;
    std::uint32_t writer = 0;
    Operand step;
};

struct StrideLoop {
    std::uint32_t first = 0, branch = 0; ///< instructions: of the loop's head, and the branch back to it
    std::vector<Moving> moving;
    std::size_t index = 0;      ///< among them: the one that is compared
    Operand bound;              ///< the loop goes on while the index is below it …
    bool reaches_bound = false; ///< … or equal to it
    Type type = Type::none;     ///< of the comparison
};

class StrideLoopFinder {
public:
    explicit StrideLoopFinder(const ptx::Function& function)
        : f_(function), graph_(function), writers_(ptx::writers_of(function)) {}

    [[nodiscard]] std::optional<StrideLoop> find() {
        const auto edges = ptx::back_edges(graph_);
        if (f_.instructions.empty() || edges.empty() || !nothing_has_order()) return std::nullopt;
        const auto outermost = std::ranges::max_element(edges, {}, [](const ptx::BackEdge& e) { return e.from; });
        head_ = outermost->to;
        latch_ = outermost->from;
        const auto is_within = [&](const ptx::BackEdge& e) { return e.to >= head_ && e.from <= latch_; };
        if (head_ == 0 || !std::ranges::all_of(edges, is_within) || !ends_plainly()) return std::nullopt;
        if (!has_one_way() || !is_cheap_in_front() || !does_nothing_behind()) return std::nullopt;
        StrideLoop loop{blocks()[head_].begin, blocks()[latch_].end - 1, {}, 0, {}, false, Type::none};
        if (!find_moving(loop) || !find_comparison(loop)) return std::nullopt;
        return loop;
    }

private:
    /// Sums of integers come to the same in any order.
    [[nodiscard]] bool nothing_has_order() const {
        std::optional<KernelSums> sums;
        for (std::uint32_t k = 0; k < f_.instructions.size(); ++k) {
            if (has_no_order(f_.instructions[k])) continue;
            const Opcode opcode = f_.instructions[k].opcode;
            if (opcode != Opcode::atom && opcode != Opcode::red) return false;
            if (!sums) sums = find_sums(f_);
            const auto memory = sums->memory_of(k);
            if (!memory || sums->memory[*memory].operation == software::SumOperation::add_floats) return false;
        }
        return true;
    }
    [[nodiscard]] const std::vector<ptx::BasicBlock>& blocks() const { return graph_.blocks(); }
    [[nodiscard]] bool is_in_loop(std::uint32_t instruction) const {
        return instruction >= blocks()[head_].begin && instruction < blocks()[latch_].end;
    }

    [[nodiscard]] bool ends_plainly() const {
        const Instruction& last = f_.instructions.back();
        return ptx::ends_thread(last) && !last.guarded && !is_in_loop(last_instruction());
    }
    [[nodiscard]] std::uint32_t last_instruction() const {
        return static_cast<std::uint32_t>(f_.instructions.size()) - 1;
    }

    /// Into the loop by its head from the block before it, and out of it behind the branch back.
    [[nodiscard]] bool has_one_way() const {
        const Instruction& back = f_.instructions[blocks()[latch_].end - 1];
        const Instruction& before = f_.instructions[blocks()[head_].begin - 1];
        if (back.opcode != Opcode::bra || !back.guarded || back.operands.size() != 1) return false;
        if (ptx::ends_block(before) && !before.guarded) return false;
        const auto& entries = graph_.predecessors(head_);
        if (!std::ranges::all_of(entries, [&](std::uint32_t b) { return b == head_ - 1 || b == latch_; })) return false;
        for (std::uint32_t b = head_; b <= latch_; ++b)
            for (const std::uint32_t to : blocks()[b].successors) {
                const bool stays = to >= head_ && to <= latch_;
                if (!stays && (b != latch_ || to != latch_ + 1)) return false;
            }
        return blocks()[latch_].successors.size() == 2;
    }

    [[nodiscard]] bool is_cheap_in_front() const {
        int cost = 0;
        for (std::uint32_t k = 0; k < blocks()[head_].begin; ++k) {
            const Instruction& i = f_.instructions[k];
            const bool is_constant = i.space == ptx::Space::param || i.space == ptx::Space::constant;
            if (!is_constant && !ptx::all_accesses_of(i).empty()) return false;
            if (ptx::is_texture(i.opcode)) return false;
            const bool divides = i.opcode == Opcode::div || i.opcode == Opcode::rem || i.opcode == Opcode::sqrt;
            cost += divides ? kDivision : 1;
        }
        return cost <= kMostInFront;
    }
    [[nodiscard]] bool does_nothing_behind() const {
        return std::all_of(f_.instructions.begin() + blocks()[latch_].end, f_.instructions.end(),
                           [](const Instruction& i) { return ptx::all_accesses_of(i).empty(); });
    }

    /// Whether all that a round keeps for the next one is what it adds to.
    [[nodiscard]] bool find_moving(StrideLoop& loop) const {
        const ptx::Liveness liveness(f_, graph_);
        bool all = true;
        for (RegisterId r = 0; r < f_.registers.size() && all; ++r) {
            std::vector<std::uint32_t> inside;
            std::ranges::copy_if(writers_[r], std::back_inserter(inside), [&](auto w) { return is_in_loop(w); });
            if (inside.empty() || !liveness.live_in[head_].contains(r)) continue;
            all = inside.size() == 1 && add_moving(loop, r, inside[0]);
        }
        return all && !loop.moving.empty();
    }
    [[nodiscard]] bool add_moving(StrideLoop& loop, RegisterId r, std::uint32_t writer) const {
        const Instruction& i = f_.instructions[writer];
        const std::uint32_t block = graph_.block_of()[writer];
        if ((block != head_ && block != latch_) || i.guarded || i.opcode != Opcode::add || i.operands.size() != 3)
            return false;
        if (ptx::uses_carry(i) || i.has(Modifier::sat) || !is_plain_register(i.operands[0])) return false;
        const unsigned bits = ptx::bits(i.type());
        if (ptx::is_float(i.type()) || (bits != 32 && bits != 64) || ptx::bits(f_.registers[r].type) != bits)
            return false;
        const bool swapped = !is_register(i.operands[1], r);
        if (swapped && !is_register(i.operands[2], r)) return false;
        const Operand& step = i.operands[swapped ? 1 : 2];
        if (!is_same_in_all(step, bits)) return false;
        loop.moving.push_back({r, writer, step});
        return true;
    }

    [[nodiscard]] bool find_comparison(StrideLoop& loop) const {
        const Instruction& back = f_.instructions[loop.branch];
        std::uint32_t at = loop.branch;
        do {
            if (at == blocks()[latch_].begin) return false;
            --at;
        } while (!writes(at, back.guard));
        const Instruction& i = f_.instructions[at];
        if (i.opcode != Opcode::setp || i.guarded || i.operands.size() != 3 || !is_plain_register(i.operands[0]))
            return false;
        const unsigned bits = ptx::bits(i.type());
        if (ptx::is_float(i.type()) || (bits != 32 && bits != 64)) return false;
        for (std::size_t m = 0; m < loop.moving.size(); ++m) {
            const Moving& moving = loop.moving[m];
            const bool swapped = is_register(i.operands[2], moving.at);
            if (!swapped && !is_register(i.operands[1], moving.at)) continue;
            if (ptx::bits(f_.registers[moving.at].type) != bits) return false;
            // The index of the round to come is compared.
            if (graph_.block_of()[moving.writer] == latch_ && moving.writer > at) return false;
            loop.index = m;
            loop.type =
                ptx::is_signed(i.type()) ? (bits == 32 ? Type::s32 : Type::s64) : (bits == 32 ? Type::u32 : Type::u64);
            loop.bound = i.operands[swapped ? 1 : 2];
            return is_same_in_all(loop.bound, bits) && goes_on_below(i, swapped, back.guard_negated, loop) &&
                   names_grid(moving.step, kMostSteps);
        }
        return false;
    }

    /// Whether the loop goes on while the index is below the bound.
    [[nodiscard]] static bool goes_on_below(const Instruction& i, bool swapped, bool negated, StrideLoop& loop) {
        const bool less = i.has(Modifier::lt) || i.has(Modifier::lo),
                   greater = i.has(Modifier::gt) || i.has(Modifier::hi);
        const bool least = i.has(Modifier::le) || i.has(Modifier::ls),
                   most = i.has(Modifier::ge) || i.has(Modifier::hs);
        const bool below = swapped ? greater : less, up_to = swapped ? most : least;
        const bool above = swapped ? less : greater, from = swapped ? least : most;
        loop.reaches_bound = negated ? above : up_to;
        return negated ? above || from : below || up_to;
    }

    [[nodiscard]] bool writes(std::uint32_t at, RegisterId r) const {
        bool writes = false;
        ptx::each_written(f_, f_.instructions[at], [&](RegisterId written) { writes |= written == r; });
        return writes;
    }
    [[nodiscard]] static bool is_register(const Operand& x, RegisterId r) { return is_plain_register(x) && x.reg == r; }
    [[nodiscard]] static bool is_plain_register(const Operand& x) { return x.kind == Kind::reg && !x.negated; }

    /// Made once, in front of the loop, of what all threads of a block have in common.
    [[nodiscard]] bool is_same_in_all(const Operand& x, unsigned bits) const {
        return x.kind == Kind::reg ? ptx::bits(f_.registers[x.reg].type) == bits && is_common(x, kMostSteps)
                                   : x.kind == Kind::integer;
    }
    [[nodiscard]] const Instruction* made_by(const Operand& x) const {
        if (!is_plain_register(x) || writers_[x.reg].size() != 1 || is_in_loop(writers_[x.reg][0])) return nullptr;
        const Instruction& i = f_.instructions[writers_[x.reg][0]];
        return i.guarded || ptx::uses_carry(i) ? nullptr : &i;
    }
    [[nodiscard]] bool is_common(const Operand& x, int most_steps) const {
        if (x.kind == Kind::integer) return true;
        if (x.kind == Kind::special) return is_of_block(x.special);
        const Instruction* i = most_steps > 0 ? made_by(x) : nullptr;
        if (!i) return false;
        if (i->opcode == Opcode::ld)
            return i->space == ptx::Space::param && i->vector_width == 1 && i->operands[1].base_kind != Kind::reg;
        return is_arithmetic(*i) && std::all_of(i->operands.begin() + 1, i->operands.end(),
                                                [&](const Operand& from) { return is_common(from, most_steps - 1); });
    }
    /// Whether a step is made of the grid's extent. By steps of the block's a thread stays in its block's row of
    /// memory.
    [[nodiscard]] bool names_grid(const Operand& x, int most_steps) const {
        if (x.kind == Kind::special) return x.special >= SR::nctaid_x && x.special <= SR::nctaid_z;
        const Instruction* i = most_steps > 0 ? made_by(x) : nullptr;
        return i && is_arithmetic(*i) &&
               std::any_of(i->operands.begin() + 1, i->operands.end(),
                           [&](const Operand& from) { return names_grid(from, most_steps - 1); });
    }
    [[nodiscard]] static bool is_of_block(SR r) {
        return (r >= SR::ntid_x && r <= SR::ntid_z) || (r >= SR::ctaid_x && r <= SR::ctaid_z) ||
               (r >= SR::nctaid_x && r <= SR::nctaid_z);
    }
    [[nodiscard]] static bool is_arithmetic(const Instruction& i) {
        switch (i.opcode) {
        case Opcode::mov:
        case Opcode::cvt:
        case Opcode::add:
        case Opcode::sub:
        case Opcode::mul:
        case Opcode::mad:
        case Opcode::shl:
        case Opcode::shr:
        case Opcode::min:
        case Opcode::max: return i.operands.size() > 1 && is_plain_register(i.operands[0]);
        default: return false;
        }
    }

    const ptx::Function& f_;
    const ptx::FlowGraph graph_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    std::uint32_t head_ = 0, latch_ = 0; ///< blocks
};

class TurnWriter {
public:
    TurnWriter(const ptx::Function& function, const StrideLoop& loop)
        : f_(function), loop_(loop), code_(with_labels(function, loop.branch)) {}

    [[nodiscard]] ChangedFunction write() {
        for (std::uint32_t k = 0; k < f_.instructions.size(); ++k) {
            code_.begin(k);
            if (k == loop_.branch)
                end_turn();
            else
                code_.keep();
            if (k + 1 == loop_.first) begin_turn();
        }
        return code_.finish();
    }

private:
    /// The function with two more labels: behind the loop, and in front of the last instruction.
    static ptx::Function with_labels(ptx::Function function, std::uint32_t branch) {
        function.labels.push_back({"behind the loop", branch + 1});
        function.labels.push_back({"end", static_cast<std::uint32_t>(function.instructions.size()) - 1});
        return function;
    }
    [[nodiscard]] std::uint32_t label_behind() const { return static_cast<std::uint32_t>(f_.labels.size()); }
    [[nodiscard]] std::uint32_t label_end() const { return label_behind() + 1; }

    Instruction& add(Opcode opcode, Type type, std::vector<Operand> operands, std::optional<Modifier> modifier = {}) {
        Instruction& i = code_.add(opcode, type, std::move(operands));
        i.guarded = false;
        if (modifier) set(i, *modifier);
        return i;
    }
    Operand make(Opcode opcode, Type type, const Operand& x, const Operand& y, std::optional<Modifier> modifier = {}) {
        const Operand made = code_.temporary(untyped(ptx::bits(type)));
        add(opcode, type, {made, x, y}, modifier);
        return made;
    }
    Operand test(Modifier how, Type type, const Operand& x, const Operand& y) {
        const Operand made = code_.temporary(Type::pred);
        add(Opcode::setp, type, {made, x, y}, how);
        return made;
    }
    Operand choose(Type type, const Operand& if_so, const Operand& otherwise, const Operand& condition) {
        const Operand made = code_.temporary(type);
        add(Opcode::selp, type, {made, if_so, otherwise, condition});
        return made;
    }
    Operand widened(const Operand& x, Type from) {
        if (ptx::bits(from) == 64) return x;
        if (x.kind == Kind::integer)
            return number_operand(ptx::is_signed(from) ? static_cast<std::int32_t>(x.integer)
                                                       : static_cast<std::uint32_t>(x.integer));
        const Operand made = code_.temporary(Type::b64);
        Instruction& i = add(Opcode::cvt, ptx::is_signed(from) ? Type::s64 : Type::u64, {made, x});
        i.types[1] = from;
        i.type_count = 2;
        return made;
    }
    void branch(std::uint32_t label, const Operand* condition, bool negated = false) {
        Operand to;
        to.kind = Kind::label;
        to.index = label;
        Instruction i;
        i.opcode = Opcode::bra;
        i.operands = {to};
        Instruction& added = add(std::move(i));
        if (!condition) return;
        added.guarded = true;
        added.guard = condition->reg;
        added.guard_negated = negated;
    }
    Instruction& add(Instruction i) {
        code_.add(std::move(i));
        code_.last().guarded = false;
        return code_.last();
    }

    [[nodiscard]] Type type() const { return loop_.type; }
    [[nodiscard]] std::int64_t most() const {
        switch (type()) {
        case Type::s32: return std::numeric_limits<std::int32_t>::max();
        case Type::u32: return std::numeric_limits<std::uint32_t>::max();
        default: return std::numeric_limits<std::int64_t>::max();
        }
    }

    /// In front of the loop: goes on to the turn's round, or to the end.
    void begin_turn() {
        Operand turn;
        turn.kind = Kind::special;
        turn.special = SR::turn;
        const Operand number = code_.temporary(Type::b32);
        add(Opcode::mov, Type::u32, {number, turn});
        const Operand wide = widened(number, Type::u32);
        left_ = code_.temporary(Type::b32);
        add(Opcode::selp, Type::b32, {left_, number_operand(0), number_operand(1), may_wrap()});
        leave_if_done(number, wide);
        for (const Moving& m : loop_.moving) {
            const bool is_wide = ptx::bits(f_.registers[m.at].type) == 64;
            const Operand at = register_operand(m.at);
            add(Opcode::mad, is_wide ? Type::s64 : Type::s32, {at, is_wide ? wide : number, m.step, at}, Modifier::lo);
        }
    }

    /// Whether an index could leave its type's range behind the bound, or does not grow. Then all rounds are one turn:
    /// their number cannot be told.
    Operand may_wrap() {
        const Operand& step = loop_.moving[loop_.index].step;
        if (ptx::bits(type()) == 32) {
            const bool is_signed = ptx::is_signed(type());
            const Operand stays = is_signed ? test(Modifier::lt, type(), step, number_operand(1))
                                            : test(Modifier::eq, type(), step, number_operand(0));
            const Operand highest = make(Opcode::sub, type(), number_operand(most()), step);
            return make(Opcode::or_, Type::pred, stays, test(Modifier::gt, type(), loop_.bound, highest));
        }
        // Far within the range, so that turn * step is too.
        constexpr std::int64_t kMostStep = std::int64_t{1} << 30, kMostBound = std::int64_t{1} << 61;
        const Operand before = make(Opcode::sub, Type::s64, step, number_operand(1));
        const Operand is_far = test(Modifier::ge, Type::u64, before, number_operand(kMostStep));
        Operand bound = loop_.bound;
        if (type() == Type::s64) bound = make(Opcode::add, Type::s64, bound, number_operand(kMostBound));
        const std::int64_t range = type() == Type::s64 ? 2 * kMostBound : kMostBound;
        return make(Opcode::or_, Type::pred, is_far, test(Modifier::gt, Type::u64, bound, number_operand(range)));
    }

    /// A thread has this round if its first index is below the bound by as much as the rounds before have added.
    void leave_if_done(const Operand& number, const Operand& wide) {
        const Operand& step = loop_.moving[loop_.index].step;
        const Operand added = make(Opcode::mul, Type::s64, wide, widened(step, type()), Modifier::lo);
        Operand highest = make(Opcode::sub, Type::s64, widened(loop_.bound, type()), added);
        if (!loop_.reaches_bound) highest = make(Opcode::sub, Type::s64, highest, number_operand(1));
        if (ptx::bits(type()) == 32) {
            const std::int64_t least = type() == Type::s32 ? std::numeric_limits<std::int32_t>::min() : 0;
            highest = make(Opcode::max, Type::s64, highest, number_operand(least));
            const Operand narrow = code_.temporary(Type::b32);
            Instruction& i = add(Opcode::cvt, Type::u32, {narrow, highest});
            i.types[1] = Type::u64;
            i.type_count = 2;
            highest = narrow;
        }
        // The first round is not asked for, as the loop asks behind each.
        const Operand is_first = test(Modifier::eq, Type::u32, number, number_operand(0));
        highest = choose(untyped(ptx::bits(type())), number_operand(most()), highest, is_first);
        const Operand done = test(Modifier::gt, type(), register_operand(loop_.moving[loop_.index].at), highest);
        branch(label_end(), &done);
    }

    /// In place of the branch back.
    void end_turn() {
        const Instruction& back = f_.instructions[loop_.branch];
        const Operand condition = register_operand(back.guard);
        branch(label_behind(), &condition, !back.guard_negated);
        add(Opcode::sub, Type::u32, {left_, left_, number_operand(1)});
        const Operand stays = test(Modifier::ne, Type::u32, left_, number_operand(0));
        branch(back.operands[0].index, &stays);
        Instruction next;
        next.aid = ptx::Aid::next_turn;
        add(std::move(next));
        branch(label_end(), nullptr);
    }

    const ptx::Function& f_;
    const StrideLoop& loop_;
    AddedCode code_;
    Operand left_; ///< rounds that the turn has left
};

} // namespace

std::optional<ChangedFunction> with_stride_turns(const ptx::Function& function) {
    if (!function.calls.empty()) return std::nullopt;
    const auto loop = StrideLoopFinder(function).find();
    if (!loop) return std::nullopt;
    return TurnWriter(function, *loop).write();
}

} // namespace warplight::jit
