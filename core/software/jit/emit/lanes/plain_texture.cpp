// SPDX-License-Identifier: Apache-2.0
#include "plain_texture.hpp"

#include "software/jit/host.hpp"
#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using software::PlainTexture;
using software::TextureGeometry;
using software::TextureLanes;

unsigned permuted_lanes(unsigned lanes) {
    if (lanes >= 16 && host_masks_anything()) return 16;
    static const bool has_some = host_description().find("+avx2") != std::string::npos;
    return lanes >= 8 && has_some ? 8 : 0;
}

Value* permute(llvm::IRBuilder<>& b, Value* vector, Value* places) {
    const bool wide = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() == 16;
    return b.CreateIntrinsic(wide ? llvm::Intrinsic::x86_avx512_permvar_si_512 : llvm::Intrinsic::x86_avx2_permd, {},
                             {vector, places});
}

Value* concatenate(llvm::IRBuilder<>& b, Value* x, Value* y) {
    std::vector<int> places(std::size_t{2} * llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements());
    std::iota(places.begin(), places.end(), 0);
    return b.CreateShuffleVector(x, y, places);
}

Value* PlainTextureCode::field(std::size_t offset, Type* type) {
    llvm::LoadInst* load = b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), texture_, offset));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    return load;
}

Value* PlainTextureCode::base() { return field(offsetof(PlainTexture, base), b_.getPtrTy(kDeviceSpace)); }

Value* PlainTextureCode::as_wide(Value* scalar, Value* as) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(as->getType());
    return vector ? b_.CreateVectorSplat(vector->getNumElements(), scalar) : scalar;
}

ElementPlace PlainTextureCode::place(Value* coordinate, std::size_t axis) {
    const auto part = [&](std::size_t offset) {
        return as_wide(field(offset + 4 * axis, b_.getFloatTy()), coordinate);
    };
    Value* last = part(offsetof(PlainTexture, last));
    Value* zero = llvm::Constant::getNullValue(coordinate->getType());
    Value* scaled = b_.CreateFMul(coordinate, part(offsetof(PlainTexture, scale)));
    Value* cut = b_.CreateSelect(b_.CreateFCmpOGT(scaled, zero), scaled, zero);
    cut = b_.CreateSelect(b_.CreateFCmpOLT(cut, last), cut, last);
    Type* words = coordinate->getType()->getWithNewType(b_.getInt32Ty());
    // Of a scalar, bits are compared in fewer instructions. That -0 then is outside does no harm.
    Value* inside = coordinate->getType()->isVectorTy()
                        ? b_.CreateFCmpOEQ(cut, scaled)
                        : b_.CreateICmpEQ(b_.CreateBitCast(cut, words), b_.CreateBitCast(scaled, words));
    return {b_.CreateFPToSI(cut, words), inside};
}

ElementPlace PlainTextureCode::place_of_integer(Value* coordinate) {
    Value* inside = b_.CreateICmpULT(coordinate, as_wide(word(offsetof(PlainTexture, width)), coordinate));
    return {b_.CreateSelect(inside, coordinate, llvm::Constant::getNullValue(coordinate->getType())), inside};
}

namespace {

/// The body of sample_anywhere().
class Anywhere {
public:
    Anywhere(Unit& unit, llvm::Function& f, std::uint32_t kind, unsigned lanes)
        : unit_(unit), f_(f), b_(*unit.context), kind_(kind), lanes_(lanes), i32_(b_.getInt32Ty()),
          words_(llvm::FixedVectorType::get(i32_, lanes)) {}

    void write(unsigned channels) {
        llvm::BasicBlock *entry = block("entry"), *gather = block("gather"), *other = block("other"),
                         *stop = block("stop"), *ask = block("ask");
        b_.SetInsertPoint(entry);
        b_.SetCurrentDebugLocation(llvm::DILocation::get(*unit_.context, kNoSiteLine, 0, f_.getSubprogram()));
        PlainTextureCode texture(b_, f_.getArg(0));
        Value* request = b_.CreateAlloca(llvm::ArrayType::get(b_.getInt8Ty(), sizeof(TextureLanes)));
        Value* kinds = texture.word(offsetof(PlainTexture, kinds));
        const auto has = [&](std::uint32_t which) {
            return b_.CreateIsNotNull(b_.CreateAnd(kinds, std::uint64_t{which}));
        };
        b_.CreateCondBr(has(kind_), gather, other);
        b_.SetInsertPoint(gather);
        write_gather(texture, channels);
        b_.SetInsertPoint(other);
        b_.CreateCondBr(has(PlainTexture::gone), stop, ask);
        b_.SetInsertPoint(stop);
        call("wl_rt_no_texture", {f_.getArg(6), f_.getArg(7)});
        b_.CreateUnreachable();
        b_.SetInsertPoint(ask);
        write_request(request);
    }

private:
    llvm::BasicBlock* block(const char* name) { return llvm::BasicBlock::Create(*unit_.context, name, &f_); }
    Value* splat(Value* value) { return b_.CreateVectorSplat(lanes_, value); }
    Value* part(unsigned argument, unsigned which) {
        return b_.CreateConstInBoundsGEP1_64(i32_, f_.getArg(argument), which * lanes_);
    }
    void call(const char* name, llvm::ArrayRef<Value*> arguments) {
        llvm::SmallVector<Type*> types;
        for (Value* argument : arguments)
            types.push_back(argument->getType());
        b_.CreateCall(unit_.external(name, b_.getVoidTy(), types), arguments);
    }

