// SPDX-License-Identifier: Apache-2.0
// An array that is written into a file, piece by piece.
#pragma once

#include "warplight/ndarray.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace warplight::formats {

/// An array that is written. Its elements come in pieces, in C order and packed.
struct OutputArray {
    std::string name;
    DType dtype;
    Shape shape;
    /// Elements [offset, offset + count), valid until the next call.
    std::function<std::span<const std::byte>(std::size_t offset, std::size_t count)> read;
};
/// The array's memory is read in place; it is C-contiguous, and outlives the result.
OutputArray output_of(std::string name, const NdArray& array);

/// Called with the number of elements that were written since the last call. What it throws ends the writing.
using Step = std::function<void(std::size_t elements)>;

/// Elements that are written at once.
inline constexpr std::size_t kPieceOfOutput = 1 << 16;

inline std::size_t size_of(const OutputArray& array) { return count_elements(array.shape, array.dtype.itemsize()); }

template <class Take>
void each_piece(const OutputArray& array, const Step& step, const Take& take) {
    const std::size_t size = size_of(array);
    for (std::size_t offset = 0; offset < size;) {
        const std::size_t count = std::min(kPieceOfOutput, size - offset);
        take(array.read(offset, count));
        offset += count;
        if (step) step(count);
    }
}

/// The head of a .npy file with it.
std::string npy_header_of(const OutputArray& array);

} // namespace warplight::formats
