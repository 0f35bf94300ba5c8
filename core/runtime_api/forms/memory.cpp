// SPDX-License-Identifier: Apache-2.0
// What is asked and said of memory, where versions differ.
#include "runtime_api/copies.hpp"
#include "runtime_api/forms/major.hpp"

#include <cstring>
#include <type_traits>

namespace warplight::runtime_api {

namespace {

constexpr int kHost = -1; ///< cudaCpuDeviceId

driver::MemoryLocation driver_location(const Location& location) { return {location.type, location.id}; }

CUresult advise(const Functions& f, const void* pointer, std::size_t count, int advice, const Location& location) {
    if (Functions::has(f.fn_cuMemAdvise_v2))
        return f.fn_cuMemAdvise_v2(address(pointer), count, static_cast<CUmem_advise>(advice),
                                   driver_location(location));
    require(location.type == location_device || location.type == location_host);
    return f.fn_cuMemAdvise(address(pointer), count, static_cast<CUmem_advise>(advice),
                            location.type == location_host ? kHost : location.id);
}

CUresult prefetch(const Functions& f, const void* pointer, std::size_t count, const Location& location, unsigned flags,
                  Stream stream) {
    if (Functions::has(f.fn_cuMemPrefetchAsync_v2))
        return f.fn_cuMemPrefetchAsync_v2(address(pointer), count, driver_location(location), flags, stream);
    require(location.type == location_device || location.type == location_host);
    return f.fn_cuMemPrefetchAsync(address(pointer), count, location.type == location_host ? kHost : location.id,
                                   stream);
}

} // namespace

WL_RUNTIME(cudaPointerGetAttributes, (PointerAttributes * attributes, const void* pointer)) {
    return call([&](const Functions& f) {
        require(attributes);
        PointerAttributes result{memory_unregistered, kNoDevice, nullptr, const_cast<void*>(pointer)};
        unsigned type = 0, managed = 0;
        int device = 0;
        void *on_device = nullptr, *on_host = nullptr;
        CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                       CU_POINTER_ATTRIBUTE_HOST_POINTER};
        void* values[] = {&type, &managed, &device, static_cast<void*>(&on_device), static_cast<void*>(&on_host)};
        // What it does not know is left zero.
        const CUresult code = f.fn_cuPointerGetAttributes(5, names, values, address(pointer));
        if (code != CUDA_SUCCESS && code != CUDA_ERROR_INVALID_VALUE) return code;
        if (code == CUDA_SUCCESS && type != 0) {
            result.type = managed ? memory_managed : type == CU_MEMORYTYPE_DEVICE ? memory_device : memory_host;
            result.device = device;
            result.device_pointer = on_device;
            result.host_pointer = on_host;
        }
        constexpr std::size_t reserved_in_13 = 8 * sizeof(long); // 32 bytes on Windows
        if constexpr (kMajor >= 13)
            std::memset(reinterpret_cast<std::byte*>(attributes) + sizeof result, 0, reserved_in_13);
        *attributes = result;
        return CUDA_SUCCESS;
    });
}

#if WARPLIGHT_RUNTIME_MAJOR >= 13
WL_RUNTIME(cudaMemAdvise, (const void* pointer, std::size_t count, int advice, Location location)) {
    return call([&](const Functions& f) { return advise(f, pointer, count, advice, location); });
}
WL_STREAM_RUNTIME(cudaMemPrefetchAsync, _ptsz,
                  (const void* pointer, std::size_t count, Location location, unsigned flags, Stream stream),
                  (pointer, count, location, flags, stream)) {
    return call<PerThread>([&](const Functions& f) { return prefetch(f, pointer, count, location, flags, stream); });
}
#else
namespace {
Error check_location(const Functions& f, int device) { return device == kHost ? cudaSuccess : check_device(f, device); }

/// Some advice is about no place; then the number counts for nothing.
bool has_place(int advice) { return advice >= 3; }
} // namespace
WL_RUNTIME(cudaMemAdvise, (const void* pointer, std::size_t count, int advice, int device)) {
    return call([&](const Functions& f) -> CUresult {
        if (has_place(advice)) check(check_location(f, device));
        const Location place =
            device == kHost || !has_place(advice) ? Location{location_host, 0} : Location{location_device, device};
        return advise(f, pointer, count, advice, place);
    });
}
WL_STREAM_RUNTIME(cudaMemPrefetchAsync, _ptsz, (const void* pointer, std::size_t count, int device, Stream stream),
                  (pointer, count, device, stream)) {
    return call<PerThread>([&](const Functions& f) -> CUresult {
        check(check_location(f, device));
        const Location place = device == kHost ? Location{location_host, 0} : Location{location_device, device};
        return prefetch(f, pointer, count, place, 0, stream);
    });
}
WL_RUNTIME(cudaMemAdvise_v2, (const void* pointer, std::size_t count, int advice, Location location)) {
    return call([&](const Functions& f) { return advise(f, pointer, count, advice, location); });
}
WL_STREAM_RUNTIME(cudaMemPrefetchAsync_v2, _ptsz,
                  (const void* pointer, std::size_t count, Location location, unsigned flags, Stream stream),
                  (pointer, count, location, flags, stream)) {
    return call<PerThread>([&](const Functions& f) { return prefetch(f, pointer, count, location, flags, stream); });
}
#endif

