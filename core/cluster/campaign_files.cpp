// SPDX-License-Identifier: Apache-2.0
#include "cluster/campaign_files.hpp"

#include "compiler/include_reach.hpp"
#include "files/input_file.hpp"
#include "files/new_file.hpp"
#include "files/paths.hpp"
#include "files/problem.hpp"
#include "session/data_file.hpp"
#include "session/digest.hpp"
#include "session/exercise_cases.hpp"
#include "session/options_check.hpp"
#include "session/reach.hpp"
#include "session/stages.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

namespace warplight::cluster {
namespace {

namespace fs = std::filesystem;
using session::path_from_utf8;
using session::SessionError;

class FileList {
public:
    explicit FileList(const session::RunOptions& options) : reach_(session::Reach::of(options)) {}

    [[nodiscard]] const session::Reach& reach() const { return reach_; }
    /// A file that the session names, and its path in the copied session.
    std::string take(const std::string& path) {
        const auto named = files::normal(reach_.place(path));
        add(named, reach_.for_reading(named));
        return relative(path);
    }
    void add(const fs::path& named, const fs::path& real) {
        auto place = path_in_campaign(named);
        if (std::ranges::find(all_, place, &CampaignFile::path) != all_.end()) return;
        all_.push_back(take_file(real, std::move(place)));
    }
    /// An absolute path, as one from the session's folder.
    [[nodiscard]] std::string relative(const std::string& path) const {
        const auto given = path_from_utf8(path);
        if (!files::is_absolute(given)) return path;
        const auto from = path_from_utf8("/" + path_in_campaign(reach_.folder()));
        return utf8_of(path_from_utf8("/" + path_in_campaign(files::normal(given))).lexically_relative(from));
    }
    /// Of a file that was taken.
    void set_text(const fs::path& named, std::string_view text) {
        const auto file = std::ranges::find(all_, path_in_campaign(named), &CampaignFile::path);
        if (file == all_.end()) return;
        file->text = text;
        file->bytes = text.size();
        file->digest = session::digest(std::as_bytes(std::span(text)));
    }
    std::vector<CampaignFile> taken() { return std::move(all_); }

private:
    session::Reach reach_;
    std::vector<CampaignFile> all_;
};

void take_data(std::vector<session::Argument>& arguments, FileList& list) {
    for (auto& argument : arguments) {
        if (argument.direction == session::Direction::scalar) continue;
        if (auto* file = std::get_if<session::FileSource>(&argument.source)) file->path = list.take(file->path);
        if (!argument.expect) continue;
        auto& expect = *argument.expect;
        if (!expect.session.empty()) {
            const auto saved = session::saved_by(expect, list.reach());
            list.add(files::normal(saved), list.reach().for_reading(saved));
            expect.session = list.take(expect.session);
        }
        if (!expect.path.empty()) expect.path = list.take(expect.path);
    }
}

/// The source and what it includes. What only macros of some points include is found by neither this nor a compiler
/// that does not know them; it is looked for in all branches.
void take_source(session::Session& session, const session::RunOptions& options, FileList& list) {
    compiler::CompileRequest request;
    if (session.source.path.empty()) {
        if (options.source_text) session.source.text = *options.source_text;
        request.source = session.source.text;
        request.folder = options.folder;
    } else {
        const auto file = list.reach().for_reading(list.reach().place(session.source.path));
        request.source = options.source_text ? *options.source_text : files::read_text(file, files::Kind::source);
        request.folder = list.reach().place(session.source.path).parent_path();
    }
    if (!session.source.is_ptx()) {
        request.backend = compiler::backend_from_name(session.compile.compiler);
        session::confine(request, session.compile, list.reach());
        for (const fs::path& header : compiler::check_includes(request, {}).headers)
            list.add(files::normal(header), header);
        for (const auto& folder : session::include_folders_of(session.compile))
            for (auto& option : session.compile.options)
                if (option.ends_with(folder))
                    option.replace(option.size() - folder.size(), folder.size(), list.relative(folder));
    }
    if (session.source.path.empty()) return;
    const auto named = files::normal(list.reach().place(session.source.path));
    session.source.path = list.take(session.source.path);
    if (options.source_text) list.set_text(named, *options.source_text);
}

} // namespace

std::string utf8_of(const fs::path& path) {
    const auto text = path.generic_u8string();
    return {text.begin(), text.end()};
}

std::string path_in_campaign(const fs::path& file) {
    auto text = utf8_of(file); // "/x", "C:/x", "//machine/share/x"
    std::erase(text, ':');
    return text.substr(std::min(text.find_first_not_of('/'), text.size()));
}

CampaignFile take_file(const fs::path& file, std::string path) {
    try {
        const files::InputFile input(file);
        return {std::move(path), session::digest(input), input.size(), file};
    } catch (const files::InputError& error) {
        throw SessionError(fmt::format("A file of the session cannot be read: {}.", error.what()));
    }
}

std::vector<CampaignFile> take_files(session::Session& session, const session::RunOptions& options) {
    if (session.program)
        throw SessionError("The session is a program with main(). Only kernels run on a cluster.", "/program");
    FileList list(options);
    try {
        if (session.exercise) {
            // Cases have data of their own. Each is looked at as the session that it is, whose paths may be absolute.
            for (const auto& each : session.exercise->cases) {
                auto of_case = session::session_of_case(session, each).arguments;
                take_data(of_case, list);
            }
        }
        take_data(session.arguments, list);
        take_source(session, options, list);
    } catch (const files::InputError& error) {
        throw SessionError(fmt::format("A file of the session cannot be read: {}.", error.what()));
    }
    return list.taken();
}

void copy_files(const std::vector<CampaignFile>& files, const fs::path& folder) {
    for (const auto& each : files) {
        const auto to = folder / path_from_utf8(each.path);
        std::error_code code;
        fs::create_directories(to.parent_path(), code);
        if (code)
            throw SessionError(
                fmt::format("The folder {} cannot be made: {}.", to.parent_path().string(), code.message()));
        try {
            constexpr std::uint64_t worth_a_link = std::uint64_t{1} << 20;
            if (each.text) {
                files::write_new_file(
                    to, [&](files::NewFile& file) { file.write(*each.text); }, files::Lasting::process);
                continue;
            }
            // A link is the same file: who edits a small text in place would edit the campaign's.
            if (each.bytes >= worth_a_link) {
                fs::create_hard_link(each.origin, to, code);
                if (!code) continue;
            }
            const files::InputFile from(each.origin);
            files::write_new_file(
                to,
                [&](files::NewFile& file) {
                    std::vector<std::byte> piece(std::size_t{1} << 20);
                    std::uint64_t offset = 0;
                    while (const auto count = from.read_some(offset, piece)) {
                        file.write(std::span(piece).first(count));
                        offset += count;
                    }
                },
                files::Lasting::process);
        } catch (const files::InputError& error) {
            throw SessionError(fmt::format("A file of the session cannot be copied: {}.", error.what()));
        } catch (const files::Problem& error) {
            throw SessionError(fmt::format("A file of the session cannot be copied: {}.{}", error.what(),
                                           error.hint().empty() ? "" : " " + error.hint() + "."));
        }
    }
}

std::string changed_file(const std::vector<CampaignFile>& files, const fs::path& folder) {
    for (const auto& each : files) {
        const auto file = folder / path_from_utf8(each.path);
        try {
            const files::InputFile input(file);
            if (input.size() == each.bytes && session::digest(input) == each.digest) continue;
            return fmt::format(
                "The file {} is not as it was when the campaign was made. Start it again in a new folder.",
                file.string());
        } catch (const files::InputError& error) {
            return fmt::format("A file of the campaign cannot be read: {}.", error.what());
        }
    }
    return {};
}

} // namespace warplight::cluster
