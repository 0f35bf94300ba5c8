// SPDX-License-Identifier: Apache-2.0
#include "host_float.hpp"

#include "arithmetic.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/host.hpp"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

namespace {

struct Instructions { ///< for vectors of 128, 256 and 512 bits
    Intrinsic::ID of_4, of_8, of_16;
};

unsigned elements(const Value* x) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
    return vector ? vector->getNumElements() : 1;
}

/// Elements [from, from + count) of a vector, open past its end. A scalar becomes the first element.
Value* piece(llvm::IRBuilder<>& b, Value* x, unsigned from, unsigned count) {
    if (!x->getType()->isVectorTy())
        return b.CreateInsertElement(llvm::Constant::getNullValue(llvm::FixedVectorType::get(x->getType(), count)), x,
                                     std::uint64_t{0});
    std::vector<int> places(count);
    std::iota(places.begin(), places.end(), static_cast<int>(from));
    for (int& place : places)
        if (place >= static_cast<int>(elements(x))) place = llvm::PoisonMaskElem;
    return b.CreateShuffleVector(x, places);
}

/// `instruction(arguments)` of pieces of `count` elements each, put together again.
template <class Instruction>
Value* in_pieces(Emitter& e, llvm::ArrayRef<Value*> arguments, unsigned count, Instruction instruction) {
    auto& b = e.b;
    const unsigned all = elements(arguments[0]);
    std::vector<Value*> results;
    for (unsigned from = 0; from < all; from += count) {
        std::vector<Value*> these;
        for (Value* argument : arguments)
            these.push_back(all == count ? argument : piece(b, argument, from, count));
        results.push_back(instruction(these));
    }
    if (!arguments[0]->getType()->isVectorTy()) return b.CreateExtractElement(results[0], std::uint64_t{0});
    if (all < count) return piece(b, results[0], 0, all);
    while (results.size() > 1) {
        std::vector<int> places(std::size_t{2} * elements(results[0]));
        std::iota(places.begin(), places.end(), 0);
        for (std::size_t k = 0; k < results.size() / 2; ++k)
            results[k] = b.CreateShuffleVector(results[2 * k], results[2 * k + 1], places);
        results.resize(results.size() / 2);
    }
    return results[0];
}

/// The instruction on f32 or vectors of it.
Value* apply(Emitter& e, const Instructions& instructions, llvm::ArrayRef<Value*> arguments) {
    auto& b = e.b;
    const unsigned count = std::clamp(elements(arguments[0]), 4U, 16U);
    const Intrinsic::ID id = count == 4 ? instructions.of_4 : count == 8 ? instructions.of_8 : instructions.of_16;
    return in_pieces(e, arguments, count, [&](std::vector<Value*>& these) {
        these.push_back(
            llvm::Constant::getNullValue(these[0]->getType())); // for elements that the mask leaves out: none
        these.push_back(count == 16 ? b.getInt16(0xFFFF) : b.getInt8(0xFF));
        if (id == Intrinsic::x86_avx512_mask_scalef_ps_512)
            these.push_back(b.getInt32(4)); // the rounding mode that is set
        return b.CreateIntrinsic(id, {}, these);
    });
}

/// min and max of vectors with elements of one size.
struct MinMaxInstructions {
    Instructions range, fixup; ///< of 4, 8 and 16 singles, or of 2, 4 and 8 doubles
};
constexpr MinMaxInstructions kOfSingles{
    {Intrinsic::x86_avx512_mask_range_ps_128, Intrinsic::x86_avx512_mask_range_ps_256,
     Intrinsic::x86_avx512_mask_range_ps_512},
    {Intrinsic::x86_avx512_mask_fixupimm_ps_128, Intrinsic::x86_avx512_mask_fixupimm_ps_256,
     Intrinsic::x86_avx512_mask_fixupimm_ps_512}};
