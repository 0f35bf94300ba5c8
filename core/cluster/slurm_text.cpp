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
    if (mentions(errors, "partition"))
        return said + (options.partition.empty() ? " Name a partition by --partition; `sinfo -s` lists them."
                                                 : " `sinfo -s` lists the partitions.");
    if (mentions(errors, "gres") || mentions(errors, "node configuration is not available"))
        return said +
               " No node has what --gres and other options ask for; `sinfo -o '%P %N %G'` lists what nodes have.";
    if (mentions(errors, "time limit") || mentions(errors, "time specification"))
        return said + " --time takes minutes, or D-HH:MM:SS, up to the limit of the partition, which `sinfo -s` shows.";
    if (mentions(errors, "account")) return said + " Name an account by --sbatch-option=--account=NAME.";
    return said;
}

std::uint64_t count_indices(std::string_view indices) {
    indices = indices.substr(0, indices.find('%'));
    if (indices.starts_with('[') && indices.size() > 1) indices = indices.substr(1, indices.find(']') - 1);
    std::uint64_t count = 0;
    while (!indices.empty()) {
        auto range = take_field(indices, ',');
        std::uint64_t step = 1;
        if (const auto colon = range.find(':'); colon != std::string_view::npos) {
            step = whole_number(range.substr(colon + 1)).value_or(0);
            range = range.substr(0, colon);
        }
        const bool is_range = range.find('-') != std::string_view::npos;
        const auto from = whole_number(take_field(range, '-'));
        const auto to = is_range ? whole_number(range) : from;
        if (!from || !to || *to < *from || step == 0) continue; // "…" of a list that was cut off, too
        constexpr std::uint64_t most = std::uint64_t{1} << 32;
        count += std::min((*to - *from) / step + 1, most);
    }
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

std::map<std::pair<std::uint64_t, std::uint64_t>, SlurmEnd> ends_from(std::string_view output) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, SlurmEnd> ends;
    while (!output.empty()) {
        auto line = take_field(output, '\n');
        auto job = take_field(line, '|');
        const auto array = whole_number(take_field(job, '_'));
        const auto index = whole_number(job); // not of a step, "12_3.batch", nor of waiting ones, "12_[4-5]"
        const auto state = take_field(line, '|'), code = take_field(line, '|'), node = take_field(line, '|');
        if (!array || !index || state.empty()) continue;
        ends[{*array, *index}] = {plain_line(state, 60), plain_line(code, 20), plain_line(node, 100)};
    }
    return ends;
}

std::string explain_end(const SlurmEnd& end) {
    const auto state = std::string_view(end.state).substr(0, end.state.find(' ')); // "CANCELLED by 1000"
    const auto on = end.node.empty() || end.node == "None assigned" ? std::string() : fmt::format(" on {}", end.node);
    if (state == "COMPLETED" || state == "RUNNING" || state == "PENDING") return {};
    if (state == "OUT_OF_MEMORY")
        return fmt::format("Slurm ended tasks{} that used more memory than they had asked for. Give "
                           "--sbatch-option=--mem=8G, or as much as a task needs.",
                           on);
    if (state == "TIMEOUT")
        return fmt::format("The time of tasks{} was over. Give more by --time, or fewer points to a task by "
                           "--array-size.",
                           on);
    if (state == "NODE_FAIL") return fmt::format("A node failed{}.", on);
    if (state == "CANCELLED") return fmt::format("Tasks were cancelled{}.", on);
    return fmt::format("Slurm tells that tasks ended as {}{}, with exit code {}.", end.state, on, end.exit_code);
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
