// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_tree.hpp"

#include <fmt/format.h>
#include <string>

namespace warplight::cli {
namespace {

// Needs nothing of the package bash-completion, but for the arguments of another program behind `exec --`.
constexpr const char* kScript = R"bash(
_warplight_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path='' word kind i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $path == exec && $word == -- ]]; then
            if ((i + 1 == COMP_CWORD)); then
                COMPREPLY=($(compgen -c -- "$current"))
            elif declare -F _command_offset >/dev/null; then
                _command_offset $((i + 1))
            else
                compopt -o filenames
                COMPREPLY=($(compgen -f -- "$current"))
            fi
            return
        fi
        [[ " $(_warplight_cli_commands "$path") " != *" $word "* ]] || path=${path:+$path }$word
    done
    # Readline makes three words of --option=value.
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [[ $before == -* ]] && kind=$(_warplight_cli_value "$path:$before") && [[ -n $kind ]]; then
        case $kind in
        PATH) ;;
        ANY) return ;;
        *)
            COMPREPLY=($(compgen -W "$kind" -- "$current"))
            return
            ;;
        esac
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(_warplight_cli_options "$path")" -- "$current"))
        return
    else
        kind=$(_warplight_cli_value "$path:")
        if [[ $kind != PATH ]]; then
            COMPREPLY=($(compgen -W "${kind:-$(_warplight_cli_commands "$path")}" -- "$current"))
            return
        fi
    fi
    compopt -o filenames
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _warplight_cli warplight-cli
)bash";

std::string value_kind(const OptionDescription& option) {
    if (option.takes_path) return "PATH";
    if (option.choices.empty()) return "ANY";
    return fmt::format("{}", fmt::join(option.choices, " "));
}

} // namespace

std::string bash_completion(const CommandDescription& program) {
    std::string commands, options, values;
    for_each_command(program, [&](const CommandDescription& command) {
        std::string names;
        for (const auto& each : command.commands)
            names += (names.empty() ? "" : " ") + each.name;
        if (!names.empty()) commands += fmt::format("    '{}') echo '{}' ;;\n", command.path, names);
        names.clear();
        for (const auto& option : command.options) {
            const auto here = fmt::format("'{}:", command.path);
            const auto keys =
                option.positional ? std::string() : fmt::format("{}", fmt::join(option.names, "' | " + here));
            if (option.takes_value) values += fmt::format("    {}{}') echo '{}' ;;\n", here, keys, value_kind(option));
            if (!option.positional)
                names += fmt::format("{}{}", names.empty() ? "" : " ", fmt::join(option.names, " "));
        }
        options += fmt::format("    '{}') echo '{}' ;;\n", command.path, names);
    });
    const auto function = [](const char* name, const char* what, const std::string& cases) {
        return fmt::format("\n_warplight_cli_{}() {{ # {}\n    case $1 in\n{}    esac\n}}\n", name, what, cases);
    };
    return "# SPDX-License-Identifier: GPL-3.0-or-later\n"
           "# Completion of warplight-cli for bash, made by `warplight-cli completion bash`.\n" +
           function("commands", "COMMAND: the commands below it", commands) +
           function("options", "COMMAND: its options", options) +
           function("value", "COMMAND:OPTION, COMMAND: of its argument: PATH, ANY, or the possible values", values) +
           kScript;
}

} // namespace warplight::cli
