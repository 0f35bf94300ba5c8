// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "software/jit/emit/emitter.hpp"

namespace warplight::jit {

/// tex, tld4, txq, suld, sust, sured, suq, istypep: like the functions of emit/groups.hpp.
bool emit_texture(Emitter& e, const ptx::Instruction& i);

} // namespace warplight::jit
