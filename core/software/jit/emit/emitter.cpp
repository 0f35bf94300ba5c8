// SPDX-License-Identifier: Apache-2.0
// Types, operands and calls: what every instruction group uses.
#include "emitter.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/MDBuilder.h>

#include <bit>
#include <cstring>
#include <utility>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

Emitter::Emitter(Unit& unit, ptx::FunctionId id, llvm::Function* target, bool coroutine)
    : unit(unit), module(unit.module), function(unit.module.functions[id]), function_id(id), context(*unit.context),
      b(*unit.context), coroutine(coroutine), plan_(unit.lanes ? &*unit.lanes : nullptr),
      vector_(plan_ ? unit.options.width : 1), target_(target) {
    registers_.resize(function.registers.size());
    parameters_.resize(function.parameters.size());
    results_.resize(function.results.size());
    variables_.resize(function.variables.size());
    label_blocks_.resize(function.labels.size());
    emit_prologue();
}

// --- types

Type* Emitter::integer_type(unsigned bits) const { return lanes(Type::getIntNTy(context, bits)); }

Type* Emitter::lanes(Type* type) const {
    if (width == 1) return type;
    return llvm::FixedVectorType::get(type->getScalarType(), width * (type->isVectorTy() ? 2 : 1));
}

Type* Emitter::type_of(ptx::Type type) const {
    using T = ptx::Type;
    switch (type) {
    case T::f16: return lanes(Type::getHalfTy(context));
    case T::f16x2: return lanes(llvm::FixedVectorType::get(Type::getHalfTy(context), 2));
    case T::u16x2:
    case T::s16x2: return lanes(llvm::FixedVectorType::get(Type::getInt16Ty(context), 2));
    case T::tf32:
    case T::f32: return lanes(Type::getFloatTy(context));
    case T::f64: return lanes(Type::getDoubleTy(context));
    default: return integer_type(ptx::bits(type));
    }
}

Type* Emitter::register_type(ptx::Type type) const {
    if (type == ptx::Type::f32 || type == ptx::Type::f64) return type_of(type);
    return integer_type(ptx::bits(type));
}

Value* Emitter::splat(Value* value) { return width == 1 ? value : b.CreateVectorSplat(width, value); }

llvm::Constant* Emitter::integer(unsigned bits, std::uint64_t value) const {
    return llvm::ConstantInt::get(integer_type(bits), llvm::APInt(64, value).zextOrTrunc(bits));
}

llvm::Constant* Emitter::real(ptx::Type type, double value) const {
    return llvm::ConstantFP::get(type_of(type), value);
}

Value* Emitter::bits_as(Value* value, Type* type) {
    return value->getType() == type ? value : b.CreateBitCast(value, type);
}

// --- operands

Value* Emitter::slot_of(ptx::RegisterId r) {
    llvm::AllocaInst*& slot = registers_.at(r);
    if (!slot) {
        // Zero where PTX leaves the value open: LLVM must not reason from an undefined one.
        const unsigned now = std::exchange(width, is_vector(r) ? vector_ : 1);
        Type* type = register_type(function.registers[r].type);
        width = now;
        llvm::IRBuilderBase::InsertPointGuard guard(b);
        b.SetInsertPoint(target_->getEntryBlock().getFirstInsertionPt());
        slot = b.CreateAlloca(type);
        b.SetInsertPoint(entry_end_);
        b.CreateStore(llvm::Constant::getNullValue(type), slot);
    }
    return slot;
}

bool Emitter::has_read(ptx::RegisterId r) const {
    const llvm::AllocaInst* slot = registers_.at(r);
    return slot && llvm::any_of(slot->users(), [](const llvm::User* user) { return llvm::isa<llvm::LoadInst>(user); });
}

bool Emitter::has_written(ptx::RegisterId r) const {
    const llvm::AllocaInst* slot = registers_.at(r);
    return slot &&
           llvm::count_if(slot->users(), [](const llvm::User* user) { return llvm::isa<llvm::StoreInst>(user); }) > 1;
}

Value* Emitter::read_register(ptx::RegisterId r, ptx::Type type) {
    const ptx::Type declared = function.registers[r].type;
    Value* value = nullptr;
    if (plan_ && plan_->grows(r)) {
        value = read_growing(r);
    } else if (turn_ && varies(r)) {
        Type* type = register_type(declared);
        value = type->isIntegerTy(1) ? b.CreateTrunc(b.CreateLoad(b.getInt8Ty(), copy_of_turn(r)), type)
                                     : b.CreateLoad(type, copy_of_turn(r));
    } else {
        Value* slot = slot_of(r);
        value = b.CreateLoad(registers_[r]->getAllocatedType(), slot);
        if (!varies(r))
            value = width > 1 ? splat(value) : value;
        else if (width == 1)
            value = b.CreateExtractElement(value, static_cast<std::uint64_t>(reading_lane()));
    }
    const unsigned have = ptx::bits(declared), want = ptx::bits(type);
    if (have != want) {
        value = bits_as(value, integer_type(have));
        value = b.CreateZExtOrTrunc(value, integer_type(want));
    }
    return bits_as(value, type_of(type));
}

