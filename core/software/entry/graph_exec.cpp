// SPDX-License-Identifier: Apache-2.0
#include "../runtime/graph_exec.hpp"

#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/capture.hpp"

#include <cstring>

using namespace warplight::software;

#undef cuGraphInstantiate
#undef cuGraphExecUpdate

namespace {

using warplight::driver::GraphExecUpdateResultInfo;
using warplight::driver::GraphInstantiateParams;
#if CUDA_VERSION >= 12000
using AbiInstantiateParams = ::CUDA_GRAPH_INSTANTIATE_PARAMS;
using AbiUpdateInfo = ::CUgraphExecUpdateResultInfo;
#else
using AbiInstantiateParams = GraphInstantiateParams;
using AbiUpdateInfo = GraphExecUpdateResultInfo;
#endif
static_assert(sizeof(AbiInstantiateParams) == sizeof(GraphInstantiateParams));
static_assert(sizeof(AbiUpdateInfo) == sizeof(GraphExecUpdateResultInfo));

// Numbers of CUgraphInstantiateResult.
constexpr int kInstantiated = 0, kInstantiateError = 1, kInvalidStructure = 2, kNotSupported = 3;

std::shared_ptr<GraphExec> exec_of(CUgraphExec handle) {
    return handles<GraphExec>().get(handle, CUDA_ERROR_INVALID_VALUE);
}

void instantiate(CUgraphExec* exec, CUgraph hGraph, unsigned long long flags, CUgraphNode& offender) {
    require(exec);
    (void)current_context();
    forbid_unsafe_call();
    const GraphGuard guard;
    *exec = reinterpret_cast<CUgraphExec>(GraphExec::instantiate(*graph_of(hGraph), flags, offender).get());
}

CUresult instantiate_logged(CUgraphExec* exec, CUgraph hGraph, CUgraphNode* error_node, char* log, size_t size) {
    return enter([&] {
        CUgraphNode offender = nullptr;
        if (log && size > 0) *log = '\0';
        if (error_node) *error_node = nullptr;
        try {
            instantiate(exec, hGraph, 0, offender);
        } catch (const Failure& failure) {
            if (error_node) *error_node = offender;
            if (log && size > 0) {
                const std::size_t count = std::min(size - 1, failure.message.size());
                std::memcpy(log, failure.message.data(), count);
                log[count] = '\0';
            }
            throw;
        }
    });
}

CUresult update(CUgraphExec hGraphExec, CUgraph hGraph, GraphExecUpdateResultInfo& info) {
    info = {CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
    return enter([&] {
        const GraphGuard guard;
        const auto mismatch = exec_of(hGraphExec)->update(*graph_of(hGraph));
        info.result = mismatch ? mismatch->result : CU_GRAPH_EXEC_UPDATE_SUCCESS;
        if (!mismatch) return;
        info.error_node = mismatch->node;
        info.error_from_node = mismatch->from;
        fail(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    });
}

bool can_be_disabled(const NodeContent& content) {
    return content.type == CU_GRAPH_NODE_TYPE_KERNEL || content.type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           content.type == CU_GRAPH_NODE_TYPE_MEMSET;
}

} // namespace

WL_ENTRY_SINCE(cuGraphInstantiate, 10000,
               (CUgraphExec * phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode, char* logBuffer,
                size_t bufferSize)) {
    return instantiate_logged(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}
WL_ENTRY(cuGraphInstantiate_v2,
         (CUgraphExec * phGraphExec, CUgraph hGraph, CUgraphNode* phErrorNode, char* logBuffer, size_t bufferSize)) {
    return instantiate_logged(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}
WL_ENTRY(cuGraphInstantiateWithFlags, (CUgraphExec * phGraphExec, CUgraph hGraph, unsigned long long flags)) {
    return enter([&] {
        require((flags & ~(1ULL | 4ULL | 8ULL)) == 0 && (flags & 5ULL) != 5ULL);
        CUgraphNode offender = nullptr;
        instantiate(phGraphExec, hGraph, flags, offender);
    });
}
// The form that 12.0 calls cuGraphInstantiate.
static const Registration registration_cuGraphInstantiate_v3{"cuGraphInstantiate_v3", 12000,
                                                             reinterpret_cast<void*>(&cuGraphInstantiateWithFlags)};

WL_STREAM_ENTRY(cuGraphInstantiateWithParams, _ptsz,
                (CUgraphExec * phGraphExec, CUgraph hGraph, AbiInstantiateParams* instantiateParams),
                (phGraphExec, hGraph, instantiateParams)) {
    if (const CUresult wrong = look_at([&] { require(phGraphExec && hGraph && instantiateParams); })) return wrong;
    return enter([&] {
        auto& p = *reinterpret_cast<GraphInstantiateParams*>(instantiateParams);
        p.error_node = nullptr;
        p.result = kInstantiateError;
        require((p.flags & ~15ULL) == 0 && (p.flags & 5ULL) != 5ULL);
        const auto stream = p.flags & GraphExec::upload_after ? any_stream(p.upload_stream) : nullptr;
        CUgraphNode offender = nullptr;
        try {
            instantiate(phGraphExec, hGraph, p.flags, offender);
        } catch (const Failure& failure) {
            p.error_node = offender;
            if (offender) p.result = kInvalidStructure;
            if (failure.code == CUDA_ERROR_NOT_SUPPORTED) p.result = kNotSupported;
            throw;
        }
        p.result = kInstantiated;
        if (stream) exec_of(*phGraphExec)->upload(stream);
    });
}

WL_ENTRY(cuGraphExecGetFlags, (CUgraphExec hGraphExec, cuuint64_t* flags)) {
    return enter([&] {
        require(flags);
        // Drivers do not tell these two.
        constexpr unsigned long long upload = 2, node_priority = 8;
        *flags = exec_of(hGraphExec)->flags & ~(upload | node_priority);
    });
}

WL_ENTRY(cuGraphExecDestroy, (CUgraphExec hGraphExec)) {
    return enter([&] {
        forbid_unsafe_call();
        const GraphGuard guard;
        const auto exec = exec_of(hGraphExec);
        handles<GraphExec>().remove(hGraphExec); // launches under way go on
    });
}

WL_STREAM_ENTRY(cuGraphUpload, _ptsz, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream)) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        const auto exec = exec_of(hGraphExec);
        forbid_capture(*stream);
        exec->upload(stream);
    });
}

