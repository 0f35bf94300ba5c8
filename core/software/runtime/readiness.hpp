// SPDX-License-Identifier: Apache-2.0
// What the first launch of a kernel would find cold.
#pragma once

namespace warplight::software {

class Function;

/// Starts the workers and gives each of them memory for a block, so that the first launch pays for neither.
/// The kernel is compiled by who asks for it.
void make_ready(const Function& function);

} // namespace warplight::software
