// SPDX-License-Identifier: Apache-2.0
// Host memory passed to a copy: anything contiguous, with its size. Does not own it.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <ranges>
#include <type_traits>

namespace warplight {

template <class R>
concept ContiguousTrivialRange = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                                 std::is_trivially_copyable_v<std::ranges::range_value_t<R>>;

/// Bytes that are read. The caller keeps them alive, for an asynchronous copy until it is done.
struct ConstBuffer {
    const void* data = nullptr;
    std::size_t size = 0; ///< bytes

    ConstBuffer() = default;
    ConstBuffer(const void* data, std::size_t size) noexcept : data(data), size(size) {}
    /// @throws LogicError when the array is not contiguous.
    ConstBuffer(const NdArray& array) : data(array.bytes().data()), size(array.nbytes()) {}
    template <ContiguousTrivialRange R>
    ConstBuffer(const R& range) noexcept
        : data(std::ranges::data(range)), size(std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>)) {}
};

/// Bytes that are written.
struct MutableBuffer {
    void* data = nullptr;
    std::size_t size = 0; ///< bytes

    MutableBuffer() = default;
    MutableBuffer(void* data, std::size_t size) noexcept : data(data), size(size) {}
    /// @throws LogicError when the array is not contiguous or read-only.
    MutableBuffer(const NdArray& array) : data(array.mutable_bytes().data()), size(array.nbytes()) {}
    template <ContiguousTrivialRange R>
        requires(!std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>)
    MutableBuffer(R&& range) noexcept
        : data(std::ranges::data(range)), size(std::ranges::size(range) * sizeof(std::ranges::range_value_t<R>)) {}
};

} // namespace warplight
