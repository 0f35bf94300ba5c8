// SPDX-License-Identifier: Apache-2.0
// Calls of PTX functions, calls through pointers, and calls of the device runtime (printf, malloc, assert).
// Arguments and results are passed as addresses of the caller's memory. Inlining makes values of them.
#include "software/jit/abi/device_runtime.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/emit/shape.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

namespace {

using Kind = ptx::Operand::Kind;

/// The address of an argument's or result's memory; registers and immediates get a slot of `declared` size.
Value* memory_of(Emitter& e, const ptx::Operand& operand, const ptx::Variable* declared, bool is_argument) {
    if (operand.kind == Kind::variable || operand.kind == Kind::address)
        return e.variables.memory_of(operand.scope, operand.index);
    ptx::Type type = operand.kind == Kind::reg ? e.function.registers[operand.reg].type : ptx::Type::b64;
    if (operand.kind != Kind::reg && declared) type = declared->type;
    Value* slot = e.local_slot(e.register_type(type), "passed", 8);
    if (is_argument) e.b.CreateStore(e.bits_as(e.read(operand, type), e.register_type(type)), slot);
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
        return e.b.CreateLoad(e.type_of(type), e.variables.memory_of(operand.scope, operand.index));
    return e.read(operand, type);
}

Value* pointer_argument(Emitter& e, const ptx::Call& call, std::size_t k) {
    return e.b.CreateIntToPtr(argument(e, call, k, ptx::Type::b64), e.device_pointer());
}

void set_result(Emitter& e, const ptx::Call& call, ptx::Type type, Value* value) {
    if (call.results.empty()) return;
    const ptx::Operand& operand = call.results[0];
    if (operand.kind == Kind::variable)
        e.b.CreateStore(value, e.variables.memory_of(operand.scope, operand.index));
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
            value = b.CreatePtrToInt(e.variables.memory_of(call.arguments[k].scope, call.arguments[k].index), word);
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
            e.runtime_call("wl_rt_malloc", e.device_pointer(), {e.place.block(), argument(e, call, 0, T::b64)});
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

/// The entry of the function table that a pointer means. Faults for other numbers.
Value* table_entry(Emitter& e, Value* address) {
    auto& b = e.b;
    Value* offset = b.CreateSub(address, b.getInt64(software::kFunctionAddressBase));
    const std::uint64_t count = e.module.functions.size();
    Value* inside = b.CreateICmpULT(offset, b.getInt64(count * 16));
    Value* aligned = b.CreateICmpEQ(b.CreateAnd(offset, b.getInt64(15)), b.getInt64(0));
    e.emit_if(b.CreateNot(b.CreateAnd(inside, aligned)), [&] { e.fault(software::Fault::invalid_pc); });
    return b.CreateGEP(b.getInt8Ty(), e.unit.function_table, offset);
}

Value* call_indirectly(Emitter& e, const ptx::Call& call, const std::vector<Value*>& arguments) {
    auto& b = e.b;
    ptx::Operand pointer;
    pointer.kind = Kind::reg;
    pointer.reg = call.pointer;
    Value* entry = table_entry(e, e.read(pointer, ptx::Type::b64));
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

bool emit_call(Emitter& e, const ptx::Instruction& i) {
    if (i.opcode != ptx::Opcode::call) return false;
    const ptx::Call& call = e.function.calls.at(static_cast<std::size_t>(i.call));
    const std::vector<ptx::Variable>* formal_parameters = nullptr;
    const std::vector<ptx::Variable>* formal_results = nullptr;
    bool noreturn = false;
    if (call.callee) {
        const ptx::Function& callee = e.module.functions[*call.callee];
        if (!callee.defined) {
            if (!emit_device_runtime(e, call, callee.name))
                throw EmitError("call of '" + callee.name + "', which is not defined");
            return true;
        }
        formal_parameters = &callee.parameters;
        formal_results = &callee.results;
        noreturn = callee.noreturn;
        if (call.arguments.size() != callee.parameters.size() || call.results.size() > callee.results.size())
            throw EmitError("call of '" + callee.name + "' with another number of arguments than it has");
    } else if (call.prototype) {
        const ptx::Prototype& prototype = e.function.prototypes.at(*call.prototype);
        formal_parameters = &prototype.parameters;
        formal_results = &prototype.results;
        noreturn = prototype.noreturn;
    }

    std::vector<Value*> arguments;
    pass_thread(e, arguments);
    const auto declared = [](const std::vector<ptx::Variable>* formals, std::size_t k) {
        return formals && k < formals->size() ? &(*formals)[k] : nullptr;
    };
    for (std::size_t k = 0; k < call.arguments.size(); ++k)
        arguments.push_back(memory_of(e, call.arguments[k], declared(formal_parameters, k), true));
    std::vector<Value*> results;
    results.reserve(call.results.size());
    for (std::size_t k = 0; k < call.results.size(); ++k)
        results.push_back(memory_of(e, call.results[k], declared(formal_results, k), false));
    // A result that the caller drops still needs its memory.
    if (formal_results)
        for (std::size_t k = results.size(); k < formal_results->size(); ++k)
            results.push_back(
                e.local_slot(llvm::ArrayType::get(e.b.getInt8Ty(), (*formal_results)[k].size), "dropped", 16));
    arguments.insert(arguments.end(), results.begin(), results.end());

    Value* exited = nullptr;
    if (!call.callee) {
        exited = call_indirectly(e, call, arguments);
    } else {
        const EmittedFunction& callee = e.unit.functions.at(*call.callee);
        exited = callee.coroutine && e.unit.analysis.functions[*call.callee].recursive
                     ? run_nested(e, callee.coroutine, arguments)
                     : e.b.CreateCall(callee.plain, arguments);
    }
    if (!call.callee || e.unit.analysis.functions[*call.callee].exits) leave_if_exited(e, exited);
    for (std::size_t k = 0; k < call.results.size(); ++k)
        read_result(e, call.results[k], results[k]);
    if (noreturn) e.fault(software::Fault::illegal_instruction);
    return true;
}

} // namespace warplight::jit