constexpr MinMaxInstructions kOfDoubles{
    {Intrinsic::x86_avx512_mask_range_pd_128, Intrinsic::x86_avx512_mask_range_pd_256,
     Intrinsic::x86_avx512_mask_range_pd_512},
    {Intrinsic::x86_avx512_mask_fixupimm_pd_128, Intrinsic::x86_avx512_mask_fixupimm_pd_256,
     Intrinsic::x86_avx512_mask_fixupimm_pd_512}};

/// The smaller or larger element of two vectors that fill one of the host's.
class HostMinMax {
public:
    HostMinMax(Emitter& e, bool maximum, Value* x)
        : b_(e.b), maximum_(maximum), type_(llvm::cast<llvm::FixedVectorType>(x->getType())),
          bits_(type_->getScalarSizeInBits()), vector_bits_(bits_ * type_->getNumElements()) {}

    Value* of(Value* x, Value* y) {
        Value* result = range(unless_nan(x, y), unless_nan(y, x));
        return unless_nan(result, canonical_nan_like(result));
    }

private:
    [[nodiscard]] Intrinsic::ID choose(const Instructions MinMaxInstructions::* which) const {
        const Instructions& all = (bits_ == 32 ? kOfSingles : kOfDoubles).*which;
        return vector_bits_ == 128 ? all.of_4 : vector_bits_ == 256 ? all.of_8 : all.of_16;
    }
    Value* call(Intrinsic::ID id, std::vector<Value*> arguments) {
        arguments.push_back(llvm::Constant::getAllOnesValue(b_.getIntNTy(std::max(8U, type_->getNumElements()))));
        constexpr std::uint32_t kDirectionThatIsSet = 4;
        if (vector_bits_ == 512) arguments.push_back(b_.getInt32(kDirectionThatIsSet));
        return b_.CreateIntrinsic(id, {}, arguments);
    }
    /// x, and where it is NaN, `other`.
    Value* unless_nan(Value* x, Value* other) {
        // A digit for each class of x: 0 takes the other number, 1 takes x. The first two are NaN.
        constexpr std::uint64_t kTable = 0x11111100;
        Value* table = llvm::ConstantInt::get(llvm::VectorType::getInteger(type_), kTable);
        return call(choose(&MinMaxInstructions::fixup), {other, x, table, b_.getInt32(0)});
    }
    /// -0 is less than +0. NaN only if both are.
    Value* range(Value* x, Value* y) {
        constexpr std::uint32_t kSignOfResult = 4;
        Value* kind = b_.getInt32(kSignOfResult | (maximum_ ? 1 : 0));
        return call(choose(&MinMaxInstructions::range), {x, y, kind, llvm::Constant::getNullValue(type_)});
    }

    llvm::IRBuilder<>& b_;
    const bool maximum_;
    llvm::FixedVectorType* type_;
    const unsigned bits_, vector_bits_;
};

bool are_singles(const Value* x) { return x->getType()->getScalarType()->isFloatTy(); }

/// Only instructions of 512 bits have a rounding direction of their own.
std::optional<Intrinsic::ID> directed_instruction(std::string_view operation, bool singles) {
    if (operation == "add") return singles ? Intrinsic::x86_avx512_add_ps_512 : Intrinsic::x86_avx512_add_pd_512;
    if (operation == "mul") return singles ? Intrinsic::x86_avx512_mul_ps_512 : Intrinsic::x86_avx512_mul_pd_512;
    if (operation == "div") return singles ? Intrinsic::x86_avx512_div_ps_512 : Intrinsic::x86_avx512_div_pd_512;
    if (operation == "sqrt") return singles ? Intrinsic::x86_avx512_sqrt_ps_512 : Intrinsic::x86_avx512_sqrt_pd_512;
    if (operation == "fma") return singles ? Intrinsic::x86_avx512_vfmadd_ps_512 : Intrinsic::x86_avx512_vfmadd_pd_512;
    return std::nullopt;
}

} // namespace

