// SPDX-License-Identifier: Apache-2.0
#include "host_function.hpp"

namespace warplight::software {
namespace {
thread_local int depth = 0;
}

bool in_host_function() { return depth > 0; }
HostFunctionScope::HostFunctionScope() { ++depth; }
HostFunctionScope::~HostFunctionScope() { --depth; }

} // namespace warplight::software
