// SPDX-License-Identifier: Apache-2.0
#include "warplight/managed_memory.hpp"

#include "interface/state.hpp"
#include "warplight/device.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace warplight::driver {

namespace {

using detail::ContextPointer;
using detail::Scope;

constexpr int kInvalidDevice = -2;

std::string range(std::size_t bytes, const ContextPointer& context) {
    return "range of " + std::to_string(bytes) + " bytes in " + context->describe();
}

/// Drivers do not find ends past the last address.
void check_end(DevicePointer start, std::size_t bytes, const ContextPointer& context) {
    if (bytes > std::numeric_limits<device_ptr>::max() - start.get())
        throw_logic_error("the range ends past all memory", range(bytes, context));
}

MemoryLocation native(const MemLocation& location) { return {static_cast<int>(location.type), location.id}; }

/// For the forms of calls before 12.2. @throws LogicError for what they have no name for.
CUdevice old_location(const MemLocation& location, const std::string& entity) {
    if (location.type == mem_location_type::DEVICE) return location.id;
    if (location.type == mem_location_type::HOST) return CU_DEVICE_CPU;
    throw_logic_error(to_string(location) + " is no place for memory to this driver", entity,
                      "NUMA nodes take a driver from 12.2 up");
}

/// Large enough for every attribute, and filled with zeros: most are of four bytes.
struct AttributeValue {
    alignas(16) std::byte bytes[64] = {};
    std::int64_t value(pointer_attribute attribute) const {
        if (attribute == pointer_attribute::DEVICE_ORDINAL) {
            int number = 0;
            std::memcpy(&number, bytes, sizeof number);
            return number;
        }
        std::int64_t number = 0;
        std::memcpy(&number, bytes, sizeof number);
        return number;
    }
};

MemLocation location_of(DevicePointer start, std::size_t bytes, mem_range_attribute type, mem_range_attribute id) {
    const mem_range_attribute both[] = {type, id};
    const std::vector<int> values = mem_range_get_attributes(start, bytes, both);
    MemLocation location{static_cast<mem_location_type>(values[0]), 0};
    if (location.type == mem_location_type::DEVICE || location.type == mem_location_type::HOST_NUMA)
        location.id = values[1];
    return location;
}

} // namespace

MemLocation MemLocation::device(const Device& device) { return MemLocation::device(device.number()); }

std::string to_string(const MemLocation& location) {
    switch (location.type) {
    case mem_location_type::DEVICE: return "device " + std::to_string(location.id);
    case mem_location_type::HOST: return "the host";
    case mem_location_type::HOST_NUMA: return "NUMA node " + std::to_string(location.id) + " of the host";
    case mem_location_type::HOST_NUMA_CURRENT: return "the thread's NUMA node of the host";
    default: return "no location";
    }
}

void mem_range_advise(DevicePointer start, std::size_t bytes, mem_advise advice, MemLocation location) {
    const auto context = detail::context_for(nullptr, &start);
    const Scope scope(*context);
    const auto& functions = context->driver->functions;
    check_end(start, bytes, context);
    const auto entity = [&] { return to_string(advice) + " for a " + range(bytes, context); };
    const auto number = static_cast<CUmem_advise>(advice);
    if (functions.fn_cuMemAdvise_v2)
        WARPLIGHT_CALL(*context->driver, cuMemAdvise_v2, entity(), start.get(), bytes, number, native(location));
    else
        WARPLIGHT_CALL(*context->driver, cuMemAdvise, entity(), start.get(), bytes, number,
                       old_location(location, entity()));
}

void mem_range_advise(DevicePointer start, std::size_t bytes, mem_advise advice) {
    const auto context = detail::context_for(nullptr, &start);
    mem_range_advise(start, bytes, advice, MemLocation::device(context->device));
}

void mem_prefetch_async(DevicePointer start, std::size_t bytes, MemLocation to, const Stream* stream) {
    const auto context = detail::context_for(stream, &start);
    const Scope scope(*context);
    const auto& functions = context->driver->functions;
    check_end(start, bytes, context);
    const auto entity = [&] { return "prefetching to " + to_string(to) + " of a " + range(bytes, context); };
    if (functions.fn_cuMemPrefetchAsync_v2)
        WARPLIGHT_CALL(*context->driver, cuMemPrefetchAsync_v2, entity(), start.get(), bytes, native(to), 0,
                       detail::handle_of(stream));
    else
        WARPLIGHT_CALL(*context->driver, cuMemPrefetchAsync, entity(), start.get(), bytes, old_location(to, entity()),
                       detail::handle_of(stream));
}

