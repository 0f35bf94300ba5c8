// SPDX-License-Identifier: Apache-2.0
// For the platform files of Windows that start programs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <windows.h>

namespace warplight::driver::detail {

struct NewProcess {
    std::filesystem::path program; ///< empty: the command line's first word, looked for on the path
    std::wstring command_line;     ///< its words quoted()
    std::filesystem::path folder;  ///< empty: this process's
    std::wstring environment;      ///< a block; empty: this process's
    HANDLE input = nullptr, output = nullptr, errors = nullptr;
    HANDLE job = nullptr;
    bool keeps_console = false; ///< may ask at this process's console, where there is one
};

/// Starts a program without a window. It inherits the three handles and no other: a pipe whose end it held as well
/// would stay open when this process is gone. It is in the job before it runs, so that it ends with the job even when
/// this process is killed meanwhile. Nothing: GetLastError() tells why.
[[nodiscard]] std::optional<PROCESS_INFORMATION> start_process(NewProcess process);

} // namespace warplight::driver::detail
