// SPDX-License-Identifier: Apache-2.0
// What streams give the kernels that are launched in them.
#include "entry.hpp"

using namespace warplight::software;

namespace {

// Numbers of CUstreamAttrID.
constexpr int kAccessPolicyWindow = 1, kSynchronizationPolicy = 3, kPriority = 8, kMemSyncDomainMap = 9,
              kMemSyncDomain = 10, kNvlinkScheduling = 16;
constexpr int kMaxWindowAttribute = 109; ///< CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE

std::shared_ptr<Stream> any_stream(CUstream handle) {
    if (auto stream = handles<Stream>().find(handle)) {
        stream->context().check();
        return stream;
    }
    return stream_of(current_context(), handle);
}

void check(const Stream& stream, int attribute, const CUlaunchAttributeValue& value) {
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
    case kPriority:
    case kMemSyncDomainMap: return;
    default: fail(CUDA_ERROR_INVALID_VALUE, "streams do not have this attribute");
    }
}

CUlaunchAttributeValue default_of(const Stream& stream, int attribute) {
    CUlaunchAttributeValue value{};
    if (attribute == kSynchronizationPolicy) value.syncPolicy = CU_SYNC_POLICY_AUTO;
    if (attribute == kPriority) value.priority = stream.priority;
    return value;
}

} // namespace

WL_STREAM_ENTRY(cuStreamGetAttribute, _ptsz, 11000,
                (CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out), (hStream, attr, value_out)) {
    return enter([&] {
        require(value_out);
        const auto stream = any_stream(hStream);
        const int attribute = static_cast<int>(attr);
        const auto set = stream->attributes();
        const auto found = set.find(attribute);
        const CUlaunchAttributeValue value = found != set.end() ? found->second : default_of(*stream, attribute);
        check(*stream, attribute, value);
        *value_out = value;
    });
}

WL_STREAM_ENTRY(cuStreamSetAttribute, _ptsz, 11000,
                (CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value), (hStream, attr, value)) {
    return enter([&] {
        require(value);
        const auto stream = any_stream(hStream);
        const int attribute = static_cast<int>(attr);
        check(*stream, attribute, *value);
        if (attribute == kPriority)
            stream->priority = value->priority > 0 ? 0 : value->priority < -5 ? -5 : value->priority;
        else
            stream->set_attribute(attribute, *value);
    });
}

WL_STREAM_ENTRY(cuStreamCopyAttributes, _ptsz, 11000, (CUstream dst, CUstream src), (dst, src)) {
    return enter([&] {
        const auto to = any_stream(dst);
        const auto from = any_stream(src);
        if (to == from) return;
        to->set_attributes(from->attributes());
        to->priority = from->priority.load();
    });
}
