// SPDX-License-Identifier: Apache-2.0
#include "memory_operations.hpp"

#include "address_space.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "touch.hpp"
#include "work_races.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>

namespace warplight::software {
namespace {

// Numbers of CUstreamBatchMemOpType, CUstreamWaitValue_flags and CUstreamWriteValue_flags.
constexpr int kWait32 = 1, kWrite32 = 2, kFlush = 3, kWait64 = 4, kWrite64 = 5, kBarrier = 6;
constexpr unsigned kGreaterOrEqual = 0, kEqual = 1, kAnd = 2, kNor = 3, kFlushAfter = 1U << 30;
constexpr unsigned kNoBarrier = 1;
constexpr int kSpins = 2000;

void check_address(CUdeviceptr address, std::size_t size) {
    if (address == 0 || address % size != 0) fail(CUDA_ERROR_INVALID_VALUE, "the address is not aligned to its value");
    const auto a = AddressSpace::instance().find(address);
    if (!a) fail(CUDA_ERROR_INVALID_VALUE, "the address is in no allocation");
    if (a->kind == Allocation::Kind::managed) fail(CUDA_ERROR_INVALID_VALUE, "managed memory cannot be waited on");
    if (size > AddressSpace::instance().room(address))
        fail(CUDA_ERROR_INVALID_VALUE, "the value is past the allocation's end");
}

[[noreturn]] void gone() {
    fail(CUDA_ERROR_ILLEGAL_ADDRESS,
         "device memory was freed before a stream came to wait for a value in it or to write "
         "one");
}

template <class Word>
bool holds(Word now, Word value, unsigned condition) {
    using Signed = std::make_signed_t<Word>;
    switch (condition) {
    case kGreaterOrEqual: return static_cast<Signed>(static_cast<Word>(now - value)) >= 0;
    case kEqual: return now == value;
    case kAnd: return (now & value) != 0;
    case kNor: return static_cast<Word>(~(now | value)) != 0;
    default: fail(CUDA_ERROR_INVALID_VALUE);
    }
}

template <class Word>
void wait(const Context& context, CUdeviceptr address, Word value, unsigned flags) {
    const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(address));
    Word now = 0;
    const auto look = [&] {
        if (!touch([&] { now = word.load(std::memory_order_acquire); })) gone();
        return now;
    };
    for (int i = 0; !holds(look(), value, flags & 3); ++i) {
        if (context.error() != CUDA_SUCCESS || context.ending()) return;
        if (context.cancelling()) fail(CUDA_ERROR_LAUNCH_TIMEOUT, "a stream's wait for a value was cancelled");
        if (i < kSpins)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

template <class Word>
void write(CUdeviceptr address, Word value) {
    const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(address));
    if (!touch([&] { word.store(value, std::memory_order_seq_cst); })) gone();
}

} // namespace

void check_memory_operations(const std::vector<CUstreamBatchMemOpParams>& operations, bool first_version) {
    for (const auto& o : operations) {
        switch (static_cast<int>(o.operation)) {
        case kWait32:
        case kWait64:
            if ((o.waitValue.flags & ~(3U | kFlushAfter)) != 0) fail(CUDA_ERROR_INVALID_VALUE);
            check_address(o.waitValue.address, o.operation == kWait32 ? 4 : 8);
            break;
        case kWrite32:
        case kWrite64:
            if ((o.writeValue.flags & ~kNoBarrier) != 0) fail(CUDA_ERROR_INVALID_VALUE);
            check_address(o.writeValue.address, o.operation == kWrite32 ? 4 : 8);
            break;
        case kFlush:
            if (o.flushRemoteWrites.flags != 0) fail(CUDA_ERROR_INVALID_VALUE);
            break;
        case kBarrier:
            if (first_version) fail(CUDA_ERROR_NOT_SUPPORTED);
#if CUDA_VERSION >= 11070
            if (o.memoryBarrier.flags > 1) fail(CUDA_ERROR_INVALID_VALUE);
#endif
            break;
        default: fail(CUDA_ERROR_INVALID_VALUE, "no such memory operation");
        }
    }
}

void run_memory_operations(const Context& context, const std::vector<CUstreamBatchMemOpParams>& operations) {
    if (WorkRaces::is_on()) WorkRaces::instance().give_up();
    for (const auto& o : operations) {
        switch (static_cast<int>(o.operation)) {
        case kWait32: wait<std::uint32_t>(context, o.waitValue.address, o.waitValue.value, o.waitValue.flags); break;
        case kWait64: wait<std::uint64_t>(context, o.waitValue.address, o.waitValue.value64, o.waitValue.flags); break;
        case kWrite32: write<std::uint32_t>(o.writeValue.address, o.writeValue.value); break;
        case kWrite64: write<std::uint64_t>(o.writeValue.address, o.writeValue.value64); break;
        default: std::atomic_thread_fence(std::memory_order_seq_cst); break; // the host's memory is coherent
        }
    }
}

} // namespace warplight::software
