// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "software/jit/front/unit.hpp"

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <functional>

namespace warplight::jit {

/// How addresses grow from the first lane's: lane k's index of 32 bits is the first one's and k `step`, and `factor`
/// times what that adds to the index as one of 64 bits is added to the address, and k `left`.
struct Pattern {
    std::int64_t factor, left;
    std::int32_t step;
    bool widens_signed;
};

/// Functions of the generated code that read or write an element at each lane's address, a lane after the other, for
/// what hosts with narrow vectors have no instruction for, and for what is seldom: each is there once. They answer the
/// bits that the addresses have, i32. What the lanes that take no part have in memory stays.
class OneByOne {
public:
    /// What calls them keeps its vectors where they are.
    static constexpr auto kConvention = llvm::CallingConv::PreserveAll;

    explicit OneByOne(Unit& unit);

    /// (elements in memory, the lanes that take part as bits, the first lane's address and index, a pattern's address).
    /// All of these the code that is passed by needs as well: nothing more is to be kept for what seldom runs.
    llvm::Function* growing(unsigned bits, bool store);
    llvm::Constant* constant(const Pattern& p);
    /// (elements in memory, the lanes that take part as bits, addresses in memory, what is to be added to them)
    llvm::Function* anywhere(unsigned bits, bool store);

private:
    using AddressOf = std::function<llvm::Value*(llvm::Function& f, llvm::Value* lane)>;
    llvm::Function* access(const char* kind, unsigned bits, bool store, llvm::ArrayRef<llvm::Type*> more,
                           const AddressOf& address_of);
    llvm::StructType* pattern_type();

    Unit& unit_;
    llvm::IRBuilder<> b_;
};

} // namespace warplight::jit
