// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/results.hpp"

#include "ui/common/agreements.hpp"

#include "worker/compile_json.hpp"

#include <utility>

namespace warplight::ui {

std::vector<compiler::Kernel> kernelsFromJson(const nlohmann::json& json) { return worker::kernels_from_json(json); }

CompileOutput compileOutputFromJson(const nlohmann::json& json) {
    compiler::CompileResult result = worker::compile_result_from_json(json);
    CompileOutput out;
    out.valid = true;
    out.ok = result.ok;
    out.diagnostics = std::move(result.diagnostics);
    out.ptx = QString::fromStdString(result.ptx);
    out.resources = std::move(result.report);
    out.resourcesProblem = QString::fromStdString(result.report_problem);
    out.kernels = std::move(result.kernels);
    out.lines = std::move(result.lines);
    out.ms = result.ms;
    out.cached = result.cached;
    out.arch = QString::fromStdString(result.arch);
    out.compiler = QString::fromStdString(result.compiler);
    out.log = QString::fromStdString(result.log);
    for (const std::filesystem::path file : result.outside)
        out.outside << fromPath(file);
    return out;
}

} // namespace warplight::ui
