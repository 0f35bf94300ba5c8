// SPDX-License-Identifier: Apache-2.0
/// Why a worker ended. Only a crash in the code of a kernel is blamed on the kernel.
#pragma once

#include "worker/platform.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::worker {

enum class EndKind : std::uint8_t {
    exit,          ///< by itself, with a code
    asked,         ///< its owner stopped it
    kernel_crash,  ///< a fault in the code of a kernel, which the device could not catch
    crash,         ///< a fault in the worker's own code, or in a library that it uses
    abort,         ///< it gave up: an exception that nothing catches, a failed check
    killed,        ///< somebody killed it
    system_memory, ///< the system had no memory left and killed it
    memory,        ///< the limit of memory that its owner gave
    processor_time,
    file_size,
    confinement, ///< a system call that its confinement forbids
    connection,  ///< it is on another machine, which cannot be reached
};
/// "crash": as the report of a run has it.
std::string_view end_name(EndKind kind);
std::optional<EndKind> end_kind(std::string_view name);

/// What is known about an end.
struct EndEvidence {
    platform::EndOfProcess end = {};
    bool asked = false;
    std::string errors = {};        ///< the end of its standard error
    std::uint64_t memory_limit = 0; ///< 0: none
    bool over_memory = false;       ///< it was killed because it used more than the limit
    bool system_killed = false;     ///< the system killed processes for lack of memory meanwhile
    bool tells_of_another = false;  ///< the process stood for a worker on another machine, whose end it tells
};

struct EndReason {
    EndKind kind = EndKind::exit;
    /// What follows "the worker": "crashed in libnvrtc.so.12: signal 11 (Segmentation fault)".
    std::string text;
    /// A sentence or two for people: whose fault it may be, and what to do. Empty where nothing is to be said.
    std::string advice;
};

EndReason end_reason(const EndEvidence& evidence);

/// The reason and the advice, as the error of a report.
std::string end_sentences(const EndReason& reason);

/// The line, with its newline, by which a process that stands for a worker on another machine tells how that ended.
std::string told_end_line(const EndReason& reason);

/// Removes the lines that the worker wrote about its end.
std::string without_crash_report(const std::string& errors);

} // namespace warplight::worker
