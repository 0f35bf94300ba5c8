// SPDX-License-Identifier: Apache-2.0
// Rows that a flat index goes through, as in
//
//     row = i / width; column = i % width; out[i] = in[i] + bias[row];
//
// Lanes that follow one another mostly are in one row. The quotient then is the same in all of them, and the remainder
// is affine. So there is a second plan, which takes this for granted, and code by it.
#include "flat_division.hpp"
#include "rules.hpp"

#include <algorithm>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr std::int64_t kLongestStride = 64; ///< of the dividend
constexpr std::int64_t kLeastVectors = 2;   ///< of a row whose length is known; lanes of shorter ones often part

bool is_integer_of(const ptx::Function& kernel, ptx::RegisterId r, unsigned bits) {
    const ptx::Type type = kernel.registers[r].type;
    return !ptx::is_float(type) && type != ptx::Type::pred && ptx::bits(type) == bits;
}

bool may_divide_rows(const ptx::Function& kernel, const FlatDivision& division, std::uint32_t at, unsigned width) {
    const unsigned bits = ptx::bits(division.type);
    const auto is_plain = [&](const Operand& x) {
        return x.kind == Operand::Kind::reg && !x.negated && is_integer_of(kernel, x.reg, bits);
    };
    if (bits < 32 || !is_plain(kernel.instructions[at].operands[0]) || !is_plain(division.x)) return false;
    const Operand& by = division.by;
    return by.kind == Operand::Kind::integer ? !by.negated && by.integer >= kLeastVectors * width : is_plain(by);
}

/// An affine number by a number that is the same in all lanes.
bool divides_index(const LanePlan& plan, const FlatDivision& division) {
    return plan.is_affine(division.x.reg) && plan.uniform(division.by);
}

class DivisionFinder {
public:
    DivisionFinder(const ptx::Function& kernel, const ptx::Liveness& live, const LanePlan& plan, OneRow& row)
        : f_(kernel), live_(live), plan_(plan), row_(row) {}

    /// False: the second plan gains nothing.
    bool run() {
        if (!keep_divisions() || !find_own() || !gains()) return false;
        find_code();
        if (row_.entries.empty()) return false;
        row_.loop = find_loop();
        return true;
    }

private:
    /// Of the divisions those that the running code has to look at.
    bool keep_divisions() {
        std::erase_if(row_.plan.row_divisions, [&](std::uint32_t at) {
            return !divides_index(row_.plan, *flat_division(f_, plan_.blocks, at)) ||
                   !row_.plan.stride(f_.instructions[at].operands[0].reg);
        });
        return !row_.plan.row_divisions.empty();
    }

    bool find_own() {
        row_.plan.own_registers.assign(f_.registers.size(), false);
        for (ptx::RegisterId r = 0; r < f_.registers.size(); ++r) {
            if (plan_.stride(r) == row_.plan.stride(r) && plan_.widening(r) == row_.plan.widening(r)) continue;
            if (plan_.stride(r) || !row_.plan.stride(r)) return false;
            row_.plan.own_registers[r] = true;
        }
        return true;
    }

    /// Whether addresses are made of what becomes known.
    [[nodiscard]] bool gains() const { return makes_addresses(row_.plan.own_registers); }

    /// Rows of a table, whose numbers come from memory, lie anywhere. There memory takes the time.
    [[nodiscard]] bool reads_table() const {
        std::vector<bool> read(f_.registers.size(), false);
        for (const Instruction& i : f_.instructions)
            if (i.opcode == Opcode::ld && i.space != ptx::Space::param && i.space != ptx::Space::constant)
                if (const ptx::RegisterId* to = ptx::destination_register(i)) read[*to] = true;
        return makes_addresses(std::move(read));
    }

    /// Whether addresses are made of these registers, but for the lengths of rows.
    [[nodiscard]] bool makes_addresses(std::vector<bool> made) const {
        for (bool again = true; again;) {
            again = false;
            for (std::uint32_t at = 0; at < f_.instructions.size(); ++at) {
                const Instruction& i = f_.instructions[at];
                const ptx::RegisterId* to = ptx::destination_register(i);
                if (!to || made[*to] || ptx::effects_of(i).reads_memory || row_.plan.row_divisions.contains(at))
                    continue;
                ptx::each_read(f_, i, [&](ptx::RegisterId r) { made[*to] = made[*to] || made[r]; });
                again |= made[*to];
            }
        }
        return std::any_of(f_.instructions.begin(), f_.instructions.end(), [&](const Instruction& i) {
            if (i.opcode != Opcode::ld && i.opcode != Opcode::st) return false;
            const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
            return address.base_kind == Operand::Kind::reg && made[address.reg];
        });
    }

