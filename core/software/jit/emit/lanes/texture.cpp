// SPDX-License-Identifier: Apache-2.0
// Samples of one texture for all lanes.
#include "lane_groups.hpp"
#include "software/jit/emit/memory/texture_operands.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Operand;
using software::PlainTexture;
using software::TextureGeometry;
using software::TextureLanes;
using Kind = Operand::Kind;

namespace {

class SampleLanes {
public:
    SampleLanes(Emitter& e, const ptx::Instruction& i)
        : e_(e), b_(e.b), i_(i), width_(e.lanes.full_width()), geometry_(geometry_of(i)),
          integers_(i.types[1] == ptx::Type::s32) {}

    void emit() {
        texture_ = texture_object(e_, i_.operands.at(1));
        read_coordinates();
        const std::uint32_t kind = integers_                          ? PlainTexture::elements
                                   : geometry_ == TextureGeometry::d1 ? PlainTexture::row
                                   : geometry_ == TextureGeometry::d2 ? PlainTexture::picture
                                                                      : 0;
        write(kind == 0 ? ask() : look_or_ask(kind));
    }

private:
    using Channels = std::array<Value*, 4>;

    [[nodiscard]] const Operand& coordinates() const { return i_.operands.at(1).elements.back(); }
    [[nodiscard]] std::size_t first() const { return is_layered(geometry_) ? 1 : 0; }
    [[nodiscard]] llvm::Type* words() const { return llvm::FixedVectorType::get(b_.getInt32Ty(), width_); }
    Value* splat(Value* value) { return b_.CreateVectorSplat(width_, value); }

    void read_coordinates() {
        const auto vectors = e_.lanes.with_full_width();
        const ptx::Type type = integers_ ? ptx::Type::b32 : ptx::Type::f32;
        for (unsigned k = 0; k < coordinates_of(geometry_); ++k) // inactive lanes may have anything there
            place_.push_back(b_.CreateFreeze(e_.read(element_of(coordinates(), first() + k), type)));
    }
    void write(const Channels& channels) {
        const auto vectors = e_.lanes.with_full_width();
        const ptx::Type type = i_.types[0];
        for (unsigned k = 0; k < 4; ++k) {
            const Operand& to = i_.operands.front().elements.at(k);
            if (to.kind != Kind::none) e_.write(to, type, e_.bits_as(channels[k], e_.type_of(type)));
        }
    }

    /// Looks if the texture turns out to be of that kind, and asks otherwise.
    Channels look_or_ask(std::uint32_t kind) {
        llvm::BasicBlock* plain = e_.new_block("plain");
        llvm::BasicBlock* other = e_.new_block("other");
        llvm::BasicBlock* rest = e_.new_block("rest");
        Value* kinds = field(offsetof(PlainTexture, kinds), b_.getInt32Ty());
        Value* is_plain = b_.CreateIsNotNull(b_.CreateAnd(kinds, kind));
        if (e_.traces_image) is_plain = b_.CreateAnd(is_plain, b_.CreateNot(e_.traces_image));
        b_.CreateCondBr(is_plain, plain, other);
        b_.SetInsertPoint(plain);
        const Channels near = look();
        plain = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(other);
        const Channels asked = ask();
        other = b_.GetInsertBlock();
        b_.CreateBr(rest);
        b_.SetInsertPoint(rest);
        Channels channels{};
        for (unsigned k = 0; k < 4; ++k) {
            llvm::PHINode* either = b_.CreatePHI(words(), 2);
            either->addIncoming(near[k], plain);
            either->addIncoming(asked[k], other);
            channels[k] = either;
        }
        return channels;
    }

