// SPDX-License-Identifier: Apache-2.0
#include "capture_state.hpp"

#include "context_state.hpp"
#include "failure.hpp"
#include "graph_guard.hpp"

#include <utility>

namespace warplight::software {
namespace {

std::atomic<int> capture_count = 0; ///< those that have not ended
thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

/// Guarded by graph_mutex().
std::vector<std::shared_ptr<Capture>>& captures() {
    static auto* list = new std::vector<std::shared_ptr<Capture>>;
    return *list;
}

/// Captures whose blocking streams the legacy default stream of the context would wait for.
void invalidate_blocking(const ContextState& context) {
    for (const auto& capture : captures()) {
        for (const auto& stream : capture->streams)
            if (&stream->state() == &context && stream->blocking()) capture->invalidated = true;
    }
}

} // namespace

StreamCapture& CapturableStream::valid_capture() const {
    if (!capture_) fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "another thread ended the capture meanwhile");
    if (capture_->capture->invalidated)
        fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture failed before; end it");
    return *capture_;
}

void CapturableStream::join(const std::shared_ptr<CapturableStream>& stream, const std::shared_ptr<Capture>& capture,
                            std::vector<GraphEdge> dependencies) {
    auto kept = std::make_shared<StreamCapture>();
    kept->capture = capture;
    kept->dependencies = std::move(dependencies);
    stream->capture_ = std::move(kept);
    stream->capturing_.store(true, std::memory_order_release);
    capture->streams.push_back(stream);
    ++stream->context_.captures;
    if (stream->blocking_) ++stream->context_.blocking_captures;
}

void CapturableStream::leave() {
    capture_ = nullptr;
    capturing_.store(false, std::memory_order_release);
    --context_.captures;
    if (blocking_) --context_.blocking_captures;
}

void add_capture(std::shared_ptr<Capture> capture) {
    captures().push_back(std::move(capture));
    ++capture_count;
}

void remove_capture(Capture& capture) {
    capture.ended = true;
    for (const auto& stream : capture.streams)
        stream->leave();
    capture.streams.clear();
    --capture_count;
    std::erase_if(captures(), [&](const auto& c) { return c.get() == &capture; });
}

void invalidate(Capture& capture, CUresult code, const char* why) {
    capture.invalidated = true;
    fail(code, why);
}

void forbid_capture(CapturableStream& stream) {
    if (stream.capturing()) {
        const GraphGuard guard;
        if (!stream.capturing()) return; // ended meanwhile
        invalidate(*stream.valid_capture().capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                   "this cannot be done in a stream that is being captured");
    }
    forbid_implicit_capture(stream);
}

void forbid_implicit_capture(CapturableStream& stream) {
    if (stream.legacy() && stream.state().blocking_captures > 0) {
        const GraphGuard guard;
        invalidate_blocking(stream.state());
        fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
             "the legacy default stream would wait for a stream that is being captured");
    }
}

void forbid_capture(ContextState& context) {
    if (context.captures == 0) return;
    const GraphGuard guard;
    bool any = false;
    for (const auto& capture : captures()) {
        for (const auto& stream : capture->streams) {
            if (&stream->state() != &context) continue;
            capture->invalidated = any = true;
        }
    }
    if (any) fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a stream of the context is being captured");
}

void forbid_unsafe_call() {
    if (capture_count == 0 || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return;
    const GraphGuard guard;
    const auto mine = std::this_thread::get_id();
    bool any = false;
    for (const auto& capture : captures()) {
        const bool local = capture->thread == mine && capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
        const bool global = thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->thread != mine &&
                            capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
        if (local || global) capture->invalidated = any = true;
    }
    if (any)
        fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
             "this would be done once, not at each launch of the graph that is being captured");
}

CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode) { return std::exchange(thread_mode, mode); }

} // namespace warplight::software
