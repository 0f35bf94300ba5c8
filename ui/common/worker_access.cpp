// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/worker_access.hpp"

#include "compiler/include_scan.hpp"
#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "worker/message.hpp"
#include "worker/run_access.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace warplight::ui {
namespace {

namespace fs = std::filesystem;

void add(std::vector<fs::path>& to, const std::vector<fs::path>& more) {
    for (const fs::path& path : more)
        if (std::find(to.begin(), to.end(), path) == to.end()) to.push_back(path);
}

bool isBelow(const fs::path& path, const fs::path& folder) {
    const auto [end, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end() || (std::next(end) == folder.end() && end->empty());
}

fs::path pathOf(const nlohmann::json& params, const char* name) {
    const auto found = params.find(name);
    if (found == params.end() || !found->is_string()) return {};
    const fs::path path = session::path_from_utf8(found->get<std::string>());
    return path.empty() ? path : files::absolute(path);
}

} // namespace

std::vector<WorkerAccess::Place> WorkerAccess::placesOf(const std::vector<fs::path>& paths) {
    std::vector<Place> places;
    for (const fs::path& path : paths) {
        std::error_code problem;
        if (!fs::exists(path, problem)) continue; // a rule needs a file
        Place place{path, fs::is_directory(path, problem), {}};
        if (!place.folder) place.changed = fs::last_write_time(path, problem);
        places.push_back(std::move(place));
    }
    return places;
}

bool WorkerAccess::covers(const std::vector<Place>& places, const fs::path& path) {
    return std::any_of(places.begin(), places.end(), [&](const Place& place) {
        if (place.folder) return isBelow(path, place.path);
        std::error_code problem;
        return path == place.path && fs::last_write_time(path, problem) == place.changed;
    });
}

void WorkerAccess::setBase(worker::Access base) {
    narrower_ = narrower_ || base != base_;
    base_ = std::move(base);
    more_ = {};
}

bool WorkerAccess::cover(const worker::Access& needed) {
    if (needed == worker::Access()) return true;
    add(more_.read, needed.read);
    add(more_.write, needed.write);
    add(more_.kept, needed.kept);
    return has(needed) && !narrower_;
}

bool WorkerAccess::has(const worker::Access& needed) const {
    const auto mayWrite = [&](const fs::path& path) { return covers(writable_, path); };
    const auto mayRead = [&](const fs::path& path) {
        std::error_code problem;
        return covers(readable_, path) || mayWrite(path) || !fs::exists(path, problem);
    };
    return std::all_of(needed.write.begin(), needed.write.end(), mayWrite) &&
           std::all_of(needed.kept.begin(), needed.kept.end(), mayWrite) &&
           std::all_of(needed.read.begin(), needed.read.end(), mayRead);
}

worker::Access WorkerAccess::start() {
    worker::Access all = base_;
    add(all.read, more_.read);
    add(all.write, more_.write);
    add(all.kept, more_.kept);
    std::vector<fs::path> written = all.write;
    add(written, all.kept);
    for (const fs::path& folder : written) {
        std::error_code problem;
        fs::create_directories(folder, problem); // as the worker does
    }
    readable_ = placesOf(all.read);
    writable_ = placesOf(written);
    narrower_ = false;
    return all;
}

worker::Access accessOf(const std::string& method, const nlohmann::json& params) {
    if (method == "run") {
        try {
            return worker::access_of(worker::run_request_from_json(params));
        } catch (const std::exception&) {
            return {}; // the worker answers with the problem
        }
    }
    const char* const name = method == "compile" || method == "occupancy" ? "folder"
                             : method == "buffer.open" || method == "buffer.members" || method == "buffer.save"
                                 ? "path"
                                 : nullptr;
    if (!name) return {};
    const fs::path path = pathOf(params, name);
    if (path.empty()) return {};
    if (method == "buffer.save") return {{}, {path.parent_path()}};
    worker::Access access;
    for (const auto& agreed : params.value("allow", std::vector<std::string>()))
        access.read.push_back(session::path_from_utf8(agreed));
    if (method == "buffer.open" || method == "buffer.members" || !worker::holds_home(path)) {
        access.read.push_back(path);
        return access;
    }
    // Of the user's home only the headers that the source names.
    const auto options = params.value("options", std::vector<std::string>());
    for (const auto& header : compiler::scan_includes(params.value("source", ""), path, options).headers)
        access.read.push_back(header.path);
    return access;
}

} // namespace warplight::ui
