// SPDX-License-Identifier: Apache-2.0
#include "session/array_views.hpp"

#include "session/lazy_elements.hpp"
#include "session/pieces.hpp"
#include "session/session.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace warplight::session {
namespace {

/// Strided elements of an array that is no plain memory.
class SliceElements : public LazyElements {
public:
    /// @param strides in elements of `base`, and `start` too
    SliceElements(NdArray base, std::size_t start, Shape shape, std::vector<std::size_t> strides)
        : base_(std::move(base)), start_(start), shape_(std::move(shape)), strides_(std::move(strides)) {}

    void read(std::uint64_t place, std::span<std::byte> to) const override {
        const std::size_t item = base_.itemsize();
        PieceReader reader(base_);
        std::size_t element = static_cast<std::size_t>(place / item), left = to.size() / item;
        std::byte* out = to.data();
        const std::size_t length = shape_.empty() ? 1 : shape_.back();
        while (left > 0) {
            const std::size_t along = element % length, run = std::min(left, length - along);
            read_run(reader, place_of(element), run, out);
            out += run * item;
            element += run;
            left -= run;
        }
    }

private:
    [[nodiscard]] std::size_t place_of(std::size_t element) const {
        std::size_t place = start_;
        for (std::size_t axis = shape_.size(); axis-- > 0;) {
            place += element % shape_[axis] * strides_[axis];
            element /= shape_[axis];
        }
        return place;
    }
    /// Along the last axis. Elements that lie close are read together with those between.
    void read_run(PieceReader& reader, std::size_t from, std::size_t count, std::byte* out) const {
        constexpr std::size_t close = 512, together = std::size_t(1) << 20;
        const std::size_t item = base_.itemsize(), stride = strides_.empty() ? 1 : strides_.back();
        const std::size_t most = stride * item <= close ? std::max<std::size_t>(1, together / (stride * item)) : 1;
        while (count > 0) {
            const std::size_t part = std::min(count, most);
            const auto bytes = reader.read(from, (part - 1) * stride + 1);
            if (stride == 1)
                std::memcpy(out, bytes.data(), part * item);
            else
                for (std::size_t i = 0; i < part; ++i)
                    std::memcpy(out + i * item, bytes.data() + i * stride * item, item);
            out += part * item;
            from += part * stride;
            count -= part;
        }
    }

    NdArray base_;
    std::size_t start_;
    Shape shape_;
    std::vector<std::size_t> strides_;
};

/// Any array in C order, for another look at the same bytes.
class PackedElements : public LazyElements {
public:
    explicit PackedElements(NdArray base) : base_(std::move(base)) {}
    void read(std::uint64_t place, std::span<std::byte> to) const override {
        const std::size_t item = base_.itemsize();
        PieceReader reader(base_);
        const auto bytes = reader.read(static_cast<std::size_t>(place / item), to.size() / item);
        if (!to.empty()) std::memcpy(to.data(), bytes.data(), to.size());
    }

private:
    NdArray base_;
};

/// Calls use(first element, part of `to`) for pieces of elements of T.
template <class T, class Use>
void by_pieces(std::uint64_t place, std::span<std::byte> to, const Use& use) {
    std::size_t element = static_cast<std::size_t>(place / sizeof(T));
    while (!to.empty()) {
        const std::size_t count = std::min(kPiece, to.size() / sizeof(T));
        use(element, to.first(count * sizeof(T)));
        element += count;
        to = to.subspan(count * sizeof(T));
    }
}

/// Magnitude or phase of complex numbers.
template <class T>
class PolarElements : public LazyElements {
public:
    PolarElements(NdArray base, bool phase) : base_(std::move(base)), phase_(phase) {}
    void read(std::uint64_t place, std::span<std::byte> to) const override {
        PieceReader reader(base_);
        by_pieces<T>(place, to, [&](std::size_t element, std::span<std::byte> part) {
            const std::size_t count = part.size() / sizeof(T);
            const auto bytes = reader.read(element, count);
            for (std::size_t i = 0; i < count; ++i) {
                std::complex<T> number;
                std::memcpy(&number, bytes.data() + i * sizeof number, sizeof number);
                const T value =
                    phase_ ? std::atan2(number.imag(), number.real()) : std::hypot(number.real(), number.imag());
                std::memcpy(part.data() + i * sizeof value, &value, sizeof value);
            }
        });
    }

private:
    NdArray base_;
    bool phase_;
};

/// Columns of any types as float64, or of one type as they are.
class ColumnElements : public LazyElements {
public:
    ColumnElements(std::vector<NdArray> columns, std::size_t itemsize, bool as_they_are)
        : columns_(std::move(columns)), item_(itemsize), as_they_are_(as_they_are) {}

