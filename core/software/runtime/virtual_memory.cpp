// SPDX-License-Identifier: Apache-2.0
#include "virtual_memory.hpp"

#include "address_space.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "platform.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warplight::software {
namespace {

// Numbers of CUmemLocationType.
constexpr unsigned kMostHandleTypes = 0xF; ///< bits of CUmemAllocationHandleType
constexpr int kDevice = 1, kHost = 2, kHostNuma = 3, kHostNumaCurrent = 4;

bool of_device(const CUmemAllocationProp& properties) { return static_cast<int>(properties.location.type) == kDevice; }

struct Physical {
    PhysicalHandle handle = 0;
    std::uint64_t size = 0;
    CUmemAllocationProp properties{};
    std::intptr_t memory = -1;
    unsigned references = 1; ///< of the handle

    Physical() = default;
    Physical(const Physical&) = delete;
    Physical& operator=(const Physical&) = delete;
    ~Physical() {
        if (memory != -1) platform::close_memory(memory);
        if (of_device(properties)) AddressSpace::instance().return_memory(size, properties.location.id);
    }
};

struct Mapping {
    std::uint64_t size = 0;
    std::shared_ptr<Physical> physical;
    std::map<int, unsigned> access; ///< device → CUmemAccess_flags
};

struct State {
    std::mutex mutex;
    std::map<PhysicalHandle, std::shared_ptr<Physical>> handles;
    std::map<std::uint64_t, Mapping> mappings; ///< by address
    PhysicalHandle last = 0;
};
State& state() {
    static auto* instance = new State;
    return *instance;
}

std::shared_ptr<Physical> physical_of(PhysicalHandle handle) {
    const auto found = state().handles.find(handle);
    if (found == state().handles.end()) fail(CUDA_ERROR_INVALID_VALUE, "no such physical memory");
    return found->second;
}

using Iterator = std::map<std::uint64_t, Mapping>::iterator;

/// The mapping that holds an address; end() where there is none.
Iterator mapping_at(std::uint64_t address) {
    auto& mappings = state().mappings;
    auto after = mappings.upper_bound(address);
    if (after == mappings.begin()) return mappings.end();
    --after;
    return address - after->first < after->second.size ? after : mappings.end();
}

/// The mappings in a range. Throws where it cuts one.
std::vector<Iterator> mappings_in(std::uint64_t address, std::uint64_t size) {
    auto& mappings = state().mappings;
    std::vector<Iterator> found;
    if (const auto first = mapping_at(address); first != mappings.end() && first->first != address)
        fail(CUDA_ERROR_INVALID_VALUE, "the range begins within a mapping");
    for (auto it = mappings.lower_bound(address); it != mappings.end() && it->first < address + size; ++it) {
        if (it->second.size > address + size - it->first)
            fail(CUDA_ERROR_INVALID_VALUE, "the range ends within a mapping");
        found.push_back(it);
    }
    return found;
}

} // namespace

