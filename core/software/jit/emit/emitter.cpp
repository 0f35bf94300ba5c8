// SPDX-License-Identifier: Apache-2.0
// Operands of instructions, and the errors that every group raises.
#include "emitter.hpp"

#include <bit>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

Emitter::Emitter(Unit& unit, ptx::FunctionId id, llvm::Function* target, bool coroutine)
    : FunctionCode(unit, id, target, coroutine), place(*this), registers(*this), variables(*this, place),
      addresses(*this, place, registers, variables), checks(*this, place, registers, variables), waiting(*this, place),
      control(*this, registers, variables, checks, waiting) {
    enter_body();
}

// --- operands

namespace {

/// The type of an element of a packed operand, as bits.
ptx::Type part_of(unsigned bits) {
    switch (bits) {
    case 8: return ptx::Type::b8;
    case 16: return ptx::Type::b16;
    case 32: return ptx::Type::b32;
    default: return ptx::Type::b64;
    }
}

} // namespace

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
    case Kind::reg: value = registers.read(operand.reg, type); break;
    case Kind::integer:
    case Kind::floating: value = immediate(operand, type); break;
    case Kind::special: value = place.special(operand.special); break;
    case Kind::variable: value = variables.lane_addresses_of(operand); break;
    case Kind::function: value = splat(variables.address_of(operand)); break;
    case Kind::vector: value = read_packed(operand, type); break;
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

/// Elements packed into one value, the first one lowest.
Value* Emitter::read_packed(const ptx::Operand& operand, ptx::Type type) {
    const unsigned total = ptx::bits(type);
    const unsigned each = total / static_cast<unsigned>(operand.elements.size());
    Value* value = integer(total, 0);
    for (std::size_t k = 0; k < operand.elements.size(); ++k) {
        Value* element = b.CreateZExt(read(operand.elements[k], part_of(each)), integer_type(total));
        value = b.CreateOr(value, b.CreateShl(element, integer(total, k * each)));
    }
    return value;
}

Value* Emitter::read(const ptx::Instruction& i, std::size_t operand, ptx::Type type) {
    if (operand < i.operands.size()) return read(i.operands[operand], type);
    return llvm::Constant::getNullValue(type_of(type));
}

void Emitter::write(const ptx::Operand& operand, ptx::Type type, Value* value) {
    using Kind = ptx::Operand::Kind;
    if (operand.kind == Kind::none) return;
    if (operand.kind == Kind::vector) return write_packed(operand, type, value);
    if (operand.kind != Kind::reg) throw EmitError("a destination that is no register");
    const ptx::Type declared = function.registers[operand.reg].type;
    const unsigned have = ptx::bits(type), want = ptx::bits(declared);
    if (have != want) {
        value = bits_as(value, integer_type(have));
        value = ptx::is_signed(type) ? b.CreateSExtOrTrunc(value, integer_type(want))
                                     : b.CreateZExtOrTrunc(value, integer_type(want));
    }
    registers.write(operand.reg, bits_as(value, register_type(declared)));
}

void Emitter::write_packed(const ptx::Operand& operand, ptx::Type type, Value* value) {
    const unsigned total = ptx::bits(type);
    const unsigned each = total / static_cast<unsigned>(operand.elements.size());
    Value* bits = bits_as(value, integer_type(total));
    for (std::size_t k = 0; k < operand.elements.size(); ++k)
        write(operand.elements[k], part_of(each),
              b.CreateTrunc(b.CreateLShr(bits, integer(total, k * each)), integer_type(each)));
}

// --- errors

void Emitter::fault(software::Fault reason) {
    auto* i32 = Type::getInt32Ty(context);
    llvm::CallInst* call =
        runtime_call("wl_rt_fault", Type::getVoidTy(context),
                     {place.block(), place.first_active(place.first_linear_thread()),
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

} // namespace warplight::jit
