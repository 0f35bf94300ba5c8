// SPDX-License-Identifier: Apache-2.0
/// Exports a session as a program that runs its kernel on the same data, and compares the results likewise.
#pragma once

#include "export/export_error.hpp"
#include "export/program.hpp"
#include "session/run_options.hpp"
#include "session/session.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplight::exporting {

struct ExportRequest {
    const Format* format = nullptr;
    std::filesystem::path folder; ///< made where there is none
    /// The folder may have files that no export has made, or that were changed since; files of the same names go.
    bool force = false;
};

struct Exported {
    std::filesystem::path folder;
    std::vector<std::string> files; ///< below it, with `/`
};

/// Nothing is written before all data are there and the kernel has compiled. Where writing fails, a folder that was
/// new is gone again, and of another one the next export takes what there is for its own.
/// @param options where the session's files lie, and what else it may use. @throws ExportError
Exported export_session(const session::Session& session, const session::RunOptions& options,
                        const ExportRequest& request);

} // namespace warplight::exporting
