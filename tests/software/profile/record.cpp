// SPDX-License-Identifier: Apache-2.0
// Launches the kernels of kernels.cu once each, for Nsight Compute to look at (record.sh): record kernels.cu CUBIN
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void check(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    std::fprintf(stderr, "%s: error %d\n", what, static_cast<int>(result));
    std::exit(1);
}

template <class T>
CUdeviceptr upload(const std::vector<T>& values) {
    CUdeviceptr to = 0;
    check(cuMemAlloc(&to, values.size() * sizeof(T)), "cuMemAlloc");
    check(cuMemcpyHtoD(to, values.data(), values.size() * sizeof(T)), "cuMemcpyHtoD");
    return to;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    check(cuInit(0), "cuInit");
    CUcontext context = nullptr;
    CUdevice device = 0;
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    CUmodule module = nullptr;
    check(cuModuleLoad(&module, arguments[2]), "cuModuleLoad");
    // The same as in test_profile.cpp.
    constexpr unsigned kElements = 1 << 18, kIndices = 1 << 12;
    std::vector<float> in(kElements), out(kElements);
    for (unsigned i = 0; i < kElements; ++i)
        in[i] = static_cast<float>(i % 1024);
    std::vector<int> indices(kIndices);
    for (unsigned i = 0; i < kIndices; ++i)
        indices[i] = static_cast<int>((i * 40503U + 12345U) >> 4 & 0xffff);
    CUdeviceptr from = upload(in), at = upload(indices), to = upload(out);
    std::ifstream cases(arguments[1]);
    for (std::string line; std::getline(cases, line);) {
        if (line.rfind("//! ", 0) != 0) continue;
        std::istringstream words(line.substr(4));
        std::string name;
        unsigned grid[2], block[2];
        int n = 0;
        words >> name >> grid[0] >> grid[1] >> block[0] >> block[1] >> n;
        CUfunction kernel = nullptr;
        check(cuModuleGetFunction(&kernel, module, name.c_str()), name.c_str());
        void* parameters[] = {&to, &from, &at, &n};
        check(cuLaunchKernel(kernel, grid[0], grid[1], 1, block[0], block[1], 1, 0, nullptr, parameters, nullptr),
              name.c_str());
        check(cuCtxSynchronize(), name.c_str());
    }
}