PhysicalHandle create_physical(std::uint64_t size, const CUmemAllocationProp& properties) {
    if (properties.type != CU_MEM_ALLOCATION_TYPE_PINNED) fail(CUDA_ERROR_INVALID_VALUE, "only pinned memory is made");
    switch (static_cast<int>(properties.location.type)) {
    case kDevice: (void)device(properties.location.id); break;
    case kHost:
    case kHostNumaCurrent: break;
    case kHostNuma:
        if (properties.location.id != 0) fail(CUDA_ERROR_INVALID_VALUE, "the host has no such NUMA node");
        break;
    default: fail(CUDA_ERROR_INVALID_VALUE, "no place for memory");
    }
    if (static_cast<unsigned>(properties.requestedHandleTypes) > kMostHandleTypes)
        fail(CUDA_ERROR_INVALID_VALUE, "no type of handle");
    if (properties.requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
        fail(CUDA_ERROR_NOT_SUPPORTED, "memory is not shared with other processes");
    if (size == 0 || size % kMappingGranularity != 0)
        fail(CUDA_ERROR_INVALID_VALUE,
             "the size is no multiple of " + std::to_string(kMappingGranularity) + " bytes, the granularity");
    if (of_device(properties) && !AddressSpace::instance().take_memory(size, properties.location.id))
        fail(CUDA_ERROR_OUT_OF_MEMORY, std::to_string(size) + " bytes of physical memory asked for");
    auto physical = std::make_shared<Physical>(); // gives it back from here on
    physical->size = size;
    physical->properties = properties;
    if (!platform::has_unaddressed_memory())
        fail(CUDA_ERROR_NOT_SUPPORTED, "the system has no memory without an address");
    physical->memory = size <= (std::uint64_t{1} << 46) ? platform::create_memory(size) : -1;
    if (physical->memory == -1)
        fail(CUDA_ERROR_OUT_OF_MEMORY, std::to_string(size) + " bytes of physical memory asked for");
    const std::scoped_lock lock(state().mutex);
    physical->handle = ++state().last;
    state().handles[physical->handle] = physical;
    return physical->handle;
}

void release_physical(PhysicalHandle handle) {
    std::shared_ptr<Physical> last;
    const std::scoped_lock lock(state().mutex);
    last = physical_of(handle);
    if (--last->references == 0) state().handles.erase(handle);
}

CUmemAllocationProp physical_properties(PhysicalHandle handle) {
    const std::scoped_lock lock(state().mutex);
    return physical_of(handle)->properties;
}

PhysicalHandle retain_physical(std::uint64_t address) {
    const std::scoped_lock lock(state().mutex);
    const auto mapping = mapping_at(address);
    if (mapping == state().mappings.end()) fail(CUDA_ERROR_INVALID_VALUE, "nothing is mapped at the address");
    const auto& physical = mapping->second.physical;
    if (state().handles.emplace(physical->handle, physical).second)
        physical->references = 1;
    else
        ++physical->references;
    return physical->handle;
}

void map_physical(std::uint64_t address, std::uint64_t size, std::uint64_t offset, PhysicalHandle handle) {
    const std::scoped_lock lock(state().mutex);
    const auto physical = physical_of(handle);
    if (size == 0) fail(CUDA_ERROR_INVALID_VALUE, "no bytes are to be mapped");
    if (!AddressSpace::instance().reserved(address, kMappingGranularity))
        fail(CUDA_ERROR_INVALID_VALUE, "the address is in no reserved range");
    if (address % kMappingGranularity != 0 || offset != 0 || size != physical->size)
        fail(CUDA_ERROR_NOT_SUPPORTED, "memory is mapped whole, at a multiple of the granularity");
    AddressSpace& space = AddressSpace::instance();
    if (!space.reserved(address, size)) fail(CUDA_ERROR_INVALID_VALUE, "the addresses are in no reserved range");
    if (!space.add_mapping(address, size, of_device(physical->properties) ? physical->properties.location.id : 0))
        fail(CUDA_ERROR_INVALID_VALUE, "something is mapped there");
    if (!platform::map_memory(physical->memory, offset, reinterpret_cast<void*>(address), size)) {
        space.remove_mapping(address);
        fail(CUDA_ERROR_OUT_OF_MEMORY, "the system maps no more memory");
    }
    state().mappings[address] = {size, physical, {}};
}

void unmap_physical(std::uint64_t address, std::uint64_t size) {
    std::vector<std::shared_ptr<Physical>> last;
    const std::scoped_lock lock(state().mutex);
    if (size == 0 || !AddressSpace::instance().reserved(address, size))
        fail(CUDA_ERROR_INVALID_VALUE, "the addresses are in no reserved range");
    for (const auto it : mappings_in(address, size)) {
        platform::decommit(reinterpret_cast<void*>(it->first), it->second.size);
        AddressSpace::instance().remove_mapping(it->first);
        last.push_back(std::move(it->second.physical));
        state().mappings.erase(it);
    }
}

void set_mapping_access(std::uint64_t address, std::uint64_t size, int device, unsigned access) {
    const std::scoped_lock lock(state().mutex);
    const auto mappings = mappings_in(address, size);
    std::uint64_t filled = 0;
    for (const auto it : mappings)
        filled += it->second.size;
    if (size == 0 || filled != size) fail(CUDA_ERROR_INVALID_VALUE, "memory is not mapped in all of the range");
    for (const auto it : mappings) {
        it->second.access[device] = access;
        // All devices are one process, so access of one device is access of all.
        unsigned all = 0;
        for (const auto& [number, flags] : it->second.access)
            all |= flags;
        if (!platform::protect_memory(reinterpret_cast<void*>(it->first), it->second.size, (all & 1) != 0,
                                      (all & 2) != 0))
            fail(CUDA_ERROR_UNKNOWN, "the system refuses the access");
        AddressSpace::instance().set_access(it->first, all);
    }
}

unsigned mapping_access(std::uint64_t address, int device) {
    const std::scoped_lock lock(state().mutex);
    const auto mapping = mapping_at(address);
    if (mapping == state().mappings.end()) fail(CUDA_ERROR_INVALID_VALUE, "nothing is mapped at the address");
    const auto found = mapping->second.access.find(device);
    return found == mapping->second.access.end() ? 0 : found->second;
}

bool any_mapping(std::uint64_t address, std::uint64_t size) {
    const std::scoped_lock lock(state().mutex);
    const auto next = state().mappings.lower_bound(address);
    return mapping_at(address) != state().mappings.end() ||
           (next != state().mappings.end() && next->first < address + size);
}

std::vector<LeftPhysical> left_physical() {
    const std::scoped_lock lock(state().mutex);
    std::map<PhysicalHandle, LeftPhysical> left;
    for (const auto& [handle, physical] : state().handles)
        left[handle] = {handle, physical->size, true};
    for (const auto& [address, mapping] : state().mappings)
        left.try_emplace(mapping.physical->handle, LeftPhysical{mapping.physical->handle, mapping.size, false});
    std::vector<LeftPhysical> all;
    all.reserve(left.size());
    for (const auto& [handle, each] : left)
        all.push_back(each);
    return all;
}

} // namespace warplight::software
