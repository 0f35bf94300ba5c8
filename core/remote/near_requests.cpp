// SPDX-License-Identifier: Apache-2.0
// The requests that name files, one after the other: their parameters there, and what their answers become here.
#include "remote/near_files.hpp"

#include "compiler/include_scan.hpp"
#include "files/paths.hpp"
#include "files/problem.hpp"
#include "session/data_file.hpp"
#include "session/named_files.hpp"
#include "session/report.hpp"
#include "session/saved_results.hpp"
#include "warplight/error.hpp"
#include "worker/run_request.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace warplight::remote {
namespace fs = std::filesystem;
using session::path_from_utf8;
using session::utf8_of;
using worker::json;
using worker::Params;
using worker::RequestError;
namespace {

constexpr auto kFetchInterval = std::chrono::milliseconds(20);

/// Options of a session start at its folder, those of a command line at the folder of this process.
fs::path start_of_options(bool trusted, const fs::path& folder) {
    std::error_code error;
    return trusted || folder.empty() ? fs::current_path(error) : folder;
}

/// An absolute path of the request, which need not be one.
fs::path placed(const std::string& text) {
    std::error_code error;
    return text.empty() ? fs::path() : files::absolute(path_from_utf8(text), error);
}

} // namespace

json NearFiles::far_list(const json& paths) const {
    json list = json::array();
    for (const json& each : paths) {
        const auto far = each.is_string() ? far_path(placed(each.get<std::string>())) : std::nullopt;
        if (far) list.push_back(*far);
    }
    return list;
}

json NearFiles::prepare_run(const json& params, int id, const Cancelled& cancelled) {
    worker::RunRequest request = worker::run_request_from_json(params);
    auto& [session, options] = request;
    if (options.trusted || !options.folder.empty())
        options.folder = files::absolute(options.folder.empty() ? fs::path(".") : options.folder);
    const fs::path folder = options.folder;
    const auto compiler_options = absolute_options(session.compile.options, start_of_options(options.trusted, folder));
    SessionFileCollector collector(session::Reach::of(options), access_);
    collect_run(request, compiler_options, collector);

    // Results are saved here, so all that speaks against it is known here.
    Plan plan;
    const bool saves = options.lost_because.empty() && !options.compile_only;
    auto planned = session::plan_saves(session, options);
    if (!planned.refused) planned.refused = session::why_not_saved_over(planned.saves, collector.found_headers());
    bring(collector.take(), id, cancelled);
    plan.options = options;
    if (saves && !planned.refused) plan.saves = planned.saves;
    for (std::size_t i = 0; i < plan.saves.size(); ++i) {
        const fs::path near = files::absolute(plan.saves[i].file);
        auto file = std::ranges::find_if(plan.files, [&](const Plan::File& each) {
            return each.near == near && session::share_file(each.near, near);
        });
        if (file == plan.files.end()) {
            plan.files.push_back(
                {.far = std::to_string(plan.files.size()) + '/' + name_in_out(near), .near = near, .saves = {}});
            file = std::prev(plan.files.end());
        }
        file->saves.push_back(i);
    }

    const auto text_there = [&](std::string& path) {
        const std::scoped_lock lock(mutex_);
        path = map_.to_far_text(path, utf8_of(folder));
    };
    session::visit_named_files(session, [&](session::FileUse, std::string& path) { text_there(path); });
    if (options.trusted) {
        session.compile.options = compiler::with_paths(
            compiler_options, [&](const std::string& path) { return far_path(path_from_utf8(path)).value_or(path); });
    } else {
        session.compile.options = compiler::with_paths(session.compile.options, [&](std::string path) {
            text_there(path);
            return path;
        });
    }
    for (session::Argument& argument : session.arguments)
        argument.save.clear();
    for (const Plan::File& file : plan.files)
        for (const std::size_t i : file.saves)
            session.arguments[plan.saves[i].index].save = file.far;
    options.fetched = planned.refused
                          ? session::to_json(*planned.refused).dump(-1, ' ', false, json::error_handler_t::replace)
                          : std::string();
    options.overwrite = true;
    options.out.clear();
    if (!plan.files.empty()) options.out = next_out_path(next_out(id, std::move(plan)));
    std::vector<fs::path> allow;
    for (const fs::path& path : options.allow)
        if (const auto far = far_path(files::absolute(path))) allow.push_back(path_from_utf8(*far));
    options.allow = std::move(allow);
    if (!folder.empty()) options.folder = path_from_utf8(far_path(folder).value_or(utf8_of(folder)));
    if (!options.keep.empty()) {
        const std::scoped_lock lock(mutex_);
        const auto kept = kept_.find(files::absolute(options.keep));
        options.keep = kept != kept_.end() ? path_from_utf8(kept->second) : fs::path();
    }
    json prepared = worker::to_json(request);
    // A Windows machine writes other paths than the far one reads.
    const auto set = [&](const char* name, const fs::path& path) {
        if (prepared.contains(name)) prepared[name] = utf8_of(path);
    };
    set("folder", options.folder);
    set("out", options.out);
    set("keep", options.keep);
    return prepared;
}

