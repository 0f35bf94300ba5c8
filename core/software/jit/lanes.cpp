// SPDX-License-Identifier: Apache-2.0
#include "lanes.hpp"

#include "../ptx/verify.hpp"

#include <algorithm>
#include <limits>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using SR = ptx::SpecialRegister;

namespace {

constexpr std::uint32_t kMostBlocks = 1024;
constexpr std::uint32_t kMostInstructions = 6000;

bool ends_block(const Instruction& i) {
    return i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit;
}

/// Why an instruction keeps its kernel from running side by side, or nothing.
const char* obstacle(const Instruction& i) {
    if (is_of_clusters(i)) return "clusters of blocks";
    switch (i.opcode) {
    case Opcode::call: return "a call";
    case Opcode::brx: return "an indexed branch";
    case Opcode::shfl:
    case Opcode::vote:
        if (!i.has(Modifier::sync)) return "an operation of the warp without .sync";
        break;
    case Opcode::redux:
        if (ptx::is_float(i.type())) return "a reduction of floats";
        break;
    case Opcode::mbarrier: return "barrier objects";
    case Opcode::cp: // copies at once; nothing is left to wait for
        if (i.has(Modifier::mbarrier) || i.has(Modifier::bulk)) return "barrier objects";
        break;
    case Opcode::addc:
    case Opcode::subc:
    case Opcode::madc: return "a carry";
    case Opcode::bar:
    case Opcode::barrier:
        if (i.has(Modifier::warp)) break;
        return i.has(Modifier::red) || i.has(Modifier::arrive) || i.has(Modifier::cluster) || i.guarded ||
                       i.operands.size() != 1 || i.operands[0].kind != Operand::Kind::integer
                   ? "a barrier other than of the whole block"
                   : nullptr;
    default: break;
    }
    if (i.has(Modifier::cc)) return "a carry";
    if (i.opcode == Opcode::mov || i.opcode == Opcode::cvta)
        for (const Operand& x : i.operands)
            if (x.kind == Operand::Kind::function) return "a pointer to a function";
    return nullptr;
}

class Planner {
public:
    Planner(const ptx::Function& kernel, unsigned width) : f_(kernel), width_(width) {}

    std::variant<LanePlan, std::string> plan() {
        make_blocks();
        const auto n = static_cast<std::uint32_t>(plan_.blocks.size());
        if (n > kMostBlocks) return "too many basic blocks";
        if (!find_post_dominators()) return "code that never ends";
        find_local_registers();
        plan_.stride.assign(f_.registers.size(), std::nullopt);
        plan_.multiple.assign(f_.registers.size(), false);
        seen_.assign(f_.registers.size(), false);
        // Both only ever get worse: registers lose what is known of them, blocks may be run by fewer lanes.
        for (bool again = true; again;) {
            again = update_strides();
            again |= update_divergence();
        }
        for (std::uint32_t k = 0; k < n; ++k)
            for (std::uint32_t at = plan_.blocks[k].begin; at < plan_.blocks[k].end; ++at) {
                const Instruction& i = f_.instructions[at];
                const bool warp = is_warp_operation(i);
                const bool barrier = !warp && (i.opcode == Opcode::bar || i.opcode == Opcode::barrier);
                plan_.has_warp_operations |= warp;
                plan_.has_barriers |= barrier;
                if ((warp || barrier) && plan_.blocks[k].apart)
                    return warp ? "an operation of some of the warp" : "a barrier that not all threads may reach";
                if (warp && i.guarded && !plan_.uniform(i.guard)) return "an operation of some of the warp";
            }
        if (plan_.has_warp_operations && width_ != kWarpLanes) return "operations of the warp";
        for (ptx::RegisterId r = 0; r < seen_.size(); ++r)
            if (!seen_[r]) plan_.stride[r] = 0; // never written
        return std::move(plan_);
    }

private:
    void make_blocks() {
        const auto count = static_cast<std::uint32_t>(f_.instructions.size());
        std::vector<bool> leader(count + 1, false);
        leader[0] = true;
        for (const ptx::Label& l : f_.labels)
            leader[std::min(l.instruction, count)] = true;
        for (std::uint32_t k = 0; k < count; ++k)
            if (ends_block(f_.instructions[k])) leader[k + 1] = true;
        plan_.block_of.resize(count + 1);
        for (std::uint32_t k = 0; k < count; ++k) {
            if (leader[k]) plan_.blocks.push_back({k, k, {}, false, 0});
            plan_.blocks.back().end = k + 1;
            plan_.block_of[k] = static_cast<std::uint32_t>(plan_.blocks.size() - 1);
        }
        const auto n = static_cast<std::uint32_t>(plan_.blocks.size());
        plan_.block_of[count] = n;
        for (std::uint32_t k = 0; k < n; ++k) {
            LaneBlock& block = plan_.blocks[k];
            const Instruction& last = f_.instructions[block.end - 1];
            if (last.opcode == Opcode::bra)
                block.successors.push_back(plan_.block_of[f_.labels.at(last.operands.at(0).index).instruction]);
            else if (ends_block(last))
                block.successors.push_back(n);
            if (!ends_block(last) || last.guarded) block.successors.push_back(k + 1);
        }
    }

