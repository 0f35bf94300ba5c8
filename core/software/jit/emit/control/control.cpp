// SPDX-License-Identifier: Apache-2.0
// Branches, ends of threads, and instructions that only advise.
#include "software/jit/emit/groups.hpp"
#include "software/jit/passes/grid_stride_pass.hpp"

namespace warplight::jit {

using llvm::Value;

namespace {

/// Times a loop that may spin goes round before its thread lets others run.
constexpr std::uint32_t kSpinBudget = 64;

/// Times a loop that strides through memory goes round before the threads beside get their turn: as many places in
/// memory are in use at once, fewer than a processor's prefetchers keep an eye on.
constexpr std::uint32_t kTurns = 16;

} // namespace

void Emitter::suspend_every(Value*& budget, std::uint32_t count, software::Wait wait) {
    if (!budget) {
        budget = stack_slot(b.getInt32Ty(), "budget");
        llvm::IRBuilderBase::InsertPointGuard guard(b);
        b.SetInsertPoint(entry_end_);
        b.CreateStore(b.getInt32(count), budget);
    }
    Value* left = b.CreateSub(b.CreateLoad(b.getInt32Ty(), budget), b.getInt32(1));
    b.CreateStore(left, budget);
    emit_if(b.CreateICmpEQ(left, b.getInt32(0)), [&] {
        b.CreateStore(b.getInt32(count), budget);
        suspend(wait)->setMetadata(kRareSuspensionMetadata, llvm::MDNode::get(context, {}));
    });
}

void Emitter::give_way_now_and_then() {
    if (coroutine && unit.analysis.functions[function_id].spinning_branches.contains(current_))
        suspend_every(budget_, kSpinBudget, software::Wait::yield);
}

void Emitter::take_turns() {
    if (coroutine && plan_->takes_turns.contains(current_)) suspend_every(turns_, kTurns, software::Wait::grid_stride);
}

void Emitter::branch_to(ptx::LabelId label) {
    llvm::BasicBlock* target = label_block(label);
    give_way_now_and_then();
    b.CreateBr(target);
}

namespace {

void emit_indexed_branch(Emitter& e, const ptx::Instruction& i) {
    // brx.idx index, targets: past the last label the behaviour is undefined, so the last one takes the rest.
    const ptx::BranchTargets& targets = e.function.branch_targets.at(i.operands.at(1).index);
    Value* index = e.read(i.operands[0], ptx::Type::u32);
    std::vector<llvm::BasicBlock*> ways;
    llvm::BasicBlock* here = e.b.GetInsertBlock();
    for (const ptx::LabelId label : targets.labels) {
        ways.push_back(e.new_block("way"));
        e.b.SetInsertPoint(ways.back());
        e.branch_to(label);
    }
    e.b.SetInsertPoint(here);
    llvm::SwitchInst* all = e.b.CreateSwitch(index, ways.back(), static_cast<unsigned>(ways.size()));
    for (std::uint32_t k = 0; k < ways.size(); ++k)
        all->addCase(e.b.getInt32(k), ways[k]);
}

} // namespace

bool emit_control(Emitter& e, const ptx::Instruction& i) {
    using Op = ptx::Opcode;
    switch (i.opcode) {
    case Op::bra: e.branch_to(i.operands.at(0).index); return true;
    case Op::brx: emit_indexed_branch(e, i); return true;
    case Op::ret: e.return_from_function(false); return true;
    case Op::exit: e.return_from_function(true); return true;
    case Op::trap:
    case Op::brkpt: e.fault(software::Fault::trap); return true;
    case Op::nanosleep:
        if (e.coroutine) e.suspend(software::Wait::yield);
        return true;
    case Op::pmevent:
    case Op::setmaxnreg:
    case Op::griddepcontrol: return true;
    default: return false;
    }
}

} // namespace warplight::jit
