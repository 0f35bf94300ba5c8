// SPDX-License-Identifier: Apache-2.0
// What the compiler answers, as the protocol's and the command line's JSON.
#pragma once

#include "warplight/compiler.hpp"

#include <nlohmann/json_fwd.hpp>

namespace warplight::worker {

nlohmann::json to_json(const compiler::Diagnostic& diagnostic);
nlohmann::json to_json(const compiler::Kernel& kernel);
nlohmann::json to_json(const compiler::KernelResources& resources);
nlohmann::json to_json(const compiler::CompilerInfo& info);
/// Without CUBIN and LTO-IR, which are no text.
nlohmann::json to_json(const compiler::CompileResult& result);

} // namespace warplight::worker