    /// Cooper, Harvey and Kennedy's algorithm on the graph turned round. False: some block never gets to the end.
    bool find_post_dominators() {
        const auto n = static_cast<std::uint32_t>(plan_.blocks.size());
        std::vector<std::vector<std::uint32_t>> before(n + 1);
        for (std::uint32_t k = 0; k < n; ++k)
            for (const std::uint32_t s : plan_.blocks[k].successors)
                before[s].push_back(k);
        std::vector<std::uint32_t> number(n + 1, kNone), order; // by when all that leads to it is done
        std::vector<std::pair<std::uint32_t, std::size_t>> stack{{n, 0}};
        std::vector<bool> entered(n + 1, false);
        entered[n] = true;
        while (!stack.empty()) {
            auto& [at, next] = stack.back();
            if (next < before[at].size()) {
                const std::uint32_t to = before[at][next++];
                if (!entered[to]) {
                    entered[to] = true;
                    stack.emplace_back(to, 0);
                }
                continue;
            }
            number[at] = static_cast<std::uint32_t>(order.size());
            order.push_back(at);
            stack.pop_back();
        }
        std::vector<bool> reached(n + 1, false);
        std::vector<std::uint32_t> todo{0};
        reached[0] = true;
        while (!todo.empty()) {
            const std::uint32_t k = todo.back();
            todo.pop_back();
            if (k == n) continue;
            if (!entered[k]) return false;
            for (const std::uint32_t s : plan_.blocks[k].successors)
                if (!reached[s]) {
                    reached[s] = true;
                    todo.push_back(s);
                }
        }
        join_.assign(n + 1, kNone);
        join_[n] = n;
        const auto common = [&](std::uint32_t a, std::uint32_t b) {
            while (a != b) {
                while (number[a] < number[b])
                    a = join_[a];
                while (number[b] < number[a])
                    b = join_[b];
            }
            return a;
        };
        for (bool again = true; again;) {
            again = false;
            for (auto at = order.rbegin(); at != order.rend(); ++at) {
                if (*at == n) continue;
                std::uint32_t join = kNone;
                for (const std::uint32_t s : plan_.blocks[*at].successors) {
                    if (join_[s] == kNone) continue;
                    join = join == kNone ? s : common(join, s);
                }
                if (join_[*at] != join) {
                    join_[*at] = join;
                    again = true;
                }
            }
        }
        return true;
    }

