// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/context_lifetime.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

using namespace warplight::software;

WL_ENTRY(cuDeviceGet, (CUdevice * handle, int ordinal)) {
    return enter([&] {
        require(handle);
        *handle = device(ordinal).ordinal;
    });
}

WL_ENTRY(cuDeviceGetCount, (int* count)) {
    return enter([&] {
        require(count);
        *count = device_count();
    });
}

WL_ENTRY(cuDeviceGetName, (char* name, int len, CUdevice dev)) {
    return enter([&] {
        require(name && len != 0);
        const std::string text = device(dev).name();
        const std::size_t length = std::min<std::size_t>(text.size(), static_cast<unsigned>(len) - 1);
        std::memcpy(name, text.data(), length);
        name[length] = '\0';
    });
}

WL_ENTRY(cuDeviceTotalMem_v2, (size_t* bytes, CUdevice dev)) {
    return enter([&] {
        require(bytes);
        *bytes = device(dev).total_memory();
    });
}

WL_ENTRY(cuDeviceGetAttribute, (int* pi, CUdevice_attribute attrib, CUdevice dev)) {
    if (const CUresult wrong = look_at([&] { require(pi); })) return wrong;
    return enter([&] {
        const auto value = device(dev).attribute(attrib);
        require(value.has_value());
        *pi = *value;
    });
}

WL_ENTRY(cuDeviceComputeCapability, (int* major, int* minor, CUdevice dev)) {
    return enter([&] {
        require(major && minor);
        *major = static_cast<int>(device(dev).capability / 10);
        *minor = static_cast<int>(device(dev).capability % 10);
    });
}

WL_ENTRY_SINCE(cuDeviceGetProperties, 2000, (CUdevprop * prop, CUdevice dev)) {
    return enter([&] {
        require(prop);
        const Device& d = device(dev);
        const auto a = [&](CUdevice_attribute which) { return d.attribute(which).value_or(0); };
        prop->maxThreadsPerBlock = a(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
        for (int i = 0; i < 3; ++i) {
            prop->maxThreadsDim[i] = a(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i));
            prop->maxGridSize[i] = a(static_cast<CUdevice_attribute>(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i));
        }
        prop->sharedMemPerBlock = a(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
        prop->totalConstantMemory = a(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
        prop->SIMDWidth = a(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
        prop->memPitch = a(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
        prop->regsPerBlock = a(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
        prop->clockRate = a(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
        prop->textureAlign = a(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    });
}

#undef cuDeviceGetUuid
static CUresult get_uuid(CUuuid* uuid, CUdevice dev) {
    return enter([&] {
        require(uuid);
        *uuid = device(dev).uuid();
    });
}
WL_ENTRY(cuDeviceGetUuid, (CUuuid * uuid, CUdevice dev)) { return get_uuid(uuid, dev); }
WL_ENTRY(cuDeviceGetUuid_v2, (CUuuid * uuid, CUdevice dev)) { return get_uuid(uuid, dev); }

WL_ENTRY(cuDeviceGetPCIBusId, (char* pciBusId, int len, CUdevice dev)) {
    return enter([&] {
        require(pciBusId && len > 0);
        const std::string id = device(dev).pci_bus_id();
        require(static_cast<std::size_t>(len) > id.size());
        std::memcpy(pciBusId, id.c_str(), id.size() + 1);
    });
}

WL_ENTRY(cuDeviceGetByPCIBusId, (CUdevice * dev, const char* pciBusId)) {
    return enter([&] {
        require(dev && pciBusId);
        std::string asked = pciBusId;
        require(asked.find(':') != std::string::npos &&
                asked.find_first_not_of("0123456789abcdefABCDEF:.") == std::string::npos);
        std::transform(asked.begin(), asked.end(), asked.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        for (int i = 0; i < device_count(); ++i) {
            const std::string id = device(i).pci_bus_id();
            // The domain and the function may be left out.
            const std::string_view view = id;
            if (asked == view || asked == view.substr(5) || asked == view.substr(5, 5)) {
                *dev = i;
                return;
            }
        }
        fail(CUDA_ERROR_INVALID_DEVICE);
    });
}

WL_ENTRY(cuDevicePrimaryCtxRetain, (CUcontext * pctx, CUdevice dev)) {
    return enter([&] {
        require(pctx);
        *pctx = reinterpret_cast<CUcontext>(retain_primary(device(dev)).get());
    });
}

#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
static CUresult release_primary(CUdevice dev) {
    return enter([&] { release_primary(device(dev)); });
}
static CUresult reset_primary(CUdevice dev) {
    return enter([&] { reset_primary(device(dev)); });
}
static CUresult set_primary_flags(CUdevice dev, unsigned flags) {
    return enter([&] {
        require((flags & ~0xFFU) == 0);
        set_primary_flags(device(dev), flags);
    });
}
WL_ENTRY_SINCE(cuDevicePrimaryCtxRelease, 7000, (CUdevice dev)) { return release_primary(dev); }
WL_ENTRY(cuDevicePrimaryCtxRelease_v2, (CUdevice dev)) { return release_primary(dev); }
WL_ENTRY_SINCE(cuDevicePrimaryCtxReset, 7000, (CUdevice dev)) { return reset_primary(dev); }
WL_ENTRY(cuDevicePrimaryCtxReset_v2, (CUdevice dev)) { return reset_primary(dev); }
WL_ENTRY_SINCE(cuDevicePrimaryCtxSetFlags, 7000, (CUdevice dev, unsigned int flags)) {
    return set_primary_flags(dev, flags);
}
WL_ENTRY(cuDevicePrimaryCtxSetFlags_v2, (CUdevice dev, unsigned int flags)) { return set_primary_flags(dev, flags); }

WL_ENTRY(cuDevicePrimaryCtxGetState, (CUdevice dev, unsigned int* flags, int* active)) {
    if (const CUresult wrong = look_at([&] { require(flags && active); })) return wrong;
    return enter([&] { *active = primary_state(device(dev), *flags); });
}
