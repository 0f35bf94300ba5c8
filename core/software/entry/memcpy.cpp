// SPDX-License-Identifier: Apache-2.0
// Copies between linear memory, byte after byte.
#include "entry.hpp"
#include "graph_content.hpp"
#include "structured_copy.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/bulk.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/work_races.hpp"

#include <algorithm>
#include <cstring>

using namespace warplight::software;

namespace {

/// Device memory must be known, and the range within one allocation.
void check_device(CUdeviceptr pointer, std::size_t count) {
    const std::uint64_t room = AddressSpace::instance().room(pointer);
    if (room == 0) fail(CUDA_ERROR_INVALID_VALUE, "the device address is in no allocation");
    if (count > room) {
        fail(CUDA_ERROR_INVALID_VALUE, std::to_string(count) + " bytes are over the end of the allocation");
    }
}

/// Either kind of memory: unknown addresses are the host's own.
void check_any(std::uint64_t pointer, std::size_t count) {
    require(pointer != 0);
    if (AddressSpace::instance().find(pointer)) require(count <= AddressSpace::instance().room(pointer));
}

bool pageable(const void* pointer) {
    return !AddressSpace::instance().find(reinterpret_cast<std::uint64_t>(pointer)).has_value();
}

void copy(void* to, const void* from, std::size_t count) {
    copy_memory(to, from, count);
    BoxCopy box;
    box.to = static_cast<std::byte*>(to);
    box.from = static_cast<const std::byte*>(from);
    box.width = count;
    WorkRaces::instance().keep_copy(box);
    count_copy(to, from, count);
}

void copy_now(Context& context, void* to, const void* from, std::size_t count) {
    const auto stream = stream_of(context, nullptr);
    forbid_capture(*stream);
    if (count == 0) return;
    stream->run([=] { copy(to, from, count); });
}

/// Pageable memory may change or go as soon as the call returns, so such a copy is waited for.
void copy_later(const std::shared_ptr<Stream>& stream, void* to, const void* from, std::size_t count, bool wait) {
    if (count == 0) return;
    if (stream->capturing()) {
        capture_node(*stream, copy_content(linear_copy(to, from, count), stream->context().shared_from_this()));
        return;
    }
    if (wait) {
        stream->run([=] { copy(to, from, count); });
    } else {
        stream->enqueue([=] { copy(to, from, count); });
    }
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

} // namespace

namespace warplight::software {

std::function<void()> prepare_copy(const CUDA_MEMCPY3D& c, bool& waits) {
    CopyPlan plan = plan_copy(c);
    waits |= plan.pageable;
    return [plan = std::move(plan)] { plan.run(); };
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

WL_STREAM_ENTRY(cuMemcpy, _ptds, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), (dst, src, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            check_any(dst, ByteCount);
            check_any(src, ByteCount);
        }
        copy_now(context, pointer(dst), pointer(src), ByteCount);
    });
}

WL_STREAM_ENTRY(cuMemcpyAsync, _ptsz, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream),
                (dst, src, ByteCount, hStream)) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        if (ByteCount) {
            check_any(dst, ByteCount);
            check_any(src, ByteCount);
        }
        const bool wait = pageable(pointer(dst)) || pageable(pointer(src));
        copy_later(stream, pointer(dst), pointer(src), ByteCount, wait);
    });
}

WL_STREAM_ENTRY(cuMemcpyHtoD_v2, _ptds, (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount),
                (dstDevice, srcHost, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            require(srcHost);
            check_device(dstDevice, ByteCount);
        }
        copy_now(context, pointer(dstDevice), srcHost, ByteCount);
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoH_v2, _ptds, (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount),
                (dstHost, srcDevice, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            require(dstHost);
            check_device(srcDevice, ByteCount);
        }
        copy_now(context, dstHost, pointer(srcDevice), ByteCount);
        flush_output();
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoD_v2, _ptds, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount),
                (dstDevice, srcDevice, ByteCount)) {
    return enter([&] {
        Context& context = current_context();
        if (ByteCount) {
            check_device(dstDevice, ByteCount);
            check_device(srcDevice, ByteCount);
        }
        copy_now(context, pointer(dstDevice), pointer(srcDevice), ByteCount);
    });
}

WL_STREAM_ENTRY(cuMemcpyHtoDAsync_v2, _ptsz,
                (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream),
                (dstDevice, srcHost, ByteCount, hStream)) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        if (ByteCount) {
            require(srcHost);
            check_device(dstDevice, ByteCount);
        }
        copy_later(stream, pointer(dstDevice), srcHost, ByteCount, pageable(srcHost));
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoHAsync_v2, _ptsz, (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
                (dstHost, srcDevice, ByteCount, hStream)) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        if (ByteCount) {
            require(dstHost);
            check_device(srcDevice, ByteCount);
        }
        copy_later(stream, dstHost, pointer(srcDevice), ByteCount, pageable(dstHost));
    });
}

WL_STREAM_ENTRY(cuMemcpyDtoDAsync_v2, _ptsz,
                (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
                (dstDevice, srcDevice, ByteCount, hStream)) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        if (ByteCount) {
            check_device(dstDevice, ByteCount);
            check_device(srcDevice, ByteCount);
        }
        copy_later(stream, pointer(dstDevice), pointer(srcDevice), ByteCount, false);
    });
}

namespace {
CUresult copy_peer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, std::size_t count,
                   CUstream hStream, bool later) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        Context& context = stream->context();
        // Where the memory is, its addresses say; the contexts say whose work a copy that waits comes after.
        const auto destination = peer_context(to_context), source = peer_context(from_context);
        if (count) {
            check_device(to, count);
            check_device(from, count);
        }
        if (later) {
            forbid_capture(*stream); // a graph has no such node
            copy_later(stream, pointer(to), pointer(from), count, false);
            return;
        }
        forbid_capture(*stream);
        for (const auto& other : {source, destination})
            if (other && other.get() != &context) other->stream(nullptr)->synchronize();
        copy_now(context, pointer(to), pointer(from), count);
    });
}
} // namespace

WL_STREAM_ENTRY(cuMemcpyPeer, _ptds,
                (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                 size_t ByteCount),
                (dstDevice, dstContext, srcDevice, srcContext, ByteCount)) {
    return copy_peer(dstDevice, dstContext, srcDevice, srcContext, ByteCount, nullptr, false);
}

WL_STREAM_ENTRY(cuMemcpyPeerAsync, _ptsz,
                (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                 size_t ByteCount, CUstream hStream),
                (dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream)) {
    return copy_peer(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream, true);
}
