// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "json_text.hpp"
#include "report_page.hpp"

#include "files/paths.hpp"
#include "history/history.hpp"
#include "history/run_difference.hpp"
#include "session/data_file.hpp"
#include "session/session.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warplight::cli {
namespace {

namespace fs = std::filesystem;
using history::Entry;
using history::History;
using nlohmann::json;

struct Options {
    std::string file;
    std::vector<std::string> words;
    std::string session, out, text;
    bool pinned = false, as_json = false, force = false;
    std::size_t limit = 30, keep = 0;
    std::int64_t id = 0, other = 0;
    std::vector<std::int64_t> ids;
};

History open(const Options& options) {
    return History(options.file.empty() ? History::default_file() : session::path_from_utf8(options.file));
}

std::string time_text(std::int64_t milliseconds) {
    return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(milliseconds / 1000)));
}

json to_json(const Entry& entry) {
    return {{"id", entry.id},
            {"time", entry.time},
            {"session", entry.session},
            {"title", entry.title},
            {"kernel", entry.kernel},
            {"device", entry.device},
            {"launch", entry.launch},
            {"options", entry.options},
            {"status", session::status_name(entry.status)},
            {"kernel_ms", entry.kernel_ms},
            {"repeat", entry.repeat},
            {"label", entry.label},
            {"note", entry.note},
            {"pinned", entry.pinned},
            {"change", entry.change},
            {"clocks", entry.clocks}};
}

int list(const Options& options) {
    history::Query query;
    for (const auto& word : options.words)
        query.text += word + ' ';
    if (!options.session.empty()) query.session = files::absolute(session::path_from_utf8(options.session)).string();
    query.pinned = options.pinned;
    query.limit = options.limit;
    const History history = open(options);
    const auto entries = history.find(query);
    if (options.as_json) {
        json all = json::array();
        for (const auto& entry : entries)
            all.push_back(to_json(entry));
        print_json({{"runs", std::move(all)}, {"count", history.count(query)}});
        return success;
    }
    if (entries.empty()) {
        fmt::print("no run {}. `warplight-cli run … --keep` adds one.\n", query.text.empty() ? "is kept" : "was found");
        return success;
    }
    for (const auto& entry : entries) {
        const auto machine = history::machine_of(entry);
        fmt::print("{:>5}{} {}  {:>9}{} {:<18}  {}  {}{}{}{}{}{}\n", entry.id, entry.pinned ? '*' : ' ',
                   time_text(entry.time), entry.kernel_ms > 0 ? session::format_ms(entry.kernel_ms) : std::string(),
                   entry.clocks.empty() ? ' ' : '!', session::status_name(entry.status), entry.kernel, entry.launch,
                   machine.empty() ? "" : "  on " + machine, entry.options.empty() ? "" : "  " + entry.options,
                   entry.change.empty() ? "" : "  (" + entry.change + ")",
                   entry.label.empty() ? "" : "  “" + entry.label + "”", entry.note.empty() ? "" : "  " + entry.note);
    }
    if (const auto count = history.count(query); count > entries.size())
        fmt::print("{} more: --limit {}\n", count - entries.size(), count);
    return success;
}

int show(const Options& options) {
    const auto run = open(options).get(options.id);
    if (options.as_json) {
        auto object = to_json(run.entry);
        object["source"] = run.document.source.text;
        object["source_file"] = run.source_file;
        object["document"] = session::to_json(run.document);
        object["report"] = session::to_json(run.report);
        print_json(object);
        return success;
    }
    const auto& entry = run.entry;
    fmt::print("run {}{}, {}{}{}\n", entry.id, entry.pinned ? " (pinned)" : "", time_text(entry.time),
               entry.label.empty() ? "" : ", “" + entry.label + "”", entry.note.empty() ? "" : "\n" + entry.note);
    fmt::print("{}", session::to_text(run.report));
    return success;
}

json to_json(const std::vector<history::Difference>& differences) {
    json all = json::array();
    for (const auto& each : differences)
        all.push_back({{"what", each.what}, {"before", each.before}, {"after", each.after}});
    return all;
}

json to_json(const std::optional<session::SampleDifference>& times) {
    if (!times) return nullptr;
    return {{"ratio", times->ratio},
            {"interval", {times->interval.low, times->interval.high}},
            {"p", times->p},
            {"difference_seen", times->seen}};
}

