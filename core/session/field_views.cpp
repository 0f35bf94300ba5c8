// SPDX-License-Identifier: Apache-2.0
#include "session/field_views.hpp"

#include "session/array_views.hpp"
#include "session/lazy_elements.hpp"
#include "session/pieces.hpp"
#include "session/session.hpp"
#include "warplight/struct_field.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <utility>

namespace warplight::session {
namespace {

constexpr std::size_t most_field_axes = 32;

void add_leaf_places(const std::vector<StructField>& fields, const FieldPlace& around,
                     std::vector<FieldPlace>& places) {
    for (const StructField& field : fields) {
        FieldPlace place = around;
        place.name += field.name;
        place.offset += field.offset;
        const Strides steps = packed_strides(field.shape, field.dtype.itemsize(), Order::C);
        for (std::size_t axis = 0; axis < field.shape.size(); ++axis) {
            place.name += "[]";
            place.shape.push_back(field.shape[axis]);
            place.strides.push_back(static_cast<std::size_t>(steps[axis]));
        }
        if (!field.fields.empty()) {
            place.name += '.';
            add_leaf_places(field.fields, place, places);
            continue;
        }
        place.dtype = field.dtype;
        place.big_endian = field.big_endian;
        places.push_back(std::move(place));
    }
}

/// Numbers at the same places in each struct.
class FieldElements : public LazyElements {
public:
    /// @param places in a struct, in bytes
    FieldElements(NdArray structs, std::vector<std::size_t> places, const DType& dtype, bool swap)
        : structs_(std::move(structs)), places_(std::move(places)), item_(dtype.itemsize()),
          swapped_(!swap                           ? 0
                   : dtype.kind() == Kind::complex ? dtype.itemsize() / 2
                                                   : dtype.itemsize()) {}

    void read(std::uint64_t place, std::span<std::byte> to) const override {
        constexpr std::size_t at_once = std::size_t(1) << 20;
        const std::size_t size = structs_.itemsize(), each = places_.size();
        const std::size_t most = std::max<std::size_t>(1, at_once / std::max<std::size_t>(size, 1));
        PieceReader reader(structs_);
        std::size_t element = static_cast<std::size_t>(place / item_), left = to.size() / item_;
        std::byte* out = to.data();
        while (left > 0) {
            const std::size_t first = element / each, within = element % each;
            const std::size_t count = std::min(most, (within + left - 1) / each + 1);
            const auto bytes = reader.read(first, count);
            for (std::size_t k = 0; k < count; ++k) {
                for (std::size_t i = k == 0 ? within : 0; i < each && left > 0; ++i, --left, ++element, out += item_)
                    copy(bytes.data() + k * size + places_[i], out);
            }
        }
    }

private:
    void copy(const std::byte* from, std::byte* to) const {
        std::memcpy(to, from, item_);
        for (std::size_t at = 0; swapped_ && at < item_; at += swapped_)
            std::reverse(to + at, to + at + swapped_);
    }

