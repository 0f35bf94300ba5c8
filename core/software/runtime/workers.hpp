// SPDX-License-Identifier: Apache-2.0
// The threads that run blocks.
#pragma once

#include "monitor.hpp"

#include <cstddef>
#include <functional>

namespace warplight::software {

/// Calls body(0) … body(count - 1), on so many workers at once as there are; returns when all have returned, and throws
/// what the first of them threw. A call may only begin when another has ended. The calling thread is one of the
/// workers: it comes to the end on its own where no other is to be had. A call of the body may do the same again.
void run_on_workers(unsigned count, const std::function<void(unsigned)>& body);

/// Jobs that the calling thread starts while this lives belong to a stream, or whatever the pointer stands for.
class JobOwner {
public:
    explicit JobOwner(const void* owner);
    JobOwner(const JobOwner&) = delete;
    JobOwner& operator=(const JobOwner&) = delete;
    ~JobOwner();

private:
    const void* before_;
};

void begin_spinning();
[[nodiscard]] bool is_help_asked();
void end_spinning(const void* owner);

/// spin_until() for something that happens in a stream. The thread that spins is on a processor that a worker may need.
/// So it stops when a job begins. It takes part if the job is the stream's and it has the stack that a kernel may need;
/// else it wakes a worker. It is there at once. A worker may wait behind the thread that has woken it,
/// until the system moves it to another processor.
template <class Predicate>
void spin_or_help(const void* owner, Predicate is_met) {
    begin_spinning();
    spin_until([&] { return is_met() || is_help_asked(); });
    end_spinning(owner);
}

/// Bytes of stack that a thread must have left to run kernels of others.
inline constexpr std::size_t kStackToHelp = std::size_t{2} << 20;

} // namespace warplight::software
