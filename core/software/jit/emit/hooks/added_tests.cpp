// SPDX-License-Identifier: Apache-2.0
// The instructions of front/shadows.cpp and front/arithmetic_tests.cpp that are none of PTX.
#include "access_address.hpp"
#include "software/jit/emit/groups.hpp"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace warplight::jit {

using llvm::Value;
using ptx::Aid;
using ptx::Operand;

namespace {

bool has_address(const ptx::Instruction& i) { return i.operands.at(1).kind != Operand::Kind::reg; }

/// For each lane whether it uses a value that nothing wrote. Of a store only elements count of which no byte is
/// written: others are structures with padding.
Value* is_used(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const ptx::Type type = i.type();
    Value* any = nullptr;
    for (std::size_t k = has_address(i) ? 2 : 1; k < i.operands.size(); ++k) {
        Value* shadow = e.read(i.operands[k], type);
        Value* one = has_address(i) ? b.CreateICmpEQ(shadow, llvm::Constant::getAllOnesValue(shadow->getType()))
                                    : b.CreateIsNotNull(shadow);
        any = any ? b.CreateOr(any, one) : one;
    }
    return any;
}

/// Calls `tell(lanes)` where `is_wrong()` holds for some lanes, which it emits for all at once.
template <class IsWrong, class Tell>
void emit_test(Emitter& e, const ptx::Instruction& i, IsWrong is_wrong, Tell tell) {
    auto& b = e.b;
    const bool varies = e.plan && std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& x) {
                            return x.kind == Operand::Kind::reg && e.registers.varies(x.reg);
                        });
    Value* lanes = nullptr; // i32, a bit for each
    if (varies) {
        const auto vectors = e.lanes.with_full_width();
        Value* wrong = is_wrong();
        if (Value* mask = e.lanes.active_mask()) wrong = b.CreateAnd(wrong, mask);
        lanes = b.CreateZExt(b.CreateBitCast(wrong, b.getIntNTy(e.lanes.full_width())), b.getInt32Ty());
    } else {
        lanes = b.CreateSelect(is_wrong(), e.active_bits(), b.getInt32(0));
    }
    llvm::BasicBlock* some = e.new_block("some");
    llvm::BasicBlock* rest = e.new_block("rest");
    b.CreateCondBr(b.CreateIsNull(lanes), rest, some, llvm::MDBuilder(e.context).createLikelyBranchWeights());
    b.SetInsertPoint(some);
    tell(lanes);
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
}

Value* number(Emitter& e, const ptx::Instruction& i) {
    return e.b.getInt32(static_cast<std::uint32_t>(i.operands.at(0).integer));
}

void tell_use(Emitter& e, const ptx::Instruction& i, Value* lanes) {
    auto& b = e.b;
    const auto call = [&](Value* addresses) {
        e.runtime_call(
            "wl_rt_uninitialised", b.getVoidTy(),
            {e.place.block(), e.place.first_linear_thread(), lanes, addresses, e.site_value(), number(e, i)});
    };
    if (!has_address(i)) return call(llvm::ConstantPointerNull::get(b.getPtrTy()));
    const Scratch addresses(e, "addresses", std::size_t{8} * e.lanes.full_width());
    {
        const auto vectors = e.lanes.with_full_width();
        Value* at = address_of(e, i.operands[1], i.space);
        b.CreateAlignedStore(b.CreateZExtOrTrunc(at, e.integer_type(64)), addresses.address(), Scratch::alignment());
    }
    call(addresses.address());
}

void emit_arithmetic_test(Emitter& e, const ptx::Instruction& i) {
    emit_test(
        e, i, [&] { return e.read(i.operands.at(1), ptx::Type::pred); },
        [&](Value* lanes) {
            e.runtime_call("wl_rt_arithmetic", e.b.getVoidTy(),
                           {e.place.block(), e.place.first_linear_thread(), lanes, e.site_value(), number(e, i)});
        });
}

/// Local memory holds no values yet.
void emit_spoil(Emitter& e, const ptx::Instruction& i) {
    const Operand& variable = i.operands.at(0);
    const ptx::Variable& v = e.function.variables[variable.index];
    const std::int64_t per_lane = e.plan ? e.plan->per_lane_memory.bytes(variable.index) : 0;
    const std::uint64_t bytes = per_lane ? static_cast<std::uint64_t>(per_lane) * e.lanes.full_width() : v.size;
    e.b.CreateMemSet(e.addresses.pointer(variable, ptx::Space::local), e.b.getInt8(0xff), e.b.getInt64(bytes),
                     llvm::Align(1));
}

/// Some thread goes on in the next turn.
void emit_next_turn(Emitter& e) {
    auto& b = e.b;
    Value* goes_on = b.getInt32(1);
    if (e.lanes.active_mask())
        goes_on = b.CreateOr(b.CreateZExt(b.CreateIsNotNull(e.active_bits()), b.getInt32Ty()),
                             b.CreateLoad(b.getInt32Ty(), e.place.goes_on()));
    b.CreateStore(goes_on, e.place.goes_on());
}

} // namespace

bool emit_added(Emitter& e, const ptx::Instruction& i) {
    switch (i.aid) {
    case Aid::shadow_test:
        emit_test(e, i, [&] { return is_used(e, i); }, [&](Value* lanes) { tell_use(e, i, lanes); });
        return true;
    case Aid::arithmetic_test: emit_arithmetic_test(e, i); return true;
    case Aid::shadow_spoil: emit_spoil(e, i); return true;
    case Aid::lanes_within: emit_lanes_within(e, i); return true;
    case Aid::next_turn: emit_next_turn(e); return true;
    default: return emit_left_out(e, i);
    }
}

} // namespace warplight::jit
