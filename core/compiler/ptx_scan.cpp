// SPDX-License-Identifier: Apache-2.0
// A light reading of PTX text: entries with their parameters, and lines. The compiler's own output
// is regular enough for it; the software device has the real parser.
#include "warplight/compiler.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>

namespace warplight::compiler {
namespace {

bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%' || c == '.';
}

/// Words and single characters; comments and strings are passed over.
struct Words {
    std::string_view text;
    std::size_t at = 0;

    std::string_view next() {
        for (;;) {
            while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r'))
                ++at;
            if (text.substr(at, 2) == "//")
                at = std::min(text.find('\n', at), text.size());
            else if (text.substr(at, 2) == "/*")
                at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
            else
                break;
        }
        if (at >= text.size()) return {};
        std::size_t begin = at;
        if (text[at] == '"') {
            at = std::min(text.find('"', at + 1), text.size() - 1) + 1;
            return text.substr(begin, at - begin);
        }
        if (!is_name(text[at])) return text.substr(at++, 1);
        while (at < text.size() && is_name(text[at]))
            ++at;
        return text.substr(begin, at - begin);
    }
};

std::size_t type_size(std::string_view type) {
    if (type == ".pred") return 1;
    std::size_t digits = type.find_first_of("0123456789");
    std::size_t bits = 0;
    if (digits != std::string_view::npos) std::from_chars(type.data() + digits, type.data() + type.size(), bits);
    if (type.ends_with("x2")) return bits / 8 * (type[1] == 'f' ? 2 : 1);
    return bits / 8;
}

std::size_t to_size(std::string_view text) {
    std::size_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// The element type of a number; 8 bytes may be an address, and so may be anything.
std::string_view type_dtype(std::string_view type) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {".f16", "float16"}, {".f32", "float32"}, {".f64", "float64"}, {".s8", "int8"},   {".u8", "uint8"},
        {".s16", "int16"},   {".u16", "uint16"},  {".s32", "int32"},   {".u32", "uint32"}};
    for (const auto& [name, dtype] : names)
        if (type == name) return dtype;
    return {};
}

/// After `.param`: `.u64 .ptr .global .align 4 name`, `.align 8 .b8 name[24]`.
Parameter read_parameter(Words& words, std::string_view& word) {
    Parameter parameter;
    std::size_t element = 0;
    while (!word.empty() && word != "," && word != ")") {
        if (word == ".align") {
            // The alignment after .ptr is that of what is pointed to.
            std::size_t value = to_size(words.next());
            if (!parameter.pointer) parameter.alignment = value;
        } else if (word == ".ptr") {
            parameter.pointer = true;
        } else if (word == "[") {
            element *= to_size(words.next());
            parameter.dtype.clear();
        } else if (word[0] == '.' && element == 0 && type_size(word) != 0) {
            element = type_size(word);
            parameter.dtype = type_dtype(word);
            if (!parameter.alignment) parameter.alignment = element;
        } else if (word[0] != '.' && word != "]") {
            parameter.name = word;
        }
        word = words.next();
    }
    parameter.size = element;
    return parameter;
}

std::size_t aligned(std::size_t offset, std::size_t alignment) {
    return alignment ? (offset + alignment - 1) / alignment * alignment : offset;
}

/// Reads the statements of a kernel for what its parameters are used as, and which axes it counts along. NVRTC does
/// not mark pointers: they are what addresses are made of.
class BodyReader {
public:
    BodyReader(Words& words, Kernel& kernel) : words_(words), kernel_(kernel) {}

