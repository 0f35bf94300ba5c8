// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces. A handle is looked up by a service without side effects, so that LLVM has it looked up once
// where several instructions or all threads name the same; the access itself is another service. What a plain sample
// needs travels in registers, anything more in a request.
#include "texture.hpp"

#include "software/jit/emit/groups.hpp"

#include "software/jit/abi/texture_abi.hpp"

#include <llvm/Support/ModRef.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Operand;
using software::OpaqueType;
using software::PlainTexture;
using software::SurfaceBounds;
using software::SurfaceReduction;
using software::SurfaceRequest;
using software::TextureGeometry;
using software::TextureLanes;
using software::TextureQuery;
using software::TextureRequest;

namespace {

using Kind = Operand::Kind;

// --- handles

/// The handle that a variable or parameter holds.
Value* stored_handle(Emitter& e, const Operand& o) {
    Value* memory = o.scope == Operand::Scope::module ? e.unit.variable(o.index) : e.local_variable(o.scope, o.index);
    return e.b.CreateAlignedLoad(e.b.getInt64Ty(), memory, llvm::Align(8));
}

Value* handle_of(Emitter& e, const Operand& address) {
    if (address.base_kind == Kind::variable) return stored_handle(e, address);
    Operand base;
    base.kind = Kind::reg;
    base.reg = address.reg;
    return e.read(base, ptx::Type::b64);
}

llvm::Function* service(llvm::CallInst* call) { return llvm::cast<llvm::Function>(call->getCalledFunction()); }

/// Reads at most, but for the memory it is given: LLVM may keep what it knows of everything else.
void only_reads(llvm::CallInst* call) {
    llvm::Function* f = service(call);
    f->setMemoryEffects(llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::ModRef));
    f->setDoesNotThrow();
    f->addFnAttr(llvm::Attribute::WillReturn);
}

/// The object behind a handle; a handle that is none ends the launch.
Value* object_of(Emitter& e, const Operand& address, bool texture) {
    auto& b = e.b;
    Value* found = e.pure_call(texture ? "wl_rt_texture" : "wl_rt_surface", b.getPtrTy(), {handle_of(e, address)});
    // Asking does no harm: it may happen once for all threads.
    service(llvm::cast<llvm::CallInst>(found))->addFnAttr(llvm::Attribute::Speculatable);
    e.emit_if(b.CreateIsNull(found), [&] {
        e.runtime_call(texture ? "wl_rt_no_texture" : "wl_rt_no_surface", b.getVoidTy(),
                       {e.linear_thread(), e.site_value()})
            ->setDoesNotReturn();
        b.CreateUnreachable();
    });
    return found;
}

TextureGeometry geometry_of(const ptx::Instruction& i) {
    if (i.has(Modifier::geom_1d)) return TextureGeometry::d1;
    if (i.has(Modifier::geom_2d)) return TextureGeometry::d2;
    if (i.has(Modifier::geom_3d)) return TextureGeometry::d3;
    if (i.has(Modifier::geom_a1d)) return TextureGeometry::a1d;
    if (i.has(Modifier::geom_a2d)) return TextureGeometry::a2d;
    return i.has(Modifier::geom_cube) ? TextureGeometry::cube : TextureGeometry::acube;
}

unsigned coordinates_of(TextureGeometry geometry) {
    switch (geometry) {
    case TextureGeometry::d1:
    case TextureGeometry::a1d: return 1;
    case TextureGeometry::d2:
    case TextureGeometry::a2d: return 2;
    default: return 3;
    }
}

bool is_layered(TextureGeometry g) {
    return g == TextureGeometry::a1d || g == TextureGeometry::a2d || g == TextureGeometry::acube;
}

const Operand& element_of(const Operand& o, std::size_t k) { return o.kind == Kind::vector ? o.elements.at(k) : o; }

// --- requests

/// A struct that services take.
class Request {
public:
    Request(Emitter& e, std::size_t bytes) : e_(e), memory_(e, "request", bytes) {
        e.b.CreateMemSet(address(), e.b.getInt8(0), bytes, llvm::Align(16));
    }
    void set(std::size_t offset, Value* value) { e_.store_field(address(), offset, value); }
    void set(std::size_t offset, std::uint32_t value) { set(offset, e_.b.getInt32(value)); }
    [[nodiscard]] Value* address() const { return memory_.address(); }

private:
    Emitter& e_;
    Scratch memory_;
};

