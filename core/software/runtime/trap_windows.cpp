// SPDX-License-Identifier: Apache-2.0
#include "trap.hpp"

#ifdef _WIN32

#include "files/thread_object.hpp"

#include <windows.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <malloc.h>
#include <mutex>

namespace warplight::software {
namespace {

// Compiled code has no unwind tables, so leaving it must not unwind: the thread's registers are captured on the way in
// and put back by the exception handler, or by raise_trap() itself.
struct Guard {
    CONTEXT entry;
    Trap trap;
    Guard* outer = nullptr;
    volatile int faulted = 0;
    CodeRange code;
    volatile bool interrupted = false; ///< when it was not in its code
};

/// What a thread keeps from one launch to the next: each launch would ask the system again.
struct OfThread {
    OfThread() {
        ULONG reserve = 64 * 1024; // for the handler, behind an overflow of the stack
        SetThreadStackGuarantee(&reserve);
        DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &handle,
                        THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT | THREAD_SET_CONTEXT, FALSE, 0);
    }
    ~OfThread();
    OfThread(const OfThread&) = delete;
    OfThread& operator=(const OfThread&) = delete;

    Guard* innermost = nullptr;
    HANDLE handle = nullptr;
};

// Services ask at each call. mingw's thread_local is a search in a table.
const DWORD slot = TlsAlloc();

OfThread* known_of_thread() { return static_cast<OfThread*>(TlsGetValue(slot)); }

OfThread& of_thread() {
    OfThread* known = known_of_thread();
    if (!known) TlsSetValue(slot, known = &files::thread_object<OfThread>());
    return *known;
}

OfThread::~OfThread() {
    TlsSetValue(slot, nullptr);
    if (handle) CloseHandle(handle);
}

Guard* innermost_guard() {
    const OfThread* known = known_of_thread();
    return known ? known->innermost : nullptr;
}

/// Return addresses, for a fault in a library function that the code called. They are words of the stack that is in
/// use.
void read_callers(Trap& trap, std::uint64_t stack_pointer) {
    const auto* thread = reinterpret_cast<const NT_TIB*>(NtCurrentTeb());
    const auto low = reinterpret_cast<std::uint64_t>(thread->StackLimit);
    const auto high = reinterpret_cast<std::uint64_t>(thread->StackBase);
    const std::uint64_t begin = stack_pointer & ~std::uint64_t{7};
    if (begin < low || begin >= high) return;
    const std::uint64_t words = std::min<std::uint64_t>(std::size(trap.callers), (high - begin) / sizeof(void*));
    std::memcpy(trap.callers, reinterpret_cast<const void*>(begin), words * sizeof(void*));
    trap.caller_count = static_cast<unsigned>(words);
}

LONG CALLBACK handle(EXCEPTION_POINTERS* pointers) {
    const DWORD last_error = GetLastError(); // which TlsGetValue() sets
    Guard* guard = innermost_guard();
    SetLastError(last_error);
    if (!guard) return EXCEPTION_CONTINUE_SEARCH;
    const EXCEPTION_RECORD& record = *pointers->ExceptionRecord;
    Trap trap;
    trap.hardware = true;
    trap.pc = record.ExceptionAddress;
    switch (record.ExceptionCode) {
    case EXCEPTION_ACCESS_VIOLATION:
    case EXCEPTION_IN_PAGE_ERROR:
        trap.fault = Fault::illegal_address;
        // Of an address that is not canonical all ones are told.
        trap.has_address = record.NumberParameters >= 2 && record.ExceptionInformation[1] != ~ULONG_PTR{0};
        if (trap.has_address) trap.address = record.ExceptionInformation[1];
        break;
    case EXCEPTION_DATATYPE_MISALIGNMENT: trap.fault = Fault::misaligned; break;
    case EXCEPTION_STACK_OVERFLOW: trap.fault = Fault::stack_overflow; break;
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
    case EXCEPTION_INT_OVERFLOW:
        trap.fault = Fault::illegal_instruction;
        trap.arithmetic = true;
        break;
    case EXCEPTION_ILLEGAL_INSTRUCTION:
    case EXCEPTION_PRIV_INSTRUCTION: trap.fault = Fault::illegal_instruction; break;
    default: return EXCEPTION_CONTINUE_SEARCH;
    }
#if defined(_M_X64) || defined(__x86_64__)
    read_callers(trap, pointers->ContextRecord->Rsp);
#endif
    guard->trap = trap;
    guard->faulted = 1;
    *pointers->ContextRecord = guard->entry;
    return EXCEPTION_CONTINUE_EXECUTION;
}

/// The thread goes on here, with the guard as its argument.
void leave_by_interrupt(Guard* guard) { RtlRestoreContext(&guard->entry, nullptr); }

} // namespace

