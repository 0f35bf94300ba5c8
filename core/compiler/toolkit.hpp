// SPDX-License-Identifier: Apache-2.0
// Where the compilers and the headers of a CUDA toolkit are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplight::compiler {

/// CUDA_VERSION of a folder's cuda.h (13000 for 13.0), 0 when it has none.
int cuda_version_of(const std::filesystem::path& include);

/// The headers that belong to a library or program of the toolkit: those beside it, else those of a toolkit with the
/// same major version, else the system's. The folder of CCCL follows, if there is one.
std::vector<std::filesystem::path> include_dirs_for(const std::filesystem::path& file, int major);

/// Candidate files for NVRTC, best first; loader names (without a folder) at the end.
std::vector<std::string> nvrtc_candidates();

/// nvcc, ptxas, nvdisasm, cuobjdump: the toolkits' bin folders, then the PATH. Empty when there is none.
std::filesystem::path find_tool(const std::string& name);

/// An nvcc by its path, or for a plain "nvcc" as find_tool(). Empty when there is none.
std::filesystem::path find_nvcc_program(const std::string& program);

/// What to install, for messages: the run-time compiler, or nvcc and its tools.
enum class Wanted { nvrtc, nvcc };
std::string install_hint(Wanted wanted = Wanted::nvrtc);

/// The folder that `warplight-cli toolkit install` fills. Programs look there after all other toolkits.
std::filesystem::path installed_toolkit_folder();
/// The CUDA release in it, such as "13.0"; empty when nothing is installed.
std::string installed_toolkit_release();
/// Removes what was installed; false when there is nothing. @throws std::filesystem::filesystem_error
bool remove_installed_toolkit();
/// The script that installs, beside the running program or in its source tree; empty when it is missing.
std::filesystem::path toolkit_installer();

} // namespace warplight::compiler
