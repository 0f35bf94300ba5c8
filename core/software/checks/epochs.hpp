// SPDX-License-Identifier: Apache-2.0
// The epochs of a launch by number: what a cell of shadow memory keeps of an access is such a number.
#pragma once

#include "clock.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace warplight::software::checks {

using EpochId = std::uint32_t; ///< 0: none

class Epochs {
public:
    static constexpr EpochId kMost = ~EpochId{0} - 1;

    /// From any thread. 0: there are no numbers left.
    [[nodiscard]] EpochId add(const Epoch& epoch) {
        const std::scoped_lock lock(mutex_);
        if (short_.size() == kMost) return 0;
        return short_.add(is_short(epoch) ? packed(epoch) : kIsLong | long_.add(epoch));
    }
    /// Of one that the caller has got from a cell, and so after it was added.
    [[nodiscard]] Epoch operator[](EpochId id) const {
        const std::uint64_t word = short_[id];
        if (word & kIsLong) return long_[static_cast<EpochId>(word)];
        constexpr std::uint64_t most = kEnd - 1;
        return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32 & (kEndOfWarps - 1)),
                static_cast<std::uint32_t>(word >> 39 & most), static_cast<std::uint32_t>(word >> 51 & most)};
    }
    [[nodiscard]] std::uint64_t used_bytes() const {
        return short_.size() * sizeof(std::uint64_t) + long_.size() * sizeof(Epoch);
    }

private:
    // Most epochs are short: the block (32 bits), the warp (7), the number (12) and the phase (12) in a word. The
    // others have the number of a long one there.
    static constexpr std::uint32_t kEndOfWarps = 1 << 7, kEnd = 1 << 12;
    static constexpr std::uint64_t kIsLong = std::uint64_t{1} << 63;
    [[nodiscard]] static bool is_short(const Epoch& epoch) {
        return epoch.warp < kEndOfWarps && epoch.number < kEnd && epoch.phase < kEnd;
    }
    [[nodiscard]] static std::uint64_t packed(const Epoch& epoch) {
        return std::uint64_t{epoch.phase} << 51 | std::uint64_t{epoch.number} << 39 | std::uint64_t{epoch.warp} << 32 |
               epoch.block;
    }

    /// Numbered from 1. None ever moves: each chunk holds twice as many as the one before. The system gives memory for
    /// it as it is touched.
    template <class T>
    class Chunks {
    public:
        Chunks() = default;
        ~Chunks() {
            for (auto& chunk : chunks_)
                std::free(chunk.load(std::memory_order_relaxed));
        }
        Chunks(const Chunks&) = delete;
        Chunks& operator=(const Chunks&) = delete;

        EpochId add(const T& value) {
            const EpochId id = last_ + 1;
            T* chunk = chunks_[chunk_of(id)].load(std::memory_order_relaxed);
            if (!chunk) {
                chunk = static_cast<T*>(std::malloc(sizeof(T) << chunk_of(id)));
                if (!chunk) throw std::bad_alloc();
                chunks_[chunk_of(id)].store(chunk, std::memory_order_release);
            }
            new (chunk + place_of(id)) T(value);
            return last_ = id;
        }
        [[nodiscard]] const T& operator[](EpochId id) const {
            return chunks_[chunk_of(id)].load(std::memory_order_acquire)[place_of(id)];
        }
        [[nodiscard]] EpochId size() const { return last_; }

    private:
        static constexpr std::size_t chunk_of(EpochId id) { return static_cast<std::size_t>(std::bit_width(id) - 1); }
        static constexpr std::size_t place_of(EpochId id) { return id - (EpochId{1} << chunk_of(id)); }

        EpochId last_ = 0;
        std::array<std::atomic<T*>, 32> chunks_{};
    };

    std::mutex mutex_;
    Chunks<std::uint64_t> short_;
    Chunks<Epoch> long_;
};

} // namespace warplight::software::checks
