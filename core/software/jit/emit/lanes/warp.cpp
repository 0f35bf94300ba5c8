// SPDX-License-Identifier: Apache-2.0
// Warp operations where the warp is a vector. All members that have not ended are at the instruction, so nobody waits.
// Lanes with the same member mask are a group. Lanes that have ended count as arrived, so the members of a group are
// the active lanes of its mask.
#include "lane_groups.hpp"
#include "plain_texture.hpp"
#include "software/jit/lanes/partial_warps.hpp"
#include "software/ptx/possible_bits.hpp"

#include <llvm/IR/IntrinsicsX86.h>

#include <array>
#include <bit>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// The lane that a lane reads from, as the PTX ISA has it; itself if that lane is not in its segment.
struct Source {
    int lane;
    bool inside;
};
Source source_of(const Instruction& i, int self, int by, int bounds) {
    const int clamp = bounds & 31, segment = bounds >> 8 & 31;
    const int first = self & segment, last = first | (clamp & ~segment);
    const int from = i.has(Modifier::up)     ? self - by
                     : i.has(Modifier::down) ? self + by
                     : i.has(Modifier::bfly) ? self ^ by
                                             : first | (by & ~segment);
    const bool inside = i.has(Modifier::up) ? from >= last : from <= last;
    return {inside ? from : self, inside};
}

class Warp {
public:
    explicit Warp(Emitter& e) : e_(e), b_(e.b) {}

    void emit(const Instruction& i) {
        need_members(i);
        switch (i.opcode) {
        case Opcode::shfl: shuffle(i); break;
        case Opcode::vote: vote(i); break;
        case Opcode::match: match(i); break;
        case Opcode::redux: reduce(i); break;
        case Opcode::activemask: write(i.operands.at(0), ptx::Type::b32, e_.active_bits()); break;
        case Opcode::elect: elect(i); break;
        default: break; // bar.warp.sync: all lanes are here
        }
    }

private:
    static constexpr unsigned kLanes = kWarpLanes;
    static constexpr int kFewBits = 12; ///< of more, comparing with each lane is as fast

    // --- operands and results: vectors, or one value for all lanes

    Value* of_lanes(const Instruction& i, std::size_t k, ptx::Type type) {
        const auto vectors = e_.lanes.with_width(kLanes);
        return e_.read(i.operands.at(k), type);
    }
    void write(const Operand& to, ptx::Type type, Value* value) {
        const auto width = e_.lanes.with_width(value->getType()->isVectorTy() ? kLanes : 1);
        e_.write(to, type, value);
    }
    /// d of `d` or of `d|p`, and p.
    void write_pair(const Operand& to, Value* value, Value* predicate) {
        if (to.kind != Operand::Kind::predicated_pair) return write(to, ptx::Type::b32, value);
        write(to.elements.at(0), ptx::Type::b32, value);
        write(to.elements.at(1), ptx::Type::pred, predicate);
    }
    Value* numbers() {
        std::array<std::uint32_t, kLanes> all{};
        for (unsigned k = 0; k < kLanes; ++k)
            all[k] = k;
        return llvm::ConstantDataVector::get(e_.context, all);
    }
    Value* every(Value* scalar) {
        return scalar->getType()->isVectorTy() ? scalar : b_.CreateVectorSplat(kLanes, scalar);
    }
    /// The value, as a vector if the other one is a vector.
    Value* like(Value* value, Value* other) { return other->getType()->isVectorTy() ? every(value) : value; }
    Value* number(std::uint32_t n, Value* other) { return like(b_.getInt32(n), other); }

    // --- active lanes and groups