Value* host_rsqrt(Emitter& e, Value* x) {
    if (!host_masks_anything() || !are_singles(x)) return nullptr;
    auto& b = e.b;
    Value* guess = apply(e,
                         {Intrinsic::x86_avx512_rsqrt14_ps_128, Intrinsic::x86_avx512_rsqrt14_ps_256,
                          Intrinsic::x86_avx512_rsqrt14_ps_512},
                         {x});
    // A step of Newton's method. A guess of 0, infinity or NaN is the result; its error is NaN.
    Value* error = e.intrinsic(Intrinsic::fma, {b.CreateFNeg(b.CreateFMul(x, guess)), guess, like(x, 1)});
    Value* better = e.intrinsic(Intrinsic::fma, {b.CreateFMul(guess, like(x, 0.5)), error, guess});
    return b.CreateSelect(b.CreateFCmpORD(error, error), better, guess);
}

Value* host_times_power_of_two(Emitter& e, Value* x, Value* n) {
    if (!host_masks_anything() || !are_singles(x)) return nullptr;
    return apply(e,
                 {Intrinsic::x86_avx512_mask_scalef_ps_128, Intrinsic::x86_avx512_mask_scalef_ps_256,
                  Intrinsic::x86_avx512_mask_scalef_ps_512},
                 {x, n});
}

Value* host_min_max(Emitter& e, bool maximum, Value* x, Value* y) {
    const Type* type = x->getType()->getScalarType();
    if (!host_masks_anything() || !x->getType()->isVectorTy() || (!type->isFloatTy() && !type->isDoubleTy()))
        return nullptr;
    const unsigned most = 512 / type->getScalarSizeInBits();
    return in_pieces(e, {x, y}, std::clamp(elements(x), most / 4, most), [&](const std::vector<Value*>& these) {
        return HostMinMax(e, maximum, these[0]).of(these[0], these[1]);
    });
}

Value* host_directed(Emitter& e, std::string_view operation, llvm::ArrayRef<Value*> arguments, Rounding rounding) {
    const bool singles = are_singles(arguments[0]);
    const auto id = directed_instruction(operation, singles);
    if (!host_masks_anything() || !id) return nullptr;
    constexpr std::uint32_t kNoExceptions = 8;
    const std::uint32_t direction = rounding == Rounding::down ? 1 : rounding == Rounding::up ? 2 : 3;
    return in_pieces(e, arguments, singles ? 16 : 8, [&](std::vector<Value*>& these) {
        these.push_back(e.b.getInt32(direction | kNoExceptions));
        return e.b.CreateIntrinsic(*id, {}, these);
    });
}

Value* host_pair_products(Emitter& e, Value* x, Value* y) {
    if (!host_masks_anything() || !x->getType()->isVectorTy()) return nullptr;
    auto& b = e.b;
    const unsigned count = std::clamp(elements(x), 4U, 16U);
    const Intrinsic::ID id = count == 4   ? Intrinsic::x86_sse2_pmadd_wd
                             : count == 8 ? Intrinsic::x86_avx2_pmadd_wd
                                          : Intrinsic::x86_avx512_pmaddw_d_512;
    auto* halves = llvm::FixedVectorType::get(b.getInt16Ty(), 2 * count);
    return in_pieces(e, {x, y}, count, [&](std::vector<Value*>& these) {
        for (Value*& each : these)
            each = b.CreateBitCast(each, halves);
        return b.CreateIntrinsic(id, {}, these);
    });
}

Value* host_byte_products(Emitter& e, Value* x, Value* y) {
    if (!host_multiplies_bytes() || !x->getType()->isVectorTy()) return nullptr;
    auto& b = e.b;
    const unsigned count = std::clamp(elements(x), 4U, host_width());
    const Intrinsic::ID id = count == 4   ? Intrinsic::x86_avx512_vpdpbusd_128
                             : count == 8 ? Intrinsic::x86_avx512_vpdpbusd_256
                                          : Intrinsic::x86_avx512_vpdpbusd_512;
    auto* nothing = llvm::Constant::getNullValue(llvm::FixedVectorType::get(b.getInt32Ty(), count));
    return in_pieces(e, {x, y}, count, [&](const std::vector<Value*>& these) {
        return b.CreateIntrinsic(id, {}, {nothing, these[0], these[1]});
    });
}

} // namespace warplight::jit
