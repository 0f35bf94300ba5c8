// SPDX-License-Identifier: Apache-2.0
// The order of a matrix in memory for wmma.load and wmma.store.
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
    unsigned stride;              ///< default: elements from row to row, or from column to column
    bool whole;                   ///< the elements of a register are neighbours in memory
    /// Addresses and strides must be multiples of this many bytes. A GPU moves two words at once if they are
    /// neighbours, and 16-bit elements in pairs.
    unsigned alignment;

    /// Bytes that a lane moves at once.
    [[nodiscard]] unsigned bytes() const { return whole ? elements * bits / 8 : bits / 8; }
    /// A row (or column) in memory, and an element of it.
    struct Place {
        unsigned line, within;
        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] Place place(unsigned lane, unsigned reg, unsigned element) const;
};

} // namespace warplight::jit
