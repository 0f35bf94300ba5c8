// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "connection_words.hpp"
#include "device_choice.hpp"
#include "engine_options.hpp"
#include "grade_options.hpp"
#include "json_text.hpp"

#include "cluster/campaign_files.hpp"
#include "cluster/grade_results.hpp"
#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "session/exercise_grades.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "worker/exercise_workers.hpp"
#include "worker/thread_start.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

namespace warplight::cli {
namespace {

namespace fs = std::filesystem;
using session::Grade;
using session::Submission;

struct Options : ExerciseOptions {
    std::string folder, out;
    std::optional<int> jobs;
    bool as_json = false, resume = false, quiet = false;
    EngineOptions engine;
};

/// Grades solutions, several at once. The table is written after each, so an interruption loses none.
class Grading {
public:
    Grading(const Options& options, LoadedExercise exercise)
        : options_(options), exercise_(std::move(exercise)),
          submissions_(session::find_submissions(files::absolute(options.folder))), grades_(submissions_.size()),
          interrupted_(stop_on_interrupt()),
          conditions_{exercise_.run, exercise_.limits, exercise_.workers.memory_limit},
          exercise_digest_(session::digest_of_exercise(exercise_.session, conditions_)),
          words_(exercise_.workers.machine, options.quiet) {
        if (options_.resume && options_.engine.engine.empty()) keep_earlier();
    }

    void run() {
        std::vector<std::thread> others;
        const auto threads =
            std::min<std::size_t>(static_cast<std::size_t>(options_.jobs.value_or(1)), submissions_.size());
        others.reserve(threads);
        for (std::size_t i = 1; i < threads; ++i)
            others.push_back(worker::start_thread([this] { work(); }));
        work();
        for (auto& each : others)
            each.join();
        words_.clear();
        if (!problem_.empty()) throw session::SessionError(problem_);
        write();
    }

    /// The same by an engine.
    void run_as_tasks() {
        std::vector<cluster::CampaignSolution> solutions;
        std::vector<std::size_t> places; ///< of these among all
        for (std::size_t i = 0; i < submissions_.size(); ++i) {
            auto row = prepare(submissions_[i]);
            if (row.is_done) {
                grades_[i] = std::move(row.grade);
                continue;
            }
            solutions.push_back(
                {row.grade.name, row.grade.file, row.grade.digest, cluster::utf8_of(submissions_[i].file)});
            places.push_back(i);
        }
        machines_.resize(submissions_.size());
        if (!solutions.empty()) {
            cluster::CampaignConditions conditions;
            conditions.confined = exercise_.workers.confined;
            conditions.memory_limit = exercise_.workers.memory_limit;
            conditions.case_seconds = exercise_.limits.seconds;
            auto fallback = files::absolute(options_.session);
            fallback.replace_extension(".campaign");
            const auto campaign = begin_campaign(
                cluster::grade_campaign(exercise_.session, exercise_.run, conditions, std::move(solutions)),
                options_.engine, fallback, [this] { return usual_seconds(); });
            cluster::Collector collector(campaign);
            const auto take_new = [&] {
                for (std::size_t i = 0; i < places.size(); ++i) {
                    if (grades_[places[i]]) continue;
                    auto collected = cluster::grade_of(collector, i);
                    if (!collected) continue;
                    grades_[places[i]] = std::move(collected->grade);
                    machines_[places[i]] = std::move(collected->machine);
                }
                write();
            };
            run_campaign(collector, options_.engine, take_new);
            take_new();
        }
        write();
    }
    /// With where each solution ran, where an engine ran it.
    [[nodiscard]] nlohmann::json as_json() const {
        auto json = session::to_json(exercise_.session, done());
        std::size_t next = 0;
        for (std::size_t i = 0; i < machines_.size(); ++i) {
            if (!grades_[i]) continue;
            auto& solution = json["solutions"][next++];
            if (machines_[i].node.empty()) continue;
            solution["node"] = machines_[i].node;
            solution["gpu"] = machines_[i].gpu;
        }
        return json;
    }

    [[nodiscard]] std::vector<Grade> done() const {
        std::vector<Grade> all;
        all.reserve(grades_.size());
        for (const auto& each : grades_)
            if (each) all.push_back(*each);
        return all;
    }
    [[nodiscard]] bool complete() const { return std::ranges::all_of(grades_, &std::optional<Grade>::has_value); }
    [[nodiscard]] const session::Session& session() const { return exercise_.session; }

private:
    /// Of a solution: most cases take far less than their limit.
    [[nodiscard]] double usual_seconds() const {
        constexpr double most = 5;
        double seconds = 0;
        for (const auto& each : exercise_.session.exercise->cases)
            seconds += std::min(each.time_limit.value_or(exercise_.session.exercise->time_limit), most);
        return seconds;
    }

    void read_earlier() {
        if (!fs::exists(options_.out)) return;
        try {
            earlier_ = session::grades_from_csv(exercise_.session,
                                                files::read_text(files::absolute(options_.out), files::Kind::table));
        } catch (const files::InputError& error) {
            throw session::SessionError(fmt::format("The table cannot be read: {}.", error.what()));
        }
    }

    /// All rows that need no run, before the table is written for the first time: it then loses none of them.
    void keep_earlier() {
        read_earlier();
        for (std::size_t i = 0; i < submissions_.size(); ++i)
            if (auto row = prepare(submissions_[i]); row.is_done) grades_[i] = std::move(row.grade);
    }

    void work() {
        while (!interrupted_) {
            std::size_t mine = 0;
            {
                const std::lock_guard lock(mutex_);
                if (!problem_.empty() || next_ == submissions_.size()) return;
                mine = next_++;
            }
            try {
                take(mine, grades_[mine] ? grades_[mine] : grade(submissions_[mine]));
            } catch (const std::exception& error) {
                const std::lock_guard lock(mutex_);
                if (problem_.empty()) problem_ = error.what();
            }
        }
    }

