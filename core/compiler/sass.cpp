// SPDX-License-Identifier: Apache-2.0
#include "compiler/sass.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>

namespace warplight::compiler {
namespace {

constexpr std::string_view kSpaces = " \t\r";

std::string_view trimmed_line(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

template <class Number>
std::optional<Number> number_of(std::string_view text, int base) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end == text.data()) return {};
    return value;
}

// //## File "k.cu", line 1 inlined at "k.cu", line 6
struct LineNote {
    SassPlace place;
    bool inlined = false; ///< the next note is the line that it was inlined at
};
std::optional<LineNote> line_note(std::string_view line) {
    constexpr std::string_view start = "//## File \"", between = "\", line ";
    if (!line.starts_with(start)) return {};
    line.remove_prefix(start.size());
    const std::size_t end = line.find(between);
    if (end == std::string_view::npos) return {};
    const auto number = number_of<int>(line.substr(end + between.size()), 10);
    if (!number) return {};
    return LineNote{{std::string(line.substr(0, end)), *number},
                    line.find(" inlined at \"", end) != std::string_view::npos};
}

/// The address in front of an instruction, /*00a0*/, which it takes away. The encoding /* 0x… */ has a space.
std::optional<std::uint64_t> take_address(std::string_view& line) {
    if (!line.starts_with("/*")) return {};
    const std::size_t end = line.find("*/");
    if (end == std::string_view::npos || end < 6) return {};
    const std::string_view digits = line.substr(2, end - 2);
    if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return {};
    const auto address = number_of<std::uint64_t>(digits, 16);
    if (address) line.remove_prefix(end + 2);
    return address;
}

/// Opcodes whose last operand is an address in cuobjdump's text.
bool has_target(std::string_view opcode) {
    const std::string_view base = opcode.substr(0, opcode.find('.'));
    return base == "BRA" || base == "BSSY" || base == "CALL" || base == "JMP" || base == "BRA.U" ||
           base == "WARPSYNC" || base == "JMXU" || base == "BRXU";
}

std::optional<std::uint64_t> address_operand(const SassInstruction& instruction) {
    if (!has_target(instruction.opcode)) return {};
    const std::string_view operands = instruction.operands;
    const std::size_t at = operands.rfind("0x");
    if (at == std::string_view::npos ||
        operands.find_first_not_of("0123456789abcdef", at + 2) != std::string_view::npos)
        return {};
    return number_of<std::uint64_t>(operands.substr(at + 2), 16);
}

// BRA `(.L_x_2), and also MOV R4, 32@lo((k + .L_x_3@srel)) of a return address
std::string_view named_label(std::string_view operands) {
    const std::size_t at = operands.find("`(");
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + 2;
    return operands.substr(begin, operands.find(')', begin) - begin);
}

SassInstruction instruction_of(std::uint64_t address, std::string_view text) {
    SassInstruction result;
    result.address = address;
    text = text.substr(0, text.find("/*")); // the encoding
    text = trimmed_line(text);
    while (text.starts_with('{'))
        text = trimmed_line(text.substr(1));
    while (text.ends_with(';') || text.ends_with('}'))
        text = trimmed_line(text.substr(0, text.size() - 1));
    if (text.starts_with('@')) {
        const std::size_t end = std::min(text.find_first_of(kSpaces), text.size());
        result.predicate = text.substr(0, end);
        text = trimmed_line(text.substr(end));
    }
    const std::size_t end = std::min(text.find_first_of(kSpaces), text.size());
    result.opcode = text.substr(0, end);
    result.operands = trimmed_line(text.substr(end));
    return result;
}

class SassReader {
public:
    void read(std::string_view line) {
        const bool begins_line = !line.empty() && kSpaces.find(line.front()) == std::string_view::npos;
        line = trimmed_line(line);
        if (const auto note = line_note(line)) {
            if (!inlined_) places_.clear();
            places_.push_back(note->place);
            inlined_ = note->inlined;
            return;
        }
        inlined_ = false;
        constexpr std::string_view section = ".text.", function = "Function : ";
        if (line.starts_with(function)) {
            begin(line.substr(function.size()));
        } else if (begins_line && line.ends_with(':')) {
            const std::string_view label = line.substr(0, line.size() - 1);
            if (label.starts_with(section))
                begin(label.substr(section.size()));
            else
                labels_.emplace_back(label);
        } else if (const auto address = take_address(line); address && !functions_.empty()) {
            add(instruction_of(*address, line));
        }
    }
    std::vector<SassFunction> take() {
        finish();
        std::erase_if(functions_, [](const SassFunction& each) { return each.instructions.empty(); });
        return std::move(functions_);
    }

private:
    void begin(std::string_view name) {
        finish();
        functions_.emplace_back().name = name;
        labels_.clear();
        addresses_.clear();
        places_.clear();
    }
    void add(SassInstruction instruction) {
        if (instruction.opcode.empty()) return;
        for (const std::string& label : labels_)
            addresses_[label] = instruction.address;
        instruction.labels = std::move(labels_);
        labels_.clear();
        instruction.places = places_;
        functions_.back().instructions.push_back(std::move(instruction));
    }
    /// Branches go forward, too: they are found once all labels are known.
    void finish() {
        if (functions_.empty()) return;
        SassFunction& function = functions_.back();
        addresses_.emplace(function.name, 0);
        for (SassInstruction& each : function.instructions) {
            each.target = address_operand(each);
            if (const std::string_view label = named_label(each.operands); !label.empty())
                if (const auto found = addresses_.find(label); found != addresses_.end()) each.target = found->second;
        }
    }

