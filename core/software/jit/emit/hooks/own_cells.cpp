// SPDX-License-Identifier: Apache-2.0
#include "own_cells.hpp"

#include "access_address.hpp"
#include "software/jit/abi/traced_records.hpp"

#include <cstddef>
#include <cstdint>

namespace warplight::jit {

using llvm::Value;
using software::TracedAccess;
using software::TracedCell;
using software::TracedMemory;
using software::TracedNumber;
using software::TracedPage;
using software::TracedRecords;
using software::TracedShared;

void OwnCells::keep(const ptx::Operand& operand, ptx::Space space, const TracedAccess& what,
                    llvm::function_ref<void()> tell) {
    const bool is_simple = what.bytes == 4 || what.bytes == 8 || what.bytes == 16;
    const bool is_one = lanes_of(operand, what.bytes) == Lanes::same && e_.lanes.full_width() > 1;
    if (!is_simple || what.strong || is_one || (what.reads && what.writes)) return tell();
    emit(
        [&](llvm::BasicBlock* told) {
            Access access{what, nullptr, nullptr, nullptr, nullptr, nullptr};
            find_cells(access, first_address(operand, space, what.bytes, told), told);
            Value* epochs = field(offsetof(TracedShared, epochs), b_.getPtrTy());
            access.epoch = b_.CreateLoad(b_.getInt32Ty(), b_.CreateInBoundsGEP(b_.getInt32Ty(), epochs, warp()));
            access.lane = b_.CreateAnd(linear(), b_.getInt32(TracedNumber::kLane));
            Value* own = b_.CreateIsNotNull(access.epoch);
            for (Value* cells : {access.writes, access.reads})
                own = b_.CreateAnd(own, are_own(access, cells));
            go_on_if(own, told);
            Value* record = number(access, told);
            for (unsigned piece = 0; piece < pieces(access); ++piece)
                keep(access, record, piece);
        },
        tell);
}

/// Where the lanes' addresses turn out not to be side by side, the runtime is told.
Value* OwnCells::first_address(const ptx::Operand& operand, ptx::Space space, unsigned bytes, llvm::BasicBlock* told) {
    const Lanes lanes = lanes_of(operand, bytes);
    if (lanes != Lanes::each) {
        if (lanes == Lanes::side_by_side)
            if (Value* even = e_.registers.is_even(operand.reg)) go_on_if(even, told);
        return address_of(e_, operand, space);
    }
    const unsigned width = e_.lanes.full_width();
    Value* addresses = nullptr;
    {
        const auto vectors = e_.lanes.with_full_width();
        addresses = address_of(e_, operand, space);
    }
    Value* first = b_.CreateExtractElement(addresses, std::uint64_t{0});
    llvm::SmallVector<llvm::Constant*> offsets;
    for (unsigned k = 0; k < width; ++k)
        offsets.push_back(b_.getInt64(std::uint64_t{k} * bytes));
    Value* beside = b_.CreateAdd(b_.CreateVectorSplat(width, first), llvm::ConstantVector::get(offsets));
    Value* is_beside = b_.CreateICmpEQ(addresses, beside);
    if (Value* mask = active_mask()) is_beside = b_.CreateOr(is_beside, b_.CreateNot(mask));
    go_on_if(all(is_beside), told);
    return first;
}

void OwnCells::find_cells(Access& access, Value* address, llvm::BasicBlock* told) {
    const TracedAccess& what = access.what;
    Value* number = b_.CreateLShr(address, TracedPage::kShift);
    Value* index = b_.CreateAnd(b_.CreateXor(number, b_.CreateLShr(number, TracedPage::kFold)),
                                b_.getInt64(TracedPage::kCount - 1));
    const std::size_t table = what.writes ? offsetof(TracedShared, write_pages) : offsetof(TracedShared, read_pages);
    access.memory = field(table, b_.getPtrTy());
    Value* page =
        b_.CreateInBoundsGEP(b_.getInt8Ty(), access.memory, b_.CreateMul(index, b_.getInt64(sizeof(TracedPage))));
    const auto of_page = [&](std::size_t field, llvm::Type* type) {
        return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), page, field));
    };
    Value* there =
        of_page(what.writes ? offsetof(TracedPage, number) : offsetof(TracedPage, read_number), b_.getInt64Ty());
    Value* offset = b_.CreateAnd(address, b_.getInt64(TracedPage::kBytes - 1));
    const std::uint64_t bytes = std::uint64_t{what.bytes} * e_.lanes.full_width();
    Value* is_in_page = b_.CreateICmpULE(offset, b_.getInt64(TracedPage::kBytes - bytes));
    Value* is_aligned = b_.CreateIsNull(b_.CreateAnd(address, b_.getInt64(3)));
    go_on_if(b_.CreateAnd(b_.CreateICmpEQ(number, there), b_.CreateAnd(is_in_page, is_aligned)), told);
    static_assert(TracedNumber::kBytes == TracedCell::kWordBytes);
    const auto cells_of = [&](std::size_t field) {
        return b_.CreateInBoundsGEP(b_.getInt8Ty(), of_page(field, b_.getPtrTy()), offset);
    };
    access.writes = cells_of(offsetof(TracedPage, writes));
    access.reads = cells_of(offsetof(TracedPage, reads));
}