    /// A register is local to a block when every read of it follows a write in the same block.
    void find_local_registers() {
        plan_.local.assign(f_.registers.size(), true);
        std::vector<std::uint32_t> written_in(f_.registers.size(), kNone);
        for (std::uint32_t k = 0; k < plan_.blocks.size(); ++k) {
            for (std::uint32_t at = plan_.blocks[k].begin; at < plan_.blocks[k].end; ++at) {
                const Instruction& i = f_.instructions[at];
                const std::size_t first = has_destination(i) ? 1 : 0;
                const auto read = [&](ptx::RegisterId r) {
                    if (written_in[r] != k) plan_.local[r] = false;
                };
                for (std::size_t x = first; x < i.operands.size(); ++x)
                    each_register(i.operands[x], read);
                if (i.guarded) read(i.guard);
                if (!first) continue;
                each_register(i.operands[0], [&](ptx::RegisterId r) {
                    if (i.guarded) {
                        if (written_in[r] != k) plan_.local[r] = false; // what it held may stay
                    } else {
                        written_in[r] = k;
                    }
                });
            }
        }
    }

    // --- strides

    using Stride = std::optional<std::int64_t>;

    /// Of a register not yet written anything may be hoped.
    struct Hope {
        bool known = false;
        Stride stride;
        bool multiple = false;
    };

    Hope of_register(ptx::RegisterId r) const {
        return {static_cast<bool>(seen_[r]), plan_.stride[r], static_cast<bool>(plan_.multiple[r])};
    }

    [[nodiscard]] bool divides(std::int64_t value) const { return value % width_ == 0; }

    Hope of(const Operand& x) const {
        using Kind = Operand::Kind;
        switch (x.kind) {
        case Kind::reg: {
            const Hope h = of_register(x.reg);
            return x.negated && h.known && h.stride != 0 ? Hope{true, std::nullopt} : h;
        }
        case Kind::integer: return {true, 0, divides(x.integer)};
        case Kind::floating: return {true, 0};
        case Kind::special:
            return {true, of_special(x.special),
                    x.special == SR::tid_x || x.special == SR::ntid_x || x.special == SR::laneid};
        case Kind::variable: return {true, 0}; // none is its thread's own
        case Kind::address:
        case Kind::vector: {
            bool known = true;
            if (x.kind == Kind::address && x.base_kind == Kind::reg) {
                const Hope base = of_register(x.reg);
                if (x.elements.empty()) return base;
                if (base.known && base.stride != 0) return {true, std::nullopt};
                known = base.known;
            }
            for (const Operand& e : x.elements) {
                const Hope h = of(e);
                if (h.known && h.stride != 0) return {true, std::nullopt};
                known &= h.known;
            }
            return {known, 0};
        }
        default: return {true, std::nullopt};
        }
    }

    static Stride of_special(SR r) {
        if (r == SR::tid_x || r == SR::laneid) return 1;
        switch (r) {
        case SR::lanemask_eq:
        case SR::lanemask_lt:
        case SR::lanemask_le:
        case SR::lanemask_ge:
        case SR::lanemask_gt: return std::nullopt;
        default: return 0; // clocks too: the lanes look at once
        }
    }

    static bool is_index(ptx::Type t) { return !ptx::is_float(t) && t != ptx::Type::pred && ptx::bits(t) >= 32; }

    static Stride product(const Operand& x, Stride sx, const Operand& y, Stride sy) {
        if (sx == 0 && sy == 0) return 0;
        const auto scaled = [](Stride s, const Operand& by) -> Stride {
            if (!s || by.kind != Operand::Kind::integer) return std::nullopt;
            if (by.integer > kLargest || by.integer < -kLargest || std::abs(*s) > kLargest) return std::nullopt;
            return *s * by.integer;
        };
        if (sx == 0) return scaled(sy, x);
        if (sy == 0) return scaled(sx, y);
        return std::nullopt;
    }

    static Stride sum(Stride x, Stride y, bool minus) {
        if (!x || !y) return std::nullopt;
        const std::int64_t s = minus ? *x - *y : *x + *y;
        return std::abs(s) > kLargest ? std::nullopt : Stride(s);
    }

    /// Lanes count on one by one from a multiple of their number: what is above those bits is the same in all.
    static bool counts(const Hope& h) { return h.stride == 1 && h.multiple; }

