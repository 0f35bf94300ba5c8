// SPDX-License-Identifier: Apache-2.0
// Eight threads and all devices (two software devices): each makes streams, events, memory, modules and graphs, hands
// them to the others, and uses and frees what it gets from them.
#include "graph_kernels.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

using namespace warplight::driver;

namespace {

constexpr unsigned kThreads = 8, kRounds = 24, kWords = 256;

/// What goes from thread to thread: memory in which `expected` will be when the event is done.
struct Parcel {
    std::size_t device = 0;
    std::uint32_t expected = 0;
    Stream stream{stream_flags::NON_BLOCKING};
    Event ready;
    DeviceAllocation memory = mem_alloc(kWords * 4);
    std::optional<Module> module;
    std::optional<GraphExec> graph;
};

class Exchange {
public:
    /// Leaves one, takes another one; null while there is none.
    std::unique_ptr<Parcel> swap(std::unique_ptr<Parcel> mine, std::size_t slot) {
        const std::scoped_lock lock(mutex_);
        std::swap(slots_[slot % slots_.size()], mine);
        return mine;
    }

private:
    std::mutex mutex_;
    std::array<std::unique_ptr<Parcel>, 3> slots_;
};

struct Shared {
    std::vector<Context> contexts;
    std::vector<Module> modules; ///< one a context
    std::vector<Function> add, multiply;
    Exchange exchange;
    std::atomic<unsigned> called = 0, checked = 0;
    std::mutex mutex;
    std::string problem;
};

std::unique_ptr<Parcel> make(Shared& shared, unsigned thread, unsigned round) {
    const std::size_t device = (thread + round) % shared.contexts.size();
    const ContextScope scope(shared.contexts[device]);
    auto parcel = std::make_unique<Parcel>();
    parcel->device = device;
    Function add = shared.add[device];
    if (round % 4 == 0) { // one of its own, which goes with the parcel
        parcel->module = module_from_buffer(std::string_view(kGraphKernels));
        add = parcel->module->get_function("add");
    }
    const std::uint32_t value = thread * 1000 + round;
    memset_d32_async(parcel->memory, value, kWords, &parcel->stream);
    for (std::uint32_t i = 1; i <= 3; ++i)
        add({.grid = {2}, .block = {128}, .stream = &parcel->stream}, parcel->memory, i, kWords);
    parcel->expected = value + 6;
    if (round % 3 == 0) {
        Graph graph;
        const LaunchConfig config{.grid = {2}, .block = {128}};
        const GraphNode first = graph.add_kernel_node({}, add, config, parcel->memory, 10u, kWords);
        const GraphNode call = graph.add_host_node({first}, [&shared] { ++shared.called; });
        graph.add_kernel_node({call}, add, config, parcel->memory, 100u, kWords);
        parcel->graph = graph.instantiate();
        parcel->graph->launch(parcel->stream);
        parcel->expected += 110;
    }
    parcel->stream.launch_host_func([&shared] { ++shared.called; });
    parcel->ready.record(parcel->stream);
    return parcel;
}

void use(Shared& shared, Parcel& parcel) {
    // In a stream of this thread, behind what another thread queued, and once more in that thread's own.
    const ContextScope scope(shared.contexts[parcel.device]);
    const Stream stream(stream_flags::NON_BLOCKING);
    stream.wait_for_event(parcel.ready);
    const LaunchConfig config{.grid = {2}, .block = {128}, .stream = &stream};
    shared.multiply[parcel.device](config, parcel.memory, 3u, kWords);
    Event after;
    after.record(stream);
    parcel.stream.wait_for_event(after);
    shared.add[parcel.device]({.grid = {2}, .block = {128}, .stream = &parcel.stream}, parcel.memory, 7u, kWords);
    std::uint32_t expected = parcel.expected * 3 + 7;
    if (parcel.graph) {
        parcel.graph->launch(parcel.stream);
        expected += 110;
    }
    parcel.stream.add_callback([&shared](int) { ++shared.called; });
    std::vector<std::uint32_t> words(kWords);
    memcpy_dtoh_async(words, parcel.memory, &parcel.stream);
    parcel.stream.synchronize();
    for (const std::uint32_t word : words)
        if (word != expected) {
            const std::scoped_lock lock(shared.mutex);
            shared.problem = std::to_string(word) + " instead of " + std::to_string(expected);
        }
    ++shared.checked;
}

} // namespace

class ThreadsTest : public QObject {
    Q_OBJECT
private slots:
    void objects_go_from_thread_to_thread() {
        const Driver driver = test_driver();
        Shared shared;
        for (int number = 0; number < Device::count(driver); ++number) {
            shared.contexts.push_back(Device(number, driver).make_context());
            shared.modules.push_back(module_from_buffer(std::string_view(kGraphKernels)));
            shared.add.push_back(shared.modules.back().get_function("add"));
            shared.multiply.push_back(shared.modules.back().get_function("multiply"));
            Context::pop();
        }
        if (driver.name() == "software") QCOMPARE(shared.contexts.size(), std::size_t{2});
        std::vector<std::thread> threads;
        for (unsigned thread = 0; thread < kThreads; ++thread)
            threads.emplace_back([&shared, thread] {
                try {
                    for (unsigned round = 0; round < kRounds; ++round) {
                        auto parcel = shared.exchange.swap(make(shared, thread, round), thread + round * 5);
                        if (parcel) use(shared, *parcel);
                    }
                } catch (const std::exception& error) {
                    const std::scoped_lock lock(shared.mutex);
                    shared.problem = error.what();
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        // What is left in the slots.
        for (std::size_t slot = 0; slot < 3; ++slot)
            if (const auto parcel = shared.exchange.swap(nullptr, slot)) use(shared, *parcel);
        QVERIFY2(shared.problem.empty(), shared.problem.c_str());
        QCOMPARE(shared.checked.load(), kThreads * kRounds);
        // A function and a callback for each, and twice one node of the graphs.
        QCOMPARE(shared.called.load(), kThreads * kRounds * 2 + kThreads * kRounds / 3 * 2);
    }
};

QTEST_GUILESS_MAIN(ThreadsTest)
#include "threads_test.moc"
