// SPDX-License-Identifier: Apache-2.0
// CUDA sources of the folder kernels, compiled by NVRTC and loaded. WARPLIGHT_TEST_PTX names a folder with PTX that
// another compiler has made of them (FILE.ptx for FILE.cu), where such are to be run.
#pragma once

#include "driver_fixture.hpp"

#include <warplight/compiler.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

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