int compare(const Options& options) {
    const History history = open(options);
    const auto before = history.get(options.id), after = history.get(options.other);
    const auto difference = history::difference(before, after);
    const auto patch = history::unified_text(difference.source, fmt::format("run {}", options.id),
                                             fmt::format("run {}", options.other));
    if (options.as_json) {
        print_json({{"before", to_json(before.entry)},
                    {"after", to_json(after.entry)},
                    {"settings", to_json(difference.settings)},
                    {"results", to_json(difference.results)},
                    {"same_results", difference.same_outputs},
                    {"times", to_json(difference.times)},
                    {"source", patch}});
        return success;
    }
    const auto table = [](const char* title, const std::vector<history::Difference>& rows) {
        if (rows.empty()) return;
        fmt::print("{}\n", title);
        std::size_t width = 0;
        for (const auto& row : rows)
            width = std::max(width, row.what.size());
        for (const auto& row : rows)
            fmt::print("  {:<{}}  {} → {}\n", row.what, width, row.before.empty() ? "–" : row.before,
                       row.after.empty() ? "–" : row.after);
    };
    table("Settings", difference.settings);
    table("Results", difference.results);
    if (!difference.same_outputs.empty()) fmt::print("Equal results\n  {}\n", fmt::join(difference.same_outputs, ", "));
    if (difference.times)
        fmt::print("Kernel time\n  {} → {}\n  {}\n", session::format_ms(before.entry.kernel_ms),
                   session::format_ms(after.entry.kernel_ms),
                   history::times_text(*difference.times, fmt::format("run {}", options.id),
                                       fmt::format("run {}", options.other)));
    if (!patch.empty()) fmt::print("Source\n{}", patch);
    return success;
}

int restore(const Options& options) {
    const auto run = open(options).get(options.id);
    const auto file = session::path_from_utf8(options.out);
    if (fs::exists(file) && !options.force)
        throw session::SessionError(fmt::format("{} exists. --force replaces it.", options.out));
    session::save(run.document, file);
    fmt::print("{}\n", options.out);
    return success;
}

} // namespace

void add_history(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("history", "Find earlier runs, compare them, and make them again");
    auto options = std::make_shared<Options>();
    command->add_option("--file", options->file, "The history's file; default: the user's");
    command->require_subcommand(1);
    const auto add = [&](const char* name, const char* help, std::function<int(const Options&)> act) {
        auto* added = command->add_subcommand(name, help);
        added->fallthrough();
        added->callback([options, act = std::move(act), &exit_code] {
            try {
                exit_code = act(*options);
            } catch (const history::HistoryError& error) {
                throw session::SessionError(error.what());
            }
        });
        return added;
    };
    const auto add_of_run = [&](const char* name, const char* help, std::function<int(const Options&)> act) {
        auto* added = add(name, help, std::move(act));
        added->add_option("RUN", options->id, "The run's number")->required();
        return added;
    };
    auto* listed = add("list", "List runs, the newest first", list);
    listed->add_option("WORDS", options->words,
                       "Only runs in whose title, kernel, device, launch, options, arguments, "
                       "label or note all of these stand");
    listed->add_option("--session", options->session, "Only runs of this session");
    listed->add_flag("--pinned", options->pinned, "Only pinned runs");
    listed->add_option("--limit", options->limit, "So many runs at most")->capture_default_str();
    listed->add_flag("--json", options->as_json, "Print JSON");
    add_of_run("show", "Print a run's report", show)->add_flag("--json", options->as_json, "Print all of it as JSON");
    add_of_run("source", "Print the source that ran", [](const Options& given) {
        fmt::print("{}", open(given).get(given.id).document.source.text);
        return success;
    });
    auto* compared = add_of_run("compare", "What differs between two runs", compare);
    compared->add_option("OTHER", options->other, "The other run's number")->required();
    compared->add_flag("--json", options->as_json, "Print JSON");
    auto* restored = add_of_run("restore", "Write the session of a run, with the source as it was", restore);
    restored->add_option("-o,--out", options->out, "The session's file, NAME.warplight")->required();
    restored->add_flag("--force", options->force, "Replace the file if it exists");
    add_of_run("report", "Write a run's report as a page of HTML; results are not kept, so it has no pictures of them",
               [](const Options& given) {
                   check_page_name(given.out);
                   write_report_page(given.out, open(given).get(given.id), {});
                   return success;
               })
        ->add_option("-o,--out", options->out, "The page's file, NAME.html")
        ->required();
    add_of_run("label", "Give a run a short name",
               [](const Options& given) {
                   open(given).set_label(given.id, given.text);
                   return success;
               })
        ->add_option("TEXT", options->text, "The name; empty removes it")
        ->required();
    add_of_run("note", "Write a text beside a run",
               [](const Options& given) {
                   open(given).set_note(given.id, given.text);
                   return success;
               })
        ->add_option("TEXT", options->text, "The text; empty removes it")
        ->required();
    add_of_run("pin", "Keep a run when old ones are removed", [](const Options& given) {
        open(given).set_pinned(given.id, true);
        return success;
    });
    add_of_run("unpin", "Do so no longer", [](const Options& given) {
        open(given).set_pinned(given.id, false);
        return success;
    });
    add("remove", "Remove runs",
        [](const Options& given) {
            History history = open(given);
            for (const auto id : given.ids)
                history.remove(id);
            return success;
        })
        ->add_option("RUNS", options->ids, "Their numbers")
        ->required();
    add("prune", "Remove the oldest runs that are not pinned",
        [](const Options& given) {
            fmt::print("{} removed\n", open(given).keep_newest(given.keep));
            return success;
        })
        ->add_option("--keep", options->keep, "How many stay")
        ->required();
}

} // namespace warplight::cli
