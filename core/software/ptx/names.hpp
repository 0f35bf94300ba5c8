// SPDX-License-Identifier: Apache-2.0
// A hash map from names that outlive it (pieces of the PTX text) to small values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace warplight::ptx {

[[nodiscard]] inline std::uint64_t hash_name(std::string_view name) {
    std::uint64_t h = 0x9E3779B97F4A7C15ull ^ name.size();
    const char* p = name.data();
    std::size_t left = name.size();
    const auto mix = [&h](std::uint64_t word) {
        h = (h ^ word) * 0xD6E8FEB86659FD93ull;
        h ^= h >> 32;
    };
    for (; left >= 8; p += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, p, 8);
        mix(word);
    }
    std::uint64_t rest = 0;
    if (left) std::memcpy(&rest, p, left);
    mix(rest);
    return h;
}

/// Open addressing. A value once inserted can be changed but not erased.
template <class T>
class NameMap {
public:
    /// The value of a name, or nullptr. Valid until the next insertion.
    [[nodiscard]] T* find(std::string_view name) {
        if (slots_.empty()) return nullptr;
        Slot& slot = slots_[position(name, hash_name(name))];
        return slot.used ? &slot.value : nullptr;
    }
    [[nodiscard]] const T* find(std::string_view name) const { return const_cast<NameMap*>(this)->find(name); }

    /// The value of a name, made by default when it is new.
    T& operator[](std::string_view name) {
        if ((size_ + 1) * 4 > slots_.size() * 3) grow();
        const std::uint64_t hash = hash_name(name);
        Slot& slot = slots_[position(name, hash)];
        if (!slot.used) {
            slot = {name, hash, true, T{}};
            ++size_;
        }
        return slot.value;
    }
    void clear() {
        slots_.clear();
        size_ = 0;
    }

private:
    struct Slot {
        std::string_view name;
        std::uint64_t hash = 0;
        bool used = false;
        T value{};
    };
    [[nodiscard]] std::size_t position(std::string_view name, std::uint64_t hash) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = static_cast<std::size_t>(hash) & mask;
        while (slots_[at].used && !(slots_[at].hash == hash && slots_[at].name == name))
            at = (at + 1) & mask;
        return at;
    }
    void grow() {
        std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
        old.swap(slots_);
        for (Slot& slot : old)
            if (slot.used) slots_[position(slot.name, slot.hash)] = std::move(slot);
    }
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

} // namespace warplight::ptx
