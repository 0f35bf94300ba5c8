// SPDX-License-Identifier: GPL-3.0-or-later
/// Compile results of the worker, read from their JSON.
#pragma once

#include "warplight/compiler.hpp"

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace warplight::ui {

/// The result of `compile`.
struct CompileOutput {
    bool valid = false; ///< there was a compilation
    bool ok = false;
    std::vector<compiler::Diagnostic> diagnostics;
    QString ptx;
    std::vector<compiler::KernelResources> resources; ///< the ptxas report
    QString resourcesProblem;                         ///< why there is none
    std::vector<compiler::Kernel> kernels;
    std::vector<compiler::LineMapping> lines; ///< PTX line → source line
    double ms = 0;
    bool cached = false;
    QString arch, compiler, log;
    QStringList outside; ///< headers outside of the session's folder, which were refused
    QString instance;    ///< the template instance that was asked for by name; may be empty
    int revision = 0;    ///< of the source that was compiled, see SourceFile::revision
};

/// Tolerant: missing members keep their defaults.
CompileOutput compileOutputFromJson(const nlohmann::json& json);
std::vector<compiler::Kernel> kernelsFromJson(const nlohmann::json& json);

} // namespace warplight::ui
