// SPDX-License-Identifier: Apache-2.0
#include "warplight/memory_pool.hpp"

#include "interface/state.hpp"

#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <memory>

namespace warplight::driver {

unsigned bitlog2(std::uint64_t n) noexcept { return n ? static_cast<unsigned>(std::bit_width(n)) - 1 : 0; }

namespace detail {

namespace {

// A bin is the place of a size's highest bit and the four bits behind it.
constexpr unsigned kMantissaBits = 4;
constexpr unsigned kMantissaMask = (1U << kMantissaBits) - 1;

std::uint64_t shifted_left(std::uint64_t value, int places) { return places >= 0 ? value << places : value >> -places; }

} // namespace

/// The bins of a pool. The kinds of memory differ in how a block is taken and given back.
class BlockPool {
public:
    using Address = std::uint64_t;
    explicit BlockPool(ContextPointer owner) : context(std::move(owner)) {}
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;
    virtual ~BlockPool() = default;

    const ContextPointer context;

    /// A block of the bin of `size`.
    Address take(std::size_t size) {
        const unsigned bin = MemoryPool::bin_number(size);
        const std::size_t bytes = MemoryPool::alloc_size(bin);
        const std::scoped_lock lock(mutex_);
        Address block = 0;
        if (const auto held = bins_.find(bin); held != bins_.end()) {
            if (!context->valid.load()) throw_logic_error("the context of the memory pool has ended", describe());
            block = held->second.back();
            held->second.pop_back();
            if (held->second.empty()) bins_.erase(held);
            --held_;
        } else {
            block = take_new(bytes);
            managed_ += bytes;
        }
        ++active_;
        active_bytes_ += size;
        return block;
    }
    /// Puts a block back. Throws what the driver answers where blocks are not held.
    void put(Address block, std::size_t size) {
        const unsigned bin = MemoryPool::bin_number(size);
        const std::scoped_lock lock(mutex_);
        --active_;
        active_bytes_ -= size;
        if (holding_) {
            bins_[bin].push_back(block);
            ++held_;
            return;
        }
        managed_ -= MemoryPool::alloc_size(bin);
        free_block(block, MemoryPool::alloc_size(bin));
    }
    /// The same for destructors.
    void put_quietly(Address block, std::size_t size) noexcept {
        try {
            put(block, size);
        } catch (...) {
            report_unless_broken();
        }
    }
    void free_held() {
        const std::scoped_lock lock(mutex_);
        while (free_largest())
            ;
    }
    void stop_holding() {
        {
            const std::scoped_lock lock(mutex_);
            holding_ = false;
        }
        free_held();
    }
    struct Counts {
        std::size_t held, active, managed, active_bytes;
    };
    Counts counts() const {
        const std::scoped_lock lock(mutex_);
        return {held_, active_, managed_, active_bytes_};
    }

protected:
    /// What the driver answers; OUT_OF_MEMORY makes room.
    virtual CUresult allocate_block(std::size_t bytes, Address& block) = 0;
    virtual CUresult release_block(Address block) = 0;
    virtual const char* allocate_routine() const = 0;
    virtual const char* release_routine() const = 0;
    virtual std::string describe() const = 0;

    /// For the destructors of the kinds: gives back what is held; failures are reported.
    void release_held() noexcept {
        for (const auto& bin : bins_)
            for (const Address block : bin.second)
                clean_up(
                    *context, release_routine(), [this] { return "a held block of a " + describe(); },
                    [this, block = block] { return release_block(block); });
        bins_.clear();
    }

private:
    Address take_new(std::size_t bytes) {
        Address block = 0;
        for (;;) {
            CUresult code = CUDA_SUCCESS;
            {
                const Scope scope(*context);
                code = allocate_block(bytes, block);
            }
            if (code == CUDA_SUCCESS) return block;
            if (code == CUDA_ERROR_OUT_OF_MEMORY && free_largest()) continue;
            throw_failure(*context->driver, allocate_routine(), code,
                          "block of " + std::to_string(bytes) + " bytes of a " + describe(),
                          code == CUDA_ERROR_OUT_OF_MEMORY
                              ? std::to_string(active_) + " blocks of the pool are in use, none is held"
                              : std::string());
        }
    }
    /// False when none is held.
    bool free_largest() {
        if (bins_.empty()) return false;
        const auto largest = std::prev(bins_.end());
        const Address block = largest->second.back();
        const std::size_t bytes = MemoryPool::alloc_size(largest->first);
        largest->second.pop_back();
        if (largest->second.empty()) bins_.erase(largest);
        --held_;
        managed_ -= bytes;
        free_block(block, bytes);
        return true;
    }
    void free_block(Address block, std::size_t bytes) {
        if (!context->valid.load()) return; // freed with its context
        const Scope scope(*context);
        if (const CUresult code = release_block(block); code != CUDA_SUCCESS)
            throw_failure(*context->driver, release_routine(), code,
                          "block of " + std::to_string(bytes) + " bytes of a " + describe());
    }

