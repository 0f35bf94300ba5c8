// SPDX-License-Identifier: Apache-2.0
// Copies of bytes from and to arrays: of those with more than one row, the first one.
#include "entry.hpp"

#include "structured_copy.hpp"

using namespace warplight::software;

namespace {

CopySide in_array(CUarray array, std::size_t offset) {
    (void)array_of(array);
    CopySide side;
    side.type = CU_MEMORYTYPE_ARRAY;
    side.array = array;
    side.x = offset;
    side.bytes = true;
    return side;
}
CopySide on_device(CUdeviceptr address) {
    CopySide side;
    side.type = CU_MEMORYTYPE_DEVICE;
    side.device = address;
    return side;
}
CopySide on_host(const void* address) {
    CopySide side;
    side.host = address;
    return side;
}

/// `sides` gives the destination and the source; it is asked once the context is known to be good.
template <class Sides>
CUresult copy(std::size_t bytes, CUstream hStream, bool later, Sides sides) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        const auto [to, from] = sides();
        if (bytes == 0) return;
        submit_copy(stream->context(), *stream, plan_copy(to, from, bytes, 1, 1), later);
    });
}

} // namespace

WL_STREAM_ENTRY(cuMemcpyDtoA_v2, _ptds, (CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount),
                (dstArray, dstOffset, srcDevice, ByteCount)) {
    return copy(ByteCount, nullptr, false,
                [&] { return std::pair(in_array(dstArray, dstOffset), on_device(srcDevice)); });
}
WL_STREAM_ENTRY(cuMemcpyAtoD_v2, _ptds, (CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount),
                (dstDevice, srcArray, srcOffset, ByteCount)) {
    return copy(ByteCount, nullptr, false,
                [&] { return std::pair(on_device(dstDevice), in_array(srcArray, srcOffset)); });
}
WL_STREAM_ENTRY(cuMemcpyHtoA_v2, _ptds, (CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount),
                (dstArray, dstOffset, srcHost, ByteCount)) {
    return copy(ByteCount, nullptr, false, [&] { return std::pair(in_array(dstArray, dstOffset), on_host(srcHost)); });
}
WL_STREAM_ENTRY(cuMemcpyAtoH_v2, _ptds, (void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount),
                (dstHost, srcArray, srcOffset, ByteCount)) {
    return copy(ByteCount, nullptr, false, [&] { return std::pair(on_host(dstHost), in_array(srcArray, srcOffset)); });
}
WL_STREAM_ENTRY(cuMemcpyAtoA_v2, _ptds,
                (CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount),
                (dstArray, dstOffset, srcArray, srcOffset, ByteCount)) {
    return copy(ByteCount, nullptr, false,
                [&] { return std::pair(in_array(dstArray, dstOffset), in_array(srcArray, srcOffset)); });
}
WL_STREAM_ENTRY(cuMemcpyHtoAAsync_v2, _ptsz,
                (CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount, CUstream hStream),
                (dstArray, dstOffset, srcHost, ByteCount, hStream)) {
    return copy(ByteCount, hStream, true, [&] { return std::pair(in_array(dstArray, dstOffset), on_host(srcHost)); });
}
WL_STREAM_ENTRY(cuMemcpyAtoHAsync_v2, _ptsz,
                (void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream),
                (dstHost, srcArray, srcOffset, ByteCount, hStream)) {
    return copy(ByteCount, hStream, true, [&] { return std::pair(on_host(dstHost), in_array(srcArray, srcOffset)); });
}
