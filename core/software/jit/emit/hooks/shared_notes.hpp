// SPDX-License-Identifier: Apache-2.0
// Code that sees of most accesses to shared memory that they race with none since the threads of the block met: it
// notes them, and the runtime need not be told. The rules are those of checks::RecentShared.
#pragma once

#include "quick_path.hpp"

namespace warplight::jit {

class SharedNotes : QuickPath {
public:
    explicit SharedNotes(Emitter& e) : QuickPath(e) {}

    /// @param tell emits code that tells the runtime of the access
    void note(const ptx::Operand& address, ptx::Space space, const software::TracedAccess& what,
              llvm::function_ref<void()> tell);

private:
    struct Access {
        software::TracedAccess what;
        Lanes lanes;
        llvm::Value* address; ///< i32, or a vector of them
        llvm::Value* first;   ///< i32: what a word has of the first lane
    };
    /// What a test of words comes to.
    struct Words {
        llvm::Value* pass; ///< i1 for each
        llvm::Value* after;
    };

    /// Notes it, or goes to `told`.
    void look(Access access, llvm::BasicBlock* told);
    [[nodiscard]] llvm::Value* is_in_range(const Access& access);
    void update_near(const Access& access, llvm::BasicBlock* told);
    void update_each(const Access& access, llvm::BasicBlock* told);
    [[nodiscard]] llvm::Value* lane_in_uniform(const Access& access, llvm::Value*& pass);
    [[nodiscard]] Words step(const software::TracedAccess& what, llvm::Value* before, llvm::Value* now);
    void write_note(const Access& access);
};

} // namespace warplight::jit