    void read(std::uint64_t place, std::span<std::byte> to) const override {
        const std::size_t width = columns_.size(), first = static_cast<std::size_t>(place / item_);
        const std::size_t end = first + to.size() / item_;
        if (first == end) return;
        const std::size_t rows_end = (end - 1) / width + 1;
        std::vector<double> numbers;
        for (std::size_t column = 0; column < width; ++column) {
            PieceReader reader(columns_[column]);
            for (std::size_t row = first / width; row < rows_end;) {
                const std::size_t count = std::min(kPiece, rows_end - row);
                std::span<const std::byte> bytes;
                if (as_they_are_) {
                    bytes = reader.read(row, count);
                } else {
                    numbers.resize(count);
                    read_numbers(columns_[column], row, numbers);
                    bytes = std::as_bytes(std::span(numbers));
                }
                for (std::size_t i = 0; i < count; ++i) {
                    const std::size_t at = (row + i) * width + column;
                    if (at >= first && at < end)
                        std::memcpy(to.data() + (at - first) * item_, bytes.data() + i * item_, item_);
                }
                row += count;
            }
        }
    }

private:
    std::vector<NdArray> columns_;
    std::size_t item_;
    bool as_they_are_;
};

[[noreturn]] void refuse_slice(const NdArray& array, const std::string& what) {
    throw SessionError(
        fmt::format("The array has the shape {}, so it has no {}.", warplight::to_string(array.shape()), what));
}

/// The same memory with these strides. `offset` is in bytes.
NdArray in_same_memory(const NdArray& array, std::ptrdiff_t offset, Shape shape, Strides strides, DType dtype) {
    auto* data = const_cast<std::byte*>(array.data()) + offset; // what wraps it is read-only
    return NdArray::wrap(data, std::move(shape), std::move(strides), std::move(dtype), array.base(), false);
}

bool is_pair_of_floats(const NdArray& array) {
    const bool floats = array.dtype() == DType::float32() || array.dtype() == DType::float64();
    return floats && array.ndim() > 0 && array.shape().back() == 2;
}

/// Complex numbers with an axis more, of real and imaginary part.
NdArray with_components(const NdArray& array) {
    const DType part = array.dtype() == DType::complex64() ? DType::float32() : DType::float64();
    Shape shape = array.shape();
    shape.push_back(2);
    if (LazyElements::of(array)) return NdArray::wrap(nullptr, std::move(shape), part, Order::C, array.base(), false);
    Strides strides = array.strides();
    strides.push_back(static_cast<std::ptrdiff_t>(part.itemsize()));
    return in_same_memory(array, 0, std::move(shape), std::move(strides), part);
}

/// Pairs of floats as complex numbers.
NdArray as_complex(const NdArray& array) {
    const DType type = array.dtype() == DType::float32() ? DType::complex64() : DType::complex128();
    Shape shape = array.shape();
    shape.pop_back();
    if (LazyElements::of(array)) return NdArray::wrap(nullptr, std::move(shape), type, Order::C, array.base(), false);
    Strides strides = array.strides();
    if (strides.back() != static_cast<std::ptrdiff_t>(array.itemsize()))
        return array_of(std::make_shared<PackedElements>(array), std::move(shape), type);
    strides.pop_back();
    return in_same_memory(array, 0, std::move(shape), std::move(strides), type);
}

} // namespace

