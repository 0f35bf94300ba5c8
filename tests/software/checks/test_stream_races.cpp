// SPDX-License-Identifier: Apache-2.0
// Work of different streams that accesses the same memory: what nothing orders is found, with the lines of both
// kernels, whatever ran first.
#include "checks_fixture.hpp"

#include <atomic>
#include <functional>
#include <set>

using namespace warplight;

namespace {

constexpr const char* kSource = R"(extern "C" __global__ void put(int* a, int v) {
    a[blockIdx.x * blockDim.x + threadIdx.x] = v; // PUT
}
extern "C" __global__ void get(int* to, const int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = a[i]; // GET
}
extern "C" __global__ void count(int* a) {
    atomicAdd(a + threadIdx.x, 1); // COUNT
}
extern "C" __global__ void fetch(int* to, cudaTextureObject_t a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = tex1Dfetch<int>(a, i); // FETCH
}
extern "C" __global__ void sample(int* to, cudaTextureObject_t a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = tex1D<int>(a, i); // SAMPLE
}
)";

} // namespace

class StreamRacesTest : public QObject {
    Q_OBJECT

    static constexpr unsigned kBlocks = 2, kThreads = 64;
    static constexpr std::size_t kBytes = sizeof(int) * kBlocks * kThreads;

    /// What cases work with.
    struct Program {
        Session session;
        CUfunction put = nullptr, get = nullptr, count = nullptr, fetch = nullptr, sample = nullptr;
        CUstream first = nullptr, second = nullptr; ///< blocking ones
        CUstream alone = nullptr;                   ///< non-blocking
        CUevent event = nullptr;
        CUdeviceptr a = 0, b = 0;
        void* pinned = nullptr;

        CUresult write(CUstream stream, std::size_t from = 0, unsigned blocks = kBlocks) {
            CUdeviceptr to = a + from;
            int v = 7;
            return Session::launch(put, blocks, kThreads, {&to, &v}, 0, stream);
        }
        /// By a texture of the memory that write() writes.
        CUresult read_texture(CUstream stream) {
            CUDA_RESOURCE_DESC r{};
            r.resType = CU_RESOURCE_TYPE_LINEAR;
            r.res.linear.devPtr = a;
            r.res.linear.format = CU_AD_FORMAT_SIGNED_INT32;
            r.res.linear.numChannels = 1;
            r.res.linear.sizeInBytes = kBytes;
            return sample_by(fetch, r, stream);
        }
        /// An array is copied to, and read by a texture.
        void copy_and_read(CUstream copies, CUstream reads) {
            CUDA_ARRAY_DESCRIPTOR d{};
            d.Width = kBytes / sizeof(int);
            d.Format = CU_AD_FORMAT_SIGNED_INT32;
            d.NumChannels = 1;
            CUDA_RESOURCE_DESC r{};
            r.resType = CU_RESOURCE_TYPE_ARRAY;
            CU(cuArrayCreate(&r.res.array.hArray, &d));
            CU(cuMemcpyHtoAAsync(r.res.array.hArray, 0, pinned, kBytes, copies));
            CU(sample_by(sample, r, reads));
        }
        CUresult sample_by(CUfunction f, const CUDA_RESOURCE_DESC& resource, CUstream stream) {
            CUDA_TEXTURE_DESC how{};
            how.flags = CU_TRSF_READ_AS_INTEGER;
            CUtexObject texture = 0;
            if (const CUresult code = cuTexObjectCreate(&texture, &resource, &how, nullptr)) return code;
            return Session::launch(f, kBlocks, kThreads, {&b, &texture}, 0, stream);
        }
        CUresult read(CUstream stream) { return Session::launch(get, kBlocks, kThreads, {&b, &a}, 0, stream); }
    };

    struct Case {
        const char* name;
        bool races;
        std::set<std::string> marks; ///< in the source, of both kernels' lines
        std::function<void(Program&)> run;
    };

