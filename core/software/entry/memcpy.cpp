// SPDX-License-Identifier: Apache-2.0
// Copies between linear memory, in one to three dimensions.
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/bulk.hpp"
#include "../runtime/capture.hpp"

#include <algorithm>
#include <cstring>

using namespace warplight::software;

namespace {

/// Device memory must be known, and the range within one allocation.
void check_device(CUdeviceptr pointer, std::size_t count) {
    const auto a = AddressSpace::instance().find(pointer);
    if (!a) fail(CUDA_ERROR_INVALID_VALUE, "the device address is in no allocation");
    if (count > a->size - (pointer - a->base)) {
        fail(CUDA_ERROR_INVALID_VALUE, std::to_string(count) + " bytes are over the end of the allocation");
    }
}

/// Either kind of memory: unknown addresses are the host's own.
void check_any(std::uint64_t pointer, std::size_t count) {
    require(pointer != 0);
    if (const auto a = AddressSpace::instance().find(pointer)) require(count <= a->size - (pointer - a->base));
}

bool pageable(const void* pointer) {
    return !AddressSpace::instance().find(reinterpret_cast<std::uint64_t>(pointer)).has_value();
}

/// Of a copy that is waited for: the stream would wait for one that is captured, or a capture would miss the copy.
void forbid_now(Stream& stream) {
    forbid_capture(stream);
    forbid_unsafe_call();
}

void copy_now(Context& context, CUstream handle, void* to, const void* from, std::size_t count) {
    const auto stream = stream_of(context, handle);
    forbid_now(*stream);
    if (count == 0) return;
    stream->run([=] { copy_memory(to, from, count); });
}

/// Pageable memory may change or go as soon as the call returns, so such a copy is waited for.
void copy_later(Context& context, CUstream handle, void* to, const void* from, std::size_t count, bool wait) {
    const auto stream = stream_of(context, handle);
    if (count == 0) return;
    if (stream->capturing()) {
        capture_node(*stream, copy_content(linear_copy(to, from, count), context.shared_from_this()));
        return;
    }
    if (wait) {
        stream->run([=] { copy_memory(to, from, count); });
    } else {
        stream->enqueue([=] { copy_memory(to, from, count); });
    }
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// A copy of rows and slices.
struct Box {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::size_t to_pitch = 0, from_pitch = 0; ///< bytes from row to row
    std::size_t to_slice = 0, from_slice = 0; ///< bytes from slice to slice
    std::size_t width = 0, height = 1, depth = 1;

    void copy() const {
        for (std::size_t z = 0; z < depth; ++z) {
            for (std::size_t y = 0; y < height; ++y) {
                std::memmove(to + z * to_slice + y * to_pitch, from + z * from_slice + y * from_pitch, width);
            }
        }
    }
};

struct Side {
    CUmemorytype type;
    const void* host;
    CUdeviceptr device;
    std::size_t x, y, z, pitch, height;
};

/// The address of a side's first byte; its range is checked.
std::byte* start_of(const Side& side, std::size_t width, std::size_t height, std::size_t depth, std::size_t& pitch,
                    std::size_t& slice, bool& is_pageable) {
    if (side.type == CU_MEMORYTYPE_ARRAY) fail(CUDA_ERROR_NOT_SUPPORTED, "arrays are not supported");
    pitch = side.pitch ? side.pitch : side.x + width;
    const std::size_t rows = side.height ? side.height : side.y + height;
    require(pitch >= side.x + width || height * depth <= 1);
    require(rows >= side.y + height || depth <= 1);
    require(pitch <= 0x7FFFFFFF);
    slice = pitch * rows;
    const std::uint64_t base =
        side.type == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uint64_t>(side.host) : side.device;
    require(base != 0);
    const std::uint64_t first = base + side.z * slice + side.y * pitch + side.x;
    const std::size_t extent = (depth - 1) * slice + (height - 1) * pitch + width;
    switch (side.type) {
    case CU_MEMORYTYPE_HOST: is_pageable |= pageable(reinterpret_cast<void*>(base)); break;
    case CU_MEMORYTYPE_DEVICE: check_device(first, extent); break;
    case CU_MEMORYTYPE_UNIFIED:
        check_any(first, extent);
        is_pageable |= pageable(reinterpret_cast<void*>(first));
        break;
    default: fail(CUDA_ERROR_INVALID_VALUE);
    }
    return reinterpret_cast<std::byte*>(first);
}

template <class Copy>
Side destination_of(const Copy& c) {
    return {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight};
}
template <class Copy>
Side source_of(const Copy& c) {
    return {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight};
}

CUresult copy_box(const CUDA_MEMCPY3D& c, CUstream hStream, bool later) {
    return enter([&] {
        Context& context = current_context();
        const auto stream = stream_of(context, hStream);
        if (c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0) return;
        if (!later) forbid_now(*stream);
        if (later && stream->capturing()) {
            capture_node(*stream, copy_content(c, context.shared_from_this()));
            return;
        }
        bool wait = !later;
        auto work = prepare_copy(c, wait);
        if (wait)
            stream->run(std::move(work));
        else
            stream->enqueue(std::move(work));
    });
}

CUresult copy_2d(const CUDA_MEMCPY2D* c, CUstream hStream, bool later) {
    if (!c) return initialised() ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_INITIALIZED;
    CUDA_MEMCPY3D box{};
    box.srcXInBytes = c->srcXInBytes;
    box.srcY = c->srcY;
    box.srcMemoryType = c->srcMemoryType;
    box.srcHost = c->srcHost;
    box.srcDevice = c->srcDevice;
    box.srcArray = c->srcArray;
    box.srcPitch = c->srcPitch;
    box.dstXInBytes = c->dstXInBytes;
    box.dstY = c->dstY;
    box.dstMemoryType = c->dstMemoryType;
    box.dstHost = c->dstHost;
    box.dstDevice = c->dstDevice;
    box.dstArray = c->dstArray;
    box.dstPitch = c->dstPitch;
    box.WidthInBytes = c->WidthInBytes;
    box.Height = c->Height;
    box.Depth = 1;
    return copy_box(box, hStream, later);
}

template <class Copy>
CUresult copy_3d(const Copy* c, CUstream hStream, bool later) {
    if (!c) return initialised() ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_INITIALIZED;
    if (c->srcLOD != 0 || c->dstLOD != 0) return CUDA_ERROR_INVALID_VALUE;
    static_assert(sizeof(Copy) == sizeof(CUDA_MEMCPY3D)); // contexts are where the others have reserved fields
    CUDA_MEMCPY3D box{};
    std::memcpy(&box, c, sizeof box);
    return copy_box(box, hStream, later);
}

} // namespace

namespace warplight::software {

std::function<void()> prepare_copy(const CUDA_MEMCPY3D& c, bool& waits) {
    require(c.srcLOD == 0 && c.dstLOD == 0);
    if (c.WidthInBytes == 0 || c.Height == 0 || c.Depth == 0) return [] {};
    Box box;
    box.width = c.WidthInBytes;
    box.height = c.Height;
    box.depth = c.Depth;
    box.to = start_of(destination_of(c), box.width, box.height, box.depth, box.to_pitch, box.to_slice, waits);
    box.from = start_of(source_of(c), box.width, box.height, box.depth, box.from_pitch, box.from_slice, waits);
    if (box.height == 1 && box.depth == 1) return [box] { copy_memory(box.to, box.from, box.width); };
    return [box] { box.copy(); };
}

CUDA_MEMCPY3D linear_copy(void* to, const void* from, std::size_t count) {
    const auto type = [](const void* address) {
        const auto a = AddressSpace::instance().find(reinterpret_cast<std::uint64_t>(address));
        const bool host = !a || a->kind == Allocation::Kind::host || a->kind == Allocation::Kind::registered;
        return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    };
    CUDA_MEMCPY3D c{};
    c.dstMemoryType = type(to);
    c.srcMemoryType = type(from);
    c.dstHost = to;
    c.dstDevice = reinterpret_cast<CUdeviceptr>(to);
    c.srcHost = from;
    c.srcDevice = reinterpret_cast<CUdeviceptr>(from);
    if (c.dstMemoryType == CU_MEMORYTYPE_DEVICE)
        c.dstHost = nullptr;
    else
        c.dstDevice = 0;
    if (c.srcMemoryType == CU_MEMORYTYPE_DEVICE)
        c.srcHost = nullptr;
    else
        c.srcDevice = 0;
    c.WidthInBytes = count;
    c.Height = c.Depth = 1;
    return c;
}

} // namespace warplight::software

WL_STREAM_ENTRY(cuMemcpy, _ptds, 4000, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), (dst, src, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            check_any(dst, ByteCount);
            check_any(src, ByteCount);
        }
        copy_now(context, nullptr, pointer(dst), pointer(src), ByteCount);
    });
}

