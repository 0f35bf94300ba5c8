// SPDX-License-Identifier: Apache-2.0
// The system calls of the compiler layer.
#pragma once

#include "warplight/callback.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace warplight::compiler::platform {

/// Null when it cannot be opened; `problem` is then the loader's message.
void* open_library(const std::string& path, std::string& problem);
void* find_symbol(void* library, const char* name);
/// The file that a symbol of an open library came from; empty when unknown.
std::filesystem::path file_of_symbol(void* symbol);

/// File names under which the loader may know NVRTC, newest first.
std::vector<std::string> nvrtc_loader_names();
/// Does this file name look like NVRTC's library (and not like its builtins)?
bool is_nvrtc_file(const std::string& file_name);
/// Folders a toolkit may be installed in, in order of preference.
std::vector<std::filesystem::path> toolkit_folders();
/// Folders below a toolkit's that hold its libraries.
std::vector<std::string> library_subfolders();
/// Folders of headers that belong to no toolkit.
std::vector<std::filesystem::path> system_include_folders();
/// "or on Debian the package …": the system's own packages of NVRTC, or of nvcc, in a list of what to install; empty
/// where it has none.
std::string system_packages(bool nvcc);
/// A name of ASCII letters for a file or folder, for NVRTC: on Windows its short name, or one that only resembles it
/// where there is none. Elsewhere NVRTC takes any name, and the path stays as it is.
std::filesystem::path ascii_path(const std::filesystem::path& path);
/// "nvcc" or "nvcc.exe".
std::string program_file(const std::string& name);
/// A program on the PATH; empty when it is not there.
std::filesystem::path find_on_path(const std::string& program);

struct ProcessResult {
    bool started = false;
    int exit_code = -1;
    bool cancelled = false;
    std::string output; ///< standard output and standard error together
};
/// Runs a program to its end, in `folder`; `cancelled` is asked about ten times a second and ends it. The program makes
/// its temporary files in `temporary`. Empty paths leave both as they are here.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          const Callback<bool()>& cancelled, const std::filesystem::path& temporary = {});

/// From now on programs that run_process() starts stay in this process's group, to be ended with it. Not thread-safe.
void keep_process_group();

/// The user's cache folder, without a program's name.
std::filesystem::path user_cache_folder();
unsigned long process_id();

} // namespace warplight::compiler::platform
