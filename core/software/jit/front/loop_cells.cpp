// SPDX-License-Identifier: Apache-2.0
#include "loop_cells.hpp"

#include "software/ptx/accesses.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;
using Kind = Operand::Kind;

namespace {

constexpr std::uint32_t kLongest = 200; ///< instructions of a loop: they are written twice
constexpr std::size_t kMostCells = 3, kMostRanges = 8;
constexpr std::size_t kMostLoops = 8; ///< of a function

/// Sums of registers, each as often as its number says, and a number.
using Terms = std::map<RegisterId, std::int64_t>;

/// An address in a round: what a register holds as the round begins, terms that no round changes, and a number.
struct Address {
    std::optional<RegisterId> moving;
    Terms terms;
    std::int64_t number = 0;
};

/// Bytes behind an address.
struct Bytes {
    std::int64_t begin = 0, end = 0;
    [[nodiscard]] bool meet(const Bytes& other) const { return begin < other.end && other.begin < end; }
    bool operator==(const Bytes&) const = default;
};

/// Memory that each round stores to.
struct Cell {
    RegisterId base = 0;
    Bytes bytes;
    Terms terms; ///< the base's; its number is part of `absolute`
    Bytes absolute;
    ptx::Space space = ptx::Space::generic;
    std::uint32_t store = 0; ///< one of the instructions
    bool is_read_first = false;
};

/// What loads read in all rounds: at a register and terms.
struct Range {
    std::optional<RegisterId> moving;
    Terms terms;
    Bytes bytes;
    /// What each round adds to the register, if it is a number. If not, bytes of a round may lie between the register
    /// and what it holds in the next round.
    std::optional<std::int64_t> step;
    ptx::Space space = ptx::Space::generic;
    unsigned bits = 64; ///< of the address
};

struct CellLoop {
    std::uint32_t begin = 0, end = 0; ///< one basic block, which ends with the branch to its beginning
    std::vector<Cell> cells;
    std::map<std::uint32_t, std::size_t> accesses; ///< the instructions that access cells
    std::vector<Range> ranges;
    std::vector<RegisterId> carried; ///< from round to round
};

class CellLoopFinder {
public:
    CellLoopFinder(const ptx::Function& function, const ptx::FlowGraph& graph, const ptx::Liveness& live)
        : f_(function), graph_(graph), live_(live), writers_(ptx::writers_of(function)),
          in_loop_(ptx::between_back_edges(graph)) {}

    [[nodiscard]] std::optional<CellLoop> find_in(std::uint32_t number) {
        const ptx::BasicBlock& block = graph_.blocks()[number];
        loop_ = {block.begin, block.end, {}, {}, {}, {}};
        if (block.end - block.begin > kLongest || !is_loop(number)) return std::nullopt;
        if (!find_cells() || !find_ranges()) return std::nullopt;
        for (RegisterId r = 0; r < f_.registers.size(); ++r)
            if (live_.live_in[number].contains(r) && live_.written[number].contains(r)) loop_.carried.push_back(r);
        return std::move(loop_);
    }

private:
    [[nodiscard]] bool is_inside(std::uint32_t at) const { return at >= loop_.begin && at < loop_.end; }
    [[nodiscard]] std::vector<std::uint32_t> writers_inside(RegisterId r) const {
        std::vector<std::uint32_t> inside;
        std::ranges::copy_if(writers_[r], std::back_inserter(inside), [&](auto at) { return is_inside(at); });
        return inside;
    }
    [[nodiscard]] bool is_same_in_all_rounds(RegisterId r) const { return writers_inside(r).empty(); }

