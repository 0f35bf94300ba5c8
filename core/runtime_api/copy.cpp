// SPDX-License-Identifier: Apache-2.0
// Copies and fills of linear memory, and of variables.
#include "runtime_api/contexts.hpp"
#include "runtime_api/copies.hpp"
#include "runtime_api/registry.hpp"

namespace warplight::runtime_api {

namespace {

CUresult copy(const Functions& f, void* target, const void* source, std::size_t count, int kind) {
    if (count == 0) return CUDA_SUCCESS; // whatever the kind
    check_kind(kind);
    require(target && source);
    switch (kind) {
    case copy_host_to_device: return f.fn_cuMemcpyHtoD(address(target), source, count);
    case copy_device_to_host: return f.fn_cuMemcpyDtoH(target, address(source), count);
    case copy_device_to_device: return f.fn_cuMemcpyDtoD(address(target), address(source), count);
    default: return f.fn_cuMemcpy(address(target), address(source), count);
    }
}

CUresult copy_async(const Functions& f, void* target, const void* source, std::size_t count, int kind, Stream stream) {
    check_kind(kind);
    if (count == 0) return CUDA_SUCCESS;
    require(target && source);
    switch (kind) {
    case copy_host_to_device: return f.fn_cuMemcpyHtoDAsync(address(target), source, count, stream);
    case copy_device_to_host: return f.fn_cuMemcpyDtoHAsync(target, address(source), count, stream);
    case copy_device_to_device: return f.fn_cuMemcpyDtoDAsync(address(target), address(source), count, stream);
    default: return f.fn_cuMemcpyAsync(address(target), address(source), count, stream);
    }
}

void check_symbol_kind(int kind, CopyKind direction) {
    require(kind == direction || kind == copy_device_to_device || kind == copy_default,
            cudaErrorInvalidMemcpyDirection);
}

} // namespace

void* symbol_part(const Functions& f, const void* symbol, std::size_t count, std::size_t offset) {
    Variable* const variable = find_variable(symbol);
    require(variable, cudaErrorInvalidSymbol);
    std::size_t size = 0;
    const CUdeviceptr begin = address_of(f, *variable, &size);
    require(offset <= size && count <= size - offset);
    return reinterpret_cast<void*>(begin + offset);
}

WL_STREAM_RUNTIME(cudaMemcpy, _ptds, (void* target, const void* source, std::size_t count, int kind),
                  (target, source, count, kind)) {
    return call<PerThread>([&](const Functions& f) { return copy(f, target, source, count, kind); });
}
WL_STREAM_RUNTIME(cudaMemcpyAsync, _ptsz,
                  (void* target, const void* source, std::size_t count, int kind, Stream stream),
                  (target, source, count, kind, stream)) {
    return call<PerThread>([&](const Functions& f) { return copy_async(f, target, source, count, kind, stream); });
}

WL_STREAM_RUNTIME(cudaMemcpyToSymbol, _ptds,
                  (const void* symbol, const void* source, std::size_t count, std::size_t offset, int kind),
                  (symbol, source, count, offset, kind)) {
    return call<PerThread>([&](const Functions& f) {
        check_symbol_kind(kind, copy_host_to_device);
        return copy(f, symbol_part(f, symbol, count, offset), source, count, kind);
    });
}
WL_STREAM_RUNTIME(cudaMemcpyFromSymbol, _ptds,
                  (void* target, const void* symbol, std::size_t count, std::size_t offset, int kind),
                  (target, symbol, count, offset, kind)) {
    return call<PerThread>([&](const Functions& f) {
        check_symbol_kind(kind, copy_device_to_host);
        return copy(f, target, symbol_part(f, symbol, count, offset), count, kind);
    });
}
WL_STREAM_RUNTIME(cudaMemcpyToSymbolAsync, _ptsz,
                  (const void* symbol, const void* source, std::size_t count, std::size_t offset, int kind,
                   Stream stream),
                  (symbol, source, count, offset, kind, stream)) {
    return call<PerThread>([&](const Functions& f) {
        check_symbol_kind(kind, copy_host_to_device);
        return copy_async(f, symbol_part(f, symbol, count, offset), source, count, kind, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemcpyFromSymbolAsync, _ptsz,
                  (void* target, const void* symbol, std::size_t count, std::size_t offset, int kind, Stream stream),
                  (target, symbol, count, offset, kind, stream)) {
    return call<PerThread>([&](const Functions& f) {
        check_symbol_kind(kind, copy_device_to_host);
        return copy_async(f, target, symbol_part(f, symbol, count, offset), count, kind, stream);
    });
}

WL_RUNTIME(cudaGetSymbolAddress, (void** pointer, const void* symbol)) {
    return call([&](const Functions& f) {
        require(pointer);
        *pointer = symbol_part(f, symbol, 0, 0);
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGetSymbolSize, (std::size_t* size, const void* symbol)) {
    return call([&](const Functions& f) {
        require(size);
        Variable* const variable = find_variable(symbol);
        require(variable, cudaErrorInvalidSymbol);
        (void)address_of(f, *variable, size);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaMemcpyPeer,
           (void* target, int target_device, const void* source, int source_device, std::size_t count)) {
    return call([&](const Functions& f) {
        CUcontext to = nullptr, from = nullptr;
        check(primary_context(f, target_device, to));
        check(primary_context(f, source_device, from));
        if (count == 0) return CUDA_SUCCESS;
        return f.fn_cuMemcpyPeer(address(target), to, address(source), from, count);
    });
}
WL_RUNTIME(cudaMemcpyPeerAsync,
           (void* target, int target_device, const void* source, int source_device, std::size_t count, Stream stream)) {
    return call([&](const Functions& f) {
        CUcontext to = nullptr, from = nullptr;
        check(primary_context(f, target_device, to));
        check(primary_context(f, source_device, from));
        if (count == 0) return CUDA_SUCCESS;
        return f.fn_cuMemcpyPeerAsync(address(target), to, address(source), from, count, stream);
    });
}

namespace {

CUresult fill_volume(const Functions& f, const PitchedPointer& target, int value, const Extent& extent, Stream stream) {
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return CUDA_SUCCESS;
    // One row has no use for a pitch.
    require(extent.width <= target.pitch || (extent.height == 1 && extent.depth == 1));
    require(extent.depth == 1 || extent.height <= target.ysize);
    const auto byte = static_cast<unsigned char>(value);
    const CUdeviceptr begin = address(target.pointer);
    if (extent.height == target.ysize || extent.depth == 1)
        return f.fn_cuMemsetD2D8Async(begin, target.pitch, byte, extent.width, extent.height * extent.depth, stream);
    for (std::size_t z = 0; z < extent.depth; ++z)
        check(f.fn_cuMemsetD2D8Async(begin + z * target.pitch * target.ysize, target.pitch, byte, extent.width,
                                     extent.height, stream));
    return CUDA_SUCCESS;
}

} // namespace

WL_STREAM_RUNTIME(cudaMemset, _ptds, (void* target, int value, std::size_t count), (target, value, count)) {
    return call<PerThread>([&](const Functions& f) {
        if (count == 0) return CUDA_SUCCESS;
        return f.fn_cuMemsetD8(address(target), static_cast<unsigned char>(value), count);
    });
}
WL_STREAM_RUNTIME(cudaMemsetAsync, _ptsz, (void* target, int value, std::size_t count, Stream stream),
                  (target, value, count, stream)) {
    return call<PerThread>([&](const Functions& f) {
        if (count == 0) return CUDA_SUCCESS;
        return f.fn_cuMemsetD8Async(address(target), static_cast<unsigned char>(value), count, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemset2D, _ptds,
                  (void* target, std::size_t pitch, int value, std::size_t width, std::size_t height),
                  (target, pitch, value, width, height)) {
    return call<PerThread>([&](const Functions& f) {
        if (width == 0 || height == 0) return CUDA_SUCCESS;
        return f.fn_cuMemsetD2D8(address(target), pitch, static_cast<unsigned char>(value), width, height);
    });
}
WL_STREAM_RUNTIME(cudaMemset2DAsync, _ptsz,
                  (void* target, std::size_t pitch, int value, std::size_t width, std::size_t height, Stream stream),
                  (target, pitch, value, width, height, stream)) {
    return call<PerThread>([&](const Functions& f) {
        if (width == 0 || height == 0) return CUDA_SUCCESS;
        return f.fn_cuMemsetD2D8Async(address(target), pitch, static_cast<unsigned char>(value), width, height, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemset3D, _ptds, (PitchedPointer target, int value, Extent extent), (target, value, extent)) {
    return call<PerThread>([&](const Functions& f) { return fill_volume(f, target, value, extent, nullptr); });
}
WL_STREAM_RUNTIME(cudaMemset3DAsync, _ptsz, (PitchedPointer target, int value, Extent extent, Stream stream),
                  (target, value, extent, stream)) {
    return call<PerThread>([&](const Functions& f) { return fill_volume(f, target, value, extent, stream); });
}

} // namespace warplight::runtime_api
