// SPDX-License-Identifier: Apache-2.0
#include "warplight/argument.hpp"

#include "interface/state.hpp"
#include "warplight/error.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/ipc.hpp"
#include "warplight/memory_pool.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>

namespace warplight::driver {

struct ArgumentHandler::State {
    ConstBuffer in;
    MutableBuffer out;
    std::optional<NdArray> array; // keeps the host memory alive
    std::mutex mutex;
    DeviceAllocation allocation;
};

ArgumentHandler::ArgumentHandler(ConstBuffer in, MutableBuffer out, std::optional<NdArray> array)
    : state_(std::make_shared<State>()) {
    state_->in = in;
    state_->out = out;
    state_->array = std::move(array);
}

DevicePointer ArgumentHandler::get_device_alloc() const {
    const std::scoped_lock lock(state_->mutex);
    // Empty arrays need an address too; kernels do not use it.
    if (!state_->allocation)
        state_->allocation = mem_alloc(std::max({state_->in.size, state_->out.size, std::size_t{1}}));
    return state_->allocation;
}

void ArgumentHandler::pre_call(const Stream*) const {
    if (state_->in.size) memcpy_htod(get_device_alloc(), state_->in);
}

void ArgumentHandler::post_call(const Stream* stream) const {
    if (!state_->out.size) return;
    const DevicePointer source = get_device_alloc();
    if (!stream) {
        memcpy_dtoh(state_->out, source);
        return;
    }
    // Behind the kernel in its own stream: a stream that is not blocking does not wait for the default one.
    memcpy_dtoh_async(state_->out, source, stream);
    const auto context = detail::context_for(stream);
    const detail::Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuStreamSynchronize, "copy back in " + context->describe(),
                   detail::handle_of(stream));
}

bool ArgumentHandler::copies_back() const noexcept { return state_->out.size != 0; }

Argument::Argument(Type type, const void* data, std::size_t size, std::size_t alignment, bool is_signed)
    : type_(type), signed_(is_signed), size_(size), alignment_(alignment) {
    std::byte* place = small_;
    if (size > sizeof small_) {
        large_.resize(size);
        place = large_.data();
    }
    std::memcpy(place, data, size);
}

namespace {
constexpr const char* kFreed = "is device memory that was freed";
constexpr const char* kNoMemory = "is an allocation without memory: it was moved from, given back, or never made";
} // namespace

Argument::Argument(const DeviceAllocation& allocation) : Argument(DevicePointer(allocation.get())) {
    if (!allocation) problem_ = allocation.state() ? kFreed : kNoMemory;
}

Argument::Argument(const PooledDeviceAllocation& allocation) : Argument(DevicePointer(allocation.get())) {
    if (!allocation) problem_ = kNoMemory;
}

Argument::Argument(const IPCMemoryHandle& memory) : Argument(DevicePointer(memory.get())) {
    if (!memory) problem_ = kNoMemory;
}

Argument::Argument(DevicePointer pointer)
    : type_(Type::pointer), size_(sizeof(device_ptr)), alignment_(sizeof(device_ptr)) {
    set_pointer(pointer.get());
}

Argument::Argument(const ArgumentHandler& handler)
    : type_(Type::pointer), size_(sizeof(device_ptr)), alignment_(sizeof(device_ptr)), handler_(handler) {}

namespace {
Argument array_argument(const NdArray& array) {
    const auto* memory = dynamic_cast<const HostPointer*>(array.base().get());
    if (memory && !dynamic_cast<const AlignedHostAllocation*>(memory)) {
        const auto offset = array.data() - static_cast<const std::byte*>(memory->data());
        return DevicePointer(memory->get_device_pointer() + static_cast<device_ptr>(offset));
    }
    const auto bytes = array.bytes();
    return Argument::bytes(bytes.data(), bytes.size(), 1);
}
} // namespace

Argument::Argument(const NdArray& array) : Argument(array_argument(array)) {}

Argument Argument::scalar(const DType& dtype, const void* data) {
    const std::size_t size = dtype.itemsize();
    switch (dtype.kind()) {
    case Kind::boolean:
    case Kind::unsigned_integer: return {Type::integer, data, size, size, false};
    case Kind::signed_integer: return {Type::integer, data, size, size, true};
    case Kind::real: return {Type::real, data, size, size};
    case Kind::complex: return {Type::bytes, data, size, size / 2};
    case Kind::opaque: break;
    }
    return {Type::bytes, data, size, 1};
}

Argument Argument::bytes(const void* data, std::size_t size, std::size_t alignment) {
    return {Type::bytes, data, size, alignment};
}

std::string Argument::describe() const {
    switch (type_) {
    case Type::pointer: return "pointer";
    case Type::integer: return (signed_ ? "int" : "uint") + std::to_string(size_ * 8);
    case Type::real: return "float" + std::to_string(size_ * 8);
    case Type::bytes: break;
    }
    return "struct of " + std::to_string(size_) + " bytes";
}

namespace {

template <class T>
T load(const std::byte* data) {
    T value;
    std::memcpy(&value, data, sizeof value);
    return value;
}

NdArray as_array(const Argument& argument) {
    DType dtype;
    if (argument.type() == Argument::Type::real)
        dtype = DType::from_name("f" + std::to_string(argument.size() * 8));
    else
        dtype = DType::from_name((argument.is_signed() ? "i" : "u") + std::to_string(argument.size() * 8));
    NdArray array = NdArray::empty({}, dtype);
    std::memcpy(array.mutable_data(), argument.data(), argument.size());
    return array;
}

} // namespace

Argument Argument::converted(Type type, std::size_t size, bool is_signed) const {
    const bool number = type_ == Type::integer || type_ == Type::real;
    if (!number || (type != Type::integer && type != Type::real)) {
        if (type == Type::pointer && type_ == Type::integer && size_ == sizeof(device_ptr))
            return DevicePointer(load<device_ptr>(data()));
        return *this;
    }
    if (type == type_ && size == size_) return *this;
    const std::string prefix = type == Type::real ? "f" : is_signed ? "i" : "u";
    const NdArray value = as_array(*this).astype(DType::from_name(prefix + std::to_string(size * 8)));
    // An integer that changes by it would reach the kernel as another number.
    if (type == Type::integer && value.item(0) != as_array(*this).item(0))
        throw_logic_error("the value " + std::to_string(as_array(*this).item(0)) + " does not fit an " +
                          (is_signed ? "int" : "uint") + std::to_string(size * 8));
    return scalar(value.dtype(), value.data());
}

void Argument::set_pointer(device_ptr address) { std::memcpy(small_, &address, sizeof address); }

} // namespace warplight::driver
