// SPDX-License-Identifier: Apache-2.0
#include "shared_notes.hpp"

#include "access_address.hpp"

#include <cstddef>
#include <string>

namespace warplight::jit {

using llvm::Value;
using software::TracedAccess;
using software::TracedNote;
using software::TracedShared;
using Word = software::TracedWord;

namespace {

/// A constant like `like`: of its type.
Value* number(Value* like, std::uint32_t value) { return llvm::ConstantInt::get(like->getType(), value); }

} // namespace

void SharedNotes::note(const ptx::Operand& operand, ptx::Space space, const TracedAccess& what,
                       llvm::function_ref<void()> tell) {
    const bool is_simple = what.bytes == 4 || what.bytes == 8 || what.bytes == 16;
    const Lanes lanes = lanes_of(operand, what.bytes);
    const unsigned width = e_.lanes.full_width();
    const bool by_all = lanes == Lanes::same && width > 1 && !e_.lanes.active_mask();
    if (!is_simple || what.acquire || what.release || (by_all && what.writes && !what.strong)) return tell();
    Access access{what, lanes, nullptr, nullptr};
    if (lanes == Lanes::each) {
        const auto vectors = e_.lanes.with_full_width();
        access.address = address_of(e_, operand, space);
    } else {
        access.address = address_of(e_, operand, space);
    }
    emit(
        [&](llvm::BasicBlock* told) {
            if (!shares_code()) return look(access, told);
            const std::string name =
                "race.shared." + std::to_string(what.packed()) + "." + std::to_string(static_cast<unsigned>(lanes));
            go_on_if(shared_code(name, {access.address},
                                 [&](llvm::Function& f, llvm::BasicBlock* not_alone) {
                                     access.address = f.getArg(f.arg_size() - 1);
                                     look(access, not_alone);
                                 }),
                     told);
        },
        tell);
}

void SharedNotes::look(Access access, llvm::BasicBlock* told) {
    go_on_if(is_in_range(access), told);
    Value* nows = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), state(), offsetof(TracedShared, now));
    Value* now = b_.CreateLoad(b_.getInt32Ty(), b_.CreateInBoundsGEP(b_.getInt32Ty(), nows, warp()));
    access.first = b_.CreateOr(now, b_.CreateAnd(linear(), b_.getInt32(31)));
    if (access.lanes == Lanes::each)
        update_each(access, told);
    else
        update_near(access, told);
    write_note(access);
}

/// The words are there, the access is aligned, and there is room for a note.
Value* SharedNotes::is_in_range(const Access& access) {
    const unsigned bytes = access.what.bytes;
    const std::size_t limit = access.what.strong ? offsetof(TracedShared, strong_bytes) : offsetof(TracedShared, bytes);
    const unsigned reach = access.lanes == Lanes::side_by_side ? bytes * e_.lanes.full_width() : bytes;
    Value* places =
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, field(limit, b_.getInt32Ty()), b_.getInt32(reach - 1));
    Value* room = b_.CreateICmpULE(field(offsetof(TracedShared, note), b_.getPtrTy()),
                                   field(offsetof(TracedShared, notes_end), b_.getPtrTy()));
    if (access.address->getType()->isVectorTy()) places = b_.CreateVectorSplat(e_.lanes.full_width(), places);
    Value* inside = b_.CreateAnd(b_.CreateICmpULT(access.address, places),
                                 b_.CreateIsNull(b_.CreateAnd(access.address, number(access.address, bytes - 1))));
    if (access.lanes == Lanes::each && active_mask()) inside = b_.CreateOr(inside, b_.CreateNot(active_mask()));
    return b_.CreateAnd(room, all(inside));
}

