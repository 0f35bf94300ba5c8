// SPDX-License-Identifier: Apache-2.0
#include "cluster/slurm_engine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace warplight::cluster {
namespace {

std::string why_not(const CommandResult& result, std::string_view program) {
    if (!result.started)
        return result.problem + " Slurm's commands are on the login node of a cluster: start there, or name it by "
                                "--cluster ssh://USER@HOST.";
    if (result.cancelled) return fmt::format("{} was given up.", program);
    if (result.late) return fmt::format("{} did not answer in time.", program);
    const auto said = plain_line(result.errors);
    return said.empty() ? fmt::format("{} ended with exit code {}.", program, result.code) : said;
}

} // namespace

SlurmEngine::SlurmEngine(const Campaign& campaign, SlurmOptions options, std::unique_ptr<Site> site, SlurmPace pace)
    : options_(std::move(options)), site_(std::move(site)), pace_(pace), job_name_("warplight-" + campaign.id) {}

std::string SlurmEngine::submit_waiting() {
    while (!unsent_.empty()) {
        const auto arrays = arrays_of(unsent_, array_limit_);
        const auto& array = arrays.front();
        const auto result = site_->run(sbatch_command(
            {job_name_, site_->folder() + "/job.sh", site_->folder(), array.offset, array.indices}, options_));
        const auto number = result.ok() ? job_number(result.output) : std::nullopt;
        if (number) {
            jobs_.emplace_back(*number, array.offset);
            for (const auto task : array.tasks)
                job_of_task_[task] = {*number, task - array.offset};
            unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(array.tasks.size()));
            continue;
        }
        if (!result.started || result.late || result.cancelled) return why_not(result, "sbatch");
        if (result.ok())
            return fmt::format("sbatch did not print the number of the job, but \"{}\".", plain_line(result.output));
        if (refusal_of(result.errors) == Refusal::array && array_limit_ > 1) {
            // MaxArraySize is less here than the last index.
            array_limit_ = (std::min(array_limit_, array.tasks.back() - array.offset + 1) + 1) / 2;
            continue;
        }
        return explain_refusal(result.errors, options_);
    }
    return {};
}

void SlurmEngine::submit(const std::vector<std::uint64_t>& tasks) {
    site_->prepare();
    site_->set_stop(false);
    unsent_ = tasks;
    // Tasks of an earlier attempt whose collector is gone would run the same points.
    (void)site_->run({"scancel", "--name=" + job_name_});
    const auto refused = submit_waiting();
    // Where some were taken, the others wait until there is room.
    if (!refused.empty() && jobs_.empty()) throw RefusedError(refused);
}

EngineState SlurmEngine::poll() {
    EngineState state;
    state.waiting = unsent_.size();
    // Waiting tasks of an array are one line, whose list of indices is not to be cut off.
    const auto result =
        site_->run({"env", "SLURM_BITSTR_LEN=0", "squeue", "--noheader", "--name=" + job_name_, "-o", squeue_format});
    if (!result.ok()) {
        ++silent_;
        state.note = fmt::format("squeue: {}", why_not(result, "squeue"));
        state.ended = cancelled_ && silent_ > 3;
        return state;
    }
    silent_ = 0;
    const auto queue = queue_from(result.output);
    if (queue.waiting + queue.running == 0 && !unsent_.empty() && !cancelled_) {
        state.note = submit_waiting();
        // What was refused with nothing in the queue will not be taken later either.
        state.ended = !state.note.empty() && ++nothing_ > 3;
        state.waiting = unsent_.size();
        return state;
    }
    state.waiting = queue.waiting + (cancelled_ ? 0 : unsent_.size());
    state.running = queue.running;
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : queue.reasons)
        if (reason != "None" && !reason.empty()) reasons.push_back(fmt::format("{} wait: {}", count, reason));
    state.note = fmt::format("{}", fmt::join(reasons, ", "));
    // A job that was just submitted or requeued may be missing in one answer.
    nothing_ = queue.waiting + queue.running == 0 ? nothing_ + 1 : 0;
    state.ended = nothing_ >= 2;
    return state;
}

void SlurmEngine::cancel() {
    cancelled_ = true;
    unsent_.clear();
    site_->set_stop(true);
    (void)site_->run({"scancel", "--name=" + job_name_});
}

void SlurmEngine::ask_accounting() {
    ends_.emplace();
    std::vector<std::uint64_t> numbers;
    numbers.reserve(jobs_.size());
    for (const auto& job : jobs_)
        numbers.push_back(job.first);
    if (numbers.empty()) return;
    // Clusters without accounting have none. Then results and what tasks have printed tell. As of squeue, a list of
    // indices is not to be cut off.
    const auto result =
        site_->run({"env", "SLURM_BITSTR_LEN=0", "sacct", "--parsable2", "--noheader", "--allocations", "--duplicates",
                    "--format", sacct_fields, "--jobs", fmt::format("{}", fmt::join(numbers, ","))});
    if (result.ok()) ends_ = ends_from(result.output);
}

std::string SlurmEngine::reason(std::uint64_t task) {
    const auto job = job_of_task_.find(task);
    if (job == job_of_task_.end()) return "Tasks were not submitted.";
    if (!ends_) ask_accounting();
    const auto* const end = ends_->find(job->second.first, job->second.second);
    const bool failed = end && end->state == "FAILED";
    if (end && !failed)
        if (auto text = explain_end(*end); !text.empty()) return text;
    const auto printed = site_->printed(job->second.first, job->second.second);
    if (auto told = end_in_output(printed)) {
        // Where memory is watched by polls, accounting knows of a signal only.
        if (failed) told->node = end->node;
        if (!failed || told->state == "OUT_OF_MEMORY") return explain_end(*told);
    }
    // The program's own sentence is the last line that it has printed.
    std::string last;
    for (std::string_view rest = printed; !rest.empty();) {
        const auto length = rest.find('\n');
        if (const auto line = plain_line(rest.substr(0, length)); !line.empty()) last = line;
        rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + 1);
    }
    if (failed) return explain_end(*end) + (last.empty() ? "" : " They printed: " + last);
    return last.empty() ? "Tasks left neither results nor output. They may have been cancelled before they began."
                        : last;
}

} // namespace warplight::cluster
