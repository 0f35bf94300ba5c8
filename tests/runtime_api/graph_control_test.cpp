// SPDX-License-Identifier: Apache-2.0
// Nodes that decide what runs when: child graphs, events, semaphores of other interfaces and conditional nodes. Also
// nodes by a description that holds any kind of them.
#include "graphs.hpp"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace runtime_test;

namespace {

std::atomic<int> sum = 0;
void CUDART_CB add(void* data) { sum += *static_cast<int*>(data); }

/// Keeps a stream busy until it is let go, at the latest at the end of its scope.
class Held {
public:
    explicit Held(cudaStream_t stream) : stream_(stream), error_(cudaLaunchHostFunc(stream, wait, &go_)) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() {
        release();
        (void)cudaStreamSynchronize(stream_);
    }
    cudaError_t error() const { return error_; }
    void release() { go_ = true; }

private:
    static void CUDART_CB wait(void* go) {
        while (!*static_cast<std::atomic<bool>*>(go))
            std::this_thread::yield();
    }
    std::atomic<bool> go_ = false;
    cudaStream_t stream_;
    cudaError_t error_;
};

/// Time from an event to itself can be told only after it was recorded.
cudaError_t recorded(cudaEvent_t event) {
    float ms = 0;
    return cudaEventElapsedTime(&ms, event, event);
}

/// What a device answers that has no such nodes, or has them and finds no such node.
bool refused(cudaError_t error) { return error == cudaErrorNotSupported || error == cudaErrorInvalidValue; }

} // namespace

