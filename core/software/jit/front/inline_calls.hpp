// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "software/jit/analysis/analysis.hpp"
#include "software/jit/jit.hpp"

#include <optional>
#include <vector>

namespace warplight::jit {

/// A kernel without calls: what it called stands in their place.
struct InlinedKernel {
    ptx::Function function;
    std::vector<Site> origins; ///< by instruction
};

/// For threads side by side, which take no part in calls. Nothing where there are none, or one of them must stay: of
/// what is not defined, calls itself, is too long, or does with its parameters what registers cannot.
[[nodiscard]] std::optional<InlinedKernel> inline_calls(const ptx::Module& module, ptx::FunctionId kernel,
                                                        const Analysis& analysis);

} // namespace warplight::jit
