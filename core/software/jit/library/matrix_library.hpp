// SPDX-License-Identifier: Apache-2.0
// Matrix products in plain C++, an element at a time: for kernels with one lane, and for forms without vector code.
#pragma once

#include "software/jit/abi/abi.hpp"

namespace warplight::jit {

/// Answers lanes of a warp that ask for a matrix operation together. The fragments of all other lanes are zeros.
void perform_matrix(software::WarpOperation operation, software::ThreadContext* lanes, std::uint32_t members);

/// The same for whole warps. A register is 32 words, one a lane: of 64 bits for f64, else of 32.
/// @param form MatrixForm::pack()
extern "C" void wl_matrix_multiply(std::uint64_t form, const void* a, const void* b, const void* c, void* d);

} // namespace warplight::jit
