// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "software/jit/emit/emitter.hpp"

namespace warplight::jit {

/// tex, tld4, txq, suld, sust, sured, suq, istypep: like the functions of emit/groups.hpp.
bool emit_texture(Emitter& e, const ptx::Instruction& i);
/// Whether one call can sample for all lanes, if they name the same texture: coordinates and a level, nothing more.
[[nodiscard]] bool samples_lanes(const ptx::Instruction& i);
/// @param mask of lanes that take part; null: all
void emit_sample_lanes(Emitter& e, const ptx::Instruction& i, unsigned lanes, llvm::Value* mask);

} // namespace warplight::jit
