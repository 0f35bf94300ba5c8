// SPDX-License-Identifier: Apache-2.0
// Code that looks by itself at accesses of neighbouring lanes to words of global memory that nobody else has accessed:
// it keeps them in the cells (checks::RaceCells) as the runtime would.
#pragma once

#include "quick_path.hpp"

#include <cstddef>

namespace warplight::jit {

class OwnCells : QuickPath {
public:
    explicit OwnCells(Emitter& e) : QuickPath(e) {}

    /// @param tell emits code that tells the runtime of the access
    void keep(const ptx::Operand& address, ptx::Space space, const software::TracedAccess& what,
              llvm::function_ref<void()> tell);

private:
    struct Access {
        software::TracedAccess what;
        llvm::Value* memory;         ///< TracedMemory*
        llvm::Value *writes, *reads; ///< cells of the first lane's first word
        llvm::Value* epoch;          ///< i32
        llvm::Value* lane;           ///< i32: the first lane's
    };
    [[nodiscard]] llvm::Value* first_address(const ptx::Operand& address, ptx::Space space, unsigned bytes,
                                             llvm::BasicBlock* told);
    void find_cells(Access& access, llvm::Value* address, llvm::BasicBlock* told);
    /// i1: whether cells keep nothing, or one access of this epoch in which each lane came to its own words.
    [[nodiscard]] llvm::Value* are_own(const Access& access, llvm::Value* cells);
    /// i32: of the record of this access.
    [[nodiscard]] llvm::Value* number(const Access& access, llvm::BasicBlock* told);
    [[nodiscard]] llvm::Value* place_in_records(const Access& access, std::size_t field);
    [[nodiscard]] llvm::Value* place_of_record(const Access& access, llvm::Value* number);
    [[nodiscard]] llvm::Value* record_at(const Access& access, llvm::Value* number);
    // Cells are looked at in pieces, of as many words as there are lanes.
    [[nodiscard]] unsigned pieces(const Access& access) const { return access.what.bytes / 4; }
    void keep(const Access& access, llvm::Value* number, unsigned piece);
    [[nodiscard]] llvm::Value* load(llvm::Value* cells, unsigned piece);
    void store(const Access& access, llvm::Value* value, llvm::Value* cells, unsigned piece);
    [[nodiscard]] llvm::Value* place_of(llvm::Value* cells, unsigned piece);
    [[nodiscard]] llvm::FixedVectorType* type() const;
    /// The lanes of all words.
    [[nodiscard]] llvm::Value* lanes(const Access& access, unsigned piece);
    /// Null: all.
    [[nodiscard]] llvm::Value* mask_of(const Access& access, unsigned piece);
};

} // namespace warplight::jit
