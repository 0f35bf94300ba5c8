// SPDX-License-Identifier: Apache-2.0
// A kernel whose threads run side by side, one a lane of a vector: its blocks and how lanes go through them.
//
// Every block has code for all lanes at once ("together"). A masked block, which some lanes may skip, has its code a
// second time, under a mask. Where lanes part, each masked block collects a mask of the lanes that wait for it. The
// first such block in the text goes next, until all lanes have come to the reconvergence point. Example:
//
//     if (x) A; else B;   C;     some lanes have x:  A waits for them, B for the others
//                                A masked, B masked, then C for all lanes together
//
// So a loop that the lanes stay in together is a plain loop, and one that they leave at different times begins as such.
//
// Blocks that divide a flat index by the length of a row may have code for all lanes a second time, by another plan
// (LanePlan::one_row): the row code. Each division looks whether all lanes are in one row. If not, or if lanes part,
// the registers of that plan become vectors, and the first code goes on.
#include "always_masked.hpp"
#include "block_body.hpp"
#include "idle_rows.hpp"
#include "lane_groups.hpp"
#include "row_loop.hpp"
#include "serial_loop.hpp"
#include "single_lane.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/host.hpp"
#include "waiting_lanes.hpp"

#include <algorithm>
#include <map>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;

namespace {

class LaneCode {
public:
    explicit LaneCode(Emitter& e)
        : e_(e), b_(e.b), plan_(*e.plan), body_(e), count_(static_cast<std::uint32_t>(plan_.blocks.size())),
          row_(e.hooks.empty() && e.unit.options.tells_nothing() ? plan_.one_row.get() : nullptr), waiting_(e),
          always_masked_(row_ ? std::vector<bool>(count_, false) : find_always_masked(e.function, plan_)),
          singles_(row_ ? SingleLanes{} : find_single_lanes(e, always_masked_)), idle_(e) {
        if (row_ && e.unit.loops_in_rows) loop_.emplace(e, *row_);
    }

    void emit() {
        make_blocks();
        waiting_.make_slots();
        b_.CreateBr(together_[0]);
        for (std::uint32_t k = 0; k < count_; ++k) {
            if (const auto single = singles_.find(k); single != singles_.end()) {
                emit_single(single->second);
                k = single->second.blocks.last;
                continue;
            }
            const auto divergent = e_.lanes.with_divergent(plan_.blocks[k].divergent);
            if (always_masked_[k])
                together_[k]->eraseFromParent();
            else
                emit_together(k);
            if (plan_.blocks[k].masked) emit_masked(k);
        }
        if (row_) {
            const auto plan = e_.with_plan(row_->plan);
            LaneCode(e_, *this).emit_row_code();
            if (loop_) LaneCode(e_, *this).emit_row_loop();
        }
        if (loop_) {
            b_.SetInsertPoint(begin_again_);
            e_.place.tell_next_vector(true);
            e_.control.return_from_function(false);
        }
        b_.SetInsertPoint(together_[count_]);
        if (loop_) e_.place.tell_next_vector(false);
        e_.control.return_from_function(false);
        body_.close();
    }

private:
    /// Row code.
    LaneCode(Emitter& e, LaneCode& other)
        : e_(e), b_(e.b), plan_(*e.plan), body_(e), count_(other.count_), row_(other.row_), other_(&other), waiting_(e),
          always_masked_(count_, false), idle_(e) {}

    void make_blocks() {
        for (std::uint32_t k = 0; k < count_; ++k) {
            together_.push_back(e_.new_block("together"));
            const bool masked = plan_.blocks[k].masked;
            check_.push_back(masked ? e_.new_block("check") : nullptr);
            masked_.push_back(masked ? e_.new_block("masked") : nullptr);
        }
        together_.push_back(e_.new_block("end"));
        for (const auto& [head, single] : singles_)
            for (std::uint32_t k = head; k <= single.blocks.last; ++k) {
                together_[k]->eraseFromParent();
                if (k == head && plan_.blocks[single.from].masked) continue;
                check_[k]->eraseFromParent();
                masked_[k]->eraseFromParent();
                check_[k] = masked_[k] = nullptr;
            }
        for (const auto& [head, single] : singles_)
            alone_[head] = {e_.new_block("single"), e_.stack_slot(b_.getInt32Ty(), "lane"),
                            e_.stack_slot(b_.getInt1Ty(), "together")};
    }