namespace {

/// cudaMemcpyAttributes
struct CopyAttributes {
    int order;
    Location source, target;
    unsigned flags;
};
static_assert(sizeof(CopyAttributes) == 24);
constexpr int kFirstOrder = 1, kLastOrder = 3;

/// Copies one after the other in the stream: a batch promises no order. Returns the number of the one that failed.
template <class Copy>
Error copy_batch(std::size_t count, std::size_t* failed, Copy copy) {
    if (failed) *failed = static_cast<std::size_t>(-1);
    for (std::size_t i = 0; i < count; ++i)
        if (const Error error = guarded([&] { return copy(i); }); error != cudaSuccess) {
            if (failed) *failed = i;
            return error;
        }
    return cudaSuccess;
}

Error batch(const Functions& f, void* const* targets, const void* const* sources, const std::size_t* sizes,
            std::size_t count, const CopyAttributes* attributes, const std::size_t* firsts, std::size_t number,
            std::size_t* failed, Stream stream) {
    require(targets && sources && sizes && count > 0 && attributes && firsts && number > 0 && number <= count);
    require(firsts[0] == 0 && stream);
    for (std::size_t i = 0; i < number; ++i) {
        require(attributes[i].order >= kFirstOrder && attributes[i].order <= kLastOrder);
        require(i == 0 || (firsts[i] > firsts[i - 1] && firsts[i] < count));
    }
    return copy_batch(count, failed, [&](std::size_t i) {
        require(targets[i] && sources[i] && sizes[i] > 0);
        return f.fn_cuMemcpyAsync(address(targets[i]), address(sources[i]), sizes[i], stream);
    });
}

/// cudaMemcpy3DOperand
struct Operand {
    int type; ///< 1: memory, 2: an array
    union {
        struct {
            void* address;
            std::size_t row_length, layer_height;
            Location hint;
        } memory;
        struct {
            Array array;
            Position offset;
        } array;
    } of;
};
/// cudaMemcpy3DBatchOp
struct VolumeCopy {
    Operand source, target;
    Extent extent;
    int order;
    unsigned flags;
};
static_assert(sizeof(VolumeCopy) == 112);

Error batch_of_volumes(const Functions& f, std::size_t count, const VolumeCopy* copies, std::size_t* failed,
                       unsigned long long flags, Stream stream) {
    require(copies && count > 0 && flags == 0 && stream);
    return copy_batch(count, failed, [&](std::size_t i) {
        const VolumeCopy& one = copies[i];
        Copy3D copy{};
        copy.extent = one.extent;
        copy.kind = copy_default;
        const auto place = [&](const Operand& operand, Array& array, Position& position, PitchedPointer& memory) {
            if (operand.type == 2) {
                array = operand.of.array.array;
                position = operand.of.array.offset;
                return;
            }
            require(operand.type == 1);
            const auto& m = operand.of.memory;
            const std::size_t row = m.row_length ? m.row_length : one.extent.width;
            memory = {m.address, row, row, m.layer_height ? m.layer_height : one.extent.height};
        };
        place(one.source, copy.source_array, copy.source_position, copy.source);
        place(one.target, copy.target_array, copy.target_position, copy.target);
        // The length of a row counts elements where the other side is an array.
        const std::size_t element = copy.source_array   ? element_size(f, copy.source_array)
                                    : copy.target_array ? element_size(f, copy.target_array)
                                                        : 1;
        copy.source.pitch *= element;
        copy.target.pitch *= element;
        const CUDA_MEMCPY3D d = driver_copy(f, copy);
        return f.fn_cuMemcpy3DAsync(&d, stream);
    });
}

} // namespace

