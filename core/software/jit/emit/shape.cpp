// SPDX-License-Identifier: Apache-2.0
#include "shape.hpp"

#include "software/jit/passes/grid_stride_pass.hpp"

#include "emitter.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <set>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

namespace {

class Shape {
public:
    explicit Shape(Unit& unit) : unit_(unit), context_(*unit.context), b_(*unit.context) {}

    void emit() {
        coroutine_ = unit_.mode == Mode::coroutine;
        for (const ptx::FunctionId f : unit_.analysis.reachable.functions)
            declare(f);
        make_function_table();
        for (auto& [id, emitted] : unit_.functions)
            Emitter(unit_, id, emitted.plain, coroutine_).emit();
        if (coroutine_) {
            for (auto& [id, emitted] : unit_.functions)
                if (emitted.coroutine) make_coroutine(id, emitted);
            drop_inlined_bodies();
        } else {
            make_block_function();
        }
        unit_.debug->finalize();
        for (llvm::Function& f : *unit_.ir)
            if (!f.isDeclaration()) {
                f.addFnAttr(llvm::Attribute::NoUnwind);
                // An access to address 0 is a fault to be reported, not code that cannot be reached.
                f.addFnAttr(llvm::Attribute::NullPointerIsValid);
            }
    }

private:
    [[nodiscard]] bool waits(ptx::FunctionId id) const { return unit_.analysis.functions[id].waits; }

    void declare(ptx::FunctionId id) {
        const ptx::Function& f = unit_.module.functions[id];
        if (!f.defined || (f.kernel && id != unit_.kernel)) return;
        auto* ptr = llvm::PointerType::get(context_, 0);
        auto* i32 = Type::getInt32Ty(context_);
        std::vector<Type*> types = coroutine_ ? std::vector<Type*>{ptr} : std::vector<Type*>{ptr, i32, i32, i32, i32};
        if (!f.kernel) types.insert(types.end(), f.parameters.size() + f.results.size(), ptr);
        EmittedFunction emitted;
        auto* type = llvm::FunctionType::get(f.kernel && !coroutine_ ? i32 : Type::getInt1Ty(context_), types, false);
        emitted.plain = llvm::Function::Create(type, llvm::Function::InternalLinkage, "f." + f.name, *unit_.ir);
        const FunctionFacts& facts = unit_.analysis.functions[id];
        if (coroutine_ && id == unit_.kernel) {
            emitted.coroutine = llvm::Function::Create(llvm::FunctionType::get(ptr, {ptr}, false),
                                                       llvm::Function::ExternalLinkage, kThreadSymbol, *unit_.ir);
        } else if (coroutine_ && facts.waits && (facts.recursive || facts.address_taken)) {
            types.insert(types.begin() + 1, ptr);
            emitted.coroutine = llvm::Function::Create(llvm::FunctionType::get(ptr, types, false),
                                                       llvm::Function::InternalLinkage, "c." + f.name, *unit_.ir);
        }
        unit_.functions[id] = emitted;
    }

    void make_function_table() {
        if (!unit_.analysis.reachable.calls_indirectly) return;
        auto* ptr = llvm::PointerType::get(context_, 0);
        auto* entry_type = llvm::StructType::get(ptr, ptr);
        llvm::Constant* null = llvm::ConstantPointerNull::get(ptr);
        std::vector<llvm::Constant*> entries;
        for (ptx::FunctionId id = 0; id < unit_.module.functions.size(); ++id) {
            const auto known = unit_.functions.find(id);
            llvm::Constant* plain = null;
            llvm::Constant* coroutine = null;
            if (known != unit_.functions.end() && unit_.analysis.functions[id].address_taken) {
                if (known->second.coroutine)
                    coroutine = known->second.coroutine;
                else
                    plain = known->second.plain;
            }
            entries.push_back(llvm::ConstantStruct::get(entry_type, {plain, coroutine}));
        }
        auto* type = llvm::ArrayType::get(entry_type, entries.size());
        unit_.function_table = new llvm::GlobalVariable(*unit_.ir, type, true, llvm::GlobalValue::InternalLinkage,
                                                        llvm::ConstantArray::get(type, entries), "function_table");
    }

