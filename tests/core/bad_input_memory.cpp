// SPDX-License-Identifier: Apache-2.0
// Good calls: memory, pools, copies and fills.
#include "bad_input.hpp"

namespace bad_input {
namespace {

using warplight::driver::MemoryLocation;
constexpr std::size_t kStep = std::size_t{2} << 20;

CUmemPoolProps_v1 pool_properties() {
    CUmemPoolProps_v1 p{};
    p.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    return p;
}
CUmemAllocationProp_v1 physical_properties() {
    CUmemAllocationProp_v1 p{};
    p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    return p;
}
CUmemAccessDesc_v1 access() {
    CUmemAccessDesc_v1 a{};
    a.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    a.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return a;
}

CUDA_MEMCPY2D_v2 plane(Fixture& f, bool to_array = false) {
    CUDA_MEMCPY2D_v2 c{};
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = f.get(Thing::memory);
    c.srcPitch = 64;
    c.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
    if (to_array) {
        c.dstArray = f.as<CUarray>(Thing::array);
    } else {
        c.dstDevice = f.get(Thing::memory) + 8192;
        c.dstPitch = 128;
    }
    c.WidthInBytes = 64;
    c.Height = 4;
    return c;
}
template <class Copy>
Copy box(Fixture& f, bool to_array) {
    Copy c{};
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = f.get(Thing::memory);
    c.srcPitch = 64;
    c.srcHeight = 4;
    c.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
    if (to_array) {
        c.dstArray = f.as<CUarray>(Thing::array);
    } else {
        c.dstDevice = f.get(Thing::memory) + 8192;
        c.dstPitch = 128;
        c.dstHeight = 4;
    }
    c.WidthInBytes = 64;
    c.Height = 4;
    c.Depth = to_array ? 1 : 2;
    return c;
}
CUDA_MEMCPY3D_PEER_v1 peer_box(Fixture& f) {
    auto c = box<CUDA_MEMCPY3D_PEER_v1>(f, false);
    c.srcContext = c.dstContext = f.context();
    return c;
}
Slot in_plane(Fixture& f, bool to_array = false) {
    return f.in(plane(f, to_array), {},
                to_array ? std::vector<std::size_t>{offsetof(CUDA_MEMCPY2D_v2, dstArray)} : std::vector<std::size_t>{});
}
Slot in_box(Fixture& f, bool to_array = false) {
    return f.in(box<CUDA_MEMCPY3D_v2>(f, to_array), {},
                to_array ? std::vector<std::size_t>{offsetof(CUDA_MEMCPY3D_v2, dstArray)} : std::vector<std::size_t>{});
}
Slot in_peer_box(Fixture& f) {
    return f.in(peer_box(f), {},
                {offsetof(CUDA_MEMCPY3D_PEER_v1, srcContext), offsetof(CUDA_MEMCPY3D_PEER_v1, dstContext)});
}

Slot pointer_attributes(Fixture& f) {
    return f.in(std::array<CUpointer_attribute, 2>{CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_CONTEXT});
}
Slot two_places(Fixture& f) { return f.in(std::array{f.scratch(64), f.scratch(64)}, {0, 8}); }
std::uint64_t reserve_threshold(Fixture& f) { return reinterpret_cast<std::uint64_t>(f.scratch(8)); }

/// Device memory where an address that no device knows is the host's own: a wild one ends the process.
Slot either(Fixture& f, std::size_t offset) {
    return {.kind = Kind::bytes, .thing = Thing::memory, .bits = f.get(Thing::memory) + offset};
}

void add_allocations(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuMemAlloc, f.makes(Thing::memory), 4096);
    WARPLIGHT_ROW(cuMemAllocPitch, f.makes(Thing::memory), f.out(), 100, 16, 4u);
    WARPLIGHT_ROW(cuMemFree, f.takes(Thing::memory));
    WARPLIGHT_ROW(cuMemAllocHost, f.makes(Thing::host_memory), 4096);
    WARPLIGHT_ROW(cuMemHostAlloc, f.makes(Thing::host_memory), 4096, 0);
    WARPLIGHT_ROW(cuMemFreeHost, f.takes(Thing::host_memory));
    WARPLIGHT_ROW(cuMemHostGetDevicePointer, f.out(), f.is(Thing::host_memory), 0);
    WARPLIGHT_ROW(cuMemHostGetFlags, f.out(), f.is(Thing::host_memory));
    WARPLIGHT_ROW(
        cuMemHostRegister,
        [&] {
            Slot slot = f.is(Thing::registered_memory);
            f.api.fn_cuMemHostUnregister(reinterpret_cast<void*>(slot.bits));
            return Slot{.kind = Kind::bytes, .bits = slot.bits};
        }(),
        4096, 0);
    WARPLIGHT_ROW(cuMemHostUnregister, [&] {
        Slot slot = f.is(Thing::registered_memory);
        f.api.fn_cuMemHostRegister(reinterpret_cast<void*>(slot.bits), kMemorySize, 0);
        return slot;
    }());
    WARPLIGHT_ROW(cuMemAllocManaged, f.makes(Thing::managed), 4096, 1u);
    WARPLIGHT_ROW(cuMemGetAddressRange, f.out(), f.out(), f.is(Thing::memory));
    WARPLIGHT_ROW(cuMemGetInfo, f.out(), f.out());
    WARPLIGHT_ROW(cuPointerGetAttribute, f.out(), CU_POINTER_ATTRIBUTE_MEMORY_TYPE, f.is(Thing::memory));
    WARPLIGHT_ROW_AS(cuPointerGetAttribute, "context", f.out(), CU_POINTER_ATTRIBUTE_CONTEXT, f.is(Thing::memory));
    WARPLIGHT_ROW(cuPointerGetAttributes, f.fixed(2), pointer_attributes(f), two_places(f), f.is(Thing::memory));
    WARPLIGHT_ROW(cuPointerSetAttribute, f.bytes(), CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, f.is(Thing::memory));

