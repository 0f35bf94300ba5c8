// SPDX-License-Identifier: Apache-2.0
// The files that a session names.
#pragma once

#include "session/reach.hpp"
#include "session/session.hpp"

#include <filesystem>
#include <variant>
#include <vector>

namespace warplight::session {

/// How a session uses a file that it names.
enum class FileUse {
    source,
    data,
    expectation,
    session ///< another document, whose saved result is expected
};

/// Calls `visit(use, path)` with each file that the session names, in the order of the document. A path is as the
/// session writes it; of a session that is not const it may be changed. Include folders are among the compiler's
/// options, and files for results in result_paths.hpp.
template <class AnySession, class Visit>
void visit_named_files(AnySession& session, const Visit& visit) {
    if (!session.source.path.empty()) visit(FileUse::source, session.source.path);
    for (auto& argument : session.arguments) {
        if (argument.direction == Direction::scalar) continue;
        if (auto* file = std::get_if<FileSource>(&argument.source)) visit(FileUse::data, file->path);
        if (!argument.expect) continue;
        if (!argument.expect->path.empty()) visit(FileUse::expectation, argument.expect->path);
        if (!argument.expect->session.empty()) visit(FileUse::session, argument.expect->session);
    }
}

/// Files, and folders of headers, that the session names and that lie outside of `reach`; canonical, each once.
/// Files that headers name are not among them.
std::vector<std::filesystem::path> named_outside(const Session& session, const Reach& reach);

} // namespace warplight::session
