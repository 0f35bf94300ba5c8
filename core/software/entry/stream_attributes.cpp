// SPDX-License-Identifier: Apache-2.0
// Attributes of streams, which kernels launched in them get.
#include "entry.hpp"

#include "../runtime/capture.hpp"

#include <cstring>

using namespace warplight::software;

namespace {

// Numbers of CUstreamAttrID.
constexpr int kAccessPolicyWindow = 1, kSynchronizationPolicy = 3, kPriority = 8, kMemSyncDomainMap = 9,
              kMemSyncDomain = 10, kNvlinkScheduling = 16;
constexpr int kMaxWindowAttribute = 109; ///< CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE

void check_known(int attribute) {
    for (const int known :
         {kAccessPolicyWindow, kSynchronizationPolicy, kPriority, kMemSyncDomainMap, kMemSyncDomain, kNvlinkScheduling})
        if (attribute == known) return;
    fail(CUDA_ERROR_INVALID_VALUE, "streams do not have this attribute");
}

void check(const Stream& stream, int attribute, const CUlaunchAttributeValue& value) {
    check_known(attribute);
    switch (attribute) {
    case kAccessPolicyWindow: {
        const auto& window = value.accessPolicyWindow;
        require(window.hitRatio >= 0.0F && window.hitRatio <= 1.0F);
        require(window.hitProp >= 0 && window.hitProp <= 2 && window.missProp >= 0 && window.missProp <= 1);
        const int most = stream.context().device.attribute(kMaxWindowAttribute).value_or(0);
        require(window.num_bytes <= static_cast<std::size_t>(most));
        return;
    }
    case kSynchronizationPolicy:
        require(value.syncPolicy >= CU_SYNC_POLICY_AUTO && value.syncPolicy <= CU_SYNC_POLICY_BLOCKING_SYNC);
        return;
    case kMemSyncDomain:
    case kNvlinkScheduling: require(static_cast<unsigned>(value.cooperative) <= 1); return;
    default: return;
    }
}

/// Of a stream whose attributes were not set.
CUlaunchAttributeValue default_of(const Stream& stream, int attribute) {
    CUlaunchAttributeValue value{};
    const int none = -1; // the context's policy counts
    constexpr std::uint8_t domains[] = {0, 1};
    if (attribute == kSynchronizationPolicy) std::memcpy(&value, &none, sizeof none);
    if (attribute == kPriority) value.priority = stream.priority;
    if (attribute == kMemSyncDomainMap) std::memcpy(&value, domains, sizeof domains);
    return value;
}

/// Size of the member of the union that the attribute has. Drivers leave the rest alone.
std::size_t size_of(int attribute) {
    return attribute == kAccessPolicyWindow ? sizeof(CUaccessPolicyWindow) : attribute == kMemSyncDomainMap ? 2 : 4;
}

} // namespace

WL_STREAM_ENTRY(cuStreamGetAttribute, _ptsz, (CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out),
                (hStream, attr, value_out)) {
    return enter([&] {
        require(value_out);
        const auto stream = any_stream(hStream);
        forbid_implicit_capture(*stream);
        const int attribute = static_cast<int>(attr);
        const auto set = stream->attributes();
        const auto found = set.find(attribute);
        check_known(attribute);
        const CUlaunchAttributeValue value = found != set.end() ? found->second : default_of(*stream, attribute);
        std::memcpy(value_out, &value, size_of(attribute));
    });
}

WL_STREAM_ENTRY(cuStreamSetAttribute, _ptsz, (CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value),
                (hStream, attr, value)) {
    return enter([&] {
        require(value);
        const auto stream = any_stream(hStream);
        forbid_implicit_capture(*stream);
        const int attribute = static_cast<int>(attr);
        check(*stream, attribute, *value);
        if (attribute == kPriority)
            stream->priority = value->priority > 0 ? 0 : value->priority < -5 ? -5 : value->priority;
        else
            stream->set_attribute(attribute, *value);
    });
}

WL_STREAM_ENTRY(cuStreamCopyAttributes, _ptsz, (CUstream dst, CUstream src), (dst, src)) {
    return enter([&] {
        const auto to = any_stream(dst);
        const auto from = any_stream(src);
        require(&to->context() == &from->context());
        forbid_implicit_capture(*to);
        forbid_implicit_capture(*from);
        if (to == from) return;
        to->set_attributes(from->attributes());
        to->priority = from->priority.load();
    });
}
