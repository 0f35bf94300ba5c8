// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"

#include "debug/dap/server.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace warplight::cli {

void add_debug(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("debug", "Step through a kernel on the software device, from an editor");
    struct Options {
        bool dap = false;
        bool unconfined = false;
    };
    auto options = std::make_shared<Options>();
    command->add_flag("--dap", options->dap, "Serve the Debug Adapter Protocol on standard input and output")
        ->required();
    command->add_flag("--unconfined", options->unconfined, "Without the walls that `warplight-cli doctor` lists");
    command->callback([options, &exit_code] { exit_code = debug::dap::server_main({!options->unconfined}); });
}

} // namespace warplight::cli
