// SPDX-License-Identifier: Apache-2.0
// NdArray: the only array type of the interface. Element type, shape, strides, and who owns the memory.
#pragma once

#include "warplight/half.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warplight {

enum class Kind : char {
    boolean = 'b',
    signed_integer = 'i',
    unsigned_integer = 'u',
    real = 'f',
    complex = 'c',
    opaque = 'V'
};

/// Type of an element, always in the host's byte order. Structured types are opaque: bytes with a description.
class DType {
public:
    DType() = default; ///< float64
    static DType boolean() { return {Kind::boolean, 1}; }
    static DType int8() { return {Kind::signed_integer, 1}; }
    static DType int16() { return {Kind::signed_integer, 2}; }
    static DType int32() { return {Kind::signed_integer, 4}; }
    static DType int64() { return {Kind::signed_integer, 8}; }
    static DType uint8() { return {Kind::unsigned_integer, 1}; }
    static DType uint16() { return {Kind::unsigned_integer, 2}; }
    static DType uint32() { return {Kind::unsigned_integer, 4}; }
    static DType uint64() { return {Kind::unsigned_integer, 8}; }
    static DType float16() { return {Kind::real, 2}; }
    static DType float32() { return {Kind::real, 4}; }
    static DType float64() { return {Kind::real, 8}; }
    static DType complex64() { return {Kind::complex, 8}; }
    static DType complex128() { return {Kind::complex, 16}; }
    /// @param descr the description as a .npy header has it; empty: plain bytes
    static DType opaque(std::size_t itemsize, std::string descr = {});

    /// "float32", "int8", "bool", "complex64", …, or in bits "f32", "i8", "u64", "c64", or "V12" (bytes).
    /// @throws LogicError for any other name, listing the known ones.
    static DType from_name(std::string_view name);
    /// NumPy's notation with a byte order: "<f4", "|b1", ">i8" (sizes in bytes). @throws LogicError.
    /// @param big_endian set when the data is big-endian (may be null: then that is an error)
    static DType from_typestr(std::string_view typestr, bool* big_endian = nullptr);

    Kind kind() const noexcept { return kind_; }
    std::size_t itemsize() const noexcept { return itemsize_; }
    /// "float32", …; "V12" for opaque ones.
    std::string name() const;
    /// "<f4", …
    std::string typestr() const;
    /// Description of a structured type, as in a .npy header; empty for plain ones.
    const std::string& descr() const noexcept { return descr_; }
    bool is_numeric() const noexcept { return kind_ != Kind::opaque; }

    friend bool operator==(const DType& a, const DType& b) noexcept {
        return a.kind_ == b.kind_ && a.itemsize_ == b.itemsize_ && a.descr_ == b.descr_;
    }
    /// All types but the opaque ones.
    static const std::vector<DType>& all();

private:
    DType(Kind kind, std::size_t itemsize) : kind_(kind), itemsize_(itemsize) {}
    Kind kind_ = Kind::real;
    std::size_t itemsize_ = 8;
    std::string descr_;
};

/// std::complex<Part>, whose header is a heavy one, and what has its shape.
template <class T, class Part>
concept ComplexOf =
    std::is_same_v<typename T::value_type, Part> && sizeof(T) == 2 * sizeof(Part) && requires(T number) {
        Part(number.real());
        Part(number.imag());
        number *= number;
    };

template <class T>
struct DTypeOf {
    static DType get() {
        if constexpr (std::is_same_v<T, bool>)
            return DType::boolean();
        else if constexpr (std::is_same_v<T, Half>)
            return DType::float16();
        else if constexpr (std::is_same_v<T, float>)
            return DType::float32();
        else if constexpr (std::is_same_v<T, double>)
            return DType::float64();
        else if constexpr (ComplexOf<T, float>)
            return DType::complex64();
        else if constexpr (ComplexOf<T, double>)
            return DType::complex128();
        else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
            const DType signed_types[] = {DType::int8(), DType::int16(), DType::int32(), DType::int64()};
            const DType unsigned_types[] = {DType::uint8(), DType::uint16(), DType::uint32(), DType::uint64()};
            constexpr int index = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
            return std::is_signed_v<T> ? signed_types[index] : unsigned_types[index];
        } else {
            static_assert(std::is_trivially_copyable_v<T>, "an array element must be trivially copyable");
            return DType::opaque(sizeof(T));
        }
    }
};
/// The element type of a C++ type.
template <class T>
DType dtype_of() {
    return DTypeOf<std::remove_cv_t<T>>::get();
}

enum class Order : char { C = 'C', F = 'F' };
using Shape = std::vector<std::size_t>;
using Strides = std::vector<std::ptrdiff_t>;

/// Whatever keeps an array's memory alive.
class ArrayOwner {
public:
    ArrayOwner() = default;
    ArrayOwner(const ArrayOwner&) = delete;
    ArrayOwner& operator=(const ArrayOwner&) = delete;
    virtual ~ArrayOwner() = default;
};