json NearFiles::prepare_source(const std::string& method, json params, int id, const Cancelled& cancelled) {
    if (params.contains("ptx") && params["ptx"].is_string()) {
        const std::scoped_lock lock(mutex_);
        const auto found = std::ranges::find(changed_ptx_, params["ptx"].get_ref<const std::string&>(),
                                             &std::pair<std::string, std::string>::first);
        if (found != changed_ptx_.end()) params["ptx"] = found->second;
        if (method == "sass" || method == "occupancy") return params;
    }
    const Params given(params);
    if (given.boolean("ptx", false)) return params;
    const bool trusted = given.boolean("trusted", false);
    const fs::path folder = placed(given.text("folder", ""));
    std::vector<fs::path> allow;
    for (const std::string& text : given.texts("allow"))
        allow.push_back(placed(text));
    const auto options = absolute_options(given.texts("options"), start_of_options(trusted, folder));
    SessionFileCollector collector(trusted ? session::Reach::everywhere(folder) : session::Reach(folder, allow),
                                   access_);
    if (!folder.empty()) collector.folder(folder);
    for (const fs::path& each : allow)
        if (!files::is_on_other_machine(each)) collector.folder(each);
    collector.headers(given.text("source"), folder, options);
    bring(collector.take(), id, cancelled);
    if (!folder.empty()) params["folder"] = far_path(folder).value_or(utf8_of(folder));
    if (params.contains("allow")) params["allow"] = far_list(params["allow"]);
    if (params.contains("options"))
        params["options"] =
            compiler::with_paths(trusted ? options : given.texts("options"), [&](const std::string& path) {
                const std::scoped_lock lock(mutex_);
                return map_.to_far_text(path, utf8_of(folder));
            });
    return params;
}

json NearFiles::prepare_file(json params, int id, const Cancelled& cancelled) {
    const fs::path path = placed(Params(params).text("path"));
    SessionFileCollector collector(session::Reach::everywhere({}), access_);
    collector.file(path);
    bring(collector.take(), id, cancelled);
    // A kept buffer is there already: its folder is another one.
    std::error_code error;
    const std::scoped_lock lock(mutex_);
    const std::string near = utf8_of(path);
    const auto far = fs::exists(path, error) ? map_.below_root(near) : std::nullopt;
    params["path"] = far ? map_.root() + '/' + *far : map_.to_far(near).value_or(near);
    return params;
}

json NearFiles::prepare_save(json params, int id) {
    const fs::path near = placed(Params(params).text("path"));
    if (!near.has_filename())
        throw RequestError(worker::file_error, utf8_of(near) + ": names no file. Choose a file name");
    if (!write_access_.covers(near))
        throw RequestError(worker::file_error,
                           utf8_of(near) + ": cannot be written: it lies outside of the folders for results");
    Plan plan;
    plan.files.push_back({.far = name_in_out(near), .near = near, .saves = {}});
    params["path"] = utf8_of(next_out_path(next_out(id, std::move(plan))));
    return params;
}

