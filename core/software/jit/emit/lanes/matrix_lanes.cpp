// SPDX-License-Identifier: Apache-2.0
#include "matrix_lanes.hpp"

#include "software/jit/emit/matrix/matrix_kernel.hpp"

#include <map>

namespace warplight::jit {

using llvm::Value;
using ptx::Operand;

// --- registers

Value* MatrixLanes::read(const Operand& operand, ptx::Type type) {
    const auto vectors = e_.lanes.with_width(kLanes);
    return active_or_zero(e_.read(operand, type));
}

Value* MatrixLanes::active_or_zero(Value* value) {
    Value* mask = e_.lanes.active_mask();
    return mask ? b_.CreateSelect(mask, value, llvm::Constant::getNullValue(value->getType())) : value;
}

void MatrixLanes::write(const Operand& operand, ptx::Type type, Value* value) {
    const auto vectors = e_.lanes.with_width(kLanes);
    e_.write(operand, type, e_.bits_as(value, e_.integer_type(ptx::bits(type))));
}

// --- wmma.load, wmma.store

unsigned MatrixLanes::first_like(const MatrixMove& move, unsigned reg) {
    for (unsigned other = 0; other < reg; ++other) {
        bool same = true;
        for (unsigned lane = 0; lane < kLanes && same; ++lane)
            for (unsigned e = 0; e < move.elements && same; ++e)
                same = move.place(lane, reg, e) == move.place(lane, other, e);
        if (same) return other;
    }
    return reg;
}

MatrixLanes::Order MatrixLanes::order_of(const MatrixMove& move, unsigned reg) {
    const auto each_lane = [&](auto fits) {
        for (unsigned lane = 0; lane < kLanes; ++lane)
            if (!fits(lane / kWithin, lane % kWithin, lane)) return false;
        return true;
    };
    const auto follows = [](const MatrixMove::Place& p, const MatrixMove::Place& first, unsigned by) {
        return p.line == first.line && p.within == first.within + by;
    };
    if (move.whole && each_lane([&](unsigned group, unsigned within, unsigned lane) {
            return follows(move.place(lane, reg, 0), move.place(group * kWithin, reg, 0), within * move.elements);
        }))
        return Order::groups;
    if (move.elements == 1 && reg + 1 < move.registers &&
        each_lane([&](unsigned group, unsigned within, unsigned lane) {
            const MatrixMove::Place first = move.place(group * kWithin, reg, 0);
            return follows(move.place(lane, reg, 0), first, 2 * within) &&
                   follows(move.place(lane, reg + 1, 0), first, 2 * within + 1);
        }))
        return Order::pairs;
    const bool turned = each_lane([&](unsigned group, unsigned within, unsigned lane) {
        for (unsigned e = 0; e < move.elements; ++e)
            if (!follows(move.place(lane, reg, e), move.place(within, reg, e), group)) return false;
        return true;
    });
    if (!turned) throw EmitError("internal: a fragment that is in no order");
    return Order::turned;
}

void MatrixLanes::move_registers(const MatrixMove& move, Value* base, Value* bytes, std::vector<Value*>& registers,
                                 bool load) {
    std::map<unsigned, Value*> lines;
    const auto at = [&](const MatrixMove::Place& p) {
        Value*& line = lines[p.line];
        if (!line) line = b_.CreateGEP(b_.getInt8Ty(), base, b_.CreateMul(bytes, b_.getInt64(p.line)));
        return b_.CreateConstGEP1_64(b_.getInt8Ty(), line, std::uint64_t{p.within} * move.bits / 8);
    };
    const unsigned register_bits = move.elements * move.bits;
    for (unsigned reg = 0; reg < move.registers;) {
        const auto line_of_group = [&](unsigned group) { return at(move.place(group * kWithin, reg, 0)); };
        const auto line_within = [&](unsigned within, unsigned e) { return at(move.place(within, reg, e)); };
        if (const unsigned same = first_like(move, reg); load && same < reg) {
            registers[reg] = registers[same];
            reg += 1;
            continue;
        }
        switch (order_of(move, reg)) {
        case Order::groups:
            if (load)
                registers[reg] = load_groups(register_bits, line_of_group);
            else
                store_groups(registers[reg], line_of_group);
            reg += 1;
            break;
        case Order::pairs:
            move_pair(registers, reg, register_bits, load, line_of_group);
            reg += 2;
            break;
        case Order::turned:
            if (load)
                registers[reg] = load_turned(move.bits, move.elements, line_within);
            else
                store_turned(registers[reg], move.bits, move.elements, line_within);
            reg += 1;
            break;
        }
    }
}

void MatrixLanes::move_pair(std::vector<Value*>& registers, unsigned reg, unsigned bits, bool load, Line line) {
    if (load) {
        std::vector<Value*> parts(kGroups);
        for (unsigned group = 0; group < kGroups; ++group)
            parts[group] = LaneVectors::load(line(group), bits, 2 * kWithin);
        Value* all = concatenate(parts);
        registers[reg] = pick(all, 0, kLanes, 2);
        registers[reg + 1] = pick(all, 1, kLanes, 2);
        return;
    }
    Value* all = interleave({registers[reg], registers[reg + 1]});
    for (unsigned group = 0; group < kGroups; ++group)
        store(pick(all, group * 2 * kWithin, 2 * kWithin), line(group));
}

// --- ldmatrix, stmatrix

Addresses::Shared MatrixLanes::shared_addresses(const Operand& address) {
    const auto vectors = e_.lanes.with_width(kLanes);
    return e_.addresses.shared_address(address);
}

Value* MatrixLanes::misaligned_rows(Value* base, Value* offsets, unsigned matrices) {
    Value* common = b_.CreateTrunc(b_.CreatePtrToInt(base, b_.getInt64Ty()), b_.getInt32Ty());
    Value* low = b_.CreateAdd(b_.CreateTrunc(offsets, words(32, kLanes)), b_.CreateVectorSplat(kLanes, common));
    low = b_.CreateAnd(low, b_.CreateVectorSplat(kLanes, b_.getInt32(kRowBytes - 1)));
    Value* wrong = b_.CreateBitCast(b_.CreateIsNotNull(low), b_.getInt32Ty());
    return matrices < 4 ? b_.CreateAnd(wrong, b_.getInt32((1U << 8 * matrices) - 1)) : wrong;
}

// --- products

void MatrixLanes::multiply(const ptx::MatrixForm& form, Value* a, Value* b, Value* c, Value* d) {
    if (llvm::Function* kernel = matrix_kernel(e_.unit, form))
        b_.CreateCall(kernel, {a, b, c, d});
    else
        e_.runtime_call("wl_matrix_multiply", b_.getVoidTy(), {b_.getInt64(form.pack()), a, b, c, d});
}

} // namespace warplight::jit
