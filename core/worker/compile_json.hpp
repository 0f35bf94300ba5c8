// SPDX-License-Identifier: Apache-2.0
// The compiler's results as JSON, for the protocol and the command line.
#pragma once

#include "warplight/compiler.hpp"

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace warplight::worker {

nlohmann::json to_json(const compiler::Diagnostic& diagnostic);
nlohmann::json to_json(const compiler::Parameter& parameter);
nlohmann::json to_json(const compiler::Kernel& kernel);
nlohmann::json to_json(const compiler::KernelResources& resources);
nlohmann::json to_json(const compiler::LineMapping& mapping);
nlohmann::json to_json(const compiler::CompilerInfo& info);
/// Leaves out CUBIN and LTO-IR, which are not text.
nlohmann::json to_json(const compiler::CompileResult& result);

/// A key that is missing or has a value of another type leaves the default. Neither throws.
std::vector<compiler::Kernel> kernels_from_json(const nlohmann::json& array);
compiler::CompileResult compile_result_from_json(const nlohmann::json& object);

} // namespace warplight::worker
