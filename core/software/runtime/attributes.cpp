// SPDX-License-Identifier: Apache-2.0
// Device attributes: constants of the table, and functions where a value depends on the device or the machine.
#include "address_space.hpp"
#include "device.hpp"
#include "platform.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace warplight::software {
namespace {

enum class Attribute {
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning) NAME = (number),
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number)
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
};

/// A row whose value is VARIES needs a function here.
template <Attribute>
int varying(const Device& device) = delete;

template <>
int varying<Attribute::MAX_THREADS_PER_BLOCK>(const Device& device) {
    return device.limits.threads_per_block;
}
template <>
int varying<Attribute::MAX_SHARED_MEMORY_PER_BLOCK>(const Device& device) {
    return device.limits.shared_per_block;
}
template <>
int varying<Attribute::MAX_REGISTERS_PER_BLOCK>(const Device& device) {
    return device.limits.registers_per_block;
}
template <>
int varying<Attribute::CLOCK_RATE>(const Device&) {
    return platform::processor_khz();
}
template <>
int varying<Attribute::MULTIPROCESSOR_COUNT>(const Device& device) {
    return device.multiprocessors;
}
template <>
int varying<Attribute::L2_CACHE_SIZE>(const Device&) {
    constexpr std::size_t usual = std::size_t{32} << 20;
    static const std::size_t bytes = platform::last_cache_bytes();
    return static_cast<int>(std::min<std::size_t>(bytes ? bytes : usual, std::numeric_limits<int>::max()));
}
template <>
int varying<Attribute::PCI_BUS_ID>(const Device& device) {
    return 0xE0 + (device.ordinal & 0x1F);
}
template <>
int varying<Attribute::MAX_THREADS_PER_MULTIPROCESSOR>(const Device& device) {
    return device.limits.threads_per_multiprocessor;
}
template <>
int varying<Attribute::COMPUTE_CAPABILITY_MAJOR>(const Device& device) {
    return static_cast<int>(device.capability / 10);
}
template <>
int varying<Attribute::COMPUTE_CAPABILITY_MINOR>(const Device& device) {
    return static_cast<int>(device.capability % 10);
}
template <>
int varying<Attribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR>(const Device& device) {
    return device.limits.shared_per_multiprocessor;
}
template <>
int varying<Attribute::MAX_REGISTERS_PER_MULTIPROCESSOR>(const Device& device) {
    return device.limits.registers_per_multiprocessor;
}
template <>
int varying<Attribute::MULTI_GPU_BOARD_GROUP_ID>(const Device& device) {
    return device.ordinal;
}
template <>
int varying<Attribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN>(const Device& device) {
    return device.limits.shared_per_block_opt_in;
}
template <>
int varying<Attribute::VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED>(const Device&) {
    return platform::has_unaddressed_memory() ? 1 : 0;
}
template <>
int varying<Attribute::MAX_BLOCKS_PER_MULTIPROCESSOR>(const Device& device) {
    return device.limits.blocks_per_multiprocessor;
}
template <>
int varying<Attribute::RESERVED_SHARED_MEMORY_PER_BLOCK>(const Device& device) {
    return device.limits.shared_reserved;
}
template <>
int varying<Attribute::CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM>(const Device&) {
    return AddressSpace::instance().walls() == jit::Walls::none ? 1 : 0;
}
template <>
int varying<Attribute::CLUSTER_LAUNCH>(const Device& device) {
    return device.capability >= 90 ? 1 : 0;
}
template <>
int varying<Attribute::IPC_EVENT_SUPPORTED>(const Device&) {
    return platform::maps_shared_memory() ? 1 : 0;
}

struct Varies {};
constexpr Varies VARIES;

template <Attribute>
int value_of(const Device&, int constant) {
    return constant;
}
template <Attribute attribute>
int value_of(const Device& device, Varies) {
    return varying<attribute>(device);
}

} // namespace

std::optional<int> Device::attribute(int attribute) const {
    switch (static_cast<Attribute>(attribute)) {
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning)                                    \
    case Attribute::NAME: return value_of<Attribute::NAME>(*this, software);
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS
    }
    return std::nullopt;
}

} // namespace warplight::software
