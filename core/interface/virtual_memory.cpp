// SPDX-License-Identifier: Apache-2.0
#include "warplight/virtual_memory.hpp"

#include "interface/state.hpp"

#include <map>
#include <memory>

namespace warplight::driver {

namespace detail {

/// Neither is a context's: both outlive the one that they were made in.
struct PhysicalMemoryState {
    std::shared_ptr<const DriverState> driver;
    CUmemGenericAllocationHandle handle = 0;
    std::size_t size = 0;
    std::atomic<bool> live = false;

    PhysicalMemoryState() = default;
    PhysicalMemoryState(const PhysicalMemoryState&) = delete;
    PhysicalMemoryState& operator=(const PhysicalMemoryState&) = delete;
    ~PhysicalMemoryState() {
        if (!live.exchange(false)) return;
        try {
            release();
        } catch (...) {
            report_unless_broken();
        }
    }
    void release() const { WARPLIGHT_CALL(*driver, cuMemRelease, describe(), handle); }
    std::string describe() const {
        return size ? "physical memory of " + std::to_string(size) + " bytes" : "physical memory";
    }
    CUmemGenericAllocationHandle alive() const {
        if (!live.load()) throw_logic_error("the physical memory has been given back", describe());
        return handle;
    }
};

struct VirtualRangeState {
    std::shared_ptr<const DriverState> driver;
    device_ptr base = 0;
    std::size_t size = 0;
    std::atomic<bool> live = false;
    std::mutex mutex;
    std::map<std::size_t, std::size_t> mapped; ///< offset → bytes

    VirtualRangeState() = default;
    VirtualRangeState(const VirtualRangeState&) = delete;
    VirtualRangeState& operator=(const VirtualRangeState&) = delete;
    ~VirtualRangeState() {
        if (!live.exchange(false)) return;
        try {
            free();
        } catch (...) {
            report_unless_broken();
        }
    }
    void free() {
        const std::scoped_lock lock(mutex);
        while (!mapped.empty()) {
            const auto [offset, bytes] = *mapped.begin();
            mapped.erase(mapped.begin());
            WARPLIGHT_CALL(*driver, cuMemUnmap, describe(), base + offset, bytes);
        }
        WARPLIGHT_CALL(*driver, cuMemAddressFree, describe(), base, size);
    }
    std::string describe() const { return "address range of " + std::to_string(size) + " bytes"; }
    std::string describe(std::size_t offset, std::size_t bytes) const {
        return std::to_string(bytes) + " bytes at offset " + std::to_string(offset) + " of an " + describe();
    }
    void check(std::size_t offset, std::size_t bytes) const {
        if (!live.load()) throw_logic_error("the address range has been given back", describe());
        if (offset > size || bytes > size - offset)
            throw_logic_error("the bytes are not all in the range", describe(offset, bytes));
    }
};

} // namespace detail

namespace {

CUmemLocation native(const MemLocation& location) {
    CUmemLocation native{};
    native.type = static_cast<CUmemLocationType>(location.type);
    native.id = location.id;
    return native;
}

CUmemAllocationProp properties_of(const MemLocation& location) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = native(location);
    return properties;
}

std::shared_ptr<detail::VirtualRangeState> alive(const std::shared_ptr<detail::VirtualRangeState>& state) {
    if (!state) throw_logic_error("there is no address range");
    return state;
}

const detail::PhysicalMemoryState& alive(const std::shared_ptr<detail::PhysicalMemoryState>& state) {
    if (!state) throw_logic_error("there is no physical memory");
    (void)state->alive();
    return *state;
}

CUmemAllocationProp ask_properties(const detail::PhysicalMemoryState& memory) {
    CUmemAllocationProp properties{};
    WARPLIGHT_CALL(*memory.driver, cuMemGetAllocationPropertiesFromHandle, memory.describe(), &properties,
                   memory.handle);
    return properties;
}

} // namespace

std::size_t mem_get_allocation_granularity(MemLocation location, mem_allocation_granularity option) {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    const CUmemAllocationProp properties = properties_of(location);
    std::size_t granularity = 0;
    WARPLIGHT_CALL(*context->driver, cuMemGetAllocationGranularity, "physical memory of " + to_string(location),
                   &granularity, &properties, static_cast<CUmemAllocationGranularity_flags>(option));
    return granularity;
}

PhysicalMemory::PhysicalMemory(std::size_t bytes, MemLocation location)
    : state_(std::make_shared<detail::PhysicalMemoryState>()) {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    state_->driver = context->driver;
    state_->size = bytes;
    const CUmemAllocationProp properties = properties_of(location);
    WARPLIGHT_CALL(*context->driver, cuMemCreate, state_->describe() + " of " + to_string(location), &state_->handle,
                   bytes, &properties, 0);
    state_->live = true;
}

