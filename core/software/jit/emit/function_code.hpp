// SPDX-License-Identifier: Apache-2.0
// The PTX function that is compiled and the LLVM function that its code goes into. Every part of the emitter makes its
// instructions through this class.
#pragma once

#include "lane_state.hpp"
#include "software/jit/ir_conventions.hpp"
#include "unit.hpp"
#include "value_types.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <cstdint>

namespace warplight::jit {

class FunctionCode {
public:
    /// Makes the blocks "entry" and "body". Until enter_body() code goes into the entry block.
    FunctionCode(Unit& unit, ptx::FunctionId function, llvm::Function* target, bool coroutine);
    FunctionCode(const FunctionCode&) = delete;
    FunctionCode& operator=(const FunctionCode&) = delete;
    void enter_body() { b.SetInsertPoint(entry_end_->getSuccessor(0)); }

    Unit& unit;
    const ptx::Module& module;
    const ptx::Function& function;
    const ptx::FunctionId function_id;
    llvm::LLVMContext& context;
    llvm::Function& target;
    llvm::IRBuilder<> b;
    const bool coroutine; ///< the thread may be suspended, and has a ThreadContext
    const LanePlan* plan; ///< where threads run side by side, else null
    LaneState lanes;
    const ValueTypes types;

    /// Code by another plan for the same lanes.
    [[nodiscard]] Scoped<const LanePlan*> with_plan(const LanePlan& other) { return {plan, &other}; }

    // --- the instruction being emitted
    /// What is emitted from now on belongs to that instruction.
    void begin_instruction(std::uint32_t index);
    [[nodiscard]] std::uint32_t instruction() const { return instruction_; }
    [[nodiscard]] std::uint32_t site() const { return unit.site(function_id, instruction_); }
    [[nodiscard]] llvm::Value* site_value() const; ///< i32

    // --- blocks and stack
    llvm::BasicBlock* new_block(const char* name);
    /// Runs `body` where `condition` holds; emission goes on behind it.
    template <class Body>
    void emit_if(llvm::Value* condition, Body body) {
        llvm::BasicBlock* then = new_block("then");
        llvm::BasicBlock* rest = new_block("rest");
        b.CreateCondBr(condition, then, rest);
        b.SetInsertPoint(then);
        body();
        if (!b.GetInsertBlock()->getTerminator()) b.CreateBr(rest);
        b.SetInsertPoint(rest);
    }
    /// Memory of the function's frame. With an alignment of 0: the type's.
    [[nodiscard]] llvm::AllocaInst* stack_slot(llvm::Type* type, const char* name, unsigned alignment = 0);
    /// A slot that the kernel may index. LocalMemoryPass moves it into the device's memory, unless nothing does.
    [[nodiscard]] llvm::Value* local_slot(llvm::Type* type, const char* name, unsigned alignment);
    /// The same as stack_slot(), with a value that the entry block stores there.
    [[nodiscard]] llvm::AllocaInst* stack_variable(llvm::Value* initial, const char* name);
    /// Code goes to the end of the entry block until the end of the scope.
    class AtEntry {
    public:
        explicit AtEntry(FunctionCode& code) : guard_(code.b) { code.b.SetInsertPoint(code.entry_end_); }

    private:
        llvm::IRBuilderBase::InsertPointGuard guard_;
    };
    /// The value in `cache`, which `make()` makes in the entry block when it is first needed.
    template <class Make>
    llvm::Value* in_entry(llvm::Value*& cache, Make make) {
        if (!cache) {
            const AtEntry scope(*this);
            cache = make();
        }
        return cache;
    }

    // --- values
    [[nodiscard]] llvm::PointerType* device_pointer() { return b.getPtrTy(kDeviceSpace); } ///< to the device's memory
    [[nodiscard]] llvm::Value* splat(llvm::Value* value);                                  ///< a scalar, for each lane
    /// Reinterprets: the same number of bits, another type.
    [[nodiscard]] llvm::Value* bits_as(llvm::Value* value, llvm::Type* type);
    /// A bit for each lane that executes, i32.
    [[nodiscard]] llvm::Value* active_bits();
    /// A field that does not change during the launch. It is less than `below`; 0: no bound is known.
    llvm::LoadInst* load_field(llvm::Value* base, std::uint64_t offset, llvm::Type* type, std::uint64_t below,
                               const char* name);
    void store_field(llvm::Value* base, std::uint64_t offset, llvm::Value* value);

    // --- calls
    /// An LLVM intrinsic overloaded on `types`.
    llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> types,
                           llvm::ArrayRef<llvm::Value*> arguments);
    /// An LLVM intrinsic overloaded on the type of its first argument.
    llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments);
    /// A C function of scalar arguments without side effects (library/math_library.cpp), called for each lane.
    llvm::Value* pure_call(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);
    /// A service of the runtime.
    llvm::CallInst* runtime_call(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);

private:
    llvm::BranchInst* entry_end_ = nullptr; ///< from the entry block to the body
    llvm::DISubprogram* subprogram_ = nullptr;
    std::uint32_t instruction_ = 0;
};

} // namespace warplight::jit
