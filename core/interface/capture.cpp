// SPDX-License-Identifier: Apache-2.0
// Capturing streams into graphs.
#include "interface/graph_state.hpp"
#include "warplight/graph.hpp"

#include <utility>

namespace warplight::driver {

void Stream::begin_capture(stream_capture_mode mode) const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    WARPLIGHT_CALL(*stream.context->driver, cuStreamBeginCapture, stream.describe(), stream.handle,
                   static_cast<CUstreamCaptureMode>(mode));
}

void Stream::begin_capture_to_graph(const Graph& graph, std::span<CUgraphNode const> dependencies,
                                    stream_capture_mode mode) const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    WARPLIGHT_CALL(*stream.context->driver, cuStreamBeginCaptureToGraph, stream.describe() + ", " + graph.describe(),
                   stream.handle, graph.handle(), dependencies.empty() ? nullptr : dependencies.data(), nullptr,
                   dependencies.size(), static_cast<CUstreamCaptureMode>(mode));
}

Graph Stream::end_capture() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    CUgraph graph = nullptr;
    WARPLIGHT_CALL(*stream.context->driver, cuStreamEndCapture, stream.describe(), stream.handle, &graph);
    return Graph(detail::make_graph_state(stream.context, graph));
}

void Stream::end_capture_to_graph() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    CUgraph graph = nullptr;
    WARPLIGHT_CALL(*stream.context->driver, cuStreamEndCapture, stream.describe(), stream.handle, &graph);
}

stream_capture_status Stream::is_capturing() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    CUstreamCaptureStatus status{};
    WARPLIGHT_CALL(*stream.context->driver, cuStreamIsCapturing, stream.describe(), stream.handle, &status);
    return static_cast<stream_capture_status>(status);
}

CaptureInfo Stream::get_capture_info() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    const detail::DriverState& driver = *stream.context->driver;
    CUstreamCaptureStatus status{};
    cuuint64_t id = 0;
    CUgraph graph = nullptr;
    const CUgraphNode* nodes = nullptr;
    std::size_t count = 0;
    const GraphEdgeData* data = nullptr;
    if (driver.functions.fn_cuStreamGetCaptureInfo_v3)
        WARPLIGHT_CALL(driver, cuStreamGetCaptureInfo_v3, stream.describe(), stream.handle, &status, &id, &graph,
                       &nodes, &data, &count);
    else
        WARPLIGHT_CALL(driver, cuStreamGetCaptureInfo_v2, stream.describe(), stream.handle, &status, &id, &graph,
                       &nodes, &count);
    CaptureInfo info;
    info.status = static_cast<stream_capture_status>(status);
    if (info.status != stream_capture_status::ACTIVE) return info;
    info.id = id;
    info.graph = graph;
    info.dependencies.assign(nodes, nodes + count);
    return info;
}

void Stream::update_capture_dependencies(std::span<CUgraphNode const> dependencies, unsigned flags) const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    WARPLIGHT_CALL(*stream.context->driver, cuStreamUpdateCaptureDependencies, stream.describe(), stream.handle,
                   const_cast<CUgraphNode*>(dependencies.data()), dependencies.size(), flags);
}

Graph capture(const Stream& stream, const Callback<void()>& body, stream_capture_mode mode) {
    CaptureGuard guard(stream, mode);
    body();
    return guard.end();
}

CaptureGuard::CaptureGuard(const Stream& stream, stream_capture_mode mode) : stream_(&stream) {
    stream.begin_capture(mode);
}

Graph CaptureGuard::end() {
    if (!stream_) throw_logic_error("the capture has ended");
    return std::exchange(stream_, nullptr)->end_capture();
}

CaptureGuard::~CaptureGuard() {
    if (!stream_) return;
    // What went wrong is under way already; a graph that nobody asked for is destroyed.
    try {
        (void)stream_->end_capture();
    } catch (const LogicError&) { // NOLINT(bugprone-empty-catch): the capture was invalid, and is over
    } catch (...) {
        detail::report_unless_broken();
    }
}

namespace {
stream_capture_mode exchange(const detail::DriverState& driver, stream_capture_mode mode) {
    auto native = static_cast<CUstreamCaptureMode>(mode);
    WARPLIGHT_CALL(driver, cuThreadExchangeStreamCaptureMode, "this thread", &native);
    return static_cast<stream_capture_mode>(native);
}
} // namespace

stream_capture_mode exchange_stream_capture_mode(stream_capture_mode mode) {
    const auto context = detail::current_context();
    return exchange(*context->driver, mode);
}

CaptureModeScope::CaptureModeScope(stream_capture_mode mode)
    : driver_(detail::current_context()->driver), before_(exchange(*driver_, mode)) {}

CaptureModeScope::~CaptureModeScope() {
    try {
        exchange(*driver_, before_);
    } catch (...) {
        detail::report_unless_broken();
    }
}

} // namespace warplight::driver
