// SPDX-License-Identifier: Apache-2.0
#include "interface/graph_state.hpp"
#include "warplight/device.hpp"
#include "warplight/event.hpp"
#include "warplight/graph.hpp"

#include <memory>

namespace warplight::driver {

namespace detail {

GraphExecState::~GraphExecState() {
    if (!handle) return;
    ContextState& context = *graph->context;
    clean_up(
        context, "cuGraphExecDestroy", [this] { return describe(); },
        [&] {
            // Launches under way may yet call what was set here.
            if (!functions.empty()) (void)WARPLIGHT_TRY(*context.driver, cuCtxSynchronize);
            return WARPLIGHT_TRY(*context.driver, cuGraphExecDestroy, handle);
        });
}

} // namespace detail

namespace {
using detail::Scope;

std::string describe_pair(const detail::GraphExecState& exec, const GraphNode& node) {
    return exec.describe() + ", " + node.describe();
}
} // namespace

GraphExec Graph::instantiate(unsigned flags) const {
    detail::GraphState& graph = state();
    const Scope scope(*graph.context);
    const detail::DriverState& driver = graph.driver();
    CUgraphExec handle = nullptr;
    if (driver.functions.fn_cuGraphInstantiateWithParams) {
        GraphInstantiateParams parameters;
        parameters.flags = flags;
        const CUresult code = WARPLIGHT_TRY(driver, cuGraphInstantiateWithParams, &handle, graph.handle, &parameters);
        if (code != CUDA_SUCCESS) {
            const std::string node =
                parameters.error_node ? ", at " + GraphNode(state_, parameters.error_node).describe() : "";
            detail::throw_failure(driver, "cuGraphInstantiateWithParams", code, graph.describe() + node);
        }
    } else if (driver.functions.fn_cuGraphInstantiateWithFlags) {
        WARPLIGHT_CALL(driver, cuGraphInstantiateWithFlags, graph.describe(), &handle, graph.handle, flags);
    } else {
        if (flags != 0) detail::throw_missing(driver, "cuGraphInstantiateWithFlags");
        WARPLIGHT_CALL(driver, cuGraphInstantiate_v2, graph.describe(), &handle, graph.handle, nullptr, nullptr, 0);
    }
    auto exec = std::make_shared<detail::GraphExecState>();
    exec->graph = state_;
    exec->handle = handle;
    return GraphExec(std::move(exec));
}

detail::GraphExecState& GraphExec::state() const {
    if (!state_) throw_logic_error("this executable graph has been moved from");
    return *state_;
}

CUgraphExec GraphExec::handle() const noexcept { return state_ ? state_->handle : nullptr; }
std::string GraphExec::describe() const { return state().describe(); }

void GraphExec::launch(const Stream* stream) const {
    const auto& exec = state();
    const auto& context = stream ? *stream->state().context : *exec.graph->context;
    const Scope scope(context);
    WARPLIGHT_CALL(*context.driver, cuGraphLaunch, exec.describe(), exec.handle, detail::handle_of(stream));
}

void GraphExec::upload(const Stream* stream) const {
    const auto& exec = state();
    const auto& context = stream ? *stream->state().context : *exec.graph->context;
    const Scope scope(context);
    WARPLIGHT_CALL(*context.driver, cuGraphUpload, exec.describe(), exec.handle, detail::handle_of(stream));
}

GraphExecUpdate GraphExec::update(const Graph& graph) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    const detail::DriverState& driver = exec.graph->driver();
    GraphExecUpdateResultInfo info;
    CUresult code = CUDA_SUCCESS;
    if (driver.functions.fn_cuGraphExecUpdate_v2) {
        code = WARPLIGHT_TRY(driver, cuGraphExecUpdate_v2, exec.handle, graph.state().handle, &info);
    } else {
        CUgraphExecUpdateResult result{};
        code = WARPLIGHT_TRY(driver, cuGraphExecUpdate, exec.handle, graph.state().handle, &info.error_node, &result);
        info.result = result;
    }
    if (code != CUDA_SUCCESS && code != CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE)
        detail::throw_failure(driver, "cuGraphExecUpdate", code, exec.describe() + ", " + graph.describe());
    GraphExecUpdate update;
    update.result = static_cast<graph_exec_update_result>(info.result);
    // The driver names nodes of the graph that does not fit; they stay valid as long as that does.
    for (const GraphNode& node : graph.get_nodes()) {
        if (node.handle() == info.error_node) update.error_node = node;
        if (node.handle() == info.error_from_node) update.error_from_node = node;
    }
    return update;
}

std::string to_string(graph_exec_update_result result) {
    switch (result) {
    case graph_exec_update_result::SUCCESS: return "SUCCESS";
    case graph_exec_update_result::ERROR_UNEXPECTED: return "ERROR";
    case graph_exec_update_result::ERROR_TOPOLOGY_CHANGED: return "ERROR_TOPOLOGY_CHANGED";
    case graph_exec_update_result::ERROR_NODE_TYPE_CHANGED: return "ERROR_NODE_TYPE_CHANGED";
    case graph_exec_update_result::ERROR_FUNCTION_CHANGED: return "ERROR_FUNCTION_CHANGED";
    case graph_exec_update_result::ERROR_PARAMETERS_CHANGED: return "ERROR_PARAMETERS_CHANGED";
    case graph_exec_update_result::ERROR_NOT_SUPPORTED: return "ERROR_NOT_SUPPORTED";
    case graph_exec_update_result::ERROR_UNSUPPORTED_FUNCTION_CHANGE: return "ERROR_UNSUPPORTED_FUNCTION_CHANGE";
    case graph_exec_update_result::ERROR_ATTRIBUTES_CHANGED: return "ERROR_ATTRIBUTES_CHANGED";
    }
    return "RESULT_" + std::to_string(static_cast<int>(result));
}