    // --- row code

    /// Where the row code begins, or where the other code goes on, at an instruction.
    using Places = std::map<std::uint32_t, llvm::BasicBlock*>;
    llvm::BasicBlock* place(Places& places, std::uint32_t at) {
        llvm::BasicBlock*& block = places[at];
        if (!block) block = e_.new_block("row");
        return block;
    }
    /// The first entry from an instruction on, or the block's end.
    [[nodiscard]] std::uint32_t next_entry(std::uint32_t at, std::uint32_t end) const {
        const auto entry = row_->entries.lower_bound(at);
        return entry == row_->entries.end() ? end : std::min(*entry, end);
    }

    void emit_row_code() {
        for (std::uint32_t k = 0; k < count_; ++k)
            together_.push_back(row_->begins[k] ? e_.new_block("together") : other_->together_[k]);
        together_.push_back(other_->together_[count_]);
        for (std::uint32_t k = 0; k < count_; ++k) {
            const LaneBlock& block = plan_.blocks[k];
            const auto divergent = e_.lanes.with_divergent(block.divergent);
            if (row_->begins[k] || next_entry(block.begin, block.end) < block.end) emit_together(k);
        }
    }

    /// The same for several vectors in a row.
    void emit_row_loop() {
        is_loop_ = true;
        RowLoop& loop = *other_->loop_;
        for (std::uint32_t k = 0; k < count_; ++k)
            together_.push_back(row_->begins[k] && k > loop.block() ? e_.new_block("together")
                                : only_ends(k)                      ? loop.end()
                                                                    : other_->together_[k]);
        together_.push_back(loop.end());
        for (std::uint32_t k = loop.block(); k < count_; ++k) {
            if (k > loop.block() && !row_->begins[k]) continue;
            const auto divergent = e_.lanes.with_divergent(plan_.blocks[k].divergent);
            b_.SetInsertPoint(k > loop.block() ? together_[k] : loop.begin());
            emit_body(k, nullptr, k > loop.block() ? plan_.blocks[k].begin : loop.first());
            if (!b_.GetInsertBlock()->getTerminator()) leave_together(k);
        }
        other_->begin_again_ = e_.new_block("begin_again");
        loop.emit_again(other_->together_[count_], other_->begin_again_,
                        [&](std::uint32_t at) { body_.emit_one(at, nullptr); });
    }

    [[nodiscard]] bool only_ends(std::uint32_t k) const {
        const LaneBlock& block = plan_.blocks[k];
        const Instruction& first = e_.function.instructions[block.begin];
        return block.end - block.begin == 1 && ptx::ends_thread(first) && !first.guarded &&
               first.opcode != Opcode::trap;
    }

    /// Goes on in the other code, in front of an instruction.
    void leave_row_code(std::uint32_t at) {
        for (const ptx::RegisterId r : row_->exits.at(at)) {
            Value* all = e_.registers.read_all(r);
            const auto plan = e_.with_plan(other_->plan_);
            b_.CreateStore(all, e_.registers.slot(r));
        }
        b_.CreateBr(place(other_->exits_, at));
    }

    /// The two codes meet in front of some instructions of a block.
    void meet(std::uint32_t at) {
        if (!row_->exits.contains(at)) return;
        body_.leave_rows();
        const bool enters = row_->entries.contains(at);
        if (!other_) {
            b_.CreateBr(enters ? place(entries_, at) : place(exits_, at));
            b_.SetInsertPoint(place(exits_, at));
        } else if (enters && !is_loop_) {
            llvm::BasicBlock* entry = place(other_->entries_, at);
            if (b_.GetInsertBlock() != entry && !b_.GetInsertBlock()->getTerminator()) b_.CreateBr(entry);
            b_.SetInsertPoint(entry);
        }
    }