    /// A block that branches to itself or goes on behind, as often as numbers tell that no load has read.
    [[nodiscard]] bool is_loop(std::uint32_t number) const {
        const ptx::BasicBlock& block = graph_.blocks()[number];
        const Instruction& last = f_.instructions[block.end - 1];
        if (last.opcode != Opcode::bra || !last.guarded || last.operands.size() != 1 || block.successors.size() != 2 ||
            !std::ranges::count(block.successors, number) || !std::ranges::count(block.successors, number + 1))
            return false;
        std::set<RegisterId> seen;
        return is_counted(last.guard, seen);
    }
    [[nodiscard]] bool is_counted(RegisterId r, std::set<RegisterId>& seen) const {
        if (!seen.insert(r).second) return true;
        return std::ranges::all_of(writers_inside(r), [&](std::uint32_t at) {
            const Instruction& i = f_.instructions[at];
            if (i.guarded || !ptx::is_computed_on_vectors(i) || ptx::uses_carry(i)) return false;
            bool counted = true;
            ptx::each_read(f_, i, [&](RegisterId read) { counted = counted && is_counted(read, seen); });
            return counted;
        });
    }

    // --- the memory

    struct Place {
        RegisterId base = 0;
        Bytes bytes;
    };
    [[nodiscard]] static std::optional<Place> place_of(const Instruction& i) {
        const Operand* const address = ptx::accessed_address(i);
        if (!address || address->kind != Kind::address || address->base_kind != Kind::reg) return std::nullopt;
        const std::int64_t bytes = ptx::bits(i.type()) / 8 * i.vector_width;
        return Place{address->reg, {address->integer, address->integer + bytes}};
    }
    [[nodiscard]] static bool is_constant(const Instruction& i) {
        return i.space == ptx::Space::param || i.space == ptx::Space::constant || i.has(Modifier::nc);
    }
    [[nodiscard]] bool is_harmless(const Instruction& i) const {
        if (i.opcode == Opcode::ld) return i.aid == ptx::Aid::none && !ptx::observes_others(i);
        return i.aid == ptx::Aid::none && !ptx::uses_carry(i) &&
               (ptx::is_computed_on_vectors(i) || i.opcode == Opcode::mov);
    }
    /// A plain store of a register.
    [[nodiscard]] bool may_be_kept(const Instruction& i) const {
        const unsigned bits = i.type_count == 1 ? ptx::bits(i.type()) : 0;
        return i.aid == ptx::Aid::none && !i.guarded && i.modifiers.none() && i.vector_width == 1 &&
               (bits == 32 || bits == 64) && i.operands.size() == 2 && i.operands[1].kind == Kind::reg &&
               !i.operands[1].negated && ptx::bits(f_.registers[i.operands[1].reg].type) == bits;
    }

    [[nodiscard]] bool find_cells() {
        for (std::uint32_t at = loop_.begin; at + 1 < loop_.end; ++at) {
            const Instruction& i = f_.instructions[at];
            if (i.opcode != Opcode::st) {
                if (!is_harmless(i)) return false;
                continue;
            }
            const auto place = place_of(i);
            if (!place || !may_be_kept(i) || !is_same_in_all_rounds(place->base) || !add_cell(*place, at)) return false;
        }
        return !loop_.cells.empty() && loop_.cells.size() <= kMostCells;
    }
    [[nodiscard]] bool add_cell(const Place& place, std::uint32_t store) {
        Cell cell{place.base, place.bytes, {}, {}, f_.instructions[store].space, store, false};
        const Address base = same_in_all_rounds(place.base);
        cell.terms = base.terms;
        cell.absolute = {place.bytes.begin + base.number, place.bytes.end + base.number};
        for (const Cell& other : loop_.cells) {
            if (other.base == cell.base && other.bytes == cell.bytes) return other.space == cell.space;
            if (other.space != cell.space || (other.terms == cell.terms && other.absolute.meet(cell.absolute)))
                return false;
        }
        loop_.cells.push_back(std::move(cell));
        return true;
    }

