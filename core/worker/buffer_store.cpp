// SPDX-License-Identifier: Apache-2.0
#include "worker/buffer_store.hpp"

#include <memory>
#include <random>
#include <utility>

namespace warplight::worker {

BufferStore::BufferStore()
    : next_((static_cast<std::int64_t>(std::random_device{}()) << 20) + 1) {} // below 2^53: exact as a double too

std::int64_t BufferStore::add(std::shared_ptr<const NdArray> array, std::string name, std::string origin) {
    std::lock_guard lock(mutex_);
    std::int64_t id = next_++;
    buffers_[id] =
        std::make_shared<StoredBuffer>(StoredBuffer{id, std::move(name), std::move(origin), std::move(array)});
    return id;
}

std::shared_ptr<const StoredBuffer> BufferStore::find(std::int64_t id) const {
    std::lock_guard lock(mutex_);
    auto found = buffers_.find(id);
    return found == buffers_.end() ? nullptr : found->second;
}

void BufferStore::replace(std::int64_t id, std::shared_ptr<const NdArray> array) {
    // Declared before the lock and so freed after it, because freeing may take long.
    std::shared_ptr<const StoredBuffer> last;
    std::lock_guard lock(mutex_);
    auto found = buffers_.find(id);
    if (found == buffers_.end()) return;
    last = std::exchange(found->second, std::make_shared<StoredBuffer>(StoredBuffer{
                                            id, found->second->name, found->second->origin, std::move(array)}));
}

bool BufferStore::close(std::int64_t id) {
    // Declared before the lock and so freed after it, because freeing may take long.
    std::shared_ptr<const StoredBuffer> last;
    std::lock_guard lock(mutex_);
    auto found = buffers_.find(id);
    if (found == buffers_.end()) return false;
    last = std::move(found->second);
    buffers_.erase(found);
    return true;
}

void BufferStore::close_all_of(const std::string& origin) {
    std::vector<std::shared_ptr<const StoredBuffer>> last;
    std::lock_guard lock(mutex_);
    for (auto it = buffers_.begin(); it != buffers_.end();) {
        if (it->second->origin == origin) {
            last.push_back(std::move(it->second));
            it = buffers_.erase(it);
        } else {
            ++it;
        }
    }
}

std::vector<std::shared_ptr<const StoredBuffer>> BufferStore::list() const {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<const StoredBuffer>> result;
    result.reserve(buffers_.size());
    for (const auto& [id, buffer] : buffers_)
        result.push_back(buffer);
    return result;
}

} // namespace warplight::worker
