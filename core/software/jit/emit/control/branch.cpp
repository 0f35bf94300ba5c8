// SPDX-License-Identifier: Apache-2.0
// Branches, ends of threads, and instructions that only advise.
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Value;

namespace {

void emit_indexed_branch(Emitter& e, const ptx::Instruction& i) {
    // brx.idx index, targets: an index behind the last label is undefined in PTX, and a fault here.
    const ptx::BranchTargets& targets = e.function.branch_targets.at(i.operands.at(1).index);
    Value* index = e.read(i.operands[0], ptx::Type::u32);
    std::vector<llvm::BasicBlock*> ways;
    llvm::BasicBlock* here = e.b.GetInsertBlock();
    for (const ptx::LabelId label : targets.labels) {
        ways.push_back(e.new_block("way"));
        e.b.SetInsertPoint(ways.back());
        e.control.branch_to(label);
    }
    llvm::BasicBlock* nowhere = e.new_block("nowhere");
    e.b.SetInsertPoint(nowhere);
    e.fault(software::Fault::illegal_instruction);
    e.b.SetInsertPoint(here);
    llvm::SwitchInst* all = e.b.CreateSwitch(index, nowhere, static_cast<unsigned>(ways.size()));
    for (std::uint32_t k = 0; k < ways.size(); ++k)
        all->addCase(e.b.getInt32(k), ways[k]);
}

} // namespace

bool emit_control(Emitter& e, const ptx::Instruction& i) {
    using Op = ptx::Opcode;
    switch (i.opcode) {
    case Op::bra: e.control.branch_to(i.operands.at(0).index); return true;
    case Op::brx: emit_indexed_branch(e, i); return true;
    case Op::ret: e.control.return_from_function(false); return true;
    case Op::exit: e.control.return_from_function(true); return true;
    case Op::trap:
    case Op::brkpt: e.fault(software::Fault::trap); return true;
    case Op::nanosleep:
        if (e.coroutine) e.waiting.suspend(software::Wait::yield);
        return true;
    case Op::pmevent:
    case Op::setmaxnreg:
    case Op::griddepcontrol: return true;
    default: return false;
    }
}

} // namespace warplight::jit
