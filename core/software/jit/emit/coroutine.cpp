// SPDX-License-Identifier: Apache-2.0
// Coroutine mode. Every thread is a coroutine of LLVM, which makes a frame and a function that resumes of
//
//     void* wl_thread(ThreadContext* thread) {
//         frame = wl_rt_frame_alloc(block, size);
//         suspend;                     // made for all threads before any runs
//         kernel(thread);              // with a suspension wherever a marker stands
//         thread->wait = done;
//         suspend for good;
//         wl_rt_frame_free(block, frame, size);
//     }
//
// Suspensions must be in the coroutine itself. So the kernel's code moves into it, and functions that wait are inlined.
// A recursive function that waits cannot be: it is a coroutine of its own, run by its caller.
#include "frame.hpp"
#include "software/jit/emit/emit_error.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>
#include <set>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

/// The kernel and functions that wait: all that becomes part of a coroutine.
std::set<llvm::Function*> waiting_bodies(const Unit& unit) {
    std::set<llvm::Function*> bodies;
    for (const auto& [id, emitted] : unit.functions)
        if (unit.analysis.functions[id].waits || id == unit.kernel) bodies.insert(emitted.plain);
    return bodies;
}

void inline_call(llvm::CallInst* call) {
    llvm::InlineFunctionInfo info;
    const llvm::InlineResult result = llvm::InlineFunction(*call, info);
    if (!result.isSuccess()) throw EmitError(std::string("cannot inline: ") + result.getFailureReason());
}

class Coroutine : Frame {
public:
    Coroutine(Unit& unit, ptx::FunctionId id, const EmittedFunction& emitted)
        : Frame(unit), f_(emitted.coroutine), plain_(emitted.plain), is_kernel_(id == unit.kernel),
          thread_(f_->getArg(0)) {}

    void emit() {
        if (is_kernel_)
            describe_as_kernel(f_);
        else
            describe();
        f_->setPresplitCoroutine();
        llvm::BasicBlock* entry = make("entry");
        llvm::BasicBlock* start = make("start");
        cleanup_ = make("cleanup");
        llvm::BasicBlock* release = make("release");
        leave_ = make("leave");
        llvm::BasicBlock* dead = make("dead");

        b_.SetInsertPoint(entry);
        make_frame();
        suspend(false, start);
        b_.SetInsertPoint(start);
        llvm::CallInst* body = run_body();
        suspend(true, dead);
        b_.SetInsertPoint(dead);
        b_.CreateUnreachable();
        free_frame(release);

        if (is_kernel_)
            move_body_to(body);
        else
            inline_call(body);
        inline_waiting_calls();
        lower_markers();
    }

private:
    llvm::BasicBlock* make(const char* name) { return llvm::BasicBlock::Create(context_, name, f_); }
    Value* intrinsic(Intrinsic::ID id, llvm::ArrayRef<Type*> types, llvm::ArrayRef<Value*> arguments) {
        return b_.CreateIntrinsic(id, types, arguments);
    }
    Value* frame_size() { return intrinsic(Intrinsic::coro_size, {b_.getInt64Ty()}, {}); }