    struct Row {
        Grade grade;
        std::string source;
        bool is_done = false; ///< it cannot be run, or the table has its results
    };
    [[nodiscard]] Row prepare(const Submission& submission) const {
        Row row{{submission.name, submission.file.filename().string(), {}, {}}, {}, false};
        Grade& result = row.grade;
        std::string problem = submission.problem;
        if (problem.empty()) {
            try {
                row.source = read_solution(submission.file);
            } catch (const session::SessionError& error) {
                problem = error.what();
            }
        }
        if (!problem.empty()) {
            for (const auto& each : exercise_.session.exercise->cases) {
                session::CaseResult failed;
                failed.name = each.name;
                failed.outcome = session::CaseOutcome::cannot_run;
                failed.message = problem;
                failed.points = each.points;
                failed.hidden = each.hidden;
                result.cases.push_back(std::move(failed));
            }
            row.is_done = true;
            return row;
        }
        result.digest = session::digest_of_solution(exercise_.session, conditions_, exercise_digest_, row.source);
        const auto known = std::ranges::find_if(earlier_, [&](const Grade& each) {
            return each.digest == result.digest && each.name == result.name && each.file == result.file;
        });
        if (known == earlier_.end()) return row;
        result = *known;
        row.is_done = true;
        return row;
    }

    /// Nothing where the user has stopped it.
    std::optional<Grade> grade(const Submission& submission) {
        auto row = prepare(submission);
        if (row.is_done) return std::move(row.grade);
        auto workers = exercise_.workers;
        workers.watch = words_.watch();
        worker::ExerciseWorkers device(std::move(workers));
        session::ExerciseHooks hooks;
        hooks.cancelled = [this] { return interrupted_.load(); };
        row.grade.cases =
            session::run_exercise(exercise_.session, row.source, exercise_.run, device, exercise_.limits, hooks);
        if (interrupted_) return std::nullopt;
        return std::move(row.grade);
    }

    void take(std::size_t index, std::optional<Grade> grade) {
        if (!grade) return;
        const std::lock_guard lock(mutex_);
        grades_[index] = std::move(grade);
        ++finished_;
        if (!options_.quiet)
            words_.say(fmt::format("{} of {}: {}", finished_, submissions_.size(),
                                   session::to_text(exercise_.session, {*grades_[index]})));
        write();
    }

    void write() const {
        if (!options_.out.empty())
            write_file_atomically(files::absolute(options_.out), session::to_csv(exercise_.session, done()));
    }

    const Options& options_;
    const LoadedExercise exercise_;
    const std::vector<Submission> submissions_;
    std::vector<Grade> earlier_;
    std::vector<std::optional<Grade>> grades_;
    std::vector<cluster::Machine> machines_; ///< of an engine
    std::atomic<bool>& interrupted_;
    const session::GradeConditions conditions_;
    const std::string exercise_digest_;
    ConnectionWords words_;
    std::mutex mutex_;
    std::size_t next_ = 0, finished_ = 0;
    std::string problem_; ///< of this program, not of a solution
};

int run(const Options& options) {
    check_engine_options(options.engine);
    const bool tasks = !options.engine.engine.empty();
    if (options.resume && options.out.empty() && !tasks)
        throw session::SessionError("--resume goes on with a table. Name it with --out FILE.csv.");
    if (tasks) refuse_other_machines(options.device, "tasks of --engine run on the devices of their own node");
    Grading grading(options, load_exercise(options));
    if (tasks)
        grading.run_as_tasks();
    else
        grading.run();
    const auto grades = grading.done();
    if (options.as_json)
        fmt::print("{}", json_text(grading.as_json()));
    else if (options.out.empty())
        fmt::print("{}", session::to_csv(grading.session(), grades));
    if (grading.complete()) return success;
    fmt::print(stderr, "stopped: {} solutions were graded. --resume{} goes on.\n", grades.size(),
               tasks ? "" : " with --out");
    return device_failed;
}

} // namespace

void add_grade(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("grade", "Run the solutions of a class on all cases of an exercise");
    auto options = std::make_shared<Options>();
    command->add_option("FOLDER", options->folder, "The solutions: .cu files, and folders with one; or one file")
        ->required()
        ->check(CLI::ExistingPath);
    command->add_option("--session", options->session, "SESSION.warplight with the exercise")
        ->type_name("FILE")
        ->required()
        ->check(CLI::ExistingFile);
    command
        ->add_option("--out", options->out, "The table is written there after each solution; default: standard output")
        ->type_name("FILE");
    command->add_flag("--json", options->as_json, "Print the results as JSON");
    command->add_flag("--resume", options->resume,
                      "Keep the rows of --out whose solution, exercise and limits are the same; with --engine: go on\n"
                      "with the campaign of the folder");
    command
        ->add_option("--jobs", options->jobs,
                     "Solutions that run at once; default: 1; with --engine local: one for each device")
        ->check(CLI::Range(1, 64));
    add_exercise_options(*command, *options);
    command->add_flag("--quiet", options->quiet, "No progress on standard error");
    add_engine_options(*command, options->engine, false);
    command->footer("A row for each solution, a column for each case. A solution that crashes, does not end or does\n"
                    "not compile fails its cases. Exit code 0: all were graded.");
    command->callback([options, &exit_code] {
        options->engine.quiet = options->quiet;
        options->engine.resume = options->resume;
        options->engine.jobs = options->jobs;
        exit_code = run(*options);
    });
}

} // namespace warplight::cli
