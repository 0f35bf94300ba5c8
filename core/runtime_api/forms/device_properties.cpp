// SPDX-License-Identifier: Apache-2.0
// cudaDeviceProp, whose members differ between the versions: it is written member after member.
#include "runtime_api/contexts.hpp"
#include "runtime_api/forms/major.hpp"

#include <cstring>
#include <memory>
#include <vector>

namespace warplight::runtime_api {

namespace {

struct Member {
    std::size_t size; ///< of one value
    int first, last;  ///< major versions
    int count;
    int attributes[3];
};

template <class Type, class... Numbers>
constexpr Member member(int first, int last, Numbers... attributes) {
    static_assert(sizeof(Type) == 4 || sizeof(Type) == 8);
    Member m{sizeof(Type), first, last, sizeof...(attributes), {}};
    int i = 0;
    ((m.attributes[i++] = attributes), ...);
    return m;
}

constexpr Member kMembers[] = {
#define WARPLIGHT_DEVICE_PROPERTY(type, name, first, last, ...) member<type>(first, last, __VA_ARGS__),
#include "runtime_api/forms/device_properties.def"
#undef WARPLIGHT_DEVICE_PROPERTY
};

/// What all versions begin with.
struct Head {
    char name[256];
    CUuuid uuid;
    char luid[8];
    unsigned luid_mask;
    std::size_t total_memory;
};

/// Calls `take(member, index, offset)` for each value, and returns where the last ends.
template <class Take>
constexpr std::size_t each_value(int layout, Take take) {
    std::size_t offset = sizeof(Head);
    for (const Member& m : kMembers) {
        if (layout < m.first || layout > m.last) continue;
        offset = (offset + m.size - 1) / m.size * m.size;
        for (int i = 0; i < m.count; ++i, offset += m.size)
            take(m, i, offset);
    }
    return offset;
}

/// Bytes of the structure, with what is reserved behind the members.
constexpr std::size_t size_of(int layout) {
    const std::size_t reserved = layout == 12 ? 63 : layout == 13 ? 56 : 0;
    const std::size_t end = each_value(layout, [](const Member&, int, std::size_t) {}) + reserved * sizeof(int);
    return (end + alignof(Head) - 1) / alignof(Head) * alignof(Head);
}
static_assert(size_of(11) == 728 && size_of(12) == 1032 && size_of(13) == 1008);

void fill(const Functions& f, int device, int layout, std::byte* properties) {
    CUdevice handle = 0;
    check(f.fn_cuDeviceGet(&handle, device));
    Head head{};
    check(f.fn_cuDeviceGetName(head.name, sizeof head.name, handle));
    if (f.fn_cuDeviceGetUuid_v2(&head.uuid, handle) != CUDA_SUCCESS) head.uuid = {};
    if (f.fn_cuDeviceGetLuid(head.luid, &head.luid_mask, handle) != CUDA_SUCCESS) {
        std::memset(head.luid, 0, sizeof head.luid);
        head.luid_mask = 0;
    }
    check(f.fn_cuDeviceTotalMem(&head.total_memory, handle));
    std::memset(properties, 0, size_of(layout));
    std::memcpy(properties, &head, sizeof head);
    each_value(layout, [&](const Member& m, int index, std::size_t offset) {
        int value = 0;
        // A driver that does not know an attribute has not what it is about.
        const auto attribute = static_cast<CUdevice_attribute>(m.attributes[index]);
        if (f.fn_cuDeviceGetAttribute(&value, attribute, handle) != CUDA_SUCCESS) value = 0;
        if (m.size == sizeof(int)) {
            std::memcpy(properties + offset, &value, sizeof value);
        } else {
            const auto large = static_cast<std::size_t>(static_cast<unsigned>(value));
            std::memcpy(properties + offset, &large, sizeof large);
        }
    });
}

Error get(void* properties, int device, int layout) {
    return query([&](const Functions& f) {
        require(properties);
        if (const Error error = check_device(f, device); error != cudaSuccess) return error;
        fill(f, device, layout, static_cast<std::byte*>(properties));
        return cudaSuccess;
    });
}

/// How many of the members that a program asks for a device has.
int fit(const std::byte* wanted, const std::byte* there) {
    Head wants, has;
    std::memcpy(&wants, wanted, sizeof wants);
    std::memcpy(&has, there, sizeof has);
    int score = wants.total_memory && has.total_memory >= wants.total_memory ? 1 : 0;
    each_value(kMajor, [&](const Member& m, int, std::size_t offset) {
        long long a = 0, b = 0; // little-endian, and none is negative
        std::memcpy(&a, wanted + offset, m.size);
        std::memcpy(&b, there + offset, m.size);
        if (a != 0 && b >= a) ++score;
    });
    return score;
}

} // namespace

// In 12 the plain name is that of the form of 11.
WL_RUNTIME(cudaGetDeviceProperties, (void* properties, int device)) {
    return get(properties, device, kMajor == 12 ? 11 : kMajor);
}
WL_RUNTIME(cudaGetDeviceProperties_v2, (void* properties, int device)) { return get(properties, device, 12); }

WL_RUNTIME(cudaChooseDevice, (int* device, const void* wanted)) {
    return query([&](const Functions& f) {
        require(device && wanted);
        const int count = device_count(f);
        if (count == 0) return cudaErrorNoDevice;
        std::vector<std::byte> properties(size_of(kMajor));
        int best = -1;
        for (int i = 0; i < count; ++i) {
            fill(f, i, kMajor, properties.data());
            const int score = fit(static_cast<const std::byte*>(wanted), properties.data());
            if (score <= best) continue;
            best = score;
            *device = i;
        }
        return cudaSuccess;
    });
}

} // namespace warplight::runtime_api