/// Elements of a shape, 0 to 32 dimensions, or @throws LogicError when the bytes do not fit a size_t.
std::size_t count_elements(const Shape& shape, std::size_t itemsize = 1);
/// "(2, 3)", "(5,)", "()"
std::string to_string(const Shape& shape);
/// Strides in bytes of a packed array.
Strides packed_strides(const Shape& shape, std::size_t itemsize, Order order);

/// An n-dimensional array. Copying it gives another view of the same elements, copy() gives new ones.
class NdArray {
public:
    NdArray() = default; ///< no elements: shape (0,), float64
    static NdArray empty(Shape shape, DType dtype, Order order = Order::C);
    static NdArray zeros(Shape shape, DType dtype, Order order = Order::C);
    /// A one-dimensional (or `shape`) array with a copy of the values.
    template <class T>
    static NdArray from(std::span<const T> values, Shape shape = {}) {
        return from_bytes(values.data(), values.size(), dtype_of<T>(), std::move(shape));
    }
    template <class T>
    static NdArray from(const std::vector<T>& values, Shape shape = {}) {
        return from(std::span<const T>(values), std::move(shape));
    }
    template <class T>
    static NdArray from(std::initializer_list<T> values, Shape shape = {}) {
        return from(std::span<const T>(values.begin(), values.size()), std::move(shape));
    }
    /// A view of memory that `owner` keeps alive (may be null: then the caller does).
    static NdArray wrap(void* data, Shape shape, DType dtype, Order order, Shared<ArrayOwner> owner,
                        bool writable = true);
    static NdArray wrap(void* data, Shape shape, Strides strides, DType dtype, Shared<ArrayOwner> owner,
                        bool writable = true);

    const DType& dtype() const noexcept { return dtype_; }
    const Shape& shape() const noexcept { return shape_; }
    /// In bytes.
    const Strides& strides() const noexcept { return strides_; }
    std::size_t ndim() const noexcept { return shape_.size(); }
    /// Number of elements.
    std::size_t size() const noexcept { return size_; }
    std::size_t itemsize() const noexcept { return dtype_.itemsize(); }
    std::size_t nbytes() const noexcept { return size_ * dtype_.itemsize(); }
    bool is_c_contiguous() const noexcept;
    bool is_f_contiguous() const noexcept;
    bool is_contiguous() const noexcept { return is_c_contiguous() || is_f_contiguous(); }
    /// F when it is Fortran-contiguous and not C-contiguous.
    Order order() const noexcept { return is_f_contiguous() && !is_c_contiguous() ? Order::F : Order::C; }
    bool writable() const noexcept { return writable_; }
    const Shared<ArrayOwner>& base() const noexcept { return owner_; }

    const std::byte* data() const noexcept { return data_; }
    /// @throws LogicError when the array is read-only.
    std::byte* mutable_data() const;
    /// The packed bytes. @throws LogicError when the array is not contiguous.
    std::span<const std::byte> bytes() const;
    std::span<std::byte> mutable_bytes() const;

    /// The elements in memory order. @throws LogicError when T is not the element type or it is not contiguous.
    template <class T>
    std::span<const T> as() const {
        check_type(dtype_of<T>());
        return {reinterpret_cast<const T*>(bytes().data()), size_};
    }
    template <class T>
    std::span<T> as_mutable() const {
        check_type(dtype_of<T>());
        return {reinterpret_cast<T*>(mutable_bytes().data()), size_};
    }
    /// One element. @throws LogicError for a wrong type, number of indices or index.
    template <class T, class... Index>
    const T& at(Index... index) const {
        check_type(dtype_of<T>());
        return *reinterpret_cast<const T*>(data_ + offset_of({static_cast<std::size_t>(index)...}));
    }
    /// Element number `flat` in C order, as a double (a complex one's real part). @throws LogicError for opaque ones.
    double item(std::size_t flat) const;
    /// Sets element number `flat` in C order, converted as astype() does.
    void set_item(std::size_t flat, double value) const;
    /// Address of element number `flat` in C order. @throws LogicError past the end.
    const std::byte* element(std::size_t flat) const;

    /// Same elements, another shape (same size). @throws LogicError when not C-contiguous or sizes differ.
    NdArray reshape(Shape shape) const;
    /// Dimensions in reverse order.
    NdArray transpose() const;
    /// Elements start, start + step, … (count of them) of one dimension.
    NdArray slice(std::size_t axis, std::size_t start, std::size_t count, std::ptrdiff_t step = 1) const;
    /// Same bytes seen as another type of the same size.
    NdArray view(DType dtype) const;
    /// New packed elements.
    NdArray copy(Order order = Order::C) const;
    /// New elements of another numeric type, converted as C++ does; out-of-range and NaN to integers saturate (NaN: 0).
    NdArray astype(DType dtype) const;
    void fill(double value) const;
    NdArray as_readonly() const;

private:
    static NdArray from_bytes(const void* data, std::size_t count, DType dtype, Shape shape);
    void check_type(const DType& wanted) const;
    std::size_t offset_of(std::initializer_list<std::size_t> index) const;

    std::byte* data_ = nullptr;
    DType dtype_;
    Shape shape_ = {0};
    Strides strides_ = {8};
    std::size_t size_ = 0;
    bool writable_ = true;
    Shared<ArrayOwner> owner_;
};

} // namespace warplight
