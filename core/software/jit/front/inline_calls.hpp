// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "software/jit/analysis/analysis.hpp"
#include "software/jit/jit.hpp"

#include <optional>
#include <vector>

namespace warplight::jit {

/// A kernel with its callees in the place of its calls.
struct InlinedKernel {
    ptx::Function function;
    std::vector<Site> origins; ///< by instruction: its place in the module
};

/// Lanes cannot call functions, so their kernels have no calls. Nothing for a kernel without calls, or with a call that
/// must stay: its callee is not defined, is recursive or too long, or uses parameters in a way that registers cannot.
[[nodiscard]] std::optional<InlinedKernel> inline_calls(const ptx::Module& module, ptx::FunctionId kernel,
                                                        const Analysis& analysis);

} // namespace warplight::jit
