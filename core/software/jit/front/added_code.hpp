// SPDX-License-Identifier: Apache-2.0
// Instructions that are added to a function, each for one of its own: with its place in the source, and under its
// guard.
#pragma once

#include "software/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::jit {

[[nodiscard]] ptx::Operand register_operand(ptx::RegisterId r);
[[nodiscard]] ptx::Operand number_operand(std::int64_t value);
[[nodiscard]] ptx::Type untyped(unsigned bits);
void set(ptx::Instruction& instruction, ptx::Modifier modifier);

struct ChangedFunction {
    ptx::Function function;
    std::vector<std::uint32_t> origins; ///< by instruction: the one in the given function that it was made for
};

class AddedCode {
public:
    explicit AddedCode(const ptx::Function& function) : given_labels_(function.labels.size()) {
        result_.function = function;
    }

    /// What is added from now on is for this instruction.
    void begin(std::uint32_t index) { index_ = index; }
    [[nodiscard]] const ptx::Instruction& current() const { return result_.function.instructions[index_]; }
    ptx::Instruction& add(ptx::Opcode opcode, ptx::Type type, std::vector<ptx::Operand> operands);
    void add(ptx::Instruction instruction);
    /// What was added last.
    [[nodiscard]] ptx::Instruction& last() { return code_.back(); }
    /// The instruction itself.
    void keep();
    /// A label to branch to, which has no place yet.
    [[nodiscard]] std::uint32_t new_label();
    /// What is added next is behind the label.
    void place(std::uint32_t label);
    /// @param condition none: a branch without one
    void add_branch(std::uint32_t label, std::optional<ptx::RegisterId> condition);
    /// The function with all that was added, its labels moved.
    [[nodiscard]] ChangedFunction finish();

    [[nodiscard]] ptx::RegisterId new_register(ptx::Type type);
    [[nodiscard]] ptx::Operand temporary(ptx::Type type) { return register_operand(new_register(type)); }
    [[nodiscard]] unsigned bits_of(ptx::RegisterId r) const { return ptx::bits(result_.function.registers[r].type); }

private:
    void append(ptx::Instruction instruction);

    ChangedFunction result_;
    std::size_t given_labels_; ///< the others have their places
    std::vector<ptx::Instruction> code_;
    std::vector<std::uint32_t> begins_; ///< by instruction: where its own code begins
    std::uint32_t index_ = 0;
};

} // namespace warplight::jit
