// SPDX-License-Identifier: Apache-2.0
// Calls of PTX functions, calls through pointers, and calls of the device runtime (printf, malloc, assert).
// Arguments and results are passed as addresses of the caller's memory. Inlining makes values of them.
// A callee reads and writes that memory as its own declaration says. So the caller's memory is never smaller: a caller
// with a smaller variable is refused, and a call through a pointer is a fault if the callee has another signature.
#include "software/jit/abi/device_runtime.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/emit/shape.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

namespace {

using Kind = ptx::Operand::Kind;

std::uint64_t bytes_of(const ptx::Function& function, const ptx::Operand& variable) {
    switch (variable.scope) {
    case ptx::Operand::Scope::parameter: return function.parameters.at(variable.index).size;
    case ptx::Operand::Scope::result: return function.results.at(variable.index).size;
    case ptx::Operand::Scope::function: return function.variables.at(variable.index).size;
    default: throw EmitError("a call with a variable of the module");
    }
}

/// The memory of a variable that a call names, of which the callee uses that many bytes.
Value* variable_memory(Emitter& e, const ptx::Operand& variable, std::uint64_t bytes) {
    const std::uint64_t has = bytes_of(e.function, variable);
    if (has < bytes)
        throw EmitError("a call with a variable of " + std::to_string(has) + " bytes where the function has " +
                        std::to_string(bytes));
    return e.variables.memory_of(variable.scope, variable.index);
}

/// The address of an argument's or result's memory; registers and immediates get a slot, as large as declared.
Value* memory_of(Emitter& e, const ptx::Operand& operand, const ptx::Variable& declared, bool is_argument) {
    if (operand.kind == Kind::variable) return variable_memory(e, operand, declared.size);
    const ptx::Type type = operand.kind == Kind::reg ? e.function.registers[operand.reg].type : declared.type;
    llvm::Type* value_type = e.register_type(type);
    // A register has 16 bytes at most.
    const std::uint64_t bytes = std::max<std::uint64_t>(declared.size, 16);
    Value* slot = e.local_slot(llvm::ArrayType::get(e.b.getInt8Ty(), bytes), "passed", 16);
    if (is_argument) e.b.CreateStore(e.bits_as(e.read(operand, type), value_type), slot);
    return slot;
}

void read_result(Emitter& e, const ptx::Operand& operand, Value* memory) {
    if (operand.kind != Kind::reg) return;
    const ptx::Type type = e.function.registers[operand.reg].type;
    e.write(operand, type, e.bits_as(e.b.CreateLoad(e.register_type(type), memory), e.type_of(type)));
}

/// An argument of a device runtime function.
Value* argument(Emitter& e, const ptx::Call& call, std::size_t k, ptx::Type type) {
    if (k >= call.arguments.size()) throw EmitError("a call has too few arguments");
    const ptx::Operand& operand = call.arguments[k];
    if (operand.kind == Kind::variable)
        return e.b.CreateLoad(e.type_of(type), variable_memory(e, operand, ptx::bits(type) / 8));
    return e.read(operand, type);
}

Value* pointer_argument(Emitter& e, const ptx::Call& call, std::size_t k) {
    return e.b.CreateIntToPtr(argument(e, call, k, ptx::Type::b64), e.device_pointer());
}

void set_result(Emitter& e, const ptx::Call& call, ptx::Type type, Value* value) {
    if (call.results.empty()) return;
    const ptx::Operand& operand = call.results[0];
    if (operand.kind == Kind::variable)
        e.b.CreateStore(value, variable_memory(e, operand, ptx::bits(type) / 8));
    else
        e.write(operand, type, value);
}

/// A function of the device runtime library. Its arguments are in memory, 64 bits each.
void emit_device_call(Emitter& e, const ptx::Call& call, const DeviceFunction& function) {
    using T = ptx::Type;
    auto& b = e.b;
    auto* word = b.getInt64Ty();
    Value* words = e.stack_slot(llvm::ArrayType::get(word, kMostDeviceArguments), "arguments", 8);
    for (std::size_t k = 0; k < function.arguments.size(); ++k) {
        Value* value = nullptr;
        switch (function.arguments[k]) {
        case 'w': value = b.CreateZExt(argument(e, call, k, T::b32), word); break;
        case 'd': value = argument(e, call, k, T::b64); break;
        default:
            if (k >= call.arguments.size() || call.arguments[k].kind != Kind::variable)
                throw EmitError("a call has too few arguments");
            value = b.CreatePtrToInt(variable_memory(e, call.arguments[k], function.structure_bytes(k)), word);
            break;
        }
        b.CreateStore(value, b.CreateConstInBoundsGEP1_64(word, words, k));
    }
    Value* answer = e.runtime_call("wl_rt_device_call", word,
                                   {e.place.block(), e.place.linear_thread(), e.site_value(),
                                    b.getInt32(static_cast<std::uint32_t>(function.call)), words});
    if (function.returns_address)
        set_result(e, call, T::b64, answer);
    else
        set_result(e, call, T::b32, b.CreateTrunc(answer, b.getInt32Ty()));
}

bool emit_device_runtime(Emitter& e, const ptx::Call& call, const std::string& name) {
    using T = ptx::Type;
    auto& b = e.b;
    if (name == "vprintf") {
        Value* printed = e.runtime_call("wl_rt_vprintf", b.getInt32Ty(),
                                        {e.place.block(), pointer_argument(e, call, 0), pointer_argument(e, call, 1)});
        set_result(e, call, T::b32, printed);
    } else if (name == "malloc") {
        Value* memory =
            e.runtime_call("wl_rt_malloc", e.device_pointer(),
                           {e.place.block(), e.place.linear_thread(), e.site_value(), argument(e, call, 0, T::b64)});
        set_result(e, call, T::b64, b.CreatePtrToInt(memory, b.getInt64Ty()));
    } else if (name == "free") {
        e.runtime_call("wl_rt_free", b.getVoidTy(),
                       {e.place.block(), e.place.linear_thread(), e.site_value(), pointer_argument(e, call, 0)});
    } else if (name == "__assertfail") {
        llvm::CallInst* failed =
            e.runtime_call("wl_rt_assertfail", b.getVoidTy(),
                           {e.place.block(), e.place.linear_thread(), e.site_value(), pointer_argument(e, call, 0),
                            pointer_argument(e, call, 1), argument(e, call, 2, T::b32), pointer_argument(e, call, 3)});
        failed->setDoesNotReturn();
        b.CreateUnreachable();
    } else if (const auto offered = device_function(name)) {
        emit_device_call(e, call, *offered);
    } else {
        return false;
    }
    return true;
}

/// After a call in which the thread may have exited.
void leave_if_exited(Emitter& e, Value* exited) {
    e.emit_if(exited, [&] { e.control.return_from_function(true); });
}

/// A thread that resumes passes through all of its nested coroutines, so the depth of recursion that waits is limited.
constexpr std::uint32_t kMostNested = 512;

/// Runs a callee that is a coroutine of its own to its end, waiting whenever it waits.
Value* run_nested(Emitter& e, llvm::FunctionCallee start, std::vector<Value*> arguments) {
    auto& b = e.b;
    constexpr std::size_t kDepth = offsetof(software::ThreadContext, depth);
    Value* depth = e.waiting.answer_field(kDepth, b.getInt32Ty());
    e.emit_if(b.CreateICmpUGE(depth, b.getInt32(kMostNested)), [&] { e.fault(software::Fault::stack_overflow); });
    e.waiting.request_field(kDepth, b.CreateAdd(depth, b.getInt32(1)));
    Value* exited = e.stack_slot(b.getInt8Ty(), "exited");
    b.CreateStore(b.getInt8(0), exited);
    arguments.insert(arguments.begin() + 1, exited);
    Value* handle = b.CreateCall(start, arguments);
    llvm::BasicBlock* step = e.new_block("step");
    llvm::BasicBlock* waits = e.new_block("waits");
    llvm::BasicBlock* done = e.new_block("returned");
    b.CreateBr(step);
    b.SetInsertPoint(step);
    b.CreateIntrinsic(llvm::Intrinsic::coro_resume, {}, {handle});
    b.CreateCondBr(b.CreateIntrinsic(llvm::Intrinsic::coro_done, {}, {handle}), done, waits);
    b.SetInsertPoint(waits);
    e.runtime_call(kSuspendMarker, b.getVoidTy(), {});
    b.CreateBr(step);
    b.SetInsertPoint(done);
    b.CreateIntrinsic(llvm::Intrinsic::coro_destroy, {}, {handle});
    e.waiting.request_field(kDepth, depth);
    return b.CreateTrunc(b.CreateLoad(b.getInt8Ty(), exited), b.getInt1Ty());
}

void pass_thread(Emitter& e, std::vector<Value*>& arguments) {
    if (e.coroutine) {
        arguments.push_back(e.place.thread());
        return;
    }
    arguments.push_back(e.place.block());
    for (unsigned axis = 0; axis < 3; ++axis)
        arguments.push_back(e.place.thread_index(axis));
    arguments.push_back(e.place.linear_thread());
}

/// The memory that a function's parameters and results take: what must agree between a call and its callee.
std::vector<std::uint64_t> signature_of(const std::vector<ptx::Variable>& parameters,
                                        const std::vector<ptx::Variable>& results) {
    std::vector<std::uint64_t> sizes;
    sizes.reserve(parameters.size() + 1 + results.size());
    for (const ptx::Variable& v : parameters)
        sizes.push_back(v.size);
    sizes.push_back(~std::uint64_t{0}); // parts the two lists
    for (const ptx::Variable& v : results)
        sizes.push_back(v.size);
    return sizes;
}

/// A number for each function's signature, beside the function table. Numbers are those of the first function that has
/// the signature.
llvm::GlobalVariable* signature_table(Emitter& e) {
    constexpr const char* kName = "signatures";
    if (auto* known = e.unit.ir->getNamedGlobal(kName)) return known;
    std::map<std::vector<std::uint64_t>, std::uint32_t> first;
    llvm::SmallVector<std::uint32_t> numbers;
    for (const ptx::Function& f : e.module.functions)
        numbers.push_back(
            first.emplace(signature_of(f.parameters, f.results), static_cast<std::uint32_t>(numbers.size()))
                .first->second);
    llvm::Constant* all = llvm::ConstantDataArray::get(e.context, llvm::ArrayRef<std::uint32_t>(numbers));
    return new llvm::GlobalVariable(*e.unit.ir, all->getType(), true, llvm::GlobalValue::InternalLinkage, all, kName);
}

/// The number in signature_table(); no function's where none has it.
std::uint32_t signature_number(const ptx::Module& module, const std::vector<std::uint64_t>& signature) {
    const auto found = std::find_if(module.functions.begin(), module.functions.end(), [&](const ptx::Function& f) {
        return signature_of(f.parameters, f.results) == signature;
    });
    return static_cast<std::uint32_t>(found - module.functions.begin());
}

/// The entry of the function table that a pointer means. Faults for other numbers, and for functions of another
/// signature.
Value* table_entry(Emitter& e, Value* address, const std::vector<std::uint64_t>& signature) {
    auto& b = e.b;
    Value* offset = b.CreateSub(address, b.getInt64(software::kFunctionAddressBase));
    const std::uint64_t count = e.module.functions.size();
    Value* inside = b.CreateICmpULT(offset, b.getInt64(count * 16));
    Value* aligned = b.CreateICmpEQ(b.CreateAnd(offset, b.getInt64(15)), b.getInt64(0));
    e.emit_if(b.CreateNot(b.CreateAnd(inside, aligned)), [&] { e.fault(software::Fault::invalid_pc); });
    Value* number = b.CreateLoad(b.getInt32Ty(),
                                 b.CreateGEP(b.getInt32Ty(), signature_table(e), b.CreateLShr(offset, 4)), "signature");
    e.emit_if(b.CreateICmpNE(number, b.getInt32(signature_number(e.module, signature))),
              [&] { e.fault(software::Fault::invalid_pc); });
    return b.CreateGEP(b.getInt8Ty(), e.unit.function_table, offset);
}

Value* call_indirectly(Emitter& e, const ptx::Call& call, const std::vector<Value*>& arguments,
                       const std::vector<std::uint64_t>& signature) {
    auto& b = e.b;
    ptx::Operand pointer;
    pointer.kind = Kind::reg;
    pointer.reg = call.pointer;
    Value* entry = table_entry(e, e.read(pointer, ptx::Type::b64), signature);
    Value* plain = b.CreateLoad(b.getPtrTy(), entry, "plain");
    std::vector<Type*> types;
    types.reserve(arguments.size());
    for (Value* a : arguments)
        types.push_back(a->getType());
    auto* plain_type = llvm::FunctionType::get(b.getInt1Ty(), types, false);
    Value* null = llvm::ConstantPointerNull::get(b.getPtrTy());
    if (!e.coroutine || !e.unit.analysis.indirect_callee_waits) {
        e.emit_if(b.CreateICmpEQ(plain, null), [&] { e.fault(software::Fault::invalid_pc); });
        return b.CreateCall(plain_type, plain, arguments);
    }
    Value* start = b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), entry, 8), "start");
    Value* answer = e.stack_slot(b.getInt1Ty(), "answer");
    llvm::BasicBlock* direct = e.new_block("direct");
    llvm::BasicBlock* nested = e.new_block("nested");
    llvm::BasicBlock* rest = e.new_block("rest");
    b.CreateCondBr(b.CreateICmpEQ(start, null), direct, nested);
    b.SetInsertPoint(direct);
    e.emit_if(b.CreateICmpEQ(plain, null), [&] { e.fault(software::Fault::invalid_pc); });
    b.CreateStore(b.CreateCall(plain_type, plain, arguments), answer);
    b.CreateBr(rest);
    b.SetInsertPoint(nested);
    types.insert(types.begin() + 1, b.getPtrTy());
    b.CreateStore(run_nested(e, {llvm::FunctionType::get(b.getPtrTy(), types, false), start}, arguments), answer);
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
    return b.CreateLoad(b.getInt1Ty(), answer);
}

} // namespace

