// SPDX-License-Identifier: Apache-2.0
// Functions of the generated code that read or write an element at each lane's address, one lane after the other. They
// serve hosts with narrow vectors, which have no instruction for that, and rare cases. Each exists once in a kernel.
// All answer the bits that any of the addresses have, i32. They pass over inactive lanes.
#pragma once

#include "software/jit/emit/unit.hpp"

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>

namespace warplight::jit {

/// Affine addresses from the first lane's address and 32-bit index. Lane k's address is
///     first + factor * (widen(index + k * step) - widen(index)) + k * beyond
struct LaneStep {
    std::int64_t factor, beyond;
    std::int32_t step;
    bool widens_signed;
};

class SerialAccess {
public:
    /// The caller's vectors stay in their registers.
    static constexpr auto kConvention = llvm::CallingConv::PreserveAll;

    explicit SerialAccess(Unit& unit);

    /// (elements in memory, active lanes as bits, the first lane's address and index, address of a LaneStep)
    /// The fast path computes the same arguments, so the call keeps no further registers alive.
    llvm::Function* affine(unsigned bits, bool store);
    /// The same for lanes whose elements are neighbours, unless an index wraps: many at once, on a host that masks any
    /// access.
    llvm::Function* neighbours(unsigned bits, bool store);
    llvm::Constant* constant(const LaneStep& step);
    /// (elements in memory, active lanes as bits, addresses in memory, a number to be added to them)
    llvm::Function* scattered(unsigned bits, bool store);

private:
    struct Turn {
        llvm::Value *address, *others; ///< of this turn; lanes that are left, as bits
    };
    using Body = std::function<Turn(llvm::Function& f, llvm::Value* left, llvm::Value* lane)>;
    using AddressOf = std::function<llvm::Value*(llvm::Function& f, llvm::Value* lane)>;
    llvm::Function* access(const char* kind, unsigned bits, bool store, llvm::ArrayRef<llvm::Type*> more,
                           const AddressOf& address_of);
    /// A loop over the active lanes.
    llvm::Function* loop(const char* kind, unsigned bits, llvm::ArrayRef<llvm::Type*> more, const Body& body);
    /// Lanes whose elements follow one another, but for gaps where a lane is not active.
    struct Row {
        llvm::Value* lanes;   ///< as bits
        llvm::Value* first;   ///< of them
        llvm::Value* count;   ///< from the first one to the last one
        llvm::Value* address; ///< of the first one
    };
    void move_row(llvm::Function& f, unsigned bits, bool store, const Row& row);
    llvm::Function* declare(const std::string& name, llvm::ArrayRef<llvm::Type*> parameters);
    llvm::Value* address_of_step(llvm::Function& f, llvm::Value* lane);
    llvm::StructType* step_type();

    Unit& unit_;
    llvm::IRBuilder<> b_;
};

} // namespace warplight::jit
