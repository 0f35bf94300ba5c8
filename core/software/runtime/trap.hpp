// SPDX-License-Identifier: Apache-2.0
// Faults of device code. run_guarded() runs a function on this thread; a fault inside it, raised by the processor or by
// the code itself, ends the function there and then and is told to the caller. Nothing is unwound: the guarded function
// holds no locks and owns nothing while device code runs.
#pragma once

#include "../jit/abi.hpp"

#include <csetjmp>
#include <cstdint>
#include <string>
#include <vector>

namespace warplight::software {

struct Trap {
    bool hardware = false; ///< raised by the processor, else by the code
    Fault fault = Fault::trap;
    bool arithmetic = false;   ///< a division that the processor cannot do
    std::uint64_t address = 0; ///< touched, of a hardware fault
    bool has_address = false;
    std::uint32_t alignment = 0;  ///< that the address lacks
    const void* pc = nullptr;     ///< instruction, of a hardware fault
    const void* callers[48] = {}; ///< words of the stack that may be return addresses
    unsigned caller_count = 0;
    std::uint32_t linear = UINT32_MAX; ///< thread of the block, where the code told it
    std::uint32_t site = UINT32_MAX;
};

/// Installs what the process needs to trap faults. Once; cheap afterwards.
void install_trap_handler();

/// True: `body(argument)` returned. False: it faulted, and `trap` says how.
[[nodiscard]] bool run_guarded(void (*body)(void*), void* argument, Trap& trap);

/// Ends the innermost run_guarded() of this thread. Fields that are known are filled in already.
[[noreturn]] void raise_trap(const Trap& trap);
/// Whether this thread is inside run_guarded().
[[nodiscard]] bool guarded();

} // namespace warplight::software
