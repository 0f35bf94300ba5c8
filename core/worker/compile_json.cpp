// SPDX-License-Identifier: Apache-2.0
#include "worker/compile_json.hpp"

#include "session/data_file.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace warplight::worker {
namespace {

using nlohmann::json;

/// Calls `visit` with the key and the value of each member that is in the JSON.
/// A structured binding names all members of its type: a new member does not compile until it has a key.
template <class Object, class Visit>
void visit_members(Object& object, const Visit& visit) {
    using Type = std::remove_const_t<Object>;
    if constexpr (std::is_same_v<Type, compiler::Diagnostic>) {
        auto& [file, line, column, severity, message, notes] = object;
        visit("file", file);
        visit("line", line);
        visit("column", column);
        visit("severity", severity);
        visit("message", message);
        visit("notes", notes);
    } else if constexpr (std::is_same_v<Type, compiler::Parameter>) {
        auto& [name, type, pointer, is_struct, is_const, dtype, components, size, alignment, offset, opaque] = object;
        visit("name", name);
        visit("type", type);
        visit("pointer", pointer);
        visit("struct", is_struct);
        visit("const", is_const);
        visit("dtype", dtype);
        visit("components", components);
        visit("size", size);
        visit("alignment", alignment);
        visit("offset", offset);
        visit("object", opaque);
    } else if constexpr (std::is_same_v<Type, compiler::Kernel>) {
        auto& [name, lowered, line, is_template, all_defaults, extern_c, max_threads, dimensions, block_dimensions,
               parameters] = object;
        visit("name", name);
        visit("lowered", lowered);
        visit("line", line);
        visit("template", is_template);
        visit("all_defaults", all_defaults);
        visit("extern_c", extern_c);
        visit("max_threads", max_threads);
        visit("dimensions", dimensions);
        visit("block_dimensions", block_dimensions);
        visit("parameters", parameters);
    } else if constexpr (std::is_same_v<Type, compiler::KernelResources>) {
        auto& [name, lowered, registers, barriers, stack, spill_stores, spill_loads, static_shared, constant, local] =
            object;
        visit("name", name);
        visit("lowered", lowered);
        visit("registers", registers);
        visit("barriers", barriers);
        visit("stack", stack);
        visit("local", local);
        visit("spill_stores", spill_stores);
        visit("spill_loads", spill_loads);
        visit("static_shared", static_shared);
        visit("constant", constant);
    } else if constexpr (std::is_same_v<Type, compiler::LineMapping>) {
        auto& [ptx_line, source_line, file] = object;
        visit("ptx", ptx_line);
        visit("line", source_line);
        visit("file", file);
    } else {
        static_assert(std::is_same_v<Type, compiler::CompileResult>);
        visit("ok", object.ok);
        visit("diagnostics", object.diagnostics);
        visit("ptx", object.ptx);
        visit("report", object.report);
        visit("report_problem", object.report_problem);
        visit("outside", object.outside);
        visit("kernels", object.kernels);
        visit("lines", object.lines);
        visit("ms", object.ms);
        visit("cached", object.cached);
        visit("log", object.log);
        visit("command", object.command);
        visit("arch", object.arch);
        visit("compiler", object.compiler);
        visit("compiler_missing", object.compiler_missing);
    }
}

json write(const std::string& value) { return value; }
json write(const FilePath& value) { return session::utf8_of(value); }
json write(compiler::Severity value) { return compiler::severity_name(value); }
template <class T>
json write(const T& value) {
    if constexpr (std::is_arithmetic_v<T>)
        return value;
    else
        return to_json(value);
}
template <class T>
json write(const std::vector<T>& list) {
    json array = json::array();
    for (const T& each : list)
        array.push_back(write(each));
    return array;
}
template <class Object>
json write_members(const Object& object) {
    json result = json::object();
    visit_members(object, [&](const char* key, const auto& value) { result[key] = write(value); });
    return result;
}

// What is missing or of another type leaves the default.

void read(const json& value, bool& to) {
    if (value.is_boolean()) to = value.get<bool>();
}
void read(const json& value, std::string& to) {
    if (value.is_string()) to = value.get<std::string>();
}
void read(const json& value, FilePath& to) {
    if (value.is_string()) to = session::path_from_utf8(value.get<std::string>());
}
void read(const json& value, compiler::Severity& to) {
    using compiler::Severity;
    for (const Severity each : {Severity::note, Severity::remark, Severity::warning, Severity::error})
        if (value == compiler::severity_name(each)) to = each;
}
template <class T>
void read(const json& value, std::vector<T>& to);
template <class T>
void read(const json& value, T& to) {
    if constexpr (std::is_arithmetic_v<T>) {
        if (value.is_number()) to = value.get<T>();
    } else {
        visit_members(to, [&](const char* key, auto& member) {
            if (!value.is_object()) return;
            if (const auto found = value.find(key); found != value.end()) read(*found, member);
        });
    }
}
template <class T>
void read(const json& value, std::vector<T>& to) {
    if (!value.is_array()) return;
    for (const json& each : value)
        read(each, to.emplace_back());
}

} // namespace

json to_json(const compiler::Diagnostic& diagnostic) { return write_members(diagnostic); }

json to_json(const compiler::Parameter& parameter) { return write_members(parameter); }

json to_json(const compiler::Kernel& kernel) { return write_members(kernel); }

json to_json(const compiler::KernelResources& resources) {
    json object = write_members(resources);
    if (resources.barriers < 0) object["barriers"] = nullptr;
    return object;
}

json to_json(const compiler::LineMapping& mapping) { return write_members(mapping); }

json to_json(const compiler::CompilerInfo& info) {
    return {{"found", info.found},
            {"version", info.found ? std::to_string(info.major) + "." + std::to_string(info.minor) : ""},
            {"path", info.path.string()},
            {"architectures", info.architectures},
            {"lent", info.lent},
            {"problem", info.problem}};
}

json to_json(const compiler::CompileResult& result) {
    json object = write_members(result);
    json& names = object["lowered_names"] = json::object();
    for (const auto& [expression, lowered] : result.lowered_names)
        names[expression] = lowered;
    return object;
}

std::vector<compiler::Kernel> kernels_from_json(const json& array) {
    std::vector<compiler::Kernel> kernels;
    read(array, kernels);
    return kernels;
}

compiler::CompileResult compile_result_from_json(const json& object) {
    compiler::CompileResult result;
    read(object, result);
    if (!object.is_object()) return result;
    if (const auto names = object.find("lowered_names"); names != object.end() && names->is_object())
        for (const auto& [expression, lowered] : names->items())
            if (lowered.is_string()) result.lowered_names.push_back({expression, lowered.get<std::string>()});
    return result;
}

} // namespace warplight::worker
