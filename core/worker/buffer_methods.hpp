// SPDX-License-Identifier: Apache-2.0
// The methods buffer.*: every index and size in a request is checked against the buffer.
#pragma once

#include "worker/buffer_store.hpp"
#include "worker/request.hpp"

namespace warplight::worker {

/// True for methods that walk over whole buffers or files: they have a thread of their own.
bool is_scan(std::string_view method);

/// @throws RequestError, and what the readers of files throw.
json call_buffer_method(std::string_view method, const json& params, BufferStore& store, const RequestContext& context);

json describe_buffer(const StoredBuffer& buffer);

} // namespace warplight::worker