// --- results

ptx::Type channel_type(const ptx::Instruction& i) { return i.types[0]; }

/// Four channels of 32 bits, as the instruction's type has them.
void write_channels(Emitter& e, const ptx::Instruction& i, Value* result) {
    auto& b = e.b;
    const Operand* destination = i.operands.data();
    if (destination->kind == Kind::predicated_pair) {
        // All memory is there.
        e.write(destination->elements.at(1), ptx::Type::pred, b.getTrue());
        destination = &destination->elements.front();
    }
    const ptx::Type type = channel_type(i);
    const auto channel = [&](unsigned k) {
        return b.CreateLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), result, 4 * k));
    };
    const auto half = [&](unsigned k) -> Value* { return e.pure_call("wl_rt_half_of", b.getInt16Ty(), {channel(k)}); };
    if (type == ptx::Type::f16x2) {
        for (unsigned k = 0; k < 2; ++k) {
            Value* low = b.CreateZExt(half(2 * k), b.getInt32Ty());
            Value* high = b.CreateShl(b.CreateZExt(half(2 * k + 1), b.getInt32Ty()), 16);
            e.write(destination->elements.at(k), type, e.bits_as(b.CreateOr(low, high), e.type_of(type)));
        }
        return;
    }
    for (unsigned k = 0; k < 4; ++k) {
        const Operand& to = destination->elements.at(k);
        if (to.kind == Kind::none) continue;
        Value* value = type == ptx::Type::f16 ? half(k) : channel(k);
        e.write(to, type, e.bits_as(value, e.type_of(type)));
    }
}

// --- tex, tld4

void emit_sample(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    if (i.has(Modifier::geom_2dms) || i.has(Modifier::geom_a2dms))
        e.unsupported_form(i, "no texture here has several samples an element");
    const Operand& address = i.operands.at(1);
    const TextureGeometry geometry = geometry_of(i);
    const unsigned dimensions = coordinates_of(geometry);
    const bool gathers = i.opcode == ptx::Opcode::tld4;
    const bool integers = !gathers && i.types[1] == ptx::Type::s32;
    const bool gradient = i.has(Modifier::grad);
    const Operand* sampler = address.elements.size() > 1 ? &address.elements.front() : nullptr;
    const std::size_t behind = 2 + (i.has(Modifier::level) ? 1u : gradient ? 2u : 0u);
    // A depth to compare with changes nothing: no texture here holds depths.
    const Operand* offset =
        i.operands.size() > behind && i.operands[behind].kind == Kind::vector ? &i.operands[behind] : nullptr;

    const Operand& at = address.elements.back();
    const std::size_t first = is_layered(geometry) ? 1 : 0;
    Value* layer = first ? e.read(element_of(at, 0), ptx::Type::b32) : b.getInt32(0);
    const auto coordinate = [&](unsigned k, ptx::Type type) -> Value* {
        if (k >= dimensions) return llvm::Constant::getNullValue(e.type_of(type));
        return e.read(element_of(at, first + k), type);
    };
    Value* level = e.real(ptx::Type::f32, std::numeric_limits<double>::quiet_NaN()); // none
    if (i.has(Modifier::level)) {
        level = integers ? b.CreateSIToFP(e.read(i.operands.at(2), ptx::Type::b32), b.getFloatTy())
                         : e.read(i.operands.at(2), ptx::Type::f32);
    }
    Value* texture = object_of(e, address, true);
    const Scratch channels(e, "channels", 16);
    Value* result = channels.address();
    const bool plain = !gathers && !gradient && !sampler && !offset;
    if (plain && !integers) {
        only_reads(e.runtime_call("wl_rt_tex", b.getVoidTy(),
                                  {texture, b.getInt32(static_cast<std::uint32_t>(geometry)), layer,
                                   coordinate(0, ptx::Type::f32), coordinate(1, ptx::Type::f32),
                                   coordinate(2, ptx::Type::f32), level, result}));
        return write_channels(e, i, result);
    }
    if (plain && geometry == TextureGeometry::d1 && !i.has(Modifier::level)) {
        only_reads(e.runtime_call("wl_rt_tex_fetch", b.getVoidTy(), {texture, coordinate(0, ptx::Type::b32), result}));
        return write_channels(e, i, result);
    }
    Request request(e, sizeof(TextureRequest));
    for (unsigned k = 0; k < dimensions; ++k) {
        if (integers)
            request.set(offsetof(TextureRequest, i) + 4 * k, coordinate(k, ptx::Type::b32));
        else
            request.set(offsetof(TextureRequest, x) + 4 * k, coordinate(k, ptx::Type::f32));
    }
    request.set(offsetof(TextureRequest, layer), layer);
    request.set(offsetof(TextureRequest, geometry), static_cast<std::uint32_t>(geometry));
    request.set(offsetof(TextureRequest, integer_coordinates), integers);
    request.set(offsetof(TextureRequest, level), level);
    if (gradient) {
        request.set(offsetof(TextureRequest, has_gradient), 1u);
        for (unsigned k = 0; k < dimensions; ++k) {
            request.set(offsetof(TextureRequest, dx) + 4 * k, e.read(element_of(i.operands.at(2), k), ptx::Type::f32));
            request.set(offsetof(TextureRequest, dy) + 4 * k, e.read(element_of(i.operands.at(3), k), ptx::Type::f32));
        }
    }
    if (offset) {
        // Four bits each: -8 to 7.
        for (unsigned k = 0; k < dimensions; ++k) {
            Value* wide = e.read(element_of(*offset, k), ptx::Type::b32);
            request.set(offsetof(TextureRequest, offset) + 4 * k, b.CreateAShr(b.CreateShl(wide, 28), 28));
        }
    }
    const std::uint32_t component = !gathers             ? ~0u
                                    : i.has(Modifier::r) ? 0u
                                    : i.has(Modifier::g) ? 1u
                                    : i.has(Modifier::b) ? 2u
                                                         : 3u;
    request.set(offsetof(TextureRequest, component), component);
    if (sampler) request.set(offsetof(TextureRequest, sampler), e.read(*sampler, ptx::Type::b64));
    only_reads(e.runtime_call("wl_rt_tex_request", b.getVoidTy(), {texture, request.address(), result}));
    write_channels(e, i, result);
}

