// SPDX-License-Identifier: Apache-2.0
// Graphs on a device: the software device, or with WARPLIGHT_TEST_DRIVER=cuda a GPU.
#include "graph_kernels.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <optional>
#include <thread>

using namespace warplight::driver;
using Words = std::vector<std::uint32_t>;

namespace {
std::size_t place_of(const Words& log, std::uint32_t tag) {
    return static_cast<std::size_t>(std::find(log.begin() + 1, log.end(), tag) - log.begin());
}
} // namespace

class GraphTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;
    std::optional<Function> add_, multiply_, append_, meet_, nothing_;
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
        append_ = module_->get_function("append");
        meet_ = module_->get_function("meet");
        nothing_ = module_->get_function("nothing");
        stream_.emplace(stream_flags::NON_BLOCKING);
    }
    void cleanupTestCase() {
        stream_.reset();
        for (auto* function : {&add_, &multiply_, &append_, &meet_, &nothing_})
            function->reset();
        module_.reset();
        Context::pop();
        context_.reset();
    }

    /// Every kind of node that any device has, one after the other, results by values.
    void nodes_in_a_row() {
        const DeviceAllocation memory = zeros(1024), other = zeros(1024);
        Words host(1024), back(1024);
        std::iota(host.begin(), host.end(), 0u);
        std::atomic<int> called = 0;
        Graph graph;
        const GraphNode in = graph.add_memcpy_htod_node({}, memory, host);
        const GraphNode kernel = graph.add_kernel_node({in}, *add_, {.grid = {4}, .block = {256}}, memory, 7u, 1024u);
        const GraphNode copy = graph.add_memcpy_dtod_node({kernel}, other, memory, 4096);
        const GraphNode fill = graph.add_memset_node({copy}, {.dest = other.get(), .value = 1, .width = 10});
        const GraphNode empty = graph.add_empty_node({fill});
        const GraphNode call = graph.add_host_node({empty}, [&] { ++called; });
        const GraphNode out = graph.add_memcpy_dtoh_node({call}, back, other);
        QVERIFY(in.get_type() == graph_node_type::MEMCPY && kernel.get_type() == graph_node_type::KERNEL);
        QVERIFY(fill.get_type() == graph_node_type::MEMSET && empty.get_type() == graph_node_type::EMPTY);
        QVERIFY(call.get_type() == graph_node_type::HOST && out.get_type() == graph_node_type::MEMCPY);
        const GraphExec exec = graph.instantiate();
        QCOMPARE(called.load(), 0);
        run(exec);
        QCOMPARE(called.load(), 1);
        for (std::uint32_t i = 0; i < 1024; ++i)
            QCOMPARE(back[i], i < 10 ? 1u : i + 7);
        // Again, with what the host memory holds now.
        std::fill(host.begin(), host.end(), 100u);
        exec.upload(*stream_);
        run(exec);
        QCOMPARE(called.load(), 2);
        QCOMPARE(back[500], 107u);
    }

    void structure() {
        Graph graph;
        QCOMPARE(graph.get_nodes().size(), std::size_t{0});
        const GraphNode a = graph.add_empty_node({}), b = graph.add_empty_node({}), c = graph.add_empty_node({a, b}),
                        d = graph.add_empty_node({});
        QCOMPARE(graph.get_nodes().size(), std::size_t{4});
        QCOMPARE(graph.get_root_nodes().size(), std::size_t{3});
        QCOMPARE(graph.get_edges().size(), std::size_t{2});
        QCOMPARE(c.get_dependencies().size(), std::size_t{2});
        QVERIFY(a.get_dependent_nodes() == (std::vector<GraphNode>{c}));
        QVERIFY(a.get_dependencies().empty() && d.get_dependent_nodes().empty());
        graph.add_dependency(c, d);
        QCOMPARE(graph.get_root_nodes().size(), std::size_t{2});
        QVERIFY(d.get_dependencies() == (std::vector<GraphNode>{c}));
        QVERIFY(code_of([&] { graph.add_dependency(c, d); }) == kInvalidValue); // there already
        graph.remove_dependency(a, c);
        QVERIFY(c.get_dependencies() == (std::vector<GraphNode>{b}));
        QVERIFY(code_of([&] { graph.remove_dependency(a, c); }) == kInvalidValue);
        const auto edges = graph.get_edges();
        QCOMPARE(edges.size(), std::size_t{2});
        for (const GraphEdge& edge : edges) {
            QVERIFY((edge.from == b && edge.to == c) || (edge.from == c && edge.to == d));
            QVERIFY(edge.type == graph_dependency_type::DEFAULT && edge.from_port == 0);
        }
        graph.destroy_node(b);
        QCOMPARE(graph.get_nodes().size(), std::size_t{3});
        QVERIFY(c.get_dependencies().empty());
        QCOMPARE(code_of([&] { b.get_type(); }), -1);
        QCOMPARE(code_of([&] { graph.destroy_node(b); }), -1);
        QCOMPARE(code_of([&] { graph.add_empty_node({b}); }), -1);
        QCOMPARE(code_of([] { GraphNode().get_type(); }), -1);
        const Graph other;
        QCOMPARE(code_of([&] { other.add_empty_node({a}); }), -1); // a node of another graph
        QCOMPARE(code_of([&] { other.add_dependency(a, c); }), -1);
        QVERIFY(code_of([&] { graph.add_empty_node({a, a}); }) == kInvalidValue);
        QVERIFY(graph.describe().find("graph") != std::string::npos);
        Graph moved = std::move(graph);
        QCOMPARE(code_of([&] { graph.get_nodes(); }), -1);
        QCOMPARE(moved.get_nodes().size(), std::size_t{3});
    }

    void circles_are_refused() {
        Graph graph;
        const GraphNode a = graph.add_empty_node({}), b = graph.add_empty_node({a});
        // Some drivers object to the edge, the others to what has it.
        QVERIFY(code_of([&] {
                    graph.add_dependency(b, a);
                    graph.instantiate();
                }) == kInvalidValue);
    }

    /// A diamond: the ends are in order, whatever the two in the middle do.
    void order_of_dependencies() {
        const DeviceAllocation log = zeros(16);
        Graph graph;
        const LaunchConfig one{.grid = {1}, .block = {1}};
        const GraphNode last = graph.add_kernel_node({}, *append_, one, log, 4u);
        const GraphNode first = graph.add_kernel_node({}, *append_, one, log, 1u);
        for (std::uint32_t tag : {2u, 3u}) {
            const GraphNode middle = graph.add_kernel_node({first}, *append_, one, log, tag);
            graph.add_dependency(middle, last);
        }
        const GraphExec exec = graph.instantiate();
        for (int i = 0; i < 50; ++i) {
            clear(log);
            run(exec);
            const Words order = words_of(log, 5);
            QCOMPARE(order[0], 4u);
            QCOMPARE(order[1], 1u);
            QCOMPARE(order[4], 4u);
            QCOMPARE(order[2] + order[3], 5u);
        }
    }

    /// A grid of nodes, each after its two neighbours: the order of every pair is checked.
    void many_nodes() {
        constexpr std::uint32_t side = 8;
        const DeviceAllocation log = zeros(1 + side * side);
        Graph graph;
        std::vector<GraphNode> nodes;
        for (std::uint32_t i = 0; i < side * side; ++i) {
            GraphNodes before;
            if (i >= side) before.push_back(nodes[i - side]);
            if (i % side != 0) before.push_back(nodes[i - 1]);
            nodes.push_back(graph.add_kernel_node(before, *append_, {.grid = {1}, .block = {1}}, log, i + 1));
        }
        run(graph.instantiate());
        const Words order = words_of(log, 1 + side * side);
        QCOMPARE(order[0], side * side);
        for (std::uint32_t i = 0; i < side * side; ++i) {
            if (i >= side) QVERIFY(place_of(order, i - side + 1) < place_of(order, i + 1));
            if (i % side != 0) QVERIFY(place_of(order, i) < place_of(order, i + 1));
        }
    }

    void branches_run_side_by_side() {
        const DeviceAllocation flags = zeros(4);
        Graph graph;
        const GraphNode begin = graph.add_memset_node({}, {.dest = flags.get(), .value = 0, .width = 4});
        graph.add_kernel_node({begin}, *meet_, {.grid = {1}, .block = {1}}, flags, 0u, 1u);
        graph.add_kernel_node({begin}, *meet_, {.grid = {1}, .block = {1}}, flags, 1u, 0u);
        const GraphExec exec = graph.instantiate();
        for (int i = 0; i < 5; ++i) {
            run(exec);
            QCOMPARE(words_of(flags, 4), (Words{1, 1, 1, 1}));
        }
    }

    void order_with_its_stream() {
        const DeviceAllocation memory = zeros(256);
        Graph graph;
        graph.add_kernel_node({}, *multiply_, {.grid = {1}, .block = {256}}, memory, 3u, 256u);
        graph.add_kernel_node({}, *nothing_, {.grid = {1}, .block = {1}});
        const GraphExec exec = graph.instantiate();
        const LaunchConfig here{.grid = {1}, .block = {256}, .stream = &*stream_};
        std::uint32_t expected = 0;
        for (std::uint32_t i = 0; i < 10; ++i) {
            (*add_)(here, memory, i, 256u);
            exec.launch(*stream_);
            expected = (expected + i) * 3;
        }
        stream_->synchronize();
        QCOMPARE(words_of(memory, 256), Words(256, expected));
        exec.launch(); // the default stream
        context_->synchronize();
        QCOMPARE(words_of(memory, 256), Words(256, expected * 3));
    }

    /// Launches of one executable graph follow each other even from different streams.
    void never_beside_itself() {
        const DeviceAllocation memory = zeros(1);
        std::atomic<int> inside = 0, most = 0, calls = 0;
        Graph graph;
        const GraphNode enter = graph.add_host_node({}, [&] {
            const int now = ++inside;
            most = std::max(most.load(), now);
            ++calls;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        });
        const GraphNode work = graph.add_kernel_node({enter}, *add_, {.grid = {1}, .block = {1}}, memory, 1u, 1u);
        graph.add_host_node({work}, [&] { --inside; });
        const GraphExec exec = graph.instantiate();
        const Stream a(stream_flags::NON_BLOCKING), b(stream_flags::NON_BLOCKING);
        for (int i = 0; i < 10; ++i) {
            exec.launch(a);
            exec.launch(b);
        }
        a.synchronize();
        b.synchronize();
        QCOMPARE(most.load(), 1);
        QCOMPARE(calls.load(), 20);
        QCOMPARE(words_of(memory, 1), (Words{20}));
    }

    void parameters_of_nodes() {
        const DeviceAllocation memory = zeros(64), other = zeros(64);
        Words host(32, 5);
        Graph graph;
        const GraphNode kernel =
            graph.add_kernel_node({}, *add_, {.grid = {2, 1, 1}, .block = {32, 1, 1}}, memory, 7u, 64u);
        QCOMPARE(kernel.get_grid().x, 2u);
        QCOMPARE(kernel.get_block().x, 32u);
        QCOMPARE(kernel.get_shared(), std::size_t{0});
        QVERIFY(kernel.get_function() == add_->handle());
        std::uint32_t value = 0;
        std::memcpy(&value, kernel.get_argument(1, 4).data(), 4);
        QCOMPARE(value, 7u);
        kernel.set_kernel(*add_, {.grid = {1}, .block = {64}}, memory, 9u, 64u);
        QCOMPARE(kernel.get_block().x, 64u);
        const GraphNode fill = graph.add_memset_node(
            {kernel}, {.dest = other.get(), .value = 3, .element_size = 2, .width = 4, .height = 1});
        QCOMPARE(fill.get_memset().dest, other.get());
        QCOMPARE(fill.get_memset().element_size, 2u);
        QCOMPARE(fill.get_memset().width, std::size_t{4});
        fill.set_memset({.dest = other.get(), .value = 4, .element_size = 4, .width = 2, .height = 1});
        QCOMPARE(fill.get_memset().value, 4u);
        const GraphNode copy = graph.add_memcpy_htod_node({fill}, other + 128, host);
        QCOMPARE(copy.get_memcpy_bytes(), std::size_t{128});
        copy.set_memcpy_htod(other + 128, warplight::ConstBuffer(host.data(), 64));
        QCOMPARE(copy.get_memcpy_bytes(), std::size_t{64});
        int called = 0;
        const GraphNode call = graph.add_host_node({copy}, [&] { called = 1; });
        call.set_host_function([&] { called = 2; });
        kernel.set_priority(0);
        QCOMPARE(kernel.get_priority(), 0);
        QVERIFY(!kernel.get_cooperative());
        run(graph.instantiate());
        QCOMPARE(called, 2);
        QCOMPARE(words_of(memory, 64), Words(64, 9));
        const Words second = words_of(other, 64);
        QCOMPARE(second[0], 4u);
        QCOMPARE(second[1], 4u);
        QCOMPARE(second[2], 0u);
        QCOMPARE(second[32], 5u);
        QCOMPARE(second[47], 5u);
        QCOMPARE(second[48], 0u);
        // Each is asked for what it is not.
        QCOMPARE(code_of([&] { kernel.get_memset(); }), -1);
        QCOMPARE(code_of([&] { fill.get_grid(); }), -1);
        QCOMPARE(code_of([&] { call.get_memcpy_bytes(); }), -1);
        QCOMPARE(code_of([&] { copy.get_event(); }), -1);
        QCOMPARE(code_of([&] { copy.get_address(); }), -1);
        QCOMPARE(code_of([&] { copy.get_child_graph(); }), -1);
        QCOMPARE(code_of([&] { copy.get_memory_operations(); }), -1);
    }

    void fills_and_copies_in_two_dimensions() {
        const PitchedAllocation pitched = mem_alloc_pitch(40, 5, 4);
        memset_d8(pitched.allocation, 0, pitched.pitch * 5);
        context_->synchronize();
        Graph graph;
        graph.add_memset_node({}, {.dest = pitched.allocation.get(),
                                   .pitch = pitched.pitch,
                                   .value = 6,
                                   .element_size = 1,
                                   .width = 33,
                                   .height = 5});
        run(graph.instantiate());
        std::vector<std::uint8_t> bytes(pitched.pitch * 5);
        memcpy_dtoh(bytes, pitched.allocation);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            QCOMPARE(static_cast<int>(bytes[i]), i % pitched.pitch < 33 ? 6 : 0);
    }

    void child_graphs() {
        const DeviceAllocation memory = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        Graph child;
        const GraphNode inner = child.add_kernel_node({}, *multiply_, four, memory, 2u, 4u);
        Graph graph;
        const GraphNode before = graph.add_kernel_node({}, *add_, four, memory, 3u, 4u);
        const GraphNode embedded = graph.add_child_graph_node({before}, child);
        graph.add_kernel_node({embedded}, *add_, four, memory, 1u, 4u);
        QVERIFY(embedded.get_type() == graph_node_type::GRAPH);
        QCOMPARE(embedded.get_child_graph().get_nodes().size(), std::size_t{1});
        QVERIFY(embedded.get_child_graph().get_nodes()[0] != inner); // a copy
        child.destroy_node(inner);
        const GraphExec exec = graph.instantiate();
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 7));
        Graph another;
        another.add_kernel_node({}, *multiply_, four, memory, 10u, 4u);
        exec.set_child_graph(embedded, another);
        run(exec);
        QCOMPARE(words_of(memory, 4), Words(4, 101));
        Graph wrong;
        wrong.add_empty_node({});
        QVERIFY(code_of([&] { exec.set_child_graph(embedded, wrong); }) != 0);
    }

    void events_in_graphs() {
        const DeviceAllocation memory = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        Event done, second;
        Graph producer;
        const GraphNode work = producer.add_kernel_node({}, *add_, four, memory, 3u, 4u);
        const GraphNode record = producer.add_event_record_node({work}, done);
        QVERIFY(record.get_type() == graph_node_type::EVENT_RECORD);
        QVERIFY(record.get_event() == done.handle());
        Graph consumer;
        const GraphNode wait = consumer.add_event_wait_node({}, done);
        consumer.add_kernel_node({wait}, *multiply_, four, memory, 5u, 4u);
        QVERIFY(wait.get_type() == graph_node_type::WAIT_EVENT);
        const Stream other(stream_flags::NON_BLOCKING);
        const GraphExec produce = producer.instantiate(), consume = consumer.instantiate();
        produce.launch(*stream_);
        consume.launch(other);
        other.synchronize();
        QCOMPARE(words_of(memory, 4), Words(4, 15));
        QVERIFY(done.query());
        // With another event, in the executable graphs and in the nodes.
        produce.set_event(record, second);
        consume.set_event(wait, second);
        produce.launch(*stream_);
        consume.launch(other);
        second.synchronize();
        other.synchronize();
        QCOMPARE(words_of(memory, 4), Words(4, 90));
        record.set_event(second);
        QVERIFY(record.get_event() == second.handle());
        wait.set_event(second);
        QVERIFY(wait.get_event() == second.handle());
    }

    void clones() {
        const DeviceAllocation memory = zeros(4);
        const LaunchConfig four{.grid = {1}, .block = {4}};
        Graph graph;
        const GraphNode first = graph.add_kernel_node({}, *add_, four, memory, 3u, 4u);
        const GraphNode then = graph.add_kernel_node({first}, *multiply_, four, memory, 4u, 4u);
        const Graph copy = graph.clone();
        const GraphNode twin = copy.find_in_clone(first);
        QVERIFY(twin != first && twin.get_type() == graph_node_type::KERNEL);
        QVERIFY(copy.find_in_clone(then).get_dependencies() == (std::vector<GraphNode>{twin}));
        twin.set_kernel(*add_, four, memory, 10u, 4u);
        run(graph.instantiate());
        QCOMPARE(words_of(memory, 4), Words(4, 12));
        run(copy.instantiate());
        QCOMPARE(words_of(memory, 4), Words(4, 88));
        const Graph stranger;
        QVERIFY(code_of([&] { stranger.find_in_clone(first); }) == kInvalidValue);
        copy.destroy_node(twin);
        QVERIFY(code_of([&] { copy.find_in_clone(first); }) == kInvalidValue);
    }

    void memory_operations() {
        const DeviceAllocation memory = zeros(4);
        using Type = stream_batch_mem_op_type;
        const std::vector<MemoryOperation> operations{
            {Type::WRITE_VALUE_32, memory.get(), 5, 0},
            {Type::WAIT_VALUE_32, memory.get(), 5, stream_wait_value_flags::EQ},
            {Type::WRITE_VALUE_32, memory.get() + 4, 6, 0}};
        Graph graph;
        const GraphNode node = graph.add_batch_mem_op_node({}, operations);
        QVERIFY(node.get_type() == graph_node_type::BATCH_MEM_OP);
        QCOMPARE(node.get_memory_operations().size(), std::size_t{3});
        QCOMPARE(node.get_memory_operations()[2].value, std::uint64_t{6});
        const GraphExec exec = graph.instantiate();
        run(exec);
        QCOMPARE(words_of(memory, 2), (Words{5, 6}));
        auto changed = operations;
        changed[2].value = 8;
        exec.set_memory_operations(node, changed);
        run(exec);
        QCOMPARE(words_of(memory, 2), (Words{5, 8}));
        node.set_memory_operations(changed);
        QCOMPARE(node.get_memory_operations()[2].value, std::uint64_t{8});
    }

    void dot_text() {
        const DeviceAllocation memory = zeros(4);
        Graph graph;
        const GraphNode first = graph.add_empty_node({});
        graph.add_kernel_node({first}, *add_, {.grid = {1}, .block = {4}}, memory, 1u, 4u);
        QTemporaryDir folder;
        const QString path = folder.filePath("graph.dot");
        graph.debug_dot_print(path.toStdString(), graph_debug_dot_flags::VERBOSE);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("digraph") && text.contains("->") && text.contains("add"), text.constData());
        QVERIFY(code_of([&] { graph.debug_dot_print(folder.filePath("none/graph.dot").toStdString()); }) != 0);
    }

    void user_objects() {
        std::atomic<int> destroyed = 0;
        const auto gone = [&](int count) {
            for (int i = 0; i < 5000 && destroyed != count; ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return destroyed == count;
        };
        {
            const UserObject object([&] { ++destroyed; });
        }
        QVERIFY(gone(1));
        std::optional<Graph> graph(std::in_place), copy;
        {
            const UserObject object([&] { ++destroyed; });
            graph->retain_user_object(object, 2);
            graph->release_user_object(object);
            QVERIFY(code_of([&] { graph->retain_user_object(object, 0); }) == kInvalidValue);
        }
        graph->add_empty_node({});
        copy = graph->clone();
        std::optional<GraphExec> exec(graph->instantiate());
        graph.reset();
        copy.reset();
        QCOMPARE(destroyed.load(), 1); // the executable graph, which keeps the graph's own handle, is left
        run(*exec);
        exec.reset();
        QVERIFY(gone(2));
    }

    void refused() {
        const DeviceAllocation memory = zeros(16);
        Words host(16);
        Graph graph;
        const LaunchConfig one{.grid = {1}, .block = {1}};
        QCOMPARE(code_of([&] { graph.add_kernel_node({}, *add_, one, memory, 1u); }), -1); // an argument too few
        QCOMPARE(code_of([&] { graph.add_kernel_node({}, *add_, one, memory, 1.5, 1u); }), -1);
        QCOMPARE(code_of([&] { graph.add_kernel_node({}, *add_, {.grid = {1}}, memory, 1u, 1u); }), -1);
        QCOMPARE(code_of([&] { graph.add_kernel_node({}, *add_, one, In(host), 1u, 1u); }), -1);
        QVERIFY(code_of([&] {
                    graph.add_kernel_node({}, *add_, {.grid = {1}, .block = {2048}}, memory, 1u, 1u);
                    graph.instantiate();
                }) != 0);
        QCOMPARE(code_of([&] { graph.add_memcpy_htod_node({}, memory + 4, host); }), -1); // past the end
        QCOMPARE(code_of([&] { graph.add_host_node({}, nullptr); }), -1);
        QVERIFY(code_of([&] {
                    graph.add_memset_node({}, {.dest = memory.get(), .value = 0, .element_size = 3, .width = 1});
                }) == kInvalidValue);
        QVERIFY(code_of([&] { graph.instantiate(0x100); }) == kInvalidValue);
        // Both at once are not possible.
        QVERIFY(code_of([&] {
                    graph.instantiate(graph_instantiate_flags::AUTO_FREE_ON_LAUNCH |
                                      graph_instantiate_flags::DEVICE_LAUNCH);
                }) == kInvalidValue);
    }

    void after_the_context() {
        Context other = Device(0).make_context();
        std::optional<Graph> graph(std::in_place);
        const GraphNode node = graph->add_empty_node({});
        std::optional<GraphExec> exec(graph->instantiate());
        Context::pop();
        exec->launch(); // in its own context, whatever is current
        other.synchronize();
        other.detach();
        QVERIFY_THROWS_EXCEPTION(LogicError, graph->add_empty_node({}));
        QVERIFY_THROWS_EXCEPTION(LogicError, node.get_type());
        QVERIFY_THROWS_EXCEPTION(LogicError, exec->launch());
        QVERIFY_THROWS_EXCEPTION(LogicError, graph->instantiate());
    }
};

QTEST_GUILESS_MAIN(GraphTest)
#include "graph_test.moc"
