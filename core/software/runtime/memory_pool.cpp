// SPDX-License-Identifier: Apache-2.0
#include "memory_pool.hpp"

#include "address_space.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "shadow_memory.hpp"
#include "work_races.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace warplight::software {
namespace {

// Numbers of CUmemPool_attribute.
constexpr int kFollowEvents = 1, kOpportunistic = 2, kInternalDependencies = 3, kThreshold = 4, kReserved = 5,
              kReservedHigh = 6, kUsed = 7, kUsedHigh = 8;
constexpr std::uint64_t kUnit = 512;                      ///< blocks have multiples of this size
constexpr std::uint64_t kChunk = std::uint64_t{32} << 20; ///< reserved bytes are reported in these steps, as on a GPU

struct Pools {
    std::mutex mutex;
    std::map<CUdeviceptr, std::shared_ptr<MemoryPool>> owners; ///< of allocated memory
    std::map<int, std::shared_ptr<MemoryPool>> first, current; ///< by device
    std::vector<std::weak_ptr<MemoryPool>> all;
    std::atomic<bool> any = false; ///< most programs have none
};
Pools& pools() {
    static auto* instance = new Pools;
    return *instance;
}

std::uint64_t rounded(std::uint64_t size, std::uint64_t to) { return (size + to - 1) / to * to; }

void give_back(CUdeviceptr base) { (void)AddressSpace::instance().release(base, Allocation::Kind::device); }

} // namespace

MemoryPool::MemoryPool(int owner, std::uint64_t most) : device(owner), max_size(most) {}

MemoryPool::~MemoryPool() {
    for (const Block& block : held_) {
        block.reached.stream->wait(block.reached.number);
        give_back(block.base);
    }
}

std::uint64_t MemoryPool::size_of(CUdeviceptr base) {
    const std::scoped_lock lock(mutex_);
    const auto found = live_.find(base);
    return found == live_.end() ? 0 : found->second.used;
}

std::vector<std::pair<CUdeviceptr, std::uint64_t>> memory_of_pools() {
    std::map<CUdeviceptr, std::shared_ptr<MemoryPool>> owners;
    {
        const std::scoped_lock lock(pools().mutex);
        owners = pools().owners;
    }
    std::vector<std::pair<CUdeviceptr, std::uint64_t>> left;
    for (const auto& [base, pool] : owners)
        if (const std::uint64_t size = pool->size_of(base)) left.emplace_back(base, size);
    return left;
}

std::uint64_t MemoryPool::reserved() const { return rounded(blocks_, kChunk); }

std::optional<MemoryPool::Block> MemoryPool::reuse(std::uint64_t bytes, Stream& stream) {
    // A block that is a little larger will do.
    const auto fits = [&](const Block& b) { return b.bytes >= bytes && b.bytes - bytes <= bytes / 8; };
    enum Order : std::uint8_t { same_stream, done, after_waiting, never };
    const auto order = [&](const Block& b) {
        if (b.reached.stream.get() == &stream) return same_stream;
        if (b.reached.stream->reached(b.reached.number)) return opportunistic_ ? done : never;
        return internal_dependencies_ ? after_waiting : never;
    };
    auto best = held_.end();
    for (auto it = held_.begin(); it != held_.end(); ++it) {
        if (!fits(*it) || order(*it) == never) continue;
        if (best == held_.end() || std::pair(order(*it), it->bytes) < std::pair(order(*best), best->bytes)) best = it;
    }
    if (best == held_.end()) return std::nullopt;
    Block block = *best;
    held_.erase(best);
    return block;
}

