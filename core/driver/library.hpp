// SPDX-License-Identifier: Apache-2.0
// Opening shared libraries: the platform's part.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warplight::driver::detail {

/// Null, and why in `error`, when it cannot be opened. Never closed again.
void* open_library(const std::filesystem::path& path, std::string& error);
void* find_symbol(void* library, const char* name);
/// The file of an opened library; empty when unknown.
std::filesystem::path library_file(void* library);
/// Folder of the running program; empty when unknown.
std::filesystem::path executable_folder();
/// Folder of the library or program that contains this code; empty when unknown.
std::filesystem::path own_folder();
/// "libcuda.so.1", …
std::vector<std::filesystem::path> cuda_library_names();
const char* software_library_name();
/// Where it may be. The first file that is there counts; the last one is a name for the loader to look for.
std::vector<std::filesystem::path> software_library_places();

} // namespace warplight::driver::detail
