// SPDX-License-Identifier: Apache-2.0
// Functions of the host in a stream's order.
#include "program.hpp"

#include <atomic>

__global__ void add(int* value, int what) { *value += what; }

struct Heard {
    int* host;
    std::vector<int> values;
    std::atomic<int> calls{0};
};

void CUDART_CB callback(cudaStream_t, cudaError_t status, void* user) {
    auto* heard = static_cast<Heard*>(user);
    if (status == cudaSuccess) heard->values.push_back(*heard->host);
    ++heard->calls;
}
void CUDART_CB host_function(void* user) {
    auto* heard = static_cast<Heard*>(user);
    heard->values.push_back(-*heard->host);
    ++heard->calls;
}

int main() {
    int *device = to_device(std::vector<int>(1)), *host = nullptr;
    CHECK(cudaMallocHost(&host, sizeof(int)));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    Heard heard{host, {}};
    for (int i = 1; i <= 3; ++i) {
        add<<<1, 1, 0, stream>>>(device, i);
        CHECK(cudaMemcpyAsync(host, device, sizeof(int), cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamAddCallback(stream, callback, &heard, 0));
        CHECK(cudaLaunchHostFunc(stream, host_function, &heard));
    }
    CHECK(cudaStreamSynchronize(stream));
    const bool good = heard.calls == 6 && heard.values == std::vector<int>{1, -1, 3, -3, 6, -6};
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(device));
    CHECK(cudaFreeHost(host));
    return verdict(good);
}
