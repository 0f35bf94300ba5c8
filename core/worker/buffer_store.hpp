// SPDX-License-Identifier: Apache-2.0
// The arrays that a worker holds for views: those of runs, and opened files.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warplight::worker {

struct StoredBuffer {
    std::int64_t id = 0;
    std::string name;
    std::string origin; ///< run, failed run, file
    std::shared_ptr<const NdArray> array;
};

/// Thread-safe. A reader of a buffer keeps it alive when it is closed.
class BufferStore {
public:
    BufferStore();
    /// Each store has its own range of numbers, so that a number of an ended worker finds nothing here.
    std::int64_t add(std::shared_ptr<const NdArray> array, std::string name, std::string origin);
    /// Null when there is no such buffer.
    std::shared_ptr<const StoredBuffer> find(std::int64_t id) const;
    /// Replaces the array by an equal one, such as its copy in a file. Does nothing for a closed buffer.
    void replace(std::int64_t id, std::shared_ptr<const NdArray> array);
    bool close(std::int64_t id);
    void close_all_of(const std::string& origin);
    std::vector<std::shared_ptr<const StoredBuffer>> list() const;

private:
    mutable std::mutex mutex_;
    std::map<std::int64_t, std::shared_ptr<const StoredBuffer>> buffers_;
    std::int64_t next_;
};

} // namespace warplight::worker
