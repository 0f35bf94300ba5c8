// SPDX-License-Identifier: Apache-2.0
#include "export/program_folder.hpp"

#include "export/export_error.hpp"
#include "files/input_file.hpp"
#include "files/new_file.hpp"
#include "files/problem.hpp"
#include "session/data_file.hpp"
#include "session/digest.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/npy.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::exporting {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kListName = ".warplight-export.json";

/// A list may come from anyone: it names files below its folder only.
bool is_below_folder(const fs::path& path) {
    return !path.empty() && path.is_relative() && !path.has_root_path() &&
           std::ranges::none_of(path, [](const fs::path& part) { return part == ".." || part.empty(); });
}

std::string names_of(const std::vector<std::string>& files) {
    constexpr std::size_t most = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(files.size(), most); ++i)
        names += (i ? ", " : "") + files[i];
    if (files.size() > most) names += fmt::format(" and {} more", files.size() - most);
    return names;
}

[[noreturn]] void cannot_write(const fs::path& folder, const std::string& why) {
    throw ExportError(fmt::format("The program is not complete in {}: {}. Make room, or choose another folder, and "
                                  "export it again.",
                                  folder.string(), why));
}

} // namespace

ProgramFolder::ProgramFolder(fs::path folder, bool force) : folder_(std::move(folder)), force_(force) {
    std::error_code problem;
    const auto status = fs::status(folder_, problem);
    is_new_ = status.type() == fs::file_type::not_found;
    if (is_new_) return;
    if (status.type() != fs::file_type::directory)
        throw ExportError(fmt::format("{} is no folder{}. Choose another name.", folder_.string(),
                                      problem ? fmt::format(" that can be used: {}", problem.message()) : ""));
    read_list();
    const bool is_empty = fs::is_empty(folder_, problem);
    if (problem)
        throw ExportError(
            fmt::format("{} cannot be read: {}. Choose another folder.", folder_.string(), problem.message()));
    if (earlier_.empty() && !is_empty && !force_)
        throw ExportError(fmt::format("{} has files that no export has made. Choose a new folder, or allow files of "
                                      "the same names to be replaced: --force",
                                      folder_.string()));
}

fs::path ProgramFolder::place_of(const std::string& path) const {
    const auto relative = session::path_from_utf8(path);
    fs::path place = folder_;
    for (const auto& part : relative.parent_path()) {
        place /= part;
        std::error_code problem;
        if (fs::is_symlink(place, problem))
            throw ExportError(fmt::format("{} is a link, and the program would be written to where it leads. Remove "
                                          "it, or choose another folder.",
                                          place.string()));
    }
    return folder_ / relative;
}

void ProgramFolder::read_list() {
    std::error_code problem;
    if (!fs::exists(folder_ / kListName, problem)) return;
    try {
        const auto list = json::parse(files::read_text(folder_ / kListName, files::Kind::session));
        for (const auto& [path, contents] : list.at("files").items())
            if (is_below_folder(session::path_from_utf8(path)))
                earlier_[path] = {contents.at("bytes").get<std::uint64_t>(), contents.at("digest").get<std::string>()};
    } catch (const json::exception&) {
        earlier_.clear(); // a list of somebody else's
    } catch (const files::InputError&) {
        earlier_.clear();
    }
}

void ProgramFolder::write_list(const List& files, std::string_view format, bool complete) const {
    json list = {{"made_by", "warplight-cli export"}, {"format", format}, {"complete", complete}};
    list["files"] = json::object();
    for (const auto& [path, contents] : files)
        list["files"][path] = {{"bytes", contents.size}, {"digest", contents.digest}};
    const std::string text = list.dump(1) + "\n";
    files::write_new_file(folder_ / kListName, [&](files::NewFile& file) { file.write(text); });
}

bool ProgramFolder::holds(const fs::path& file, const Contents& contents) const {
    try {
        const files::InputFile input(file);
        if (input.size() != contents.size) return false;
        std::vector<std::byte> bytes(static_cast<std::size_t>(input.size()));
        input.read(0, bytes);
        return session::digest(bytes) == contents.digest;
    } catch (const files::InputError&) {
        return false; // a folder, a link to nothing, or not to be read
    }
}

ProgramFolder::Contents ProgramFolder::contents_of(const ProgramFile& file, std::vector<std::byte>& bytes) {
    const auto append = [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
    bytes.clear();
    if (file.array) {
        const NdArray array = file.array->is_c_contiguous() ? *file.array : file.array->copy();
        const std::string header = make_npy_header(array);
        bytes.reserve(header.size() + array.nbytes());
        append(std::as_bytes(std::span(header)));
        append(array.bytes());
    } else {
        append(std::as_bytes(std::span(file.text)));
    }
    return {bytes.size(), session::digest(bytes)};
}

void ProgramFolder::refuse_changed(const List& made) const {
    if (force_) return;
    std::vector<std::string> changed;
    for (const auto& [path, contents] : made) {
        const auto place = place_of(path);
        std::error_code problem;
        if (fs::symlink_status(place, problem).type() == fs::file_type::not_found) continue;
        const auto before = earlier_.find(path);
        if (holds(place, contents) || (before != earlier_.end() && holds(place, before->second))) continue;
        changed.push_back(path);
    }
    if (!changed.empty())
        throw ExportError(
            fmt::format("{} would be replaced in {}, which no export has made, or which {} changed since. "
                        "Choose a new folder, or allow it: --force",
                        names_of(changed), folder_.string(), changed.size() == 1 ? "was" : "were"));
}

void ProgramFolder::write_all(const std::vector<ProgramFile>& files, std::string_view format) const {
    List made;
    std::vector<std::byte> bytes;
    for (const auto& each : files)
        made[each.path] = contents_of(each, bytes);
    refuse_changed(made);
    fs::create_directories(folder_);
    // From here on all of these are an export's, whatever comes between.
    List during = earlier_;
    for (const auto& [path, contents] : made)
        if (!during.contains(path) || !holds(place_of(path), during[path])) during[path] = contents;
    write_list(during, format, false);
    for (const auto& each : files) {
        const auto place = place_of(each.path);
        fs::create_directories(place.parent_path());
        contents_of(each, bytes);
        files::write_new_file(place, [&](files::NewFile& file) { file.write(std::span<const std::byte>(bytes)); });
    }
    for (const auto& [path, contents] : earlier_) {
        if (made.contains(path) || !holds(place_of(path), contents)) continue;
        std::error_code ignored; // a file that is left does no harm
        fs::remove(place_of(path), ignored);
    }
    write_list(made, format, true);
}

void ProgramFolder::write(const std::vector<ProgramFile>& files, std::string_view format) const {
    const auto undo = [&] {
        std::error_code ignored;
        if (is_new_) fs::remove_all(folder_, ignored);
    };
    try {
        write_all(files, format);
    } catch (const files::Problem& problem) {
        undo();
        cannot_write(folder_, problem.what());
    } catch (const fs::filesystem_error& problem) {
        undo();
        cannot_write(folder_, fmt::format("{}: {}", problem.path1().string(), problem.code().message()));
    }
}

} // namespace warplight::exporting