    mutable std::mutex mutex_;
    std::map<unsigned, std::vector<Address>> bins_; ///< held blocks; no bin is empty
    std::size_t held_ = 0, active_ = 0, managed_ = 0, active_bytes_ = 0;
    bool holding_ = true;
};

namespace {

class DeviceBlocks final : public BlockPool {
public:
    using BlockPool::BlockPool;
    ~DeviceBlocks() override { release_held(); }

protected:
    CUresult allocate_block(std::size_t bytes, Address& block) override {
        device_ptr address = 0;
        const CUresult code = WARPLIGHT_TRY(*context->driver, cuMemAlloc, &address, bytes);
        block = address;
        return code;
    }
    CUresult release_block(Address block) override { return WARPLIGHT_TRY(*context->driver, cuMemFree, block); }
    const char* allocate_routine() const override { return "cuMemAlloc"; }
    const char* release_routine() const override { return "cuMemFree"; }
    std::string describe() const override { return "pool of device memory of " + context->describe(); }
};

class HostBlocks final : public BlockPool {
public:
    HostBlocks(ContextPointer owner, unsigned flags) : BlockPool(std::move(owner)), flags_(flags) {}
    ~HostBlocks() override { release_held(); }

protected:
    CUresult allocate_block(std::size_t bytes, Address& block) override {
        void* memory = nullptr;
        const CUresult code = WARPLIGHT_TRY(*context->driver, cuMemHostAlloc, &memory, bytes, flags_);
        block = reinterpret_cast<std::uintptr_t>(memory);
        return code;
    }
    CUresult release_block(Address block) override {
        return WARPLIGHT_TRY(*context->driver, cuMemFreeHost, reinterpret_cast<void*>(block));
    }
    const char* allocate_routine() const override { return "cuMemHostAlloc"; }
    const char* release_routine() const override { return "cuMemFreeHost"; }
    std::string describe() const override { return "pool of page-locked memory of " + context->describe(); }

private:
    unsigned flags_;
};

class PooledHost final : public PooledHostAllocation {
public:
    PooledHost(std::shared_ptr<BlockPool> pool, std::size_t bytes)
        : pool_(std::move(pool)), size_(bytes), block_(pool_->take(bytes)) {}
    ~PooledHost() override {
        if (live_.exchange(false)) pool_->put_quietly(block_, size_);
    }
    void free() override {
        if (!live_.exchange(false)) throw_logic_error("the pooled host memory has been given back already", describe());
        pool_->put(block_, size_);
    }
    std::size_t size() const noexcept override { return size_; }
    void* data() const noexcept override { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(block_)); }
    device_ptr get_device_pointer() const override {
        if (!live_.load()) throw_logic_error("the pooled host memory has been given back", describe());
        const Scope scope(*pool_->context);
        device_ptr address = 0;
        WARPLIGHT_CALL(*pool_->context->driver, cuMemHostGetDevicePointer, describe(), &address, data(), 0);
        return address;
    }

private:
    std::string describe() const {
        return "pooled page-locked memory of " + std::to_string(size_) + " bytes in " + pool_->context->describe();
    }
    std::shared_ptr<BlockPool> pool_;
    std::size_t size_;
    BlockPool::Address block_;
    std::atomic<bool> live_ = true;
};

} // namespace

struct PooledState {
    std::shared_ptr<BlockPool> pool;
    /// What DevicePointer points to: so copies past the end of what was asked for are found. Its own clean-up frees
    /// nothing, for it is no longer live then.
    std::shared_ptr<AllocationState> allocation;
    ~PooledState() {
        if (allocation && allocation->live.exchange(false)) pool->put_quietly(allocation->address, allocation->size);
    }
};

} // namespace detail

