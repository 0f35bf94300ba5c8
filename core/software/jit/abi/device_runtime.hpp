// SPDX-License-Identifier: Apache-2.0
// Functions that modules declare and the device defines: vprintf, malloc and the like, and CUDA's device runtime
// library, with which kernels launch kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warplight::jit {

/// Of the device runtime library. The runtime knows them by number: only add to the end.
enum class DeviceCall : std::uint32_t {
    get_parameter_buffer,    ///< (alignment, size) → address
    get_parameter_buffer_v2, ///< (kernel, grid, block, shared) → address; 0 where the launch is refused
    launch_device,           ///< (kernel, parameters, grid, block, shared, stream)
    launch_device_v2,        ///< (parameters, stream)
    device_synchronize,
    get_last_error,
    peek_at_last_error,
    get_error_string, ///< (error) → address
    get_error_name,   ///< (error) → address
    get_device_count,
    get_device,
    device_get_attribute,
    device_get_limit,
    device_get_cache_config,
    device_get_shared_mem_config,
    runtime_get_version,
    stream_create,
    stream_destroy,
    stream_wait_event,
    event_create,
    event_record,
    event_record_with_flags,
    event_destroy,
    func_get_attributes,
    malloc,
    free,
    memcpy_async,
    memcpy_2d_async,
    memcpy_3d_async,
    memset_async,
    memset_2d_async,
    memset_3d_async,
    occupancy,
    occupancy_with_flags,
};

struct DeviceFunction {
    DeviceCall call;
    /// A letter each. w: 32 bits, d: 64 bits. Structures, of which the runtime gets the address: s dim3 (12 bytes),
    /// e cudaExtent (24), p cudaPitchedPtr (32).
    std::string_view arguments;
    bool returns_address = false; ///< else an error code of 32 bits
    /// Bytes of an argument that is a structure; 0: it is none.
    [[nodiscard]] std::uint64_t structure_bytes(std::size_t argument) const;
};

/// cudaLaunchDeviceV2, __cudaCDP2LaunchDeviceV2, with or without _ptsz, …; nothing for other names.
[[nodiscard]] std::optional<DeviceFunction> device_function(std::string_view name);

/// Whether a function that is only declared can be called.
[[nodiscard]] bool is_offered(std::string_view name);

/// The most arguments of any call.
inline constexpr unsigned kMostDeviceArguments = 8;

} // namespace warplight::jit
