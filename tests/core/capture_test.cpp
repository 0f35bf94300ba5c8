// SPDX-License-Identifier: Apache-2.0
// Capturing streams into graphs on a device: the software device, or with WARPLIGHT_TEST_DRIVER=cuda a GPU.
#include "graph_kernels.hpp"
#include "warplight/array.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/module.hpp"
#include "warplight/profiler.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <functional>
#include <optional>
#include <thread>

using namespace warplight::driver;
using Words = std::vector<std::uint32_t>;

namespace {
constexpr unsigned kExternal = 1; // event_record_flags::EXTERNAL, event_wait_flags::EXTERNAL
}

class CaptureTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;
    std::optional<Function> add_, multiply_;
    std::optional<Stream> stream_, other_;

    LaunchConfig four(const Stream& stream) const { return {.grid = {1}, .block = {4}, .stream = &stream}; }
    void run(const GraphExec& exec) {
        exec.launch(*stream_);
        stream_->synchronize();
    }
    /// The capture failed: it is ended, and the stream works as before.
    void ends_with(int code) {
        QVERIFY(stream_->is_capturing() != stream_capture_status::NONE);
        QCOMPARE(code_of([&] { stream_->end_capture(); }), code);
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        const DeviceAllocation memory = zeros(4);
        (*add_)(four(*stream_), memory, 1u, 4u);
        stream_->synchronize();
        QCOMPARE(words_of(memory, 4), Words(4, 1));
    }