#if WARPLIGHT_RUNTIME_MAJOR >= 13
WL_STREAM_RUNTIME(cudaMemcpyBatchAsync, _ptsz,
                  (void* const* targets, const void* const* sources, const std::size_t* sizes, std::size_t count,
                   CopyAttributes* attributes, std::size_t* firsts, std::size_t number, Stream stream),
                  (targets, sources, sizes, count, attributes, firsts, number, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return batch(f, targets, sources, sizes, count, attributes, firsts, number, nullptr, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy3DBatchAsync, _ptsz,
                  (std::size_t count, VolumeCopy* copies, unsigned long long flags, Stream stream),
                  (count, copies, flags, stream)) {
    return call<PerThread>(
        [&](const Functions& f) { return batch_of_volumes(f, count, copies, nullptr, flags, stream); });
}
#else
WL_STREAM_RUNTIME(cudaMemcpyBatchAsync, _ptsz,
                  (void** targets, void** sources, std::size_t* sizes, std::size_t count, CopyAttributes* attributes,
                   std::size_t* firsts, std::size_t number, std::size_t* failed, Stream stream),
                  (targets, sources, sizes, count, attributes, firsts, number, failed, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return batch(f, targets, sources, sizes, count, attributes, firsts, number, failed, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemcpy3DBatchAsync, _ptsz,
                  (std::size_t count, VolumeCopy* copies, std::size_t* failed, unsigned long long flags, Stream stream),
                  (count, copies, failed, flags, stream)) {
    return call<PerThread>(
        [&](const Functions& f) { return batch_of_volumes(f, count, copies, failed, flags, stream); });
}
#endif

// Signals and waits for semaphores of other interfaces. The plain names of 11 and 12 have an older layout of their
// parameters; nothing uses it, as the headers since 11.2 rename them.
namespace {
void check_semaphores(const CUexternalSemaphore* semaphores, const void* parameters, unsigned count) {
    require(count == 0 || (semaphores && parameters));
    for (unsigned i = 0; i < count; ++i)
        require(semaphores[i], cudaErrorInvalidResourceHandle);
}
} // namespace
#define WL_SEMAPHORES(name, entry)                                                                                     \
    WL_STREAM_RUNTIME(name, _ptsz,                                                                                     \
                      (const CUexternalSemaphore* semaphores, const void* parameters, unsigned count, Stream stream),  \
                      (semaphores, parameters, count, stream)) {                                                       \
        return call<PerThread>([&](const Functions& f) {                                                               \
            check_semaphores(semaphores, parameters, count);                                                           \
            return f.entry(semaphores, parameters, count, stream);                                                     \
        });                                                                                                            \
    }
#define WL_OLD_SEMAPHORES(name)                                                                                        \
    WL_RUNTIME(name, ()) { return record(cudaErrorNotSupported); }                                                     \
    WL_RUNTIME(name##_ptsz, ()) { return record(cudaErrorNotSupported); }
#if WARPLIGHT_RUNTIME_MAJOR >= 13
WL_SEMAPHORES(cudaSignalExternalSemaphoresAsync, fn_cuSignalExternalSemaphoresAsync)
WL_SEMAPHORES(cudaWaitExternalSemaphoresAsync, fn_cuWaitExternalSemaphoresAsync)
#else
WL_OLD_SEMAPHORES(cudaSignalExternalSemaphoresAsync)
WL_OLD_SEMAPHORES(cudaWaitExternalSemaphoresAsync)
WL_SEMAPHORES(cudaSignalExternalSemaphoresAsync_v2, fn_cuSignalExternalSemaphoresAsync)
WL_SEMAPHORES(cudaWaitExternalSemaphoresAsync_v2, fn_cuWaitExternalSemaphoresAsync)
#endif

} // namespace warplight::runtime_api
