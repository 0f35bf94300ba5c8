// SPDX-License-Identifier: Apache-2.0
// Arrays whose elements are made when they are read: those of a file, and those that are computed from other arrays.
// PieceReader reads them; such an array has no memory of its own.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace warplight::session {

/// Several threads may read at the same time.
class LazyElements : public ArrayOwner {
public:
    /// Null for an array in memory.
    static const LazyElements* of(const NdArray& array) {
        return dynamic_cast<const LazyElements*>(array.base().get());
    }
    /// Bytes of the elements in C order, packed. `place` and the size are multiples of an element's size.
    /// @throws FileError, SessionError where they cannot be had
    virtual void read(std::uint64_t place, std::span<std::byte> to) const = 0;
};

/// An array of this shape with such elements.
inline NdArray array_of(std::shared_ptr<const LazyElements> elements, Shape shape, DType dtype) {
    return NdArray::wrap(nullptr, std::move(shape), std::move(dtype), Order::C,
                         std::const_pointer_cast<LazyElements>(std::move(elements)), false);
}

} // namespace warplight::session