    WARPLIGHT_ROW(cuMemAdvise, f.is(Thing::managed), 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0);
    WARPLIGHT_ROW(cuMemAdvise_v2, f.is(Thing::managed), 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, (MemoryLocation{1, 0}));
    WARPLIGHT_ROW_AS(cuMemAdvise_v2, "nowhere", f.is(Thing::managed), 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
                     (MemoryLocation{77, 0}));
    WARPLIGHT_ROW(cuMemPrefetchAsync, f.is(Thing::managed), 4096, 0, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemPrefetchAsync_v2, f.is(Thing::managed), 4096, (MemoryLocation{1, 0}), 0, f.is(Thing::stream));
    WARPLIGHT_ROW_AS(cuMemPrefetchAsync_v2, "nowhere", f.is(Thing::managed), 4096, (MemoryLocation{1, 99}), 0,
                     f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemRangeGetAttribute, f.out(), 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, f.is(Thing::managed), 4096);
    WARPLIGHT_ROW(cuMemRangeGetAttributes, f.in(std::array{f.scratch(64)}, {0}), f.in(std::array<std::size_t, 1>{4}),
                  f.in(std::array{CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY}), f.fixed(1), f.is(Thing::managed), 4096);
    WARPLIGHT_ROW(cuStreamAttachMemAsync, f.is(Thing::stream), f.is(Thing::managed), f.pick(0, {1, 4096, ~0ull}), 1u);

    WARPLIGHT_ROW(cuMemAllocAsync, f.makes(Thing::pool_memory), 4096, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemFreeAsync, f.takes(Thing::pool_memory), f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemAllocFromPoolAsync, f.makes(Thing::pool_memory), 4096, f.is(Thing::pool), f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemPoolCreate, f.makes(Thing::pool), f.in(pool_properties()));
    WARPLIGHT_ROW(cuMemPoolDestroy, f.takes(Thing::pool));
    WARPLIGHT_ROW(cuMemPoolTrimTo, f.is(Thing::pool), 0);
    WARPLIGHT_ROW(cuMemPoolSetAttribute, f.is(Thing::pool), CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                  (Slot{.kind = Kind::bytes, .bits = reserve_threshold(f)}));
    WARPLIGHT_ROW_AS(cuMemPoolSetAttribute, "current", f.is(Thing::pool), CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
                     (Slot{.kind = Kind::bytes, .bits = reserve_threshold(f)}));
    WARPLIGHT_ROW(cuMemPoolGetAttribute, f.is(Thing::pool), CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, f.out());
    WARPLIGHT_ROW(cuMemPoolSetAccess, f.is(Thing::pool), f.in(access()), f.fixed(1));
    WARPLIGHT_ROW(cuMemPoolGetAccess, f.out(), f.is(Thing::pool), f.in(access().location));

