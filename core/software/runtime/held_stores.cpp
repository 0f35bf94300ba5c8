// SPDX-License-Identifier: Apache-2.0
#include "held_stores.hpp"

#include "launch_memory.hpp"
#include "software/jit/abi/abi.hpp"
#include "software/jit/jit.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warplight::software {
namespace {

constexpr int kFewColumns = 4;          ///< of 16: to hold so few costs more than to store them
constexpr std::uint32_t kPatience = 64; ///< vectors that may turn out so, or as none that are worth it

/// Whether there may be that many: each row of threads has one.
bool fills_columns(const LaunchRequest& request) {
    std::uint64_t rows = std::uint64_t{request.block[1]} * request.block[2];
    for (const unsigned extent : request.grid)
        rows *= extent;
    return rows >= kFewColumns;
}

} // namespace

std::optional<HeldRange> held_memory(const jit::CompiledKernel& kernel, const LaunchRequest& request) {
    const auto offset = kernel.held_pointer();
    if (!offset || !fills_columns(request)) return std::nullopt;
    const auto memory = AddressSpace::instance().find(word_at(request.parameters, *offset));
    if (!memory || memory->kind != Allocation::Kind::device || memory->flags & Allocation::imported)
        return std::nullopt;
    if (!is_only_pointer(request.parameters, *offset, *memory)) return std::nullopt;
    return HeldRange{memory->base, memory->base + memory->size};
}

bool HeldStores::is_in_memory(std::uint64_t first, std::uint64_t last) const {
    const auto [low, high] = std::minmax(first, last);
    return low >= memory_.begin && high <= memory_.end - kElement && low <= high;
}

bool HeldStores::hold(const std::uint64_t* addresses, const std::uint32_t* values, std::uint32_t lanes) {
    const bool taken = !gave_up() && take(addresses, values, lanes);
    ++(taken ? taken_ : refused_);
    return taken;
}

bool HeldStores::gave_up() const { return sparse_ > kPatience + full_ || refused_ > kPatience + taken_; }

bool HeldStores::take(const std::uint64_t* addresses, const std::uint32_t* values, std::uint32_t lanes) {
    if (lanes < 2 || lanes > kMostLanes) return false;
    const std::uint64_t first = addresses[0], stride = addresses[1] - first;
    if (stride == 0 || stride % kLine != 0 || first % kElement != 0) return false;
    std::uint64_t others = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
        others |= addresses[lane] ^ (first + lane * stride);
    if (others != 0 || !is_in_memory(first, addresses[lanes - 1])) return false;
    Lines& lines = lines_of(first / kLine * kLine, stride, lanes);
    const auto column = static_cast<std::uint32_t>(first % kLine / kElement);
    std::memcpy(lines.columns[column], values, lanes * sizeof *values);
    lines.written |= 1U << column;
    if (lines.written == (1U << kColumns) - 1) make_room(lines);
    return true;
}

HeldStores::Lines& HeldStores::lines_of(std::uint64_t first, std::uint64_t stride, std::uint32_t lanes) {
    if (!held_) held_ = std::make_unique_for_overwrite<std::array<Lines, kVectors>>();
    // The vectors of a block come in the same order as those of the block before.
    for (std::size_t k = 0; k < kVectors; ++k) {
        Lines& lines = (*held_)[(next_ + k) % kVectors];
        if (lines.first != first || lines.stride != stride || lines.lanes != lanes) continue;
        next_ = (next_ + k + 1) % kVectors;
        return lines;
    }
    const auto free = std::ranges::find(*held_, std::uint64_t{0}, &Lines::first);
    Lines& lines = free != held_->end() ? *free : (*held_)[next_];
    make_room(lines);
    next_ = (static_cast<std::size_t>(&lines - held_->data()) + 1) % kVectors;
    lines.first = first;
    lines.stride = stride;
    lines.lanes = lanes;
    return lines;
}

void HeldStores::make_room(Lines& lines) {
    if (!lines.first) return;
    ++(std::popcount(lines.written) < kFewColumns ? sparse_ : full_);
    make(lines);
}

void HeldStores::make(Lines& lines) {
    for (std::uint32_t lane = 0; lane < lines.lanes; ++lane) {
        auto* line = reinterpret_cast<std::uint32_t*>(lines.first + lane * lines.stride);
        for (std::uint32_t column = 0; column < kColumns; ++column)
            if (lines.written >> column & 1) line[column] = lines.columns[column][lane];
    }
    lines.first = 0;
    lines.written = 0;
}

void HeldStores::make_all() {
    if (!held_) return;
    for (Lines& lines : *held_)
        if (lines.first) make(lines);
}

std::uint32_t wl_rt_hold_store(BlockContext* block, const std::uint64_t* addresses, const std::uint32_t* values,
                               std::uint32_t lanes) {
    return static_cast<HeldStores*>(block->held_stores)->hold(addresses, values, lanes) ? 1 : 0;
}

} // namespace warplight::software
