// SPDX-License-Identifier: Apache-2.0
// What a kernel is called with: scalars, structs, device memory, and host arrays that are copied around the call.
#pragma once

#include "warplight/buffer.hpp"
#include "warplight/memory.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace warplight::driver {

class SurfaceObject;
class TextureObject;

/// A host buffer with a copy on the device. The device memory is made at the first use and kept with the handler.
/// Copies share it. The copies are synchronous, also when the call has a stream.
class ArgumentHandler {
public:
    DevicePointer get_device_alloc() const;
    /// Copies to the device where this is an In or InOut.
    void pre_call(const Stream* stream) const;
    /// Copies back where this is an Out or InOut.
    void post_call(const Stream* stream) const;
    bool copies_back() const noexcept;

protected:
    ArgumentHandler(ConstBuffer in, MutableBuffer out, std::optional<NdArray> array);

private:
    struct State;
    Shared<State> state_;
};

/// Copied to the device before the call.
class In : public ArgumentHandler {
public:
    explicit In(const NdArray& array) : ArgumentHandler(ConstBuffer(array), {}, array) {}
    explicit In(ConstBuffer buffer) : ArgumentHandler(buffer, {}, {}) {}
};
/// Copied from the device after the call.
class Out : public ArgumentHandler {
public:
    explicit Out(const NdArray& array) : ArgumentHandler({}, MutableBuffer(array), array) {}
    explicit Out(MutableBuffer buffer) : ArgumentHandler({}, buffer, {}) {}
};
/// Both.
class InOut : public ArgumentHandler {
public:
    explicit InOut(const NdArray& array) : ArgumentHandler(ConstBuffer(array), MutableBuffer(array), array) {}
    explicit InOut(MutableBuffer buffer) : ArgumentHandler(ConstBuffer(buffer.data, buffer.size), buffer, {}) {}
};

class IPCMemoryHandle;
class PooledDeviceAllocation;

/// An arithmetic value, a Half, or a struct: the kernel gets its bytes.
template <class T>
concept PassedByValue =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> &&
    !std::is_base_of_v<ArgumentHandler, T> && !std::is_same_v<T, DevicePointer> && !std::is_same_v<T, std::nullptr_t>;

/// One argument, its type erased.
class Argument {
public:
    enum class Type : std::uint8_t { pointer, integer, real, bytes };
    template <PassedByValue T>
    static constexpr Type type_of() {
        if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
            return Type::integer;
        else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, Half>)
            return Type::real;
        else
            return Type::bytes;
    }

    template <PassedByValue T>
    Argument(const T& value) : Argument(type_of<T>(), &value, sizeof(T), alignof(T)) {}
    Argument(const DeviceAllocation& allocation);
    Argument(DevicePointer pointer);
    Argument(const PooledDeviceAllocation& allocation);
    Argument(const IPCMemoryHandle& memory);
    Argument(const PointerHolderBase& holder) : Argument(static_cast<DevicePointer>(holder)) {}
    Argument(const ArgumentHandler& handler);
    /// @throws LogicError when the object was freed. It must live until the kernel has ended.
    Argument(const TextureObject& texture);
    Argument(const SurfaceObject& surface);
    /// Page-locked, registered and managed arrays: their device address. Others: their bytes, by value.
    Argument(const NdArray& array);
    /// A host address is no use to a kernel: pass In(x), Out(x) or device memory.
    template <class T>
        requires std::is_pointer_v<T>
    Argument(T) = delete;
    Argument(std::nullptr_t) : Argument(DevicePointer(0)) {}

    /// A scalar of a type that is known at run time only. `data` has dtype.itemsize() bytes.
    static Argument scalar(const DType& dtype, const void* data);
    static Argument bytes(const void* data, std::size_t size, std::size_t alignment);

    Type type() const noexcept { return type_; }
    bool is_signed() const noexcept { return signed_; }
    std::size_t size() const noexcept { return size_; }
    std::size_t alignment() const noexcept { return alignment_; }
    const std::byte* data() const noexcept { return large_.empty() ? small_ : large_.data(); }
    const std::optional<ArgumentHandler>& handler() const noexcept { return handler_; }
    /// "int32", "float64", "pointer", "struct of 12 bytes"
    std::string describe() const;
    /// The same number as another type, or itself where it is not a number.
    Argument converted(Type type, std::size_t size, bool is_signed) const;
    /// Internal: the device address, once it is known.
    void set_pointer(device_ptr address);

private:
    Argument(Type type, const void* data, std::size_t size, std::size_t alignment, bool is_signed = true);

    Type type_;
    bool signed_ = true;
    std::size_t size_, alignment_;
    alignas(16) std::byte small_[16] = {};
    std::vector<std::byte> large_;
    std::optional<ArgumentHandler> handler_;
};

namespace detail {

/// An argument where it lies, for calls that have nothing to convert or to copy. Cheaper than an Argument.
struct ArgumentView {
    Argument::Type type;
    std::size_t size;
    const void* data;
};
template <class T>
concept Viewable = PassedByValue<T> || std::is_same_v<T, DevicePointer> || std::is_same_v<T, DeviceAllocation>;

template <PassedByValue T>
ArgumentView view(const T& value, device_ptr&) noexcept {
    return {Argument::type_of<T>(), sizeof(T), &value};
}
/// @param place where the address is put: it must live as long as the view
inline ArgumentView view(DevicePointer pointer, device_ptr& place) noexcept {
    place = pointer.get();
    return {Argument::Type::pointer, sizeof place, &place};
}
inline ArgumentView view(const DeviceAllocation& allocation, device_ptr& place) {
    return view(DevicePointer(allocation), place);
}

} // namespace detail

} // namespace warplight::driver
