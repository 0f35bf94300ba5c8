// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that run on the machine of a device. Programs start them, not people.
#include "command.hpp"

#include "remote/greeting.hpp"
#include "remote/holder.hpp"
#include "remote/relay.hpp"
#include "session/data_file.hpp"
#include "worker/platform.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>

namespace warplight::cli {
namespace {

std::chrono::milliseconds milliseconds_of(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

constexpr double kUsualLinger = 600, kUsualTimeToOpen = 60;
constexpr double kMostSeconds = 1e6; // bounded again by what uses it

} // namespace

void add_remote_serve(CLI::App& app, int& exit_code) {
    struct Options {
        std::string token, id, folder;
        bool resume = false;
        int protocol = remote::kRemoteProtocol;
        double linger = kUsualLinger, time_to_open = kUsualTimeToOpen;
    };
    auto options = std::make_shared<Options>();
    auto* serve = app.add_subcommand("remote-serve")->group("");
    serve->add_option("--token", options->token)->required();
    serve->add_option("--id", options->id)->required();
    serve->add_flag("--resume", options->resume);
    serve->add_option("--protocol", options->protocol);
    serve->add_option("--linger", options->linger)->check(CLI::Range(0.0, kMostSeconds));
    serve->callback([options, &exit_code] {
        exit_code = remote::relay({options->token, options->id, options->resume, options->protocol,
                                   milliseconds_of(options->linger), worker::platform::own_program()});
    });
    auto* hold = app.add_subcommand("remote-hold")->group("");
    hold->add_option("--folder", options->folder)->required();
    hold->add_option("--id", options->id)->required();
    hold->add_option("--linger", options->linger)->check(CLI::Range(0.0, kMostSeconds));
    hold->add_option("--time-to-open", options->time_to_open)->check(CLI::Range(0.0, kMostSeconds));
    hold->callback([options, &exit_code] {
        exit_code =
            remote::hold({session::path_from_utf8(options->folder), options->id, milliseconds_of(options->linger),
                          milliseconds_of(options->time_to_open), worker::platform::own_program()});
    });
}

} // namespace warplight::cli
