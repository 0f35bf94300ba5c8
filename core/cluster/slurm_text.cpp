// SPDX-License-Identifier: Apache-2.0
#include "cluster/slurm_text.hpp"

#include "session/session.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <system_error>

namespace warplight::cluster {
namespace {

constexpr std::size_t most_nodes = 10'000;

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

/// The text in front of the separator, which is taken away with it.
std::string_view take_field(std::string_view& text, char separator) {
    const auto end = text.find(separator);
    const auto field = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return field;
}

/// In single quotes, for a POSIX shell.
std::string quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text)
        if (c == '\'')
            result += "'\\''";
        else
            result += c;
    return result + '\'';
}

bool has_control(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

void add_option(std::vector<std::string>& command, const char* name, const std::string& value) {
    if (value.empty()) return;
    if (has_control(value)) throw session::SessionError(fmt::format("{}: the value has control characters.", name));
    command.push_back(fmt::format("{}={}", name, value));
}

/// Slurm replaces % and takes \ for a mark in names of output files.
std::string output_pattern(const std::string& folder) {
    std::string pattern;
    for (const char c : folder)
        pattern += c == '%' ? "%%" : std::string(1, c);
    return pattern + "/output/%A_%a.txt";
}

struct IndexRange {
    std::uint64_t from = 0, to = 0, step = 1;
    [[nodiscard]] std::uint64_t count() const { return (to - from) / step + 1; }
};

/// Of "0-99,105%4" or "[0-99:2]"; what is not understood, as the "..." of a list that was cut off, is left out.
template <typename Take>
void for_each_range(std::string_view indices, const Take& take) {
    if (indices.starts_with('[')) indices = indices.substr(1, indices.find(']') - 1);
    indices = indices.substr(0, indices.find('%'));
    while (!indices.empty()) {
        auto text = take_field(indices, ',');
        IndexRange range;
        if (const auto colon = text.find(':'); colon != std::string_view::npos) {
            range.step = whole_number(text.substr(colon + 1)).value_or(0);
            text = text.substr(0, colon);
        }
        const bool is_range = text.find('-') != std::string_view::npos;
        const auto from = whole_number(take_field(text, '-'));
        const auto to = is_range ? whole_number(text) : from;
        if (!from || !to || *to < *from || range.step == 0) continue;
        range.from = *from;
        range.to = *to;
        take(range);
    }
}

bool mentions(std::string_view text, std::string_view word) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

} // namespace

std::vector<std::string> sbatch_command(const SlurmJob& job, const SlurmOptions& options) {
    if (has_control(job.folder) || job.folder.find('\\') != std::string::npos)
        throw session::SessionError(
            "The folder's name has a backslash or a control character, which Slurm cannot take. "
            "Name another one by --work-folder.");
    // --signal: a task whose time is nearly over finishes the point that it is at.
    std::vector<std::string> command = {"sbatch",
                                        "--parsable",
                                        "--job-name=" + job.name,
                                        "--array=" + job.indices,
                                        "--output=" + output_pattern(job.folder),
                                        "--open-mode=append",
                                        "--requeue",
                                        "--signal=B:TERM@60",
                                        "--chdir=" + job.folder};
    add_option(command, "--partition", options.partition);
    add_option(command, "--gres", options.gres);
    add_option(command, "--time", options.time);
    add_option(command, "--container-image", options.container_image);
    for (const auto& each : options.more) {
        if (!each.starts_with('-') || has_control(each))
            throw session::SessionError(fmt::format(
                "--sbatch-option {}: an option of sbatch was expected, such as --sbatch-option=--account=NAME.",
                plain_line(each)));
        command.push_back(each);
    }
    command.push_back(job.script);
    command.push_back(fmt::format("{}", job.offset));
    return command;
}

std::string job_script(std::string_view program, std::string_view folder) {
    return fmt::format("#!/bin/sh\n"
                       "# A task of a Warplight campaign. $1: number of the array's first task.\n"
                       "exec {} cluster-work {} --task \"$(($1 + SLURM_ARRAY_TASK_ID))\" "
                       "--attempt \"${{SLURM_RESTART_COUNT:-0}}\"\n",
                       quoted(program), quoted(folder));
}

std::optional<std::uint64_t> job_number(std::string_view output) {
    // Plugins of a site may print lines of their own in front.
    std::optional<std::uint64_t> number;
    while (!output.empty()) {
        auto line = take_field(output, '\n');
        const auto end = line.find_last_not_of(" \r\t");
        line = line.substr(0, end == std::string_view::npos ? 0 : end + 1);
        if (const auto found = whole_number(take_field(line, ';')); found && *found > 0) number = found;
    }
    return number;
}

