// SPDX-License-Identifier: Apache-2.0
// Graphs: work that is described once and launched often.
//
//   Graph graph;
//   GraphNode copy = graph.add_memcpy_htod_node({}, device, host);
//   graph.add_kernel_node({copy}, kernel, {.grid = {64}, .block = {256}}, device, 3.0f);
//   GraphExec exec = graph.instantiate();
//   exec.launch(stream);
//
// or captured from a stream:
//
//   Graph graph = capture(stream, [&] { kernel({.grid = {64}, .block = {256}, .stream = &stream}, device, 3.0f); });
//
// Nodes that depend on nothing common may run side by side. A launch waits for what its stream has to do, and for the
// launch of the same GraphExec before it.
#pragma once

#include "warplight/argument.hpp"
#include "warplight/buffer.hpp"
#include "warplight/callback.hpp"
#include "warplight/enums_graph.hpp"
#include "warplight/file_path.hpp"
#include "warplight/function.hpp"
#include "warplight/handles.hpp"
#include "warplight/memory.hpp"
#include "warplight/shared.hpp"
#include "warplight/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplight::driver {

class Event;
class Graph;
class GraphExec;

/// A node of a graph, passed by value. It names the node and keeps the graph, not the node: after
/// Graph::destroy_node() using it is a LogicError.
class GraphNode {
public:
    GraphNode() = default;
    graph_node_type get_type() const;
    std::vector<GraphNode> get_dependencies() const;
    std::vector<GraphNode> get_dependent_nodes() const;

    // Each is for nodes of one type; others answer with a LogicError.
    Grid get_grid() const; ///< of a kernel node
    Block get_block() const;
    std::size_t get_shared() const; ///< dynamic shared memory, bytes
    CUfunc_st* get_function() const;
    /// The bytes of a kernel node's argument.
    std::vector<std::byte> get_argument(std::size_t index, std::size_t size) const;
    template <class... Args>
    void set_kernel(const Function& function, const LaunchConfig& config, const Args&... args) const {
        set_kernel_params(function, config, detail::ArgumentList<sizeof...(Args)>(args...));
    }
    void set_kernel_params(const Function& function, const LaunchConfig& config,
                           std::span<const Argument> arguments) const;
    int get_priority() const; ///< of a kernel node; CUDA 11.7
    void set_priority(int priority) const;
    bool get_cooperative() const; ///< of a kernel node; CUDA 11.1
    void set_cooperative(bool cooperative) const;
    void copy_attributes(const GraphNode& source) const;
    std::size_t get_memcpy_bytes() const; ///< of a memcpy node: bytes of its rows
    void set_memcpy_htod(DevicePointer dest, ConstBuffer src) const;
    void set_memcpy_dtoh(MutableBuffer dest, DevicePointer src) const;
    void set_memcpy_dtod(DevicePointer dest, DevicePointer src, std::size_t bytes) const;
    struct Fill {
        device_ptr dest = 0;
        std::size_t pitch = 0; ///< bytes; of no matter for one row
        std::uint32_t value = 0;
        unsigned element_size = 4; ///< bytes: 1, 2 or 4
        std::size_t width = 0;     ///< elements of a row
        std::size_t height = 1;    ///< rows
    };
    Fill get_memset() const; ///< of a memset node
    void set_memset(const Fill& fill) const;
    void set_host_function(Callback<void()> function) const; ///< of a host node
    /// The graph of a child graph node, which stays the node's.
    Graph get_child_graph() const;
    CUevent_st* get_event() const; ///< of an event record or event wait node
    void set_event(const Event& event) const;
    device_ptr get_address() const; ///< of a memory allocation or memory free node
    std::vector<MemoryOperation> get_memory_operations() const;
    void set_memory_operations(std::span<const MemoryOperation> operations) const;

    CUgraphNode_st* handle() const noexcept { return handle_; }
    /// "kernel node of graph 1 in context 1 on device 0"
    std::string describe() const;
    friend bool operator==(const GraphNode& a, const GraphNode& b) noexcept { return a.handle_ == b.handle_; }

    /// Internal.
    GraphNode(Shared<detail::GraphState> graph, CUgraphNode_st* handle) noexcept
        : graph_(std::move(graph)), handle_(handle) {}
    detail::GraphState& state() const;

private:
    Shared<detail::GraphState> graph_;
    CUgraphNode_st* handle_ = nullptr;
};

struct GraphEdge {
    GraphNode from, to;
    unsigned char from_port = 0; ///< of graph_kernel_node_port
    unsigned char to_port = 0;
    graph_dependency_type type = graph_dependency_type::DEFAULT;
};

