// SPDX-License-Identifier: Apache-2.0
#include "graph_guard.hpp"

#include "files/thread_object.hpp"
#include "host_function.hpp"

#include <vector>

namespace warplight::software {
namespace {

thread_local int guard_depth = 0;
struct LaterCall {
    CUhostFn function;
    void* data;
};
std::vector<LaterCall>& later_calls() { return files::thread_object<std::vector<LaterCall>>(); }

} // namespace

std::recursive_mutex& graph_mutex() {
    static auto* mutex = new std::recursive_mutex;
    return *mutex;
}

GraphGuard::GraphGuard() {
    graph_mutex().lock();
    ++guard_depth;
}

GraphGuard::~GraphGuard() {
    std::vector<LaterCall> calls;
    if (--guard_depth == 0) calls.swap(later_calls());
    graph_mutex().unlock();
    for (const LaterCall& call : calls) {
        const HostFunctionScope scope;
        call.function(call.data);
    }
}

void GraphGuard::call_later(CUhostFn function, void* data) { later_calls().push_back({function, data}); }

} // namespace warplight::software
