// SPDX-License-Identifier: Apache-2.0
// The kernel that a client wants to debug, from the arguments of `launch`, and its run.
#pragma once

#include "debug/dap/arguments.hpp"
#include "software/stepping/stepper.hpp"

#include "session/run_options.hpp"
#include "session/session.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace warplight::debug::dap {

struct KernelRun {
    session::Session session; ///< as it is debugged: by the software device, once, without saved results
    session::RunOptions options;
    std::string ptx_path; ///< of a PTX file, else empty
    /// Of a source that the client has as text and that is in no file, else empty.
    struct {
        std::string name, text;
    } unsaved;
};

/// @throws RequestError
[[nodiscard]] KernelRun kernel_run_of(const Arguments& launch);

/// Runs it under `stepper`. Tells what the kernel prints and what goes wrong; answers with the exit code of `run`.
int run_kernel(const KernelRun& run, software::Stepper& stepper, const std::function<bool()>& cancelled,
               const std::function<void(std::string_view category, const std::string& text)>& tell);

} // namespace warplight::debug::dap
