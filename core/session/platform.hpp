// SPDX-License-Identifier: Apache-2.0
// The system calls of this layer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace warplight::session::platform {

/// The user's folder for state that programs keep, with this program's name. It may be missing.
std::filesystem::path state_folder();

/// Bytes of the machine's memory; 0 when unknown.
std::uint64_t physical_memory();

/// Captures the standard output of the process as long as it lives. Drivers print a kernel's output there. A second
/// capture waits until the first one ends.
class StdoutCapture {
public:
    /// `receive` is called from a thread of the capture. With `echo` standard output gets the text as well.
    explicit StdoutCapture(std::function<void(std::string_view)> receive, bool echo = false);
    /// Restores standard output after `receive` has got all text.
    ~StdoutCapture();
    StdoutCapture(const StdoutCapture&) = delete;
    StdoutCapture& operator=(const StdoutCapture&) = delete;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::session::platform
