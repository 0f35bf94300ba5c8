// SPDX-License-Identifier: Apache-2.0
// The driver's interface and the runtime's in one program: one context, streams and memory for both.
// build: -lcuda
#include "program.hpp"

#include <cuda.h>

__global__ void add(int* values, int n, int what) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += what;
}

int main() {
    const int n = 500;
    bool good = cuInit(0) == CUDA_SUCCESS;
    int* values = to_device(std::vector<int>(n, 1));
    CUcontext of_runtime = nullptr, primary = nullptr;
    CUdevice device = 0;
    good &= cuCtxGetCurrent(&of_runtime) == CUDA_SUCCESS && of_runtime;
    good &= cuDeviceGet(&device, 0) == CUDA_SUCCESS;
    good &= cuDevicePrimaryCtxRetain(&primary, device) == CUDA_SUCCESS && primary == of_runtime;
    good &= cuMemsetD32(reinterpret_cast<CUdeviceptr>(values), 10, n) == CUDA_SUCCESS;
    CUstream stream = nullptr;
    good &= cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS;
    add<<<2, 256, 0, stream>>>(values, n, 5);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
    good &= to_host(values, n) == std::vector<int>(n, 15);
    cudaFunction_t function = nullptr;
    CHECK(cudaGetFuncBySymbol(&function, (void*)add));
    int count = n, what = 7;
    void* arguments[] = {&values, &count, &what};
    good &= cuLaunchKernel(function, 2, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr) == CUDA_SUCCESS;
    good &= cuStreamSynchronize(stream) == CUDA_SUCCESS && to_host(values, n) == std::vector<int>(n, 22);
    CUdeviceptr memory = 0;
    good &= cuMemAlloc(&memory, n * sizeof(int)) == CUDA_SUCCESS;
    CHECK(cudaMemcpy(reinterpret_cast<void*>(memory), values, n * sizeof(int), cudaMemcpyDeviceToDevice));
    good &= to_host(reinterpret_cast<int*>(memory), n) == std::vector<int>(n, 22);
    CHECK(cudaFree(reinterpret_cast<void*>(memory)));
    good &= cuStreamDestroy(stream) == CUDA_SUCCESS;
    good &= cuDevicePrimaryCtxRelease(device) == CUDA_SUCCESS;
    CHECK(cudaFree(values));
    return verdict(good);
}
