// SPDX-License-Identifier: Apache-2.0
// The software devices of this process.
#pragma once

#include "profile/residency.hpp"

#include <cuda.h>

#include <cstdint>
#include <optional>
#include <string>

namespace warplight::software {

using warplight::profile::DeviceLimits;

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
