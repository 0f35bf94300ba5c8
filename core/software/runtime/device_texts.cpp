// SPDX-License-Identifier: Apache-2.0
#include "device_texts.hpp"

#include "address_space.hpp"
#include "grid.hpp"

#include <array>
#include <cstring>
#include <iterator>
#include <string_view>

namespace warplight::software {
namespace {

struct ErrorText {
    int code;
    std::string_view name;
    std::string_view text;
};
constexpr ErrorText kErrorTexts[] = {
    {kDeviceSuccess, "cudaSuccess", "no error"},
    {kInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {kMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {kInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {kInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {kInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {kSyncDepthExceeded, "cudaErrorSyncDepthExceeded", "cudaDeviceSynchronize failed because of excessive depth"},
    {kPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded", "too many pending device launches"},
    {kInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {kInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {kInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {kOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {kNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {-1, "unrecognized error code", "unrecognized error code"},
};

/// Where the texts lie. Kernels may overwrite them, so the host never reads them back.
class DeviceTexts {
public:
    static const DeviceTexts& instance() {
        static const DeviceTexts texts;
        return texts;
    }
    [[nodiscard]] std::uint64_t name(std::uint64_t code) const { return of(code).name; }
    [[nodiscard]] std::uint64_t text(std::uint64_t code) const { return of(code).text; }

private:
    struct Addresses {
        std::uint64_t name = 0, text = 0;
    };

    DeviceTexts() {
        std::uint64_t bytes = 0;
        for (const ErrorText& each : kErrorTexts)
            bytes += each.name.size() + each.text.size() + 2;
        // They are the process's, not a context's. Memory of the host kind counts for no device.
        const auto base = AddressSpace::instance().allocate(bytes, Allocation::Kind::host, 0, nullptr);
        if (!base) return;
        std::uint64_t at = *base;
        const auto put = [&](std::string_view text) {
            std::memcpy(reinterpret_cast<void*>(at), text.data(), text.size()); // zeros follow
            const std::uint64_t address = at;
            at += text.size() + 1;
            return address;
        };
        for (std::size_t k = 0; k < std::size(kErrorTexts); ++k) {
            addresses_[k].name = put(kErrorTexts[k].name);
            addresses_[k].text = put(kErrorTexts[k].text);
        }
    }
    [[nodiscard]] const Addresses& of(std::uint64_t code) const {
        std::size_t k = 0;
        while (k + 1 < std::size(kErrorTexts) && static_cast<std::uint64_t>(kErrorTexts[k].code) != code)
            ++k;
        return addresses_[k];
    }

    std::array<Addresses, std::size(kErrorTexts)> addresses_{};
};

} // namespace

std::uint64_t device_error_name(std::uint64_t code) { return DeviceTexts::instance().name(code); }
std::uint64_t device_error_text(std::uint64_t code) { return DeviceTexts::instance().text(code); }

} // namespace warplight::software
