// SPDX-License-Identifier: Apache-2.0
// Eight threads and all devices (two software devices): each makes streams, events, memory, modules and graphs, hands
// them to the others, and uses and frees what it gets from them; and all use the same ones at once.
#include "threads.hpp"
#include "warplight/driver_memory_pool.hpp"
#include "warplight/event.hpp"
#include "warplight/graph.hpp"
#include "warplight/memory_pool.hpp"

#include <QtTest>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

using namespace warplight::driver;

namespace {

constexpr unsigned kRounds = 24;

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

struct Shared : Devices {
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
        Shared shared;
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                auto parcel = shared.exchange.swap(make(shared, thread, round), thread + round * 5);
                if (parcel) use(shared, *parcel);
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
        // What is left in the slots.
        for (std::size_t slot = 0; slot < 3; ++slot)
            if (const auto parcel = shared.exchange.swap(nullptr, slot)) use(shared, *parcel);
        QVERIFY2(shared.problem.empty(), shared.problem.c_str());
        QCOMPARE(shared.checked.load(), kThreads * kRounds);
        // A function and a callback for each, and twice one node of the graphs.
        QCOMPARE(shared.called.load(), kThreads * kRounds * 2 + kThreads * kRounds / 3 * 2);
    }

    // covers: Function.prepare, Function.prepared_call
    void one_context_stream_and_function_for_all() {
        struct Place {
            Stream stream{stream_flags::NON_BLOCKING};
            DeviceAllocation memory = zeros(kWords);
            unsigned called = 0; ///< by functions of one stream, which come one after the other
        };
        Devices devices;
        std::vector<std::unique_ptr<Place>> places;
        for (const Context& context : devices.contexts) {
            const ContextScope scope(context);
            places.push_back(std::make_unique<Place>());
        }
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                const std::size_t device = (thread + round) % devices.count();
                Place& place = *places[device];
                // Without a current context every second time: the objects know theirs.
                std::optional<ContextScope> scope;
                if (round % 2) scope.emplace(devices.contexts[device]);
                const Function add = round % 3 ? devices.add[device] : devices.modules[device].get_function("add");
                add.prepare("PII");
                expect(add.arg_format() == "PII", "the format is " + add.arg_format());
                add.prepared_call(in(place.stream), place.memory, thread + 1, kWords);
                add(in(place.stream), place.memory, 100u, kWords);
                add.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024 * static_cast<int>(thread));
                const int shared = add.get_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES);
                expect(shared >= 0 && shared < 8192 && shared % 1024 == 0, std::to_string(shared) + " bytes shared");
                add.set_cache_config(func_cache::PREFER_L1);
                add.set_parameter_names({"data", "value", "n"});
                if (const auto parameters = add.parameters())
                    expect(parameters->size() == 3, std::to_string(parameters->size()) + " parameters");
                place.stream.launch_host_func([&place] { ++place.called; });
                place.stream.set_synchronization_policy(synchronization_policy::YIELD);
                (void)place.stream.is_done();
                if (round % 8 == 7) place.stream.synchronize();
                if (round % 8 == 3) devices.contexts[device].synchronize();
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
        std::vector<unsigned> added(devices.count()), calls(devices.count());
        for (unsigned thread = 0; thread < kThreads; ++thread)
            for (unsigned round = 0; round < kRounds; ++round) {
                added[(thread + round) % devices.count()] += thread + 101;
                ++calls[(thread + round) % devices.count()];
            }
        for (std::size_t device = 0; device < devices.count(); ++device) {
            places[device]->stream.synchronize();
            QCOMPARE(places[device]->called, calls[device]);
            const ContextScope scope(devices.contexts[device]);
            expect_words(places[device]->memory, added[device]);
        }
    }

    void arguments_kept_with_a_function_that_all_set() {
        Devices devices;
        const ContextScope scope(devices.contexts[0]);
        const Function add = devices.add[0];
        std::vector<DeviceAllocation> memory;
        for (unsigned thread = 0; thread < kThreads; ++thread)
            memory.push_back(zeros(kWords));
        // Whose arguments a launch takes is anybody's guess, but they are somebody's.
        const std::string failed = in_threads([&](unsigned thread) {
            const ContextScope mine(devices.contexts[0]);
            add.param_set(memory[thread], 1u, kWords);
            for (unsigned round = 0; round < kRounds; ++round) {
                add.set_block_shape(128, 1, 1);
                add.set_shared_size(64 * thread);
                add.param_seti(8, 1);
                add.launch_grid(2, 1);
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
        devices.contexts[0].synchronize();
        std::uint32_t sum = 0;
        for (const DeviceAllocation& each : memory)
            sum += words_of(each, kWords).back();
        QCOMPARE(sum, kThreads * kRounds);
    }

    void events_recorded_here_are_waited_for_there() {
        constexpr unsigned kSteps = kThreads * 12;
        Devices devices;
        struct Place {
            DeviceAllocation memory = zeros(kWords);
            std::vector<Event> done = std::vector<Event>(kSteps);
            Event again; ///< recorded by all
        };
        std::vector<std::unique_ptr<Place>> places;
        std::vector<std::uint32_t> expected(devices.count());
        for (std::size_t device = 0; device < devices.count(); ++device) {
            const ContextScope scope(devices.contexts[device]);
            places.push_back(std::make_unique<Place>());
            for (std::uint32_t step = 0; step < kSteps; ++step)
                expected[device] = expected[device] * 3 + step;
        }
        // A step is behind the one before, which another thread queued in a stream of its own.
        // Not by std::atomic's wait(), which misses changes where GCC 12 has no futex.
        std::mutex mutex;
        std::condition_variable changed;
        unsigned recorded = 0;
        const std::string failed = in_threads([&](unsigned thread) {
            std::vector<Stream> streams;
            for (const Context& context : devices.contexts) {
                const ContextScope scope(context);
                streams.emplace_back(stream_flags::NON_BLOCKING);
            }
            for (unsigned step = thread; step < kSteps; step += kThreads) {
                {
                    std::unique_lock lock(mutex);
                    changed.wait(lock, [&] { return recorded >= step; });
                }
                try {
                    for (std::size_t device = 0; device < devices.count(); ++device) {
                        Place& place = *places[device];
                        const Stream& stream = streams[device];
                        if (step > 0) stream.wait_for_event(place.done[step - 1]);
                        devices.multiply[device](in(stream), place.memory, 3u, kWords);
                        devices.add[device](in(stream), place.memory, step, kWords);
                        place.done[step].record(stream);
                    }
                } catch (...) {
                    const std::scoped_lock lock(mutex);
                    recorded = kSteps; // nobody waits for what does not come
                    changed.notify_all();
                    throw;
                }
                {
                    const std::scoped_lock lock(mutex);
                    ++recorded;
                }
                changed.notify_all();
                for (std::size_t device = 0; device < devices.count(); ++device) {
                    Place& place = *places[device];
                    place.again.record(streams[device]);
                    streams[device].wait_for_event(place.again);
                    (void)place.again.query();
                    place.again.synchronize();
                    if (step > 2) {
                        place.done[step - 2].synchronize();
                        expect(place.done[step - 3].query(), "an event is behind one that is done");
                        expect(place.done[step - 2].time_since(place.done[step - 3]) >= 0, "time runs backwards");
                    }
                }
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
        for (std::size_t device = 0; device < devices.count(); ++device) {
            const ContextScope scope(devices.contexts[device]);
            places[device]->done.back().synchronize();
            expect_words(places[device]->memory, expected[device]);
        }
    }

    void memory_of_pools_goes_from_thread_to_thread() {
        Devices devices;
        struct Filled {
            std::size_t device = 0;
            std::uint32_t value = 0;
            StreamOrderedAllocation ordered;
            PooledDeviceAllocation pooled;
            std::optional<Event> ready;
        };
        std::vector<DriverMemoryPool> ordered;
        std::vector<DeviceMemoryPool> pooled;
        for (const Context& context : devices.contexts) {
            const ContextScope scope(context);
            ordered.emplace_back(context.get_device());
            pooled.emplace_back();
        }
        std::mutex mutex;
        std::array<std::unique_ptr<Filled>, 3> waiting;
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < kRounds; ++round) {
                auto filled = std::make_unique<Filled>();
                filled->device = (thread + round) % devices.count();
                filled->value = thread * 1000 + round;
                {
                    const ContextScope scope(devices.contexts[filled->device]);
                    const Stream stream(stream_flags::NON_BLOCKING);
                    filled->ordered = ordered[filled->device].allocate(kWords * 4, &stream);
                    filled->pooled = pooled[filled->device].allocate(kWords * 4);
                    memset_d32_async(filled->ordered, filled->value, kWords, &stream);
                    memset_d32_async(filled->pooled, filled->value + 1, kWords, &stream);
                    filled->ready.emplace().record(stream);
                }
                {
                    const std::scoped_lock lock(mutex);
                    std::swap(waiting[(thread + round) % waiting.size()], filled);
                }
                if (!filled) continue;
                const ContextScope scope(devices.contexts[filled->device]);
                const Stream stream(stream_flags::NON_BLOCKING);
                stream.wait_for_event(*filled->ready);
                std::vector<std::uint32_t> words(kWords), more(kWords);
                memcpy_dtoh_async(words, filled->ordered, &stream);
                memcpy_dtoh_async(more, filled->pooled, &stream);
                if (round % 2) filled->ordered.free(stream);
                stream.synchronize();
                if (round % 3) filled->pooled.free();
                for (unsigned i = 0; i < kWords; ++i)
                    expect(words[i] == filled->value && more[i] == filled->value + 1, "another thread's memory");
                if (round % 8 == 5) pooled[filled->device].free_held();
                if (round % 8 == 6) ordered[filled->device].trim_to(0);
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
        waiting = {};
        for (std::size_t device = 0; device < devices.count(); ++device) {
            devices.contexts[device].synchronize();
            QCOMPARE(pooled[device].active_blocks(), std::size_t{0});
            QCOMPARE(ordered[device].used(), std::uint64_t{0});
        }
    }

    void objects_end_beside_their_siblings() {
        Devices devices;
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < 4; ++round) {
                // A context of its own, with everything in it, which ends while others on its device go on.
                const std::size_t device = (thread + round) % devices.count();
                Context context = Device(static_cast<int>(device), test_driver()).make_context();
                auto module = std::make_unique<Module>(module_from_buffer(std::string_view(kGraphKernels)));
                const Function add = module->get_function("add");
                auto stream = std::make_unique<Stream>(stream_flags::NON_BLOCKING);
                auto memory = std::make_unique<DeviceAllocation>(zeros(kWords));
                Event done;
                for (std::uint32_t i = 0; i < 4; ++i)
                    add(in(*stream), *memory, i, kWords);
                done.record(*stream);
                if (round % 2) {
                    // The stream and the module go while their work is on its way.
                    stream.reset();
                    module.reset();
                    done.synchronize();
                    expect_words(*memory, 6);
                    memory.reset();
                } else {
                    // What is left is gone with its context.
                    context.detach();
                }
                if (round % 2) Context::pop();
                const ContextScope scope(devices.contexts[device]);
                const DeviceAllocation own = zeros(kWords);
                devices.add[device](kWhole, own, thread, kWords);
                expect_words(own, thread);
            }
        });
        QVERIFY2(failed.empty(), failed.c_str());
    }

    // On a GPU a fault ends the CUDA of the whole process.
    void a_fault_stays_in_its_context() {
        if (test_driver().name() != "software") QSKIP("ends the process's CUDA");
        Devices devices;
        std::atomic<unsigned> reports = 0;
        set_cleanup_reporter([&](const Error&) { ++reports; });
        const std::string failed = in_threads([&](unsigned thread) {
            for (unsigned round = 0; round < 6; ++round) {
                const std::size_t device = (thread + round) % devices.count();
                if (thread % 2) {
                    const Context broken = Device(static_cast<int>(device), test_driver()).make_context();
                    const Module module = module_from_buffer(std::string_view(kGraphKernels));
                    const Function add = module.get_function("add");
                    const Stream stream, other;
                    add(in(stream), DevicePointer(0x40), 1u, kWords);
                    expect(code_of([&] { stream.synchronize(); }) == 700, "the fault is not told");
                    expect(code_of([&] { other.synchronize(); }) == 700, "the context is not broken");
                    continue;
                }
                const ContextScope scope(devices.contexts[device]);
                const DeviceAllocation memory = zeros(kWords);
                const Stream stream;
                for (std::uint32_t i = 0; i < 8; ++i)
                    devices.add[device](in(stream), memory, i, kWords);
                stream.synchronize();
                expect_words(memory, 28);
            }
        });
        set_cleanup_reporter({});
        QVERIFY2(failed.empty(), failed.c_str());
    }
};

QTEST_GUILESS_MAIN(ThreadsTest)
#include "threads_test.moc"