class GraphControlTest : public QObject {
    Q_OBJECT

private slots:
    void child_graphs() {
        unsigned* data = zeros(8);
        cudaGraph_t graph = nullptr, child = nullptr, embedded = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        SUCCEEDS(cudaGraphCreate(&child, 0));
        cudaMemsetParams fill = words_set(data, 1, 8);
        cudaGraphNode_t inner = nullptr, node = nullptr, empty = nullptr, own = nullptr, second = nullptr;
        SUCCEEDS(cudaGraphAddMemsetNode(&inner, child, nullptr, 0, &fill));
        SUCCEEDS(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        SUCCEEDS(cudaGraphChildGraphNodeGetGraph(node, &embedded));
        QVERIFY(embedded && embedded != child);
        QCOMPARE(node_count(embedded), std::size_t{1});
        std::size_t count = 1;
        SUCCEEDS(cudaGraphGetNodes(embedded, &own, &count));
        QVERIFY(own && own != inner);
        // What changes in the embedded graph changes in the node, what changes in the other one does not.
        fill.value = 2;
        SUCCEEDS(cudaGraphMemsetNodeSetParams(inner, &fill));
        fill.value = 3;
        SUCCEEDS(cudaGraphMemsetNodeSetParams(own, &fill));
        fill = words_set(data + 4, 4, 4);
        SUCCEEDS(cudaGraphAddMemsetNode(&second, embedded, &own, 1, &fill));
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 8), (Words{3, 3, 3, 3, 4, 4, 4, 4}));
        SAME_ERROR(cudaGraphChildGraphNodeGetGraph(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphChildGraphNodeGetGraph(nullptr, &embedded), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphChildGraphNodeGetGraph(empty, &embedded), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphDestroy(child));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void child_graphs_in_place() {
        unsigned* data = zeros(4);
        cudaGraph_t graph = nullptr, children[3] = {};
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t node = nullptr, empty = nullptr, inner = nullptr;
        for (unsigned i = 0; i < 3; ++i) {
            SUCCEEDS(cudaGraphCreate(&children[i], 0));
            const cudaMemsetParams fill = words_set(data, 10 + i, 4);
            SUCCEEDS(cudaGraphAddMemsetNode(&inner, children[i], nullptr, 0, &fill));
        }
        SUCCEEDS(cudaGraphAddEmptyNode(&inner, children[2], &inner, 1)); // a node more
        SUCCEEDS(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, children[0]));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(cudaGraphExecChildGraphNodeSetParams(exec, node, children[1]));
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 4), Words(4, 11));
        SUCCEEDS(run(graph)); // as it was
        QCOMPARE(words_of(data, 4), Words(4, 10));
        SAME_ERROR(cudaGraphExecChildGraphNodeSetParams(exec, node, children[2]), cudaErrorGraphExecUpdateFailure);
        SAME_ERROR(cudaGraphExecChildGraphNodeSetParams(exec, node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecChildGraphNodeSetParams(exec, nullptr, children[1]), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecChildGraphNodeSetParams(nullptr, node, children[1]), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecChildGraphNodeSetParams(exec, empty, children[1]), cudaErrorInvalidValue);
        SUCCEEDS(run(exec)); // what failed changed nothing
        QCOMPARE(words_of(data, 4), Words(4, 11));
        SUCCEEDS(cudaGraphExecDestroy(exec));
        for (const cudaGraph_t each : {children[0], children[1], children[2], graph})
            SUCCEEDS(cudaGraphDestroy(each));
        SUCCEEDS(cudaFree(data));
    }

    /// The node may own the graph itself, no copy. Only so can it have nodes of memory.
    void child_graphs_moved() {
        unsigned* data = zeros(4);
        cudaGraph_t graph = nullptr, child = nullptr, embedded = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        SUCCEEDS(cudaGraphCreate(&child, 0));
        cudaGraphNode_t nodes[4] = {}, node = nullptr;
        cudaMemAllocNodeParams memory{};
        memory.poolProps.allocType = cudaMemAllocationTypePinned;
        memory.poolProps.location.type = cudaMemLocationTypeDevice;
        memory.bytesize = 16;
        SUCCEEDS(cudaGraphAddMemAllocNode(&nodes[0], child, nullptr, 0, &memory));
        cudaMemsetParams fill = words_set(static_cast<unsigned*>(memory.dptr), 5, 4);
        SUCCEEDS(cudaGraphAddMemsetNode(&nodes[1], child, &nodes[0], 1, &fill));
        SUCCEEDS(
            cudaGraphAddMemcpyNode1D(&nodes[2], child, &nodes[1], 1, data, memory.dptr, 16, cudaMemcpyDeviceToDevice));
        SUCCEEDS(cudaGraphAddMemFreeNode(&nodes[3], child, &nodes[2], 1, memory.dptr));
        QVERIFY(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child) != cudaSuccess);
        cudaGraphNodeParams any{};
        any.type = cudaGraphNodeTypeGraph;
        any.graph.graph = child;
        any.graph.ownership = cudaGraphChildGraphOwnershipMove;
        SUCCEEDS(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));
        SUCCEEDS(cudaGraphChildGraphNodeGetGraph(node, &embedded));
        QCOMPARE(embedded, child);
        fill.value = 6;
        SUCCEEDS(cudaGraphMemsetNodeSetParams(nodes[1], &fill));
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 4), Words(4, 6));
        SUCCEEDS(cudaGraphDestroy(graph)); // and the child
        SUCCEEDS(cudaFree(data));
    }

    void recorded_events() {
        cudaEvent_t first = nullptr, second = nullptr, third = nullptr, told = nullptr;
        for (cudaEvent_t* each : {&first, &second, &third})
            SUCCEEDS(cudaEventCreate(each));
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t node = nullptr, wait = nullptr, empty = nullptr;
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        SUCCEEDS(cudaGraphAddEventRecordNode(&node, graph, &empty, 1, first));
        SUCCEEDS(cudaGraphAddEventWaitNode(&wait, graph, &node, 1, first));
        SUCCEEDS(cudaGraphEventRecordNodeGetEvent(node, &told));
        QCOMPARE(told, first);
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SAME_ERROR(recorded(first), cudaErrorInvalidResourceHandle);
        SUCCEEDS(run(exec));
        SUCCEEDS(recorded(first));
        SUCCEEDS(cudaGraphExecEventRecordNodeSetEvent(exec, node, second));
        SAME_ERROR(recorded(second), cudaErrorInvalidResourceHandle);
        SUCCEEDS(run(exec));
        SUCCEEDS(recorded(second));
        SUCCEEDS(cudaGraphEventRecordNodeGetEvent(node, &told)); // as it was
        QCOMPARE(told, first);
        SUCCEEDS(cudaGraphEventRecordNodeSetEvent(node, third));
        SUCCEEDS(cudaGraphEventRecordNodeGetEvent(node, &told));
        QCOMPARE(told, third);
        SAME_ERROR(recorded(third), cudaErrorInvalidResourceHandle);
        SUCCEEDS(run(graph));
        SUCCEEDS(recorded(third));

        SAME_ERROR(cudaGraphEventRecordNodeGetEvent(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventRecordNodeGetEvent(nullptr, &told), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventRecordNodeGetEvent(wait, &told), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventRecordNodeSetEvent(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventRecordNodeSetEvent(wait, first), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecEventRecordNodeSetEvent(exec, node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecEventRecordNodeSetEvent(nullptr, node, first), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecEventRecordNodeSetEvent(exec, wait, first), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        for (const cudaEvent_t each : {first, second, third})
            SUCCEEDS(cudaEventDestroy(each));
    }

    void awaited_events() {
        unsigned* data = zeros(4);
        cudaStream_t held = nullptr, stream = nullptr;
        SUCCEEDS(cudaStreamCreateWithFlags(&held, cudaStreamNonBlocking));
        SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        cudaEvent_t early = nullptr, late = nullptr, told = nullptr;
        SUCCEEDS(cudaEventCreateWithFlags(&early, cudaEventDisableTiming));
        SUCCEEDS(cudaEventCreateWithFlags(&late, cudaEventDisableTiming));
        SUCCEEDS(cudaEventRecord(early, stream));
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t node = nullptr, filling = nullptr;
        SUCCEEDS(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, early));
        cudaMemsetParams fill = words_set(data, 1, 4);
        SUCCEEDS(cudaGraphAddMemsetNode(&filling, graph, &node, 1, &fill));
        SUCCEEDS(cudaGraphEventWaitNodeGetEvent(node, &told));
        QCOMPARE(told, early);
        cudaGraphExec_t exec = nullptr, other = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(cudaGraphEventWaitNodeSetEvent(node, late));
        SUCCEEDS(cudaGraphEventWaitNodeGetEvent(node, &told));
        QCOMPARE(told, late);
        SUCCEEDS(cudaGraphInstantiate(&other, graph, 0));
        for (const bool swapped : {false, true}) {
            if (swapped) {
                SUCCEEDS(cudaGraphExecEventWaitNodeSetEvent(exec, node, late));
                SUCCEEDS(cudaGraphExecEventWaitNodeSetEvent(other, node, early));
            }
            Held hold(held);
            SUCCEEDS(hold.error());
            SUCCEEDS(cudaEventRecord(late, held));
            SUCCEEDS(cudaGraphLaunch(swapped ? other : exec, stream)); // it waits for nothing
            QTRY_COMPARE(cudaStreamQuery(stream), cudaSuccess);
            SUCCEEDS(cudaGraphLaunch(swapped ? exec : other, stream));
            QTest::qSleep(20);
            SAME_ERROR(cudaStreamQuery(stream), cudaErrorNotReady);
            hold.release();
            SUCCEEDS(cudaStreamSynchronize(stream));
        }
        QCOMPARE(words_of(data, 4), Words(4, 1));

        SAME_ERROR(cudaGraphEventWaitNodeGetEvent(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventWaitNodeGetEvent(nullptr, &told), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventWaitNodeGetEvent(filling, &told), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventWaitNodeSetEvent(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphEventWaitNodeSetEvent(filling, early), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecEventWaitNodeSetEvent(exec, node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecEventWaitNodeSetEvent(nullptr, node, early), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecEventWaitNodeSetEvent(exec, filling, early), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphExecDestroy(other));
        SUCCEEDS(cudaGraphDestroy(graph));
        for (const cudaEvent_t each : {early, late})
            SUCCEEDS(cudaEventDestroy(each));
        for (const cudaStream_t each : {held, stream})
            SUCCEEDS(cudaStreamDestroy(each));
        SUCCEEDS(cudaFree(data));
    }

    void nodes_by_description() {
        const Kernels kernels;
        sum = 0;
        int one = 1, ten = 10, hundred = 100;
        unsigned* data = zeros(16);
        Words back(16), second(16);
        cudaEvent_t first_event = nullptr, second_event = nullptr;
        SUCCEEDS(cudaEventCreate(&first_event));
        SUCCEEDS(cudaEventCreate(&second_event));
        cudaGraph_t graph = nullptr, child = nullptr, other_child = nullptr;
        for (cudaGraph_t* each : {&graph, &child, &other_child})
            SUCCEEDS(cudaGraphCreate(each, 0));
        cudaGraphNode_t inner = nullptr;
        cudaMemsetParams inner_fill = words_set(data + 12, 7, 4);
        SUCCEEDS(cudaGraphAddMemsetNode(&inner, child, nullptr, 0, &inner_fill));
        inner_fill.value = 8;
        SUCCEEDS(cudaGraphAddMemsetNode(&inner, other_child, nullptr, 0, &inner_fill));
        FillArguments arguments(data, 30, 4);
        const cudaKernelNodeParams kernel = arguments.node();

        enum { kernel_node, memset_node, host_node, child_node, record_node, wait_node, memcpy_node, kinds };
        cudaGraphNodeParams any[kinds]{};
        any[kernel_node].type = cudaGraphNodeTypeKernel;
        any[kernel_node].kernel.func = kernel.func;
        any[kernel_node].kernel.gridDim = kernel.gridDim;
        any[kernel_node].kernel.blockDim = kernel.blockDim;
        any[kernel_node].kernel.kernelParams = kernel.kernelParams;
        any[memset_node].type = cudaGraphNodeTypeMemset;
        any[memset_node].memset.dst = data + 4;
        any[memset_node].memset.elementSize = 4;
        any[memset_node].memset.value = 9;
        any[memset_node].memset.width = 8;
        any[memset_node].memset.height = 1;
        any[host_node].type = cudaGraphNodeTypeHost;
        any[host_node].host.fn = add;
        any[host_node].host.userData = &one;
        any[child_node].type = cudaGraphNodeTypeGraph;
        any[child_node].graph.graph = child;
        any[record_node].type = cudaGraphNodeTypeEventRecord;
        any[record_node].eventRecord.event = first_event;
        any[wait_node].type = cudaGraphNodeTypeWaitEvent;
        any[wait_node].eventWait.event = first_event;
        any[memcpy_node].type = cudaGraphNodeTypeMemcpy;
        any[memcpy_node].memcpy.copyParams = words_copied(back.data(), data, 16, cudaMemcpyDeviceToHost);
        cudaGraphNode_t nodes[kinds] = {}, empty = nullptr;
        const cudaGraphEdgeData plain{};
        for (int i = 0; i < kinds; ++i) {
            SUCCEEDS(cudaGraphAddNode(&nodes[i], graph, i ? &nodes[i - 1] : nullptr, i ? &plain : nullptr, i ? 1U : 0U,
                                      &any[i]));
            cudaGraphNodeType type{};
            SUCCEEDS(cudaGraphNodeGetType(nodes[i], &type));
            QCOMPARE(type, any[i].type);
        }
        cudaGraphNodeParams nothing{};
        nothing.type = cudaGraphNodeTypeEmpty;
        SUCCEEDS(cudaGraphAddNode(&empty, graph, &nodes[kinds - 1], nullptr, 1, &nothing));
        std::size_t edges = 0;
        SUCCEEDS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
        QCOMPARE(edges, std::size_t{kinds});
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(run(exec));
        QCOMPARE(back, (Words{30, 31, 32, 33, 9, 9, 9, 9, 9, 9, 9, 9, 7, 7, 7, 7}));
        QCOMPARE(sum.load(), 1);
        SUCCEEDS(recorded(first_event));

        // All of them otherwise, in the instance.
        arguments.value = 60;
        any[memset_node].memset.value = 5;
        any[host_node].host.userData = &ten;
        any[child_node].graph.graph = other_child;
        any[record_node].eventRecord.event = any[wait_node].eventWait.event = second_event;
        any[memcpy_node].memcpy.copyParams = words_copied(second.data(), data, 16, cudaMemcpyDeviceToHost);
        for (int i = 0; i < kinds; ++i)
            SUCCEEDS(cudaGraphExecNodeSetParams(exec, nodes[i], &any[i]));
        SAME_ERROR(recorded(second_event), cudaErrorInvalidResourceHandle);
        SUCCEEDS(run(exec));
        QCOMPARE(second, (Words{60, 61, 62, 63, 5, 5, 5, 5, 5, 5, 5, 5, 8, 8, 8, 8}));
        QCOMPARE(sum.load(), 11);
        SUCCEEDS(recorded(second_event));
        SUCCEEDS(run(graph)); // as it was
        QCOMPARE(back, (Words{30, 31, 32, 33, 9, 9, 9, 9, 9, 9, 9, 9, 7, 7, 7, 7}));
        QCOMPARE(sum.load(), 12);

        // In the graph, whose child changes by its own nodes.
        any[host_node].host.userData = &hundred;
        second.assign(16, 0);
        for (int i = 0; i < kinds; ++i)
            if (i != child_node) SUCCEEDS(cudaGraphNodeSetParams(nodes[i], &any[i]));
        cudaEvent_t told = nullptr;
        SUCCEEDS(cudaGraphEventWaitNodeGetEvent(nodes[wait_node], &told));
        QCOMPARE(told, second_event);
        SUCCEEDS(cudaGraphEventRecordNodeGetEvent(nodes[record_node], &told));
        QCOMPARE(told, second_event);
        SUCCEEDS(run(graph));
        QCOMPARE(second, (Words{60, 61, 62, 63, 5, 5, 5, 5, 5, 5, 5, 5, 7, 7, 7, 7}));
        QCOMPARE(sum.load(), 112);

        // Wrong ones: of another kind, none, of a kind that cannot be changed.
        SAME_ERROR(cudaGraphNodeSetParams(nodes[kernel_node], &any[host_node]), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphNodeSetParams(nodes[kernel_node], nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphNodeSetParams(nullptr, &any[host_node]), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecNodeSetParams(exec, nodes[memset_node], &any[host_node]), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecNodeSetParams(exec, nodes[memset_node], nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecNodeSetParams(nullptr, nodes[memset_node], &any[memset_node]), cudaErrorInvalidValue);
        cudaGraphNodeParams memory{};
        memory.type = cudaGraphNodeTypeMemAlloc;
        memory.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
        memory.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
        memory.alloc.bytesize = 64;
        SAME_ERROR(cudaGraphNodeSetParams(nodes[memset_node], &memory), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecNodeSetParams(exec, nodes[memset_node], &memory), cudaErrorInvalidValue);
        any[host_node].type = static_cast<cudaGraphNodeType>(99);
        SAME_ERROR(cudaGraphAddNode(&inner, graph, nullptr, nullptr, 0, &any[host_node]), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphAddNode(&inner, graph, nullptr, nullptr, 1, &nothing), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphAddNode(&inner, graph, nullptr, nullptr, 0, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &nothing), cudaErrorInvalidValue);
        QCOMPARE(node_count(graph), std::size_t{kinds + 1});

        // Memory, whose address the description is told. A graph with such nodes has one instance at a time.
        SUCCEEDS(cudaGraphExecDestroy(exec));
        cudaGraphNode_t taken = nullptr, used = nullptr, given = nullptr;
        SUCCEEDS(cudaGraphAddNode(&taken, graph, &empty, nullptr, 1, &memory));
        QVERIFY(memory.alloc.dptr);
        any[memset_node].memset.dst = memory.alloc.dptr;
        SUCCEEDS(cudaGraphAddNode(&used, graph, &taken, nullptr, 1, &any[memset_node]));
        cudaGraphNodeParams release{};
        release.type = cudaGraphNodeTypeMemFree;
        release.free.dptr = memory.alloc.dptr;
        SUCCEEDS(cudaGraphAddNode(&given, graph, &used, nullptr, 1, &release));
        void* freed = nullptr;
        SUCCEEDS(cudaGraphMemFreeNodeGetParams(given, static_cast<void*>(&freed)));
        QCOMPARE(freed, memory.alloc.dptr);
        SUCCEEDS(run(graph));
        for (const cudaGraph_t each : {graph, child, other_child})
            SUCCEEDS(cudaGraphDestroy(each));
        SUCCEEDS(cudaEventDestroy(first_event));
        SUCCEEDS(cudaEventDestroy(second_event));
        SUCCEEDS(cudaFree(data));
    }

    /// Only other interfaces make such semaphores. So the nodes here have none, or are of another kind.
    void external_semaphores() {
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaExternalSemaphore_t none[1] = {};
        const cudaExternalSemaphoreSignalParams signal[1] = {};
        const cudaExternalSemaphoreWaitParams wait[1] = {};
        const cudaExternalSemaphoreSignalNodeParams to_signal{none, signal, 0};
        const cudaExternalSemaphoreWaitNodeParams to_wait{none, wait, 0};
        cudaExternalSemaphoreSignalNodeParams told_signal{none, signal, 9};
        cudaExternalSemaphoreWaitNodeParams told_wait{none, wait, 9};
        cudaGraphNode_t empty = nullptr, signalling = nullptr, waiting = nullptr;
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        const cudaError_t added = cudaGraphAddExternalSemaphoresSignalNode(&signalling, graph, &empty, 1, &to_signal);
        SAME_ERROR(cudaGraphAddExternalSemaphoresWaitNode(&waiting, graph, &empty, 1, &to_wait), added);
        QVERIFY2(added == cudaSuccess || refused(added), cudaGetErrorName(added));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        if (added == cudaSuccess) {
            SUCCEEDS(cudaGraphExternalSemaphoresSignalNodeGetParams(signalling, &told_signal));
            QCOMPARE(told_signal.numExtSems, 0U);
            SUCCEEDS(cudaGraphExternalSemaphoresWaitNodeGetParams(waiting, &told_wait));
            QCOMPARE(told_wait.numExtSems, 0U);
            SUCCEEDS(cudaGraphExternalSemaphoresSignalNodeSetParams(signalling, &to_signal));
            SUCCEEDS(cudaGraphExternalSemaphoresWaitNodeSetParams(waiting, &to_wait));
            SUCCEEDS(cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, signalling, &to_signal));
            SUCCEEDS(cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, waiting, &to_wait));
        }
        for (const cudaError_t error : {
                 cudaGraphExternalSemaphoresSignalNodeGetParams(empty, &told_signal),
                 cudaGraphExternalSemaphoresWaitNodeGetParams(empty, &told_wait),
                 cudaGraphExternalSemaphoresSignalNodeSetParams(empty, &to_signal),
                 cudaGraphExternalSemaphoresWaitNodeSetParams(empty, &to_wait),
                 cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, empty, &to_signal),
                 cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, empty, &to_wait),
             })
            QVERIFY2(refused(error), cudaGetErrorName(error));
        // By a description they are the same nodes.
        cudaGraphNodeParams any{};
        any.type = cudaGraphNodeTypeExtSemaphoreSignal;
        any.extSemSignal = {none, signal, 0};
        SAME_ERROR(cudaGraphAddNode(&signalling, graph, &empty, nullptr, 1, &any), added);
        QVERIFY(refused(cudaGraphNodeSetParams(empty, &any)));
        QVERIFY(refused(cudaGraphExecNodeSetParams(exec, empty, &any)));
        any = {};
        any.type = cudaGraphNodeTypeExtSemaphoreWait;
        any.extSemWait = {none, wait, 0};
        SAME_ERROR(cudaGraphAddNode(&waiting, graph, &empty, nullptr, 1, &any), added);
        QVERIFY(refused(cudaGraphNodeSetParams(empty, &any)));
        QVERIFY(refused(cudaGraphExecNodeSetParams(exec, empty, &any)));
        QCOMPARE(node_count(graph), std::size_t{added == cudaSuccess ? 5U : 1U});
        SUCCEEDS(run(exec));
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
    }

    /// Which of two bodies runs is decided by the handle's default value.
    void conditional_nodes() {
        unsigned* data = zeros(4);
        for (const unsigned value : {0U, 1U, 2U}) {
            SUCCEEDS(cudaMemset(data, 0, 16));
            cudaGraph_t graph = nullptr;
            SUCCEEDS(cudaGraphCreate(&graph, 0));
            cudaGraphConditionalHandle handle = 0;
            const cudaError_t made =
                cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault);
            cudaGraphNodeParams any{};
            any.type = cudaGraphNodeTypeConditional;
            any.conditional.handle = handle;
            any.conditional.type = cudaGraphCondTypeSwitch;
            any.conditional.size = 2;
            cudaGraphNode_t node = nullptr, body = nullptr;
            if (made != cudaSuccess) {
                SAME_ERROR(made, cudaErrorNotSupported);
                SAME_ERROR(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any), cudaErrorNotSupported);
                QCOMPARE(node_count(graph), std::size_t{0});
            } else {
                cudaGraphConditionalHandle wrong = 0;
                SAME_ERROR(cudaGraphConditionalHandleCreate(&wrong, graph, value, 8), cudaErrorInvalidValue);
                SUCCEEDS(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &any));
                QVERIFY(any.conditional.phGraph_out);
                for (const unsigned i : {0U, 1U}) {
                    const cudaMemsetParams fill = words_set(data + i, 5 + i, 1);
                    SUCCEEDS(cudaGraphAddMemsetNode(&body, any.conditional.phGraph_out[i], nullptr, 0, &fill));
                }
                SUCCEEDS(run(graph));
                QCOMPARE(words_of(data, 2), (Words{value == 0 ? 5U : 0U, value == 1 ? 6U : 0U}));
            }
            SUCCEEDS(cudaGraphDestroy(graph));
        }
        SUCCEEDS(cudaFree(data));
    }
};

QTEST_GUILESS_MAIN(GraphControlTest)
#include "graph_control_test.moc"
