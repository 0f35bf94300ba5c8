// SPDX-License-Identifier: Apache-2.0
#include "session/struct_array.hpp"

#include "session/dtype_dispatch.hpp"
#include "session/field_views.hpp"
#include "session/session.hpp"
#include "session/struct_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace warplight::session {
namespace {

using debug::Layout;
using Kind = Layout::Kind;

warplight::Shape shape_of(const Layout& layout) {
    warplight::Shape shape;
    shape.reserve(layout.extents.size());
    for (const std::uint64_t extent : layout.extents)
        shape.push_back(static_cast<std::size_t>(extent));
    return shape;
}

/// Arrays have no bfloat16 and no 8-bit floats: their bits.
DType dtype_of_number(const std::string& number) {
    if (number == "bool") return DType::boolean();
    if (number == "bf16") return DType::uint16();
    if (number.starts_with("f8")) return DType::uint8();
    return DType::from_name(number);
}

std::vector<StructField> fields_of_layout(const Layout& structure);

StructField field_of(const Layout& layout) {
    StructField field;
    field.name = layout.name;
    field.offset = static_cast<std::size_t>(layout.offset);
    field.shape = shape_of(layout);
    field.dtype = dtype_of([&] {
        Layout element = layout;
        element.extents.clear();
        return element;
    }());
    field.fields = fields_of_layout(layout);
    return field;
}

struct ByteRange {
    std::size_t begin = 0, end = 0;
};

/// Bit fields whose numbers overlap are one field.
/// @param own of each field: the bytes that its bits lie in, where it is a bit field
void add_bits(const Layout& bits, std::vector<StructField>& fields, std::vector<std::optional<ByteRange>>& own) {
    const auto begin = static_cast<std::size_t>(bits.offset), end = begin + static_cast<std::size_t>(bits.size);
    const ByteRange bytes{begin + bits.first_bit / 8, begin + (bits.first_bit + bits.bit_count - 1) / 8 + 1};
    if (!own.empty() && own.back()) {
        StructField& before = fields.back();
        const std::size_t end_before = before.offset + before.dtype.itemsize();
        if (begin < end_before) {
            before.name += "|" + bits.name;
            const std::size_t size = std::max(end, end_before) - std::min(begin, before.offset);
            before.offset = std::min(begin, before.offset);
            const bool is_number = size == before.dtype.itemsize() && before.dtype.is_numeric();
            if (!is_number) before.dtype = DType::opaque(size);
            own.back() = {std::min(own.back()->begin, bytes.begin), std::max(own.back()->end, bytes.end)};
            return;
        }
    }
    StructField field;
    field.name = bits.name;
    field.offset = begin;
    field.dtype = DType::from_name(fmt::format("u{}", bits.size * 8));
    fields.push_back(std::move(field));
    own.emplace_back(bytes);
}

/// A bit field keeps of its number what lies between the fields before and behind its own bytes.
void keep_apart(std::vector<StructField>& fields, const std::vector<std::optional<ByteRange>>& own) {
    for (std::size_t k = 0; k < fields.size(); ++k) {
        if (!own[k]) continue;
        const std::size_t begin = fields[k].offset, end = begin + fields[k].dtype.itemsize();
        ByteRange kept{begin, end};
        for (std::size_t other = 0; other < fields.size(); ++other) {
            if (other == k) continue;
            const std::size_t offset = fields[other].offset;
            const std::size_t size = fields[other].dtype.itemsize() * count_elements(fields[other].shape);
            const ByteRange others = own[other].value_or(ByteRange{offset, offset + size});
            if (others.begin >= own[k]->end)
                kept.end = std::min(kept.end, others.begin);
            else if (others.end <= own[k]->begin)
                kept.begin = std::max(kept.begin, others.end);
        }
        if (kept.begin == begin && kept.end == end) continue;
        fields[k].offset = kept.begin;
        fields[k].dtype = DType::opaque(kept.end - kept.begin);
    }
}

std::vector<StructField> fields_of_layout(const Layout& structure) {
    std::vector<StructField> fields;
    if (structure.kind != Kind::structure) return fields;
    std::vector<std::optional<ByteRange>> own;
    for (const Layout& each : structure.fields) {
        // An empty struct and an array without elements have nothing to show.
        if (each.bytes() == 0 || (each.has_fields() && each.fields.empty())) continue;
        if (each.kind == Kind::bits)
            add_bits(each, fields, own);
        else
            fields.push_back(field_of(each));
        own.resize(fields.size());
    }
    keep_apart(fields, own);
    return fields;
}

// --- conversion

/// A number of any type without loss.
struct AnyNumber {
    enum class Of : std::uint8_t { real, negative, whole } of = Of::real;
    double real = 0;
    std::int64_t below = 0;
    std::uint64_t whole = 0;
};

AnyNumber read_number(const DType& type, const std::byte* from, bool swap) {
    std::byte bytes[8] = {};
    const std::size_t size = type.itemsize();
    std::memcpy(bytes, from, size);
    if (swap) std::reverse(bytes, bytes + size);
    AnyNumber number;
    visit_dtype(type == DType::boolean() ? DType::uint8() : type, [&]<class Tag>(Tag) {
        using T = typename Tag::type;
        T value;
        std::memcpy(&value, bytes, sizeof value);
        if constexpr (std::is_integral_v<T>) {
            number.of = std::cmp_less(value, 0) ? AnyNumber::Of::negative : AnyNumber::Of::whole;
            // NOLINTBEGIN(bugprone-signed-char-misuse): an int8 is a number here
            number.below = static_cast<std::int64_t>(value);
            number.whole = static_cast<std::uint64_t>(value);
            // NOLINTEND(bugprone-signed-char-misuse)
        } else {
            number.real = to_double(value);
        }
    });
    return number;
}

/// Converts as C++ does; out-of-range values clip, NaN becomes 0 in integers.
void write_number(const DType& type, const AnyNumber& number, std::byte* to) {
    if (type == DType::boolean()) {
        const bool value = number.of == AnyNumber::Of::real ? number.real != 0 : number.whole != 0;
        *to = static_cast<std::byte>(value);
        return;
    }
    visit_dtype(type, [&]<class Tag>(Tag) {
        using T = typename Tag::type;
        T value{};
        if (number.of == AnyNumber::Of::real) {
            value = from_double<T>(number.real);
        } else if constexpr (std::is_integral_v<T>) {
            const bool negative = number.of == AnyNumber::Of::negative;
            if (negative ? std::in_range<T>(number.below) : std::in_range<T>(number.whole))
                value = static_cast<T>(number.whole);
            else
                value = negative ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
        } else {
            value = from_double<T>(number.of == AnyNumber::Of::negative ? static_cast<double>(number.below)
                                                                        : static_cast<double>(number.whole));
        }
        std::memcpy(to, &value, sizeof value);
    });
}

/// How one field of the data becomes one of the kernel's.
struct FieldCopy {
    std::size_t from = 0, to = 0; ///< offsets
    DType source, target;
    std::size_t count = 1;
    bool swap = false;
    std::vector<FieldCopy> fields; ///< of structures
};

std::size_t elements_of(const StructField& field) { return count_elements(field.shape); }

class CopyPlan {
public:
    std::vector<FieldCopy> make(const std::vector<StructField>& source, const std::vector<StructField>& target,
                                const std::string& path) {
        std::vector<FieldCopy> plan;
        for (const StructField& wanted : target) {
            const auto found = std::ranges::find(source, wanted.name, &StructField::name);
            if (found == source.end())
                throw SessionError(
                    fmt::format("The data have no field \"{}\", which the kernel's type has. They have: {}. "
                                "Add the field, or rename one.",
                                path + wanted.name, names_of(source)));
            plan.push_back(copy_of(*found, wanted, path + wanted.name));
        }
        for (const StructField& given : source)
            if (std::ranges::find(target, given.name, &StructField::name) == target.end())
                throw SessionError(fmt::format("The data have a field \"{}\", but the kernel's type has none of that "
                                               "name. It has: {}. Remove the field, or rename it.",
                                               path + given.name, names_of(target)));
        return plan;
    }

private:
    static std::string names_of(const std::vector<StructField>& fields) {
        std::string names;
        for (const StructField& each : fields)
            names += (names.empty() ? "" : ", ") + each.name;
        return names;
    }