    void emit_row_division(std::uint32_t at) {
        const Instruction& i = e_.function.instructions[at];
        e_.begin_instruction(at);
        const RowDivision division = divide_in_row(e_);
        llvm::BasicBlock* one = e_.new_block("one_row");
        llvm::BasicBlock* several = e_.new_block("rows");
        b_.CreateCondBr(division.holds, one, several);
        b_.SetInsertPoint(several);
        leave_row_code(at);
        b_.SetInsertPoint(one);
        e_.write(i.operands[0], division.type, division.first);
        if (!is_loop_ && other_->loop_ && other_->loop_->divides(at)) other_->loop_->enter_behind(at, division);
    }

    // --- blocks

    void emit_together(std::uint32_t k) {
        const LaneBlock& block = plan_.blocks[k];
        if (other_ && !row_->begins[k]) {
            const std::uint32_t entry = next_entry(block.begin, block.end);
            b_.SetInsertPoint(place(other_->entries_, entry));
            emit_body(k, nullptr, entry);
        } else {
            b_.SetInsertPoint(together_[k]);
            emit_body(k, nullptr, block.begin);
        }
        if (!b_.GetInsertBlock()->getTerminator()) leave_together(k);
    }

    void emit_masked(std::uint32_t k) {
        Value* mask = begin_masked(k);
        emit_few(k, mask);
        emit_body(k, mask, plan_.blocks[k].begin);
        if (!b_.GetInsertBlock()->getTerminator()) leave_masked(k, mask);
    }
    /// If any lane waits for the block, it is executed for these lanes, whose mask is answered.
    Value* begin_masked(std::uint32_t k) {
        b_.SetInsertPoint(check_[k]);
        Value* waiting = waiting_.mask(k);
        llvm::BasicBlock* none = e_.new_block("none");
        b_.CreateCondBr(any(waiting), masked_[k], none);
        b_.SetInsertPoint(none);
        waiting_.clear(k); // it is so already: what is known need not be kept
        b_.CreateBr(following(k));
        b_.SetInsertPoint(masked_[k]);
        Value* mask = waiting_.mask(k);
        waiting_.clear(k);
        return mask;
    }

    // --- code of one lane

    /// Where all lanes are at the branch to it.
    void leave_for_one(const SingleLane& single) {
        const Alone& alone = alone_.at(single.blocks.head);
        const auto [any, lane] = single.find_lane(e_);
        llvm::BasicBlock* one = e_.new_block("one");
        b_.CreateCondBr(any, one, together_[single.other]);
        b_.SetInsertPoint(one);
        Value* guard = body_.guard_of_lanes(last_of(single.from));
        Value* others = plan_.blocks[single.from].successors[0] == single.other ? guard : b_.CreateNot(guard);
        if (!single.is_sure) {
            llvm::BasicBlock* sure = e_.new_block("sure");
            b_.CreateCondBr(b_.CreateExtractElement(others, lane), together_[single.other], sure);
            b_.SetInsertPoint(sure);
        }
        if (!single.meets_others()) waiting_.add(single.other, others);
        b_.CreateStore(lane, alone.lane);
        b_.CreateStore(b_.getTrue(), alone.together);
        b_.CreateBr(alone.code);
    }

    void emit_single(const SingleLane& single) {
        const std::uint32_t head = single.blocks.head;
        const Alone& alone = alone_.at(head);
        if (check_[head]) {
            Value* mask = begin_masked(head);
            Type* bits = b_.getIntNTy(e_.lanes.full_width());
            Value* lane = e_.intrinsic(llvm::Intrinsic::cttz, {bits}, {as_integer(mask), b_.getTrue()});
            b_.CreateStore(b_.CreateZExtOrTrunc(lane, b_.getInt32Ty()), alone.lane);
            b_.CreateStore(b_.getFalse(), alone.together);
            b_.CreateBr(alone.code);
        }
        b_.SetInsertPoint(alone.code);
        single.blocks.emit_one(e_, b_.CreateLoad(b_.getInt32Ty(), alone.lane), [&](std::uint32_t to, Value* lanes) {
            if (single.meets_others()) {
                llvm::BasicBlock* some = e_.new_block("some");
                b_.CreateCondBr(b_.CreateLoad(b_.getInt1Ty(), alone.together), together_[to], some);
                b_.SetInsertPoint(some);
            }
            waiting_.add(to, lanes);
        });
        b_.CreateBr(following(head));
    }

