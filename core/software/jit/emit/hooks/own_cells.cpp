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
            Access access{what, nullptr, nullptr, nullptr};
            access.cells = cells_at(first_address(operand, space, what.bytes, told), what, told);
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
                store(access, piece);
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

Value* OwnCells::cells_at(Value* address, const TracedAccess& what, llvm::BasicBlock* told) {
    Value* number = b_.CreateLShr(address, TracedPage::kShift);
    Value* index = b_.CreateAnd(b_.CreateXor(number, b_.CreateLShr(number, TracedPage::kFold)),
                                b_.getInt64(TracedPage::kCount - 1));
    const std::size_t table = what.writes ? offsetof(TracedShared, write_pages) : offsetof(TracedShared, read_pages);
    Value* page = b_.CreateInBoundsGEP(b_.getInt8Ty(), field(table, b_.getPtrTy()),
                                       b_.CreateMul(index, b_.getInt64(sizeof(TracedPage))));
    Value* there = b_.CreateLoad(b_.getInt64Ty(), page);
    Value* offset = b_.CreateAnd(address, b_.getInt64(TracedPage::kBytes - 1));
    const std::uint64_t bytes = std::uint64_t{what.bytes} * e_.lanes.full_width();
    Value* is_in_page = b_.CreateICmpULE(offset, b_.getInt64(TracedPage::kBytes - bytes));
    Value* is_aligned = b_.CreateIsNull(b_.CreateAnd(address, b_.getInt64(3)));
    go_on_if(b_.CreateAnd(b_.CreateICmpEQ(number, there), b_.CreateAnd(is_in_page, is_aligned)), told);
    Value* cells =
        b_.CreateLoad(b_.getPtrTy(), b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), page, offsetof(TracedPage, cells)));
    return b_.CreateInBoundsGEP(b_.getInt8Ty(), cells,
                                b_.CreateMul(offset, b_.getInt64(TracedCell::kBytes / TracedCell::kWordBytes)));
}

llvm::FixedVectorType* OwnCells::type() const {
    return llvm::FixedVectorType::get(b_.getInt64Ty(), 2 * e_.lanes.full_width());
}

Value* OwnCells::place_of(const Access& access, unsigned piece) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), access.cells,
                                         std::uint64_t{piece} * e_.lanes.full_width() * TracedCell::kBytes);
}

Value* OwnCells::of_words(Value* first, const Access& access, unsigned piece) {
    const unsigned width = e_.lanes.full_width(), words = access.what.bytes / 4;
    llvm::SmallVector<llvm::Constant*> lanes;
    for (unsigned k = 0; k < 2 * width; ++k)
        lanes.push_back(b_.getInt64(std::uint64_t{(piece * width + k / 2) / words} << TracedCell::kLaneShift));
    return b_.CreateAdd(b_.CreateVectorSplat(2 * width, first), llvm::ConstantVector::get(lanes));
}

Value* OwnCells::mask_of(const Access& access, unsigned piece) {
    Value* mask = active_mask();
    if (!mask) return nullptr;
    const unsigned width = e_.lanes.full_width(), words = access.what.bytes / 4;
    if (width == 1) return nullptr;
    llvm::SmallVector<int> lanes;
    for (unsigned k = 0; k < 2 * width; ++k)
        lanes.push_back(static_cast<int>((piece * width + k / 2) / words));
    return b_.CreateShuffleVector(mask, lanes);
}

Value* OwnCells::is_own(const Access& access, unsigned piece) {
    Value* before = b_.CreateAlignedLoad(type(), place_of(access, piece), llvm::Align(TracedCell::kBytes));
    Value* key = b_.CreateAnd(before, llvm::ConstantInt::get(type(), TracedCell::kKey));
    Value* own = b_.CreateOr(b_.CreateIsNull(before), b_.CreateICmpEQ(key, of_words(access.first_key, access, piece)));
    if (Value* mask = mask_of(access, piece)) own = b_.CreateOr(own, b_.CreateNot(mask));
    return all(own);
}

/// A write takes the place of all that came before; a read that of reads.
void OwnCells::store(const Access& access, unsigned piece) {
    const unsigned width = e_.lanes.full_width();
    Value* place = place_of(access, piece);
    Value* mask = mask_of(access, piece);
    Value* now = of_words(access.now, access, piece);
    Value* before = access.what.writes && !mask
                        ? llvm::Constant::getNullValue(type())
                        : static_cast<Value*>(b_.CreateAlignedLoad(type(), place, llvm::Align(TracedCell::kBytes)));
    llvm::SmallVector<int> from; // the first half of a cell is of writes
    for (unsigned k = 0; k < 2 * width; ++k)
        from.push_back(static_cast<int>((k % 2 == 0) == access.what.writes ? k : k + 2 * width));
    Value* others = access.what.writes ? llvm::Constant::getNullValue(type()) : before;
    Value* after = b_.CreateShuffleVector(now, others, from);
    if (mask) after = b_.CreateSelect(mask, after, before);
    b_.CreateAlignedStore(after, place, llvm::Align(TracedCell::kBytes));
}

} // namespace warplight::jit
