// SPDX-License-Identifier: Apache-2.0
// A worker on Windows starts programs itself.
#include "worker/compiler_processes.hpp"

namespace warplight::worker {

std::unique_ptr<CompilerProcesses> start_compiler_broker(const CompilerRules& /*rules*/,
                                                         const std::filesystem::path& program) {
    return separate_compilers(program);
}

} // namespace warplight::worker