PhysicalMemory PhysicalMemory::of(DevicePointer address) {
    const auto context = detail::context_for(nullptr, &address);
    const detail::Scope scope(*context);
    auto state = std::make_shared<detail::PhysicalMemoryState>();
    state->driver = context->driver;
    WARPLIGHT_CALL(*context->driver, cuMemRetainAllocationHandle, state->describe(), &state->handle,
                   reinterpret_cast<void*>(static_cast<std::uintptr_t>(address.get())));
    state->live = true;
    return PhysicalMemory(std::move(state));
}

void PhysicalMemory::release() {
    if (!state_) throw_logic_error("there is no physical memory");
    if (!state_->live.exchange(false))
        throw_logic_error("the physical memory has been given back already", state_->describe());
    state_->release();
}

std::size_t PhysicalMemory::size() const noexcept { return state_ && state_->live.load() ? state_->size : 0; }
unsigned long long PhysicalMemory::handle() const noexcept {
    return state_ && state_->live.load() ? state_->handle : 0;
}

MemLocation PhysicalMemory::location() const {
    const CUmemAllocationProp properties = ask_properties(alive(state_));
    return {static_cast<mem_location_type>(properties.location.type), properties.location.id};
}

mem_allocation_type PhysicalMemory::type() const {
    return static_cast<mem_allocation_type>(ask_properties(alive(state_)).type);
}

VirtualAddressRange::VirtualAddressRange(std::size_t bytes, std::size_t alignment, device_ptr wish)
    : state_(std::make_shared<detail::VirtualRangeState>()) {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    state_->driver = context->driver;
    state_->size = bytes;
    WARPLIGHT_CALL(*context->driver, cuMemAddressReserve, state_->describe(), &state_->base, bytes, alignment, wish, 0);
    state_->live = true;
}

void VirtualAddressRange::map(std::size_t offset, const PhysicalMemory& memory) {
    if (memory.handle() && !memory.size())
        throw_logic_error("the size of the physical memory is not known", {}, "Say how many bytes to map");
    map(offset, memory.size(), memory, 0);
}

void VirtualAddressRange::map(std::size_t offset, std::size_t bytes, const PhysicalMemory& memory,
                              std::size_t memory_offset) {
    if (!memory.handle()) throw_logic_error("the physical memory has been given back");
    const auto& state = alive(state_);
    const std::scoped_lock lock(state->mutex);
    state->check(offset, bytes);
    WARPLIGHT_CALL(*state->driver, cuMemMap, state->describe(offset, bytes), state->base + offset, bytes, memory_offset,
                   memory.handle(), 0);
    state->mapped[offset] = bytes;
}

void VirtualAddressRange::unmap(std::size_t offset, std::size_t bytes) {
    const auto& state = alive(state_);
    const std::scoped_lock lock(state->mutex);
    state->check(offset, bytes);
    WARPLIGHT_CALL(*state->driver, cuMemUnmap, state->describe(offset, bytes), state->base + offset, bytes);
    state->mapped.erase(state->mapped.lower_bound(offset), state->mapped.lower_bound(offset + bytes));
}

void VirtualAddressRange::set_access(std::size_t offset, std::size_t bytes, MemLocation location,
                                     mem_access_flags access) {
    const auto& state = alive(state_);
    state->check(offset, bytes);
    CUmemAccessDesc wanted{};
    wanted.location = native(location);
    wanted.flags = static_cast<CUmemAccess_flags>(access);
    WARPLIGHT_CALL(*state->driver, cuMemSetAccess, state->describe(offset, bytes), state->base + offset, bytes, &wanted,
                   1);
}

mem_access_flags VirtualAddressRange::get_access(std::size_t offset, MemLocation location) const {
    const auto& state = alive(state_);
    state->check(offset, 1);
    const CUmemLocation where = native(location);
    unsigned long long flags = 0;
    WARPLIGHT_CALL(*state->driver, cuMemGetAccess, state->describe(offset, 1), &flags, &where, state->base + offset);
    return static_cast<mem_access_flags>(flags);
}

void VirtualAddressRange::free() {
    const auto& state = alive(state_);
    if (!state->live.exchange(false))
        throw_logic_error("the address range has been given back already", state->describe());
    state->free();
}

device_ptr VirtualAddressRange::get_pointer() const {
    const auto& state = alive(state_);
    state->check(0, 0);
    return state->base;
}

std::size_t VirtualAddressRange::size() const noexcept { return state_ && state_->live.load() ? state_->size : 0; }

} // namespace warplight::driver
