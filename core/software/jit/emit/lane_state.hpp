// SPDX-License-Identifier: Apache-2.0
// Which lanes the emitted code is for. Every setting holds until the end of a scope:
//     const auto vectors = e.lanes.with_full_width();
//     llvm::Value* values = e.read(operand, type); // a vector
#pragma once

#include <cstdint>
#include <utility>

namespace llvm {
class Value;
}

namespace warplight::jit {

/// Gives a variable another value until the end of the scope, whichever way the scope is left.
template <class T>
class Scoped {
public:
    Scoped(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
    ~Scoped() { variable_ = before_; }
    Scoped(const Scoped&) = delete;
    Scoped& operator=(const Scoped&) = delete;

private:
    T& variable_;
    const T before_;
};

class LaneState {
public:
    explicit LaneState(unsigned full_width) : full_width_(full_width) {}

    /// Lanes of a vector; 1 where threads do not run side by side.
    [[nodiscard]] unsigned full_width() const { return full_width_; }

    /// Lanes of the values that are read and written: all of them, or 1 for a single lane or a value that is the same
    /// in all lanes.
    [[nodiscard]] unsigned width() const { return width_; }
    [[nodiscard]] Scoped<unsigned> with_width(unsigned width) { return {width_, width}; }
    [[nodiscard]] Scoped<unsigned> with_full_width() { return {width_, full_width_}; }

    /// <full_width x i1>: the lanes that execute; null: all.
    [[nodiscard]] llvm::Value* active_mask() const { return active_mask_; }
    [[nodiscard]] Scoped<llvm::Value*> with_active_mask(llvm::Value* mask) { return {active_mask_, mask}; }

    /// The single lane that the code is for; -1: none, or one that only serial_index() knows.
    [[nodiscard]] int lane() const { return lane_; }
    [[nodiscard]] Scoped<int> with_lane(unsigned lane) { return {lane_, static_cast<int>(lane)}; }

    /// In a loop over lanes: the number of the lane that executes, i32. Null elsewhere.
    [[nodiscard]] llvm::Value* serial_index() const { return serial_index_; }
    [[nodiscard]] Scoped<llvm::Value*> with_serial_index(llvm::Value* lane) { return {serial_index_, lane}; }

    /// The inactive lanes still run elsewhere, so they need what their registers hold.
    [[nodiscard]] bool is_divergent() const { return divergent_; }
    [[nodiscard]] Scoped<bool> with_divergent(bool divergent) { return {divergent_, divergent}; }

    /// An instruction under a guard: inactive lanes keep even those registers that are local to the block.
    [[nodiscard]] bool keeps_others() const { return keeps_others_; }
    [[nodiscard]] Scoped<bool> with_others_kept(bool kept) { return {keeps_others_, kept}; }

    /// The code hardly ever runs: it is to be short.
    [[nodiscard]] bool is_seldom() const { return seldom_; }
    [[nodiscard]] Scoped<bool> with_seldom(bool seldom) { return {seldom_, seldom}; }

    /// Bytes from lane to lane at shared addresses of LaneRegisters::evenly_spaced; 0: not known.
    [[nodiscard]] std::int64_t assumed_step() const { return assumed_step_; }
    [[nodiscard]] Scoped<std::int64_t> with_assumed_step(std::int64_t step) { return {assumed_step_, step}; }

    /// Accesses to shared memory may be made by groups of elements (emit/lanes/group_run).
    [[nodiscard]] bool has_groups() const { return groups_; }
    [[nodiscard]] Scoped<bool> with_groups(bool groups) { return {groups_, groups}; }
    /// Where the first lane's group begins in shared memory, i32; null: it is not known yet.
    [[nodiscard]] llvm::Value* group_word() const { return group_word_; }
    [[nodiscard]] Scoped<llvm::Value*> with_group_word(llvm::Value* word) { return {group_word_, word}; }

    /// Registers are read as the last lane has them, whatever lane() is.
    [[nodiscard]] bool reads_last() const { return reads_last_; }
    [[nodiscard]] Scoped<bool> with_last_read() { return {reads_last_, true}; }
    /// The lane whose registers are read; -1: none.
    [[nodiscard]] int read_lane() const { return reads_last_ ? static_cast<int>(full_width_) - 1 : lane_; }

private:
    const unsigned full_width_;
    unsigned width_ = 1;
    llvm::Value* active_mask_ = nullptr;
    int lane_ = -1;
    llvm::Value* serial_index_ = nullptr;
    bool divergent_ = false;
    bool keeps_others_ = false;
    bool seldom_ = false;
    std::int64_t assumed_step_ = 0;
    bool groups_ = false;
    llvm::Value* group_word_ = nullptr;
    bool reads_last_ = false;
};

} // namespace warplight::jit
