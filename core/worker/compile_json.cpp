// SPDX-License-Identifier: Apache-2.0
#include "worker/compile_json.hpp"

#include <nlohmann/json.hpp>

namespace warplight::worker {
namespace {
using nlohmann::json;

template <class List>
json list_of(const List& list) {
    json result = json::array();
    for (const auto& item : list)
        result.push_back(to_json(item));
    return result;
}
} // namespace

json to_json(const compiler::Diagnostic& d) {
    return {{"file", d.file},       {"line", d.line},
            {"column", d.column},   {"severity", compiler::severity_name(d.severity)},
            {"message", d.message}, {"notes", d.notes}};
}

json to_json(const compiler::Kernel& kernel) {
    json parameters = json::array();
    for (const compiler::Parameter& p : kernel.parameters)
        parameters.push_back({{"name", p.name},
                              {"type", p.type},
                              {"pointer", p.pointer},
                              {"const", p.is_const},
                              {"dtype", p.dtype},
                              {"components", p.components},
                              {"size", p.size},
                              {"alignment", p.alignment},
                              {"offset", p.offset}});
    return {{"name", kernel.name},
            {"lowered", kernel.lowered},
            {"line", kernel.line},
            {"template", kernel.is_template},
            {"all_defaults", kernel.all_defaults},
            {"extern_c", kernel.extern_c},
            {"max_threads", kernel.max_threads},
            {"dimensions", kernel.dimensions},
            {"block_dimensions", kernel.block_dimensions},
            {"parameters", std::move(parameters)}};
}

json to_json(const compiler::KernelResources& r) {
    return {{"name", r.name},
            {"lowered", r.lowered},
            {"registers", r.registers},
            {"barriers", r.barriers < 0 ? json(nullptr) : json(r.barriers)},
            {"stack", r.stack},
            {"local", r.local},
            {"spill_stores", r.spill_stores},
            {"spill_loads", r.spill_loads},
            {"static_shared", r.static_shared},
            {"constant", r.constant}};
}

json to_json(const compiler::CompilerInfo& info) {
    return {{"found", info.found},
            {"version", info.found ? std::to_string(info.major) + "." + std::to_string(info.minor) : ""},
            {"path", info.path.string()},
            {"architectures", info.architectures},
            {"problem", info.problem}};
}

json to_json(const compiler::CompileResult& result) {
    json lines = json::array();
    for (const compiler::LineMapping& mapping : result.lines)
        lines.push_back({{"ptx", mapping.ptx_line}, {"line", mapping.source_line}, {"file", mapping.file}});
    json lowered_names = json::object();
    for (const auto& [expression, lowered] : result.lowered_names)
        lowered_names[expression] = lowered;
    return {{"ok", result.ok},
            {"diagnostics", list_of(result.diagnostics)},
            {"ptx", result.ptx},
            {"report", list_of(result.report)},
            {"report_problem", result.report_problem},
            {"kernels", list_of(result.kernels)},
            {"lowered_names", std::move(lowered_names)},
            {"lines", std::move(lines)},
            {"ms", result.ms},
            {"cached", result.cached},
            {"log", result.log},
            {"command", result.command},
            {"arch", result.arch},
            {"compiler", result.compiler},
            {"compiler_missing", result.compiler_missing}};
}

} // namespace warplight::worker