    /// A field of the PlainTexture, which does not change while a kernel runs.
    Value* field(std::size_t offset, llvm::Type* type) {
        llvm::LoadInst* load = b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), texture_, offset));
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e_.context, {}));
        return load;
    }

    /// The number of the nearest element along an axis; 0 for NaN.
    Value* nearest(std::size_t axis) {
        Value* scale = splat(field(offsetof(PlainTexture, scale) + 4 * axis, b_.getFloatTy()));
        Value* last = splat(field(offsetof(PlainTexture, last) + 4 * axis, b_.getFloatTy()));
        Value* zero = llvm::Constant::getNullValue(last->getType());
        Value* place = b_.CreateFMul(place_[axis], scale);
        place = b_.CreateSelect(b_.CreateFCmpOGT(place, zero), place, zero);
        return b_.CreateFPToSI(b_.CreateSelect(b_.CreateFCmpOLT(place, last), place, last), words());
    }

    /// Reads the element that each lane names from the texture's memory.
    Channels look() {
        Value* zero = llvm::Constant::getNullValue(words());
        Value* inside = nullptr;
        Value* index = nullptr;
        if (integers_) {
            inside = b_.CreateICmpULT(place_[0], splat(field(offsetof(PlainTexture, width), b_.getInt32Ty())));
            index = b_.CreateSelect(inside, place_[0], zero);
        } else {
            index = nearest(0);
        }
        Value* count = field(offsetof(PlainTexture, channels), b_.getInt32Ty());
        index = b_.CreateMul(index, splat(count));
        if (place_.size() > 1)
            index = b_.CreateAdd(
                index, b_.CreateMul(nearest(1), splat(field(offsetof(PlainTexture, row_words), b_.getInt32Ty()))));
        Value* base = field(offsetof(PlainTexture, base), e_.device_pointer());
        if (is_of_shadow(i_)) base = b_.CreateGEP(b_.getInt8Ty(), base, e_.addresses.to_shadow());
        Channels channels{};
        for (unsigned k = 0; k < 4; ++k) {
            // Channels that the memory lacks are 0. Their place is the first channel's, which may be read.
            Value* there = k == 0 ? nullptr : b_.CreateICmpUGT(count, b_.getInt32(k));
            Value* place = index;
            if (there) place = b_.CreateAdd(index, splat(b_.CreateSelect(there, b_.getInt32(k), b_.getInt32(0))));
            Value* value = b_.CreateMaskedGather(words(), b_.CreateGEP(b_.getInt32Ty(), base, place), llvm::Align(4));
            if (there) value = b_.CreateSelect(there, value, zero);
            channels[k] = inside ? b_.CreateSelect(inside, value, zero) : value;
        }
        return channels;
    }

    /// Asks the runtime.
    Channels ask() {
        // Three coordinates, the layer, the level.
        const Scratch asked(e_, "asked", std::size_t{width_} * 5 * 4), found(e_, "found", std::size_t{width_} * 4 * 4);
        Request request(e_, sizeof(TextureLanes));
        const auto part = [&](const Scratch& memory, unsigned which) {
            return b_.CreateConstInBoundsGEP1_64(b_.getInt32Ty(), memory.address(), which * width_);
        };
        const auto store = [&](unsigned which, Value* value) {
            b_.CreateAlignedStore(value, part(asked, which), llvm::Align(4));
        };
        for (unsigned k = 0; k < place_.size(); ++k)
            store(k, place_[k]);
        {
            const auto vectors = e_.lanes.with_full_width();
            if (first()) {
                store(3, e_.read(element_of(coordinates(), 0), ptx::Type::b32));
                request.set(offsetof(TextureLanes, layer), part(asked, 3));
            }
            if (i_.has(Modifier::level)) {
                store(4, e_.read(i_.operands.at(2), ptx::Type::f32));
                request.set(offsetof(TextureLanes, level), part(asked, 4));
            }
        }
        Value* active = e_.active_bits();
        request.set(offsetof(TextureLanes, lanes), width_);
        request.set(offsetof(TextureLanes, mask), active);
        request.set(offsetof(TextureLanes, coordinates), part(asked, 0));
        request.set(offsetof(TextureLanes, result), found.address());
        if (is_looked_at(e_, i_)) set_caller(e_, i_, request, offsetof(TextureLanes, caller));
        if (integers_)
            e_.runtime_call("wl_rt_tex_fetch_lanes", b_.getVoidTy(), {texture_, request.address()});
        else
            e_.runtime_call("wl_rt_tex_lanes", b_.getVoidTy(),
                            {texture_, b_.getInt32(static_cast<std::uint32_t>(geometry_)), request.address()});
        Channels channels{};
        for (unsigned k = 0; k < 4; ++k)
            channels[k] = b_.CreateAlignedLoad(words(), part(found, k), llvm::Align(4));
        return channels;
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const ptx::Instruction& i_;
    const unsigned width_;
    const TextureGeometry geometry_;
    const bool integers_;
    Value* texture_ = nullptr;
    std::vector<Value*> place_;
};

} // namespace

void emit_lane_samples(Emitter& e, const ptx::Instruction& i) { SampleLanes(e, i).emit(); }

} // namespace warplight::jit
