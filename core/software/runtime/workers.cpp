// SPDX-License-Identifier: Apache-2.0
#include "workers.hpp"

#include "configuration.hpp"
#include "platform.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>

#ifdef WARPLIGHT_THREAD_SANITIZER // and this file is compiled without it
#include <sanitizer/tsan_interface.h>
#endif

namespace warplight::software {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 20; // calls of a kernel may go deep

/// TBB ends the process where it cannot start a thread. So it is asked for no more than can be started.
unsigned count_workers() {
    constexpr unsigned reserve = 2; // for streams
    const unsigned wanted = configuration().workers;
    const unsigned others = platform::startable_threads(wanted - 1, kStackBytes);
    if (others + 1 >= wanted) return wanted;
    return others > reserve ? others - reserve + 1 : 1;
}

struct Workers {
    unsigned count = count_workers();
    tbb::global_control stack{tbb::global_control::thread_stack_size, kStackBytes};
    tbb::global_control parallelism{tbb::global_control::max_allowed_parallelism, count + 1};
    tbb::task_arena arena{static_cast<int>(count)};
};

Workers& workers() {
    static auto* instance = new Workers; // never destroyed: kernels may run until the process ends
    return *instance;
}

/// Tells ThreadSanitizer the order that parallel_for promises: code before it, then all calls, then code behind it.
class Order {
public:
    void before() { release(begin_); }
    void after() { acquire(end_); }
    void enter() { acquire(begin_); }
    void leave() { release(end_); }

private:
#ifdef WARPLIGHT_THREAD_SANITIZER
    static void acquire(char& point) { __tsan_acquire(&point); }
    static void release(char& point) { __tsan_release(&point); }
#else
    static void acquire(char&) {}
    static void release(char&) {}
#endif
    char begin_ = 0, end_ = 0;
};

} // namespace

void prepare_workers() {
    if (configuration().workers > 1 && workers().count > 1) workers().arena.initialize();
}

void run_on_workers(unsigned count, const std::function<void(unsigned)>& body) {
    if (count == 1 || configuration().workers == 1 || workers().count == 1) {
        for (unsigned i = 0; i < count; ++i)
            body(i);
        return;
    }
    Order order;
    const auto call = [&](unsigned i) {
        order.enter();
        body(i);
        order.leave();
    };
    order.before();
    // For kernels that wait for kernels: a waiting worker takes no part of the work that waits for it.
    workers().arena.execute(
        [&] { tbb::this_task_arena::isolate([&] { tbb::parallel_for(0U, count, call, tbb::simple_partitioner{}); }); });
    order.after();
}

} // namespace warplight::software
