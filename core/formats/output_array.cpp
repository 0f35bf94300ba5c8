// SPDX-License-Identifier: Apache-2.0
#include "formats/output_array.hpp"

#include "warplight/npy.hpp"

#include <utility>

namespace warplight::formats {

OutputArray output_of(std::string name, const NdArray& array) {
    const std::size_t item = array.itemsize();
    return {std::move(name), array.dtype(), array.shape(),
            [bytes = array.bytes(), item](std::size_t offset, std::size_t count) {
                return bytes.subspan(offset * item, count * item);
            }};
}

std::string npy_header_of(const OutputArray& array) {
    return make_npy_header(NdArray::wrap(nullptr, array.shape, array.dtype, Order::C, nullptr, false));
}

} // namespace warplight::formats
