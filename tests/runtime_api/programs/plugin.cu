// SPDX-License-Identifier: Apache-2.0
// A library with a kernel, which plugin_host.cu opens and closes.
__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

extern "C" int run_plugin(int* data, int value) {
    add<<<1, 32>>>(data, value);
    return cudaGetLastError();
}