std::size_t MemoryPool::held_blocks() const { return pool_->counts().held; }
std::size_t MemoryPool::active_blocks() const { return pool_->counts().active; }
std::size_t MemoryPool::managed_bytes() const { return pool_->counts().managed; }
std::size_t MemoryPool::active_bytes() const { return pool_->counts().active_bytes; }
void MemoryPool::free_held() { pool_->free_held(); }
void MemoryPool::stop_holding() { pool_->stop_holding(); }

unsigned MemoryPool::bin_number(std::size_t size) noexcept {
    const unsigned exponent = bitlog2(size);
    const auto places = static_cast<int>(detail::kMantissaBits) - static_cast<int>(exponent);
    return exponent << detail::kMantissaBits |
           static_cast<unsigned>(detail::shifted_left(size, places) & detail::kMantissaMask);
}

std::size_t MemoryPool::alloc_size(unsigned bin) {
    const unsigned exponent = bin >> detail::kMantissaBits, mantissa = bin & detail::kMantissaMask;
    if (exponent >= std::numeric_limits<std::size_t>::digits)
        throw_logic_error("a memory pool has no bin " + std::to_string(bin));
    const auto places = static_cast<int>(exponent) - static_cast<int>(detail::kMantissaBits);
    const std::uint64_t head = detail::shifted_left(1U << detail::kMantissaBits | mantissa, places);
    // Everything below the bits that the bin fixes.
    const std::uint64_t rest = detail::shifted_left(1, places);
    return static_cast<std::size_t>(head | (rest ? rest - 1 : 0));
}

DeviceMemoryPool::DeviceMemoryPool() : MemoryPool(std::make_shared<detail::DeviceBlocks>(detail::current_context())) {}

PooledDeviceAllocation DeviceMemoryPool::allocate(std::size_t size) {
    auto state = std::make_shared<detail::PooledState>();
    auto allocation = std::make_shared<detail::AllocationState>();
    allocation->context = pool_->context;
    allocation->size = size;
    allocation->live = false; // until there is memory
    state->pool = pool_;
    state->allocation = allocation;
    allocation->address = pool_->take(size);
    allocation->live = true;
    return PooledDeviceAllocation(std::move(state));
}

void PooledDeviceAllocation::free() {
    if (!state_) throw_logic_error("there is no pooled device memory to free");
    if (!state_->allocation->live.exchange(false))
        throw_logic_error("the pooled device memory has been given back already", state_->allocation->describe());
    state_->pool->put(state_->allocation->address, state_->allocation->size);
}

device_ptr PooledDeviceAllocation::get() const noexcept {
    return state_ && state_->allocation->live.load() ? state_->allocation->address : 0;
}
std::size_t PooledDeviceAllocation::size() const noexcept {
    return state_ && state_->allocation->live.load() ? state_->allocation->size : 0;
}
PooledDeviceAllocation::operator DevicePointer() const {
    if (!state_) throw_logic_error("there is no pooled device memory");
    return DevicePointer(DeviceAllocation(state_->allocation));
}

PageLockedMemoryPool::PageLockedMemoryPool(const PageLockedAllocator& allocator)
    : MemoryPool(std::make_shared<detail::HostBlocks>(detail::current_context(), allocator.flags())) {}

NdArray PageLockedMemoryPool::allocate(Shape shape, DType dtype, Order order) {
    const std::size_t bytes = count_elements(shape, dtype.itemsize()) * dtype.itemsize();
    auto memory = std::make_shared<detail::PooledHost>(pool_, bytes);
    void* data = memory->data();
    return NdArray::wrap(data, std::move(shape), std::move(dtype), order, std::move(memory));
}

} // namespace warplight::driver
