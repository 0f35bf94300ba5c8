// SPDX-License-Identifier: Apache-2.0
// What this layer needs of the operating system, in one place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace warplight::session::platform {

/// Bytes of the machine's memory; 0 when unknown.
std::uint64_t physical_memory();

/// Takes what the process writes to its standard output while this lives: a driver prints a kernel's
/// output there. One at a time; others wait for their turn.
class StdoutCapture {
public:
    /// `receive` is called from a thread of the capture. With `echo` standard output gets the text as well.
    explicit StdoutCapture(std::function<void(std::string_view)> receive, bool echo = false);
    /// Gives standard output back, after all that was written has been received.
    ~StdoutCapture();
    StdoutCapture(const StdoutCapture&) = delete;
    StdoutCapture& operator=(const StdoutCapture&) = delete;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::session::platform
