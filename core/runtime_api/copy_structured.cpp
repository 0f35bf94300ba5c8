// SPDX-License-Identifier: Apache-2.0
// Copies of areas and volumes, and to, from and between arrays.
#include "runtime_api/copies.hpp"

#include <algorithm>

namespace warplight::runtime_api {

namespace {

enum class Side { source, target };

/// What a kind says of one end of a copy.
CUmemorytype memory_of(int kind, Side side) {
    const bool source = side == Side::source;
    switch (kind) {
    case copy_host_to_host: return CU_MEMORYTYPE_UNIFIED; // any host memory
    case copy_host_to_device: return source ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    case copy_device_to_host: return source ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    case copy_device_to_device: return CU_MEMORYTYPE_DEVICE;
    default: return CU_MEMORYTYPE_UNIFIED;
    }
}

/// Both structures of the driver name their parts alike.
template <class DriverCopy>
void set_source(DriverCopy& copy, CUmemorytype type, const void* pointer, std::size_t pitch) {
    copy.srcMemoryType = type;
    copy.srcHost = type == CU_MEMORYTYPE_HOST ? pointer : nullptr;
    copy.srcDevice = type == CU_MEMORYTYPE_HOST ? 0 : address(pointer);
    copy.srcPitch = pitch;
}
template <class DriverCopy>
void set_target(DriverCopy& copy, CUmemorytype type, void* pointer, std::size_t pitch) {
    copy.dstMemoryType = type;
    copy.dstHost = type == CU_MEMORYTYPE_HOST ? pointer : nullptr;
    copy.dstDevice = type == CU_MEMORYTYPE_HOST ? 0 : address(pointer);
    copy.dstPitch = pitch;
}

CUDA_MEMCPY2D area(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                   std::size_t width, std::size_t height, int kind) {
    check_kind(kind);
    require(height == 0 || (target_pitch >= width && source_pitch >= width),
            height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue);
    CUDA_MEMCPY2D copy{};
    set_source(copy, memory_of(kind, Side::source), source, source_pitch);
    set_target(copy, memory_of(kind, Side::target), target, target_pitch);
    copy.WidthInBytes = width;
    copy.Height = height;
    return copy;
}

CUDA_MEMCPY2D area_to_array(Array target, std::size_t x, std::size_t y, const void* source, std::size_t pitch,
                            std::size_t width, std::size_t height, int kind) {
    check_kind(kind);
    require(target, cudaErrorInvalidResourceHandle);
    require(kind != copy_host_to_host && kind != copy_device_to_host, cudaErrorInvalidMemcpyDirection);
    require(height <= 1 || pitch >= width, cudaErrorInvalidPitchValue);
    CUDA_MEMCPY2D copy{};
    set_source(copy, memory_of(kind, Side::source), source, std::max(pitch, width));
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = target;
    copy.dstXInBytes = x;
    copy.dstY = y;
    copy.WidthInBytes = width;
    copy.Height = height;
    return copy;
}

CUDA_MEMCPY2D area_from_array(void* target, std::size_t pitch, Array source, std::size_t x, std::size_t y,
                              std::size_t width, std::size_t height, int kind) {
    check_kind(kind);
    require(source, cudaErrorInvalidResourceHandle);
    require(kind != copy_host_to_host && kind != copy_host_to_device, cudaErrorInvalidMemcpyDirection);
    require(height <= 1 || pitch >= width, cudaErrorInvalidPitchValue);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = source;
    copy.srcXInBytes = x;
    copy.srcY = y;
    set_target(copy, memory_of(kind, Side::target), target, std::max(pitch, width));
    copy.WidthInBytes = width;
    copy.Height = height;
    return copy;
}

/// `count` bytes of an array that are copied as a stripe: the rest of the first row, whole rows, the begin of the last.
struct Stripe {
    std::size_t x, y, width, height, offset; ///< offset: of its bytes in linear memory
};
template <class Take>
void each_stripe(const Functions& f, Array array, std::size_t x, std::size_t y, std::size_t count, Take take) {
    CUDA_ARRAY3D_DESCRIPTOR description{};
    check(f.fn_cuArray3DGetDescriptor(&description, array));
    const std::size_t row = description.Width * element_size(f, array);
    require(row > 0 && x < row);
    std::size_t done = 0;
    while (done < count) {
        Stripe stripe{x, y, std::min(row - x, count - done), 1, done};
        if (x == 0 && count - done >= row) stripe.height = (count - done) / row;
        take(stripe);
        done += stripe.width * stripe.height;
        y += stripe.height;
        x = 0;
    }
}

enum class When { now, later };

CUresult run(const Functions& f, const CUDA_MEMCPY2D& copy, When when, Stream stream = nullptr) {
    if (copy.WidthInBytes == 0 || copy.Height == 0) return CUDA_SUCCESS;
    return when == When::now ? f.fn_cuMemcpy2DUnaligned(&copy) : f.fn_cuMemcpy2DAsync(&copy, stream);
}

bool is_empty(const Extent& extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

CUDA_MEMCPY3D_PEER driver_copy(const Functions& f, const PeerCopy3D& p) {
    Copy3D plain{p.source_array,    p.source_position, p.source, p.target_array,
                 p.target_position, p.target,          p.extent, copy_default};
    const CUDA_MEMCPY3D one = driver_copy(f, plain);
    CUDA_MEMCPY3D_PEER copy{};
    copy.srcXInBytes = one.srcXInBytes;
    copy.srcY = one.srcY;
    copy.srcZ = one.srcZ;
    copy.srcMemoryType = one.srcMemoryType;
    copy.srcDevice = one.srcDevice;
    copy.srcArray = one.srcArray;
    copy.srcPitch = one.srcPitch;
    copy.srcHeight = one.srcHeight;
    copy.dstXInBytes = one.dstXInBytes;
    copy.dstY = one.dstY;
    copy.dstZ = one.dstZ;
    copy.dstMemoryType = one.dstMemoryType;
    copy.dstDevice = one.dstDevice;
    copy.dstArray = one.dstArray;
    copy.dstPitch = one.dstPitch;
    copy.dstHeight = one.dstHeight;
    copy.WidthInBytes = one.WidthInBytes;
    copy.Height = one.Height;
    copy.Depth = one.Depth;
    check(primary_context(f, p.source_device, copy.srcContext));
    check(primary_context(f, p.target_device, copy.dstContext));
    return copy;
}

} // namespace

CUDA_MEMCPY3D driver_copy(const Functions& f, const Copy3D& p) {
    check_kind(p.kind);
    require(!!p.source_array != !!p.source.pointer && !!p.target_array != !!p.target.pointer);
    // An array makes the extent one of its elements.
    std::size_t element = 1;
    if (p.source_array) element = element_size(f, p.source_array);
    if (p.target_array) {
        const std::size_t its = element_size(f, p.target_array);
        require(!p.source_array || its == element);
        element = its;
    }
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = p.extent.width * element;
    copy.Height = p.extent.height;
    copy.Depth = p.extent.depth;
    const bool rows = p.extent.height > 1 || p.extent.depth > 1;
    if (p.source_array) {
        copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.srcArray = p.source_array;
        copy.srcXInBytes = p.source_position.x * element;
    } else {
        require(!rows || p.source.pitch >= copy.WidthInBytes, cudaErrorInvalidPitchValue);
        set_source(copy, memory_of(p.kind, Side::source), p.source.pointer, p.source.pitch);
        copy.srcHeight = p.source.ysize;
        copy.srcXInBytes = p.source_position.x;
    }
    copy.srcY = p.source_position.y;
    copy.srcZ = p.source_position.z;
    if (p.target_array) {
        copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.dstArray = p.target_array;
        copy.dstXInBytes = p.target_position.x * element;
    } else {
        require(!rows || p.target.pitch >= copy.WidthInBytes, cudaErrorInvalidPitchValue);
        set_target(copy, memory_of(p.kind, Side::target), p.target.pointer, p.target.pitch);
        copy.dstHeight = p.target.ysize;
        copy.dstXInBytes = p.target_position.x;
    }
    copy.dstY = p.target_position.y;
    copy.dstZ = p.target_position.z;
    return copy;
}

CUDA_MEMCPY3D driver_copy(void* target, const void* source, std::size_t count, int kind) {
    check_kind(kind);
    require(count > 0);
    CUDA_MEMCPY3D copy{};
    set_source(copy, memory_of(kind, Side::source), source, count);
    set_target(copy, memory_of(kind, Side::target), target, count);
    copy.WidthInBytes = count;
    copy.Height = copy.Depth = 1;
    copy.srcHeight = copy.dstHeight = 1;
    return copy;
}

Copy3D runtime_copy(const Functions& f, const CUDA_MEMCPY3D& d) {
    Copy3D copy{};
    std::size_t element = 1;
    if (d.srcArray) element = element_size(f, d.srcArray);
    if (d.dstArray) element = element_size(f, d.dstArray);
    copy.extent = {d.WidthInBytes / element, d.Height, d.Depth};
    if (d.srcMemoryType == CU_MEMORYTYPE_ARRAY) {
        copy.source_array = d.srcArray;
        copy.source_position.x = d.srcXInBytes / element;
    } else {
        void* const pointer =
            d.srcMemoryType == CU_MEMORYTYPE_HOST ? const_cast<void*>(d.srcHost) : reinterpret_cast<void*>(d.srcDevice);
        copy.source = {pointer, d.srcPitch, d.srcPitch, d.srcHeight};
        copy.source_position.x = d.srcXInBytes;
    }
    copy.source_position.y = d.srcY;
    copy.source_position.z = d.srcZ;
    if (d.dstMemoryType == CU_MEMORYTYPE_ARRAY) {
        copy.target_array = d.dstArray;
        copy.target_position.x = d.dstXInBytes / element;
    } else {
        void* const pointer = d.dstMemoryType == CU_MEMORYTYPE_HOST ? d.dstHost : reinterpret_cast<void*>(d.dstDevice);
        copy.target = {pointer, d.dstPitch, d.dstPitch, d.dstHeight};
        copy.target_position.x = d.dstXInBytes;
    }
    copy.target_position.y = d.dstY;
    copy.target_position.z = d.dstZ;
    const auto on_host = [](CUmemorytype type) { return type == CU_MEMORYTYPE_HOST; };
    if (d.srcMemoryType == CU_MEMORYTYPE_UNIFIED || d.dstMemoryType == CU_MEMORYTYPE_UNIFIED)
        copy.kind = copy_default;
    else if (on_host(d.srcMemoryType))
        copy.kind = on_host(d.dstMemoryType) ? copy_host_to_host : copy_host_to_device;
    else
        copy.kind = on_host(d.dstMemoryType) ? copy_device_to_host : copy_device_to_device;
    return copy;
}

WL_STREAM_RUNTIME(cudaMemcpy2D, _ptds,
                  (void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                   std::size_t width, std::size_t height, int kind),
                  (target, target_pitch, source, source_pitch, width, height, kind)) {
    return call<PerThread>([&](const Functions& f) {
        return run(f, area(target, target_pitch, source, source_pitch, width, height, kind), When::now);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy2DAsync, _ptsz,
                  (void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                   std::size_t width, std::size_t height, int kind, Stream stream),
                  (target, target_pitch, source, source_pitch, width, height, kind, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return run(f, area(target, target_pitch, source, source_pitch, width, height, kind), When::later, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy2DToArray, _ptds,
                  (Array target, std::size_t x, std::size_t y, const void* source, std::size_t pitch, std::size_t width,
                   std::size_t height, int kind),
                  (target, x, y, source, pitch, width, height, kind)) {
    return call<PerThread>([&](const Functions& f) {
        return run(f, area_to_array(target, x, y, source, pitch, width, height, kind), When::now);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy2DToArrayAsync, _ptsz,
                  (Array target, std::size_t x, std::size_t y, const void* source, std::size_t pitch, std::size_t width,
                   std::size_t height, int kind, Stream stream),
                  (target, x, y, source, pitch, width, height, kind, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return run(f, area_to_array(target, x, y, source, pitch, width, height, kind), When::later, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy2DFromArray, _ptds,
                  (void* target, std::size_t pitch, Array source, std::size_t x, std::size_t y, std::size_t width,
                   std::size_t height, int kind),
                  (target, pitch, source, x, y, width, height, kind)) {
    return call<PerThread>([&](const Functions& f) {
        return run(f, area_from_array(target, pitch, source, x, y, width, height, kind), When::now);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy2DFromArrayAsync, _ptsz,
                  (void* target, std::size_t pitch, Array source, std::size_t x, std::size_t y, std::size_t width,
                   std::size_t height, int kind, Stream stream),
                  (target, pitch, source, x, y, width, height, kind, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return run(f, area_from_array(target, pitch, source, x, y, width, height, kind), When::later, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy2DArrayToArray, _ptds,
                  (Array target, std::size_t target_x, std::size_t target_y, Array source, std::size_t source_x,
                   std::size_t source_y, std::size_t width, std::size_t height, int kind),
                  (target, target_x, target_y, source, source_x, source_y, width, height, kind)) {
    return call<PerThread>([&](const Functions& f) {
        check_kind(kind);
        require(target && source, cudaErrorInvalidResourceHandle);
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.srcArray = source;
        copy.srcXInBytes = source_x;
        copy.srcY = source_y;
        copy.dstArray = target;
        copy.dstXInBytes = target_x;
        copy.dstY = target_y;
        copy.WidthInBytes = width;
        copy.Height = height;
        return run(f, copy, When::now);
    });
}

namespace {

CUresult to_array(const Functions& f, Array target, std::size_t x, std::size_t y, const void* source, std::size_t count,
                  int kind, When when, Stream stream = nullptr) {
    require(target, cudaErrorInvalidResourceHandle);
    each_stripe(f, target, x, y, count, [&](const Stripe& s) {
        check(run(f,
                  area_to_array(target, s.x, s.y, static_cast<const char*>(source) + s.offset, s.width, s.width,
                                s.height, kind),
                  when, stream));
    });
    return CUDA_SUCCESS;
}
CUresult from_array(const Functions& f, void* target, Array source, std::size_t x, std::size_t y, std::size_t count,
                    int kind, When when, Stream stream = nullptr) {
    require(source, cudaErrorInvalidResourceHandle);
    each_stripe(f, source, x, y, count, [&](const Stripe& s) {
        check(run(
            f,
            area_from_array(static_cast<char*>(target) + s.offset, s.width, source, s.x, s.y, s.width, s.height, kind),
            when, stream));
    });
    return CUDA_SUCCESS;
}

} // namespace

WL_STREAM_RUNTIME(cudaMemcpyToArray, _ptds,
                  (Array target, std::size_t x, std::size_t y, const void* source, std::size_t count, int kind),
                  (target, x, y, source, count, kind)) {
    return call<PerThread>(
        [&](const Functions& f) { return to_array(f, target, x, y, source, count, kind, When::now); });
}
WL_STREAM_RUNTIME(cudaMemcpyToArrayAsync, _ptsz,
                  (Array target, std::size_t x, std::size_t y, const void* source, std::size_t count, int kind,
                   Stream stream),
                  (target, x, y, source, count, kind, stream)) {
    return call<PerThread>(
        [&](const Functions& f) { return to_array(f, target, x, y, source, count, kind, When::later, stream); });
}
WL_STREAM_RUNTIME(cudaMemcpyFromArray, _ptds,
                  (void* target, Array source, std::size_t x, std::size_t y, std::size_t count, int kind),
                  (target, source, x, y, count, kind)) {
    return call<PerThread>(
        [&](const Functions& f) { return from_array(f, target, source, x, y, count, kind, When::now); });
}
WL_STREAM_RUNTIME(cudaMemcpyFromArrayAsync, _ptsz,
                  (void* target, Array source, std::size_t x, std::size_t y, std::size_t count, int kind,
                   Stream stream),
                  (target, source, x, y, count, kind, stream)) {
    return call<PerThread>(
        [&](const Functions& f) { return from_array(f, target, source, x, y, count, kind, When::later, stream); });
}
WL_STREAM_RUNTIME(cudaMemcpyArrayToArray, _ptds,
                  (Array target, std::size_t target_x, std::size_t target_y, Array source, std::size_t source_x,
                   std::size_t source_y, std::size_t count, int kind),
                  (target, target_x, target_y, source, source_x, source_y, count, kind)) {
    return call<PerThread>([&](const Functions& f) {
        check_kind(kind);
        require(target && source, cudaErrorInvalidResourceHandle);
        // Both break their rows where they end themselves.
        each_stripe(f, target, target_x, target_y, count, [&](const Stripe& to) {
            for (std::size_t line = 0; line < to.height; ++line) {
                std::size_t row = 0;
                CUDA_ARRAY3D_DESCRIPTOR description{};
                check(f.fn_cuArray3DGetDescriptor(&description, source));
                row = description.Width * element_size(f, source);
                require(row > 0);
                const std::size_t at = source_y * row + source_x + to.offset + line * to.width;
                each_stripe(f, source, at % row, at / row, to.width, [&](const Stripe& from) {
                    CUDA_MEMCPY2D copy{};
                    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
                    copy.srcArray = source;
                    copy.srcXInBytes = from.x;
                    copy.srcY = from.y;
                    copy.dstArray = target;
                    copy.dstXInBytes = to.x + from.offset;
                    copy.dstY = to.y + line;
                    copy.WidthInBytes = from.width;
                    copy.Height = from.height;
                    check(run(f, copy, When::now));
                });
            }
        });
        return CUDA_SUCCESS;
    });
}

namespace {
/// `copy(the driver's description)`, unless nothing is copied.
template <class Parameters, class Run>
CUresult copy_volume(const Functions& f, const Parameters* parameters, Run copy) {
    require(parameters);
    if (is_empty(parameters->extent)) return CUDA_SUCCESS;
    const auto description = driver_copy(f, *parameters);
    return copy(&description);
}
} // namespace

WL_STREAM_RUNTIME(cudaMemcpy3D, _ptds, (const Copy3D* parameters), (parameters)) {
    return call<PerThread>([&](const Functions& f) { return copy_volume(f, parameters, f.fn_cuMemcpy3D); });
}
WL_STREAM_RUNTIME(cudaMemcpy3DAsync, _ptsz, (const Copy3D* parameters, Stream stream), (parameters, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return copy_volume(f, parameters,
                           [&](const CUDA_MEMCPY3D* copy) { return f.fn_cuMemcpy3DAsync(copy, stream); });
    });
}
WL_STREAM_RUNTIME(cudaMemcpy3DPeer, _ptds, (const PeerCopy3D* parameters), (parameters)) {
    return call<PerThread>([&](const Functions& f) { return copy_volume(f, parameters, f.fn_cuMemcpy3DPeer); });
}
WL_STREAM_RUNTIME(cudaMemcpy3DPeerAsync, _ptsz, (const PeerCopy3D* parameters, Stream stream), (parameters, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return copy_volume(f, parameters,
                           [&](const CUDA_MEMCPY3D_PEER* copy) { return f.fn_cuMemcpy3DPeerAsync(copy, stream); });
    });
}

} // namespace warplight::runtime_api
