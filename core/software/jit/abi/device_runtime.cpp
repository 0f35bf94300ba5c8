// SPDX-License-Identifier: Apache-2.0
#include "device_runtime.hpp"

#include <map>

namespace warplight::jit {

std::uint64_t DeviceFunction::structure_bytes(std::size_t argument) const {
    switch (arguments.at(argument)) {
    case 's': return 12;
    case 'e': return 24;
    case 'p': return 32;
    default: return 0;
    }
}

std::optional<DeviceFunction> device_function(std::string_view name) {
    using C = DeviceCall;
    static const auto& functions = *new std::map<std::string_view, DeviceFunction>{
        // never destroyed: threads may run until the process ends
        {"GetParameterBuffer", {C::get_parameter_buffer, "dd", true}},
        {"GetParameterBufferV2", {C::get_parameter_buffer_v2, "dssw", true}},
        {"LaunchDevice", {C::launch_device, "ddsswd"}},
        {"LaunchDeviceV2", {C::launch_device_v2, "dd"}},
        {"DeviceSynchronize", {C::device_synchronize, ""}},
        {"GetLastError", {C::get_last_error, ""}},
        {"PeekAtLastError", {C::peek_at_last_error, ""}},
        {"GetErrorString", {C::get_error_string, "w", true}},
        {"GetErrorName", {C::get_error_name, "w", true}},
        {"GetDeviceCount", {C::get_device_count, "d"}},
        {"GetDevice", {C::get_device, "d"}},
        {"DeviceGetAttribute", {C::device_get_attribute, "dww"}},
        {"DeviceGetLimit", {C::device_get_limit, "dw"}},
        {"DeviceGetCacheConfig", {C::device_get_cache_config, "d"}},
        {"DeviceGetSharedMemConfig", {C::device_get_shared_mem_config, "d"}},
        {"RuntimeGetVersion", {C::runtime_get_version, "d"}},
        {"StreamCreateWithFlags", {C::stream_create, "dw"}},
        {"StreamDestroy", {C::stream_destroy, "d"}},
        {"StreamWaitEvent", {C::stream_wait_event, "ddw"}},
        {"EventCreateWithFlags", {C::event_create, "dw"}},
        {"EventRecord", {C::event_record, "dd"}},
        {"EventRecordWithFlags", {C::event_record_with_flags, "ddw"}},
        {"EventDestroy", {C::event_destroy, "d"}},
        {"FuncGetAttributes", {C::func_get_attributes, "dd"}},
        {"Malloc", {C::malloc, "dd"}},
        {"Free", {C::free, "d"}},
        {"MemcpyAsync", {C::memcpy_async, "dddwd"}},
        {"Memcpy2DAsync", {C::memcpy_2d_async, "ddddddwd"}},
        {"Memcpy3DAsync", {C::memcpy_3d_async, "dd"}},
        {"MemsetAsync", {C::memset_async, "dwdd"}},
        {"Memset2DAsync", {C::memset_2d_async, "ddwddd"}},
        {"Memset3DAsync", {C::memset_3d_async, "pwed"}},
        {"OccupancyMaxActiveBlocksPerMultiprocessor", {C::occupancy, "ddwd"}},
        {"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags", {C::occupancy_with_flags, "ddwdw"}},
    };
    for (const std::string_view prefix : {"__cudaCDP2", "cuda"}) {
        if (!name.starts_with(prefix)) continue;
        name.remove_prefix(prefix.size());
        if (name.ends_with("_ptsz")) name.remove_suffix(5);
        const auto found = functions.find(name);
        if (found != functions.end()) return found->second;
        break;
    }
    return std::nullopt;
}

bool is_offered(std::string_view name) {
    return name == "vprintf" || name == "malloc" || name == "free" || name == "__assertfail" ||
           device_function(name).has_value();
}

} // namespace warplight::jit
