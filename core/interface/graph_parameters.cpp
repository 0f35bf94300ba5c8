// SPDX-License-Identifier: Apache-2.0
// The driver's structures for what nodes do.
#include "interface/graph_state.hpp"
#include "interface/launch.hpp"
#include "warplight/stream.hpp"

#include <cstring>
#include <memory>

namespace warplight::driver::detail {

namespace {

void check(const DevicePointer& pointer, std::size_t bytes) {
    const AllocationState* allocation = pointer.allocation();
    if (!allocation) return;
    const device_ptr offset = pointer.get() - allocation->address;
    if (offset > allocation->size || bytes > allocation->size - offset)
        throw_logic_error(std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                              " do not fit the device memory",
                          allocation->describe());
}

CUDA_MEMCPY3D copy_of(std::size_t bytes) {
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = bytes;
    copy.Height = copy.Depth = 1;
    return copy;
}

void delete_function(void* function) { delete static_cast<Callback<void()>*>(function); }

} // namespace

KernelParameters::KernelParameters(const Function& function, const LaunchConfig& config,
                                   std::span<const Argument> arguments) {
    const std::span<const Argument> used = fit_arguments(*function.state(), arguments, fitted_);
    if (config.block.x == 0 || config.block.y == 0 || config.block.z == 0)
        throw_logic_error("a block without threads", function.state()->title(), "Set .block");
    for (const Argument& argument : used)
        if (argument.handler())
            throw_logic_error("a graph does not copy arrays around a kernel", function.state()->title(),
                              "Pass device memory, and add copies as nodes of their own");
    parameters.func = function.handle();
    parameters.gridDimX = config.grid.x;
    parameters.gridDimY = config.grid.y;
    parameters.gridDimZ = config.grid.z;
    parameters.blockDimX = config.block.x;
    parameters.blockDimY = config.block.y;
    parameters.blockDimZ = config.block.z;
    parameters.sharedMemBytes = static_cast<unsigned>(config.shared);
    native_.emplace(*function.state(), used);
    parameters.kernelParams = native_->pointers();
    parameters.extra = native_->extra();
}

void set_kernel_attributes(const GraphState& graph, CUgraphNode node, const LaunchConfig& config) {
    const auto set = [&](launch_attribute_id id, const CUkernelNodeAttrValue& value) {
        WARPLIGHT_CALL(graph.driver(), cuGraphKernelNodeSetAttribute, "kernel node of " + graph.describe(), node,
                       static_cast<CUkernelNodeAttrID>(id), &value);
    };
    CUkernelNodeAttrValue value{};
    if (config.cooperative) {
        value.cooperative = 1;
        set(launch_attribute_id::COOPERATIVE, value);
    }
    if (config.cluster.x != 0) {
        value = {};
        value.clusterDim.x = config.cluster.x;
        value.clusterDim.y = config.cluster.y;
        value.clusterDim.z = config.cluster.z;
        set(launch_attribute_id::CLUSTER_DIMENSION, value);
    }
    if (config.cluster_scheduling) {
        value = {};
        value.clusterSchedulingPolicyPreference = static_cast<CUclusterSchedulingPolicy>(*config.cluster_scheduling);
        set(launch_attribute_id::CLUSTER_SCHEDULING_POLICY_PREFERENCE, value);
    }
    if (config.priority) {
        value = {};
        value.priority = *config.priority;
        set(launch_attribute_id::PRIORITY, value);
    }
    if (config.mem_sync_domain) {
        value = {};
        const int domain = static_cast<int>(*config.mem_sync_domain);
        std::memcpy(&value, &domain, sizeof domain);
        set(launch_attribute_id::MEM_SYNC_DOMAIN, value);
    }
}

CUDA_MEMCPY3D copy_htod(DevicePointer dest, ConstBuffer src) {
    check(dest, src.size);
    CUDA_MEMCPY3D copy = copy_of(src.size);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = src.data;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = dest.get();
    return copy;
}

CUDA_MEMCPY3D copy_dtoh(MutableBuffer dest, DevicePointer src) {
    check(src, dest.size);
    CUDA_MEMCPY3D copy = copy_of(dest.size);
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = src.get();
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = dest.data;
    return copy;
}

CUDA_MEMCPY3D copy_dtod(DevicePointer dest, DevicePointer src, std::size_t bytes) {
    check(dest, bytes);
    check(src, bytes);
    CUDA_MEMCPY3D copy = copy_of(bytes);
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = src.get();
    copy.dstDevice = dest.get();
    return copy;
}

CUDA_MEMSET_NODE_PARAMS fill_parameters(const GraphNode::Fill& fill) {
    CUDA_MEMSET_NODE_PARAMS parameters{};
    parameters.dst = fill.dest;
    parameters.pitch = fill.pitch;
    parameters.value = fill.value;
    parameters.elementSize = fill.element_size;
    parameters.width = fill.width;
    parameters.height = fill.height;
    return parameters;
}

std::vector<CUstreamBatchMemOpParams> to_native(std::span<const MemoryOperation> operations) {
    std::vector<CUstreamBatchMemOpParams> native;
    for (const MemoryOperation& operation : operations) {
        CUstreamBatchMemOpParams p{};
        p.operation = static_cast<CUstreamBatchMemOpType>(operation.type);
        switch (operation.type) {
        case stream_batch_mem_op_type::FLUSH_REMOTE_WRITES:
        case stream_batch_mem_op_type::BARRIER: p.flushRemoteWrites.flags = operation.flags; break;
        default: // waiting and writing have one layout
            p.waitValue.address = operation.address;
            p.waitValue.value64 = operation.value;
            p.waitValue.flags = operation.flags;
            break;
        }
        native.push_back(p);
    }
    return native;
}

void CUDA_CB call_function(void* function) {
    try {
        (*static_cast<Callback<void()>*>(function))();
    } catch (...) {
        report_cleanup_failure();
    }
}

CUDA_HOST_NODE_PARAMS keep_function(const DriverState& driver, CUgraph graph, Callback<void()> function,
                                    const std::string& entity) {
    if (!function) throw_logic_error("there is no function to call", entity);
    auto kept = std::make_unique<Callback<void()>>(std::move(function));
    CUDA_HOST_NODE_PARAMS parameters{};
    parameters.fn = &call_function;
    parameters.userData = kept.get();
    CUuserObject object = nullptr;
    WARPLIGHT_CALL(driver, cuUserObjectCreate, entity, &object, kept.get(), &delete_function, 1,
                   CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    (void)kept.release(); // the object's from now on
    if (const CUresult code =
            WARPLIGHT_TRY(driver, cuGraphRetainUserObject, graph, object, 1, unsigned{CU_GRAPH_USER_OBJECT_MOVE});
        code != CUDA_SUCCESS) {
        (void)WARPLIGHT_TRY(driver, cuUserObjectRelease, object, 1);
        throw_failure(driver, "cuGraphRetainUserObject", code, entity);
    }
    return parameters;
}

} // namespace warplight::driver::detail