WL_STREAM_ENTRY(cuGraphLaunch, _ptsz, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream)) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        const auto exec = exec_of(hGraphExec);
        forbid_capture(*stream); // drivers do not capture launches of graphs
        exec->launch(stream);
    });
}

WL_ENTRY(cuGraphExecUpdate, (CUgraphExec hGraphExec, CUgraph hGraph, CUgraphNode* hErrorNode_out,
                             CUgraphExecUpdateResult* updateResult_out)) {
    GraphExecUpdateResultInfo info;
    const CUresult code = update(hGraphExec, hGraph, info);
    if (hErrorNode_out) *hErrorNode_out = info.error_node;
    if (updateResult_out) *updateResult_out = static_cast<CUgraphExecUpdateResult>(info.result);
    return code;
}
WL_ENTRY(cuGraphExecUpdate_v2, (CUgraphExec hGraphExec, CUgraph hGraph, AbiUpdateInfo* resultInfo)) {
    GraphExecUpdateResultInfo info;
    return update(hGraphExec, hGraph, resultInfo ? *reinterpret_cast<GraphExecUpdateResultInfo*>(resultInfo) : info);
}

WL_ENTRY(cuGraphNodeSetEnabled, (CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled)) {
    if (const CUresult wrong = look_at([&] { require(hGraphExec && hNode); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto exec = exec_of(hGraphExec);
        const auto node = node_of(hNode);
        require(can_be_disabled(exec->content(*node)));
        exec->set_enabled(*node, isEnabled != 0);
    });
}
WL_ENTRY(cuGraphNodeGetEnabled, (CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int* isEnabled)) {
    if (const CUresult wrong = look_at([&] { require(hGraphExec && hNode && isEnabled); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto exec = exec_of(hGraphExec);
        const auto node = node_of(hNode);
        require(can_be_disabled(exec->content(*node)));
        *isEnabled = exec->enabled(*node);
    });
}
