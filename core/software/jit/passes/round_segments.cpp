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

#include "block_values.hpp"
#include "idle_threads.hpp"
#include "software/jit/abi/abi.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::jit {

using llvm::BasicBlock;
using llvm::Value;
using software::BlockContext;
using software::RoundControl;
using software::RoundEnd;
using software::ThreadContext;
using software::Wait;

static_assert(offsetof(RoundControl, current) == 0);

namespace {

/// What a thread that waits has told the scheduler.
constexpr std::array kRequestFields{offsetof(ThreadContext, wait), offsetof(ThreadContext, site),
                                    offsetof(ThreadContext, operation), offsetof(ThreadContext, mask),
                                    offsetof(ThreadContext, b)};
using Request = std::array<llvm::ConstantInt*, kRequestFields.size()>;

/// A way in which a segment ends.
struct End {
    llvm::ConstantInt* point = nullptr;
    Request request{};
    std::vector<llvm::StoreInst*> stores; ///< of all this
    std::vector<llvm::StoreInst*> ends;   ///< mark the frame as one that nobody resumes, which nobody does anyway

    [[nodiscard]] bool is(Wait wait) const { return request[0]->getZExtValue() == static_cast<std::uint64_t>(wait); }
    /// All go on as soon as the last one has come.
    [[nodiscard]] bool is_plain_barrier() const {
        return is(Wait::barrier) &&
               request[2]->getZExtValue() == static_cast<std::uint64_t>(software::BarrierOperation::sync) &&
               request[4]->isZero();
    }
};

struct Segment {
    std::uint64_t point = 0;
    BasicBlock* target = nullptr;           ///< in the function that resumes
    BasicBlock* head = nullptr;             ///< in front of the loop, once a block
    llvm::SetVector<BasicBlock*> originals; ///< what is reached from there
    std::vector<BasicBlock*> blocks;        ///< the copies, the loop's head first
    llvm::PHINode *frame = nullptr, *index = nullptr;
    BasicBlock *next = nullptr, *more = nullptr, *end = nullptr; ///< behind the code
    std::vector<End> ends;                                       ///< by point; empty: not all are known
    [[nodiscard]] bool has_one_end() const { return ends.size() == 1; }
};

class Segments {
public:
    Segments(llvm::Function& round, llvm::Function& resume, llvm::Function& start, const PointOfFrame& point,
             const RowVectors* vectors)
        : round_(round), resume_(resume), start_(start), point_(point), vectors_(vectors),
          layout_(resume.getParent()->getDataLayout()), b_(round.getContext()), first_(round.getArg(0)),
          last_(round.getArg(1)), stride_(round.getArg(2)), control_(round.getArg(3)) {}

    bool run() {
        if (!find()) return false;
        const auto place = thread_place();
        FrameSlots slots;
        if (vectors_ && place) slots = find_row_slots(resume_, start_, *place);
        entry_ = make("entry");
        for (Segment& s : segments_)
            copy(s);
        take_slots();
        take_values_of_block();
        find_ends();
        if (place) idle_.emplace(resume_, *place);
        make_entry();
        for (Segment& s : segments_)
            close(s);
        if (leave_) make_leave();
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
    Value* point_of(Value* frame) { return b_.CreateLoad(point_.type, at(frame, point_.offset)); }
    Value* field(std::size_t offset) { return at(control_, offset); }
    llvm::ConstantInt* answer(RoundEnd end) { return b_.getInt32(static_cast<std::uint32_t>(end)); }

    bool find() {
        auto* way = llvm::cast<llvm::SwitchInst>(resume_.getEntryBlock().getTerminator());
        std::size_t size = 0;
        for (const auto& each : way->cases()) {
            Segment s;
            s.point = each.getCaseValue()->getZExtValue();
            s.target = each.getCaseSuccessor();
            s.originals.insert(s.target);
            for (std::size_t k = 0; k < s.originals.size(); ++k) {
                for (BasicBlock* next : llvm::successors(s.originals[k]))
                    s.originals.insert(next);
                size += s.originals[k]->size();
            }
            size += way->getParent()->size();
            segments_.push_back(std::move(s));
        }
        constexpr std::size_t kMostMore = 2'000;
        if (segments_.empty() || size > resume_.getInstructionCount() + kMostMore) return false;
        return know_start() && all_tell_points();
    }

    /// What the function that makes a coroutine leaves in its frame. Whether the frame can serve the next block.
    bool know_start() {
        // Memory of a thread's stack is given back when a block begins anew.
        restarts_ = !resume_.getParent()->getFunction("wl_rt_stack_alloc");
        for (BasicBlock& block : start_)
            for (llvm::Instruction& i : block) {
                auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
                if (!store) continue;
                const Value* value = store->getValueOperand();
                llvm::APInt offset(64, 0);
                store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
                const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
                if (number && value->getType() == point_.type && offset.getZExtValue() == point_.offset)
                    begin_ = number->getZExtValue();
                const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
                const bool is_block = load && load->getPointerOperand() == start_.getArg(0);
                restarts_ &= llvm::isa<llvm::Constant>(value) || value == start_.getArg(0) || is_block;
            }
        return begin_ &&
               std::any_of(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.point == *begin_; });
    }