void NearFiles::finish_save(const Plan& plan, json& result, int id, const Cancelled& cancelled) {
    const Plan::File& file = plan.files.front();
    std::string problem;
    const auto write = [&](std::size_t, const files::Writer& writer) {
        try {
            files::write_new_file(file.near, writer);
        } catch (const files::Problem& error) {
            const std::string hint = error.hint();
            problem = std::string(error.what()) + (hint.empty() ? "" : "; " + hint);
        }
    };
    const auto failed = [&](std::size_t, const std::string& why) { problem = utf8_of(file.near) + ": " + why; };
    fetch({{.far = file.far, .near = file.near}}, plan.folder, id, cancelled, write, failed);
    if (!problem.empty()) throw RequestError(worker::file_error, problem);
    result["path"] = utf8_of(file.near);
}

void NearFiles::finish_run(const Plan& plan, json& report, int id, const Cancelled& cancelled) {
    json none = json::array();
    json& outputs = report.contains("outputs") && report["outputs"].is_array() ? report["outputs"] : none;
    const auto output_of = [&](const session::PlannedSave& save) -> json* {
        for (json& each : outputs)
            if (each.is_object() && each.value("index", json()) == json(save.index) && each.contains("saved"))
                return &each;
        return nullptr;
    };
    // What the far side says of files decides only which of those that were asked for are fetched.
    std::vector<Result> results;
    std::vector<const Plan::File*> written;
    for (const Plan::File& file : plan.files) {
        const bool saved = std::ranges::any_of(file.saves, [&](std::size_t i) { return output_of(plan.saves[i]); });
        if (!saved) continue;
        results.push_back({.far = file.far, .near = file.near});
        written.push_back(&file);
    }
    const auto failed = [&](std::size_t number, const std::string& why) {
        const Plan::File& file = *written[number];
        for (const std::size_t i : file.saves)
            if (json* output = output_of(plan.saves[i])) output->erase("saved");
        if (report.contains("error")) return; // of an earlier one
        report["status"] = session::status_name(session::Status::input_error);
        report["error"] = session::to_json(session::cannot_be_saved(plan.saves[file.saves.front()], why));
    };
    const session::SavedResults saved(plan.options);
    const auto write = [&](std::size_t number, const files::Writer& writer) {
        const Plan::File& file = *written[number];
        if (!write_access_.covers(file.near)) return failed(number, "it lies outside of the folders for results");
        try {
            std::error_code error;
            fs::create_directories(file.near.parent_path(), error);
            saved.write(file.near, writer);
            for (const std::size_t i : file.saves)
                if (json* output = output_of(plan.saves[i])) (*output)["saved"] = file.near.string();
        } catch (const Error& error) {
            failed(number, error.what());
        }
    };
    if (!results.empty()) fetch(results, plan.folder, id, cancelled, write, failed);
}

