// SPDX-License-Identifier: Apache-2.0
// Threads, of which a limit may allow only few.
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace warplight::worker {

/// As the constructor of std::thread. @throws std::runtime_error that names the limits of the system.
template <class Body>
std::thread start_thread(Body&& body) {
    try {
        return std::thread(std::forward<Body>(body));
    } catch (const std::system_error& error) {
        throw std::runtime_error("a thread cannot be started (" + error.code().message() +
                                 "): a limit of the system on processes (ulimit -u) or on memory (ulimit -v) is too "
                                 "small");
    }
}

} // namespace warplight::worker
