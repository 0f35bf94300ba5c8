// SPDX-License-Identifier: Apache-2.0
// The software devices of this process.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <string>

namespace warplight::software {

/// Limits that occupancy and launches are checked against, of a GPU of this compute capability.
struct DeviceLimits {
    int threads_per_multiprocessor = 2048;
    int blocks_per_multiprocessor = 32;
    int registers_per_multiprocessor = 65536;
    int registers_per_block = 65536;
    int register_unit = 256;           ///< registers are given to a warp in these steps
    int warp_unit = 4;                 ///< warps are given in these steps
    int shared_per_multiprocessor = 0; ///< bytes
    int shared_per_block = 49152;      ///< without asking for more
    int shared_per_block_opt_in = 0;   ///< with CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    int shared_reserved = 0;           ///< bytes of each block that the system takes
    int shared_unit = 128;
    int threads_per_block = 1024;
};
[[nodiscard]] DeviceLimits limits_of(unsigned capability);

class Device {
public:
    explicit Device(int ordinal);

    const int ordinal;
    const unsigned capability; ///< 80 for 8.0
    const int multiprocessors;
    const DeviceLimits limits;

    [[nodiscard]] std::string name() const;
    [[nodiscard]] CUuuid uuid() const;
    [[nodiscard]] std::string pci_bus_id() const;
    [[nodiscard]] std::uint64_t total_memory() const;
    [[nodiscard]] std::uint64_t free_memory() const;
    /// Nothing for a number that is no attribute.
    [[nodiscard]] std::optional<int> attribute(int attribute) const;
};

[[nodiscard]] int device_count();
/// Throws CUDA_ERROR_INVALID_DEVICE.
[[nodiscard]] Device& device(int ordinal);

} // namespace warplight::software