// --- queries

TextureQuery query_of(const ptx::Instruction& i) {
    static constexpr std::pair<Modifier, TextureQuery> kQueries[] = {
        {Modifier::width, TextureQuery::width},
        {Modifier::height, TextureQuery::height},
        {Modifier::depth, TextureQuery::depth},
        {Modifier::channel_data_type, TextureQuery::channel_data_type},
        {Modifier::channel_order, TextureQuery::channel_order},
        {Modifier::normalized_coords, TextureQuery::normalized_coords},
        {Modifier::array_size, TextureQuery::array_size},
        {Modifier::num_mipmap_levels, TextureQuery::num_mipmap_levels},
        {Modifier::num_samples, TextureQuery::num_samples},
        {Modifier::force_unnormalized_coords, TextureQuery::force_unnormalized_coords},
        {Modifier::filter_mode, TextureQuery::filter_mode},
        {Modifier::addr_mode_0, TextureQuery::addr_mode_0},
        {Modifier::addr_mode_1, TextureQuery::addr_mode_1},
        {Modifier::addr_mode_2, TextureQuery::addr_mode_2},
        {Modifier::memory_layout, TextureQuery::memory_layout},
    };
    for (const auto& [modifier, query] : kQueries)
        if (i.has(modifier)) return query;
    return TextureQuery::width;
}

void emit_query(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* handle = handle_of(e, i.operands.at(1));
    Value* what = b.getInt32(static_cast<std::uint32_t>(query_of(i)));
    Value* answer = nullptr;
    if (i.opcode == ptx::Opcode::txq) {
        Value* level = e.read(i, 2, ptx::Type::b32);
        answer = e.runtime_call("wl_rt_txq", b.getInt32Ty(), {handle, what, level, e.linear_thread(), e.site_value()});
    } else {
        answer = e.runtime_call("wl_rt_suq", b.getInt32Ty(), {handle, what, e.linear_thread(), e.site_value()});
    }
    e.write(i.operands.front(), ptx::Type::b32, answer);
}

