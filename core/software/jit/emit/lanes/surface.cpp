// SPDX-License-Identifier: Apache-2.0
// Loads and stores of surfaces for all lanes. Where x moves on by an element from lane to lane, the elements of a row
// inside are vectors of the surface's memory. The lanes access others one after the other.
#include "lane_groups.hpp"
#include "software/jit/emit/memory/texture_operands.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>
#include <vector>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Operand;
using software::PlainSurface;
using software::TextureGeometry;

namespace {

class SurfaceLanes {
public:
    SurfaceLanes(Emitter& e, const ptx::Instruction& i)
        : e_(e), b_(e.b), i_(i), is_load_(i.opcode == ptx::Opcode::suld), address_(i.operands.at(is_load_ ? 1 : 0)),
          value_(i.operands.at(is_load_ ? 0 : 1)), geometry_(geometry_of(i)), type_(i.type()), bits_(ptx::bits(type_)),
          count_(i.vector_width), width_(e.lanes.full_width()) {}

    /// Whether the lanes' elements are neighbours in a row, if they lie inside.
    [[nodiscard]] bool is_row() const {
        if (i_.has(Modifier::p) || is_looked_at(e_, i_) || e_.unit.options.checks_accesses) return false;
        if (address_.base_kind != Operand::Kind::variable && !e_.plan->uniform(address_.reg)) return false;
        const Operand& x = coordinate(0);
        if (x.kind != Operand::Kind::reg || x.negated || e_.plan->stride(x.reg) != bytes()) return false;
        for (std::size_t k = 0; k < first() + coordinates_of(geometry_); ++k)
            if (k != first() && !e_.plan->uniform(element_of(address_.elements.back(), k))) return false;
        return true;
    }

