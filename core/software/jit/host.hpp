// SPDX-License-Identifier: Apache-2.0
// The processor that code is generated for: this machine's, or the one that WARPLIGHT_JIT_CPU names.
#pragma once

#include <string>

namespace llvm::orc {
class JITTargetMachineBuilder;
}

namespace warplight::jit {

/// "triple name features" of the processor.
[[nodiscard]] const std::string& host_description();

/// Lanes of 32 bits that fill a vector of this processor.
[[nodiscard]] unsigned host_width();
/// Whether the host has masks for vectors of every type, and scattered accesses (AVX-512). Other hosts have no masked
/// scattered accesses, and no masked ones of small elements: LLVM would branch by each lane's bit.
[[nodiscard]] bool host_masks_anything();
/// Whether the host calculates with vectors of halves.
[[nodiscard]] bool host_has_halves();
/// Whether the host multiplies bytes without a sign by bytes with one, and adds four products each.
[[nodiscard]] bool host_multiplies_bytes();

/// Makes code generators for the processor. Throws std::runtime_error where LLVM has none.
[[nodiscard]] const llvm::orc::JITTargetMachineBuilder& host_builder();

} // namespace warplight::jit