WL_STREAM_ENTRY(cuMemcpyAsync, _ptsz, 4000, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream),
                (dst, src, ByteCount, hStream)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            check_any(dst, ByteCount);
            check_any(src, ByteCount);
        }
        const bool wait = pageable(pointer(dst)) || pageable(pointer(src));
        copy_later(context, hStream, pointer(dst), pointer(src), ByteCount, wait);
    });
}

WL_STREAM_ENTRY(cuMemcpyHtoD_v2, _ptds, 3020, (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount),
                (dstDevice, srcHost, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            require(srcHost);
            check_device(dstDevice, ByteCount);
        }
        copy_now(context, nullptr, pointer(dstDevice), srcHost, ByteCount);
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoH_v2, _ptds, 3020, (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount),
                (dstHost, srcDevice, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            require(dstHost);
            check_device(srcDevice, ByteCount);
        }
        copy_now(context, nullptr, dstHost, pointer(srcDevice), ByteCount);
        flush_output();
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoD_v2, _ptds, 3020, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount),
                (dstDevice, srcDevice, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            check_device(dstDevice, ByteCount);
            check_device(srcDevice, ByteCount);
        }
        copy_now(context, nullptr, pointer(dstDevice), pointer(srcDevice), ByteCount);
    });
}

