// SPDX-License-Identifier: Apache-2.0
// The arrays that a worker holds for views: what runs have left, and opened files.
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

/// From any thread. A buffer that is closed while someone reads it lives until they are done.
class BufferStore {
public:
    BufferStore();
    /// The numbers of one store are not those of another: one from a worker that has ended finds nothing here.
    std::int64_t add(std::shared_ptr<const NdArray> array, std::string name, std::string origin);
    /// Null when there is no such buffer.
    std::shared_ptr<const StoredBuffer> find(std::int64_t id) const;
    /// The same elements, held elsewhere. Nothing when the buffer was closed.
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
