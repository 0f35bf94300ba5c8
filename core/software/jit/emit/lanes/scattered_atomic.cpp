// SPDX-License-Identifier: Apache-2.0
// Atomic operations at addresses that differ from lane to lane, in the order of the lanes. Addresses and operands are
// computed and tested as vectors. Then each lane takes its own: out of the vector where all lanes operate, and from
// memory where a loop goes over some of them. Where all lanes name one element, and in global memory where several seem
// to, their operations become one: otherwise each waits for the store of the one before it.
#include "combined_atomic.hpp"
#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/lanes/joint_access.hpp"

#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// A value for each lane, in memory.
class LaneValues {
public:
    LaneValues(Emitter& e, const char* name, Type* vector)
        : b_(e.b), vector_(vector), align_(std::min<std::uint64_t>(vector->getPrimitiveSizeInBits() / 8, kLineBytes)),
          memory_(e, name, vector->getPrimitiveSizeInBits() / 8, align_) {}

    void store(Value* values) {
        values_ = values;
        b_.CreateAlignedStore(values, memory_.address(), align_);
    }
    [[nodiscard]] Value* load() { return b_.CreateAlignedLoad(vector_, memory_.address(), align_); }
    /// Of what was stored last. Two 32-bit numbers come out of the vector at once: that takes less than a load of each,
    /// and much less than an instruction for each, which LLVM would make of it without the empty one between.
    [[nodiscard]] Value* read(unsigned lane) {
        Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
        if (vector_->getScalarType() != i32)
            return b_.CreateLoad(vector_->getScalarType(), place(b_.getInt64(lane)), true);
        const unsigned pairs = llvm::cast<llvm::FixedVectorType>(vector_)->getNumElements() / 2;
        if (lane % 2 == 0) {
            Value* all = b_.CreateBitCast(values_, llvm::FixedVectorType::get(i64, pairs));
            auto* opaque = llvm::InlineAsm::get(llvm::FunctionType::get(i64, {i64}, false), "", "=r,0", false);
            pair_ = b_.CreateCall(opaque, {b_.CreateExtractElement(all, lane / 2)});
        }
        return b_.CreateTrunc(lane % 2 == 0 ? pair_ : b_.CreateLShr(pair_, 32), i32);
    }
    [[nodiscard]] Value* of(Value* lane) { return b_.CreateLoad(vector_->getScalarType(), place(lane)); }
    void set(Value* lane, Value* value) { b_.CreateStore(value, place(lane)); }

private:
    [[nodiscard]] Value* place(Value* lane) {
        return b_.CreateInBoundsGEP(vector_->getScalarType(), memory_.address(), lane);
    }

    llvm::IRBuilder<>& b_;
    Type* vector_;
    const llvm::Align align_; ///< a store that crosses lines of the cache is late for the lanes' loads
    const Scratch memory_;
    Value* values_ = nullptr;
    Value* pair_ = nullptr; ///< that was read last
};

constexpr unsigned kCounter = 4;                   ///< bytes of an element whose lanes are counted
constexpr std::uint64_t kFewBytes = 16 * kCounter; ///< of a copy with so few elements

class ScatteredAtomic {
public:
    ScatteredAtomic(Emitter& e, const Instruction& i)
        : e_(e), b_(e.b), i_(i), answers_(answers(e.function, i)), at_(i.opcode == Opcode::atom ? 1 : 0),
          where_(i.operands.at(at_)), own_(is_of_block(e, i, where_)), width_(e.lanes.full_width()),
          bytes_(ptx::bits(i.type()) / 8), bits_(b_.getIntNTy(width_)),
          combined_(can_be_combined(e.function, i) ? std::optional<CombinedAtomic>(std::in_place, e, i) : std::nullopt),
          sum_(e.unit.sums.memory_of(e.instruction())) {}

    void emit() {
        read_addresses();
        stop_if_misaligned();
        words_.emplace(e_, "addresses", all_words_->getType());
        words_->store(all_words_);
        for (std::size_t k = at_ + 1; k < i_.operands.size(); ++k)
            read_operand(i_.operands[k]);
        Type* element = b_.getIntNTy(8 * bytes_);
        if (answers_) before_.emplace(e_, "before", llvm::FixedVectorType::get(element, width_));
        operate_all();
        if (!answers_) return;
        Value* before = before_->load();
        const auto vectors = e_.lanes.with_full_width();
        e_.write(i_.operands[0], i_.type(), e_.bits_as(before, e_.type_of(i_.type())));
    }

private:
    // --- addresses and operands

