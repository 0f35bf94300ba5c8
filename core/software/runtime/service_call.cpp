// SPDX-License-Identifier: Apache-2.0
#include "service_call.hpp"

#include "platform.hpp"
#include "trap.hpp"

namespace warplight::software {

void enter_service(const KernelCaller& caller, std::size_t stack) {
    leave_if_interrupted(caller.pc);
    if (platform::stack_left() < stack) raise_fault(Fault::stack_overflow, caller);
}

void raise_fault(Fault fault, const KernelCaller& caller, const char* what) {
    Trap trap;
    trap.fault = fault;
    trap.what = what;
    trap.linear = caller.linear;
    trap.site = caller.site;
    if (caller.pc) trap.pc = static_cast<const std::byte*>(caller.pc) - 1; // of the call itself
    raise_trap(trap);
}

void on_behalf_of(const KernelCaller& caller, void (*body)(void*), void* argument) {
    struct Work {
        const KernelCaller& caller;
        void (*body)(void*);
        void* argument;
    } work{caller, body, argument};
    const auto run = [](void* w) {
        const auto& [of, service, what] = *static_cast<Work*>(w);
        service(what);
        leave_if_interrupted(of.pc); // an interrupt meanwhile was noted for this guard
    };
    Trap trap;
    if (run_guarded(run, &work, trap)) return;
    if (trap.hardware && trap.fault == Fault::illegal_address && trap.has_address) {
        // Deep in a library function, whose callers cannot always be told.
        trap.hardware = false;
        trap.linear = caller.linear;
        trap.site = caller.site;
        trap.caller_count = 0;
        trap.pc = caller.pc ? static_cast<const std::byte*>(caller.pc) - 1 : nullptr;
    }
    raise_trap(trap);
}

} // namespace warplight::software