    /// The members of each lane's group, or of the group of all.
    Value* members(const Instruction& i, std::size_t k) {
        const Operand& mask = i.operands.at(k);
        if (const auto all = e_.plan->constant_of(mask))
            return b_.CreateAnd(b_.getInt32(static_cast<std::uint32_t>(*all)), e_.active_bits());
        if (e_.plan->uniform(mask)) return b_.CreateAnd(e_.read(mask, ptx::Type::b32), e_.active_bits());
        return b_.CreateAnd(of_lanes(i, k, ptx::Type::b32), every(e_.active_bits()));
    }
    /// Those that are missing where lanes have parted never come.
    void need_members(const Instruction& i) {
        const Operand* mask = members_of(i);
        if (!mask || !e_.lanes.is_divergent() || !e_.lanes.active_mask()) return;
        if (others_end(e_.function, *e_.plan, e_.plan->blocks.number_of(e_.instruction()))) return;
        const auto k = static_cast<std::size_t>(mask - i.operands.data());
        Value* named = e_.plan->uniform(*mask) ? e_.read(*mask, ptx::Type::b32) : of_lanes(i, k, ptx::Type::b32);
        if (named->getType()->isVectorTy()) {
            Value* of_active = b_.CreateSelect(e_.lanes.active_mask(), named, every(b_.getInt32(0)));
            named = e_.intrinsic(llvm::Intrinsic::vector_reduce_or, {named->getType()}, {of_active});
        }
        Value* missing = b_.CreateAnd(named, b_.CreateNot(e_.active_bits()));
        e_.emit_if(b_.CreateIsNotNull(missing), [&] { e_.fault(software::Fault::missing_lanes); });
    }
    static bool everybody(Value* members) {
        const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(members);
        return constant && constant->isMinusOne();
    }
    /// The predicates of active lanes, a bit each.
    Value* bits_of(Value* predicates) {
        return b_.CreateBitCast(e_.lanes.active_mask() ? b_.CreateAnd(predicates, e_.lanes.active_mask()) : predicates,
                                b_.getInt32Ty());
    }

    // --- values of other lanes

    Value* part_of(Value* all, unsigned part, unsigned lanes) {
        llvm::SmallVector<int, kLanes> places;
        for (unsigned k = 0; k < lanes; ++k)
            places.push_back(static_cast<int>(part * lanes + k));
        return b_.CreateShuffleVector(all, places);
    }