    NdArray structs_;
    std::vector<std::size_t> places_;
    std::size_t item_;
    std::size_t swapped_; ///< bytes of a number whose bytes are swapped; 0: none are
};

} // namespace

std::vector<FieldPlace> field_places(const DType& structs) {
    std::vector<FieldPlace> places;
    add_leaf_places(fields_of(structs), {}, places);
    return places;
}

NdArray field_view(const NdArray& structs, std::string_view name, std::span<const std::size_t> index) {
    const std::vector<FieldPlace> places = field_places(structs.dtype());
    const auto field = std::ranges::find(places, name, &FieldPlace::name);
    if (field == places.end()) {
        std::vector<std::string_view> names;
        names.reserve(places.size());
        for (const FieldPlace& each : places)
            names.push_back(each.name);
        throw SessionError(names.empty() ? fmt::format("Elements of type {} have no fields.", structs.dtype().name())
                                         : fmt::format("The structs have no field \"{}\". They have: {}.", name,
                                                       fmt::join(names, ", ")));
    }
    if (index.size() > field->shape.size())
        throw SessionError(fmt::format("\"{}\" has {} axes, and not {}.", name, field->shape.size(), index.size()));
    std::size_t start = field->offset;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        if (index[axis] >= field->shape[axis])
            throw SessionError(fmt::format("The index {} of \"{}\" is past the end: that axis has {} elements.",
                                           index[axis], name, field->shape[axis]));
        start += index[axis] * field->strides[axis];
    }
    std::vector<std::size_t> offsets{start};
    Shape shape = structs.shape();
    for (std::size_t axis = index.size(); axis < field->shape.size(); ++axis) {
        std::vector<std::size_t> inner;
        inner.reserve(offsets.size() * field->shape[axis]);
        for (const std::size_t offset : offsets)
            for (std::size_t i = 0; i < field->shape[axis]; ++i)
                inner.push_back(offset + i * field->strides[axis]);
        offsets = std::move(inner);
        shape.push_back(field->shape[axis]);
    }
    if (shape.size() > most_field_axes)
        throw SessionError(fmt::format("\"{}\" has too many axes to be an array of its own.", name));
    auto elements = std::make_shared<FieldElements>(structs, std::move(offsets), field->dtype, field->big_endian);
    return array_of(std::move(elements), std::move(shape), field->dtype);
}

namespace {

/// Without the brackets of axes: "in.length".
std::string plain_path(const FieldPlace& field) {
    std::string path;
    for (const char each : field.name)
        if (each != '[' && each != ']') path += each;
    return path;
}

} // namespace

std::optional<std::size_t> member_of_axis(std::string_view name, std::size_t length) {
    constexpr std::string_view letters = "xyzw";
    const auto place = name.size() == 1 ? letters.find(name.front()) : std::string_view::npos;
    if (place == std::string_view::npos || length > letters.size() || place >= length) return std::nullopt;
    return place;
}

std::vector<std::string> field_paths(const DType& structs) {
    std::vector<std::string> paths;
    for (const FieldPlace& each : field_places(structs))
        paths.push_back(plain_path(each));
    return paths;
}

NdArray member_view(const NdArray& array, std::string_view path) {
    const auto of_last_axis = [](const NdArray& whole, std::size_t member) {
        std::vector<AxisRange> axes;
        axes.reserve(whole.ndim());
        for (std::size_t axis = 0; axis + 1 < whole.ndim(); ++axis)
            axes.push_back({axis, 0, whole.shape()[axis]});
        std::vector<std::size_t> index(whole.ndim(), 0);
        index.back() = member;
        return slice_view(whole, axes, index);
    };
    const std::vector<FieldPlace> places = field_places(array.dtype());
    const auto find = [&](std::string_view wanted) {
        return std::ranges::find_if(places, [&](const FieldPlace& each) { return plain_path(each) == wanted; });
    };
    if (const auto field = find(path); field != places.end()) return field_view(array, field->name, {});
    const auto dot = path.rfind('.');
    const std::string_view last = path.substr(dot == std::string_view::npos ? 0 : dot + 1);
    if (places.empty() && dot == std::string_view::npos && array.ndim() > 0)
        if (const auto member = member_of_axis(last, array.shape().back())) return of_last_axis(array, *member);
    if (const auto field = dot == std::string_view::npos ? places.end() : find(path.substr(0, dot));
        field != places.end() && !field->shape.empty())
        if (const auto member = member_of_axis(last, field->shape.back()))
            return of_last_axis(field_view(array, field->name, {}), *member);
    if (places.empty())
        throw SessionError(fmt::format("it is {} of shape {}. Arrays whose last axis has at most 4 elements have the "
                                       "members x, y, z and w",
                                       array.dtype().name(), warplight::to_string(array.shape())));
    throw SessionError(fmt::format("its fields are {}", fmt::join(field_paths(array.dtype()), ", ")));
}

} // namespace warplight::session
