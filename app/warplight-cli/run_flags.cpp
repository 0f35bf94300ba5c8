// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_flags.hpp"

#include "files/paths.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplight::cli {
namespace {

using session::RunOption;

CLI::Validator check_of(const RunOption::Values& values) {
    if (values.least == 1) return CLI::PositiveNumber;
    if (values.least == 0) return CLI::NonNegativeNumber;
    return CLI::Range(values.least, values.most);
}

// A type of option that has no `add` here does not compile.

void add(CLI::App& command, const RunOption& option, bool& value) { command.add_flag(option.flag, value, option.help); }
void add(CLI::App& command, const RunOption& option, std::uint64_t& value) {
    command.add_option(option.flag, value, option.help)->check(check_of(option.values));
}
void add(CLI::App& command, const RunOption& option, std::optional<int>& value) {
    const auto take = [&value](int given) { value = given; };
    command.add_option_function<int>(option.flag, take, option.help)->check(check_of(option.values));
}
void add(CLI::App& command, const RunOption& option, std::string& value) {
    command.add_option(option.flag, value, option.help);
}
void add(CLI::App& command, const RunOption& option, std::optional<std::string>& value) {
    const auto take = [&value](const std::string& given) { value = given; };
    command.add_option_function<std::string>(option.flag, take, option.help);
}
/// The current folder of the worker is not that of the command line.
void add(CLI::App& command, const RunOption& option, std::filesystem::path& value) {
    const auto take = [&value](const std::string& given) {
        value = given.empty() ? std::filesystem::path() : files::absolute(given);
    };
    command.add_option_function<std::string>(option.flag, take, option.help)->type_name("FOLDER");
}
void add(CLI::App& command, const RunOption& option, std::vector<std::filesystem::path>& value) {
    const auto take = [&value](const std::vector<std::string>& given) {
        for (const std::string& each : given)
            value.push_back(files::absolute(each));
    };
    command.add_option_function<std::vector<std::string>>(option.flag, take, option.help)
        ->type_name("PATH")
        ->check(CLI::ExistingPath)
        ->allow_extra_args(false);
}

} // namespace

void add_run_flags(CLI::App& command, session::RunOptions& options) {
    session::visit_run_options([&](const RunOption& option, auto member) {
        if (*option.flag) add(command, option, options.*member);
    });
}

} // namespace warplight::cli
