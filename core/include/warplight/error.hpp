// SPDX-License-Identifier: Apache-2.0
// What the library throws. A driver's error code decides the class:
//   MemoryError   out of memory
//   LaunchError   launch failed, out of resources, timed out, incompatible texturing
//   RuntimeError  no device, no binary for the device, file not found, not ready, uncorrectable ECC error
//   LogicError    every other code (also: invalid values, illegal addresses, asserts)
//   Error         the driver's "unknown error"
// CompileError is for source that does not compile, FileError for a file that cannot be read or written.
#pragma once

#include "warplight/callback.hpp"

#include <exception>
#include <string>

namespace warplight::driver {

/// What is known of a failure. Empty strings are left out of the message.
struct ErrorInfo {
    std::string routine = {};   ///< the driver entry point, e.g. "cuMemAlloc"; empty when the library itself objects
    int code = 0;               ///< the driver's CUresult; 0 when the library itself objects
    std::string code_name = {}; ///< e.g. "CUDA_ERROR_OUT_OF_MEMORY"
    std::string text = {};      ///< the driver's or the library's description
    std::string entity = {};    ///< what it happened to, e.g. "stream 2 of context 1 on device 0"
    std::string detail = {};    ///< more from the driver: a log, a fault report
    std::string hint = {};      ///< what to do, where that is known
};

/// Base of everything that the library throws.
class Error : public std::exception {
public:
    explicit Error(ErrorInfo info);
    /// "cuMemAlloc failed: out of memory (CUDA_ERROR_OUT_OF_MEMORY, 2) - DETAIL [ENTITY]. HINT"
    const char* what() const noexcept override { return message_.c_str(); }
    const ErrorInfo& info() const noexcept { return info_; }
    const std::string& routine() const noexcept { return info_.routine; }
    int code() const noexcept { return info_.code; }
    const std::string& code_name() const noexcept { return info_.code_name; }
    const std::string& entity() const noexcept { return info_.entity; }
    const std::string& detail() const noexcept { return info_.detail; }
    const std::string& hint() const noexcept { return info_.hint; }
    /// True when the context, on a GPU the whole process, can do nothing more (illegal address, assert, …).
    bool sticky() const noexcept;

private:
    ErrorInfo info_;
    std::string message_;
};

class MemoryError : public Error {
public:
    using Error::Error;
};
class LogicError : public Error {
public:
    using Error::Error;
};
class LaunchError : public Error {
public:
    using Error::Error;
};
class RuntimeError : public Error {
public:
    using Error::Error;
};

/// A file that is missing, unreadable, damaged or not writable (disk full).
class FileError : public RuntimeError {
public:
    FileError(std::string path, const std::string& text, std::string hint = {});
    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

/// Source code that does not compile.
class CompileError : public Error {
public:
    CompileError(std::string msg, std::string command_line, std::string stdout_text, std::string stderr_text);
    const std::string& msg() const noexcept { return msg_; }
    const std::string& command_line() const noexcept { return command_line_; }
    const std::string& stdout_text() const noexcept { return stdout_text_; }
    const std::string& stderr_text() const noexcept { return stderr_text_; }

private:
    std::string msg_, command_line_, stdout_text_, stderr_text_;
};

/// Throws the class that belongs to info.code (LogicError when it is 0).
[[noreturn]] void throw_error(ErrorInfo info);
/// A LogicError of the library itself: wrong use, found before the driver is called.
[[noreturn]] void throw_logic_error(std::string text, std::string entity = {}, std::string hint = {});

enum class ErrorClass { none, error, memory, logic, launch, runtime };
/// The class that a CUresult is thrown as.
ErrorClass error_class(int code) noexcept;
/// "CUDA_ERROR_INVALID_VALUE"; "CUDA_ERROR_<number>" for a code newer than this library.
std::string error_name(int code);
/// What to do about a code; empty where there is nothing to say.
std::string error_hint(int code);

/// Clean-up in destructors never throws: what fails there is handed to this callback, which must not throw.
/// The default writes one line to the standard error stream. Returns the previous one. Thread-safe.
using Reporter = Callback<void(const Error&)>;
Reporter set_cleanup_reporter(Reporter reporter);
/// Hands a failed clean-up to the reporter.
void report_cleanup_failure(const Error& error) noexcept;
/// The same for the exception that is being handled: for catch (...) in a destructor.
void report_cleanup_failure() noexcept;

} // namespace warplight::driver

namespace warplight {
using driver::CompileError;
using driver::Error;
using driver::FileError;
using driver::LaunchError;
using driver::LogicError;
using driver::MemoryError;
using driver::RuntimeError;
} // namespace warplight
