// SPDX-License-Identifier: Apache-2.0
// What a kernel is called with: scalars, structs, device memory, and host arrays that are copied around the call.
#pragma once

#include "warplight/buffer.hpp"
#include "warplight/memory.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

    // Moving copies: it is the same handler, and none is left empty.
    ArgumentHandler(const ArgumentHandler&) = default;
    ArgumentHandler& operator=(const ArgumentHandler&) = default;
    ~ArgumentHandler() = default;

protected:
    ArgumentHandler(ConstBuffer in, MutableBuffer out, std::optional<NdArray> array);

private:
    struct State;
    Shared<State> state_;
};

/// An array that ends with the expression that made it: not an NdArray, a span or another view.
template <class R>
concept TemporaryArray = !std::is_reference_v<R> && !std::is_const_v<R> && ContiguousTrivialRange<R> &&
                         !std::is_convertible_v<R, NdArray> && !std::ranges::enable_borrowed_range<R>;

/// Copied to the device before the call.
class In : public ArgumentHandler {
public:
    explicit In(const NdArray& array) : ArgumentHandler(ConstBuffer(array), {}, array) {}
    explicit In(ConstBuffer buffer) : ArgumentHandler(buffer, {}, {}) {}
    template <TemporaryArray R>
    explicit In(R&&) = delete; // a temporary is gone before the call may need it: give it a name
};
/// Copied from the device after the call.
class Out : public ArgumentHandler {
public:
    explicit Out(const NdArray& array) : ArgumentHandler({}, MutableBuffer(array), array) {}
    explicit Out(MutableBuffer buffer) : ArgumentHandler({}, buffer, {}) {}
    template <TemporaryArray R>
    explicit Out(R&&) = delete; // what the kernel writes would be lost with a temporary: give it a name
};
/// Both.
class InOut : public ArgumentHandler {
public:
    explicit InOut(const NdArray& array) : ArgumentHandler(ConstBuffer(array), MutableBuffer(array), array) {}
    explicit InOut(MutableBuffer buffer) : ArgumentHandler(ConstBuffer(buffer.data, buffer.size), buffer, {}) {}
    template <TemporaryArray R>
    explicit InOut(R&&) = delete; // what the kernel writes would be lost with a temporary: give it a name
};

class IPCMemoryHandle;
class PooledDeviceAllocation;

namespace detail {
template <class T>
inline constexpr bool is_host_view = false;
template <class T, std::size_t N>
inline constexpr bool is_host_view<std::span<T, N>> = true;
template <class C, class Traits>
inline constexpr bool is_host_view<std::basic_string_view<C, Traits>> = true;
} // namespace detail

/// An arithmetic value, a Half, or a struct: the kernel gets its bytes.
template <class T>
concept PassedByValue = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_array_v<T> &&
                        !std::is_base_of_v<ArgumentHandler, T> && !std::is_same_v<T, DevicePointer> &&
                        !std::is_same_v<T, std::nullptr_t> && !detail::is_host_view<T>;

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
    Argument(const T& value) : Argument(type_of<T>(), &value, sizeof(T), alignof(T), is_signed_type<T>()) {}
    /// One without memory is an error of the call.
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
    /// Why no kernel can be called with it: "was freed", …; null where one can.
    const char* problem() const noexcept { return problem_; }
    /// The same number as another type, or itself where it is not a number.
    Argument converted(Type type, std::size_t size, bool is_signed) const;
    /// Internal: the device address, once it is known.
    void set_pointer(device_ptr address);

private:
    Argument(Type type, const void* data, std::size_t size, std::size_t alignment, bool is_signed = true);
    template <PassedByValue T>
    static constexpr bool is_signed_type() {
        if constexpr (std::is_enum_v<T>)
            return std::is_signed_v<std::underlying_type_t<T>>;
        else
            return !std::is_integral_v<T> || std::is_signed_v<T>;
    }

    Type type_;
    bool signed_ = true;
    std::size_t size_, alignment_;
    alignas(16) std::byte small_[16] = {};
    std::vector<std::byte> large_;
    std::optional<ArgumentHandler> handler_;
    const char* problem_ = nullptr;
};

/// What a kernel can be called with: values, device memory, In, Out and InOut, textures.
template <class T>
concept KernelArgument = std::is_constructible_v<Argument, const T&>;

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
/// Without memory it has no size, so that it matches no parameter.
inline ArgumentView view(const DeviceAllocation& allocation, device_ptr& place) noexcept {
    place = allocation.get();
    return {Argument::Type::pointer, place ? sizeof place : 0, &place};
}

/// The argument; a type that no kernel takes does not compile, and the first line says why.
template <class T>
Argument make_argument(const T& value) {
    if constexpr (KernelArgument<T>) {
        return Argument(value);
    } else {
        constexpr bool pointer = std::is_pointer_v<T>;
        constexpr bool range = ContiguousTrivialRange<const T>;
        static_assert(!pointer, "a kernel takes no host pointer: pass In(x), Out(x), InOut(x) of an array, a "
                                "DeviceAllocation, or DevicePointer(address) for the address of device memory");
        static_assert(pointer || !range, "a kernel takes no array of the host: pass In(x), Out(x) or InOut(x), or "
                                         "device memory, as to_device(x) makes it");
        static_assert(pointer || range, "a kernel takes numbers, trivially copyable structs, device memory, In, Out, "
                                        "InOut, textures and surfaces");
        return Argument(0);
    }
}

/// The arguments of a call, their types erased.
template <std::size_t Count>
class ArgumentList {
public:
    template <class... Args>
    explicit ArgumentList(const Args&... args) : list_{make_argument(args)..., Argument(0)} {}
    operator std::span<const Argument>() const noexcept { return {list_, Count}; }

private:
    Argument list_[Count + 1];
};

} // namespace detail

} // namespace warplight::driver
