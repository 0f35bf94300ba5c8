// SPDX-License-Identifier: Apache-2.0
#include "warplight/memory.hpp"

#include "interface/state.hpp"
#include "warplight/stream.hpp"

#include <cstring>
#include <limits>
#include <memory>

namespace warplight::driver {

namespace detail {

AllocationState::~AllocationState() {
    if (!live.exchange(false) || !address) return;
    clean_up(
        *context, imported ? "cuIpcCloseMemHandle" : "cuMemFree", [this] { return describe(); },
        [this] {
            return imported ? WARPLIGHT_TRY(*context->driver, cuIpcCloseMemHandle, address)
                            : WARPLIGHT_TRY(*context->driver, cuMemFree, address);
        });
}

std::string AllocationState::describe() const {
    return (imported ? "another process's memory of " : "allocation of ") + std::to_string(size) + " bytes in " +
           context->describe();
}

ContextPointer context_for(const Stream* stream, const DevicePointer* pointer) {
    if (stream) return stream->state().context;
    if (pointer && pointer->allocation()) return pointer->allocation()->context;
    return current_context();
}

void check_range(const DevicePointer& pointer, std::size_t bytes) {
    const AllocationState* allocation = pointer.allocation();
    if (!allocation) return;
    if (!allocation->live.load()) throw_logic_error("the device memory has been freed", allocation->describe());
    const device_ptr offset = pointer.get() - allocation->address;
    if (offset > allocation->size || bytes > allocation->size - offset)
        throw_logic_error(std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                              " do not fit the device memory",
                          allocation->describe());
}

} // namespace detail

namespace {

using detail::check_range;
using detail::ContextPointer;
using detail::Scope;

std::size_t rectangle_bytes(std::size_t pitch, std::size_t width, std::size_t height, std::size_t element) {
    if (width == 0 || height == 0) return 0;
    std::size_t bytes = 0;
    if (width > SIZE_MAX / element || (pitch && height - 1 > (SIZE_MAX - width * element) / pitch))
        throw_logic_error("the rectangle is too large");
    bytes = pitch * (height - 1) + width * element;
    return bytes;
}

std::size_t checked_bytes(std::size_t count, std::size_t element) {
    if (count > SIZE_MAX / element) throw_logic_error(std::to_string(count) + " elements are too many");
    return count * element;
}

std::string sizes(const char* what, std::size_t bytes, const ContextPointer& context) {
    return std::string(what) + " of " + std::to_string(bytes) + " bytes in " + context->describe();
}

DeviceAllocation adopt(ContextPointer context, device_ptr address, std::size_t size) {
    auto state = std::make_shared<detail::AllocationState>();
    state->context = std::move(context);
    state->address = address;
    state->size = size;
    return DeviceAllocation(std::move(state));
}

} // namespace

void DeviceAllocation::free() {
    if (!state_) throw_logic_error("there is no device memory to free");
    if (!state_->live.exchange(false))
        throw_logic_error("the device memory has been freed already", state_->describe());
    if (!state_->context->valid.load()) return; // freed with its context
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuMemFree, state_->describe(), state_->address);
}

device_ptr DeviceAllocation::get() const noexcept { return state_ && state_->live.load() ? state_->address : 0; }
std::size_t DeviceAllocation::size() const noexcept { return state_ && state_->live.load() ? state_->size : 0; }

MutableBuffer DeviceAllocation::as_buffer(std::size_t size, std::size_t offset) const {
    if (!state_) throw_logic_error("there is no device memory");
    const DevicePointer pointer = *this + offset;
    check_range(pointer, size);
    return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(pointer.get())), size};
}

MutableBuffer PointerHolderBase::as_buffer(std::size_t size, std::size_t offset) const {
    const device_ptr address = get_pointer();
    if (!address) throw_logic_error("the pointer is null");
    constexpr device_ptr last = std::numeric_limits<std::uintptr_t>::max();
    if (offset > last - address || size > last - address - offset)
        throw_logic_error(std::to_string(size) + " bytes at offset " + std::to_string(offset) + " end past all memory");
    return {reinterpret_cast<void*>(static_cast<std::uintptr_t>(address + offset)), size};
}

DevicePointer::DevicePointer(const DeviceAllocation& allocation) : address_(0), allocation_(allocation.state().get()) {
    if (!allocation_) return;
    if (!allocation_->live.load(std::memory_order_acquire))
        throw_logic_error("the device memory has been freed", allocation_->describe());
    address_ = allocation_->address;
}

