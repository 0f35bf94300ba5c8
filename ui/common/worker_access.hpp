// SPDX-License-Identifier: GPL-3.0-or-later
/// What a worker was started with: the files that it may reach. A request for others needs a worker that is started
/// anew.
#pragma once

#include "worker/confinement.hpp"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warplight::ui {

class WorkerAccess {
public:
    /// What the open session needs. Files that earlier sessions needed are given up.
    void setBase(worker::Access base);
    /// Adds what is missing. False where a worker that runs does not have it.
    bool cover(const worker::Access& needed);
    [[nodiscard]] bool has(const worker::Access& needed) const;
    /// For a worker that starts now.
    worker::Access start();

private:
    struct Place {
        std::filesystem::path path;
        bool folder = false;
        std::filesystem::file_time_type changed; ///< of a file: another one may have taken its place
    };
    static bool covers(const std::vector<Place>& places, const std::filesystem::path& path);
    static std::vector<Place> placesOf(const std::vector<std::filesystem::path>& paths);

    worker::Access base_, more_;
    std::vector<Place> readable_, writable_; ///< by the worker that runs
    bool narrower_ = false;                  ///< it may reach files of an earlier session
};

/// What a request needs of the file system; empty for most.
worker::Access accessOf(const std::string& method, const nlohmann::json& params);

} // namespace warplight::ui
