// SPDX-License-Identifier: Apache-2.0
// Graphs and captures through the entry points: handles that are none, sizes and fields that cannot be, and what the
// C++ interface does not reach.
#include "driver_fixture.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace {

const char* const kKernel = R"(
.visible .entry put(.param .u64 where, .param .u32 what) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [where]; ld.param.u32 %r1, [what];
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry mix(.param .u64 to, .param .u64 from) {
  .reg .b64 %rd<3>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from];
  ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd2];
  mad.lo.s32 %r3, %r1, 3, %r2;
  st.global.u32 [%rd1], %r3;
  ret;
})";

/// No handle of anything.
template <class Handle>
Handle none() {
    static long long nothing[16];
    return reinterpret_cast<Handle>(&nothing);
}

} // namespace

class GraphsTest : public QObject {
    Q_OBJECT
    std::optional<Session> session_;
    CUfunction put_ = nullptr;
    CUdeviceptr memory_ = 0;
    CUgraph graph_ = nullptr;
    CUstream stream_ = nullptr;

    CUDA_KERNEL_NODE_PARAMS kernel(void** arguments) const {
        CUDA_KERNEL_NODE_PARAMS p{};
        p.func = put_;
        p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
        p.kernelParams = arguments;
        return p;
    }

private slots:
    void init() {
        session_.emplace();
        put_ = session_->load(ptx(kKernel), "put");
        QVERIFY(put_);
        memory_ = Session::upload(std::vector<unsigned>(64));
        CU(cuGraphCreate(&graph_, 0));
        CU(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    }
    void cleanup() { session_.reset(); }

    void nullAndForeignHandles() {
        CUgraph graph = nullptr;
        CUgraphNode node = nullptr;
        CUgraphExec exec = nullptr;
        size_t count = 0;
        CUgraphNodeType type{};
        CU_FAILS(cuGraphCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuGraphCreate(&graph, 1), CUDA_ERROR_INVALID_VALUE);
        for (const CUgraph wrong : {CUgraph{}, none<CUgraph>(), reinterpret_cast<CUgraph>(stream_)}) {
            CU_FAILS(cuGraphDestroy(wrong), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphAddEmptyNode(&node, wrong, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphGetNodes(wrong, nullptr, &count), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphClone(&graph, wrong), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphInstantiateWithFlags(&exec, wrong, 0), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphAddChildGraphNode(&node, graph_, nullptr, 0, wrong), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphDebugDotPrint(wrong, "/dev/null", 0), CUDA_ERROR_INVALID_VALUE);
        }
        CU_FAILS(cuGraphAddEmptyNode(nullptr, graph_, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuGraphAddEmptyNode(&node, graph_, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuGraphGetNodes(graph_, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
        for (const CUgraphNode wrong : {CUgraphNode{}, none<CUgraphNode>(), reinterpret_cast<CUgraphNode>(graph_)}) {
            CU_FAILS(cuGraphNodeGetType(wrong, &type), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphDestroyNode(wrong), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphAddEmptyNode(&node, graph_, &wrong, 1), CUDA_ERROR_INVALID_VALUE);
        }
        for (const CUgraphExec wrong : {CUgraphExec{}, none<CUgraphExec>()}) {
            CU_FAILS(cuGraphLaunch(wrong, stream_), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphUpload(wrong, stream_), CUDA_ERROR_INVALID_VALUE);
            CU_FAILS(cuGraphExecDestroy(wrong), CUDA_ERROR_INVALID_VALUE);
        }
        CU(cuGraphAddEmptyNode(&node, graph_, nullptr, 0));
        CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
        CU_FAILS(cuGraphLaunch(exec, none<CUstream>()), CUDA_ERROR_INVALID_HANDLE);
        CU(cuGraphExecDestroy(exec));
        CU_FAILS(cuGraphLaunch(exec, stream_), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuGraphExecDestroy(exec), CUDA_ERROR_INVALID_VALUE);
        CU(cuGraphDestroyNode(node));
        CU_FAILS(cuGraphNodeGetType(node, &type), CUDA_ERROR_INVALID_VALUE);
        CU(cuGraphDestroy(graph_));
        CU_FAILS(cuGraphDestroy(graph_), CUDA_ERROR_INVALID_VALUE);
    }

    void listsAreFilledAsFarAsTheyGo() {
        std::array<CUgraphNode, 4> nodes{};
        for (CUgraphNode& node : nodes)
            CU(cuGraphAddEmptyNode(&node, graph_, nullptr, 0));
        std::array<CUgraphNode, 6> all{};
        all.fill(none<CUgraphNode>());
        size_t count = 6;
        CU(cuGraphGetNodes(graph_, all.data(), &count));
        QCOMPARE(count, size_t{4});
        QVERIFY(!all[4] && !all[5]);
        count = 2;
        CU(cuGraphGetNodes(graph_, all.data(), &count));
        QCOMPARE(count, size_t{2});
        QVERIFY(all[0] == nodes[0] && all[1] == nodes[1]);
    }

    void kernelNodes() {
        unsigned value = 5;
        void* arguments[] = {&memory_, &value};
        CUDA_KERNEL_NODE_PARAMS p = kernel(arguments);
        CUgraphNode node = nullptr;
        CU_FAILS(cuGraphAddKernelNode(&node, graph_, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
        p.func = nullptr;
        CU_FAILS(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &p), CUDA_ERROR_INVALID_HANDLE);
        p.func = none<CUfunction>();
        CU_FAILS(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &p), CUDA_ERROR_INVALID_HANDLE);
        p = kernel(nullptr);
        CU_FAILS(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &p), CUDA_ERROR_INVALID_VALUE);
        p = kernel(arguments);
        p.gridDimY = 0;
        CU_FAILS(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &p), CUDA_ERROR_INVALID_VALUE);
        p.gridDimY = 70000;
        CU_FAILS(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &p), CUDA_ERROR_INVALID_VALUE);
        p = kernel(arguments);
        p.sharedMemBytes = 1 << 28;
        CU_FAILS(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &p), CUDA_ERROR_INVALID_VALUE);
        p = kernel(arguments);
        CU(cuGraphAddKernelNode(&node, graph_, nullptr, 0, &p));
        value = 99; // the node has its own copy
        CUDA_KERNEL_NODE_PARAMS told{};
        CU(cuGraphKernelNodeGetParams(node, &told));
        QVERIFY(told.func == put_ && told.kernelParams);
        QCOMPARE(*static_cast<unsigned*>(told.kernelParams[1]), 5U);
        CU_FAILS(cuGraphKernelNodeGetParams(node, nullptr), CUDA_ERROR_INVALID_VALUE);
        CUDA_MEMSET_NODE_PARAMS fill{};
        CU_FAILS(cuGraphMemsetNodeGetParams(node, &fill), CUDA_ERROR_INVALID_VALUE);
        // All of the arguments in one block.
        struct {
            CUdeviceptr where;
            unsigned what;
        } packed{memory_ + 4, 6};
        size_t size = sizeof packed;
        void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         CU_LAUNCH_PARAM_END};
        p.kernelParams = nullptr;
        p.extra = extra;
        CUgraphNode second = nullptr;
        CU(cuGraphAddKernelNode(&second, graph_, &node, 1, &p));
        CUgraphExec exec = nullptr;
        CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
        CU(cuGraphLaunch(exec, stream_));
        CU(cuStreamSynchronize(stream_));
        QCOMPARE(Session::download<unsigned>(memory_, 2), (std::vector<unsigned>{5, 6}));
    }

    void copiesAndFills() {
        std::vector<unsigned> host(8, 3);
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = host.data();
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = memory_;
        copy.WidthInBytes = 16;
        copy.Height = 2;
        copy.Depth = 1;
        copy.dstPitch = 32;
        CUgraphNode node = nullptr;
        CUcontext context = session_->context;
        CU_FAILS(cuGraphAddMemcpyNode(&node, graph_, nullptr, 0, nullptr, context), CUDA_ERROR_INVALID_VALUE);
        CU_FAILS(cuGraphAddMemcpyNode(&node, graph_, nullptr, 0, &copy, none<CUcontext>()),
                 CUDA_ERROR_CONTEXT_IS_DESTROYED);
        copy.Height = 100; // past the end
        CU_FAILS(cuGraphAddMemcpyNode(&node, graph_, nullptr, 0, &copy, context), CUDA_ERROR_INVALID_VALUE);
        copy.Height = 2;
        CU(cuGraphAddMemcpyNode(&node, graph_, nullptr, 0, &copy, context));
        CUgraphExec exec = nullptr;
        CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
        // Rows cannot be changed afterwards.
        CU_FAILS(cuGraphExecMemcpyNodeSetParams(exec, node, &copy, context), CUDA_ERROR_INVALID_VALUE);
        CU(cuGraphLaunch(exec, stream_));
        CU(cuStreamSynchronize(stream_));
        const auto words = Session::download<unsigned>(memory_, 16);
        for (std::size_t i = 0; i < 16; ++i)
            QCOMPARE(words[i], i % 8 < 4 ? 3U : 0U);
        CUDA_MEMSET_NODE_PARAMS fill{memory_, 0, 7, 4, 4, 1};
        CU(cuGraphAddMemsetNode(&node, graph_, nullptr, 0, &fill, context));
        for (auto& [offset, width, element] :
             {std::array<std::size_t, 3>{1, 4, 4}, {0, 0, 4}, {0, 65, 4}, {0, std::size_t{1} << 62, 4}, {0, 4, 8}}) {
            const CUDA_MEMSET_NODE_PARAMS wrong{memory_ + offset, 0, 7, static_cast<unsigned>(element), width, 1};
            CU_FAILS(cuGraphAddMemsetNode(&node, graph_, nullptr, 0, &wrong, context), CUDA_ERROR_INVALID_VALUE);
        }
    }

    /// Small kernels of a branch are carried out together. Branches part and meet in between, a node is disabled and
    /// another one changed while an earlier launch may still be under way.
    void branchesOfSmallKernelsKeepTheirOrder() {
        CUfunction mix = nullptr;
        CU(cuModuleGetFunction(&mix, session_->module, "mix"));
        std::vector<unsigned> expected(64);
        for (unsigned k = 0; k < 64; ++k)
            expected[k] = k * k + 1;
        CU(cuMemcpyHtoD(memory_, expected.data(), 64 * sizeof(unsigned)));
        struct Step {
            unsigned to, from;
            CUgraphNode node;
            bool enabled;
        };
        std::vector<Step> steps;
        const auto parameters = [&](const Step& step, CUdeviceptr(&addresses)[2], void*(&arguments)[2]) {
            addresses[0] = memory_ + step.to * sizeof(unsigned);
            addresses[1] = memory_ + step.from * sizeof(unsigned);
            arguments[0] = &addresses[0];
            arguments[1] = &addresses[1];
            CUDA_KERNEL_NODE_PARAMS p = kernel(arguments);
            p.func = mix;
            return p;
        };
        const auto add = [&](unsigned to, unsigned from, std::vector<CUgraphNode> behind) {
            Step step{to, from, nullptr, true};
            CUdeviceptr addresses[2];
            void* arguments[2];
            const CUDA_KERNEL_NODE_PARAMS p = parameters(step, addresses, arguments);
            behind.erase(std::remove(behind.begin(), behind.end(), nullptr), behind.end());
            if (cuGraphAddKernelNode(&step.node, graph_, behind.data(), behind.size(), &p) != CUDA_SUCCESS)
                return CUgraphNode{};
            steps.push_back(step);
            return step.node;
        };
        CUgraphNode first = nullptr, second = nullptr;
        for (unsigned k = 0; k < 30; ++k) {
            if (k % 10 == 5) second = add(1, 0, {first, second}); // reads what the first branch has come to
            if (k % 10 == 8) first = add(0, 1, {first, second});  // and the other way round
            // What the other branch reads is not written before it has read it.
            first = add(0, 2 + k, {first, k % 10 == 5 ? second : nullptr});
            if (second) second = add(1, 40 + k % 8, {second, k % 10 == 8 ? first : nullptr});
        }
        QVERIFY(first && second);
        CUgraphExec exec = nullptr;
        CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
        const auto run = [&] {
            for (const Step& step : steps)
                if (step.enabled) expected[step.to] = expected[step.to] * 3 + expected[step.from];
            return cuGraphLaunch(exec, stream_);
        };
        for (int round = 0; round < 20; ++round) {
            CU(run());
            Step& disabled = steps[static_cast<std::size_t>(round)];
            disabled.enabled = !disabled.enabled;
            CU(cuGraphNodeSetEnabled(exec, disabled.node, disabled.enabled));
            CU(run());
            Step& changed = steps[static_cast<std::size_t>(20 + round)];
            if (changed.from < 2) continue; // order with the other branch hangs on it
            changed.from = 50 + static_cast<unsigned>(round) % 10;
            CUdeviceptr addresses[2];
            void* arguments[2];
            const CUDA_KERNEL_NODE_PARAMS p = parameters(changed, addresses, arguments);
            CU(cuGraphExecKernelNodeSetParams(exec, changed.node, &p));
        }
        CU(run());
        CU(cuStreamSynchronize(stream_));
        std::vector<unsigned> result(64);
        CU(cuMemcpyDtoH(result.data(), memory_, 64 * sizeof(unsigned)));
        QCOMPARE(result, expected);
        CU(cuGraphExecDestroy(exec));
    }

    void olderForms() {
        // What programs for older versions ask for by name.
#if CUDA_VERSION >= 12000
        void* address = nullptr;
        CUdriverProcAddressQueryResult result{};
        CU(cuGetProcAddress("cuGraphInstantiate", &address, 12000, 0, &result));
        QVERIFY(address == exported("cuGraphInstantiateWithFlags"));
        CU(cuGetProcAddress("cuGraphInstantiate", &address, 11000, 0, &result));
        auto old = reinterpret_cast<CUresult (*)(CUgraphExec*, CUgraph, CUgraphNode*, char*, size_t)>(address);
        CUgraphNode a = nullptr, b = nullptr, error = nullptr;
        CU(cuGraphAddEmptyNode(&a, graph_, nullptr, 0));
        CU(cuGraphAddEmptyNode(&b, graph_, &a, 1));
        CU(cuGetProcAddress("cuGraphAddDependencies", &address, 10000, 0, &result));
        auto connect = reinterpret_cast<CUresult (*)(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t)>(address);
        CUgraphExec exec = nullptr;
        char log[200] = "x";
        CU(old(&exec, graph_, &error, log, sizeof log));
        QCOMPARE(QString(log), QString());
        CU(connect(graph_, &b, &a, 1)); // a circle
        CU_FAILS(old(&exec, graph_, &error, log, sizeof log), CUDA_ERROR_INVALID_VALUE);
        QVERIFY(error == a || error == b);
        QVERIFY(QString(log).contains("circle"));
        CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
        CU_FAILS(cuGraphInstantiateWithParams(&exec, graph_, &parameters), CUDA_ERROR_INVALID_VALUE);
        QVERIFY(parameters.result_out == CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE && parameters.hErrNode_out);
#endif
    }

    void nodesOfAnyType() {
#if CUDA_VERSION < 12030
        QSKIP("the header has no nodes of any type");
#else
        unsigned value = 8;
        void* arguments[] = {&memory_, &value};
        CUgraphNodeParams p{};
        p.type = CU_GRAPH_NODE_TYPE_KERNEL;
        p.kernel.func = put_;
        p.kernel.gridDimX = p.kernel.gridDimY = p.kernel.gridDimZ = 1;
        p.kernel.blockDimX = p.kernel.blockDimY = p.kernel.blockDimZ = 1;
        p.kernel.kernelParams = arguments;
        CUgraphNode first = nullptr, second = nullptr;
        CU(cuGraphAddNode_v2(&first, graph_, nullptr, nullptr, 0, &p));
        CUgraphNodeParams fill{};
        fill.type = CU_GRAPH_NODE_TYPE_MEMSET;
        fill.memset.dst = memory_ + 4;
        fill.memset.value = 9;
        fill.memset.elementSize = 4;
        fill.memset.width = fill.memset.height = 1;
        CUgraphEdgeData edge{};
        edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
        edge.from_port = 1;
        CU(cuGraphAddNode_v2(&second, graph_, &first, &edge, 1, &fill));
        size_t count = 1;
        CUgraphNode from = nullptr, to = nullptr;
        CUgraphEdgeData told{};
        CU(cuGraphGetEdges_v2(graph_, &from, &to, &told, &count));
        QVERIFY(from == first && to == second && told.from_port == 1);
        CU_FAILS(cuGraphGetEdges_v2(graph_, &from, &to, nullptr, &count), static_cast<CUresult>(402)); // lossy
        edge.reserved[2] = 1;
        CU_FAILS(cuGraphAddNode_v2(&to, graph_, &first, &edge, 1, &fill), CUDA_ERROR_INVALID_VALUE);
        CUgraphExec exec = nullptr;
        CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
        fill.memset.value = 10;
        CU(cuGraphExecNodeSetParams(exec, second, &fill));
        CU_FAILS(cuGraphExecNodeSetParams(exec, first, &fill), CUDA_ERROR_INVALID_VALUE);
        CU(cuGraphLaunch(exec, stream_));
        CU(cuStreamSynchronize(stream_));
        QCOMPARE(Session::download<unsigned>(memory_, 2), (std::vector<unsigned>{8, 10}));
        CUgraphNodeParams choice{};
        choice.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        CU_FAILS(cuGraphAddNode_v2(&to, graph_, nullptr, nullptr, 0, &choice), CUDA_ERROR_NOT_SUPPORTED);
        CUgraphConditionalHandle handle{};
        CU_FAILS(cuGraphConditionalHandleCreate(&handle, graph_, nullptr, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
#endif
    }

    void capturesOfDestroyedThings() {
        CU(cuStreamBeginCapture_v2(stream_, CU_STREAM_CAPTURE_MODE_RELAXED));
        CUgraph captured = nullptr;
        CU(cuStreamEndCapture(stream_, nullptr)); // into a graph for nobody
        CU(cuStreamBeginCapture_v2(stream_, CU_STREAM_CAPTURE_MODE_RELAXED));
        CU(cuStreamDestroy(stream_));
        CU_FAILS(cuStreamEndCapture(stream_, &captured), CUDA_ERROR_INVALID_HANDLE);
        // Nothing is captured any more.
        CUdeviceptr p = 0;
        CU(cuMemAlloc(&p, 64));
        CU(cuCtxSynchronize());
        // A context that goes in the middle of one.
        CUstream stream = nullptr;
        CU(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
        CU(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
        session_.reset();
        session_.emplace();
        CU(cuMemAlloc(&p, 64));
    }

    /// A fault in one branch: the launch fails, and the context with it.
    void faults() {
        CUdeviceptr wild = 0x10;
        unsigned value = 1;
        void* arguments[] = {&wild, &value};
        const CUDA_KERNEL_NODE_PARAMS p = kernel(arguments);
        void* right[] = {&memory_, &value};
        const CUDA_KERNEL_NODE_PARAMS good = kernel(right);
        CUgraphNode begin = nullptr, branch = nullptr;
        CU(cuGraphAddEmptyNode(&begin, graph_, nullptr, 0));
        CU(cuGraphAddKernelNode(&branch, graph_, &begin, 1, &good));
        CU(cuGraphAddKernelNode(&branch, graph_, &begin, 1, &p));
        CUgraphExec exec = nullptr;
        CU(cuGraphInstantiateWithFlags(&exec, graph_, 0));
        CU(cuGraphLaunch(exec, stream_));
        CU_FAILS(cuStreamSynchronize(stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
        CU_FAILS(cuGraphLaunch(exec, stream_), CUDA_ERROR_ILLEGAL_ADDRESS);
        CU(cuGraphExecDestroy(exec));
    }
};

QTEST_GUILESS_MAIN(GraphsTest)
#include "test_graphs.moc"
