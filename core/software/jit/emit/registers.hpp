// SPDX-License-Identifier: Apache-2.0
// Where PTX registers live while code is emitted. A register has a stack slot of its declared width until the function
// is complete; then Emitter makes values of the slots. A slot holds
//   - one value, for a register that is the same in all lanes,
//   - the first lane's value, for an affine register: lane k has that and k times the plan's stride,
//   - a vector, for every other register of threads side by side.
#pragma once

#include "function_code.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <vector>

namespace warplight::jit {

class Registers {
public:
    explicit Registers(FunctionCode& code);

    /// The lanes may hold different values.
    [[nodiscard]] bool varies(ptx::RegisterId r) const { return code_.plan && !code_.plan->uniform(r); }
    /// The slot holds a value for each lane.
    [[nodiscard]] bool is_vector(ptx::RegisterId r) const { return varies(r) && !code_.plan->is_affine(r); }
    /// Inactive lanes need the value they have: a write must not change it.
    [[nodiscard]] bool keeps_inactive(ptx::RegisterId r) const;

    /// The register's bits as ValueTypes::type_of(type); cut or extended by zeros where the sizes differ.
    [[nodiscard]] llvm::Value* read(ptx::RegisterId r, ptx::Type type);
    /// @param value of ValueTypes::register_type() of the declared type
    void write(ptx::RegisterId r, llvm::Value* value);
    [[nodiscard]] llvm::AllocaInst* slot(ptx::RegisterId r);
    /// The values of all lanes, whatever the plan. Of code without a mask.
    [[nodiscard]] llvm::Value* read_all(ptx::RegisterId r);

    /// Gives each slot so far the address that `place(r)` answers.
    void place_slots(llvm::function_ref<llvm::Value*(ptx::RegisterId)> place);

    /// Whether the code emitted so far reads or writes a slot, apart from the zero at its start. Of one thread.
    [[nodiscard]] bool has_read(ptx::RegisterId r) const;
    [[nodiscard]] bool has_written(ptx::RegisterId r) const;

    // --- the carry flag, i1
    [[nodiscard]] llvm::Value* carry();
    void set_carry(llvm::Value* value);

    // --- affine registers that come from a 32-bit index (emit/lanes/affine.cpp)
    /// The first lane's index, i32, of a register with a Widening.
    [[nodiscard]] llvm::Value* index(ptx::RegisterId r);
    void set_index(ptx::RegisterId r, llvm::Value* index);
    /// i1: no lane's index wraps, so that the stride is right for all lanes. Null: none can.
    [[nodiscard]] llvm::Value* is_even(ptx::RegisterId r);

    // --- loops over lanes (emit/lanes/lane_loop.cpp)
    /// Memory of a register meanwhile.
    struct LaneCopy {
        llvm::Value* memory;
        bool has_all; ///< an element for each lane; else one for the lane that executes
        /// Without memory: lane k holds `first` and k times `step`, and the code only reads.
        llvm::Value* first = nullptr;
        llvm::Value* step = nullptr;
    };
    using LaneCopies = std::map<ptx::RegisterId, LaneCopy>;
    /// These registers are read and written there, at LaneState::serial_index().
    [[nodiscard]] Scoped<const LaneCopies*> with_copies(const LaneCopies& copies) { return {copies_, &copies}; }

private:
    [[nodiscard]] llvm::Value* read_vector(ptx::RegisterId r);
    [[nodiscard]] llvm::Value* read_affine(ptx::RegisterId r);
    [[nodiscard]] bool has_copy(ptx::RegisterId r) const;
    [[nodiscard]] llvm::Value* read_copy(ptx::RegisterId r);
    [[nodiscard]] llvm::Value* lane_copy(ptx::RegisterId r);
    [[nodiscard]] llvm::Value* times_lane(std::int64_t factor, unsigned bits);
    [[nodiscard]] llvm::AllocaInst* index_slot(ptx::RegisterId r);

    FunctionCode& code_;
    llvm::IRBuilder<>& b_;
    std::vector<llvm::AllocaInst*> slots_, own_slots_; ///< own_slots_: of LanePlan::own_registers
    std::map<ptx::RegisterId, llvm::AllocaInst*> indices_;
    const LaneCopies* copies_ = nullptr;
    llvm::AllocaInst* carry_ = nullptr;
};

} // namespace warplight::jit
