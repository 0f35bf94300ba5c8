// SPDX-License-Identifier: GPL-3.0-or-later
#include "spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

namespace warplight::cli {
namespace {

/// The number of letters to insert, remove, replace or exchange with their neighbour.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> to(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                to[i][j] = i + j;
                continue;
            }
            to[i][j] = std::min({to[i - 1][j] + 1, to[i][j - 1] + 1, to[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                to[i][j] = std::min(to[i][j], to[i - 2][j - 2] + 1);
        }
    }
    return to[a.size()][b.size()];
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    const auto near = nearest(word, candidates);
    return near.empty() ? std::string() : fmt::format(" Did you mean {}?", near);
}

} // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t fewest = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const auto& each : candidates) {
        // A prefix is near to its whole word.
        const bool begun = word.size() > 2 && each.starts_with(word);
        const auto distance = begun ? 1 : edits(word, each);
        if (distance >= fewest) continue;
        fewest = distance;
        best = each;
    }
    return best;
}

std::string misspelled(const CLI::App& app) {
    const CLI::App* command = &app;
    std::string path = app.get_name();
    while (!command->get_subcommands().empty()) {
        command = command->get_subcommands().front();
        path += " " + command->get_name();
    }
    const auto extras = app.remaining(true);
    if (extras.empty()) return {};
    const std::string word = extras.front().substr(0, extras.front().find('='));
    if (word.starts_with('-')) {
        std::vector<std::string> names;
        for (const auto* option : command->get_options())
            for (const auto& name : option->get_lnames())
                names.push_back("--" + name);
        return fmt::format("{} has no option {}.{} `{} --help` lists them.", path, word, suggestion(word, names), path);
    }
    std::vector<std::string> names;
    for (const auto* each : command->get_subcommands([](const CLI::App* app) { return !app->get_group().empty(); }))
        names.push_back(each->get_name());
    if (names.empty()) return fmt::format("{}: \"{}\" is one argument too many.", path, word);
    return fmt::format("There is no command \"{}\".{} There are: {}.", word, suggestion(word, names),
                       fmt::join(names, ", "));
}

} // namespace warplight::cli
