// SPDX-License-Identifier: Apache-2.0
#include "readiness.hpp"

#include "configuration.hpp"
#include "module.hpp"
#include "services.hpp"
#include "shared_window.hpp"
#include "trap.hpp"
#include "workers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

namespace warplight::software {
namespace {

/// For a worker to start. One that does not is not waited for: on a busy machine launches start without it too.
constexpr std::chrono::milliseconds kPatience{20};

} // namespace

void make_ready(const Function& function) {
    link_services();
    install_trap_handler();
    const unsigned count = configuration().workers;
    const std::uint64_t shared = std::max<std::uint64_t>(function.shared.static_size, 1);
    const std::uint64_t alignment = std::max<std::uint64_t>(function.shared_alignment, 16);
    std::atomic<unsigned> started = 0;
    const auto latest = std::chrono::steady_clock::now() + kPatience;
    run_on_workers(count, [&](unsigned) {
        auto window = WindowPool::take();
        if (std::byte* memory = window->fit(shared, alignment)) std::memset(memory, 0, shared);
        // Each waits for the others. A thread that returned at once would take the part of one that has not started
        // yet.
        ++started;
        while (started < count && std::chrono::steady_clock::now() < latest)
            std::this_thread::yield();
        WindowPool::put(std::move(window));
    });
}

} // namespace warplight::software
