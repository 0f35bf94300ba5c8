// SPDX-License-Identifier: Apache-2.0
// Nodes that do work: kernels, copies, fills and functions of the host, changed in their graph and in an instance of
// it. Launches show what changed.
#include "graphs.hpp"

#include <QtTest>

#include <atomic>

using namespace runtime_test;

namespace {

std::atomic<int> sum = 0;
void CUDART_CB add(void* data) { sum += *static_cast<int*>(data); }

unsigned variable(const void* symbol) {
    unsigned value = 0;
    return cudaMemcpyFromSymbol(&value, symbol, sizeof value) == cudaSuccess ? value : ~0U;
}

} // namespace

class GraphNodesTest : public QObject {
    Q_OBJECT

private slots:
    void kernels() {
        const Kernels kernels;
        unsigned* data = zeros(64);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        FillArguments seven(data, 7, 64), nine(data, 9, 32);
        cudaKernelNodeParams parameters = seven.node();
        cudaGraphNode_t node = nullptr, empty = nullptr;
        SUCCEEDS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        seven.value = 1; // the node has the value that it was made with
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 64), counted(7, 64));

        parameters = nine.node();
        parameters.gridDim = dim3(2);
        parameters.blockDim = dim3(16);
        parameters.sharedMemBytes = 8;
        SUCCEEDS(cudaGraphKernelNodeSetParams(node, &parameters));
        cudaKernelNodeParams told{};
        SUCCEEDS(cudaGraphKernelNodeGetParams(node, &told));
        QCOMPARE(told.func, static_cast<void*>(&fill));
        QCOMPARE(told.gridDim.x, 2U);
        QCOMPARE(told.blockDim.x, 16U);
        QCOMPARE(told.sharedMemBytes, 8U);
        QVERIFY(told.kernelParams && !told.extra);
        QCOMPARE(*static_cast<unsigned**>(told.kernelParams[0]), data);
        QCOMPARE(*static_cast<unsigned*>(told.kernelParams[1]), 9U);
        QCOMPARE(*static_cast<unsigned*>(told.kernelParams[2]), 32U);
        Words expected = counted(7, 64);
        std::copy_n(counted(9, 32).begin(), 32, expected.begin());
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 64), expected);

        SAME_ERROR(cudaGraphKernelNodeSetParams(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeSetParams(nullptr, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeSetParams(empty, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeGetParams(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeGetParams(empty, &told), cudaErrorInvalidValue);
        parameters.gridDim = dim3(0);
        SAME_ERROR(cudaGraphKernelNodeSetParams(node, &parameters), cudaErrorInvalidValue);
        parameters.gridDim = dim3(1);
        parameters.func = &not_registered;
        SAME_ERROR(cudaGraphKernelNodeSetParams(node, &parameters), cudaErrorInvalidResourceHandle);
        parameters.func = nullptr;
        SAME_ERROR(cudaGraphKernelNodeSetParams(node, &parameters), cudaErrorInvalidDeviceFunction);

        // Another kernel.
        const unsigned before = variable(&counter);
        parameters.func = &count;
        parameters.gridDim = dim3(1);
        parameters.blockDim = dim3(5);
        parameters.kernelParams = nullptr;
        SUCCEEDS(cudaGraphKernelNodeSetParams(node, &parameters));
        SUCCEEDS(run(graph));
        QCOMPARE(variable(&counter), before + 5 * 2);
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void attributes_of_kernels() {
        const Kernels kernels;
        unsigned* data = zeros(32);
        int least = 0, greatest = 0;
        SUCCEEDS(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        FillArguments arguments(data, 3, 32);
        const cudaKernelNodeParams parameters = arguments.node();
        cudaGraphNode_t node = nullptr, other = nullptr, empty = nullptr;
        SUCCEEDS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
        SUCCEEDS(cudaGraphAddKernelNode(&other, graph, &node, 1, &parameters));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        cudaLaunchAttributeValue value{};
        value.cooperative = 9;
        SUCCEEDS(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &value));
        QCOMPARE(value.cooperative, 0);
        value.cooperative = 1;
        SUCCEEDS(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &value));
        value = {};
        value.priority = greatest;
        SUCCEEDS(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
        for (const cudaGraphNode_t each : {node, other}) {
            if (each == other) SUCCEEDS(cudaGraphKernelNodeCopyAttributes(other, node)); // to the first of the two
            value = {};
            SUCCEEDS(cudaGraphKernelNodeGetAttribute(each, cudaLaunchAttributeCooperative, &value));
            QCOMPARE(value.cooperative, 1);
            value = {};
            SUCCEEDS(cudaGraphKernelNodeGetAttribute(each, cudaLaunchAttributePriority, &value));
            QCOMPARE(value.priority, greatest);
        }
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 32), counted(3, 32));

        const auto no_attribute = static_cast<cudaLaunchAttributeID>(999);
        SAME_ERROR(cudaGraphKernelNodeGetAttribute(node, no_attribute, &value), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeSetAttribute(node, no_attribute, &value), cudaErrorInvalidValue);
        value = {};
        SAME_ERROR(cudaGraphKernelNodeGetAttribute(nullptr, cudaLaunchAttributeCooperative, &value),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeSetAttribute(nullptr, cudaLaunchAttributeCooperative, &value),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, nullptr),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, nullptr),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeCopyAttributes(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeCopyAttributes(nullptr, node), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphKernelNodeCopyAttributes(node, empty), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void kernels_in_place() {
        const Kernels kernels;
        unsigned* data = zeros(16);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        FillArguments one(data, 1, 16), two(data, 20, 16);
        cudaKernelNodeParams parameters = one.node();
        cudaGraphNode_t node = nullptr, empty = nullptr, later = nullptr;
        SUCCEEDS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(cudaGraphAddKernelNode(&later, graph, nullptr, 0, &parameters));
        parameters = two.node();
        SUCCEEDS(cudaGraphExecKernelNodeSetParams(exec, node, &parameters));
        SUCCEEDS(run(exec));
        QCOMPARE(words_of(data, 16), counted(20, 16));
        cudaKernelNodeParams told{};
        SUCCEEDS(cudaGraphKernelNodeGetParams(node, &told)); // as it was
        QCOMPARE(*static_cast<unsigned*>(told.kernelParams[1]), 1U);
        SAME_ERROR(cudaGraphExecKernelNodeSetParams(exec, node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecKernelNodeSetParams(exec, nullptr, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecKernelNodeSetParams(nullptr, node, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecKernelNodeSetParams(exec, empty, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecKernelNodeSetParams(exec, later, &parameters), cudaErrorInvalidValue);
        parameters.func = &not_registered;
        SAME_ERROR(cudaGraphExecKernelNodeSetParams(exec, node, &parameters), cudaErrorInvalidResourceHandle);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void copies() {
        unsigned* data = zeros(16);
        const Words one = counted(1, 16), two = counted(100, 16);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t node = nullptr, empty = nullptr;
        SUCCEEDS(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, data, one.data(), 64, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        SUCCEEDS(run(graph));
        QCOMPARE(words_of(data, 16), one);

        SUCCEEDS(cudaGraphMemcpyNodeSetParams1D(node, data + 4, two.data(), 16, cudaMemcpyHostToDevice));
        SUCCEEDS(run(graph));
        Words expected = one;
        std::copy_n(two.begin(), 4, expected.begin() + 4);
        QCOMPARE(words_of(data, 16), expected);

        // Three rows of two words, into the middle of rows of four.
        cudaMemcpy3DParms rows{};
        rows.srcPtr = {const_cast<unsigned*>(two.data()), 16, 16, 4};
        rows.dstPtr = {data, 16, 16, 4};
        rows.dstPos = {8, 1, 0};
        rows.extent = {8, 3, 1};
        rows.kind = cudaMemcpyHostToDevice;
        SUCCEEDS(cudaGraphMemcpyNodeSetParams(node, &rows));
        cudaMemcpy3DParms told{};
        SUCCEEDS(cudaGraphMemcpyNodeGetParams(node, &told));
        QCOMPARE(told.kind, cudaMemcpyHostToDevice);
        QCOMPARE(told.srcPtr.ptr, rows.srcPtr.ptr);
        QCOMPARE(told.dstPtr.ptr, rows.dstPtr.ptr);
        QCOMPARE(told.dstPtr.pitch, std::size_t{16});
        QCOMPARE(told.dstPos.x, std::size_t{8});
        QCOMPARE(told.dstPos.y, std::size_t{1});
        QCOMPARE(told.extent.width, std::size_t{8});
        QCOMPARE(told.extent.height, std::size_t{3});
        SUCCEEDS(run(graph));
        for (std::size_t row = 0; row < 3; ++row)
            std::copy_n(two.data() + 4 * row, 2, expected.data() + 4 * (row + 1) + 2);
        QCOMPARE(words_of(data, 16), expected);

        const auto no_kind = static_cast<cudaMemcpyKind>(9);
        SAME_ERROR(cudaGraphMemcpyNodeSetParams(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphMemcpyNodeSetParams(nullptr, &rows), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphMemcpyNodeSetParams(empty, &rows), cudaErrorInvalidValue);
        rows.kind = no_kind;
        SAME_ERROR(cudaGraphMemcpyNodeSetParams(node, &rows), cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaGraphMemcpyNodeSetParams1D(node, data, two.data(), 16, no_kind),
                   cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaGraphMemcpyNodeSetParams1D(node, data, two.data(), 0, cudaMemcpyHostToDevice),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphMemcpyNodeSetParams1D(nullptr, data, two.data(), 16, cudaMemcpyHostToDevice),
                   cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void copies_in_place() {
        unsigned* data = zeros(16);
        const Words one = counted(1, 16), two = counted(100, 16);
        Words back(16), second(16);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t in = nullptr, out = nullptr, empty = nullptr;
        SUCCEEDS(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, data, one.data(), 64, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaGraphAddMemcpyNode1D(&out, graph, &in, 1, back.data(), data, 64, cudaMemcpyDeviceToHost));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        cudaMemcpy3DParms row = words_copied(data, two.data(), 16, cudaMemcpyHostToDevice);
        SUCCEEDS(cudaGraphExecMemcpyNodeSetParams(exec, in, &row));
        SUCCEEDS(cudaGraphExecMemcpyNodeSetParams1D(exec, out, second.data(), data, 64, cudaMemcpyDeviceToHost));
        SUCCEEDS(run(exec));
        QCOMPARE(second, two);
        QCOMPARE(back, Words(16));
        SUCCEEDS(run(graph)); // as it was
        QCOMPARE(back, one);

        SAME_ERROR(cudaGraphExecMemcpyNodeSetParams(exec, in, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParams(exec, nullptr, &row), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParams(nullptr, in, &row), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParams(exec, empty, &row), cudaErrorInvalidValue);
        row.srcPtr.pitch = row.dstPtr.pitch = 16;
        row.srcPtr.ysize = row.dstPtr.ysize = 4;
        row.extent = {8, 4, 1}; // copies in place have one dimension
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParams(exec, in, &row), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParams1D(exec, out, second.data(), data, 0, cudaMemcpyDeviceToHost),
                   cudaErrorInvalidValue);
        SAME_ERROR(
            cudaGraphExecMemcpyNodeSetParams1D(exec, out, second.data(), data, 64, static_cast<cudaMemcpyKind>(-1)),
            cudaErrorInvalidMemcpyDirection);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void copies_of_variables() {
        const Kernels kernels;
        const Words one = counted(1, 4), two = counted(100, 4);
        unsigned* data = zeros(4);
        SUCCEEDS(cudaMemcpy(data, two.data(), 16, cudaMemcpyHostToDevice));
        Words back(8);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t in = nullptr, number = nullptr, kernel = nullptr, out = nullptr;
        SUCCEEDS(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, data, one.data(), 16, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaGraphAddMemcpyNode1D(&number, graph, &in, 1, data, one.data(), 4, cudaMemcpyHostToDevice));
        cudaKernelNodeParams counts{};
        counts.func = &count;
        counts.gridDim = dim3(1);
        counts.blockDim = dim3(10);
        SUCCEEDS(cudaGraphAddKernelNode(&kernel, graph, &number, 1, &counts));
        SUCCEEDS(cudaGraphAddMemcpyNode1D(&out, graph, &kernel, 1, back.data(), data, 16, cudaMemcpyDeviceToHost));
        const unsigned before = variable(&counter), five = 5;
        SUCCEEDS(cudaGraphMemcpyNodeSetParamsToSymbol(in, table, one.data(), 16, 16, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaGraphMemcpyNodeSetParamsToSymbol(number, &factor, &five, 4, 0, cudaMemcpyDefault));
        SUCCEEDS(cudaGraphMemcpyNodeSetParamsFromSymbol(out, back.data(), table, 32, 8, cudaMemcpyDeviceToHost));
        SUCCEEDS(run(graph));
        QCOMPARE(back, (Words{0, 0, 1, 2, 3, 4, 0, 0}));
        QCOMPARE(variable(&counter), before + 10 * 5);
        // From memory of the device.
        SUCCEEDS(cudaGraphMemcpyNodeSetParamsToSymbol(in, table, data, 16, 16, cudaMemcpyDeviceToDevice));
        SUCCEEDS(run(graph));
        QCOMPARE(back, (Words{0, 0, 100, 101, 102, 103, 0, 0}));

        SAME_ERROR(cudaGraphMemcpyNodeSetParamsToSymbol(in, &not_registered, &five, 4, 0, cudaMemcpyHostToDevice),
                   cudaErrorInvalidSymbol);
        SAME_ERROR(cudaGraphMemcpyNodeSetParamsToSymbol(in, table, one.data(), 16, 56, cudaMemcpyHostToDevice),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphMemcpyNodeSetParamsToSymbol(in, table, one.data(), 16, 0, cudaMemcpyDeviceToHost),
                   cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaGraphMemcpyNodeSetParamsToSymbol(kernel, table, one.data(), 16, 0, cudaMemcpyHostToDevice),
                   cudaErrorInvalidValue);
        SAME_ERROR(
            cudaGraphMemcpyNodeSetParamsFromSymbol(out, back.data(), &not_registered, 4, 0, cudaMemcpyDeviceToHost),
            cudaErrorInvalidSymbol);
        SAME_ERROR(cudaGraphMemcpyNodeSetParamsFromSymbol(out, back.data(), table, 65, 0, cudaMemcpyDeviceToHost),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphMemcpyNodeSetParamsFromSymbol(out, back.data(), table, 16, 0, cudaMemcpyHostToDevice),
                   cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaGraphMemcpyNodeSetParamsFromSymbol(nullptr, back.data(), table, 16, 0, cudaMemcpyDeviceToHost),
                   cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void copies_of_variables_in_place() {
        const Kernels kernels;
        const Words one = counted(1, 4), two = counted(100, 4);
        Words back(4), second(8);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t in = nullptr, out = nullptr;
        SUCCEEDS(
            cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, table, one.data(), 16, 0, cudaMemcpyHostToDevice));
        SUCCEEDS(
            cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, back.data(), table, 16, 0, cudaMemcpyDeviceToHost));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(run(exec));
        QCOMPARE(back, one);
        SUCCEEDS(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, table, two.data(), 16, 16, cudaMemcpyHostToDevice));
        SUCCEEDS(
            cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, second.data(), table, 32, 0, cudaMemcpyDeviceToHost));
        SUCCEEDS(run(exec));
        QCOMPARE(second, (Words{1, 2, 3, 4, 100, 101, 102, 103}));

        SAME_ERROR(
            cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, &not_registered, &two, 4, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidSymbol);
        SAME_ERROR(
            cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, table, two.data(), 16, 56, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, table, two.data(), 16, 0, cudaMemcpyHostToHost),
                   cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(
            cudaGraphExecMemcpyNodeSetParamsToSymbol(nullptr, in, table, two.data(), 16, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, second.data(), &not_registered, 4, 0,
                                                              cudaMemcpyDeviceToHost),
                   cudaErrorInvalidSymbol);
        SAME_ERROR(
            cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, second.data(), table, 4, 64, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
        SAME_ERROR(
            cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, second.data(), table, 4, 0, cudaMemcpyHostToDevice),
            cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, nullptr, second.data(), table, 4, 0,
                                                              cudaMemcpyDeviceToHost),
                   cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
    }

    void fills() {
        unsigned* data = zeros(16);
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaMemsetParams parameters = words_set(data, 1, 8);
        cudaGraphNode_t node = nullptr, empty = nullptr;
        SUCCEEDS(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &parameters));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        parameters = words_set(data + 8, 2, 8);
        SUCCEEDS(cudaGraphExecMemsetNodeSetParams(exec, node, &parameters));
        SUCCEEDS(run(exec));
        Words expected(16, 2);
        std::fill_n(expected.begin(), 8, 0);
        QCOMPARE(words_of(data, 16), expected);
        cudaMemsetParams told{};
        SUCCEEDS(cudaGraphMemsetNodeGetParams(node, &told)); // as it was
        QCOMPARE(told.dst, static_cast<void*>(data));
        QCOMPARE(told.value, 1U);

        SAME_ERROR(cudaGraphExecMemsetNodeSetParams(exec, node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemsetNodeSetParams(exec, nullptr, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemsetNodeSetParams(nullptr, node, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecMemsetNodeSetParams(exec, empty, &parameters), cudaErrorInvalidValue);
        parameters.width = 0;
        SAME_ERROR(cudaGraphExecMemsetNodeSetParams(exec, node, &parameters), cudaErrorInvalidValue);
        parameters.width = 8;
        parameters.elementSize = 3;
        SAME_ERROR(cudaGraphExecMemsetNodeSetParams(exec, node, &parameters), cudaErrorInvalidValue);

        // Two rows, in the graph.
        parameters = words_set(data, 7, 2);
        parameters.height = 2;
        parameters.pitch = 16;
        SUCCEEDS(cudaGraphMemsetNodeSetParams(node, &parameters));
        SUCCEEDS(run(graph));
        for (const std::size_t i : {0U, 1U, 4U, 5U})
            expected[i] = 7;
        QCOMPARE(words_of(data, 16), expected);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaFree(data));
    }

    void functions_of_the_host() {
        sum = 0;
        int one = 1, ten = 10, hundred = 100;
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaHostNodeParams parameters{add, &one};
        cudaGraphNode_t node = nullptr, empty = nullptr;
        SUCCEEDS(cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters));
        SUCCEEDS(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        parameters.userData = &ten;
        SUCCEEDS(cudaGraphExecHostNodeSetParams(exec, node, &parameters));
        SUCCEEDS(run(exec));
        QCOMPARE(sum.load(), 10);
        SUCCEEDS(run(graph));
        QCOMPARE(sum.load(), 11);
        parameters.userData = &hundred;
        SUCCEEDS(cudaGraphHostNodeSetParams(node, &parameters));
        cudaHostNodeParams told{};
        SUCCEEDS(cudaGraphHostNodeGetParams(node, &told));
        QVERIFY(told.fn == &add);
        QCOMPARE(told.userData, static_cast<void*>(&hundred));
        SUCCEEDS(run(graph));
        SUCCEEDS(run(exec)); // as it was
        QCOMPARE(sum.load(), 121);
        SAME_ERROR(cudaGraphHostNodeSetParams(node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphHostNodeSetParams(nullptr, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphHostNodeSetParams(empty, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecHostNodeSetParams(exec, node, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecHostNodeSetParams(exec, nullptr, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecHostNodeSetParams(nullptr, node, &parameters), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphExecHostNodeSetParams(exec, empty, &parameters), cudaErrorInvalidValue);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
    }
};

QTEST_GUILESS_MAIN(GraphNodesTest)
#include "graph_nodes_test.moc"