struct GraphExecUpdate {
    graph_exec_update_result result = graph_exec_update_result::SUCCESS;
    GraphNode error_node; ///< of the graph that does not fit; without a handle where none is to blame
    GraphNode error_from_node;
    explicit operator bool() const noexcept { return result == graph_exec_update_result::SUCCESS; }
};

/// Data that graphs keep until none of them, and no launch, can use it any longer. CUDA 11.3. A cheap handle.
class UserObject {
public:
    /// `destroy` is called once, from any thread; it must not call the driver.
    explicit UserObject(Callback<void()> destroy);
    ~UserObject();
    UserObject(UserObject&&) noexcept;
    UserObject& operator=(UserObject&&) noexcept;
    UserObject(const UserObject&) = delete;
    UserObject& operator=(const UserObject&) = delete;

private:
    friend class Graph;
    struct State;
    Shared<State> state_;
};

using GraphNodes = std::vector<GraphNode>;

/// A graph. Move-only. Nodes are made in the context that is current when it is made. Arguments of kernels are copied;
/// device memory, host memory and functions must outlive the graph and what was made of it. Not to be used by two
/// threads at once.
class Graph {
public:
    Graph();
    Graph(Graph&&) noexcept = default;
    Graph& operator=(Graph&&) noexcept = default;
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    ~Graph() = default;

    template <class... Args>
    GraphNode add_kernel_node(const GraphNodes& dependencies, const Function& function, const LaunchConfig& config,
                              const Args&... args) const {
        return add_kernel(dependencies, function, config, detail::ArgumentList<sizeof...(Args)>(args...));
    }
    /// config.stream and config.time_kernel mean nothing here. @throws LogicError for In, Out and InOut.
    GraphNode add_kernel(const GraphNodes& dependencies, const Function& function, const LaunchConfig& config,
                         std::span<const Argument> arguments) const;
    GraphNode add_memcpy_htod_node(const GraphNodes& dependencies, DevicePointer dest, ConstBuffer src) const;
    GraphNode add_memcpy_dtoh_node(const GraphNodes& dependencies, MutableBuffer dest, DevicePointer src) const;
    GraphNode add_memcpy_dtod_node(const GraphNodes& dependencies, DevicePointer dest, DevicePointer src,
                                   std::size_t bytes) const;
    GraphNode add_memset_node(const GraphNodes& dependencies, const GraphNode::Fill& fill) const;
    /// The function is kept with the graph. It must not call the driver.
    GraphNode add_host_node(const GraphNodes& dependencies, Callback<void()> function) const;
    /// A copy of the graph becomes a node.
    GraphNode add_child_graph_node(const GraphNodes& dependencies, const Graph& child) const;
    GraphNode add_empty_node(const GraphNodes& dependencies) const;
    GraphNode add_event_record_node(const GraphNodes& dependencies, const Event& event) const; ///< CUDA 11.1
    GraphNode add_event_wait_node(const GraphNodes& dependencies, const Event& event) const;   ///< CUDA 11.1
    /// Memory of the current device at a fixed address, taken by each launch. CUDA 11.4.
    GraphNode add_mem_alloc_node(const GraphNodes& dependencies, std::size_t bytes) const;
    /// Gives it back. CUDA 11.4.
    GraphNode add_mem_free_node(const GraphNodes& dependencies, device_ptr address) const;
    GraphNode add_batch_mem_op_node(const GraphNodes& dependencies,
                                    std::span<const MemoryOperation> operations) const; ///< CUDA 11.7

    void destroy_node(const GraphNode& node) const;
    std::vector<GraphNode> get_nodes() const;
    std::vector<GraphNode> get_root_nodes() const;
    std::vector<GraphEdge> get_edges() const;
    void add_dependency(const GraphNode& from, const GraphNode& to) const;
    /// With ports and type. CUDA 12.3.
    void add_dependency(const GraphEdge& edge) const;
    void remove_dependency(const GraphNode& from, const GraphNode& to) const;

    /// With its child graphs. Not where there are memory nodes.
    Graph clone() const;
    /// The node of this clone that stands for one of the original. @throws LogicError where there is none.
    GraphNode find_in_clone(const GraphNode& original) const;
    /// Writes the graph as DOT text. @param flags of graph_debug_dot_flags. CUDA 11.3.
    void debug_dot_print(const FilePath& path, unsigned flags = 0) const;
    /// Keeps the object as long as this graph and what is made of it. CUDA 11.3.
    void retain_user_object(const UserObject& object, unsigned count = 1) const;
    void release_user_object(const UserObject& object, unsigned count = 1) const;

    /// @param flags of graph_instantiate_flags @throws LogicError for circles, among others
    GraphExec instantiate(unsigned flags = 0) const;

