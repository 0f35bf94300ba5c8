// SPDX-License-Identifier: Apache-2.0
#include "variables.hpp"

#include "software/jit/emit/emit_error.hpp"
#include "software/ptx/opaque.hpp"

#include <algorithm>

namespace warplight::jit {

using llvm::Value;
using ptx::Space;
using Scope = ptx::Operand::Scope;

Value* advance(llvm::IRBuilder<>& b, Value* pointer, std::int64_t bytes) {
    if (bytes == 0) return pointer;
    return b.CreateGEP(b.getInt8Ty(), pointer, b.getInt64(static_cast<std::uint64_t>(bytes)));
}

Variables::Variables(FunctionCode& code, ThreadPlace& place)
    : code_(code), place_(place), b_(code.b), parameters_(code.function.parameters.size()),
      results_(code.function.results.size()), body_(code.function.variables.size()) {
    if (code.function.kernel) {
        for (std::size_t k = 0; k < parameters_.size(); ++k)
            parameters_[k] = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), place.parameters_base(),
                                                           code.unit.kernel_parameters.offsets[k]);
        return;
    }
    unsigned argument = ThreadPlace::argument_count(code.coroutine);
    for (Value*& p : parameters_)
        p = code.target.getArg(argument++);
    for (Value*& r : results_)
        r = code.target.getArg(argument++);
}

Space Variables::space_of(const ptx::Operand& variable) const {
    switch (variable.scope) {
    case Scope::module: return code_.module.variables[variable.index].space;
    case Scope::function: return code_.function.variables[variable.index].space;
    default: return Space::param;
    }
}

Value* Variables::memory_of(Scope scope, std::uint32_t index) {
    if (scope == Scope::parameter) return parameters_.at(index);
    if (scope == Scope::result) return results_.at(index);
    Value*& memory = body_.at(index);
    if (!memory) {
        const ptx::Variable& v = code_.function.variables[index];
        const std::int64_t per_lane = code_.plan ? code_.plan->per_lane_memory.bytes(index) : 0;
        const std::uint64_t size = per_lane ? static_cast<std::uint64_t>(per_lane) * code_.lanes.full_width()
                                   : v.size ? v.size
                                            : 1;
        memory = code_.local_slot(llvm::ArrayType::get(b_.getInt8Ty(), size), "memory",
                                  std::max<std::uint32_t>(v.alignment, 8));
    }
    return memory;
}

Value* Variables::host_address(const ptx::Operand& variable) {
    if (is_shared(space_of(variable)))
        return b_.CreateConstGEP1_64(b_.getInt8Ty(), place_.shared_base(), shared_offset(variable));
    if (variable.scope == Scope::module) return code_.unit.variable(variable.index);
    Value* of_first_lane = memory_of(variable.scope, variable.index);
    const std::int64_t per_lane = code_.plan ? code_.plan->per_lane_memory.bytes(variable) : 0;
    const LaneState& lanes = code_.lanes;
    if (!per_lane || lanes.width() > 1 || (!lanes.serial_index() && lanes.lane() <= 0)) return of_first_lane;
    Value* lane = lanes.serial_index() ? b_.CreateZExt(lanes.serial_index(), b_.getInt64Ty())
                                       : b_.getInt64(static_cast<std::uint64_t>(lanes.lane()));
    Value* offset = b_.CreateMul(lane, b_.getInt64(static_cast<std::uint64_t>(per_lane)));
    return b_.CreateGEP(b_.getInt8Ty(), of_first_lane, offset);
}

Value* Variables::address_of(const ptx::Operand& operand) {
    if (operand.kind == ptx::Operand::Kind::function)
        return b_.getInt64(software::kFunctionAddressBase + 16ull * operand.index);
    // A texture, sampler or surface is known by the handle that its variable holds.
    if (operand.kind == ptx::Operand::Kind::variable && operand.scope == Scope::module &&
        ptx::is_opaque(code_.module.variables[operand.index].type))
        return b_.CreateAlignedLoad(b_.getInt64Ty(), code_.unit.variable(operand.index), llvm::Align(8));
    if (!is_shared(space_of(operand)))
        return b_.CreatePtrToInt(advance(b_, host_address(operand), operand.integer), b_.getInt64Ty());
    Value* at = b_.getInt64(shared_offset(operand) + static_cast<std::uint64_t>(operand.integer));
    if (!code_.unit.analysis.knows_clusters) return at;
    Value* rank = b_.CreateZExt(place_.cluster_rank(), b_.getInt64Ty());
    return b_.CreateAdd(b_.CreateShl(rank, software::kClusterStrideBits), at);
}

Value* Variables::lane_addresses_of(const ptx::Operand& variable) {
    Value* address = code_.splat(address_of(variable));
    const unsigned width = code_.lanes.width();
    const std::int64_t per_lane = code_.plan && width > 1 ? code_.plan->per_lane_memory.bytes(variable) : 0;
    if (!per_lane) return address;
    llvm::SmallVector<llvm::Constant*> further;
    for (unsigned lane = 0; lane < width; ++lane)
        further.push_back(b_.getInt64(static_cast<std::uint64_t>(per_lane) * lane));
    return b_.CreateAdd(address, llvm::ConstantVector::get(further));
}

std::uint64_t Variables::shared_offset(const ptx::Operand& variable) const {
    const auto offset = code_.unit.shared.offset_of(variable.scope == Scope::module, code_.function_id, variable.index);
    if (!offset) throw EmitError("a shared variable without a place");
    return *offset;
}

} // namespace warplight::jit
