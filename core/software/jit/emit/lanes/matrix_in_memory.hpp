// SPDX-License-Identifier: Apache-2.0
// Matrix instructions whose fragments are in memory, see Fragments. They become calls of functions that all
// instructions of the same form share, so a kernel with many of them is compiled in reasonable time.
#pragma once

#include "matrix_lanes.hpp"
#include "software/jit/emit/matrix/fragments.hpp"

#include <optional>
#include <string>

namespace warplight::jit {

class MatrixInMemory : MatrixLanes {
public:
    MatrixInMemory(Emitter& e, Fragments& fragments) : MatrixLanes(e), fragments_(fragments) {}

    // Each answers false for an instruction that is not to be done in memory; nothing is emitted then.
    /// wmma.load and wmma.store. @param bytes from line to line
    bool transfer(const ptx::Instruction& i, const MatrixMove& move, Value* base, Value* bytes, bool load);
    /// ldmatrix and stmatrix
    bool rows(const ptx::Instruction& i, bool load);
    /// mma and wmma.mma. The sums overwrite the fragment that they start from if nobody reads that again.
    bool product(const ptx::Instruction& i, const ptx::MatrixForm& form);

private:
    /// A fragment in memory that an instruction reads.
    struct Source {
        unsigned place, count;
        std::optional<Fragments::Registers> registers;
        bool is_held = false;      ///< the memory held it before the instruction
        bool is_whole = false;     ///< nothing else is held together with it
        bool is_temporary = false; ///< for this instruction alone
    };
    /// @param value a single register's value, if it has been read already
    Source source(const ptx::Operand& operand, Value* value = nullptr);
    Source temporary(Value* value);
    /// The instruction's result is in memory: the registers get it as values, and Fragments knows its place.
    void give(const ptx::Instruction& i, const Fragments::Registers& registers, unsigned place);
    /// After the instruction: sources that it stored to memory are held there, except those it has overwritten.
    void settle(const std::vector<Source>& sources, const Fragments::Registers& written);

    [[nodiscard]] bool is_possible(const ptx::Instruction& i) const;
    /// The registers that an operand is a vector of, if they are of 32 bits and no two are the same.
    [[nodiscard]] std::optional<Fragments::Registers> registers_of(const ptx::Operand& operand) const;

    using Make = llvm::function_ref<void(llvm::Function&)>;
    /// A function of the generated code, made when it is first used.
    llvm::Function* function(const std::string& name, llvm::ArrayRef<llvm::Type*> parameters, Make make);
    llvm::Function* transfer_function(const MatrixMove& move, bool load);
    llvm::Function* rows_function(unsigned matrices, bool transposed, bool is_signed, bool load);

    Fragments& fragments_;
};

} // namespace warplight::jit
