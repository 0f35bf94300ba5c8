// SPDX-License-Identifier: Apache-2.0
#include "trap.hpp"

#ifndef _WIN32

#include "platform.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <mutex>

namespace warplight::software {
namespace {

// The handler is called with nothing blocked, so a jump need not restore what is. ThreadSanitizer's handler, which
// calls it, has blocked everything.
#ifdef WARPLIGHT_THREAD_SANITIZER
constexpr int kRestoreMask = 1;
#else
constexpr int kRestoreMask = 0;
#endif

struct Guard {
    sigjmp_buf jump;
    Trap trap;
    Guard* outer = nullptr;
    CodeRange code;
    volatile bool interrupted = false; ///< when it was not in its code
};

thread_local Guard* volatile innermost = nullptr;

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::array<struct sigaction, kSignals.size()> previous;
/// Interrupts come as a signal that is ours already, with this value.
constexpr int kInterrupt = SIGSEGV;
const char interrupt_mark = 0;

struct StackBounds {
    std::uint64_t low = 0, high = 0;
};

StackBounds stack_bounds() {
    thread_local const StackBounds bounds = [] {
        StackBounds b;
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) != 0) return b;
        void* address = nullptr;
        std::size_t size = 0;
        pthread_attr_getstack(&attributes, &address, &size);
        pthread_attr_destroy(&attributes);
        b.low = reinterpret_cast<std::uint64_t>(address);
        b.high = b.low + size;
        return b;
    }();
    return bounds;
}

/// A stack of its own for the handler, so that a kernel's overflow of the thread's stack can be told.
class SignalStack {
public:
    SignalStack() {
        stack_t current{};
        if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE)) return; // the host's own
        memory_ = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory_ == MAP_FAILED) {
            memory_ = nullptr;
            return;
        }
        stack_t stack{};
        stack.ss_sp = memory_;
        stack.ss_size = kBytes;
        sigaltstack(&stack, nullptr);
    }
    ~SignalStack() {
        if (!memory_) return;
        stack_t off{};
        off.ss_flags = SS_DISABLE;
        sigaltstack(&off, nullptr);
        munmap(memory_, kBytes);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    static constexpr std::size_t kBytes = 64 * 1024;
    void* memory_ = nullptr;
};

