// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "command_tree.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>

namespace warplight::cli {

void add_completion(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("completion", "Print the script that completes command lines in a shell");
    auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
    command->footer("Packages install both. Without a package, bash reads it so:\n"
                    "  source <(warplight-cli completion bash)");
    command->callback([&app, shell, &exit_code] {
        const auto program = describe(app);
        fmt::print("{}", *shell == "bash" ? bash_completion(program) : zsh_completion(program));
        exit_code = success;
    });
    // The build makes warplight-cli(1) of it.
    app.add_subcommand("manual")->group("")->callback([&app, &exit_code] {
        fmt::print("{}", manual_sections(describe(app)));
        exit_code = success;
    });
}

} // namespace warplight::cli
