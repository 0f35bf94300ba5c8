// SPDX-License-Identifier: Apache-2.0
// CUDA kernels for compute capability 9.0, compiled by NVRTC and run: each result against a plain computation.
#include "corpus.hpp"

#include <algorithm>
#include <numeric>

class HopperTest : public QObject {
    Q_OBJECT

    static CUresult launch_clusters(CUfunction f, unsigned gx, unsigned gy, unsigned block, unsigned cluster,
                                    unsigned shared, std::initializer_list<void*> arguments) {
        std::vector<void*> pointers(arguments);
        CUlaunchAttribute attribute{};
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim.x = cluster;
        attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
        CUlaunchConfig config{};
        config.gridDimX = gx;
        config.gridDimY = gy;
        config.blockDimX = block;
        config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
        config.sharedMemBytes = shared;
        config.attrs = &attribute;
        config.numAttrs = cluster ? 1 : 0;
        return cuLaunchKernelEx(&config, f, pointers.data(), nullptr);
    }

private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());
    }

    void histogram_over_clusters() {
        NEEDS_KERNELS("20_cluster.cu");
        const Program p("20_cluster.cu", "compute_90");
        const auto in = random_values<int>(20000, -20, 1050);
        for (const int blocks : {1, 2, 4, 8}) {
            const int bins = 1024;
            int count = bins, each = bins / blocks, size = static_cast<int>(in.size());
            CUdeviceptr out = p.upload(std::vector<int>(bins)), from = p.upload(in);
            CU(launch_clusters(p["cluster_histogram"], 16, 1, 96, static_cast<unsigned>(blocks),
                               static_cast<unsigned>(each) * 4, {&out, &count, &each, &from, &size}));
            std::vector<int> expected(bins);
            for (const int v : in)
                ++expected[static_cast<std::size_t>(std::clamp(v, 0, bins - 1))];
            QCOMPARE(p.download<int>(out, bins), expected);
        }
    }

    void shape_of_clusters() {
        NEEDS_KERNELS("20_cluster.cu");
        const Program p("20_cluster.cu", "compute_90");
        CUdeviceptr out = p.upload(std::vector<unsigned>(64));
        CU(launch_clusters(p["cluster_shape"], 4, 4, 40, 0, 0, {&out}));
        const auto words = p.download<unsigned>(out, 64);
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 4; ++x) {
                const unsigned* block = words.data() + 4 * (x + 4 * y);
                const unsigned next = (y % 2 * 2 + x % 2 + 1) % 4;
                QCOMPARE(block[0], 1000 + next);
                QCOMPARE(block[1], next);
                QCOMPARE(block[2], 160U);
                QCOMPARE(block[3], y % 2 * 16 + x % 2);
            }
    }

    void pairs_of_blocks() {
        const Program p("10_coop.cu", "compute_90");
        CUdeviceptr out = p.upload(std::vector<int>(6, -1));
        CU(p.launch(p["cgCluster"], 6, 64, {&out}));
        QCOMPARE(p.download<int>(out, 6), (std::vector<int>{1, 0, 1, 0, 1, 0}));
    }

    void bulk_copies() {
        NEEDS_KERNELS("20_cluster.cu");
        const Program p("20_cluster.cu", "compute_90");
        std::vector<int> data(8192);
        std::iota(data.begin(), data.end(), -77);
        CUdeviceptr memory = p.upload(data);
        CU(p.launch(p["bulk_increment"], 8, 128, {&memory}));
        for (int& v : data)
            ++v;
        QCOMPARE(p.download<int>(memory, data.size()), data);
    }

    void groups_of_two_warps() {
        NEEDS_KERNELS("20_cluster.cu");
        const Program p("20_cluster.cu", "compute_90");
        const auto in = random_values<int>(512, -1000, 1000);
        CUdeviceptr from = p.upload(in), out = p.upload(std::vector<int>(512));
        CU(p.launch(p["wide_groups"], 2, 256, {&from, &out}));
        const auto result = p.download<int>(out, 512);
        for (std::size_t k = 0; k < 512; ++k) {
            const auto first = in.begin() + static_cast<std::ptrdiff_t>(k / 64 * 64);
            QCOMPARE(result[k], std::accumulate(first, first + 64, 0) * 100 + static_cast<int>(k % 256 / 64));
        }
    }

    void one_of_a_warp() {
        const Program p("18_warpspec.cu", "compute_90");
        CUdeviceptr out = p.upload(std::vector<int>(4));
        CU(p.launch(p["elect"], 1, 32, {&out}));
        QCOMPARE(p.download<int>(out, 1)[0], 1);
    }
};

QTEST_GUILESS_MAIN(HopperTest)
#include "test_hopper.moc"
