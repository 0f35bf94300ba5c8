// SPDX-License-Identifier: Apache-2.0
// The end of the process, as far as the process itself learns of it, and the files that it is made of.
#pragma once

#include <string>
#include <string_view>

namespace warplight::software::platform {

/// How the process ends. In a signal handler no memory may be asked for. `stopped`: by a signal too, but `report` is
/// called by a thread of its own, which may.
enum class ProcessEnd { exit, signal, stopped };
/// Calls `report` when the process ends: by exit(), or by a signal that the program does not handle itself.
void at_end_of_process(void (*report)(ProcessEnd));
/// From now on, signals wait a while for a thread of this process that calls `report` first.
void report_by_thread();
/// Calls `end` at the process's exit(), while its other threads still run. Of several the last one comes first. Windows
/// has ended them by then, and does not call it.
void at_exit_beside_threads(void (*end)());
/// To standard error, also in a signal handler.
void write_error(std::string_view text);
/// The program or library that holds this address, as the loader names it; empty where none does.
[[nodiscard]] std::string file_of(const void* address);
/// The program's file name.
[[nodiscard]] std::string program_name();

} // namespace warplight::software::platform
