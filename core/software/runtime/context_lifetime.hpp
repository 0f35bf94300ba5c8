// SPDX-License-Identifier: Apache-2.0
// How contexts end with all that is theirs, and the primary context of each device.
#pragma once

#include <memory>

namespace warplight::software {

class Context;
class Device;

/// Waits for its work, then ends its streams, events, modules, textures, arrays and memory.
void destroy_context(Context& context);

// The primary context of a device, which all its users share.
[[nodiscard]] std::shared_ptr<Context> retain_primary(Device& device);
/// The last release destroys it. Throws CUDA_ERROR_INVALID_CONTEXT where nobody retains it.
void release_primary(const Device& device);
/// Destroys it, even where it is retained.
void reset_primary(const Device& device);
void set_primary_flags(const Device& device, unsigned flags);
/// Whether there is one; and the flags that it has or would have.
[[nodiscard]] bool primary_state(const Device& device, unsigned& flags);

} // namespace warplight::software