namespace {

/// What a call goes by: the callee's own declaration, a prototype, or that of the first possible target.
struct Declaration {
    const std::vector<ptx::Variable>& parameters;
    const std::vector<ptx::Variable>& results;
    bool noreturn;
};

Declaration declaration_of(const ptx::Module& module, const ptx::Function& function, const ptx::Call& call) {
    if (!call.callee && call.prototype) {
        const ptx::Prototype& p = function.prototypes.at(*call.prototype);
        return {p.parameters, p.results, p.noreturn};
    }
    const ptx::Function& f = module.functions.at(call.callee ? *call.callee : call.possible_targets.at(0));
    return {f.parameters, f.results, f.noreturn && call.callee.has_value()};
}

std::optional<std::string> too_small(const ptx::Function& function, const std::vector<ptx::Operand>& given,
                                     const std::vector<ptx::Variable>& declared) {
    if (given.size() > declared.size()) return "a call with more arguments or results than its function has";
    for (std::size_t k = 0; k < given.size(); ++k)
        if (given[k].kind == Kind::variable && bytes_of(function, given[k]) < declared[k].size)
            return "a call with a variable of " + std::to_string(bytes_of(function, given[k])) +
                   " bytes where its function has " + std::to_string(declared[k].size) + " ('" + declared[k].name +
                   "')";
    return std::nullopt;
}

} // namespace

