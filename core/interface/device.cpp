// SPDX-License-Identifier: Apache-2.0
#include "warplight/device.hpp"

#include "driver/entry_points.hpp"

#include <cstdio>
#include <cstring>

namespace warplight::driver {

namespace {
std::string entity(const Device& device) { return "device " + std::to_string(device.number()); }
} // namespace

Device::Device(int number) : Device(number, Driver::get_default()) {}

Device::Device(int number, Driver driver) : driver_(std::move(driver)), number_(number) {
    driver_.init();
    WARPLIGHT_CALL(driver_.state(), cuDeviceGet, entity(*this), &handle_, number);
}

Device::Device(const std::string& pci_bus_id) : Device(pci_bus_id, Driver::get_default()) {}

Device::Device(const std::string& pci_bus_id, Driver driver) : driver_(std::move(driver)) {
    driver_.init();
    WARPLIGHT_CALL(driver_.state(), cuDeviceGetByPCIBusId, "device " + pci_bus_id, &handle_, pci_bus_id.c_str());
    number_ = handle_; // the driver's handle is the number
}

int Device::count() { return count(Driver::get_default()); }

int Device::count(const Driver& driver) {
    try {
        driver.init();
    } catch (const RuntimeError& error) {
        if (error.code() == CUDA_ERROR_NO_DEVICE) return 0;
        throw;
    }
    int count = 0;
    WARPLIGHT_CALL(driver.state(), cuDeviceGetCount, "driver " + driver.library(), &count);
    return count;
}

std::string Device::name() const {
    char name[1024] = {};
    WARPLIGHT_CALL(driver_.state(), cuDeviceGetName, entity(*this), name, static_cast<int>(sizeof name), handle_);
    name[sizeof name - 1] = '\0';
    return name;
}

std::string Device::pci_bus_id() const {
    char id[64] = {};
    WARPLIGHT_CALL(driver_.state(), cuDeviceGetPCIBusId, entity(*this), id, static_cast<int>(sizeof id), handle_);
    id[sizeof id - 1] = '\0';
    return id;
}

std::pair<int, int> Device::compute_capability() const {
    return {compute_capability_major(), compute_capability_minor()};
}

std::size_t Device::total_memory() const {
    std::size_t bytes = 0;
    WARPLIGHT_CALL(driver_.state(), cuDeviceTotalMem, entity(*this), &bytes, handle_);
    return bytes;
}

std::string Device::uuid() const {
    CUuuid uuid{};
    // The second version tells the slices of a partitioned device apart.
    if (driver_.state().functions.fn_cuDeviceGetUuid_v2)
        WARPLIGHT_CALL(driver_.state(), cuDeviceGetUuid_v2, entity(*this), &uuid, handle_);
    else
        WARPLIGHT_CALL(driver_.state(), cuDeviceGetUuid, entity(*this), &uuid, handle_);
    std::string text;
    for (int i = 0; i < 16; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits;
    }
    return text;
}

int Device::get_attribute(device_attribute attribute) const {
    int value = 0;
    WARPLIGHT_CALL(driver_.state(), cuDeviceGetAttribute, entity(*this) + ", attribute " + to_string(attribute), &value,
                   static_cast<CUdevice_attribute>(attribute), handle_);
    return value;
}

std::optional<int> Device::find_attribute(device_attribute attribute) const {
    int value = 0;
    const CUresult code = WARPLIGHT_TRY(driver_.state(), cuDeviceGetAttribute, &value,
                                        static_cast<CUdevice_attribute>(attribute), handle_);
    if (code == CUDA_SUCCESS) return value;
    if (code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_NOT_SUPPORTED) return std::nullopt;
    detail::throw_failure(driver_.state(), "cuDeviceGetAttribute", code,
                          entity(*this) + ", attribute " + to_string(attribute));
}

std::vector<std::pair<device_attribute, int>> Device::get_attributes() const {
    std::vector<std::pair<device_attribute, int>> attributes;
    for (const device_attribute attribute : all_device_attributes())
        if (const auto value = find_attribute(attribute)) attributes.emplace_back(attribute, *value);
    return attributes;
}

bool Device::can_access_peer(const Device& peer) const {
    if (!(driver_ == peer.driver_)) return false;
    int can = 0;
    WARPLIGHT_CALL(driver_.state(), cuDeviceCanAccessPeer, entity(*this), &can, handle_, peer.handle_);
    return can != 0;
}

int Device::get_p2p_attribute(device_p2p_attribute attribute, const Device& peer) const {
    if (!(driver_ == peer.driver_))
        throw_logic_error("devices of two drivers have no link", entity(*this) + " to " + entity(peer));
    int value = 0;
    WARPLIGHT_CALL(driver_.state(), cuDeviceGetP2PAttribute,
                   entity(*this) + " to " + entity(peer) + ", attribute " + to_string(attribute), &value,
                   static_cast<CUdevice_P2PAttribute>(attribute), handle_, peer.handle_);
    return value;
}

} // namespace warplight::driver
