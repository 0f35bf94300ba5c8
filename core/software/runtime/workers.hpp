// SPDX-License-Identifier: Apache-2.0
// The threads that run blocks.
#pragma once

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

/// A thread that spins until something has happened in a stream, on a processor that a worker may need. It should end
/// its spinning when it is in the way. As this is destroyed it takes part in a job of the stream, if it has the stack
/// that a kernel may need, or wakes a worker. It is there at once, where a worker may wait behind the thread that has
/// woken it until the system moves it to another processor.
class SpinningThread {
public:
    explicit SpinningThread(const void* owner);
    SpinningThread(const SpinningThread&) = delete;
    SpinningThread& operator=(const SpinningThread&) = delete;
    ~SpinningThread();
    [[nodiscard]] bool is_in_the_way() const;

private:
    const void* owner_;
};

/// Bytes of stack that a thread must have left to run kernels of others.
inline constexpr std::size_t kStackToHelp = std::size_t{2} << 20;

} // namespace warplight::software
