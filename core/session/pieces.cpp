// SPDX-License-Identifier: Apache-2.0
#include "session/pieces.hpp"

#include <cstdint>
#include <cstring>

namespace warplight::session {

PieceReader::PieceReader(const NdArray& array) : array_(array), lazy_(LazyElements::of(array)) {
    // Elements of a part of other data may be misaligned. Those are copied to an aligned buffer.
    std::size_t alignment = std::min<std::size_t>(array.itemsize(), 8);
    bool aligned = alignment <= 1 || (alignment & (alignment - 1)) != 0 ||
                   reinterpret_cast<std::uintptr_t>(array.data()) % alignment == 0;
    packed_ = !lazy_ && array.is_c_contiguous() && aligned;
}

std::span<const std::byte> PieceReader::read(std::size_t offset, std::size_t count) {
    const std::size_t item = array_.itemsize();
    if (packed_) return {array_.data() + offset * item, count * item};
    gathered_.resize(count * item);
    if (count == 0) return gathered_;
    if (lazy_) {
        lazy_->read(static_cast<std::uint64_t>(offset) * item, gathered_);
        return gathered_;
    }
    const Shape& shape = array_.shape();
    const Strides& strides = array_.strides();
    if (shape.empty()) {
        std::memcpy(gathered_.data(), array_.data(), item);
        return gathered_;
    }
    // The index counts like an odometer, axis by axis. The last axis is one inner loop.
    std::vector<std::size_t> index(shape.size());
    std::size_t rest = offset;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = rest % shape[axis];
        rest /= shape[axis];
    }
    const std::size_t last = shape.size() - 1;
    std::byte* to = gathered_.data();
    while (count > 0) {
        const std::byte* from = array_.data();
        for (std::size_t axis = 0; axis <= last; ++axis)
            from += static_cast<std::ptrdiff_t>(index[axis]) * strides[axis];
        std::size_t run = std::min(count, shape[last] - index[last]);
        for (std::size_t i = 0; i < run; ++i, to += item, from += strides[last])
            std::memcpy(to, from, item);
        count -= run;
        index[last] += run;
        for (std::size_t axis = last; axis > 0 && index[axis] == shape[axis]; --axis) {
            index[axis] = 0;
            ++index[axis - 1];
        }
    }
    return gathered_;
}

} // namespace warplight::session
