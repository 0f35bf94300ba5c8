// SPDX-License-Identifier: Apache-2.0
// What streams give the kernels that are launched in them.
#include "interface/state.hpp"
#include "warplight/stream.hpp"

#include <cstring>

namespace warplight::driver {

namespace {

CUstreamAttrValue get(const detail::StreamState& stream, launch_attribute_id id) {
    const detail::Scope scope(*stream.context);
    CUstreamAttrValue value{};
    WARPLIGHT_CALL(*stream.context->driver, cuStreamGetAttribute, stream.describe(), stream.handle,
                   static_cast<CUstreamAttrID>(id), &value);
    return value;
}

void set(const detail::StreamState& stream, launch_attribute_id id, const CUstreamAttrValue& value) {
    const detail::Scope scope(*stream.context);
    WARPLIGHT_CALL(*stream.context->driver, cuStreamSetAttribute, stream.describe(), stream.handle,
                   static_cast<CUstreamAttrID>(id), &value);
}

} // namespace

void Stream::set_priority(int priority) const {
    CUstreamAttrValue value{};
    std::memcpy(&value, &priority, sizeof priority);
    set(state(), launch_attribute_id::PRIORITY, value);
}

AccessPolicyWindow Stream::get_access_policy_window() const {
    const auto window = get(state(), launch_attribute_id::ACCESS_POLICY_WINDOW).accessPolicyWindow;
    return {reinterpret_cast<device_ptr>(window.base_ptr), window.num_bytes, window.hitRatio,
            static_cast<access_property>(window.hitProp), static_cast<access_property>(window.missProp)};
}

void Stream::set_access_policy_window(const AccessPolicyWindow& window) const {
    CUstreamAttrValue value{};
    value.accessPolicyWindow.base_ptr = reinterpret_cast<void*>(static_cast<std::uintptr_t>(window.base));
    value.accessPolicyWindow.num_bytes = window.bytes;
    value.accessPolicyWindow.hitRatio = window.hit_ratio;
    value.accessPolicyWindow.hitProp = static_cast<CUaccessProperty>(window.hit_property);
    value.accessPolicyWindow.missProp = static_cast<CUaccessProperty>(window.miss_property);
    set(state(), launch_attribute_id::ACCESS_POLICY_WINDOW, value);
}

synchronization_policy Stream::get_synchronization_policy() const {
    return static_cast<synchronization_policy>(get(state(), launch_attribute_id::SYNCHRONIZATION_POLICY).syncPolicy);
}

void Stream::set_synchronization_policy(synchronization_policy policy) const {
    CUstreamAttrValue value{};
    value.syncPolicy = static_cast<CUsynchronizationPolicy>(policy);
    set(state(), launch_attribute_id::SYNCHRONIZATION_POLICY, value);
}

MemSyncDomainMap Stream::get_mem_sync_domain_map() const {
    const auto value = get(state(), launch_attribute_id::MEM_SYNC_DOMAIN_MAP);
    MemSyncDomainMap map;
    static_assert(sizeof map == 2);
    std::memcpy(static_cast<void*>(&map), &value, sizeof map);
    return map;
}

void Stream::set_mem_sync_domain_map(const MemSyncDomainMap& map) const {
    CUstreamAttrValue value{};
    std::memcpy(&value, &map, sizeof map);
    set(state(), launch_attribute_id::MEM_SYNC_DOMAIN_MAP, value);
}

launch_mem_sync_domain Stream::get_mem_sync_domain() const {
    const auto value = get(state(), launch_attribute_id::MEM_SYNC_DOMAIN);
    int domain = 0;
    std::memcpy(&domain, &value, sizeof domain);
    return static_cast<launch_mem_sync_domain>(domain);
}

void Stream::set_mem_sync_domain(launch_mem_sync_domain domain) const {
    CUstreamAttrValue value{};
    const int number = static_cast<int>(domain);
    std::memcpy(&value, &number, sizeof number);
    set(state(), launch_attribute_id::MEM_SYNC_DOMAIN, value);
}

void Stream::copy_attributes(const Stream& source) const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    WARPLIGHT_CALL(*stream.context->driver, cuStreamCopyAttributes, stream.describe(), stream.handle,
                   source.state().handle);
}

} // namespace warplight::driver
