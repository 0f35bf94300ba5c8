// SPDX-License-Identifier: Apache-2.0
#include "cluster/campaign.hpp"

#include "cluster/campaign_files.hpp"
#include "compiler/include_reach.hpp"
#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "files/random_name.hpp"
#include "session/data_file.hpp"
#include "session/digest.hpp"
#include "session/json_reader.hpp"
#include "session/options_check.hpp"
#include "session/sweep_points.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::cluster {
namespace {

namespace fs = std::filesystem;
using session::JsonReader;
using session::ordered_json;
using session::path_from_utf8;
using session::SessionError;

constexpr std::uint64_t campaign_version = 1;
constexpr std::uint64_t most_points = std::uint64_t{1} << 32;
constexpr std::string_view document_name = "campaign.json";

std::string_view kind_name(CampaignKind kind) { return kind == CampaignKind::sweep ? "sweep" : "grade"; }

ordered_json write_conditions(const CampaignConditions& conditions) {
    return {{"roofline", conditions.roofline},          {"profile", conditions.profile},
            {"confined", conditions.confined},          {"memory_limit", conditions.memory_limit},
            {"timeout_ms", conditions.timeout.count()}, {"case_seconds", conditions.case_seconds}};
}

CampaignConditions read_conditions(const JsonReader& reader) {
    CampaignConditions conditions;
    conditions.roofline = reader.text("roofline");
    conditions.profile = reader.boolean("profile", false);
    conditions.confined = reader.boolean("confined", true);
    conditions.memory_limit = reader.unsigned_integer("memory_limit", 0);
    conditions.timeout =
        std::chrono::milliseconds(static_cast<std::int64_t>(reader.unsigned_integer("timeout_ms", 0, UINT32_MAX)));
    conditions.case_seconds = reader.real("case_seconds", 0);
    return conditions;
}

/// A path of the document, which must stay in the folder.
std::string inside(const JsonReader& reader, std::string_view key) {
    auto path = reader.text(key);
    const auto names = path_from_utf8(path);
    if (path.empty() || path.starts_with('/') || files::is_absolute(names) || path.find(':') != std::string::npos ||
        std::ranges::find(names, fs::path("..")) != names.end())
        reader.refuse(key, "a path below the campaign's folder was expected");
    return path;
}

Campaign begun(CampaignKind kind, session::Session& session, const session::RunOptions& options,
               CampaignConditions conditions) {
    Campaign campaign;
    campaign.kind = kind;
    campaign.id = files::random_name();
    campaign.conditions = std::move(conditions);
    campaign.session_path = options.session_path;
    std::error_code code;
    auto real = options;
    real.folder = files::real_path(options.folder, code);
    if (code) throw SessionError(fmt::format("The folder {} cannot be reached.", options.folder.string()));
    campaign.session_folder = path_in_campaign(real.folder);
    campaign.files = take_files(session, real);
    // What the window and people read is no part of a run.
    session.notes = {};
    session.description.clear();
    return campaign;
}

} // namespace

session::RunOptions Campaign::run_options() const {
    session::RunOptions options;
    options.folder = folder / "files" / path_from_utf8(session_folder);
    options.session_path = session_path;
    options.allow = {folder / "files"};
    return options;
}

std::string Campaign::digest() const {
    std::string all = fmt::format("{} {} {}\n{}\n{}\n", kind_name(kind), campaign_version, count,
                                  write_conditions(conditions).dump(), session::to_text(session));
    for (const auto& each : files)
        all += each.path + ' ' + each.digest + '\n';
    for (const auto& each : solutions)
        all += each.name + '\n' + each.file + '\n' + each.digest + '\n';
    return session::digest(std::as_bytes(std::span(all)));
}

fs::path stop_file(const fs::path& folder) { return folder / "stop"; }

