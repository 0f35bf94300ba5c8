// SPDX-License-Identifier: Apache-2.0
// Buffers made of other buffers, without a copy: the method buffer.derive.
#pragma once

#include "worker/buffer_store.hpp"
#include "worker/request.hpp"

namespace warplight::worker {

/// Adds the buffer that `params` describe, and returns its number.
/// @throws RequestError, session::SessionError
std::int64_t derive_buffer(const Params& params, BufferStore& store);

/// @throws RequestError where there is none of the number that the parameter has
std::shared_ptr<const StoredBuffer> buffer_of(const Params& params, const char* name, const BufferStore& store);

} // namespace warplight::worker
