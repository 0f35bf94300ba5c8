// SPDX-License-Identifier: Apache-2.0
// Where memory is, or is to be.
#pragma once

#include "warplight/enums_memory.hpp"

#include <string>

namespace warplight::driver {

class Device;

/// A device, the host, or a NUMA node of the host.
struct MemLocation {
    mem_location_type type = mem_location_type::INVALID;
    int id = 0; ///< number of the device or of the NUMA node; else unused

    static MemLocation device(const Device& device);
    static MemLocation device(int number) { return {mem_location_type::DEVICE, number}; }
    static MemLocation host() { return {mem_location_type::HOST, 0}; }
    /// CUDA 12.2, as is the next one.
    static MemLocation host_numa(int node) { return {mem_location_type::HOST_NUMA, node}; }
    /// The node nearest to the calling thread.
    static MemLocation host_numa_current() { return {mem_location_type::HOST_NUMA_CURRENT, 0}; }
    friend bool operator==(const MemLocation&, const MemLocation&) = default;
};

/// "device 0", "the host", "NUMA node 1 of the host"
std::string to_string(const MemLocation& location);

} // namespace warplight::driver
