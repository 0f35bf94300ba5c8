// SPDX-License-Identifier: Apache-2.0
// Generates arrays.
#pragma once

#include "session/session.hpp"

#include "warplight/ndarray.hpp"

namespace warplight::session {

NdArray generate(const ZerosSource& source);
NdArray generate(const ConstantSource& source);
NdArray generate(const ArangeSource& source);
NdArray generate(const LinspaceSource& source);
NdArray generate(const RandomSource& source);
/// Of the element's place alone: a run knows the other arguments (stage_formulas.cpp).
NdArray generate(const FormulaSource& source);

/// Fails for arrays larger than the machine's memory, before anything is allocated.
/// @throws SessionError
void check_fits_memory(const Shape& shape, std::size_t itemsize);

} // namespace warplight::session
