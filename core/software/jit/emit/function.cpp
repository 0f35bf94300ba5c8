// SPDX-License-Identifier: Apache-2.0
// A whole function: its instructions in the order of the text, guards, and which group emits which instruction.
#include "groups.hpp"
#include "software/jit/emit/lanes/lane_groups.hpp"
#include "software/jit/emit/memory/texture.hpp"
#include "software/ptx/flow.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>

namespace warplight::jit {

namespace {

/// Leaves out slots whose every read follows a write in its own block, and returns the others. LLVM would look for the
/// frontiers of all of a slot's blocks first, though no value leaves them.
std::vector<llvm::AllocaInst*> without_slots_of_blocks(llvm::Function& f, llvm::ArrayRef<llvm::AllocaInst*> slots) {
    struct State {
        llvm::StoreInst* last = nullptr;
        bool is_of_blocks = true;
    };
    llvm::DenseMap<const llvm::Value*, State> states;
    for (const llvm::AllocaInst* slot : slots)
        states.try_emplace(slot);
    std::vector<std::pair<llvm::LoadInst*, llvm::StoreInst*>> reads;
    for (llvm::BasicBlock& block : f)
        for (llvm::Instruction& i : block) {
            const llvm::Value* address = llvm::getLoadStorePointerOperand(&i);
            const auto found = address ? states.find(address) : states.end();
            if (found == states.end()) continue;
            State& state = found->second;
            if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
                state.last = store;
            } else if (state.last && state.last->getParent() == &block) {
                reads.emplace_back(llvm::cast<llvm::LoadInst>(&i), state.last);
            } else {
                state.is_of_blocks = false;
            }
        }
    for (const auto& [read, store] : reads) {
        if (!states.find(read->getPointerOperand())->second.is_of_blocks) continue;
        read->replaceAllUsesWith(store->getValueOperand());
        read->eraseFromParent();
    }
    std::vector<llvm::AllocaInst*> others;
    for (llvm::AllocaInst* slot : slots) {
        if (!states.find(slot)->second.is_of_blocks) {
            others.push_back(slot);
            continue;
        }
        while (!slot->use_empty())
            llvm::cast<llvm::Instruction>(slot->user_back())->eraseFromParent();
        slot->eraseFromParent();
    }
    return others;
}

} // namespace

using llvm::Value;

void Emitter::emit() {
    if (plan)
        emit_lanes(*this);
    else
        emit_body();
    for (const auto& hook : hooks)
        hook->finish();
    make_values_of_slots();
}

void Emitter::emit_body() {
    for (ptx::LabelId label = 0; label < function.labels.size(); ++label)
        (void)control.label_block(label);
    for (std::uint32_t k = 0; k < function.parameters.size(); ++k)
        if (const auto r = function.parameters[k].reg) {
            Value* bits = b.CreateLoad(register_type(function.registers[*r].type),
                                       variables.memory_of(ptx::Operand::Scope::parameter, k));
            b.CreateStore(bits, registers.slot(*r));
        }
    const auto count = static_cast<std::uint32_t>(function.instructions.size());
    std::vector<bool> begins(hooks.empty() ? 0 : count);
    if (!hooks.empty()) {
        const ptx::FlowGraph graph(function);
        for (const ptx::BasicBlock& block : graph.blocks())
            if (block.begin < block.end) begins[block.begin] = true;
    }
    for (std::uint32_t index = 0; index <= count; ++index) {
        if (llvm::BasicBlock* here = control.block_at(index)) {
            if (!b.GetInsertBlock()->getTerminator()) b.CreateBr(here);
            b.SetInsertPoint(here);
        } else if (b.GetInsertBlock()->getTerminator()) {
            b.SetInsertPoint(new_block("unreached"));
        }
        if (index == count) break;
        begin_instruction(index);
        if (!hooks.empty() && begins[index]) begin_hooked_block();
        for (const auto& hook : hooks)
            hook->before();
        emit_instruction(function.instructions[index]);
    }
    control.return_from_function(false);
}

void Emitter::emit_instruction(const ptx::Instruction& i) {
    const auto alone = [&] {
        if (!emit_any(*this, i)) unsupported_form(i);
    };
    const auto once = [&] { emit_hooked(i, alone); };
    if (!i.guarded) return once();
    emit_if(read(guard_of(i), ptx::Type::pred), once);
}

void Emitter::emit_hooked(const ptx::Instruction& i, llvm::function_ref<void()> emit, std::size_t hook) {
    if (hook == hooks.size()) return emit();
    hooks[hook]->around(i, [&] { emit_hooked(i, emit, hook + 1); });
}

/// Slots that are only loaded and stored become values. Most are written once, before everything that reads them: their
/// reads become the written value at once, and LLVM's general way is needed for the others only.
void Emitter::make_values_of_slots() {
    llvm::DominatorTree dominators(target);
    std::vector<llvm::AllocaInst*> slots, others;
    for (llvm::Instruction& i : target.getEntryBlock())
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
    llvm::PromoteMemToReg(without_slots_of_blocks(target, others), dominators);
}

ptx::Operand guard_of(const ptx::Instruction& i) {
    ptx::Operand guard;
    guard.kind = ptx::Operand::Kind::reg;
    guard.reg = i.guard;
    guard.negated = i.guard_negated;
    return guard;
}

bool emit_any(Emitter& e, const ptx::Instruction& i) {
    if (i.opcode == ptx::Opcode::invalid) return emit_added(e, i);
    return emit_move(e, i) || emit_bulk(e, i) || emit_memory(e, i) || emit_half(e, i) || emit_approximate(e, i) ||
           emit_float(e, i) || emit_integer(e, i) || emit_bits(e, i) || emit_convert(e, i) || emit_compare(e, i) ||
           emit_control(e, i) || emit_call(e, i) || emit_atomic(e, i) || emit_warp(e, i) || emit_matrix(e, i) ||
           emit_barrier(e, i) || emit_texture(e, i);
}

} // namespace warplight::jit
