// SPDX-License-Identifier: Apache-2.0
// A seccomp filter: the list of system calls that a process may make.
#pragma once

#include <string>

namespace warplight::worker {

struct SystemCalls {
    bool programs = false; ///< fork and exec
    bool gpu = false;      ///< those of NVIDIA's driver: ioctl on its device files
};

/// For all threads of this process and what they start. Needs no_new_privs.
/// @returns why it does not hold; empty when it does.
std::string restrict_system_calls(const SystemCalls& allowed);

} // namespace warplight::worker
