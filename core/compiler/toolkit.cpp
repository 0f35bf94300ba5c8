// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolkit.hpp"

#include "compiler/platform.hpp"
#include "driver/library.hpp"
#include "files/paths.hpp"
#include "warplight/compiler.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

constexpr const char* marker = "warplight-toolkit.json"; // install_toolkit.py writes it last

/// The user's toolkits before the one that this program downloaded.
std::vector<fs::path> toolkit_folders() {
    std::vector<fs::path> folders = platform::toolkit_folders();
    if (!installed_toolkit_release().empty()) folders.push_back(installed_toolkit_folder());
    return folders;
}

} // namespace

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
    for (const fs::path& toolkit : toolkit_folders()) {
        candidates.push_back(toolkit / "include");
        candidates.push_back(toolkit / "targets/x86_64-linux/include");
    }
    std::ranges::copy(platform::system_include_folders(), std::back_inserter(candidates));
    for (const fs::path& candidate : candidates) {
        std::error_code error;
        if (!fs::exists(candidate / "cuda_fp16.h", error)) continue;
        if (int version = cuda_version_of(candidate); version && version / 1000 != major) continue;
        std::vector<fs::path> result{files::real_path(candidate, error)};
        if (fs::is_directory(result[0] / "cccl", error)) result.push_back(result[0] / "cccl");
        return result;
    }
    return {};
}

std::vector<std::string> nvrtc_candidates() {
    if (const char* chosen = std::getenv("WARPLIGHT_NVRTC"); chosen && *chosen) return {chosen};
    std::vector<std::string> result;
    for (const fs::path& toolkit : toolkit_folders()) {
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
    for (const auto& [tool, variable] : {std::pair{"nvcc", "WARPLIGHT_NVCC"},
                                         {"nvdisasm", "WARPLIGHT_NVDISASM"},
                                         {"cuobjdump", "WARPLIGHT_CUOBJDUMP"}})
        if (name == tool)
            if (const char* chosen = std::getenv(variable); chosen && *chosen) {
                std::error_code error;
                return fs::is_regular_file(chosen, error) ? fs::path(chosen) : fs::path();
            }
    for (const fs::path& toolkit : toolkit_folders()) {
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

std::string install_hint(Wanted wanted) {
    const bool nvcc = wanted == Wanted::nvcc;
    const std::string packages = platform::system_packages(nvcc);
    return std::string("`warplight-cli toolkit install") + (nvcc ? " --with-nvcc" : "") +
           "` downloads NVIDIA's pip packages of it, with Python 3.9 or later. Or install a CUDA toolkit, 11.8 or "
           "later (https://developer.nvidia.com/cuda-downloads)" +
           (packages.empty() ? "" : ", " + packages) + "; a toolkit in a folder of its own is found through CUDA_PATH.";
}

fs::path installed_toolkit_folder() { return fs::path(cache_folder()).parent_path() / "toolkit"; }

std::string installed_toolkit_release() {
    std::ifstream in(installed_toolkit_folder() / marker);
    for (std::string line; std::getline(in, line);) {
        constexpr std::string_view key = "\"cuda\": \"";
        const std::size_t at = line.find(key);
        if (at == std::string::npos) continue;
        const std::size_t begin = at + key.size();
        return line.substr(begin, line.find('"', begin) - begin);
    }
    return {};
}

bool remove_installed_toolkit() {
    if (installed_toolkit_release().empty()) return false;
    // Renamed first, so that an interrupted removal leaves no half toolkit to be found.
    const fs::path folder = installed_toolkit_folder();
    fs::path old = folder;
    old += ".old-" + std::to_string(platform::process_id());
    fs::rename(folder, old);
    fs::remove_all(old);
    return true;
}

fs::path toolkit_installer() {
    const fs::path program = driver::detail::executable_folder();
    // The second is the source tree's, for a program in build/PRESET/bin.
    for (const char* relative : {"../share/warplight", "../../../core/compiler"}) {
        std::error_code error;
        fs::path script = files::normal(program / relative / "install_toolkit.py");
        if (fs::is_regular_file(script, error)) return script;
    }
    return {};
}

} // namespace warplight::compiler
