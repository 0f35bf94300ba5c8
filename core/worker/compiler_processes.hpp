// SPDX-License-Identifier: Apache-2.0
// Processes that compile for the worker. Each ends with its compilation, and can be ended before.
#pragma once

#include "compiler/toolchain.hpp"
#include "worker/compiler_messages.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace warplight::worker {

/// What a process that compiles may use.
struct CompilerRules {
    std::filesystem::path folder; ///< for its temporary files; the only place that it writes to
    /// Files and folders that it may read besides the system's and the toolkit's.
    std::vector<std::filesystem::path> readable;
    bool confined = false;                      ///< behind walls, as the worker is
    std::vector<std::filesystem::path> toolkit; ///< folders of the compiler and its headers
    bool programs = false;                      ///< it starts nvcc or ptxas, which start a shell and the host compiler
    std::uint64_t memory = 0;                   ///< bytes of address space; 0: as many as the worker
};

/// In a process that compiles, once, and before the source is read: gives up what the compilation does not need.
void confine_compiler(const CompilerRules& rules);

/// Does what is asked, in this process. `confined` is called when the rules hold. Does not throw: a failure is an
/// answer.
std::vector<std::byte> answer_compiler_task(CompilerTask task, std::span<const std::byte> request, CompilerRules rules,
                                            const std::function<void()>& confined = {});

class CompilerProcesses {
public:
    struct Answer {
        bool cancelled = false;
        std::vector<std::byte> bytes;
    };
    virtual ~CompilerProcesses() = default;
    virtual void prepare() {}
    /// @throws std::runtime_error when the process ended without an answer: how it ended
    virtual Answer ask(CompilerTask task, std::span<const std::byte> request,
                       const compiler::CancelQuery& cancelled) = 0;
};

/// A program for each task: `PROGRAM compile-helper FOLDER`, which is compiler_helper_main().
std::unique_ptr<CompilerProcesses> separate_compilers(std::filesystem::path program);
/// Serves the one request on standard input, with temporary files in `folder`. Ends with its parent.
int compiler_helper_main(const std::filesystem::path& folder);

/// A process that starts the others for a worker that may start none itself. Called before the worker has threads and
/// before it is confined. `rules` hold for each process. Where this system cannot do that: separate_compilers().
std::unique_ptr<CompilerProcesses> start_compiler_broker(const CompilerRules& rules,
                                                         const std::filesystem::path& program);

/// Compilers in such processes, for compiler::set_toolchain().
std::unique_ptr<compiler::Toolchain> remote_toolchain(std::unique_ptr<CompilerProcesses> processes);

} // namespace warplight::worker