    void write_gather(PlainTextureCode& texture, unsigned channels) {
        const bool integers = kind_ == PlainTexture::elements;
        const auto coordinate = [&](unsigned axis) {
            Type* type = integers ? words_ : llvm::FixedVectorType::get(b_.getFloatTy(), lanes_);
            return b_.CreateAlignedLoad(type, part(2, axis), llvm::Align(4));
        };
        Value* zero = llvm::Constant::getNullValue(words_);
        Value* count = texture.word(offsetof(PlainTexture, channels));
        const ElementPlace x = integers ? texture.place_of_integer(coordinate(0)) : texture.place(coordinate(0), 0);
        Value* index = b_.CreateMul(x.index, splat(count));
        if (kind_ == PlainTexture::picture) {
            Value* row = splat(texture.word(offsetof(PlainTexture, row_words)));
            index = b_.CreateAdd(index, b_.CreateMul(texture.place(coordinate(1), 1).index, row));
        }
        for (unsigned k = 0; k < channels; ++k) {
            // Channels that the memory lacks are 0. Their place is the first channel's, which may be read.
            Value* there = k == 0 ? nullptr : b_.CreateICmpUGT(count, b_.getInt32(k));
            Value* place = index;
            if (there) place = b_.CreateAdd(index, splat(b_.CreateSelect(there, b_.getInt32(k), b_.getInt32(0))));
            Value* value = b_.CreateMaskedGather(words_, b_.CreateGEP(i32_, f_.getArg(1), place), llvm::Align(4));
            if (there) value = b_.CreateSelect(there, value, zero);
            if (integers) value = b_.CreateSelect(x.inside, value, zero);
            b_.CreateAlignedStore(value, part(3, k), llvm::Align(4));
        }
        b_.CreateRetVoid();
    }

    void write_request(Value* request) {
        b_.CreateMemSet(request, b_.getInt8(0), sizeof(TextureLanes), llvm::MaybeAlign());
        const auto set = [&](std::size_t offset, Value* value) {
            b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), request, offset));
        };
        set(offsetof(TextureLanes, lanes), b_.getInt32(lanes_));
        set(offsetof(TextureLanes, mask), f_.getArg(5));
        set(offsetof(TextureLanes, coordinates), f_.getArg(2));
        set(offsetof(TextureLanes, level), f_.getArg(4));
        set(offsetof(TextureLanes, result), f_.getArg(3));
        const auto geometry = kind_ == PlainTexture::picture ? TextureGeometry::d2 : TextureGeometry::d1;
        if (kind_ == PlainTexture::elements)
            call("wl_rt_tex_fetch_lanes", {f_.getArg(0), request});
        else
            call("wl_rt_tex_lanes", {f_.getArg(0), b_.getInt32(static_cast<std::uint32_t>(geometry)), request});
        b_.CreateRetVoid();
    }

    Unit& unit_;
    llvm::Function& f_;
    llvm::IRBuilder<> b_;
    const std::uint32_t kind_;
    const unsigned lanes_;
    Type *const i32_, *const words_;
};

} // namespace

llvm::Function* sample_anywhere(Unit& unit, std::uint32_t kind, unsigned lanes, unsigned channels) {
    const std::string name = "wl_sample_" + std::to_string(kind) + "_" + std::to_string(channels);
    if (llvm::Function* known = unit.ir->getFunction(name)) return known;
    llvm::LLVMContext& context = *unit.context;
    Type *pointer = llvm::PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
    auto* f = llvm::Function::Create(llvm::FunctionType::get(Type::getVoidTy(context),
                                                             {pointer, llvm::PointerType::get(context, kDeviceSpace),
                                                              pointer, pointer, pointer, i32, i32, i32},
                                                             false),
                                     llvm::GlobalValue::InternalLinkage, name, *unit.ir);
    for (const auto attribute :
         {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::NullPointerIsValid})
        f->addFnAttr(attribute);
    unit.describe(*f);
    Anywhere(unit, *f, kind, lanes).write(channels);
    return f;
}

} // namespace warplight::jit
