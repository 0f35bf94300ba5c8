// SPDX-License-Identifier: Apache-2.0
// Matrix instructions of a warp: the shapes and types of their matrices, and the place of each element in registers.
//
// D = A B + C, where A has m rows and k columns, B k rows and n columns. The 32 lanes hold a fragment of each matrix
// in a number of registers; a register of 32 bits holds one element or several, the first one lowest.
#pragma once

#include "module.hpp"

#include <optional>

namespace warplight::ptx {

/// The register of C that holds the metadata of a sparse product.
inline constexpr unsigned kSparsityRegister = 7;

enum class MatrixPart : std::uint8_t { a, b, c, d };

enum class MatrixOperation : std::uint8_t {
    multiply,
    xor_and_count, ///< of single bits
    and_and_count,
};

enum class MatrixRounding : std::uint8_t { nearest, zero, down, up }; ///< of f64

struct MatrixForm {
    std::uint8_t m = 0, n = 0;
    std::uint16_t k = 0;
    Type a = Type::none, b = Type::none, c = Type::none, d = Type::none;
    bool wmma = false; ///< fragments as wmma.load makes them
    bool a_by_columns = false, b_by_columns = false;
    bool saturate = false;
    bool sparse = false;       ///< A stores half of its elements, and a register tells their places
    std::uint8_t selector = 0; ///< which lanes of each four have that register
    MatrixOperation operation = MatrixOperation::multiply;
    MatrixRounding rounding = MatrixRounding::nearest;

    [[nodiscard]] Type type_of(MatrixPart part) const;
    /// m8n8k4 of half floats: four products, each by the eight lanes of two groups of four.
    [[nodiscard]] bool is_of_quads() const;
    /// All members in 64 bits, and back.
    [[nodiscard]] std::uint64_t pack() const;
    [[nodiscard]] static MatrixForm unpack(std::uint64_t bits);
};

/// Where an element lies. Elements of wmma's fragments may be in several registers.
struct MatrixPlace {
    std::uint16_t row = 0, column = 0;
    std::uint16_t product = 0; ///< of the four of m8n8k4
};

/// Of mma and wmma.mma; of wmma.load and wmma.store with the type of their matrix alone. None: no such shape.
[[nodiscard]] std::optional<MatrixForm> matrix_form(const Instruction& instruction);
/// Which matrix wmma.load or wmma.store moves.
[[nodiscard]] MatrixPart matrix_part(const Instruction& instruction);

/// Bytes of a row of ldmatrix and stmatrix.
inline constexpr unsigned kMatrixRowBytes = 16;

/// The memory of a matrix of wmma.load or wmma.store: lines, which are rows or columns. Who looks at accesses gives
/// each lane an equal part of them.
struct MatrixTile {
    explicit MatrixTile(const Instruction& i);

    unsigned lines, length; ///< elements of a line
    unsigned bits;          ///< of an element

    [[nodiscard]] unsigned line_bytes() const { return length * bits / 8; }
    [[nodiscard]] unsigned lanes_of_line() const { return 32 / lines; }
    [[nodiscard]] unsigned part_bytes() const { return line_bytes() / lanes_of_line(); }
};

[[nodiscard]] unsigned matrix_rows(const MatrixForm& form, MatrixPart part);
[[nodiscard]] unsigned matrix_columns(const MatrixForm& form, MatrixPart part);
/// Elements in a register: 64 bits of f64, 32 bits of all else.
[[nodiscard]] unsigned matrix_elements(Type type);
/// Of a sparse A, which has twice as many columns as it stores: where the stored elements of a row belong.
struct MatrixSparsity {
    unsigned group;  ///< elements of which half are stored …
    unsigned unit;   ///< … in runs of so many
    unsigned chosen; ///< runs
    explicit MatrixSparsity(Type type);
    /// The lane whose register holds the metadata of a group, and the first of its 4 bits there.
    struct Place {
        unsigned lane, shift;
    };
    [[nodiscard]] Place place(const MatrixForm& form, unsigned row, unsigned number) const;
    /// The place in its group of the first element of a stored run.
    [[nodiscard]] unsigned index(unsigned bits, unsigned run) const;
};

/// Registers of a lane's fragment.
[[nodiscard]] unsigned matrix_registers(const MatrixForm& form, MatrixPart part);
[[nodiscard]] MatrixPlace matrix_place(const MatrixForm& form, MatrixPart part, unsigned lane, unsigned reg,
                                       unsigned element);

} // namespace warplight::ptx
