// SPDX-License-Identifier: Apache-2.0
// Loop mode. The runtime calls this for each block:
//
//     void wl_block(BlockContext* block) {
//         int misaligned = 0;
//         for (z …) for (y …) for (x …; x += lanes of a vector)
//             misaligned |= kernel(block, x, y, z, linear number of the thread);
//         if (misaligned) wl_rt_misaligned(block, …);
//     }
//
// Where blocks are joined, their rows take turns: between y and x there is a loop over the blocks, and the kernel gets
// the block's number. The context has it too, for the fault of a thread. Of a kernel that has turns
// (front/stride_turns), each of these rows does a turn after the other, as long as a thread says that it goes on.
// Where a thread says that all behind it do nothing, its row ends, or all rows do (lanes/idle_rows).
//
// The fault comes behind the loops so that they have one way out: LLVM makes vectors of such loops only.
#include "frame.hpp"
#include "software/jit/ir_conventions.hpp"
#include "thread_place.hpp"

#include <llvm/IR/MDBuilder.h>

#include <array>
#include <cstddef>

namespace warplight::jit {

using llvm::Value;

namespace {

class BlockLoop : Frame {
public:
    explicit BlockLoop(Unit& unit)
        : Frame(unit), f_(llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, false),
                                                 llvm::Function::ExternalLinkage, kBlockSymbol, *unit.ir)),
          block_(f_->getArg(0)) {}

    void emit() {
        describe_as_kernel(f_);
        llvm::BasicBlock* entry = make("entry");
        b_.SetInsertPoint(entry);
        llvm::LoadInst* launch = load_field(block_, offsetof(software::BlockContext, launch), b_.getPtrTy());
        mark_object(launch, context_, sizeof(software::LaunchContext));
        llvm::AllocaInst* misaligned = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "misaligned");
        b_.CreateStore(b_.getInt32(0), misaligned);
        load_extents(launch);
        if (unit_.joins_blocks) load_joined();
        if (unit_.loops_in_rows) next_x_ = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "next_x");
        if (unit_.has_turns) goes_on_ = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "goes_on");
        if (unit_.leaves_idle_rows) make_idle_flags();
        Value* linear = open_loops(entry);
        llvm::Function* body = unit_.functions.at(unit_.kernel).plain;
        llvm::SmallVector<Value*> arguments{block_, index_[0], index_[1], index_[2], linear};
        if (joined_) arguments.push_back(number_);
        if (idle_row_) enter_row(arguments);
        if (goes_on_) arguments.append({turn_, goes_on_});
        if (next_x_) arguments.push_back(next_x_);
        llvm::CallInst* call = b_.CreateCall(body, arguments);
        b_.CreateStore(b_.CreateOr(b_.CreateLoad(b_.getInt32Ty(), misaligned), call), misaligned);
        close_loops();
        fault_if(b_.CreateLoad(b_.getInt32Ty(), misaligned));
        b_.CreateRetVoid();
        move_body_to(call);
        body->eraseFromParent();
        unit_.functions.erase(unit_.kernel);
    }