void install_trap_handler() {
    static std::once_flag once;
    std::call_once(once, [] { AddVectoredExceptionHandler(1, handle); });
}

__declspec(noinline) bool run_guarded(void (*body)(void*), void* argument, Trap& trap, CodeRange code) {
    OfThread& own = of_thread();
    Guard guard;
    guard.outer = own.innermost;
    guard.code = code;
    RtlCaptureContext(&guard.entry);
    if (!guard.faulted) {
        own.innermost = &guard;
        body(argument);
        own.innermost = guard.outer;
        return true;
    }
    own.innermost = guard.outer;
    if (guard.trap.fault == Fault::stack_overflow) _resetstkoflw();
    trap = guard.trap;
    return false;
}

void raise_trap(const Trap& trap) {
    Guard* guard = innermost_guard();
    if (!guard) std::abort();
    guard->trap = trap;
    guard->faulted = 1;
    RtlRestoreContext(&guard->entry, nullptr);
    std::abort();
}

bool guarded() { return innermost_guard() != nullptr; }

struct InterruptibleThread::Thread {
    OfThread* own;
};

InterruptibleThread::InterruptibleThread() : thread_(std::make_unique<Thread>(&of_thread())) {}

InterruptibleThread::~InterruptibleThread() = default;

void InterruptibleThread::interrupt() const {
#if defined(_M_X64)
    const HANDLE handle = thread_->own->handle;
    // Where it stands while it is suspended is where it would go on: in code that holds nothing it goes elsewhere.
    if (!handle || SuspendThread(handle) == static_cast<DWORD>(-1)) return;
    CONTEXT context{};
    context.ContextFlags = CONTEXT_FULL;
    if (GetThreadContext(handle, &context)) {
        if (Guard* guard = thread_->own->innermost) {
            const auto pc = static_cast<std::uint64_t>(context.Rip);
            if (pc < reinterpret_cast<std::uint64_t>(guard->code.begin) ||
                pc >= reinterpret_cast<std::uint64_t>(guard->code.end)) {
                guard->interrupted = true;
            } else {
                guard->trap = Trap{};
                guard->trap.fault = Fault::cancelled;
                guard->trap.hardware = true;
                guard->trap.pc = reinterpret_cast<const void*>(pc);
                guard->faulted = 1;
                context.Rip = reinterpret_cast<DWORD64>(&leave_by_interrupt);
                context.Rcx = reinterpret_cast<DWORD64>(guard);
                context.Rsp = ((context.Rsp - 64) & ~DWORD64{15}) - 8; // as behind a call, with its shadow space
                SetThreadContext(handle, &context);
            }
        }
    }
    ResumeThread(handle);
#endif
}

void leave_if_interrupted(const void* caller) {
    const Guard* guard = innermost_guard();
    if (!guard || !guard->interrupted) return;
    Trap trap;
    trap.fault = Fault::cancelled;
    trap.pc = static_cast<const std::byte*>(caller) - 1;
    raise_trap(trap);
}

} // namespace warplight::software

#endif
