// SPDX-License-Identifier: Apache-2.0
// Functions that compiled kernels call. They run inside run_guarded(): a fault, or a raised one, leaves them by a jump.
// So they hold no lock while they access memory through a kernel's pointers.
#include "services.hpp"

#include "access_watch.hpp"
#include "block_scheduler.hpp"
#include "context.hpp"
#include "files/thread_object.hpp"
#include "grid.hpp"
#include "kernel_pointer.hpp"
#include "launch_checks.hpp"
#include "local_memory.hpp"
#include "output.hpp"
#include "platform.hpp"
#include "report.hpp"
#include "service_call.hpp"
#include "trap.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace warplight::software {
namespace {

Context& context_of(const BlockContext& block) {
    return static_cast<const RunningLaunch*>(block.launch->launch)->context;
}

BlockScheduler& scheduler_of(const BlockContext& block) { return *static_cast<BlockScheduler*>(block.scheduler); }

constexpr std::uint64_t kMostStack = std::uint64_t{512} << 10; ///< bytes of alloca at once: a thread cannot have more
constexpr std::size_t kMostAssertText = 1024;                  ///< bytes of each text of an assertion
constexpr int kPrintfFifo = 1;                                 ///< CU_LIMIT_PRINTF_FIFO_SIZE

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// The texts of an assertion. Each thread keeps its own: a fault while one is read leaves without destructors.
struct AssertTexts {
    std::string file, function, message;
};

/// Copies a text of an assertion; a null pointer is none.
void read_assert_text(std::string& copy, const char* text, const KernelCaller& caller) {
    copy.clear();
    if (text) append_text_of_kernel(copy, address_of(text), kMostAssertText, caller);
}

} // namespace

void link_texture_services(); ///< texture_services.cpp
void link_spare_memory();     ///< spare_memory.cpp
void link_device_calls();     ///< device_calls.cpp
void link_services() {
    link_texture_services();
    link_spare_memory();
    link_device_calls();
}

extern "C" {

void wl_rt_fault(BlockContext*, std::uint32_t linear, std::uint32_t fault, std::uint32_t site) {
    raise_fault(static_cast<Fault>(fault), {WARPLIGHT_CALLER(), linear, site});
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
    const KernelCaller caller{WARPLIGHT_CALLER()};
    enter_service(caller);
    return touching_kernel_memory(caller, [&] {
        struct Printed;
        auto& text = files::thread_object<std::string, Printed>();
        text.clear();
        const int count = format_printf(text, format, arguments, caller);
        const bool is_new = !block->steps || scheduler_of(*block).rounds->prints();
        if (count >= 0 && is_new && !AccessWatch::current()) print(text, context_of(*block).limit(kPrintfFifo));
        return count;
    });
}

void* wl_rt_malloc(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint64_t size) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    enter_service(caller);
    return without_exceptions(caller, [&] {
        LaunchChecks* const checks = checks_of(*block);
        return reinterpret_cast<void*>(checks ? checks->allocate(*block, {linear, site}, size)
                                              : context_of(*block).heap().allocate(size));
    });
}

void wl_rt_free(BlockContext* block, std::uint32_t linear, std::uint32_t site, void* pointer) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    enter_service(caller);
    if (!pointer) return;
    const std::uint64_t address = address_of(pointer);
    const bool done = without_exceptions(caller, [&] {
        LaunchChecks* const checks = checks_of(*block);
        if (checks) return checks->release(*block, {linear, site}, address);
        Context& context = context_of(*block);
        return context.heap().release(address) || context.checked_heap().release(address, {});
    });
    if (done) return;
    Trap trap;
    trap.fault = Fault::trap;
    trap.what = "a pointer was freed that malloc() did not give, or that was freed before,";
    trap.address = address;
    trap.linear = linear;
    trap.site = site;
    raise_trap(trap);
}

