// SPDX-License-Identifier: Apache-2.0
#include "capture.hpp"

#include "context.hpp"
#include "event.hpp"
#include "failure.hpp"
#include "handles.hpp"

#include <algorithm>
#include <atomic>
#include <set>

namespace warplight::software {

struct CaptureAccess {
    static std::shared_ptr<StreamCapture>& of(Stream& stream) { return stream.capture_; }
    static void set(Stream& stream, bool capturing) { stream.capturing_.store(capturing, std::memory_order_release); }
    static std::shared_ptr<EventCapture>& of(Event& event) { return event.capture_; }
    static void set(Event& event, bool captured) { event.captured_.store(captured, std::memory_order_release); }
};

namespace {

std::atomic<int> capture_count = 0; ///< those that have not ended
std::uint64_t last_id = 0;
thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

/// Guarded by graph_mutex().
std::vector<std::shared_ptr<Capture>>& captures() {
    static auto* list = new std::vector<std::shared_ptr<Capture>>;
    return *list;
}

void join(Stream& stream, const std::shared_ptr<Capture>& capture, std::vector<GraphEdge> dependencies) {
    auto state = std::make_shared<StreamCapture>();
    state->capture = capture;
    state->dependencies = std::move(dependencies);
    CaptureAccess::of(stream) = std::move(state);
    CaptureAccess::set(stream, true);
    capture->streams.push_back(stream.shared_from_this());
    ++stream.context().captures;
    if (stream.blocking()) ++stream.context().blocking_captures;
}

void leave(Stream& stream) {
    CaptureAccess::of(stream) = nullptr;
    CaptureAccess::set(stream, false);
    --stream.context().captures;
    if (stream.blocking()) --stream.context().blocking_captures;
}

[[noreturn]] void invalidate(Capture& capture, CUresult code, const char* why) {
    capture.invalidated = true;
    fail(code, why);
}

/// The capture goes on; otherwise it is this call's error.
StreamCapture& valid(Stream& stream) {
    const auto& kept = CaptureAccess::of(stream);
    if (!kept) fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "another thread ended the capture meanwhile");
    StreamCapture& state = *kept;
    if (state.capture->invalidated) fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture failed before; end it");
    return state;
}

/// What the stream's first work would wait for must have been captured with it.
void unite(std::vector<GraphEdge>& dependencies, const std::vector<GraphEdge>& more) {
    for (const GraphEdge& edge : more)
        if (std::none_of(dependencies.begin(), dependencies.end(),
                         [&](const GraphEdge& d) { return d.node == edge.node; }))
            dependencies.push_back(edge);
}

bool joined(const Capture& capture) {
    std::set<const GraphNode*> reached;
    std::vector<const GraphNode*> open;
    const auto visit = [&](const std::vector<GraphEdge>& edges) {
        for (const GraphEdge& edge : edges)
            if (reached.insert(edge.node).second) open.push_back(edge.node);
    };
    visit(CaptureAccess::of(*capture.origin)->dependencies);
    while (!open.empty()) {
        const GraphNode* node = open.back();
        open.pop_back();
        visit(node->dependencies);
    }
    return std::all_of(capture.streams.begin(), capture.streams.end(), [&](const auto& stream) {
        const auto& tails = CaptureAccess::of(*stream)->dependencies;
        return std::all_of(tails.begin(), tails.end(), [&](const GraphEdge& e) { return reached.contains(e.node); });
    });
}

/// Captures whose blocking streams the legacy default stream of the context would wait for.
void invalidate_blocking(const Context& context) {
    for (const auto& capture : captures()) {
        for (const auto& stream : capture->streams)
            if (&stream->context() == &context && stream->blocking()) capture->invalidated = true;
    }
}

void finish(Capture& capture) {
    capture.ended = true;
    capture.graph->capturing = false;
    for (const auto& stream : capture.streams)
        leave(*stream);
    capture.streams.clear();
    --capture_count;
    std::erase_if(captures(), [&](const auto& c) { return c.get() == &capture; });
}

} // namespace

void begin_capture(Stream& stream, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
                   std::vector<GraphEdge> dependencies) {
    const GraphGuard guard;
    forbid_implicit_capture(stream);
    if (stream.role == Stream::Role::legacy)
        fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy default stream cannot be captured");
    if (stream.capturing()) fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is being captured already");
    if (graph && graph->capturing) fail(CUDA_ERROR_INVALID_VALUE, "the graph is being captured into already");
    for (const GraphEdge& edge : dependencies) {
        if (&edge.node->graph != graph.get()) fail(CUDA_ERROR_INVALID_VALUE, "a dependency is a node of another graph");
        check_edge(*edge.node, edge.data);
    }
    auto capture = std::make_shared<Capture>();
    capture->id = ++last_id;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = &stream;
    capture->into_existing = graph != nullptr;
    capture->graph = graph ? std::move(graph) : Graph::create();
    capture->graph->capturing = true;
    captures().push_back(capture);
    ++capture_count;
    join(stream, capture, std::move(dependencies));
}