CUdeviceptr MemoryPool::allocate(std::uint64_t size, Stream& stream) {
    if (size == 0) fail(CUDA_ERROR_INVALID_VALUE, "no bytes are asked for");
    const auto too_much = [&] {
        fail(CUDA_ERROR_OUT_OF_MEMORY, std::to_string(size) + " bytes asked for from a memory pool");
    };
    if (size > (std::uint64_t{1} << 46)) too_much();
    const std::uint64_t bytes = rounded(size, kUnit);
    std::optional<Ticket> wait;
    CUdeviceptr base = 0;
    {
        const std::scoped_lock lock(mutex_);
        if (auto block = reuse(bytes, stream)) {
            base = block->base;
            live_[base] = {block->bytes, size};
            if (block->reached.stream.get() != &stream && counts(block->reached)) wait = std::move(block->reached);
        } else {
            const auto take = [&]() -> std::optional<std::uint64_t> {
                if (max_size != 0 && rounded(blocks_ + bytes, kChunk) > rounded(max_size, kChunk)) return std::nullopt;
                return AddressSpace::instance().allocate(bytes, Allocation::Kind::device, device, nullptr);
            };
            auto taken = take();
            if (!taken) {
                trim_held(0, true);
                taken = take();
            }
            if (!taken) too_much();
            base = *taken;
            live_[base] = {bytes, size};
            blocks_ += bytes;
            reserved_high_ = std::max(reserved_high_, reserved());
        }
        used_ += size;
        used_high_ = std::max(used_high_, used_);
    }
    {
        const std::scoped_lock lock(pools().mutex);
        pools().owners[base] = shared_from_this();
    }
    ShadowMemory::instance().set_unwritten(base, size);
    if (WorkRaces::is_on()) WorkRaces::instance().forget(base, bytes);
    if (wait) stream.enqueue([] {}, {std::move(*wait)}, true);
    return base;
}

void MemoryPool::release(CUdeviceptr base, Ticket reached) {
    std::shared_ptr<MemoryPool> last; // this pool may have been destroyed, and end with its last allocation
    {
        const std::scoped_lock lock(pools().mutex);
        const auto found = pools().owners.find(base);
        if (found == pools().owners.end()) return;
        last = std::move(found->second);
        pools().owners.erase(found);
    }
    const std::scoped_lock lock(mutex_);
    const auto found = live_.find(base);
    if (found == live_.end()) return;
    used_ -= found->second.used;
    held_.push_back({base, found->second.bytes, std::move(reached)});
    live_.erase(found);
}

void MemoryPool::trim_held(std::uint64_t keep, bool waits) {
    std::ranges::sort(held_, [](const Block& a, const Block& b) { return a.bytes > b.bytes; });
    std::erase_if(held_, [&](const Block& block) {
        if (reserved() <= keep) return false;
        if (!block.reached.stream->reached(block.reached.number)) {
            if (!waits) return false;
            block.reached.stream->wait(block.reached.number);
        }
        give_back(block.base);
        blocks_ -= block.bytes;
        return true;
    });
}

void MemoryPool::trim(std::uint64_t keep) {
    const std::scoped_lock lock(mutex_);
    trim_held(keep, false);
}

void MemoryPool::trim_to_threshold() {
    const std::scoped_lock lock(mutex_);
    if (reserved() > threshold_) trim_held(threshold_, false);
}

bool MemoryPool::wide(int attribute) {
    if (attribute < kFollowEvents || attribute > kUsedHigh) fail(CUDA_ERROR_INVALID_VALUE, "no such attribute");
    return attribute >= kThreshold;
}

std::uint64_t MemoryPool::attribute(int attribute) {
    const std::scoped_lock lock(mutex_);
    switch (attribute) {
    case kFollowEvents: return follow_events_;
    case kOpportunistic: return opportunistic_;
    case kInternalDependencies: return internal_dependencies_;
    case kThreshold: return threshold_;
    case kReserved: return reserved();
    case kReservedHigh: return reserved_high_;
    case kUsed: return used_;
    case kUsedHigh: return used_high_;
    default: fail(CUDA_ERROR_INVALID_VALUE, "no such attribute");
    }
}

