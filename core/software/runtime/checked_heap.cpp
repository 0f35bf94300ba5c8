// SPDX-License-Identifier: Apache-2.0
#include "checked_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warplight::software {
namespace {

/// The entry whose key is an address or lies before it.
template <class Map>
auto last_at(const Map& map, std::uint64_t address) {
    auto next = map.upper_bound(address);
    return next == map.begin() ? map.end() : std::prev(next);
}

} // namespace

findings::Event HeapCall::event() const {
    findings::Event event = place ? *place : findings::Event();
    event.block = block;
    event.thread = thread;
    return event;
}

std::string HeapCall::text() const {
    if (!place) return "in a kernel that was not checked";
    return "at " + findings::to_text(place->place, {}, place->ptx_line) + " in " + findings::who(event());
}

std::uint64_t CheckedHeap::allocate(std::uint64_t size, HeapCall call, bool tells_leak) {
    const std::uint64_t limit = limit_();
    const std::scoped_lock lock(mutex_);
    started_.store(true, std::memory_order_relaxed);
    if (size > limit || live_bytes_ + whole(size) > limit) return 0;
    const std::uint64_t bytes = kGap + whole(size) + kGap;
    std::uint64_t address = memory_.allocate(bytes);
    if (!address) {
        const std::uint64_t more = std::max(limit, bytes);
        const auto base = more_(more);
        if (base) {
            memory_.add(*base, more);
            ranges_[*base] = more;
        } else {
            while (!freed_.empty())
                forget_oldest();
        }
        address = memory_.allocate(bytes);
        if (!address) return 0;
    }
    address += kGap;
    blocks_[address] = {address, size, std::move(call), std::nullopt, tells_leak};
    live_bytes_ += whole(size);
    return address;
}

bool CheckedHeap::release(std::uint64_t address, HeapCall call) {
    const std::uint64_t limit = limit_();
    const std::scoped_lock lock(mutex_);
    const auto found = blocks_.find(address);
    if (found == blocks_.end() || found->second.freed) return false;
    found->second.freed = std::move(call);
    live_bytes_ -= whole(found->second.size);
    freed_bytes_ += whole(found->second.size);
    freed_.push_back(address);
    while (freed_bytes_ > limit)
        forget_oldest();
    return true;
}

void CheckedHeap::forget_oldest() {
    const auto oldest = blocks_.find(freed_.front());
    freed_.pop_front();
    freed_bytes_ -= whole(oldest->second.size);
    (void)memory_.release(oldest->first - kGap);
    blocks_.erase(oldest);
}

bool CheckedHeap::covers(std::uint64_t address) const {
    const std::scoped_lock lock(mutex_);
    const auto range = last_at(ranges_, address);
    return range != ranges_.end() && address - range->first < range->second;
}

std::optional<HeapBlock> CheckedHeap::find(std::uint64_t address) const {
    const std::scoped_lock lock(mutex_);
    const auto range = last_at(ranges_, address);
    if (range == ranges_.end()) return std::nullopt;
    const auto last = last_at(blocks_, address);
    const auto next = blocks_.upper_bound(address);
    const bool is_behind = last != blocks_.end() && last->first >= range->first;
    const bool is_before = next != blocks_.end() && next->first - address <= kGap;
    // What lies between two belongs to the nearer one.
    if (is_before && !(is_behind && address < last->first + whole(last->second.size) + kGap)) return next->second;
    return is_behind ? std::optional(last->second) : std::nullopt;
}

void CheckedHeap::tell_leaks() {
    const std::scoped_lock lock(mutex_);
    for (auto& [begin, block] : blocks_) {
        if (block.freed || !block.tells_leak || !block.allocated.place) continue;
        block.tells_leak = false;
        findings::Finding f;
        static_cast<findings::Event&>(f) = block.allocated.event();
        const checks::Spot spot{f.kernel, findings::to_text(f.place, f.inlined_at, f.ptx_line), "leak"};
        checks::Collector::instance().add(spot, block.allocated.moment, [&] {
            f.kind = findings::name_of(findings::Check::leak);
            f.access = "malloc";
            f.size = block.size;
            f.address = begin;
            f.message = fmt::format("the {} byte{} that malloc() gave here were never given back. Each block needs a "
                                    "free() with its address, in this kernel or in a later one: the heap of kernels "
                                    "has {} bytes (cudaLimitMallocHeapSize), and when it is full malloc() gives null.",
                                    block.size, block.size == 1 ? "" : "s", limit_());
            return f;
        });
    }
}

} // namespace warplight::software
