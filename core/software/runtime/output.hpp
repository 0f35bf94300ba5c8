// SPDX-License-Identifier: Apache-2.0
// Text that kernels print, and the messages of the device itself.
#pragma once

#include "service_call.hpp"

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warplight::software {

/// Formats like CUDA's printf: `arguments` holds each argument at its natural alignment. Returns the number of
/// arguments, or -1 where there is no format. The format, the arguments and the texts that they point to are memory of
/// the kernel that calls, so it may fault. Of longer texts kMostPrinted bytes are printed.
[[nodiscard]] int format_printf(std::string& out, const char* format, const void* arguments,
                                const KernelCaller& caller = {});
inline constexpr std::size_t kMostPrinted = std::size_t{1} << 20; ///< of one call: as a GPU's buffer holds by default

/// Adds to the queue of printed text; over `limit` bytes it is flushed first, so that nothing is lost.
void print(std::string_view text, std::size_t limit);
/// Gives the queued text to the receiver, or to standard output.
void flush_output();
using OutputReceiver = void (*)(const char* text, std::size_t size, void* user);
/// Null: standard output again.
void set_output_receiver(OutputReceiver receiver, void* user);

/// Keeps a message as the last error's, and gives it to receivers. With the log on, writes it to standard error.
void log_error(CUresult code, const std::string& message);
/// A failure that has no message of its own: the last message is not about it, unless it was `told` of this code.
void note_error(CUresult code, bool told);
[[nodiscard]] std::string last_error();
using LogReceiver = void (*)(void* user, int level, char* message, std::size_t length);
/// Returns a number to remove it by.
[[nodiscard]] std::uint64_t add_log_receiver(LogReceiver receiver, void* user);
[[nodiscard]] bool remove_log_receiver(std::uint64_t number);

} // namespace warplight::software
