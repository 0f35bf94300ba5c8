// SPDX-License-Identifier: Apache-2.0
// Arrays of any stride, in memory, in a file or computed, read in C order piece by piece as packed elements.
#pragma once

#include "session/lazy_elements.hpp"
#include "warplight/ndarray.hpp"

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace warplight::session {

/// Reads are safe from several threads on one array, each with a reader of its own.
class PieceReader {
public:
    explicit PieceReader(const NdArray& array);
    std::size_t size() const { return array_.size(); }
    std::size_t itemsize() const { return array_.itemsize(); }
    /// Elements [offset, offset + count) in C order; the caller keeps to the array. Valid until the next call.
    /// @throws FileError where the array lies in a file that has become shorter
    std::span<const std::byte> read(std::size_t offset, std::size_t count);

private:
    NdArray array_;
    const LazyElements* lazy_; ///< null for an array in memory
    bool packed_;
    std::vector<std::byte> gathered_;
};

/// Elements that are read at once: few enough for the second-level cache and a quick answer to `cancel`.
inline constexpr std::size_t kPiece = 1 << 16;

/// Calls visit(std::span<const T>, first index) for each piece, T by the array's dtype, complex numbers
/// as std::complex; until visit gives false. False for a dtype that is no number.
template <class Visit>
bool visit_pieces(const NdArray& array, std::size_t offset, std::size_t count, Visit&& visit);

} // namespace warplight::session

#include "session/pieces_visit.hpp"
