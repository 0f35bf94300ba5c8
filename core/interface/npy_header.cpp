// SPDX-License-Identifier: Apache-2.0
// The part of Python's literal syntax that .npy headers use: dictionaries, tuples, lists, strings, integers, booleans.
#include "interface/npy_header.hpp"

#include "warplight/error.hpp"

#include <bit>
#include <charconv>
#include <limits>
#include <vector>

namespace warplight::detail {

using driver::throw_logic_error;

namespace {

/// Types nest: structures in structures, sub-arrays in tuples. Each level is a call, so there is a limit.
constexpr int kDeepest = 16;

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    void skip_space() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
            ++at_;
    }
    bool peek(char c) {
        skip_space();
        return at_ < text_.size() && text_[at_] == c;
    }
    bool accept(char c) {
        if (!peek(c)) return false;
        ++at_;
        return true;
    }
    void expect(char c) {
        if (!accept(c)) throw_logic_error(std::string("'") + c + "' is missing at character " + std::to_string(at_));
    }
    bool at_end() {
        skip_space();
        return at_ == text_.size();
    }
    std::string string() {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') throw_logic_error("a text is missing at character " + std::to_string(at_));
        std::string value;
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
            value += text_[at_];
        }
        if (at_ == text_.size()) throw_logic_error("a text has no end");
        ++at_;
        return value;
    }
    std::size_t number() {
        skip_space();
        std::size_t value = 0;
        const auto result = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (result.ec == std::errc::result_out_of_range) throw_logic_error("a number is too large");
        if (result.ec != std::errc()) throw_logic_error("a number is missing at character " + std::to_string(at_));
        at_ = static_cast<std::size_t>(result.ptr - text_.data());
        if (at_ < text_.size() && text_[at_] == 'L') ++at_; // Python 2 wrote long integers so
        return value;
    }
    bool boolean() {
        skip_space();
        for (const auto& [word, value] :
             {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}})
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        throw_logic_error("fortran_order is neither True nor False");
    }
    Shape shape() {
        Shape extents;
        expect('(');
        while (!accept(')')) {
            extents.push_back(number());
            if (extents.size() > 64) throw_logic_error("the shape has too many dimensions");
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return extents;
    }
    std::size_t position() const { return at_; }
    std::string_view text(std::size_t from) const { return text_.substr(from, at_ - from); }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

/// The type of a field, or of all elements.
struct ParsedType {
    std::size_t size = 0; ///< bytes, of all of a sub-array
    bool object = false;
    StructField field; ///< its name and offset are not used
};

std::size_t multiply(std::size_t a, std::size_t b) {
    if (b && a > (std::size_t{1} << 31) / b) throw_logic_error("an element is too large");
    return a * b;
}

void add_axes(ParsedType& type, const Shape& shape) {
    type.size = multiply(type.size, count_elements(shape));
    type.field.shape.insert(type.field.shape.begin(), shape.begin(), shape.end());
    if (type.field.shape.size() > 32) throw_logic_error("a sub-array has too many dimensions");
}

ParsedType parse_fields(Parser& parser, int depth);

ParsedType parse_field_type(Parser& parser, int depth) {
    if (depth > kDeepest) throw_logic_error("the type is nested too deeply");
    ParsedType type;
    if (parser.peek('[')) return parse_fields(parser, depth + 1);
    // A sub-array in a tuple: ('<f4', (3,))
    if (parser.accept('(')) {
        type = parse_field_type(parser, depth + 1);
        parser.expect(',');
        add_axes(type, parser.shape());
        parser.accept(',');
        parser.expect(')');
        return type;
    }
    const std::string typestr = parser.string();
    if (typestr.size() > 1 && typestr[1] == 'O') {
        type.object = true;
        type.size = 8;
    } else if (typestr.size() > 2 && (typestr[1] == 'U' || typestr[1] == 'M' || typestr[1] == 'm')) {
        // Texts and dates have no counterpart on a device, but inside of a struct only their size matters.
        std::size_t count = 0;
        std::from_chars(typestr.data() + 2, typestr.data() + typestr.size(), count);
        type.size = multiply(count, typestr[1] == 'U' ? 4 : 1);
    } else {
        type.field.dtype = DType::from_typestr(typestr, &type.field.big_endian);
        type.size = type.field.dtype.itemsize();
        return type;
    }
    if (type.size) type.field.dtype = DType::opaque(type.size);
    return type;
}

ParsedType parse_fields(Parser& parser, int depth) {
    ParsedType all;
    parser.skip_space();
    const std::size_t start = parser.position();
    parser.expect('[');
    while (!parser.accept(']')) {
        parser.expect('(');
        std::string name;
        if (parser.accept('(')) { // a title and a name
            parser.string();
            parser.expect(',');
            name = parser.string();
            parser.expect(')');
        } else {
            name = parser.string();
        }
        parser.expect(',');
        ParsedType type = parse_field_type(parser, depth);
        if (parser.accept(',') && parser.peek('(')) add_axes(type, parser.shape());
        parser.accept(',');
        parser.expect(')');
        type.field.name = std::move(name);
        type.field.offset = all.size;
        all.size += type.size;
        if (all.size > std::size_t{1} << 31) throw_logic_error("an element is too large");
        all.object |= type.object;
        const bool padding = type.field.name.empty() && type.field.dtype.kind() == Kind::opaque;
        if (!padding && type.size) all.field.fields.push_back(std::move(type.field));
        if (!parser.accept(',')) {
            parser.expect(']');
            break;
        }
    }
    if (all.size) all.field.dtype = DType::opaque(all.size, std::string(parser.text(start)));
    return all;
}

void parse_descr(Parser& parser, NpyHeader& header) {
    if (parser.peek('[')) {
        const ParsedType type = parse_fields(parser, 0);
        header.object = type.object;
        if (type.size == 0) throw_logic_error("its structured type has no fields");
        // The bytes stay as they are: the description says how to read them.
        header.dtype = type.field.dtype;
        return;
    }
    const std::string typestr = parser.string();
    if (typestr.size() > 1 && typestr[1] == 'O') {
        header.object = true;
        header.dtype = DType::opaque(8);
        return;
    }
    header.dtype = DType::from_typestr(typestr, &header.big_endian);
}

} // namespace

