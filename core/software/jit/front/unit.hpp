// SPDX-License-Identifier: Apache-2.0
// One kernel being compiled: its module, what it reaches, what is known about it, and the LLVM module it becomes.
#pragma once

#include "software/jit/analysis/analysis.hpp"
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

/// Everything that is shared by the functions of one kernel.
class Unit {
public:
    Unit(const ptx::Module& module, ptx::FunctionId kernel, Mode mode, const Options& options, Analysis analysis);

    const ptx::Module& module;
    const ptx::FunctionId kernel;
    const Mode mode; ///< loop or coroutine
    const Options& options;
    const Analysis analysis;
    std::optional<LanePlan> lanes; ///< where threads run side by side, options.width of them
    ptx::SharedLayout shared;
    ptx::ParameterLayout kernel_parameters;

    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> ir;
    std::unique_ptr<llvm::DIBuilder> debug;
    llvm::DIFile* debug_file = nullptr;
    /// Marks memory accesses of which those of different threads are independent; loop mode only.
    llvm::MDNode* access_group = nullptr;
    std::map<ptx::FunctionId, EmittedFunction> functions;
    llvm::GlobalVariable* function_table = nullptr; ///< [functions of the module] × {plain, coroutine}

    /// Number of an instruction's site: its DILocation's line is this + 1.
    [[nodiscard]] std::uint32_t site(ptx::FunctionId function, std::uint32_t instruction) const;
    /// Name of the symbol that stands for a .global or .const variable's address.
    [[nodiscard]] static std::string symbol_of(ptx::VariableId variable);
    [[nodiscard]] llvm::GlobalVariable* variable(ptx::VariableId variable);
    /// A function of the runtime or of the C library, declared on first use.
    llvm::FunctionCallee external(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters);
};

/// Names of the code's entry points in the object.
inline constexpr const char* kBlockSymbol = "wl_block";
inline constexpr const char* kThreadSymbol = "wl_thread";
inline constexpr const char* kRoundSymbol = "wl_round";
/// Stands for a suspension until every function that waits is part of a coroutine.
inline constexpr const char* kSuspendMarker = "wl_suspend";
/// Stand for the coroutine's frame and its size.
inline constexpr const char* kFrameMarker = "wl_frame";
inline constexpr const char* kFrameSizeMarker = "wl_frame_size";

/// Whether WARPLIGHT_JIT_DUMP=1 in the environment asks for what LLVM is given and what it makes of it.
[[nodiscard]] bool is_dumped();

} // namespace warplight::jit
