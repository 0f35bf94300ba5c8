// SPDX-License-Identifier: Apache-2.0
// Streams, events, functions of the host, captures and graphs with every kind of node.
#include "kernels.hpp"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace runtime_test;

namespace {

unsigned* device(std::size_t count) {
    void* pointer = nullptr;
    return cudaMalloc(&pointer, count * sizeof(unsigned)) == cudaSuccess ? static_cast<unsigned*>(pointer) : nullptr;
}
unsigned first(const unsigned* data) {
    unsigned value = 0;
    return cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess ? value : ~0U;
}

std::atomic<int> calls = 0;
void CUDART_CB on_host(void* data) { calls += *static_cast<int*>(data); }
void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void* data) {
    calls += status == cudaSuccess ? *static_cast<int*>(data) : -1000;
}

} // namespace

class StreamsTest : public QObject {
    Q_OBJECT

private slots:
    void properties() {
        int least = 0, greatest = 0;
        SUCCEEDS(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        QVERIFY(greatest <= least);
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
        int priority = 99, device = -1;
        unsigned flags = 0;
        unsigned long long id = 0, other_id = 0;
        SUCCEEDS(cudaStreamGetPriority(stream, &priority));
        QCOMPARE(priority, greatest);
        SUCCEEDS(cudaStreamGetFlags(stream, &flags));
        QCOMPARE(flags, unsigned(cudaStreamNonBlocking));
        SUCCEEDS(cudaStreamGetDevice(stream, &device));
        QCOMPARE(device, 0);
        SUCCEEDS(cudaStreamGetId(stream, &id));
        SUCCEEDS(cudaStreamGetId(nullptr, &other_id));
        QVERIFY(id != other_id);
        cudaLaunchAttributeValue value{};
        SUCCEEDS(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value));
        QCOMPARE(value.priority, greatest);
        SUCCEEDS(cudaStreamCopyAttributes(stream, stream));
        SUCCEEDS(cudaStreamDestroy(stream));
    }

    /// The one that null stands for: each thread's own in one of the two programs.
    void default_stream() {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
        constexpr bool own = true;
#else
        constexpr bool own = false;
#endif
        unsigned long long id = 0, meant = 0, elsewhere = 0, by_driver = 0;
        SUCCEEDS(cudaStreamGetId(nullptr, &id));
        SUCCEEDS(cudaStreamGetId(own ? cudaStreamPerThread : cudaStreamLegacy, &meant));
        QCOMPARE(id, meant);
        std::thread([&] { SUCCEEDS(cudaStreamGetId(nullptr, &elsewhere)); }).join();
        QCOMPARE(elsewhere == id, !own);
        void* function = nullptr;
        cudaDriverEntryPointQueryResult status{};
        SUCCEEDS(cudaGetDriverEntryPoint("cuStreamGetId", &function, cudaEnableDefault, &status));
        QCOMPARE(status, cudaDriverEntryPointSuccess);
        QCOMPARE(reinterpret_cast<int (*)(void*, unsigned long long*)>(function)(nullptr, &by_driver), 0);
        QCOMPARE(by_driver, id);

        int one = 1;
        calls = 0;
        cudaEvent_t event = nullptr;
        SUCCEEDS(cudaEventCreate(&event));
        SUCCEEDS(cudaLaunchHostFunc(nullptr, on_host, &one));
        SUCCEEDS(cudaEventRecordWithFlags(event, nullptr, cudaEventRecordDefault));
        SUCCEEDS(cudaEventSynchronize(event));
        QCOMPARE(calls.load(), 1);
        SAME_ERROR(cudaEventRecordWithFlags(event, nullptr, 0x1000), cudaErrorInvalidValue);
        SUCCEEDS(cudaEventDestroy(event));
    }

