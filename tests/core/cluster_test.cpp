// SPDX-License-Identifier: Apache-2.0
// Clusters of blocks on a device of compute capability 9.0: the software device, or with WARPLIGHT_TEST_DRIVER=cuda a
// GPU. What kernels leave is compared with plain computations.
#include "cluster_kernels.hpp"
#include "graph_kernels.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <optional>

using namespace warplight::driver;
using Words = std::vector<std::uint32_t>;

namespace {
constexpr int kInvalidClusterSize = 912;

struct Extents {
    unsigned x, y, z;
};
} // namespace

class ClusterTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;
    bool has_clusters_ = false;

    Function function(const char* name) { return module_->get_function(name); }
    static LaunchConfig shape(Grid grid, unsigned block, Dim3 cluster) {
        LaunchConfig config{.grid = grid, .block = {block}};
        config.cluster = cluster;
        return config;
    }

private slots:
    void initTestCase() {
        Driver::set_default(test_driver());
        context_ = Device(0).make_context();
        has_clusters_ = Device(0).get_attribute(device_attribute::CLUSTER_LAUNCH) != 0;
        if (!has_clusters_) QSKIP("the device has no clusters");
        module_ = module_from_buffer(std::string_view(kClusterKernels));
    }
    void cleanupTestCase() {
        module_.reset();
        Context::pop();
        context_.reset();
    }

    void where_blocks_are() {
        const Function where = function("where");
        const std::vector<std::pair<Extents, Extents>> shapes = {{{4, 1, 1}, {2, 1, 1}}, {{4, 4, 1}, {2, 2, 1}},
                                                                 {{2, 4, 4}, {1, 4, 2}}, {{9, 2, 1}, {3, 1, 1}},
                                                                 {{8, 1, 1}, {8, 1, 1}}, {{2, 2, 2}, {2, 2, 2}}};
        for (const auto& [g, c] : shapes) {
            const unsigned blocks = g.x * g.y * g.z, size = c.x * c.y * c.z;
            const DeviceAllocation out = zeros(std::size_t{20} * blocks);
            where(shape({g.x, g.y, g.z}, 32, {c.x, c.y, c.z}), out);
            const Words words = words_of(out, std::size_t{20} * blocks);
            for (unsigned n = 0; n < blocks; ++n) {
                const unsigned x = n % g.x, y = n / g.x % g.y, z = n / g.x / g.y;
                const unsigned rank = x % c.x + c.x * (y % c.y + c.y * (z % c.z)), next = (rank + 1) % size;
                const Words expected = {x / c.x, y / c.y, z / c.z, g.x / c.x, g.y / c.y, g.z / c.z, x % c.x,
                                        y % c.y, z % c.z, c.x,     c.y,       c.z,       rank,      size,
                                        next,    next,    2,       0,         0,         0};
                QCOMPARE(Words(words.begin() + 20 * n, words.begin() + 20 * n + 20), expected);
            }
        }
    }

    void sums_over_clusters() {
        const Function sums = function("sums");
        for (const unsigned size : {1U, 2U, 4U, 7U, 8U})
            for (const unsigned threads : {1U, 37U, 128U})
                for (const unsigned leave : {threads, (threads + 1) / 2}) {
                    const unsigned blocks = 3 * size, count = blocks * threads;
                    const DeviceAllocation out = zeros(count);
                    sums(shape({blocks}, threads, {size}), out, leave);
                    const Words words = words_of(out, count);
                    for (unsigned n = 0; n < count; ++n) {
                        const unsigned cluster = n / threads / size, t = n % threads;
                        std::uint32_t sum = 0;
                        for (unsigned rank = 0; rank < size; ++rank) {
                            const unsigned i = (cluster * size + rank) * threads + t;
                            sum += i * i + 3;
                        }
                        QCOMPARE(words[n], t < leave ? 4 * sum : 0U);
                    }
                }
    }

    void token_in_a_ring() {
        const Function ring = function("ring");
        for (const unsigned size : {2U, 3U, 8U})
            for (const unsigned rounds : {1U, 2U, 5U, 64U}) {
                const DeviceAllocation out = zeros(8);
                ring(shape({4 * size}, 64, {size}), out, rounds);
                std::uint64_t token = 1;
                for (unsigned k = 0; k < size * rounds; ++k)
                    token = 3 * token + 1;
                const Words words = words_of(out, 8);
                for (unsigned cluster = 0; cluster < 4; ++cluster)
                    QCOMPARE(words[2 * cluster] | std::uint64_t{words[2 * cluster + 1]} << 32, token);
            }
    }

    void remote_reductions() {
        const Function reductions = function("reductions");
        for (const unsigned size : {2U, 8U}) {
            const DeviceAllocation out = zeros(16);
            reductions(shape({2 * size}, 32, {size}), out);
            Words expected = {100, 100, 100, 100, 0xFFFFFFFF, 100, 0, 0};
            std::uint64_t sum = 5000000000;
            for (unsigned rank = 0; rank < size; ++rank) {
                expected[0] += rank + 99;
                expected[1] =
                    static_cast<std::uint32_t>(std::min(static_cast<int>(expected[1]), -static_cast<int>(rank)));
                expected[2] = std::max(expected[2], rank + 99);
                expected[3] ^= 1U << rank;
                expected[4] &= ~(1U << rank);
                expected[5] = expected[5] >= 101 ? 0 : expected[5] + 1;
                sum += std::uint64_t{rank + 99} * 1000000000;
            }
            expected[6] = static_cast<std::uint32_t>(sum);
            expected[7] = static_cast<std::uint32_t>(sum >> 32);
            const Words words = words_of(out, 16);
            QCOMPARE(Words(words.begin(), words.begin() + 8), expected);
            QCOMPARE(Words(words.begin() + 8, words.end()), expected);
        }
    }

    void bulk_copies() {
        const Function bulk = function("bulk");
        const unsigned size = 4, blocks = 8;
        Words in(64);
        for (unsigned k = 0; k < 64; ++k)
            in[k] = k * 2654435761U + 12345;
        const DeviceAllocation from = zeros(64), to = zeros(std::size_t{128} * blocks);
        memcpy_htod(from, in);
        bulk(shape({blocks}, 32, {size}), from, to);
        const Words words = words_of(to, std::size_t{128} * blocks);
        for (unsigned block = 0; block < blocks; ++block)
            for (unsigned k = 0; k < 64; ++k) {
                QCOMPARE(words[128 * block + k], in[k]);
                QCOMPARE(words[128 * block + 64 + k], 2 * in[k]);
            }
    }

    void kernels_with_a_size() {
        for (const char* name : {"pairs", "explicit_pairs"}) {
            const Function pairs = function(name);
            const DeviceAllocation out = zeros(4);
            pairs(LaunchConfig{.grid = {4}, .block = {1}}, out);
            QCOMPARE(words_of(out, 4), (Words{0x200, 0x201, 0x200, 0x201}));
            clear(out);
            pairs(shape({4}, 1, {2}), out);
            QCOMPARE(words_of(out, 4), (Words{0x200, 0x201, 0x200, 0x201}));
            QCOMPARE(code_of([&] { pairs(shape({4}, 1, {4}), out); }), kInvalidClusterSize);
            QCOMPARE(code_of([&] { pairs(LaunchConfig{.grid = {3}, .block = {1}}, out); }), kInvalidClusterSize);
            QCOMPARE(pairs.get_attribute(function_attribute::REQUIRED_CLUSTER_WIDTH), 2);
            QCOMPARE(pairs.get_attribute(function_attribute::REQUIRED_CLUSTER_DEPTH), 1);
            QCOMPARE(pairs.get_attribute(function_attribute::CLUSTER_SIZE_MUST_BE_SET), *name == 'e' ? 1 : 0);
        }
    }

    void sizes_that_do_not_go() {
        const DeviceAllocation out = zeros(20 * 64);
        Function where = function("where");
        const auto code = [&](Grid grid, Dim3 cluster) {
            return code_of([&] { where(shape(grid, 32, cluster), out); });
        };
        QCOMPARE(code({3}, {2}), kInvalidClusterSize);
        QCOMPARE(code({4, 3}, {2, 2}), kInvalidClusterSize);
        QCOMPARE(code({4}, {2, 0, 1}), kInvalidClusterSize);
        QCOMPARE(code({9}, {9}), kInvalidClusterSize);
        QCOMPARE(code({4}, {0x7FFFFFFF}), kInvalidClusterSize);
        QCOMPARE(code({4, 4, 4}, {4, 4, 4}), kInvalidClusterSize);
        where.set_attribute(function_attribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
        QCOMPARE(code({16}, {16}), 0);
        QCOMPARE(code({17}, {17}), kInvalidClusterSize);
        where.set_attribute(function_attribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 0);
        where.set_attribute(function_attribute::REQUIRED_CLUSTER_WIDTH, 2);
        QCOMPARE(code_of([&] { where(LaunchConfig{.grid = {4}, .block = {32}}, out); }), kInvalidClusterSize);
        where.set_attribute(function_attribute::REQUIRED_CLUSTER_HEIGHT, 1);
        where.set_attribute(function_attribute::REQUIRED_CLUSTER_DEPTH, 1);
        where(LaunchConfig{.grid = {4}, .block = {32}}, out);
        QCOMPARE(words_of(out, 14)[13], 2U);
        QCOMPARE(code({4}, {4}), kInvalidClusterSize);
        for (const auto axis : {function_attribute::REQUIRED_CLUSTER_WIDTH, function_attribute::REQUIRED_CLUSTER_HEIGHT,
                                function_attribute::REQUIRED_CLUSTER_DEPTH})
            where.set_attribute(axis, 0);
        QCOMPARE(code_of([&] { where.set_attribute(function_attribute::REQUIRED_CLUSTER_WIDTH, -1); }), kInvalidValue);
        QCOMPARE(code_of([&] { where.set_attribute(function_attribute::CLUSTER_SIZE_MUST_BE_SET, 1); }), kInvalidValue);
        QCOMPARE(code_of([&] { where.set_attribute(function_attribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE, 3); }),
                 kInvalidValue);
    }

    void occupancy() {
        const Function where = function("where");
        QCOMPARE(where.max_potential_cluster_size(shape({16}, 32, {2})), 8);
        const int ones = where.max_active_clusters(shape({16}, 32, {1}));
        const int twos = where.max_active_clusters(shape({16}, 32, {2}));
        QVERIFY(ones > 0 && twos > 0 && twos <= ones / 2);
        QCOMPARE(code_of([&] { (void)where.max_active_clusters(shape({3}, 32, {2})); }), kInvalidClusterSize);
        QCOMPARE(code_of([&] { (void)where.max_potential_cluster_size(shape({16}, 32, {16})); }), kInvalidClusterSize);
        QCOMPARE(where.max_active_clusters(shape({16}, 2000, {2})), 0);
        QCOMPARE(where.max_potential_cluster_size(shape({16}, 2000, {2})), 0);
    }

    void in_a_graph() {
        const Function sums = function("sums");
        const DeviceAllocation out = zeros(64);
        const Stream stream(stream_flags::NON_BLOCKING);
        stream.begin_capture();
        LaunchConfig config = shape({4}, 16, {4});
        config.stream = &stream;
        sums(config, out, 16U);
        const Graph graph = stream.end_capture();
        GraphExec exec = graph.instantiate();
        exec.launch(stream);
        stream.synchronize();
        const Words words = words_of(out, 64);
        for (unsigned t = 0; t < 16; ++t) {
            std::uint32_t sum = 0;
            for (unsigned rank = 0; rank < 4; ++rank)
                sum += (rank * 16 + t) * (rank * 16 + t) + 3;
            for (unsigned rank = 0; rank < 4; ++rank)
                QCOMPARE(words[rank * 16 + t], 4 * sum);
        }
    }

    // The last one: the context is lost.
    void a_block_that_is_not_there() {
        const Function touch = function("touch");
        const DeviceAllocation out = zeros(1);
        touch(shape({4}, 32, {2}), out, 1U);
        QCOMPARE(words_of(out, 1), Words{8});
        touch(shape({4}, 32, {2}), out, 5U);
        QCOMPARE(code_of([&] { Context::get_current().synchronize(); }), 719); // CUDA_ERROR_LAUNCH_FAILED
    }
};

QTEST_GUILESS_MAIN(ClusterTest)
#include "cluster_test.moc"