MemoryInfo mem_get_info() {
    const auto context = detail::current_context();
    const Scope scope(*context);
    MemoryInfo info;
    WARPLIGHT_CALL(*context->driver, cuMemGetInfo, context->describe(), &info.free, &info.total);
    return info;
}

DeviceAllocation mem_alloc(std::size_t bytes) {
    auto context = detail::current_context();
    const Scope scope(*context);
    device_ptr address = 0;
    WARPLIGHT_CALL(*context->driver, cuMemAlloc, sizes("allocation", bytes, context), &address, bytes);
    return adopt(std::move(context), address, bytes);
}

PitchedAllocation mem_alloc_pitch(std::size_t width, std::size_t height, unsigned access_size) {
    auto context = detail::current_context();
    const Scope scope(*context);
    device_ptr address = 0;
    std::size_t pitch = 0;
    WARPLIGHT_CALL(*context->driver, cuMemAllocPitch,
                   std::to_string(height) + " rows of " + std::to_string(width) + " bytes in " + context->describe(),
                   &address, &pitch, width, height, access_size);
    return {adopt(std::move(context), address, checked_bytes(height, pitch ? pitch : 1)), pitch};
}

AddressRange mem_get_address_range(DevicePointer pointer) {
    const auto context = detail::context_for(nullptr, &pointer);
    const Scope scope(*context);
    AddressRange range;
    WARPLIGHT_CALL(*context->driver, cuMemGetAddressRange, context->describe(), &range.base, &range.size,
                   pointer.get());
    return range;
}

DeviceAllocation mem_alloc_like(const NdArray& array) { return mem_alloc(array.nbytes()); }

DeviceAllocation to_device(ConstBuffer source) {
    DeviceAllocation allocation = mem_alloc(source.size);
    memcpy_htod(allocation, source);
    return allocation;
}

NdArray from_device(DevicePointer source, Shape shape, DType dtype, Order order) {
    NdArray array = NdArray::empty(std::move(shape), std::move(dtype), order);
    memcpy_dtoh(array, source);
    return array;
}

NdArray from_device_like(DevicePointer source, const NdArray& array) {
    return from_device(source, array.shape(), array.dtype(), array.order());
}

namespace {

using detail::EntryPoints;

/// One fill: `Function` is its entry point, the dimensions and the stream come last.
template <auto Function, class... Arguments>
void fill(const char* routine, const DevicePointer& dest, std::size_t bytes, const Stream* stream,
          Arguments... arguments) {
    check_range(dest, bytes);
    const auto context = detail::context_for(stream, &dest);
    const Scope scope(*context);
    const detail::DriverState& driver = *context->driver;
    const CUresult code = detail::require(driver, driver.functions.*Function, routine)(dest.get(), arguments...);
    if (code != CUDA_SUCCESS) detail::throw_failure(driver, routine, code, sizes("fill", bytes, context));
}

} // namespace

void memset_d8(DevicePointer dest, std::uint8_t data, std::size_t count) {
    fill<&EntryPoints::fn_cuMemsetD8>("cuMemsetD8", dest, checked_bytes(count, 1), nullptr, data, count);
}
void memset_d8_async(DevicePointer dest, std::uint8_t data, std::size_t count, const Stream* stream) {
    fill<&EntryPoints::fn_cuMemsetD8Async>("cuMemsetD8Async", dest, checked_bytes(count, 1), stream, data, count,
                                           detail::handle_of(stream));
}
void memset_d2d8(DevicePointer dest, std::size_t pitch, std::uint8_t data, std::size_t width, std::size_t height) {
    fill<&EntryPoints::fn_cuMemsetD2D8>("cuMemsetD2D8", dest, rectangle_bytes(pitch, width, height, 1), nullptr, pitch,
                                        data, width, height);
}
void memset_d2d8_async(DevicePointer dest, std::size_t pitch, std::uint8_t data, std::size_t width, std::size_t height,
                       const Stream* stream) {
    fill<&EntryPoints::fn_cuMemsetD2D8Async>("cuMemsetD2D8Async", dest, rectangle_bytes(pitch, width, height, 1),
                                             stream, pitch, data, width, height, detail::handle_of(stream));
}

