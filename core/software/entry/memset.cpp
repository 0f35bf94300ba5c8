// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/bulk.hpp"

using namespace warplight::software;

namespace {

/// Rows of `width` elements; one row has no pitch. Asynchronous with the host either way, as on a GPU.
template <class T>
CUresult fill(CUdeviceptr to, std::size_t pitch, T value, std::size_t width, std::size_t height, CUstream hStream) {
    return enter([&] {
        Context& context = current_context();
        const auto stream = stream_of(context, hStream);
        if (width == 0 || height == 0) return;
        require(to % sizeof(T) == 0);
        require(width <= (std::size_t{1} << 46) / sizeof(T) && height <= (std::size_t{1} << 46));
        const std::size_t row = width * sizeof(T);
        if (height > 1) {
            require(pitch >= row && pitch % sizeof(T) == 0 && pitch <= 0x7FFFFFFF);
        }
        const std::size_t extent = (height - 1) * pitch + row;
        const auto a = AddressSpace::instance().find(to);
        require(a && extent <= a->size - (to - a->base));
        stream->enqueue([=] {
            for (std::size_t y = 0; y < height; ++y)
                fill_memory(reinterpret_cast<void*>(to + y * pitch), value, sizeof(T), width);
        });
    });
}

} // namespace

#define WL_MEMSET(bits, type)                                                                                          \
    WL_STREAM_ENTRY(cuMemsetD##bits##_v2, _ptds, 3020, (CUdeviceptr dstDevice, type value, size_t N),                  \
                    (dstDevice, value, N)) {                                                                           \
        return fill<type>(dstDevice, 0, value, N, 1, nullptr);                                                         \
    }                                                                                                                  \
    WL_STREAM_ENTRY(cuMemsetD##bits##Async, _ptsz, 3020,                                                               \
                    (CUdeviceptr dstDevice, type value, size_t N, CUstream hStream), (dstDevice, value, N, hStream)) { \
        return fill<type>(dstDevice, 0, value, N, 1, hStream);                                                         \
    }                                                                                                                  \
    WL_STREAM_ENTRY(cuMemsetD2D##bits##_v2, _ptds, 3020,                                                               \
                    (CUdeviceptr dstDevice, size_t dstPitch, type value, size_t Width, size_t Height),                 \
                    (dstDevice, dstPitch, value, Width, Height)) {                                                     \
        return fill<type>(dstDevice, dstPitch, value, Width, Height, nullptr);                                         \
    }                                                                                                                  \
    WL_STREAM_ENTRY(                                                                                                   \
        cuMemsetD2D##bits##Async, _ptsz, 3020,                                                                         \
        (CUdeviceptr dstDevice, size_t dstPitch, type value, size_t Width, size_t Height, CUstream hStream),           \
        (dstDevice, dstPitch, value, Width, Height, hStream)) {                                                        \
        return fill<type>(dstDevice, dstPitch, value, Width, Height, hStream);                                         \
    }

WL_MEMSET(8, unsigned char)
WL_MEMSET(16, unsigned short)
WL_MEMSET(32, unsigned int)