    void describe() { b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, 0, 0, unit_.describe(*f_))); }

    void make_frame() {
        auto* ptr = b_.getPtrTy();
        Value* null = llvm::ConstantPointerNull::get(ptr);
        // Frames are aligned as the runtime's arena makes them.
        token_ = intrinsic(Intrinsic::coro_id, {}, {b_.getInt32(software::kFrameAlignment), null, null, null});
        Value* size = frame_size();
        block_ = b_.CreateLoad(ptr, thread_, "block");
        block_->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        Value* memory = b_.CreateCall(unit_.external("wl_rt_frame_alloc", ptr, {ptr, b_.getInt64Ty()}), {block_, size});
        handle_ = intrinsic(Intrinsic::coro_begin, {}, {token_, memory});
    }

    void suspend(bool final, llvm::BasicBlock* resume) {
        Value* none = llvm::ConstantTokenNone::get(context_);
        switch_on(b_.CreateIntrinsic(Intrinsic::coro_suspend, {}, {none, b_.getInt1(final)}), resume);
    }
    void switch_on(Value* state, llvm::BasicBlock* resume) {
        llvm::SwitchInst* way = b_.CreateSwitch(state, leave_, 2);
        way->addCase(b_.getInt8(0), resume);
        way->addCase(b_.getInt8(1), cleanup_);
    }

    llvm::CallInst* run_body() {
        std::vector<Value*> arguments{thread_};
        for (unsigned k = 2; k < f_->arg_size(); ++k)
            arguments.push_back(f_->getArg(k));
        llvm::CallInst* body = b_.CreateCall(plain_, arguments);
        if (is_kernel_) {
            constexpr std::size_t wait = offsetof(software::ThreadContext, wait);
            b_.CreateStore(b_.getInt32(static_cast<std::uint32_t>(software::Wait::done)),
                           b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), thread_, wait));
        } else {
            b_.CreateStore(b_.CreateZExt(body, b_.getInt8Ty()), f_->getArg(1));
        }
        return body;
    }

    void free_frame(llvm::BasicBlock* release) {
        auto* ptr = b_.getPtrTy();
        b_.SetInsertPoint(cleanup_);
        Value* frame = intrinsic(Intrinsic::coro_free, {}, {token_, handle_});
        b_.CreateCondBr(b_.CreateIsNotNull(frame), release, leave_);
        b_.SetInsertPoint(release);
        const llvm::FunctionCallee service =
            unit_.external("wl_rt_frame_free", b_.getVoidTy(), {ptr, ptr, b_.getInt64Ty()});
        b_.CreateCall(service, {block_, frame, frame_size()});
        b_.CreateBr(leave_);
        b_.SetInsertPoint(leave_);
        intrinsic(Intrinsic::coro_end, {}, {handle_, b_.getFalse(), llvm::ConstantTokenNone::get(context_)});
        b_.CreateRet(handle_);
    }

    void inline_waiting_calls() {
        const std::set<llvm::Function*> bodies = waiting_bodies(unit_);
        for (bool again = true; again;) {
            again = false;
            std::vector<llvm::CallInst*> calls;
            for (llvm::Instruction& i : llvm::instructions(*f_))
                if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
                    if (bodies.contains(call->getCalledFunction())) calls.push_back(call);
            for (llvm::CallInst* call : calls) {
                inline_call(call);
                again = true;
            }
        }
    }

    /// A suspension marker becomes a suspension of this coroutine.
    void lower_markers() {
        std::vector<llvm::CallInst*> suspensions;
        for (llvm::Instruction& i : llvm::instructions(*f_)) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
            if (!call || !call->getCalledFunction()) continue;
            if (call->getCalledFunction()->getName() == kSuspendMarker) suspensions.push_back(call);
        }
        for (llvm::CallInst* call : suspensions)
            suspend_at(call);
    }

    void suspend_at(llvm::CallInst* marker) {
        llvm::BasicBlock* here = marker->getParent();
        llvm::BasicBlock* rest = llvm::SplitBlock(here, marker->getNextNode());
        here->getTerminator()->eraseFromParent();
        b_.SetInsertPoint(here);
        b_.SetCurrentDebugLocation(marker->getDebugLoc());
        llvm::CallInst* state =
            b_.CreateIntrinsic(Intrinsic::coro_suspend, {}, {llvm::ConstantTokenNone::get(context_), b_.getFalse()});
        state->setMetadata(kRareSuspensionMetadata, marker->getMetadata(kRareSuspensionMetadata));
        switch_on(state, rest);
        marker->eraseFromParent();
    }

    llvm::Function* f_;
    llvm::Function* plain_;
    const bool is_kernel_;
    Value* thread_;
    Value* token_ = nullptr;
    Value* handle_ = nullptr;
    llvm::LoadInst* block_ = nullptr;
    llvm::BasicBlock* cleanup_ = nullptr;
    llvm::BasicBlock* leave_ = nullptr;
};

} // namespace

void emit_coroutines(Unit& unit) {
    for (const auto& [id, emitted] : unit.functions)
        if (emitted.coroutine) Coroutine(unit, id, emitted).emit();
    // All code that waits is part of coroutines now.
    const std::set<llvm::Function*> bodies = waiting_bodies(unit);
    for (llvm::Function* body : bodies)
        body->deleteBody();
    for (llvm::Function* body : bodies)
        if (body->use_empty()) body->eraseFromParent();
}

} // namespace warplight::jit
