// SPDX-License-Identifier: Apache-2.0
// What a worker writes about its own crash, for the process that started it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplight::worker {

/// Begins the line on standard error. "warplight crash: signal 11 at 0x7f… in PLACE"
inline constexpr std::string_view crash_mark = "warplight crash: ";
/// Begins the line before it where the worker read a file that may have crashed it.
inline constexpr std::string_view crash_reading_mark = "warplight crash: reading ";
/// The place of code that the device made of a kernel.
inline constexpr std::string_view kernel_place = "the code of a kernel";

/// Where the last crash of the text was: a library or program, kernel_place, or "unknown code".
std::optional<std::string> crash_place(std::string_view errors);
/// The file that was read then, by a library that damage may crash.
std::optional<std::string> crash_input(std::string_view errors);

/// From now on a crash of this process writes a line before it ends the process. A handler that is there stays.
void install_crash_report();
/// Lets the calling thread report that its stack is full. For each thread; without it such a crash has no line.
void prepare_thread_for_crash();

} // namespace warplight::worker
