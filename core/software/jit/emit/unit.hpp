// SPDX-License-Identifier: Apache-2.0
// A kernel while it is compiled: its module, the analysis, and the LLVM module that it becomes.
#pragma once

#include "software/jit/analysis/analysis.hpp"
#include "software/jit/analysis/sums.hpp"
#include "software/jit/ir_conventions.hpp"
#include "software/jit/jit.hpp"
#include "software/jit/lanes/lanes.hpp"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplight::jit {

/// The two forms that a PTX function may have in generated code.
struct EmittedFunction {
    llvm::Function* plain = nullptr;     ///< runs to its end; true: the thread has exited
    llvm::Function* coroutine = nullptr; ///< suspends; returns its handle
};

/// The functions of one kernel share it.
class Unit {
public:
    Unit(const ptx::Module& module, ptx::FunctionId kernel, Mode mode, const Options& options, Analysis analysis);

    const ptx::Module& module;
    const ptx::FunctionId kernel;
    const Mode mode; ///< loop or coroutine
    const Options& options;
    const Analysis analysis;
    std::optional<LanePlan> lanes; ///< for more than one lane
    bool joins_blocks = false;     ///< CompiledKernel::joins_blocks()
    bool has_turns = false;        ///< of KernelSource; then blocks are joined
    bool loops_in_rows = false;    ///< OneRow::loop is made use of
    bool leaves_idle_rows = false; ///< in lanes, of a kernel without turns (lanes/idle_rows.cpp)
    KernelSums sums;               ///< of the kernel, which then calls nothing
    ptx::SharedLayout shared;
    ptx::ParameterLayout kernel_parameters;

    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> ir;
    std::unique_ptr<llvm::DIBuilder> debug;
    llvm::DIFile* debug_file = nullptr;
    /// Marks memory accesses that are independent of those of other threads; loop mode only.
    llvm::MDNode* access_group = nullptr;
    std::map<ptx::FunctionId, EmittedFunction> functions;
    llvm::GlobalVariable* function_table = nullptr; ///< [functions of the module] × {plain, coroutine}

    /// The number of an instruction's site. The line of its DILocation is one more.
    [[nodiscard]] std::uint32_t site(ptx::FunctionId function, std::uint32_t instruction) const;
    /// The symbol for the address of a .global or .const variable.
    [[nodiscard]] static std::string symbol_of(ptx::VariableId variable);
    [[nodiscard]] llvm::GlobalVariable* variable(ptx::VariableId variable);
    /// Gives a function of the generated code its debug description, which places of instructions belong to.
    llvm::DISubprogram* describe(llvm::Function& function);
    /// A function of the runtime or of the C library, declared on first use.
    llvm::FunctionCallee external(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);
};

} // namespace warplight::jit
