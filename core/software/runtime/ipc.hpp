// SPDX-License-Identifier: Apache-2.0
// Memory and events of other processes of the same user. A handle says which process has the memory, and where; a
// checksum and a nonce tell handles that are damaged, or of something that is gone.
#pragma once

#include "shared_event.hpp"

#include <cuda.h>

#include <memory>
#include <optional>

namespace warplight::software {

class Context;

// The functions below throw the driver's codes.

/// Makes the allocation one that other processes can map. Waits for the work of all contexts while its pages are
/// exchanged, the first time.
[[nodiscard]] CUipcMemHandle export_memory(CUdeviceptr base);
/// Maps it for the context, and counts it when it is mapped already. The first context of a device that opens
/// memory of a process is the only one for it.
[[nodiscard]] CUdeviceptr open_memory(Context& context, const CUipcMemHandle& handle);
void close_memory(CUdeviceptr base);
/// The context ends: its memory goes with it.
void forget_imports(const Context& context);

[[nodiscard]] CUipcEventHandle export_event(const SharedEvent& event);
[[nodiscard]] std::shared_ptr<SharedEvent> open_event(const CUipcEventHandle& handle);

} // namespace warplight::software