private:
    llvm::BasicBlock* make(const char* name) { return llvm::BasicBlock::Create(context_, name, f_); }

    void load_extents(Value* launch) {
        constexpr std::uint64_t kLimits[3] = {1025, 1025, 65};
        for (unsigned axis = 0; axis < 3; ++axis) {
            llvm::LoadInst* extent =
                load_field(launch, offsetof(software::LaunchContext, ntid) + 4 * axis, b_.getInt32Ty());
            extent->setMetadata(llvm::LLVMContext::MD_range, llvm::MDBuilder(context_).createRange(
                                                                 llvm::APInt(32, 1), llvm::APInt(32, kLimits[axis])));
            extent_[axis] = extent;
        }
    }

    void load_joined() {
        const auto load = [&](std::size_t offset) {
            return b_.CreateLoad(b_.getInt32Ty(), b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block_, offset));
        };
        llvm::LoadInst* first = load(offsetof(software::BlockContext, ctaid));
        constexpr std::uint32_t kMostBlocks = 0x7fffffff;
        first->setMetadata(llvm::LLVMContext::MD_range,
                           llvm::MDBuilder(context_).createRange(llvm::APInt(32, 0), llvm::APInt(32, kMostBlocks)));
        first_ = first;
        joined_ = load(offsetof(software::BlockContext, joined));
    }

    /// Answers the block's index.
    llvm::PHINode* open_loop_over_blocks(llvm::BasicBlock* from) {
        joined_head_ = make("block");
        b_.CreateBr(joined_head_);
        b_.SetInsertPoint(joined_head_);
        llvm::PHINode* index = b_.CreatePHI(b_.getInt32Ty(), 2);
        index->addIncoming(b_.getInt32(0), from);
        number_ = b_.CreateAdd(first_, index, "", true, true);
        Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block_, offsetof(software::BlockContext, ctaid));
        // As a fault may end the loop, no pass may move the store behind it. After a volatile one nothing could be
        // hoisted.
        b_.CreateStore(number_, at)->setAtomic(llvm::AtomicOrdering::Monotonic);
        return index;
    }

    // --- idle rows (emit/lanes/idle_rows)

    void make_idle_flags() {
        idle_row_ = b_.CreateAlloca(b_.getInt1Ty(), nullptr, "idle_row");
        idle_rows_ = b_.CreateAlloca(b_.getInt1Ty(), nullptr, "idle_rows");
        if (joined_) last_block_ = b_.CreateSub(b_.CreateAdd(first_, joined_), b_.getInt32(1));
    }
    void enter_row(llvm::SmallVectorImpl<Value*>& arguments) {
        b_.CreateStore(b_.getFalse(), idle_row_);
        b_.CreateStore(b_.getFalse(), idle_rows_);
        if (joined_) arguments.push_back(last_block_);
        arguments.append({idle_row_, idle_rows_});
    }
    /// Leaves loops at their end, if it is so. Answers where.
    llvm::BasicBlock* leave_if(llvm::AllocaInst* flag) {
        if (!flag) return nullptr;
        llvm::BasicBlock* idle = make("idle");
        llvm::BasicBlock* busy = make("busy");
        b_.CreateCondBr(b_.CreateLoad(b_.getInt1Ty(), flag), idle, busy);
        b_.SetInsertPoint(busy);
        return idle;
    }
    void arrive(llvm::BasicBlock* idle) {
        if (!idle) return;
        b_.CreateBr(idle);
        b_.SetInsertPoint(idle);
    }

    llvm::BasicBlock* open_loop_over_turns(llvm::BasicBlock* from) {
        llvm::BasicBlock* head = make("turn");
        b_.CreateBr(head);
        b_.SetInsertPoint(head);
        turn_ = b_.CreatePHI(b_.getInt32Ty(), 2);
        turn_->addIncoming(b_.getInt32(0), from);
        b_.CreateStore(b_.getInt32(0), goes_on_);
        return head;
    }

    void close_loop_over_turns() {
        turn_->addIncoming(b_.CreateAdd(turn_, b_.getInt32(1)), b_.GetInsertBlock());
        llvm::BasicBlock* rest = make("rest");
        b_.CreateCondBr(b_.CreateIsNotNull(b_.CreateLoad(b_.getInt32Ty(), goes_on_)), turn_->getParent(), rest);
        b_.SetInsertPoint(rest);
    }

    void close_loop_over_blocks() {
        Value* next = b_.CreateAdd(joined_index_, b_.getInt32(1), "", true, true);
        joined_index_->addIncoming(next, b_.GetInsertBlock());
        llvm::BasicBlock* rest = make("rest");
        b_.CreateCondBr(b_.CreateICmpULT(next, joined_), joined_head_, rest);
        b_.SetInsertPoint(rest);
    }

    /// z, y, x: from the outermost to the innermost. Every extent is at least 1. Answers the thread's linear number.
    Value* open_loops(llvm::BasicBlock* from) {
        Value* linear = nullptr;
        for (int axis = 2; axis >= 0; --axis) {
            if (axis == 0 && joined_) {
                if (goes_on_) from = open_loop_over_turns(from);
                joined_index_ = open_loop_over_blocks(from);
                from = joined_head_;
            }
            head_[axis] = make(axis == 2 ? "z" : axis == 1 ? "y" : "x");
            b_.CreateBr(head_[axis]);
            b_.SetInsertPoint(head_[axis]);
            llvm::PHINode* index = b_.CreatePHI(b_.getInt32Ty(), 2);
            index->addIncoming(b_.getInt32(0), from);
            index_[axis] = index;
            from = head_[axis];
            if (axis == 2)
                linear = index;
            else
                linear = b_.CreateAdd(b_.CreateMul(linear, extent_[axis], "", true, true), index, "", true, true);
        }
        return linear;
    }

    void close_loops() {
        for (int axis = 0; axis < 3; ++axis) {
            llvm::BasicBlock* idle = axis < 2 ? leave_if(axis == 0 ? idle_row_ : idle_rows_) : nullptr;
            const unsigned step = axis == 0 && unit_.lanes ? unit_.options.width : 1;
            Value* next = axis == 0 && next_x_ ? b_.CreateLoad(b_.getInt32Ty(), next_x_)
                                               : b_.CreateAdd(index_[axis], b_.getInt32(step), "", true, true);
            index_[axis]->addIncoming(next, b_.GetInsertBlock());
            llvm::BasicBlock* rest = make("rest");
            llvm::BranchInst* back = b_.CreateCondBr(b_.CreateICmpULT(next, extent_[axis]), head_[axis], rest);
            if (axis == 0 && unit_.access_group && !unit_.lanes) mark_parallel(back);
            if (unit_.lanes && axis < 2 && !joined_ && !next_x_) {
                auto* number = llvm::ConstantAsMetadata::get(b_.getInt32(static_cast<std::uint32_t>(axis)));
                back->setMetadata(kAxisMetadata, llvm::MDNode::get(context_, number));
            }
            b_.SetInsertPoint(rest);
            if (axis == 0 && joined_) close_loop_over_blocks();
            if (axis == 0 && goes_on_) close_loop_over_turns();
            arrive(idle);
        }
    }

    /// Threads that do not wait cannot order their accesses, so accesses of different threads do not depend on each
    /// other: the loop is parallel. As vectors it is wide enough; unrolling the rest would only cost time.
    void mark_parallel(llvm::BranchInst* back) {
        auto* accesses = llvm::MDNode::get(
            context_, {llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), unit_.access_group});
        auto* rolled = llvm::MDNode::get(context_, llvm::MDString::get(context_, "llvm.loop.unroll.disable"));
        auto placeholder = llvm::MDNode::getTemporary(context_, {});
        llvm::MDNode* id = llvm::MDNode::getDistinct(context_, {placeholder.get(), accesses, rolled});
        id->replaceOperandWith(0, id);
        back->setMetadata(llvm::LLVMContext::MD_loop, id);
    }

    void fault_if(Value* misaligned) {
        llvm::BasicBlock* fault = make("fault");
        llvm::BasicBlock* done = make("done");
        b_.CreateCondBr(b_.CreateIsNull(misaligned), done, fault);
        b_.SetInsertPoint(fault);
        auto* i32 = b_.getInt32Ty();
        b_.CreateCall(
              unit_.external("wl_rt_misaligned", b_.getVoidTy(), {b_.getPtrTy(), i32, i32, b_.getInt64Ty(), i32}),
              {block_, b_.getInt32(~0u), b_.getInt32(~0u), b_.getInt64(0), b_.getInt32(0)})
            ->setDoesNotReturn();
        b_.CreateUnreachable();
        b_.SetInsertPoint(done);
    }

    llvm::Function* f_;
    Value* block_;
    Value* first_ = nullptr;  ///< of joined blocks: ctaid.x
    Value* joined_ = nullptr; ///< how many there are; null: one
    Value* number_ = nullptr; ///< ctaid.x of the block whose row is done
    llvm::BasicBlock* joined_head_ = nullptr;
    llvm::PHINode* joined_index_ = nullptr;
    llvm::AllocaInst* goes_on_ = nullptr; ///< of a kernel that has turns
    /// Of a kernel that leaves idle rows: whether all threads behind in the row do nothing, or in the rows behind.
    llvm::AllocaInst *idle_row_ = nullptr, *idle_rows_ = nullptr;
    Value* last_block_ = nullptr;
    llvm::PHINode* turn_ = nullptr;
    llvm::AllocaInst* next_x_ = nullptr; ///< of a kernel whose code goes on to the next vectors by itself
    std::array<Value*, 3> extent_{};
    std::array<llvm::BasicBlock*, 3> head_{};
    std::array<llvm::PHINode*, 3> index_{};
};

} // namespace

void emit_block_loop(Unit& unit) { BlockLoop(unit).emit(); }

} // namespace warplight::jit