    [[nodiscard]] bool stores_point(const llvm::Instruction& i, const Value* frame) const {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
        return store && store->getValueOperand()->getType() == point_.type &&
               bytes_behind(frame, store->getPointerOperand(), layout_) == point_.offset;
    }

    /// Whether each way to a return passes a store of the point.
    [[nodiscard]] bool all_tell_points() const {
        llvm::SetVector<BasicBlock*> untold;
        untold.insert(&resume_.getEntryBlock());
        for (std::size_t k = 0; k < untold.size(); ++k) {
            if (llvm::any_of(*untold[k], [&](auto& i) { return stores_point(i, resume_.getArg(0)); })) continue;
            if (llvm::isa<llvm::ReturnInst>(untold[k]->getTerminator())) return false;
            for (BasicBlock* next : llvm::successors(untold[k]))
                untold.insert(next);
        }
        return true;
    }

    void copy(Segment& s) {
        llvm::ValueToValueMapTy map;
        BasicBlock* head = &resume_.getEntryBlock();
        const auto copy_block = [&](BasicBlock* original) {
            BasicBlock* made = llvm::CloneBasicBlock(original, map, "", &round_);
            map[original] = made;
            s.blocks.push_back(made);
        };
        // The frame is a phi in front of the head's copy.
        BasicBlock* loop = make("segment");
        s.head = make("head");
        b_.SetInsertPoint(s.head);
        b_.CreateBr(loop);
        b_.SetInsertPoint(loop);
        s.frame = b_.CreatePHI(b_.getPtrTy(), 2, "frame");
        s.index = b_.CreatePHI(b_.getInt32Ty(), 2, "index");
        s.frame->addIncoming(first_, s.head);
        s.index->addIncoming(b_.getInt32(0), s.head);
        map[resume_.getArg(0)] = s.frame;
        s.blocks.push_back(loop);
        copy_block(head);
        b_.CreateBr(s.blocks.back());
        for (llvm::Instruction& i : *head) {
            if (!llvm::isa<llvm::AllocaInst>(i)) continue;
            llvm::cast<llvm::Instruction>(map[&i])->eraseFromParent();
            map[&i] = &i; // of the round, not of each thread
        }
        for (BasicBlock* original : s.originals)
            copy_block(original);
        const auto blocks = llvm::ArrayRef(s.blocks).drop_front();
        for (BasicBlock* made : blocks)
            for (llvm::Instruction& i : *made)
                llvm::RemapInstruction(&i, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        auto* target = llvm::cast<BasicBlock>(map[s.target]);
        for (BasicBlock* made : blocks.drop_front())
            for (llvm::PHINode& phi : made->phis())
                drop_other_ways(phi, blocks.front(), made == target);
        blocks.front()->getTerminator()->eraseFromParent();
        b_.SetInsertPoint(blocks.front());
        b_.CreateBr(target);
    }

    /// Those from other segments, and from the head to them.
    void drop_other_ways(llvm::PHINode& phi, const BasicBlock* head, bool comes_from_head) {
        for (unsigned k = phi.getNumIncomingValues(); k-- > 0;) {
            const BasicBlock* from = phi.getIncomingBlock(k);
            const bool goes = from == head ? !std::exchange(comes_from_head, false) : from->getParent() == &resume_;
            if (goes) phi.removeIncomingValue(k, false);
        }
    }

    /// Slots on the stack are of the round.
    void take_slots() {
        b_.SetInsertPoint(entry_);
        for (llvm::Instruction& i : llvm::make_early_inc_range(resume_.getEntryBlock()))
            if (llvm::isa<llvm::AllocaInst>(i)) i.moveBefore(*entry_, entry_->end());
    }

    /// What all threads of a block have in common is computed once, in front of each segment's loop.
    void take_values_of_block() {
        const auto place = block_place();
        if (!place) return;
        b_.SetInsertPoint(entry_);
        Value* block = b_.CreateLoad(b_.getPtrTy(), at(first_, *place));
        for (Segment& s : segments_) {
            const llvm::SmallPtrSet<BasicBlock*, 32> inside(s.blocks.begin(), s.blocks.end());
            const auto is_outside = [&](const Value* value) {
                const auto* i = llvm::dyn_cast<llvm::Instruction>(value);
                return !i || !inside.contains(i->getParent());
            };
            ValuesOfBlock values(block, layout_);
            for (BasicBlock* each : s.blocks)
                for (llvm::Instruction& i : llvm::make_early_inc_range(*each)) {
                    auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
                    if (load && load->getType() == b_.getPtrTy() &&
                        bytes_behind(s.frame, load->getPointerOperand(), layout_) == place) {
                        load->replaceAllUsesWith(block);
                        load->eraseFromParent();
                    } else if (llvm::all_of(i.operands(), is_outside) && values.has(i)) {
                        i.moveBefore(s.head->getTerminator());
                    }
                }
        }
    }

    /// Where a frame has its block's context.
    std::optional<std::uint64_t> block_place() {
        for (BasicBlock& block : start_)
            for (llvm::Instruction& i : block) {
                auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
                const auto* load = store ? llvm::dyn_cast<llvm::LoadInst>(store->getValueOperand()) : nullptr;
                if (!load || load->getPointerOperand() != start_.getArg(0)) continue;
                llvm::APInt offset(64, 0);
                store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
                return offset.getZExtValue();
            }
        return std::nullopt;
    }

    void find_ends() {
        for (Segment& s : segments_)
            s.ends = ends_of(s);
        for (Segment& s : segments_)
            for (End& end : s.ends) {
                for (llvm::StoreInst* store : end.ends)
                    store->eraseFromParent();
                // Of several ends the frames tell which it was.
                for (llvm::StoreInst* store : end.stores)
                    if (s.has_one_end() || !stores_point(*store, s.frame)) store->eraseFromParent();
            }
    }

    std::vector<End> ends_of(const Segment& s) {
        std::vector<End> ends;
        for (BasicBlock* block : s.blocks)
            for (llvm::Instruction& i : *block) {
                if (!stores_point(i, s.frame)) continue;
                auto one = end_in(*block, llvm::cast<llvm::StoreInst>(i), s.frame);
                if (!one || (!one->is(Wait::done) && !find_segment(one->point->getZExtValue()))) return {};
                const auto known = llvm::find_if(ends, [&](const End& e) { return e.point == one->point; });
                if (known == ends.end()) {
                    ends.push_back(std::move(*one));
                    continue;
                }
                if (known->request != one->request) return {};
                known->stores.insert(known->stores.end(), one->stores.begin(), one->stores.end());
                known->ends.insert(known->ends.end(), one->ends.begin(), one->ends.end());
            }
        return ends;
    }

    /// From the block that stores the point. Behind it comes nothing but the return.
    std::optional<End> end_in(BasicBlock& block, llvm::StoreInst& point, const Value* frame) {
        End end;
        end.point = llvm::dyn_cast<llvm::ConstantInt>(point.getValueOperand());
        if (!end.point) return std::nullopt;
        const BasicBlock* behind = &block;
        while (const BasicBlock* next = behind->getSingleSuccessor()) {
            if (next->sizeWithoutDebug() != 1) return std::nullopt;
            behind = next;
        }
        if (!llvm::isa<llvm::ReturnInst>(behind->getTerminator())) return std::nullopt;
        end.stores.push_back(&point);
        for (llvm::Instruction& i : block) {
            if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i); call && !call->doesNotAccessMemory()) {
                const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(call);
                if (!known || !known->isLifetimeStartOrEnd()) {
                    end.request = {};
                    end.stores.assign(1, &point);
                    end.ends.clear();
                }
            }
            auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            if (!store || store == &point) continue;
            if (llvm::isa<llvm::ConstantPointerNull>(store->getValueOperand()) &&
                bytes_behind(frame, store->getPointerOperand(), layout_) == 0) {
                end.ends.push_back(store);
                continue;
            }
            const auto which = field_of_request(*store, frame);
            if (!which) continue;
            end.request[*which] = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
            if (!end.request[*which]) return std::nullopt;
            end.stores.push_back(store);
        }
        if (!end.request[0]) return std::nullopt;
        if (end.is(Wait::done) || end.is(Wait::grid_stride)) {
            for (llvm::ConstantInt*& each : llvm::MutableArrayRef(end.request).drop_front())
                if (!each || end.is(Wait::done)) each = b_.getInt32(0);
            return end;
        }
        if (!end.is(Wait::barrier) || llvm::is_contained(end.request, nullptr)) return std::nullopt;
        return end;
    }