void emit_is_type(Emitter& e, const ptx::Instruction& i) {
    const OpaqueType type = i.type() == ptx::Type::texref    ? OpaqueType::texture
                            : i.type() == ptx::Type::surfref ? OpaqueType::surface
                                                             : OpaqueType::sampler;
    Value* answer =
        e.runtime_call("wl_rt_istypep", e.b.getInt32Ty(),
                       {e.read(i.operands.at(1), ptx::Type::b64), e.b.getInt32(static_cast<std::uint32_t>(type))});
    e.write(i.operands.front(), ptx::Type::pred, e.b.CreateICmpNE(answer, e.b.getInt32(0)));
}

// --- surfaces

void fill(Emitter& e, const ptx::Instruction& i, const Operand& address, Request& request) {
    const TextureGeometry geometry = geometry_of(i);
    const Operand& at = address.elements.back();
    const std::size_t first = is_layered(geometry) ? 1 : 0;
    if (first) request.set(offsetof(SurfaceRequest, layer), e.read(element_of(at, 0), ptx::Type::b32));
    for (unsigned k = 0; k < coordinates_of(geometry); ++k)
        request.set(offsetof(SurfaceRequest, x) + 4 * k, e.read(element_of(at, first + k), ptx::Type::b32));
    request.set(offsetof(SurfaceRequest, geometry), static_cast<std::uint32_t>(geometry));
    const SurfaceBounds bounds = i.has(Modifier::trap)    ? SurfaceBounds::trap
                                 : i.has(Modifier::clamp) ? SurfaceBounds::clamp
                                                          : SurfaceBounds::zero;
    request.set(offsetof(SurfaceRequest, bounds), static_cast<std::uint32_t>(bounds));
    request.set(offsetof(SurfaceRequest, linear), e.linear_thread());
    request.set(offsetof(SurfaceRequest, site), e.site_value());
}

constexpr std::size_t kMostSurfaceBytes = 32;

void emit_surface_load(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const Operand& address = i.operands.at(1);
    const ptx::Type type = i.type();
    const unsigned each = ptx::bits(type) / 8;
    Value* surface = object_of(e, address, false);
    Request request(e, sizeof(SurfaceRequest));
    fill(e, i, address, request);
    const Scratch loaded(e, "loaded", kMostSurfaceBytes);
    Value* result = loaded.address();
    e.runtime_call("wl_rt_suld", b.getVoidTy(),
                   {surface, request.address(), b.getInt32(each * i.vector_width), result});
    for (unsigned k = 0; k < i.vector_width; ++k) {
        Value* from = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), result, std::uint64_t{each} * k);
        e.write(element_of(i.operands.front(), k), type, b.CreateAlignedLoad(e.type_of(type), from, llvm::Align(each)));
    }
}

void emit_surface_store(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const Operand& address = i.operands.at(0);
    const ptx::Type type = i.type();
    const unsigned each = ptx::bits(type) / 8;
    Value* surface = object_of(e, address, false);
    Request request(e, sizeof(SurfaceRequest));
    fill(e, i, address, request);
    const Scratch stored(e, "stored", kMostSurfaceBytes);
    Value* values = stored.address();
    for (unsigned k = 0; k < i.vector_width; ++k) {
        Value* to = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), values, std::uint64_t{each} * k);
        b.CreateAlignedStore(e.read(element_of(i.operands.at(1), k), type), to, llvm::Align(each));
    }
    const bool formatted = i.has(Modifier::p);
    const std::uint32_t amount = formatted ? i.vector_width : each * i.vector_width;
    e.runtime_call(formatted ? "wl_rt_sust_formatted" : "wl_rt_sust", b.getVoidTy(),
                   {surface, request.address(), b.getInt32(amount), values});
}

SurfaceReduction reduction_of(const ptx::Instruction& i) {
    const bool wide = ptx::bits(i.type()) == 64, is_signed = ptx::is_signed(i.type());
    if (i.has(Modifier::add)) return wide ? SurfaceReduction::add_64 : SurfaceReduction::add_32;
    if (i.has(Modifier::and_)) return SurfaceReduction::and_32;
    if (i.has(Modifier::or_)) return SurfaceReduction::or_32;
    if (i.has(Modifier::min)) {
        if (wide) return is_signed ? SurfaceReduction::min_s64 : SurfaceReduction::min_u64;
        return is_signed ? SurfaceReduction::min_s32 : SurfaceReduction::min_u32;
    }
    if (wide) return is_signed ? SurfaceReduction::max_s64 : SurfaceReduction::max_u64;
    return is_signed ? SurfaceReduction::max_s32 : SurfaceReduction::max_u32;
}