    static std::vector<Case> cases() {
        return {
            {"two kernels of two streams",
             true,
             {"// PUT", "// GET"},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(p.read(p.second));
             }},
            {"the other way round",
             true,
             {"// PUT", "// GET"},
             [](Program& p) {
                 CU(p.read(p.first));
                 CU(p.write(p.second));
             }},
            {"one kernel twice",
             true,
             {"// PUT"},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(p.write(p.second));
             }},
            {"an event between them",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuEventRecord(p.event, p.first));
                 CU(cuStreamWaitEvent(p.second, p.event, 0));
                 CU(p.read(p.second));
             }},
            {"an event that was recorded before the kernel",
             true,
             {"// PUT", "// GET"},
             [](Program& p) {
                 CU(cuEventRecord(p.event, p.first));
                 CU(p.write(p.first));
                 CU(cuStreamWaitEvent(p.second, p.event, 0));
                 CU(p.read(p.second));
             }},
            {"an event that nobody waits for",
             true,
             {"// PUT", "// GET"},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuEventRecord(p.event, p.first));
                 CU(p.read(p.second));
             }},
            {"events by way of a third stream",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuEventRecord(p.event, p.first));
                 CU(cuStreamWaitEvent(p.alone, p.event, 0));
                 CU(cuEventRecord(p.event, p.alone));
                 CU(cuStreamWaitEvent(p.second, p.event, 0));
                 CU(p.read(p.second));
             }},
            {"one stream",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(p.read(p.first));
             }},
            {"the program waits for the first stream",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuStreamSynchronize(p.first));
                 CU(p.read(p.second));
             }},
            {"the program waits for an event",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuEventRecord(p.event, p.first));
                 CU(cuEventSynchronize(p.event));
                 CU(p.read(p.second));
             }},
            {"the program waits for the wrong stream",
             true,
             {"// PUT", "// GET"},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuStreamSynchronize(p.second));
                 CU(p.read(p.second));
             }},
            {"the program asks until the stream is done",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 while (cuStreamQuery(p.first) == CUDA_ERROR_NOT_READY) {
                 }
                 CU(p.read(p.second));
             }},
            {"the program waits for all",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuCtxSynchronize());
                 CU(p.read(p.second));
             }},
            {"the default stream and a blocking one",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(p.read(nullptr));
                 CU(p.write(p.second));
             }},
            {"the default stream and a non-blocking one",
             true,
             {"// PUT", "// GET"},
             [](Program& p) {
                 CU(p.write(nullptr));
                 CU(p.read(p.alone));
             }},
            {"a copy to the host in another stream",
             true,
             {"// PUT"},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuMemcpyDtoHAsync(p.pinned, p.a, kBytes, p.second));
             }},
            {"a copy to the host behind an event",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuEventRecord(p.event, p.first));
                 CU(cuStreamWaitEvent(p.second, p.event, 0));
                 CU(cuMemcpyDtoHAsync(p.pinned, p.a, kBytes, p.second));
             }},
            {"a copy that the program waits for, of a non-blocking stream's memory",
             true,
             {"// PUT"},
             [](Program& p) {
                 CU(p.write(p.alone));
                 std::vector<int> host(kBlocks * kThreads);
                 CU(cuMemcpyDtoH(host.data(), p.a, kBytes));
             }},
            {"a copy that the program waits for",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 std::vector<int> host(kBlocks * kThreads);
                 CU(cuMemcpyDtoH(host.data(), p.a, kBytes));
                 CU(p.write(p.alone));
             }},
            {"a fill in another stream",
             true,
             {"// GET"},
             [](Program& p) {
                 CU(p.read(p.first));
                 CU(cuMemsetD32Async(p.a, 1, kBytes / 4, p.second));
             }},
            {"a texture of what another stream writes",
             true,
             {"// PUT", "// FETCH"},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(p.read_texture(p.second));
             }},
            {"a texture of what its stream has written",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(p.read_texture(p.first));
             }},
            {"an array that another stream copies to",
             true,
             {"// SAMPLE"},
             [](Program& p) { p.copy_and_read(p.first, p.second); }},
            {"an array that its stream copies to", false, {}, [](Program& p) { p.copy_and_read(p.first, p.first); }},
            {"two halves",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first, 0, 1));
                 CU(p.write(p.second, kBytes / 2, 1));
             }},
            {"two that only read",
             false,
             {},
             [](Program& p) {
                 CUdeviceptr other = p.b + kBytes;
                 CU(p.read(p.first));
                 CU(Session::launch(p.get, kBlocks, kThreads, {&other, &p.a}, 0, p.second));
             }},
            {"atomic operations of both",
             false,
             {},
             [](Program& p) {
                 CU(Session::launch(p.count, 2, kThreads, {&p.a}, 0, p.first));
                 CU(Session::launch(p.count, 2, kThreads, {&p.a}, 0, p.second));
             }},
            {"an atomic operation and a plain write",
             true,
             {"// COUNT", "// PUT"},
             [](Program& p) {
                 CU(Session::launch(p.count, 2, kThreads, {&p.a}, 0, p.first));
                 CU(p.write(p.second));
             }},
            {"memory that was freed, and another's now",
             false,
             {},
             [](Program& p) {
                 CU(p.write(p.first));
                 CU(cuMemFree(p.a));
                 p.a = Session::allocate(kBytes);
                 CU(p.write(p.second));
             }},
            {"branches of a graph", true, {"// PUT", "// GET"}, [](Program& p) { graph(p, false); }},
            {"nodes of a graph in order", false, {}, [](Program& p) { graph(p, true); }},
            {"a function of the program that tells it",
             false,
             {},
             [](Program& p) {
                 std::atomic<bool> done = false;
                 CU(p.write(p.first));
                 CU(cuLaunchHostFunc(
                     p.first, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &done));
                 while (!done) {
                 }
                 CU(p.read(p.second));
                 CU(cuCtxSynchronize());
             }},
        };
    }

    static void graph(Program& p, bool in_order) {
        CUgraph graph = nullptr;
        CU(cuGraphCreate(&graph, 0));
        int v = 3;
        void* of_put[] = {&p.a, &v};
        void* of_get[] = {&p.b, &p.a};
        const auto node = [&](CUfunction f, void** parameters) {
            CUDA_KERNEL_NODE_PARAMS n{};
            n.func = f;
            n.gridDimX = kBlocks;
            n.blockDimX = kThreads;
            n.gridDimY = n.gridDimZ = n.blockDimY = n.blockDimZ = 1;
            n.kernelParams = parameters;
            return n;
        };
        const auto first = node(p.put, of_put), second = node(p.get, of_get);
        CUgraphNode put = nullptr, get = nullptr;
        CU(cuGraphAddKernelNode(&put, graph, nullptr, 0, &first));
        CU(cuGraphAddKernelNode(&get, graph, &put, in_order ? 1 : 0, &second));
        CUgraphExec exec = nullptr;
        CU(cuGraphInstantiateWithFlags(&exec, graph, 0));
        CU(cuGraphLaunch(exec, p.first));
        CU(cuGraphLaunch(exec, p.first));
        CU(cuCtxSynchronize());
        CU(cuGraphExecDestroy(exec));
        CU(cuGraphDestroy(graph));
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void races_are_found_data() {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Case& each : cases())
            QTest::newRow(each.name) << number++;
    }
    void races_are_found() {
        QFETCH(int, number);
        const Case meant = cases().at(static_cast<std::size_t>(number));
        static const std::string text = compiled(kSource);
        Program p;
        p.put = p.session.load(text, "put");
        QVERIFY2(p.put, last_error_text().c_str());
        CU(cuModuleGetFunction(&p.get, p.session.module, "get"));
        CU(cuModuleGetFunction(&p.count, p.session.module, "count"));
        CU(cuModuleGetFunction(&p.fetch, p.session.module, "fetch"));
        CU(cuModuleGetFunction(&p.sample, p.session.module, "sample"));
        (void)taken();
        CU(cuxWarplightRequestChecks("race"));
        CU(cuStreamCreate(&p.first, 0));
        CU(cuStreamCreate(&p.second, 0));
        CU(cuStreamCreate(&p.alone, CU_STREAM_NON_BLOCKING));
        CU(cuEventCreate(&p.event, CU_EVENT_DISABLE_TIMING));
        CU(cuMemHostAlloc(&p.pinned, kBytes, 0));
        p.a = p.session.upload(std::vector<int>(kBlocks * kThreads));
        p.b = p.session.allocate(2 * kBytes);
        meant.run(p);
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks(""));
        const findings::Findings found = taken();
        const std::string what = described(found);
        QVERIFY2(found.all.size() == (meant.races ? 1 : 0), what.c_str());
        if (!meant.races) return;
        const findings::Finding& f = found.all.front();
        QCOMPARE(f.kind, "race");
        QVERIFY2(f.mend == findings::Mend::stream && f.message.ends_with(advice_of(*f.mend)), what.c_str());
        std::set<int> lines, expected;
        lines.insert(line_in_kernel(f));
        if (f.other) lines.insert(line_in_kernel(*f.other));
        for (const std::string& mark : meant.marks)
            expected.insert(line_of_mistake(kSource, mark.c_str()));
        QVERIFY2(lines == expected, what.c_str());
        if (meant.marks.size() == 1 && !f.other && std::string(meant.name).starts_with("a copy"))
            QVERIFY2(what.find("by a copy of the program") != std::string::npos, what.c_str());
    }

    // --- kernels that kernels launch

