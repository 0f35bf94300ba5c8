// SPDX-License-Identifier: Apache-2.0
#include "context.hpp"

#include "address_space.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "files/thread_object.hpp"
#include "handles.hpp"
#include "output.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace warplight::software {
namespace {

// Numbers of CUlimit.
constexpr int kStackSize = 0, kPrintfFifo = 1, kMallocHeap = 2, kSyncDepth = 3, kPendingLaunches = 4,
              kFetchGranularity = 5, kPersistingL2 = 6;

} // namespace

std::shared_ptr<Context> Context::create(Device& device, unsigned flags, bool primary) {
    auto context = std::make_shared<Context>(device, flags, primary);
    handles<Context>().add(context);
    return context;
}

Context::Context(Device& owner, unsigned flags, bool is_primary)
    : ContextStreams(*this), device(owner), primary(is_primary), flags_(flags),
      limits_{{kStackSize, 1024},
              {kPrintfFifo, std::size_t{1} << 20},
              {kMallocHeap, std::size_t{8} << 20},
              {kSyncDepth, 2},
              {kPendingLaunches, 2048},
              {kFetchGranularity, 64},
              {kPersistingL2, 0}},
      checked_heap_([this] { return limit(kMallocHeap); },
                    [this](std::uint64_t bytes) {
                        return AddressSpace::instance().allocate(bytes, Allocation::Kind::internal, device.ordinal,
                                                                 this);
                    }) {}

void Context::add_running(CancellableLaunch& launch) {
    const std::scoped_lock lock(running_mutex_);
    running_.push_back(&launch);
}

void Context::remove_running(CancellableLaunch& launch) {
    const std::scoped_lock lock(running_mutex_);
    std::erase(running_, &launch);
}

bool Context::cancel() {
    using Clock = std::chrono::steady_clock;
    const auto enough = Clock::now() + std::chrono::seconds(5);
    cancelling_ = true;
    bool ended = false;
    std::chrono::microseconds pause(200);
    while (!ended && Clock::now() < enough) {
        {
            const std::scoped_lock lock(running_mutex_);
            for (CancellableLaunch* launch : running_)
                launch->cancel();
            ended = running_.empty() && error() != CUDA_SUCCESS;
        }
        ended = ended || idle();
        // A thread that is in a service of the runtime is left alone until it is back in its kernel. The launch needs
        // the processors too, to end, so it is asked ever less often.
        if (!ended) std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(6400));
    }
    if (error() == CUDA_SUCCESS) cancelling_ = false; // all came to its end by itself
    return ended;
}

void Context::enable_peer(const Context& peer) {
    if (&device == &peer.device) fail(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "both contexts are of one device");
    const std::scoped_lock lock(peers_mutex_);
    if (!peers_.insert(peer.id).second) fail(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
}

void Context::disable_peer(const Context& peer) {
    const std::scoped_lock lock(peers_mutex_);
    if (peers_.erase(peer.id) == 0) fail(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

void Context::synchronize() {
    forbid_capture(*this);
    drain();
    flush_output();
    check();
}

std::size_t Context::limit(int limit) const {
    const std::scoped_lock lock(limits_mutex_);
    const auto found = limits_.find(limit);
    if (found == limits_.end())
        fail(limit >= 0 && limit <= 9 ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE);
    return found->second;
}

void Context::set_limit(int limit, std::size_t value) {
    if (limit == kMallocHeap) {
        const std::scoped_lock lock(heap_mutex_);
        if (heap_.started() || checked_heap_.started())
            fail(CUDA_ERROR_INVALID_VALUE, "the heap of kernels is in use: its size is fixed");
    }
    const std::scoped_lock lock(limits_mutex_);
    const auto found = limits_.find(limit);
    if (found == limits_.end())
        fail(limit >= 0 && limit <= 9 ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_ERROR_INVALID_VALUE);
    switch (limit) {
    case kStackSize:
        if (value > 512 * 1024) fail(CUDA_ERROR_INVALID_VALUE);
        value = (value + 15) / 16 * 16;
        break;
    case kPrintfFifo: value = std::max<std::size_t>(value, 64); break;
    case kMallocHeap: value = std::max<std::size_t>((value + 4095) / 4096 * 4096, std::size_t{1} << 16); break;
    case kFetchGranularity: value = std::min<std::size_t>(value, 128); break;
    case kPersistingL2: value = 0; break; // there is none to set aside
    default: break;
    }
    found->second = value;
}

DeviceHeap& Context::heap() {
    const std::scoped_lock lock(heap_mutex_);
    if (!heap_.started()) {
        const std::uint64_t size = limit(kMallocHeap);
        if (const auto base =
                AddressSpace::instance().allocate(size, Allocation::Kind::internal, device.ordinal, this)) {
            heap_.add(*base, size);
        }
    }
    return heap_;
}

std::uint64_t Context::allocate_launch_parameters(std::uint64_t bytes) {
    if (const std::uint64_t address = launch_parameters_.allocate(bytes)) return address;
    const std::uint64_t more = std::max<std::uint64_t>(std::uint64_t{1} << 20, bytes + 16);
    const auto base = AddressSpace::instance().allocate(more, Allocation::Kind::internal, device.ordinal, this);
    if (!base) return 0;
    launch_parameters_.add(*base, more);
    return launch_parameters_.allocate(bytes);
}

std::vector<std::shared_ptr<Context>>& context_stack() {
    return files::thread_object<std::vector<std::shared_ptr<Context>>>();
}

} // namespace warplight::software