    /// Few lanes that are left at the beginning of a loop go on to its end one after the other.
    void emit_few(std::uint32_t k, Value* mask) {
        const std::optional<SerialLoop> loop = SerialLoop::find(e_, k);
        if (!loop) return;
        Type* bits = b_.getIntNTy(e_.lanes.full_width());
        Value* count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, as_integer(mask));
        llvm::BasicBlock* few = e_.new_block("few");
        llvm::BasicBlock* many = e_.new_block("many");
        b_.CreateCondBr(b_.CreateICmpULE(count, llvm::ConstantInt::get(bits, loop->most_lanes())), few, many);
        b_.SetInsertPoint(few);
        {
            const auto active = e_.lanes.with_active_mask(mask);
            loop->emit(e_, mask, [&](std::uint32_t to, Value* lanes) { waiting_.add(to, lanes); });
        }
        b_.CreateBr(following(k));
        b_.SetInsertPoint(many);
    }

    Value* as_integer(Value* mask) { return b_.CreateBitCast(mask, b_.getIntNTy(e_.lanes.full_width())); }
    Value* any(Value* mask) { return b_.CreateIsNotNull(as_integer(mask)); }

    // --- control flow

    [[nodiscard]] const Instruction& last_of(std::uint32_t k) const {
        return e_.function.instructions[plan_.blocks[k].end - 1];
    }
    /// The next masked block with the same reconvergence point, or that point.
    [[nodiscard]] llvm::BasicBlock* following(std::uint32_t k) const {
        const std::uint32_t point = plan_.blocks[k].reconverges_at;
        for (std::uint32_t next = k + 1; next < count_; ++next)
            if (plan_.blocks[next].masked && check_[next] && plan_.blocks[next].reconverges_at == point)
                return check_[next];
        return together_[point];
    }
    [[nodiscard]] bool leads_to_masked_only(std::uint32_t k) const {
        const auto& to = plan_.blocks[k].successors;
        return std::any_of(to.begin(), to.end(), [&](std::uint32_t s) { return s < count_ && always_masked_[s]; });
    }

    void leave_together(std::uint32_t k) {
        const std::uint32_t branch = plan_.blocks[k].end - 1;
        if (other_ && e_.coroutine && plan_.grid_stride_loops.contains(branch)) return leave_row_code(branch);
        e_.waiting.yield_in_spin_loop();
        e_.waiting.yield_in_stride_loop();
        const auto& to = plan_.blocks[k].successors;
        const Instruction& last = last_of(k);
        if (to.size() == 1) {
            b_.CreateBr(together_[to[0]]);
            return;
        }
        if (!e_.registers.varies(last.guard)) {
            b_.CreateCondBr(body_.uniform_guard(last), way(k, 0), way(k, 1));
            return;
        }
        for (const std::uint32_t s : to)
            if (const auto single = singles_.find(s); single != singles_.end()) return leave_for_one(single->second);
        if (leads_to_masked_only(k)) {
            Value* taken = body_.guard_of_lanes(last);
            tell_parting(taken, nullptr);
            part_ways(to, taken, nullptr);
            return go_on(to);
        }
        branch_unanimously(
            e_, k, [&](std::uint32_t successor) { return way(k, successor); },
            [&](const Instruction& i) { body_.emit_guarded(i, nullptr); });
        Value* taken = body_.guard_of_lanes(last);
        Value* bits = as_integer(taken);
        llvm::BasicBlock* some = e_.new_block("some");
        llvm::BasicBlock* part = e_.new_block("part");
        b_.CreateCondBr(b_.CreateIsNull(bits), way(k, 1), some);
        b_.SetInsertPoint(some);
        b_.CreateCondBr(b_.CreateIsNull(b_.CreateNot(bits)), way(k, 0), part);
        b_.SetInsertPoint(part);
        e_.leave_hooked_block(nullptr);
        if (part_shortly(k, taken)) return;
        if (other_) return leave_row_code(branch);
        part_ways(to, taken, nullptr);
        go_on(to);
    }