void emit_surface_reduction(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const Operand& address = i.operands.at(0);
    Value* surface = object_of(e, address, false);
    Request request(e, sizeof(SurfaceRequest));
    fill(e, i, address, request);
    Value* value = b.CreateZExt(e.read(i.operands.at(1), i.type()), b.getInt64Ty());
    e.runtime_call("wl_rt_sured", b.getVoidTy(),
                   {surface, request.address(), b.getInt32(static_cast<std::uint32_t>(reduction_of(i))),
                    b.getInt32(i.has(Modifier::p)), value});
}

} // namespace

bool samples_lanes(const ptx::Instruction& i) {
    if (i.opcode != ptx::Opcode::tex || i.has(Modifier::geom_2dms) || i.has(Modifier::geom_a2dms)) return false;
    const bool integers = i.types[1] == ptx::Type::s32, level = i.has(Modifier::level);
    if (integers && (level || geometry_of(i) != TextureGeometry::d1)) return false;
    const bool words = channel_type(i) != ptx::Type::f16 && channel_type(i) != ptx::Type::f16x2;
    return words && i.operands.at(0).kind == Kind::vector && i.operands.at(1).elements.size() == 1 &&
           !i.has(Modifier::grad) && i.operands.size() == (level ? 3 : 2);
}

namespace {

/// The instruction, for lanes whose texture is the same.
class SampleLanes {
public:
    SampleLanes(Emitter& e, const ptx::Instruction& i, unsigned lanes, Value* mask)
        : e_(e), b_(e.b), i_(i), lanes_(lanes), mask_(mask), geometry_(geometry_of(i)),
          integers_(i.types[1] == ptx::Type::s32) {}

    void emit() {
        texture_ = object_of(e_, i_.operands.at(1), true);
        e_.width = lanes_;
        for (unsigned k = 0; k < coordinates_of(geometry_); ++k)
            // What lanes that take no part have there may be anything.
            place_.push_back(b_.CreateFreeze(
                e_.read(element_of(coordinates(), first() + k), integers_ ? ptx::Type::b32 : ptx::Type::f32)));
        e_.width = 1;
        const std::uint32_t kind = integers_                          ? PlainTexture::elements
                                   : geometry_ == TextureGeometry::d1 ? PlainTexture::row
                                   : geometry_ == TextureGeometry::d2 ? PlainTexture::picture
                                                                      : 0;
        Channels channels;
        if (kind == 0) {
            channels = ask();
        } else {
            llvm::BasicBlock* plain = e_.new_block("plain");
            llvm::BasicBlock* other = e_.new_block("other");
            llvm::BasicBlock* rest = e_.new_block("rest");
            Value* kinds = field(offsetof(PlainTexture, kinds), b_.getInt32Ty());
            b_.CreateCondBr(b_.CreateIsNotNull(b_.CreateAnd(kinds, kind)), plain, other);
            b_.SetInsertPoint(plain);
            const Channels near = look();
            plain = b_.GetInsertBlock();
            b_.CreateBr(rest);
            b_.SetInsertPoint(other);
            const Channels asked = ask();
            other = b_.GetInsertBlock();
            b_.CreateBr(rest);
            b_.SetInsertPoint(rest);
            for (unsigned k = 0; k < 4; ++k) {
                llvm::PHINode* either = b_.CreatePHI(words(), 2);
                either->addIncoming(near[k], plain);
                either->addIncoming(asked[k], other);
                channels[k] = either;
            }
        }
        e_.width = lanes_;
        const ptx::Type type = channel_type(i_);
        for (unsigned k = 0; k < 4; ++k) {
            const Operand& to = i_.operands.front().elements.at(k);
            if (to.kind != Kind::none) e_.write(to, type, e_.bits_as(channels[k], e_.type_of(type)));
        }
        e_.width = 1;
    }

private:
    using Channels = std::array<Value*, 4>;

    [[nodiscard]] const Operand& coordinates() const { return i_.operands.at(1).elements.back(); }
    [[nodiscard]] std::size_t first() const { return is_layered(geometry_) ? 1 : 0; }
    [[nodiscard]] llvm::Type* words() const { return llvm::FixedVectorType::get(b_.getInt32Ty(), lanes_); }
    Value* splat(Value* value) { return b_.CreateVectorSplat(lanes_, value); }

