// SPDX-License-Identifier: Apache-2.0
// The epochs of a launch by number: what a cell of shadow memory keeps of an access is such a number.
#pragma once

#include "clock.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace warplight::software::checks {

using EpochId = std::uint32_t; ///< 0: none

class Epochs {
public:
    Epochs() = default;
    ~Epochs() {
        for (auto& chunk : chunks_)
            delete[] chunk.load(std::memory_order_relaxed);
    }
    Epochs(const Epochs&) = delete;
    Epochs& operator=(const Epochs&) = delete;

    static constexpr EpochId kMost = ~EpochId{0} - 1;

    /// From any thread. 0: there are no numbers left.
    [[nodiscard]] EpochId add(const Epoch& epoch) {
        const std::scoped_lock lock(mutex_);
        if (last_ == kMost) return 0;
        const EpochId id = ++last_;
        std::atomic<Epoch*>& chunk = chunks_[chunk_of(id)];
        if (!chunk.load(std::memory_order_relaxed))
            chunk.store(new Epoch[std::size_t{1} << chunk_of(id)], std::memory_order_release);
        chunk.load(std::memory_order_relaxed)[place_of(id)] = epoch;
        return id;
    }
    /// Of one that the caller has got from a cell, and so after it was added.
    [[nodiscard]] const Epoch& operator[](EpochId id) const {
        return chunks_[chunk_of(id)].load(std::memory_order_acquire)[place_of(id)];
    }

private:
    /// Each chunk holds twice as many as the one before, so none ever moves.
    static constexpr std::size_t chunk_of(EpochId id) { return static_cast<std::size_t>(std::bit_width(id) - 1); }
    static constexpr std::size_t place_of(EpochId id) { return id - (EpochId{1} << chunk_of(id)); }

    std::mutex mutex_;
    EpochId last_ = 0;
    std::array<std::atomic<Epoch*>, 32> chunks_{};
};

} // namespace warplight::software::checks