void NearFiles::fetch(const std::vector<Result>& results, const std::string& folder, int id, const Cancelled& cancelled,
                      const std::function<void(std::size_t, const files::Writer&)>& write,
                      const std::function<void(std::size_t, const std::string&)>& failed) {
    std::vector<std::shared_ptr<Fetch>> fetches;
    json files = json::array();
    std::vector<std::uint64_t> transfers;
    {
        const std::scoped_lock lock(mutex_);
        for (const Result& each : results) {
            // The number is ours: pieces may come before the answer.
            const std::uint64_t transfer = ++last_fetch_;
            transfers.push_back(transfer);
            fetches.push_back(std::make_shared<Fetch>());
            fetches_.emplace(transfer, fetches.back());
            files.push_back({{"path", each.far}, {"transfer", transfer}});
        }
    }
    const auto drop = [&](std::size_t i) {
        const std::scoped_lock lock(mutex_);
        fetches[i]->dropped = true;
        fetches[i]->pieces.clear();
        fetches_.erase(transfers[i]);
        changed_.notify_all();
        return fetches[i]->ended;
    };
    json entries;
    try {
        json answer = ask("files.fetch", {{"files", std::move(files)}, {"remove", folder}}, cancelled);
        entries = answer.is_object() ? answer.value("files", json::array()) : json::array();
    } catch (const RequestError& error) {
        for (std::size_t i = 0; i < results.size(); ++i) {
            drop(i);
            failed(i, fmt::format("it cannot be fetched from {}: {}", machine(), error.what()));
        }
        return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        const json entry = entries.is_array() && i < entries.size() ? entries[i] : json::object();
        const auto size = entry.is_object() ? entry.find("size") : entry.end();
        const bool sized = size != entry.end() && size->is_number_unsigned();
        if (!sized || !entry.is_object()) {
            drop(i);
            const bool told = entry.is_object() && entry.contains("problem") && entry["problem"].is_string();
            failed(i, told ? fmt::format("it cannot be read on {}: {}", machine(), entry["problem"].get<std::string>())
                           : fmt::format("{} answers wrongly", machine()));
            continue;
        }
        bool all = false;
        const auto writer = [&](files::NewFile& file) {
            if (const auto data = entry.find("data"); data != entry.end()) {
                if (!data->is_binary() || data->get_binary().size() != size->get<std::uint64_t>())
                    throw TransferError(machine() + " sends another size than it has announced");
                file.write(std::as_bytes(std::span(data->get_binary())));
            } else {
                Rate rate(size->get<std::uint64_t>());
                const auto tell = [&](std::uint64_t done) {
                    const std::string text = rate.text(done);
                    if (text.empty() || !channelling_.progress) return;
                    channelling_.progress(id, static_cast<double>(done) / size->get<double>(),
                                          fmt::format("fetching {}: {}", utf8_of(results[i].near.filename()), text));
                };
                write_fetched(*fetches[i], file, size->get<std::uint64_t>(), cancelled, tell);
            }
            all = true;
        };
        try {
            std::error_code error;
            const auto space = fs::space(results[i].near.parent_path(), error);
            if (!error && space.available < size->get<std::uint64_t>())
                throw TransferError(fmt::format("the disk is full: {} needed, {} free",
                                                decimal_size(size->get<std::uint64_t>()),
                                                decimal_size(space.available)));
            write(i, writer);
        } catch (const TransferError& error) {
            failed(i, error.what());
        }
        if (!drop(i) && !all) // it may be on its way
            (void)channelling_.send_bulk(encode_note(Piece::Kind::failed, transfers[i], {}));
    }
}

void NearFiles::write_fetched(Fetch& fetch, files::NewFile& file, std::uint64_t size, const Cancelled& cancelled,
                              const std::function<void(std::uint64_t)>& progress) {
    compiler::Sha256 digest;
    std::uint64_t done = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        while (fetch.pieces.empty() && !fetch.ended && !closed_) {
            changed_.wait_for(lock, kFetchInterval);
            if (cancelled && cancelled()) throw TransferError("fetching it was stopped");
        }
        if (fetch.pieces.empty()) break;
        const std::vector<std::byte> piece = std::move(fetch.pieces.front());
        fetch.pieces.pop_front();
        fetch.queued -= piece.size();
        changed_.notify_all();
        lock.unlock();
        if (piece.size() > size - done) throw TransferError(machine() + " sends more than it has announced");
        file.write(piece);
        digest.update({reinterpret_cast<const char*>(piece.data()), piece.size()});
        done += piece.size();
        progress(done);
        if (cancelled && cancelled()) throw TransferError("fetching it was stopped");
        lock.lock();
    }
    if (!fetch.problem.empty()) throw TransferError("it cannot be read on " + machine() + ": " + fetch.problem);
    if (!fetch.ended) throw TransferError("the connection to " + machine() + " was lost");
    if (done != size || fetch.digest != digest.hex())
        throw TransferError("it has come from " + machine() + " with other bytes than it has there");
}

} // namespace warplight::remote