    FieldCopy copy_of(StructField given, const StructField& wanted, const std::string& path) {
        FieldCopy copy{given.offset,        wanted.offset,    given.dtype, wanted.dtype,
                       elements_of(wanted), given.big_endian, {}};
        // A complex number is two real ones.
        if (given.dtype.kind() == warplight::Kind::complex && wanted.dtype.is_numeric()) {
            copy.source = given.dtype.itemsize() == 8 ? DType::float32() : DType::float64();
            given.shape.push_back(2);
        }
        const bool is_bytes =
            given.fields.empty() && wanted.fields.empty() && !copy.source.is_numeric() && !wanted.dtype.is_numeric();
        const std::size_t bytes_given = given.dtype.itemsize() * elements_of(given);
        if (is_bytes || (given.fields.empty() && !copy.source.is_numeric())) {
            const std::size_t bytes_wanted = wanted.dtype.itemsize() * elements_of(wanted);
            if (bytes_given != bytes_wanted || !wanted.fields.empty())
                throw SessionError(fmt::format("The field \"{}\" of the data has {} bytes without a type, but the "
                                               "kernel's has {}. Save it with the kernel's type.",
                                               path, bytes_given, bytes_wanted));
            copy.source = copy.target = DType::opaque(bytes_wanted);
            copy.count = 1;
            return copy;
        }
        if (given.fields.empty() != wanted.fields.empty() ||
            !(wanted.fields.empty() ? wanted.dtype.is_numeric() : true))
            throw SessionError(
                fmt::format("The field \"{}\" of the data is {}, but the kernel's is {}. Save it with the "
                            "kernel's type.",
                            path, kind_of(given), kind_of(wanted)));
        if (elements_of(given) != copy.count)
            throw SessionError(
                fmt::format("The field \"{}\" of the data has {} element{}, but the kernel's has {}. Save "
                            "it with the kernel's shape.",
                            path, elements_of(given), elements_of(given) == 1 ? "" : "s", copy.count));
        if (!wanted.fields.empty()) copy.fields = make(given.fields, wanted.fields, path + ".");
        return copy;
    }