    CUgraph_st* handle() const noexcept;
    /// "graph 1 in context 1 on device 0"
    std::string describe() const;
    /// Internal.
    explicit Graph(Shared<detail::GraphState> state) noexcept : state_(std::move(state)) {}
    detail::GraphState& state() const;

private:
    Shared<detail::GraphState> state_;
};

/// A graph made ready. Move-only. Its settings change later launches only; they name nodes of the graph it was made of.
class GraphExec {
public:
    GraphExec(GraphExec&&) noexcept = default;
    GraphExec& operator=(GraphExec&&) noexcept = default;
    GraphExec(const GraphExec&) = delete;
    GraphExec& operator=(const GraphExec&) = delete;
    ~GraphExec() = default;

    /// Null: the default stream.
    void launch(const Stream* stream = nullptr) const;
    void launch(const Stream& stream) const { launch(&stream); }
    /// Readies the device for the next launch, in the stream's order. CUDA 11.1.
    void upload(const Stream* stream = nullptr) const;
    void upload(const Stream& stream) const { upload(&stream); }

    /// Takes what nodes do from a graph of the same shape. Tells what does not fit instead of throwing.
    GraphExecUpdate update(const Graph& graph) const;
    template <class... Args>
    void set_kernel(const GraphNode& node, const Function& function, const LaunchConfig& config,
                    const Args&... args) const {
        set_kernel_params(node, function, config, detail::ArgumentList<sizeof...(Args)>(args...));
    }
    void set_kernel_params(const GraphNode& node, const Function& function, const LaunchConfig& config,
                           std::span<const Argument> arguments) const;
    void set_memcpy_htod(const GraphNode& node, DevicePointer dest, ConstBuffer src) const;
    void set_memcpy_dtoh(const GraphNode& node, MutableBuffer dest, DevicePointer src) const;
    void set_memcpy_dtod(const GraphNode& node, DevicePointer dest, DevicePointer src, std::size_t bytes) const;
    void set_memset(const GraphNode& node, const GraphNode::Fill& fill) const;
    void set_host_function(const GraphNode& node, Callback<void()> function) const;
    void set_child_graph(const GraphNode& node, const Graph& child) const; ///< CUDA 11.1
    void set_event(const GraphNode& node, const Event& event) const;       ///< CUDA 11.1
    void set_memory_operations(const GraphNode& node, std::span<const MemoryOperation> operations) const;
    /// Kernel, memcpy and memset nodes can be left out. CUDA 11.6.
    bool get_enabled(const GraphNode& node) const;
    void set_enabled(const GraphNode& node, bool enabled) const;
    /// As instantiated, of graph_instantiate_flags. CUDA 12.0.
    unsigned get_flags() const;

    CUgraphExec_st* handle() const noexcept;
    std::string describe() const;
    /// Internal.
    explicit GraphExec(Shared<detail::GraphExecState> state) noexcept : state_(std::move(state)) {}
    detail::GraphExecState& state() const;

private:
    Shared<detail::GraphExecState> state_;
};

/// What `body` queues in the stream, as a graph. An exception in it ends the capture and goes on.
Graph capture(const Stream& stream, const Callback<void()>& body,
              stream_capture_mode mode = stream_capture_mode::GLOBAL);

/// A capture that ends with the scope unless end() took the graph: then what was captured is thrown away.
class CaptureGuard {
public:
    explicit CaptureGuard(const Stream& stream, stream_capture_mode mode = stream_capture_mode::GLOBAL);
    ~CaptureGuard();
    CaptureGuard(const CaptureGuard&) = delete;
    CaptureGuard& operator=(const CaptureGuard&) = delete;
    Graph end();

private:
    const Stream* stream_;
};

/// Sets the calling thread's capture mode for a scope: RELAXED lets it make calls that a capture forbids.
class CaptureModeScope {
public:
    explicit CaptureModeScope(stream_capture_mode mode);
    ~CaptureModeScope();
    CaptureModeScope(const CaptureModeScope&) = delete;
    CaptureModeScope& operator=(const CaptureModeScope&) = delete;

private:
    Shared<const detail::DriverState> driver_;
    stream_capture_mode before_;
};
/// The calling thread's mode is replaced; the one before is returned.
stream_capture_mode exchange_stream_capture_mode(stream_capture_mode mode);

/// Memory that graphs of a device take, in bytes. CUDA 11.4.
std::uint64_t get_graph_mem_attribute(int device, graph_mem_attribute attribute);
/// High-water marks begin anew.
void reset_graph_mem_attribute(int device, graph_mem_attribute attribute);
/// Gives memory back that graphs of a device keep without need.
void graph_mem_trim(int device);

} // namespace warplight::driver
