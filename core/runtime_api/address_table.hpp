// SPDX-License-Identifier: Apache-2.0
// A table of records by address, read without a lock while others add to it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace warplight::runtime_api {

/// Record has `const void* address` and `std::atomic<bool> gone`, and is never freed. Several records may have one
/// address: the first that is not gone is found.
template <class Record>
class AddressTable {
public:
    Record* find(const void* address) const {
        const Slots* slots = slots_.load(std::memory_order_acquire);
        if (!slots || !address) return nullptr;
        for (std::size_t i = hash(address);; ++i) {
            Record* record = slots->entries[i & slots->mask].load(std::memory_order_acquire);
            if (!record) return nullptr;
            if (record->address == address && !record->gone.load(std::memory_order_relaxed)) return record;
        }
    }

    void add(Record* record) {
        const std::scoped_lock lock(mutex_);
        Slots* slots = slots_.load(std::memory_order_relaxed);
        if (!slots || 2 * (count_ + 1) > slots->mask + 1) slots = grow(slots);
        insert(*slots, record);
        ++count_;
    }

private:
    struct Slots {
        explicit Slots(std::size_t size) : mask(size - 1), entries(size) {}
        std::size_t mask;
        std::vector<std::atomic<Record*>> entries;
    };

    static std::size_t hash(const void* address) {
        return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15ULL >> 20);
    }
    static void insert(Slots& slots, Record* record) {
        std::size_t i = hash(record->address);
        while (slots.entries[i & slots.mask].load(std::memory_order_relaxed))
            ++i;
        slots.entries[i & slots.mask].store(record, std::memory_order_release);
    }
    Slots* grow(const Slots* old) {
        // Records that are gone are left behind. The old slots stay, as someone may be reading them.
        auto larger = std::make_unique<Slots>(old ? 2 * (old->mask + 1) : 64);
        count_ = 0;
        if (old)
            for (const auto& entry : old->entries)
                if (Record* record = entry.load(std::memory_order_relaxed); record && !record->gone.load()) {
                    insert(*larger, record);
                    ++count_;
                }
        Slots* const slots = larger.get();
        all_.push_back(std::move(larger));
        slots_.store(slots, std::memory_order_release);
        return slots;
    }

    std::atomic<Slots*> slots_ = nullptr;
    std::mutex mutex_;
    std::size_t count_ = 0;
    std::vector<std::unique_ptr<Slots>> all_;
};

} // namespace warplight::runtime_api
