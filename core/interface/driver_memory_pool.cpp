// SPDX-License-Identifier: Apache-2.0
#include "warplight/driver_memory_pool.hpp"

#include "interface/state.hpp"
#include "warplight/device.hpp"
#include "warplight/stream.hpp"

#include <memory>

namespace warplight::driver {

namespace detail {

struct DriverPoolState {
    Driver driver;
    int device = 0;
    CUmemoryPool handle = nullptr;
    bool owned = false;
    std::atomic<bool> live = true;

    DriverPoolState(Driver of, int number, CUmemoryPool pool, bool owner)
        : driver(std::move(of)), device(number), handle(pool), owned(owner) {}
    DriverPoolState(const DriverPoolState&) = delete;
    DriverPoolState& operator=(const DriverPoolState&) = delete;
    ~DriverPoolState() {
        if (!owned || !live.exchange(false)) return;
        try {
            destroy();
        } catch (...) {
            report_unless_broken();
        }
    }
    void destroy() const { WARPLIGHT_CALL(driver.state(), cuMemPoolDestroy, describe(), handle); }
    std::string describe() const { return "memory pool of device " + std::to_string(device); }
    CUmemoryPool alive() const {
        if (!live.load()) throw_logic_error("the memory pool has been destroyed", describe());
        return handle;
    }
    template <class T>
    T get(CUmemPool_attribute attribute) const {
        T value = 0;
        WARPLIGHT_CALL(driver.state(), cuMemPoolGetAttribute, describe(), alive(), attribute, &value);
        return value;
    }
    template <class T>
    void set(CUmemPool_attribute attribute, T value) const {
        WARPLIGHT_CALL(driver.state(), cuMemPoolSetAttribute, describe(), alive(), attribute, &value);
    }
};

struct StreamOrderedState {
    /// What DevicePointer points to. Its own clean-up frees nothing, for it is no longer live then.
    std::shared_ptr<AllocationState> allocation;
    std::shared_ptr<StreamState> stream;   ///< null: the default stream
    std::shared_ptr<DriverPoolState> pool; ///< null: the device's
    bool captured = false;

    StreamOrderedState() = default;
    StreamOrderedState(const StreamOrderedState&) = delete;
    StreamOrderedState& operator=(const StreamOrderedState&) = delete;
    ~StreamOrderedState() {
        if (!allocation || !allocation->live.exchange(false) || captured) return;
        clean_up(
            *allocation->context, "cuMemFreeAsync", [this] { return allocation->describe(); },
            [this] {
                return WARPLIGHT_TRY(*allocation->context->driver, cuMemFreeAsync, allocation->address,
                                     stream ? stream->handle : nullptr);
            });
    }
    void free(CUstream in) const {
        if (!allocation->live.exchange(false))
            throw_logic_error("the device memory has been given back already", allocation->describe());
        if (!allocation->context->valid.load()) return; // nothing is ordered with it any more
        const Scope scope(*allocation->context);
        const DriverState& driver_state = *allocation->context->driver;
        const CUresult code = WARPLIGHT_TRY(driver_state, cuMemFreeAsync, allocation->address, in);
        if (code == CUDA_SUCCESS) return;
        allocation->live = true; // a call that is refused, as in a capture, frees nothing
        throw_failure(driver_state, "cuMemFreeAsync", code, allocation->describe());
    }
};

} // namespace detail

namespace {

using detail::DriverPoolState;
using detail::Scope;

StreamOrderedAllocation allocate_in_order(std::size_t bytes, const Stream* stream,
                                          std::shared_ptr<DriverPoolState> pool) {
    const auto context = detail::context_for(stream);
    if (bytes == 0) throw_logic_error("no bytes are asked for", context->describe()); // drivers give a null address
    const Scope scope(*context);
    const detail::DriverState& driver = *context->driver;
    auto state = std::make_shared<detail::StreamOrderedState>();
    auto allocation = std::make_shared<detail::AllocationState>();
    allocation->context = context;
    allocation->size = bytes;
    allocation->live = false; // until there is memory
    state->allocation = allocation;
    const CUstream handle = detail::handle_of(stream);
    if (stream) state->stream = stream->state().shared_from_this();
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    WARPLIGHT_CALL(driver, cuStreamIsCapturing, context->describe(), handle, &status);
    state->captured = status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
    if (pool)
        WARPLIGHT_CALL(driver, cuMemAllocFromPoolAsync, allocation->describe() + " of a " + pool->describe(),
                       &allocation->address, bytes, pool->alive(), handle);
    else
        WARPLIGHT_CALL(driver, cuMemAllocAsync, allocation->describe(), &allocation->address, bytes, handle);
    state->pool = std::move(pool);
    allocation->live = true;
    return StreamOrderedAllocation(std::move(state));
}

/// CUmemPoolProps as of 12.2; before, what follows the pointer was reserved.
struct PoolProperties {
    int type;
    int handle_types;
    MemoryLocation location;
    void* security;
    std::uint64_t max_size;
    unsigned char reserved[56];
};
static_assert(sizeof(PoolProperties) == sizeof(CUmemPoolProps) && sizeof(MemoryLocation) == sizeof(CUmemLocation));

CUmemoryPool create(const Device& device, std::size_t max_size) {
    PoolProperties properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device.handle()};
    properties.max_size = max_size;
    CUmemoryPool pool = nullptr;
    WARPLIGHT_CALL(device.driver().state(), cuMemPoolCreate, "device " + std::to_string(device.number()), &pool,
                   reinterpret_cast<const CUmemPoolProps*>(&properties));
    return pool;
}

CUmemLocation native(const MemLocation& location) {
    CUmemLocation native{};
    native.type = static_cast<CUmemLocationType>(location.type);
    native.id = location.id;
    return native;
}

} // namespace

