// SPDX-License-Identifier: Apache-2.0
// A segment is the code from a suspension point to the next ones. The function that resumes a coroutine has all of them
// behind a switch. Here each becomes a loop of its own:
//
//     switch (point of the first coroutine; all others wait there too)
//     segment k:  for (each coroutine) { code of the segment }
//                 if (it always ends at one barrier, and rounds are left) go to segment j
//                 for (each coroutine) { write down where it waits, and for what }
//                 return
//
// So what a thread would tell the scheduler is written only where the scheduler looks at it.
#include "round_segments.hpp"

#include "block_slots.hpp"
#include "block_values.hpp"
#include "idle_threads.hpp"
#include "segment.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/jit/abi/round_steps.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::Value;
using software::BlockContext;
using software::RoundControl;
using software::RoundEnd;
using software::Wait;

static_assert(offsetof(RoundControl, current) == 0);
static_assert(sizeof(PointRequest) == sizeof(std::uint32_t) * kRequestFields.size());

namespace {

class Segments {
public:
    Segments(llvm::Function& round, llvm::Function& resume, llvm::Function& start, const PointOfFrame& point,
             const RowVectors* vectors)
        : round_(round), resume_(resume), start_(start), facts_(start, point), vectors_(vectors),
          layout_(resume.getParent()->getDataLayout()), b_(round.getContext()), first_(round.getArg(0)),
          last_(round.getArg(1)), stride_(round.getArg(2)), control_(round.getArg(3)) {}

    bool run() {
        if (!find()) return false;
        const auto place = facts_.thread_place();
        FrameSlots slots;
        if (vectors_ && place) slots = find_row_slots(resume_, start_, *place);
        entry_ = make("entry");
        for (Segment& s : segments_)
            copy_segment(s, round_, resume_);
        take_slots();
        take_values_of_block();
        find_ends();
        points_ = make_points();
        if (place) idle_.emplace(resume_, *place);
        make_entry();
        for (Segment& s : segments_)
            close(s);
        make_ways_out();
        remove_originals();
        for (const Segment& s : segments_) {
            if (vectors_ && place && s.has_one_end())
                put_rows_in_step(round_, {s.frame, s.index, s.blocks, s.next, s.more, s.end},
                                 {slots, *place, *vectors_});
            // Last, as it is a store. The number is the first field.
            tell_number_when_needed({s.blocks.front(), s.frame, s.index, s.next}, s.end, control_);
        }
        return true;
    }

private:
    BasicBlock* make(const char* name) { return BasicBlock::Create(round_.getContext(), name, &round_); }
    Value* at(Value* base, std::uint64_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, offset); }
    Value* point_of(Value* frame) { return b_.CreateLoad(facts_.point().type, at(frame, facts_.point().offset)); }
    Value* field(std::size_t offset) { return at(control_, offset); }
    llvm::ConstantInt* answer(RoundEnd end) { return b_.getInt32(static_cast<std::uint32_t>(end)); }

    bool find() {
        segments_ = find_segments(resume_);
        std::size_t size = 0;
        for (const Segment& s : segments_) {
            for (const BasicBlock* original : s.originals)
                size += original->size();
            size += resume_.getEntryBlock().size();
        }
        constexpr std::size_t kMostMore = 2'000;
        if (segments_.empty() || size > resume_.getInstructionCount() + kMostMore) return false;
        return facts_.begin() && find_segment(*facts_.begin()) && facts_.thread_place() && pays() &&
               facts_.all_tell_points(resume_);
    }

    /// Whether the scheduler is spared anything.
    bool pays() {
        return llvm::any_of(segments_, [this](const Segment& s) {
            return llvm::any_of(facts_.ends_of(s.originals.getArrayRef(), resume_.getArg(0)),
                                [](const SegmentEnd& end) { return !end.is(Wait::done); });
        });
    }

    /// Slots on the stack are of the round.
    void take_slots() {
        b_.SetInsertPoint(entry_);
        for (llvm::Instruction& i : llvm::make_early_inc_range(resume_.getEntryBlock()))
            if (llvm::isa<llvm::AllocaInst>(i)) i.moveBefore(*entry_, entry_->end());
    }

