// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_tree.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace warplight::cli {
namespace {

/// The first line of a text, fit for a place between single quotes where these characters have a meaning.
std::string quoted(std::string_view text, std::string_view special) {
    std::string result;
    for (const char each : text.substr(0, text.find('\n'))) {
        if (each == '\'') {
            result += "'\\''";
            continue;
        }
        if (special.find(each) != std::string_view::npos) result += '\\';
        result += each;
    }
    return result;
}

std::string action(const OptionDescription& option) {
    if (option.takes_path) return option.value == "FOLDER" ? "_files -/" : "_files";
    return option.choices.empty() ? " " : fmt::format("({})", fmt::join(option.choices, " "));
}

/// What _arguments of zsh wants to know of an option.
std::string specification(const OptionDescription& option) {
    if (option.positional) return fmt::format("'1:{}:{}'", quoted(option.help, ":\\"), action(option));
    std::string result, others = fmt::format("{}", fmt::join(option.names, " "));
    for (const auto& name : option.names) {
        const bool assigns = option.takes_value && name.starts_with("--");
        result += fmt::format("{}'{}{}{}[{}]", result.empty() ? "" : " ",
                              option.repeatable ? "*" : fmt::format("({})", others), name, assigns ? "=" : "",
                              quoted(option.help, "[]:\\"));
        if (option.takes_value) result += fmt::format(":{}:{}", option.value, action(option));
        result += "'";
    }
    return result;
}

std::string function_name(const CommandDescription& command) {
    std::string name = command.path.empty() ? "_warplight-cli" : "_warplight-cli-" + command.path;
    std::ranges::replace(name, ' ', '-');
    return name;
}

std::string function(const CommandDescription& command) {
    std::string text = fmt::format("\n{}() {{\n", function_name(command));
    if (!command.commands.empty())
        text += "    local context state state_descr line curcontext=$curcontext ret=1\n    typeset -A opt_args\n";
    text += fmt::format("    _arguments -s -S{}", command.commands.empty() ? "" : " -C");
    for (const auto& option : command.options)
        text += " \\\n        " + specification(option);
    if (command.path == "exec")
        text += " \\\n        '(-)1:program:_command_names -e' \\\n        '*::argument:_normal'";
    if (command.commands.empty()) return text + "\n}\n";
    text += " \\\n        '1:command:->command' \\\n        '*::argument:->argument' && ret=0\n    case $state in\n"
            "    command)\n        local -a commands=(\n";
    for (const auto& each : command.commands)
        text += fmt::format("            '{}:{}'\n", each.name, quoted(each.help, ":\\"));
    text += "        )\n        _describe -t commands command commands && ret=0\n        ;;\n    argument)\n"
            "        case $line[1] in\n";
    for (const auto& each : command.commands)
        text += fmt::format("        {}) {} && ret=0 ;;\n", each.name, function_name(each));
    return text + "        esac\n        ;;\n    esac\n    return ret\n}\n";
}

} // namespace

std::string zsh_completion(const CommandDescription& program) {
    std::string text = "#compdef warplight-cli\n"
                       "# SPDX-License-Identifier: GPL-3.0-or-later\n"
                       "# Completion of warplight-cli for zsh, made by `warplight-cli completion zsh`.\n";
    for_each_command(program, [&](const CommandDescription& command) { text += function(command); });
    // Loaded by its name the file is the function's body; sourced, it registers the function.
    return text + "\nif [[ $funcstack[1] == _warplight-cli ]]; then\n    _warplight-cli \"$@\"\nelse\n"
                  "    compdef _warplight-cli warplight-cli\nfi\n";
}

} // namespace warplight::cli
