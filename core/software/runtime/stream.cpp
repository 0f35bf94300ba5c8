// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

#include "failure.hpp"
#include "handles.hpp"
#include "platform.hpp"
#include "work_races.hpp"
#include "workers.hpp"

#include <algorithm>
#include <exception>

namespace warplight::software {
namespace {

std::atomic<std::uint64_t> last_id = 0;

constexpr std::size_t kStackBytes = std::size_t{256} << 20; ///< address space only, until it is used

} // namespace

Stream::Stream(ContextStreams& owner, Role stream_role, unsigned stream_flags, int stream_priority)
    : CapturableStream(owner, stream_role == Role::legacy, (stream_flags & CU_STREAM_NON_BLOCKING) == 0),
      role(stream_role), flags(stream_flags), priority(stream_priority), id(++last_id), owner_(owner) {
    if (role != Role::legacy) WorkRaces::instance().add_stream(blocking());
}

std::uint64_t Stream::push(Task work, std::vector<Ticket> after, bool always) {
    const std::uint64_t number = enqueued_ + 1;
    if (WorkRaces::is_on()) {
        std::vector<checks::WorkId> before;
        before.reserve(after.size());
        for (const Ticket& ticket : after)
            before.push_back({ticket.stream->id, ticket.number});
        WorkRaces::instance().add({id, number}, before);
    }
    Command& command = queue_.push();
    command.work = std::move(work);
    command.after = std::move(after);
    command.always = always;
    enqueued_ = number;
    return number;
}

void Stream::host_waited(std::uint64_t number) {
    if (number > 0 && WorkRaces::is_on()) WorkRaces::instance().host_waits_for({id, number});
}

Ticket Stream::enqueue(Task work, std::vector<Ticket> after, bool always) {
    forbid_capture(*this);
    const std::scoped_lock order(owner_.submission());
    owner_.add_default_stream_order(*this, after);
    return append(std::move(work), std::move(after), always);
}

void Stream::post(Task work) {
    forbid_capture(*this);
    const std::scoped_lock order(owner_.submission());
    std::vector<Ticket> after;
    owner_.add_default_stream_order(*this, after);
    (void)add(std::move(work), std::move(after), false);
}

Ticket Stream::append(Task work, std::vector<Ticket> after, bool always) {
    const std::uint64_t number = add(std::move(work), std::move(after), always);
    return {shared_from_this(), number};
}

std::uint64_t Stream::add(Task work, std::vector<Ticket> after, bool always) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t number = push(std::move(work), std::move(after), always);
    if (!threaded_) start_thread();
    if (!busy_) wake_thread(); // who is busy sees it, or wakes the thread
    return number;
}

void Stream::run(Task work) {
    forbid_capture(*this);
    std::uint64_t number = 0;
    {
        std::unique_lock order(owner_.submission());
        std::vector<Ticket> after;
        owner_.add_default_stream_order(*this, after);
        std::unique_lock lock(mutex_);
        const bool is_next = !is_left() && !busy_;
        number = push(std::move(work), std::move(after), false);
        order.unlock();
        if (is_next) carry_out(number, lock);
    }
    wait(number);
    host_waited(number);
    owner_.check();
}

void Stream::wake_thread() {
    if (!sleeping_) return;
    sleeping_ = false; // so that it is woken once
    work_.notify_one();
}

void Stream::carry_out(std::uint64_t number, std::unique_lock<Mutex>& lock) {
    busy_ = true;
    while (completed_ < number && completed_ < enqueued_) {
        if (taken_.empty()) taken_.take(queue_);
        lock.unlock();
        while (completed_ < number && !taken_.empty())
            run_front();
        lock.lock();
    }
    busy_ = false;
    if (completed_ == enqueued_ && !stopping_) return;
    wake_thread();
    if (!threaded_) done_.notify_all(); // they carry on
}

void Stream::run_front() {
    Command& command = taken_.front();
    for (const Ticket& ticket : command.after)
        ticket.stream->wait(ticket.number);
    command.after.clear();
    if (command.always || owner_.error() == CUDA_SUCCESS) {
        try {
            const JobOwner own(this);
            const WorkRaces::Running running({id, completed_ + 1});
            command.work();
        } catch (const Failure& failure) {
            owner_.set_error(failure.code, failure.message);
        } catch (const std::exception& e) {
            owner_.set_error(code_of(e, CUDA_ERROR_UNKNOWN), e.what());
        }
    }
    command.work.reset(); // objects that it holds are gone before anybody sees that it is done
    taken_.pop();
    const std::uint64_t number = ++completed_;
    if (number < wanted_) return; // as nearly always: nobody sleeps for this
    const std::scoped_lock lock(mutex_);
    wanted_ = kAll; // who goes on sleeping says so again
    done_.notify_all();
}

void Stream::start_thread() {
    threaded_ = true;
    keep_context_ = owner_.shared_from_this();
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
        threaded_ = false; // the threads that wait do the work
    }
}

