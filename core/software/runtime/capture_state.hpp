// SPDX-License-Identifier: Apache-2.0
// Captures under way, and the calls that they forbid: work that cannot be captured is refused with the driver's own
// code, and ends the capture. capture.hpp makes the graphs.
#pragma once

#include "graph_edge.hpp"

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace warplight::software {

class CapturableStream;
class ContextState;
class Graph;

// All of this is guarded by graph_mutex().
struct Capture {
    std::uint64_t id = 0;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    std::thread::id thread;
    CapturableStream* origin = nullptr;
    std::shared_ptr<Graph> graph;
    bool into_existing = false;
    bool invalidated = false;
    bool ended = false;
    std::vector<std::shared_ptr<CapturableStream>> streams;
};

/// A stream's part in a capture.
struct StreamCapture {
    std::shared_ptr<Capture> capture;
    std::vector<GraphEdge> dependencies; ///< of the next node
    // cuStreamGetCaptureInfo points its caller to these.
    std::vector<CUgraphNode> handles;
    std::vector<driver::GraphEdgeData> data;
};

/// A stream, as captures see it.
class CapturableStream {
public:
    CapturableStream(const CapturableStream&) = delete;
    CapturableStream& operator=(const CapturableStream&) = delete;

    /// The legacy default stream.
    [[nodiscard]] bool legacy() const { return legacy_; }
    /// Whether it keeps order with the legacy default stream.
    [[nodiscard]] bool blocking() const { return blocking_; }
    [[nodiscard]] ContextState& state() const { return context_; }

    /// Whether added work becomes nodes of a graph. Where the capture has failed, work is refused.
    [[nodiscard]] bool capturing() const { return capturing_.load(std::memory_order_acquire); }
    /// Null where it does not capture. graph_mutex() is held while it is used.
    [[nodiscard]] StreamCapture* capture() const { return capture_.get(); }
    /// The same where the capture is to go on; else throws.
    [[nodiscard]] StreamCapture& valid_capture() const;

    /// `stream` takes part from now on.
    static void join(const std::shared_ptr<CapturableStream>& stream, const std::shared_ptr<Capture>& capture,
                     std::vector<GraphEdge> dependencies);
    void leave();

protected:
    CapturableStream(ContextState& context, bool legacy, bool blocking)
        : context_(context), legacy_(legacy), blocking_(blocking) {}
    ~CapturableStream() = default;

private:
    ContextState& context_;
    const bool legacy_;
    const bool blocking_;
    std::atomic<bool> capturing_ = false;
    std::shared_ptr<StreamCapture> capture_;
};

/// Enters it into the list of captures under way.
void add_capture(std::shared_ptr<Capture> capture);
/// Its streams leave it, and it leaves the list.
void remove_capture(Capture& capture);
/// The capture cannot be completed any more; throws.
[[noreturn]] void invalidate(Capture& capture, CUresult code, const char* why);

// The functions below throw the driver's codes.

/// For work that cannot be captured: throws where the stream captures, or would wait for one that does.
void forbid_capture(CapturableStream& stream);
/// For queries of a stream: throws where it is the legacy default stream and would wait for one that captures.
void forbid_implicit_capture(CapturableStream& stream);
/// For calls that wait for all of the context.
void forbid_capture(ContextState& context);
/// For calls that take effect once, where a capture may expect an effect at each launch of its graph.
void forbid_unsafe_call();

/// The calling thread's mode; the one before is returned.
CUstreamCaptureMode exchange_capture_mode(CUstreamCaptureMode mode);

} // namespace warplight::software
