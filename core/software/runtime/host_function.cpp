// SPDX-License-Identifier: Apache-2.0
#include "host_function.hpp"

#include "work_races.hpp"

namespace warplight::software {
namespace {
thread_local int depth = 0;
}

bool in_host_function() { return depth > 0; }
HostFunctionScope::HostFunctionScope() {
    ++depth;
    if (WorkRaces::is_on()) WorkRaces::instance().tell_host();
}
HostFunctionScope::~HostFunctionScope() { --depth; }

} // namespace warplight::software
