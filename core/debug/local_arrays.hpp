// SPDX-License-Identifier: Apache-2.0
// Gives each local array of optimised PTX its own bounds.
//
// The PTX has one variable for all local arrays of a function. DWARF that would tell them apart is only in PTX for
// debuggers, which is not optimised: its arrays lie elsewhere. But both are made of the same source.
//   - The optimised code takes addresses at known places of the depot. Its lines (-lineinfo) tell which arrays these
//   may
//     be: those that the same lines use in the PTX for debuggers (LocalSources).
//   - Arrays lie one after the other. So few of them fit into the depot together (tile()).
// What all ways to lay out the depot have in common is sure. Where nothing is, the depot stays one variable.
#pragma once

#include <string>
#include <string_view>

namespace warplight::debug {

/// The PTX, in which variables named by ptx::name_of() take the depot's place where its layout is known. All lines keep
/// their numbers. PTX that cannot be read comes back as it is.
/// @param for_debugger PTX of the same source that was compiled with --device-debug
[[nodiscard]] std::string with_local_arrays(std::string_view ptx, std::string_view for_debugger);

} // namespace warplight::debug
