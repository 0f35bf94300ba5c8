// SPDX-License-Identifier: Apache-2.0
#include "lane_groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;

/// Lane k holds x + k * stride. The lanes' numbers are ordered unless they wrap, so the first and the last tell whether
/// all are below or above y.
Unanimous compare_first_lane(Emitter& e, const Instruction& i) {
    auto& b = e.b;
    const bool swapped = e.plan->uniform(i.operands[1]);
    const Operand& affine = i.operands[swapped ? 2 : 1];
    const bool is_signed = ptx::is_signed(i.type());
    const auto wide = [&](const Operand& operand) {
        Value* value = e.read(operand, i.type());
        return is_signed ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
    };
    Value* first = wide(affine);
    Value* y = wide(i.operands[swapped ? 1 : 2]);
    const std::int64_t reach = *e.plan->stride(affine.reg) * (e.lanes.full_width() - 1);
    Value* last = b.CreateAdd(first, b.getInt64(static_cast<std::uint64_t>(reach)));
    Value* least = reach > 0 ? first : last;
    Value* most = reach > 0 ? last : first;
    Value* from_zero = is_signed ? b.CreateAdd(last, b.getInt64(std::uint64_t{1} << 31)) : last;
    Value* stays = b.CreateICmpULT(from_zero, b.getInt64(std::uint64_t{1} << 32));
    Value* below = b.CreateICmpSLT(most, y);  // all of them
    Value* above = b.CreateICmpSGT(least, y); // all
    const auto unless_it_wraps = [&](Value* all, Value* none) {
        return Unanimous{b.CreateAnd(stays, all), b.CreateAnd(stays, none)};
    };
    if (i.has(Modifier::eq)) return unless_it_wraps(b.getFalse(), b.CreateOr(below, above));
    if (i.has(Modifier::ne)) return unless_it_wraps(b.CreateOr(below, above), b.getFalse());
    const bool less = i.has(Modifier::lt) || i.has(Modifier::le) || i.has(Modifier::lo) || i.has(Modifier::ls);
    const bool equal = i.has(Modifier::le) || i.has(Modifier::ge) || i.has(Modifier::ls) || i.has(Modifier::hs);
    // "x < y" with the affine operand first, "x > y" with it second.
    if (less != swapped)
        return unless_it_wraps(equal ? b.CreateICmpSLE(most, y) : below, equal ? above : b.CreateICmpSGE(least, y));
    return unless_it_wraps(equal ? b.CreateICmpSGE(least, y) : above, equal ? below : b.CreateICmpSLE(most, y));
}

} // namespace warplight::jit
