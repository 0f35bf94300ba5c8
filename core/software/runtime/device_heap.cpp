// SPDX-License-Identifier: Apache-2.0
#include "device_heap.hpp"

namespace warplight::software {

void DeviceHeap::add(std::uint64_t base, std::uint64_t size) {
    const std::scoped_lock lock(mutex_);
    size_ += size;
    free_[base] = size;
}

DeviceHeap::State DeviceHeap::state() {
    const std::scoped_lock lock(mutex_);
    return {size_, free_, live_};
}

void DeviceHeap::set_state(const State& state) {
    const std::scoped_lock lock(mutex_);
    size_ = state.size;
    free_ = state.free;
    live_ = state.live;
    spare_ = {};
}

std::uint64_t DeviceHeap::allocate(std::uint64_t size) {
    const std::scoped_lock lock(mutex_);
    if (size > size_) return 0;
    const std::uint64_t bytes = size == 0 ? 16 : (size + 15) / 16 * 16;
    for (auto it = free_.begin(); it != free_.end(); ++it) {
        if (it->second < bytes) continue;
        const std::uint64_t address = it->first;
        keep_live(address, bytes);
        const auto next = std::next(it);
        auto node = free_.extract(it);
        if (node.mapped() > bytes) {
            node.key() += bytes;
            node.mapped() -= bytes;
            free_.insert(next, std::move(node));
        }
        return address;
    }
    return 0;
}

void DeviceHeap::keep_live(std::uint64_t address, std::uint64_t bytes) {
    if (spare_.empty()) {
        live_[address] = bytes;
        return;
    }
    spare_.key() = address;
    spare_.mapped() = bytes;
    live_.insert(std::move(spare_));
}

bool DeviceHeap::release(std::uint64_t address) {
    const std::scoped_lock lock(mutex_);
    auto released = live_.extract(address);
    if (!released) return false;
    const std::uint64_t size = released.mapped();
    spare_ = std::move(released);
    const auto next = free_.lower_bound(address);
    const bool joins_next = next != free_.end() && next->first == address + size;
    if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == address) {
            before->second += size;
            if (joins_next) {
                before->second += next->second;
                free_.erase(next);
            }
            return true;
        }
    }
    if (!joins_next) {
        free_.emplace_hint(next, address, size);
        return true;
    }
    const auto behind = std::next(next);
    auto node = free_.extract(next);
    node.key() = address;
    node.mapped() += size;
    free_.insert(behind, std::move(node));
    return true;
}

} // namespace warplight::software
