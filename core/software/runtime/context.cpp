// SPDX-License-Identifier: Apache-2.0
#include "context.hpp"

#include "address_space.hpp"
#include "array.hpp"
#include "capture.hpp"
#include "device.hpp"
#include "event.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "ipc.hpp"
#include "module.hpp"
#include "output.hpp"
#include "texture_object.hpp"
#include "texture_reference.hpp"

#include <algorithm>
#include <chrono>

namespace warplight::software {
namespace {

std::atomic<std::uint64_t> last_id = 0;

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
    : device(owner), primary(is_primary), id(++last_id), flags_(flags),
      legacy_(std::make_shared<Stream>(*this, Stream::Role::legacy, 0, 0)), limits_{{kStackSize, 1024},
                                                                                    {kPrintfFifo, std::size_t{1} << 20},
                                                                                    {kMallocHeap, std::size_t{8} << 20},
                                                                                    {kSyncDepth, 2},
                                                                                    {kPendingLaunches, 2048},
                                                                                    {kFetchGranularity, 64},
                                                                                    {kPersistingL2, 0}} {
    all_.push_back(legacy_);
}

void Context::set_error(CUresult code, const std::string& message) {
    // Who sees the error finds what the kernel printed before it, and the message.
    flush_output();
    log_error(code, message.empty() ? error_description(code) : message);
    int expected = CUDA_SUCCESS;
    error_.compare_exchange_strong(expected, code);
}

void Context::check() const {
    if (destroyed_) fail(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (const CUresult e = error(); e != CUDA_SUCCESS) throw Failure{e, {}, true};
}

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
    while (!ended && Clock::now() < enough) {
        {
            const std::scoped_lock lock(running_mutex_);
            for (CancellableLaunch* launch : running_)
                launch->cancel();
            ended = running_.empty() && error() != CUDA_SUCCESS;
        }
        ended = ended || idle();
        // A thread that is in a service of the runtime is left alone until it is back in its kernel.
        if (!ended) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    if (error() == CUDA_SUCCESS) cancelling_ = false; // all came to its end by itself
    return ended;
}

std::shared_ptr<Stream> Context::create_stream(unsigned flags, int priority) {
    drop_ended_streams();
    auto stream = std::make_shared<Stream>(*this, Stream::Role::created, flags, priority);
    {
        const std::scoped_lock lock(streams_mutex_);
        all_.push_back(stream);
    }
    if (stream->blocking()) {
        const std::scoped_lock lock(submission_);
        blocking_.push_back(stream);
    }
    handles<Stream>().add(stream);
    return stream;
}

std::shared_ptr<Stream> Context::create_branch() {
    drop_ended_streams();
    auto stream = std::make_shared<Stream>(*this, Stream::Role::created, unsigned{CU_STREAM_NON_BLOCKING}, 0);
    const std::scoped_lock lock(streams_mutex_);
    all_.push_back(stream);
    return stream;
}

std::shared_ptr<Stream> Context::stream(CUstream handle) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number <= 1) return legacy_;
    if (number == 2) {
        std::shared_ptr<Stream> stream;
        {
            const std::scoped_lock lock(streams_mutex_);
            auto& mine = per_thread_[std::this_thread::get_id()];
            if (mine) return mine;
            mine = std::make_shared<Stream>(*this, Stream::Role::per_thread, 0, 0);
            all_.push_back(mine);
            stream = mine;
        }
        const std::scoped_lock lock(submission_);
        blocking_.push_back(stream);
        return stream;
    }
    auto stream = handles<Stream>().get(handle);
    if (&stream->context() != this) fail(CUDA_ERROR_INVALID_HANDLE, "the stream belongs to another context");
    return stream;
}

void Context::forget_stream(Stream& stream) {
    stream.stop();
    drop_ended_streams();
}

void Context::drop_ended_streams() {
    std::vector<std::shared_ptr<Stream>> gone; // what the last of their work held ends outside of the locks
    const auto take = [&](std::vector<std::shared_ptr<Stream>>& streams) {
        const auto ended = std::partition(streams.begin(), streams.end(), [](const auto& s) { return !s->ended(); });
        gone.insert(gone.end(), std::move_iterator(ended), std::move_iterator(streams.end()));
        streams.erase(ended, streams.end());
    };
    {
        const std::scoped_lock lock(streams_mutex_);
        take(all_);
    }
    const std::scoped_lock lock(submission_);
    take(blocking_);
}

std::size_t Context::stream_count() {
    drop_ended_streams();
    const std::scoped_lock lock(streams_mutex_);
    return all_.size();
}

void Context::add_default_stream_order(Stream& stream, std::vector<Ticket>& after) {
    if (stream.role == Stream::Role::legacy) {
        for (const auto& other : blocking_) {
            if (Ticket ticket = other->last(); !other->reached(ticket.number)) after.push_back(std::move(ticket));
        }
    } else if (stream.blocking()) {
        if (Ticket ticket = legacy_->last(); !legacy_->reached(ticket.number)) after.push_back(std::move(ticket));
    }
}

void Context::drain() {
    std::vector<std::shared_ptr<Stream>> streams;
    {
        const std::scoped_lock lock(streams_mutex_);
        streams = all_;
    }
    for (const auto& stream : streams)
        stream->wait(stream->last().number);
}

bool Context::idle() {
    const std::scoped_lock lock(streams_mutex_);
    return std::all_of(all_.begin(), all_.end(), [](const auto& s) { return s->reached(s->last().number); });
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
        if (heap_.started()) fail(CUDA_ERROR_INVALID_VALUE, "the heap of kernels is in use: its size is fixed");
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
            heap_.start(*base, size);
        }
    }
    return heap_;
}

void Context::destroy() {
    if (destroyed_.exchange(true)) return;
    if (captures > 0) {
        std::vector<std::shared_ptr<Stream>> captured;
        {
            const std::scoped_lock lock(streams_mutex_);
            captured = all_;
        }
        for (const auto& stream : captured)
            abandon_capture(*stream);
    }
    drain();
    flush_output();
    handles<Stream>().remove_if([&](const Stream& s) { return &s.context() == this; });
    handles<Event>().remove_if([&](const Event& e) { return &e.context == this; });
    unload_all(*this);
    forget_references(*this);
    forget_texture_objects(*this);
    forget_arrays(*this);
    std::vector<std::shared_ptr<Stream>> streams;
    {
        const std::scoped_lock lock(streams_mutex_);
        streams.swap(all_);
        per_thread_.clear();
    }
    {
        const std::scoped_lock lock(submission_);
        blocking_.clear();
    }
    for (const auto& stream : streams)
        stream->stop();
    forget_imports(*this);
    AddressSpace::instance().release_all(this);
    handles<Context>().remove(this);
}

std::vector<std::shared_ptr<Context>>& context_stack() {
    thread_local std::vector<std::shared_ptr<Context>> stack;
    return stack;
}

} // namespace warplight::software
