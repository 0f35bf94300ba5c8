// SPDX-License-Identifier: Apache-2.0
// The instruction of front/inner_code.cpp and front/loop_cells.cpp that is none of PTX: whether numbers of all lanes
// lie between bounds.
#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"

#include <algorithm>

namespace warplight::jit {

using llvm::Value;
using ptx::Operand;

namespace {

/// Of 64-bit numbers, which may differ in any way.
Value* are_all_within(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const auto all_lanes = e.lanes.with_full_width();
    const Operand& x = i.operands.at(1);
    const auto plus = [&](std::size_t number) {
        Value* value = e.read(x, i.type());
        return b.CreateAdd(value, e.read(i.operands.at(number), i.type()));
    };
    Value* within = b.CreateAnd(b.CreateICmpSLE(e.read(i.operands.at(4), i.type()), plus(2)),
                                b.CreateICmpSLE(plus(3), e.read(i.operands.at(5), i.type())));
    if (!within->getType()->isVectorTy()) return within;
    if (Value* active = e.lanes.active_mask()) within = b.CreateOr(within, b.CreateNot(active));
    return b.CreateAndReduce(within);
}

/// What the first and the last lane tell of all. The lanes' numbers are computed in 64 bits. So one that wraps is
/// outside of all bounds.
Value* are_within(Emitter& e, const ptx::Instruction& i) {
    if (ptx::bits(i.type()) == 64) return are_all_within(e, i);
    auto& b = e.b;
    const Operand& x = i.operands.at(1);
    const auto stride = e.plan ? e.plan->stride_of(x) : 0;
    if (!stride || e.lanes.active_mask()) return b.getFalse(); // where some lanes are left, there is an edge
    const auto wide = [&](const Operand& operand) {
        Value* value = e.read(operand, i.type());
        return ptx::is_signed(i.type()) ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
    };
    const std::int64_t reach = e.plan ? *stride * (e.lanes.full_width() - 1) : 0;
    const std::int64_t from = i.operands.at(2).integer + std::min<std::int64_t>(reach, 0);
    const std::int64_t to = i.operands.at(3).integer + std::max<std::int64_t>(reach, 0);
    Value* first = wide(x);
    Value* least = b.CreateAdd(first, b.getInt64(static_cast<std::uint64_t>(from)));
    Value* most = b.CreateAdd(first, b.getInt64(static_cast<std::uint64_t>(to)));
    return b.CreateAnd(b.CreateICmpSGE(least, wide(i.operands.at(4))), b.CreateICmpSLE(most, wide(i.operands.at(5))));
}

} // namespace

void emit_lanes_within(Emitter& e, const ptx::Instruction& i) {
    e.write(i.operands.at(0), ptx::Type::pred, are_within(e, i));
}

} // namespace warplight::jit
