// SPDX-License-Identifier: Apache-2.0
// What a request to a worker reads, found on the near machine: files, the links on the way to them, and folders.
#pragma once

#include "session/reach.hpp"
#include "worker/confinement.hpp"
#include "worker/run_request.hpp"

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::remote {

/// All paths are absolute and without `..`.
struct SessionFiles {
    struct Link {
        std::filesystem::path path, target;
        bool operator<(const Link& other) const { return path < other.path; }
    };
    /// Regular files, and pipes, which are to be refused there as here. No link leads to them.
    std::set<std::filesystem::path> files, pipes;
    std::set<std::filesystem::path> folders;
    /// On the way to files and folders, also to those that may not be read: so the far machine tells as this one would
    /// that they lie outside.
    std::set<Link> links;
};

/// What a worker of this connection may read.
class ReadAccess {
public:
    /// @param confined false: everything
    ReadAccess(const worker::Access& access, bool confined);
    [[nodiscard]] bool covers(const std::filesystem::path& file) const;

private:
    bool everywhere_;
    std::vector<std::filesystem::path> roots_;
};

/// Collects what one request reads. What does not exist is left out, and what may not be read, too.
class SessionFileCollector {
public:
    SessionFileCollector(session::Reach reach, const ReadAccess& access) : reach_(std::move(reach)), access_(access) {}

    /// @throws session::SessionError for a device or a socket
    void file(const std::filesystem::path& path);
    void folder(const std::filesystem::path& path);
    /// The headers of a source, and the folders where they are looked for.
    /// @param options as a compiler takes them, with absolute paths
    void headers(std::string_view source, const std::filesystem::path& folder, const std::vector<std::string>& options);

    SessionFiles take() { return std::move(found_); }
    /// The headers that were found.
    [[nodiscard]] const std::vector<std::filesystem::path>& found_headers() const { return headers_; }

private:
    /// Follows links, and notes them. Empty where they lead in a circle.
    std::filesystem::path walk(const std::filesystem::path& path);

    session::Reach reach_;
    const ReadAccess& access_;
    SessionFiles found_;
    std::set<std::filesystem::path> plain_; ///< folders that are no links
    std::vector<std::filesystem::path> headers_;
};

/// What `run` reads. @param options of the session's compiler, with absolute paths
/// @throws session::SessionError for a device or a socket
void collect_run(const worker::RunRequest& request, const std::vector<std::string>& options,
                 SessionFileCollector& collector);

/// The options with the paths of include folders and included files as absolute ones.
std::vector<std::string> absolute_options(const std::vector<std::string>& options, const std::filesystem::path& folder);

} // namespace warplight::remote
