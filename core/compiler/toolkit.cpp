// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolkit.hpp"

#include "compiler/platform.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace warplight::compiler {
namespace fs = std::filesystem;

int cuda_version_of(const fs::path& include) {
    std::ifstream in(include / "cuda.h");
    std::string line;
    while (std::getline(in, line))
        if (line.starts_with("#define CUDA_VERSION ")) return std::atoi(line.c_str() + 21);
    return 0;
}

std::vector<fs::path> include_dirs_for(const fs::path& file, int major) {
    std::vector<fs::path> candidates;
    // A library lies in lib64, lib, targets/*/lib, bin or bin/x64; the headers are beside one of these.
    fs::path folder = file.parent_path();
    for (int up = 0; up < 3 && folder.has_relative_path(); ++up, folder = folder.parent_path()) {
        candidates.push_back(folder / "include");
        candidates.push_back(folder / "targets/x86_64-linux/include");
    }
    for (const fs::path& toolkit : platform::toolkit_folders()) {
        candidates.push_back(toolkit / "include");
        candidates.push_back(toolkit / "targets/x86_64-linux/include");
    }
    candidates.emplace_back("/usr/include");
    for (const fs::path& candidate : candidates) {
        std::error_code error;
        if (!fs::exists(candidate / "cuda_fp16.h", error)) continue;
        if (int version = cuda_version_of(candidate); version && version / 1000 != major) continue;
        std::vector<fs::path> result{fs::weakly_canonical(candidate, error)};
        if (fs::is_directory(result[0] / "cccl", error)) result.push_back(result[0] / "cccl");
        return result;
    }
    return {};
}

std::vector<std::string> nvrtc_candidates() {
    if (const char* chosen = std::getenv("WARPLIGHT_NVRTC"); chosen && *chosen) return {chosen};
    std::vector<std::string> result;
    for (const fs::path& toolkit : platform::toolkit_folders()) {
        for (const std::string& sub : platform::library_subfolders()) {
            std::vector<std::string> found;
            std::error_code error;
            for (fs::directory_iterator it(toolkit / sub, error), end; !error && it != end; it.increment(error))
                if (platform::is_nvrtc_file(it->path().filename().string())) found.push_back(it->path().string());
            // The shortest name first: libnvrtc.so before libnvrtc.so.13.
            std::sort(found.begin(), found.end(),
                      [](const auto& a, const auto& b) { return std::pair(a.size(), a) < std::pair(b.size(), b); });
            result.insert(result.end(), found.begin(), found.end());
        }
    }
    for (const std::string& name : platform::nvrtc_loader_names())
        result.push_back(name);
    return result;
}

fs::path find_tool(const std::string& name) {
    if (name == "nvcc")
        if (const char* chosen = std::getenv("WARPLIGHT_NVCC"); chosen && *chosen) {
            std::error_code error;
            return fs::is_regular_file(chosen, error) ? fs::path(chosen) : fs::path();
        }
    for (const fs::path& toolkit : platform::toolkit_folders()) {
        std::error_code error;
        fs::path file = toolkit / "bin" / platform::program_file(name);
        if (fs::is_regular_file(file, error)) return file;
    }
    return platform::find_on_path(platform::program_file(name));
}

fs::path find_nvcc_program(const std::string& program) {
    if (program == "nvcc" || program.empty()) return find_tool("nvcc");
    std::error_code error;
    if (fs::path(program).has_parent_path())
        return fs::is_regular_file(program, error) ? fs::path(program) : fs::path();
    return platform::find_on_path(platform::program_file(program));
}

std::string install_hint() {
    return "Install a CUDA toolkit, 11.8 or later (https://developer.nvidia.com/cuda-downloads), or on Debian the "
           "packages libnvrtc11.2 and nvidia-cuda-dev of the non-free section; a toolkit in a folder of its own is "
           "found through CUDA_PATH.";
}

} // namespace warplight::compiler
