// SPDX-License-Identifier: Apache-2.0
#include "warplight/graph.hpp"

#include "interface/graph_state.hpp"
#include "warplight/context.hpp"
#include "warplight/event.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace warplight::driver {

namespace detail {

GraphState::~GraphState() {
    if (!owned || !handle) return;
    clean_up(
        *context, "cuGraphDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuGraphDestroy, handle); });
}

std::shared_ptr<GraphState> make_graph_state(ContextPointer context, CUgraph handle) {
    auto state = std::make_shared<GraphState>();
    state->number = ++context->graphs;
    state->context = std::move(context);
    state->handle = handle;
    return state;
}

} // namespace detail

namespace {

using detail::GraphState;
using detail::Scope;

std::vector<CUgraphNode> handles_of(const GraphState& graph, std::span<const GraphNode> nodes) {
    std::vector<CUgraphNode> handles;
    for (const GraphNode& node : nodes) {
        if (&node.state() != &graph)
            throw_logic_error("a node of another graph", graph.describe() + ", " + node.describe());
        handles.push_back(node.handle());
    }
    return handles;
}

/// Asks for the count first, as the driver's queries want it.
template <class Query>
std::vector<CUgraphNode> ask(const Query& query) {
    std::size_t count = 0;
    query(nullptr, &count);
    std::vector<CUgraphNode> nodes(count);
    if (count > 0) query(nodes.data(), &count);
    nodes.resize(count);
    return nodes;
}

std::vector<GraphNode> wrap(const std::shared_ptr<GraphState>& graph, const std::vector<CUgraphNode>& handles) {
    std::vector<GraphNode> nodes;
    nodes.reserve(handles.size());
    for (CUgraphNode handle : handles)
        nodes.emplace_back(graph, handle);
    return nodes;
}

/// Adds a node by a call of the driver: add(node, graph, dependencies, count).
template <class Add>
GraphNode add(const std::shared_ptr<GraphState>& graph, const char* routine, const GraphNodes& dependencies,
              const Add& add_node) {
    const Scope scope(*graph->context);
    const std::vector<CUgraphNode> before = handles_of(*graph, dependencies);
    CUgraphNode node = nullptr;
    const CUresult code = add_node(&node, before.empty() ? nullptr : before.data(), before.size());
    if (code != CUDA_SUCCESS) detail::throw_failure(graph->driver(), routine, code, "new node of " + graph->describe());
    graph->destroyed.erase(node);
    return {graph, node};
}

} // namespace

Graph::Graph() {
    auto context = detail::current_context();
    const Scope scope(*context);
    CUgraph handle = nullptr;
    WARPLIGHT_CALL(*context->driver, cuGraphCreate, "new graph in " + context->describe(), &handle, 0);
    state_ = detail::make_graph_state(std::move(context), handle);
}

detail::GraphState& Graph::state() const {
    if (!state_) throw_logic_error("this graph has been moved from");
    return *state_;
}

CUgraph Graph::handle() const noexcept { return state_ ? state_->handle : nullptr; }
std::string Graph::describe() const { return state().describe(); }

GraphNode Graph::add_kernel(const GraphNodes& dependencies, const Function& function, const LaunchConfig& config,
                            std::span<const Argument> arguments) const {
    GraphState& graph = state();
    const detail::KernelParameters kernel(function, config, arguments);
    const GraphNode node = add(state_, "cuGraphAddKernelNode", dependencies,
                               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddKernelNode, out, graph.handle, before,
                                                        count, &kernel.parameters);
                               });
    try {
        detail::set_kernel_attributes(graph, node.handle(), config);
    } catch (...) {
        destroy_node(node);
        throw;
    }
    return node;
}

namespace {
GraphNode add_copy(const std::shared_ptr<GraphState>& graph, const GraphNodes& dependencies,
                   const CUDA_MEMCPY3D& copy) {
    return add(graph, "cuGraphAddMemcpyNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph->driver(), cuGraphAddMemcpyNode, out, graph->handle, before, count, &copy,
                                        graph->context->handle);
               });
}
} // namespace

GraphNode Graph::add_memcpy_htod_node(const GraphNodes& dependencies, DevicePointer dest, ConstBuffer src) const {
    (void)state();
    return add_copy(state_, dependencies, detail::copy_htod(dest, src));
}
GraphNode Graph::add_memcpy_dtoh_node(const GraphNodes& dependencies, MutableBuffer dest, DevicePointer src) const {
    (void)state();
    return add_copy(state_, dependencies, detail::copy_dtoh(dest, src));
}
GraphNode Graph::add_memcpy_dtod_node(const GraphNodes& dependencies, DevicePointer dest, DevicePointer src,
                                      std::size_t bytes) const {
    (void)state();
    return add_copy(state_, dependencies, detail::copy_dtod(dest, src, bytes));
}

