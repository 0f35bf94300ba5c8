// SPDX-License-Identifier: Apache-2.0
// A whole function: its prologue, its basic blocks, guards, and which group emits which instruction.
#include "groups.hpp"
#include "software/jit/emit/memory/texture.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>

namespace warplight::jit {

using llvm::Value;

void Emitter::emit_prologue() {
    auto* entry = llvm::BasicBlock::Create(context, "entry", target_);
    auto* body = llvm::BasicBlock::Create(context, "body", target_);
    b.SetInsertPoint(entry);
    entry_end_ = b.CreateBr(body);

    auto* type = unit.debug->createSubroutineType(unit.debug->getOrCreateTypeArray({}));
    subprogram_ = unit.debug->createFunction(
        unit.debug_file, target_->getName(), target_->getName(), unit.debug_file, 0, type, 0, llvm::DINode::FlagZero,
        llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    target_->setSubprogram(subprogram_);
    b.SetCurrentDebugLocation(llvm::DILocation::get(context, 0, 0, subprogram_));

    auto argument = target_->arg_begin();
    if (coroutine) {
        thread_ = &*argument++;
        b.SetInsertPoint(entry_end_);
        block_ = load_field(thread_, offsetof(software::ThreadContext, block), b.getPtrTy(), 0, "block");
    } else {
        block_ = &*argument++;
        for (Value*& axis : tid_)
            axis = &*argument++;
        linear_ = &*argument++;
    }
    if (function.kernel) {
        b.SetInsertPoint(entry_end_);
        for (std::size_t k = 0; k < parameters_.size(); ++k)
            parameters_[k] =
                b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), parameters_base(), unit.kernel_parameters.offsets[k]);
    } else {
        for (Value*& p : parameters_)
            p = &*argument++;
        for (Value*& r : results_)
            r = &*argument++;
    }
    // One way out lets LLVM make vectors of the loop over threads, which it does with innermost loops only.
    if (function.kernel && !coroutine && !plan_ && !unit.analysis.functions[function_id].has_loop) {
        b.SetInsertPoint(entry_end_);
        misaligned_ = stack_slot(b.getInt32Ty(), "misaligned");
        b.CreateStore(b.getInt32(0), misaligned_);
    }
    b.SetInsertPoint(body);
}

llvm::BasicBlock* Emitter::label_block(ptx::LabelId label) {
    llvm::BasicBlock*& target = label_blocks_.at(label);
    if (!target) {
        const std::uint32_t index = function.labels[label].instruction;
        llvm::BasicBlock*& at = block_at_.at(index);
        if (!at) at = new_block("label");
        target = at;
    }
    return target;
}

void Emitter::emit() {
    if (plan_)
        emit_side_by_side();
    else
        emit_body();
    make_values_of_slots();
}

/// All slots of which only the contents are asked for become values, before anybody copies or looks at them. Most are
/// written once, before everything that reads them: for those the value is known at once.
void Emitter::make_values_of_slots() {
    llvm::DominatorTree dominators(*target_);
    std::vector<llvm::AllocaInst*> slots, others;
    for (llvm::Instruction& i : target_->getEntryBlock())
        if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&i); slot && llvm::isAllocaPromotable(slot))
            slots.push_back(slot);
    std::vector<llvm::LoadInst*> reads;
    for (llvm::AllocaInst* slot : slots) {
        llvm::StoreInst* zero = nullptr;
        llvm::StoreInst* write = nullptr;
        bool is_written_once = true;
        reads.clear();
        for (llvm::User* user : slot->users()) {
            if (auto* read = llvm::dyn_cast<llvm::LoadInst>(user)) {
                reads.push_back(read);
            } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
                       store && store->getParent() == slot->getParent() && !zero) {
                zero = store;
            } else {
                is_written_once &= store && !write;
                write = store;
            }
        }
        is_written_once &= std::all_of(reads.begin(), reads.end(), [&](llvm::LoadInst* read) {
            return write && write->getValueOperand() != read && dominators.dominates(write, read);
        });
        if (!is_written_once) {
            others.push_back(slot);
            continue;
        }
        for (llvm::LoadInst* read : reads) {
            read->replaceAllUsesWith(write->getValueOperand());
            read->eraseFromParent();
        }
        for (llvm::Instruction* store : {zero, write})
            if (store) store->eraseFromParent();
        slot->eraseFromParent();
    }
    llvm::PromoteMemToReg(others, dominators);
}

void Emitter::emit_body() {
    const auto count = static_cast<std::uint32_t>(function.instructions.size());
    block_at_.assign(count + 1, nullptr);
    for (ptx::LabelId l = 0; l < function.labels.size(); ++l)
        (void)label_block(l);

    // Parameters and results that live in registers.
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
        if (const auto r = function.parameters[k].reg) {
            Value* bits = b.CreateLoad(register_type(function.registers[*r].type), parameters_[k]);
            b.CreateStore(bits, slot_of(*r));
        }
    }
    for (std::size_t k = 0; k < results_.size(); ++k)
        if (const auto r = function.results[k].reg) result_registers_.emplace_back(k, *r);

    for (std::uint32_t index = 0; index <= count; ++index) {
        if (llvm::BasicBlock* here = block_at_[index]) {
            if (!b.GetInsertBlock()->getTerminator()) b.CreateBr(here);
            b.SetInsertPoint(here);
        } else if (b.GetInsertBlock()->getTerminator()) {
            b.SetInsertPoint(new_block("unreached"));
        }
        current_ = index;
        if (index < count) {
            b.SetCurrentDebugLocation(llvm::DILocation::get(context, site() + 1, 0, subprogram_));
            emit_instruction(index);
        } else {
            return_from_function(false);
        }
    }
}

void Emitter::emit_instruction(std::uint32_t index) {
    const ptx::Instruction& i = function.instructions[index];
    const auto once = [&] {
        if (!emit_any(*this, i)) unsupported_form(i);
    };
    if (!i.guarded) return once();
    emit_if(read(guard_of(i), ptx::Type::pred), once);
}

void Emitter::return_from_function(bool exited) {
    if (!exited)
        for (const auto& [result, r] : result_registers_) {
            Value* value = b.CreateLoad(register_type(function.registers[r].type), slot_of(r));
            b.CreateStore(value, results_[result]);
        }
    // A kernel in loop mode tells the loop what was misaligned.
    if (function.kernel && !coroutine)
        b.CreateRet(misaligned_ ? static_cast<Value*>(b.CreateLoad(b.getInt32Ty(), misaligned_)) : b.getInt32(0));
    else
        b.CreateRet(b.getInt1(exited));
}

ptx::Operand guard_of(const ptx::Instruction& i) {
    ptx::Operand guard;
    guard.kind = ptx::Operand::Kind::reg;
    guard.reg = i.guard;
    guard.negated = i.guard_negated;
    return guard;
}

bool emit_any(Emitter& e, const ptx::Instruction& i) {
    return emit_move(e, i) || emit_bulk(e, i) || emit_memory(e, i) || emit_half(e, i) || emit_approximate(e, i) ||
           emit_float(e, i) || emit_integer(e, i) || emit_bits(e, i) || emit_convert(e, i) || emit_compare(e, i) ||
           emit_control(e, i) || emit_call(e, i) || emit_atomic(e, i) || emit_warp(e, i) || emit_matrix(e, i) ||
           emit_barrier(e, i) || emit_texture(e, i);
}

} // namespace warplight::jit