llvm::FixedVectorType* OwnCells::type() const {
    return llvm::FixedVectorType::get(b_.getInt32Ty(), e_.lanes.full_width());
}

Value* OwnCells::place_of(Value* cells, unsigned piece) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), cells,
                                         std::uint64_t{piece} * e_.lanes.full_width() * TracedNumber::kBytes);
}

Value* OwnCells::load(Value* cells, unsigned piece) {
    return b_.CreateAlignedLoad(type(), place_of(cells, piece), llvm::Align(TracedNumber::kBytes));
}

Value* OwnCells::lanes(const Access& access, unsigned piece) {
    const unsigned width = e_.lanes.full_width(), words = access.what.bytes / 4;
    llvm::SmallVector<llvm::Constant*> lanes;
    for (unsigned k = 0; k < width; ++k)
        lanes.push_back(b_.getInt32((piece * width + k) / words));
    return b_.CreateAdd(b_.CreateVectorSplat(width, access.lane), llvm::ConstantVector::get(lanes));
}

Value* OwnCells::mask_of(const Access& access, unsigned piece) {
    Value* mask = active_mask();
    if (!mask) return nullptr;
    const unsigned width = e_.lanes.full_width(), words = access.what.bytes / 4;
    if (width == 1) return nullptr;
    llvm::SmallVector<int> lanes;
    for (unsigned k = 0; k < width; ++k)
        lanes.push_back(static_cast<int>((piece * width + k) / words));
    return b_.CreateShuffleVector(mask, lanes);
}

/// The numbers of all cells must be one and the same, but for those that keep nothing.
Value* OwnCells::are_own(const Access& access, Value* cells) {
    const auto zero = llvm::Constant::getNullValue(type());
    llvm::SmallVector<Value*, 4> numbers; // shifted; with a lane that is another's, or of many, other bits are set too
    Value* most = nullptr;
    for (unsigned piece = 0; piece < pieces(access); ++piece) {
        Value* kept = load(cells, piece);
        Value* is_kept = b_.CreateICmpNE(kept, zero);
        if (Value* mask = mask_of(access, piece)) is_kept = b_.CreateAnd(is_kept, mask);
        numbers.push_back(b_.CreateSelect(is_kept, b_.CreateXor(kept, lanes(access, piece)), zero));
        most = most ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, most, numbers.back()) : numbers.back();
    }
    most = b_.CreateIntMaxReduce(most);
    Value* all_most = b_.CreateVectorSplat(e_.lanes.full_width(), most);
    Value* are_same = nullptr;
    for (Value* each : numbers) {
        Value* same = b_.CreateOr(b_.CreateICmpEQ(each, zero), b_.CreateICmpEQ(each, all_most));
        are_same = are_same ? b_.CreateAnd(are_same, same) : same;
    }
    Value* is_number = b_.CreateIsNull(b_.CreateAnd(most, b_.getInt32(TracedNumber::kMany | TracedNumber::kLane)));
    Value* number = b_.CreateSelect(is_number, b_.CreateLShr(most, TracedNumber::kShift), b_.getInt32(0));
    Value* own = b_.CreateAnd(record_at(access, number), b_.getInt64(TracedRecords::kOwn));
    Value* is_of_epoch = b_.CreateICmpEQ(own, b_.CreateZExt(access.epoch, b_.getInt64Ty()));
    return b_.CreateAnd(b_.CreateAnd(all(are_same), is_number), b_.CreateOr(b_.CreateIsNull(most), is_of_epoch));
}