    void emit() {
        surface_ = plain_surface(e_, address_);
        Value* base = field(offsetof(PlainSurface, base), b_.getPtrTy(kDeviceSpace));
        Value* place = nullptr;
        Value* inside = find(place);
        llvm::BasicBlock *row = e_.new_block("row"), *others = e_.new_block("others"), *rest = e_.new_block("rest");
        b_.CreateCondBr(inside, row, others, llvm::MDBuilder(e_.context).createLikelyBranchWeights());
        b_.SetInsertPoint(row);
        Value* first = b_.CreateGEP(b_.getInt8Ty(), base, b_.CreateZExt(place, b_.getInt64Ty()));
        if (is_load_)
            load(first);
        else
            store(first);
        b_.CreateBr(rest);
        b_.SetInsertPoint(others);
        emit_serially(e_, i_);
        b_.CreateBr(rest);
        b_.SetInsertPoint(rest);
    }

private:
    [[nodiscard]] std::int64_t bytes() const { return std::int64_t{bits_ / 8} * count_; } ///< of a lane
    [[nodiscard]] std::size_t first() const { return is_layered(geometry_) ? 1 : 0; }
    [[nodiscard]] const Operand& coordinate(std::size_t axis) const {
        return element_of(address_.elements.back(), first() + axis);
    }
    Value* read(const Operand& o) { return b_.CreateFreeze(e_.read(o, ptx::Type::b32)); }
    Value* field(std::size_t offset, llvm::Type* type) {
        llvm::LoadInst* load = b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), surface_, offset));
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e_.context, {}));
        return load;
    }
    Value* word(std::size_t offset) { return field(offset, b_.getInt32Ty()); }

    /// Whether all elements lie inside, and the first byte's number then.
    Value* find(Value*& place) {
        place = b_.CreateFreeze(e_.registers.read(coordinate(0).reg, ptx::Type::b32));
        const auto all_bytes = static_cast<std::uint32_t>(bytes()) * width_;
        Value* firsts = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat,
                                                 b_.CreateAdd(word(offsetof(PlainSurface, bytes)), b_.getInt32(1)),
                                                 b_.getInt32(all_bytes));
        Value* inside = b_.CreateICmpULT(place, firsts);
        if (bytes() > 1)
            inside =
                b_.CreateAnd(inside, b_.CreateIsNull(b_.CreateAnd(place, static_cast<std::uint64_t>(bytes()) - 1)));
        const auto add = [&](Value* number, std::size_t limit, std::size_t step) {
            inside = b_.CreateAnd(inside, b_.CreateICmpULT(number, word(limit)));
            place = b_.CreateAdd(place, b_.CreateMul(number, word(step)));
        };
        const unsigned dimensions = coordinates_of(geometry_);
        if (dimensions > 1) add(read(coordinate(1)), offsetof(PlainSurface, height), offsetof(PlainSurface, row_bytes));
        if (dimensions > 2)
            add(read(coordinate(2)), offsetof(PlainSurface, depth), offsetof(PlainSurface, slice_bytes));
        if (first() != 0)
            add(read(element_of(address_.elements.back(), 0)), offsetof(PlainSurface, slices),
                offsetof(PlainSurface, slice_bytes));
        return inside;
    }

    [[nodiscard]] llvm::FixedVectorType* words(unsigned count) const {
        return llvm::FixedVectorType::get(b_.getIntNTy(bits_), count);
    }

    /// The mask of all channels; null: all lanes are active.
    Value* mask() {
        Value* active = e_.lanes.active_mask();
        if (!active || count_ == 1) return active;
        std::vector<int> lanes(std::size_t{width_} * count_);
        for (std::size_t k = 0; k < lanes.size(); ++k)
            lanes[k] = static_cast<int>(k / count_);
        return b_.CreateShuffleVector(active, lanes);
    }

    void load(Value* from) {
        llvm::FixedVectorType* type = words(width_ * count_);
        Value* active = mask();
        Value* all = active ? static_cast<Value*>(b_.CreateMaskedLoad(type, from, llvm::Align(1), active,
                                                                      llvm::Constant::getNullValue(type)))
                            : b_.CreateAlignedLoad(type, from, llvm::Align(1));
        const auto vectors = e_.lanes.with_full_width();
        std::vector<int> lanes(width_);
        for (unsigned k = 0; k < count_; ++k) {
            for (unsigned lane = 0; lane < width_; ++lane)
                lanes[lane] = static_cast<int>(lane * count_ + k);
            Value* channel = count_ == 1 ? all : b_.CreateShuffleVector(all, lanes);
            e_.write(element_of(value_, k), type_, e_.bits_as(channel, e_.type_of(type_)));
        }
    }

    void store(Value* to) {
        Value* all = nullptr;
        {
            const auto vectors = e_.lanes.with_full_width();
            std::vector<Value*> parts(count_);
            for (unsigned k = 0; k < count_; ++k)
                parts[k] = e_.bits_as(e_.read(element_of(value_, k), type_), words(width_));
            // One after the other, then a channel of each in turn.
            for (std::size_t many = count_; many > 1; many /= 2)
                for (std::size_t k = 0; k < many / 2; ++k) {
                    Value *low = parts[2 * k], *high = parts[2 * k + 1];
                    std::vector<int> places(
                        2 * std::size_t{llvm::cast<llvm::FixedVectorType>(low->getType())->getNumElements()});
                    for (std::size_t p = 0; p < places.size(); ++p)
                        places[p] = static_cast<int>(p);
                    parts[k] = b_.CreateShuffleVector(low, high, places);
                }
            all = parts[0];
        }
        if (count_ > 1) {
            std::vector<int> places(std::size_t{width_} * count_);
            for (std::size_t k = 0; k < places.size(); ++k)
                places[k] = static_cast<int>(k % count_ * width_ + k / count_);
            all = b_.CreateShuffleVector(all, places);
        }
        if (Value* active = mask())
            b_.CreateMaskedStore(all, to, llvm::Align(1), active);
        else
            b_.CreateAlignedStore(all, to, llvm::Align(1));
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const ptx::Instruction& i_;
    const bool is_load_;
    const Operand &address_, &value_;
    const TextureGeometry geometry_;
    const ptx::Type type_;
    const unsigned bits_, count_, width_;
    Value* surface_ = nullptr;
};

} // namespace

bool emit_lane_surface(Emitter& e, const ptx::Instruction& i) {
    if (i.opcode != ptx::Opcode::suld && i.opcode != ptx::Opcode::sust) return false;
    SurfaceLanes lanes(e, i);
    if (!lanes.is_row()) return false;
    lanes.emit();
    return true;
}

} // namespace warplight::jit
