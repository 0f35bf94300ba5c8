// SPDX-License-Identifier: Apache-2.0
// Preparations that the first launch of a kernel would otherwise pay for.
#pragma once

namespace warplight::software {

class Function;

/// Starts the workers and gives each of them memory for a block, so that the first launch pays for neither.
/// The caller compiles the kernel.
void make_ready(const Function& function);

} // namespace warplight::software