    /// x & c
    Hope masked(const Hope& x, const Operand& c) const {
        const std::int64_t low = static_cast<std::int64_t>(width_) - 1;
        if (!powers_of_two() || !counts(x) || c.kind != Operand::Kind::integer) return {};
        if ((c.integer & low) == 0) return {true, 0, true};
        return (c.integer & low) == low ? Hope{true, 1, true} : Hope{};
    }

    /// Whether x < y or the like is the same in all lanes, x counting: only multiples of the lanes' number tell them
    /// from each other nowhere.
    bool compares_alike(const Instruction& i, const Operand& operand, const Hope& y) const {
        if (!powers_of_two() || !is_index(i.types[i.type_count - 1u])) return false;
        if (i.has(Modifier::lt) || i.has(Modifier::ge) || i.has(Modifier::lo) || i.has(Modifier::hs))
            return y.stride == 0 && y.multiple;
        if (i.has(Modifier::gt) || i.has(Modifier::le) || i.has(Modifier::hi) || i.has(Modifier::ls))
            return operand.kind == Operand::Kind::integer && divides(operand.integer + 1);
        return false;
    }

    [[nodiscard]] bool powers_of_two() const { return (width_ & (width_ - 1)) == 0; }

    /// A warp operation that all lanes come to together: whether all get the same.
    Hope of_warp_operation(const Instruction& i, const std::vector<Hope>& from) const {
        const auto same = [&](std::size_t operand) { return from.at(operand - 1).stride == 0; };
        const auto is = [&](std::size_t k, std::int64_t value) {
            const Operand& x = i.operands.at(k);
            return x.kind == Operand::Kind::integer &&
                   static_cast<std::uint32_t>(x.integer) == static_cast<std::uint32_t>(value);
        };
        switch (i.opcode) {
        case Opcode::activemask: return {true, 0};
        case Opcode::vote:
        case Opcode::redux: return {true, same(2) ? Stride(0) : std::nullopt};
        case Opcode::shfl:
            return {true, i.has(Modifier::idx) && is(4, -1) && is(3, 31) && same(2) ? Stride(0) : std::nullopt};
        default: return {true, std::nullopt};
        }
    }

    /// What an instruction's result grows by, given its sources.
    Hope evaluate(const Instruction& i) const {
        std::vector<Hope> all;
        std::vector<Stride> from;
        bool uniform = true;
        for (std::size_t k = 1; k < i.operands.size(); ++k) {
            const Hope h = of(i.operands[k]);
            if (!h.known) return {};
            all.push_back(h);
            from.push_back(h.stride);
            uniform &= h.stride == 0;
        }
        if (is_warp_operation(i)) return of_warp_operation(i, all);
        const ptx::Type type = i.type();
        const auto plain = [&] { return is_index(type) && !i.has(Modifier::sat) && !i.has(Modifier::hi); };
        const auto whole = [&](std::size_t a, std::size_t b) { return all.at(a).multiple && all.at(b).multiple; };
        const auto factor = [&] { return all.at(0).multiple || all.at(1).multiple; };
        switch (i.opcode) {
        case Opcode::ld:
        case Opcode::ldu: {
            const bool other = i.space == ptx::Space::local;
            return {true, uniform && !other ? Stride(0) : std::nullopt};
        }
        case Opcode::atom: return {true, std::nullopt};
        case Opcode::mov:
        case Opcode::cvta:
            if (is_index(type) && i.operands[0].kind == Operand::Kind::reg)
                return {true, from.at(0), all[0].multiple && !i.operands[1].negated};
            break;
        case Opcode::cvt:
            if (is_index(i.types[0]) && is_index(i.types[1]) && !i.has(Modifier::sat))
                return {true, from.at(0), all[0].multiple && !i.operands[1].negated};
            break;
        case Opcode::add:
        case Opcode::sub:
            if (plain()) return {true, sum(from.at(0), from.at(1), i.opcode == Opcode::sub), whole(0, 1)};
            break;
        case Opcode::mul:
            if (plain()) return {true, product(i.operands[1], from.at(0), i.operands[2], from.at(1)), factor()};
            break;
        case Opcode::mad:
            if (plain())
                return {true, sum(product(i.operands[1], from.at(0), i.operands[2], from.at(1)), from.at(2), false),
                        factor() && all.at(2).multiple};
            break;
        case Opcode::shl:
            if (is_index(type) && i.operands[2].kind == Operand::Kind::integer && from.at(0) &&
                i.operands[2].integer >= 0 && i.operands[2].integer < 32 && std::abs(*from[0]) < kLargest >> 32)
                return {true, *from[0] * (std::int64_t{1} << i.operands[2].integer), all[0].multiple};
            break;
        case Opcode::shr:
            if (is_index(type) && powers_of_two() && counts(all.at(0)) &&
                i.operands[2].kind == Operand::Kind::integer && i.operands[2].integer >= 0 &&
                i.operands[2].integer < 64 && std::int64_t{1} << i.operands[2].integer >= width_)
                return {true, 0};
            break;
        case Opcode::and_:
            if (is_index(type))
                for (std::size_t k : {0, 1})
                    if (const Hope h = masked(all.at(k), i.operands[2 - k]); h.known) return h;
            break;
        case Opcode::setp:
            if (!uniform && i.operands.size() >= 3 && i.operands[0].kind == Operand::Kind::reg && counts(all[0]) &&
                compares_alike(i, i.operands[2], all[1]) &&
                std::all_of(from.begin() + 2, from.end(), [](Stride s) { return s == 0; }))
                return {true, 0};
            break;
        default: break;
        }
        return {true, uniform ? Stride(0) : std::nullopt};
    }

