// SPDX-License-Identifier: Apache-2.0
#include "waiting_lanes.hpp"

#include "software/jit/host.hpp"

namespace warplight::jit {

using llvm::Value;

llvm::Type* WaitingLanes::type() const {
    return llvm::FixedVectorType::get(host_masks_anything() ? b_.getInt1Ty() : b_.getInt32Ty(), e_.lanes.full_width());
}

void WaitingLanes::make_slots() {
    for (std::uint32_t k = 0; k < slots_.size(); ++k) {
        if (!e_.plan->blocks[k].masked) continue;
        slots_[k] = e_.stack_slot(type(), "waiting");
        const FunctionCode::AtEntry scope(e_);
        clear(k);
    }
}

Value* WaitingLanes::mask(std::uint32_t block) {
    Value* mask = b_.CreateLoad(type(), slots_[block]);
    return host_masks_anything() ? mask : b_.CreateICmpSLT(mask, llvm::Constant::getNullValue(type()));
}

void WaitingLanes::add(std::uint32_t block, Value* mask) {
    if (!may_wait(block)) return;
    Value* before = b_.CreateLoad(type(), slots_[block]);
    b_.CreateStore(b_.CreateOr(before, host_masks_anything() ? mask : b_.CreateSExt(mask, type())), slots_[block]);
}

void WaitingLanes::clear(std::uint32_t block) { b_.CreateStore(llvm::Constant::getNullValue(type()), slots_[block]); }

} // namespace warplight::jit
