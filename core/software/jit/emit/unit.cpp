// SPDX-License-Identifier: Apache-2.0
#include "unit.hpp"

#include "software/jit/dump.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DerivedTypes.h>

namespace warplight::jit {

Unit::Unit(const ptx::Module& module, ptx::FunctionId kernel, Mode mode, const Options& options, Analysis analysis)
    : module(module), kernel(kernel), mode(mode), options(options), analysis(std::move(analysis)),
      shared(ptx::layout_shared(module, this->analysis.reachable)),
      kernel_parameters(ptx::layout_parameters(module.functions[kernel].parameters)),
      context(std::make_unique<llvm::LLVMContext>()), ir(std::make_unique<llvm::Module>("kernel", *context)),
      debug(std::make_unique<llvm::DIBuilder>(*ir)) {
    // Only people read the names of values, and keeping names apart takes a twentieth of the time.
    context->setDiscardValueNames(!is_dumped());
    ir->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    ir->addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
    debug_file = debug->createFile("kernel.ptx", "/");
    debug->createCompileUnit(llvm::dwarf::DW_LANG_C, debug_file, "warplight", true, "", 0, "",
                             llvm::DICompileUnit::LineTablesOnly);
    if (mode == Mode::loop) access_group = llvm::MDNode::getDistinct(*context, {});
}

std::uint32_t Unit::site(ptx::FunctionId function, std::uint32_t instruction) const {
    return analysis.site_base[function] + instruction;
}

std::string Unit::symbol_of(ptx::VariableId variable) { return "wl_variable_" + std::to_string(variable); }

llvm::GlobalVariable* Unit::variable(ptx::VariableId id) {
    const std::string name = symbol_of(id);
    if (auto* known = ir->getNamedGlobal(name)) return known;
    const ptx::Variable& v = module.variables[id];
    auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(*context), v.size);
    auto* global = new llvm::GlobalVariable(*ir, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, name,
                                            nullptr, llvm::GlobalValue::NotThreadLocal, kDeviceSpace, true);
    global->setAlignment(llvm::Align(v.alignment ? v.alignment : 1));
    return global;
}

llvm::DISubprogram* Unit::describe(llvm::Function& function) {
    auto* type = debug->createSubroutineType(debug->getOrCreateTypeArray({}));
    auto* subprogram = debug->createFunction(
        debug_file, function.getName(), function.getName(), debug_file, 0, type, 0, llvm::DINode::FlagZero,
        llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    function.setSubprogram(subprogram);
    return subprogram;
}

llvm::FunctionCallee Unit::external(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
    return ir->getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
}

} // namespace warplight::jit
