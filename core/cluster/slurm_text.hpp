// SPDX-License-Identifier: Apache-2.0
/// Command lines of Slurm and what they print. Whatever they print, nothing here fails: what is not understood is left
/// out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::cluster {

/// What the user may say about jobs. Texts are passed to sbatch as they are, each as one argument.
struct SlurmOptions {
    std::string partition, gres, time, container_image;
    std::vector<std::string> more; ///< options of sbatch: "--account=x"

    bool operator==(const SlurmOptions&) const = default;
};

struct SlurmJob {
    std::string name, script, folder; ///< the script and the campaign's folder, as the cluster sees them
    std::uint64_t offset = 0;         ///< task = offset + index
    std::string indices;
};
/// @throws session::SessionError for a text that cannot be an option of sbatch
[[nodiscard]] std::vector<std::string> sbatch_command(const SlurmJob& job, const SlurmOptions& options);
/// What a job runs: replaces its shell by warplight-cli, so that Slurm's signals reach it.
[[nodiscard]] std::string job_script(std::string_view program, std::string_view folder);

/// The number of a job in the output of `sbatch --parsable`: "123" or "123;cluster".
[[nodiscard]] std::optional<std::uint64_t> job_number(std::string_view output);

enum class Refusal : std::uint8_t {
    array, ///< it is too long for this cluster
    limit, ///< so many jobs may not be submitted now
    reach, ///< the controller does not answer
    other
};
[[nodiscard]] Refusal refusal_of(std::string_view errors);
/// sbatch's own sentence, and what to do.
[[nodiscard]] std::string explain_refusal(std::string_view errors, const SlurmOptions& options);

/// Slurm's default of MaxArraySize is 1001, and indices are below that.
inline constexpr std::uint64_t longest_array = 1000;

/// Format of squeue for queue_from().
inline constexpr const char* squeue_format = "%F|%K|%T|%N|%r";
struct SlurmQueue {
    std::uint64_t waiting = 0, running = 0;       ///< tasks. Waiting ones are counted as far as they are listed
    std::map<std::string, std::uint64_t> reasons; ///< why tasks wait: "Resources"
    std::vector<std::string> nodes;               ///< where tasks run, each once
    std::uint64_t malformed = 0;                  ///< lines that were not understood
};
[[nodiscard]] SlurmQueue queue_from(std::string_view output);
/// How many indices "0-99,105%4" has; 0 of what is not understood.
[[nodiscard]] std::uint64_t count_indices(std::string_view indices);

/// Fields of sacct for ends_from().
inline constexpr const char* sacct_fields = "JobID,State,ExitCode,NodeList";
struct SlurmEnd {
    std::string state;          ///< "OUT_OF_MEMORY", "CANCELLED by 1000"
    std::string exit_code = {}; ///< of sacct, with a signal behind it: "0:125"; empty: the task's output tells the end
    std::string node = {};      ///< "n1"; empty or "None assigned" where the task did not begin

    bool operator==(const SlurmEnd&) const = default;
};
struct SlurmEnds {
    /// By the number of the array and the index. Of a task that ran several times the last line counts.
    std::map<std::pair<std::uint64_t, std::uint64_t>, SlurmEnd> tasks;
    std::map<std::uint64_t, SlurmEnd> rests; ///< of tasks of an array that have no line of their own

    /// Null: nothing is known.
    [[nodiscard]] const SlurmEnd* find(std::uint64_t array, std::uint64_t index) const;
};
[[nodiscard]] SlurmEnds ends_from(std::string_view output);
/// What Slurm itself has written at the end of a task's output; nothing where it has not ended the task.
[[nodiscard]] std::optional<SlurmEnd> end_in_output(std::string_view printed);
/// A sentence about how a task ended; empty of one that ended well.
[[nodiscard]] std::string explain_end(const SlurmEnd& end);

/// Printable text of a program: without control characters, one line, at most so many bytes.
[[nodiscard]] std::string plain_line(std::string_view text, std::size_t most = 300);

} // namespace warplight::cluster
