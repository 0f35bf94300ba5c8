// SPDX-License-Identifier: Apache-2.0
// What a process did with the devices: told on standard error when it ends (WARPLIGHT_SOFTWARE_SUMMARY=1), and noted in
// a file while it happens (WARPLIGHT_LAUNCH_LOG=FILE).
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace warplight::software::summary {

/// Whether anything is counted. Cheap: launches and copies ask.
[[nodiscard]] bool is_on();
/// From now on the process is counted, and its end told. Does nothing where it is off, or has begun.
/// @param at_end called before findings are told, which it may add to
void begin(void (*at_end)());

/// A launch that was asked for and has not ended, for as long as this lives. The program may end before it does.
class Waiting {
public:
    Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting();

private:
    const std::uint64_t process_; ///< a child of a fork has its parent's objects, but not their launches
};
/// Null where nothing is counted.
[[nodiscard]] std::shared_ptr<const Waiting> waiting();

/// A grid that has ended, with the time that its blocks took.
void add_launch(int device, const std::string& kernel, const std::array<unsigned, 3>& grid,
                const std::array<unsigned, 3>& block, std::chrono::nanoseconds time);
/// A copy that has been carried out. Sides that are host memory: pageable, page-locked or registered.
void add_copy(bool to_host, bool from_host, std::uint64_t bytes);
/// Bytes of a device's memory that are in use.
void add_use(int device, std::uint64_t bytes);
/// An error that ends a context.
void add_fault(const std::string& message);

} // namespace warplight::software::summary