void parse_npy_dictionary(std::string_view text, NpyHeader& header) {
    Parser parser(text);
    bool has_descr = false, has_order = false, has_shape = false;
    parser.expect('{');
    while (!parser.accept('}')) {
        const std::string key = parser.string();
        parser.expect(':');
        if (key == "descr" && !has_descr) {
            parse_descr(parser, header);
            has_descr = true;
        } else if (key == "fortran_order" && !has_order) {
            header.fortran_order = parser.boolean();
            has_order = true;
        } else if (key == "shape" && !has_shape) {
            header.shape = parser.shape();
            has_shape = true;
        } else {
            throw_logic_error("the entry '" + key + "' is unknown or there twice");
        }
        if (!parser.accept(',')) {
            parser.expect('}');
            break;
        }
    }
    if (!parser.at_end()) throw_logic_error("there is something after its end");
    if (!has_descr || !has_order || !has_shape)
        throw_logic_error(std::string("the entry '") +
                          (!has_descr   ? "descr"
                           : !has_order ? "fortran_order"
                                        : "shape") +
                          "' is missing");
    header.nbytes = count_elements(header.shape, header.dtype.itemsize()) * header.dtype.itemsize();
}

std::vector<StructField> parse_struct_fields(std::string_view descr) {
    Parser parser(descr);
    ParsedType type = parse_fields(parser, 0);
    if (!parser.at_end()) throw_logic_error("there is something after its end");
    return std::move(type.field.fields);
}

} // namespace warplight::detail
