// SPDX-License-Identifier: Apache-2.0
// Products of matrices in plain C++, an element at a time: for threads that are run one at a time, and for the forms
// that whole warps have no better code for.
#pragma once

#include "software/jit/abi/abi.hpp"

namespace warplight::jit {

/// Answers the lanes of a warp that ask for a matrix operation together. Fragments of lanes that do not are zeros.
void perform_matrix(software::WarpOperation operation, software::ThreadContext* lanes, std::uint32_t members);

/// The same of whole warps: a register is 32 words of 32 bits, of f64 64, one a lane. `form`: MatrixForm::pack().
extern "C" void wl_matrix_multiply(std::uint64_t form, const void* a, const void* b, const void* c, void* d);

} // namespace warplight::jit
