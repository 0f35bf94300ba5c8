// SPDX-License-Identifier: Apache-2.0
#include "own_cells.hpp"

#include "access_address.hpp"

#include <cstddef>
#include <cstdint>

namespace warplight::jit {

using llvm::Value;
using software::TracedAccess;
using software::TracedCell;
using software::TracedPage;
using software::TracedShared;

void OwnCells::keep(const ptx::Operand& operand, ptx::Space space, const TracedAccess& what,
                    llvm::function_ref<void()> tell) {
    const bool is_simple = what.bytes == 4 || what.bytes == 8 || what.bytes == 16;
    const bool is_one = lanes_of(operand, what.bytes) == Lanes::same && e_.lanes.full_width() > 1;
    if (!is_simple || what.strong || is_one || (what.reads && what.writes)) return tell();
    emit(
        [&](llvm::BasicBlock* told) {
            Access access{what, nullptr, nullptr, nullptr, nullptr};
            find_cells(access, first_address(operand, space, what.bytes, told), told);
            Value* epochs = field(offsetof(TracedShared, epochs), b_.getPtrTy());
            Value* epoch = b_.CreateLoad(b_.getInt32Ty(), b_.CreateInBoundsGEP(b_.getInt32Ty(), epochs, warp()));
            go_on_if(b_.CreateIsNotNull(epoch), told);
            Value* lane = b_.CreateAnd(linear(), b_.getInt32(31));
            access.first_key = b_.CreateOr(b_.CreateZExt(epoch, b_.getInt64Ty()),
                                           b_.CreateShl(b_.CreateZExt(lane, b_.getInt64Ty()), TracedCell::kLaneShift));
            access.now = b_.CreateOr(access.first_key, b_.getInt64(TracedCell::of(what, e_.site())));
            const unsigned pieces = what.bytes / 4;
            Value* own = is_own(access, 0);
            for (unsigned piece = 1; piece < pieces; ++piece)
                own = b_.CreateAnd(own, is_own(access, piece));
            go_on_if(own, told);
            for (unsigned piece = 0; piece < pieces; ++piece)
                keep(access, piece);
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
    Value* page = b_.CreateInBoundsGEP(b_.getInt8Ty(), field(table, b_.getPtrTy()),
                                       b_.CreateMul(index, b_.getInt64(sizeof(TracedPage))));
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
    Value* first = b_.CreateMul(offset, b_.getInt64(TracedCell::kBytes / TracedCell::kWordBytes));
    const auto cells_of = [&](std::size_t field) {
        return b_.CreateInBoundsGEP(b_.getInt8Ty(), of_page(field, b_.getPtrTy()), first);
    };
    access.writes = cells_of(offsetof(TracedPage, writes));
    access.reads = cells_of(offsetof(TracedPage, reads));
}

llvm::FixedVectorType* OwnCells::type() const {
    return llvm::FixedVectorType::get(b_.getInt64Ty(), e_.lanes.full_width());
}

Value* OwnCells::place_of(Value* cells, unsigned piece) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), cells,
                                         std::uint64_t{piece} * e_.lanes.full_width() * TracedCell::kBytes);
}

Value* OwnCells::load(Value* cells, unsigned piece) {
    return b_.CreateAlignedLoad(type(), place_of(cells, piece), llvm::Align(TracedCell::kBytes));
}

Value* OwnCells::of_words(Value* first, const Access& access, unsigned piece) {
    const unsigned width = e_.lanes.full_width(), words = access.what.bytes / 4;
    llvm::SmallVector<llvm::Constant*> lanes;
    for (unsigned k = 0; k < width; ++k)
        lanes.push_back(b_.getInt64(std::uint64_t{(piece * width + k) / words} << TracedCell::kLaneShift));
    return b_.CreateAdd(b_.CreateVectorSplat(width, first), llvm::ConstantVector::get(lanes));
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

Value* OwnCells::is_own(const Access& access, unsigned piece) {
    Value* mine = of_words(access.first_key, access, piece);
    const auto may_be = [&](Value* before) {
        Value* key = b_.CreateAnd(before, llvm::ConstantInt::get(type(), TracedCell::kKey));
        return b_.CreateOr(b_.CreateIsNull(before), b_.CreateICmpEQ(key, mine));
    };
    Value* own = b_.CreateAnd(may_be(load(access.writes, piece)), may_be(load(access.reads, piece)));
    if (Value* mask = mask_of(access, piece)) own = b_.CreateOr(own, b_.CreateNot(mask));
    return all(own);
}

void OwnCells::store(const Access& access, Value* value, Value* cells, unsigned piece) {
    if (Value* mask = mask_of(access, piece)) value = b_.CreateSelect(mask, value, load(cells, piece));
    b_.CreateAlignedStore(value, place_of(cells, piece), llvm::Align(TracedCell::kBytes));
}

/// A write takes the place of all that came before; a read that of reads.
void OwnCells::keep(const Access& access, unsigned piece) {
    Value* now = of_words(access.now, access, piece);
    store(access, now, access.what.writes ? access.writes : access.reads, piece);
    if (access.what.writes) store(access, llvm::Constant::getNullValue(type()), access.reads, piece);
}

} // namespace warplight::jit