    [[nodiscard]] bool find_ranges() {
        addresses_.clear();
        std::set<std::size_t> written;
        std::vector<std::pair<Address, std::uint32_t>> loads;
        bool any = false;
        for (std::uint32_t at = loop_.begin; at + 1 < loop_.end; ++at) {
            const Instruction& i = f_.instructions[at];
            const bool is_access = i.opcode == Opcode::st || (i.opcode == Opcode::ld && !is_constant(i));
            if (is_access) {
                const auto place = place_of(i);
                if (!place) return false;
                const auto cell = cell_at(*place, i.space);
                if (cell) loop_.accesses.emplace(at, *cell);
                if (i.opcode == Opcode::st) {
                    written.insert(*cell);
                } else if (cell) {
                    if (!reads_all(i)) return false;
                    loop_.cells[*cell].is_read_first |= !written.contains(*cell);
                } else if (const auto address = address_of(place->base)) {
                    loads.emplace_back(*address, at);
                } else {
                    return false;
                }
                any |= i.opcode == Opcode::ld;
            }
            compute(i);
        }
        for (const auto& [address, at] : loads)
            if (!add_range(address, at)) return false;
        return any && loop_.ranges.size() <= kMostRanges;
    }
    [[nodiscard]] std::optional<std::size_t> cell_at(const Place& place, ptx::Space space) const {
        for (std::size_t k = 0; k < loop_.cells.size(); ++k) {
            const Cell& cell = loop_.cells[k];
            if (cell.base == place.base && cell.bytes == place.bytes && cell.space == space) return k;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool reads_all(const Instruction& i) const {
        return !i.guarded && i.vector_width == 1 && i.operands[0].kind == Kind::reg &&
               ptx::bits(f_.registers[i.operands[0].reg].type) == ptx::bits(i.type());
    }

    // --- addresses

    [[nodiscard]] bool is_address_register(RegisterId r) const {
        const Type type = f_.registers[r].type;
        return !ptx::is_float(type) && (ptx::bits(type) == 64 || ptx::bits(type) == 32);
    }
    /// A register that no round writes, as what it was made of. What is written in a loop may have changed since.
    [[nodiscard]] Address same_in_all_rounds(RegisterId r) const {
        Address address;
        while (writers_[r].size() == 1) {
            const Instruction& i = f_.instructions[writers_[r][0]];
            if (!is_plain_sum(i, r) || i.operands[2].kind != Kind::integer || i.operands[1].kind != Kind::reg ||
                i.operands[1].reg == r || !is_written_once_outside_loops(i.operands[1].reg))
                break;
            address.number += i.opcode == Opcode::sub ? -i.operands[2].integer : i.operands[2].integer;
            r = i.operands[1].reg;
        }
        address.terms[r] = 1;
        return address;
    }
    [[nodiscard]] bool is_written_once_outside_loops(RegisterId r) const {
        return writers_[r].size() == 1 && !in_loop_[graph_.block_of()[writers_[r][0]]];
    }
    [[nodiscard]] bool is_plain_sum(const Instruction& i, RegisterId r) const {
        const auto is_term = [](const Operand& x) {
            return x.kind == Kind::integer || (x.kind == Kind::reg && !x.negated);
        };
        return (i.opcode == Opcode::add || i.opcode == Opcode::sub) && !i.guarded && i.operands.size() == 3 &&
               !ptx::uses_carry(i) && !i.has(Modifier::sat) && is_address_register(r) && !ptx::is_float(i.type()) &&
               ptx::bits(i.type()) == ptx::bits(f_.registers[r].type) && i.operands[0].kind == Kind::reg &&
               is_term(i.operands[1]) && is_term(i.operands[2]);
    }

    /// What a register holds now, as the block is gone through.
    [[nodiscard]] std::optional<Address> address_of(RegisterId r) const {
        if (!is_address_register(r)) return std::nullopt;
        if (const auto found = addresses_.find(r); found != addresses_.end()) return found->second;
        if (is_same_in_all_rounds(r)) return same_in_all_rounds(r);
        return Address{r, {}, 0};
    }
    void compute(const Instruction& i) {
        std::optional<Address> sum;
        if (const RegisterId* const to = ptx::destination_register(i); to && is_plain_sum(i, *to)) sum = sum_of(i);
        ptx::each_written(f_, i, [&](RegisterId r) { addresses_[r] = sum; });
    }
    [[nodiscard]] std::optional<Address> sum_of(const Instruction& i) const {
        Address sum;
        for (const std::size_t k : {1, 2}) {
            const Operand& x = i.operands[k];
            const std::int64_t sign = k == 2 && i.opcode == Opcode::sub ? -1 : 1;
            if (x.kind == Kind::integer) {
                sum.number += sign * x.integer;
                continue;
            }
            const auto term = address_of(x.reg);
            if (!term || (term->moving && (sum.moving || sign < 0))) return std::nullopt;
            if (term->moving) sum.moving = term->moving;
            for (const auto& [r, factor] : term->terms)
                sum.terms[r] += sign * factor;
            sum.number += sign * term->number;
        }
        std::erase_if(sum.terms, [](const auto& term) { return term.second == 0; });
        return sum;
    }

    /// Once the block has been gone through.
    [[nodiscard]] bool add_range(const Address& address, std::uint32_t at) {
        const Instruction& load = f_.instructions[at];
        const Place place = *place_of(load);
        Range range{
            address.moving, address.terms, {place.bytes.begin + address.number, place.bytes.end + address.number},
            std::nullopt,   load.space,    ptx::bits(f_.registers[place.base].type)};
        if (!address.moving && address.terms.empty()) return false;
        if (address.moving) {
            const auto next = address_of(*address.moving);
            if (!next || next->moving != address.moving || next->terms.size() > 1) return false;
            if (next->terms.empty()) {
                range.step = next->number;
            } else {
                const auto [r, most] = *next->terms.begin();
                const std::int64_t own = range.terms.contains(r) ? range.terms[r] : 0;
                if (next->number != 0 || own < std::min<std::int64_t>(most, 0) || own > std::max<std::int64_t>(most, 0))
                    return false;
                range.terms.erase(r);
            }
        }
        for (const Cell& cell : loop_.cells) {
            if (cell.space != range.space) {
                const bool is_generic = cell.space == ptx::Space::generic || range.space == ptx::Space::generic;
                if (is_generic) return false; // their addresses cannot be compared
            } else if (!range.moving && range.terms == cell.terms && range.bytes.meet(cell.absolute)) {
                return false;
            }
        }
        const auto same = std::ranges::find_if(loop_.ranges, [&](const Range& other) {
            return other.moving == range.moving && other.terms == range.terms && other.space == range.space;
        });
        if (same == loop_.ranges.end())
            loop_.ranges.push_back(std::move(range));
        else
            same->bytes = {std::min(same->bytes.begin, range.bytes.begin), std::max(same->bytes.end, range.bytes.end)};
        return true;
    }

    const ptx::Function& f_;
    const ptx::FlowGraph& graph_;
    const ptx::Liveness& live_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    const std::vector<bool> in_loop_; ///< by block
    CellLoop loop_;
    std::map<RegisterId, std::optional<Address>> addresses_; ///< that the block has written up to now
};

class LoopCells {
public:
    LoopCells(const ptx::Function& function, const std::vector<CellLoop>& loops)
        : f_(function), loops_(loops), code_(function) {}

    [[nodiscard]] ChangedFunction run() {
        auto loop = loops_.begin();
        for (std::uint32_t at = 0; at < f_.instructions.size(); ++at) {
            if (loop != loops_.end() && at == loop->begin) {
                write(*loop);
                at = loop++->end - 1;
            } else {
                keep(at);
            }
        }
        return code_.finish();
    }

private:
    void keep(std::uint32_t at) {
        code_.begin(at);
        code_.keep();
    }
    void move(RegisterId to, RegisterId from) {
        code_.add(Opcode::mov, untyped(code_.bits_of(to)), {register_operand(to), register_operand(from)});
    }

    void write(const CellLoop& loop) {
        const std::uint32_t plain = loop.cells[0].store; // without a guard
        kept_.clear();
        firsts_.clear();
        code_.begin(plain);
        for (const Cell& cell : loop.cells)
            begin_cell(cell);
        for (const RegisterId r : loop.carried) {
            firsts_.emplace(r, code_.new_register(f_.registers[r].type));
            move(firsts_.at(r), r);
        }
        const std::uint32_t again = code_.new_label(), behind = code_.new_label();
        code_.place(again);
        for (std::uint32_t at = loop.begin; at + 1 < loop.end; ++at)
            write_without_cells(at, loop);
        code_.begin(loop.end - 1);
        code_.add_branch(again, std::nullopt);
        code_.begin(plain);
        if (const auto condition = test(loop)) {
            const std::uint32_t apart = code_.new_label();
            code_.add_branch(apart, condition);
            write_as_it_was(loop);
            code_.begin(plain);
            code_.add_branch(behind, std::nullopt);
            code_.place(apart);
        }
        for (std::size_t k = 0; k < loop.cells.size(); ++k) {
            code_.add(f_.instructions[loop.cells[k].store]);
            code_.last().operands[1] = register_operand(kept_[k]);
        }
        code_.place(behind);
    }

    void begin_cell(const Cell& cell) {
        const Instruction& store = f_.instructions[cell.store];
        const RegisterId kept = code_.new_register(untyped(ptx::bits(store.type())));
        kept_.push_back(kept);
        if (!cell.is_read_first) return;
        code_.add(store);
        code_.last().opcode = Opcode::ld;
        code_.last().operands = {register_operand(kept), store.operands[0]};
    }

    void write_without_cells(std::uint32_t at, const CellLoop& loop) {
        const Instruction& i = f_.instructions[at];
        code_.begin(at);
        const auto access = loop.accesses.find(at);
        if (access == loop.accesses.end())
            code_.keep();
        else if (i.opcode == Opcode::ld)
            move(i.operands[0].reg, kept_[access->second]);
        else
            move(kept_[access->second], i.operands[1].reg);
    }

    /// From the first round on.
    void write_as_it_was(const CellLoop& loop) {
        for (const auto& [r, first] : firsts_)
            move(r, first);
        const std::uint32_t label = code_.new_label();
        code_.place(label);
        for (std::uint32_t at = loop.begin; at + 1 < loop.end; ++at) {
            code_.begin(at);
            code_.keep();
        }
        code_.begin(loop.end - 1);
        code_.add_branch(label, std::nullopt);
    }

    // --- the test

    /// A predicate: no load has read a cell of any lane's own. None: that is known.
    [[nodiscard]] std::optional<RegisterId> test(const CellLoop& loop) {
        condition_.reset();
        for (std::size_t k = 0; k < loop.cells.size(); ++k) {
            const Cell& cell = loop.cells[k];
            for (const Range& range : loop.ranges)
                if (range.space == cell.space && (range.moving || range.terms != cell.terms)) test_apart(cell, range);
            for (std::size_t other = 0; other < k; ++other)
                if (const Cell& that = loop.cells[other]; that.terms != cell.terms)
                    test_apart(cell, {{}, {{that.base, 1}}, that.bytes, {}, that.space, code_.bits_of(that.base)});
        }
        return condition_;
    }

    void test_apart(const Cell& cell, const Range& range) {
        const std::vector<Operand> points = distances(range, wide(register_operand(cell.base)));
        const bool is_ordered = points.size() == 2 && range.step;
        std::optional<Operand> above, below;
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (!is_ordered || k == 0)
                require(above, within(points[k], cell.bytes.end - range.bytes.begin,
                                      std::numeric_limits<std::int64_t>::max()));
            if (!is_ordered || k == 1)
                require(below, within(points[k], std::numeric_limits<std::int64_t>::min(),
                                      cell.bytes.begin - range.bytes.end));
        }
        const Operand either = code_.temporary(Type::pred);
        code_.add(Opcode::or_, Type::pred, {either, *above, *below});
        std::optional<Operand> all;
        if (condition_) all = register_operand(*condition_);
        require(all, either);
        condition_ = all->reg;
    }
    /// Of the first and the last round's addresses from an address. The least comes first if the step is known.
    std::vector<Operand> distances(const Range& range, const Operand& from) {
        const auto distance = [&](std::optional<Operand> x) {
            for (const auto& [r, factor] : range.terms)
                x = plus(x, r, factor, range.bits);
            const Operand difference = code_.temporary(Type::b64);
            code_.add(Opcode::sub, Type::s64, {difference, wide(*x), from});
            return difference;
        };
        if (!range.moving) return {distance(std::nullopt)};
        Operand last = register_operand(*range.moving);
        if (range.step) {
            const Operand next = last;
            last = code_.temporary(untyped(range.bits));
            code_.add(Opcode::sub, range.bits == 64 ? Type::s64 : Type::s32, {last, next, number_operand(*range.step)});
        }
        std::vector<Operand> points{distance(register_operand(firsts_.at(*range.moving))), distance(last)};
        if (range.step && *range.step < 0) std::swap(points[0], points[1]);
        return points;
    }
    Operand plus(const std::optional<Operand>& x, RegisterId r, std::int64_t factor, unsigned bits) {
        const Type type = bits == 64 ? Type::s64 : Type::s32;
        Operand term = register_operand(r);
        if (factor != 1) {
            term = code_.temporary(untyped(bits));
            set(code_.add(Opcode::mul, type, {term, register_operand(r), number_operand(factor)}), Modifier::lo);
        }
        if (!x) return term;
        const Operand sum = code_.temporary(untyped(bits));
        code_.add(Opcode::add, type, {sum, *x, term});
        return sum;
    }
    Operand within(const Operand& x, std::int64_t low, std::int64_t high) {
        const Operand result = code_.temporary(Type::pred);
        code_
            .add(Opcode::invalid, Type::s64,
                 {result, x, number_operand(0), number_operand(0), number_operand(low), number_operand(high)})
            .aid = ptx::Aid::lanes_within;
        return result;
    }
    void require(std::optional<Operand>& all, const Operand& condition) {
        if (!all) {
            all = condition;
            return;
        }
        const Operand both = code_.temporary(Type::pred);
        code_.add(Opcode::and_, Type::pred, {both, *all, condition});
        all = both;
    }
    /// An address in 64 bits.
    Operand wide(const Operand& address) {
        if (code_.bits_of(address.reg) == 64) return address;
        const Operand result = code_.temporary(Type::b64);
        ptx::Instruction& i = code_.add(Opcode::cvt, Type::u64, {result, address});
        i.types[1] = Type::u32;
        i.type_count = 2;
        return result;
    }

    const ptx::Function& f_;
    const std::vector<CellLoop>& loops_;
    AddedCode code_;
    // Of the loop that is written:
    std::vector<RegisterId> kept_;            ///< by cell: what it would hold
    std::map<RegisterId, RegisterId> firsts_; ///< what carried registers held before the first round
    std::optional<RegisterId> condition_;
};

} // namespace

std::optional<ChangedFunction> with_loop_cells(const ptx::Function& function) {
    const auto stores = [](const Instruction& i) { return i.opcode == Opcode::st; };
    if (!function.calls.empty() || std::ranges::none_of(function.instructions, stores)) return std::nullopt;
    const ptx::FlowGraph graph(function);
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t k = 0; k < graph.end(); ++k)
        if (std::ranges::count(graph.blocks()[k].successors, k)) candidates.push_back(k);
    if (candidates.empty()) return std::nullopt;
    const ptx::Liveness live(function, graph);
    CellLoopFinder finder(function, graph, live);
    std::vector<CellLoop> loops;
    for (const std::uint32_t block : candidates)
        if (auto loop = finder.find_in(block); loop && loops.size() < kMostLoops) loops.push_back(std::move(*loop));
    if (loops.empty()) return std::nullopt;
    return LoopCells(function, loops).run();
}

} // namespace warplight::jit
