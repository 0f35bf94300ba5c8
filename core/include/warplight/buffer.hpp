// SPDX-License-Identifier: Apache-2.0
// Host memory passed to a copy: anything contiguous, with its size. Does not own it.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace warplight {

/// What std::data() and std::size() take: vectors, arrays, spans, strings. (<ranges> takes long to compile.)
template <class R>
concept ContiguousTrivialRange = requires(R& range) {
    std::begin(range);
    std::size(range);
    requires std::is_trivially_copyable_v<std::remove_pointer_t<decltype(std::data(range))>>;
};

/// Bytes that are read. The caller keeps them alive, for an asynchronous copy until it is done.
struct ConstBuffer {
    const void* data = nullptr;
    std::size_t size = 0; ///< bytes

    ConstBuffer() = default;
    ConstBuffer(const void* begin, std::size_t bytes) noexcept : data(begin), size(bytes) {}
    /// @throws LogicError when the array is not contiguous.
    ConstBuffer(const NdArray& array) : data(array.bytes().data()), size(array.nbytes()) {}
    template <ContiguousTrivialRange R>
    ConstBuffer(const R& range) noexcept : data(std::data(range)), size(std::size(range) * sizeof(*std::data(range))) {}
};

/// Bytes that are written.
struct MutableBuffer {
    void* data = nullptr;
    std::size_t size = 0; ///< bytes

    MutableBuffer() = default;
    MutableBuffer(void* begin, std::size_t bytes) noexcept : data(begin), size(bytes) {}
    /// @throws LogicError when the array is not contiguous or read-only.
    MutableBuffer(const NdArray& array) : data(array.mutable_bytes().data()), size(array.nbytes()) {}
    template <ContiguousTrivialRange R>
        requires(!std::is_const_v<std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>>)
    MutableBuffer(R&& range) noexcept : data(std::data(range)), size(std::size(range) * sizeof(*std::data(range))) {}
};

} // namespace warplight
