// SPDX-License-Identifier: Apache-2.0
#include "value_types.hpp"

namespace warplight::jit {

using llvm::Type;

Type* ValueTypes::type_of(ptx::Type type) const {
    using T = ptx::Type;
    switch (type) {
    case T::f16: return per_lane(Type::getHalfTy(context_));
    case T::f16x2: return per_lane(llvm::FixedVectorType::get(Type::getHalfTy(context_), 2));
    case T::u16x2:
    case T::s16x2: return per_lane(llvm::FixedVectorType::get(Type::getInt16Ty(context_), 2));
    case T::tf32:
    case T::f32: return per_lane(Type::getFloatTy(context_));
    case T::f64: return per_lane(Type::getDoubleTy(context_));
    default: return integer_type(ptx::bits(type));
    }
}

Type* ValueTypes::register_type(ptx::Type type) const {
    if (type == ptx::Type::f32 || type == ptx::Type::f64) return type_of(type);
    return integer_type(ptx::bits(type));
}

Type* ValueTypes::integer_type(unsigned bits) const { return per_lane(Type::getIntNTy(context_, bits)); }

Type* ValueTypes::per_lane(Type* type) const {
    if (lanes_.width() == 1) return type;
    return llvm::FixedVectorType::get(type->getScalarType(), lanes_.width() * (type->isVectorTy() ? 2 : 1));
}

llvm::Constant* ValueTypes::integer(unsigned bits, std::uint64_t value) const {
    return llvm::ConstantInt::get(integer_type(bits), llvm::APInt(64, value).zextOrTrunc(bits));
}

llvm::Constant* ValueTypes::real(ptx::Type type, double value) const {
    return llvm::ConstantFP::get(type_of(type), value);
}

} // namespace warplight::jit
