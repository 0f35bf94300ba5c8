// SPDX-License-Identifier: Apache-2.0
// Graphs as a whole: their shape, their instances, captures into them, and objects that live as long as they.
#include "graphs.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <climits>

using namespace runtime_test;

namespace {

std::atomic<int> released = 0;
void CUDART_CB destroy(void* count) { released += *static_cast<int*>(count); }

} // namespace

class GraphsTest : public QObject {
    Q_OBJECT

private slots:
    void nodes_that_go() {
        unsigned* data = zeros(4);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t nodes[3] = {};
        for (unsigned i = 0; i < 3; ++i) {
            const cudaMemsetParams fill = words_set(data, i + 1, 4 - i);
            SUCCEEDS(cudaGraphAddMemsetNode(&nodes[i], graph, i ? &nodes[i - 1] : nullptr, i ? 1U : 0U, &fill));
        }
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 4), (Words{3, 3, 2, 1}));
        SUCCEEDS(cudaGraphDestroyNode(nodes[1]));
        QCOMPARE(node_count(graph), std::size_t{2});
        std::size_t count = 9;
        SUCCEEDS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count)); // both were the node's
        QCOMPARE(count, std::size_t{0});
        SUCCEEDS(cudaGraphAddDependencies(graph, &nodes[0], &nodes[2], nullptr, 1));
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 4), (Words{3, 3, 1, 1}));
        SAME_ERROR(cudaGraphDestroyNode(nullptr), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void picture() {
        const Kernels kernels;
        unsigned* data = zeros(4);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t first = nullptr, second = nullptr;
        SUCCEEDS(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
        FillArguments arguments(data, 1, 4);
        const cudaKernelNodeParams parameters = arguments.node();
        SUCCEEDS(cudaGraphAddKernelNode(&second, graph, &first, 1, &parameters));
        const QTemporaryDir folder;
        QFile file(folder.filePath("graph.dot"));
        SUCCEEDS(cudaGraphDebugDotPrint(graph, QFile::encodeName(file.fileName()).constData(),
                                        cudaGraphDebugDotFlagsVerbose));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("digraph") && text.contains("->") && text.contains("fill"), text.constData());
        const QByteArray nowhere = QFile::encodeName(folder.filePath("none/graph.dot"));
        SAME_ERROR(cudaGraphDebugDotPrint(graph, nowhere.constData(), 0), cudaErrorOperatingSystem);
        SAME_ERROR(cudaGraphDebugDotPrint(graph, nullptr, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphDebugDotPrint(nullptr, nowhere.constData(), 0), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    /// An edge that lets the second kernel begin early. Only calls that take data of edges can tell it.
    void data_of_edges() {
        const Kernels kernels;
        unsigned* data = zeros(8);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        FillArguments one(data, 1, 4), two(data + 4, 10, 4);
        const cudaKernelNodeParams first = one.node(), second = two.node();
        cudaGraphNode_t nodes[2] = {};
        SUCCEEDS(cudaGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &first));
        SUCCEEDS(cudaGraphAddKernelNode(&nodes[1], graph, nullptr, 0, &second));
        cudaGraphEdgeData early{};
        early.from_port = cudaGraphKernelNodePortProgrammatic;
        early.type = cudaGraphDependencyTypeProgrammatic;
        SUCCEEDS(cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], &early, 1));
        cudaGraphNode_t from = nullptr, to = nullptr;
        cudaGraphEdgeData told{};
        std::size_t count = 1;
        SUCCEEDS(cudaGraphGetEdges(graph, &from, &to, &told, &count));
        QCOMPARE(from, nodes[0]);
        QCOMPARE(to, nodes[1]);
        QCOMPARE(unsigned{told.from_port}, unsigned{cudaGraphKernelNodePortProgrammatic});
        QCOMPARE(unsigned{told.type}, unsigned{cudaGraphDependencyTypeProgrammatic});
        told = {};
        SUCCEEDS(cudaGraphNodeGetDependencies(nodes[1], &from, &told, &count));
        QCOMPARE(unsigned{told.from_port}, unsigned{cudaGraphKernelNodePortProgrammatic});
        told = {};
        SUCCEEDS(cudaGraphNodeGetDependentNodes(nodes[0], &to, &told, &count));
        QCOMPARE(unsigned{told.from_port}, unsigned{cudaGraphKernelNodePortProgrammatic});
        SAME_ERROR(cudaGraphGetEdges(graph, &from, &to, nullptr, &count), cudaErrorLossyQuery);
        SAME_ERROR(cudaGraphNodeGetDependencies(nodes[1], &from, nullptr, &count), cudaErrorLossyQuery);
        SAME_ERROR(cudaGraphNodeGetDependentNodes(nodes[0], &to, nullptr, &count), cudaErrorLossyQuery);
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 8), (Words{1, 2, 3, 4, 10, 11, 12, 13}));
        SUCCEEDS(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[1], &early, 1));
        SUCCEEDS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
        QCOMPARE(count, std::size_t{0});
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void clones() {
        unsigned* data = zeros(4);
        cudaGraph_t graph = nullptr, clone = nullptr, stranger = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        SUCCEEDS(cudaGraphCreate(&stranger, 0));
        cudaMemsetParams fill = words_set(data, 1, 4);
        cudaGraphNode_t node = nullptr, twin = nullptr;
        SUCCEEDS(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
        SUCCEEDS(cudaGraphClone(&clone, graph));
        SUCCEEDS(cudaGraphNodeFindInClone(&twin, node, clone));
        fill.value = 2;
        SUCCEEDS(cudaGraphMemsetNodeSetParams(twin, &fill));
        SUCCEEDS(run(clone));
        QCOMPARE(words_of(data, 4), Words(4, 2));
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 4), Words(4, 1));
        cudaGraphNode_t none = nullptr;
        SAME_ERROR(cudaGraphNodeFindInClone(&none, node, stranger), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphNodeFindInClone(nullptr, node, clone), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphDestroyNode(twin));
        SAME_ERROR(cudaGraphNodeFindInClone(&none, node, clone), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphClone(nullptr, graph), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphClone(&clone, nullptr), cudaErrorInvalidValue);
        for (const cudaGraph_t each : {graph, clone, stranger})
            SUCCEEDS(cudaGraphDestroy(each));
        SUCCEEDS(cudaFree(data));
    }

    void instances_with_parameters() {
        unsigned* data = zeros(4);
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        const cudaMemsetParams fill = words_set(data, 3, 4);
        cudaGraphNode_t node = nullptr, other = nullptr;
        SUCCEEDS(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
        cudaGraphInstantiateParams parameters{};
        parameters.flags = cudaGraphInstantiateFlagUpload;
        parameters.uploadStream = stream;
        parameters.result_out = cudaGraphInstantiateError;
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiateWithParams(&exec, graph, &parameters));
        QCOMPARE(parameters.result_out, cudaGraphInstantiateSuccess);
        QVERIFY(!parameters.errNode_out);
        SUCCEEDS(run(exec, stream));
        QCOMPARE(words_of(data, 4), Words(4, 3));
        unsigned long long flags = 99;
        SUCCEEDS(cudaGraphExecGetFlags(exec, &flags));
        QCOMPARE(flags, 0ULL); // drivers do not tell this one
        SUCCEEDS(cudaGraphExecDestroy(exec));

        SAME_ERROR(cudaGraphInstantiateWithParams(nullptr, graph, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphInstantiateWithParams(&exec, nullptr, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphInstantiateWithParams(&exec, graph, nullptr), cudaErrorInvalidValue);
        parameters.flags = 0x100;
        SAME_ERROR(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaErrorInvalidValue);
        parameters.flags = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagDeviceLaunch;
        SAME_ERROR(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaErrorInvalidValue);

        // For launches from kernels, where there are such.
        parameters = {};
        parameters.flags = cudaGraphInstantiateFlagDeviceLaunch;
        const cudaError_t made = cudaGraphInstantiateWithParams(&exec, graph, &parameters);
        if (made == cudaSuccess) {
            QCOMPARE(parameters.result_out, cudaGraphInstantiateSuccess);
            SUCCEEDS(cudaMemset(data, 0, 16));
            SUCCEEDS(run(exec));
            QCOMPARE(words_of(data, 4), Words(4, 3));
            SUCCEEDS(cudaGraphExecDestroy(exec));
        } else {
            SAME_ERROR(made, cudaErrorNotSupported);
            QVERIFY(parameters.result_out != cudaGraphInstantiateSuccess);
        }

        // Some drivers object to an edge that closes a circle, the others to the graph that has it.
        SUCCEEDS(cudaGraphAddEmptyNode(&other, graph, &node, 1));
        const cudaError_t closed = cudaGraphAddDependencies(graph, &other, &node, nullptr, 1);
        if (closed == cudaSuccess) {
            parameters = {};
            SAME_ERROR(cudaGraphInstantiateWithParams(&exec, graph, &parameters), cudaErrorInvalidValue);
            QCOMPARE(parameters.result_out, cudaGraphInstantiateInvalidStructure);
        } else {
            SAME_ERROR(closed, cudaErrorInvalidValue);
        }
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFree(data));
    }

    /// Memory that a launch takes and leaves is freed by the next one.
    void memory_freed_by_the_next_launch() {
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t nodes[2] = {};
        cudaMemAllocNodeParams memory{};
        memory.poolProps.allocType = cudaMemAllocationTypePinned;
        memory.poolProps.location.type = cudaMemLocationTypeDevice;
        memory.bytesize = 64;
        SUCCEEDS(cudaGraphAddMemAllocNode(&nodes[0], graph, nullptr, 0, &memory));
        auto* data = static_cast<unsigned*>(memory.dptr);
        const cudaMemsetParams fill = words_set(data, 4, 16);
        SUCCEEDS(cudaGraphAddMemsetNode(&nodes[1], graph, &nodes[0], 1, &fill));
        cudaGraphExec_t exec = nullptr, second = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        QVERIFY(cudaGraphInstantiate(&second, graph, 0) != cudaSuccess); // one at a time
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 16), Words(16, 4));
        SAME_ERROR(cudaGraphLaunch(exec, nullptr), cudaErrorInvalidValue);
        SUCCEEDS(cudaFree(data));
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
        unsigned long long flags = 0;
        SUCCEEDS(cudaGraphExecGetFlags(exec, &flags));
        QCOMPARE(flags, static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch));
        SUCCEEDS(run(exec));
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 16), Words(16, 4));
        SUCCEEDS(cudaFree(data));
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
    }

    void updates() {
        unsigned* data = zeros(4);
        cudaGraph_t graphs[3] = {};
        cudaGraphNode_t nodes[3] = {}, more = nullptr;
        for (unsigned i = 0; i < 3; ++i) {
            SUCCEEDS(cudaGraphCreate(&graphs[i], 0));
            const cudaMemsetParams fill = words_set(data, i + 1, 4);
            if (i < 2)
                SUCCEEDS(cudaGraphAddMemsetNode(&nodes[i], graphs[i], nullptr, 0, &fill));
            else
                SUCCEEDS(cudaGraphAddEmptyNode(&nodes[i], graphs[i], nullptr, 0));
        }
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graphs[0], 0));
        cudaGraphExecUpdateResultInfo info{};
        info.result = cudaGraphExecUpdateError;
        SUCCEEDS(cudaGraphExecUpdate(exec, graphs[1], &info));
        QCOMPARE(info.result, cudaGraphExecUpdateSuccess);
        QVERIFY(!info.errorNode && !info.errorFromNode);
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 4), Words(4, 2));
        SAME_ERROR(cudaGraphExecUpdate(exec, graphs[2], &info), cudaErrorGraphExecUpdateFailure);
        QCOMPARE(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
        QCOMPARE(info.errorNode, nodes[2]);
        SUCCEEDS(cudaGraphAddEmptyNode(&more, graphs[1], &nodes[1], 1));
        info = {};
        SAME_ERROR(cudaGraphExecUpdate(exec, graphs[1], &info), cudaErrorGraphExecUpdateFailure);
        QCOMPARE(info.result, cudaGraphExecUpdateErrorTopologyChanged);
        QVERIFY(!info.errorNode);
        SAME_ERROR(cudaGraphExecUpdate(exec, nullptr, &info), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecUpdate(nullptr, graphs[0], &info), cudaErrorInvalidValue);
        SUCCEEDS(run(exec)); // what failed changed nothing
        QCOMPARE(words_of(data, 4), Words(4, 2));
        // Nodes left out: only those that do work.
        unsigned enabled = 9;
        SUCCEEDS(cudaGraphNodeGetEnabled(exec, nodes[0], &enabled));
        QCOMPARE(enabled, 1U);
        SUCCEEDS(cudaGraphNodeSetEnabled(exec, nodes[0], 0));
        SUCCEEDS(cudaMemset(data, 0, 16));
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 4), Words(4, 0));
        SUCCEEDS(cudaGraphNodeSetEnabled(exec, nodes[0], 1));
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 4), Words(4, 2));
        SAME_ERROR(cudaGraphNodeGetEnabled(exec, nodes[0], nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphNodeSetEnabled(exec, nodes[2], 0), cudaErrorInvalidValue); // of another graph
        SUCCEEDS(cudaGraphExecDestroy(exec));
        for (const cudaGraph_t each : graphs)
            SUCCEEDS(cudaGraphDestroy(each));
        SUCCEEDS(cudaFree(data));
    }

    void user_objects() {
        released = 0;
        static int one = 1, ten = 10; // read when nothing waits for it
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaUserObject_t object = nullptr, second = nullptr;
        SUCCEEDS(cudaUserObjectCreate(&object, &one, destroy, 1, cudaUserObjectNoDestructorSync));
        SUCCEEDS(cudaUserObjectRetain(object, 2));
        SUCCEEDS(cudaUserObjectRelease(object, 2));
        SUCCEEDS(cudaGraphRetainUserObject(graph, object, 2, 0));
        SUCCEEDS(cudaGraphReleaseUserObject(graph, object, 1));
        SAME_ERROR(cudaUserObjectRetain(object, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaUserObjectRetain(object, unsigned{INT_MAX} + 1), cudaErrorInvalidValue);
        SAME_ERROR(cudaUserObjectRetain(nullptr, 1), cudaErrorInvalidValue);
        SAME_ERROR(cudaUserObjectRelease(object, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphRetainUserObject(graph, object, 0, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphRetainUserObject(graph, object, 1, 8), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphReleaseUserObject(graph, object, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphReleaseUserObject(graph, nullptr, 1), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphReleaseUserObject(nullptr, object, 1), cudaErrorInvalidValue);
        SUCCEEDS(cudaUserObjectRelease(object, 1));
        // The graph has the last reference. The second object is done for before it, as its reference moves.
        SUCCEEDS(cudaUserObjectCreate(&second, &ten, destroy, 1, cudaUserObjectNoDestructorSync));
        SUCCEEDS(cudaGraphRetainUserObject(graph, second, 1, cudaGraphUserObjectMove));
        QCOMPARE(released.load(), 0);
        SUCCEEDS(cudaGraphReleaseUserObject(graph, second, 1));
        QTRY_COMPARE(released.load(), 10);
        SUCCEEDS(cudaGraphReleaseUserObject(graph, object, 1));
        QTRY_COMPARE(released.load(), 11);
        SUCCEEDS(cudaGraphDestroy(graph));
    }

    void captured_into_a_graph() {
        const Kernels kernels;
        unsigned* data = zeros(8);
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        SUCCEEDS(launch_fill(data, 0, 8, stream)); // loads the kernel
        SUCCEEDS(cudaStreamSynchronize(stream));
        cudaGraph_t graph = nullptr, ended = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        const cudaMemsetParams fill = words_set(data, 5, 8);
        cudaGraphNode_t node = nullptr;
        SUCCEEDS(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
        const cudaGraphEdgeData plain{};
        SUCCEEDS(cudaStreamBeginCaptureToGraph(stream, graph, &node, &plain, 1, cudaStreamCaptureModeThreadLocal));
        SAME_ERROR(cudaStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, cudaStreamCaptureModeThreadLocal),
                   cudaErrorIllegalState);
        SUCCEEDS(launch_fill(data, 20, 4, stream));
        SUCCEEDS(cudaStreamEndCapture(stream, &ended));
        QCOMPARE(ended, graph);
        QCOMPARE(node_count(graph), std::size_t{2});
        std::size_t count = 0;
        SUCCEEDS(cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &count));
        QCOMPARE(count, std::size_t{1});
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 8), (Words{20, 21, 22, 23, 5, 5, 5, 5}));
        // Without dependencies, at the graph's begin.
        SUCCEEDS(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
        SUCCEEDS(launch_fill(data, 1, 1, stream));
        SUCCEEDS(cudaStreamEndCapture(stream, &ended));
        SUCCEEDS(cudaGraphGetRootNodes(graph, nullptr, &count));
        QCOMPARE(count, std::size_t{2});

        SAME_ERROR(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 1, cudaStreamCaptureModeRelaxed),
                   cudaErrorInvalidValue);
        SAME_ERROR(
            cudaStreamBeginCaptureToGraph(cudaStreamLegacy, graph, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed),
            cudaErrorStreamCaptureUnsupported);
        SAME_ERROR(
            cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, static_cast<cudaStreamCaptureMode>(9)),
            cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFree(data));
    }

    void dependencies_of_captures() {
        const Kernels kernels;
        unsigned* data = zeros(8);
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        SUCCEEDS(launch_fill(data, 0, 8, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        SAME_ERROR(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0), cudaErrorIllegalState);
        SUCCEEDS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
        SUCCEEDS(launch_fill(data, 1, 4, stream));
        cudaStreamCaptureStatus status{};
        cudaGraph_t graph = nullptr;
        const cudaGraphNode_t* before = nullptr;
        const cudaGraphEdgeData* edges = nullptr;
        std::size_t count = 0;
        SUCCEEDS(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &edges, &count));
        QCOMPARE(count, std::size_t{1});
        cudaGraphNode_t first = before[0];
        SUCCEEDS(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
        SUCCEEDS(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &edges, &count));
        QCOMPARE(count, std::size_t{0});
        SUCCEEDS(launch_fill(data + 4, 10, 4, stream)); // waits for nothing
        cudaGraphNode_t added = nullptr;
        const cudaMemsetParams fill = words_set(data, 7, 1);
        SUCCEEDS(cudaGraphAddMemsetNode(&added, graph, &first, 1, &fill));
        const cudaGraphEdgeData plain{};
        SUCCEEDS(cudaStreamUpdateCaptureDependencies(stream, &added, &plain, 1, cudaStreamAddCaptureDependencies));
        SUCCEEDS(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &edges, &count));
        QCOMPARE(count, std::size_t{2});
        SAME_ERROR(cudaStreamUpdateCaptureDependencies(stream, &added, nullptr, 1, 8), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 1, 0), cudaErrorInvalidValue);
        SUCCEEDS(launch_fill(data + 1, 30, 1, stream)); // after both
        SUCCEEDS(cudaStreamEndCapture(stream, &graph));
        QCOMPARE(node_count(graph), std::size_t{4});
        SUCCEEDS(cudaGraphGetRootNodes(graph, nullptr, &count));
        QCOMPARE(count, std::size_t{2});
        SUCCEEDS(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
        QCOMPARE(count, std::size_t{3});
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 8), (Words{7, 30, 3, 4, 10, 11, 12, 13}));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFree(data));
    }

    void attributes_of_streams() {
        cudaStream_t stream = nullptr, other = nullptr;
        SUCCEEDS(cudaStreamCreate(&stream));
        SUCCEEDS(cudaStreamCreate(&other));
        cudaLaunchAttributeValue value{};
        value.syncPolicy = cudaSyncPolicySpin;
        SUCCEEDS(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
        value = {};
        SUCCEEDS(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
        QCOMPARE(value.syncPolicy, cudaSyncPolicySpin);
        SUCCEEDS(cudaStreamCopyAttributes(other, stream));
        value = {};
        SUCCEEDS(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy, &value));
        QCOMPARE(value.syncPolicy, cudaSyncPolicySpin);
        const auto no_attribute = static_cast<cudaLaunchAttributeID>(999);
        SAME_ERROR(cudaStreamSetAttribute(stream, no_attribute, &value), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamGetAttribute(stream, no_attribute, &value), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, nullptr), cudaErrorInvalidValue);
        value.syncPolicy = static_cast<cudaSynchronizationPolicy>(77);
        SAME_ERROR(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value),
                   cudaErrorInvalidValue);
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaStreamDestroy(other));
    }
};

QTEST_GUILESS_MAIN(GraphsTest)
#include "graphs_test.moc"