    [[nodiscard]] std::vector<ptx::RegisterId> own_of(const ptx::RegisterSet& live) const {
        std::vector<ptx::RegisterId> own;
        live.each([&](ptx::RegisterId r) {
            if (row_.plan.own_registers[r]) own.push_back(r);
        });
        return own;
    }

    /// Blocks from the divisions on, as long as the second plan's registers are live.
    void find_code() {
        const auto count = static_cast<std::uint32_t>(plan_.blocks.size());
        row_.begins.assign(count, false);
        std::vector<std::uint32_t> todo;
        std::vector<bool> seen(count, false);
        const auto visit = [&](std::uint32_t k) {
            if (k < count && !seen[k]) todo.push_back(k), seen[k] = true;
        };
        for (const std::uint32_t at : row_.plan.row_divisions)
            visit(plan_.blocks.number_of(at));
        for (; !todo.empty();) {
            const std::uint32_t k = todo.back();
            todo.pop_back();
            row_.begins[k] = !own_of(live_.live_in[k]).empty();
            const bool enters = find_places(k);
            if (!row_.begins[k] && !enters) continue;
            for (const std::uint32_t s : plan_.blocks[k].successors)
                visit_if_live(s, visit);
        }
    }
    /// Also the block behind, as lanes may part in between.
    template <class Visit>
    void visit_if_live(std::uint32_t s, Visit visit) {
        if (s >= plan_.blocks.size()) return;
        if (!own_of(live_.live_in[s]).empty()) visit(s);
        const auto& behind = plan_.blocks[s].successors;
        if (behind.size() == 1 && behind[0] < plan_.blocks.size() && !own_of(live_.live_in[behind[0]]).empty())
            visit(behind[0]);
    }

    /// Where code of a block may go from one plan to the other. Returns whether it may begin with the second one.
    bool find_places(std::uint32_t k) {
        const LaneBlock& block = plan_.blocks[k];
        ptx::RegisterSet live(f_.registers.size());
        for (const std::uint32_t s : block.successors)
            live.insert(live_.live_in[s]);
        bool enters = false;
        for (std::uint32_t at = block.end; at-- > block.begin;) {
            const Instruction& i = f_.instructions[at];
            if (!i.guarded) ptx::each_written(f_, i, [&](ptx::RegisterId r) { live.remove(r); });
            if (i.guarded) ptx::each_written(f_, i, [&](ptx::RegisterId r) { live.insert(r); });
            ptx::each_read(f_, i, [&](ptx::RegisterId r) { live.insert(r); });
            const bool divides = row_.plan.row_divisions.contains(at);
            const bool ends =
                at + 1 == block.end && (block.successors.size() > 1 || plan_.grid_stride_loops.contains(at));
            if (!divides && !ends && !ptx::may_suspend(i)) continue;
            std::vector<ptx::RegisterId> own = own_of(live);
            if (divides && own.empty() && divides_index(plan_, *flat_division(f_, plan_.blocks, at))) {
                row_.entries.insert(at);
                enters = true;
            }
            row_.exits.emplace(at, std::move(own));
        }
        // A comparison before an entry knows nothing of what the second plan's registers hold.
        auto& comparison = row_.plan.comparisons[k];
        if (comparison && enters && *comparison < last_entry(block)) comparison.reset();
        auto& conditions = row_.plan.conditions[k];
        if (conditions && enters && conditions->again.front() < last_entry(block)) conditions.reset();
        return enters;
    }
    [[nodiscard]] std::uint32_t last_entry(const LaneBlock& block) const {
        return *std::prev(row_.entries.lower_bound(block.end));
    }

