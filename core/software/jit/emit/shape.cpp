// SPDX-License-Identifier: Apache-2.0
#include "shape.hpp"

#include "emitter.hpp"
#include "frame.hpp"
#include "software/jit/emit/hooks/access_hooks.hpp"
#include "software/jit/emit/hooks/profile_hooks.hpp"
#include "software/jit/emit/hooks/step_hooks.hpp"
#include "software/jit/emit/hooks/trace_hooks.hpp"
#include "software/jit/emit/hooks/wait_hooks.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace warplight::jit {

using llvm::Type;

namespace {

/// The LLVM functions of a PTX function. The arguments are: where the thread is (ThreadPlace), for a coroutine where
/// its result goes, and memory for each parameter and result.
EmittedFunction declare(Unit& unit, ptx::FunctionId id) {
    const ptx::Function& f = unit.module.functions[id];
    const bool coroutine = unit.mode == Mode::coroutine;
    auto* ptr = llvm::PointerType::get(*unit.context, 0);
    auto* i32 = Type::getInt32Ty(*unit.context);
    std::vector<Type*> types = coroutine ? std::vector<Type*>{ptr} : std::vector<Type*>{ptr, i32, i32, i32, i32};
    if (f.kernel && unit.joins_blocks) types.push_back(i32);
    if (f.kernel && unit.leaves_idle_rows) {
        if (unit.joins_blocks) types.push_back(i32);
        types.insert(types.end(), {ptr, ptr});
    }
    if (f.kernel && unit.has_turns) types.insert(types.end(), {i32, ptr});
    if (f.kernel && unit.loops_in_rows) types.push_back(ptr);
    auto* device = llvm::PointerType::get(*unit.context, kDeviceSpace);
    if (!f.kernel) types.insert(types.end(), f.parameters.size() + f.results.size(), device);
    EmittedFunction emitted;
    auto* type = llvm::FunctionType::get(f.kernel && !coroutine ? i32 : Type::getInt1Ty(*unit.context), types, false);
    emitted.plain = llvm::Function::Create(type, llvm::Function::InternalLinkage, "f." + f.name, *unit.ir);
    const FunctionFacts& facts = unit.analysis.functions[id];
    if (coroutine && id == unit.kernel) {
        emitted.coroutine = llvm::Function::Create(llvm::FunctionType::get(ptr, {ptr}, false),
                                                   llvm::Function::ExternalLinkage, kThreadSymbol, *unit.ir);
    } else if (coroutine && facts.waits && (facts.recursive || facts.address_taken)) {
        types.insert(types.begin() + 1, ptr);
        emitted.coroutine = llvm::Function::Create(llvm::FunctionType::get(ptr, types, false),
                                                   llvm::Function::InternalLinkage, "c." + f.name, *unit.ir);
    }
    return emitted;
}

/// The table that function pointers are numbers of.
void make_function_table(Unit& unit) {
    auto* ptr = llvm::PointerType::get(*unit.context, 0);
    auto* entry_type = llvm::StructType::get(ptr, ptr);
    llvm::Constant* null = llvm::ConstantPointerNull::get(ptr);
    std::vector<llvm::Constant*> entries;
    for (ptx::FunctionId id = 0; id < unit.module.functions.size(); ++id) {
        const auto known = unit.functions.find(id);
        llvm::Constant* plain = null;
        llvm::Constant* coroutine = null;
        if (known != unit.functions.end() && unit.analysis.functions[id].address_taken) {
            if (known->second.coroutine)
                coroutine = known->second.coroutine;
            else
                plain = known->second.plain;
        }
        entries.push_back(llvm::ConstantStruct::get(entry_type, {plain, coroutine}));
    }
    auto* type = llvm::ArrayType::get(entry_type, entries.size());
    unit.function_table = new llvm::GlobalVariable(*unit.ir, type, true, llvm::GlobalValue::InternalLinkage,
                                                   llvm::ConstantArray::get(type, entries), "function_table");
}

} // namespace

void emit_kernel(Unit& unit) {
    unit.loops_in_rows = unit.mode == Mode::loop && !unit.has_turns && unit.lanes && unit.lanes->one_row &&
                         unit.lanes->one_row->loop && unit.options.tells_nothing();
    // Code that goes on in its row by itself does not tell where threads do nothing.
    if (unit.loops_in_rows) unit.leaves_idle_rows = false;
    for (const ptx::FunctionId id : unit.analysis.reachable.functions) {
        const ptx::Function& f = unit.module.functions[id];
        if (f.defined && (!f.kernel || id == unit.kernel)) unit.functions[id] = declare(unit, id);
    }
    if (unit.analysis.reachable.calls_indirectly) make_function_table(unit);
    const bool coroutine = unit.mode == Mode::coroutine;
    for (auto& [id, emitted] : unit.functions) {
        Emitter emitter(unit, id, emitted.plain, coroutine);
        // What the tests leave out is not traced.
        if (unit.options.checks_accesses) emitter.hooks.push_back(std::make_unique<AccessHooks>(emitter));
        if (unit.options.profiles) emitter.hooks.push_back(std::make_unique<ProfileHooks>(emitter));
        if (unit.options.follows_waits) emitter.hooks.push_back(std::make_unique<WaitHooks>(emitter));
        if (unit.options.traces_accesses) emitter.hooks.push_back(std::make_unique<TraceHooks>(emitter));
        if (unit.options.steps) emitter.hooks.push_back(std::make_unique<StepHooks>(emitter));
        emitter.emit();
    }
    if (coroutine)
        emit_coroutines(unit);
    else
        emit_block_loop(unit);
    unit.debug->finalize();
    for (llvm::Function& f : *unit.ir)
        if (!f.isDeclaration()) {
            f.addFnAttr(llvm::Attribute::NoUnwind);
            // An access to address 0 is a fault to be reported, not code that cannot be reached.
            f.addFnAttr(llvm::Attribute::NullPointerIsValid);
        }
    std::string problem;
    llvm::raw_string_ostream out(problem);
    if (llvm::verifyModule(*unit.ir, &out)) throw EmitError("internal: emitted code is not valid: " + out.str());
}

} // namespace warplight::jit