private:
    struct Nested {
        const char* name;
        const char* body; ///< of the kernel `k`; WRONG(x, y) is x, or y in the one without the race
        std::set<std::string> marks;
    };
    static std::vector<Nested> nested() {
        return {
            {"what other threads write",
             "a[t] = t; // PARENT\nWRONG((void)0, __syncthreads());\n"
             "if (t == 0) child<<<1, 64>>>(a);\n",
             {"// PARENT", "// CHILD"}},
            {"what comes behind the launch",
             "if (t == 0) {\n    child<<<1, 64>>>(a);\n"
             "    WRONG(a[0] = 5, (void)0); // PARENT\n}\n",
             {"// PARENT", "// CHILD"}},
            {"a launch that is not the tail's",
             "if (t == 0) child<<<1, 64, 0, WRONG((cudaStream_t)0, "
             "(cudaStream_t)3)>>>(a);\na[t] = t; // PARENT\n",
             {"// PARENT", "// CHILD"}},
            {"two launches that nobody waits for",
             "if (t == 0)\n    for (int n = 0; n < 2; ++n)\n"
             "        child<<<1, 64, 0, WRONG((cudaStream_t)4, "
             "(cudaStream_t)0)>>>(a);\n",
             {"// CHILD"}},
        };
    }

private slots:
    void launches_of_kernels_data() {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Nested& each : nested())
            QTest::newRow(each.name) << number++;
    }
    void launches_of_kernels() {
        QFETCH(int, number);
        const Nested meant = nested().at(static_cast<std::size_t>(number));
        for (const bool wrong : {true, false}) {
            const std::string source =
                source_of("__global__ void child(int* a) {\n    a[threadIdx.x] += 1; // CHILD\n}\n", "int* a",
                          std::string("int t = threadIdx.x;\n") + meant.body, wrong);
            Session s;
            const CUfunction f = s.load(compiled(source, "compute_80", {"--relocatable-device-code=true"}), "k");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr a = s.upload(std::vector<int>(64));
            (void)taken();
            CU(cuxWarplightRequestChecks("race"));
            CU(s.launch(f, 1, 64, {&a}));
            CU(cuCtxSynchronize());
            CU(cuxWarplightRequestChecks(""));
            const findings::Findings found = taken();
            const std::string what = described(found);
            QVERIFY2(found.all.empty() != wrong, what.c_str());
            std::set<int> expected;
            for (const std::string& mark : meant.marks)
                expected.insert(line_of_mistake(source, mark.c_str()));
            for (const findings::Finding& each : found.all) {
                QVERIFY2(each.other && each.mend == findings::Mend::launch, what.c_str());
                QVERIFY2(std::set<int>({each.place.line, each.other->place.line}) == expected, what.c_str());
            }
        }
    }
};

QTEST_GUILESS_MAIN(StreamRacesTest)
#include "test_stream_races.moc"
