// SPDX-License-Identifier: Apache-2.0
// Copies on disk of what runs have left, so that it outlives the worker.
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

/// Writes buffers into a folder, each as a .npy file of its own, in a thread of its own. A file is there whole or not
/// at all. The next run waits for the files of this one: whatever happens in it, they are complete.
class Keeper {
public:
    /// Of a buffer of this size the copy on disk replaces the one in memory.
    static constexpr std::uint64_t large_buffer = std::uint64_t{8} << 20;

    /// What a run left. `failed`: its inputs only, beside the results of the run before.
    struct Kept {
        std::filesystem::path folder;
        std::uint64_t limit = 0; ///< bytes
        bool failed = false;
        std::vector<std::int64_t> buffers; ///< the most wanted first
    };

    /// @param warn what could not be kept, and why
    Keeper(BufferStore& store, std::function<void(const std::string&)> warn);

    /// Chooses the files and begins to write them. Files of earlier runs that these replace go afterwards: of a run
    /// with results all of them, of a failed one the inputs of the failed one before it.
    /// Returns the path of each buffer; those over the limit, or over half of the free space, have none.
    std::map<std::int64_t, std::filesystem::path> keep(const Kept& what);
    /// Until everything is written.
    void wait();

private:
    void write(std::int64_t id, const std::filesystem::path& path);

    BufferStore& store_;
    std::function<void(const std::string&)> warn_;
    std::mutex mutex_;
    std::condition_variable done_;
    int open_ = 0; ///< jobs that are not done
    int runs_ = 0;
    JobQueue queue_; // last: its thread uses the others
};

} // namespace warplight::worker
