// SPDX-License-Identifier: Apache-2.0
// .npy files of any bytes: parsed, or refused with a FileError that has a message.
#include "warplight/npy.hpp"
#include "warplight/error.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    try {
        const warplight::NpyHeader header = warplight::parse_npy_header(bytes, "input");
        if (header.data_offset > size) std::abort();
        const warplight::NdArray array = warplight::parse_npy(bytes, "input");
        if (array.nbytes() != header.nbytes || array.nbytes() > size) std::abort();
        if (array.size() && array.dtype().is_numeric()) {
            array.item(array.size() - 1);
            array.copy(warplight::Order::F);
        }
        // What can be read can be written, and read again.
        const std::string again = warplight::make_npy_header(array);
        const warplight::NpyHeader same = warplight::parse_npy_header(std::as_bytes(std::span(again)), "again");
        if (same.shape != header.shape || same.dtype.itemsize() != header.dtype.itemsize()) std::abort();
    } catch (const warplight::FileError& error) {
        if (error.what()[0] == '\0') std::abort();
    }
    return 0;
}
