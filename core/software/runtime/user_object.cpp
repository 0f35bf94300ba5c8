// SPDX-License-Identifier: Apache-2.0
#include "user_object.hpp"

#include "failure.hpp"
#include "graph_guard.hpp"
#include "handles.hpp"

namespace warplight::software {

UserObject::UserObject(void* data, CUhostFn destroy, unsigned references)
    : data_(data), destroy_(destroy), references_(references) {}

void UserObject::retain(unsigned count) {
    const GraphGuard guard;
    references_ += count;
}

void UserObject::release(unsigned count) {
    GraphGuard guard;
    if (count > references_) fail(CUDA_ERROR_INVALID_VALUE, "more references are released than there are");
    references_ -= count;
    if (references_ > 0) return;
    handles<UserObject>().remove(this);
    guard.call_later(destroy_, data_);
}

void UserObjects::retain_all(const UserObjects& other) {
    const GraphGuard guard;
    for (const auto& [object, count] : other.held_)
        retain(object, count, false);
}

UserObjects::~UserObjects() {
    const GraphGuard guard;
    for (const auto& [object, count] : held_) {
        try {
            object->release(count);
        } catch (const Failure&) { // the caller released references that were not its own
        }
    }
}

void UserObjects::retain(const std::shared_ptr<UserObject>& object, unsigned count, bool move) {
    const GraphGuard guard;
    if (!move) object->retain(count);
    held_[object] += count;
}

void UserObjects::release(const std::shared_ptr<UserObject>& object, unsigned count) {
    const GraphGuard guard;
    const auto found = held_.find(object);
    if (found == held_.end() || found->second < count)
        fail(CUDA_ERROR_INVALID_VALUE, "the graph does not hold so many references");
    found->second -= count;
    if (found->second == 0) held_.erase(found);
    object->release(count);
}

} // namespace warplight::software
