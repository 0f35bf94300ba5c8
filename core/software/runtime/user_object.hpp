// SPDX-License-Identifier: Apache-2.0
// Objects of a caller that are destroyed when the graphs that use them are gone.
#pragma once

#include <cuda.h>

#include <map>
#include <memory>

namespace warplight::software {

/// Counts references; the caller's function is called when there are none left.
class UserObject : public std::enable_shared_from_this<UserObject> {
public:
    UserObject(void* data, CUhostFn destroy, unsigned references);
    void retain(unsigned count);
    /// Throws CUDA_ERROR_INVALID_VALUE for more than there are.
    void release(unsigned count);

private:
    void* data_;
    CUhostFn destroy_;
    unsigned long long references_; ///< guarded by graph_mutex()
};

/// References that a graph holds, or an executable graph made of it.
class UserObjects {
public:
    UserObjects() = default;
    UserObjects(const UserObjects&) = delete;
    UserObjects& operator=(const UserObjects&) = delete;
    ~UserObjects();
    /// `move`: the caller's references rather than new ones.
    void retain(const std::shared_ptr<UserObject>& object, unsigned count, bool move);
    void release(const std::shared_ptr<UserObject>& object, unsigned count);
    /// As many references of its own as the other holds.
    void retain_all(const UserObjects& other);

private:
    std::map<std::shared_ptr<UserObject>, unsigned> held_;
};

} // namespace warplight::software
