// SPDX-License-Identifier: Apache-2.0
#include "texture.hpp"

#include "texture_operands.hpp"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/ModRef.h>

#include <cstddef>
#include <limits>
#include <utility>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Operand;
using software::ImageCaller;
using software::OpaqueType;
using software::TextureGeometry;
using software::TextureQuery;
using software::TextureRequest;
using Kind = Operand::Kind;

// --- operands

namespace {

/// The handle that a variable or parameter holds.
Value* stored_handle(Emitter& e, const Operand& o) {
    Value* memory =
        o.scope == Operand::Scope::module ? e.unit.variable(o.index) : e.variables.memory_of(o.scope, o.index);
    return e.b.CreateAlignedLoad(e.b.getInt64Ty(), memory, llvm::Align(8));
}

} // namespace

Value* texture_handle(Emitter& e, const Operand& address) {
    if (address.base_kind == Kind::variable) return stored_handle(e, address);
    return e.registers.read(address.reg, ptx::Type::b64);
}

namespace {

llvm::Function* service(llvm::CallInst* call) { return llvm::cast<llvm::Function>(call->getCalledFunction()); }

/// The service writes to no memory but what its arguments point to, so LLVM may keep what it knows of the rest. Not
/// where it tells of what it reads.
void only_reads(Emitter& e, llvm::CallInst* call) {
    if (e.unit.options.traces_accesses || e.unit.options.follows_values) return;
    llvm::Function* f = service(call);
    f->setMemoryEffects(llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::ModRef));
    f->setDoesNotThrow();
    f->addFnAttr(llvm::Attribute::WillReturn);
}

/// The threads that the code is for: the first one, and which lanes.
std::pair<Value*, Value*> asking_threads(Emitter& e) {
    const bool is_single = e.lanes.lane() >= 0 || e.lanes.serial_index();
    return {is_single ? e.place.linear_thread() : e.place.first_linear_thread(),
            is_single ? e.b.getInt32(1) : e.active_bits()};
}

/// A look-up that may happen early, once for all threads.
Value* look_up(Emitter& e, const char* name, const Operand& address) {
    Value* found = e.pure_call(name, e.b.getPtrTy(), {texture_handle(e, address)});
    service(llvm::cast<llvm::CallInst>(found))->addFnAttr(llvm::Attribute::Speculatable);
    return found;
}

/// A wrong one is told of, and another takes its place.
Value* checked_object_of(Emitter& e, const Operand& address, bool texture) {
    auto& b = e.b;
    llvm::BasicBlock* wrong = e.new_block("wrong");
    llvm::BasicBlock* rest = e.new_block("rest");
    Value* found = look_up(e, texture ? "wl_rt_usable_texture" : "wl_rt_usable_surface", address);
    llvm::BasicBlock* before = b.GetInsertBlock();
    b.CreateCondBr(b.CreateIsNull(found), wrong, rest, llvm::MDBuilder(e.context).createUnlikelyBranchWeights());
    b.SetInsertPoint(wrong);
    const auto [linear, active] = asking_threads(e);
    Value* other = e.runtime_call(texture ? "wl_rt_checked_texture" : "wl_rt_checked_surface", b.getPtrTy(),
                                  {e.place.block(), linear, active, texture_handle(e, address), e.site_value()});
    wrong = b.GetInsertBlock();
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
    llvm::PHINode* object = b.CreatePHI(b.getPtrTy(), 2);
    object->addIncoming(found, before);
    object->addIncoming(other, wrong);
    return object;
}

/// Ends the launch.
void stop_without(Emitter& e, bool texture) {
    e.runtime_call(texture ? "wl_rt_no_texture" : "wl_rt_no_surface", e.b.getVoidTy(),
                   {e.place.linear_thread(), e.site_value()})
        ->setDoesNotReturn();
    e.b.CreateUnreachable();
}

Value* object_of(Emitter& e, const Operand& address, bool texture) {
    auto& b = e.b;
    if (is_of_shadow(e.function.instructions[e.instruction()]))
        return look_up(e, texture ? "wl_rt_shadowed_texture" : "wl_rt_shadowed_surface", address);
    if (e.unit.options.checks_accesses) return checked_object_of(e, address, texture);
    Value* found = look_up(e, texture ? "wl_rt_texture" : "wl_rt_surface", address);
    e.emit_if(b.CreateIsNull(found), [&] { stop_without(e, texture); });
    return found;
}

} // namespace

Value* texture_object(Emitter& e, const Operand& address) { return object_of(e, address, true); }
Value* surface_object(Emitter& e, const Operand& address) { return object_of(e, address, false); }

namespace {

/// Objects then are never null: what is wrong is told of, or reads as 0.
bool replaces_wrong_ones(const Emitter& e, const ptx::Instruction& i) {
    return is_of_shadow(i) || e.unit.options.checks_accesses;
}

} // namespace

