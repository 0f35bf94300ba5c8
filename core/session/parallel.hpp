// SPDX-License-Identifier: Apache-2.0
// Work on the elements of an array, by all processors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace warplight::session {

/// Splits [0, count) over the processors. The calling thread does the first part. `body` must not throw.
/// @param worth_a_thread so many elements
template <class Body>
void in_parallel(std::size_t count, std::size_t worth_a_thread, const Body& body) {
    const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t parts = std::clamp<std::size_t>(count / worth_a_thread, 1, most);
    const auto fill = [&body, parts, count](std::size_t part) {
        body(count / parts * part, part + 1 == parts ? count : count / parts * (part + 1));
    };
    std::vector<std::thread> threads;
    std::size_t given = 1;
    try {
        threads.reserve(parts);
        for (; given < parts; ++given)
            threads.emplace_back(fill, given);
    } catch (const std::system_error&) { // NOLINT(bugprone-empty-catch): those that there are do it
    }
    fill(0);
    for (; given < parts; ++given)
        fill(given);
    for (auto& each : threads)
        each.join();
}

} // namespace warplight::session