    /// The one way from the kernel's beginning to the first divisions, if each vector may go it at any time.
    [[nodiscard]] std::optional<OneRow::Loop> find_loop() const {
        // In a kernel with loops, divisions take little of the time.
        if (!plan_.blocks.loops().empty() || plan_.per_lane_memory.total() > 0 || plan_.has_barriers ||
            !is_empty(live_.live_in[0]) || reads_table())
            return std::nullopt;
        std::vector<std::uint32_t> path{plan_.blocks.number_of(*row_.entries.begin())};
        const LaneBlock& last = plan_.blocks[path.back()];
        const auto& divisions = row_.plan.row_divisions;
        if (*divisions.begin() != *row_.entries.begin()) return std::nullopt;
        OneRow::Loop loop;
        const auto other_entry = std::next(row_.entries.begin());
        const std::uint32_t end = other_entry == row_.entries.end() ? last.end : std::min(*other_entry, last.end);
        loop.last = *std::prev(divisions.lower_bound(end));
        for (std::uint32_t at = last.begin; at <= loop.last; ++at)
            if (!only_computes(f_.instructions[at])) return std::nullopt;
        for (auto before = predecessors(path.back()); path.back() != 0 || !before.empty();
             before = predecessors(path.back())) {
            if (before.size() != 1 || before[0] >= path.back() || !may_go_along(before[0])) return std::nullopt;
            path.push_back(before[0]);
        }
        loop.path.assign(path.rbegin(), path.rend());
        return loop;
    }
    [[nodiscard]] static bool is_empty(const ptx::RegisterSet& set) {
        bool any = false;
        set.each([&](ptx::RegisterId) { any = true; });
        return !any;
    }
    [[nodiscard]] std::vector<std::uint32_t> predecessors(std::uint32_t k) const {
        std::vector<std::uint32_t> all;
        for (std::uint32_t from = 0; from < plan_.blocks.size(); ++from) {
            const auto& to = plan_.blocks[from].successors;
            if (std::find(to.begin(), to.end(), k) != to.end()) all.push_back(from);
        }
        return all;
    }
    [[nodiscard]] static bool only_computes(const Instruction& i) {
        if (i.opcode == Opcode::bra || i.opcode == Opcode::ld) return !ptx::observes_others(i);
        return !i.operands.empty() && ptx::destination_of(i) && !ptx::accessed_address(i) && !ptx::may_suspend(i) &&
               !is_warp_operation(i) && !ptx::uses_carry(i) && i.opcode != Opcode::call && i.opcode != Opcode::invalid;
    }
    [[nodiscard]] bool may_go_along(std::uint32_t k) const {
        const LaneBlock& block = plan_.blocks[k];
        const Instruction& last = f_.instructions[block.end - 1];
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            const bool ends = at + 1 == block.end && ptx::ends_thread(last);
            if (!ends && !only_computes(f_.instructions[at])) return false;
        }
        return block.successors.size() == 1 || row_.plan.comparisons[k] || row_.plan.uniform(last.guard);
    }

    const ptx::Function& f_;
    const ptx::Liveness& live_;
    const LanePlan& plan_;
    OneRow& row_;
};

} // namespace

InstructionSet find_row_divisions(const ptx::Function& kernel, unsigned width, const LanePlan& plan) {
    InstructionSet all;
    if (plan.has_spin_loops || std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                                           [](const Instruction& i) { return ptx::is_matrix(i.opcode); }))
        return all;
    bool any = false;
    for (std::uint32_t at = 0; at < kernel.instructions.size(); ++at) {
        const auto division = flat_division(kernel, plan.blocks, at);
        if (!division || !may_divide_rows(kernel, *division, at, width)) continue;
        all.insert(at);
        any |= divides_index(plan, *division);
    }
    return any ? all : InstructionSet{};
}

bool find_row_code(const ptx::Function& kernel, const ptx::Liveness& live, const LanePlan& plan, OneRow& row) {
    return DivisionFinder(kernel, live, plan, row).run();
}

std::optional<LaneValue> LaneRules::of_row_division(const Instruction& i) const {
    const auto at = static_cast<std::uint32_t>(&i - f_.instructions.data());
    if (!plan_.row_divisions.contains(at)) return std::nullopt;
    const auto division = flat_division(f_, plan_.blocks, at);
    const LaneValue x = of(division->x);
    if (!x.stride || *x.stride <= 0 || *x.stride > kLongestStride || x.widening || of(division->by).stride != 0)
        return std::nullopt;
    return LaneValue{true, division->remainder ? x.stride : 0, false, {}};
}

} // namespace warplight::jit