std::optional<std::string> wrong_call(const ptx::Module& module, const ptx::Function& function, const ptx::Call& call) {
    if (!call.callee && !call.prototype && call.possible_targets.empty())
        return "a call through a pointer without a prototype or a list of targets";
    const Declaration declared = declaration_of(module, function, call);
    if (call.arguments.size() < declared.parameters.size()) return "a call with fewer arguments than its function has";
    if (auto wrong = too_small(function, call.arguments, declared.parameters)) return wrong;
    return too_small(function, call.results, declared.results);
}

bool emit_call(Emitter& e, const ptx::Instruction& i) {
    if (i.opcode != ptx::Opcode::call) return false;
    const ptx::Call& call = e.function.calls.at(static_cast<std::size_t>(i.call));
    if (call.callee) {
        const ptx::Function& callee = e.module.functions[*call.callee];
        if (!callee.defined) {
            if (!emit_device_runtime(e, call, callee.name))
                throw EmitError("call of '" + callee.name + "', which is not defined");
            return true;
        }
    }
    if (const auto wrong = wrong_call(e.module, e.function, call)) throw EmitError(*wrong);
    const Declaration declared = declaration_of(e.module, e.function, call);

    std::vector<Value*> arguments;
    pass_thread(e, arguments);
    for (std::size_t k = 0; k < call.arguments.size(); ++k)
        arguments.push_back(memory_of(e, call.arguments[k], declared.parameters[k], true));
    std::vector<Value*> results;
    results.reserve(declared.results.size());
    for (std::size_t k = 0; k < call.results.size(); ++k)
        results.push_back(memory_of(e, call.results[k], declared.results[k], false));
    // A result that the caller drops still needs its memory.
    for (std::size_t k = results.size(); k < declared.results.size(); ++k)
        results.push_back(e.local_slot(llvm::ArrayType::get(e.b.getInt8Ty(), declared.results[k].size), "dropped", 16));
    arguments.insert(arguments.end(), results.begin(), results.end());

    Value* exited = nullptr;
    if (!call.callee) {
        exited = call_indirectly(e, call, arguments, signature_of(declared.parameters, declared.results));
    } else {
        const EmittedFunction& callee = e.unit.functions.at(*call.callee);
        exited = callee.coroutine && e.unit.analysis.functions[*call.callee].recursive
                     ? run_nested(e, callee.coroutine, arguments)
                     : e.b.CreateCall(callee.plain, arguments);
    }
    if (!call.callee || e.unit.analysis.functions[*call.callee].exits) leave_if_exited(e, exited);
    for (std::size_t k = 0; k < call.results.size(); ++k)
        read_result(e, call.results[k], results[k]);
    if (declared.noreturn) e.fault(software::Fault::illegal_instruction);
    return true;
}

} // namespace warplight::jit
