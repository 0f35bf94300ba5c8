// SPDX-License-Identifier: Apache-2.0
#include "control.hpp"

namespace warplight::jit {

using llvm::Value;

Control::Control(FunctionCode& code, Registers& registers, Variables& variables, AccessChecks& checks, Waiting& waiting)
    : code_(code), registers_(registers), variables_(variables), checks_(checks), waiting_(waiting), b_(code.b),
      blocks_(code.function.instructions.size() + 1) {}

llvm::BasicBlock* Control::label_block(ptx::LabelId label) {
    llvm::BasicBlock*& block = blocks_.at(code_.function.labels.at(label).instruction);
    if (!block) block = code_.new_block("label");
    return block;
}

void Control::branch_to(ptx::LabelId label) {
    llvm::BasicBlock* block = label_block(label);
    waiting_.yield_in_spin_loop();
    b_.CreateBr(block);
}

void Control::return_from_function(bool exited) {
    const auto& results = code_.function.results;
    for (std::uint32_t k = 0; !exited && k < results.size(); ++k)
        if (const auto r = results[k].reg) {
            llvm::Type* type = code_.types.register_type(code_.function.registers[*r].type);
            Value* value = b_.CreateLoad(type, registers_.slot(*r));
            b_.CreateStore(value, variables_.memory_of(ptx::Operand::Scope::result, k));
        }
    if (code_.function.kernel && !code_.coroutine)
        b_.CreateRet(checks_.misaligned_bits());
    else
        b_.CreateRet(b_.getInt1(exited));
}

} // namespace warplight::jit