    static std::string kind_of(const StructField& field) {
        if (!field.fields.empty()) return "a structure";
        return field.dtype.is_numeric()
                   ? field.dtype.name()
                   : fmt::format("a union or bytes, to be given as '|V{}'", field.dtype.itemsize());
    }
};

void run(const std::vector<FieldCopy>& plan, const std::byte* source, std::byte* target) {
    for (const FieldCopy& copy : plan) {
        const std::byte* from = source + copy.from;
        std::byte* to = target + copy.to;
        if (copy.fields.empty() && copy.source == copy.target && !copy.swap) {
            std::memcpy(to, from, copy.count * copy.target.itemsize());
            continue;
        }
        for (std::size_t k = 0; k < copy.count; ++k, from += copy.source.itemsize(), to += copy.target.itemsize()) {
            if (!copy.fields.empty())
                run(copy.fields, from, to);
            else
                write_number(copy.target, read_number(copy.source, from, copy.swap), to);
        }
    }
}

// --- views

NdArray view_at(const NdArray& structs, std::size_t offset, const DType& dtype, const warplight::Shape& shape,
                const Strides& strides) {
    warplight::Shape all = structs.shape();
    all.insert(all.end(), shape.begin(), shape.end());
    Strides steps = structs.strides();
    steps.insert(steps.end(), strides.begin(), strides.end());
    auto* data = const_cast<std::byte*>(structs.data()) + offset; // NOLINT: the view is as writable as the array
    return NdArray::wrap(data, std::move(all), std::move(steps), dtype, structs.base(), structs.writable());
}

void add_leaves(const NdArray& structs, const std::vector<StructField>& fields, const std::string& path,
                std::size_t offset, const warplight::Shape& shape, const Strides& strides,
                std::vector<LeafView>& leaves) {
    for (const StructField& field : fields) {
        warplight::Shape inner = shape;
        Strides steps = strides;
        const Strides own = packed_strides(field.shape, field.dtype.itemsize(), Order::C);
        inner.insert(inner.end(), field.shape.begin(), field.shape.end());
        steps.insert(steps.end(), own.begin(), own.end());
        if (structs.ndim() + inner.size() > 30)
            throw SessionError(fmt::format("The field \"{}\" has too many axes.", path + field.name));
        if (!field.fields.empty()) {
            add_leaves(structs, field.fields, path + field.name + ".", offset + field.offset, inner, steps, leaves);
            continue;
        }
        DType dtype = field.dtype;
        if (!dtype.is_numeric()) { // bytes one by one
            inner.push_back(dtype.itemsize());
            steps.push_back(1);
            dtype = DType::uint8();
        }
        leaves.push_back(
            {path + field.name, view_at(structs, offset + field.offset, dtype, inner, steps), field.big_endian});
    }
}

/// "v[2]" → {"v", {2}}. @throws SessionError
struct PathPart {
    std::string_view name;
    std::vector<std::size_t> indices;
};
PathPart parse_part(std::string_view text, std::string_view path) {
    PathPart part{text.substr(0, text.find('[')), {}};
    std::string_view rest = text.substr(part.name.size());
    while (!rest.empty()) {
        std::size_t index = 0;
        const auto [end, problem] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
        if (rest[0] != '[' || problem != std::errc() || end == rest.data() + rest.size() || *end != ']')
            throw SessionError(fmt::format("\"{}\" is no path to a field: write pos.x or v[2].", path));
        part.indices.push_back(index);
        rest = rest.substr(static_cast<std::size_t>(end + 1 - rest.data()));
    }
    return part;
}

} // namespace

