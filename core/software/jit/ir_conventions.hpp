// SPDX-License-Identifier: Apache-2.0
// Names and numbers in the IR by which the parts of the compiler understand each other: the emitter writes them, the
// passes and the object's reader look for them.
#pragma once

#include <cstdint>

namespace warplight::jit {

/// Names of the code's entry points in the object.
inline constexpr const char* kBlockSymbol = "wl_block";
inline constexpr const char* kThreadSymbol = "wl_thread";
inline constexpr const char* kRoundSymbol = "wl_round";

/// A call of it stands for a suspension, until each function that waits has become part of a coroutine.
inline constexpr const char* kSuspendMarker = "wl_suspend";
/// Metadata of a suspension that a loop reaches only every so many rounds: in a grid-stride loop or a spin loop.
inline constexpr const char* kRareSuspensionMetadata = "warplight.seldom";

/// Metadata of the branch at the end of a loop over the block's threads, where they run side by side: 0 for x, 1 for y.
inline constexpr const char* kAxisMetadata = "warplight.axis";

/// Named metadata of a module in which a barrier's number or count of threads is no constant.
inline constexpr const char* kVaryingBarriersMetadata = "warplight.barriers";

/// Metadata of a branch whose first way is short, and nearly always taken in all of a row of such branches
/// (passes/near_pass).
inline constexpr const char* kAllNearMetadata = "warplight.all_near";
/// The same of a branch that begins the other way of such a branch.
inline constexpr const char* kAllPickedMetadata = "warplight.all_picked";

/// Metadata of the branch to a loop over several coroutines at once (passes/rows_in_step).
inline constexpr const char* kInStepMetadata = "warplight.in_step";

/// The LLVM address space of pointers into the device's memory: all that a kernel's addresses become. ConfinePass keeps
/// accesses through them inside the device's window. Pointers of space 0 are the emitter's own: contexts, frames,
/// slots.
inline constexpr unsigned kDeviceSpace = 1;

/// The debug line of an instruction's code is its site number + 1. This is the line of code without an instruction.
inline constexpr std::uint32_t kNoSiteLine = ~std::uint32_t{0};

} // namespace warplight::jit
