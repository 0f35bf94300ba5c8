// SPDX-License-Identifier: Apache-2.0
#include "cluster/command.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warplight::cluster {
namespace {

using std::chrono::steady_clock;

class Ends {
public:
    Ends() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }
    ~Ends() {
        close_end(0);
        close_end(1);
    }
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;
    [[nodiscard]] int operator[](std::size_t i) const { return ends_[i]; }
    void close_end(std::size_t i) {
        if (ends_[i] >= 0) close(ends_[i]);
        ends_[i] = -1;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

/// False at the end.
bool take(int from, std::string& to, std::size_t most) {
    std::array<char, 65536> piece;
    const auto count = read(from, piece.data(), piece.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    to.append(piece.data(), std::min(static_cast<std::size_t>(count), most - std::min(most, to.size())));
    return count > 0;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& more) {
    std::vector<std::string> all;
    for (char** each = environ; *each; ++each) {
        const std::string_view text = *each;
        const auto name = text.substr(0, text.find('='));
        if (std::ranges::none_of(more, [&](const auto& other) { return other.first == name; })) all.emplace_back(text);
    }
    for (const auto& [name, value] : more)
        all.push_back(name + '=' + value);
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (auto& each : words)
        pointers.push_back(each.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Between pipes and the program, until it has closed its outputs, or has to end.
class Conversation {
public:
    Conversation(pid_t child, Ends& input, Ends& output, Ends& errors, std::string_view text,
                 const CommandOptions& options, CommandResult& result)
        : child_(child), input_(input), output_(output), errors_(errors), text_(text), options_(options),
          result_(result) {}

    void run() {
        const auto end = steady_clock::now() + options_.timeout;
        while (output_[0] >= 0 || errors_[0] >= 0) {
            if (!ended_ && steady_clock::now() > end) stop(result_.late);
            if (!ended_ && options_.cancelled && options_.cancelled()) stop(result_.cancelled);
            // Programs that it has started may hold the pipes for longer.
            if (ended_ && steady_clock::now() > patience_) return;
            exchange();
        }
    }

private:
    void stop(bool& why) {
        why = ended_ = true;
        ::kill(-child_, SIGKILL);
        patience_ = steady_clock::now() + std::chrono::seconds(1);
    }
    void exchange() {
        std::array<pollfd, 3> all{{{output_[0], POLLIN, 0}, {errors_[0], POLLIN, 0}, {input_[1], POLLOUT, 0}}};
        if (::poll(all.data(), all.size(), 100) <= 0) return;
        if (all[0].revents && !take(output_[0], result_.output, options_.most_output)) output_.close_end(0);
        if (all[1].revents && !take(errors_[0], result_.errors, options_.most_output)) errors_.close_end(0);
        if (all[2].revents) give();
    }
    void give() {
        const auto count = ::write(input_[1], text_.data(), text_.size());
        if (count > 0) text_.remove_prefix(static_cast<std::size_t>(count));
        if (text_.empty() || (count < 0 && errno != EINTR && errno != EAGAIN)) input_.close_end(1);
    }

    pid_t child_;
    Ends &input_, &output_, &errors_;
    std::string_view text_;
    const CommandOptions& options_;
    CommandResult& result_;
    bool ended_ = false;
    steady_clock::time_point patience_;
};

} // namespace

CommandResult run_command(const std::vector<std::string>& command, std::string_view input,
                          const CommandOptions& options) {
    CommandResult result;
    Ends in, out, error;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (options.input_file.empty())
        posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, options.input_file.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // Ctrl+C in a terminal is meant for this program, which then decides.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    auto words = command;
    auto variables = environment_with(options.environment);
    const auto arguments = pointers_to(words), environment = pointers_to(variables);
    pid_t child = 0;
    const int status = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (status != 0) {
        result.problem = status == ENOENT ? fmt::format("There is no program {} here.", command[0])
                                          : fmt::format("{} cannot be started: {}.", command[0], std::strerror(status));
        return result;
    }
    result.started = true;
    in.close_end(0);
    out.close_end(1);
    error.close_end(1);
    if (options.input_file.empty() && !input.empty())
        fcntl(in[1], F_SETFL, O_NONBLOCK);
    else
        in.close_end(1);
    // Writing to a program that has ended fails with an error instead of SIGPIPE.
    sigset_t pipe, before;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    Conversation(child, in, out, error, input, options, result).run();
    const timespec at_once{};
    while (sigtimedwait(&pipe, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    int end = 0;
    while (waitpid(child, &end, 0) < 0 && errno == EINTR) {
    }
    result.code = WIFEXITED(end) ? WEXITSTATUS(end) : 128 + WTERMSIG(end);
    return result;
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

} // namespace warplight::cluster
