// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_tree.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

namespace warplight::cli {
namespace {

/// A type is "TEXT:{ptx,cubin}" where the values are checked against a list.
std::vector<std::string> choices_of(const std::string& type) {
    std::vector<std::string> choices;
    const auto begin = type.find('{'), end = type.find('}');
    if (begin == std::string::npos || end == std::string::npos) return choices;
    std::istringstream list(type.substr(begin + 1, end - begin - 1));
    for (std::string each; std::getline(list, each, ',');)
        choices.push_back(each);
    return choices;
}

OptionDescription describe(const CLI::Option& option) {
    constexpr std::array<std::string_view, 3> paths = {"FILE", "FOLDER", "PATH"};
    OptionDescription result;
    result.positional = option.get_positional();
    if (result.positional) result.names.push_back(option.get_name(true));
    for (const auto& each : option.get_snames())
        result.names.push_back("-" + each);
    for (const auto& each : option.get_lnames())
        result.names.push_back("--" + each);
    const auto type = option.get_type_name();
    result.required = option.get_required();
    result.takes_value = option.get_items_expected_max() > 0;
    result.repeatable = option.get_items_expected_max() > 1;
    result.choices = choices_of(type);
    if (result.takes_value) result.value = type.substr(0, type.find(':'));
    const auto& named = result.positional ? result.names.front() : result.value;
    for (const auto each : paths)
        result.takes_path = result.takes_path || named == each;
    result.help = option.get_description();
    result.group = option.get_group();
    return result;
}

CommandDescription describe(const CLI::App& app, const std::string& path) {
    CommandDescription result{app.get_name(), path, app.get_description(), app.get_footer(), {}, {}};
    // CLI11 gives commands the footer of the program where they have none of their own.
    if (app.get_parent() && app.get_parent()->get_footer() == result.footer) result.footer.clear();
    for (const auto* each : app.get_options())
        if (!each->get_group().empty()) result.options.push_back(describe(*each));
    for (const auto* each : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!each->get_group().empty())
            result.commands.push_back(describe(*each, path.empty() ? each->get_name() : path + " " + each->get_name()));
    return result;
}

} // namespace

CommandDescription describe(const CLI::App& app) { return describe(app, ""); }

} // namespace warplight::cli
