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

/// Fields of sacct for states_from().
inline constexpr const char* sacct_fields = "JobID,State,ExitCode,NodeList";
struct SlurmEnd {
    std::string state, exit_code, node; ///< "OUT_OF_MEMORY", "0:125", "n1"
};
/// By the number of the array and the index. Of a task that ran several times the last line counts.
[[nodiscard]] std::map<std::pair<std::uint64_t, std::uint64_t>, SlurmEnd> ends_from(std::string_view output);
/// A sentence about how a task ended; empty of one that ended well.
[[nodiscard]] std::string explain_end(const SlurmEnd& end);

/// Printable text of a program: without control characters, one line, at most so many bytes.
[[nodiscard]] std::string plain_line(std::string_view text, std::size_t most = 300);

} // namespace warplight::cluster
