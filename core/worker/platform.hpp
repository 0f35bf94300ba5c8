// SPDX-License-Identifier: Apache-2.0
// The system calls of this layer: processes and pipes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warplight::worker::platform {

std::int64_t process_id();
/// The program that runs now.
std::filesystem::path own_program();
/// "warplight-cli" or "warplight-cli.exe".
std::string program_file(const std::string& name);

/// Closes files that the program's parent left open by mistake: those beyond standard error. For the start of main().
void close_inherited_files();

/// The worker's side. It takes standard input and output for the protocol. From then on other code of the process
/// prints to standard error and reads an empty input.
class ServerPipes {
public:
    ServerPipes();
    ~ServerPipes();
    ServerPipes(const ServerPipes&) = delete;
    ServerPipes& operator=(const ServerPipes&) = delete;
    /// 0 at the end.
    std::size_t read(std::byte* to, std::size_t size);
    /// False when the other side is gone.
    bool write(const std::byte* from, std::size_t size);
    /// Returns when the other side has closed the input, with or without data left in it. Never where the input is no
    /// pipe.
    void wait_for_closed_input() const;

private:
    std::int64_t in_ = -1, out_ = -1;
};

/// Ctrl+C is meant for the program that started this one, and the programs that it starts ignore it, too.
void ignore_interrupts();

void set_environment(const char* name, const std::string& value);

/// Ends the process without joining threads, because one that waits for a device may never end.
[[noreturn]] void end_process(int code);

/// In a process that compiles: its temporary files go there, and the programs that it starts end with its group.
void begin_compiler(const std::filesystem::path& temporary);
/// Bounds this process's address space, 0 for no bound. It leaves no core file.
void limit_compiler(std::uint64_t memory);
/// Kills this process and the programs that it started.
[[noreturn]] void end_process_group();

/// How a child ended.
struct EndOfProcess {
    enum class Cause : std::uint8_t { exit, fault, abort, killed, processor_time, file_size, forbidden_call, other };
    Cause cause = Cause::exit;
    bool by_signal = false;
    int code = 0;
    std::string text;
};

/// What a child gets of this process.
struct ChildSettings {
    enum class Environment : std::uint8_t {
        passed_on, ///< what is_passed_on() lets through, for processes that run what others have written
        whole      ///< for programs of the user's that reach for keys, agents and displays, such as ssh
    };

    /// Bytes, where the system holds a limit for a process and its children (Windows). 0: none.
    std::uint64_t memory_limit = 0;
    Environment environment = Environment::passed_on;
    /// Set in its environment, in place of what is there.
    std::vector<std::pair<std::string, std::string>> variables = {};
    /// It stays in this process's group, so that it may ask at the terminal, and gets Ctrl+C with it. It ignores the
    /// signals that this process ignores. Else it has a group of its own, and all signals their default.
    bool at_terminal = false;
    /// It ends itself when its input has ended, and has something to do before: on Windows it is not killed when this
    /// process ends, as other children are.
    bool ends_with_input = false;
};

/// A child with pipes on its standard streams.
class Child {
public:
    /// @throws std::runtime_error.
    Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const ChildSettings& settings = {});
    /// Kills the child if it still runs.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    std::int64_t id() const;
    std::size_t read_output(std::byte* to, std::size_t size); ///< 0 at the end
    std::size_t read_errors(std::byte* to, std::size_t size);
    /// From any thread: reads that wait end, as all later ones do. A program that the child has handed its output to
    /// may hold it open when the child is gone, as a shared connection of ssh does.
    void stop_reading();
    bool write(const std::byte* from, std::size_t size);
    void close_input(); ///< a write that waits in another thread fails
    void kill();        ///< with the processes that it started
    /// Bytes that it and the processes that it started have in memory, except for files. 0 where that is not known.
    std::uint64_t memory() const;
    /// Waits until it is gone. Once, from one thread.
    EndOfProcess wait();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::worker::platform
