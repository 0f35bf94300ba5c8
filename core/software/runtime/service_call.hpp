// SPDX-License-Identifier: Apache-2.0
// What all services of kernels have in common: where they were called from, and how they fail. A service runs inside
// run_guarded(). It leaves by raise_trap(), never by an exception, because generated code has no unwind tables.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>

#if defined(_MSC_VER)
#include <intrin.h>
#define WARPLIGHT_CALLER() _ReturnAddress()
#else
#define WARPLIGHT_CALLER() __builtin_return_address(0)
#endif

namespace warplight::software {

/// The place in a kernel that called a service. A fault of the service is reported there.
struct KernelCaller {
    const void* pc = nullptr;          ///< where the service returns to
    std::uint32_t linear = UINT32_MAX; ///< thread of the block, where the call tells it
    std::uint32_t site = UINT32_MAX;   ///< PTX instruction, likewise
};

/// Stack that a service needs. A kernel may have used up nearly all of it, and a service that overflows it would leave
/// its locks held.
inline constexpr std::size_t kServiceStack = std::size_t{96} << 10;

/// First thing in a service that takes locks or memory. Raises Fault::cancelled in a launch that is to end, and
/// Fault::stack_overflow where the stack is too short for the service.
void enter_service(const KernelCaller& caller, std::size_t stack = kServiceStack);

[[noreturn]] void raise_fault(Fault fault, const KernelCaller& caller, const char* what = nullptr);

/// Runs the body of a service that does not touch memory of kernels. An exception becomes Fault::out_of_memory: a
/// kernel can ask a service for any amount of work.
template <class Body>
auto without_exceptions(const KernelCaller& caller, Body body) {
    try {
        return body();
    } catch (const std::exception&) { // raised below: a jump out of here would leak the exception
    }
    raise_fault(Fault::out_of_memory, caller);
}

/// Runs `body(argument)`. A fault of the processor in it is raised as one of the caller's access.
void on_behalf_of(const KernelCaller& caller, void (*body)(void*), void* argument);

/// The same as without_exceptions(), for a body that touches memory of kernels. It returns a value.
template <class Body>
auto touching_kernel_memory(const KernelCaller& caller, Body body) {
    struct Work {
        const KernelCaller& caller;
        Body& body;
        decltype(body()) result{};
    } work{caller, body};
    const auto run = [](void* argument) {
        auto& w = *static_cast<Work*>(argument);
        w.result = without_exceptions(w.caller, [&] { return w.body(); });
    };
    on_behalf_of(caller, run, &work);
    return work.result;
}

} // namespace warplight::software
