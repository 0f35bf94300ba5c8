// SPDX-License-Identifier: Apache-2.0
#include "warplight/struct_field.hpp"

#include "interface/npy_header.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <utility>

namespace warplight {

using driver::throw_logic_error;

namespace {

/// A Python literal.
std::string quoted(const std::string& name) {
    std::string text = "'";
    for (const char c : name) {
        if (c == '\'' || c == '\\') text += '\\';
        text += c;
    }
    return text + "'";
}

std::size_t bytes_of(const StructField& field) {
    return field.dtype.itemsize() * count_elements(field.shape, field.dtype.itemsize());
}

std::string description_of(const StructField& field) {
    const std::string& descr = field.dtype.descr();
    std::string text = descr.starts_with('[') ? descr : quoted(descr.empty() ? field.dtype.typestr() : descr);
    // Only numbers have a byte order, and a structure's own fields say theirs.
    if (field.big_endian && text.size() > 1 && text[1] == '<') text[1] = '>';
    return text;
}

} // namespace

std::vector<StructField> fields_of(const DType& dtype) {
    if (!dtype.descr().starts_with('[')) return {};
    return detail::parse_struct_fields(dtype.descr());
}

DType struct_dtype(const std::vector<StructField>& fields, std::size_t itemsize) {
    std::vector<const StructField*> sorted;
    sorted.reserve(fields.size());
    for (const StructField& field : fields)
        sorted.push_back(&field);
    // Of two at one place the first one stays first.
    std::ranges::sort(sorted, {}, [](const StructField* field) { return std::pair(field->offset, field); });
    std::string descr = "[";
    std::size_t at = 0;
    const auto pad_to = [&](std::size_t offset) {
        if (offset > at) descr += "('', '|V" + std::to_string(offset - at) + "'), ";
        at = offset;
    };
    for (const StructField* field : sorted) {
        if (field->offset < at)
            throw_logic_error("the field '" + field->name + "' shares its bytes with the one before it");
        pad_to(field->offset);
        descr += "(" + quoted(field->name) + ", " + description_of(*field);
        if (!field->shape.empty()) descr += ", " + to_string(field->shape);
        descr += "), ";
        at += bytes_of(*field);
        if (at > itemsize) throw_logic_error("the field '" + field->name + "' reaches past the end of its structure");
    }
    pad_to(itemsize);
    descr.resize(descr.size() - (descr.size() > 1 ? 2 : 0));
    return DType::opaque(itemsize, descr + "]");
}

} // namespace warplight
