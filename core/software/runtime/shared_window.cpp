// SPDX-License-Identifier: Apache-2.0
#include "shared_window.hpp"

#include "address_space.hpp"
#include "platform.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace warplight::software {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 20;  ///< more than a block can have
constexpr std::uint64_t kReach = std::uint64_t{1} << 32; ///< of a 32-bit offset, with its sign or without
constexpr std::uint64_t kClusterReach = std::uint64_t{kMostClusterBlocks} << kClusterStrideBits;
constexpr std::size_t kPooled = 256;

struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<SharedWindow>> windows;
    std::uint64_t whole = 0;                       ///< windows with the whole reach that exist
    std::map<std::uint64_t, std::uint64_t> narrow; ///< those without it: start → end of the range
};
Pool& pool() {
    static auto* instance = new Pool;
    return *instance;
}

constexpr std::uint64_t kWhole = kReach + kMost + kReach;

/// Where address space is short, few windows have the whole reach, so that there is room for memory and for the windows
/// of other blocks. Those catch at least the near misses.
std::uint64_t most_whole() {
    const std::uint64_t capacity = AddressSpace::instance().capacity();
    return capacity / kPooled >= kWhole ? UINT64_MAX : capacity / 4 / kWhole;
}

} // namespace

SharedWindow::SharedWindow() {
    const std::scoped_lock lock(pool().mutex);
    for (const std::uint64_t reach : {kReach, kClusterReach, kMost}) {
        if (reach == kReach && pool().whole >= most_whole()) continue;
        before_ = reach == kReach ? kReach : kMost;
        reserved_ = before_ + kMost + reach;
        const auto range = AddressSpace::instance().take_range(reserved_);
        if (!range) continue;
        range_ = reinterpret_cast<std::byte*>(*range);
        if (reach == kReach)
            ++pool().whole;
        else
            pool().narrow[*range] = *range + reserved_;
        return;
    }
}

SharedWindow::~SharedWindow() {
    if (!range_) return;
    const auto start = reinterpret_cast<std::uint64_t>(range_);
    {
        const std::scoped_lock lock(pool().mutex);
        if (pool().narrow.erase(start) == 0) --pool().whole;
    }
    AddressSpace::instance().return_range(start, reserved_);
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
    if (address < start) return start - address < kMost;
    const std::scoped_lock lock(pool().mutex);
    const auto next = pool().narrow.upper_bound(start);
    const bool is_narrow = next != pool().narrow.begin() && start < std::prev(next)->second;
    return is_narrow ? address < std::prev(next)->second : address - start < kReach;
}

std::unique_ptr<SharedWindow> WindowPool::take(unsigned ranks) {
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
    Pool& p = pool();
    const std::scoped_lock lock(p.mutex);
    if (p.windows.size() < kPooled) p.windows.push_back(std::move(window));
}

} // namespace warplight::software