Refusal refusal_of(std::string_view errors) {
    if (mentions(errors, "Invalid job array specification")) return Refusal::array;
    if (mentions(errors, "SubmitJobLimit") || mentions(errors, "JobSizeLimit") || mentions(errors, "QOSMax") ||
        mentions(errors, "AssocMax") || mentions(errors, "AssocGrp") ||
        mentions(errors, "violates accounting/QOS policy") || mentions(errors, "maximum number of jobs") ||
        mentions(errors, "Slurm temporarily unable to accept job"))
        return Refusal::limit;
    if (mentions(errors, "Unable to contact") || mentions(errors, "Connection refused") ||
        mentions(errors, "Socket timed out") || mentions(errors, "Zero Bytes were transmitted"))
        return Refusal::reach;
    return Refusal::other;
}

std::string explain_refusal(std::string_view errors, const SlurmOptions& options) {
    constexpr std::size_t enough = 1000;
    std::string said;
    errors = errors.substr(0, 4 * enough);
    for (auto rest = errors; !rest.empty() && said.size() < enough;) {
        const auto line = plain_line(take_field(rest, '\n'));
        if (line.empty()) continue;
        said += (said.empty() ? "" : "; ") + line;
    }
    if (said.empty()) said = "sbatch has refused the jobs and did not say why";
    if (!said.ends_with('.')) said += '.';
    switch (refusal_of(errors)) {
    case Refusal::array:
        return said + " The cluster takes no array of jobs of that size. Give it no --array by "
                      "--sbatch-option, or ask who runs the cluster.";
    case Refusal::limit: return said + " You may not submit so many jobs. Make fewer, larger tasks by --array-size N.";
    case Refusal::reach: return said + " The controller of the cluster does not answer. Try again later.";
    case Refusal::other: break;
    }
    // "Invalid account or account/partition combination specified"
    if (mentions(errors, "account"))
        return said + " Name an account by --sbatch-option=--account=NAME; `sacctmgr show associations "
                      "user=$USER` lists yours.";
    if (mentions(errors, "partition"))
        return said + (options.partition.empty() ? " Name a partition by --partition; `sinfo -s` lists them."
                                                 : " `sinfo -s` lists the partitions.");
    if (mentions(errors, "gres") || mentions(errors, "node configuration is not available"))
        return said +
               " No node has what --gres and other options ask for; `sinfo -o '%P %N %G'` lists what nodes have.";
    if (mentions(errors, "time limit") || mentions(errors, "time specification"))
        return said + " --time takes minutes, or D-HH:MM:SS, up to the limit of the partition, which `sinfo -s` shows.";
    return said;
}

std::uint64_t count_indices(std::string_view indices) {
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    std::uint64_t count = 0;
    for_each_range(indices, [&](const IndexRange& range) { count += std::min(range.count(), most); });
    return count;
}

SlurmQueue queue_from(std::string_view output) {
    static constexpr std::array waiting = {"PENDING",      "REQUEUED",      "REQUEUE_HOLD", "REQUEUE_FED",
                                           "SPECIAL_EXIT", "RESV_DEL_HOLD", "CONFIGURING"};
    static constexpr std::array running = {"RUNNING", "COMPLETING", "STAGE_OUT", "SUSPENDED",
                                           "STOPPED", "SIGNALING",  "RESIZING"};
    SlurmQueue queue;
    while (!output.empty()) {
        auto line = take_field(output, '\n');
        if (line.empty()) continue;
        const auto array = take_field(line, '|'), indices = take_field(line, '|'), state = take_field(line, '|'),
                   node = take_field(line, '|'), reason = line;
        if (!whole_number(array) || state.empty()) {
            ++queue.malformed;
            continue;
        }
        if (std::ranges::find(waiting, state) != waiting.end()) {
            const auto count = std::max<std::uint64_t>(count_indices(indices), 1);
            queue.waiting += count;
            if (queue.reasons.size() < 100) queue.reasons[plain_line(reason, 100)] += count;
        } else if (std::ranges::find(running, state) != running.end()) {
            ++queue.running;
            const auto name = plain_line(node, 100);
            if (!name.empty() && queue.nodes.size() < most_nodes &&
                std::ranges::find(queue.nodes, name) == queue.nodes.end())
                queue.nodes.push_back(name);
        }
        // All other states are ends, which squeue shows for a while when it is asked for all.
    }
    return queue;
}

const SlurmEnd* SlurmEnds::find(std::uint64_t array, std::uint64_t index) const {
    if (const auto task = tasks.find({array, index}); task != tasks.end()) return &task->second;
    const auto rest = rests.find(array);
    return rest == rests.end() ? nullptr : &rest->second;
}