void memset_d16(DevicePointer dest, std::uint16_t data, std::size_t count) {
    fill<&EntryPoints::fn_cuMemsetD16>("cuMemsetD16", dest, checked_bytes(count, 2), nullptr, data, count);
}
void memset_d16_async(DevicePointer dest, std::uint16_t data, std::size_t count, const Stream* stream) {
    fill<&EntryPoints::fn_cuMemsetD16Async>("cuMemsetD16Async", dest, checked_bytes(count, 2), stream, data, count,
                                            detail::handle_of(stream));
}
void memset_d2d16(DevicePointer dest, std::size_t pitch, std::uint16_t data, std::size_t width, std::size_t height) {
    fill<&EntryPoints::fn_cuMemsetD2D16>("cuMemsetD2D16", dest, rectangle_bytes(pitch, width, height, 2), nullptr,
                                         pitch, data, width, height);
}
void memset_d2d16_async(DevicePointer dest, std::size_t pitch, std::uint16_t data, std::size_t width,
                        std::size_t height, const Stream* stream) {
    fill<&EntryPoints::fn_cuMemsetD2D16Async>("cuMemsetD2D16Async", dest, rectangle_bytes(pitch, width, height, 2),
                                              stream, pitch, data, width, height, detail::handle_of(stream));
}

void memset_d32(DevicePointer dest, std::uint32_t data, std::size_t count) {
    fill<&EntryPoints::fn_cuMemsetD32>("cuMemsetD32", dest, checked_bytes(count, 4), nullptr, data, count);
}
void memset_d32_async(DevicePointer dest, std::uint32_t data, std::size_t count, const Stream* stream) {
    fill<&EntryPoints::fn_cuMemsetD32Async>("cuMemsetD32Async", dest, checked_bytes(count, 4), stream, data, count,
                                            detail::handle_of(stream));
}
void memset_d2d32(DevicePointer dest, std::size_t pitch, std::uint32_t data, std::size_t width, std::size_t height) {
    fill<&EntryPoints::fn_cuMemsetD2D32>("cuMemsetD2D32", dest, rectangle_bytes(pitch, width, height, 4), nullptr,
                                         pitch, data, width, height);
}
void memset_d2d32_async(DevicePointer dest, std::size_t pitch, std::uint32_t data, std::size_t width,
                        std::size_t height, const Stream* stream) {
    fill<&EntryPoints::fn_cuMemsetD2D32Async>("cuMemsetD2D32Async", dest, rectangle_bytes(pitch, width, height, 4),
                                              stream, pitch, data, width, height, detail::handle_of(stream));
}

void memcpy_htod(DevicePointer dest, ConstBuffer src) {
    check_range(dest, src.size);
    const auto context = detail::context_for(nullptr, &dest);
    const Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuMemcpyHtoD, sizes("copy", src.size, context), dest.get(), src.data, src.size);
}

void memcpy_htod_async(DevicePointer dest, ConstBuffer src, const Stream* stream) {
    check_range(dest, src.size);
    const auto context = detail::context_for(stream, &dest);
    const Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuMemcpyHtoDAsync, sizes("copy", src.size, context), dest.get(), src.data,
                   src.size, detail::handle_of(stream));
}

void memcpy_dtoh(MutableBuffer dest, DevicePointer src) {
    check_range(src, dest.size);
    const auto context = detail::context_for(nullptr, &src);
    const Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuMemcpyDtoH, sizes("copy", dest.size, context), dest.data, src.get(), dest.size);
}

void memcpy_dtoh_async(MutableBuffer dest, DevicePointer src, const Stream* stream) {
    check_range(src, dest.size);
    const auto context = detail::context_for(stream, &src);
    const Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuMemcpyDtoHAsync, sizes("copy", dest.size, context), dest.data, src.get(),
                   dest.size, detail::handle_of(stream));
}

void memcpy_dtod(DevicePointer dest, DevicePointer src, std::size_t bytes) {
    check_range(dest, bytes);
    check_range(src, bytes);
    const auto context = detail::context_for(nullptr, &dest);
    const Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuMemcpyDtoD, sizes("copy", bytes, context), dest.get(), src.get(), bytes);
}

void memcpy_dtod_async(DevicePointer dest, DevicePointer src, std::size_t bytes, const Stream* stream) {
    check_range(dest, bytes);
    check_range(src, bytes);
    const auto context = detail::context_for(stream, &dest);
    const Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuMemcpyDtoDAsync, sizes("copy", bytes, context), dest.get(), src.get(), bytes,
                   detail::handle_of(stream));
}

} // namespace warplight::driver