    std::vector<SassFunction> functions_;
    std::vector<std::string> labels_;                             ///< before the next instruction
    std::map<std::string, std::uint64_t, std::less<>> addresses_; ///< of the labels of this function
    std::vector<SassPlace> places_;
    bool inlined_ = false;
};

} // namespace

std::size_t SassFunction::count() const {
    const auto last = std::find_if(instructions.rbegin(), instructions.rend(),
                                   [](const SassInstruction& each) { return each.opcode != "NOP"; });
    return static_cast<std::size_t>(instructions.rend() - last);
}

std::vector<SassFunction> parse_sass(std::string_view text) {
    SassReader reader;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        reader.read(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return reader.take();
}

SassListing sass_listing(const std::vector<SassFunction>& functions) {
    SassListing listing;
    int line = 1;
    const auto write = [&](std::string_view text) {
        listing.text += text;
        listing.text += '\n';
        ++line;
    };
    for (const SassFunction& function : functions) {
        if (line > 1) write("");
        SassListing::Function head{function.name, line, line, static_cast<int>(function.count())};
        write(function.name + ":");
        std::map<std::uint64_t, int> line_of; // a branch shows the label, where there is one
        const std::size_t first = listing.lines.size();
        for (std::size_t i = 0; i < function.count(); ++i) {
            const SassInstruction& each = function.instructions[i];
            for (const std::string& label : each.labels) {
                line_of.emplace(each.address, line);
                write(label + ":");
            }
            line_of.emplace(each.address, line);
            listing.lines.push_back({line, each.places, 0});
            char start[64];
            std::snprintf(start, sizeof start, "    /*%04llx*/ %8s ", static_cast<unsigned long long>(each.address),
                          each.predicate.c_str());
            std::string text = start + each.opcode;
            if (!each.operands.empty()) (text += ' ') += each.operands;
            write(text + " ;");
        }
        head.last = line - 1;
        for (std::size_t i = 0; i < function.count(); ++i)
            if (const auto target = function.instructions[i].target)
                if (const auto found = line_of.find(*target); found != line_of.end())
                    listing.lines[first + i].target = found->second;
        listing.functions.push_back(std::move(head));
    }
    return listing;
}

} // namespace warplight::compiler
