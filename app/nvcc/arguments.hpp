// SPDX-License-Identifier: GPL-3.0-or-later
// What the software device can run, out of what a caller asks nvcc for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplight::nvcc {

struct Translation {
    std::vector<std::string> arguments; ///< for the real nvcc
    std::string note;                   ///< for the standard error stream; empty: there is nothing to tell
    bool asks_version = false;          ///< nvcc only prints its version
    /// -run: the program is started afterwards, with these arguments. nvcc itself would start it with its own runtime
    /// library before all others.
    bool run = false;
    std::vector<std::string> run_arguments;
    std::string output; ///< -o; empty: there is none
};

/// The number of an architecture as the software device reads it: "sm_90", "compute_90", "9.0", "90" are 90. 80, the
/// device's default, for anything else.
[[nodiscard]] unsigned capability_of(std::string_view text);

/// Code for GPUs becomes PTX for the software device, and the static CUDA runtime becomes the shared one. All else
/// stays as it is. Options files that contain such options are replaced by their content.
/// @param capability of the software device, such as 80
/// @param libraries folders to look in for libraries before the toolkit's. One has the shared runtime in the static
/// one's place, for those who link by themselves with the folders that nvcc names, as CMake does.
[[nodiscard]] Translation translate(const std::vector<std::string>& arguments, unsigned capability,
                                    const std::vector<std::string>& libraries = {});

} // namespace warplight::nvcc
