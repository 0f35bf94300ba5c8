// SPDX-License-Identifier: Apache-2.0
// The system calls of this layer: sockets between processes of one user, and processes that outlive a login. Only Linux
// can be the far side; elsewhere far_side_problem() says so, and nothing else is called.
#pragma once

#include "remote/stream.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace warplight::remote::platform {

/// Why other machines cannot use this one; empty where they can.
std::string far_side_problem();
/// This machine's name.
std::string machine_name();

/// A stream between two processes.
class SocketStream : public Stream {
public:
    /// What the other side still sends can be read.
    virtual void end_writing() = 0;
    /// Waits until the other side has ended.
    virtual void wait_for_end() const = 0;
};

/// A socket in a folder. Only processes of the same user get through.
class Listener {
public:
    /// @throws files::Problem
    explicit Listener(const std::filesystem::path& folder);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    /// Waits; null after close().
    std::unique_ptr<SocketStream> accept();
    void close();

private:
    int socket_ = -1, wake_read_ = -1, wake_write_ = -1;
};

/// Null where nobody listens there.
std::unique_ptr<SocketStream> connect_to(const std::filesystem::path& folder);

/// A file that one process holds until it ends.
class HeldFile {
public:
    HeldFile() = default;
    ~HeldFile() { release(); }
    HeldFile(const HeldFile&) = delete;
    HeldFile& operator=(const HeldFile&) = delete;
    enum class Result : std::uint8_t { held, taken, missing };
    /// Never waits. `missing`: there is no such file, and none was to be made; or files cannot be held there.
    Result take(const std::filesystem::path& file, bool make);
    void release();

private:
    int file_ = -1;
};

/// Starts a program that lives on when this process and the login have ended, and returns the first line that it
/// announces. Empty where it announces none within `patience`; then it was ended.
std::string start_daemon(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         std::chrono::milliseconds patience);
/// In that program, before it starts a thread: from now on it belongs to no terminal and to no session. The signals
/// that end it wait for wait_for_end_signal().
class Daemon {
public:
    Daemon();
    /// Tells the line. The standard streams lead nowhere from then on, standard error to `log`.
    void announce(const std::string& line, const std::filesystem::path& log);

private:
    int announce_ = -1;
};
/// Waits for a signal that asks this process to end, and returns its name.
std::string wait_for_end_signal();

} // namespace warplight::remote::platform
