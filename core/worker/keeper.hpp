// SPDX-License-Identifier: Apache-2.0
// Copies the buffers of runs to the disk, so that they outlive the worker.
#pragma once

#include "worker/buffer_store.hpp"
#include "worker/job_queue.hpp"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace warplight::worker {

/// Writes each buffer as a .npy file into a folder, in a thread of its own. A file is complete or does not exist. The
/// next run waits for the files, so that they are complete even if it ends the worker.
class Keeper {
public:
    /// For buffers of this size and more, the copy on the disk replaces the one in memory.
    static constexpr std::uint64_t large_buffer = std::uint64_t{8} << 20;

    /// The buffers of a run. A failed run has inputs only, and the results of the run before it stay.
    struct Kept {
        std::filesystem::path folder;
        std::uint64_t limit = 0; ///< bytes
        bool failed = false;
        std::vector<std::int64_t> buffers; ///< the most wanted first
    };

    /// @param warn gets a sentence for each buffer that could not be kept
    Keeper(BufferStore& store, std::function<void(const std::string&)> warn);

    /// Chooses the files and begins to write them. Afterwards it removes files of earlier runs: all of them after a run
    /// with results, those of the failed run before it after a failed run.
    /// Returns the path of each buffer. Buffers over the limit or over half of the free space have none.
    std::map<std::int64_t, std::filesystem::path> keep(const Kept& what);
    /// Waits until all files are written.
    void wait();

private:
    void write(std::int64_t id, const std::filesystem::path& path);

    BufferStore& store_;
    std::function<void(const std::string&)> warn_;
    std::mutex mutex_;
    std::condition_variable done_;
    int open_ = 0; ///< jobs that are not done
    int runs_ = 0;
    JobQueue queue_; // the last member, for its thread uses the others
};

} // namespace warplight::worker