GraphNode Graph::add_memset_node(const GraphNodes& dependencies, const GraphNode::Fill& fill) const {
    GraphState& graph = state();
    const auto parameters = detail::fill_parameters(fill);
    return add(state_, "cuGraphAddMemsetNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddMemsetNode, out, graph.handle, before, count,
                                        &parameters, graph.context->handle);
               });
}

GraphNode Graph::add_host_node(const GraphNodes& dependencies, Callback<void()> function) const {
    GraphState& graph = state();
    const auto parameters =
        detail::keep_function(graph.driver(), graph.handle, std::move(function), "host node of " + graph.describe());
    return add(state_, "cuGraphAddHostNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddHostNode, out, graph.handle, before, count,
                                        &parameters);
               });
}

GraphNode Graph::add_child_graph_node(const GraphNodes& dependencies, const Graph& child) const {
    GraphState& graph = state();
    return add(state_, "cuGraphAddChildGraphNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddChildGraphNode, out, graph.handle, before, count,
                                        child.state().handle);
               });
}

GraphNode Graph::add_empty_node(const GraphNodes& dependencies) const {
    GraphState& graph = state();
    return add(state_, "cuGraphAddEmptyNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddEmptyNode, out, graph.handle, before, count);
               });
}

GraphNode Graph::add_event_record_node(const GraphNodes& dependencies, const Event& event) const {
    GraphState& graph = state();
    return add(state_, "cuGraphAddEventRecordNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddEventRecordNode, out, graph.handle, before, count,
                                        event.state().handle);
               });
}

GraphNode Graph::add_event_wait_node(const GraphNodes& dependencies, const Event& event) const {
    GraphState& graph = state();
    return add(state_, "cuGraphAddEventWaitNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddEventWaitNode, out, graph.handle, before, count,
                                        event.state().handle);
               });
}

GraphNode Graph::add_mem_alloc_node(const GraphNodes& dependencies, std::size_t bytes) const {
    GraphState& graph = state();
    CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
    parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    parameters.poolProps.location.id = graph.context->device;
    parameters.bytesize = bytes;
    return add(state_, "cuGraphAddMemAllocNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddMemAllocNode, out, graph.handle, before, count,
                                        &parameters);
               });
}

GraphNode Graph::add_mem_free_node(const GraphNodes& dependencies, device_ptr address) const {
    GraphState& graph = state();
    return add(state_, "cuGraphAddMemFreeNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddMemFreeNode, out, graph.handle, before, count,
                                        address);
               });
}

GraphNode Graph::add_batch_mem_op_node(const GraphNodes& dependencies,
                                       std::span<const MemoryOperation> operations) const {
    GraphState& graph = state();
    auto native = detail::to_native(operations);
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters{};
    parameters.ctx = graph.context->handle;
    parameters.count = static_cast<unsigned>(native.size());
    parameters.paramArray = native.data();
    return add(state_, "cuGraphAddBatchMemOpNode", dependencies,
               [&](CUgraphNode* out, const CUgraphNode* before, std::size_t count) {
                   return WARPLIGHT_TRY(graph.driver(), cuGraphAddBatchMemOpNode, out, graph.handle, before, count,
                                        &parameters);
               });
}

void Graph::destroy_node(const GraphNode& node) const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    (void)handles_of(graph, {&node, 1});
    WARPLIGHT_CALL(graph.driver(), cuGraphDestroyNode, node.describe(), node.handle());
    graph.destroyed.insert(node.handle());
}

std::vector<GraphNode> Graph::get_nodes() const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    return wrap(state_, ask([&](CUgraphNode* nodes, std::size_t* count) {
                    WARPLIGHT_CALL(graph.driver(), cuGraphGetNodes, graph.describe(), graph.handle, nodes, count);
                }));
}

std::vector<GraphNode> Graph::get_root_nodes() const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    return wrap(state_, ask([&](CUgraphNode* nodes, std::size_t* count) {
                    WARPLIGHT_CALL(graph.driver(), cuGraphGetRootNodes, graph.describe(), graph.handle, nodes, count);
                }));
}

std::vector<GraphEdge> Graph::get_edges() const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    const detail::DriverState& driver = graph.driver();
    const bool with_data = driver.functions.fn_cuGraphGetEdges_v2 != nullptr;
    std::size_t count = 0;
    if (with_data)
        WARPLIGHT_CALL(driver, cuGraphGetEdges_v2, graph.describe(), graph.handle, nullptr, nullptr, nullptr, &count);
    else
        WARPLIGHT_CALL(driver, cuGraphGetEdges, graph.describe(), graph.handle, nullptr, nullptr, &count);
    std::vector<CUgraphNode> from(count), to(count);
    std::vector<GraphEdgeData> data(count);
    if (count > 0 && with_data)
        WARPLIGHT_CALL(driver, cuGraphGetEdges_v2, graph.describe(), graph.handle, from.data(), to.data(), data.data(),
                       &count);
    else if (count > 0)
        WARPLIGHT_CALL(driver, cuGraphGetEdges, graph.describe(), graph.handle, from.data(), to.data(), &count);
    std::vector<GraphEdge> edges;
    edges.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        edges.push_back({GraphNode(state_, from[i]), GraphNode(state_, to[i]), data[i].from_port, data[i].to_port,
                         static_cast<graph_dependency_type>(data[i].type)});
    return edges;
}