void GraphExec::set_kernel_params(const GraphNode& node, const Function& function, const LaunchConfig& config,
                                  std::span<const Argument> arguments) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    (void)node.state();
    const detail::KernelParameters kernel(function, config, arguments);
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecKernelNodeSetParams, describe_pair(exec, node), exec.handle,
                   node.handle(), &kernel.parameters);
}

namespace {
void set_copy(const detail::GraphExecState& exec, const GraphNode& node, const CUDA_MEMCPY3D& copy) {
    const Scope scope(*exec.graph->context);
    (void)node.state();
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecMemcpyNodeSetParams, describe_pair(exec, node), exec.handle,
                   node.handle(), &copy, exec.graph->context->handle);
}
} // namespace

void GraphExec::set_memcpy_htod(const GraphNode& node, DevicePointer dest, ConstBuffer src) const {
    set_copy(state(), node, detail::copy_htod(dest, src));
}
void GraphExec::set_memcpy_dtoh(const GraphNode& node, MutableBuffer dest, DevicePointer src) const {
    set_copy(state(), node, detail::copy_dtoh(dest, src));
}
void GraphExec::set_memcpy_dtod(const GraphNode& node, DevicePointer dest, DevicePointer src, std::size_t bytes) const {
    set_copy(state(), node, detail::copy_dtod(dest, src, bytes));
}

void GraphExec::set_memset(const GraphNode& node, const GraphNode::Fill& fill) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    (void)node.state();
    const auto parameters = detail::fill_parameters(fill);
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecMemsetNodeSetParams, describe_pair(exec, node), exec.handle,
                   node.handle(), &parameters, exec.graph->context->handle);
}

void GraphExec::set_host_function(const GraphNode& node, Callback<void()> function) const {
    auto& exec = state();
    const Scope scope(*exec.graph->context);
    (void)node.state();
    if (!function) throw_logic_error("there is no function to call", describe_pair(exec, node));
    exec.functions.push_back(std::make_shared<Callback<void()>>(std::move(function)));
    CUDA_HOST_NODE_PARAMS parameters{};
    parameters.fn = &detail::call_function;
    parameters.userData = exec.functions.back().get();
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecHostNodeSetParams, describe_pair(exec, node), exec.handle,
                   node.handle(), &parameters);
}

void GraphExec::set_child_graph(const GraphNode& node, const Graph& child) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    (void)node.state();
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecChildGraphNodeSetParams, describe_pair(exec, node), exec.handle,
                   node.handle(), child.state().handle);
}

void GraphExec::set_event(const GraphNode& node, const Event& event) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    if (node.get_type() == graph_node_type::WAIT_EVENT)
        WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecEventWaitNodeSetEvent, describe_pair(exec, node), exec.handle,
                       node.handle(), event.state().handle);
    else
        WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecEventRecordNodeSetEvent, describe_pair(exec, node), exec.handle,
                       node.handle(), event.state().handle);
}

void GraphExec::set_memory_operations(const GraphNode& node, std::span<const MemoryOperation> operations) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    (void)node.state();
    auto native = detail::to_native(operations);
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters{};
    parameters.ctx = exec.graph->context->handle;
    parameters.count = static_cast<unsigned>(native.size());
    parameters.paramArray = native.data();
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecBatchMemOpNodeSetParams, describe_pair(exec, node), exec.handle,
                   node.handle(), &parameters);
}

bool GraphExec::get_enabled(const GraphNode& node) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    (void)node.state();
    unsigned enabled = 0;
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphNodeGetEnabled, describe_pair(exec, node), exec.handle, node.handle(),
                   &enabled);
    return enabled != 0;
}

void GraphExec::set_enabled(const GraphNode& node, bool enabled) const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    (void)node.state();
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphNodeSetEnabled, describe_pair(exec, node), exec.handle, node.handle(),
                   enabled ? 1 : 0);
}

unsigned GraphExec::get_flags() const {
    const auto& exec = state();
    const Scope scope(*exec.graph->context);
    cuuint64_t flags = 0;
    WARPLIGHT_CALL(exec.graph->driver(), cuGraphExecGetFlags, exec.describe(), exec.handle, &flags);
    return static_cast<unsigned>(flags);
}

std::uint64_t get_graph_mem_attribute(int device, graph_mem_attribute attribute) {
    const auto context = detail::current_context();
    cuuint64_t value = 0;
    WARPLIGHT_CALL(*context->driver, cuDeviceGetGraphMemAttribute, "device " + std::to_string(device), device,
                   static_cast<CUgraphMem_attribute>(attribute), &value);
    return value;
}

void reset_graph_mem_attribute(int device, graph_mem_attribute attribute) {
    const auto context = detail::current_context();
    cuuint64_t value = 0;
    WARPLIGHT_CALL(*context->driver, cuDeviceSetGraphMemAttribute, "device " + std::to_string(device), device,
                   static_cast<CUgraphMem_attribute>(attribute), &value);
}

void graph_mem_trim(int device) {
    const auto context = detail::current_context();
    WARPLIGHT_CALL(*context->driver, cuDeviceGraphMemTrim, "device " + std::to_string(device), device);
}

} // namespace warplight::driver