Value* Emitter::immediate(const ptx::Operand& operand, ptx::Type type) {
    const unsigned want = ptx::bits(type);
    const auto bits = static_cast<std::uint64_t>(operand.integer);
    if (operand.kind == ptx::Operand::Kind::integer) {
        llvm::APInt raw(64, bits, true);
        if (want > 64)
            raw = raw.sext(want);
        else
            raw = raw.trunc(want);
        return bits_as(llvm::ConstantInt::get(integer_type(want), raw), type_of(type));
    }
    const bool single = operand.type == ptx::Type::f32;
    if (type == ptx::Type::f32 || type == ptx::Type::tf32) {
        const float value = single ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                   : static_cast<float>(std::bit_cast<double>(bits));
        return bits_as(integer(32, std::bit_cast<std::uint32_t>(value)), type_of(type));
    }
    if (type == ptx::Type::f64) {
        const double value = single ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                    : std::bit_cast<double>(bits);
        return bits_as(integer(64, std::bit_cast<std::uint64_t>(value)), type_of(type));
    }
    if (type == ptx::Type::f16) {
        return real(type, single ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                 : std::bit_cast<double>(bits));
    }
    return bits_as(integer(want, bits), type_of(type));
}

Value* Emitter::read(const ptx::Operand& operand, ptx::Type type) {
    using Kind = ptx::Operand::Kind;
    Value* value = nullptr;
    switch (operand.kind) {
    case Kind::reg: value = read_register(operand.reg, type); break;
    case Kind::integer:
    case Kind::floating: value = immediate(operand, type); break;
    case Kind::special: value = width > 1 ? special_of_lanes(operand.special) : special(operand.special); break;
    case Kind::variable: value = address_of_lanes(operand); break;
    case Kind::function: value = splat(address_of(operand)); break;
    case Kind::vector: {
        // Packed into one: the first element lowest.
        const unsigned total = ptx::bits(type);
        const unsigned each = total / static_cast<unsigned>(operand.elements.size());
        const ptx::Type part = each == 8    ? ptx::Type::b8
                               : each == 16 ? ptx::Type::b16
                               : each == 32 ? ptx::Type::b32
                                            : ptx::Type::b64;
        value = integer(total, 0);
        for (std::size_t k = 0; k < operand.elements.size(); ++k) {
            Value* element = b.CreateZExt(read(operand.elements[k], part), integer_type(total));
            value = b.CreateOr(value, b.CreateShl(element, integer(total, k * each)));
        }
        break;
    }
    default: throw EmitError("an operand that is no value");
    }
    Type* wanted = type_of(type);
    if (value->getType() != wanted) {
        value = b.CreateZExtOrTrunc(value, integer_type(ptx::bits(type)));
        value = bits_as(value, wanted);
    }
    if (operand.negated) {
        if (type == ptx::Type::pred) return b.CreateNot(value);
        return value->getType()->isFPOrFPVectorTy() ? b.CreateFNeg(value) : b.CreateNeg(value);
    }
    return value;
}

Value* Emitter::address_of_lanes(const ptx::Operand& variable) {
    Value* address = splat(address_of(variable));
    const std::int64_t own = plan_ && width > 1 ? plan_->own_bytes(variable) : 0;
    if (!own) return address;
    llvm::SmallVector<llvm::Constant*> further;
    for (unsigned lane = 0; lane < width; ++lane)
        further.push_back(b.getInt64(static_cast<std::uint64_t>(own) * lane));
    return b.CreateAdd(address, llvm::ConstantVector::get(further));
}

Value* Emitter::read(const ptx::Instruction& i, std::size_t operand, ptx::Type type) {
    if (operand < i.operands.size()) return read(i.operands[operand], type);
    return llvm::Constant::getNullValue(type_of(type));
}

void Emitter::write(const ptx::Operand& operand, ptx::Type type, Value* value) {
    using Kind = ptx::Operand::Kind;
    if (operand.kind == Kind::none) return;
    const unsigned have = ptx::bits(type);
    if (operand.kind == Kind::vector) {
        const unsigned each = have / static_cast<unsigned>(operand.elements.size());
        Value* bits = bits_as(value, integer_type(have));
        const ptx::Type part = each == 8    ? ptx::Type::b8
                               : each == 16 ? ptx::Type::b16
                               : each == 32 ? ptx::Type::b32
                                            : ptx::Type::b64;
        for (std::size_t k = 0; k < operand.elements.size(); ++k)
            write(operand.elements[k], part,
                  b.CreateTrunc(b.CreateLShr(bits, integer(have, k * each)), integer_type(each)));
        return;
    }
    if (operand.kind != Kind::reg) throw EmitError("a destination that is no register");
    const ptx::Type declared = function.registers[operand.reg].type;
    const unsigned want = ptx::bits(declared);
    if (have != want) {
        value = bits_as(value, integer_type(have));
        value = ptx::is_signed(type) ? b.CreateSExtOrTrunc(value, integer_type(want))
                                     : b.CreateZExtOrTrunc(value, integer_type(want));
    }
    store_register(operand.reg, bits_as(value, register_type(declared)));
}

