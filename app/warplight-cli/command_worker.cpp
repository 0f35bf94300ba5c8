// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"

#include "worker/compiler_processes.hpp"
#include "worker/server.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

namespace warplight::cli {

void add_worker(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("worker", "Serve one driver on standard input and output, for other programs");
    auto driver = std::make_shared<std::string>();
    command->add_option("--driver", *driver, "cuda or software")
        ->required()
        ->check(CLI::IsMember({"cuda", "software"}));
    auto memory = std::make_shared<std::uint64_t>(0);
    command->add_option("--memory", *memory, "Bytes that it may use; default: no limit");
    command->callback([driver, memory, &exit_code] { exit_code = worker::worker_main(*driver, *memory); });
    // A worker starts it where no broker does.
    auto* helper = app.add_subcommand("compile-helper")->group("");
    auto folder = std::make_shared<std::string>();
    helper->add_option("FOLDER", *folder)->required();
    helper->callback([folder, &exit_code] { exit_code = worker::compiler_helper_main(*folder); });
}

} // namespace warplight::cli
