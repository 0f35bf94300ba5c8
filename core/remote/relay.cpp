// SPDX-License-Identifier: Apache-2.0
#include "remote/relay.hpp"

#include "files/problem.hpp"
#include "remote/connection_folder.hpp"
#include "remote/greeting.hpp"
#include "remote/platform.hpp"
#include "session/data_file.hpp"
#include "warplight/version.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace warplight::remote {
namespace {

using namespace std::chrono_literals;
using worker::platform::ServerPipes;

constexpr auto kTimeToStart = 20s;
/// For bytes that a holder has left when it has closed the stream.
constexpr auto kTimeToPass = 5s;
constexpr int kNotServed = 3;
constexpr std::string_view kTaken = "taken\n";

/// The stream to the holder, or what the greeting says instead.
struct Reached {
    std::unique_ptr<platform::SocketStream> stream;
    Greeting::State state = Greeting::State::refused;
    std::string problem;
};

Reached refused(std::string why) { return {nullptr, Greeting::State::refused, std::move(why)}; }

/// A holder that is ending takes no stream any more.
bool is_taken(platform::SocketStream& stream) {
    std::string line;
    std::byte each{};
    while (line.size() < kTaken.size() && stream.read(&each, 1) == 1)
        line += static_cast<char>(each);
    return line == kTaken;
}

Reached resume(const RelayOptions& options, const std::filesystem::path& far) {
    auto stream = platform::connect_to(connection_folder(far, options.id));
    if (stream && is_taken(*stream)) return {std::move(stream), Greeting::State::resumed, {}};
    return {nullptr, Greeting::State::gone, why_connection_is_gone(far, options.id)};
}

Reached start(const RelayOptions& options, const std::filesystem::path& far) {
    try {
        prepare_far_folder(far);
    } catch (const files::Problem& problem) {
        return refused(fmt::format("The files of connections cannot be kept on the machine {}: {}. {}",
                                   platform::machine_name(), problem.what(), far_folder_advice()));
    }
    const std::vector<std::string> arguments{"remote-hold",
                                             "--folder",
                                             session::utf8_of(far),
                                             "--id",
                                             options.id,
                                             "--linger",
                                             fmt::format("{}", std::chrono::duration<double>(options.linger).count())};
    const std::string line = platform::start_daemon(options.program, arguments, kTimeToStart);
    if (line.empty())
        return refused(fmt::format("The process that keeps the connection could not be started on the machine {}.",
                                   platform::machine_name()));
    if (line != "ready") return refused(fmt::format("{}.", line));
    auto stream = platform::connect_to(connection_folder(far, options.id));
    if (stream && is_taken(*stream)) return {std::move(stream), Greeting::State::started, {}};
    return refused(why_connection_is_gone(far, options.id));
}

Reached reach(const RelayOptions& options) {
    if (const std::string problem = platform::far_side_problem(); !problem.empty()) return refused(problem);
    if (options.protocol != kRemoteProtocol)
        return refused(
            fmt::format("The machine {} has Warplight {}, which speaks version {} of the protocol between machines, "
                        "and the program "
                        "here speaks version {}. `warplight-cli remote install HOST` brings this version there.",
                        platform::machine_name(), version(), kRemoteProtocol, options.protocol));
    if (!is_connection_id(options.id)) return refused("The ID of the connection is not 32 hexadecimal digits.");
    const std::filesystem::path far = far_folder();
    return options.resume ? resume(options, far) : start(options, far);
}

bool write_text(ServerPipes& pipes, std::string_view text) {
    return pipes.write(reinterpret_cast<const std::byte*>(text.data()), text.size());
}

template <class Read, class Write>
void pass_on(Read&& read, Write&& write) {
    std::vector<std::byte> buffer(std::size_t{128} << 10);
    while (const std::size_t count = read(buffer.data(), buffer.size()))
        if (!write(buffer.data(), count)) break;
}

} // namespace

int relay(const RelayOptions& options) {
    worker::platform::close_inherited_files();
    ServerPipes pipes;
    Reached reached;
    try {
        reached = reach(options);
    } catch (const std::exception& error) {
        reached = refused(error.what());
    }
    const Greeting greeting{options.token, kRemoteProtocol, std::string(version()), reached.state, reached.problem};
    if (!write_text(pipes, greeting_text(greeting)) || !reached.stream) return reached.stream ? 0 : kNotServed;
    platform::SocketStream& holder = *reached.stream;
    // Its threads are not waited for: they may wait for a machine that is gone.
    worker::start_thread([&] {
        pass_on([&](std::byte* to, std::size_t size) { return pipes.read(to, size); },
                [&](const std::byte* from, std::size_t size) { return holder.write(from, size); });
        holder.end_writing();
    }).detach();
    worker::start_thread([&] {
        holder.wait_for_end();
        std::this_thread::sleep_for(kTimeToPass);
        worker::platform::end_process(0);
    }).detach();
    pass_on([&](std::byte* to, std::size_t size) { return holder.read(to, size); },
            [&](const std::byte* from, std::size_t size) { return pipes.write(from, size); });
    worker::platform::end_process(0);
}

} // namespace warplight::remote
