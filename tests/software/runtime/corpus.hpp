// SPDX-License-Identifier: Apache-2.0
// CUDA sources of the folder kernels, compiled by NVRTC and loaded. WARPLIGHT_TEST_PTX names a folder with PTX that
// another compiler has made of them (FILE.ptx for FILE.cu), where such are to be run.
#pragma once

#include "driver_fixture.hpp"

#include <warplight/compiler.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <utility>

inline std::string compiled(const char* file, const char* arch, const std::vector<std::string>& options) {
    if (const char* folder = std::getenv("WARPLIGHT_TEST_PTX")) {
        const std::string name(file);
        std::ifstream ready(std::string(folder) + '/' + name.substr(0, name.rfind('.')) + ".ptx");
        if (ready) return {std::istreambuf_iterator<char>(ready), {}};
    }
    const std::string path = std::string(WARPLIGHT_SOURCE_DIR "/tests/software/kernels/") + file;
    std::ifstream in(path);
    warplight::compiler::CompileRequest request;
    request.source = std::string{std::istreambuf_iterator<char>(in), {}};
    request.name = file;
    request.arch = arch;
    request.options = {"-std=c++17"};
    request.options.insert(request.options.end(), options.begin(), options.end());
    const auto result = warplight::compiler::compile(request);
    if (!result.ok) qWarning("%s", result.log.c_str());
    return result.ok ? result.ptx : std::string();
}

/// Why the toolkit found here cannot compile a file of the folder; empty where it can.
inline std::string missing_for(const std::string& file) {
    struct Need {
        const char* file;
        int major, minor; ///< the first release of CUDA that has what the file uses
        const char* header;
        const char* what;
    };
    static constexpr Need needs[] = {
        {"11_curand.cu", 0, 0, "curand_kernel.h", "the header of cuRAND"},
        {"14_dynpar_more.cu", 12, 0, nullptr, "tail launches"},
        {"20_cluster.cu", 12, 4, nullptr, "bulk copies by cuda::barrier"},
    };
    if (std::getenv("WARPLIGHT_TEST_PTX")) return {};
    const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
    if (!info.found) return info.problem;
    for (const Need& need : needs) {
        if (file != need.file) continue;
        if (std::pair(info.major, info.minor) < std::pair(need.major, need.minor))
            return file + " uses " + need.what + ", which need CUDA " + std::to_string(need.major) + '.' +
                   std::to_string(need.minor) + "; NVRTC here is " + std::to_string(info.major) + '.' +
                   std::to_string(info.minor);
        if (!need.header) continue;
        const auto has = [&](const auto& folder) {
            return std::filesystem::exists(std::filesystem::path(folder.native()) / need.header);
        };
        if (std::none_of(info.include_dirs.begin(), info.include_dirs.end(), has))
            return file + " needs " + need.what + " (" + need.header + "), which the toolkit here lacks";
    }
    return {};
}

/// Ends a test that uses a file which the toolkit cannot compile.
#define NEEDS_KERNELS(file)                                                                                            \
    if (const std::string missing = missing_for(file); !missing.empty()) QSKIP(missing.c_str())

struct Program : Session {
    explicit Program(const char* file, const char* arch = "compute_80", const std::vector<std::string>& options = {}) {
        const std::string text = compiled(file, arch, options);
        if (text.empty() || cuModuleLoadData(&module, text.c_str()) != CUDA_SUCCESS) {
            qWarning("%s", last_error_text().c_str());
        }
    }
    CUfunction operator[](const char* name) const {
        CUfunction f = nullptr;
        if (cuModuleGetFunction(&f, module, name) != CUDA_SUCCESS) qWarning("no kernel %s", name);
        return f;
    }
    static CUresult launch2(CUfunction f, unsigned gx, unsigned gy, unsigned bx, unsigned by,
                            std::initializer_list<void*> arguments) {
        std::vector<void*> pointers(arguments);
        return cuLaunchKernel(f, gx, gy, 1, bx, by, 1, 0, nullptr, pointers.data(), nullptr);
    }
};

template <class T>
std::vector<T> random_values(std::size_t n, int low, int high) {
    std::mt19937 random(static_cast<unsigned>(n));
    std::vector<T> v(n);
    for (T& x : v)
        x = static_cast<T>(low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
    return v;
}
