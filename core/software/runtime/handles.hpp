// SPDX-License-Identifier: Apache-2.0
// A handle is the address of its object. A handle that a caller passes is looked up before it is used.
#pragma once

#include "failure.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace warplight::software {

/// Keeps the addresses of destroyed objects in use for a while, so that the use of an old handle is an error. A weak
/// pointer does so, for the memory of std::make_shared is not freed before it.
template <class T>
class OldAddresses {
public:
    void keep(std::weak_ptr<T> object) {
        objects_.push_back(std::move(object));
        if (objects_.size() > most) objects_.pop_front();
    }

private:
    static constexpr std::size_t most = 256;
    std::deque<std::weak_ptr<T>> objects_;
};

template <class T>
class HandleTable {
public:
    void add(const std::shared_ptr<T>& object) {
        const std::scoped_lock lock(mutex_);
        objects_[object.get()] = object;
    }
    /// Null for a pointer that is no handle, or no longer one.
    [[nodiscard]] std::shared_ptr<T> find(const void* handle) const {
        const std::shared_lock lock(mutex_);
        const auto found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second;
    }
    [[nodiscard]] std::shared_ptr<T> get(const void* handle, CUresult otherwise = CUDA_ERROR_INVALID_HANDLE) const {
        auto object = find(handle);
        if (!object) fail(otherwise);
        return object;
    }
    [[nodiscard]] std::vector<std::shared_ptr<T>> all() const {
        std::vector<std::shared_ptr<T>> list;
        const std::shared_lock lock(mutex_);
        list.reserve(objects_.size());
        for (const auto& [handle, object] : objects_)
            list.push_back(object);
        return list;
    }
    /// False when it was none.
    bool remove(const void* handle) {
        std::shared_ptr<T> last; // destroyed outside of the lock
        const std::scoped_lock lock(mutex_);
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return false;
        last = std::move(found->second);
        objects_.erase(found);
        old_.keep(last);
        return true;
    }
    template <class Predicate>
    std::vector<std::shared_ptr<T>> remove_if(Predicate predicate) {
        std::vector<std::shared_ptr<T>> removed;
        const std::scoped_lock lock(mutex_);
        for (auto it = objects_.begin(); it != objects_.end();) {
            if (predicate(*it->second)) {
                old_.keep(it->second);
                removed.push_back(std::move(it->second));
                it = objects_.erase(it);
            } else {
                ++it;
            }
        }
        return removed;
    }

private:
    mutable std::shared_mutex mutex_;
    std::unordered_map<const void*, std::shared_ptr<T>> objects_;
    OldAddresses<T> old_;
};

/// The table of a kind of object; never destroyed.
template <class T>
HandleTable<T>& handles() {
    static auto* table = new HandleTable<T>;
    return *table;
}

} // namespace warplight::software
