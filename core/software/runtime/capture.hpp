// SPDX-License-Identifier: Apache-2.0
// Capturing streams into graphs: what is added to a stream becomes a node that depends on what the stream added
// before; events carry the dependencies from stream to stream. What cannot be captured is refused with the driver's
// own code, and ends what was captured so far.
#pragma once

#include "graph.hpp"

#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace warplight::software {

class Context;
class Event;
class Stream;

struct Capture {
    std::uint64_t id = 0;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    std::thread::id thread;
    Stream* origin = nullptr;
    std::shared_ptr<Graph> graph;
    bool into_existing = false;
    bool invalidated = false;
    bool ended = false;
    std::vector<std::shared_ptr<Stream>> streams;
};

/// What a capturing stream keeps.
struct StreamCapture {
    std::shared_ptr<Capture> capture;
    std::vector<GraphEdge> dependencies; ///< of the next node
    // What cuStreamGetCaptureInfo points its caller to.
    std::vector<CUgraphNode> handles;
    std::vector<driver::GraphEdgeData> data;
};

/// What an event that was recorded in a capturing stream stands for.
struct EventCapture {
    std::shared_ptr<Capture> capture;
    std::vector<GraphEdge> dependencies;
};

// The functions below throw the driver's codes.

/// `graph` null: a new one.
void begin_capture(Stream& stream, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph = nullptr,
                   std::vector<GraphEdge> dependencies = {});
/// The graph, which the caller owns from now on unless it had it before.
[[nodiscard]] std::shared_ptr<Graph> end_capture(Stream& stream);
/// Null where it does not capture. graph_mutex() is held while it is used.
[[nodiscard]] StreamCapture* stream_capture(Stream& stream);

/// Adds a node behind what the stream captured.
std::shared_ptr<GraphNode> capture_node(Stream& stream, std::shared_ptr<const NodeContent> content);
void capture_record(Stream& stream, Event& event);
/// False where neither the stream nor the event has to do with a capture.
[[nodiscard]] bool capture_wait(Stream& stream, Event& event);

/// Of what cannot be captured: throws where the stream captures, or would wait for one that does.
void forbid_capture(Stream& stream);
/// Of what asks a stream: throws where that is the legacy default stream and would wait for one that captures.
void forbid_implicit_capture(Stream& stream);
/// Of what waits for all of the context.
void forbid_capture(Context& context);
/// Of a look at an event.
void forbid_captured(Event& event);
/// Of what is done at once although a capture may count on it being done at each launch.
void forbid_unsafe_call();
/// The stream goes away.
void abandon_capture(Stream& stream);

/// The calling thread's mode; the one before is returned.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

} // namespace warplight::software
