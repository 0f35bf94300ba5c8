// SPDX-License-Identifier: Apache-2.0
// Access to the memory of other devices. All of it is the host's, so kernels reach the memory of every device. Enabled
// access is only remembered.
#include "entry.hpp"

#include "../runtime/capture.hpp"

using namespace warplight::software;

namespace warplight::software {

std::shared_ptr<Context> peer_context(CUcontext handle) {
    return handle ? handles<Context>().get(handle, CUDA_ERROR_CONTEXT_IS_DESTROYED) : nullptr;
}

} // namespace warplight::software

WL_ENTRY(cuDeviceCanAccessPeer, (int* canAccessPeer, CUdevice dev, CUdevice peerDev)) {
    return enter([&] {
        require(canAccessPeer);
        *canAccessPeer = device(dev).ordinal != device(peerDev).ordinal;
    });
}

WL_ENTRY(cuDeviceGetP2PAttribute, (int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice)) {
    return enter([&] {
        require(value);
        require(device(srcDevice).ordinal != device(dstDevice).ordinal, CUDA_ERROR_INVALID_DEVICE);
        switch (static_cast<int>(attrib)) {
        case CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK: *value = 0; return;
        case CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED:
        case CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED:
        case CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED: *value = 1; return;
        case 5: *value = 0; return; // ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED
        default: fail(CUDA_ERROR_INVALID_VALUE);
        }
    });
}

WL_ENTRY(cuCtxEnablePeerAccess, (CUcontext peerContext, unsigned int Flags)) {
    return enter([&] {
        Context& mine = current_context();
        const auto peer = peer_context(peerContext);
        require(peer != nullptr, CUDA_ERROR_INVALID_CONTEXT);
        require(Flags == 0);
        mine.enable_peer(*peer);
    });
}

WL_ENTRY(cuCtxDisablePeerAccess, (CUcontext peerContext)) {
    return enter([&] {
        forbid_unsafe_call();
        Context& mine = current_context();
        const auto peer = peer_context(peerContext);
        require(peer != nullptr, CUDA_ERROR_INVALID_CONTEXT);
        mine.disable_peer(*peer);
    });
}