// --- the carry flag

Value* Emitter::carry() {
    if (!carry_) set_carry(nullptr);
    return b.CreateLoad(integer_type(1), carry_);
}

void Emitter::set_carry(Value* value) {
    if (!carry_) {
        carry_ = stack_slot(integer_type(1), "carry");
        llvm::IRBuilderBase::InsertPointGuard guard(b);
        b.SetInsertPoint(entry_end_);
        b.CreateStore(integer(1, 0), carry_);
    }
    if (value && mask_) value = b.CreateSelect(mask_, value, b.CreateLoad(integer_type(1), carry_));
    if (value) b.CreateStore(value, carry_);
}

// --- calls

Value* Emitter::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Type*> types, llvm::ArrayRef<Value*> arguments) {
    return b.CreateIntrinsic(id, types, arguments);
}

Value* Emitter::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> arguments) {
    return b.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
}

Value* Emitter::pure_call(const char* name, Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<Type*> types;
    for (Value* a : arguments)
        types.push_back(a->getType()->getScalarType());
    llvm::FunctionCallee callee = unit.external(name, result->getScalarType(), types);
    auto* f = llvm::cast<llvm::Function>(callee.getCallee());
    f->setDoesNotAccessMemory();
    f->setDoesNotThrow();
    f->addFnAttr(llvm::Attribute::WillReturn);
    f->addFnAttr(llvm::Attribute::NoFree);
    f->addFnAttr(llvm::Attribute::NoSync);
    if (width == 1) return b.CreateCall(callee, arguments);
    Value* answer = llvm::PoisonValue::get(result);
    for (unsigned lane = 0; lane < width; ++lane) {
        llvm::SmallVector<Value*> scalars;
        for (Value* a : arguments)
            scalars.push_back(b.CreateExtractElement(a, lane));
        answer = b.CreateInsertElement(answer, b.CreateCall(callee, scalars), lane);
    }
    return answer;
}

llvm::CallInst* Emitter::runtime_call(const char* name, Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<Type*> types;
    for (Value* a : arguments)
        types.push_back(a->getType());
    return b.CreateCall(unit.external(name, result, types), arguments);
}

// --- control

llvm::BasicBlock* Emitter::new_block(const char* name) { return llvm::BasicBlock::Create(context, name, target_); }

std::uint32_t Emitter::site() const { return unit.site(function_id, current_); }

Value* Emitter::site_value() const { return llvm::ConstantInt::get(Type::getInt32Ty(context), site()); }

void Emitter::fault(software::Fault reason) {
    auto* i32 = Type::getInt32Ty(context);
    llvm::CallInst* call =
        runtime_call("wl_rt_fault", Type::getVoidTy(context),
                     {block(), one_of_active(first_linear()),
                      llvm::ConstantInt::get(i32, static_cast<std::uint32_t>(reason)), site_value()});
    call->setDoesNotReturn();
    b.CreateUnreachable();
}

void Emitter::unsupported_form(const ptx::Instruction& i, const std::string& why) const {
    std::string text(ptx::spelling(i.opcode));
    for (unsigned k = 0; k < static_cast<unsigned>(ptx::Modifier::count_); ++k)
        if (i.modifiers.test(k)) text += "." + std::string(ptx::spelling(static_cast<ptx::Modifier>(k)));
    if (i.vector_width > 1) text += ".v" + std::to_string(i.vector_width);
    for (unsigned k = 0; k < i.type_count; ++k)
        text += "." + std::string(ptx::spelling(i.types[k]));
    throw EmitError("'" + text + "' is not supported" + (why.empty() ? "" : ": " + why));
}

llvm::AllocaInst* Emitter::stack_slot(Type* type, const char* name, unsigned alignment) {
    llvm::IRBuilderBase::InsertPointGuard guard(b);
    b.SetInsertPoint(target_->getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* slot = b.CreateAlloca(type, nullptr, name);
    if (alignment) slot->setAlignment(llvm::Align(alignment));
    return slot;
}

// --- fields of the contexts

Value* Emitter::load_field(Value* base, std::uint64_t offset, Type* type, std::uint64_t below, const char* name) {
    Value* address = b.CreateConstInBoundsGEP1_64(Type::getInt8Ty(context), base, offset);
    llvm::LoadInst* value = b.CreateLoad(type, address, name);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    if (below) {
        const unsigned bits = type->getIntegerBitWidth();
        value->setMetadata(llvm::LLVMContext::MD_range,
                           llvm::MDBuilder(context).createRange(llvm::APInt(bits, 0), llvm::APInt(bits, below)));
    }
    return value;
}

void Emitter::store_field(Value* base, std::uint64_t offset, Value* value) {
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(Type::getInt8Ty(context), base, offset));
}

} // namespace warplight::jit