    /// Lanes that part for short blocks, and meet again in a block that is itself masked, as in
    ///     for (i = tid; i < n; i += stride) { if (x) A; B; }
    /// B is masked, because lanes may leave the loop. If lanes waited there for all masked blocks of the loop, they
    /// would come together at its end only. So the short blocks are emitted once more, and all go on together.
    bool part_shortly(std::uint32_t k, Value* taken) {
        if (!e_.hooks.empty()) return false;
        if (!other_ && (plan_.blocks[k].cold || !e_.unit.analysis.functions[e_.function_id].has_loop)) return false;
        const std::vector<std::uint32_t>& to = plan_.blocks[k].successors;
        Value* masks[] = {taken, b_.CreateNot(taken)};
        const auto leads_only_to = [&](std::uint32_t s, std::uint32_t meeting) { return meets_in(k, s) == meeting; };
        std::uint32_t meeting = count_;
        bool one = true, other = true;
        if (leads_only_to(to[0], to[1]))
            meeting = to[1], other = false;
        else if (leads_only_to(to[1], to[0]))
            meeting = to[0], one = false;
        else if (meets_in(k, to[0]) == meets_in(k, to[1]))
            meeting = meets_in(k, to[0]);
        if (meeting >= count_ || (!other_ && !waiting_.may_wait(meeting)) || always_masked_[meeting]) return false;
        const auto divergent = e_.lanes.with_divergent(true);
        if (one) emit_body(to[0], masks[0], plan_.blocks[to[0]].begin);
        if (other) emit_body(to[1], masks[1], plan_.blocks[to[1]].begin);
        b_.CreateBr(together_[meeting]);
        return true;
    }

