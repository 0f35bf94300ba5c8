// SPDX-License-Identifier: Apache-2.0
#include "device_heap.hpp"

namespace warplight::software {

void DeviceHeap::start(std::uint64_t base, std::uint64_t size) {
    const std::scoped_lock lock(mutex_);
    size_ = size;
    free_[base] = size;
}

std::uint64_t DeviceHeap::allocate(std::uint64_t size) {
    const std::scoped_lock lock(mutex_);
    if (size > size_) return 0;
    const std::uint64_t bytes = size == 0 ? 16 : (size + 15) / 16 * 16;
    for (auto it = free_.begin(); it != free_.end(); ++it) {
        if (it->second < bytes) continue;
        const std::uint64_t address = it->first;
        const std::uint64_t rest = it->second - bytes;
        free_.erase(it);
        if (rest) free_[address + bytes] = rest;
        live_[address] = bytes;
        return address;
    }
    return 0;
}

bool DeviceHeap::release(std::uint64_t address) {
    const std::scoped_lock lock(mutex_);
    const auto found = live_.find(address);
    if (found == live_.end()) return false;
    std::uint64_t start = address;
    std::uint64_t size = found->second;
    live_.erase(found);
    auto next = free_.lower_bound(start);
    if (next != free_.end() && next->first == start + size) {
        size += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == start) {
            start = before->first;
            size += before->second;
            free_.erase(before);
        }
    }
    free_[start] = size;
    return true;
}

} // namespace warplight::software
