// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "address_space.hpp"
#include "trap.hpp"

namespace warplight::software {

/// False where device memory went away before its time came, as when its owner was another context: a launch would
/// fault, and so does a copy. `body` owns nothing. With a bad address of the host's own the process is told.
template <class Body>
bool touch(Body body) {
    install_trap_handler();
    Trap trap;
    if (run_guarded([](void* p) { (*static_cast<Body*>(p))(); }, &body, trap)) return true;
    if (AddressSpace::instance().covers(trap.address)) return false;
    body();
    return true;
}

} // namespace warplight::software
