// SPDX-License-Identifier: Apache-2.0
#include "remote/session_files.hpp"

#include "compiler/include_scan.hpp"
#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/named_files.hpp"
#include "session/stages.hpp"

#include <algorithm>
#include <deque>
#include <system_error>
#include <utility>

namespace warplight::remote {
namespace fs = std::filesystem;
namespace {

constexpr int kMostLinks = 40; ///< on the way to one file, as Linux has it

bool lies_below(const fs::path& file, const fs::path& root) {
    return std::ranges::mismatch(root, file).in1 == root.end();
}

} // namespace

ReadAccess::ReadAccess(const worker::Access& access, bool confined) : everywhere_(!confined) {
    for (const auto* list : {&access.read, &access.write})
        for (const fs::path& path : *list) {
            std::error_code error;
            fs::path real = files::real_path(path, error);
            if (error) continue;
            if (!real.has_filename() && real.has_relative_path()) real = real.parent_path();
            roots_.push_back(std::move(real));
        }
}

bool ReadAccess::covers(const fs::path& file) const {
    if (everywhere_) return true;
    std::error_code error;
    const fs::path real = files::real_path(file, error);
    return !error && std::ranges::any_of(roots_, [&](const fs::path& root) { return lies_below(real, root); });
}

fs::path SessionFileCollector::walk(const fs::path& path) {
#ifdef _WIN32
    return files::normal(path); // what a link leads to stands there under the link's name
#else
    std::deque<fs::path> rest(path.begin(), path.end());
    const fs::path root = "/";
    fs::path now = root;
    int links = 0;
    while (!rest.empty()) {
        const fs::path part = std::move(rest.front());
        rest.pop_front();
        if (part.empty() || part == "." || part == root) continue;
        if (part == "..") {
            found_.folders.insert(now); // a compiler goes through it
            now = now.parent_path();
            continue;
        }
        fs::path next = now / part;
        if (plain_.contains(next)) {
            now = std::move(next);
            continue;
        }
        std::error_code error;
        if (fs::symlink_status(next, error).type() != fs::file_type::symlink) {
            plain_.insert(next);
            now = std::move(next);
            continue;
        }
        const fs::path target = fs::read_symlink(next, error);
        if (error || ++links > kMostLinks) return {};
        found_.links.insert({.path = next, .target = files::normal(files::join(now, target))});
        rest.insert(rest.begin(), target.begin(), target.end());
        if (files::is_absolute(target)) now = root;
    }
    return now;
#endif
}

void SessionFileCollector::file(const fs::path& path) {
    if (!files::is_absolute(path) || !files::path_problem(path).empty()) return;
    // Another machine is not asked before the user has agreed.
    if (files::is_on_other_machine(path) && !reach_.contains(path)) return;
    const fs::path real = walk(path);
    if (real.empty() || !reach_.contains(path) || !access_.covers(path)) return;
    std::error_code error;
    switch (fs::symlink_status(real, error).type()) {
    case fs::file_type::regular: found_.files.insert(real); break;
    case fs::file_type::directory: found_.folders.insert(real); break;
    case fs::file_type::fifo: found_.pipes.insert(real); break;
    case fs::file_type::none:
    case fs::file_type::not_found: break;
    default:
        try {
            if (files::InputFile(path).size() || fs::is_regular_file(path, error)) found_.files.insert(real);
        } catch (const files::InputError& problem) {
            throw session::SessionError(problem.what());
        }
    }
}

void SessionFileCollector::folder(const fs::path& path) {
    if (!files::is_absolute(path) || !files::path_problem(path).empty() || files::is_on_other_machine(path)) return;
    const fs::path real = walk(path);
    std::error_code error;
    if (!real.empty() && fs::is_directory(real, error)) found_.folders.insert(real);
}

void SessionFileCollector::headers(std::string_view source, const fs::path& folder,
                                   const std::vector<std::string>& options) {
    for (const fs::path& each : compiler::include_folders(options))
        this->folder(each);
    for (const auto& header : compiler::scan_includes(source, folder, options).headers) {
        const fs::path path = files::join(folder, header.path);
        file(path);
        headers_.push_back(path);
    }
}

void collect_run(const worker::RunRequest& request, const std::vector<std::string>& options,
                 SessionFileCollector& collector) {
    const auto& [session, run] = request;
    const auto reach = session::Reach::of(run);
    if (!run.folder.empty()) collector.folder(files::absolute(run.folder));
    for (const fs::path& path : run.allow) {
        const fs::path placed = files::absolute(path);
        if (!files::is_on_other_machine(placed)) collector.folder(placed);
    }
    session::visit_named_files(session, [&](session::FileUse use, const std::string& path) {
        // Several workers compile at once, and data need not travel for each of them.
        if (run.compile_only && use != session::FileUse::source) return;
        if (use != session::FileUse::source || !run.source_text) collector.file(reach.place(path));
    });
    for (const session::Argument& argument : session.arguments) {
        if (run.compile_only || !argument.expect || argument.expect->session.empty()) continue;
        try {
            collector.file(files::absolute(session::saved_by(*argument.expect, reach)));
        } catch (const session::SessionError&) { // NOLINT(bugprone-empty-catch): the run says so
        }
    }
    if (session.source.is_ptx() || session.program) return;
    fs::path folder = run.folder.empty() ? fs::path() : files::absolute(run.folder);
    std::string text = run.source_text.value_or(session.source.text);
    if (!session.source.path.empty()) {
        const fs::path source = reach.place(session.source.path);
        folder = source.parent_path();
        collector.folder(folder);
        if (!run.source_text && reach.contains(source)) {
            try {
                text = files::read_text(source, files::Kind::source);
            } catch (const files::InputError&) {
                return; // the run says so
            }
        }
    }
    collector.headers(text, folder, options);
}

std::vector<std::string> absolute_options(const std::vector<std::string>& options, const fs::path& folder) {
    return compiler::with_paths(options, [&](const std::string& path) {
        return session::utf8_of(files::normal(files::join(folder, session::path_from_utf8(path))));
    });
}

} // namespace warplight::remote
