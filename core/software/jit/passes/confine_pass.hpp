// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "software/jit/options.hpp"

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Keeps each access to the device's memory inside the device's window (kWindowEnd), whatever its address is.
///
/// An address is split into a base and an offset that is known to be smaller than the window's slack. The base is taken
/// for the window's end where it lies outside. So x[i] with a 32-bit i costs nothing in a loop: the base is confined
/// once, where it is loaded. An address of which nothing is known costs a comparison and a move.
///
/// It runs last, so that no optimisation changes afterwards what it relies on. Operands are frozen: a value that LLVM
/// may choose is one value then. Offsets are bounded by their widths and masks, and loop counters by scalar evolution.
class ConfinePass {
public:
    static void run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, Walls walls);
};

} // namespace warplight::jit