namespace {

/// A look-up of what is always there.
template <class Plain>
Value* look_up_plain(Emitter& e, const char* name, const Operand& address) {
    auto* found = llvm::cast<llvm::CallInst>(look_up(e, name, address));
    llvm::AttrBuilder facts(e.context);
    facts.addAttribute(llvm::Attribute::NonNull);
    facts.addAlignmentAttr(alignof(Plain));
    facts.addDereferenceableAttr(sizeof(Plain));
    service(found)->addRetAttrs(facts);
    return found;
}

} // namespace

Value* plain_texture(Emitter& e, const Operand& address) {
    if (replaces_wrong_ones(e, e.function.instructions[e.instruction()])) return texture_object(e, address);
    return look_up_plain<software::PlainTexture>(e, "wl_rt_plain_texture", address);
}

Value* plain_surface(Emitter& e, const Operand& address) {
    return look_up_plain<software::PlainSurface>(e, "wl_rt_plain_surface", address);
}

void stop_if_gone(Emitter& e, const ptx::Instruction& i, Value* kinds) {
    if (replaces_wrong_ones(e, i)) return;
    e.emit_if(e.b.CreateIsNotNull(e.b.CreateAnd(kinds, std::uint64_t{software::PlainTexture::gone})),
              [&] { stop_without(e, true); });
}

bool is_of_shadow(const ptx::Instruction& i) { return i.aid == ptx::Aid::shadow_access; }

bool is_looked_at(const Emitter& e, const ptx::Instruction& i) { return is_of_shadow(i) || e.traces_image; }

