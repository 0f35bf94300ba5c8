// SPDX-License-Identifier: Apache-2.0
#include "graph_content.hpp"

#include "../runtime/event.hpp"
#include "../runtime/launch.hpp"
#include "../runtime/launch_memory.hpp"
#include "../runtime/library.hpp"
#include "../runtime/memory_operations.hpp"

#include <algorithm>
#include <cstring>

namespace warplight::software {
namespace {

// Numbers of CUlaunchAttributeID.
constexpr int kCooperative = 2, kClusterDimension = 4;

} // namespace

Content kernel_content(LaunchRequest request, CUfunction handle, LaunchAttributes attributes) {
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_KERNEL;
    content->context = request.function.module->context.shared_from_this();
    CUlaunchAttributeValue cooperative{};
    cooperative.cooperative = request.cooperative;
    if (request.cooperative) attributes[kCooperative] = cooperative;
    KernelNode& node =
        content->what.emplace<KernelNode>(KernelNode{std::move(request), handle, {}, std::move(attributes)});
    for (const auto offset : node.request.function.function->parameters.offsets)
        node.pointers.push_back(node.request.parameters.data() + offset);
    // Whoever runs the work keeps the content, so this reference stays valid.
    content->work = [&node, context = content->context.get()] { run_launch(*context, node.request); };
    return content;
}

Content kernel_content(const driver::KernelNodeParams& p, const LaunchAttributes& attributes) {
    require(p.func || p.kern, CUDA_ERROR_INVALID_HANDLE);
    const auto handle = p.func ? p.func : static_cast<CUfunction>(p.kern);
    LaunchRequest request;
    request.function = function_of(handle);
    request.function.module->context.check();
    std::memcpy(request.grid.data(), p.grid, sizeof p.grid);
    std::memcpy(request.block.data(), p.block, sizeof p.block);
    request.dynamic_shared = p.shared;
    const auto cooperative = attributes.find(kCooperative);
    request.cooperative = cooperative != attributes.end() && cooperative->second.cooperative != 0;
    const auto cluster = attributes.find(kClusterDimension);
    if (cluster != attributes.end() && cluster->second.clusterDim.x != 0) {
        const auto& [x, y, z] = cluster->second.clusterDim;
        request.cluster = std::array{x, y, z};
    }
    request.parameters = pack_parameters(*request.function.function, p.parameters, p.extra);
    check_launch(request);
    (void)kernel_for(request);
    return kernel_content(std::move(request), handle, attributes);
}

Content copy_content(const CUDA_MEMCPY3D& parameters, std::shared_ptr<Context> context) {
    require(parameters.WidthInBytes > 0 && parameters.Height > 0 && parameters.Depth > 0);
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_MEMCPY;
    content->what = CopyNode{parameters};
    bool waits = false;
    content->work = prepare_copy(parameters, waits);
    content->context = std::move(context);
    return content;
}

Content fill_content(const CUDA_MEMSET_NODE_PARAMS& parameters, std::shared_ptr<Context> context) {
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_MEMSET;
    content->what = FillNode{parameters};
    content->work = prepare_fill(parameters);
    content->context = std::move(context);
    return content;
}

Content host_content(const CUDA_HOST_NODE_PARAMS& parameters) {
    require(parameters.fn);
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_HOST;
    content->what = HostNode{parameters};
    content->work = [parameters] {
        const HostFunctionScope scope;
        parameters.fn(parameters.userData);
    };
    return content;
}

Content child_content(std::shared_ptr<Graph> graph) {
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_GRAPH;
    content->what = ChildNode{std::move(graph)};
    return content;
}

Content event_content(CUgraphNodeType type, CUevent event) {
    auto content = std::make_shared<NodeContent>();
    content->type = type;
    content->what = EventNode{handles<Event>().get(event, CUDA_ERROR_INVALID_VALUE)};
    return content;
}

Content allocation_content(CUDA_MEM_ALLOC_NODE_PARAMS& p) {
    const auto& properties = p.poolProps;
    require(p.bytesize > 0 && properties.allocType == CU_MEM_ALLOCATION_TYPE_PINNED);
    require(properties.handleTypes == CU_MEM_HANDLE_TYPE_NONE &&
            properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE);
    require(p.accessDescCount == 0 || p.accessDescs);
    // The last members are reserved, under more names the newer the header.
    const auto* bytes = reinterpret_cast<const unsigned char*>(&properties);
    constexpr std::size_t reserved = 32;
    require(std::all_of(bytes + reserved, bytes + sizeof properties, [](unsigned char byte) { return byte == 0; }));
    require(properties.location.id >= 0 && properties.location.id < device_count());
    AllocationNode node{p, {p.accessDescs, p.accessDescs + p.accessDescCount}, nullptr};
    for (const auto& access : node.access)
        require(access.location.type == CU_MEM_LOCATION_TYPE_DEVICE && access.location.id >= 0 &&
                access.location.id < device_count());
    node.memory = allocate_graph_memory(p.bytesize, properties.location.id);
    p.dptr = node.parameters.dptr = node.memory->base;
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    AllocationNode& kept = content->what.emplace<AllocationNode>(std::move(node));
    kept.parameters.accessDescs = kept.access.empty() ? nullptr : kept.access.data();
    return content;
}

Content free_content(CUdeviceptr address) {
    const GraphGuard guard;
    auto memory = find_graph_memory(address);
    if (!memory) fail(CUDA_ERROR_INVALID_VALUE, "no node of a graph allocates at this address");
    if (memory->freed_by_graph) fail(CUDA_ERROR_INVALID_VALUE, "a graph has a node that frees this memory already");
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_MEM_FREE;
    content->what = FreeNode{address, std::move(memory)};
    return content;
}

Content memory_operations_content(std::shared_ptr<Context> context, std::vector<CUstreamBatchMemOpParams> operations,
                                  unsigned flags) {
    require(!operations.empty() && operations.size() <= 256 && flags == 0);
    check_memory_operations(operations, false);
    auto content = std::make_shared<NodeContent>();
    content->type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    const auto& node = content->what.emplace<MemoryOperationsNode>(MemoryOperationsNode{std::move(operations), flags});
    content->work = [&node, c = context.get()] { run_memory_operations(*c, node.operations); };
    content->context = std::move(context);
    return content;
}

Content empty_content() { return std::make_shared<NodeContent>(); }

std::shared_ptr<Context> node_context(CUcontext handle) {
    if (!handle) return current_context().shared_from_this();
    auto context = handles<Context>().get(handle, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    context->check();
    return context;
}

std::vector<GraphEdge> edges_of(const CUgraphNode* nodes, const EdgeData* data, std::size_t count) {
    require(count == 0 || nodes);
    std::vector<GraphEdge> edges;
    edges.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        edges.push_back({node_of(nodes[i]).get(), data ? data[i] : EdgeData{}});
    return edges;
}

} // namespace warplight::software
