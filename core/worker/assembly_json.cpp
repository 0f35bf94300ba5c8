// SPDX-License-Identifier: Apache-2.0
#include "worker/assembly_json.hpp"

#include "worker/compile_json.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace warplight::worker {
namespace {

using nlohmann::json;

template <class T>
void read(const json& object, const char* key, T& to) {
    const auto found = object.find(key);
    if (found == object.end()) return;
    if constexpr (std::is_same_v<T, bool>) {
        if (found->is_boolean()) to = found->template get<bool>();
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (found->is_number()) to = found->template get<T>();
    } else {
        if (found->is_string()) to = found->template get<std::string>();
    }
}

/// The members of an array that are objects; none where the key is missing or has something else.
template <class Visit>
void read_objects(const json& object, const char* key, const Visit& visit) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return;
    for (const json& each : *found)
        if (each.is_object()) visit(each);
}

json write_instruction(const compiler::SassInstruction& instruction) {
    json object = {{"address", instruction.address},
                   {"predicate", instruction.predicate},
                   {"opcode", instruction.opcode},
                   {"operands", instruction.operands},
                   {"class", compiler::sass_class(instruction.opcode)}};
    if (!instruction.labels.empty()) object["labels"] = instruction.labels;
    if (instruction.target) object["target"] = *instruction.target;
    if (instruction.places.empty()) return object;
    object["file"] = instruction.places.front().file;
    object["line"] = instruction.places.front().line;
    for (std::size_t i = 1; i < instruction.places.size(); ++i)
        object["inlined_at"].push_back({{"file", instruction.places[i].file}, {"line", instruction.places[i].line}});
    return object;
}

compiler::SassInstruction instruction_from_json(const json& object) {
    compiler::SassInstruction result;
    read(object, "address", result.address);
    read(object, "predicate", result.predicate);
    read(object, "opcode", result.opcode);
    read(object, "operands", result.operands);
    if (const auto labels = object.find("labels"); labels != object.end() && labels->is_array())
        for (const json& each : *labels)
            if (each.is_string()) result.labels.push_back(each.get<std::string>());
    if (const auto target = object.find("target"); target != object.end() && target->is_number_unsigned())
        result.target = target->get<std::uint64_t>();
    const auto add_place = [&](const json& from) {
        compiler::SassPlace place;
        read(from, "file", place.file);
        read(from, "line", place.line);
        if (place.line > 0) result.places.push_back(std::move(place));
    };
    add_place(object);
    read_objects(object, "inlined_at", add_place);
    return result;
}

/// The members of a row, each once.
template <class Row, class Visit>
void visit_row(Row& row, const Visit& visit) {
    visit("limit", row.limit);
    visit("ok", row.ok);
    visit("problem", row.problem);
    visit("registers", row.registers);
    visit("stack", row.stack);
    visit("spill_stores", row.spill_stores);
    visit("spill_loads", row.spill_loads);
    visit("blocks_per_sm", row.blocks_per_sm);
    visit("warps_per_sm", row.warps_per_sm);
    visit("max_warps_per_sm", row.max_warps_per_sm);
    visit("occupancy", row.occupancy);
    visit("limiter", row.limiter);
}

template <class Table, class Visit>
void visit_table(Table& table, const Visit& visit) {
    visit("ok", table.ok);
    visit("problem", table.problem);
    visit("arch", table.arch);
    visit("kernel", table.kernel);
    visit("threads", table.threads);
    visit("shared", table.shared);
    visit("chosen", table.chosen);
    visit("bound_threads", table.bound_threads);
    visit("bound_blocks", table.bound_blocks);
    visit("bound_registers", table.bound_registers);
}

} // namespace

json to_json(const std::vector<compiler::SassFunction>& functions) {
    json array = json::array();
    for (const compiler::SassFunction& function : functions) {
        json instructions = json::array(), classes = json::object();
        for (std::size_t i = 0; i < function.count(); ++i)
            instructions.push_back(write_instruction(function.instructions[i]));
        for (const auto& [name, count] : compiler::sass_class_counts(function))
            classes[name] = count;
        array.push_back({{"name", function.name},
                         {"count", function.count()},
                         {"classes", std::move(classes)},
                         {"instructions", std::move(instructions)}});
    }
    return array;
}

std::vector<compiler::SassFunction> sass_functions_from_json(const json& array) {
    std::vector<compiler::SassFunction> result;
    if (!array.is_array()) return result;
    for (const json& each : array) {
        if (!each.is_object()) continue;
        compiler::SassFunction& function = result.emplace_back();
        read(each, "name", function.name);
        read_objects(each, "instructions", [&](const json& instruction) {
            function.instructions.push_back(instruction_from_json(instruction));
        });
    }
    return result;
}

json to_json(const session::RegisterTable& table) {
    json object = json::object();
    visit_table(table, [&](const char* key, const auto& value) { object[key] = value; });
    json& rows = object["rows"] = json::array();
    for (const session::RegisterRow& row : table.rows) {
        json& each = rows.emplace_back(json::object());
        visit_row(row, [&](const char* key, const auto& value) { each[key] = value; });
    }
    json& diagnostics = object["diagnostics"] = json::array();
    for (const compiler::Diagnostic& each : table.diagnostics)
        diagnostics.push_back(to_json(each));
    return object;
}

session::RegisterTable register_table_from_json(const json& object) {
    session::RegisterTable table;
    if (!object.is_object()) return table;
    visit_table(table, [&](const char* key, auto& value) { read(object, key, value); });
    read_objects(object, "rows", [&](const json& each) {
        visit_row(table.rows.emplace_back(), [&](const char* key, auto& value) { read(each, key, value); });
    });
    return table;
}

} // namespace warplight::worker
