// SPDX-License-Identifier: Apache-2.0
// cuInit, and the checks that all entry points begin with.
#include "entry.hpp"

#include "../runtime/configuration.hpp"
#include "../runtime/leaks.hpp"
#include "../runtime/platform.hpp"
#include "../runtime/summary.hpp"

#include <atomic>

namespace warplight::software {
namespace {
std::atomic<bool> is_initialised = false;
thread_local int per_thread_depth = 0;
} // namespace

bool initialised() { return is_initialised.load(std::memory_order_relaxed); }

std::shared_ptr<Context> current_context_or_null() {
    auto& stack = context_stack();
    return stack.empty() ? nullptr : stack.back();
}

Context& current_context() {
    auto& stack = context_stack();
    if (stack.empty() || !stack.back()) fail(CUDA_ERROR_INVALID_CONTEXT);
    Context& context = *stack.back();
    context.check();
    return context;
}

PerThreadDefault::PerThreadDefault() { ++per_thread_depth; }
PerThreadDefault::~PerThreadDefault() { --per_thread_depth; }

std::shared_ptr<Stream> stream_of(Context& context, CUstream handle) {
    if (!handle && per_thread_depth > 0) handle = CU_STREAM_PER_THREAD;
    return context.stream(handle);
}

void forbid_destroyed_context() {
    const auto context = current_context_or_null();
    if (context && context->ending()) fail(CUDA_ERROR_CONTEXT_IS_DESTROYED);
}

std::shared_ptr<Stream> any_copy_stream(CUstream handle) {
    forbid_destroyed_context();
    return any_stream(handle);
}

std::shared_ptr<Stream> any_stream(CUstream handle) {
    if (auto stream = handles<Stream>().find(handle)) {
        stream->context().check();
        return stream;
    }
    return stream_of(current_context(), handle);
}

} // namespace warplight::software

using namespace warplight::software;

WL_ENTRY(cuInit, (unsigned int Flags)) {
    if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return enter_always([] {
        if (device_count() == 0) fail(CUDA_ERROR_NO_DEVICE);
        platform::keep_loaded();
        summary::begin(&tell_all_leaks);
        is_initialised = true;
    });
}

WL_ENTRY(cuDriverGetVersion, (int* driverVersion)) {
    if (!driverVersion) return CUDA_ERROR_INVALID_VALUE;
    *driverVersion = 13000;
    return CUDA_SUCCESS;
}
