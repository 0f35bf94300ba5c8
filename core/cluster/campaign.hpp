// SPDX-License-Identifier: Apache-2.0
/// A sweep, or a class to grade, in a folder of its own: tasks anywhere run its points and write results there.
/// docs/cluster.md describes the folder.
#pragma once

#include "cluster/campaign_files.hpp"
#include "cluster/split.hpp"
#include "session/run_options.hpp"
#include "session/session.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::cluster {

enum class CampaignKind : std::uint8_t { sweep, grade };

/// A solution to grade.
struct CampaignSolution {
    std::string name, file; ///< as a table of grades has them
    std::string digest;     ///< session::digest_of_solution()
    std::string path;       ///< below `files`
};

/// How points run, wherever they do.
struct CampaignConditions {
    std::string roofline; ///< GPU whose peak figures are compared with
    bool profile = false;
    bool confined = true;
    std::uint64_t memory_limit = 0;       ///< bytes of a worker; 0: none
    std::chrono::milliseconds timeout{0}; ///< of a run; 0: none
    double case_seconds = 0;              ///< of a case of an exercise, where it is less than the exercise's; 0: none

    bool operator==(const CampaignConditions&) const = default;
};

struct Campaign {
    std::filesystem::path folder;
    CampaignKind kind = CampaignKind::sweep;
    std::string id; ///< tells campaigns apart: ten letters and digits
    session::Session session;
    std::string session_path;   ///< the document, as reports have it
    std::string session_folder; ///< below `files`
    CampaignConditions conditions;
    std::uint64_t count = 0, tasks = 1, seed = 0;
    double point_seconds = 0; ///< an estimate; 0: not known
    std::vector<CampaignFile> files;
    std::vector<CampaignSolution> solutions;

    [[nodiscard]] Split split() const { return {count, tasks, seed}; }
    [[nodiscard]] std::filesystem::path results() const { return folder / "results"; }
    [[nodiscard]] std::filesystem::path output() const { return folder / "output"; }
    /// Its folder and what it may read, for a run of a task.
    [[nodiscard]] session::RunOptions run_options() const;
    /// Of all that results depend on. Equal campaigns have equal results.
    [[nodiscard]] std::string digest() const;
};

/// Tasks end after the point that they are at, once this file is there.
[[nodiscard]] std::filesystem::path stop_file(const std::filesystem::path& folder);

/// A campaign that is not written yet. Its files are known, and nothing was copied.
/// @param options with the session's folder, and what the user has allowed
/// @throws session::SessionError where the sweep, a file or a path cannot be used
Campaign sweep_campaign(session::Session session, const session::RunOptions& options, CampaignConditions conditions);
/// @param solutions name, file and digest of each, and where its source lies as `path`
Campaign grade_campaign(session::Session exercise, const session::RunOptions& options, CampaignConditions conditions,
                        std::vector<CampaignSolution> solutions);

/// Makes its folder and copies its files, as links where the file system can. The document is written last, so a folder
/// with one is whole. @throws session::SessionError, where something else is there or the disk is full
void create_campaign(const Campaign& campaign);
/// Takes away what create_campaign() and engines have made, and the folder where nothing else is in it.
void remove_campaign(const Campaign& campaign);
[[nodiscard]] bool is_campaign(const std::filesystem::path& folder);
/// @throws session::SessionError for a folder that is none, a damaged document, and one of a later version
[[nodiscard]] Campaign load_campaign(const std::filesystem::path& folder);

} // namespace warplight::cluster
