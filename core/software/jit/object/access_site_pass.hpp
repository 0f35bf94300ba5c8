// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class FunctionPass;
}

namespace warplight::jit {

/// Gives each machine instruction that accesses memory the source place of its access. Where the code generator makes a
/// load part of an addition, the instruction has the addition's place otherwise. Changes no code; comes last.
[[nodiscard]] llvm::FunctionPass* make_access_site_pass();

} // namespace warplight::jit