Campaign sweep_campaign(session::Session session, const session::RunOptions& options, CampaignConditions conditions) {
    if (!session.sweep)
        throw SessionError("The session has no sweep. Give an axis, such as --vary block=32,64,128.", "/sweep");
    const auto count = session::SweepPoints(session).count();
    if (count == 0) throw SessionError("The sweep has no points.", "/sweep");
    if (count > most_points)
        throw SessionError(fmt::format("The sweep has {} points, and a campaign at most {}. Take some of them, by "
                                       "--sample N.",
                                       count, most_points),
                           "/sweep");
    auto campaign = begun(CampaignKind::sweep, session, options, std::move(conditions));
    campaign.seed = session.sweep->seed;
    campaign.count = count;
    campaign.session = std::move(session);
    return campaign;
}

Campaign grade_campaign(session::Session exercise, const session::RunOptions& options, CampaignConditions conditions,
                        std::vector<CampaignSolution> solutions) {
    auto campaign = begun(CampaignKind::grade, exercise, options, std::move(conditions));
    std::error_code code;
    auto run = options;
    run.folder = files::real_path(options.folder, code);
    const auto reach = session::Reach::of(run);
    const auto add = [&](CampaignFile file) {
        if (std::ranges::find(campaign.files, file.path, &CampaignFile::path) == campaign.files.end())
            campaign.files.push_back(std::move(file));
    };
    std::size_t number = 0;
    for (auto& each : solutions) {
        const auto origin = path_from_utf8(each.path);
        each.path = fmt::format("solutions/{:05}.cu", number++);
        add(take_file(origin, each.path));
        // Headers of the exercise's folder, which solutions may include.
        compiler::CompileRequest request;
        request.source = files::read_text(origin, files::Kind::source);
        request.folder =
            exercise.source.path.empty() ? run.folder : files::normal(reach.place(exercise.source.path)).parent_path();
        request.backend = compiler::backend_from_name(exercise.compile.compiler);
        session::confine(request, exercise.compile, reach);
        for (const fs::path& header : compiler::check_includes(request, {}).headers)
            add(take_file(header, path_in_campaign(files::normal(header))));
    }
    campaign.count = solutions.size();
    campaign.solutions = std::move(solutions);
    campaign.session = std::move(exercise);
    return campaign;
}

bool is_campaign(const fs::path& folder) {
    std::error_code code;
    return fs::exists(folder / document_name, code);
}

void create_campaign(const Campaign& campaign) {
    std::error_code code;
    const auto& folder = campaign.folder;
    if (is_campaign(folder))
        throw SessionError(fmt::format("{} has a campaign already. Give --resume to go on with it, or name another "
                                       "folder by --work-folder.",
                                       folder.string()));
    if (fs::exists(folder, code) && !fs::is_empty(folder, code) && !fs::exists(folder / "files", code))
        throw SessionError(
            fmt::format("{} is not empty, and no campaign. Name another folder by --work-folder.", folder.string()));
    // What is left of a campaign that did not come into being.
    fs::remove_all(folder / "files", code);
    for (const auto& each : {campaign.results(), campaign.output()}) {
        fs::create_directories(each, code);
        if (code)
            throw SessionError(fmt::format("The folder {} cannot be made: {}. Name another one by --work-folder.",
                                           each.string(), code.message()));
    }
    copy_files(campaign.files, folder / "files");
    ordered_json document;
    document["warplight_campaign"] = campaign_version;
    document["kind"] = kind_name(campaign.kind);
    document["id"] = campaign.id;
    document["count"] = campaign.count;
    document["tasks"] = campaign.tasks;
    document["seed"] = campaign.seed;
    document["point_seconds"] = campaign.point_seconds;
    document["session_path"] = campaign.session_path;
    document["session_folder"] = campaign.session_folder;
    document["conditions"] = write_conditions(campaign.conditions);
    document["files"] = ordered_json::array();
    for (const auto& each : campaign.files)
        document["files"].push_back({{"path", each.path}, {"digest", each.digest}, {"bytes", each.bytes}});
    if (campaign.kind == CampaignKind::grade) {
        document["solutions"] = ordered_json::array();
        for (const auto& each : campaign.solutions)
            document["solutions"].push_back(
                {{"name", each.name}, {"file", each.file}, {"digest", each.digest}, {"path", each.path}});
    }
    document["session"] = ordered_json::parse(session::to_text(campaign.session));
    try {
        write_file_atomically(folder / document_name, document.dump(1) + '\n');
    } catch (const Error& error) {
        throw SessionError(fmt::format("The campaign cannot be written: {}", error.what()));
    }
}

