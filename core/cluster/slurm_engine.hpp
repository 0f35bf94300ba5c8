// SPDX-License-Identifier: Apache-2.0
/// Tasks as arrays of jobs of Slurm, by its public commands: sbatch, squeue, scancel, and sacct where there is one.
#pragma once

#include "cluster/campaign.hpp"
#include "cluster/engine.hpp"
#include "cluster/site.hpp"
#include "cluster/slurm_text.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplight::cluster {

struct SlurmPace {
    std::chrono::milliseconds pause{3000}, longest{45'000}; ///< between two calls of squeue
    std::chrono::milliseconds delay{15'000};                ///< of a shared file system
};

class SlurmEngine : public Engine {
public:
    /// Keeps the campaign by reference.
    SlurmEngine(const Campaign& campaign, SlurmOptions options, std::unique_ptr<Site> site, SlurmPace pace = {});

    [[nodiscard]] std::string name() const override { return "slurm"; }
    void submit(const std::vector<std::uint64_t>& tasks) override;
    EngineState poll() override;
    void collect() override { site_->collect(); }
    void cancel() override;
    [[nodiscard]] std::string reason(std::uint64_t task) override;
    [[nodiscard]] std::chrono::milliseconds pause() const override { return pace_.pause; }
    [[nodiscard]] std::chrono::milliseconds longest_pause() const override { return pace_.longest; }
    [[nodiscard]] std::chrono::milliseconds delay() const override { return pace_.delay; }

    /// Arrays that were submitted: the job, and the number of its first task.
    [[nodiscard]] const std::vector<std::pair<std::uint64_t, std::uint64_t>>& jobs() const { return jobs_; }

private:
    /// As many arrays as the cluster takes. @returns a refusal, explained; empty where all were taken
    std::string submit_waiting();
    void ask_accounting();

    const SlurmOptions options_;
    const std::unique_ptr<Site> site_;
    const SlurmPace pace_;
    std::string job_name_;
    std::uint64_t array_limit_ = longest_array;
    std::vector<std::uint64_t> unsent_; ///< tasks that are not submitted yet
    std::vector<std::pair<std::uint64_t, std::uint64_t>> jobs_;
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> job_of_task_; ///< the array and the index
    std::optional<SlurmEnds> ends_;
    int silent_ = 0;  ///< calls of squeue in a row without an answer
    int nothing_ = 0; ///< … whose answer was that nothing of ours is there
    bool cancelled_ = false;
};

} // namespace warplight::cluster
