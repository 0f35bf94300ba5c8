// SPDX-License-Identifier: Apache-2.0
// The instruction of front/inner_code.cpp that is none of PTX: what the first and the last lane tell of all.
#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"

#include <algorithm>

namespace warplight::jit {

using llvm::Value;
using ptx::Operand;

namespace {

/// The lanes' numbers are computed in 64 bits. So one that wraps is outside of all bounds.
Value* are_within(Emitter& e, const ptx::Instruction& i) {
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
