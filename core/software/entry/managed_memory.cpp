// SPDX-License-Identifier: Apache-2.0
// Managed memory: the host's and the devices' at once. Advice and prefetching are remembered.
#include "entry.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/managed.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <vector>

using namespace warplight::software;

#undef cuMemAdvise
#undef cuMemPrefetchAsync

namespace {

// Numbers of CUmemLocationType and CUmem_range_attribute.
constexpr int kDevice = 1, kHost = 2, kHostNuma = 3, kHostNumaCurrent = 4;
constexpr int kReadMostly = 1, kPreferred = 2, kAccessedBy = 3, kLastPrefetch = 4, kPreferredType = 5, kPreferredId = 6,
              kLastPrefetchType = 7, kLastPrefetchId = 8;
constexpr int kHostNumber = -1, kNoDevice = -2;

/// A range of managed memory.
void check_managed(CUdeviceptr start, std::size_t bytes) {
    require(bytes > 0);
    const auto a = AddressSpace::instance().find(start);
    if (!a || !a->is_managed()) fail(CUDA_ERROR_INVALID_VALUE, "the memory is not managed");
    require(bytes <= a->size - (start - a->base));
}

bool is_device(int number) { return number >= 0 && number < device_count(); }
bool is_node(int number) { return number == 0; } // the host's memory is one node, as far as it matters here

/// `first`: the advice is looked at before anything else, as the forms of 12.2 do.
CUresult advise(CUdeviceptr start, std::size_t bytes, int advice, Place place, bool first) {
    const auto look = [&] {
        require(advice >= CU_MEM_ADVISE_SET_READ_MOSTLY && advice <= CU_MEM_ADVISE_UNSET_ACCESSED_BY);
        require(place.type >= kDevice && place.type <= kHostNumaCurrent);
        const bool host = place.type != kDevice;
        switch (advice) {
        case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
            require(host ? place.type != kHostNuma || is_node(place.id) : is_device(place.id));
            break;
        case CU_MEM_ADVISE_SET_ACCESSED_BY:
        case CU_MEM_ADVISE_UNSET_ACCESSED_BY: require(host ? place.type == kHost : is_device(place.id)); break;
        default: break; // the place makes no difference
        }
    };
    if (first)
        if (const CUresult wrong = look_at(look)) return wrong;
    return enter([&] {
        if (!first) look();
        (void)current_context();
        check_managed(start, bytes);
        forbid_unsafe_call();
        const bool host = place.type != kDevice;
        const int number = host ? kHostNumber : place.id;
        change_managed(start, bytes, [&](RangeAdvice& range) {
            switch (advice) {
            case CU_MEM_ADVISE_SET_READ_MOSTLY: range.read_mostly = true; break;
            case CU_MEM_ADVISE_UNSET_READ_MOSTLY: range.read_mostly = false; break;
            case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
                range.preferred = host ? Place{kHost, kHostNumber} : place;
                break;
            case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: range.preferred = {}; break;
            case CU_MEM_ADVISE_SET_ACCESSED_BY: range.accessed_by.insert(number); break;
            default: range.accessed_by.erase(number); break;
            }
        });
    });
}

CUresult prefetch(CUdeviceptr start, std::size_t bytes, Place place, unsigned flags, CUstream handle) {
    return enter([&] {
        const auto stream = any_stream(handle);
        require(flags == 0 && start && bytes > 0);
        forbid_capture(*stream);
        switch (place.type) {
        case kDevice: require(is_device(place.id), CUDA_ERROR_INVALID_DEVICE); break;
        case kHost: place.id = kHostNumber; break;
        case kHostNuma: require(is_node(place.id)); break;
        case kHostNumaCurrent: place.id = 0; break;
        default: fail(CUDA_ERROR_INVALID_VALUE, "no place for memory");
        }
        check_managed(start, bytes);
        change_managed(start, bytes, [&](RangeAdvice& range) { range.prefetched = place; });
    });
}

/// A place of the forms of calls before 12.2.
Place old_place(CUdevice device) {
    return device == CU_DEVICE_CPU ? Place{kHost, kHostNumber} : Place{kDevice, device};
}

/// The value of all of the range, if it is one.
template <class Value, class Get>
std::optional<Value> common(CUdeviceptr start, std::size_t bytes, const Get& get) {
    std::optional<Value> value;
    bool same = true;
    visit_managed(start, bytes, [&](const RangeAdvice& range) {
        if (!value)
            value = get(range);
        else
            same &= *value == get(range);
    });
    return same ? value : std::nullopt;
}

void check_attribute(const void* data, std::size_t size, int attribute) {
    require(data && attribute >= kReadMostly && attribute <= kLastPrefetchId);
    require(attribute == kAccessedBy ? size > 0 && size % sizeof(int) == 0 : size == sizeof(int));
}

void range_attribute(void* data, std::size_t size, int attribute, CUdeviceptr start, std::size_t bytes) {
    if (attribute == kAccessedBy) {
        std::optional<std::set<int>> all;
        visit_managed(start, bytes, [&](const RangeAdvice& range) {
            if (!all) all = range.accessed_by;
            std::erase_if(*all, [&](int number) { return !range.accessed_by.contains(number); });
        });
        std::vector<int> numbers(all->begin(), all->end());
        // The host comes last.
        std::ranges::rotate(numbers, std::ranges::find_if(numbers, [](int number) { return number != kHostNumber; }));
        numbers.resize(size / sizeof(int), kNoDevice);
        std::memcpy(data, numbers.data(), size);
        return;
    }
    const bool prefetch = attribute == kLastPrefetch || attribute >= kLastPrefetchType;
    const Place place = common<Place>(start, bytes, [&](const RangeAdvice& r) {
                            return prefetch ? r.prefetched : r.preferred;
                        }).value_or(Place{});
    int value = 0;
    switch (attribute) {
    case kReadMostly:
        value = common<bool>(start, bytes, [](const RangeAdvice& r) { return r.read_mostly; }).value_or(false) ? 1 : 0;
        break;
    case kPreferred:
    case kLastPrefetch: value = place.type == 0 ? kNoDevice : place.type == kDevice ? place.id : kHostNumber; break;
    case kPreferredType:
    case kLastPrefetchType: value = place.type; break;
    case kPreferredId:
    default: value = place.type == 0 ? kNoDevice : place.id; break;
    }
    std::memcpy(data, &value, sizeof value);
}

} // namespace

