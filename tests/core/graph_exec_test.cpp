// SPDX-License-Identifier: Apache-2.0
// Executable graphs that change, and memory of graphs, on a device: the software device, or with
// WARPLIGHT_TEST_DRIVER=cuda a GPU.
#include "graph_kernels.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <atomic>
#include <optional>
#include <thread>

using namespace warplight::driver;
using Words = std::vector<std::uint32_t>;

class GraphExecTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;
    std::optional<Function> add_, multiply_;
    std::optional<Stream> stream_;

    void run(const GraphExec& exec) {
        exec.launch(*stream_);
        stream_->synchronize();
    }

private slots:
    void initTestCase() {
        Driver::set_default(test_driver());
        context_ = Device(0).make_context();
        module_ = module_from_buffer(std::string_view(kGraphKernels));
        add_ = module_->get_function("add");
        multiply_ = module_->get_function("multiply");
        stream_.emplace(stream_flags::NON_BLOCKING);
    }
    void cleanupTestCase() {
        stream_.reset();
        add_.reset();
        multiply_.reset();
        module_.reset();
        Context::pop();
        context_.reset();
    }

    void nodes_that_change() {
        const DeviceAllocation memory = zeros(4), other = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        Words first(4, 1), second(4, 2), back(4), back_too(4);
        int called = 0;
        Graph graph;
        const GraphNode in = graph.add_memcpy_htod_node({}, memory, first);
        const GraphNode kernel = graph.add_kernel_node({in}, *add_, four, memory, 10u, 4u);
        const GraphNode fill = graph.add_memset_node({kernel}, {.dest = other.get(), .value = 7, .width = 4});
        const GraphNode call = graph.add_host_node({fill}, [&] { called = 1; });
        const GraphNode out = graph.add_memcpy_dtoh_node({call}, back, memory);
        const GraphExec exec = graph.instantiate();
        run(exec);
        QCOMPARE(back, Words(4, 11));
        QCOMPARE(words_of(other, 4), Words(4, 7));
        QCOMPARE(called, 1);
        exec.set_memcpy_htod(in, memory, second);
        exec.set_kernel(kernel, *multiply_, four, memory, 20u, 4u); // another function, even
        exec.set_memset(fill, {.dest = other.get(), .value = 8, .width = 4});
        exec.set_host_function(call, [&] { called = 2; });
        exec.set_memcpy_dtoh(out, back_too, memory);
        run(exec);
        QCOMPARE(back, Words(4, 11));
        QCOMPARE(back_too, Words(4, 40));
        QCOMPARE(words_of(other, 4), Words(4, 8));
        QCOMPARE(called, 2);
        // The graph is as it was.
        run(graph.instantiate());
        QCOMPARE(called, 1);
        QCOMPARE(words_of(other, 4), Words(4, 7));
        Graph stranger;
        const GraphNode foreign = stranger.add_kernel_node({}, *add_, four, memory, 1u, 4u);
        QVERIFY(code_of([&] { exec.set_kernel(foreign, *add_, four, memory, 1u, 4u); }) == kInvalidValue);
    }

    /// A launch is not touched by what is set after it.
    void changes_are_for_later_launches() {
        const DeviceAllocation memory = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        std::atomic<bool> go = false;
        Graph graph;
        const GraphNode hold = graph.add_host_node({}, [&] {
            while (!go)
                std::this_thread::yield();
        });
        const GraphNode kernel = graph.add_kernel_node({hold}, *add_, four, memory, 1u, 4u);
        const GraphExec exec = graph.instantiate();
        exec.launch(*stream_);
        exec.set_kernel(kernel, *add_, four, memory, 100u, 4u);
        go = true;
        stream_->synchronize();
        QCOMPARE(words_of(memory, 4), Words(4, 1));
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 101));
    }

    void nodes_left_out() {
        const DeviceAllocation memory = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        Graph graph;
        const GraphNode a = graph.add_kernel_node({}, *add_, four, memory, 1u, 4u);
        const GraphNode b = graph.add_kernel_node({a}, *add_, four, memory, 10u, 4u);
        const GraphNode c = graph.add_kernel_node({b}, *add_, four, memory, 100u, 4u);
        const GraphNode call = graph.add_host_node({c}, [] {});
        const GraphExec exec = graph.instantiate();
        QVERIFY(exec.get_enabled(b));
        exec.set_enabled(b, false);
        QVERIFY(!exec.get_enabled(b) && exec.get_enabled(c));
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 101));
        exec.set_enabled(b, true);
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 212));
        QVERIFY(code_of([&] { exec.set_enabled(call, false); }) == kInvalidValue);
        QVERIFY(code_of([&] { exec.get_enabled(call); }) == kInvalidValue);
    }

    void updates() {
        const DeviceAllocation memory = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        const auto make = [&](std::uint32_t value, bool linked, bool third) {
            Graph graph;
            const GraphNode a = graph.add_kernel_node({}, *add_, four, memory, value, 4u);
            const GraphNode b =
                graph.add_kernel_node(linked ? GraphNodes{a} : GraphNodes{}, *multiply_, four, memory, 2u, 4u);
            if (third) graph.add_kernel_node({b}, *add_, four, memory, 1u, 4u);
            return graph;
        };
        const Graph graph = make(3, true, false);
        const GraphExec exec = graph.instantiate();
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 6));
        const GraphExecUpdate good = exec.update(make(4, true, false));
        QVERIFY(good);
        QVERIFY(good.result == graph_exec_update_result::SUCCESS && !good.error_node.handle());
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 20));
        const Graph longer = make(5, true, true), loose = make(5, false, false);
        QVERIFY(exec.update(longer).result == graph_exec_update_result::ERROR_TOPOLOGY_CHANGED);
        QVERIFY(exec.update(loose).result == graph_exec_update_result::ERROR_TOPOLOGY_CHANGED);
        Graph other;
        const GraphNode a = other.add_kernel_node({}, *add_, four, memory, 1u, 4u);
        const GraphNode wrong = other.add_memset_node({a}, {.dest = memory.get(), .value = 0, .width = 4});
        const GraphExecUpdate bad = exec.update(other);
        QVERIFY(!bad);
        QCOMPARE(to_string(bad.result), std::string("ERROR_NODE_TYPE_CHANGED"));
        QVERIFY(bad.error_node == wrong);
        // What failed changed nothing.
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 48));
        // Nodes of the first graph still name those of the executable one.
        exec.set_kernel(graph.get_nodes()[0], *add_, four, memory, 0u, 4u);
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 96));
    }

    void flags() {
        Graph graph;
        graph.add_empty_node({});
        QCOMPARE(graph.instantiate().get_flags(), 0u);
        QCOMPARE(graph.instantiate(graph_instantiate_flags::AUTO_FREE_ON_LAUNCH).get_flags(),
                 graph_instantiate_flags::AUTO_FREE_ON_LAUNCH);
        // Drivers take this one, and do not tell it.
        QCOMPARE(graph.instantiate(graph_instantiate_flags::USE_NODE_PRIORITY).get_flags(), 0u);
        GraphExec exec = graph.instantiate();
        GraphExec moved = std::move(exec);
        QCOMPARE(code_of([&] { exec.launch(); }), -1);
        run(moved);
    }

    void memory_nodes() {
        const std::uint64_t used = get_graph_mem_attribute(0, graph_mem_attribute::USED_MEM_CURRENT);
        const DeviceAllocation result = zeros(256);
        Graph graph;
        const GraphNode allocation = graph.add_mem_alloc_node({}, 1024);
        QVERIFY(allocation.get_type() == graph_node_type::MEM_ALLOC);
        const device_ptr address = allocation.get_address();
        QVERIFY(address != 0);
        const GraphNode fill = graph.add_memset_node({allocation}, {.dest = address, .value = 5, .width = 256});
        const GraphNode work =
            graph.add_kernel_node({fill}, *add_, {.grid = {1}, .block = {256}}, DevicePointer(address), 4u, 256u);
        const GraphNode copy = graph.add_memcpy_dtod_node({work}, result, address, 1024);
        const GraphNode release = graph.add_mem_free_node({copy}, address);
        QVERIFY(release.get_type() == graph_node_type::MEM_FREE);
        QCOMPARE(release.get_address(), address);
        {
            const GraphExec exec = graph.instantiate();
            run(exec);
            QCOMPARE(words_of(result, 256), Words(256, 9));
            clear(result);
            run(exec);
            QCOMPARE(words_of(result, 256), Words(256, 9));
            QVERIFY(get_graph_mem_attribute(0, graph_mem_attribute::USED_MEM_HIGH) >= 1024);
            // One at a time.
            QVERIFY(code_of([&] { graph.instantiate(); }) != 0);
        }
        run(graph.instantiate());
        QVERIFY(code_of([&] { graph.clone(); }) != 0);
        QVERIFY(code_of([&] { graph.destroy_node(copy); }) != 0);
        QVERIFY(code_of([&] { graph.remove_dependency(work, copy); }) != 0);
        QVERIFY(code_of([&] { graph.add_mem_free_node({release}, address); }) == kInvalidValue); // twice
        QVERIFY(code_of([&] { graph.add_mem_free_node({release}, result.get()); }) == kInvalidValue);
        QVERIFY(code_of([&] { graph.add_mem_alloc_node({}, 0); }) == kInvalidValue);
        Graph parent;
        QVERIFY(code_of([&] { parent.add_child_graph_node({}, graph); }) != 0);
        graph_mem_trim(0);
        reset_graph_mem_attribute(0, graph_mem_attribute::USED_MEM_HIGH);
        QVERIFY(get_graph_mem_attribute(0, graph_mem_attribute::USED_MEM_HIGH) < used + 1024 ||
                test_driver().name() == "cuda");
        QVERIFY(code_of([] { get_graph_mem_attribute(99, graph_mem_attribute::USED_MEM_HIGH); }) != 0);
    }

    /// Memory that outlives the launch that took it.
    void memory_that_stays() {
        Graph graph;
        const GraphNode allocation = graph.add_mem_alloc_node({}, 64);
        const device_ptr address = allocation.get_address();
        graph.add_memset_node({allocation}, {.dest = address, .value = 11, .width = 16});
        std::optional<GraphExec> exec(graph.instantiate());
        run(*exec);
        QCOMPARE(words_of(address, 16), Words(16, 11));
        QVERIFY(code_of([&] { exec->launch(*stream_); }) == kInvalidValue); // it has not been freed
        Graph freeing;
        freeing.add_mem_free_node({}, address);
        const GraphExec free = freeing.instantiate();
        run(free);
        run(*exec);
        QCOMPARE(words_of(address, 16), Words(16, 11));
        run(free);
        exec.reset();
        exec = graph.instantiate(graph_instantiate_flags::AUTO_FREE_ON_LAUNCH);
        QCOMPARE(exec->get_flags(), graph_instantiate_flags::AUTO_FREE_ON_LAUNCH);
        run(*exec);
        run(*exec);
        QCOMPARE(words_of(address, 16), Words(16, 11));
        run(free);
    }
};

QTEST_GUILESS_MAIN(GraphExecTest)
#include "graph_exec_test.moc"
