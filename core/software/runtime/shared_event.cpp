// SPDX-License-Identifier: Apache-2.0
#include "shared_event.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

namespace warplight::software {

namespace {
constexpr std::size_t kRecords = 24; ///< of one event that are told apart while they have not been reached
constexpr std::size_t kSlotBytes = 1024;
constexpr std::uint32_t kSlots = 64; ///< of a block, which takes one file
constexpr unsigned kLookMilliseconds = 50;
} // namespace

/// The shared memory of an event. Zeros are a slot that is free.
struct SharedEvent::Slot {
    struct Record {
        std::atomic<std::uint64_t> reached; ///< the highest number of this place that was
        std::atomic<std::uint64_t> process; ///< that recorded the number below
        std::atomic<std::uint64_t> start;
        std::atomic<std::uint64_t> number;
    };
    std::atomic<std::uint64_t> nonce;
    std::atomic<std::uint64_t> recorded;
    std::atomic<std::uint32_t> changes; ///< that sleeping threads wait for
    std::array<Record, kRecords> records;

    Record& record(std::uint64_t number) { return records[number % kRecords]; }
    void tell() {
        changes.fetch_add(1);
        platform::wake_all(changes);
    }
};

struct SharedEvent::Block {
    platform::SharedMemory memory;
    std::byte* base = nullptr;
    std::uint64_t used = 0; ///< bits of slots, in the process that made it

    Block(platform::SharedMemory shared, void* address)
        : memory(std::move(shared)), base(static_cast<std::byte*>(address)) {}
    ~Block() { platform::SharedMemory::unmap(base, memory.name().size); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    [[nodiscard]] static std::shared_ptr<Block> of(platform::SharedMemory memory) {
        void* address = memory ? memory.map() : nullptr;
        return address ? std::make_shared<Block>(std::move(memory), address) : nullptr;
    }
    [[nodiscard]] Slot* slot(std::uint32_t index) const { return reinterpret_cast<Slot*>(base + index * kSlotBytes); }
};

namespace {

static_assert(sizeof(SharedEvent::Slot) <= kSlotBytes && std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(kSlots == 64, "the bits of Block::used");

struct Pool {
    std::mutex mutex;
    std::vector<std::shared_ptr<SharedEvent::Block>> blocks;
};
Pool& pool() {
    static auto* instance = new Pool;
    return *instance;
}

struct Self {
    std::uint64_t process = platform::process_id();
    std::uint64_t start = platform::process_start(process);
};
const Self& self() {
    static const Self instance;
    return instance;
}

std::uint64_t new_nonce() {
    std::random_device random;
    const std::uint64_t value = (std::uint64_t{random()} << 32) | random();
    return value ? value : 1;
}

} // namespace

SharedEvent::SharedEvent(std::shared_ptr<Block> block, Name name, bool owner)
    : block_(std::move(block)), slot_(block_->slot(name.slot)), name_(name), owner_(owner) {}

SharedEvent::~SharedEvent() {
    if (!owner_) return;
    slot_->nonce.store(0);
    slot_->tell(); // threads that wait for it wake up
    const std::scoped_lock lock(pool().mutex);
    block_->used &= ~(std::uint64_t{1} << name_.slot);
}

std::shared_ptr<SharedEvent> SharedEvent::create() {
    const std::scoped_lock lock(pool().mutex);
    std::shared_ptr<Block> block;
    for (const auto& candidate : pool().blocks)
        if (candidate->used != UINT64_MAX) block = candidate;
    if (!block) {
        const std::size_t page = platform::page_size();
        block = Block::of(platform::SharedMemory::create((kSlots * kSlotBytes + page - 1) / page * page));
        if (!block) return nullptr;
        pool().blocks.push_back(block);
    }
    std::uint32_t index = 0;
    while (block->used >> index & 1)
        ++index;
    Name name{block->memory.name(), index, new_nonce()};
    auto event = std::make_shared<SharedEvent>(block, name, true);
    block->used |= std::uint64_t{1} << index;
    Slot& slot = *event->slot_;
    slot.recorded.store(0);
    for (auto& record : slot.records) {
        record.reached.store(0);
        record.number.store(0);
    }
    slot.nonce.store(name.nonce);
    return event;
}

std::shared_ptr<SharedEvent> SharedEvent::open(const Name& name) {
    if (name.slot >= kSlots || name.nonce == 0 || name.memory.size < kSlots * kSlotBytes) return nullptr;
    auto block = Block::of(platform::SharedMemory::open(name.memory));
    if (!block || block->slot(name.slot)->nonce.load() != name.nonce) return nullptr;
    return std::make_shared<SharedEvent>(std::move(block), name, false);
}

SharedEvent::Mark SharedEvent::record() {
    const std::uint64_t number = slot_->recorded.fetch_add(1) + 1;
    Slot::Record& record = slot_->record(number);
    record.process.store(self().process);
    record.start.store(self().start);
    record.number.store(number); // from now on the two above are about it
    return {number, std::shared_ptr<void>(static_cast<void*>(this),
                                          [event = shared_from_this(), number](void*) { event->finish(number); })};
}

void SharedEvent::finish(std::uint64_t number) const {
    auto& reached = slot_->record(number).reached;
    std::uint64_t before = reached.load();
    while (before < number && !reached.compare_exchange_weak(before, number)) {
    }
    slot_->tell();
}

std::uint64_t SharedEvent::last() const { return slot_->nonce.load() == name_.nonce ? slot_->recorded.load() : 0; }

bool SharedEvent::reached(std::uint64_t number) const {
    if (number == 0 || slot_->nonce.load() != name_.nonce) return true;
    const Slot::Record& record = slot_->record(number);
    if (record.reached.load() >= number) return true;
    if (record.number.load() != number) return false;
    const std::uint64_t process = record.process.load(), start = record.start.load();
    // Work that died with its process is not waited for.
    return process != self().process && platform::process_start(process) != start && record.number.load() == number;
}

void SharedEvent::wait(std::uint64_t number) const {
    for (;;) {
        const std::uint32_t seen = slot_->changes.load();
        if (reached(number)) return;
        platform::wait_while(slot_->changes, seen, kLookMilliseconds);
    }
}

} // namespace warplight::software
