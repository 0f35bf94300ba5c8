// SPDX-License-Identifier: Apache-2.0
#include "overlap_pass.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <cstdlib>
#include <optional>

namespace warplight::jit {

namespace {

/// Elements side by side in the device's memory.
struct Elements {
    llvm::Value* base;
    llvm::Value* index;  ///< a number of bytes from the base; null: none
    std::int64_t offset; ///< from there, in bytes
    llvm::FixedVectorType* type;

    [[nodiscard]] bool is_beside(const Elements& other) const { return base == other.base && index == other.index; }
    [[nodiscard]] std::int64_t element_bytes() const { return type->getScalarSizeInBits() / 8; }
    [[nodiscard]] std::int64_t count() const { return type->getNumElements(); }
    [[nodiscard]] std::int64_t end() const { return offset + count() * element_bytes(); }
};

struct Stored {
    Elements where;
    llvm::Value* values;
};

std::optional<Elements> elements_at(llvm::Value* pointer, llvm::Type* type, const llvm::DataLayout& layout) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector || pointer->getType()->getPointerAddressSpace() != kDeviceSpace) return std::nullopt;
    const unsigned bits = vector->getScalarSizeInBits();
    if (bits != 32 && bits != 64) return std::nullopt;
    Elements at{pointer, nullptr, 0, vector};
    while (auto* gep = llvm::dyn_cast<llvm::GEPOperator>(at.base)) {
        llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
        if (gep->accumulateConstantOffset(layout, offset)) {
            at.offset += offset.getSExtValue();
        } else {
            if (at.index || gep->getNumIndices() != 1 || !gep->getSourceElementType()->isIntegerTy(8)) break;
            at.index = gep->getOperand(1);
        }
        at.base = gep->getPointerOperand();
    }
    return at;
}

class Block {
public:
    explicit Block(llvm::BasicBlock& block) : block_(block), layout_(block.getDataLayout()) {}

    bool run() {
        bool changed = false;
        for (llvm::Instruction& i : llvm::make_early_inc_range(block_)) {
            if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
                note(*store);
            else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
                changed |= replace(*load);
            else if (i.mayWriteToMemory() && !is_prefetch(i))
                stored_.clear();
        }
        return changed;
    }

private:
    static bool is_prefetch(const llvm::Instruction& i) {
        const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        return call && call->getIntrinsicID() == llvm::Intrinsic::prefetch;
    }

    /// Memory of the host is never the device's. A store by another base may be anywhere in it.
    void note(llvm::StoreInst& store) {
        if (store.getPointerAddressSpace() != kDeviceSpace && !store.isAtomic()) return;
        const auto where = elements_at(store.getPointerOperand(), store.getValueOperand()->getType(), layout_);
        if (!where || store.isAtomic()) return stored_.clear();
        llvm::erase_if(stored_, [&](const Stored& before) {
            return !before.where.is_beside(*where) ||
                   (before.where.offset < where->end() && where->offset < before.where.end());
        });
        stored_.push_back({*where, store.getValueOperand()});
    }

    /// A volatile vector is always of shared memory, which nobody else writes to before the lanes suspend.
    bool replace(llvm::LoadInst& load) {
        const auto wanted = elements_at(load.getPointerOperand(), load.getType(), layout_);
        if (!wanted || load.isAtomic()) return false;
        for (const Stored& before : stored_) {
            if (!before.where.is_beside(*wanted) || !is_alike(*before.where.type, *wanted->type)) continue;
            const std::int64_t distance = wanted->offset - before.where.offset, bytes = wanted->element_bytes();
            if (distance % bytes || !is_short(distance / bytes, wanted->count())) continue;
            llvm::Value* made = join(load, before.values, distance / bytes);
            load.replaceAllUsesWith(made);
            load.eraseFromParent();
            return true;
        }
        return false;
    }

    static bool is_alike(const llvm::FixedVectorType& x, const llvm::FixedVectorType& y) {
        return x.getNumElements() == y.getNumElements() && x.getScalarSizeInBits() == y.getScalarSizeInBits();
    }

    /// The rest is one short vector, or a number.
    static bool is_short(std::int64_t elements, std::int64_t of) {
        const std::int64_t rest = std::abs(elements);
        return rest <= of / 2 && (rest == 0 || llvm::isPowerOf2_64(static_cast<std::uint64_t>(rest)));
    }

    /// @param ahead elements from the stored vector to the loaded one
    llvm::Value* join(llvm::LoadInst& load, llvm::Value* values, std::int64_t ahead) {
        llvm::IRBuilder<> b(&load);
        values = b.CreateBitCast(values, load.getType());
        if (ahead == 0) return values;
        auto* type = llvm::cast<llvm::FixedVectorType>(load.getType());
        const auto count = static_cast<int>(type->getNumElements()), rest = static_cast<int>(std::abs(ahead));
        const int from = ahead > 0 ? count - rest : 0; // of the rest in the loaded vector
        auto* short_type = llvm::FixedVectorType::get(type->getElementType(), static_cast<unsigned>(rest));
        llvm::Value* at =
            b.CreateConstGEP1_64(type->getElementType(), load.getPointerOperand(), static_cast<std::uint64_t>(from));
        llvm::Value* others = b.CreateAlignedLoad(short_type, at, llvm::Align(1), load.isVolatile());
        llvm::SmallVector<int> widened(type->getNumElements(), -1), places;
        for (int k = 0; k < rest; ++k)
            widened[static_cast<std::size_t>(k)] = k;
        others = b.CreateShuffleVector(others, widened);
        for (int k = 0; k < count; ++k) {
            const bool is_rest = k >= from && k < from + rest;
            places.push_back(is_rest ? count + k - from : k + static_cast<int>(ahead));
        }
        return b.CreateShuffleVector(values, others, places);
    }

    llvm::BasicBlock& block_;
    const llvm::DataLayout& layout_;
    llvm::SmallVector<Stored, 8> stored_;
};

} // namespace

llvm::PreservedAnalyses OverlapPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::BasicBlock& block : function)
        changed |= Block(block).run();
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
