// SPDX-License-Identifier: Apache-2.0
// How wmma.load and wmma.store go about a matrix in memory.
#pragma once

#include "software/ptx/matrix.hpp"

#include <cstdint>

namespace warplight::jit {

struct MatrixMove {
    explicit MatrixMove(const ptx::Instruction& i);

    ptx::MatrixForm form;
    ptx::MatrixPart part;
    ptx::Type type;
    bool by_columns;
    unsigned registers, elements; ///< of a lane's fragment, and of a register
    unsigned bits;                ///< an element
    unsigned stride;              ///< elements from row to row (or column to column) where none is written
    bool whole;                   ///< the elements of a register are neighbours in memory
    /// Addresses and strides must be multiples of this many bytes. A GPU moves two words at once if they are
    /// neighbours, and 16-bit elements in pairs.
    unsigned alignment;

    /// Bytes that a lane moves at once.
    [[nodiscard]] unsigned bytes() const { return whole ? elements * bits / 8 : bits / 8; }
    /// Which row (or column) in memory, and which element of it.
    struct Place {
        unsigned line, within;
        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] Place place(unsigned lane, unsigned reg, unsigned element) const;
};

} // namespace warplight::jit
