// SPDX-License-Identifier: Apache-2.0
#include "device.hpp"

#include "address_space.hpp"
#include "configuration.hpp"
#include "failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace warplight::software {

Device::Device(int number)
    : ordinal(number), capability(configuration().capability),
      // Blocks are given turns, so as many can be resident as a small GPU holds, whatever the number of cores.
      multiprocessors(static_cast<int>(std::max(16U, configuration().workers))),
      limits(warplight::profile::limits_of(capability)) {}

std::string Device::name() const { return fmt::format("Warplight software device ({})", configuration().processor); }

CUuuid Device::uuid() const {
    CUuuid id{};
    const std::string text = fmt::format("warplight-sw-{:03}", ordinal);
    std::copy_n(text.begin(), std::min(text.size(), sizeof id.bytes), id.bytes);
    return id;
}

std::string Device::pci_bus_id() const { return fmt::format("0000:{:02X}:1F.0", 0xE0 + (ordinal & 0x1F)); }

std::uint64_t Device::total_memory() const {
    return std::min(configuration().memory, AddressSpace::instance().capacity());
}

std::uint64_t Device::free_memory() const {
    const std::uint64_t used = AddressSpace::instance().used(ordinal);
    return used < total_memory() ? total_memory() - used : 0;
}

namespace {
std::vector<std::unique_ptr<Device>>& devices() {
    static auto* all = [] {
        auto* list = new std::vector<std::unique_ptr<Device>>;
        for (int i = 0; i < configuration().devices; ++i)
            list->push_back(std::make_unique<Device>(i));
        return list;
    }();
    return *all;
}
} // namespace

int device_count() { return static_cast<int>(devices().size()); }

Device& device(int ordinal) {
    if (ordinal < 0 || ordinal >= device_count()) fail(CUDA_ERROR_INVALID_DEVICE);
    return *devices()[static_cast<std::size_t>(ordinal)];
}

} // namespace warplight::software
