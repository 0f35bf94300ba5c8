// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace llvm {
class FunctionPass;
}

namespace warplight::jit {

/// Gives instructions of the host that access memory the places of the accesses that they do. Where the code generator
/// makes a load part of an addition, the instruction has the addition's. Changes no code; comes last.
[[nodiscard]] llvm::FunctionPass* make_access_site_pass();

} // namespace warplight::jit