void MemoryPool::set_attribute(int attribute, std::uint64_t value) {
    const std::scoped_lock lock(mutex_);
    const auto reset = [&](std::uint64_t& high, std::uint64_t now) {
        if (value != 0) fail(CUDA_ERROR_INVALID_VALUE, "a high-water mark can only be set to 0");
        high = now;
    };
    switch (attribute) {
    case kFollowEvents: follow_events_ = value != 0; break;
    case kOpportunistic: opportunistic_ = value != 0; break;
    case kInternalDependencies: internal_dependencies_ = value != 0; break;
    case kThreshold: threshold_ = value; break;
    case kReservedHigh: reset(reserved_high_, reserved()); break;
    case kUsedHigh: reset(used_high_, used_); break;
    default: fail(CUDA_ERROR_INVALID_VALUE, "the attribute cannot be set");
    }
}

unsigned MemoryPool::access(int other) {
    const std::scoped_lock lock(mutex_);
    if (other == device) return CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    const auto found = access_.find(other);
    return found == access_.end() ? 0 : found->second;
}

void MemoryPool::set_access(int other, unsigned flags) {
    const std::scoped_lock lock(mutex_);
    if (other == device && flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
        fail(CUDA_ERROR_INVALID_DEVICE, "a pool's own device always has access");
    access_[other] = flags;
}

namespace {
std::shared_ptr<MemoryPool> make_first(int device) {
    auto& first = pools().first[device];
    if (!first) {
        first = std::make_shared<MemoryPool>(device, 0);
        handles<MemoryPool>().add(first);
        pools().all.push_back(first);
        pools().any = true;
    }
    return first;
}
} // namespace

std::shared_ptr<MemoryPool> pool_of(CUdeviceptr base) {
    if (!pools().any) return nullptr;
    const std::scoped_lock lock(pools().mutex);
    const auto found = pools().owners.find(base);
    return found == pools().owners.end() ? nullptr : found->second;
}

std::shared_ptr<MemoryPool> default_pool(const Device& device) {
    const std::scoped_lock lock(pools().mutex);
    return make_first(device.ordinal);
}

std::shared_ptr<MemoryPool> current_pool(const Device& device) {
    const std::scoped_lock lock(pools().mutex);
    const auto found = pools().current.find(device.ordinal);
    return found == pools().current.end() ? make_first(device.ordinal) : found->second;
}

void set_current_pool(const Device& device, std::shared_ptr<MemoryPool> pool) {
    const std::scoped_lock lock(pools().mutex);
    pools().current[device.ordinal] = std::move(pool);
}

std::shared_ptr<MemoryPool> create_pool(int device, std::uint64_t most) {
    auto pool = std::make_shared<MemoryPool>(device, most);
    handles<MemoryPool>().add(pool);
    const std::scoped_lock lock(pools().mutex);
    std::erase_if(pools().all, [](const auto& known) { return known.expired(); });
    pools().all.push_back(pool);
    pools().any = true;
    return pool;
}

void destroy_pool(const std::shared_ptr<MemoryPool>& pool) {
    {
        const std::scoped_lock lock(pools().mutex);
        if (const auto first = pools().first.find(pool->device); first != pools().first.end() && first->second == pool)
            fail(CUDA_ERROR_INVALID_VALUE, "a device's default pool stays");
        if (const auto current = pools().current.find(pool->device);
            current != pools().current.end() && current->second == pool)
            pools().current.erase(current);
    }
    handles<MemoryPool>().remove(pool.get());
}

void trim_pools() {
    if (!pools().any) return;
    std::vector<std::shared_ptr<MemoryPool>> all;
    {
        const std::scoped_lock lock(pools().mutex);
        for (const auto& known : pools().all)
            if (auto pool = known.lock()) all.push_back(std::move(pool));
    }
    for (const auto& pool : all)
        pool->trim_to_threshold();
}

} // namespace warplight::software
