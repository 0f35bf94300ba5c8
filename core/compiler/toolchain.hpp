// SPDX-License-Identifier: Apache-2.0
// The compilers behind compile(): those of this process, or those of another that can be ended.
#pragma once

#include "compiler/disassembler_process.hpp"
#include "compiler/products.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace warplight::compiler {

/// A compiler, and what else its products depend on.
struct CompilerIdentity {
    CompilerInfo info;
    std::string version; ///< nvcc's own words about itself
};

/// What ptxas said.
struct PtxasOutput {
    bool ok = false;
    bool cancelled = false;
    std::string text;
};

class Toolchain {
public:
    virtual ~Toolchain() = default;
    /// Opens NVRTC ahead of the first compilation where that can be done beside other work.
    virtual void prepare() {}
    /// `nvcc` is a program's path or plain "nvcc"; NVRTC has one library.
    virtual CompilerIdentity identity(Backend backend, const std::string& nvcc) = 0;
    /// @throws std::exception when the compiler itself cannot do its work
    virtual Products compile(const Job& job) = 0;
    /// @throws std::exception
    virtual PtxasOutput ptxas(std::string_view ptx, const Architecture& arch, const CancelQuery& cancelled) = 0;
    /// @throws std::exception
    virtual DisassemblerOutput disassemble(const DisassemblyJob& job, const CancelQuery& cancelled) = 0;
};

/// The compilers of this process. NVRTC is loaded here, nvcc is a child.
Toolchain& local_toolchain();

/// The compilers that compile() uses: the local ones until others are set.
Toolchain& toolchain();
/// Before the first compilation, and once.
void set_toolchain(std::unique_ptr<Toolchain> other);

} // namespace warplight::compiler