std::uint64_t register_pc(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

std::uint64_t register_sp(const ucontext_t& context) {
#if defined(__x86_64__)
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

// Reads the stack of the interrupted function, also parts that an address sanitizer would not let a program read.
__attribute__((no_sanitize("address"))) void copy_words(const void** to, std::uint64_t from, unsigned count) {
    const auto* words = reinterpret_cast<const void* const volatile*>(from);
    for (unsigned i = 0; i < count; ++i)
        to[i] = words[i];
}

void describe(Trap& trap, int signal, const siginfo_t& info, const ucontext_t& context) {
    trap = Trap{};
    trap.hardware = true;
    trap.pc = reinterpret_cast<const void*>(register_pc(context));
    const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
    const StackBounds stack = stack_bounds();
    const std::uint64_t sp = register_sp(context);
    switch (signal) {
    case SIGSEGV:
    case SIGBUS: {
        // Addresses that are not canonical are reported as 0 with SI_KERNEL.
        trap.has_address = info.si_code != SI_KERNEL && info.si_code > 0;
        trap.address = trap.has_address ? address : 0;
        trap.fault = signal == SIGBUS && info.si_code == BUS_ADRALN ? Fault::misaligned : Fault::illegal_address;
        constexpr std::uint64_t slack = std::uint64_t{1} << 20;
        if (trap.has_address && stack.low && address < stack.low + 65536 && address + slack > stack.low &&
            sp < stack.low + 65536 + slack) {
            trap.fault = Fault::stack_overflow;
        }
        break;
    }
    case SIGFPE:
        trap.fault = Fault::illegal_instruction;
        trap.arithmetic = true;
        break;
    default: trap.fault = Fault::illegal_instruction; break;
    }
    // Return addresses, for a fault in a library function that the code called.
    if (stack.low && sp >= stack.low && sp < stack.high) {
        const auto available = (stack.high - sp) / sizeof(void*);
        trap.caller_count =
            static_cast<unsigned>(std::min<std::uint64_t>(std::size(trap.callers), available ? available - 1 : 0));
        copy_words(trap.callers, sp & ~std::uint64_t{7}, trap.caller_count);
    }
}

/// An interrupt that does not reach the kernel's code is noticed by a service.
void handle_interrupt(const siginfo_t& info, const ucontext_t& context) {
    Guard* guard = innermost;
    if (!guard) return;
    const auto* pc = reinterpret_cast<const void*>(register_pc(context));
    if (std::less<>()(pc, guard->code.begin) || !std::less<>()(pc, guard->code.end)) {
        guard->interrupted = true;
        return;
    }
    describe(guard->trap, kInterrupt, info, context);
    guard->trap.fault = Fault::cancelled;
    siglongjmp(guard->jump, 1);
}

void handle(int signal, siginfo_t* info, void* raw_context) {
    if (signal == kInterrupt && info->si_code == SI_QUEUE && info->si_value.sival_ptr == &interrupt_mark) {
        const int error = errno;
        handle_interrupt(*info, *static_cast<const ucontext_t*>(raw_context));
        errno = error;
        return;
    }
    if (signal == SIGSEGV && info->si_code == SEGV_ACCERR &&
        platform::is_in_exchange(reinterpret_cast<std::uint64_t>(info->si_addr))) {
        sched_yield(); // and tries again
        return;
    }
    if (Guard* guard = innermost; guard && info->si_code > 0) {
        describe(guard->trap, signal, *info, *static_cast<const ucontext_t*>(raw_context));
        siglongjmp(guard->jump, 1);
    }
    // Not ours: the handler that was there before decides.
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        if (kSignals[i] != signal) continue;
        const struct sigaction& before = previous[i];
        if (before.sa_flags & SA_SIGINFO) {
            before.sa_sigaction(signal, info, raw_context);
            return;
        }
        if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
            before.sa_handler(signal);
            return;
        }
        // The default action, at the same instruction again (or now, for a signal that was sent).
        struct sigaction fallback{};
        fallback.sa_handler = SIG_DFL;
        sigaction(signal, &fallback, nullptr);
        if (info->si_code <= 0) raise(signal);
        return;
    }
}

} // namespace

void install_trap_handler() {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action{};
        action.sa_sigaction = handle;
        // The signal stays open: the handler leaves by a jump that restores no mask.
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
        sigemptyset(&action.sa_mask);
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            sigaction(kSignals[i], &action, &previous[i]);
    });
}

__attribute__((noinline)) bool run_guarded(void (*body)(void*), void* argument, Trap& trap, CodeRange code) {
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wexit-time-destructors" // it ends with its thread
#endif
    thread_local const SignalStack signal_stack;
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
    (void)signal_stack;
    (void)stack_bounds();
    Guard guard;
    guard.outer = innermost;
    guard.code = code;
    if (sigsetjmp(guard.jump, kRestoreMask) == 0) {
        innermost = &guard;
        body(argument);
        innermost = guard.outer;
        return true;
    }
    innermost = guard.outer;
    trap = guard.trap;
    return false;
}

void raise_trap(const Trap& trap) {
    Guard* guard = innermost;
    if (!guard) std::abort(); // a service called from outside a launch
    guard->trap = trap;
    siglongjmp(guard->jump, 1);
}

bool guarded() { return innermost != nullptr; }

struct InterruptibleThread::Thread {
    pthread_t id = pthread_self();
};
InterruptibleThread::InterruptibleThread() : thread_(std::make_unique<Thread>()) {}
InterruptibleThread::~InterruptibleThread() = default;

void InterruptibleThread::interrupt(std::span<const InterruptibleThread* const> threads) {
    // Whose handler is there instead of ours would take it for a fault.
    struct sigaction now{};
    if (sigaction(kInterrupt, nullptr, &now) != 0 || !(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != handle) return;
    sigval value{};
    value.sival_ptr = const_cast<char*>(&interrupt_mark);
    for (const InterruptibleThread* each : threads)
        pthread_sigqueue(each->thread_->id, kInterrupt, value);
}

void leave_if_interrupted(const void* caller) {
    Guard* guard = innermost;
    if (!guard || !guard->interrupted) return;
    Trap trap;
    trap.fault = Fault::cancelled;
    trap.pc = static_cast<const std::byte*>(caller) - 1;
    raise_trap(trap);
}

} // namespace warplight::software

#endif
