// SPDX-License-Identifier: Apache-2.0
#include "remote/platform.hpp"

#include "files/problem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace warplight::remote::platform {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSocketName = "socket";

std::error_code system_error() { return {errno, std::generic_category()}; }

void close_fd(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
}

/// The address of the folder's socket. An address has 108 bytes, and a path may have more: so it goes through an open
/// folder.
class SocketAddress {
public:
    explicit SocketAddress(const fs::path& folder) : folder_(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
        address_.sun_family = AF_UNIX;
        const std::string path = "/proc/self/fd/" + std::to_string(folder_) + "/" + kSocketName;
        path.copy(address_.sun_path, sizeof address_.sun_path - 1);
    }
    ~SocketAddress() { close_fd(folder_); }
    SocketAddress(const SocketAddress&) = delete;
    SocketAddress& operator=(const SocketAddress&) = delete;
    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
    [[nodiscard]] static socklen_t size() { return sizeof(sockaddr_un); }

private:
    int folder_;
    sockaddr_un address_{};
};

bool is_of_this_user(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

class UnixStream final : public SocketStream {
public:
    explicit UnixStream(int socket) : socket_(socket) {}
    ~UnixStream() override { ::close(socket_); }
    std::size_t read(std::byte* to, std::size_t size) override {
        for (;;) {
            const ssize_t count = recv(socket_, to, size, 0);
            if (count >= 0) return static_cast<std::size_t>(count);
            if (errno != EINTR) return 0;
        }
    }
    bool write(const std::byte* from, std::size_t size) override {
        while (size > 0) {
            const ssize_t count = send(socket_, from, size, MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return false;
            from += count;
            size -= static_cast<std::size_t>(count);
        }
        return true;
    }
    void close() override { shutdown(socket_, SHUT_RDWR); }
    void end_writing() override { shutdown(socket_, SHUT_WR); }
    void wait_for_end() const override {
        pollfd end{socket_, POLLRDHUP, 0};
        while (poll(&end, 1, -1) < 0 && errno == EINTR) {
        }
    }

private:
    const int socket_;
};

} // namespace

std::string far_side_problem() { return {}; }

std::string machine_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Listener::Listener(const fs::path& folder) {
    std::array<int, 2> wake{-1, -1};
    if (pipe2(wake.data(), O_CLOEXEC) != 0) throw files::Problem(folder, "no pipe can be made", system_error());
    wake_read_ = wake[0];
    wake_write_ = wake[1];
    socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const SocketAddress address(folder);
    if (socket_ >= 0 && bind(socket_, address.get(), SocketAddress::size()) == 0 && listen(socket_, 16) == 0) return;
    const std::error_code problem = system_error();
    for (int* each : {&socket_, &wake_read_, &wake_write_})
        close_fd(*each);
    throw files::Problem(folder, "no socket can be made in it", problem);
}

Listener::~Listener() {
    for (int* each : {&socket_, &wake_read_, &wake_write_})
        close_fd(*each);
}

std::unique_ptr<SocketStream> Listener::accept() {
    for (;;) {
        std::array<pollfd, 2> waits{pollfd{socket_, POLLIN, 0}, pollfd{wake_read_, POLLIN, 0}};
        if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) return nullptr;
        if (waits[1].revents != 0) return nullptr;
        int taken = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (taken < 0) {
            if (errno == EINTR || errno == EAGAIN || errno == ECONNABORTED) continue;
            if (errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS) return nullptr;
            poll(nullptr, 0, 100); // until some file is closed
            continue;
        }
        if (is_of_this_user(taken)) return std::make_unique<UnixStream>(taken);
        close_fd(taken);
    }
}

void Listener::close() { [[maybe_unused]] const ssize_t written = ::write(wake_write_, "", 1); }

std::unique_ptr<SocketStream> connect_to(const fs::path& folder) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return nullptr;
    const SocketAddress address(folder);
    if (connect(fd, address.get(), SocketAddress::size()) == 0 && is_of_this_user(fd))
        return std::make_unique<UnixStream>(fd);
    close_fd(fd);
    return nullptr;
}

HeldFile::Result HeldFile::take(const fs::path& file, bool make) {
    release();
    // Open for writing: file systems of other machines hold only such files.
    file_ = open(file.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | (make ? O_CREAT : 0), 0600);
    if (file_ < 0) return Result::missing;
    int result = -1;
    do {
        result = flock(file_, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    if (result == 0) return Result::held;
    const bool taken = errno == EWOULDBLOCK;
    release();
    return taken ? Result::taken : Result::missing;
}

void HeldFile::release() { close_fd(file_); }

std::string start_daemon(const fs::path& program, const std::vector<std::string>& arguments,
                         std::chrono::milliseconds patience) {
    std::array<int, 2> line{-1, -1};
    if (pipe2(line.data(), O_CLOEXEC) != 0) return {};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, line[1], STDOUT_FILENO);
    std::string path = program.string();
    std::vector<char*> words{path.data()};
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    pid_t child = 0;
    const int status = posix_spawn(&child, path.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close_fd(line[1]);
    std::string text;
    const auto until = std::chrono::steady_clock::now() + patience;
    while (status == 0 && text.find('\n') == std::string::npos) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd wait{line[0], POLLIN, 0};
        std::array<char, 1024> buffer{};
        if (left.count() <= 0 || (poll(&wait, 1, static_cast<int>(left.count())) < 0 && errno != EINTR)) break;
        if (wait.revents == 0) continue;
        const ssize_t count = read(line[0], buffer.data(), buffer.size());
        if (count <= 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    close_fd(line[0]); // one that announces later is told so, and ends
    if (status == 0)
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    const auto end = text.find('\n');
    return end == std::string::npos ? std::string() : text.substr(0, end);
}

Daemon::Daemon() {
    std::signal(SIGPIPE, SIG_IGN);
    // The first fork gives the caller back its child; the second one can never get a terminal.
    for (int i = 0; i < 2; ++i) {
        const pid_t child = fork();
        if (child > 0) _exit(0);
        if (child < 0) _exit(1);
        if (i == 0) setsid();
    }
    announce_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    (void)chdir("/");
    umask(077);
    sigset_t ends;
    sigemptyset(&ends);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGQUIT})
        sigaddset(&ends, signal);
    sigprocmask(SIG_BLOCK, &ends, nullptr);
}

void Daemon::announce(const std::string& line, const fs::path& log) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int file = log.empty() ? -1 : open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(file >= 0 ? file : nothing, STDERR_FILENO);
    close_fd(nothing);
    close_fd(file);
    const std::string text = line + '\n';
    const bool told = ::write(announce_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close_fd(announce_);
    if (!told) _exit(1); // nobody waits for it any more
}

std::string wait_for_end_signal() {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int signal : {SIGTERM, SIGINT, SIGQUIT})
        sigaddset(&ends, signal);
    int signal = 0;
    while (sigwait(&ends, &signal) != 0) {
    }
    const char* name = strsignal(signal);
    return "signal " + std::to_string(signal) + (name ? std::string(" (") + name + ")" : "");
}

} // namespace warplight::remote::platform