void Graph::add_dependency(const GraphNode& from, const GraphNode& to) const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    const GraphNode both[] = {from, to};
    const auto handles = handles_of(graph, both);
    WARPLIGHT_CALL(graph.driver(), cuGraphAddDependencies, "edge of " + graph.describe(), graph.handle, &handles[0],
                   &handles[1], 1);
}

void Graph::add_dependency(const GraphEdge& edge) const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    const GraphNode both[] = {edge.from, edge.to};
    const auto handles = handles_of(graph, both);
    GraphEdgeData data;
    data.from_port = edge.from_port;
    data.to_port = edge.to_port;
    data.type = static_cast<std::uint8_t>(edge.type);
    WARPLIGHT_CALL(graph.driver(), cuGraphAddDependencies_v2, "edge of " + graph.describe(), graph.handle, &handles[0],
                   &handles[1], &data, 1);
}

void Graph::remove_dependency(const GraphNode& from, const GraphNode& to) const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    const GraphNode both[] = {from, to};
    const auto handles = handles_of(graph, both);
    const detail::DriverState& driver = graph.driver();
    const std::string entity = "edge of " + graph.describe();
    if (driver.functions.fn_cuGraphRemoveDependencies_v2) {
        // The edge as it is, whatever its data.
        for (const GraphEdge& edge : get_edges()) {
            if (edge.from != from || edge.to != to) continue;
            GraphEdgeData data;
            data.from_port = edge.from_port;
            data.to_port = edge.to_port;
            data.type = static_cast<std::uint8_t>(edge.type);
            WARPLIGHT_CALL(driver, cuGraphRemoveDependencies_v2, entity, graph.handle, &handles[0], &handles[1], &data,
                           1);
            return;
        }
    }
    WARPLIGHT_CALL(driver, cuGraphRemoveDependencies, entity, graph.handle, &handles[0], &handles[1], 1);
}

Graph Graph::clone() const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    CUgraph copy = nullptr;
    WARPLIGHT_CALL(graph.driver(), cuGraphClone, graph.describe(), &copy, graph.handle);
    return Graph(detail::make_graph_state(graph.context, copy));
}

GraphNode Graph::find_in_clone(const GraphNode& original) const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    (void)original.state();
    CUgraphNode node = nullptr;
    WARPLIGHT_CALL(graph.driver(), cuGraphNodeFindInClone, graph.describe() + ", " + original.describe(), &node,
                   original.handle(), graph.handle);
    return {state_, node};
}

void Graph::debug_dot_print(const FilePath& path, unsigned flags) const {
    GraphState& graph = state();
    const Scope scope(*graph.context);
    WARPLIGHT_CALL(graph.driver(), cuGraphDebugDotPrint, graph.describe() + " to " + path.string(), graph.handle,
                   path.string().c_str(), flags);
}

struct UserObject::State {
    std::shared_ptr<const detail::DriverState> driver;
    CUuserObject handle = nullptr;
};

UserObject::UserObject(Callback<void()> destroy) : state_(Shared<State>::make()) {
    if (!destroy) throw_logic_error("there is no function to call");
    state_->driver = detail::current_context()->driver;
    auto kept = std::make_unique<Callback<void()>>(std::move(destroy));
    const auto call = +[](void* function) {
        detail::call_function(function);
        delete static_cast<Callback<void()>*>(function);
    };
    WARPLIGHT_CALL(*state_->driver, cuUserObjectCreate, "new user object", &state_->handle, kept.get(), call, 1,
                   CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    (void)kept.release();
}

UserObject::~UserObject() {
    if (!state_ || !state_->handle) return;
    try {
        WARPLIGHT_CALL(*state_->driver, cuUserObjectRelease, "user object", state_->handle, 1);
    } catch (...) {
        detail::report_unless_broken();
    }
}
UserObject::UserObject(UserObject&&) noexcept = default;
UserObject& UserObject::operator=(UserObject&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
}

void Graph::retain_user_object(const UserObject& object, unsigned count) const {
    GraphState& graph = state();
    if (!object.state_) throw_logic_error("this user object has been moved from");
    const Scope scope(*graph.context);
    WARPLIGHT_CALL(graph.driver(), cuGraphRetainUserObject, graph.describe(), graph.handle, object.state_->handle,
                   count, 0);
}

void Graph::release_user_object(const UserObject& object, unsigned count) const {
    GraphState& graph = state();
    if (!object.state_) throw_logic_error("this user object has been moved from");
    const Scope scope(*graph.context);
    WARPLIGHT_CALL(graph.driver(), cuGraphReleaseUserObject, graph.describe(), graph.handle, object.state_->handle,
                   count);
}

} // namespace warplight::driver