    /// From the opening brace to the closing one, or to the next function where that is missing.
    void run() {
        int depth = 0;
        std::vector<std::string_view> statement;
        for (std::string_view word = words_.next(); !word.empty(); word = words_.next()) {
            // A line of .loc has no semicolon. Braces within a statement hold a vector.
            if (word == ".loc" || word == ".file") {
                words_.at = std::min(words_.text.find('\n', words_.at), words_.text.size());
            } else if (word == ".entry" || word == ".func") {
                return;
            } else if (word == ":") {
                statement.clear();
            } else if (word == ";") {
                read(statement);
                statement.clear();
            } else if (statement.empty() && word == "{") {
                ++depth;
            } else if (statement.empty() && word == "}") {
                if (--depth <= 0) return;
            } else {
                statement.push_back(word);
                count_axes(word);
            }
        }
    }

private:
    using Parameters = std::vector<std::size_t>; ///< those that a register's value was made from

    void count_axes(std::string_view word) {
        const bool thread = word.starts_with("%tid.");
        if (!thread && !word.starts_with("%ctaid.")) return;
        const int axis = word.back() == 'z' ? 3 : word.back() == 'y' ? 2 : 1;
        kernel_.dimensions = std::max(kernel_.dimensions, axis);
        if (thread) kernel_.block_dimensions = std::max(kernel_.block_dimensions, axis);
    }

    const Parameters* origin(std::string_view name) const {
        const auto found = origins_.find(name);
        return found == origins_.end() ? nullptr : &found->second;
    }

    void is_address(const Parameters& parameters) {
        for (const std::size_t each : parameters)
            if (kernel_.parameters[each].size == 8) kernel_.parameters[each].pointer = true;
    }

    void read(std::span<const std::string_view> words) {
        // @%p1 or @!%p1 says when.
        if (words.size() > 2 && words[0] == "@") words = words.subspan(words[1] == "!" ? 3 : 2);
        if (words.empty()) return;
        const std::string_view operation = words[0];
        words = words.subspan(1);
        const auto starts = [&](std::string_view text) { return operation.starts_with(text); };
        if (starts("ld.param")) {
            // ld.param.u64 %rd1, [k_param_0]
            for (std::size_t i = 0; i < kernel_.parameters.size() && words.size() == 5; ++i)
                if (words[2] == "[" && words[3] == kernel_.parameters[i].name) origins_[words[0]] = {i};
            return;
        }
        // Textures and surfaces stand in brackets too, but are no addresses.
        for (const char* other : {"st.param", "tex.", "tld4.", "txq.", "suld.", "sust.", "sured.", "suq."})
            if (starts(other)) return;
        for (std::size_t i = 0; i + 1 < words.size(); ++i)
            if (words[i] == "[")
                if (const Parameters* address = origin(words[i + 1])) is_address(*address);
        if (words.size() < 3 || words[1] != ",") return;
        const Parameters* from = origin(words[2]);
        if (starts("cvta")) {
            if (from) is_address(*from);
        } else if (starts("add.") || starts("sub.")) {
            // Of an address and a number that is added the compilers write the address first.
            if (!from && words.size() > 4) from = origin(words[4]);
        } else if (starts("selp.")) {
            Parameters both = from ? *from : Parameters();
            if (const Parameters* other = words.size() > 4 ? origin(words[4]) : nullptr)
                both.insert(both.end(), other->begin(), other->end());
            if (both.size() <= kernel_.parameters.size()) origins_[words[0]] = std::move(both);
            return;
        } else if (!starts("mov.")) {
            from = nullptr;
        }
        if (from)
            origins_[words[0]] = Parameters(*from);
        else
            origins_.erase(words[0]);
    }

    Words& words_;
    Kernel& kernel_;
    std::unordered_map<std::string_view, Parameters> origins_;
};

struct Place {
    int file = 0, line = 0, column = 0;
    bool operator<(const Place& other) const {
        return std::tie(file, line, column) < std::tie(other.file, other.line, other.column);
    }
};

} // namespace