std::shared_ptr<Graph> end_capture(Stream& stream) {
    const GraphGuard guard;
    if (!stream.capturing()) fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is not being captured");
    const auto capture = CaptureAccess::of(stream)->capture;
    if (capture->origin != &stream) fail(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "the capture began in another stream");
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != std::this_thread::get_id())
        fail(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "the capture began in another thread");
    const bool complete = !capture->invalidated && joined(*capture);
    const bool was_invalid = capture->invalidated;
    finish(*capture);
    if (complete) return capture->graph;
    if (!capture->into_existing) capture->graph->forget();
    if (was_invalid) fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture failed before");
    fail(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "work in another stream was captured that this stream does not wait for");
}

StreamCapture* stream_capture(Stream& stream) { return CaptureAccess::of(stream).get(); }

std::shared_ptr<GraphNode> capture_node(Stream& stream, std::shared_ptr<const NodeContent> content) {
    const GraphGuard guard;
    StreamCapture& state = valid(stream);
    auto node = state.capture->graph->add(std::move(content), state.dependencies);
    state.dependencies = {{node.get()}};
    return node;
}

void capture_record(Stream& stream, Event& event) {
    const GraphGuard guard;
    const StreamCapture& state = valid(stream);
    CaptureAccess::of(event) = std::make_shared<EventCapture>(EventCapture{state.capture, state.dependencies});
    CaptureAccess::set(event, true);
}

bool capture_wait(Stream& stream, Event& event) {
    if (!stream.capturing() && !event.captured()) return false;
    const GraphGuard guard;
    const auto from = event.captured() ? CaptureAccess::of(event) : nullptr;
    const bool active = from && !from->capture->ended;
    if (!stream.capturing()) {
        if (!from) return false;
        if (!active) fail(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a capture that has ended");
        if (from->capture->invalidated)
            fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "the capture failed before; end it");
        if (stream.role == Stream::Role::legacy)
            invalidate(*from->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                       "the legacy default stream cannot take part in a capture");
        join(stream, from->capture, from->dependencies);
        return true;
    }
    StreamCapture& state = valid(stream);
    if (!from || !active)
        invalidate(*state.capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                   "a captured stream cannot wait for work that is not captured");
    if (from->capture != state.capture) {
        from->capture->invalidated = true;
        invalidate(*state.capture, CUDA_ERROR_STREAM_CAPTURE_MERGE, "the event belongs to another capture");
    }
    unite(state.dependencies, from->dependencies);
    return true;
}

void forbid_capture(Stream& stream) {
    if (stream.capturing()) {
        const GraphGuard guard;
        if (!stream.capturing()) return; // ended meanwhile
        invalidate(*valid(stream).capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                   "this cannot be done in a stream that is being captured");
    }
    forbid_implicit_capture(stream);
}

void forbid_implicit_capture(Stream& stream) {
    if (stream.role == Stream::Role::legacy && stream.context().blocking_captures > 0) {
        const GraphGuard guard;
        invalidate_blocking(stream.context());
        fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
             "the legacy default stream would wait for a stream that is being captured");
    }
}

void forbid_capture(Context& context) {
    if (context.captures == 0) return;
    const GraphGuard guard;
    bool any = false;
    for (const auto& capture : captures()) {
        for (const auto& stream : capture->streams) {
            if (&stream->context() != &context) continue;
            capture->invalidated = any = true;
        }
    }
    if (any) fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a stream of the context is being captured");
}

void forbid_captured(Event& event) {
    if (!event.captured()) return;
    const GraphGuard guard;
    if (const auto& from = CaptureAccess::of(event); from && !from->capture->ended) from->capture->invalidated = true;
    fail(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a stream that is captured");
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

void abandon_capture(Stream& stream) {
    const GraphGuard guard;
    if (!stream.capturing()) return;
    const auto capture = CaptureAccess::of(stream)->capture;
    capture->invalidated = true;
    if (capture->origin == &stream) {
        finish(*capture);
        if (!capture->into_existing) capture->graph->forget();
        return;
    }
    std::erase_if(capture->streams, [&](const auto& s) { return s.get() == &stream; });
    leave(stream);
}

CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode) { return std::exchange(thread_mode, mode); }

} // namespace warplight::software
