// SPDX-License-Identifier: Apache-2.0
#include "remote/connection.hpp"

#include "remote/greeting.hpp"
#include "remote/link.hpp"
#include "remote/ssh.hpp"
#include "remote/stream.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

namespace warplight::remote {
namespace {

using std::chrono::steady_clock;

/// A login that asks for a password waits for a person.
constexpr auto greeting_patience = std::chrono::minutes(3);
constexpr std::size_t most_errors = std::size_t{64} << 10;
constexpr auto longest_pause = std::chrono::seconds(10);

/// ssh, whose standard streams lead to the relay on the other machine.
class SshStream final : public Stream {
public:
    explicit SshStream(const SshCommand& command)
        : child_(command.program, command.arguments,
                 {.environment = worker::platform::ChildSettings::Environment::whole,
                  .variables = command.environment,
                  .at_terminal = true}),
          errors_(worker::start_thread([this] { read_errors(); })) {}
    ~SshStream() override {
        close();
        if (errors_.joinable()) errors_.join();
    }

    std::size_t read(std::byte* to, std::size_t size) override { return child_.read_output(to, size); }
    bool write(const std::byte* from, std::size_t size) override { return child_.write(from, size); }
    void close() override {
        child_.kill();
        // A connection that is shared may hold the streams open.
        child_.stop_reading();
    }

    /// What ssh and the other machine said on standard error, and how ssh ended. Once.
    std::string why_ended(std::string_view machine) {
        child_.kill();
        const auto end = child_.wait();
        // The last words are in the pipe. A connection that is shared may hold it open.
        std::unique_lock lock(mutex_);
        said_all_.wait_for(lock, std::chrono::milliseconds(300), [this] { return all_; });
        lock.unlock();
        child_.stop_reading();
        if (errors_.joinable()) errors_.join();
        return explain_ssh_failure(end.by_signal ? -1 : end.code, said_, machine);
    }

private:
    void read_errors() {
        std::array<std::byte, 4096> buffer{};
        while (const std::size_t count = child_.read_errors(buffer.data(), buffer.size())) {
            const std::lock_guard lock(mutex_);
            said_.append(reinterpret_cast<const char*>(buffer.data()), count);
            if (said_.size() > most_errors) said_.erase(0, said_.size() - most_errors);
        }
        const std::lock_guard lock(mutex_);
        all_ = true;
        said_all_.notify_all();
    }

    worker::platform::Child child_;
    std::mutex mutex_;
    std::condition_variable said_all_;
    bool all_ = false;
    std::string said_;   ///< on standard error
    std::thread errors_; // the last member, for it uses the others
};

} // namespace

struct Connection::Internals {
    Internals(Options o, Link& l) : options(std::move(o)), link(l) {}

    /// Ends an attempt whose login does not get on.
    class Alarm {
    public:
        Alarm(Internals& state, Stream& stream)
            : state_(state), thread_(worker::start_thread([this, &stream] {
                  std::unique_lock lock(state_.mutex);
                  if (!state_.changed.wait_for(lock, greeting_patience, [this] { return done_ || state_.closing; }) ||
                      !done_)
                      stream.close();
              })) {}
        ~Alarm() {
            {
                const std::lock_guard lock(state_.mutex);
                done_ = true;
            }
            state_.changed.notify_all();
            thread_.join();
        }
        Alarm(const Alarm&) = delete;
        Alarm& operator=(const Alarm&) = delete;

    private:
        Internals& state_;
        bool done_ = false;
        std::thread thread_;
    };

    std::unique_ptr<Stream> attempt(bool resume, Greeting& greeting) {
        const std::string token = random_id();
        std::vector<std::string> words{"remote-serve",
                                       "--token",
                                       token,
                                       "--id",
                                       options.id,
                                       "--protocol",
                                       std::to_string(kRemoteProtocol),
                                       "--linger",
                                       std::to_string(options.linger.count())};
        if (resume) words.emplace_back("--resume");
        SshOptions ssh;
        ssh.share_connection = !resume;
        const std::string machine = machine_of(options.place);
        auto stream = std::make_unique<SshStream>(ssh_command(options.place, words, ssh));
        std::string problem;
        std::optional<Greeting> told;
        {
            const Alarm alarm(*this, *stream);
            told = read_greeting(
                *stream, token,
                [this](std::string_view line) {
                    if (options.on_text) options.on_text(std::string(line));
                },
                problem);
        }
        if (!told) {
            const std::string why = stream->why_ended(machine);
            throw ConnectionError(why.empty() ? problem : why, false);
        }
        greeting = std::move(*told);
        if (greeting.state == (resume ? Greeting::State::resumed : Greeting::State::started)) return stream;
        throw ConnectionError(greeting.problem.empty() ? machine + " does not take the connection." : greeting.problem,
                              true);
    }

    void tell(State state, const std::string& text = {}) const {
        if (options.on_state) options.on_state(state, text);
    }

    bool wait(std::chrono::milliseconds pause) {
        std::unique_lock lock(mutex);
        changed.wait_for(lock, pause, [this] { return closing; });
        return !closing;
    }

    void carry_on() {
        for (;;) {
            const Link::End end = link.carry(*stream, options.quiet);
            if (end == Link::End::closed || !wait(std::chrono::milliseconds(0))) return;
            if (end == Link::End::refused)
                return tell(State::gone,
                            "The worker there and this program disagree about what was sent. Run it again.");
            tell(State::lost);
            if (!reconnect()) return;
            tell(State::connected);
        }
    }

    /// False when there is nothing to go on with.
    bool reconnect() {
        const auto until = steady_clock::now() + options.linger;
        std::chrono::milliseconds pause(200);
        for (int number = 1;; ++number) {
            if (!wait(pause)) return false;
            pause = std::min<std::chrono::milliseconds>(2 * pause, longest_pause);
            tell(State::reconnecting, std::to_string(number));
            try {
                Greeting greeting;
                auto next = attempt(true, greeting);
                const std::lock_guard lock(mutex);
                stream = std::move(next);
                return !closing;
            } catch (const ConnectionError& error) {
                if (error.final || steady_clock::now() > until) {
                    tell(State::gone, error.what());
                    return false;
                }
            } catch (const std::runtime_error& error) { // ssh could not be started
                if (steady_clock::now() > until) {
                    tell(State::gone, error.what());
                    return false;
                }
            }
        }
    }

    Options options;
    Link& link;
    std::mutex mutex;
    std::condition_variable changed;
    bool closing = false;
    std::unique_ptr<Stream> stream;
    std::thread carrier;
};

Connection::Connection(Options options, Link& link) : state_(std::make_unique<Internals>(std::move(options), link)) {}

Connection::~Connection() { close(); }

Greeting Connection::open() {
    Internals& s = *state_;
    s.tell(State::connecting);
    Greeting greeting;
    try {
        s.stream = s.attempt(false, greeting);
    } catch (const ConnectionError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw ConnectionError(error.what(), false);
    }
    s.carrier = worker::start_thread([&s] { s.carry_on(); });
    s.tell(State::connected);
    return greeting;
}

void Connection::stop() {
    Internals& s = *state_;
    {
        const std::lock_guard lock(s.mutex);
        s.closing = true;
        if (s.stream) s.stream->close();
    }
    s.changed.notify_all();
}

void Connection::close() {
    stop();
    if (state_->carrier.joinable()) state_->carrier.join();
}

std::string random_id() {
    std::random_device random;
    std::string id;
    for (int i = 0; i < 4; ++i)
        id += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
    return id;
}

} // namespace warplight::remote
