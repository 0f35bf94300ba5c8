// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

#include "capture.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "output.hpp"
#include "platform.hpp"

#include <exception>

namespace warplight::software {
namespace {

std::atomic<std::uint64_t> last_id = 0;
thread_local int host_function_depth = 0;

constexpr std::size_t kStackBytes = std::size_t{256} << 20; ///< address space only, until it is used
constexpr std::size_t kStackToHelp = std::size_t{2} << 20;  ///< kernels may need as much
constexpr int kSpins = 2000;                                ///< some 20 microseconds: waking a thread costs as much

void pause_briefly() {
#if defined(__x86_64__) || defined(_M_X64)
    __builtin_ia32_pause();
#endif
}

} // namespace

bool in_host_function() { return host_function_depth > 0; }
HostFunctionScope::HostFunctionScope() { ++host_function_depth; }
HostFunctionScope::~HostFunctionScope() { --host_function_depth; }

Stream::Stream(Context& context, Role stream_role, unsigned stream_flags, int stream_priority)
    : role(stream_role), flags(stream_flags), priority(stream_priority), id(++last_id), context_(context) {}

std::uint64_t Stream::push(Command command, std::unique_lock<std::mutex>&) {
    queue_.push_back(std::move(command));
    return ++enqueued_;
}

Ticket Stream::enqueue(Work work, std::vector<Ticket> after, bool always) {
    forbid_capture(*this);
    const std::scoped_lock order(context_.submission());
    context_.add_default_stream_order(*this, after);
    return append(std::move(work), std::move(after), always);
}

Ticket Stream::append(Work work, std::vector<Ticket> after, bool always) {
    std::unique_lock lock(mutex_);
    const std::uint64_t number = push({std::move(work), std::move(after), always}, lock);
    if (!threaded_) start_thread();
    if (sleeping_) work_.notify_one();
    return {shared_from_this(), number};
}

void Stream::run(Work work) {
    forbid_capture(*this);
    std::uint64_t number = 0;
    {
        std::unique_lock order(context_.submission());
        std::vector<Ticket> after;
        context_.add_default_stream_order(*this, after);
        std::unique_lock lock(mutex_);
        number = push({std::move(work), std::move(after), false}, lock);
        order.unlock();
        if (!busy_ && queue_.size() == 1) run_front(lock);
    }
    wait(number);
    context_.check();
}

void Stream::run_front(std::unique_lock<std::mutex>& lock) {
    busy_ = true;
    Command command = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    for (const Ticket& ticket : command.after)
        ticket.stream->wait(ticket.number);
    command.after.clear();
    if (command.always || context_.error() == CUDA_SUCCESS) {
        try {
            command.work();
        } catch (const Failure& failure) {
            context_.set_error(failure.code, failure.message);
        } catch (const std::exception& e) {
            context_.set_error(CUDA_ERROR_UNKNOWN, e.what());
        }
    }
    command.work = nullptr; // what it holds goes before anybody hears that it is done
    lock.lock();
    busy_ = false;
    ++completed_;
    done_.notify_all();
    if (sleeping_ && (!queue_.empty() || stopping_)) work_.notify_one();
}

void Stream::start_thread() {
    threaded_ = true;
    keep_context_ = context_.shared_from_this();
    auto* self = new std::shared_ptr<Stream>(shared_from_this());
    const bool started = platform::start_thread(
        [](void* p) {
            const std::shared_ptr<Stream> stream = std::move(*static_cast<std::shared_ptr<Stream>*>(p));
            delete static_cast<std::shared_ptr<Stream>*>(p);
            stream->thread_main();
        },
        self, kStackBytes, "warplight-strm");
    if (!started) {
        delete self;
        threaded_ = false; // whoever waits does the work
    }
}

void Stream::thread_main() {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (!queue_.empty() && !busy_) {
            run_front(lock);
            continue;
        }
        if (stopping_ && queue_.empty() && !busy_) break;
        const std::uint64_t seen = enqueued_;
        lock.unlock();
        for (int i = 0; i < kSpins && enqueued_ == seen; ++i)
            pause_briefly();
        lock.lock();
        if (!queue_.empty() && !busy_) continue;
        if (stopping_ && !busy_) continue;
        sleeping_ = true;
        work_.wait(lock, [&] { return (!queue_.empty() || stopping_) && !busy_; });
        sleeping_ = false;
    }
    threaded_ = false;
    const std::shared_ptr<Context> last = std::move(keep_context_);
    lock.unlock();
}

void Stream::wait(std::uint64_t number) {
    if (reached(number)) return;
    std::unique_lock lock(mutex_);
    while (!reached(number)) {
        if (!busy_ && !queue_.empty() && (!threaded_ || platform::stack_left() > kStackToHelp)) {
            run_front(lock);
            continue;
        }
        lock.unlock();
        for (int i = 0; i < kSpins && !reached(number); ++i)
            pause_briefly();
        lock.lock();
        if (reached(number)) break;
        if (!busy_ && !queue_.empty()) {
            if (!threaded_) continue;
            if (sleeping_) work_.notify_one();
        }
        done_.wait(lock, [&] { return reached(number) || (!threaded_ && !busy_ && !queue_.empty()); });
    }
    if (sleeping_) work_.notify_one();
}

Ticket Stream::last() { return {shared_from_this(), enqueued_.load()}; }

bool Stream::idle() {
    if (!reached(enqueued_)) return false;
    if (role != Role::legacy) return true;
    std::vector<Ticket> others;
    {
        const std::scoped_lock order(context_.submission());
        context_.add_default_stream_order(*this, others);
    }
    return others.empty();
}

bool Stream::ended() {
    const std::scoped_lock lock(mutex_);
    return stopping_ && queue_.empty() && !busy_;
}

void Stream::synchronize() {
    if (role == Role::legacy) {
        std::vector<Ticket> others;
        {
            const std::scoped_lock order(context_.submission());
            context_.add_default_stream_order(*this, others);
        }
        for (const Ticket& ticket : others)
            ticket.stream->wait(ticket.number);
    }
    wait(enqueued_);
}

std::map<int, CUlaunchAttributeValue> Stream::attributes() {
    const std::scoped_lock lock(mutex_);
    return attributes_;
}

void Stream::set_attribute(int attribute, const CUlaunchAttributeValue& value) {
    const std::scoped_lock lock(mutex_);
    attributes_[attribute] = value;
}

void Stream::set_attributes(std::map<int, CUlaunchAttributeValue> attributes) {
    const std::scoped_lock lock(mutex_);
    attributes_ = std::move(attributes);
}

void Stream::stop() {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    work_.notify_all();
}

} // namespace warplight::software