private slots:
    void initTestCase() {
        Driver::set_default(test_driver());
        context_ = Device(0).make_context();
        module_ = module_from_buffer(std::string_view(kGraphKernels));
        add_ = module_->get_function("add");
        multiply_ = module_->get_function("multiply");
        stream_.emplace(stream_flags::NON_BLOCKING);
        other_.emplace(stream_flags::NON_BLOCKING);
        // Loaded before anything is captured.
        const DeviceAllocation memory = zeros(4);
        (*add_)(four(*stream_), memory, 1u, 4u);
        (*multiply_)(four(*stream_), memory, 1u, 4u);
        stream_->synchronize();
    }
    void cleanupTestCase() {
        stream_.reset();
        other_.reset();
        add_.reset();
        multiply_.reset();
        module_.reset();
        Context::pop();
        context_.reset();
    }

    void everything_in_a_row() {
        const DeviceAllocation memory = zeros(4), second = zeros(4);
        const warplight::NdArray host = pagelocked_zeros({4}, warplight::DType::uint32()),
                                 back = pagelocked_zeros({4}, warplight::DType::uint32());
        auto* words = reinterpret_cast<std::uint32_t*>(host.mutable_bytes().data());
        std::fill(words, words + 4, 3u);
        int called = 0;
        const Graph graph = capture(*stream_, [&] {
            memcpy_htod_async(memory, host, &*stream_);
            (*add_)(four(*stream_), memory, 4u, 4u);
            memcpy_dtod_async(second, memory, 16, &*stream_);
            memset_d32_async(second, 100, 1, &*stream_);
            stream_->launch_host_func([&] { ++called; });
            memcpy_dtoh_async(back, second, &*stream_);
        });
        // Nothing has run.
        QCOMPARE(called, 0);
        QCOMPARE(words_of(memory, 4), Words(4, 0));
        const auto nodes = graph.get_nodes();
        QCOMPARE(nodes.size(), std::size_t{6});
        QCOMPARE(graph.get_edges().size(), std::size_t{5});
        QCOMPARE(graph.get_root_nodes().size(), std::size_t{1});
        std::vector<graph_node_type> types;
        GraphNode node = graph.get_root_nodes()[0];
        for (;;) {
            types.push_back(node.get_type());
            const auto next = node.get_dependent_nodes();
            if (next.empty()) break;
            node = next[0];
        }
        using Type = graph_node_type;
        QVERIFY(types ==
                (std::vector<Type>{Type::MEMCPY, Type::KERNEL, Type::MEMCPY, Type::MEMSET, Type::HOST, Type::MEMCPY}));
        const GraphExec exec = graph.instantiate();
        run(exec);
        QCOMPARE(called, 1);
        QCOMPARE((back.at<std::uint32_t>(0)), 100u);
        QCOMPARE((back.at<std::uint32_t>(3)), 7u);
        std::fill(words, words + 4, 10u);
        run(exec);
        QCOMPARE(called, 2);
        QCOMPARE((back.at<std::uint32_t>(3)), 14u);
    }

    void status() {
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        QVERIFY(stream_->get_capture_info().status == stream_capture_status::NONE);
        const DeviceAllocation memory = zeros(4);
        stream_->begin_capture();
        QVERIFY(stream_->is_capturing() == stream_capture_status::ACTIVE);
        QVERIFY(other_->is_capturing() == stream_capture_status::NONE);
        const CaptureInfo empty = stream_->get_capture_info();
        QVERIFY(empty.graph && empty.dependencies.empty() && empty.id != 0);
        (*add_)(four(*stream_), memory, 1u, 4u);
        const CaptureInfo info = stream_->get_capture_info();
        QCOMPARE(info.id, empty.id);
        QCOMPARE(info.dependencies.size(), std::size_t{1});
        const Graph graph = stream_->end_capture();
        QVERIFY(graph.handle() == info.graph);
        QVERIFY(graph.get_nodes()[0].handle() == info.dependencies[0]);
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        stream_->begin_capture();
        QVERIFY(stream_->get_capture_info().id != info.id);
        QCOMPARE(stream_->end_capture().get_nodes().size(), std::size_t{0});
    }

    /// Events take the capture into another stream and back.
    void fork_and_join() {
        const DeviceAllocation memory = zeros(4), aside = zeros(4), meanwhile = zeros(4);
        Event fork, join;
        const Graph graph = capture(*stream_, [&] {
            (*add_)(four(*stream_), memory, 2u, 4u);
            fork.record(*stream_);
            other_->wait_for_event(fork);
            QVERIFY(other_->is_capturing() == stream_capture_status::ACTIVE);
            QCOMPARE(other_->get_capture_info().id, stream_->get_capture_info().id);
            memcpy_dtod_async(aside, memory, 16, &*other_);
            (*add_)(four(*other_), aside, 10u, 4u);
            join.record(*other_);
            (*add_)(four(*stream_), meanwhile, 100u, 4u);
            stream_->wait_for_event(join);
            memset_d32_async(aside, 1, 1, &*stream_);
        });
        QVERIFY(other_->is_capturing() == stream_capture_status::NONE);
        QCOMPARE(graph.get_nodes().size(), std::size_t{5});
        QCOMPARE(graph.get_edges().size(), std::size_t{5});
        QCOMPARE(graph.get_root_nodes().size(), std::size_t{1});
        QCOMPARE(graph.get_root_nodes()[0].get_dependent_nodes().size(), std::size_t{2});
        const GraphExec exec = graph.instantiate();
        for (std::uint32_t i = 1; i <= 5; ++i) {
            run(exec);
            QCOMPARE(words_of(memory, 4), Words(4, i * 2));
            QCOMPARE(words_of(meanwhile, 4), Words(4, i * 100));
            QCOMPARE(words_of(aside, 2), (Words{1, i * 2 + 10}));
        }
    }

    void dependencies_set_by_hand() {
        const DeviceAllocation memory = zeros(4);
        stream_->begin_capture();
        (*add_)(four(*stream_), memory, 1u, 4u);
        const auto first = stream_->get_capture_info().dependencies;
        stream_->update_capture_dependencies({}, stream_update_capture_dependencies_flags::SET);
        QVERIFY(stream_->get_capture_info().dependencies.empty());
        memset_d32_async(memory, 0, 4, &*stream_);
        stream_->update_capture_dependencies(first);
        QCOMPARE(stream_->get_capture_info().dependencies.size(), std::size_t{2});
        (*add_)(four(*stream_), memory, 1u, 4u);
        const Graph graph = stream_->end_capture();
        QCOMPARE(graph.get_root_nodes().size(), std::size_t{2});
        QCOMPARE(graph.get_edges().size(), std::size_t{2});
        QCOMPARE(code_of([&] { stream_->update_capture_dependencies({}); }), kIllegalState);
    }

    void into_a_graph() {
        const DeviceAllocation memory = zeros(4);
        Graph graph;
        const GraphNode first = graph.add_memset_node({}, {.dest = memory.get(), .value = 5, .width = 4});
        CUgraphNode_st* const before[] = {first.handle()};
        stream_->begin_capture_to_graph(graph, before);
        (*multiply_)(four(*stream_), memory, 3u, 4u);
        stream_->end_capture_to_graph();
        QCOMPARE(graph.get_nodes().size(), std::size_t{2});
        QCOMPARE(first.get_dependent_nodes().size(), std::size_t{1});
        run(graph.instantiate());
        QCOMPARE(words_of(memory, 4), Words(4, 15));
    }

    void events_of_the_graphs_own() {
        const DeviceAllocation memory = zeros(4);
        Event before, after;
        const Graph graph = capture(*stream_, [&] {
            stream_->wait_for_event(before, kExternal);
            (*add_)(four(*stream_), memory, 2u, 4u);
            after.record_with_flags(&*stream_, kExternal);
        });
        QCOMPARE(graph.get_nodes().size(), std::size_t{3});
        const GraphExec exec = graph.instantiate();
        memset_d32_async(memory, 40, 4, &*other_);
        before.record(*other_);
        exec.launch(*stream_);
        after.synchronize();
        QVERIFY(after.query());
        QCOMPARE(words_of(memory, 4), Words(4, 42));
    }

    void launches_of_graphs_are_not_captured() {
        const DeviceAllocation memory = zeros(4);
        Graph inner;
        inner.add_kernel_node({}, *add_, {.grid = {1}, .block = {4}}, memory, 5u, 4u);
        const GraphExec inner_exec = inner.instantiate();
        for (const stream_capture_mode mode :
             {stream_capture_mode::GLOBAL, stream_capture_mode::THREAD_LOCAL, stream_capture_mode::RELAXED}) {
            stream_->begin_capture(mode);
            QCOMPARE(code_of([&] { inner_exec.launch(*stream_); }), kCaptureUnsupported);
            ends_with(kCaptureInvalidated);
            stream_->begin_capture(mode);
            QCOMPARE(code_of([&] { inner_exec.upload(*stream_); }), kCaptureUnsupported);
            ends_with(kCaptureInvalidated);
        }
        QCOMPARE(words_of(memory, 4), Words(4, 0));
    }

    void values_are_captured() {
        const DeviceAllocation memory = zeros(4);
        const Graph graph = capture(*stream_, [&] {
            stream_->write_value_32(memory, 7);
            stream_->wait_value_32(memory, 7, stream_wait_value_flags::EQ);
        });
        QVERIFY(graph.get_root_nodes()[0].get_type() == graph_node_type::BATCH_MEM_OP);
        run(graph.instantiate());
        QCOMPARE(words_of(memory, 1), (Words{7}));
    }

    void an_exception_ends_it() {
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, capture(*stream_, [] { throw std::runtime_error("no"); }));
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        {
            const CaptureGuard guard(*stream_);
            QVERIFY(stream_->is_capturing() == stream_capture_status::ACTIVE);
        }
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        CaptureGuard guard(*stream_);
        (void)guard.end();
        QCOMPARE(code_of([&] { (void)guard.end(); }), -1);
    }

    // What a capture forbids. Each leaves it invalid.

    void waiting_for_it() {
        stream_->begin_capture();
        QCOMPARE(code_of([&] { stream_->synchronize(); }), kCaptureUnsupported);
        QVERIFY(stream_->is_capturing() == stream_capture_status::INVALIDATED);
        ends_with(kCaptureInvalidated);
        stream_->begin_capture();
        QCOMPARE(code_of([&] { (void)stream_->is_done(); }), kCaptureUnsupported);
        ends_with(kCaptureInvalidated);
        stream_->begin_capture(stream_capture_mode::RELAXED);
        QCOMPARE(code_of([&] { context_->synchronize(); }), kCaptureUnsupported);
        ends_with(kCaptureInvalidated);
    }

    void callbacks() {
        stream_->begin_capture();
        QCOMPARE(code_of([&] { stream_->add_callback([](int) {}); }), kCaptureUnsupported);
        ends_with(kCaptureInvalidated);
    }

    void work_after_a_failure() {
        const DeviceAllocation memory = zeros(4);
        stream_->begin_capture();
        QCOMPARE(code_of([&] { stream_->synchronize(); }), kCaptureUnsupported);
        QCOMPARE(code_of([&] { (*add_)(four(*stream_), memory, 1u, 4u); }), kCaptureInvalidated);
        ends_with(kCaptureInvalidated);
        QCOMPARE(words_of(memory, 4), Words(4, 0));
    }

    void captured_events() {
        Event event;
        stream_->begin_capture();
        event.record(*stream_);
        QCOMPARE(code_of([&] { (void)event.query(); }), kCapturedEvent);
        ends_with(kCaptureInvalidated);
        stream_->begin_capture();
        event.record(*stream_);
        QCOMPARE(code_of([&] { event.synchronize(); }), kCapturedEvent);
        ends_with(kCaptureInvalidated);
        // Recorded anew, it is an event like any other.
        event.record(*stream_);
        event.synchronize();
        QVERIFY(event.query());
    }

    void unjoined() {
        const DeviceAllocation memory = zeros(4);
        Event fork;
        stream_->begin_capture();
        fork.record(*stream_);
        other_->wait_for_event(fork);
        (*add_)(four(*other_), memory, 1u, 4u);
        ends_with(kCaptureUnjoined);
        QVERIFY(other_->is_capturing() == stream_capture_status::NONE);
    }

    void unmatched() {
        Event fork;
        const DeviceAllocation memory = zeros(4);
        stream_->begin_capture();
        (*add_)(four(*stream_), memory, 1u, 4u);
        fork.record(*stream_);
        other_->wait_for_event(fork);
        QCOMPARE(code_of([&] { other_->end_capture(); }), kCaptureUnmatched);
        code_of([&] { stream_->end_capture(); });
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        QVERIFY(other_->is_capturing() == stream_capture_status::NONE);
    }

    void merged() {
        Event event;
        stream_->begin_capture();
        other_->begin_capture();
        event.record(*other_);
        QCOMPARE(code_of([&] { stream_->wait_for_event(event); }), kCaptureMerge);
        code_of([&] { other_->end_capture(); });
        ends_with(kCaptureInvalidated);
        QVERIFY(other_->is_capturing() == stream_capture_status::NONE);
    }

    void isolated() {
        Event event;
        event.record(*other_);
        stream_->begin_capture();
        QCOMPARE(code_of([&] { stream_->wait_for_event(event); }), kCaptureIsolation);
        ends_with(kCaptureInvalidated);
        other_->synchronize();
    }

    void wrong_thread() {
        stream_->begin_capture();
        int code = 0;
        std::thread([&] {
            const ContextScope scope(*context_);
            code = code_of([&] { stream_->end_capture(); });
        }).join();
        QCOMPARE(code, kCaptureWrongThread);
        code_of([&] { stream_->end_capture(); });
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        // A relaxed one may be ended anywhere.
        stream_->begin_capture(stream_capture_mode::RELAXED);
        std::thread([&] {
            const ContextScope scope(*context_);
            code = code_of([&] { stream_->end_capture(); });
        }).join();
        QCOMPARE(code, 0);
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
    }

    void the_default_stream() {
        const DeviceAllocation memory = zeros(4);
        const Stream legacy = Stream::from_native(nullptr), blocking;
        QCOMPARE(code_of([&] { legacy.begin_capture(); }), kCaptureUnsupported);
        blocking.begin_capture();
        QCOMPARE(code_of([&] { (void)legacy.is_capturing(); }), kCaptureImplicit);
        QVERIFY(blocking.is_capturing() == stream_capture_status::ACTIVE); // asking does no harm
        QCOMPARE(code_of([&] { (*add_)({.grid = {1}, .block = {4}}, memory, 1u, 4u); }), kCaptureImplicit);
        QVERIFY(blocking.is_capturing() == stream_capture_status::INVALIDATED);
        QCOMPARE(code_of([&] { blocking.end_capture(); }), kCaptureInvalidated);
        // One that does not block is none of the default stream's business.
        stream_->begin_capture();
        (*add_)({.grid = {1}, .block = {4}}, memory, 1u, 4u);
        QVERIFY(stream_->is_capturing() == stream_capture_status::ACTIVE);
        (void)stream_->end_capture();
        context_->synchronize();
        QCOMPARE(words_of(memory, 4), Words(4, 1));
    }

    void out_of_turn() {
        QCOMPARE(code_of([&] { stream_->end_capture(); }), kIllegalState);
        stream_->begin_capture();
        QVERIFY(code_of([&] { stream_->begin_capture(); }) != 0);
        code_of([&] { stream_->end_capture(); });
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
        QVERIFY(code_of([&] { stream_->begin_capture(static_cast<stream_capture_mode>(9)); }) == kInvalidValue);
        QVERIFY(stream_->is_capturing() == stream_capture_status::NONE);
    }

    void calls_that_graphs_do_not_repeat() {
        stream_->begin_capture(); // global
        QCOMPARE(code_of([] { mem_alloc(64); }), kCaptureUnsupported);
        ends_with(kCaptureInvalidated);
        stream_->begin_capture(stream_capture_mode::RELAXED);
        QCOMPARE(code_of([] { mem_alloc(64); }), 0);
        (void)stream_->end_capture();
        // The thread itself may ask for leave.
        stream_->begin_capture();
        {
            const CaptureModeScope relaxed(stream_capture_mode::RELAXED);
            QCOMPARE(code_of([] { mem_alloc(64); }), 0);
        }
        QVERIFY(stream_->is_capturing() == stream_capture_status::ACTIVE);
        // A global capture forbids it to other threads, too, unless they have it their own way.
        int global = 0, local = 0;
        std::thread([&] {
            const ContextScope scope(*context_);
            QVERIFY(exchange_stream_capture_mode(stream_capture_mode::THREAD_LOCAL) == stream_capture_mode::GLOBAL);
            local = code_of([] { mem_alloc(64); });
            QVERIFY(exchange_stream_capture_mode(stream_capture_mode::GLOBAL) == stream_capture_mode::THREAD_LOCAL);
            global = code_of([] { mem_alloc(64); });
        }).join();
        QCOMPARE(local, 0);
        QCOMPARE(global, kCaptureUnsupported);
        ends_with(kCaptureInvalidated);
        stream_->begin_capture(stream_capture_mode::THREAD_LOCAL);
        std::thread([&] {
            const ContextScope scope(*context_);
            global = code_of([] { mem_alloc(64); });
        }).join();
        QCOMPARE(global, 0);
        (void)stream_->end_capture();
        if (test_driver().name() == "software") // a driver takes any number
            QVERIFY(code_of([] { exchange_stream_capture_mode(static_cast<stream_capture_mode>(9)); }) ==
                    kInvalidValue);
    }

    /// Whatever would happen once instead of at each launch, in both strict modes; the relaxed one leaves it be.
    void more_calls_that_graphs_do_not_repeat() {
        const warplight::NdArray pages = aligned_zeros({4096}, warplight::DType::uint8());
        const std::vector<std::pair<const char*, std::function<void()>>> calls = {
            {"array", [] { const Array array(ArrayDescriptor{16, 8, array_format::FLOAT, 1}); }},
            {"limit", [] { Context::get_current().set_limit(limit::STACK_SIZE, 4096); }},
            {"cache", [] { Context::get_current().set_cache_config(func_cache::PREFER_NONE); }},
            {"register", [&] { const auto kept = register_host_memory(pages); }},
            {"profiler", [] { start_profiler(); }},
        };
        for (const auto& [name, call] : calls) {
            for (const stream_capture_mode mode : {stream_capture_mode::GLOBAL, stream_capture_mode::THREAD_LOCAL}) {
                stream_->begin_capture(mode);
                QVERIFY2(code_of(call) == kCaptureUnsupported, name);
                ends_with(kCaptureInvalidated);
            }
            stream_->begin_capture(stream_capture_mode::RELAXED);
            QVERIFY2(code_of(call) == 0, name);
            QVERIFY2(stream_->is_capturing() == stream_capture_status::ACTIVE, name);
            (void)stream_->end_capture();
        }
    }

    /// What goes out of scope meanwhile is freed: that is no part of the graph, and does not end the capture.
    void what_ends_meanwhile() {
        Graph graph;
        graph.add_empty_node({});
        for (const stream_capture_mode mode : {stream_capture_mode::GLOBAL, stream_capture_mode::THREAD_LOCAL}) {
            std::optional<DeviceAllocation> memory = zeros(4);
            std::optional<GraphExec> exec = graph.instantiate();
            std::optional<Module> module = module_from_buffer(std::string_view(kGraphKernels));
            std::optional<Array> array;
            std::optional<warplight::NdArray> pages = pagelocked_zeros({16}, warplight::DType::uint8());
            array.emplace(ArrayDescriptor{16, 8, array_format::FLOAT, 1});
            std::vector<std::string> reports;
            const auto before = set_cleanup_reporter([&](const Error& error) { reports.emplace_back(error.what()); });
            stream_->begin_capture(mode);
            memory.reset();
            exec.reset();
            module.reset();
            array.reset();
            pages.reset();
            const bool goes_on = stream_->is_capturing() == stream_capture_status::ACTIVE;
            const int code = code_of([] { mem_alloc(64); }); // it is as strict as before
            set_cleanup_reporter(before);
            QVERIFY2(reports.empty(), reports.empty() ? "" : reports.front().c_str());
            QVERIFY(goes_on);
            QCOMPARE(code, kCaptureUnsupported);
            ends_with(kCaptureInvalidated);
        }
    }

    /// Copies that are waited for are nothing to a capture, unless they wait for the stream itself.
    void copies_at_once() {
        const DeviceAllocation memory = zeros(4), second = zeros(4);
        stream_->begin_capture();
        memcpy_dtod(second, memory, 16);
        QCOMPARE(words_of(memory, 4), Words(4, 0));
        QVERIFY(stream_->is_capturing() == stream_capture_status::ACTIVE);
        (void)stream_->end_capture();
        const Stream blocking;
        blocking.begin_capture(stream_capture_mode::RELAXED);
        QCOMPARE(code_of([&] { memcpy_dtod(second, memory, 16); }), kCaptureImplicit);
        QCOMPARE(code_of([&] { blocking.end_capture(); }), kCaptureInvalidated);
    }
};

QTEST_GUILESS_MAIN(CaptureTest)
#include "capture_test.moc"
