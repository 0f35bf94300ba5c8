// SPDX-License-Identifier: Apache-2.0
#include "interface/launch_attributes.hpp"

#include "interface/state.hpp"
#include "warplight/event.hpp"
#include "warplight/stream.hpp"

#include <cstring>

namespace warplight::driver::detail {

namespace {

/// Values whose member some supported header lacks: they are the first bytes of the union.
template <class T>
void store(CUlaunchAttributeValue& value, const T& contents) {
    static_assert(sizeof(T) <= sizeof value);
    std::memcpy(&value, &contents, sizeof contents);
}

} // namespace

CUlaunchAttributeValue& NativeLaunch::add(launch_attribute_id id) {
    CUlaunchAttribute& attribute = attributes_[config.numAttrs++];
    attribute.id = static_cast<CUlaunchAttributeID>(id);
    return attribute.value;
}

NativeLaunch::NativeLaunch(const LaunchConfig& launch) {
    config.gridDimX = launch.grid.x;
    config.gridDimY = launch.grid.y;
    config.gridDimZ = launch.grid.z;
    config.blockDimX = launch.block.x;
    config.blockDimY = launch.block.y;
    config.blockDimZ = launch.block.z;
    config.sharedMemBytes = static_cast<unsigned>(launch.shared);
    config.hStream = handle_of(launch.stream);
    config.attrs = attributes_.data();
    if (launch.cooperative) store(add(launch_attribute_id::COOPERATIVE), 1);
    if (launch.cluster.x != 0) store(add(launch_attribute_id::CLUSTER_DIMENSION), launch.cluster);
    if (launch.preferred_cluster)
        store(add(launch_attribute_id::PREFERRED_CLUSTER_DIMENSION), *launch.preferred_cluster);
    if (launch.cluster_scheduling)
        store(add(launch_attribute_id::CLUSTER_SCHEDULING_POLICY_PREFERENCE),
              static_cast<int>(*launch.cluster_scheduling));
    if (launch.priority) store(add(launch_attribute_id::PRIORITY), *launch.priority);
    if (launch.programmatic_stream_serialization) store(add(launch_attribute_id::PROGRAMMATIC_STREAM_SERIALIZATION), 1);
    if (launch.mem_sync_domain)
        store(add(launch_attribute_id::MEM_SYNC_DOMAIN), static_cast<int>(*launch.mem_sync_domain));
    if (launch.completion_event) {
        struct Completion {
            CUevent event;
            int flags;
        };
        store(add(launch_attribute_id::LAUNCH_COMPLETION_EVENT),
              Completion{launch.completion_event->state().handle, 0});
    }
    if (launch.shared_memory_carveout)
        store(add(launch_attribute_id::PREFERRED_SHARED_MEMORY_CARVEOUT), *launch.shared_memory_carveout);
}

} // namespace warplight::driver::detail