    WARPLIGHT_ROW(cuMemAddressReserve, f.makes(Thing::reserved), kStep, f.pick(0, {3, kStep * 3, ~0ull}),
                  f.pick(0, {1, 4096}), f.pick(0, {1, ~0ull}));
    WARPLIGHT_ROW(cuMemAddressFree, f.takes(Thing::reserved), kStep);
    WARPLIGHT_ROW_AS(cuMemAddressFree, "mapped", f.is(Thing::mapped), kStep);
    WARPLIGHT_ROW(cuMemCreate, f.makes(Thing::physical), kStep,
                  f.in(physical_properties(), {offsetof(CUmemAllocationProp_v1, win32HandleMetaData)}),
                  f.pick(0, {1, ~0ull}));
    WARPLIGHT_ROW(cuMemRelease, f.takes(Thing::physical));
    WARPLIGHT_ROW(cuMemMap, f.takes(Thing::reserved), kStep, f.pick(0, {1, kStep, ~0ull}), f.is(Thing::physical),
                  f.pick(0, {1, ~0ull}));
    WARPLIGHT_ROW(cuMemUnmap, f.takes(Thing::mapped), kStep);
    WARPLIGHT_ROW(cuMemSetAccess, f.is(Thing::mapped), kStep, f.in(access()), f.fixed(1));
    WARPLIGHT_ROW(cuMemGetAccess, f.out(), f.in(access().location), f.is(Thing::mapped));
    WARPLIGHT_ROW(cuMemGetAllocationGranularity, f.out(),
                  f.in(physical_properties(), {offsetof(CUmemAllocationProp_v1, win32HandleMetaData)}),
                  CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    WARPLIGHT_ROW(cuMemGetAllocationPropertiesFromHandle, f.out(), f.is(Thing::physical));
    WARPLIGHT_ROW(cuMemRetainAllocationHandle, f.makes(Thing::physical), f.is(Thing::mapped));
}

void add_copies(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuMemcpy, either(f, 0), either(f, 8192), 64);
    WARPLIGHT_ROW(cuMemcpyAsync, either(f, 0), either(f, 8192), 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpyHtoD, f.is(Thing::memory), f.bytes(), 64);
    WARPLIGHT_ROW(cuMemcpyHtoDAsync, f.is(Thing::memory), f.bytes(), 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpyDtoH, f.bytes(), f.is(Thing::memory), 64);
    WARPLIGHT_ROW(cuMemcpyDtoHAsync, f.bytes(), f.is(Thing::memory), 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpyDtoD, f.is(Thing::memory), f.at(Thing::memory, 8192), 64);
    WARPLIGHT_ROW(cuMemcpyDtoDAsync, f.is(Thing::memory), f.at(Thing::memory, 8192), 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpyAtoA, f.is(Thing::line), f.pick(0, {256, ~0ull}), f.is(Thing::line),
                  f.pick(128, {256, ~0ull}), 64);
    WARPLIGHT_ROW(cuMemcpyAtoD, f.is(Thing::memory), f.is(Thing::line), f.pick(0, {256, ~0ull}), 64);
    WARPLIGHT_ROW(cuMemcpyDtoA, f.is(Thing::line), f.pick(0, {256, ~0ull}), f.is(Thing::memory), 64);
    WARPLIGHT_ROW(cuMemcpyAtoH, f.bytes(), f.is(Thing::line), f.pick(0, {256, ~0ull}), 64);
    WARPLIGHT_ROW(cuMemcpyHtoA, f.is(Thing::line), f.pick(0, {256, ~0ull}), f.bytes(), 64);
    WARPLIGHT_ROW(cuMemcpyAtoHAsync, f.bytes(), f.is(Thing::line), f.pick(0, {256, ~0ull}), 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpyHtoAAsync, f.is(Thing::line), f.pick(0, {256, ~0ull}), f.bytes(), 64, f.is(Thing::stream));
    WARPLIGHT_ROW_AS(cuMemcpyAtoH, "plane", f.bytes(), f.is(Thing::array), f.pick(0, {256, ~0ull}), 64);
    WARPLIGHT_ROW(cuMemcpyPeer, f.is(Thing::memory), f.is(Thing::current_context), f.at(Thing::memory, 8192),
                  f.is(Thing::current_context), 64);
    WARPLIGHT_ROW(cuMemcpyPeerAsync, f.is(Thing::memory), f.is(Thing::current_context), f.at(Thing::memory, 8192),
                  f.is(Thing::current_context), 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpy2D, in_plane(f));
    WARPLIGHT_ROW_AS(cuMemcpy2D, "array", in_plane(f, true));
    WARPLIGHT_ROW(cuMemcpy2DUnaligned, in_plane(f));
    WARPLIGHT_ROW(cuMemcpy2DAsync, in_plane(f), f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpy3D, in_box(f));
    WARPLIGHT_ROW_AS(cuMemcpy3D, "array", in_box(f, true));
    WARPLIGHT_ROW(cuMemcpy3DAsync, in_box(f), f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemcpy3DPeer, in_peer_box(f));
    WARPLIGHT_ROW(cuMemcpy3DPeerAsync, in_peer_box(f), f.is(Thing::stream));

    WARPLIGHT_ROW(cuMemsetD8, f.is(Thing::memory), 1, 64);
    WARPLIGHT_ROW(cuMemsetD16, f.is(Thing::memory), 1, 64);
    WARPLIGHT_ROW(cuMemsetD32, f.is(Thing::memory), f.fixed(1), 64);
    WARPLIGHT_ROW(cuMemsetD8Async, f.is(Thing::memory), 1, 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemsetD16Async, f.is(Thing::memory), 1, 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemsetD32Async, f.is(Thing::memory), f.fixed(1), 64, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemsetD2D8, f.is(Thing::memory), 64, 1, 16, 4);
    WARPLIGHT_ROW(cuMemsetD2D16, f.is(Thing::memory), 64, 1, 16, 4);
    WARPLIGHT_ROW(cuMemsetD2D32, f.is(Thing::memory), 64, f.fixed(1), 16, 4);
    WARPLIGHT_ROW(cuMemsetD2D8Async, f.is(Thing::memory), 64, 1, 16, 4, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemsetD2D16Async, f.is(Thing::memory), 64, 1, 16, 4, f.is(Thing::stream));
    WARPLIGHT_ROW(cuMemsetD2D32Async, f.is(Thing::memory), 64, f.fixed(1), 16, 4, f.is(Thing::stream));
}

} // namespace

void add_memory(std::vector<Row>& rows) {
    add_allocations(rows);
    add_copies(rows);
}

} // namespace bad_input
