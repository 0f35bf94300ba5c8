// SPDX-License-Identifier: Apache-2.0
// Page-locked and registered host memory. Registered memory gets a second address, in the device's window: kernels
// reach it there and nowhere else.
#include "entry.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"

using namespace warplight::software;

namespace {

void* allocate(Context& context, std::size_t size, unsigned flags) {
    forbid_unsafe_call();
    if (size == 0) return nullptr;
    const auto base =
        AddressSpace::instance().allocate(size, Allocation::Kind::host, context.device.ordinal, &context, flags);
    if (!base) fail(CUDA_ERROR_OUT_OF_MEMORY);
    return reinterpret_cast<void*>(*base);
}

Allocation host_allocation(const void* p, CUresult otherwise = CUDA_ERROR_INVALID_VALUE) {
    const auto a = AddressSpace::instance().find(reinterpret_cast<std::uint64_t>(p));
    if (!a || (a->kind != Allocation::Kind::host && a->kind != Allocation::Kind::registered)) fail(otherwise);
    return *a;
}

constexpr unsigned kHostFlags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned kRegisterFlags = 0x0F;                    ///< portable, device map, I/O memory, read only
constexpr std::size_t kMostAddresses = std::size_t{1} << 47; ///< of a process

} // namespace

WL_ENTRY(cuMemAllocHost_v2, (void** pp, size_t bytesize)) {
    return enter([&] {
        Context& context = current_context();
        require(pp);
        *pp = allocate(context, bytesize, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
    });
}

WL_ENTRY(cuMemHostAlloc, (void** pp, size_t bytesize, unsigned int Flags)) {
    return enter([&] {
        Context& context = current_context();
        require(pp && (Flags & ~kHostFlags) == 0);
        *pp = allocate(context, bytesize, Flags);
    });
}

WL_ENTRY(cuMemFreeHost, (void* p)) {
    return enter([&] {
        if (!p) return;
        forbid_destroyed_context();
        forbid_unsafe_call();
        const Allocation a = host_allocation(p);
        require(a.kind == Allocation::Kind::host && a.base == reinterpret_cast<std::uint64_t>(p));
        a.context->check();
        a.context->drain();
        require(AddressSpace::instance().release(a.base, Allocation::Kind::host).has_value());
    });
}

WL_ENTRY(cuMemHostGetDevicePointer_v2, (CUdeviceptr * pdptr, void* p, unsigned int Flags)) {
    return enter([&] {
        (void)current_context();
        require(pdptr && p && Flags == 0);
        const Allocation a = host_allocation(p);
        const auto address = reinterpret_cast<CUdeviceptr>(p);
        *pdptr = a.device_base ? a.device_base + (address - a.base) : address;
    });
}

WL_ENTRY(cuMemHostGetFlags, (unsigned int* pFlags, void* p)) {
    if (const CUresult wrong = look_at([&] { require(pFlags && p); })) return wrong;
    return enter([&] {
        (void)current_context();
        const Allocation a = host_allocation(p);
        require(a.kind == Allocation::Kind::host);
        *pFlags = a.flags | CU_MEMHOSTALLOC_DEVICEMAP;
    });
}

WL_ENTRY(cuMemHostRegister_v2, (void* p, size_t bytesize, unsigned int Flags)) {
    return enter([&] {
        Context& context = current_context();
        forbid_unsafe_call();
        require(p && bytesize > 0 && (Flags & ~kRegisterFlags) == 0);
        require(reinterpret_cast<std::uint64_t>(p) + bytesize > reinterpret_cast<std::uint64_t>(p));
        require(bytesize <= kMostAddresses, CUDA_ERROR_OUT_OF_MEMORY);
        using Registration = AddressSpace::Registration;
        const auto registration = AddressSpace::instance().register_host(reinterpret_cast<std::uint64_t>(p), bytesize,
                                                                         context.device.ordinal, &context, Flags);
        require(registration != Registration::known, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        if (registration == Registration::impossible)
            fail(CUDA_ERROR_NOT_SUPPORTED,
                 "kernels are kept apart from the host's memory, and this memory cannot get an "
                 "address of the device's: it is no ordinary memory, or none is left. Use "
                 "cuMemHostAlloc, or set WARPLIGHT_SOFTWARE_WALLS=0");
    });
}

WL_ENTRY(cuMemHostUnregister, (void* p)) {
    return enter([&] {
        forbid_destroyed_context();
        forbid_unsafe_call();
        require(p);
        const auto base = reinterpret_cast<std::uint64_t>(p);
        const auto a = AddressSpace::instance().find(base);
        require(a && a->kind == Allocation::Kind::registered && !a->host_base, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
        require(a->base == base);
        a->context->check();
        a->context->drain();
        require(AddressSpace::instance().unregister_host(base).has_value(), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    });
}
