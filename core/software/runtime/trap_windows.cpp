// SPDX-License-Identifier: Apache-2.0
#include "trap.hpp"

#ifdef _WIN32

#include "files/thread_object.hpp"
#include "platform.hpp"

#include <windows.h>

#include <algorithm>
#include <atomic>
#include <csetjmp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <malloc.h>
#include <mutex>

namespace warplight::software {
namespace {

// Compiled code has no unwind tables, so leaving it must not unwind: the registers that a function keeps are saved on
// the way in, and put back by the exception handler, or by leave(). Each turn of a block comes this way, so it is not a
// whole context that is saved.
struct Guard {
    std::jmp_buf entry;
    Trap trap;
    Guard* outer = nullptr;
    CodeRange code;
    volatile bool interrupted = false; ///< when it was not in its code
};

/// What setjmp() keeps. Without a frame longjmp() does not unwind.
_JUMP_BUFFER& registers_of(Guard& guard) { return *reinterpret_cast<_JUMP_BUFFER*>(&guard.entry); }

[[noreturn]] void leave(Guard* guard) { std::longjmp(guard->entry, 1); }

/// Lets a thread that was stopped go on where run_guarded() was entered, as behind leave().
void go_back(CONTEXT& context, Guard& guard) {
    const _JUMP_BUFFER& saved = registers_of(guard);
    context.Rax = 1;
    context.Rip = saved.Rip;
    context.Rsp = saved.Rsp;
    context.Rbp = saved.Rbp;
    context.Rbx = saved.Rbx;
    context.Rsi = saved.Rsi;
    context.Rdi = saved.Rdi;
    context.R12 = saved.R12;
    context.R13 = saved.R13;
    context.R14 = saved.R14;
    context.R15 = saved.R15;
    context.MxCsr = context.FltSave.MxCsr = saved.MxCsr;
    context.FltSave.ControlWord = saved.FpCsr;
    static_assert(sizeof saved.Xmm6 == sizeof context.Xmm6);
    std::memcpy(&context.Xmm6, &saved.Xmm6, 10 * sizeof saved.Xmm6); // to the 15th
    context.EFlags &= ~DWORD{0x400};                                 // strings are read forwards
}

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
    std::atomic<bool> leaves = false; ///< its innermost run_guarded(), because it was interrupted
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
    if (record.ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record.NumberParameters >= 2 &&
        platform::commit_touched(record.ExceptionInformation[1]))
        return EXCEPTION_CONTINUE_EXECUTION;
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
    read_callers(trap, pointers->ContextRecord->Rsp);
    guard->trap = trap;
    go_back(*pointers->ContextRecord, *guard);
    return EXCEPTION_CONTINUE_EXECUTION;
}

/// False: left by leave() or go_back(). A function of its own, without variables that these might put back.
__declspec(noinline) bool enter(Guard& guard, void (*body)(void*), void* argument) {
    if (setjmp(guard.entry) != 0) return false;
    registers_of(guard).Frame = 0;
    body(argument);
    return true;
}

} // namespace

void install_trap_handler() {
    static std::once_flag once;
    std::call_once(once, [] { AddVectoredExceptionHandler(1, handle); });
}

bool run_guarded(void (*body)(void*), void* argument, Trap& trap, CodeRange code) {
    OfThread& own = of_thread();
    Guard guard;
    guard.outer = own.innermost;
    guard.code = code;
    own.leaves.store(false, std::memory_order_relaxed);
    own.innermost = &guard;
    const bool returned = enter(guard, body, argument);
    own.innermost = guard.outer;
    if (returned) return true;
    if (guard.trap.fault == Fault::stack_overflow) _resetstkoflw();
    trap = guard.trap;
    return false;
}

void raise_trap(const Trap& trap) {
    Guard* guard = innermost_guard();
    if (!guard) std::abort();
    guard->trap = trap;
    leave(guard);
}

bool guarded() { return innermost_guard() != nullptr; }

struct InterruptibleThread::Thread {
    OfThread* own;
    bool suspended = false;

    /// Where it stands while it is suspended is where it would go on: in code that holds nothing it goes elsewhere.
    void divert() const {
        CONTEXT context{};
        context.ContextFlags = CONTEXT_FULL;
        Guard* guard = own->innermost;
        if (!GetThreadContext(own->handle, &context) || !guard) return;
        const auto pc = static_cast<std::uint64_t>(context.Rip);
        if (pc < reinterpret_cast<std::uint64_t>(guard->code.begin) ||
            pc >= reinterpret_cast<std::uint64_t>(guard->code.end)) {
            guard->interrupted = true;
            return;
        }
        guard->trap = Trap{};
        guard->trap.fault = Fault::cancelled;
        guard->trap.hardware = true;
        guard->trap.pc = reinterpret_cast<const void*>(pc);
        go_back(context, *guard);
        if (SetThreadContext(own->handle, &context)) own->leaves.store(true, std::memory_order_relaxed);
    }
};

InterruptibleThread::InterruptibleThread() : thread_(std::make_unique<Thread>(&of_thread())) {}

InterruptibleThread::~InterruptibleThread() = default;

// A thread stops when it next has a processor, and is waited for. So all are told to stop before the first is waited
// for: each one that has stopped leaves its processor to the others. A suspended thread may hold any lock, the heap's
// too, so nothing here takes one.
void InterruptibleThread::interrupt(std::span<const InterruptibleThread* const> threads) {
    for (const InterruptibleThread* each : threads) {
        const OfThread& own = *each->thread_->own;
        each->thread_->suspended = own.handle && !own.leaves.load(std::memory_order_relaxed) &&
                                   SuspendThread(own.handle) != static_cast<DWORD>(-1);
    }
    for (const InterruptibleThread* each : threads)
        if (each->thread_->suspended) each->thread_->divert();
    for (const InterruptibleThread* each : threads)
        if (each->thread_->suspended) ResumeThread(each->thread_->own->handle);
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
