// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_tree.hpp"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace warplight::cli {
namespace {

/// Text for man(7): no character of it is a request or a hyphen that may become another sign.
std::string roff(std::string_view text) {
    std::string result;
    for (const char each : text) {
        if ((each == '.' || each == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
        if (each == '\\')
            result += "\\e";
        else if (each == '-')
            result += "\\-";
        else
            result += each;
    }
    return result;
}

/// The lines of a text stay lines: some are lists.
std::string lines(const std::string& text) {
    std::string result = roff(text);
    for (std::size_t at = 0; (at = result.find('\n', at)) != std::string::npos; at += 5)
        result.replace(at, 1, "\n.br\n");
    return result + "\n";
}

std::string option_text(const OptionDescription& option) {
    std::string names;
    for (const auto& each : option.names)
        names +=
            fmt::format("{}{}", names.empty() ? "" : ", ", option.positional ? each : "\\fB" + roff(each) + "\\fR");
    if (!option.positional && option.takes_value)
        names += option.choices.empty() ? fmt::format(" \\fI{}\\fR", roff(option.value))
                                        : fmt::format(" {}", roff(fmt::format("{}", fmt::join(option.choices, "|"))));
    return fmt::format(".TP\n{}\n{}", names, lines(option.help));
}

std::string synopsis(const CommandDescription& command) {
    std::string text = fmt::format(".B warplight\\-cli {}\n", roff(command.path));
    text += "[\\fIOPTION\\fR ...]";
    if (!command.commands.empty()) text += " [\\fICOMMAND\\fR]";
    for (const auto& option : command.options)
        if (option.positional) text += fmt::format(" \\fI{}\\fR", option.names.front());
    if (command.path == "exec") text += " \\-\\- \\fIPROGRAM\\fR [\\fIARGUMENT\\fR ...]";
    return text + "\n";
}

} // namespace

std::string manual_sections(const CommandDescription& program) {
    std::string text = ".SH OPTIONS\n";
    for (const auto& option : program.options)
        text += option_text(option);
    text += ".SH COMMANDS\n";
    for_each_command(program, [&](const CommandDescription& command) {
        if (command.path.empty()) return;
        text += fmt::format(".SS {}\n{}.PP\n{}", roff(command.path), synopsis(command), lines(command.help));
        std::string group = "Options";
        for (const auto& option : command.options) {
            if (option.names.back() == "--help") continue; // each command has it
            if (!option.positional && option.group != group) {
                group = option.group;
                text += fmt::format(".PP\n{}:\n", roff(group));
            }
            text += option_text(option);
        }
        if (!command.footer.empty()) text += ".PP\n" + lines(command.footer);
    });
    return text + ".SH EXIT STATUS\n" + lines(program.footer);
}

} // namespace warplight::cli
