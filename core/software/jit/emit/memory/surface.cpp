// SPDX-License-Identifier: Apache-2.0
// Loads, stores and reductions of surfaces.
#include "texture_operands.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Operand;
using software::SurfaceBounds;
using software::SurfaceReduction;
using software::SurfaceRequest;
using software::TextureGeometry;

namespace {

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
    request.set(offsetof(SurfaceRequest, linear), e.place.linear_thread());
    request.set(offsetof(SurfaceRequest, site), e.site_value());
    if (!e.unit.options.checks_accesses && !is_looked_at(e, i)) return;
    request.set(offsetof(SurfaceRequest, block), e.place.block());
    request.set(offsetof(SurfaceRequest, of_shadow), is_of_shadow(i) ? 1U : 0U);
    if (e.traces_image) request.set(offsetof(SurfaceRequest, traced), e.b.CreateZExt(e.traces_image, e.b.getInt32Ty()));
}

constexpr std::size_t kMostSurfaceBytes = 32;

void emit_surface_load(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const Operand& address = i.operands.at(1);
    const ptx::Type type = i.type();
    const unsigned each = ptx::bits(type) / 8;
    Value* surface = surface_object(e, address);
    Request request(e, sizeof(SurfaceRequest));
    fill(e, i, address, request);
    const Scratch loaded(e, "loaded", kMostSurfaceBytes);
    Value* result = loaded.address();
    e.runtime_call("wl_rt_suld", b.getVoidTy(),
                   {surface, request.address(), b.getInt32(each * i.vector_width), result});
    for (unsigned k = 0; k < i.vector_width; ++k) {
        const Operand& to = element_of(i.operands.front(), k);
        Value* from = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), result, std::uint64_t{each} * k);
        e.write(to, type, b.CreateAlignedLoad(e.type_of(type), from, llvm::Align(each)));
    }
}

void emit_surface_store(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const Operand& address = i.operands.at(0);
    const ptx::Type type = i.type();
    const unsigned each = ptx::bits(type) / 8;
    Value* surface = surface_object(e, address);
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
    Value* surface = surface_object(e, address);
    Request request(e, sizeof(SurfaceRequest));
    fill(e, i, address, request);
    Value* value = b.CreateZExt(e.read(i.operands.at(1), i.type()), b.getInt64Ty());
    e.runtime_call("wl_rt_sured", b.getVoidTy(),
                   {surface, request.address(), b.getInt32(static_cast<std::uint32_t>(reduction_of(i))),
                    b.getInt32(i.has(Modifier::p)), value});
}

} // namespace

bool emit_surface(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::suld: emit_surface_load(e, i); return true;
    case ptx::Opcode::sust: emit_surface_store(e, i); return true;
    case ptx::Opcode::sured: emit_surface_reduction(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
