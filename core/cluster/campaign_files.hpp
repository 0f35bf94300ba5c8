// SPDX-License-Identifier: Apache-2.0
// The files that a session needs to run elsewhere.
#pragma once

#include "session/run_options.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplight::cluster {

/// A file that tasks read: a copy in the campaign's folder.
struct CampaignFile {
    std::string path; ///< below `files`, with `/`
    std::string digest;
    std::uint64_t bytes = 0;
    std::filesystem::path origin = {};    ///< where it is copied from; not written down
    std::optional<std::string> text = {}; ///< instead of what the origin has: that of an editor; not written down

    bool operator==(const CampaignFile& other) const { return path == other.path && digest == other.digest; }
};

/// With `/`.
[[nodiscard]] std::string utf8_of(const std::filesystem::path& path);

/// Where a file lies below `files`: `/home/me/x.npy` at `home/me/x.npy`, `C:\x.npy` at `C/x.npy`. So relative paths
/// between files stay as they are.
[[nodiscard]] std::string path_in_campaign(const std::filesystem::path& file);

/// Finds and reads them: the source, or its text in the options, the headers that it includes, data, and expectations
/// of all cases. Makes absolute paths of the session relative ones. @throws session::SessionError
[[nodiscard]] std::vector<CampaignFile> take_files(session::Session& session, const session::RunOptions& options);
/// One more. @throws session::SessionError where it cannot be read
[[nodiscard]] CampaignFile take_file(const std::filesystem::path& file, std::string path);

/// Copies them below a folder, as links where they are large and the file system can. @throws session::SessionError
void copy_files(const std::vector<CampaignFile>& files, const std::filesystem::path& folder);
/// The first file below the folder that is not as it was, as a sentence; empty where all are.
[[nodiscard]] std::string changed_file(const std::vector<CampaignFile>& files, const std::filesystem::path& folder);

} // namespace warplight::cluster
