// SPDX-License-Identifier: Apache-2.0
#include "cluster/command.hpp"

#include "files/input_file.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <span>
#include <thread>

namespace warplight::cluster {
namespace {

using worker::platform::Child;

void drain(Child& child, std::size_t (Child::*read)(std::byte*, std::size_t), std::string& to, std::size_t most) {
    std::array<std::byte, 65536> piece;
    while (const auto count = (child.*read)(piece.data(), piece.size()))
        if (to.size() < most) to.append(reinterpret_cast<const char*>(piece.data()), count);
}

} // namespace

CommandResult run_command(const std::vector<std::string>& command, std::string_view input,
                          const CommandOptions& options) {
    CommandResult result;
    try {
        for (const auto& [name, value] : options.environment)
            worker::platform::set_environment(name.c_str(), value);
        Child child(command[0], {command.begin() + 1, command.end()});
        result.started = true;
        std::atomic<int> reading = 2;
        auto output = worker::start_thread([&] {
            drain(child, &Child::read_output, result.output, options.most_output);
            --reading;
        });
        auto errors = worker::start_thread([&] {
            drain(child, &Child::read_errors, result.errors, options.most_output);
            --reading;
        });
        auto writer = worker::start_thread([&] {
            try {
                if (!options.input_file.empty()) {
                    const files::InputFile file(options.input_file);
                    std::array<std::byte, 65536> piece;
                    std::uint64_t offset = 0;
                    while (const auto count = file.read_some(offset, piece)) {
                        if (!child.write(piece.data(), count)) break;
                        offset += count;
                    }
                } else {
                    child.write(reinterpret_cast<const std::byte*>(input.data()), input.size());
                }
            } catch (const std::exception& error) {
                result.problem = error.what();
            }
            child.close_input();
        });
        const auto end = std::chrono::steady_clock::now() + options.timeout;
        while (reading > 0) {
            result.late = std::chrono::steady_clock::now() > end;
            result.cancelled = !result.late && options.cancelled && options.cancelled();
            if (result.late || result.cancelled) {
                child.kill();
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        const auto ended = child.wait();
        writer.join();
        output.join();
        errors.join();
        result.code = ended.code;
    } catch (const std::exception& error) {
        result.problem = error.what();
    }
    return result;
}

std::string host_name() {
    const char* name = std::getenv("COMPUTERNAME");
    return name ? name : "";
}

} // namespace warplight::cluster
