// SPDX-License-Identifier: Apache-2.0
// The job of a worker holds its limit, see Child.
#include "worker/process_memory.hpp"

namespace warplight::worker::platform {

std::vector<std::int64_t> descendants(std::int64_t) { return {}; }
std::uint64_t memory_of(std::int64_t) { return 0; }
void limit_data(std::uint64_t) {}
std::uint64_t memory_kills() { return 0; }

} // namespace warplight::worker::platform
