// SPDX-License-Identifier: Apache-2.0
// Capturing streams into graphs: work added to a stream becomes a node that depends on the work the stream added
// before. Events carry the dependencies from stream to stream.
#pragma once

#include "capture_state.hpp"
#include "graph.hpp"

#include <memory>
#include <vector>

namespace warplight::software {

class Event;
class Stream;

/// The nodes that an event recorded in a capturing stream stands for.
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
/// Adds a node behind the last ones that the stream captured.
std::shared_ptr<GraphNode> capture_node(Stream& stream, std::shared_ptr<const NodeContent> content);
void capture_record(Stream& stream, Event& event);
/// False where neither the stream nor the event has to do with a capture.
[[nodiscard]] bool capture_wait(Stream& stream, Event& event);

/// Of a look at an event.
void forbid_captured(Event& event);
/// The stream goes away.
void abandon_capture(Stream& stream);

} // namespace warplight::software
