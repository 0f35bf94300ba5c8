// SPDX-License-Identifier: GPL-3.0-or-later
#include "keep_run.hpp"

#include "files/paths.hpp"
#include "history/history.hpp"
#include "session/data_file.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace warplight::cli {

void add_keep_options(CLI::App& command, KeepOptions& options) {
    const auto* group = "The history";
    auto* keep = command.add_flag("--keep", options.keep, "Add the run to the history (see `warplight-cli history`)");
    keep->group(group);
    command.add_option("--history", options.file, "The history's file; default: the user's")->group(group)->needs(keep);
    command.add_option("--label", options.label, "A short name of the run there")->group(group)->needs(keep);
    command.add_option("--note", options.note, "A text beside it")->group(group)->needs(keep);
}

std::string source_of(const worker::RunRequest& job) {
    const auto& source = job.session.source;
    if (source.path.empty()) return source.text;
    return read_text_file(files::join(job.options.folder, session::path_from_utf8(source.path)));
}

bool keep_run(const worker::RunRequest& job, const session::Report& report, const KeepOptions& options) {
    if (!options.keep) return false;
    try {
        history::History history(options.file.empty() ? history::History::default_file()
                                                      : session::path_from_utf8(options.file));
        const auto id = history.add(job.session, source_of(job), report, options.label, options.note);
        if (!options.quiet) fmt::print(stderr, "kept as run {} of the history\n", id);
        return true;
    } catch (const history::HistoryError& error) {
        fmt::print(stderr, "The run is not in the history. {}\n", error.what());
    } catch (const Error& error) { // the source, which the report tells of
        fmt::print(stderr, "The run is not in the history. {}\n", error.what());
    }
    return false;
}

} // namespace warplight::cli
