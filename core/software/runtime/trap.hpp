// SPDX-License-Identifier: Apache-2.0
// Faults of device code. run_guarded() runs a function on this thread; a fault inside it, raised by the processor or by
// the code itself, ends the function there and then and is told to the caller. Nothing is unwound: the guarded function
// holds no locks and owns nothing while device code runs.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <csetjmp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warplight::software {

struct Trap {
    bool hardware = false; ///< raised by the processor, else by the code
    Fault fault = Fault::trap;
    bool arithmetic = false;   ///< a division that the processor cannot do
    std::uint64_t address = 0; ///< touched, of a hardware fault
    std::uint64_t bytes = 0;   ///< of the access that begins there; 0: not known
    bool has_address = false;
    std::uint32_t alignment = 0;  ///< that the address lacks
    const void* pc = nullptr;     ///< instruction, of a hardware fault
    const void* callers[48] = {}; ///< words of the stack that may be return addresses
    unsigned caller_count = 0;
    const char* what = nullptr;        ///< says more than the fault's own name
    std::uint32_t linear = UINT32_MAX; ///< thread of the block, where the code told it
    std::uint32_t site = UINT32_MAX;
};

/// Where a kernel's code lies.
struct CodeRange {
    const void *begin = nullptr, *end = nullptr;
};

/// Installs the process's handler of faults. Once; cheap afterwards.
void install_trap_handler();

/// True: `body(argument)` returned. False: it faulted, and `trap` says how.
/// While it is in `code` another thread may interrupt it.
[[nodiscard]] bool run_guarded(void (*body)(void*), void* argument, Trap& trap, CodeRange code = {});

/// A thread that runs device code, as others see it. Made, and destroyed, by that thread.
class InterruptibleThread {
public:
    InterruptibleThread();
    ~InterruptibleThread();
    InterruptibleThread(const InterruptibleThread&) = delete;
    InterruptibleThread& operator=(const InterruptibleThread&) = delete;

    /// Ends each thread's innermost run_guarded() with Fault::cancelled if it is in the kernel's own code just now;
    /// elsewhere it may hold locks. So the caller asks again after a while. Services end it as well, at
    /// leave_if_interrupted(). The threads must exist, and the calling one is none of them.
    static void interrupt(std::span<const InterruptibleThread* const> threads);

private:
    struct Thread;
    std::unique_ptr<Thread> thread_;
};
/// For services that kernels call, before they take locks. `caller`: where it returns to.
void leave_if_interrupted(const void* caller);

/// Ends the innermost run_guarded() of this thread. Fields that are known are filled in already.
[[noreturn]] void raise_trap(const Trap& trap);
/// Whether this thread is inside run_guarded().
[[nodiscard]] bool guarded();

} // namespace warplight::software