void wl_rt_assertfail(BlockContext* block, std::uint32_t linear, std::uint32_t site, const char* message,
                      const char* file, std::uint32_t line, const char* function) {
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    enter_service(caller);
    (void)touching_kernel_memory(caller, [&] {
        auto& texts = files::thread_object<AssertTexts>();
        read_assert_text(texts.file, file, caller);
        read_assert_text(texts.function, function, caller);
        read_assert_text(texts.message, message, caller);
        const auto thread = thread_index(*block->launch, linear);
        const std::string text =
            fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", texts.file, line,
                        texts.function, block->ctaid[0], block->ctaid[1], block->ctaid[2], thread[0], thread[1],
                        thread[2], texts.message);
        return AccessWatch::current() ? 0 : std::fputs(text.c_str(), stderr);
    });
    raise_fault(Fault::assertion, caller);
}

void* wl_rt_frame_alloc(BlockContext* block, std::uint64_t size) {
    auto* scheduler = static_cast<BlockScheduler*>(block->scheduler);
    const KernelCaller caller{WARPLIGHT_CALLER(), scheduler->current()};
    if (void* frame = without_exceptions(caller, [&] { return scheduler->arena.allocate(size); })) return frame;
    raise_fault(Fault::stack_overflow, caller);
}

void wl_rt_frame_free(BlockContext* block, void* frame, std::uint64_t size) {
    static_cast<BlockScheduler*>(block->scheduler)->arena.release(frame, size);
}

void* wl_rt_local_alloc(BlockContext* block, std::uint64_t size) {
    auto* scheduler = static_cast<BlockScheduler*>(block->scheduler);
    const KernelCaller caller{WARPLIGHT_CALLER(), scheduler->current()};
    if (void* memory = without_exceptions(caller, [&] { return scheduler->locals.allocate(size); })) return memory;
    raise_fault(Fault::stack_overflow, caller);
}

void wl_rt_local_free(BlockContext* block, void* memory, std::uint64_t size) {
    static_cast<BlockScheduler*>(block->scheduler)->locals.release(static_cast<std::byte*>(memory), size);
}

void* wl_rt_local_enter(std::uint64_t size) {
    const KernelCaller caller{WARPLIGHT_CALLER()};
    if (void* memory = without_exceptions(caller, [&] { return LocalStack::current().enter(size); })) return memory;
    raise_fault(Fault::stack_overflow, caller);
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
    const KernelCaller caller{WARPLIGHT_CALLER(), scheduler->current()};
    if (size <= kMostStack && alignment <= kMostStack) {
        const std::uint64_t each = alignment ? alignment : 1;
        void* memory = without_exceptions(
            caller, [&] { return scheduler->locals.allocate(size + (each > kFrameAlignment ? each : 0)); });
        if (memory) return reinterpret_cast<void*>((address_of(memory) + each - 1) / each * each);
    }
    raise_fault(Fault::stack_overflow, caller);
}

void* wl_rt_access(void* address, std::uint64_t bytes, std::uint32_t site, std::uint32_t writes) {
    const KernelCaller caller{WARPLIGHT_CALLER(), UINT32_MAX, site};
    enter_service(caller);
    AccessWatch* watch = AccessWatch::current();
    return watch ? without_exceptions(caller, [&] { return watch->ask(address, bytes, site, writes != 0); }) : address;
}

void wl_rt_step_write(BlockContext* block, std::uint32_t linear, std::uint32_t site, std::uint64_t address,
                      std::uint32_t bytes) {
    const BlockScheduler& scheduler = scheduler_of(*block);
    const KernelCaller caller{WARPLIGHT_CALLER(), linear, site};
    enter_service(caller);
    (void)without_exceptions(caller, [&] {
        scheduler.rounds->writes(scheduler, linear, site, address, bytes);
        return 0;
    });
}

std::uint64_t wl_rt_clock64() { return platform::cycles(); }

std::uint64_t wl_rt_globaltimer() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

} // extern "C"

} // namespace warplight::software
