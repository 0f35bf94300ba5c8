// SPDX-License-Identifier: Apache-2.0
#include "workers.hpp"

#include "configuration.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>

namespace warplight::software {
namespace {

struct Workers {
    // Local memory of a kernel's threads lies on the stack.
    tbb::global_control stack{tbb::global_control::thread_stack_size, std::size_t{64} << 20};
    tbb::global_control parallelism{tbb::global_control::max_allowed_parallelism, configuration().workers + 1};
    tbb::task_arena arena{static_cast<int>(configuration().workers)};
};

Workers& workers() {
    static auto* instance = new Workers; // never destroyed: kernels may run until the process ends
    return *instance;
}

} // namespace

void run_on_workers(unsigned count, const std::function<void(unsigned)>& body) {
    if (count == 1 || configuration().workers == 1) {
        for (unsigned i = 0; i < count; ++i)
            body(i);
        return;
    }
    workers().arena.execute(
        [&] { tbb::parallel_for(0U, count, [&](unsigned i) { body(i); }, tbb::simple_partitioner{}); });
}

} // namespace warplight::software
