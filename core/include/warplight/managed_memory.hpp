// SPDX-License-Identifier: Apache-2.0
// Where managed memory should lie, and what the driver knows about addresses.
//
// Ranges are those of managed memory (managed_empty(), ManagedAllocation), in bytes; the driver widens them to its
// pages. On a system where devices reach all memory of the host, that may be meant too.
#pragma once

#include "warplight/memory.hpp"
#include "warplight/memory_location.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warplight::driver {

class Stream;

/// Tells the driver how a range will be used. The location says where it should lie (SET_PREFERRED_LOCATION) or who
/// will access it (SET_ACCESSED_BY, UNSET_ACCESSED_BY); the others make no use of it.
/// @throws LogicError for memory that is not managed, no bytes, and locations that there are not. A driver before 12.2
/// knows devices and the host only.
void mem_range_advise(DevicePointer start, std::size_t bytes, mem_advise advice, MemLocation location);
/// The same, of the current context's device.
void mem_range_advise(DevicePointer start, std::size_t bytes, mem_advise advice);

/// Brings a range to a device or to the host, in the stream's order. @throws as mem_range_advise().
void mem_prefetch_async(DevicePointer start, std::size_t bytes, MemLocation to, const Stream* stream = nullptr);

/// One number about a range, as the driver gives it: 0 or 1 for READ_MOSTLY; a device's number, -1 for the host or -2
/// for none or several for PREFERRED_LOCATION and LAST_PREFETCH_LOCATION; the values of mem_location_type and the ids
/// for the attributes that end so (CUDA 12.2). @throws LogicError for ACCESSED_BY, which is a list.
int mem_range_get_attribute(DevicePointer start, std::size_t bytes, mem_range_attribute attribute);
/// Several at once.
std::vector<int> mem_range_get_attributes(DevicePointer start, std::size_t bytes,
                                          std::span<const mem_range_attribute> attributes);
/// Numbers of the devices (-1: the host) that all of the range was advised to be accessed by.
std::vector<int> mem_range_get_accessed_by(DevicePointer start, std::size_t bytes);
/// Where all of the range is advised to lie, was prefetched to last: INVALID when that is not one place. CUDA 12.2.
MemLocation mem_range_get_preferred_location(DevicePointer start, std::size_t bytes);
MemLocation mem_range_get_last_prefetch_location(DevicePointer start, std::size_t bytes);

/// What is known about an address of any kind of memory: a number, an address or a handle, as the attribute says.
/// @throws LogicError for addresses that the driver does not know, and where the attribute makes no sense for them.
std::int64_t pointer_get_attribute(DevicePointer pointer, pointer_attribute attribute);
/// Several at once. What does not apply is 0. Of addresses that the driver does not know all is 0, but for
/// DEVICE_ORDINAL (-2) and HOST_POINTER (the address).
std::vector<std::int64_t> pointer_get_attributes(DevicePointer pointer, std::span<const pointer_attribute> attributes);
/// Whether copies from and to the allocation that the address lies in are always waited for.
void pointer_set_sync_memops(DevicePointer pointer, bool on);

} // namespace warplight::driver
