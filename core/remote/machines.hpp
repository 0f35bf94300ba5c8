// SPDX-License-Identifier: Apache-2.0
/// The machines that the user has added, in a file of the user's settings that the window and the command line share.
#pragma once

#include "remote/place.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::remote {

struct Machine {
    std::string name;  ///< what the user calls it; no two have the same
    Place place;       ///< no two have the same user, host and port. Its driver and ordinal mean nothing
    std::string added; ///< when, in UTC: "2026-11-29T19:30:00Z"

    bool operator==(const Machine&) const = default;
};

/// A sentence that says what to do. The file is as it was.
struct MachinesError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// `warplight/machines.json` in the folder of the user's settings. @throws MachinesError where there is no such folder
[[nodiscard]] std::filesystem::path machines_file();

/// In the order in which they were added; none where there is no file. @throws MachinesError
[[nodiscard]] std::vector<Machine> read_machines();

/// Several programs may change the file at once. `name`: empty for that of the machine, `user@host:port`.
/// @throws MachinesError, also where the name or the machine is there already
Machine add_machine(const Place& place, std::string name = {});

/// By its name, or as place_of_machine() reads it. @returns the machine that is gone. @throws MachinesError
Machine remove_machine(std::string_view name);

/// The machine is found as by remove_machine(). `to`: empty for `user@host:port`. @returns the machine as it is now.
/// @throws MachinesError, also where another machine has the name
Machine rename_machine(std::string_view name, std::string to);

/// The place that a user means by a word: the name of a machine that was added, `user@host:port` or `ssh://…`.
/// @throws MachinesError where it is none of them
[[nodiscard]] Place place_of_machine(std::string_view word);

/// The same user, host and port.
[[nodiscard]] bool is_same_machine(const Place& a, const Place& b);

} // namespace warplight::remote