WL_STREAM_ENTRY(cuMemcpyHtoDAsync_v2, _ptsz, 3020,
                (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream),
                (dstDevice, srcHost, ByteCount, hStream)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            require(srcHost);
            check_device(dstDevice, ByteCount);
        }
        copy_later(context, hStream, pointer(dstDevice), srcHost, ByteCount, pageable(srcHost));
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoHAsync_v2, _ptsz, 3020,
                (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
                (dstHost, srcDevice, ByteCount, hStream)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            require(dstHost);
            check_device(srcDevice, ByteCount);
        }
        copy_later(context, hStream, dstHost, pointer(srcDevice), ByteCount, pageable(dstHost));
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoDAsync_v2, _ptsz, 3020,
                (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
                (dstDevice, srcDevice, ByteCount, hStream)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            check_device(dstDevice, ByteCount);
            check_device(srcDevice, ByteCount);
        }
        copy_later(context, hStream, pointer(dstDevice), pointer(srcDevice), ByteCount, false);
    });
}

namespace {
CUresult copy_peer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, std::size_t count,
                   CUstream hStream, bool later) {
    return enter([&] {
        Context& context = current_context();
        (void)handles<Context>().get(to_context, CUDA_ERROR_INVALID_CONTEXT);
        const auto source = handles<Context>().get(from_context, CUDA_ERROR_INVALID_CONTEXT);
        if (count) {
            check_device(to, count);
            check_device(from, count);
        }
        if (!later) source->drain(); // what made the data was ordered with it there
        if (later)
            copy_later(context, hStream, pointer(to), pointer(from), count, false);
        else
            copy_now(context, hStream, pointer(to), pointer(from), count);
    });
}
} // namespace

WL_STREAM_ENTRY(cuMemcpyPeer, _ptds, 4000,
                (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                 size_t ByteCount),
                (dstDevice, dstContext, srcDevice, srcContext, ByteCount)) {
    return copy_peer(dstDevice, dstContext, srcDevice, srcContext, ByteCount, nullptr, false);
}

WL_STREAM_ENTRY(cuMemcpyPeerAsync, _ptsz, 4000,
                (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                 size_t ByteCount, CUstream hStream),
                (dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream)) {
    return copy_peer(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream, true);
}

WL_STREAM_ENTRY(cuMemcpy2D_v2, _ptds, 3020, (const CUDA_MEMCPY2D* pCopy), (pCopy)) {
    return copy_2d(pCopy, nullptr, false);
}
WL_STREAM_ENTRY(cuMemcpy2DUnaligned_v2, _ptds, 3020, (const CUDA_MEMCPY2D* pCopy), (pCopy)) {
    return copy_2d(pCopy, nullptr, false);
}
WL_STREAM_ENTRY(cuMemcpy2DAsync_v2, _ptsz, 3020, (const CUDA_MEMCPY2D* pCopy, CUstream hStream), (pCopy, hStream)) {
    return copy_2d(pCopy, hStream, true);
}
WL_STREAM_ENTRY(cuMemcpy3D_v2, _ptds, 3020, (const CUDA_MEMCPY3D* pCopy), (pCopy)) {
    return copy_3d(pCopy, nullptr, false);
}
WL_STREAM_ENTRY(cuMemcpy3DAsync_v2, _ptsz, 3020, (const CUDA_MEMCPY3D* pCopy, CUstream hStream), (pCopy, hStream)) {
    return copy_3d(pCopy, hStream, true);
}
WL_STREAM_ENTRY(cuMemcpy3DPeer, _ptds, 4000, (const CUDA_MEMCPY3D_PEER* pCopy), (pCopy)) {
    return copy_3d(pCopy, nullptr, false);
}
WL_STREAM_ENTRY(cuMemcpy3DPeerAsync, _ptsz, 4000, (const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream),
                (pCopy, hStream)) {
    return copy_3d(pCopy, hStream, true);
}