DType dtype_of(const Layout& element) {
    const auto size = static_cast<std::size_t>(std::max<std::uint64_t>(element.size, 1));
    if (element.kind == Kind::number && element.extents.empty()) return dtype_of_number(element.number);
    if (element.kind == Kind::pointer) return DType::uint64();
    if (element.kind != Kind::structure) return DType::opaque(size);
    const auto fields = fields_of_layout(element);
    return fields.empty() ? DType::opaque(size) : struct_dtype(fields, size);
}

NdArray in_layout(const Layout& element, const NdArray& structs) {
    const DType target = dtype_of(element);
    if (structs.dtype() == target && structs.is_c_contiguous()) return structs;
    if (!structs.dtype().descr().starts_with('[')) {
        if (structs.dtype().itemsize() != target.itemsize())
            throw SessionError(fmt::format("The data have elements of {} bytes, but {} has {}.",
                                           structs.dtype().itemsize(), element.type, target.itemsize()));
        return (structs.is_c_contiguous() ? structs : structs.copy(Order::C)).view(target);
    }
    if (const std::string pointer = path_to_pointer(element); !pointer.empty())
        throw SessionError(refuse_pointer(element, pointer));
    const auto wanted = fields_of_layout(element);
    if (wanted.empty())
        throw SessionError(fmt::format("The data have fields, but {} is {} without any. Give it an array of '|V{}'.",
                                       element.type, element.kind == Kind::alternatives ? "a union" : "a type",
                                       target.itemsize()));
    const auto plan = CopyPlan().make(fields_of(structs.dtype()), wanted, "");
    const NdArray packed = structs.is_c_contiguous() ? structs : structs.copy(Order::C);
    NdArray result = NdArray::zeros(packed.shape(), target);
    const std::byte* from = packed.data();
    std::byte* to = result.size() ? result.mutable_data() : nullptr;
    for (std::size_t k = 0; k < result.size(); ++k, from += packed.itemsize(), to += result.itemsize())
        run(plan, from, to);
    return result;
}

NdArray view_of_field(const Layout& element, const NdArray& structs, std::string_view path) {
    const Layout* at = &element;
    std::uint64_t offset = 0;
    warplight::Shape shape;
    Strides strides;
    std::size_t open_axes = 0; ///< of the field, without an index
    std::string_view rest = path;
    while (true) {
        const auto dot = rest.find('.');
        const PathPart part = parse_part(rest.substr(0, dot), path);
        const Layout* field = at->find(part.name);
        const bool is_last = dot == std::string_view::npos && part.indices.empty();
        if (const auto member =
                !field && is_last && open_axes > 0 ? member_of_axis(part.name, shape.back()) : std::nullopt) {
            offset += *member * static_cast<std::uint64_t>(strides.back());
            shape.pop_back();
            strides.pop_back();
            break;
        }
        if (!field)
            throw SessionError(fmt::format("{} has no field \"{}\", which \"{}\" names. It has: {}.", at->type,
                                           part.name, path, describe(*at)));
        offset += field->offset;
        const warplight::Shape own = shape_of(*field);
        const Strides steps = packed_strides(own, static_cast<std::size_t>(field->size), Order::C);
        if (part.indices.size() > own.size())
            throw SessionError(fmt::format("\"{}\" has more indices than {} has axes.", path, part.name));
        for (std::size_t k = 0; k < own.size(); ++k) {
            if (k >= part.indices.size()) {
                shape.push_back(own[k]);
                strides.push_back(steps[k]);
            } else if (part.indices[k] >= own[k]) {
                throw SessionError(fmt::format("The index {} of \"{}\" is past the end: {} has {} elements.",
                                               part.indices[k], path, part.name, own[k]));
            } else {
                offset += part.indices[k] * static_cast<std::uint64_t>(steps[k]);
            }
        }
        at = field;
        open_axes = own.size() - part.indices.size();
        if (dot == std::string_view::npos) break;
        rest = rest.substr(dot + 1);
    }
    if (at->kind != Kind::number || at->number == "bf16" || at->number.starts_with("f8"))
        throw SessionError(fmt::format("The field \"{}\" is {}, which no formula makes.", path,
                                       at->kind == Kind::bits ? "a bit field" : at->type));
    if (structs.ndim() + shape.size() > 30) throw SessionError(fmt::format("\"{}\" has too many axes.", path));
    return view_at(structs, static_cast<std::size_t>(offset), dtype_of_number(at->number), shape, strides);
}

std::vector<LeafView> leaves_of(const NdArray& structs) {
    std::vector<LeafView> leaves;
    add_leaves(structs, fields_of(structs.dtype()), "", 0, {}, {}, leaves);
    return leaves;
}

} // namespace warplight::session