void StreamOrderedAllocation::free() {
    if (!state_) throw_logic_error("there is no device memory to give back");
    state_->free(state_->stream ? state_->stream->handle : nullptr);
}

void StreamOrderedAllocation::free(const Stream& stream) {
    if (!state_) throw_logic_error("there is no device memory to give back");
    if (stream.state().context != state_->allocation->context)
        throw_logic_error("the stream belongs to another context than the memory", stream.describe());
    state_->free(stream.handle());
}

device_ptr StreamOrderedAllocation::get_pointer() const { return as_device_pointer().get(); }

DevicePointer StreamOrderedAllocation::as_device_pointer() const {
    if (!state_) throw_logic_error("there is no device memory");
    return {DeviceAllocation(state_->allocation)};
}

std::size_t StreamOrderedAllocation::size() const noexcept {
    return state_ && state_->allocation->live.load() ? state_->allocation->size : 0;
}

StreamOrderedAllocation mem_alloc_async(std::size_t bytes, const Stream* stream) {
    return allocate_in_order(bytes, stream, nullptr);
}

DriverMemoryPool::DriverMemoryPool(const Device& device, std::size_t max_size)
    : state_(std::make_shared<DriverPoolState>(device.driver(), device.handle(), create(device, max_size), true)) {}

DriverMemoryPool DriverMemoryPool::default_of(const Device& device) {
    CUmemoryPool pool = nullptr;
    WARPLIGHT_CALL(device.driver().state(), cuDeviceGetDefaultMemPool, "device " + std::to_string(device.number()),
                   &pool, device.handle());
    return DriverMemoryPool(std::make_shared<DriverPoolState>(device.driver(), device.handle(), pool, false));
}

DriverMemoryPool DriverMemoryPool::current_of(const Device& device) {
    CUmemoryPool pool = nullptr;
    WARPLIGHT_CALL(device.driver().state(), cuDeviceGetMemPool, "device " + std::to_string(device.number()), &pool,
                   device.handle());
    return DriverMemoryPool(std::make_shared<DriverPoolState>(device.driver(), device.handle(), pool, false));
}

void DriverMemoryPool::set_current() const {
    WARPLIGHT_CALL(state_->driver.state(), cuDeviceSetMemPool, describe(), state_->device, state_->alive());
}

StreamOrderedAllocation DriverMemoryPool::allocate(std::size_t bytes, const Stream* stream) const {
    (void)state_->alive();
    return allocate_in_order(bytes, stream, state_);
}

void DriverMemoryPool::trim_to(std::size_t bytes_to_keep) const {
    WARPLIGHT_CALL(state_->driver.state(), cuMemPoolTrimTo, describe(), state_->alive(), bytes_to_keep);
}

std::uint64_t DriverMemoryPool::release_threshold() const {
    return state_->get<std::uint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD);
}
void DriverMemoryPool::set_release_threshold(std::uint64_t bytes) const {
    state_->set<std::uint64_t>(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, bytes);
}
std::uint64_t DriverMemoryPool::reserved() const {
    return state_->get<std::uint64_t>(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
}
std::uint64_t DriverMemoryPool::reserved_high() const {
    return state_->get<std::uint64_t>(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH);
}
std::uint64_t DriverMemoryPool::used() const { return state_->get<std::uint64_t>(CU_MEMPOOL_ATTR_USED_MEM_CURRENT); }
std::uint64_t DriverMemoryPool::used_high() const { return state_->get<std::uint64_t>(CU_MEMPOOL_ATTR_USED_MEM_HIGH); }
void DriverMemoryPool::reset_reserved_high() const { state_->set<std::uint64_t>(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0); }
void DriverMemoryPool::reset_used_high() const { state_->set<std::uint64_t>(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0); }

bool DriverMemoryPool::reuse_follow_event_dependencies() const {
    return state_->get<int>(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES) != 0;
}
void DriverMemoryPool::set_reuse_follow_event_dependencies(bool on) const {
    state_->set<int>(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, on ? 1 : 0);
}
bool DriverMemoryPool::reuse_allow_opportunistic() const {
    return state_->get<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC) != 0;
}
void DriverMemoryPool::set_reuse_allow_opportunistic(bool on) const {
    state_->set<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, on ? 1 : 0);
}
bool DriverMemoryPool::reuse_allow_internal_dependencies() const {
    return state_->get<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES) != 0;
}
void DriverMemoryPool::set_reuse_allow_internal_dependencies(bool on) const {
    state_->set<int>(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, on ? 1 : 0);
}

mem_access_flags DriverMemoryPool::get_access(MemLocation location) const {
    CUmemAccess_flags flags{};
    CUmemLocation where = native(location);
    WARPLIGHT_CALL(state_->driver.state(), cuMemPoolGetAccess, describe() + ", " + to_string(location), &flags,
                   state_->alive(), &where);
    return static_cast<mem_access_flags>(flags);
}

void DriverMemoryPool::set_access(MemLocation location, mem_access_flags access) const {
    CUmemAccessDesc wanted{};
    wanted.location = native(location);
    wanted.flags = static_cast<CUmemAccess_flags>(access);
    WARPLIGHT_CALL(state_->driver.state(), cuMemPoolSetAccess, describe() + ", " + to_string(location), state_->alive(),
                   &wanted, 1);
}

void DriverMemoryPool::destroy() {
    (void)state_->alive();
    if (!state_->owned) throw_logic_error("the memory pool was not made here", describe());
    state_->destroy();
    state_->live = false;
}

CUmemPoolHandle_st* DriverMemoryPool::handle() const noexcept { return state_->live.load() ? state_->handle : nullptr; }
std::string DriverMemoryPool::describe() const { return state_->describe(); }

} // namespace warplight::driver
