// SPDX-License-Identifier: Apache-2.0
// Functions that compiled kernels call. They run inside run_guarded(): a fault, or a raised one, leaves them by a jump.
// So they hold no lock while they access memory through a kernel's pointers.
#include "services.hpp"

#include "access_watch.hpp"
#include "block_scheduler.hpp"
#include "context.hpp"
#include "grid.hpp"
#include "local_memory.hpp"
#include "output.hpp"
#include "platform.hpp"
#include "report.hpp"
#include "trap.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#if defined(_MSC_VER)
#include <intrin.h>
#define WARPLIGHT_CALLER() _ReturnAddress()
#else
#define WARPLIGHT_CALLER() __builtin_return_address(0)
#endif

namespace warplight::software {
namespace {

Context& context_of(const BlockContext& block) {
    return static_cast<const RunningLaunch*>(block.launch->launch)->context;
}

constexpr std::uint64_t kMostStack = std::uint64_t{512} << 10; ///< bytes of alloca at once: a thread cannot have more
constexpr int kPrintfFifo = 1;                                 ///< CU_LIMIT_PRINTF_FIFO_SIZE

[[noreturn]] void raise_fault(Fault fault, std::uint32_t linear, std::uint32_t site, const void* caller) {
    Trap trap;
    trap.fault = fault;
    trap.linear = linear;
    trap.site = site;
    trap.pc = static_cast<const std::byte*>(caller) - 1;
    raise_trap(trap);
}

} // namespace

void link_texture_services(); ///< texture_services.cpp
void link_device_calls();     ///< device_calls.cpp
void link_services() {
    link_texture_services();
    link_device_calls();
}

extern "C" {

void wl_rt_fault(BlockContext*, std::uint32_t linear, std::uint32_t fault, std::uint32_t site) {
    raise_fault(static_cast<Fault>(fault), linear, site, WARPLIGHT_CALLER());
}

void wl_rt_misaligned(BlockContext*, std::uint32_t linear, std::uint32_t site, std::uint64_t address,
                      std::uint32_t alignment) {
    Trap trap;
    trap.fault = Fault::misaligned;
    trap.address = address;
    trap.has_address = alignment != 0;
    trap.alignment = alignment;
    trap.linear = linear;
    trap.site = site;
    raise_trap(trap);
}

std::int32_t wl_rt_vprintf(BlockContext* block, const char* format, const void* arguments) {
    leave_if_interrupted(WARPLIGHT_CALLER());
    thread_local std::string text;
    text.clear();
    const int count = format_printf(text, format, arguments);
    if (count >= 0 && !AccessWatch::current()) print(text, context_of(*block).limit(kPrintfFifo));
    return count;
}

void* wl_rt_malloc(BlockContext* block, std::uint64_t size) {
    leave_if_interrupted(WARPLIGHT_CALLER());
    return reinterpret_cast<void*>(context_of(*block).heap().allocate(size));
}

void wl_rt_free(BlockContext* block, std::uint32_t linear, std::uint32_t site, void* pointer) {
    leave_if_interrupted(WARPLIGHT_CALLER());
    if (!pointer) return;
    if (context_of(*block).heap().release(reinterpret_cast<std::uint64_t>(pointer))) return;
    Trap trap;
    trap.fault = Fault::trap;
    trap.what = "a pointer was freed that malloc() did not give, or that was freed before,";
    trap.address = reinterpret_cast<std::uint64_t>(pointer);
    trap.linear = linear;
    trap.site = site;
    raise_trap(trap);
}

void wl_rt_assertfail(BlockContext* block, std::uint32_t linear, std::uint32_t site, const char* message,
                      const char* file, std::uint32_t line, const char* function) {
    // The texts are read before anything else happens: reading them may fault.
    char text[1024];
    const auto thread = thread_index(*block->launch, linear);
    std::snprintf(text, sizeof text, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
                  file ? file : "", line, function ? function : "", block->ctaid[0], block->ctaid[1], block->ctaid[2],
                  thread[0], thread[1], thread[2], message ? message : "");
    if (!AccessWatch::current()) std::fputs(text, stderr);
    raise_fault(Fault::assertion, linear, site, WARPLIGHT_CALLER());
}

void* wl_rt_frame_alloc(BlockContext* block, std::uint64_t size) {
    auto* scheduler = static_cast<BlockScheduler*>(block->scheduler);
    if (void* frame = scheduler->arena.allocate(size)) return frame;
    raise_fault(Fault::stack_overflow, scheduler->current(), UINT32_MAX, WARPLIGHT_CALLER());
}

void wl_rt_frame_free(BlockContext* block, void* frame, std::uint64_t size) {
    static_cast<BlockScheduler*>(block->scheduler)->arena.release(frame, size);
}

void* wl_rt_local_alloc(BlockContext* block, std::uint64_t size) {
    auto* scheduler = static_cast<BlockScheduler*>(block->scheduler);
    if (void* memory = scheduler->locals.allocate(size)) return memory;
    raise_fault(Fault::stack_overflow, scheduler->current(), UINT32_MAX, WARPLIGHT_CALLER());
}

void wl_rt_local_free(BlockContext* block, void* memory, std::uint64_t size) {
    static_cast<BlockScheduler*>(block->scheduler)->locals.release(static_cast<std::byte*>(memory), size);
}

void* wl_rt_local_enter(std::uint64_t size) {
    if (void* memory = LocalStack::current().enter(size)) return memory;
    raise_fault(Fault::stack_overflow, UINT32_MAX, UINT32_MAX, WARPLIGHT_CALLER());
}

void wl_rt_local_leave(std::uint64_t size) { LocalStack::current().leave(size); }

void wl_rt_barrier_arrive(ThreadContext* thread) {
    static_cast<BlockScheduler*>(thread->block->scheduler)->arrive(*thread);
}

void wl_rt_cluster_arrive(ThreadContext* thread) {
    static_cast<BlockScheduler*>(thread->block->scheduler)->arrive_in_cluster(*thread);
}

void* wl_rt_stack_alloc(BlockContext* block, std::uint64_t size, std::uint64_t alignment) {
    auto* scheduler = static_cast<BlockScheduler*>(block->scheduler);
    if (size <= kMostStack && alignment <= kMostStack) {
        if (void* memory = scheduler->locals.allocate(size + (alignment > kFrameAlignment ? alignment : 0))) {
            const auto at = reinterpret_cast<std::uintptr_t>(memory);
            return reinterpret_cast<void*>((at + alignment - 1) / alignment * alignment);
        }
    }
    raise_fault(Fault::stack_overflow, scheduler->current(), UINT32_MAX, WARPLIGHT_CALLER());
}

void* wl_rt_access(void* address, std::uint64_t bytes, std::uint32_t site, std::uint32_t writes) {
    leave_if_interrupted(WARPLIGHT_CALLER());
    AccessWatch* watch = AccessWatch::current();
    return watch ? watch->ask(address, bytes, site, writes != 0) : address;
}

std::uint64_t wl_rt_clock64() { return platform::cycles(); }

std::uint64_t wl_rt_globaltimer() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

} // extern "C"

} // namespace warplight::software