NdArray slice_view(const NdArray& array, std::span<const AxisRange> axes, std::span<const std::size_t> index) {
    const Shape& shape = array.shape();
    if (index.size() != shape.size()) refuse_slice(array, fmt::format("slice with {} indices", index.size()));
    std::vector<std::size_t> start(index.begin(), index.end());
    std::vector<bool> kept(shape.size(), false);
    Shape result;
    result.reserve(axes.size());
    for (const AxisRange& each : axes) {
        if (each.axis >= shape.size() || kept[each.axis])
            refuse_slice(array, fmt::format("axis {} to show", each.axis));
        if (each.start > shape[each.axis] || each.count > shape[each.axis] - each.start)
            refuse_slice(array,
                         fmt::format("indices {} to {} on axis {}", each.start, each.start + each.count, each.axis));
        kept[each.axis] = true;
        start[each.axis] = each.start;
        result.push_back(each.count);
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (!kept[axis] && start[axis] >= shape[axis])
            refuse_slice(array, fmt::format("index {} on axis {}", start[axis], axis));
    if (!LazyElements::of(array)) {
        std::ptrdiff_t offset = 0;
        Strides strides;
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            offset += static_cast<std::ptrdiff_t>(start[axis]) * array.strides()[axis];
        for (const AxisRange& each : axes)
            strides.push_back(array.strides()[each.axis]);
        return in_same_memory(array, offset, std::move(result), std::move(strides), array.dtype());
    }
    std::vector<std::size_t> packed(shape.size(), 1), strides;
    for (std::size_t axis = shape.size(); axis-- > 1;)
        packed[axis - 1] = packed[axis] * shape[axis];
    std::size_t first = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        first += start[axis] * packed[axis];
    for (const AxisRange& each : axes)
        strides.push_back(packed[each.axis]);
    auto elements = std::make_shared<SliceElements>(array, first, result, std::move(strides));
    return array_of(std::move(elements), std::move(result), array.dtype());
}

NdArray complex_view(const NdArray& array, ComplexPart part) {
    const bool pairs = is_pair_of_floats(array);
    if (!pairs && array.dtype().kind() != Kind::complex)
        throw SessionError(
            fmt::format("An array of {} with the shape {} has no complex numbers: those are of complex64 "
                        "or complex128, or floats whose last axis has 2.",
                        array.dtype().name(), warplight::to_string(array.shape())));
    if (part == ComplexPart::real || part == ComplexPart::imaginary) {
        const NdArray all = pairs ? array : with_components(array);
        std::vector<AxisRange> axes;
        axes.reserve(all.ndim());
        for (std::size_t axis = 0; axis + 1 < all.ndim(); ++axis)
            axes.push_back({axis, 0, all.shape()[axis]});
        std::vector<std::size_t> index(all.ndim(), 0);
        index.back() = part == ComplexPart::imaginary ? 1 : 0;
        return slice_view(all, axes, index);
    }
    NdArray numbers = pairs ? as_complex(array) : array;
    if (part == ComplexPart::both) return numbers;
    const bool phase = part == ComplexPart::phase;
    Shape shape = numbers.shape();
    if (numbers.dtype() == DType::complex64())
        return array_of(std::make_shared<PolarElements<float>>(std::move(numbers), phase), std::move(shape),
                        DType::float32());
    return array_of(std::make_shared<PolarElements<double>>(std::move(numbers), phase), std::move(shape),
                    DType::float64());
}

NdArray columns_view(const std::vector<NdArray>& columns) {
    if (columns.empty()) throw SessionError("There is no column to show.");
    const NdArray& first = columns.front();
    bool same = true;
    for (const NdArray& each : columns) {
        if (each.size() != first.size())
            throw SessionError(
                fmt::format("Columns need as many elements: one has {}, another {}.", first.size(), each.size()));
        if (!each.dtype().is_numeric())
            throw SessionError(fmt::format("Elements of type {} are no numbers.", each.dtype().name()));
        same = same && each.dtype() == first.dtype();
    }
    const DType type = same ? first.dtype() : DType::float64();
    const Shape shape{first.size(), columns.size()};
    return array_of(std::make_shared<ColumnElements>(columns, type.itemsize(), same), shape, type);
}

void read_numbers(const NdArray& array, std::size_t offset, std::span<double> to) {
    const bool numbers = visit_pieces(array, offset, to.size(), [&](auto values, std::size_t first) {
        double* out = to.data() + (first - offset);
        for (const auto& value : values)
            *out++ = magnitude(value);
        return true;
    });
    if (!numbers) throw SessionError(fmt::format("Elements of type {} are no numbers.", array.dtype().name()));
}

} // namespace warplight::session