    bool update_strides() {
        bool changed = false;
        for (bool again = true; again;) {
            again = false;
            for (std::uint32_t at = 0; at < f_.instructions.size(); ++at) {
                const Instruction& i = f_.instructions[at];
                if (!has_destination(i)) continue;
                Hope h = evaluate(i);
                if (i.guarded) {
                    const Hope guard = of_register(i.guard);
                    if (!guard.known) continue;
                    if (guard.stride != 0) h = {true, std::nullopt};
                }
                if (!h.known) continue;
                const bool here = plan_.blocks[plan_.block_of[at]].apart;
                each_register(i.operands[0], [&](ptx::RegisterId r) {
                    // Lanes that are not here keep what they had, unless they have ended.
                    Stride s = here && !plan_.local[r] ? std::nullopt : h.stride;
                    if (i.operands[0].kind != Operand::Kind::reg && s != 0) s = std::nullopt;
                    if (seen_[r] && plan_.stride[r] != s) s = std::nullopt;
                    bool multiple = s && h.multiple && i.operands[0].kind == Operand::Kind::reg;
                    if (seen_[r] && !plan_.multiple[r]) multiple = false;
                    if (seen_[r] && plan_.stride[r] == s && plan_.multiple[r] == multiple) return;
                    seen_[r] = true;
                    plan_.stride[r] = s;
                    plan_.multiple[r] = multiple;
                    again = changed = true;
                });
            }
        }
        return changed;
    }

    // --- divergence

    /// Nothing but the end of the kernel.
    [[nodiscard]] bool is_end(std::uint32_t k) const {
        if (k == plan_.blocks.size()) return true;
        const LaneBlock& block = plan_.blocks[k];
        const Instruction& only = f_.instructions[block.begin];
        return block.end - block.begin == 1 && !only.guarded &&
               (only.opcode == Opcode::ret || only.opcode == Opcode::exit);
    }

