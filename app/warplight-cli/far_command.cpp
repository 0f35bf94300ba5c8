// SPDX-License-Identifier: GPL-3.0-or-later
#include "far_command.hpp"

#include "files/random_name.hpp"
#include "remote/ssh_run.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace warplight::cli {

nlohmann::json ask_far(const remote::Place& place, std::vector<std::string> arguments) {
    const auto machine = remote::machine_of(place);
    // Banners and profiles may print before, but they do not know the word.
    const auto token = files::random_name();
    arguments.insert(arguments.begin(), "remote-here");
    arguments.insert(arguments.end(), {"--token", token});
    const auto result = remote::run_ssh(remote::ssh_command(place, arguments, {}));
    if (!result.ok()) throw FarError(remote::explain_ssh_failure(result.exit_code, result.errors, machine));
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(token + " ")) continue;
        auto answer = nlohmann::json::parse(line.substr(token.size() + 1), nullptr, false);
        if (answer.is_object()) return answer;
    }
    throw FarError(
        fmt::format("warplight-cli on {} gave no answer that this version understands. Put this version there "
                    "by `warplight-cli remote install {}`.",
                    machine, machine));
}

} // namespace warplight::cli
