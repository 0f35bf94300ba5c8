// SPDX-License-Identifier: Apache-2.0
/// The walls around a worker: what its process gives up before it sees a session. A wall that the system lacks is
/// named, and the others stand.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::worker {

/// What a worker may reach besides what every worker needs. A folder stands for everything below it.
struct Access {
    std::vector<std::filesystem::path> read;
    std::vector<std::filesystem::path> write; ///< reading too. A folder that is missing is made
    /// As `write`, for buffers that outlive the worker. Those of a worker on another machine stay there.
    std::vector<std::filesystem::path> kept = {};

    bool operator==(const Access&) const = default;
};

struct Wall {
    std::string name;    ///< one word or two, the same on every system: "files"
    std::string keeps;   ///< what the process cannot do behind it: a phrase
    std::string by;      ///< the system's means: "Landlock, version 7"; empty where it is missing
    std::string missing; ///< why it does not stand, or what of it does not; empty where all of it stands

    [[nodiscard]] bool stands() const { return !by.empty(); }
    [[nodiscard]] bool whole() const { return stands() && missing.empty(); }
};

/// What a process is confined to.
struct Confinement {
    Access access;
    std::vector<std::filesystem::path> programs; ///< that it may start, or folders of them; empty: none, no process
    bool gpu = false;                            ///< device files of NVIDIA's driver
};

/// What the worker of a driver needs, and `access`.
/// @param driver "cuda" or "software"
Confinement confinement_of_worker(const std::string& driver, Access access);
/// What a process needs that only compiles, and `access`.
/// @param toolkit folders of nvcc, where the process starts it: then also the shell and the host's compiler
Confinement confinement_of_compiler(Access access, std::vector<std::filesystem::path> toolkit);

/// Confines this process for ever, and everything that it starts. Threads that run already stay out of the walls for
/// files, so it belongs at the start of main(). Open files stay open.
std::vector<Wall> confine(const Confinement& confinement);

/// Whether the wall for files can stand on this system.
bool can_confine_files();

/// The same list for a process that was started without walls.
std::vector<Wall> no_walls(const std::string& why);

/// Whether a folder is the user's home or holds it: too much to be opened for the sake of one file.
bool holds_home(const std::filesystem::path& folder);

/// Whether programs that a client starts get this variable of its environment: those that drivers, compilers and the
/// C library read, and no keys and passwords.
bool is_passed_on(std::string_view variable);

/// [{name, keeps, stands, by, missing}]
nlohmann::json to_json(const std::vector<Wall>& walls);
std::vector<Wall> walls_from_json(const nlohmann::json& list);

} // namespace warplight::worker