    bool update_divergence() {
        bool changed = false;
        const auto n = static_cast<std::uint32_t>(plan_.blocks.size());
        for (std::uint32_t k = 0; k < n; ++k) {
            const LaneBlock& block = plan_.blocks[k];
            const Instruction& last = f_.instructions[block.end - 1];
            if (block.successors.size() < 2 || !seen_[last.guard] || plan_.uniform(last.guard)) continue;
            // Lanes that end here are not elsewhere.
            const bool ends = is_end(block.successors[0]) || is_end(block.successors[1]);
            std::vector<std::uint32_t> todo(block.successors);
            std::vector<bool> seen(n + 1, false);
            while (!todo.empty()) {
                const std::uint32_t at = todo.back();
                todo.pop_back();
                if (at == join_[k] || at == n || seen[at]) continue;
                seen[at] = true;
                // Lanes that are to meet wait for what is before that in the text.
                if (!ends && at > join_[k]) disordered_ = true;
                LaneBlock& one = plan_.blocks[at];
                const bool apart = one.apart || !ends || disordered_;
                changed |= !one.diverged || one.apart != apart;
                one.diverged = true;
                one.apart = apart;
                for (const std::uint32_t s : one.successors)
                    todo.push_back(s);
            }
        }
        if (disordered_)
            for (LaneBlock& one : plan_.blocks) {
                changed |= one.diverged && !one.apart;
                one.apart = one.diverged;
            }
        if (changed) return true;
        // Where the lanes of a diverged block are together again: the first block on their common way that is not.
        for (std::uint32_t k = 0; k < n; ++k) {
            if (!plan_.blocks[k].diverged) continue;
            std::uint32_t join = join_[k];
            while (join != n && plan_.blocks[join].diverged)
                join = join_[join];
            plan_.blocks[k].join = join;
        }
        return false;
    }

    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::int64_t kLargest = std::int64_t{1} << 30;

    const ptx::Function& f_;
    const std::int64_t width_;
    bool disordered_ = false; ///< lanes may come to a meeting place before others that are still on their way
    LanePlan plan_;
    std::vector<bool> seen_;          ///< registers some write of which has been looked at
    std::vector<std::uint32_t> join_; ///< immediate post-dominators
};

} // namespace

std::optional<std::int64_t> LanePlan::stride_of(const Operand& operand) const {
    using Kind = Operand::Kind;
    switch (operand.kind) {
    case Kind::reg: return stride[operand.reg];
    case Kind::address:
        if (operand.base_kind == Kind::reg && (operand.elements.empty() || !uniform(operand.reg)))
            return operand.elements.empty() ? stride[operand.reg] : std::nullopt;
        break;
    case Kind::integer:
    case Kind::floating:
    case Kind::variable:
    case Kind::function: return 0;
    case Kind::special:
        if (operand.special == SR::tid_x || operand.special == SR::laneid) return 1;
        if (operand.special >= SR::lanemask_eq && operand.special <= SR::lanemask_gt) return std::nullopt;
        return 0;
    default: break;
    }
    const auto& parts = operand.elements;
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const Operand& e) { return uniform(e); });
    return same ? std::optional<std::int64_t>(0) : std::nullopt;
}

bool LanePlan::uniform(const Operand& operand) const { return stride_of(operand) == 0; }

bool LanePlan::names_one_texture(const Instruction& i) const {
    const Operand& address = i.operands.at(1);
    return address.base_kind == Operand::Kind::variable || uniform(address.reg);
}

bool is_warp_operation(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::activemask:
    case Opcode::elect: return true;
    case Opcode::bar:
    case Opcode::barrier: return i.has(Modifier::warp);
    default: return ptx::is_matrix(i.opcode);
    }
}

std::variant<LanePlan, std::string> plan_lanes(const ptx::Function& kernel, const FunctionFacts& facts,
                                               unsigned width) {
    if (kernel.instructions.empty() || kernel.instructions.size() > kMostInstructions) return "its length";
    for (const ptx::Variable& v : kernel.variables)
        if (v.space != ptx::Space::shared) return "memory of its threads' own";
    for (const Instruction& i : kernel.instructions)
        if (const char* why = obstacle(i)) return why;
    auto planned = Planner(kernel, width).plan();
    auto* plan = std::get_if<LanePlan>(&planned);
    if (!plan || facts.spinning_branches.empty()) return planned;
    if (!loops_get_on(kernel, facts, *plan)) return "a loop that waits for other threads";
    plan->spins = true;
    return planned;
}

} // namespace warplight::jit
