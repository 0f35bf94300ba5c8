// SPDX-License-Identifier: Apache-2.0
#include "formats/table_writer.hpp"

#include "files/new_file.hpp"
#include "warplight/half.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace warplight::formats {
namespace {

template <class T>
void append_number(std::string& text, const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(value)) { // without a sign, as NumPy writes it
                text += "nan";
                return;
            }
        }
        char digits[48];
        const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        text.append(digits, end);
    } else if constexpr (std::is_same_v<T, Half>) {
        append_number(text, static_cast<float>(value));
    } else {
        append_number(text, value.real());
        if (!std::signbit(value.imag()) || std::isnan(value.imag())) text += '+';
        append_number(text, value.imag());
        text += 'j';
    }
}

/// In quotes where a separator or a quote would be taken for a border.
std::string heading_text(const std::string& heading, char separator) {
    if (heading.find_first_of(std::string("\"\r\n") + separator) == std::string::npos) return heading;
    std::string text = "\"";
    for (const char c : heading)
        text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
}

class Table {
public:
    Table(files::NewFile& out, std::size_t columns, char separator)
        : out_(out), columns_(columns), separator_(separator) {}

    void head(const std::vector<std::string>& headings) {
        for (std::size_t i = 0; i < headings.size(); ++i) {
            if (i) text_ += separator_;
            text_ += heading_text(headings[i], separator_);
        }
        if (!headings.empty()) text_ += '\n';
        flush();
    }
    template <class T>
    void add(std::span<const std::byte> piece) {
        const std::span values(reinterpret_cast<const T*>(piece.data()), piece.size() / sizeof(T));
        for (const T& value : values) {
            append_number(text_, value);
            const bool last = ++column_ == columns_;
            text_ += last ? '\n' : separator_;
            if (last) column_ = 0;
        }
        flush();
    }

private:
    void flush() {
        out_.write(text_);
        text_.clear();
    }

    files::NewFile& out_;
    const std::size_t columns_;
    const char separator_;
    std::size_t column_ = 0;
    std::string text_;
};

using Adder = void (Table::*)(std::span<const std::byte> piece);

/// Null for elements that are no numbers.
Adder adder_of(const DType& type) {
    if (type == DType::float32()) return &Table::add<float>;
    if (type == DType::float64()) return &Table::add<double>;
    if (type == DType::float16()) return &Table::add<Half>;
    if (type == DType::int8()) return &Table::add<std::int8_t>;
    if (type == DType::int16()) return &Table::add<std::int16_t>;
    if (type == DType::int32()) return &Table::add<std::int32_t>;
    if (type == DType::int64()) return &Table::add<std::int64_t>;
    if (type == DType::uint8() || type == DType::boolean()) return &Table::add<std::uint8_t>;
    if (type == DType::uint16()) return &Table::add<std::uint16_t>;
    if (type == DType::uint32()) return &Table::add<std::uint32_t>;
    if (type == DType::uint64()) return &Table::add<std::uint64_t>;
    if (type == DType::complex64()) return &Table::add<std::complex<float>>;
    if (type == DType::complex128()) return &Table::add<std::complex<double>>;
    return nullptr;
}

} // namespace

std::string why_no_table(const DType& dtype, const Shape&) {
    if (adder_of(dtype)) return {};
    return fmt::format("A file of text takes numbers, and elements of type {} are none. Choose .npy or .npz.",
                       dtype.name());
}

void write_table(files::NewFile& out, const OutputArray& array, char separator,
                 const std::vector<std::string>& headings, const Step& step) {
    Table table(out, array.shape.size() >= 2 ? std::max<std::size_t>(1, array.shape.back()) : 1, separator);
    table.head(headings);
    const Adder add = adder_of(array.dtype);
    each_piece(array, step, [&](std::span<const std::byte> piece) { (table.*add)(piece); });
}

} // namespace warplight::formats
