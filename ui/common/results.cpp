// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/results.hpp"

#include <nlohmann/json.hpp>

namespace warplight::ui {
namespace {

using nlohmann::json;

template <class T>
T get(const json& object, const char* key, T fallback = {}) {
    if (!object.is_object()) return fallback;
    const auto it = object.find(key);
    if (it == object.end()) return fallback;
    if constexpr (std::is_same_v<T, std::string>)
        return it->is_string() ? it->template get<std::string>() : fallback;
    else if constexpr (std::is_same_v<T, bool>)
        return it->is_boolean() ? it->template get<bool>() : fallback;
    else
        return it->is_number() ? it->template get<T>() : fallback;
}

QString text(const json& object, const char* key) { return QString::fromStdString(get<std::string>(object, key)); }

const json& list(const json& object, const char* key) {
    static const json none = json::array();
    if (!object.is_object()) return none;
    const auto it = object.find(key);
    return it != object.end() && it->is_array() ? *it : none;
}

compiler::Severity severityFromName(const std::string& name) {
    if (name == "note") return compiler::Severity::note;
    if (name == "remark") return compiler::Severity::remark;
    if (name == "warning") return compiler::Severity::warning;
    return compiler::Severity::error;
}

compiler::Parameter parameterFromJson(const json& item) {
    compiler::Parameter p;
    p.name = get<std::string>(item, "name");
    p.type = get<std::string>(item, "type");
    p.pointer = get<bool>(item, "pointer");
    p.is_const = get<bool>(item, "const");
    p.dtype = get<std::string>(item, "dtype");
    p.components = get<int>(item, "components", 1);
    p.size = get<std::size_t>(item, "size");
    p.alignment = get<std::size_t>(item, "alignment");
    p.offset = get<std::size_t>(item, "offset");
    return p;
}

} // namespace

std::vector<compiler::Kernel> kernelsFromJson(const json& array) {
    std::vector<compiler::Kernel> kernels;
    if (!array.is_array()) return kernels;
    for (const json& item : array) {
        compiler::Kernel k;
        k.name = get<std::string>(item, "name");
        k.lowered = get<std::string>(item, "lowered");
        k.line = get<int>(item, "line");
        k.is_template = get<bool>(item, "template");
        k.all_defaults = get<bool>(item, "all_defaults");
        k.extern_c = get<bool>(item, "extern_c");
        k.max_threads = get<int>(item, "max_threads");
        k.dimensions = get<int>(item, "dimensions", 1);
        k.block_dimensions = get<int>(item, "block_dimensions", 1);
        for (const json& parameter : list(item, "parameters"))
            k.parameters.push_back(parameterFromJson(parameter));
        kernels.push_back(std::move(k));
    }
    return kernels;
}

CompileOutput compileOutputFromJson(const json& object) {
    CompileOutput out;
    out.valid = true;
    out.ok = get<bool>(object, "ok");
    for (const json& item : list(object, "diagnostics")) {
        compiler::Diagnostic d;
        d.file = get<std::string>(item, "file");
        d.line = get<int>(item, "line");
        d.column = get<int>(item, "column");
        d.severity = severityFromName(get<std::string>(item, "severity"));
        d.message = get<std::string>(item, "message");
        for (const json& note : list(item, "notes"))
            if (note.is_string()) d.notes.push_back(note.get<std::string>());
        out.diagnostics.push_back(std::move(d));
    }
    out.ptx = text(object, "ptx");
    for (const json& item : list(object, "report")) {
        compiler::KernelResources r;
        r.name = get<std::string>(item, "name");
        r.lowered = get<std::string>(item, "lowered");
        r.registers = get<int>(item, "registers");
        r.barriers = get<int>(item, "barriers", -1);
        r.stack = get<std::size_t>(item, "stack");
        r.spill_stores = get<std::size_t>(item, "spill_stores");
        r.spill_loads = get<std::size_t>(item, "spill_loads");
        r.static_shared = get<std::size_t>(item, "static_shared");
        r.constant = get<std::size_t>(item, "constant");
        r.local = get<std::size_t>(item, "local");
        out.resources.push_back(std::move(r));
    }
    out.resourcesProblem = text(object, "report_problem");
    out.kernels = kernelsFromJson(list(object, "kernels"));
    for (const json& item : list(object, "lines")) {
        compiler::LineMapping mapping;
        mapping.ptx_line = get<int>(item, "ptx");
        mapping.source_line = get<int>(item, "line");
        mapping.file = get<std::string>(item, "file");
        out.lines.push_back(std::move(mapping));
    }
    out.ms = get<double>(object, "ms");
    out.cached = get<bool>(object, "cached");
    out.arch = text(object, "arch");
    out.compiler = text(object, "compiler");
    out.log = text(object, "log");
    return out;
}

} // namespace warplight::ui
