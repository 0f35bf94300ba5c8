// SPDX-License-Identifier: Apache-2.0
// Code that looks by itself at accesses of neighbouring lanes to words of global memory that nobody else has accessed:
// it keeps them in the cells (checks::RaceCells) as the runtime would.
#pragma once

#include "quick_path.hpp"

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
        llvm::Value *writes, *reads; ///< cells of the first lane's first word
        llvm::Value* now;            ///< i64: what a cell has of this access by lane 0
        llvm::Value* first_key;      ///< i64: what it has of the first lane in any access of this epoch
    };
    [[nodiscard]] llvm::Value* first_address(const ptx::Operand& address, ptx::Space space, unsigned bytes,
                                             llvm::BasicBlock* told);
    void find_cells(Access& access, llvm::Value* address, llvm::BasicBlock* told);
    /// Cells are looked at in pieces, of as many words as there are lanes.
    [[nodiscard]] llvm::Value* is_own(const Access& access, unsigned piece);
    void keep(const Access& access, unsigned piece);
    [[nodiscard]] llvm::Value* load(llvm::Value* cells, unsigned piece);
    void store(const Access& access, llvm::Value* value, llvm::Value* cells, unsigned piece);
    [[nodiscard]] llvm::Value* place_of(llvm::Value* cells, unsigned piece);
    [[nodiscard]] llvm::FixedVectorType* type() const;
    /// Of a value of lane 0, those of all words' lanes.
    [[nodiscard]] llvm::Value* of_words(llvm::Value* first, const Access& access, unsigned piece);
    /// Null: all.
    [[nodiscard]] llvm::Value* mask_of(const Access& access, unsigned piece);
};

} // namespace warplight::jit
