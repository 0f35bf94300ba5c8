// SPDX-License-Identifier: Apache-2.0
#include "capture.hpp"

#include "event.hpp"
#include "failure.hpp"
#include "stream.hpp"

#include <algorithm>
#include <set>

namespace warplight::software {

struct CaptureAccess {
    static std::shared_ptr<EventCapture>& of(Event& event) { return event.capture_; }
    static void set(Event& event, bool captured) { event.captured_.store(captured, std::memory_order_release); }
};

namespace {

std::uint64_t last_capture_id = 0;

/// Adds dependencies that are not there yet.
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
    visit(capture.origin->capture()->dependencies);
    while (!open.empty()) {
        const GraphNode* node = open.back();
        open.pop_back();
        visit(node->dependencies);
    }
    return std::all_of(capture.streams.begin(), capture.streams.end(), [&](const auto& stream) {
        const auto& tails = stream->capture()->dependencies;
        return std::all_of(tails.begin(), tails.end(), [&](const GraphEdge& e) { return reached.contains(e.node); });
    });
}

void finish(Capture& capture) {
    capture.graph->capturing = false;
    remove_capture(capture);
}

} // namespace

void begin_capture(Stream& stream, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
                   std::vector<GraphEdge> dependencies) {
    const GraphGuard guard;
    forbid_implicit_capture(stream);
    if (stream.legacy()) fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy default stream cannot be captured");
    if (stream.capturing()) fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is being captured already");
    if (graph && graph->capturing) fail(CUDA_ERROR_INVALID_VALUE, "the graph is being captured into already");
    for (const GraphEdge& edge : dependencies) {
        if (&edge.node->graph != graph.get()) fail(CUDA_ERROR_INVALID_VALUE, "a dependency is a node of another graph");
        check_edge(*edge.node, edge.data);
    }
    auto capture = std::make_shared<Capture>();
    capture->id = ++last_capture_id;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->origin = &stream;
    capture->into_existing = graph != nullptr;
    capture->graph = graph ? std::move(graph) : Graph::create();
    capture->graph->capturing = true;
    add_capture(capture);
    CapturableStream::join(stream.shared_from_this(), capture, std::move(dependencies));
}

std::shared_ptr<Graph> end_capture(Stream& stream) {
    const GraphGuard guard;
    if (!stream.capturing()) fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is not being captured");
    const auto capture = stream.capture()->capture;
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

std::shared_ptr<GraphNode> capture_node(Stream& stream, std::shared_ptr<const NodeContent> content) {
    const GraphGuard guard;
    StreamCapture& state = stream.valid_capture();
    auto node = state.capture->graph->add(std::move(content), state.dependencies);
    state.dependencies = {{node.get()}};
    return node;
}

void capture_record(Stream& stream, Event& event) {
    const GraphGuard guard;
    const StreamCapture& state = stream.valid_capture();
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
        if (stream.legacy())
            invalidate(*from->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                       "the legacy default stream cannot take part in a capture");
        CapturableStream::join(stream.shared_from_this(), from->capture, from->dependencies);
        return true;
    }
    StreamCapture& state = stream.valid_capture();
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

void forbid_captured(Event& event) {
    if (!event.captured()) return;
    const GraphGuard guard;
    if (const auto& from = CaptureAccess::of(event); from && !from->capture->ended) from->capture->invalidated = true;
    fail(CUDA_ERROR_CAPTURED_EVENT, "the event was last recorded in a stream that is captured");
}

void abandon_capture(Stream& stream) {
    const GraphGuard guard;
    if (!stream.capturing()) return;
    const auto capture = stream.capture()->capture;
    capture->invalidated = true;
    if (capture->origin == &stream) {
        finish(*capture);
        if (!capture->into_existing) capture->graph->forget();
        return;
    }
    std::erase_if(capture->streams, [&](const auto& s) { return s.get() == &stream; });
    stream.leave();
}

} // namespace warplight::software
