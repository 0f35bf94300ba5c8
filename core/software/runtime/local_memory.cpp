// SPDX-License-Identifier: Apache-2.0
#include "local_memory.hpp"

#include "address_space.hpp"
#include "failure.hpp"
#include "files/thread_object.hpp"
#include "platform.hpp"
#include "software/jit/abi/abi.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

namespace warplight::software {
namespace {

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

/// Address ranges in the part of the window that is for local memory. Ranges of one size are used again.
class Region {
public:
    static Region& instance() {
        static auto* region = new Region; // never destroyed: kernels may run until the process ends
        return *region;
    }
    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// Whole pages that nothing may touch yet, with such a page on each side. Null: there is no more.
    std::byte* take(std::uint64_t bytes) {
        const std::scoped_lock lock(mutex_);
        if (auto& known = free_[bytes]; !known.empty()) {
            std::byte* range = known.back();
            known.pop_back();
            return range;
        }
        const std::uint64_t page = platform::page_size();
        if (bytes > bytes_ || used_ + bytes + page > bytes_) return nullptr;
        auto* range = reinterpret_cast<std::byte*>(begin_ + used_ + page);
        used_ += page + bytes;
        return range;
    }
    void give(std::byte* range, std::uint64_t bytes) {
        platform::decommit(range, bytes);
        const std::scoped_lock lock(mutex_);
        free_[bytes].push_back(range);
    }

private:
    Region() {
        for (std::uint64_t bytes = std::uint64_t{1} << 40; bytes >= (std::uint64_t{1} << 26); bytes /= 2) {
            const auto range = AddressSpace::instance().take_range(bytes);
            if (!range) continue;
            begin_ = *range;
            bytes_ = bytes - platform::page_size();
            return;
        }
    }

    std::mutex mutex_;
    std::uint64_t begin_ = 0, bytes_ = 0, used_ = 0;
    std::map<std::uint64_t, std::vector<std::byte*>> free_; ///< by size
};

constexpr std::uint64_t kStackBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kStackStep = std::uint64_t{256} << 10;

constexpr std::uint64_t kChunk = std::uint64_t{256} << 10;
constexpr std::uint64_t kMostOfBlock = std::uint64_t{512} << 20;

/// Small pieces of memory for parameters. A launch takes one and gives it back.
class Slots {
public:
    explicit Slots(std::uint64_t bytes) : bytes_(bytes) {}
    std::byte* take() {
        const std::scoped_lock lock(mutex_);
        if (free_.empty()) grow();
        if (free_.empty()) return nullptr;
        std::byte* slot = free_.back();
        free_.pop_back();
        return slot;
    }
    void give(std::byte* slot) {
        const std::scoped_lock lock(mutex_);
        free_.push_back(slot);
    }

private:
    void grow() {
        constexpr std::uint64_t kSlots = 16;
        std::byte* range = Region::instance().take(kSlots * bytes_);
        if (!range || !platform::commit(range, kSlots * bytes_)) return;
        for (std::uint64_t k = kSlots; k-- > 0;)
            free_.push_back(range + k * bytes_);
    }

    std::mutex mutex_;
    const std::uint64_t bytes_;
    std::vector<std::byte*> free_;
};

Slots& slots(bool large) {
    static auto* small_slots = new Slots(std::uint64_t{4} << 10);
    static auto* large_slots = new Slots(LaunchMemory::kMost);
    return large ? *large_slots : *small_slots;
}

/// A slot that the thread's last launch has left for the next one: a thread runs one launch after the other.
struct SpareSlot {
    SpareSlot() = default;
    ~SpareSlot() {
        if (slot) slots(false).give(slot);
    }
    SpareSlot(const SpareSlot&) = delete;
    SpareSlot& operator=(const SpareSlot&) = delete;
    std::byte* slot = nullptr;
};

} // namespace

std::pair<std::uint64_t, std::uint64_t> local_range() {
    const Region& region = Region::instance();
    return {region.begin(), region.bytes()};
}

// --- functions

LocalStack& LocalStack::current() { return files::thread_object<LocalStack>(); }

LocalStack::~LocalStack() {
    if (end_) Region::instance().give(end_ - kStackBytes, kStackBytes);
}

std::byte* LocalStack::enter(std::uint64_t bytes) {
    if (!end_) {
        std::byte* range = Region::instance().take(kStackBytes);
        if (!range) return nullptr;
        end_ = range + kStackBytes;
    }
    if (bytes > kStackBytes - used_) return nullptr;
    used_ += bytes;
    if (used_ > committed_) {
        const std::uint64_t wanted = std::min(round_up(used_, kStackStep), kStackBytes);
        if (!platform::commit(end_ - wanted, wanted - committed_)) {
            used_ -= bytes;
            return nullptr;
        }
        committed_ = wanted;
    }
    return end_ - used_;
}

// --- coroutines

LocalArena::~LocalArena() {
    for (const Chunk& chunk : chunks_)
        Region::instance().give(chunk.memory, chunk.bytes);
}

std::byte* LocalArena::allocate(std::uint64_t bytes) {
    if (bytes > kMostOfBlock) return nullptr;
    bytes = round_up(std::max<std::uint64_t>(bytes, 1), kLocalAlignment);
    const auto fits = std::find_if(free_.begin(), free_.end(), [&](const Chunk& f) { return f.bytes == bytes; });
    if (fits != free_.end()) {
        std::byte* memory = fits->memory;
        free_.erase(fits);
        return memory;
    }
    while (chunk_ < chunks_.size() && chunks_[chunk_].bytes - used_ < bytes) {
        ++chunk_;
        used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
        const std::uint64_t size = round_up(std::max(kChunk, bytes), platform::page_size());
        if (total_ + size > kMostOfBlock) return nullptr;
        std::byte* memory = Region::instance().take(size);
        if (!memory) return nullptr;
        if (!platform::commit(memory, size)) {
            Region::instance().give(memory, size);
            return nullptr;
        }
        chunks_.push_back({memory, size});
        total_ += size;
        used_ = 0;
    }
    std::byte* memory = chunks_[chunk_].memory + used_;
    used_ += bytes;
    return memory;
}

void LocalArena::release(std::byte* memory, std::uint64_t bytes) {
    free_.push_back({memory, round_up(std::max<std::uint64_t>(bytes, 1), kLocalAlignment)});
}

void LocalArena::reset() {
    chunk_ = 0;
    used_ = 0;
    free_.clear();
    // Memory of a deep recursion is not kept for ever.
    constexpr std::uint64_t keep = std::uint64_t{16} << 20;
    while (total_ > keep && !chunks_.empty()) {
        Region::instance().give(chunks_.back().memory, chunks_.back().bytes);
        total_ -= chunks_.back().bytes;
        chunks_.pop_back();
    }
}

// --- launches

LaunchMemory::LaunchMemory(const std::byte* bytes, std::uint64_t size) : large_(size > (4U << 10)) {
    if (size == 0) return;
    if (!large_) memory_ = std::exchange(files::thread_object<SpareSlot>().slot, nullptr);
    if (!memory_ && size <= kMost) memory_ = slots(large_).take();
    if (!memory_) fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for the parameters of a launch");
    std::memcpy(memory_, bytes, size);
}

LaunchMemory::~LaunchMemory() {
    if (!memory_) return;
    std::byte*& spare = files::thread_object<SpareSlot>().slot;
    if (!large_ && !spare)
        spare = memory_;
    else
        slots(large_).give(memory_);
}

} // namespace warplight::software