/// One access to words, or vectors of them. RecentShared::add() says why.
SharedNotes::Words SharedNotes::step(const TracedAccess& what, Value* before, Value* now) {
    const auto same_size = [&](Value* scalar) {
        const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(before->getType());
        return vector ? b_.CreateVectorSplat(vector->getNumElements(), scalar) : scalar;
    };
    Value* stale = field(offsetof(TracedShared, stale), b_.getInt32Ty());
    Value* is_stale = b_.CreateICmpULT(before, same_size(stale));
    Value* strong = same_size(b_.CreateOr(stale, b_.getInt32(Word::kStrong)));
    if (what.strong) return {b_.CreateOr(is_stale, b_.CreateICmpEQ(before, strong)), strong};
    Value* change = b_.CreateXor(before, now);
    Value* by_itself = b_.CreateIsNull(b_.CreateAnd(change, number(before, ~Word::kWrites)));
    Value* is_one_warps =
        b_.CreateICmpULE(b_.CreateAnd(before, number(before, Word::kLane)), number(before, Word::kLanes));
    Value* of_warp = b_.CreateAnd(is_one_warps, b_.CreateIsNull(b_.CreateAnd(change, number(before, Word::kWarp))));
    Value* of_epoch = b_.CreateICmpULT(change, number(before, 1U << Word::kStampShift));
    if (what.writes) {
        Value* of_earlier = b_.CreateAnd(of_warp, b_.CreateNot(of_epoch));
        return {b_.CreateOr(b_.CreateOr(is_stale, by_itself), of_earlier),
                b_.CreateOr(now, number(before, Word::kWritten))};
    }
    Value* warps = same_size(b_.CreateOr(stale, b_.getInt32(Word::kWarps)));
    Value* is_warps = b_.CreateICmpEQ(before, warps);
    Value* is_written = b_.CreateIsNotNull(b_.CreateAnd(before, number(before, Word::kWrites)));
    Value* is_written_now = b_.CreateIsNotNull(b_.CreateAnd(before, number(before, Word::kWritten)));
    Value* lanes = b_.CreateOr(b_.CreateAnd(before, number(before, ~Word::kLane)), number(before, Word::kLanes));
    Value* later = b_.CreateSelect(is_written, b_.CreateOr(now, number(before, Word::kWrittenBefore)), now);
    Value* after = b_.CreateSelect(of_warp, b_.CreateSelect(of_epoch, lanes, later), warps);
    after = b_.CreateSelect(b_.CreateOr(by_itself, is_warps), before, after);
    after = b_.CreateSelect(is_stale, now, after);
    Value* harmless =
        b_.CreateSelect(of_warp, b_.CreateNot(b_.CreateAnd(of_epoch, is_written_now)), b_.CreateNot(is_written));
    harmless = b_.CreateAnd(harmless, b_.CreateICmpNE(before, strong));
    return {b_.CreateOr(b_.CreateOr(is_stale, by_itself), harmless), after};
}

/// All lanes access the same: what a word has of them.
Value* SharedNotes::lane_in_uniform(const Access& access, Value*& pass) {
    if (e_.lanes.full_width() == 1) return access.first;
    Value* several = b_.CreateOr(b_.CreateAnd(access.first, b_.getInt32(~Word::kLane)), b_.getInt32(Word::kLanes));
    if (!active_mask()) return several;
    Value* active = active_bits();
    Value* others = b_.CreateAnd(active, b_.CreateSub(active, b_.getInt32(1)));
    Value* is_one = b_.CreateIsNull(others);
    Value* is_any = b_.CreateIsNotNull(active);
    pass = access.what.writes && !access.what.strong ? b_.CreateAnd(is_any, is_one) : is_any;
    Value* lane = b_.CreateIntrinsic(llvm::Intrinsic::cttz, {b_.getInt32Ty()}, {active, b_.getFalse()});
    return b_.CreateSelect(is_one, b_.CreateAdd(access.first, lane), several);
}

