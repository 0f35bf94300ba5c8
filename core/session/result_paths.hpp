// SPDX-License-Identifier: Apache-2.0
// Where results are saved, and whether they may be. Nothing of the data is needed, so a machine that only sends a
// session to another one asks here, too.
#pragma once

#include "session/report.hpp"
#include "session/run_options.hpp"
#include "session/session.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplight::session {

/// A result that the run is to save.
struct PlannedSave {
    std::size_t index = 0; ///< of the argument
    std::string label;     ///< "Argument 3 (y)"
    std::string pointer;   ///< of the argument: "/arguments/3"
    std::filesystem::path file;
};

/// "Argument 3 (y)", "Variable filter"
std::string label_of(const Argument& argument, std::size_t index);
/// The file for an argument that has a `save`. @throws SessionError
std::filesystem::path path_of_save(const Argument& argument, const RunOptions& options);
/// Several results go into one .npz or HDF5 file, by the same path.
bool share_file(const std::filesystem::path& one, const std::filesystem::path& other);

/// A file that the run reads, and how, to be put behind "which": "is the source".
using ReadFile = std::pair<std::filesystem::path, std::string>;

/// Why the results must not be saved so: over files that the run reads or over each other, over one that another
/// program has open, or over one that this session has not written.
std::optional<ReportError> why_not_saved(const std::vector<PlannedSave>& saves, const std::vector<ReadFile>& read,
                                         const RunOptions& options);
/// The same of headers, which are known later.
std::optional<ReportError> why_not_saved_over(const std::vector<PlannedSave>& saves,
                                              const std::vector<std::filesystem::path>& headers);
/// What the run reads, as far as the session tells it.
/// @param expected the files behind the expectations, by the number of the argument; empty ones do not count
std::vector<ReadFile> files_read(const Session& session, const RunOptions& options,
                                 const std::vector<std::filesystem::path>& expected);

/// All of this for a whole session.
struct SavePlan {
    std::vector<PlannedSave> saves;
    std::optional<ReportError> refused; ///< why the run must not be made
};
SavePlan plan_saves(const Session& session, const RunOptions& options);

/// The run was made, and then a result could not be saved. @param why a sentence, or one without its full stop
ReportError cannot_be_saved(const PlannedSave& save, std::string why);

} // namespace warplight::session