int mem_range_get_attribute(DevicePointer start, std::size_t bytes, mem_range_attribute attribute) {
    if (attribute == mem_range_attribute::ACCESSED_BY)
        throw_logic_error("ACCESSED_BY is a list", {}, "Call mem_range_get_accessed_by()");
    const auto context = detail::context_for(nullptr, &start);
    check_end(start, bytes, context);
    const Scope scope(*context);
    int value = 0;
    WARPLIGHT_CALL(*context->driver, cuMemRangeGetAttribute, to_string(attribute) + " of a " + range(bytes, context),
                   &value, sizeof value, static_cast<CUmem_range_attribute>(attribute), start.get(), bytes);
    return value;
}

std::vector<int> mem_range_get_attributes(DevicePointer start, std::size_t bytes,
                                          std::span<const mem_range_attribute> attributes) {
    const auto context = detail::context_for(nullptr, &start);
    check_end(start, bytes, context);
    const Scope scope(*context);
    std::vector<int> values(attributes.size());
    if (attributes.empty()) return values;
    std::vector<void*> data;
    std::vector<CUmem_range_attribute> numbers;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        if (attributes[i] == mem_range_attribute::ACCESSED_BY)
            throw_logic_error("ACCESSED_BY is a list", {}, "Call mem_range_get_accessed_by()");
        data.push_back(&values[i]);
        numbers.push_back(static_cast<CUmem_range_attribute>(attributes[i]));
    }
    std::vector<std::size_t> sizes(attributes.size(), sizeof(int));
    WARPLIGHT_CALL(*context->driver, cuMemRangeGetAttributes, "attributes of a " + range(bytes, context), data.data(),
                   sizes.data(), numbers.data(), numbers.size(), start.get(), bytes);
    return values;
}

std::vector<int> mem_range_get_accessed_by(DevicePointer start, std::size_t bytes) {
    const auto context = detail::context_for(nullptr, &start);
    check_end(start, bytes, context);
    const Scope scope(*context);
    int devices = 0;
    WARPLIGHT_CALL(*context->driver, cuDeviceGetCount, context->describe(), &devices);
    std::vector<int> numbers(static_cast<std::size_t>(devices) + 1, kInvalidDevice); // all of them, and the host
    WARPLIGHT_CALL(*context->driver, cuMemRangeGetAttribute, "ACCESSED_BY of a " + range(bytes, context),
                   numbers.data(), numbers.size() * sizeof(int), CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, start.get(),
                   bytes);
    std::erase(numbers, kInvalidDevice);
    return numbers;
}

MemLocation mem_range_get_preferred_location(DevicePointer start, std::size_t bytes) {
    return location_of(start, bytes, mem_range_attribute::PREFERRED_LOCATION_TYPE,
                       mem_range_attribute::PREFERRED_LOCATION_ID);
}

MemLocation mem_range_get_last_prefetch_location(DevicePointer start, std::size_t bytes) {
    return location_of(start, bytes, mem_range_attribute::LAST_PREFETCH_LOCATION_TYPE,
                       mem_range_attribute::LAST_PREFETCH_LOCATION_ID);
}

std::int64_t pointer_get_attribute(DevicePointer pointer, pointer_attribute attribute) {
    const auto context = detail::context_for(nullptr, &pointer);
    const Scope scope(*context);
    AttributeValue value;
    WARPLIGHT_CALL(*context->driver, cuPointerGetAttribute, to_string(attribute) + " in " + context->describe(),
                   value.bytes, static_cast<CUpointer_attribute>(attribute), pointer.get());
    return value.value(attribute);
}

std::vector<std::int64_t> pointer_get_attributes(DevicePointer pointer, std::span<const pointer_attribute> attributes) {
    const auto context = detail::context_for(nullptr, &pointer);
    const Scope scope(*context);
    std::vector<std::int64_t> values;
    if (attributes.empty()) return values;
    std::vector<AttributeValue> found(attributes.size());
    std::vector<void*> data;
    std::vector<CUpointer_attribute> numbers;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        data.push_back(found[i].bytes);
        numbers.push_back(static_cast<CUpointer_attribute>(attributes[i]));
    }
    WARPLIGHT_CALL(*context->driver, cuPointerGetAttributes, "attributes of an address in " + context->describe(),
                   static_cast<unsigned>(numbers.size()), numbers.data(), data.data(), pointer.get());
    for (std::size_t i = 0; i < attributes.size(); ++i)
        values.push_back(found[i].value(attributes[i]));
    return values;
}

void pointer_set_sync_memops(DevicePointer pointer, bool on) {
    const auto context = detail::context_for(nullptr, &pointer);
    const Scope scope(*context);
    const unsigned value = on ? 1 : 0;
    WARPLIGHT_CALL(*context->driver, cuPointerSetAttribute, "SYNC_MEMOPS in " + context->describe(), &value,
                   CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer.get());
}

} // namespace warplight::driver
