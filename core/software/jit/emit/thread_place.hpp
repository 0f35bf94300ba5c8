// SPDX-License-Identifier: Apache-2.0
// Where the thread is in its block, launch and cluster: fields of the contexts and the special registers made of them.
// A field is read in the entry block, when it is first needed. Of lanes, the contexts know the first one's place.
#pragma once

#include "function_code.hpp"

#include <array>

namespace warplight::jit {

/// Tells LLVM of a loaded pointer that it points to so many bytes, which may be read whenever.
void mark_object(llvm::Value* value, llvm::LLVMContext& context, std::uint64_t size);

class ThreadPlace {
public:
    explicit ThreadPlace(FunctionCode& code);
    /// How many arguments of the LLVM function say where the thread is. They are its first ones.
    [[nodiscard]] static unsigned argument_count(bool coroutine) { return coroutine ? 1 : 5; }

    [[nodiscard]] llvm::Value* block() const { return block_; }   ///< BlockContext*
    [[nodiscard]] llvm::Value* thread() const { return thread_; } ///< ThreadContext*, of coroutines only
    [[nodiscard]] llvm::Value* launch();                          ///< LaunchContext*
    [[nodiscard]] llvm::Value* parameters_base();                 ///< ptr, the kernel's parameters
    [[nodiscard]] llvm::Value* shared_base();                     ///< ptr, the block's window
    /// ptr: what shared addresses in registers count from. In a cluster: the window of its first block.
    [[nodiscard]] llvm::Value* shared_origin();
    [[nodiscard]] llvm::Value* cluster_rank();    ///< i32
    [[nodiscard]] llvm::Value* shadow_distance(); ///< i64, from memory to its shadow
    /// SumCopy of the kernel's sums, by number.
    struct Sum {
        llvm::Value *begin = nullptr, *bytes = nullptr; ///< i64
        llvm::Value* copy = nullptr;                    ///< pointer to the device's memory
    };
    [[nodiscard]] Sum sum(std::uint32_t number);

    // --- numbers in the block, i32. For a single lane they are that lane's, else the first lane's.
    [[nodiscard]] llvm::Value* thread_index(unsigned axis);
    [[nodiscard]] llvm::Value* linear_thread();
    [[nodiscard]] llvm::Value* first_linear_thread(); ///< always the first lane's
    /// From a number of the first lane: that of the thread to name in a fault, the first active lane.
    [[nodiscard]] llvm::Value* first_active(llvm::Value* of_first_lane);

    // --- of a kernel whose code goes on to the next vector by itself (emit/lanes/row_loop)
    [[nodiscard]] llvm::Value* has_next_vector(); ///< i1: of this row of the block
    void go_to_next_vector();
    /// Tells the loop over the block's threads with which vector it goes on: this one, or the next.
    void tell_next_vector(bool is_this);

    /// Where a thread writes that there is a next turn, i32.
    [[nodiscard]] llvm::Value* goes_on() const { return goes_on_; }

    // --- of a kernel that leaves idle rows
    [[nodiscard]] llvm::Value* last_block() const { return last_block_; } ///< i32, of the joined ones
    /// Where threads write that those behind them in their row do nothing, or all of the rows behind. i1.
    [[nodiscard]] llvm::Value* idle_row() const { return idle_row_; }
    [[nodiscard]] llvm::Value* idle_rows() const { return idle_rows_; }

    /// A special register as i32 or i64, for LaneState::width() lanes.
    [[nodiscard]] llvm::Value* special(ptx::SpecialRegister r);

private:
    static constexpr std::uint64_t kMostThreads[3] = {1024, 1024, 64}; ///< of a block, by axis

    [[nodiscard]] llvm::Value* plus_lane(llvm::Value* of_first_lane);
    /// The same number, of which LLVM knows that it is a multiple of the lanes' count, as it is a first lane's: so the
    /// number of a lane in its warp is known.
    [[nodiscard]] llvm::Value* of_whole_vectors(llvm::Value* first);
    [[nodiscard]] llvm::Value* launch_field(std::uint64_t offset, llvm::Type* type, std::uint64_t below,
                                            const char* name);
    [[nodiscard]] llvm::Value* block_field(std::uint64_t offset, std::uint64_t below, const char* name);
    [[nodiscard]] llvm::Value* scalar_special(ptx::SpecialRegister r);
    // Each answers null for a register that is not of its kind.
    [[nodiscard]] llvm::Value* numbered_special(ptx::SpecialRegister r);
    [[nodiscard]] llvm::Value* grid_special(ptx::SpecialRegister r);
    [[nodiscard]] llvm::Value* warp_special(ptx::SpecialRegister r);
    [[nodiscard]] llvm::Value* clock_special(ptx::SpecialRegister r);
    [[nodiscard]] llvm::Value* shared_special(ptx::SpecialRegister r);
    [[nodiscard]] llvm::Value* cluster_special(ptx::SpecialRegister r);

    FunctionCode& code_;
    llvm::IRBuilder<>& b_;
    llvm::Value* block_ = nullptr;
    llvm::Value* thread_ = nullptr;
    llvm::Value* launch_ = nullptr;
    llvm::Value* shared_base_ = nullptr;
    llvm::Value* cluster_base_ = nullptr;
    llvm::Value* cluster_rank_ = nullptr;
    llvm::Value* shadow_distance_ = nullptr;
    llvm::Value* parameters_base_ = nullptr;
    std::array<Sum, software::kMostSums> sums_{};
    std::array<llvm::Value*, 3> tid_{};
    llvm::Value* linear_ = nullptr;
    llvm::AllocaInst *moving_x_ = nullptr, *moving_linear_ = nullptr; ///< in place of them, if code goes on by itself
    llvm::Value* next_x_ = nullptr;                                   ///< where it writes the next vector's x
    llvm::Value* joined_ = nullptr;                                   ///< ctaid.x, if the code does several blocks
    llvm::Value* turn_ = nullptr;                                     ///< of kernels that have turns: its number …
    llvm::Value* goes_on_ = nullptr; ///< … and where a thread writes that there is a next one
    llvm::Value *last_block_ = nullptr, *idle_row_ = nullptr, *idle_rows_ = nullptr;
};

} // namespace warplight::jit