    /// The block behind a short masked block that is entered from `from` only; count_: the block is none.
    [[nodiscard]] std::uint32_t meets_in(std::uint32_t from, std::uint32_t s) const {
        constexpr std::uint32_t kShort = 16; ///< instructions
        if (s >= count_ || s <= from || !plan_.blocks[s].masked || always_masked_[s]) return count_;
        const LaneBlock& block = plan_.blocks[s];
        const auto division = plan_.row_divisions.lower_bound(block.begin);
        if (division != plan_.row_divisions.end() && *division < block.end) return count_;
        if (block.successors.size() != 1 || block.successors[0] <= s || block.end - block.begin > kShort) return count_;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const auto& entered = plan_.blocks[k].successors;
            if (k != from && std::find(entered.begin(), entered.end(), s) != entered.end()) return count_;
        }
        const auto& all = e_.function.instructions;
        const bool plain = std::none_of(all.begin() + block.begin, all.begin() + block.end, [](const Instruction& i) {
            return ptx::may_suspend(i) || is_warp_operation(i) || ptx::ends_thread(i) || i.opcode == Opcode::trap ||
                   i.opcode == Opcode::call;
        });
        return plain ? block.successors[0] : count_;
    }

    /// Where all lanes go from a block.
    llvm::BasicBlock* way(std::uint32_t k, std::uint32_t successor) {
        return idle_.way(k, successor, together_[plan_.blocks[k].successors[successor]]);
    }

    void part_ways(const std::vector<std::uint32_t>& to, Value* taken, Value* mask) {
        Value* others = b_.CreateNot(taken);
        waiting_.add(to[0], mask ? b_.CreateAnd(mask, taken) : taken);
        waiting_.add(to[1], mask ? b_.CreateAnd(mask, others) : others);
    }

    /// Tells hooks whether lanes go two ways.
    void tell_parting(Value* taken, Value* mask) {
        if (e_.hooks.empty()) return;
        Value* others = b_.CreateNot(taken);
        e_.leave_hooked_block(b_.CreateAnd(any(mask ? b_.CreateAnd(mask, taken) : taken),
                                           any(mask ? b_.CreateAnd(mask, others) : others)));
    }

    /// From code for all lanes to the first block that waits for some.
    void go_on(const std::vector<std::uint32_t>& to) {
        std::uint32_t first = count_;
        for (const std::uint32_t s : to)
            if (waiting_.may_wait(s)) first = std::min(first, s);
        b_.CreateBr(first < count_ ? check_[first] : together_[to[0]]);
    }

    void leave_masked(std::uint32_t k, Value* mask) {
        e_.waiting.yield_in_spin_loop();
        const auto& to = plan_.blocks[k].successors;
        if (to.size() == 1) return go_masked(k, to[0], mask);
        const Instruction& last = last_of(k);
        if (!e_.registers.varies(last.guard)) {
            llvm::BasicBlock* one = e_.new_block("one");
            llvm::BasicBlock* other = e_.new_block("other");
            b_.CreateCondBr(body_.uniform_guard(last), one, other);
            b_.SetInsertPoint(one);
            go_masked(k, to[0], mask);
            b_.SetInsertPoint(other);
            return go_masked(k, to[1], mask);
        }
        Value* taken = body_.guard_of_lanes(last);
        tell_parting(taken, mask);
        part_ways(to, taken, mask);
        std::vector<std::uint32_t> back;
        for (const std::uint32_t s : to)
            if (s <= k && waiting_.may_wait(s)) back.push_back(s);
        std::sort(back.begin(), back.end());
        for (const std::uint32_t s : back) {
            llvm::BasicBlock* rest = e_.new_block("rest");
            b_.CreateCondBr(any(waiting_.mask(s)), masked_[s], rest);
            b_.SetInsertPoint(rest);
        }
        b_.CreateBr(following(k));
    }

    /// All lanes that are in a masked block go one way.
    void go_masked(std::uint32_t k, std::uint32_t to, Value* mask) {
        waiting_.add(to, mask);
        b_.CreateBr(to <= k && waiting_.may_wait(to) ? masked_[to] : following(k));
    }

    // --- instructions

    void emit_body(std::uint32_t k, Value* mask, std::uint32_t from) {
        const LaneBlock& block = plan_.blocks[k];
        const auto& all = e_.function.instructions;
        body_.enter(block, mask);
        for (std::uint32_t at = from; at < block.end; ++at) {
            const Instruction& i = all[at];
            if (row_ && !mask) meet(at);
            if (i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit) break; // the last one
            if (b_.GetInsertBlock()->getTerminator()) b_.SetInsertPoint(e_.new_block("unreached"));
            if (other_ && !mask && ptx::may_suspend(i)) {
                leave_row_code(at);
                at = next_entry(at, block.end) - 1;
                continue;
            }
            if (plan_.row_divisions.contains(at)) {
                emit_row_division(at);
                continue;
            }
            at = body_.emit(at, mask ? block.end : run_end(at, block.end), mask);
        }
        body_.leave();
        e_.begin_instruction(block.end - 1);
    }

    /// The end of instructions that may be emitted together.
    [[nodiscard]] std::uint32_t run_end(std::uint32_t at, std::uint32_t end) const {
        if (!row_) return end;
        const auto exit = row_->exits.upper_bound(at);
        return exit == row_->exits.end() ? end : std::min(exit->first, end);
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LanePlan& plan_;
    BlockBody body_;
    const std::uint32_t count_;
    const OneRow* const row_;                                  ///< null: there is no row code
    LaneCode* const other_ = nullptr;                          ///< of row code: the other code
    bool is_loop_ = false;                                     ///< this is the code of such a loop
    std::optional<RowLoop> loop_;                              ///< of row code, or none …
    llvm::BasicBlock* begin_again_ = nullptr;                  ///< … and where the kernel is to begin again
    Places entries_, exits_;                                   ///< of code that there is row code for
    std::vector<llvm::BasicBlock*> together_, check_, masked_; ///< by block
    WaitingLanes waiting_;
    const std::vector<bool> always_masked_; ///< by block
    const SingleLanes singles_;
    IdleRows idle_;
    struct Alone {
        llvm::BasicBlock* code = nullptr;
        llvm::AllocaInst* lane = nullptr;     ///< the lane that executes it
        llvm::AllocaInst* together = nullptr; ///< whether the others are behind it
    };
    std::map<std::uint32_t, Alone> alone_; ///< by first block
};

} // namespace

void emit_lanes(Emitter& e) { LaneCode(e).emit(); }

} // namespace warplight::jit
