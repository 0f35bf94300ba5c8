// SPDX-License-Identifier: Apache-2.0
// A device of a driver, and what is known about it.
#pragma once

#include "warplight/driver.hpp"
#include "warplight/enums.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace warplight::driver {

class Context;

/// One device. A plain value: copying it makes no second device.
class Device {
public:
    /// Device by number, counted from 0. @throws LogicError when there is no such device.
    explicit Device(int number);
    Device(int number, Driver driver);
    /// Device by PCI bus id, "[domain:]bus:device.function" in hexadecimal digits.
    explicit Device(const std::string& pci_bus_id);
    Device(const std::string& pci_bus_id, Driver driver);

    /// How many devices the driver has; 0 when it answers that there is none.
    static int count();
    static int count(const Driver& driver);

    const Driver& driver() const noexcept { return driver_; }
    int number() const noexcept { return number_; }
    /// The driver's handle (CUdevice).
    int handle() const noexcept { return handle_; }

    std::string name() const;
    std::string pci_bus_id() const;
    /// {major, minor}, e.g. {8, 0}.
    std::pair<int, int> compute_capability() const;
    /// Bytes.
    std::size_t total_memory() const;
    /// 32 hexadecimal digits in the usual groups.
    std::string uuid() const;

    /// @throws LogicError when this driver does not know the attribute.
    int get_attribute(device_attribute attribute) const;
    /// Empty when this driver does not know the attribute.
    std::optional<int> find_attribute(device_attribute attribute) const;
    /// All attributes that this driver knows.
    std::vector<std::pair<device_attribute, int>> get_attributes() const;

    /// Creates a context on this device and makes it current: it is on top of this thread's stack.
    /// @param flags of ctx_flags
    [[nodiscard]] Context make_context(unsigned flags = ctx_flags::SCHED_AUTO) const;
    /// The device's primary context, which the CUDA runtime uses too. It is not made current.
    [[nodiscard]] Context retain_primary_context() const;

    /// Whether contexts of this device can be given access to the memory of the other. False for itself. CUDA 4.0.
    bool can_access_peer(const Device& peer) const;
    /// Of the link to another device. @throws LogicError for itself, and for what is no attribute. CUDA 8.0.
    int get_p2p_attribute(device_p2p_attribute attribute, const Device& peer) const;

    // Each attribute by its name in lower case: warp_size(), clock_rate(), …
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning)                                    \
    int accessor() const { return get_attribute(device_attribute::NAME); }
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number)
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS

    friend bool operator==(const Device& a, const Device& b) noexcept {
        return a.handle_ == b.handle_ && a.driver_ == b.driver_;
    }

private:
    friend class ContextRef;
    Driver driver_;
    int number_ = 0;
    int handle_ = 0;
};

} // namespace warplight::driver

template <>
struct std::hash<warplight::driver::Device> {
    std::size_t operator()(const warplight::driver::Device& device) const noexcept {
        return std::hash<const void*>()(&device.driver().state()) * 31 + static_cast<std::size_t>(device.handle());
    }
};
