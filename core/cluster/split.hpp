// SPDX-License-Identifier: Apache-2.0
/// How the points of a campaign are shared out among tasks. Numbers alone decide it, so no task needs a file of its
/// own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::cluster {

/// Points 0 … count-1 in a shuffled order, of which each task has a piece. Pieces differ by at most one point.
class Split {
public:
    /// `tasks` is at least 1, and at most `count` unless that is 0.
    Split(std::uint64_t count, std::uint64_t tasks, std::uint64_t seed);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] std::uint64_t tasks() const { return tasks_; }
    /// How many points a task has. 0 for a task that does not exist.
    [[nodiscard]] std::uint64_t size_of(std::uint64_t task) const;
    /// The points of a task, in the order in which it runs them.
    [[nodiscard]] std::vector<std::uint64_t> points_of(std::uint64_t task) const;
    [[nodiscard]] std::uint64_t task_of(std::uint64_t point) const;

private:
    [[nodiscard]] std::uint64_t begin_of(std::uint64_t task) const;
    [[nodiscard]] std::uint64_t shuffled(std::uint64_t place) const;
    [[nodiscard]] std::uint64_t place_of(std::uint64_t point) const;

    std::uint64_t count_, tasks_;
    unsigned half_bits_ = 1;     ///< of a place, which has an even number of bits
    std::uint64_t keys_[4] = {}; ///< of the rounds
};

/// How many tasks a campaign has.
struct TaskSize {
    double point_seconds = 0;   ///< 0: not known
    double task_seconds = 300;  ///< that a task should take
    std::uint64_t at_least = 1; ///< tasks, for instance one for each device
    std::uint64_t wanted = 0;   ///< exactly so many, as far as there are points; 0: by the times
};
[[nodiscard]] std::uint64_t tasks_for(std::uint64_t count, const TaskSize& size);

/// An array of jobs: task `offset + index` for each index.
struct TaskArray {
    std::uint64_t offset = 0;
    std::string indices; ///< "0-99,105,107-110", as Slurm takes them
    std::vector<std::uint64_t> tasks;
};
/// Arrays whose indices are all below `limit`.
/// @param tasks ascending
[[nodiscard]] std::vector<TaskArray> arrays_of(const std::vector<std::uint64_t>& tasks, std::uint64_t limit);

} // namespace warplight::cluster
