// SPDX-License-Identifier: Apache-2.0
// The memory of PTX variables: parameters, results and .local variables of the function, and variables of the module.
#pragma once

#include "software/jit/emit/thread_place.hpp"

#include <vector>

namespace warplight::jit {

class Variables {
public:
    Variables(FunctionCode& code, ThreadPlace& place);

    [[nodiscard]] ptx::Space space_of(const ptx::Operand& variable) const;
    /// The memory of a parameter, a result or a variable of the function's body; of per-lane memory the first lane's.
    [[nodiscard]] llvm::Value* memory_of(ptx::Operand::Scope scope, std::uint32_t index);
    /// The host address of a variable in whatever space; of per-lane memory the single lane's.
    [[nodiscard]] llvm::Value* host_address(const ptx::Operand& variable);
    /// The address of a variable or function in its own space, i64.
    [[nodiscard]] llvm::Value* address_of(const ptx::Operand& operand);
    /// The same, for LaneState::width() lanes.
    [[nodiscard]] llvm::Value* lane_addresses_of(const ptx::Operand& variable);

private:
    [[nodiscard]] std::uint64_t shared_offset(const ptx::Operand& variable) const;

    FunctionCode& code_;
    ThreadPlace& place_;
    llvm::IRBuilder<>& b_;
    std::vector<llvm::Value*> parameters_;
    std::vector<llvm::Value*> results_;
    std::vector<llvm::Value*> body_; ///< made when first used
};

[[nodiscard]] inline bool is_shared(ptx::Space space) {
    return space == ptx::Space::shared || space == ptx::Space::shared_cluster;
}
/// A variable itself, or an address that starts from one.
[[nodiscard]] inline bool is_by_variable(const ptx::Operand& address) {
    return address.kind == ptx::Operand::Kind::variable ||
           (address.kind == ptx::Operand::Kind::address && address.base_kind == ptx::Operand::Kind::variable);
}
/// Bytes further on.
[[nodiscard]] llvm::Value* advance(llvm::IRBuilder<>& b, llvm::Value* pointer, std::int64_t bytes);

} // namespace warplight::jit
