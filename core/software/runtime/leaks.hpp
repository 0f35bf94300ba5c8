// SPDX-License-Identifier: Apache-2.0
// What nothing gives back any more.
#pragma once

namespace warplight::software {

class Context;

/// Blocks of malloc() in kernels that are live in any context: checks::Collector has them as findings.
void tell_heap_leaks();
/// Those and the program's own allocations of a context that ends.
void tell_leaks(Context& context);
/// Of all contexts, where the process ends.
void tell_all_leaks();

} // namespace warplight::software