void remove_campaign(const Campaign& campaign) {
    std::error_code code; // what cannot be removed stays
    for (const auto& each : {campaign.folder / document_name, stop_file(campaign.folder), campaign.folder / "job.sh"})
        fs::remove(each, code);
    for (const auto& each : {campaign.folder / "files", campaign.results(), campaign.output()})
        fs::remove_all(each, code);
    fs::remove(campaign.folder, code);
}

Campaign load_campaign(const fs::path& folder) {
    if (!is_campaign(folder))
        throw SessionError(fmt::format("{} has no campaign: there is no {} in it.", utf8_of(folder), document_name));
    std::string text;
    try {
        text = read_text_file(folder / document_name);
    } catch (const Error& error) {
        throw SessionError(fmt::format("The campaign cannot be read: {}", error.what()));
    }
    const auto json = session::parse_json(text, "campaign");
    const JsonReader reader(json, "");
    const auto version = reader.unsigned_integer("warplight_campaign", 0);
    if (version != campaign_version)
        throw SessionError(
            fmt::format("{} is a campaign of format {}; this version of Warplight knows format {}. Go on "
                        "with the version that made it.",
                        utf8_of(folder), version, campaign_version));
    Campaign campaign;
    campaign.folder = folder;
    const auto kind = reader.text("kind");
    if (kind != kind_name(CampaignKind::sweep) && kind != kind_name(CampaignKind::grade))
        reader.refuse("kind", "\"sweep\" or \"grade\" was expected");
    campaign.kind = kind == kind_name(CampaignKind::sweep) ? CampaignKind::sweep : CampaignKind::grade;
    campaign.id = reader.text("id");
    if (!files::is_random_name(campaign.id)) reader.refuse("id", "ten small letters and digits were expected");
    campaign.count = reader.unsigned_integer("count", 0, most_points);
    campaign.tasks = reader.unsigned_integer("tasks", 1, std::max<std::uint64_t>(campaign.count, 1));
    campaign.seed = reader.unsigned_integer("seed", 0);
    campaign.point_seconds = reader.real("point_seconds", 0);
    campaign.session_path = reader.text("session_path");
    campaign.session_folder = inside(reader, "session_folder");
    campaign.conditions = read_conditions(reader.object("conditions"));
    if (const auto* list = reader.find("files"); list && list->is_array())
        for (const auto& each : *list) {
            const JsonReader file(each, "/files");
            campaign.files.push_back({inside(file, "path"), file.text("digest"), file.unsigned_integer("bytes", 0)});
        }
    if (const auto* list = reader.find("solutions"); list && list->is_array())
        for (const auto& each : *list) {
            const JsonReader solution(each, "/solutions");
            campaign.solutions.push_back(
                {solution.text("name"), solution.text("file"), solution.text("digest"), inside(solution, "path")});
        }
    const auto* document = reader.find("session");
    if (!document) reader.refuse("session", "it is missing");
    campaign.session = session::parse(document->dump());
    const bool fits = campaign.kind == CampaignKind::sweep
                          ? campaign.session.sweep.has_value()
                          : campaign.session.exercise.has_value() && campaign.solutions.size() == campaign.count;
    if (campaign.count == 0 || !fits) reader.refuse("count", "it does not fit what there is to do");
    return campaign;
}

} // namespace warplight::cluster
