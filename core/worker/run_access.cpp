// SPDX-License-Identifier: Apache-2.0
#include "worker/run_access.hpp"

#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/named_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace warplight::worker {
namespace {

namespace fs = std::filesystem;
using session::path_from_utf8;

bool is_below(const fs::path& path, const fs::path& folder) {
    return !folder.empty() &&
           std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// A folder that a run makes lies in one that exists.
fs::path existing(fs::path folder, const fs::path& highest) {
    std::error_code code;
    while (!fs::exists(folder, code) && folder != highest && folder.has_relative_path())
        folder = folder.parent_path();
    return folder;
}

class Collector {
public:
    Collector(const session::RunOptions& options, Access& access)
        : options_(options), folder_(files::absolute(options.folder)), access_(access) {
        // Of a session that was typed it is the current folder, which may hold anything.
        const bool whole = !options.trusted && !options.folder.empty() && !holds_home(folder_);
        if (whole) access_.read.push_back(folder_);
        for (const fs::path& path : options.allow)
            access_.read.push_back(files::absolute(path));
        if (!options.keep.empty()) access_.kept.push_back(options.keep);
    }

    /// A file that the session names. The folder stands for those inside, but a home is not opened as a whole.
    void read(const std::string& path) {
        std::error_code code;
        const fs::path file = files::real_path(place(path), code);
        const bool inside = is_below(file, files::real_path(folder_, code));
        if (options_.trusted || (inside && holds_home(folder_))) access_.read.push_back(file);
    }
    /// The folder of a file that the user has named.
    void read_beside(const std::string& path) {
        const fs::path folder = place(path).parent_path();
        if (options_.trusted && !holds_home(folder)) access_.read.push_back(folder);
    }
    /// A link or `..` that leads out of the folder for results opens nothing.
    void write(const std::string& save) {
        std::error_code code;
        const fs::path to = files::real_path(options_.out.empty() ? options_.folder : options_.out, code);
        const fs::path folder = files::real_path(files::join(to, path_from_utf8(save)), code).parent_path();
        const bool agreed = std::ranges::any_of(
            options_.allow, [&](const fs::path& path) { return is_below(folder, files::real_path(path, code)); });
        if (options_.trusted || agreed || is_below(folder, to)) access_.write.push_back(existing(folder, to));
    }

private:
    fs::path place(const std::string& path) const {
        return files::absolute(files::join(folder_, path_from_utf8(path)));
    }

    const session::RunOptions& options_;
    fs::path folder_;
    Access& access_;
};

} // namespace

Access access_of(const RunRequest& request) {
    const auto& [session, options] = request;
    Access access;
    Collector collector(options, access);
    session::visit_named_files(session, [&](session::FileUse use, const std::string& path) {
        collector.read(path);
        if (use == session::FileUse::source || use == session::FileUse::session) collector.read_beside(path);
    });
    for (const session::Argument& argument : session.arguments)
        if (!argument.save.empty()) collector.write(argument.save);
    return access;
}

} // namespace warplight::worker