    void read_addresses() {
        const auto vectors = e_.lanes.with_full_width();
        if (is_shared(i_.space)) {
            const Addresses::Shared at = e_.addresses.shared_address(where_);
            all_words_ = at.word;
            offset_ = at.offset;
            is_signed_ = at.is_signed;
        } else {
            all_words_ = e_.registers.read(where_.reg, ptx::Type::b64);
            offset_ = where_.kind == Operand::Kind::reg ? 0 : where_.integer;
        }
    }

    void stop_if_misaligned() {
        Type* words = llvm::FixedVectorType::get(b_.getInt32Ty(), width_);
        Value* low = b_.CreateTrunc(all_words_, words);
        low = b_.CreateAdd(low, llvm::ConstantInt::get(words, static_cast<std::uint32_t>(offset_)));
        low = b_.CreateAnd(low, llvm::ConstantInt::get(words, bytes_ - 1));
        if (Value* mask = e_.lanes.active_mask()) low = b_.CreateSelect(mask, low, llvm::Constant::getNullValue(words));
        e_.checks.stop_if_misaligned(b_.CreateZExtOrTrunc(bits_of(b_.CreateIsNotNull(low)), b_.getInt32Ty()));
    }

    struct LaneOperand {
        Value* values = nullptr;              ///< of all lanes: a number or a vector
        std::unique_ptr<LaneValues> of_lanes; ///< null: all have the same
    };
    void read_operand(const Operand& operand) {
        const bool same = e_.plan->uniform(operand);
        const auto width = e_.lanes.with_width(same ? 1 : width_);
        Value* value = e_.read(operand, i_.type());
        Type* element = b_.getIntNTy(8 * bytes_);
        LaneOperand& known = operands_.emplace_back();
        if (same) {
            known.values = e_.bits_as(value, element);
            return;
        }
        Type* vector = llvm::FixedVectorType::get(element, width_);
        known.of_lanes = std::make_unique<LaneValues>(e_, "operands", vector);
        known.values = b_.CreateBitCast(value, vector);
        known.of_lanes->store(known.values);
    }

    /// The element at a lane's word.
    Value* pointer(Value* word) {
        if (is_shared(i_.space)) return in_shared(e_.addresses.extend(word, is_signed_));
        return advance(b_, b_.CreateIntToPtr(word, e_.device_pointer()), offset_);
    }
    Value* in_shared(Value* extended) {
        return advance(b_, b_.CreateGEP(b_.getInt8Ty(), e_.place.shared_origin(), extended), offset_);
    }

    // --- the ways to do it

    void operate_all() {
        llvm::BasicBlock* rest = e_.new_block("operated");
        Value* all = e_.lanes.active_mask() ? bits_of(e_.lanes.active_mask()) : llvm::Constant::getAllOnesValue(bits_);
        llvm::PHINode* left = nullptr; // lanes that are to operate one after the other
        llvm::BasicBlock* turns = e_.new_block("turns");
        {
            llvm::IRBuilder<>::InsertPointGuard guard(b_);
            b_.SetInsertPoint(turns);
            left = b_.CreatePHI(bits_, 2);
        }
        if (combined_ && !e_.lanes.is_seldom()) {
            if (own_)
                combine_all(all, rest);
            else if (sum_)
                add_to_copies(all, rest);
            if (!own_) combine_equal(all, left);
        } else if (sum_ && !e_.lanes.is_seldom() && !e_.lanes.active_mask()) {
            add_to_copies(all, rest); // floats, of all lanes: what inactive lanes add might change a NaN
        }
        if (own_ && !e_.lanes.active_mask() && !e_.lanes.is_seldom()) {
            each_lane_unrolled();
            b_.CreateBr(rest);
        } else if (own_ && combined_ && !e_.lanes.is_seldom() && e_.place.shared_origin() == e_.place.shared_base()) {
            llvm::BasicBlock* many = e_.new_block("many");
            left->addIncoming(all, b_.GetInsertBlock());
            b_.CreateCondBr(b_.CreateICmpUGE(count(all), llvm::ConstantInt::get(bits_, width_ / 4)), many, turns);
            b_.SetInsertPoint(many);
            each_lane_harmlessly(all);
            b_.CreateBr(rest);
        } else {
            left->addIncoming(all, b_.GetInsertBlock());
            b_.CreateBr(turns);
        }
        b_.SetInsertPoint(turns);
        if (left->getNumIncomingValues())
            each_of(left, rest);
        else
            turns->eraseFromParent();
        b_.SetInsertPoint(rest);
    }

