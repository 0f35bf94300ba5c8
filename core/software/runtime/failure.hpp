// SPDX-License-Identifier: Apache-2.0
// How the runtime says that a call cannot be done: the driver's own code, and words for the log.
#pragma once

#include <cuda.h>

#include <exception>
#include <string>

namespace warplight::software {

struct Failure {
    CUresult code;
    std::string message{}; ///< empty: the code says it all
    bool told = false;     ///< the message was logged when the context failed
};

[[noreturn]] inline void fail(CUresult code, std::string message = {}) { throw Failure{code, std::move(message)}; }

/// The code of an exception: of memory or threads that the system refuses, else the one that is given.
[[nodiscard]] CUresult code_of(const std::exception& error, CUresult otherwise);

/// "CUDA_ERROR_INVALID_VALUE" and the driver's sentence for it; null for a number that is no code.
[[nodiscard]] const char* error_name(CUresult code);
[[nodiscard]] const char* error_description(CUresult code);

} // namespace warplight::software
