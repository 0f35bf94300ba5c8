// SPDX-License-Identifier: Apache-2.0
// The methods buffer.*. They check every index and size of a request against the buffer.
#pragma once

#include "worker/buffer_store.hpp"
#include "worker/request.hpp"

namespace warplight::worker {

/// True for methods that read whole buffers. These have a thread of their own.
bool is_scan(std::string_view method);

/// @throws RequestError, and the errors of the file readers.
json call_buffer_method(std::string_view method, const json& params, BufferStore& store, const RequestContext& context);

json describe_buffer(const StoredBuffer& buffer);

} // namespace warplight::worker