std::vector<Kernel> parse_ptx_entries(std::string_view ptx) {
    std::vector<Kernel> result;
    for (std::size_t found = ptx.find(".entry"); found != std::string_view::npos; found = ptx.find(".entry", found)) {
        std::size_t line_begin = ptx.rfind('\n', found) + 1; // npos + 1 is 0
        bool commented = ptx.substr(line_begin, found - line_begin).find("//") != std::string_view::npos;
        Words words{ptx, found};
        found += 6;
        if (commented || words.next() != ".entry") continue;
        Kernel kernel;
        kernel.lowered = kernel.name = words.next();
        std::string_view word = words.next();
        std::size_t offset = 0;
        if (word == "(") {
            word = words.next();
            while (!word.empty() && word != ")") {
                if (word == ".param") {
                    word = words.next();
                    Parameter parameter = read_parameter(words, word);
                    parameter.offset = aligned(offset, parameter.alignment);
                    offset = parameter.offset + parameter.size;
                    kernel.parameters.push_back(std::move(parameter));
                }
                if (word == ",")
                    word = words.next();
                else if (word != ")" && word != ".param")
                    word = words.next();
            }
            word = words.next();
        }
        while (!word.empty() && (word == "," || word[0] == '.' || (word[0] >= '0' && word[0] <= '9'))) {
            if (word == ".maxntid") kernel.max_threads = static_cast<int>(to_size(words.next()));
            word = words.next();
        }
        if (word == "{") {
            words.at -= 1;
            BodyReader(words, kernel).run();
        }
        for (Parameter& parameter : kernel.parameters)
            if (parameter.pointer) parameter.dtype.clear(); // its own type, not that of what it points to
        result.push_back(std::move(kernel));
    }
    return result;
}

std::vector<LineMapping> parse_ptx_lines(std::string_view ptx) {
    std::map<int, std::string> files;
    // All of .file comes at the end, so places are named when everything is read.
    std::vector<std::pair<int, std::vector<Place>>> mapped; // PTX line and its places, innermost first
    std::map<Place, Place> inlined;                         // a place and where it was inlined, as said last
    std::vector<Place> current;
    int number = 0;
    bool in_body = false;
    for (std::string_view rest = ptx; !rest.empty();) {
        std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        Words words{line};
        std::string_view word = words.next();
        if (word.empty()) continue;
        if (word == ".file") {
            int index = static_cast<int>(to_size(words.next()));
            std::string_view name = words.next();
            if (name.size() >= 2) files[index] = name.substr(1, name.size() - 2);
        } else if (word == ".loc") {
            Place place;
            place.file = static_cast<int>(to_size(words.next()));
            place.line = static_cast<int>(to_size(words.next()));
            place.column = static_cast<int>(to_size(words.next()));
            std::optional<Place> outer;
            for (word = words.next(); !word.empty(); word = words.next())
                if (word == "inlined_at") {
                    outer.emplace();
                    outer->file = static_cast<int>(to_size(words.next()));
                    outer->line = static_cast<int>(to_size(words.next()));
                    outer->column = static_cast<int>(to_size(words.next()));
                }
            if (outer)
                inlined[place] = *outer;
            else
                inlined.erase(place);
            current = {place};
            // A chain longer than this is a circle made of two inlinings of one place.
            for (auto next = inlined.find(place); next != inlined.end() && current.size() < 64;
                 next = inlined.find(next->second))
                current.push_back(next->second);
        } else if (word == "{") {
            in_body = true;
        } else if (word == "}") {
            in_body = false;
            current.clear();
        } else if (word == ".visible" || word == ".entry" || word == ".func" || word == ".weak") {
            current.clear();
        } else if (in_body && word[0] != '.' && word[0] != ')' && !line.ends_with(":") && !current.empty()) {
            mapped.emplace_back(number, current);
        }
    }
    std::vector<LineMapping> result;
    result.reserve(mapped.size());
    for (const auto& [ptx_line, places] : mapped) {
        // The innermost place in the file of the kernel itself: a header's line helps nobody who
        // looks at the kernel, the call in the kernel does.
        const Place* chosen = &places.back();
        for (const Place& place : places)
            if (place.file == places.back().file) {
                chosen = &place;
                break;
            }
        if (chosen->line > 0) result.push_back({ptx_line, chosen->line, files[chosen->file]});
    }
    return result;
}

} // namespace warplight::compiler
