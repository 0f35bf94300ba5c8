// SPDX-License-Identifier: Apache-2.0
// The broker: a fork of the worker that starts and ends processes that compile. It reads no source. Each process is a
// fork of the broker, which has opened NVRTC already, so that a compilation costs no start of a program.
//
// From the worker come frames of a command, the number of a request and the request itself, which the broker does not
// read. It answers with frames of the same form.
#include "worker/compiler_processes.hpp"

#include "compiler/temporary_folder.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace warplight::worker {
namespace {

// Commands besides those of CompilerTask.
constexpr unsigned char kCancel = 100, kPrepare = 101;
enum class Reply : unsigned char { answer, ended, cancelled };
constexpr std::size_t kLength = 4; // of a message, in front of it
constexpr std::size_t kHead = 5;   // command and number, in a message
constexpr std::size_t kMostAtOnce = 8;
using Bytes = std::vector<std::byte>;

std::size_t read_some(int file, std::byte* to, std::size_t size) {
    for (;;) {
        const ssize_t count = ::read(file, to, size);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) return 0;
    }
}

bool write_all(int file, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

FrameReader frames_of(int& file) {
    return {
        [](void* stream, std::byte* to, std::size_t size) { return read_some(*static_cast<int*>(stream), to, size); },
        &file};
}

Bytes frame(unsigned char head, std::uint32_t id, std::span<const std::byte> payload) {
    Bytes body{static_cast<std::byte>(head)};
    for (int shift = 0; shift < 32; shift += 8)
        body.push_back(static_cast<std::byte>(id >> shift));
    body.insert(body.end(), payload.begin(), payload.end());
    return in_frame(body);
}

std::uint32_t id_of(const Bytes& body) {
    std::uint32_t id = 0;
    for (std::size_t i = 0; i < 4; ++i)
        id |= static_cast<std::uint32_t>(body[i + 1]) << (8 * i);
    return id;
}

Bytes bytes_of(std::string_view text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
}

/// Moves files to the descriptors from 3 on and closes all others but the standard streams.
template <std::size_t N>
void keep_only(std::array<int*, N> files) {
    for (int* file : files)
        *file = fcntl(*file, F_DUPFD_CLOEXEC, 3 + static_cast<int>(N)); // out of the way first
    for (std::size_t i = 0; i < N; ++i) {
        const int place = 3 + static_cast<int>(i);
        dup3(*files[i], place, O_CLOEXEC);
        *files[i] = place;
    }
    close_range(3 + static_cast<unsigned>(N), ~0U, 0);
}

class Broker {
public:
    Broker(int from_worker, int to_worker, CompilerRules rules)
        : from_worker_(from_worker), to_worker_(to_worker), rules_(std::move(rules)), frames_(frames_of(from_worker_)) {
    }
    Broker(const Broker&) = delete;
    Broker& operator=(const Broker&) = delete;

    [[noreturn]] void run() {
        leave_the_worker();
        for (;;) {
            std::vector<pollfd> waiting{{from_worker_, POLLIN, 0}};
            for (const Compilation& each : compilations_)
                waiting.push_back({each.pipe, POLLIN, 0});
            if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
            for (std::size_t i = waiting.size(); i-- > 1;)
                if (waiting[i].revents != 0) read_answer(i - 1);
            if (waiting[0].revents != 0) receive();
        }
    }

private:
    struct Compilation {
        std::uint32_t id = 0;
        pid_t process = 0;
        int pipe = -1;
        std::unique_ptr<compiler::TemporaryFolder> folder;
        Bytes answer;
    };

    void leave_the_worker() {
        setsid(); // a signal for the worker's group must not end the broker before it has cleaned up
        for (int signal = 1; signal < NSIG; ++signal)
            std::signal(signal, SIG_DFL);
        std::signal(SIGPIPE, SIG_IGN);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        if (const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0)
            for (int stream = 0; stream < 3; ++stream)
                dup2(nothing, stream);
        keep_only(std::array{&from_worker_, &to_worker_});
        prctl(PR_SET_DUMPABLE, 0); // no process of the user may change this one
        prctl(PR_SET_NAME, "compiler-broker");
    }

    void receive() {
        Bytes message;
        if (frames_.next(message) != FrameReader::Result::message || message.size() < kHead) end();
        const std::uint32_t id = id_of(message);
        const auto command = static_cast<unsigned char>(message[0]);
        if (command == kCancel) return cancel(id);
        if (command == kPrepare) {
            (void)answer_compiler_task(CompilerTask::nvrtc_identity, {}, rules_);
            return;
        }
        const auto task = static_cast<CompilerTask>(command);
        // These read nothing of a session. What they find out stays for the processes that follow.
        if (task == CompilerTask::nvrtc_identity || task == CompilerTask::nvcc_identity)
            return reply(Reply::answer, id, answer_compiler_task(task, {}, rules_));
        if (compilations_.size() >= kMostAtOnce) return reply(Reply::ended, id, bytes_of("runs too often at once"));
        start(id, task, std::span(message).subspan(kHead));
    }

    void start(std::uint32_t id, CompilerTask task, std::span<const std::byte> request) {
        std::array<int, 2> ends{};
        Compilation compilation;
        compilation.id = id;
        try {
            compilation.folder = std::make_unique<compiler::TemporaryFolder>();
        } catch (const std::exception& error) {
            return reply(Reply::ended, id, bytes_of(std::string("has no temporary folder: ") + error.what()));
        }
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            return reply(Reply::ended, id, bytes_of(std::string("has no pipe: ") + std::strerror(errno)));
        compilation.process = fork();
        if (compilation.process == 0) compile(ends[1], task, request, compilation.folder->path);
        const int problem = errno;
        close(ends[1]);
        compilation.pipe = ends[0];
        if (compilation.process < 0) {
            close(ends[0]);
            return reply(Reply::ended, id, bytes_of(std::string("cannot be started: ") + std::strerror(problem)));
        }
        setpgid(compilation.process, compilation.process);
        compilations_.push_back(std::move(compilation));
    }

    /// The process that compiles.
    [[noreturn]] void compile(int output, CompilerTask task, std::span<const std::byte> request,
                              const std::filesystem::path& folder) {
        setpgid(0, 0); // with the programs that it starts
        keep_only(std::array{&output});
        prctl(PR_SET_NAME, "compiler");
        platform::begin_compiler(folder);
        rules_.folder = folder;
        const auto end_with_broker = [output] {
            std::thread([output] {
                pollfd pipe{output, 0, 0};
                while (poll(&pipe, 1, -1) < 0 || (pipe.revents & POLLERR) == 0) {
                }
                platform::end_process_group();
            }).detach();
        };
        const Bytes answer = in_frame(answer_compiler_task(task, request, rules_, end_with_broker));
        write_all(output, answer);
        _exit(0);
    }

    void read_answer(std::size_t index) {
        Compilation& compilation = compilations_[index];
        const std::size_t before = compilation.answer.size();
        compilation.answer.resize(before + (std::size_t{1} << 16));
        const std::size_t count = read_some(compilation.pipe, compilation.answer.data() + before, std::size_t{1} << 16);
        compilation.answer.resize(before + count);
        const std::optional<std::size_t> size = whole_size(compilation.answer);
        const bool too_large = size && *size > kLargestMessage + kLength;
        if (size && !too_large && compilation.answer.size() >= *size) {
            // Before its end: giving back a compiler's memory takes milliseconds.
            reply(Reply::answer, compilation.id, std::span(compilation.answer).subspan(kLength, *size - kLength));
            (void)end_of(index, false);
        } else if (count == 0 || too_large) {
            const std::uint32_t id = compilation.id;
            const std::string how = end_of(index, !too_large);
            reply(Reply::ended, id, bytes_of(too_large ? "gave too large an answer" : how));
        }
    }

    /// Of an answer with its length, as soon as that is known.
    static std::optional<std::size_t> whole_size(const Bytes& framed) {
        if (framed.size() < kLength) return {};
        std::size_t size = kLength;
        for (std::size_t i = 0; i < kLength; ++i)
            size += static_cast<std::size_t>(framed[i]) << (8 * i);
        return size;
    }

    /// Waits for a process, with what it has started. `patient`: it ends by itself, and the way it ends counts.
    std::string end_of(std::size_t index, bool patient) {
        const Compilation compilation = std::move(compilations_[index]);
        compilations_.erase(compilations_.begin() + static_cast<std::ptrdiff_t>(index));
        siginfo_t info{};
        for (int patience = 0; patient && patience < 200; ++patience) {
            info.si_pid = 0;
            if (waitid(P_PID, static_cast<id_t>(compilation.process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
                info.si_pid != 0)
                break;
            usleep(5000);
        }
        kill(-compilation.process, SIGKILL);
        int status = 0;
        while (waitpid(compilation.process, &status, 0) < 0 && errno == EINTR) {
        }
        close(compilation.pipe);
        if (!WIFSIGNALED(status)) return "exited with code " + std::to_string(WEXITSTATUS(status));
        const int signal = WTERMSIG(status);
        // Out of memory, programs abort or are killed by the system.
        const bool memory = signal == SIGKILL || signal == SIGABRT;
        return "was killed by signal " + std::to_string(signal) + (memory ? ", out of memory?" : "");
    }

    void cancel(std::uint32_t id) {
        const auto found = std::ranges::find(compilations_, id, &Compilation::id);
        if (found == compilations_.end()) return; // it has ended meanwhile
        (void)end_of(static_cast<std::size_t>(found - compilations_.begin()), false);
        reply(Reply::cancelled, id, {});
    }

    void reply(Reply kind, std::uint32_t id, std::span<const std::byte> payload) {
        if (!write_all(to_worker_, frame(static_cast<unsigned char>(kind), id, payload))) end();
    }

    /// The worker is gone.
    [[noreturn]] void end() {
        while (!compilations_.empty())
            (void)end_of(compilations_.size() - 1, false);
        _exit(0);
    }

    int from_worker_, to_worker_;
    CompilerRules rules_;
    FrameReader frames_;
    std::vector<Compilation> compilations_;
};

/// The worker's side of it.
class BrokeredCompilers final : public CompilerProcesses {
public:
    BrokeredCompilers(int to_broker, int from_broker, pid_t broker, std::filesystem::path program)
        : to_broker_(to_broker), from_broker_(from_broker), broker_(broker), program_(std::move(program)) {}
    BrokeredCompilers(const BrokeredCompilers&) = delete;
    BrokeredCompilers& operator=(const BrokeredCompilers&) = delete;
    ~BrokeredCompilers() override {
        {
            const std::scoped_lock lock(writing_);
            close(to_broker_);
            to_broker_ = -1;
        }
        if (reader_.joinable()) reader_.join();
        close(from_broker_);
        waitpid(broker_, nullptr, 0);
    }

    void prepare() override { send(kPrepare, 0, {}); }

    Answer ask(CompilerTask task, std::span<const std::byte> request, const compiler::CancelQuery& cancelled) override {
        std::unique_lock lock(mutex_);
        // Not earlier: the thread must be as confined as the worker.
        if (!reader_.joinable()) reader_ = std::thread([this] { read_replies(); });
        if (gone_) {
            lock.unlock();
            return separate_compilers(program_)->ask(task, request, cancelled);
        }
        const std::uint32_t id = ++last_id_;
        waiting_.try_emplace(id);
        lock.unlock();
        send(static_cast<unsigned char>(task), id, request);
        lock.lock();
        for (bool sent = false;;) {
            changed_.wait_for(lock, std::chrono::milliseconds(10), [&] { return gone_ || waiting_[id].has_value(); });
            if (gone_ || waiting_[id].has_value()) break;
            lock.unlock();
            if (cancelled && !sent && cancelled()) sent = send(kCancel, id, {});
            lock.lock();
        }
        const std::optional<Message> message = std::move(waiting_[id]);
        waiting_.erase(id);
        if (!message) throw std::runtime_error("was killed with the process that starts it");
        if (message->kind == Reply::ended) {
            const auto* text = reinterpret_cast<const char*>(message->payload.data());
            throw std::runtime_error(std::string(text, message->payload.size()));
        }
        return {message->kind == Reply::cancelled, message->payload};
    }

private:
    struct Message {
        Reply kind = Reply::ended;
        Bytes payload;
    };

    bool send(unsigned char command, std::uint32_t id, std::span<const std::byte> payload) {
        const Bytes bytes = frame(command, id, payload);
        const std::scoped_lock lock(writing_);
        return write_all(to_broker_, bytes);
    }

    void read_replies() {
        FrameReader frames = frames_of(from_broker_);
        Bytes body;
        while (frames.next(body) == FrameReader::Result::message && body.size() >= kHead) {
            const auto kind = static_cast<unsigned char>(body[0]);
            const std::uint32_t id = id_of(body);
            body.erase(body.begin(), body.begin() + kHead);
            const std::scoped_lock lock(mutex_);
            if (const auto found = waiting_.find(id); found != waiting_.end())
                found->second = Message{kind == 0 ? Reply::answer : kind == 1 ? Reply::ended : Reply::cancelled, body};
            changed_.notify_all();
        }
        const std::scoped_lock lock(mutex_);
        gone_ = true;
        changed_.notify_all();
    }

    int to_broker_, from_broker_;
    pid_t broker_;
    std::filesystem::path program_;
    std::mutex writing_;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable changed_;
    std::map<std::uint32_t, std::optional<Message>> waiting_;
    std::uint32_t last_id_ = 0;
    bool gone_ = false;
    std::thread reader_;
};

} // namespace

std::unique_ptr<CompilerProcesses> start_compiler_broker(const CompilerRules& rules,
                                                         const std::filesystem::path& program) {
    std::array<int, 2> requests{}, replies{};
    if (pipe2(requests.data(), O_CLOEXEC) != 0) return separate_compilers(program);
    if (pipe2(replies.data(), O_CLOEXEC) != 0) {
        close(requests[0]);
        close(requests[1]);
        return separate_compilers(program);
    }
    const pid_t broker = fork();
    if (broker == 0) Broker(requests[0], replies[1], rules).run();
    close(requests[0]);
    close(replies[1]);
    if (broker > 0) {
        std::signal(SIGPIPE, SIG_IGN); // a write to an ended broker is an error
        return std::make_unique<BrokeredCompilers>(requests[1], replies[0], broker, program);
    }
    close(requests[1]);
    close(replies[0]);
    return separate_compilers(program);
}

} // namespace warplight::worker