    /// What all threads of a block have in common is computed once, in front of each segment's loop.
    void take_values_of_block() {
        const auto place = facts_.block_place();
        if (!place) return;
        b_.SetInsertPoint(entry_);
        block_ = b_.CreateLoad(b_.getPtrTy(), at(first_, *place));
        for (Segment& s : segments_) {
            for (BasicBlock* each : s.blocks)
                for (llvm::Instruction& i : llvm::make_early_inc_range(*each)) {
                    auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
                    if (!load || load->getType() != b_.getPtrTy() ||
                        bytes_behind(s.frame, load->getPointerOperand(), layout_) != place)
                        continue;
                    load->replaceAllUsesWith(block_);
                    load->eraseFromParent();
                }
            compute_once(s);
        }
    }

    void compute_once(Segment& s) {
        const llvm::SmallPtrSet<BasicBlock*, 32> inside(s.blocks.begin(), s.blocks.end());
        const auto is_outside = [&](const Value* value) {
            const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
            return !i || !inside.contains(i->getParent());
        };
        ValuesOfBlock values(block_, layout_);
        for (BasicBlock* each : llvm::ArrayRef(s.blocks).drop_front())
            for (llvm::Instruction& i : llvm::make_early_inc_range(*each)) {
                const auto* phi = llvm::dyn_cast<llvm::PHINode>(&i);
                if (Value* only = phi ? phi->hasConstantValue() : nullptr; only && is_outside(only)) {
                    i.replaceAllUsesWith(only);
                    i.eraseFromParent();
                } else if (llvm::all_of(i.operands(), is_outside) && values.has(i)) {
                    i.moveBefore(s.head->getTerminator());
                }
            }
    }

    /// Whether threads wait in front of it in a grid-stride loop.
    [[nodiscard]] bool is_behind_yield(const Segment& s) const {
        return llvm::any_of(segments_, [&](const Segment& from) {
            return llvm::any_of(from.ends, [&](const SegmentEnd& end) {
                return end.is(Wait::grid_stride) && end.point->getZExtValue() == s.point;
            });
        });
    }

    /// Of numbers in frames that are the same for all threads the first frame has those that count. When threads are
    /// resumed by themselves again, or may come to different ends, the others get them too.
    void share_slots() {
        if (!block_ || !facts_.thread_place()) return;
        std::vector<SegmentCode> code;
        code.reserve(segments_.size());
        for (const Segment& s : segments_)
            code.push_back({s.blocks, s.frame, s.ends, is_behind_yield(s)});
        const BlockSlots slots(std::move(code), start_, layout_);
        if (slots.types().empty()) return;
        slots_ = slots.types();
        for (std::size_t k = 0; k < segments_.size(); ++k) {
            Segment& s = segments_[k];
            s.ends_together = slots.ends_together(k);
            const auto loads = slots.loads(k);
            const auto stores = slots.stores(k);
            std::map<std::uint64_t, Value*> known;
            for (llvm::LoadInst* load : loads) {
                const std::uint64_t place = *bytes_behind(s.frame, load->getPointerOperand(), layout_);
                b_.SetInsertPoint(s.head->getTerminator());
                Value*& value = known[place];
                if (!value) value = b_.CreateLoad(load->getType(), at(first_, place));
                load->replaceAllUsesWith(value);
                load->eraseFromParent();
            }
            compute_once(s);
            if (!s.ends_together) continue;
            for (const BlockSlotStore& each : stores)
                share(s, each, llvm::count_if(stores, [&](const auto& o) { return o.place == each.place; }) == 1);
        }
    }

    /// Where only the end tells whether threads have executed the store, it is executed at the end, once.
    void share(Segment& s, const BlockSlotStore& each, bool only) {
        const auto* value = llvm::dyn_cast<llvm::Instruction>(each.store->getValueOperand());
        if (!only || each.ends.empty() || (value && llvm::is_contained(s.blocks, value->getParent()))) {
            b_.SetInsertPoint(each.store);
            each.store->setOperand(1, at(first_, each.place));
            return;
        }
        for (std::size_t k = 0; k < each.ends.size(); ++k)
            if (each.ends[k]) s.ends[k].slots.emplace_back(each.place, each.store->getValueOperand());
        each.store->eraseFromParent();
    }

    [[nodiscard]] bool tells_points(const Segment& s) const { return !s.has_one_end() && !s.ends_together; }

