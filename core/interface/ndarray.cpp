// SPDX-License-Identifier: Apache-2.0
#include "warplight/ndarray.hpp"

#include "warplight/error.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace warplight {

using driver::throw_logic_error;

namespace {

constexpr std::size_t kMaxDimensions = 32;

/// Memory of the array itself, aligned for vectors and for direct transfers.
class HeapMemory : public ArrayOwner {
public:
    HeapMemory(std::size_t bytes, bool zero) {
        // calloc gives pages that are zero already, so large zero arrays cost nothing until they are used.
        block_ = zero ? std::calloc(bytes + kAlignment, 1) : std::malloc(bytes + kAlignment);
        if (!block_)
            throw driver::MemoryError({.text = "no host memory for an array of " + std::to_string(bytes) + " bytes"});
        const auto address = reinterpret_cast<std::uintptr_t>(block_);
        data_ = reinterpret_cast<std::byte*>((address + kAlignment - 1) / kAlignment * kAlignment);
    }
    ~HeapMemory() override { std::free(block_); }
    std::byte* data() const { return data_; }

private:
    static constexpr std::size_t kAlignment = 64;
    void* block_;
    std::byte* data_;
};

NdArray make_array(Shape shape, DType dtype, Order order, bool zero) {
    const std::size_t count = count_elements(shape, dtype.itemsize());
    auto memory = std::make_shared<HeapMemory>(count * dtype.itemsize(), zero);
    std::byte* data = memory->data();
    return NdArray::wrap(data, std::move(shape), std::move(dtype), order, std::move(memory));
}

/// Calls with each element's address in C order.
template <class Visit>
void for_each_element(const std::byte* data, const Shape& shape, const Strides& strides, std::size_t dimension,
                      const Visit& visit) {
    if (dimension == shape.size()) {
        visit(data);
        return;
    }
    for (std::size_t i = 0; i < shape[dimension]; ++i, data += strides[dimension])
        for_each_element(data, shape, strides, dimension + 1, visit);
}

template <class T>
T load(const std::byte* data) {
    // A file may hold any byte where a bool is expected; in C++ only 0 and 1 are bools.
    if constexpr (std::is_same_v<T, bool>) {
        return *data != std::byte{0};
    } else {
        T value;
        std::memcpy(&value, data, sizeof value);
        return value;
    }
}
template <class T>
void store(std::byte* data, T value) {
    std::memcpy(data, &value, sizeof value);
}

/// Calls with a value of the C++ type that a numeric dtype stands for.
template <class Visit>
auto visit_type(const DType& dtype, const Visit& visit) {
    switch (dtype.kind()) {
    case Kind::boolean: return visit(bool{});
    case Kind::signed_integer:
        switch (dtype.itemsize()) {
        case 1: return visit(std::int8_t{});
        case 2: return visit(std::int16_t{});
        case 4: return visit(std::int32_t{});
        default: return visit(std::int64_t{});
        }
    case Kind::unsigned_integer:
        switch (dtype.itemsize()) {
        case 1: return visit(std::uint8_t{});
        case 2: return visit(std::uint16_t{});
        case 4: return visit(std::uint32_t{});
        default: return visit(std::uint64_t{});
        }
    case Kind::real:
        switch (dtype.itemsize()) {
        case 2: return visit(Half{});
        case 4: return visit(float{});
        default: return visit(double{});
        }
    case Kind::complex:
        if (dtype.itemsize() == 8) return visit(std::complex<float>{});
        return visit(std::complex<double>{});
    case Kind::opaque: break;
    }
    throw_logic_error("elements of type " + dtype.name() + " are not numbers");
}

template <class To, class From>
To saturate(From value) {
    if constexpr (std::is_floating_point_v<From>) {
        if (std::isnan(value)) return 0;
        // The largest To may not be representable as From; the next power of two is.
        const From limit = std::ldexp(From{1}, std::numeric_limits<To>::digits);
        if (value >= limit) return std::numeric_limits<To>::max();
        if (std::is_signed_v<To> ? value < -limit : value <= From{-1}) return std::numeric_limits<To>::min();
        return static_cast<To>(value);
    } else {
        if (std::cmp_greater(value, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
        if (std::cmp_less(value, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        return static_cast<To>(value);
    }
}

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

template <class To, class From>
To convert(From value) {
    if constexpr (is_complex<From> && is_complex<To>) {
        return To(static_cast<typename To::value_type>(value.real()),
                  static_cast<typename To::value_type>(value.imag()));
    } else if constexpr (is_complex<From>) {
        return convert<To>(value.real());
    } else if constexpr (is_complex<To>) {
        return To(convert<typename To::value_type>(value));
    } else if constexpr (std::is_same_v<From, Half>) {
        return convert<To>(static_cast<float>(value));
    } else if constexpr (std::is_same_v<To, Half>) {
        // From double in one rounding: odd rounding to float first keeps the sticky bit.
        if constexpr (std::is_same_v<From, double> || (std::is_integral_v<From> && sizeof(From) >= 4)) {
            const double wide = static_cast<double>(value);
            float narrow = static_cast<float>(wide);
            if (static_cast<double>(narrow) != wide && std::isfinite(narrow) &&
                (std::bit_cast<std::uint32_t>(narrow) & 1u) == 0)
                narrow = std::nextafter(narrow,
                                        static_cast<float>(wide > static_cast<double>(narrow) ? INFINITY : -INFINITY));
            return Half(narrow);
        } else {
            return Half(static_cast<float>(value));
        }
    } else if constexpr (std::is_same_v<To, bool>) {
        return value != From{};
    } else if constexpr (std::is_floating_point_v<To>) {
        return static_cast<To>(value);
    } else if constexpr (std::is_same_v<From, bool>) {
        return static_cast<To>(value);
    } else {
        return saturate<To>(value);
    }
}

} // namespace

std::size_t count_elements(const Shape& shape, std::size_t itemsize) {
    if (shape.size() > kMaxDimensions)
        throw_logic_error("an array has at most 32 dimensions, not " + std::to_string(shape.size()));
    for (const std::size_t extent : shape)
        if (extent == 0) return 0;
    constexpr std::size_t limit = std::numeric_limits<std::ptrdiff_t>::max();
    std::size_t count = 1, bytes = itemsize;
    for (const std::size_t extent : shape) {
        if (bytes > limit / extent) throw_logic_error("an array of shape " + to_string(shape) + " is too large");
        bytes *= extent;
        count *= extent;
    }
    return count;
}

std::string to_string(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

Strides packed_strides(const Shape& shape, std::size_t itemsize, Order order) {
    Strides strides(shape.size());
    auto step = static_cast<std::ptrdiff_t>(itemsize);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::size_t dimension = order == Order::F ? i : shape.size() - 1 - i;
        strides[dimension] = step;
        // An array without elements has no use for its strides; they must not overflow.
        if (shape[dimension] && count_elements(shape, itemsize)) step *= static_cast<std::ptrdiff_t>(shape[dimension]);
    }
    return strides;
}

NdArray NdArray::empty(Shape shape, DType dtype, Order order) {
    return make_array(std::move(shape), std::move(dtype), order, false);
}
NdArray NdArray::zeros(Shape shape, DType dtype, Order order) {
    return make_array(std::move(shape), std::move(dtype), order, true);
}

NdArray NdArray::from_bytes(const void* data, std::size_t count, DType dtype, Shape shape) {
    if (shape.empty()) shape = {count};
    if (count_elements(shape, dtype.itemsize()) != count)
        throw_logic_error(std::to_string(count) + " values do not fill the shape " + to_string(shape));
    NdArray array = empty(std::move(shape), std::move(dtype));
    if (count) std::memcpy(array.data_, data, array.nbytes());
    return array;
}

NdArray NdArray::wrap(void* data, Shape shape, DType dtype, Order order, Shared<ArrayOwner> owner, bool writable) {
    Strides strides = packed_strides(shape, dtype.itemsize(), order);
    return wrap(data, std::move(shape), std::move(strides), std::move(dtype), std::move(owner), writable);
}

NdArray NdArray::wrap(void* data, Shape shape, Strides strides, DType dtype, Shared<ArrayOwner> owner, bool writable) {
    if (strides.size() != shape.size())
        throw_logic_error("an array of " + std::to_string(shape.size()) + " dimensions cannot have " +
                          std::to_string(strides.size()) + " strides");
    NdArray array;
    array.size_ = count_elements(shape, dtype.itemsize());
    array.data_ = static_cast<std::byte*>(data);
    array.dtype_ = std::move(dtype);
    array.shape_ = std::move(shape);
    array.strides_ = std::move(strides);
    array.owner_ = std::move(owner);
    array.writable_ = writable;
    return array;
}

bool NdArray::is_c_contiguous() const noexcept {
    if (size_ == 0) return true;
    auto step = static_cast<std::ptrdiff_t>(itemsize());
    for (std::size_t i = shape_.size(); i-- > 0;) {
        if (shape_[i] != 1 && strides_[i] != step) return false;
        step *= static_cast<std::ptrdiff_t>(shape_[i]);
    }
    return true;
}

bool NdArray::is_f_contiguous() const noexcept {
    if (size_ == 0) return true;
    auto step = static_cast<std::ptrdiff_t>(itemsize());
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        if (shape_[i] != 1 && strides_[i] != step) return false;
        step *= static_cast<std::ptrdiff_t>(shape_[i]);
    }
    return true;
}

std::byte* NdArray::mutable_data() const {
    if (!writable_) throw_logic_error("the array is read-only", {}, "copy() it first");
    return data_;
}

std::span<const std::byte> NdArray::bytes() const {
    if (!is_contiguous()) throw_logic_error("the array is not contiguous", {}, "copy() it first");
    return {data_, nbytes()};
}

std::span<std::byte> NdArray::mutable_bytes() const {
    const auto all = bytes();
    return {mutable_data(), all.size()};
}

void NdArray::check_type(const DType& wanted) const {
    // A structured type may be read as any struct of its size.
    const bool same = wanted.kind() == dtype_.kind() && wanted.itemsize() == dtype_.itemsize();
    if (!same) throw_logic_error("the array holds " + dtype_.name() + ", not " + wanted.name());
}

std::size_t NdArray::offset_of(std::initializer_list<std::size_t> index) const {
    if (index.size() != shape_.size())
        throw_logic_error("an array of shape " + to_string(shape_) + " takes " + std::to_string(shape_.size()) +
                          " indices, not " + std::to_string(index.size()));
    std::ptrdiff_t offset = 0;
    std::size_t dimension = 0;
    for (const std::size_t i : index) {
        if (i >= shape_[dimension])
            throw_logic_error("index " + std::to_string(i) + " is outside of dimension " + std::to_string(dimension) +
                              " of an array of shape " + to_string(shape_));
        offset += static_cast<std::ptrdiff_t>(i) * strides_[dimension++];
    }
    return static_cast<std::size_t>(offset);
}

const std::byte* NdArray::element(std::size_t flat) const {
    if (flat >= size_)
        throw_logic_error("element " + std::to_string(flat) + " is outside of an array of " + std::to_string(size_));
    const std::byte* place = data_;
    for (std::size_t i = shape_.size(); i-- > 0;) {
        place += static_cast<std::ptrdiff_t>(flat % shape_[i]) * strides_[i];
        flat /= shape_[i];
    }
    return place;
}

double NdArray::item(std::size_t flat) const {
    const std::byte* place = element(flat);
    return visit_type(dtype_, [&](auto type) { return convert<double>(load<decltype(type)>(place)); });
}

void NdArray::set_item(std::size_t flat, double value) const {
    auto* place = const_cast<std::byte*>(element(flat));
    mutable_data();
    visit_type(dtype_, [&](auto type) { store(place, convert<decltype(type)>(value)); });
}

NdArray NdArray::reshape(Shape shape) const {
    if (count_elements(shape, itemsize()) != size_)
        throw_logic_error("an array of shape " + to_string(shape_) + " cannot become " + to_string(shape));
    if (!is_c_contiguous()) throw_logic_error("the array is not C-contiguous", {}, "copy() it first");
    return wrap(data_, std::move(shape), dtype_, Order::C, owner_, writable_);
}

NdArray NdArray::transpose() const {
    return wrap(data_, Shape(shape_.rbegin(), shape_.rend()), Strides(strides_.rbegin(), strides_.rend()), dtype_,
                owner_, writable_);
}

NdArray NdArray::slice(std::size_t axis, std::size_t start, std::size_t count, std::ptrdiff_t step) const {
    if (axis >= shape_.size())
        throw_logic_error("there is no dimension " + std::to_string(axis) + " in shape " + to_string(shape_));
    if (count) {
        const std::size_t extent = shape_[axis];
        const std::size_t room = step >= 0 ? (start < extent ? extent - 1 - start : 0) : start;
        const std::size_t stride =
            step >= 0 ? static_cast<std::size_t>(step) : std::size_t{0} - static_cast<std::size_t>(step);
        if (start >= extent || (stride && (count - 1) > room / stride))
            throw_logic_error("the slice leaves dimension " + std::to_string(axis) + " of shape " + to_string(shape_));
    }
    NdArray array = *this;
    array.shape_[axis] = count;
    if (count) array.data_ += static_cast<std::ptrdiff_t>(start) * strides_[axis];
    array.strides_[axis] *= step;
    array.size_ = count_elements(array.shape_, itemsize());
    return array;
}

NdArray NdArray::view(DType dtype) const {
    if (dtype.itemsize() != itemsize())
        throw_logic_error("elements of " + std::to_string(itemsize()) + " bytes cannot be seen as " + dtype.name());
    NdArray array = *this;
    array.dtype_ = std::move(dtype);
    return array;
}

NdArray NdArray::copy(Order order) const {
    NdArray result = empty(shape_, dtype_, order);
    if (size_ == 0) return result;
    if (order == Order::C ? is_c_contiguous() : is_f_contiguous()) {
        std::memcpy(result.data_, data_, nbytes());
        return result;
    }
    // Memory order of the result: its C order, or the C order of its transpose.
    const NdArray source = order == Order::C ? *this : transpose();
    std::byte* place = result.data_;
    const std::size_t step = itemsize();
    for_each_element(source.data_, source.shape_, source.strides_, 0, [&](const std::byte* element) {
        std::memcpy(place, element, step);
        place += step;
    });
    return result;
}

NdArray NdArray::astype(DType dtype) const {
    if (dtype == dtype_) return copy(order());
    NdArray result = empty(shape_, std::move(dtype));
    visit_type(dtype_, [&](auto from) {
        visit_type(result.dtype_, [&](auto to) {
            std::byte* place = result.data_;
            if (size_)
                for_each_element(data_, shape_, strides_, 0, [&](const std::byte* element) {
                    store(place, convert<decltype(to)>(load<decltype(from)>(element)));
                    place += sizeof to;
                });
        });
    });
    return result;
}

void NdArray::fill(double value) const {
    mutable_data();
    if (size_ == 0) return;
    visit_type(dtype_, [&](auto type) {
        const auto converted = convert<decltype(type)>(value);
        for_each_element(data_, shape_, strides_, 0,
                         [&](const std::byte* element) { store(const_cast<std::byte*>(element), converted); });
    });
}

NdArray NdArray::as_readonly() const {
    NdArray array = *this;
    array.writable_ = false;
    return array;
}

} // namespace warplight