    void order() {
        const Kernels kernels;
        unsigned* data = device(64);
        cudaStream_t a = nullptr, b = nullptr;
        SUCCEEDS(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
        SUCCEEDS(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
        cudaEvent_t event = nullptr;
        SUCCEEDS(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        calls = 0;
        int one = 1, ten = 10;
        SUCCEEDS(launch_fill(data, 5, 64, a));
        SUCCEEDS(cudaLaunchHostFunc(a, on_host, &one));
        SUCCEEDS(cudaStreamAddCallback(a, on_stream, &ten, 0));
        SUCCEEDS(cudaEventRecord(event, a));
        SUCCEEDS(cudaStreamWaitEvent(b, event, 0));
        SUCCEEDS(launch_fill(data, 6, 64, b));
        SUCCEEDS(cudaStreamSynchronize(b));
        QCOMPARE(calls.load(), 11);
        QCOMPARE(first(data), 6U);
        float ms = 0;
        SAME_ERROR(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle);
        SUCCEEDS(cudaEventDestroy(event));
        SUCCEEDS(cudaStreamDestroy(a));
        SUCCEEDS(cudaStreamDestroy(b));
        SUCCEEDS(cudaFree(data));
    }

    void capture() {
        const Kernels kernels;
        unsigned* data = device(64);
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreate(&stream));
        cudaStreamCaptureStatus status{};
        SUCCEEDS(cudaStreamIsCapturing(stream, &status));
        QCOMPARE(status, cudaStreamCaptureStatusNone);
        SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        SUCCEEDS(launch_fill(data, 50, 64, stream));
        SUCCEEDS(cudaMemsetAsync(data, 0, 4, stream));
        unsigned long long id = 0;
        cudaGraph_t graph = nullptr;
        const cudaGraphNode_t* nodes = nullptr;
        const cudaGraphEdgeData* edges = nullptr;
        size_t count = 0;
        SUCCEEDS(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count));
        QCOMPARE(status, cudaStreamCaptureStatusActive);
        QCOMPARE(count, size_t{1});
        void* pointer = nullptr;
        SAME_ERROR(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
        SAME_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
        (void)pointer;

        SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        SUCCEEDS(launch_fill(data, 50, 64, stream));
        SUCCEEDS(cudaStreamEndCapture(stream, &graph));
        SUCCEEDS(cudaGraphGetNodes(graph, nullptr, &count));
        QCOMPARE(count, size_t{1});
        cudaGraphNode_t node = nullptr;
        SUCCEEDS(cudaGraphGetNodes(graph, &node, &count));
        cudaKernelNodeParams parameters{};
        SUCCEEDS(cudaGraphKernelNodeGetParams(node, &parameters));
        QCOMPARE(parameters.func, static_cast<void*>(&fill)); // the host's function
        QCOMPARE(parameters.blockDim.x, 64U);
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(cudaMemset(data, 0, 256));
        SUCCEEDS(cudaDeviceSynchronize()); // a thread's own default stream does not wait for other streams
        SUCCEEDS(cudaGraphLaunch(exec, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        QCOMPARE(first(data), 50U);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
        SUCCEEDS(cudaThreadExchangeStreamCaptureMode(&mode));
        QCOMPARE(mode, cudaStreamCaptureModeGlobal);
        SUCCEEDS(cudaThreadExchangeStreamCaptureMode(&mode));
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFree(data));
    }

    void every_node() {
        const Kernels kernels;
        unsigned* data = device(64);
        unsigned* copy = device(64);
        unsigned out[64] = {};
        cudaGraph_t graph = nullptr, child = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        SUCCEEDS(cudaGraphCreate(&child, 0));
        cudaGraphNode_t nodes[16] = {};

        cudaMemsetParams clear{};
        clear.dst = data;
        clear.elementSize = 4;
        clear.width = 64;
        clear.height = 1;
        clear.value = 3;
        SUCCEEDS(cudaGraphAddMemsetNode(&nodes[0], graph, nullptr, 0, &clear));
        unsigned value = 20, size = 32;
        void* arguments[] = {static_cast<void*>(&data), &value, &size};
        cudaKernelNodeParams kernel{};
        kernel.func = &fill;
        kernel.gridDim = dim3(1);
        kernel.blockDim = dim3(32);
        kernel.kernelParams = arguments;
        SUCCEEDS(cudaGraphAddKernelNode(&nodes[1], graph, &nodes[0], 1, &kernel));
        SUCCEEDS(cudaGraphAddMemcpyNode1D(&nodes[2], graph, &nodes[1], 1, copy, data, 256, cudaMemcpyDeviceToDevice));
        cudaMemcpy3DParms to_host{};
        to_host.srcPtr = {copy, 256, 256, 1};
        to_host.dstPtr = {out, 256, 256, 1};
        to_host.extent = {256, 1, 1};
        to_host.kind = cudaMemcpyDeviceToHost;
        SUCCEEDS(cudaGraphAddMemcpyNode(&nodes[3], graph, &nodes[2], 1, &to_host));
        calls = 0;
        int one = 1;
        cudaHostNodeParams host{on_host, &one};
        SUCCEEDS(cudaGraphAddHostNode(&nodes[4], graph, &nodes[3], 1, &host));
        SUCCEEDS(cudaGraphAddEmptyNode(&nodes[5], graph, &nodes[4], 1));
        cudaEvent_t event = nullptr;
        SUCCEEDS(cudaEventCreate(&event));
        SUCCEEDS(cudaGraphAddEventRecordNode(&nodes[6], graph, &nodes[5], 1, event));
        SUCCEEDS(cudaGraphAddEventWaitNode(&nodes[7], graph, &nodes[6], 1, event));
        cudaGraphNode_t inner = nullptr;
        SUCCEEDS(
            cudaGraphAddMemcpyNodeToSymbol(&inner, child, nullptr, 0, &counter, &value, 4, 0, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaGraphAddChildGraphNode(&nodes[8], graph, &nodes[7], 1, child));
        unsigned read = 0;
        SUCCEEDS(cudaGraphAddMemcpyNodeFromSymbol(&nodes[9], graph, &nodes[8], 1, &read, &counter, 4, 0,
                                                  cudaMemcpyDeviceToHost));
        // By a description of any kind.
        cudaGraphNodeParams any{};
        any.type = cudaGraphNodeTypeHost;
        any.host.fn = on_host;
        any.host.userData = &one;
        SUCCEEDS(cudaGraphAddNode(&nodes[10], graph, &nodes[9], nullptr, 1, &any));
        any = {};
        any.type = cudaGraphNodeTypeKernel;
        any.kernel.func = &fill;
        any.kernel.gridDim = dim3(1);
        any.kernel.blockDim = dim3(1);
        any.kernel.kernelParams = arguments;
        SUCCEEDS(cudaGraphAddNode(&nodes[11], graph, &nodes[10], nullptr, 1, &any));

        const cudaGraphNodeType types[] = {
            cudaGraphNodeTypeMemset, cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemcpy,
            cudaGraphNodeTypeHost,   cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
            cudaGraphNodeTypeGraph,  cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeHost,        cudaGraphNodeTypeKernel};
        for (int i = 0; i < 12; ++i) {
            cudaGraphNodeType type{};
            SUCCEEDS(cudaGraphNodeGetType(nodes[i], &type));
            QCOMPARE(type, types[i]);
        }
        size_t count = 0;
        SUCCEEDS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
        QCOMPARE(count, size_t{11});
        SUCCEEDS(cudaGraphGetRootNodes(graph, nullptr, &count));
        QCOMPARE(count, size_t{1});
        SUCCEEDS(cudaGraphNodeGetDependentNodes(nodes[0], nullptr, nullptr, &count));
        QCOMPARE(count, size_t{1});
        cudaGraphNode_t before = nullptr;
        count = 1;
        SUCCEEDS(cudaGraphNodeGetDependencies(nodes[1], &before, nullptr, &count));
        QCOMPARE(before, nodes[0]);
        SUCCEEDS(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], nullptr, 1));
        SUCCEEDS(cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], nullptr, 1));

        cudaMemcpy3DParms told{};
        SUCCEEDS(cudaGraphMemcpyNodeGetParams(nodes[3], &told));
        QCOMPARE(told.kind, cudaMemcpyDeviceToHost);
        QCOMPARE(told.dstPtr.ptr, static_cast<void*>(out));
        cudaMemsetParams cleared{};
        SUCCEEDS(cudaGraphMemsetNodeGetParams(nodes[0], &cleared));
        QCOMPARE(cleared.value, 3U);
        cudaHostNodeParams told_host{};
        SUCCEEDS(cudaGraphHostNodeGetParams(nodes[4], &told_host));
        QCOMPARE(told_host.userData, static_cast<void*>(&one));

        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiateWithFlags(&exec, graph, 0));
        SUCCEEDS(cudaGraphUpload(exec, nullptr));
        SUCCEEDS(cudaGraphLaunch(exec, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        for (unsigned i = 0; i < 64; ++i)
            QCOMPARE(out[i], i < 32 ? 20 + i : 3U);
        QCOMPARE(calls.load(), 2);
        QCOMPARE(read, 20U);

        // Changed in the instance, and in the graph.
        value = 90;
        SUCCEEDS(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &kernel));
        SUCCEEDS(cudaGraphExecMemcpyNodeSetParams1D(exec, nodes[2], copy, data, 256, cudaMemcpyDeviceToDevice));
        SUCCEEDS(cudaGraphLaunch(exec, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        QCOMPARE(out[0], 90U);
        clear.value = 4;
        SUCCEEDS(cudaGraphMemsetNodeSetParams(nodes[0], &clear));
        cudaGraphExecUpdateResultInfo result{};
        SUCCEEDS(cudaGraphExecUpdate(exec, graph, &result));
        QCOMPARE(result.result, cudaGraphExecUpdateSuccess);
        unsigned enabled = 0;
        SUCCEEDS(cudaGraphNodeSetEnabled(exec, nodes[1], 0));
        SUCCEEDS(cudaGraphNodeGetEnabled(exec, nodes[1], &enabled));
        QCOMPARE(enabled, 0U);
        SUCCEEDS(cudaGraphLaunch(exec, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        QCOMPARE(out[0], 4U);

        cudaGraph_t clone = nullptr;
        SUCCEEDS(cudaGraphClone(&clone, graph));
        cudaGraphNode_t same = nullptr;
        SUCCEEDS(cudaGraphNodeFindInClone(&same, nodes[1], clone));
        QVERIFY(same && same != nodes[1]);
        SUCCEEDS(cudaGraphDestroy(clone));
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaGraphDestroy(child));
        SUCCEEDS(cudaEventDestroy(event));
        SUCCEEDS(cudaFree(data));
        SUCCEEDS(cudaFree(copy));
    }

    void user_objects() {
        calls = 0;
        int one = 1;
        cudaUserObject_t object = nullptr;
        SUCCEEDS(cudaUserObjectCreate(&object, &one, on_host, 1, cudaUserObjectNoDestructorSync));
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        SUCCEEDS(cudaGraphRetainUserObject(graph, object, 1, 0));
        SUCCEEDS(cudaUserObjectRelease(object, 1));
        QCOMPARE(calls.load(), 0);
        SUCCEEDS(cudaGraphDestroy(graph));
        QTRY_COMPARE(calls.load(), 1);
    }

    void memory_of_graphs() {
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t nodes[3] = {};
        cudaMemAllocNodeParams alloc{};
        alloc.poolProps.allocType = cudaMemAllocationTypePinned;
        alloc.poolProps.location.type = cudaMemLocationTypeDevice;
        alloc.poolProps.location.id = 0;
        alloc.bytesize = 1000;
        SUCCEEDS(cudaGraphAddMemAllocNode(&nodes[0], graph, nullptr, 0, &alloc));
        QVERIFY(alloc.dptr);
        cudaMemsetParams clear{};
        clear.dst = alloc.dptr;
        clear.elementSize = 1;
        clear.width = 1000;
        clear.height = 1;
        SUCCEEDS(cudaGraphAddMemsetNode(&nodes[1], graph, &nodes[0], 1, &clear));
        SUCCEEDS(cudaGraphAddMemFreeNode(&nodes[2], graph, &nodes[1], 1, alloc.dptr));
        cudaMemAllocNodeParams told{};
        SUCCEEDS(cudaGraphMemAllocNodeGetParams(nodes[0], &told));
        QCOMPARE(told.dptr, alloc.dptr);
        void* freed = nullptr;
        SUCCEEDS(cudaGraphMemFreeNodeGetParams(nodes[2], static_cast<void*>(&freed)));
        QCOMPARE(freed, alloc.dptr);
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(cudaGraphLaunch(exec, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        std::uint64_t used = 1;
        SUCCEEDS(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
        SUCCEEDS(cudaDeviceGraphMemTrim(0));
    }

    void for_other_processes() {
        int shared = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&shared, cudaDevAttrIpcEventSupport, 0));
        if (!shared) QSKIP("this device shares nothing with other processes");
        void* pointer = nullptr;
        SUCCEEDS(cudaMalloc(&pointer, 1 << 21));
        cudaIpcMemHandle_t handle{};
        SUCCEEDS(cudaIpcGetMemHandle(&handle, pointer));
        cudaEvent_t event = nullptr;
        SUCCEEDS(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
        cudaIpcEventHandle_t event_handle{};
        SUCCEEDS(cudaIpcGetEventHandle(&event_handle, event));
        SUCCEEDS(cudaEventDestroy(event));
        SUCCEEDS(cudaFree(pointer));
    }
};

QTEST_GUILESS_MAIN(StreamsTest)
#include "streams_test.moc"
