// SPDX-License-Identifier: Apache-2.0
// Launches with attributes, and occupancy, on a device: the software device, or with WARPLIGHT_TEST_DRIVER=cuda a GPU.
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

class LaunchAttributesTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;
    std::optional<Function> add_, shape_;

private slots:
    void initTestCase() {
        Driver::set_default(test_driver());
        context_ = Device(0).make_context();
        module_ = module_from_buffer(std::string_view(kGraphKernels));
        add_ = module_->get_function("add");
        shape_ = module_->get_function("shape");
    }
    void cleanupTestCase() {
        add_.reset();
        shape_.reset();
        module_.reset();
        Context::pop();
        context_.reset();
    }

    void attributes() {
        const DeviceAllocation memory = zeros(64);
        const Stream stream(stream_flags::NON_BLOCKING);
        const int urgent = get_stream_priority_range().greatest;
        const LaunchConfig base{.grid = {2}, .block = {32}, .stream = &stream};
        LaunchConfig config = base;
        config.priority = urgent;
        (*add_)(config, memory, 1u, 64u);
        config = base;
        config.programmatic_stream_serialization = true;
        (*add_)(config, memory, 10u, 64u);
        config = base;
        config.mem_sync_domain = launch_mem_sync_domain::DEFAULT;
        (*add_)(config, memory, 100u, 64u);
        config = base;
        config.cooperative = true;
        config.priority = 0;
        (*add_)(config, memory, 1000u, 64u);
        stream.synchronize();
        QCOMPARE(words_of(memory, 64), Words(64, 1111));
        // The designated form, and the shape that arrives.
        const DeviceAllocation out = zeros(2);
        (*shape_)({.grid = {3}, .block = {64}, .stream = &stream, .cooperative = true, .priority = 0}, out);
        stream.synchronize();
        QCOMPARE(words_of(out, 2), (Words{3, 64}));
        const double seconds = *(*shape_)({.grid = {5}, .block = {7}, .priority = 0, .time_kernel = true}, out);
        QVERIFY(seconds >= 0.0 && seconds < 60.0);
        QCOMPARE(words_of(out, 2), (Words{5, 7}));
    }

    void completion_event() {
        const DeviceAllocation memory = zeros(64);
        const Stream stream(stream_flags::NON_BLOCKING);
        const Event begun(event_flags::DISABLE_TIMING);
        LaunchConfig config{.grid = {2}, .block = {32}, .stream = &stream};
        config.completion_event = &begun;
        (*add_)(config, memory, 1u, 64u);
        begun.synchronize();
        QVERIFY(begun.query());
        stream.synchronize();
        QCOMPARE(words_of(memory, 64), Words(64, 1));
    }

    void clusters() {
        const DeviceAllocation out = zeros(2);
        LaunchConfig config{.grid = {4}, .block = {32}};
        config.cluster = {2, 1, 1};
        if (Device(0).get_attribute(device_attribute::CLUSTER_LAUNCH)) {
            (*shape_)(config, out);
            context_->synchronize();
            QCOMPARE(words_of(out, 2), (Words{4, 32}));
            QVERIFY(shape_->max_active_clusters(config) > 0);
            QVERIFY(shape_->max_potential_cluster_size(config) >= 2);
        } else {
            QVERIFY_THROWS_EXCEPTION(LogicError, (*shape_)(config, out));
            QVERIFY(code_of([&] { shape_->max_active_clusters(config); }) != 0);
            context_->synchronize();
            QCOMPARE(words_of(out, 2), (Words{0, 0}));
        }
        // One block is a cluster everywhere.
        config.cluster = {1, 1, 1};
        (*shape_)(config, out);
        context_->synchronize();
        QCOMPARE(words_of(out, 2), (Words{4, 32}));
    }

    void cooperative() {
        const DeviceAllocation out = zeros(2);
        const int multiprocessors = Device(0).get_attribute(device_attribute::MULTIPROCESSOR_COUNT);
        const int each = shape_->max_active_blocks_per_multiprocessor(1024);
        QVERIFY(each > 0);
        const auto most = static_cast<unsigned>(multiprocessors * each);
        (*shape_)({.grid = {most}, .block = {1024}, .cooperative = true}, out);
        context_->synchronize();
        QCOMPARE(words_of(out, 2), (Words{most, 1024}));
        QCOMPARE(code_of([&] { (*shape_)({.grid = {most + 1}, .block = {1024}, .cooperative = true}, out); }),
                 kCooperativeTooLarge);
        LaunchConfig config{.grid = {most + 1}, .block = {1024}, .cooperative = true};
        config.priority = 0; // by way of cuLaunchKernelEx
        QCOMPARE(code_of([&] { (*shape_)(config, out); }), kCooperativeTooLarge);
    }

    void in_graphs() {
        const DeviceAllocation out = zeros(2);
        Graph graph;
        const GraphNode plain = graph.add_kernel_node({}, *shape_, {.grid = {2}, .block = {32}}, out);
        const GraphNode node = graph.add_kernel_node(
            {plain}, *shape_, {.grid = {3}, .block = {32}, .cooperative = true, .priority = 0}, out);
        QVERIFY(node.get_cooperative() && !plain.get_cooperative());
        QCOMPARE(node.get_priority(), 0);
        plain.copy_attributes(node);
        QVERIFY(plain.get_cooperative());
        plain.set_cooperative(false);
        QVERIFY(!plain.get_cooperative());
        const Stream stream(stream_flags::NON_BLOCKING);
        graph.instantiate().launch(stream);
        stream.synchronize();
        QCOMPARE(words_of(out, 2), (Words{3, 32}));
        // A captured launch has the attributes it was made with.
        const Graph captured = capture(
            stream, [&] { (*shape_)({.grid = {4}, .block = {32}, .stream = &stream, .cooperative = true}, out); });
        QVERIFY(captured.get_nodes()[0].get_cooperative());
        QCOMPARE(captured.get_nodes()[0].get_grid().x, 4u);
        captured.instantiate().launch(stream);
        stream.synchronize();
        QCOMPARE(words_of(out, 2), (Words{4, 32}));
    }

    void refused() {
        const DeviceAllocation out = zeros(2);
        LaunchConfig config{.grid = {1}, .block = {2000}};
        config.priority = 0;
        QVERIFY_THROWS_EXCEPTION(LogicError, (*shape_)(config, out));
        config = {.grid = {1}, .block = {0}};
        config.priority = 0;
        QVERIFY_THROWS_EXCEPTION(LogicError, (*shape_)(config, out));
        config = {.grid = {1}, .block = {32}, .shared = std::size_t{1} << 24};
        config.priority = 0;
        QVERIFY(code_of([&] { (*shape_)(config, out); }) == kInvalidValue);
        context_->synchronize();
        QCOMPARE(words_of(out, 2), (Words{0, 0}));
    }

    void occupancy() {
        const int threads = Device(0).get_attribute(device_attribute::MAX_THREADS_PER_MULTIPROCESSOR);
        for (const int block : {1, 32, 100, 256, 1024}) {
            const int blocks = shape_->max_active_blocks_per_multiprocessor(block);
            QVERIFY(blocks > 0 && blocks * block <= threads);
            QCOMPARE(shape_->max_active_blocks_per_multiprocessor(block, 0, 0), blocks);
            QCOMPARE(shape_->max_active_blocks_per_multiprocessor(block, 0, 1), blocks);
            // Memory that is left with so many blocks lets as many run, once what the driver keeps of it is taken off.
            const std::size_t shared = shape_->available_dynamic_shared_memory_per_block(blocks, block);
            QVERIFY(shared > 0);
            QVERIFY(shared <=
                    static_cast<std::size_t>(Device(0).get_attribute(device_attribute::MAX_SHARED_MEMORY_PER_BLOCK)));
            const auto kept = static_cast<std::size_t>(
                Device(0).find_attribute(device_attribute::RESERVED_SHARED_MEMORY_PER_BLOCK).value_or(0));
            QVERIFY(shape_->max_active_blocks_per_multiprocessor(block, shared - std::min(kept, shared)) >= blocks);
            QCOMPARE(code_of([&] { shape_->available_dynamic_shared_memory_per_block(blocks + 1, block); }),
                     kInvalidValue);
        }
        const int per_multiprocessor = Device(0).get_attribute(device_attribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
        const int most = Device(0).get_attribute(device_attribute::MAX_SHARED_MEMORY_PER_BLOCK);
        for (const int blocks : {2, 3, 4, 7, 8}) {
            if (shape_->max_active_blocks_per_multiprocessor(128) < blocks) continue;
            const auto each = static_cast<std::size_t>(std::min(per_multiprocessor / blocks, most));
            const std::size_t shared = shape_->available_dynamic_shared_memory_per_block(blocks, 128);
            QVERIFY(shared <= each && shared + 256 > each);
        }
        // More than the kernel may ask for lets no block run.
        QCOMPARE(shape_->max_active_blocks_per_multiprocessor(32, static_cast<std::size_t>(most) + 1), 0);
        QVERIFY(shape_->max_active_blocks_per_multiprocessor(256, 40000) <
                shape_->max_active_blocks_per_multiprocessor(256));
        const BlockSize best = shape_->max_potential_block_size();
        QVERIFY(best.block_size > 0 && best.block_size <= 1024 && best.min_grid_size > 0);
        const BlockSize again = shape_->max_potential_block_size(0, 0, 1);
        QCOMPARE(again.block_size, best.block_size);
        QVERIFY(shape_->max_potential_block_size(0, 128).block_size <= 128);
        const BlockSize hungry =
            shape_->max_potential_block_size([](int block) { return static_cast<std::size_t>(block) * 64; });
        QVERIFY(hungry.block_size > 0 && hungry.block_size * 64 <= 49152 * 5);
        QVERIFY(code_of([&] { shape_->max_active_blocks_per_multiprocessor(0); }) == kInvalidValue);
        QVERIFY(code_of([&] { shape_->max_active_blocks_per_multiprocessor(32, 0, 8); }) == kInvalidValue);
        QVERIFY(code_of([&] { shape_->available_dynamic_shared_memory_per_block(0, 32); }) == kInvalidValue);
        QCOMPARE(code_of([&] { shape_->max_potential_block_size(nullptr); }), -1);
    }
};

QTEST_GUILESS_MAIN(LaunchAttributesTest)
#include "launch_attributes_test.moc"