    llvm::DISubprogram* describe(llvm::Function* f) {
        auto* type = unit_.debug->createSubroutineType(unit_.debug->getOrCreateTypeArray({}));
        auto* subprogram = unit_.debug->createFunction(
            unit_.debug_file, f->getName(), f->getName(), unit_.debug_file, 0, type, 0, llvm::DINode::FlagZero,
            llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
        f->setSubprogram(subprogram);
        b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, 0, 0, subprogram));
        return subprogram;
    }

    static void inline_call(llvm::CallInst* call) {
        llvm::InlineFunctionInfo info;
        const llvm::InlineResult result = llvm::InlineFunction(*call, info);
        if (!result.isSuccess()) throw EmitError(std::string("cannot inline: ") + result.getFailureReason());
    }

    /// The kernel's code goes into the function that the runtime calls: so it has the code's description.
    void describe_as_kernel(llvm::Function* f) {
        llvm::Function* body = unit_.functions.at(unit_.kernel).plain;
        llvm::DISubprogram* subprogram = body->getSubprogram();
        body->setSubprogram(nullptr);
        f->setSubprogram(subprogram);
        b_.SetCurrentDebugLocation(llvm::DILocation::get(context_, 0, 0, subprogram));
    }

    /// Puts the code of a function that nobody else calls in a call's place. Inlining would copy it all.
    void move_to(llvm::CallInst* call) {
        llvm::Function* body = call->getCalledFunction();
        llvm::Function* f = call->getFunction();
        if (!body->hasOneUse()) throw EmitError("internal: the kernel is called elsewhere too");
        llvm::BasicBlock* here = call->getParent();
        llvm::BasicBlock* rest = here->splitBasicBlock(call);
        llvm::BasicBlock* start = &body->getEntryBlock();
        for (llvm::Argument& argument : body->args())
            argument.replaceAllUsesWith(call->getArgOperand(argument.getArgNo()));
        std::vector<llvm::ReturnInst*> ends;
        for (llvm::BasicBlock& block : *body)
            if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) ends.push_back(end);
        std::vector<llvm::AllocaInst*> slots;
        for (llvm::Instruction& i : *start)
            if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&i); slot && slot->isStaticAlloca())
                slots.push_back(slot);
        f->splice(rest->getIterator(), body);
        here->getTerminator()->setSuccessor(0, start);

        // Each thread has its variables anew: nothing of one thread's goes on in the next one's.
        llvm::Instruction* first = &*f->getEntryBlock().getFirstInsertionPt();
        for (llvm::AllocaInst* slot : slots)
            slot->moveBefore(first);
        std::erase_if(slots, [](llvm::AllocaInst* slot) {
            return llvm::any_of(slot->users(), [](llvm::User* u) {
                const auto* i = llvm::dyn_cast<llvm::IntrinsicInst>(u);
                return i && i->isLifetimeStartOrEnd();
            });
        });
        const auto size_of = [&](llvm::AllocaInst* slot) {
            return b_.getInt64(slot->getAllocationSize(unit_.ir->getDataLayout())->getFixedValue());
        };
        b_.SetInsertPoint(start, start->getFirstInsertionPt());
        for (llvm::AllocaInst* slot : slots)
            b_.CreateLifetimeStart(slot, size_of(slot));
        b_.SetInsertPoint(rest, rest->begin());
        llvm::PHINode* result = b_.CreatePHI(call->getType(), static_cast<unsigned>(ends.size()));
        for (llvm::ReturnInst* end : ends) {
            b_.SetInsertPoint(end);
            for (llvm::AllocaInst* slot : slots)
                b_.CreateLifetimeEnd(slot, size_of(slot));
            b_.CreateBr(rest);
            result->addIncoming(end->getReturnValue(), end->getParent());
            end->eraseFromParent();
        }
        call->replaceAllUsesWith(result);
        call->eraseFromParent();
        if (!ends.empty()) return;
        result->replaceAllUsesWith(llvm::PoisonValue::get(result->getType()));
        result->eraseFromParent();
    }

    // --- loop mode

    Value* load_launch_field(Value* launch, std::size_t offset, std::uint64_t below) {
        Value* address = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), launch, offset);
        llvm::LoadInst* load = b_.CreateLoad(b_.getInt32Ty(), address);
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        load->setMetadata(llvm::LLVMContext::MD_range,
                          llvm::MDBuilder(context_).createRange(llvm::APInt(32, 1), llvm::APInt(32, below)));
        return load;
    }

    void make_block_function() {
        auto* ptr = b_.getPtrTy();
        auto* f = llvm::Function::Create(llvm::FunctionType::get(b_.getVoidTy(), {ptr}, false),
                                         llvm::Function::ExternalLinkage, kBlockSymbol, *unit_.ir);
        describe_as_kernel(f);
        Value* block = f->getArg(0);
        const auto make = [&](const char* name) { return llvm::BasicBlock::Create(context_, name, f); };
        auto* entry = make("entry");
        b_.SetInsertPoint(entry);
        llvm::LoadInst* launch = b_.CreateLoad(
            ptr, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block, offsetof(software::BlockContext, launch)));
        launch->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        llvm::AllocaInst* misaligned = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "misaligned");
        b_.CreateStore(b_.getInt32(0), misaligned);
        constexpr std::uint64_t kLimits[3] = {1025, 1025, 65};
        Value* extent[3];
        for (unsigned axis = 0; axis < 3; ++axis)
            extent[axis] = load_launch_field(launch, offsetof(software::LaunchContext, ntid) + 4 * axis, kLimits[axis]);

        // z, y, x: outermost to innermost; every extent is at least 1.
        llvm::BasicBlock* head[3];
        llvm::PHINode* index[3];
        llvm::BasicBlock* from = entry;
        Value* row = nullptr;
        for (int axis = 2; axis >= 0; --axis) {
            head[axis] = make(axis == 2 ? "z" : axis == 1 ? "y" : "x");
            b_.CreateBr(head[axis]);
            b_.SetInsertPoint(head[axis]);
            index[axis] = b_.CreatePHI(b_.getInt32Ty(), 2);
            index[axis]->addIncoming(b_.getInt32(0), from);
            from = head[axis];
            row = axis == 2
                      ? static_cast<Value*>(index[2])
                      : b_.CreateAdd(b_.CreateMul(row, extent[axis], "", true, true), index[axis], "", true, true);
        }
        llvm::Function* body = unit_.functions.at(unit_.kernel).plain;
        llvm::CallInst* call = b_.CreateCall(body, {block, index[0], index[1], index[2], row});
        b_.CreateStore(b_.CreateOr(b_.CreateLoad(b_.getInt32Ty(), misaligned), call), misaligned);
        for (int axis = 0; axis < 3; ++axis) {
            const unsigned step = axis == 0 && unit_.lanes ? unit_.options.width : 1;
            Value* next = b_.CreateAdd(index[axis], b_.getInt32(step), "", true, true);
            index[axis]->addIncoming(next, b_.GetInsertBlock());
            auto* rest = make("rest");
            llvm::BranchInst* back = b_.CreateCondBr(b_.CreateICmpULT(next, extent[axis]), head[axis], rest);
            if (axis == 0 && unit_.access_group && !unit_.lanes) mark_parallel(back);
            b_.SetInsertPoint(rest);
        }
        // That an access was misaligned is told here, so that the loop over threads has one way out.
        auto* fault = make("fault");
        auto* done = make("done");
        b_.CreateCondBr(b_.CreateIsNull(b_.CreateLoad(b_.getInt32Ty(), misaligned)), done, fault);
        b_.SetInsertPoint(fault);
        auto* i32 = b_.getInt32Ty();
        auto* i64 = b_.getInt64Ty();
        b_.CreateCall(unit_.external("wl_rt_misaligned", b_.getVoidTy(), {ptr, i32, i32, i64, i32}),
                      {block, b_.getInt32(~0u), b_.getInt32(~0u), b_.getInt64(0), b_.getInt32(0)})
            ->setDoesNotReturn();
        b_.CreateUnreachable();
        b_.SetInsertPoint(done);
        b_.CreateRetVoid();
        move_to(call);
        body->eraseFromParent();
        unit_.functions.erase(unit_.kernel);
    }

    /// Threads that do not wait cannot order their accesses, so those of different threads do not depend on each
    /// other: the loop over threads is parallel. Vectorised it is wide enough; unrolling the rest would only cost time.
    void mark_parallel(llvm::BranchInst* back) {
        auto* accesses = llvm::MDNode::get(
            context_, {llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), unit_.access_group});
        auto* rolled = llvm::MDNode::get(context_, llvm::MDString::get(context_, "llvm.loop.unroll.disable"));
        auto placeholder = llvm::MDNode::getTemporary(context_, {});
        llvm::MDNode* id = llvm::MDNode::getDistinct(context_, {placeholder.get(), accesses, rolled});
        id->replaceOperandWith(0, id);
        back->setMetadata(llvm::LLVMContext::MD_loop, id);
    }

    // --- coroutine mode

    Value* call_intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Type*> types, llvm::ArrayRef<Value*> arguments) {
        return b_.CreateIntrinsic(id, types, arguments);
    }

    void make_coroutine(ptx::FunctionId id, const EmittedFunction& emitted) {
        using namespace llvm::Intrinsic;
        llvm::Function* f = emitted.coroutine;
        const bool is_kernel = id == unit_.kernel;
        if (is_kernel)
            describe_as_kernel(f);
        else
            describe(f);
        f->setPresplitCoroutine();
        Value* thread = f->getArg(0);
        auto* ptr = b_.getPtrTy();
        Value* null = llvm::ConstantPointerNull::get(ptr);
        Value* none = llvm::ConstantTokenNone::get(context_);
        const auto make = [&](const char* name) { return llvm::BasicBlock::Create(context_, name, f); };
        auto* entry = make("entry");
        auto* start = make("start");
        auto* cleanup = make("cleanup");
        auto* release = make("release");
        auto* leave = make("leave");
        auto* dead = make("dead");

        b_.SetInsertPoint(entry);
        // Frames are aligned as the runtime's arena makes them.
        Value* token = call_intrinsic(coro_id, {}, {b_.getInt32(software::kFrameAlignment), null, null, null});
        Value* size = call_intrinsic(coro_size, {b_.getInt64Ty()}, {});
        llvm::LoadInst* block = b_.CreateLoad(ptr, thread, "block");
        block->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
        Value* memory = b_.CreateCall(unit_.external("wl_rt_frame_alloc", ptr, {ptr, b_.getInt64Ty()}), {block, size});
        Value* handle = call_intrinsic(coro_begin, {}, {token, memory});
        const auto suspend = [&](bool final, llvm::BasicBlock* resume) {
            Value* state = call_intrinsic(coro_suspend, {}, {none, b_.getInt1(final)});
            llvm::SwitchInst* way = b_.CreateSwitch(state, leave, 2);
            way->addCase(b_.getInt8(0), resume);
            way->addCase(b_.getInt8(1), cleanup);
        };
        suspend(false, start);

        b_.SetInsertPoint(start);
        std::vector<Value*> arguments{thread};
        for (unsigned k = 2; k < f->arg_size(); ++k)
            arguments.push_back(f->getArg(k));
        llvm::CallInst* body = b_.CreateCall(emitted.plain, arguments);
        if (is_kernel) {
            store_thread_field(thread, offsetof(software::ThreadContext, wait),
                               b_.getInt32(static_cast<std::uint32_t>(software::Wait::done)));
        } else {
            b_.CreateStore(b_.CreateZExt(body, b_.getInt8Ty()), f->getArg(1));
        }
        suspend(true, dead);

        b_.SetInsertPoint(dead);
        b_.CreateUnreachable();
        b_.SetInsertPoint(cleanup);
        Value* frame = call_intrinsic(coro_free, {}, {token, handle});
        b_.CreateCondBr(b_.CreateIsNotNull(frame), release, leave);
        b_.SetInsertPoint(release);
        b_.CreateCall(unit_.external("wl_rt_frame_free", b_.getVoidTy(), {ptr, ptr, b_.getInt64Ty()}),
                      {block, frame, call_intrinsic(coro_size, {b_.getInt64Ty()}, {})});
        b_.CreateBr(leave);
        b_.SetInsertPoint(leave);
        call_intrinsic(coro_end, {}, {handle, b_.getFalse(), none});
        b_.CreateRet(handle);

        if (is_kernel)
            move_to(body);
        else
            inline_call(body);
        inline_waiting_calls(f);
        lower_markers(f, leave, cleanup, handle);
    }

    void store_thread_field(Value* thread, std::size_t offset, Value* value) {
        b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), thread, offset));
    }

    [[nodiscard]] std::set<llvm::Function*> waiting_bodies() const {
        std::set<llvm::Function*> bodies;
        for (const auto& [id, emitted] : unit_.functions)
            if (waits(id) || id == unit_.kernel) bodies.insert(emitted.plain);
        return bodies;
    }

    void inline_waiting_calls(llvm::Function* f) {
        const std::set<llvm::Function*> bodies = waiting_bodies();
        for (bool again = true; again;) {
            again = false;
            std::vector<llvm::CallInst*> calls;
            for (llvm::Instruction& i : llvm::instructions(*f))
                if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
                    if (bodies.contains(call->getCalledFunction())) calls.push_back(call);
            for (llvm::CallInst* call : calls) {
                inline_call(call);
                again = true;
            }
        }
    }

    /// Every suspension marker becomes a suspension of this coroutine, every frame marker its frame.
    void lower_markers(llvm::Function* f, llvm::BasicBlock* leave, llvm::BasicBlock* cleanup, Value* handle) {
        std::vector<llvm::CallInst*> suspensions, frames, sizes;
        for (llvm::Instruction& i : llvm::instructions(*f)) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
            if (!call || !call->getCalledFunction()) continue;
            const llvm::StringRef name = call->getCalledFunction()->getName();
            if (name == kSuspendMarker) suspensions.push_back(call);
            if (name == kFrameMarker) frames.push_back(call);
            if (name == kFrameSizeMarker) sizes.push_back(call);
        }
        for (llvm::CallInst* call : frames) {
            call->replaceAllUsesWith(handle);
            call->eraseFromParent();
        }
        for (llvm::CallInst* call : sizes) {
            b_.SetInsertPoint(call);
            call->replaceAllUsesWith(call_intrinsic(llvm::Intrinsic::coro_size, {b_.getInt64Ty()}, {}));
            call->eraseFromParent();
        }
        for (llvm::CallInst* call : suspensions) {
            llvm::BasicBlock* here = call->getParent();
            llvm::BasicBlock* rest = llvm::SplitBlock(here, call->getNextNode());
            here->getTerminator()->eraseFromParent();
            b_.SetInsertPoint(here);
            b_.SetCurrentDebugLocation(call->getDebugLoc());
            llvm::CallInst* state = b_.CreateIntrinsic(llvm::Intrinsic::coro_suspend, {},
                                                       {llvm::ConstantTokenNone::get(context_), b_.getFalse()});
            state->setMetadata(kRareSuspensionMetadata, call->getMetadata(kRareSuspensionMetadata));
            llvm::SwitchInst* way = b_.CreateSwitch(state, leave, 2);
            way->addCase(b_.getInt8(0), rest);
            way->addCase(b_.getInt8(1), cleanup);
            call->eraseFromParent();
        }
    }

    void drop_inlined_bodies() {
        const std::set<llvm::Function*> bodies = waiting_bodies();
        for (llvm::Function* body : bodies)
            body->deleteBody();
        for (llvm::Function* body : bodies)
            if (body->use_empty()) body->eraseFromParent();
    }

    Unit& unit_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> b_;
    bool coroutine_ = false;
};

} // namespace

void emit_kernel(Unit& unit) {
    Shape(unit).emit();
    std::string problem;
    llvm::raw_string_ostream out(problem);
    if (llvm::verifyModule(*unit.ir, &out)) throw EmitError("internal: emitted code is not valid: " + out.str());
}

} // namespace warplight::jit
