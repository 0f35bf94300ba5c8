// SPDX-License-Identifier: Apache-2.0
// Operands of texture and surface instructions, and the services of the runtime that they become. A handle is looked
// up by a service without side effects: LLVM then has it looked up once where several instructions or all threads name
// the same one. The access itself is another service, which takes a request if it needs more than a few values.
#pragma once

#include "software/jit/abi/texture_abi.hpp"
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

/// The handle that an operand names, i64.
[[nodiscard]] llvm::Value* texture_handle(Emitter& e, const ptx::Operand& address);
/// The texture or surface that an operand names. A handle that means none ends the launch. Of an instruction on shadows
/// it is one that has them.
[[nodiscard]] llvm::Value* texture_object(Emitter& e, const ptx::Operand& address);
[[nodiscard]] llvm::Value* surface_object(Emitter& e, const ptx::Operand& address);

/// The same of a texture, mostly looked up without a branch, and a texture whose memory is gone is none: its
/// PlainTexture is of no kind. Before the runtime is asked for more of it, stop_if_gone() ends the launch then.
[[nodiscard]] llvm::Value* plain_texture(Emitter& e, const ptx::Operand& address);
/// The same of a surface, which then has no bytes. Only of instructions that nothing looks at.
[[nodiscard]] llvm::Value* plain_surface(Emitter& e, const ptx::Operand& address);
/// @param kinds PlainTexture::kinds of what plain_texture() answered for the instruction
void stop_if_gone(Emitter& e, const ptx::Instruction& i, llvm::Value* kinds);

[[nodiscard]] software::TextureGeometry geometry_of(const ptx::Instruction& i);
[[nodiscard]] unsigned coordinates_of(software::TextureGeometry geometry);
[[nodiscard]] bool is_layered(software::TextureGeometry geometry);
/// Of a vector the element k, else the operand itself.
[[nodiscard]] const ptx::Operand& element_of(const ptx::Operand& operand, std::size_t k);

/// A struct that a service takes, on the stack.
class Request {
public:
    Request(Emitter& e, std::size_t bytes) : e_(e), memory_(e, "request", bytes) {
        e.b.CreateMemSet(address(), e.b.getInt8(0), bytes, llvm::Align(16));
    }
    void set(std::size_t offset, llvm::Value* value) { e_.store_field(address(), offset, value); }
    void set(std::size_t offset, std::uint32_t value) { set(offset, e_.b.getInt32(value)); }
    [[nodiscard]] llvm::Value* address() const { return memory_.address(); }

private:
    Emitter& e_;
    Scratch memory_;
};

/// Whether the instruction moves shadows in place of values (Aid::shadow_access).
[[nodiscard]] bool is_of_shadow(const ptx::Instruction& i);
/// Whether the runtime is asked about each access, or told of it.
[[nodiscard]] bool is_looked_at(const Emitter& e, const ptx::Instruction& i);
/// Fills in the ImageCaller of such an instruction.
/// @param offset of it in the request
void set_caller(Emitter& e, const ptx::Instruction& i, Request& request, std::size_t offset);

/// suld, sust, sured (surface.cpp). False: it is something else.
bool emit_surface(Emitter& e, const ptx::Instruction& i);

} // namespace warplight::jit
