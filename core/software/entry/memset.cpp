// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/bulk.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/work_races.hpp"

#include <utility>

using namespace warplight::software;

namespace warplight::software {

std::function<void()> prepare_fill(const CUDA_MEMSET_NODE_PARAMS& p) {
    const std::size_t size = p.elementSize;
    require(size == 1 || size == 2 || size == 4);
    if (p.width == 0 || p.height == 0) return [] {};
    require(p.dst % size == 0);
    require(p.width <= (std::size_t{1} << 46) / size && p.height <= (std::size_t{1} << 46));
    const std::size_t row = p.width * size;
    if (p.height > 1) require(p.pitch >= row && p.pitch % size == 0 && p.pitch <= 0x7FFFFFFF);
    const std::size_t extent = (p.height - 1) * p.pitch + row;
    const std::uint64_t room = AddressSpace::instance().room(p.dst);
    require(room > 0 && extent <= room);
    return [p] {
        for (std::size_t y = 0; y < p.height; ++y)
            fill_memory(reinterpret_cast<void*>(p.dst + y * p.pitch), p.value, p.elementSize, p.width);
        BoxCopy box;
        box.to = reinterpret_cast<std::byte*>(p.dst);
        box.to_pitch = p.pitch;
        box.width = p.width * p.elementSize;
        box.height = p.height;
        WorkRaces::instance().keep_copy(box);
    };
}

} // namespace warplight::software

namespace {

enum class Ends { now, later };

bool is_of_host(CUdeviceptr address) {
    const auto a = AddressSpace::instance().find(address);
    return a && host_reads(*a);
}

/// Fills rows of `width` elements; a single row needs no pitch. Calls without a stream return before the fill has
/// ended, except for memory of the host.
template <class T>
CUresult fill(CUdeviceptr to, std::size_t pitch, T value, std::size_t width, std::size_t height, CUstream hStream,
              Ends ends) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        if (width == 0 || height == 0) return;
        const CUDA_MEMSET_NODE_PARAMS parameters{to, pitch, value, sizeof(T), width, height};
        if (stream->capturing()) {
            capture_node(*stream, fill_content(parameters, stream->context().shared_from_this()));
            return;
        }
        auto work = prepare_fill(parameters);
        if (ends == Ends::now && is_of_host(to))
            stream->run(std::move(work));
        else
            stream->enqueue(std::move(work));
    });
}

} // namespace

#define WL_MEMSET(bits, type)                                                                                          \
    WL_STREAM_ENTRY(cuMemsetD##bits##_v2, _ptds, (CUdeviceptr dstDevice, type value, size_t N),                        \
                    (dstDevice, value, N)) {                                                                           \
        return fill<type>(dstDevice, 0, value, N, 1, nullptr, Ends::now);                                              \
    }                                                                                                                  \
    WL_STREAM_ENTRY(cuMemsetD##bits##Async, _ptsz, (CUdeviceptr dstDevice, type value, size_t N, CUstream hStream),    \
                    (dstDevice, value, N, hStream)) {                                                                  \
        return fill<type>(dstDevice, 0, value, N, 1, hStream, Ends::later);                                            \
    }                                                                                                                  \
    WL_STREAM_ENTRY(cuMemsetD2D##bits##_v2, _ptds,                                                                     \
                    (CUdeviceptr dstDevice, size_t dstPitch, type value, size_t Width, size_t Height),                 \
                    (dstDevice, dstPitch, value, Width, Height)) {                                                     \
        return fill<type>(dstDevice, dstPitch, value, Width, Height, nullptr, Ends::now);                              \
    }                                                                                                                  \
    WL_STREAM_ENTRY(                                                                                                   \
        cuMemsetD2D##bits##Async, _ptsz,                                                                               \
        (CUdeviceptr dstDevice, size_t dstPitch, type value, size_t Width, size_t Height, CUstream hStream),           \
        (dstDevice, dstPitch, value, Width, Height, hStream)) {                                                        \
        return fill<type>(dstDevice, dstPitch, value, Width, Height, hStream, Ends::later);                            \
    }

WL_MEMSET(8, unsigned char)
WL_MEMSET(16, unsigned short)
WL_MEMSET(32, unsigned int)
