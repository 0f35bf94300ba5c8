// SPDX-License-Identifier: Apache-2.0
#include "shared_window.hpp"

#include "address_space.hpp"
#include "files/thread_object.hpp"
#include "platform.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::software {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 20;  ///< more than a block can have
constexpr std::uint64_t kReach = std::uint64_t{1} << 32; ///< of a 32-bit offset, with its sign or without
constexpr std::uint64_t kClusterReach = std::uint64_t{kMostClusterBlocks} << kClusterStrideBits;
constexpr std::size_t kPooled = 256;

constexpr std::uint64_t kWhole = kReach + kMost + kReach;
constexpr std::uint64_t kSlot = kMost + kMost + kClusterReach;

struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<SharedWindow>> windows;
    std::uint64_t whole = 0; ///< windows with a reach of their own that exist
    // Where address space is short: windows that lie in each other's reach. Generated code takes what it finds there
    // for shared memory, so nothing else may be there.
    bool has_slots = false; ///< there are some, or no room for them
    std::vector<std::uint64_t> slots;
};
Pool& pool() {
    static auto* instance = new Pool;
    return *instance;
}

/// Windows that have a reach of their own, before others share one.
std::uint64_t most_whole() {
    const std::uint64_t capacity = AddressSpace::instance().capacity();
    return capacity / kPooled >= kWhole ? UINT64_MAX : capacity / 4 / kWhole;
}

/// With the pool's lock.
std::optional<std::uint64_t> take_slot() {
    Pool& p = pool();
    for (std::uint64_t count = 128; !p.has_slots && count > 0; count /= 4) {
        const auto range = AddressSpace::instance().take_range(kReach + count * kSlot + kReach);
        if (!range) continue;
        p.has_slots = true;
        for (std::uint64_t i = 0; i < count; ++i)
            p.slots.push_back(*range + kReach + i * kSlot);
    }
    p.has_slots = true;
    if (p.slots.empty()) return std::nullopt;
    const std::uint64_t slot = p.slots.back();
    p.slots.pop_back();
    return slot;
}

} // namespace

SharedWindow::SharedWindow() {
    const std::scoped_lock lock(pool().mutex);
    before_ = kReach;
    reserved_ = kWhole;
    auto range =
        pool().whole < most_whole() ? AddressSpace::instance().take_range(reserved_) : std::optional<std::uint64_t>();
    if (range) {
        ++pool().whole;
    } else {
        before_ = kMost;
        reserved_ = kSlot;
        range = take_slot();
        is_slot_ = range.has_value();
    }
    if (!range) { // catches at least the near misses
        reserved_ = kMost + kMost + kMost;
        range = AddressSpace::instance().take_range(reserved_);
    }
    if (range) range_ = reinterpret_cast<std::byte*>(*range);
}

SharedWindow::~SharedWindow() {
    if (!range_) return;
    const auto start = reinterpret_cast<std::uint64_t>(range_);
    if (is_slot_) platform::decommit(range_, reserved_);
    {
        const std::scoped_lock lock(pool().mutex);
        if (is_slot_) pool().slots.push_back(start);
        if (before_ == kReach) --pool().whole;
    }
    if (!is_slot_) AddressSpace::instance().return_range(start, reserved_);
}

std::byte* SharedWindow::fit(std::uint64_t size, std::uint64_t alignment, unsigned rank) {
    const std::uint64_t start = before_ + (std::uint64_t{rank} << kClusterStrideBits);
    if (!range_ || size > kMost || rank >= kMostClusterBlocks || start + 2 * kMost > reserved_) return nullptr;
    std::uint64_t& committed = committed_[rank];
    std::byte* end = range_ + start + kMost;
    const std::uint64_t page = platform::page_size();
    const std::uint64_t bytes = (size + alignment - 1) / alignment * alignment;
    const std::uint64_t pages = (bytes + page - 1) / page * page;
    if (pages > committed) {
        if (!platform::commit(end - pages, pages - committed)) return nullptr;
        committed = pages;
        ranks_ = std::max(ranks_, rank + 1);
    }
    return end - bytes;
}

bool SharedWindow::reaches(std::uint64_t start, std::uint64_t address) {
    return address >= start ? address - start < kReach : start - address < kMost;
}

namespace {
constexpr std::size_t kSpareWindows = 16; ///< as many blocks of a worker take turns

/// The windows that the thread's last launch has left for the next one.
struct SpareWindows {
    SpareWindows() = default;
    ~SpareWindows() {
        for (auto& window : windows)
            give_to_all(std::move(window));
    }
    SpareWindows(const SpareWindows&) = delete;
    SpareWindows& operator=(const SpareWindows&) = delete;
    static void give_to_all(std::unique_ptr<SharedWindow> window) {
        Pool& p = pool();
        const std::scoped_lock lock(p.mutex);
        if (p.windows.size() < kPooled) p.windows.push_back(std::move(window));
    }
    std::vector<std::unique_ptr<SharedWindow>> windows;
};
} // namespace

std::unique_ptr<SharedWindow> WindowPool::take(unsigned ranks) {
    if (auto& spare = files::thread_object<SpareWindows>().windows; !spare.empty()) {
        auto window = std::move(spare.back());
        spare.pop_back();
        return window;
    }
    Pool& p = pool();
    {
        const std::scoped_lock lock(p.mutex);
        for (auto at = p.windows.rbegin(); at != p.windows.rend(); ++at) {
            if ((*at)->ranks() > ranks) continue;
            std::swap(*at, p.windows.back());
            auto window = std::move(p.windows.back());
            p.windows.pop_back();
            return window;
        }
    }
    return std::make_unique<SharedWindow>();
}

void WindowPool::put(std::unique_ptr<SharedWindow> window) {
    // Where windows are few, a thread keeps one.
    auto& spare = files::thread_object<SpareWindows>().windows;
    const std::size_t most = most_whole() == UINT64_MAX ? kSpareWindows : 1;
    if (spare.size() < most && window->ranks() == 1 && !window->is_scarce())
        spare.push_back(std::move(window));
    else
        SpareWindows::give_to_all(std::move(window));
}

} // namespace warplight::software
