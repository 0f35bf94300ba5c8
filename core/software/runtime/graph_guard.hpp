// SPDX-License-Identifier: Apache-2.0
// The lock that everything about graphs is under.
#pragma once

#include <cuda.h>

#include <mutex>

namespace warplight::software {

/// Guards every graph, capture and user object. Locked before a context's submission().
[[nodiscard]] std::recursive_mutex& graph_mutex();

/// Holds graph_mutex(). Functions given to call_later() run when the thread's outermost guard has let go.
class GraphGuard {
public:
    GraphGuard();
    ~GraphGuard();
    GraphGuard(const GraphGuard&) = delete;
    GraphGuard& operator=(const GraphGuard&) = delete;
    void call_later(CUhostFn function, void* data);
};

} // namespace warplight::software