    /// Of 32-bit integers, in vectors of the host. A gather from the stack would wait for the store.
    Value* permuted(Value* values, Value* from, unsigned lanes) {
        const auto all_parts = [&](const auto& make) {
            std::vector<Value*> parts;
            parts.reserve(kLanes / lanes);
            for (unsigned part = 0; part < kLanes / lanes; ++part)
                parts.push_back(make(part_of(from, part, lanes)));
            for (; parts.size() > 1; parts.resize(parts.size() / 2))
                for (std::size_t k = 0; k < parts.size() / 2; ++k)
                    parts[k] = concatenate(b_, parts[2 * k], parts[2 * k + 1]);
            return parts.front();
        };
        if (lanes == kLanes / 2)
            return all_parts([&](Value* places) {
                return b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                          {part_of(values, 0, lanes), places, part_of(values, 1, lanes)});
            });
        return all_parts([&](Value* places) {
            Value* which = b_.CreateLShr(places, static_cast<std::uint64_t>(std::countr_zero(lanes)));
            Value* picked = permute(b_, part_of(values, 0, lanes), places);
            for (unsigned part = 1; part < kLanes / lanes; ++part)
                picked = b_.CreateSelect(b_.CreateICmpEQ(which, b_.CreateVectorSplat(lanes, b_.getInt32(part))),
                                         permute(b_, part_of(values, part, lanes), places), picked);
            return picked;
        });
    }

    Value* at_lanes(Value* values, Value* from) {
        Type* type = values->getType();
        const unsigned lanes = permuted_lanes(kLanes);
        if (type->getScalarSizeInBits() == 32 && lanes) return permuted(values, from, lanes);
        llvm::AllocaInst* slot = e_.stack_slot(type, "lanes");
        b_.CreateStore(values, slot);
        Value* places = b_.CreateGEP(type->getScalarType(), slot, from);
        return b_.CreateMaskedGather(type, places, llvm::Align(type->getScalarSizeInBits() / 8));
    }
    Value* at_lane(Value* values, Value* lane) { return b_.CreateExtractElement(values, lane); }

    void shuffle(const Instruction& i) {
        Value* values = of_lanes(i, 1, ptx::Type::b32);
        Value* group = members(i, 4);
        const Operand& by = i.operands.at(2);
        const auto step_known = e_.plan->constant_of(by), bounds = e_.plan->constant_of(i.operands.at(3)),
                   mask = e_.plan->constant_of(i.operands.at(4));
        if (i.has(Modifier::idx) && bounds == 31 && e_.plan->uniform(by) && mask &&
            static_cast<std::uint32_t>(*mask) == ~0U) {
            write_pair(i.operands[0], at_lane(values, b_.CreateAnd(e_.read(by, ptx::Type::b32), 31)), b_.getTrue());
            return;
        }
        Value* from = nullptr;
        Value* inside = nullptr;
        Value* result = nullptr;
        if (bounds && step_known) {
            std::array<int, kLanes> places{};
            std::array<std::uint32_t, kLanes> numbers{};
            llvm::SmallVector<llvm::Constant*> within;
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const Source source =
                    source_of(i, static_cast<int>(lane), static_cast<int>(*step_known & 31), static_cast<int>(*bounds));
                places[lane] = source.lane;
                numbers[lane] = static_cast<std::uint32_t>(source.lane);
                within.push_back(b_.getInt1(source.inside));
            }
            from = llvm::ConstantDataVector::get(e_.context, numbers);
            inside = llvm::ConstantVector::get(within);
            result = b_.CreateShuffleVector(values, places);
        } else {
            Value* self = numbers();
            Value* step = b_.CreateAnd(of_lanes(i, 2, ptx::Type::b32), every(b_.getInt32(31)));
            Value* c = of_lanes(i, 3, ptx::Type::b32);
            Value* clamp = b_.CreateAnd(c, every(b_.getInt32(31)));
            Value* segment = b_.CreateAnd(b_.CreateLShr(c, every(b_.getInt32(8))), every(b_.getInt32(31)));
            Value* first = b_.CreateAnd(self, segment);
            Value* last = b_.CreateOr(first, b_.CreateAnd(clamp, b_.CreateNot(segment)));
            if (i.has(Modifier::up))
                from = b_.CreateSub(self, step);
            else if (i.has(Modifier::down))
                from = b_.CreateAdd(self, step);
            else if (i.has(Modifier::bfly))
                from = b_.CreateXor(self, step);
            else
                from = b_.CreateOr(first, b_.CreateAnd(step, b_.CreateNot(segment)));
            inside = i.has(Modifier::up) ? b_.CreateICmpSGE(from, last) : b_.CreateICmpSLE(from, last);
            from = b_.CreateSelect(inside, from, self);
            result = at_lanes(values, from);
        }
        // Reading an inactive lane is undefined: here a lane then reads its own value.
        if (!everybody(group)) {
            Value* bit = b_.CreateAnd(b_.CreateLShr(every(group), from), every(b_.getInt32(1)));
            result = b_.CreateSelect(b_.CreateIsNotNull(bit), result, values);
        }
        write_pair(i.operands[0], result, inside);
    }

    void vote(const Instruction& i) {
        Value* group = members(i, 2);
        Value* set = b_.CreateAnd(like(bits_of(of_lanes(i, 1, ptx::Type::pred)), group), group);
        if (i.has(Modifier::ballot)) return write(i.operands[0], ptx::Type::b32, set);
        Value* none = b_.CreateIsNull(set);
        Value* all = b_.CreateICmpEQ(set, group);
        Value* answer = i.has(Modifier::all) ? all : i.has(Modifier::any) ? b_.CreateNot(none) : b_.CreateOr(none, all);
        write(i.operands[0], ptx::Type::pred, answer);
    }

    void match(const Instruction& i) {
        Value* values = of_lanes(i, 1, ptx::bits(i.type()) == 64 ? ptx::Type::b64 : ptx::Type::b32);
        Value* group = members(i, 2);
        if (i.has(Modifier::any)) {
            const std::uint64_t bits = ptx::possible_bits(e_.function, i.operands.at(1));
            if (std::popcount(bits) <= kFewBits)
                return write(i.operands[0], ptx::Type::b32, b_.CreateAnd(match_by_bits(values, bits), every(group)));
            Value* same = every(b_.getInt32(0));
            for (unsigned k = 0; k < kLanes; ++k) {
                Value* equal = b_.CreateICmpEQ(values, every(b_.CreateExtractElement(values, std::uint64_t{k})));
                same = b_.CreateOr(same, b_.CreateSelect(equal, every(b_.getInt32(1U << k)), every(b_.getInt32(0))));
            }
            return write(i.operands[0], ptx::Type::b32, b_.CreateAnd(same, every(group)));
        }
        Value* leader = leader_of(group);
        Value* first = leader->getType()->isVectorTy() ? at_lanes(values, leader) : every(at_lane(values, leader));
        Value* set = b_.CreateAnd(like(bits_of(b_.CreateICmpEQ(values, first)), group), group);
        if (set->getType()->isVectorTy()) {
            // Each group compares with the value of its own first lane.
            set = every(b_.getInt32(0));
            for (unsigned k = 0; k < kLanes; ++k) {
                Value* equal = b_.CreateICmpEQ(first, every(b_.CreateExtractElement(values, std::uint64_t{k})));
                set = b_.CreateOr(set, b_.CreateSelect(equal, every(b_.getInt32(1U << k)), every(b_.getInt32(0))));
            }
            set = b_.CreateAnd(set, group);
        }
        Value* all = b_.CreateICmpEQ(set, group);
        write_pair(i.operands[0], b_.CreateSelect(all, group, number(0, group)), all);
    }

    /// For each lane, the lanes with the same value: those that agree in each of the bits that can differ.
    Value* match_by_bits(Value* values, std::uint64_t bits) {
        Type* type = values->getType();
        Value* same = every(b_.getInt32(~0U));
        for (; bits; bits &= bits - 1) {
            Value* bit = llvm::ConstantInt::get(type, bits & ~(bits - 1));
            Value* set = b_.CreateIsNotNull(b_.CreateAnd(values, bit));
            Value* others = every(b_.CreateNot(b_.CreateBitCast(set, b_.getInt32Ty())));
            same = b_.CreateAnd(same, b_.CreateXor(others, b_.CreateSExt(set, same->getType())));
        }
        return same;
    }

    /// The lowest lane of a group. The group is never empty where the result is used: an active lane is a member of its
    /// own group.
    Value* leader_of(Value* group) {
        Value* lowest = e_.intrinsic(llvm::Intrinsic::cttz, {group->getType()}, {group, b_.getFalse()});
        return b_.CreateAnd(lowest, number(31, group));
    }

    void elect(const Instruction& i) {
        Value* leader = every(leader_of(members(i, 1)));
        write_pair(i.operands[0], leader, b_.CreateICmpEQ(leader, numbers()));
    }

    void reduce(const Instruction& i) {
        using llvm::Intrinsic::ID;
        const bool is_signed = ptx::is_signed(i.type());
        ID whole = llvm::Intrinsic::vector_reduce_xor;
        std::uint32_t neutral = 0;
        if (i.has(Modifier::add)) {
            whole = llvm::Intrinsic::vector_reduce_add;
        } else if (i.has(Modifier::min)) {
            whole = is_signed ? llvm::Intrinsic::vector_reduce_smin : llvm::Intrinsic::vector_reduce_umin;
            neutral = is_signed ? 0x7fffffffU : ~0U;
        } else if (i.has(Modifier::max)) {
            whole = is_signed ? llvm::Intrinsic::vector_reduce_smax : llvm::Intrinsic::vector_reduce_umax;
            neutral = is_signed ? 0x80000000U : 0;
        } else if (i.has(Modifier::and_)) {
            whole = llvm::Intrinsic::vector_reduce_and;
            neutral = ~0U;
        } else if (i.has(Modifier::or_)) {
            whole = llvm::Intrinsic::vector_reduce_or;
        }
        Value* values = of_lanes(i, 1, ptx::Type::b32);
        Value* group = members(i, 2);
        const auto among = [&](Value* bits) {
            Value* taking_part = b_.CreateBitCast(bits, llvm::FixedVectorType::get(b_.getInt1Ty(), kLanes));
            Value* mine = everybody(bits) ? values : b_.CreateSelect(taking_part, values, every(b_.getInt32(neutral)));
            return e_.intrinsic(whole, {values->getType()}, {mine});
        };
        if (!group->getType()->isVectorTy()) return write(i.operands[0], ptx::Type::b32, among(group));
        Value* result = values;
        for (unsigned k = 0; k < kLanes; ++k)
            result = b_.CreateInsertElement(result, among(b_.CreateExtractElement(group, std::uint64_t{k})),
                                            std::uint64_t{k});
        write(i.operands[0], ptx::Type::b32, result);
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
};

} // namespace

void emit_lane_warp(Emitter& e, const Instruction& i) { Warp(e).emit(i); }

} // namespace warplight::jit