    /// Of the PlainTexture: while a kernel runs it stays as it is.
    Value* field(std::size_t offset, llvm::Type* type) {
        llvm::LoadInst* load = b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), texture_, offset));
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e_.context, {}));
        return load;
    }

    /// The element along an axis. What is no number is 0.
    Value* nearest(std::size_t axis) {
        Value* scale = splat(field(offsetof(PlainTexture, scale) + 4 * axis, b_.getFloatTy()));
        Value* last = splat(field(offsetof(PlainTexture, last) + 4 * axis, b_.getFloatTy()));
        Value* zero = llvm::Constant::getNullValue(last->getType());
        Value* place = b_.CreateFMul(place_[axis], scale);
        place = b_.CreateSelect(b_.CreateFCmpOGT(place, zero), place, zero);
        return b_.CreateFPToSI(b_.CreateSelect(b_.CreateFCmpOLT(place, last), place, last), words());
    }

    /// The element that each lane names, without help.
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
        Value* base = field(offsetof(PlainTexture, base), b_.getPtrTy());
        Channels channels{};
        for (unsigned k = 0; k < 4; ++k) {
            // Channels that the memory lacks are 0; the first one stands in for them.
            Value* there = k == 0 ? nullptr : b_.CreateICmpUGT(count, b_.getInt32(k));
            Value* place = index;
            if (there) place = b_.CreateAdd(index, splat(b_.CreateSelect(there, b_.getInt32(k), b_.getInt32(0))));
            Value* value = b_.CreateMaskedGather(words(), b_.CreateGEP(b_.getInt32Ty(), base, place), llvm::Align(4));
            if (there) value = b_.CreateSelect(there, value, zero);
            channels[k] = inside ? b_.CreateSelect(inside, value, zero) : value;
        }
        return channels;
    }

    /// By the run time's service.
    Channels ask() {
        // Coordinates, the layer, the level.
        const Scratch asked(e_, "asked", std::size_t{lanes_} * 5 * 4), found(e_, "found", std::size_t{lanes_} * 4 * 4);
        Request request(e_, sizeof(TextureLanes));
        const auto part = [&](const Scratch& memory, unsigned which) {
            return b_.CreateConstInBoundsGEP1_64(b_.getInt32Ty(), memory.address(), which * lanes_);
        };
        const auto store = [&](unsigned which, Value* value) {
            b_.CreateAlignedStore(value, part(asked, which), llvm::Align(4));
        };
        for (unsigned k = 0; k < place_.size(); ++k)
            store(k, place_[k]);
        e_.width = lanes_;
        if (first()) {
            store(3, e_.read(element_of(coordinates(), 0), ptx::Type::b32));
            request.set(offsetof(TextureLanes, layer), part(asked, 3));
        }
        if (i_.has(Modifier::level)) {
            store(4, e_.read(i_.operands.at(2), ptx::Type::f32));
            request.set(offsetof(TextureLanes, level), part(asked, 4));
        }
        e_.width = 1;
        Value* bits = b_.getInt32(lanes_ == 32 ? ~0U : (1U << lanes_) - 1);
        if (mask_) bits = b_.CreateZExtOrTrunc(b_.CreateBitCast(mask_, b_.getIntNTy(lanes_)), b_.getInt32Ty());
        request.set(offsetof(TextureLanes, lanes), lanes_);
        request.set(offsetof(TextureLanes, mask), bits);
        request.set(offsetof(TextureLanes, coordinates), part(asked, 0));
        request.set(offsetof(TextureLanes, result), found.address());
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
    const unsigned lanes_;
    Value* mask_;
    const TextureGeometry geometry_;
    const bool integers_;
    Value* texture_ = nullptr;
    std::vector<Value*> place_;
};

} // namespace

void emit_sample_lanes(Emitter& e, const ptx::Instruction& i, unsigned lanes, Value* mask) {
    SampleLanes(e, i, lanes, mask).emit();
}

bool emit_texture(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::tex:
    case ptx::Opcode::tld4: emit_sample(e, i); return true;
    case ptx::Opcode::txq:
    case ptx::Opcode::suq: emit_query(e, i); return true;
    case ptx::Opcode::istypep: emit_is_type(e, i); return true;
    case ptx::Opcode::suld: emit_surface_load(e, i); return true;
    case ptx::Opcode::sust: emit_surface_store(e, i); return true;
    case ptx::Opcode::sured: emit_surface_reduction(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