    std::optional<std::size_t> field_of_request(llvm::StoreInst& store, const Value* frame) {
        if (!store.getValueOperand()->getType()->isIntegerTy(32)) return std::nullopt;
        llvm::APInt offset(64, 0);
        const auto* thread = llvm::dyn_cast<llvm::LoadInst>(
            store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true));
        if (!thread || store.getPointerAddressSpace() != 0) return std::nullopt;
        const auto place = bytes_behind(frame, thread->getPointerOperand(), layout_);
        if (!place || *place != thread_place()) return std::nullopt;
        const auto* found = llvm::find(kRequestFields, offset.getZExtValue());
        if (found == kRequestFields.end()) return std::nullopt;
        return static_cast<std::size_t>(found - kRequestFields.begin());
    }

    /// Where a frame has its thread's context.
    std::optional<std::uint64_t> thread_place() {
        if (thread_place_) return thread_place_;
        for (BasicBlock& block : start_)
            for (llvm::Instruction& i : block)
                if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
                    store && store->getValueOperand() == start_.getArg(0)) {
                    llvm::APInt offset(64, 0);
                    store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
                    thread_place_ = offset.getZExtValue();
                }
        return thread_place_;
    }

    Segment* find_segment(std::uint64_t point) {
        const auto found =
            std::find_if(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.point == point; });
        return found == segments_.end() ? nullptr : &*found;
    }

    void make_entry() {
        BasicBlock* compare = make("compare");
        BasicBlock* more = make("more");
        BasicBlock* compared = make("compared");
        BasicBlock* begin = make("begin");
        BasicBlock* go = make("go");
        BasicBlock* nowhere = make("nowhere");
        b_.SetInsertPoint(entry_);
        Value* begins = b_.CreateLoad(b_.getInt32Ty(), field(offsetof(RoundControl, begins)));
        Value* first_point = point_of(first_);
        b_.CreateCondBr(b_.CreateIsNull(begins), compare, begin);
        b_.SetInsertPoint(begin);
        Value* known_point = b_.CreateSelect(b_.CreateICmpEQ(begins, b_.getInt32(1)),
                                             llvm::ConstantInt::get(point_.type, *begin_), first_point);
        b_.CreateStore(b_.getInt32(0), field(offsetof(RoundControl, begins)));
        b_.CreateBr(go);
        // Do all wait at one point?
        b_.SetInsertPoint(compare);
        b_.CreateBr(more);
        b_.SetInsertPoint(more);
        llvm::PHINode* frame = b_.CreatePHI(b_.getPtrTy(), 2);
        llvm::PHINode* differences = b_.CreatePHI(point_.type, 2);
        Value* all = b_.CreateOr(differences, b_.CreateXor(point_of(frame), first_point));
        Value* next = b_.CreateGEP(b_.getInt8Ty(), frame, stride_);
        frame->addIncoming(first_, compare);
        frame->addIncoming(next, more);
        differences->addIncoming(llvm::ConstantInt::get(point_.type, 0), compare);
        differences->addIncoming(all, more);
        b_.CreateCondBr(b_.CreateICmpEQ(frame, last_), compared, more);
        BasicBlock* apart = make("apart");
        b_.SetInsertPoint(compared);
        b_.CreateCondBr(b_.CreateIsNull(all), go, apart);
        resume_each(apart);

        b_.SetInsertPoint(go);
        llvm::PHINode* point = b_.CreatePHI(point_.type, 2);
        point->addIncoming(known_point, begin);
        point->addIncoming(first_point, compared);
        llvm::SwitchInst* way = b_.CreateSwitch(point, nowhere, static_cast<unsigned>(segments_.size()));
        for (const Segment& s : segments_)
            way->addCase(llvm::ConstantInt::get(point_.type, s.point), s.head);
        b_.SetInsertPoint(nowhere);
        b_.CreateUnreachable();
    }

    /// They wait at several points: each is resumed by itself.
    void resume_each(BasicBlock* apart) {
        BasicBlock* loop = make("each");
        BasicBlock* end = make("end");
        b_.SetInsertPoint(apart);
        b_.CreateBr(loop);
        b_.SetInsertPoint(loop);
        llvm::PHINode* frame = b_.CreatePHI(b_.getPtrTy(), 2);
        llvm::PHINode* index = b_.CreatePHI(b_.getInt32Ty(), 2);
        llvm::PHINode* differences = b_.CreatePHI(point_.type, 2);
        b_.CreateStore(index, field(offsetof(RoundControl, current)));
        b_.CreateCall(&resume_, {frame})->setCallingConv(resume_.getCallingConv());
        Value* all = b_.CreateOr(differences, b_.CreateXor(point_of(frame), point_of(first_)));
        frame->addIncoming(first_, apart);
        frame->addIncoming(b_.CreateGEP(b_.getInt8Ty(), frame, stride_), loop);
        index->addIncoming(b_.getInt32(0), apart);
        index->addIncoming(b_.CreateAdd(index, b_.getInt32(1)), loop);
        differences->addIncoming(llvm::ConstantInt::get(point_.type, 0), apart);
        differences->addIncoming(all, loop);
        b_.CreateCondBr(b_.CreateICmpEQ(frame, last_), end, loop);
        b_.SetInsertPoint(end);
        b_.CreateRet(b_.CreateSelect(b_.CreateIsNull(all), answer(RoundEnd::alike), answer(RoundEnd::apart)));
    }

    void close(Segment& s) {
        BasicBlock* next = make("next");
        BasicBlock* more = make("more");
        BasicBlock* end = make("end");
        s.next = next, s.more = more, s.end = end;
        for (BasicBlock* block : s.blocks) {
            auto* leave = llvm::dyn_cast_or_null<llvm::ReturnInst>(block->getTerminator());
            if (!leave) continue;
            b_.SetInsertPoint(leave);
            b_.CreateBr(next);
            leave->eraseFromParent();
        }
        llvm::PHINode* differences = nullptr;
        Value* all = nullptr;
        if (!s.has_one_end()) {
            b_.SetInsertPoint(s.blocks.front(), s.blocks.front()->begin());
            differences = b_.CreatePHI(point_.type, 2, "differences");
            differences->addIncoming(llvm::ConstantInt::get(point_.type, 0), s.head);
        }
        b_.SetInsertPoint(next);
        if (differences) all = b_.CreateOr(differences, b_.CreateXor(point_of(s.frame), point_of(first_)));
        b_.CreateCondBr(b_.CreateICmpEQ(s.frame, last_), end, more);
        b_.SetInsertPoint(more);
        s.index->addIncoming(b_.CreateAdd(s.index, b_.getInt32(1)), more);
        s.frame->addIncoming(b_.CreateGEP(b_.getInt8Ty(), s.frame, stride_), more);
        b_.CreateBr(s.blocks.front());
        if (differences) differences->addIncoming(all, more);
        leave_out_idle(s, next, end);
        b_.SetInsertPoint(end);
        if (s.ends.empty())
            b_.CreateRet(b_.CreateSelect(b_.CreateIsNull(all), answer(RoundEnd::alike), answer(RoundEnd::apart)));
        else if (s.has_one_end())
            go_on(s.ends.front(), end);
        else
            go_on_together(s, all);
    }

    void leave_out_idle(const Segment& s, BasicBlock* next, BasicBlock* end) {
        if (!s.has_one_end() || !idle_) return;
        const IdleThreads::Way way = idle_->find({s.blocks.front(), s.frame, s.index, next});
        if (!way.branch) return;
        if (!has_one_row_) {
            b_.SetInsertPoint(entry_->getTerminator());
            has_one_row_ = idle_->has_one_row(b_, last_);
        }
        BasicBlock* target = way.branch->getSuccessor(way.successor);
        BasicBlock* idle = make("idle");
        target->replacePhiUsesWith(way.branch->getParent(), idle);
        way.branch->setSuccessor(way.successor, idle);
        b_.SetInsertPoint(idle);
        b_.CreateCondBr(has_one_row_, end, target);
    }

    /// Where a segment has several ends, and all threads have come to one.
    void go_on_together(const Segment& s, Value* differences) {
        BasicBlock* together = make("together");
        BasicBlock* apart = make("apart");
        b_.CreateCondBr(b_.CreateIsNull(differences), together, apart);
        tell_each(s, apart);
        b_.SetInsertPoint(together);
        llvm::SwitchInst* way = b_.CreateSwitch(point_of(first_), apart, static_cast<unsigned>(s.ends.size()));
        for (const End& end : s.ends) {
            BasicBlock* one = make("one");
            way->addCase(end.point, one);
            b_.SetInsertPoint(one);
            go_on(end, one);
        }
    }

    /// Writes down for what each waits, by the point in its frame.
    void tell_each(const Segment& s, BasicBlock* apart) {
        BasicBlock* loop = make("tell");
        BasicBlock* told = make("told");
        BasicBlock* end = make("end");
        BasicBlock* nowhere = make("nowhere");
        b_.SetInsertPoint(apart);
        b_.CreateBr(loop);
        b_.SetInsertPoint(loop);
        llvm::PHINode* frame = b_.CreatePHI(b_.getPtrTy(), 2);
        frame->addIncoming(first_, apart);
        Value* thread = b_.CreateLoad(b_.getPtrTy(), at(frame, *thread_place()));
        llvm::SwitchInst* way = b_.CreateSwitch(point_of(frame), nowhere, static_cast<unsigned>(s.ends.size()));
        for (const End& each : s.ends) {
            BasicBlock* one = make("one");
            way->addCase(each.point, one);
            b_.SetInsertPoint(one);
            for (std::size_t k = 0; k < each.request.size(); ++k)
                b_.CreateStore(each.request[k], at(thread, kRequestFields[k]));
            b_.CreateBr(told);
        }
        b_.SetInsertPoint(told);
        frame->addIncoming(b_.CreateGEP(b_.getInt8Ty(), frame, stride_), told);
        b_.CreateCondBr(b_.CreateICmpEQ(frame, last_), end, loop);
        b_.SetInsertPoint(end);
        b_.CreateRet(answer(RoundEnd::apart));
        b_.SetInsertPoint(nowhere);
        b_.CreateUnreachable();
    }

    void go_on(const End& how, BasicBlock* end) {
        BasicBlock* from = end;
        const bool ends = how.is(Wait::done) && restarts_;
        if (how.is_plain_barrier() || ends) {
            BasicBlock* on = make("on");
            from = make("out");
            Value* rounds = b_.CreateLoad(b_.getInt32Ty(), field(offsetof(RoundControl, rounds)));
            b_.CreateCondBr(b_.CreateIsNull(rounds), from, on);
            b_.SetInsertPoint(on);
            if (ends) {
                go_on_to_next_block();
            } else {
                b_.CreateStore(b_.CreateSub(rounds, b_.getInt32(1)), field(offsetof(RoundControl, rounds)));
                Value* stops = load_stop();
                Segment& following = *find_segment(how.point->getZExtValue());
                BasicBlock* again = make("again");
                b_.CreateCondBr(b_.CreateIsNull(stops), again, from);
                b_.SetInsertPoint(again);
                b_.CreateBr(following.head);
            }
        }
        if (!leave_) {
            leave_ = make("leave");
            llvm::IRBuilder<> leaving(leave_);
            left_point_ = leaving.CreatePHI(point_.type, 2);
            for (llvm::PHINode*& each : left_request_)
                each = leaving.CreatePHI(leaving.getInt32Ty(), 2);
        }
        b_.SetInsertPoint(from);
        b_.CreateBr(leave_);
        left_point_->addIncoming(how.point, from);
        for (std::size_t k = 0; k < left_request_.size(); ++k)
            left_request_[k]->addIncoming(how.request[k], from);
    }

    /// All threads of a block are done, and their frames are as new.
    void go_on_to_next_block() {
        BasicBlock* last = make("last");
        BasicBlock* another = make("another");
        BasicBlock* next = make("next_block");
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
        b_.CreateBr(find_segment(*begin_)->head);
    }

    Value* load_stop() {
        Value* stop = b_.CreateLoad(b_.getPtrTy(), field(offsetof(RoundControl, stop)));
        return b_.CreateLoad(b_.getInt8Ty(), stop, true);
    }

    /// Writes down where all wait, and for what.
    void make_leave() {
        BasicBlock* loop = make("write");
        BasicBlock* end = make("left");
        b_.SetInsertPoint(leave_);
        b_.CreateBr(loop);
        b_.SetInsertPoint(loop);
        llvm::PHINode* frame = b_.CreatePHI(b_.getPtrTy(), 2);
        Value* thread = b_.CreateLoad(b_.getPtrTy(), at(frame, *thread_place()));
        for (std::size_t k = 0; k < left_request_.size(); ++k)
            b_.CreateStore(left_request_[k], at(thread, kRequestFields[k]));
        b_.CreateStore(left_point_, at(frame, point_.offset));
        frame->addIncoming(first_, leave_);
        frame->addIncoming(b_.CreateGEP(b_.getInt8Ty(), frame, stride_), loop);
        b_.CreateCondBr(b_.CreateICmpEQ(frame, last_), end, loop);
        b_.SetInsertPoint(end);
        b_.CreateRet(answer(RoundEnd::alike));
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
    const PointOfFrame point_;
    const RowVectors* vectors_;
    const llvm::DataLayout& layout_;
    llvm::IRBuilder<> b_;
    Value *first_, *last_, *stride_, *control_;
    std::vector<Segment> segments_;
    std::optional<std::uint64_t> begin_, thread_place_;
    std::optional<IdleThreads> idle_;
    Value* has_one_row_ = nullptr;
    bool restarts_ = false; ///< a frame is as new when its thread is done
    BasicBlock* entry_ = nullptr;
    BasicBlock* leave_ = nullptr;
    llvm::PHINode* left_point_ = nullptr;
    std::array<llvm::PHINode*, kRequestFields.size()> left_request_{};
};

} // namespace

bool loop_by_segments(llvm::Function& round, llvm::Function& resume, llvm::Function& start, const PointOfFrame& point,
                      const RowVectors* vectors) {
    return point.type && Segments(round, resume, start, point, vectors).run();
}

} // namespace warplight::jit