void SharedNotes::update_near(const Access& access, llvm::BasicBlock* told) {
    const unsigned words = access.what.bytes / 4, width = e_.lanes.full_width();
    const bool beside = access.lanes == Lanes::side_by_side;
    const unsigned count = beside ? words * width : words;
    llvm::Type* type = b_.getInt32Ty();
    if (count > 1) type = llvm::FixedVectorType::get(type, count);
    Value* pass = nullptr;
    Value* now = beside ? access.first : lane_in_uniform(access, pass);
    if (count > 1) now = b_.CreateVectorSplat(count, now);
    Value* mask = nullptr;
    if (beside) {
        llvm::SmallVector<llvm::Constant*> lanes;
        llvm::SmallVector<int> lane_of_word;
        for (unsigned k = 0; k < count; ++k) {
            lanes.push_back(b_.getInt32(k / words));
            lane_of_word.push_back(static_cast<int>(k / words));
        }
        if (count > 1) now = b_.CreateAdd(now, llvm::ConstantVector::get(lanes));
        mask = active_mask();
        if (mask && words > 1) mask = b_.CreateShuffleVector(mask, lane_of_word);
    }
    Value* at = b_.CreateInBoundsGEP(b_.getInt8Ty(), field(offsetof(TracedShared, words), b_.getPtrTy()),
                                     b_.CreateZExt(access.address, b_.getInt64Ty()));
    Value* before = b_.CreateAlignedLoad(type, at, llvm::Align(4));
    Words result = step(access.what, before, now);
    if (mask) {
        result.pass = b_.CreateOr(result.pass, b_.CreateNot(mask));
        result.after = b_.CreateSelect(mask, result.after, before);
    }
    Value* passed = all(result.pass);
    go_on_if(pass ? b_.CreateAnd(pass, passed) : passed, told);
    b_.CreateAlignedStore(result.after, at, llvm::Align(4));
}

/// Lanes may access the same word: whoever does not find what he wrote is not alone.
void SharedNotes::update_each(const Access& access, llvm::BasicBlock* told) {
    const unsigned width = e_.lanes.full_width();
    auto* type = llvm::FixedVectorType::get(b_.getInt32Ty(), width);
    llvm::SmallVector<llvm::Constant*> lanes;
    for (unsigned k = 0; k < width; ++k)
        lanes.push_back(b_.getInt32(k));
    Value* now = b_.CreateAdd(b_.CreateVectorSplat(width, access.first), llvm::ConstantVector::get(lanes));
    Value* mask = active_mask();
    if (!mask) mask = llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(b_.getInt1Ty(), width));
    Value* words = field(offsetof(TracedShared, words), b_.getPtrTy());
    const llvm::Align align(4);
    for (unsigned k = 0; k < access.what.bytes / 4; ++k) {
        Value* offset = b_.CreateAdd(access.address, number(access.address, 4 * k));
        Value* at = b_.CreateGEP(b_.getInt8Ty(), words,
                                 b_.CreateZExt(offset, llvm::FixedVectorType::get(b_.getInt64Ty(), width)));
        Value* before = b_.CreateMaskedGather(type, at, align, mask, llvm::Constant::getNullValue(type));
        const Words result = step(access.what, before, now);
        go_on_if(all(b_.CreateOr(result.pass, b_.CreateNot(mask))), told);
        b_.CreateMaskedScatter(result.after, at, align, mask);
        if (access.what.strong) continue;
        Value* there = b_.CreateMaskedGather(type, at, align, mask, result.after);
        Value* is_other = b_.CreateICmpNE(there, result.after);
        if (access.what.writes) {
            go_on_if(all(b_.CreateNot(is_other)), told);
        } else {
            Value* several = b_.CreateOr(b_.CreateAnd(result.after, number(result.after, ~Word::kLane)),
                                         number(result.after, Word::kLanes));
            b_.CreateMaskedScatter(several, at, align, is_other);
        }
    }
}

void SharedNotes::write_note(const Access& access) {
    const unsigned width = e_.lanes.full_width();
    Value* place = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), state(), offsetof(TracedShared, note));
    Value* at = b_.CreateLoad(b_.getPtrTy(), place);
    const auto put = [&](std::size_t offset, Value* value) {
        b_.CreateAlignedStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), at, offset), llvm::Align(4));
    };
    put(offsetof(TracedNote, site), site());
    put(offsetof(TracedNote, what),
        b_.getInt32(access.what.packed() | static_cast<std::uint32_t>(access.lanes) << TracedNote::kLanesShift));
    put(offsetof(TracedNote, first), access.first);
    put(offsetof(TracedNote, active), active_bits());
    put(sizeof(TracedNote), access.address);
    const std::uint64_t bytes = TracedNote::bytes_of(access.lanes == Lanes::each ? width : 1);
    b_.CreateStore(b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), at, bytes), place);
}

} // namespace warplight::jit
