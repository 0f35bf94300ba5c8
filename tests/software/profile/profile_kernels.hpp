// SPDX-License-Identifier: Apache-2.0
// kernels.cu, and their launches.
#pragma once

#include "../runtime/driver_fixture.hpp"
#include "profile/profile.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

extern "C" CUresult cuxWarplightRequestProfile(int wanted);
extern "C" CUresult cuxWarplightTakeProfile(void (*receiver)(const char*, size_t, void*), void* user);

namespace profile_kernels {

inline std::string text_of(const std::string& name) {
    std::ifstream file(std::string(WARPLIGHT_PROFILE_FOLDER) + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Case {
    std::string kernel;
    unsigned grid[2], block[2];
    int n;
};

inline std::vector<Case> cases() {
    std::istringstream source(text_of("kernels.cu"));
    std::vector<Case> all;
    for (std::string line; std::getline(source, line);) {
        if (!line.starts_with("//! ")) continue;
        std::istringstream words(line.substr(4));
        Case& each = all.emplace_back();
        words >> each.kernel >> each.grid[0] >> each.grid[1] >> each.block[0] >> each.block[1] >> each.n;
    }
    return all;
}

/// What an extension of the driver gives.
template <class Take>
std::string taken(Take take) {
    std::string text;
    const auto receive = [](const char* data, std::size_t size, void* user) {
        static_cast<std::string*>(user)->assign(data, size);
    };
    return take(receive, &text) == CUDA_SUCCESS ? text : std::string();
}

inline warplight::profile::Profile taken_profile() {
    const std::string text = taken(cuxWarplightTakeProfile);
    return text.empty() ? warplight::profile::Profile() : warplight::profile::profile_from_line(text);
}

/// The module with its memory, as in record.cpp.
class Kernels {
public:
    void load() {
        CU(cuModuleLoadData(&module_, text_of("kernels.ptx").c_str()));
        constexpr unsigned kElements = 1 << 19, kIndices = 1 << 12; // for long loops more elements than there
        std::vector<float> in(kElements);
        for (unsigned i = 0; i < kElements; ++i)
            in[i] = static_cast<float>(i % 1024);
        std::vector<int> indices(kIndices);
        for (unsigned i = 0; i < kIndices; ++i)
            indices[i] = static_cast<int>((i * 40503U + 12345U) >> 4 & 0xffff);
        in_ = Session::upload(in);
        out_ = Session::upload(std::vector<float>(kElements));
        index_ = Session::upload(indices);
    }
    void launch(const Case& each) {
        CUfunction kernel = nullptr;
        cuModuleGetFunction(&kernel, module_, each.kernel.c_str());
        int n = each.n;
        void* parameters[] = {&out_, &in_, &index_, &n};
        if (cuLaunchKernel(kernel, each.grid[0], each.grid[1], 1, each.block[0], each.block[1], 1, 0, nullptr,
                           parameters, nullptr) != CUDA_SUCCESS)
            qWarning("%s", last_error_text().c_str());
    }
    warplight::profile::Profile profile_of(const Case& each, int launches = 1) {
        (void)taken_profile();
        cuxWarplightRequestProfile(1);
        for (int k = 0; k < launches; ++k)
            launch(each);
        if (cuCtxSynchronize() != CUDA_SUCCESS) qWarning("%s", last_error_text().c_str());
        cuxWarplightRequestProfile(0);
        return taken_profile();
    }
    [[nodiscard]] CUdeviceptr in() const { return in_; }

private:
    CUmodule module_ = nullptr;
    CUdeviceptr in_ = 0, out_ = 0, index_ = 0;
};

} // namespace profile_kernels