SlurmEnds ends_from(std::string_view output) {
    SlurmEnds ends;
    while (!output.empty()) {
        auto line = take_field(output, '\n');
        auto job = take_field(line, '|');
        const bool is_rest = job.find('_') == std::string_view::npos;
        const auto array = whole_number(take_field(job, '_'));
        const auto state = take_field(line, '|'), code = take_field(line, '|'), node = take_field(line, '|');
        if (!array || state.empty()) continue;
        const SlurmEnd end{plain_line(state, 60), plain_line(code, 20), plain_line(node, 100)};
        // Tasks that never began are one line, "12_[4-5]", or "12" where they are all that is left of the array.
        if (is_rest)
            ends.rests[*array] = end;
        else if (const auto index = whole_number(job)) // not of a step, "12_3.batch"
            ends.tasks[{*array, *index}] = end;
        else if (job.starts_with('['))
            for_each_range(job, [&](const IndexRange& range) {
                for (auto each = range.from; each <= std::min(range.to, longest_array); each += range.step)
                    ends.tasks.try_emplace({*array, each}, end);
            });
    }
    return ends;
}

std::optional<SlurmEnd> end_in_output(std::string_view printed) {
    constexpr std::string_view out_of_memory = "OUT_OF_MEMORY", again = "";
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> marks{
        {{"oom-kill event", out_of_memory},
         {"exceeded memory limit", out_of_memory},
         {"DUE TO TIME LIMIT", "TIMEOUT"},
         {"DUE TO NODE FAILURE", "NODE_FAIL"},
         {"DUE TO PREEMPTION", "PREEMPTED"},
         {"DUE TO JOB REQUEUE", again},
         {" CANCELLED AT ", "CANCELLED"}}};
    std::optional<SlurmEnd> end;
    while (!printed.empty()) {
        const auto line = take_field(printed, '\n');
        if (!line.starts_with("slurmstepd")) continue; // "slurmstepd-n1: error: *** JOB 7 ON n1 CANCELLED AT … ***"
        const auto* const mark =
            std::ranges::find_if(marks, [&](const auto& each) { return mentions(line, each.first); });
        if (mark == marks.end()) continue;
        const auto state = mark->second;
        if (state == again) end.reset();
        // A task that needs too much memory is then cancelled.
        if (state == again || (end && end->state == out_of_memory)) continue;
        end = SlurmEnd{std::string(state)};
        constexpr std::string_view before_node = " ON ";
        if (const auto at = line.find(before_node); at != std::string_view::npos) {
            auto rest = line.substr(at + before_node.size());
            end->node = plain_line(take_field(rest, ' '), 100);
        }
    }
    return end;
}

std::string explain_end(const SlurmEnd& end) {
    const auto state = std::string_view(end.state).substr(0, end.state.find(' ')); // "CANCELLED by 1000"
    const bool has_node = !end.node.empty() && end.node != "None assigned";
    const auto on = has_node ? fmt::format(" on {}", end.node) : std::string();
    const auto told = end.exit_code.empty() ? fmt::format("Slurm: {}", end.state)
                                            : fmt::format("sacct: {}, exit code {}", end.state, end.exit_code);
    if (state == "COMPLETED" || state == "RUNNING" || state == "PENDING") return {};
    if (state == "OUT_OF_MEMORY")
        return fmt::format("Tasks{} used more memory than they had asked for ({}). Give --sbatch-option=--mem=8G, or "
                           "as much as a task needs.",
                           on, told);
    if (state == "TIMEOUT")
        return fmt::format("The time of tasks{} was over ({}). Give more by --time, or fewer points to a task by "
                           "--array-size.",
                           on, told);
    if (state == "NODE_FAIL") return fmt::format("A node failed{} ({}).", has_node ? ": " + end.node : "", told);
    if (state == "CANCELLED")
        return fmt::format("Tasks were cancelled{} ({}).", has_node ? on : " before they began", told);
    std::string_view code = end.exit_code;
    (void)take_field(code, ':');
    if (state == "FAILED" && !code.empty() && code != "0")
        return fmt::format("Tasks{} were ended by signal {} ({}).", on, code, told);
    if (state == "FAILED") return fmt::format("Tasks{} failed ({}).", on, told);
    return fmt::format("Tasks{} ended as {} ({}).", on, state, told);
}

std::string plain_line(std::string_view text, std::size_t most) {
    std::string line;
    for (const char c : text) {
        if (line.size() >= most) break;
        const auto byte = static_cast<unsigned char>(c);
        line += byte < ' ' || byte == 0x7f ? ' ' : c;
    }
    const auto begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(' ') + 1 - begin);
}

} // namespace warplight::cluster