    void find_ends() {
        for (Segment& s : segments_)
            s.ends = known_ends(s);
        share_slots();
        for (Segment& s : segments_)
            for (SegmentEnd& end : s.ends) {
                for (llvm::StoreInst* store : end.ends)
                    store->eraseFromParent();
                // Of several ends the frames tell which it was.
                for (llvm::StoreInst* store : end.stores)
                    if (!tells_points(s) || !facts_.stores_point(*store, s.frame)) store->eraseFromParent();
            }
    }

    /// None where one goes on elsewhere, or asks for something else than another segment does at the same point.
    std::vector<SegmentEnd> known_ends(const Segment& s) {
        auto ends = facts_.ends_of(s.blocks, s.frame);
        const bool is_known = llvm::all_of(ends, [this](const SegmentEnd& end) {
            const std::uint64_t point = end.point->getZExtValue();
            const auto known = requests_.find(point);
            return (end.is(Wait::done) || find_segment(point)) &&
                   (known == requests_.end() || known->second == end.request);
        });
        if (!is_known) return {};
        for (const SegmentEnd& end : ends)
            requests_.emplace(end.point->getZExtValue(), end.request);
        return ends;
    }

    Segment* find_segment(std::uint64_t point) {
        const auto found =
            std::find_if(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.point == point; });
        return found == segments_.end() ? nullptr : &*found;
    }

    void make_entry() {
        BasicBlock* compare = make("compare");
        BasicBlock* begin = make("begin");
        BasicBlock* go = make("go");
        BasicBlock* nowhere = make("nowhere");
        b_.SetInsertPoint(entry_);
        Value* begins = b_.CreateLoad(b_.getInt32Ty(), field(offsetof(RoundControl, begins)));
        Value* first_point = point_of(first_);
        b_.CreateCondBr(b_.CreateIsNull(begins), compare, begin);
        b_.SetInsertPoint(begin);
        Value* known_point = b_.CreateSelect(b_.CreateICmpEQ(begins, b_.getInt32(1)),
                                             llvm::ConstantInt::get(facts_.point().type, *facts_.begin()), first_point);
        b_.CreateStore(b_.getInt32(0), field(offsetof(RoundControl, begins)));
        b_.CreateBr(go);
        // Do all wait at one point?
        BasicBlock* several = make("several");
        BasicBlock* gone = make("gone");
        b_.SetInsertPoint(compare);
        b_.CreateCondBr(b_.CreateICmpEQ(first_, last_), go, several);
        b_.SetInsertPoint(several);
        Value* answer = call("wl_round_apart", b_.getInt32Ty(), {first_, last_, stride_, control_, points_, &resume_});
        b_.CreateCondBr(b_.CreateICmpEQ(answer, b_.getInt32(kAtOnePoint)), go, gone);
        b_.SetInsertPoint(gone);
        b_.CreateRet(answer);

        b_.SetInsertPoint(go);
        llvm::PHINode* point = b_.CreatePHI(facts_.point().type, 3);
        point->addIncoming(known_point, begin);
        point->addIncoming(first_point, compare);
        point->addIncoming(first_point, several);
        llvm::SwitchInst* way = b_.CreateSwitch(point, nowhere, static_cast<unsigned>(segments_.size()));
        for (const Segment& s : segments_)
            way->addCase(llvm::ConstantInt::get(facts_.point().type, s.point), s.head);
        b_.SetInsertPoint(nowhere);
        b_.CreateUnreachable();
    }

    Value* call(const char* name, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
        llvm::SmallVector<llvm::Type*, 6> types;
        for (const Value* argument : arguments)
            types.push_back(argument->getType());
        const auto type = llvm::FunctionType::get(result, types, false);
        return b_.CreateCall(round_.getParent()->getOrInsertFunction(name, type), arguments);
    }

    void close(Segment& s) {
        BasicBlock* next = make("next");
        BasicBlock* more = make("more");
        BasicBlock* end = make("end");
        s.next = next, s.more = more, s.end = end;
        llvm::PHINode* which = s.ends_together && !s.has_one_end() ? tell_end(s, next) : nullptr;
        for (BasicBlock* block : s.blocks) {
            auto* leave = llvm::dyn_cast_or_null<llvm::ReturnInst>(block->getTerminator());
            if (!leave) continue;
            b_.SetInsertPoint(leave);
            b_.CreateBr(next);
            leave->eraseFromParent();
        }
        llvm::PHINode* differences = nullptr;
        Value* all = nullptr;
        if (tells_points(s)) {
            b_.SetInsertPoint(s.blocks.front(), s.blocks.front()->begin());
            differences = b_.CreatePHI(facts_.point().type, 2, "differences");
            differences->addIncoming(llvm::ConstantInt::get(facts_.point().type, 0), s.head);
        }
        b_.SetInsertPoint(next);
        if (differences) all = b_.CreateOr(differences, b_.CreateXor(point_of(s.frame), point_of(first_)));
        b_.CreateCondBr(b_.CreateICmpEQ(s.frame, last_), end, more);
        b_.SetInsertPoint(more);
        s.index->addIncoming(b_.CreateAdd(s.index, b_.getInt32(1)), more);
        s.frame->addIncoming(b_.CreateGEP(b_.getInt8Ty(), s.frame, stride_), more);
        b_.CreateBr(s.blocks.front());
        if (differences) differences->addIncoming(all, more);
        llvm::PHINode* last_which = nullptr;
        if (which) {
            b_.SetInsertPoint(end);
            last_which = b_.CreatePHI(which->getType(), 2);
            last_which->addIncoming(which, next);
        }
        leave_out_idle(s, which, last_which);
        b_.SetInsertPoint(end);
        if (s.ends.empty())
            b_.CreateRet(b_.CreateSelect(b_.CreateIsNull(all), answer(RoundEnd::alike), answer(RoundEnd::apart)));
        else if (s.has_one_end())
            go_on(s.ends.front(), end);
        else if (last_which)
            go_on_by(s, last_which, make_nowhere());
        else
            go_on_together(s, all);
    }

    /// Which end the code of a coroutine comes to, by point.
    llvm::PHINode* tell_end(Segment& s, BasicBlock* next) {
        b_.SetInsertPoint(next);
        llvm::PHINode* which = b_.CreatePHI(facts_.point().type, static_cast<unsigned>(s.ends.size()), "which");
        for (const SegmentEnd& end : s.ends)
            for (BasicBlock* block : end.blocks) {
                block->getTerminator()->eraseFromParent();
                b_.SetInsertPoint(block);
                b_.CreateBr(next);
                which->addIncoming(end.point, block);
            }
        // Nothing lay between them and the return.
        for (bool changes = true; std::exchange(changes, false);)
            for (std::size_t k = s.blocks.size(); k-- > 1;) {
                if (!llvm::pred_empty(s.blocks[k])) continue;
                s.blocks[k]->eraseFromParent();
                s.blocks.erase(s.blocks.begin() + static_cast<std::ptrdiff_t>(k));
                changes = true;
            }
        return which;
    }

    /// @param which, last_which which end a coroutine has come to, and the last one. Null: there is one
    void leave_out_idle(const Segment& s, const llvm::PHINode* which, llvm::PHINode* last_which) {
        if (!idle_ || (!s.has_one_end() && !which)) return;
        for (const IdleThreads::Way& way : idle_->find({s.blocks.front(), s.frame, s.index, s.next, s.blocks})) {
            if (!has_one_row_) {
                b_.SetInsertPoint(entry_->getTerminator());
                has_one_row_ = idle_->has_one_row(b_, last_);
            }
            Value* end = which ? which->getIncomingValueForBlock(way.last) : nullptr;
            BasicBlock* target = way.branch->getSuccessor(way.successor);
            BasicBlock* idle = make("idle");
            target->replacePhiUsesWith(way.branch->getParent(), idle);
            way.branch->setSuccessor(way.successor, idle);
            b_.SetInsertPoint(idle);
            Value* all_follow = has_one_row_;
            if (way.factor) {
                const auto limit = std::uint64_t{1} << IdleThreads::kFactorBits;
                Value* is_small = b_.CreateICmpULT(way.factor, llvm::ConstantInt::get(way.factor->getType(), limit));
                all_follow = b_.CreateAnd(all_follow, is_small);
            }
            b_.CreateCondBr(all_follow, s.end, target);
            if (last_which) last_which->addIncoming(end, idle);
        }
    }

    BasicBlock* make_nowhere() {
        BasicBlock* nowhere = make("nowhere");
        new llvm::UnreachableInst(nowhere->getContext(), nowhere);
        return nowhere;
    }

    /// Where a segment has several ends, and all threads have come to one.
    void go_on_together(const Segment& s, Value* differences) {
        BasicBlock* together = make("together");
        if (!apart_) apart_ = make("apart");
        b_.CreateCondBr(b_.CreateIsNull(differences), together, apart_);
        b_.SetInsertPoint(together);
        go_on_by(s, point_of(first_), apart_);
    }

    void go_on_by(const Segment& s, Value* point, BasicBlock* other) {
        llvm::SwitchInst* way = b_.CreateSwitch(point, other, static_cast<unsigned>(s.ends.size()));
        for (const SegmentEnd& end : s.ends) {
            BasicBlock* one = make("one");
            way->addCase(end.point, one);
            b_.SetInsertPoint(one);
            go_on(end, one);
        }
    }

    void go_on(const SegmentEnd& how, BasicBlock* end) {
        for (const auto& [place, value] : how.slots)
            b_.CreateStore(value, at(first_, place));
        if (how.is(Wait::done) && facts_.restarts()) {
            b_.CreateBr(next_block(how));
            return;
        }
        BasicBlock* from = end;
        if (how.is_plain_barrier()) {
            BasicBlock* on = make("on");
            from = make("out");
            Value* rounds = load_rounds();
            b_.CreateCondBr(b_.CreateIsNull(rounds), from, on);
            b_.SetInsertPoint(on);
            b_.CreateStore(b_.CreateSub(rounds, b_.getInt32(1)), field(offsetof(RoundControl, rounds)));
            Value* stops = load_stop();
            Segment& following = *find_segment(how.point->getZExtValue());
            BasicBlock* again = make("again");
            b_.CreateCondBr(b_.CreateIsNull(stops), again, from);
            b_.SetInsertPoint(again);
            if (!slots_.empty() && !following.ends_together) copy_slots(again);
            b_.CreateBr(following.head);
        }
        b_.SetInsertPoint(from);
        leave(how);
    }

    /// All wait at one point, which the scheduler has to know.
    void leave(const SegmentEnd& how) {
        if (!leave_) {
            leave_ = make("leave");
            left_point_ = llvm::IRBuilder<>(leave_).CreatePHI(b_.getInt32Ty(), 2);
        }
        left_point_->addIncoming(b_.getInt32(static_cast<std::uint32_t>(how.point->getZExtValue())),
                                 b_.GetInsertBlock());
        b_.CreateBr(leave_);
    }

    /// All threads of a block are done, and their frames are as new.
    BasicBlock* next_block(const SegmentEnd& how) {
        if (next_block_) return next_block_;
        const llvm::IRBuilder<>::InsertPointGuard guard(b_);
        next_block_ = make("done");
        BasicBlock* out = make("out");
        BasicBlock* on = make("on");
        BasicBlock* last = make("last");
        BasicBlock* another = make("another");
        BasicBlock* next = make("next_block");
        b_.SetInsertPoint(next_block_);
        b_.CreateCondBr(b_.CreateIsNull(load_rounds()), out, on);
        b_.SetInsertPoint(out);
        leave(how);
        b_.SetInsertPoint(on);
        Value* blocks = b_.CreateLoad(b_.getInt32Ty(), field(offsetof(RoundControl, blocks)));
        b_.CreateCondBr(b_.CreateIsNull(blocks), last, another);
        b_.SetInsertPoint(last);
        b_.CreateRet(answer(RoundEnd::done));
        b_.SetInsertPoint(another);
        b_.CreateCondBr(b_.CreateIsNull(load_stop()), next, last);
        b_.SetInsertPoint(next);
        b_.CreateStore(b_.CreateSub(blocks, b_.getInt32(1)), field(offsetof(RoundControl, blocks)));
        b_.CreateStore(b_.getInt32(0), field(offsetof(RoundControl, current)));
        Value* block = b_.CreateLoad(b_.getPtrTy(), field(offsetof(RoundControl, block)));
        Value* x = b_.CreateLoad(b_.getInt32Ty(), at(block, offsetof(BlockContext, ctaid)));
        Value* number = b_.CreateAdd(x, b_.getInt32(1));
        b_.CreateStore(number, at(block, offsetof(BlockContext, ctaid)));
        b_.CreateStore(number, at(block, offsetof(BlockContext, clusterid)));
        b_.CreateBr(find_segment(*facts_.begin())->head);
        return next_block_;
    }

    Value* load_rounds() { return b_.CreateLoad(b_.getInt32Ty(), field(offsetof(RoundControl, rounds))); }

    Value* load_stop() {
        Value* stop = b_.CreateLoad(b_.getPtrTy(), field(offsetof(RoundControl, stop)));
        return b_.CreateLoad(b_.getInt8Ty(), stop, true);
    }

    /// Write down where all wait, and for what.
    void make_ways_out() {
        const auto tell = [this](BasicBlock* block, Value* point, RoundEnd end) {
            b_.SetInsertPoint(block);
            call("wl_round_tell", b_.getVoidTy(), {first_, last_, stride_, points_, point});
            if (end == RoundEnd::alike && !slots_.empty()) copy_slots(block);
            b_.CreateRet(answer(end));
        };
        if (leave_) tell(leave_, left_point_, RoundEnd::alike);
        if (apart_) tell(apart_, b_.getInt32(kOwnPoint), RoundEnd::apart);
    }

    /// From the first frame to all. The code goes on behind it.
    void copy_slots(BasicBlock* from) {
        BasicBlock* loop = make("write");
        BasicBlock* end = make("end");
        b_.CreateBr(loop);
        b_.SetInsertPoint(loop);
        llvm::PHINode* frame = b_.CreatePHI(b_.getPtrTy(), 2);
        frame->addIncoming(first_, from);
        for (const auto& [place, type] : slots_)
            b_.CreateStore(b_.CreateLoad(type, at(first_, place)), at(frame, place));
        frame->addIncoming(b_.CreateGEP(b_.getInt8Ty(), frame, stride_), loop);
        b_.CreateCondBr(b_.CreateICmpEQ(frame, last_), end, loop);
        b_.SetInsertPoint(end);
    }

    /// WaitPoints.
    llvm::GlobalVariable* make_points() {
        const PointOfFrame& point = facts_.point();
        std::vector<std::uint32_t> words{static_cast<std::uint32_t>(*facts_.thread_place()),
                                         static_cast<std::uint32_t>(point.offset),
                                         static_cast<std::uint32_t>(layout_.getTypeStoreSize(point.type))};
        std::uint64_t numbers = 0;
        for (const auto& [number, request] : requests_) {
            words.resize(words.size() + kRequestFields.size() * (number - std::exchange(numbers, number + 1)));
            for (const llvm::ConstantInt* each : request)
                words.push_back(static_cast<std::uint32_t>(each->getZExtValue()));
        }
        llvm::Constant* value = llvm::ConstantDataArray::get(round_.getContext(), words);
        return new llvm::GlobalVariable(*round_.getParent(), value->getType(), true, llvm::GlobalValue::InternalLinkage,
                                        value, "wl_points");
    }

    void remove_originals() {
        std::vector<BasicBlock*> all;
        for (BasicBlock& block : resume_)
            all.push_back(&block);
        for (BasicBlock* block : all)
            block->dropAllReferences();
        for (BasicBlock* block : all)
            block->eraseFromParent();
    }

    llvm::Function& round_;
    llvm::Function& resume_;
    llvm::Function& start_;
    const FrameFacts facts_;
    const RowVectors* vectors_;
    const llvm::DataLayout& layout_;
    llvm::IRBuilder<> b_;
    Value *first_, *last_, *stride_, *control_;
    std::vector<Segment> segments_;
    std::optional<IdleThreads> idle_;
    Value* has_one_row_ = nullptr;
    Value* block_ = nullptr; ///< its context
    std::map<std::uint64_t, llvm::Type*> slots_;
    BasicBlock* entry_ = nullptr;
    std::map<std::uint64_t, WaitRequest> requests_; ///< by point
    llvm::GlobalVariable* points_ = nullptr;
    BasicBlock *leave_ = nullptr, *apart_ = nullptr, *next_block_ = nullptr; ///< once they are needed
    llvm::PHINode* left_point_ = nullptr;
};

} // namespace

bool loop_by_segments(llvm::Function& round, llvm::Function& resume, llvm::Function& start, const PointOfFrame& point,
                      const RowVectors* vectors) {
    return point.type && Segments(round, resume, start, point, vectors).run();
}

} // namespace warplight::jit