    /// A loop over the active lanes ends where the processor does not expect it, and then waits for what the mask was
    /// made of. So inactive lanes operate too: on the block's own memory, with an operand that changes nothing. Their
    /// addresses are those that they have, as far as they are below one that an active lane accesses. One address for
    /// all of them would make each wait for the one before.
    void each_lane_harmlessly(Value* all) {
        Type* words = all_words_->getType();
        Value* offset = llvm::ConstantInt::get(words, static_cast<std::uint32_t>(offset_));
        Value* full = b_.CreateAdd(b_.CreateFreeze(all_words_), offset);
        Value* known = b_.CreateAdd(words_->of(lowest(all)), b_.getInt32(static_cast<std::uint32_t>(offset_)));
        words_->store(b_.CreateSelect(e_.lanes.active_mask(), full, not_above(full, known)));
        LaneValues operands(e_, "operands", llvm::FixedVectorType::get(b_.getIntNTy(8 * bytes_), width_));
        operands.store(combined_->active_values());
        const Scoped<std::int64_t> no_offset(offset_, 0);
        const Scoped<bool> not_signed(is_signed_, false);
        const Scoped<LaneValues*> harmless(instead_, &operands);
        each_lane();
    }

    /// The same places, aligned, as far as they lie below a known one.
    Value* not_above(Value* places, Value* known) {
        Value* aligned = b_.CreateAnd(places, llvm::ConstantInt::getSigned(places->getType(), -std::int64_t{bytes_}));
        return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, aligned, b_.CreateVectorSplat(width_, known));
    }

    /// Where all lanes add to the worker's copy of a sum, they do so without a branch for each. Goes to `rest`, or on:
    /// also where many share an element of a large copy.
    void add_to_copies(Value* all, llvm::BasicBlock* rest) {
        const ThreadPlace::Sum own = e_.place.sum(*sum_);
        Value* mask = e_.lanes.active_mask();
        Value* begin = b_.CreateSub(own.begin, b_.getInt64(static_cast<std::uint64_t>(offset_)));
        Value* places = b_.CreateSub(all_words_, b_.CreateVectorSplat(width_, begin));
        Value* outside = b_.CreateICmpUGE(places, b_.CreateVectorSplat(width_, own.bytes));
        if (mask) outside = b_.CreateAnd(outside, mask);
        Value* inside = b_.CreateIsNull(bits_of(outside)); // then there is a copy, if any lane is active
        if (mask) inside = b_.CreateAnd(inside, b_.CreateIsNotNull(all));
        llvm::BasicBlock* otherwise = e_.new_block("elsewhere");
        if (bytes_ == kCounter && i_.has(ptx::Modifier::add) && combined_ && !operands_.front().of_lanes) {
            llvm::BasicBlock* few = e_.new_block("few");
            llvm::BasicBlock* many = e_.new_block("many");
            b_.CreateCondBr(b_.CreateAnd(inside, b_.CreateICmpULE(own.bytes, b_.getInt64(kFewBytes))), few, many);
            b_.SetInsertPoint(few);
            add_counts(places, own.copy);
            b_.CreateBr(rest);
            b_.SetInsertPoint(many);
        }
        const auto at_least = [&](Value* bits, unsigned part) {
            return b_.CreateICmpUGE(count(bits), llvm::ConstantInt::get(bits_, std::max(2U, width_ / part)));
        };
        Value* fits = inside; // floats add up in the order of the lanes
        if (combined_) fits = b_.CreateAnd(inside, b_.CreateNot(at_least(bits_of(equal_neighbours()), 4)));
        if (mask) fits = b_.CreateAnd(fits, at_least(all, 4));
        llvm::BasicBlock* each = e_.new_block("in_copy");
        b_.CreateCondBr(fits, each, otherwise);
        b_.SetInsertPoint(each);
        add_each(places, all, own.copy);
        b_.CreateBr(rest);
        b_.SetInsertPoint(otherwise);
    }

    /// All lanes add the same number to some of sixteen elements. The lanes of each element are counted: a lane is a
    /// one in the byte of its element, and the bytes of all lanes are added up.
    void add_counts(Value* places, Value* copy) {
        Type* words = places->getType();
        Value* shift = b_.CreateMul(places, llvm::ConstantInt::get(words, 8 / kCounter));
        if (Value* mask = e_.lanes.active_mask())
            shift = b_.CreateSelect(mask, shift, llvm::ConstantInt::get(words, 8 * kFewBytes / kCounter));
        Value* counts = llvm::PoisonValue::get(llvm::FixedVectorType::get(b_.getInt64Ty(), 2));
        for (unsigned k = 0; k < 2; ++k) {
            Value* in_word = b_.CreateSub(shift, llvm::ConstantInt::get(words, std::uint64_t{64} * k));
            Value* one = b_.CreateShl(llvm::ConstantInt::get(words, 1), in_word);
            one = b_.CreateSelect(b_.CreateICmpULT(in_word, llvm::ConstantInt::get(words, 64)), one,
                                  llvm::Constant::getNullValue(words));
            counts = b_.CreateInsertElement(counts, b_.CreateAddReduce(one), k);
        }
        constexpr unsigned elements = kFewBytes / kCounter;
        Type* element = b_.getInt32Ty();
        counts = b_.CreateBitCast(counts, llvm::FixedVectorType::get(b_.getInt8Ty(), elements));
        counts = b_.CreateZExt(counts, llvm::FixedVectorType::get(element, elements));
        Value* added = b_.CreateMul(counts, b_.CreateVectorSplat(elements, operands_.front().values));
        const llvm::Align align(kLineBytes);
        Value* before = b_.CreateAlignedLoad(added->getType(), copy, align);
        b_.CreateAlignedStore(b_.CreateAdd(before, added), copy, align);
    }

    /// Each lane by itself. Inactive lanes add nothing to an element of the copy.
    void add_each(Value* places, Value* all, Value* copy) {
        Value* offsets = b_.CreateTrunc(places, llvm::FixedVectorType::get(b_.getInt32Ty(), width_));
        Value* values = e_.lanes.active_mask() ? combined_->active_values() : nullptr;
        if (Value* mask = e_.lanes.active_mask()) {
            offsets = b_.CreateFreeze(offsets);
            Value* known = b_.CreateExtractElement(offsets, lowest(all));
            offsets = b_.CreateSelect(mask, offsets, not_above(offsets, known));
        }
        LaneValues in_copy(e_, "offsets", offsets->getType());
        in_copy.store(offsets);
        const llvm::Align align(bytes_);
        for (unsigned k = 0; k < width_; ++k) {
            Value* place = b_.CreateGEP(b_.getInt8Ty(), copy, b_.CreateZExt(in_copy.read(k), b_.getInt64Ty()));
            Value* value = values ? b_.CreateExtractElement(values, k) : operand_of(k);
            Value* before = b_.CreateAlignedLoad(value->getType(), place, align);
            b_.CreateAlignedStore(combine(e_, i_, before, value), place, align);
        }
    }

    /// A lane's operand, out of memory: that takes less than to get it out of a vector.
    Value* operand_of(unsigned lane) {
        const LaneOperand& known = operands_.front();
        return known.of_lanes ? known.of_lanes->read(lane) : known.values;
    }

    /// One lane after the other, some in a turn of a loop, each with its word from memory.
    void each_lane() {
        const unsigned at_once = std::min(width_, 8U);
        llvm::BasicBlock* before = b_.GetInsertBlock();
        llvm::BasicBlock* turn = e_.new_block("lanes");
        llvm::BasicBlock* rest = e_.new_block("rest");
        b_.CreateBr(turn);
        b_.SetInsertPoint(turn);
        llvm::PHINode* first = b_.CreatePHI(b_.getInt64Ty(), 2);
        first->addIncoming(b_.getInt64(0), before);
        for (unsigned k = 0; k < at_once; ++k) {
            Value* lane = b_.CreateAdd(first, b_.getInt64(k));
            Value* old = operate(lane, pointer(words_->of(lane)));
            if (answers_) before_->set(lane, old);
        }
        Value* next = b_.CreateAdd(first, b_.getInt64(at_once));
        first->addIncoming(next, b_.GetInsertBlock());
        b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(width_)), turn, rest);
        b_.SetInsertPoint(rest);
    }

    /// The same of all lanes, without a loop. Old values are put together in registers: a vector that is read from
    /// memory waits for all stores of its elements.
    void each_lane_unrolled() {
        Value* before = llvm::PoisonValue::get(llvm::FixedVectorType::get(b_.getIntNTy(8 * bytes_), width_));
        for (unsigned k = 0; k < width_; ++k) {
            Value* old = operate(b_.getInt64(k), pointer(words_->read(k)));
            if (answers_) before = b_.CreateInsertElement(before, old, k);
        }
        if (answers_) before_->store(before);
    }

    /// The lanes of a set, in order.
    void each_of(Value* all, llvm::BasicBlock* rest) {
        llvm::BasicBlock* before = b_.GetInsertBlock();
        llvm::BasicBlock* turn = e_.new_block("turn");
        b_.CreateCondBr(b_.CreateIsNotNull(all), turn, rest);
        b_.SetInsertPoint(turn);
        llvm::PHINode* left = b_.CreatePHI(bits_, 2);
        left->addIncoming(all, before);
        Value* lane = lowest(left);
        Value* old = operate(lane, pointer(words_->of(lane)));
        if (answers_) before_->set(lane, old);
        Value* others = b_.CreateAnd(left, b_.CreateSub(left, llvm::ConstantInt::get(bits_, 1)));
        left->addIncoming(others, b_.GetInsertBlock());
        b_.CreateCondBr(b_.CreateIsNotNull(others), turn, rest);
    }

    /// Does a lane's operation, and answers the old value.
    Value* operate(Value* lane, Value* where) {
        const auto operand = [&](std::size_t k) -> Value* {
            if (k >= operands_.size()) return nullptr;
            if (instead_) return instead_->of(lane);
            if (!operands_[k].of_lanes) return operands_[k].values;
            if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(lane))
                return operands_[k].of_lanes->read(static_cast<unsigned>(number->getZExtValue()));
            return operands_[k].of_lanes->of(lane);
        };
        return perform_atomic(e_, i_, where, operand(0), operand(1), own_);
    }

    /// If all lanes have one address: they operate as one.
    void combine_all(Value* all, llvm::BasicBlock* rest) {
        Value* mask = e_.lanes.active_mask();
        Value* word = mask ? words_->of(lowest(all)) : b_.CreateExtractElement(all_words_, std::uint64_t{0});
        Value* others = b_.CreateICmpNE(all_words_, b_.CreateVectorSplat(width_, word));
        Value* none = b_.CreateIsNull(bits_of(mask ? b_.CreateAnd(others, mask) : others));
        if (mask) none = b_.CreateAnd(none, b_.CreateIsNotNull(all));
        llvm::BasicBlock* equal = e_.new_block("equal");
        llvm::BasicBlock* different = e_.new_block("different");
        b_.CreateCondBr(none, equal, different);
        b_.SetInsertPoint(equal);
        if (Value* old = combined_->exchange_all(pointer(word), true)) before_->store(old);
        b_.CreateBr(rest);
        b_.SetInsertPoint(different);
    }

    /// If many neighbours have one address: the first of them and all other lanes with this address operate as one,
    /// and so on, until few share theirs. The rest goes to the block of `left`.
    void combine_equal(Value* all, llvm::PHINode* left) {
        Value* pairs = bits_of(equal_neighbours());
        llvm::BasicBlock* before = b_.GetInsertBlock();
        llvm::BasicBlock* turn = e_.new_block("equal");
        llvm::BasicBlock* rest = e_.new_block("different");
        const unsigned many = std::max(2U, width_ / 8);
        b_.CreateCondBr(b_.CreateICmpUGE(count(pairs), llvm::ConstantInt::get(bits_, many)), turn, rest);
        b_.SetInsertPoint(turn);
        llvm::PHINode* others = b_.CreatePHI(bits_, 2);
        llvm::PHINode* first = b_.CreatePHI(b_.getInt64Ty(), 2);
        others->addIncoming(all, before);
        {
            llvm::IRBuilder<>::InsertPointGuard guard(b_);
            b_.SetInsertPoint(before->getTerminator());
            first->addIncoming(lowest(pairs), before);
        }
        Value* word = words_->of(first);
        Value* same = b_.CreateICmpEQ(all_words_, b_.CreateVectorSplat(width_, word));
        same = b_.CreateAnd(same, b_.CreateBitCast(others, same->getType()));
        {
            const auto active = e_.lanes.with_active_mask(same);
            Value* old = combined_->exchange_all(pointer(word), false);
            if (old) before_->store(b_.CreateSelect(same, old, before_->load()));
        }
        Value* done = bits_of(same);
        Value* remaining = b_.CreateAnd(others, b_.CreateNot(done));
        constexpr unsigned kFew = 3;
        Value* more = b_.CreateAnd(b_.CreateICmpUGE(count(done), llvm::ConstantInt::get(bits_, kFew)),
                                   b_.CreateIsNotNull(remaining));
        Value* following = lowest(remaining); // of none: not used
        others->addIncoming(remaining, b_.GetInsertBlock());
        first->addIncoming(following, b_.GetInsertBlock());
        left->addIncoming(remaining, b_.GetInsertBlock());
        b_.CreateCondBr(more, turn, left->getParent());
        b_.SetInsertPoint(rest);
    }

    // --- sets of lanes

    /// Active lanes whose next one is active and has the same address. The first lane is the next one of the last.
    Value* equal_neighbours() {
        llvm::SmallVector<int> next;
        for (unsigned lane = 0; lane < width_; ++lane)
            next.push_back(static_cast<int>((lane + 1) % width_));
        Value* equal = b_.CreateICmpEQ(all_words_, b_.CreateShuffleVector(all_words_, next));
        if (Value* mask = e_.lanes.active_mask())
            equal = b_.CreateAnd(equal, b_.CreateAnd(mask, b_.CreateShuffleVector(mask, next)));
        return equal;
    }
    Value* bits_of(Value* mask) { return b_.CreateBitCast(mask, bits_); }
    Value* count(Value* bits) { return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits); }
    Value* lowest(Value* bits) {
        Value* lane = e_.intrinsic(llvm::Intrinsic::cttz, {bits_}, {bits, b_.getFalse()});
        return b_.CreateZExt(lane, b_.getInt64Ty());
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const Instruction& i_;
    const bool answers_;
    const std::size_t at_; ///< number of the address operand
    const Operand& where_;
    const bool own_;
    const unsigned width_, bytes_;
    Type* bits_; ///< a bit for each lane
    std::optional<CombinedAtomic> combined_;
    const std::optional<std::uint32_t> sum_; ///< the number of the kernel's sum
    Value* all_words_ = nullptr;             ///< what pointer() takes, of all lanes
    std::int64_t offset_ = 0;
    bool is_signed_ = false;
    std::optional<LaneValues> words_, before_;
    std::vector<LaneOperand> operands_;
    LaneValues* instead_ = nullptr; ///< of the operands; null: the operands
};

bool is_scattered(const Emitter& e, const Instruction& i) {
    if ((i.opcode != Opcode::atom && i.opcode != Opcode::red) || i.vector_width > 1) return false;
    if (e.unit.options.access_reports != AccessReports::none) return false;
    const Operand& where = i.operands.at(i.opcode == Opcode::atom ? 1 : 0);
    if (where.base_kind != Operand::Kind::reg || !e.registers.varies(where.reg)) return false;
    if (!is_shared(i.space) && ptx::bits(e.function.registers[where.reg].type) == 32) return false;
    const unsigned bits = ptx::bits(i.type());
    return bits >= 16 && bits <= 64;
}

} // namespace

bool emit_scattered_atomic(Emitter& e, const Instruction& i) {
    if (!is_scattered(e, i) || e.addresses.to_shadow()) return false;
    ScatteredAtomic(e, i).emit();
    return true;
}

} // namespace warplight::jit