void set_caller(Emitter& e, const ptx::Instruction& i, Request& request, std::size_t offset) {
    auto& b = e.b;
    Value* block = e.place.block();
    if (e.traces_image) block = b.CreateSelect(e.traces_image, block, llvm::Constant::getNullValue(block->getType()));
    const auto [linear, active] = asking_threads(e);
    request.set(offset + offsetof(ImageCaller, block), block);
    request.set(offset + offsetof(ImageCaller, linear), linear);
    request.set(offset + offsetof(ImageCaller, active), active);
    request.set(offset + offsetof(ImageCaller, site), e.site_value());
    request.set(offset + offsetof(ImageCaller, of_shadow), is_of_shadow(i) ? 1U : 0U);
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

namespace {

// --- results

/// Writes four channels of 32 bits as the instruction's type has them.
void write_channels(Emitter& e, const ptx::Instruction& i, Value* result) {
    auto& b = e.b;
    const Operand* destination = i.operands.data();
    if (destination->kind == Kind::predicated_pair) {
        // The predicate tells that the memory is resident, which all memory is here.
        e.write(destination->elements.at(1), ptx::Type::pred, b.getTrue());
        destination = &destination->elements.front();
    }
    const ptx::Type type = i.types[0];
    const auto channel = [&](unsigned k) {
        return b.CreateLoad(b.getInt32Ty(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), result, 4 * k));
    };
    const auto half = [&](unsigned k) -> Value* {
        if (is_of_shadow(i)) return b.CreateTrunc(channel(k), b.getInt16Ty());
        return e.pure_call("wl_rt_half_of", b.getInt16Ty(), {channel(k)});
    };
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

/// The operands of tex and tld4.
class Sample {
public:
    Sample(Emitter& e, const ptx::Instruction& i)
        : e_(e), b_(e.b), i_(i), address_(i.operands.at(1)), geometry_(geometry_of(i)),
          dimensions_(coordinates_of(geometry_)), gathers_(i.opcode == ptx::Opcode::tld4),
          integers_(!gathers_ && i.types[1] == ptx::Type::s32), gradient_(i.has(Modifier::grad)),
          sampler_(address_.elements.size() > 1 ? &address_.elements.front() : nullptr) {
        // A depth to compare with, behind the offset, changes nothing: no texture here holds depths.
        const std::size_t behind = 2 + (i.has(Modifier::level) ? 1u : gradient_ ? 2u : 0u);
        if (i.operands.size() > behind && i.operands[behind].kind == Kind::vector) offset_ = &i.operands[behind];
    }

    void emit() {
        Value* layer = is_layered(geometry_) ? e_.read(element_of(coordinates(), 0), ptx::Type::b32) : b_.getInt32(0);
        Value* level = this->level();
        Value* texture = texture_object(e_, address_);
        const Scratch channels(e_, "channels", 16);
        Value* result = channels.address();
        const bool plain = !gathers_ && !gradient_ && !sampler_ && !offset_ && !is_looked_at(e_, i_);
        if (plain && !integers_)
            only_reads(e_, e_.runtime_call("wl_rt_tex", b_.getVoidTy(),
                                           {texture, b_.getInt32(static_cast<std::uint32_t>(geometry_)), layer,
                                            coordinate(0, ptx::Type::f32), coordinate(1, ptx::Type::f32),
                                            coordinate(2, ptx::Type::f32), level, result}));
        else if (plain && geometry_ == TextureGeometry::d1 && !i_.has(Modifier::level))
            only_reads(e_, e_.runtime_call("wl_rt_tex_fetch", b_.getVoidTy(),
                                           {texture, coordinate(0, ptx::Type::b32), result}));
        else
            return by_request(texture, layer, level, result);
        write_channels(e_, i_, result);
    }

private:
    [[nodiscard]] const Operand& coordinates() const { return address_.elements.back(); }
    Value* coordinate(unsigned k, ptx::Type type) {
        if (k >= dimensions_) return llvm::Constant::getNullValue(e_.type_of(type));
        return e_.read(element_of(coordinates(), (is_layered(geometry_) ? 1 : 0) + k), type);
    }
    Value* level() {
        if (!i_.has(Modifier::level)) return e_.real(ptx::Type::f32, std::numeric_limits<double>::quiet_NaN()); // none
        return integers_ ? b_.CreateSIToFP(e_.read(i_.operands.at(2), ptx::Type::b32), b_.getFloatTy())
                         : e_.read(i_.operands.at(2), ptx::Type::f32);
    }

    void by_request(Value* texture, Value* layer, Value* level, Value* result) {
        Request request(e_, sizeof(TextureRequest));
        for (unsigned k = 0; k < dimensions_; ++k) {
            if (integers_)
                request.set(offsetof(TextureRequest, i) + 4 * k, coordinate(k, ptx::Type::b32));
            else
                request.set(offsetof(TextureRequest, x) + 4 * k, coordinate(k, ptx::Type::f32));
        }
        request.set(offsetof(TextureRequest, layer), layer);
        request.set(offsetof(TextureRequest, geometry), static_cast<std::uint32_t>(geometry_));
        request.set(offsetof(TextureRequest, integer_coordinates), integers_);
        request.set(offsetof(TextureRequest, level), level);
        if (gradient_) add_gradient(request);
        if (offset_) add_offset(request);
        const std::uint32_t component = !gathers_             ? ~0u
                                        : i_.has(Modifier::r) ? 0u
                                        : i_.has(Modifier::g) ? 1u
                                        : i_.has(Modifier::b) ? 2u
                                                              : 3u;
        request.set(offsetof(TextureRequest, component), component);
        if (sampler_) request.set(offsetof(TextureRequest, sampler), e_.read(*sampler_, ptx::Type::b64));
        if (is_looked_at(e_, i_)) set_caller(e_, i_, request, offsetof(TextureRequest, caller));
        only_reads(e_, e_.runtime_call("wl_rt_tex_request", b_.getVoidTy(), {texture, request.address(), result}));
        write_channels(e_, i_, result);
    }
    void add_gradient(Request& request) {
        request.set(offsetof(TextureRequest, has_gradient), 1u);
        const auto f32 = [&](std::size_t operand, unsigned k) {
            return e_.read(element_of(i_.operands.at(operand), k), ptx::Type::f32);
        };
        for (unsigned k = 0; k < dimensions_; ++k) {
            request.set(offsetof(TextureRequest, dx) + 4 * k, f32(2, k));
            request.set(offsetof(TextureRequest, dy) + 4 * k, f32(3, k));
        }
    }
    /// Four bits each: -8 to 7.
    void add_offset(Request& request) {
        for (unsigned k = 0; k < dimensions_; ++k) {
            Value* wide = e_.read(element_of(*offset_, k), ptx::Type::b32);
            request.set(offsetof(TextureRequest, offset) + 4 * k, b_.CreateAShr(b_.CreateShl(wide, 28), 28));
        }
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const ptx::Instruction& i_;
    const Operand& address_;
    const TextureGeometry geometry_;
    const unsigned dimensions_;
    const bool gathers_, integers_, gradient_;
    const Operand* sampler_;
    const Operand* offset_ = nullptr;
};

void emit_sample(Emitter& e, const ptx::Instruction& i) {
    if (i.has(Modifier::geom_2dms) || i.has(Modifier::geom_a2dms))
        e.unsupported_form(i, "no texture here has several samples an element");
    Sample(e, i).emit();
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
    Value* handle = texture_handle(e, i.operands.at(1));
    Value* what = b.getInt32(static_cast<std::uint32_t>(query_of(i)));
    Value* answer = nullptr;
    if (i.opcode == ptx::Opcode::txq) {
        Value* level = e.read(i, 2, ptx::Type::b32);
        answer =
            e.runtime_call("wl_rt_txq", b.getInt32Ty(), {handle, what, level, e.place.linear_thread(), e.site_value()});
    } else {
        answer = e.runtime_call("wl_rt_suq", b.getInt32Ty(), {handle, what, e.place.linear_thread(), e.site_value()});
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

} // namespace

bool emit_texture(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::tex:
    case ptx::Opcode::tld4: emit_sample(e, i); return true;
    case ptx::Opcode::txq:
    case ptx::Opcode::suq: emit_query(e, i); return true;
    case ptx::Opcode::istypep: emit_is_type(e, i); return true;
    default: return emit_surface(e, i);
    }
}

} // namespace warplight::jit
