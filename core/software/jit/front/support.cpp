// SPDX-License-Identifier: Apache-2.0
// Which instructions can be compiled: each is tried out in a function that is thrown away.
#include "software/jit/abi/device_runtime.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/jit.hpp"

#include <mutex>
#include <set>

namespace warplight::jit {

namespace {

/// The instruction without its registers: forms that passed once need not be tried again.
std::string form_of(const ptx::Instruction& i) {
    std::string form = std::to_string(static_cast<unsigned>(i.opcode)) + " " + i.modifiers.to_string() + " " +
                       std::to_string(i.vector_width) + " " + std::to_string(static_cast<unsigned>(i.space)) + " " +
                       std::to_string(static_cast<unsigned>(i.source_space));
    for (unsigned k = 0; k < i.type_count; ++k)
        form += " " + std::to_string(static_cast<unsigned>(i.types[k]));
    for (const ptx::Operand& x : i.operands) {
        form += "," + std::to_string(static_cast<unsigned>(x.kind));
        if (x.kind == ptx::Operand::Kind::special) form += ":" + std::to_string(static_cast<unsigned>(x.special));
        // Of a copy the size is part of the form.
        if (x.kind == ptx::Operand::Kind::integer && i.opcode == ptx::Opcode::cp)
            form += "=" + std::to_string(x.integer);
        form += "/" + std::to_string(x.elements.size());
    }
    return form;
}

std::optional<std::string> check_call(const ptx::Module& module, const ptx::Function& function,
                                      const ptx::Instruction& i) {
    const ptx::Call& call = function.calls.at(static_cast<std::size_t>(i.call));
    if (!call.callee || module.functions[*call.callee].defined) return wrong_call(module, function, call);
    const ptx::Function& callee = module.functions[*call.callee];
    if (is_offered(callee.name)) return std::nullopt;
    return "call of '" + callee.name + "', which is not defined";
}

/// Compares the registers that the instruction's code reads and writes with ptx::effects_of(). All analyses trust these
/// effects, and wrong ones would give wrong results.
std::optional<std::string> check_effects(const Emitter& emitter, const ptx::Function& function,
                                         const ptx::Instruction& i) {
    if (emitter.unit.ir->getFunction(kSuspendMarker) && !ptx::may_suspend(i))
        return "internal: '" + std::string(ptx::spelling(i.opcode)) +
               "' suspends the thread, which its group in "
               "opcodes.def does not say";
    std::set<ptx::RegisterId> reads, writes;
    ptx::each_read(function, i, [&](ptx::RegisterId r) { reads.insert(r); });
    ptx::each_written(function, i, [&](ptx::RegisterId r) { writes.insert(r); });
    for (ptx::RegisterId r = 0; r < function.registers.size(); ++r)
        if (emitter.registers.has_written(r) != writes.contains(r) ||
            (emitter.registers.has_read(r) && !reads.contains(r)))
            return "internal: the effects of '" + std::string(ptx::spelling(i.opcode)) + "' on register '" +
                   function.registers[r].name + "'";
    return std::nullopt;
}

std::optional<std::string> try_out(const ptx::Module& module, const ptx::Instruction& i,
                                   const ptx::Function& function) {
    // A module with a copy of the function that holds only this instruction.
    ptx::Module small;
    small.variables = module.variables;
    ptx::Function one;
    one.name = "tried";
    one.kernel = function.kernel;
    one.defined = true;
    one.parameters = function.parameters;
    one.results = function.results;
    one.registers = function.registers;
    one.variables = function.variables;
    one.instructions = {i};
    one.instructions[0].guarded = false;
    small.functions.push_back(std::move(one));
    Analysis analysis;
    analysis.functions.resize(1);
    analysis.site_base.resize(1);
    analysis.reachable.functions = {0};
    for (ptx::VariableId v = 0; v < small.variables.size(); ++v)
        analysis.reachable.variables.push_back(v);
    Options options;
    Unit unit(small, 0, Mode::coroutine, options, std::move(analysis));
    std::vector<llvm::Type*> types{llvm::PointerType::get(*unit.context, 0)};
    if (!function.kernel)
        types.insert(types.end(), function.parameters.size() + function.results.size(), types.front());
    auto* type = llvm::FunctionType::get(llvm::Type::getInt1Ty(*unit.context), types, false);
    auto* target = llvm::Function::Create(type, llvm::Function::InternalLinkage, "tried", *unit.ir);
    std::optional<std::string> problem;
    try {
        Emitter emitter(unit, 0, target, true);
        if (!emit_any(emitter, i)) emitter.unsupported_form(i);
        problem = check_effects(emitter, unit.module.functions[0], unit.module.functions[0].instructions[0]);
    } catch (const EmitError& error) {
        problem = error.what();
    } catch (const std::out_of_range&) {
        problem = "'" + std::string(ptx::spelling(i.opcode)) + "' with too few operands";
    }
    unit.debug->finalize();
    return problem;
}

} // namespace

std::optional<std::string> unsupported(const ptx::Module& module, const ptx::Function& function,
                                       const ptx::Instruction& i) {
    using Group = ptx::OpcodeGroup;
    switch (ptx::group_of(i.opcode)) {
    case Group::call: return check_call(module, function, i);
    case Group::branch:
    case Group::thread_end:
    case Group::trap: return std::nullopt;
    default: break;
    }
    static std::mutex mutex;
    static auto& sound = *new std::set<std::string>; // never destroyed: threads may run until the process ends
    const std::string form = form_of(i);
    {
        const std::lock_guard lock(mutex);
        if (sound.contains(form)) return std::nullopt;
    }
    std::optional<std::string> problem = try_out(module, i, function);
    if (!problem) {
        const std::lock_guard lock(mutex);
        sound.insert(form);
    }
    return problem;
}

} // namespace warplight::jit