void Stream::thread_main() {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (is_left()) {
            carry_out(kAll, lock);
            continue;
        }
        if (stopping_ && !busy_) break;
        const std::uint64_t seen = enqueued_;
        lock.unlock();
        spin_or_help(this, [&] { return enqueued_ != seen || is_left(); });
        lock.lock();
        if (is_left() || (stopping_ && !busy_)) continue;
        // Also where somebody else is busy, who wakes it if anything is left.
        sleeping_ = true;
        work_.wait(lock, [&] { return !sleeping_; });
    }
    threaded_ = false;
    const std::shared_ptr<ContextState> last = std::move(keep_context_);
    lock.unlock();
}

void Stream::wait(std::uint64_t number) {
    if (reached(number)) return;
    std::unique_lock lock(mutex_);
    while (!reached(number)) {
        if (is_left() && (!threaded_ || platform::stack_left() > kStackToHelp)) {
            carry_out(number, lock);
            continue;
        }
        lock.unlock();
        spin_or_help(this, [&] { return reached(number); });
        lock.lock();
        if (reached(number)) break;
        if (is_left()) {
            if (!threaded_) continue;
            wake_thread();
        }
        done_.wait(lock, [&] {
            if (number < wanted_) wanted_ = number; // before the look: who completes it looks at this afterwards
            return reached(number) || (!threaded_ && is_left());
        });
    }
}

bool counts(const Ticket& ticket) {
    return ticket.stream && (!ticket.stream->reached(ticket.number) || (ticket.number > 0 && WorkRaces::is_on()));
}

Ticket Stream::last() { return {shared_from_this(), enqueued_.load()}; }

bool Stream::idle() {
    const std::uint64_t number = enqueued_;
    if (!reached(number)) return false;
    std::vector<Ticket> others;
    if (role == Role::legacy) {
        const std::scoped_lock order(owner_.submission());
        owner_.add_default_stream_order(*this, others);
    }
    for (const Ticket& other : others)
        if (!other.stream->reached(other.number)) return false;
    host_waited(number);
    for (const Ticket& other : others)
        other.stream->host_waited(other.number);
    return true;
}

bool Stream::ended() {
    const std::scoped_lock lock(mutex_);
    return stopping_ && completed_ == enqueued_; // somebody may be about to say that he is no longer busy
}

void Stream::synchronize() {
    if (role == Role::legacy) {
        std::vector<Ticket> others;
        {
            const std::scoped_lock order(owner_.submission());
            owner_.add_default_stream_order(*this, others);
        }
        for (const Ticket& ticket : others) {
            ticket.stream->wait(ticket.number);
            ticket.stream->host_waited(ticket.number);
        }
    }
    const std::uint64_t number = enqueued_;
    wait(number);
    host_waited(number);
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
    wake_thread();
}

ContextStreams::ContextStreams(Context& owner)
    : context(owner), legacy_(std::make_shared<Stream>(*this, Stream::Role::legacy, 0, 0)) {
    all_.push_back(legacy_);
}

std::shared_ptr<Stream> ContextStreams::create_stream(unsigned flags, int priority) {
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

std::shared_ptr<Stream> ContextStreams::create_branch() {
    drop_ended_streams();
    auto stream = std::make_shared<Stream>(*this, Stream::Role::created, unsigned{CU_STREAM_NON_BLOCKING}, 0);
    const std::scoped_lock lock(streams_mutex_);
    all_.push_back(stream);
    return stream;
}

std::shared_ptr<Stream> ContextStreams::stream(CUstream handle) {
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
    if (&stream->owner_ != this) fail(CUDA_ERROR_INVALID_HANDLE, "the stream belongs to another context");
    return stream;
}

void ContextStreams::forget_stream(Stream& stream) {
    stream.stop();
    drop_ended_streams();
}

void ContextStreams::drop_ended_streams() {
    std::vector<std::shared_ptr<Stream>> gone; // so that objects of their last work end outside of the locks
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

std::size_t ContextStreams::stream_count() {
    drop_ended_streams();
    const std::scoped_lock lock(streams_mutex_);
    return all_.size();
}

void ContextStreams::add_default_stream_order(Stream& stream, std::vector<Ticket>& after) {
    if (stream.role == Stream::Role::legacy) {
        for (const auto& other : blocking_) {
            if (Ticket ticket = other->last(); counts(ticket)) after.push_back(std::move(ticket));
        }
    } else if (stream.blocking()) {
        if (Ticket ticket = legacy_->last(); counts(ticket)) after.push_back(std::move(ticket));
    }
}

void ContextStreams::drain() {
    for (const auto& stream : all_streams()) {
        const std::uint64_t number = stream->last().number;
        stream->wait(number);
        stream->host_waited(number);
    }
}

bool ContextStreams::idle() {
    const std::scoped_lock lock(streams_mutex_);
    return std::all_of(all_.begin(), all_.end(), [](const auto& s) { return s->reached(s->last().number); });
}

std::vector<std::shared_ptr<Stream>> ContextStreams::all_streams() {
    const std::scoped_lock lock(streams_mutex_);
    return all_;
}

void ContextStreams::forget_handles() {
    handles<Stream>().remove_if([&](const Stream& s) { return &s.owner_ == this; });
}

void ContextStreams::stop_all() {
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
}

} // namespace warplight::software