Value* OwnCells::place_in_records(const Access& access, std::size_t field) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), access.memory, offsetof(TracedMemory, records) + field);
}

Value* OwnCells::place_of_record(const Access& access, Value* number) {
    Value* all = b_.CreateLoad(b_.getPtrTy(), place_in_records(access, offsetof(TracedRecords, all)));
    return b_.CreateInBoundsGEP(b_.getInt64Ty(), all, b_.CreateZExt(number, b_.getInt64Ty()));
}

Value* OwnCells::record_at(const Access& access, Value* number) {
    return b_.CreateLoad(b_.getInt64Ty(), place_of_record(access, number));
}

/// As checks::AccessRecords::number_of().
Value* OwnCells::number(const Access& access, llvm::BasicBlock* told) {
    const std::uint64_t rest = TracedCell::of(access.what, e_.site());
    Value* record = b_.CreateOr(b_.CreateZExt(access.epoch, b_.getInt64Ty()), b_.getInt64(rest));
    Value* place = b_.CreateAnd(b_.CreateAdd(access.epoch, b_.getInt32(TracedRecords::place_of_rest(rest))),
                                b_.getInt32(TracedRecords::kRecent - 1));
    Value* recent = b_.CreateInBoundsGEP(b_.getInt32Ty(), place_in_records(access, offsetof(TracedRecords, recent)),
                                         b_.CreateZExt(place, b_.getInt64Ty()));
    Value* known = b_.CreateLoad(b_.getInt32Ty(), recent);
    llvm::BasicBlock* add = new_block("record");
    llvm::BasicBlock* rest_of_it = new_block("recorded");
    Value* is_known = b_.CreateICmpEQ(record_at(access, known), record);
    llvm::BasicBlock* before = b_.GetInsertBlock();
    b_.CreateCondBr(is_known, rest_of_it, add);

    b_.SetInsertPoint(add);
    Value* next = b_.CreateLoad(b_.getInt32Ty(), place_in_records(access, offsetof(TracedRecords, next)));
    Value* end = b_.CreateLoad(b_.getInt32Ty(), place_in_records(access, offsetof(TracedRecords, end)));
    go_on_if(b_.CreateICmpULT(next, end), told);
    b_.CreateStore(record, place_of_record(access, next));
    b_.CreateStore(b_.CreateAdd(next, b_.getInt32(1)), place_in_records(access, offsetof(TracedRecords, next)));
    b_.CreateStore(next, recent);
    llvm::BasicBlock* added = b_.GetInsertBlock();
    b_.CreateBr(rest_of_it);

    b_.SetInsertPoint(rest_of_it);
    llvm::PHINode* number = b_.CreatePHI(b_.getInt32Ty(), 2);
    number->addIncoming(known, before);
    number->addIncoming(next, added);
    return number;
}

void OwnCells::store(const Access& access, Value* value, Value* cells, unsigned piece) {
    if (Value* mask = mask_of(access, piece)) value = b_.CreateSelect(mask, value, load(cells, piece));
    b_.CreateAlignedStore(value, place_of(cells, piece), llvm::Align(TracedNumber::kBytes));
}

/// A write takes the place of all that came before; a read that of reads.
void OwnCells::keep(const Access& access, Value* number, unsigned piece) {
    Value* all = b_.CreateVectorSplat(e_.lanes.full_width(), b_.CreateShl(number, TracedNumber::kShift));
    Value* now = b_.CreateOr(all, lanes(access, piece));
    store(access, now, access.what.writes ? access.writes : access.reads, piece);
    if (access.what.writes) store(access, llvm::Constant::getNullValue(type()), access.reads, piece);
}

} // namespace warplight::jit