WL_ENTRY(cuMemAllocManaged, (CUdeviceptr * dptr, size_t bytesize, unsigned int flags)) {
    if (const CUresult wrong = look_at([&] { require(dptr); })) return wrong;
    return enter([&] {
        Context& context = current_context();
        require(dptr && bytesize > 0 && (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST));
        forbid_unsafe_call();
        const auto base = AddressSpace::instance().allocate(bytesize, Allocation::Kind::managed, context.device.ordinal,
                                                            &context, flags);
        if (!base) fail(CUDA_ERROR_OUT_OF_MEMORY, std::to_string(bytesize) + " bytes of managed memory asked for");
        forget_managed(*base, bytesize); // advice for memory that was at this address before
        *dptr = *base;
    });
}

WL_STREAM_ENTRY(cuStreamAttachMemAsync, _ptsz, (CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags),
                (hStream, dptr, length, flags)) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        require(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE);
        require(flags != CU_MEM_ATTACH_SINGLE || hStream != nullptr);
        const auto a = AddressSpace::instance().find(dptr);
        require(a && a->is_managed());
        require(dptr == a->base && (length == 0 || length == a->size));
        forbid_capture(*stream);
        forbid_unsafe_call();
        // Managed memory is the host's: all may use it at any time.
    });
}

WL_ENTRY(cuMemAdvise, (CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice dev)) {
    return advise(devPtr, count, advice, old_place(dev), false);
}

WL_STREAM_ENTRY(cuMemPrefetchAsync, _ptsz, (CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream),
                (devPtr, count, dstDevice, hStream)) {
    return prefetch(devPtr, count, old_place(dstDevice), 0, hStream);
}

WL_ENTRY(cuMemAdvise_v2, (CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)) {
    return advise(devPtr, count, advice, {static_cast<int>(location.type), location.id}, true);
}

WL_STREAM_ENTRY(cuMemPrefetchAsync_v2, _ptsz,
                (CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream),
                (devPtr, count, location, flags, hStream)) {
    if (!devPtr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    return prefetch(devPtr, count, {static_cast<int>(location.type), location.id}, flags, hStream);
}

WL_ENTRY(cuMemRangeGetAttribute,
         (void* data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr, size_t count)) {
    return enter([&] {
        (void)current_context();
        check_attribute(data, dataSize, attribute);
        check_managed(devPtr, count);
        range_attribute(data, dataSize, attribute, devPtr, count);
    });
}

WL_ENTRY(cuMemRangeGetAttributes, (void** data, size_t* dataSizes, CUmem_range_attribute* attributes,
                                   size_t numAttributes, CUdeviceptr devPtr, size_t count)) {
    return enter([&] {
        (void)current_context();
        require(data && dataSizes && attributes && numAttributes > 0);
        for (std::size_t i = 0; i < numAttributes; ++i)
            check_attribute(data[i], dataSizes[i], attributes[i]);
        check_managed(devPtr, count);
        for (std::size_t i = 0; i < numAttributes; ++i)
            range_attribute(data[i], dataSizes[i], attributes[i], devPtr, count);
    });
}
