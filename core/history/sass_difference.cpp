// SPDX-License-Identifier: Apache-2.0
#include "history/sass_difference.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

namespace warplight::history {
namespace {

using compiler::SassFunction;

/// A line for each instruction: its predicate's presence and its opcode, which say what is done and not with what.
std::string opcodes_of(const SassFunction& function) {
    std::string text;
    for (std::size_t i = 0; i < function.count(); ++i) {
        const auto& each = function.instructions[i];
        text += each.predicate.empty() ? "" : "@";
        text += each.opcode;
        text += '\n';
    }
    return text;
}

std::string text_of(const compiler::SassInstruction& instruction) {
    return fmt::format("{}{}{}{}{}", instruction.predicate, instruction.predicate.empty() ? "" : " ",
                       instruction.opcode, instruction.operands.empty() ? "" : " ", instruction.operands);
}

std::vector<SassClassCount> classes_of(const SassFunction& before, const SassFunction& after) {
    std::vector<SassClassCount> result;
    for (const auto& [name, count] : compiler::sass_class_counts(before))
        result.push_back({name, count, 0});
    for (const auto& [name, count] : compiler::sass_class_counts(after)) {
        const auto found = std::ranges::find(result, name, &SassClassCount::name);
        if (found == result.end())
            result.push_back({name, 0, count});
        else
            found->after = count;
    }
    return result;
}

SassFunctionDifference difference_of(const std::string& name, const SassFunction& before, const SassFunction& after) {
    SassFunctionDifference result;
    result.name = name;
    result.before = static_cast<int>(before.count());
    result.after = static_cast<int>(after.count());
    result.classes = classes_of(before, after);
    std::size_t left = 0, right = 0;
    for (const Line& line : line_difference(opcodes_of(before), opcodes_of(after))) {
        if (line.text.empty()) continue; // behind the last newline
        SassRow row{line.kind, {}, {}};
        if (line.kind != Line::Kind::added && left < before.count()) row.before = text_of(before.instructions[left++]);
        if (line.kind != Line::Kind::removed && right < after.count()) row.after = text_of(after.instructions[right++]);
        result.rows.push_back(std::move(row));
    }
    return result;
}

} // namespace

std::vector<SassFunctionDifference> sass_difference(const std::vector<SassFunction>& before,
                                                    const std::vector<SassFunction>& after) {
    static const SassFunction none;
    const auto find = [](const std::vector<SassFunction>& list, const std::string& name) {
        const auto found = std::ranges::find(list, name, &SassFunction::name);
        return found == list.end() ? nullptr : &*found;
    };
    std::vector<SassFunctionDifference> result;
    result.reserve(before.size());
    for (const SassFunction& each : before) {
        const SassFunction* other = find(after, each.name);
        result.push_back(difference_of(each.name, each, other ? *other : none));
    }
    for (const SassFunction& each : after)
        if (!find(before, each.name)) result.push_back(difference_of(each.name, none, each));
    return result;
}

std::string sass_difference_text(const std::vector<SassFunctionDifference>& functions, const std::string& name_before,
                                 const std::string& name_after) {
    std::string text;
    for (const SassFunctionDifference& function : functions) {
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", function.name);
        const int width = static_cast<int>(std::max({name_before.size(), name_after.size(), std::size_t{8}}));
        text += fmt::format("  {:<20}  {:>{}}  {:>{}}\n", "instructions", name_before, width, name_after, width);
        const auto add = [&](const std::string& name, int before, int after) {
            text += fmt::format("  {:<20}  {:>{}}  {:>{}}", name, before, width, after, width);
            text += before == after ? "\n" : fmt::format("  {:+}\n", after - before);
        };
        for (const SassClassCount& each : function.classes)
            add(each.name, each.before, each.after);
        add("all", function.before, function.after);
        std::size_t column = 20;
        for (const SassRow& row : function.rows)
            column = std::max(column, std::min<std::size_t>(row.before.size(), 60));
        for (const SassRow& row : function.rows) {
            const char* sign = row.kind == Line::Kind::same ? " " : row.kind == Line::Kind::removed ? "-" : "+";
            text += fmt::format("{} {:<{}} | {}\n", sign, row.before, column, row.after);
        }
    }
    return text;
}

} // namespace warplight::history
