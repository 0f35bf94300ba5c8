// SPDX-License-Identifier: Apache-2.0
#include "cluster/command.hpp"

#include "compiler/platform.hpp"
#include "files/input_file.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <fmt/format.h>
#include <span>
#include <thread>

namespace warplight::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using worker::platform::Child;
using worker::platform::ChildSettings;

/// Reads to the end, and keeps so much of it.
class Drain {
public:
    Drain(Child& child, std::size_t (Child::*read)(std::byte*, std::size_t), std::string& to, std::size_t most)
        : thread_(worker::start_thread([this, &child, read, &to, most] {
              std::array<std::byte, 65536> piece;
              while (const auto count = (child.*read)(piece.data(), piece.size()))
                  to.append(reinterpret_cast<const char*>(piece.data()),
                            std::min(count, most - std::min(most, to.size())));
              ended_ = true;
          })) {}
    ~Drain() { thread_.join(); }
    Drain(const Drain&) = delete;
    Drain& operator=(const Drain&) = delete;
    [[nodiscard]] bool ended() const { return ended_; }

private:
    std::atomic<bool> ended_ = false;
    std::thread thread_;
};

/// What comes from a file, a piece at a time.
void give_file(Child& child, const std::filesystem::path& path) {
    const files::InputFile file(path);
    std::array<std::byte, 65536> piece;
    std::uint64_t offset = 0;
    while (const auto count = file.read_some(offset, piece)) {
        if (!child.write(piece.data(), count)) return;
        offset += count;
    }
}

void wait_for(Child& child, const CommandOptions& options, CommandResult& result,
              const std::function<bool()>& drained) {
    std::atomic<bool> gone = false;
    auto waiting = worker::start_thread([&] {
        result.code = child.wait().code;
        gone = true;
    });
    const auto end = steady_clock::now() + options.timeout;
    constexpr milliseconds step(5);
    while (!gone) {
        result.late = steady_clock::now() > end;
        result.cancelled = !result.late && options.cancelled && options.cancelled();
        if (result.late || result.cancelled) {
            child.kill();
            break;
        }
        std::this_thread::sleep_for(step);
    }
    waiting.join();
    // Programs that it has started may hold its outputs for longer, as a shared connection of ssh does.
    constexpr milliseconds patience(300);
    const auto last = steady_clock::now() + patience;
    while (!drained() && steady_clock::now() < last)
        std::this_thread::sleep_for(step);
    child.stop_reading();
}

} // namespace

CommandResult run_command(const std::vector<std::string>& command, std::string_view input,
                          const CommandOptions& options) {
    CommandResult result;
    const auto& name = command[0];
    std::filesystem::path program = name;
    if (name.find_first_of("/\\") == std::string::npos) program = compiler::platform::find_on_path(name);
    if (program.empty()) {
        result.problem = fmt::format("There is no program {} here.", name);
        return result;
    }
    try {
        ChildSettings settings;
        settings.environment = ChildSettings::Environment::whole;
        settings.variables = options.environment;
        settings.at_terminal = options.at_terminal;
        Child child(program, {command.begin() + 1, command.end()}, settings);
        result.started = true;
        const Drain output(child, &Child::read_output, result.output, options.most_output);
        const Drain errors(child, &Child::read_errors, result.errors, options.most_output);
        auto writer = worker::start_thread([&] {
            try {
                if (options.input_file.empty())
                    child.write(reinterpret_cast<const std::byte*>(input.data()), input.size());
                else
                    give_file(child, options.input_file);
            } catch (const std::exception& error) {
                result.problem = error.what();
            }
            child.close_input();
        });
        wait_for(child, options, result, [&] { return output.ended() && errors.ended(); });
        writer.join();
    } catch (const std::exception& error) {
        result.problem = error.what();
    }
    return result;
}

} // namespace warplight::cluster
