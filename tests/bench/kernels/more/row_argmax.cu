// SPDX-License-Identifier: Apache-2.0
// The first index of each row's largest value, a block a row.
extern "C" __global__ void row_argmax(const float* in, int* out, int columns) {
    __shared__ float values[128];
    __shared__ int indices[128];
    const int t = threadIdx.x;
    const float* row = in + (size_t)blockIdx.x * columns;
    float best = -1e30f;
    int index = 0;
    for (int j = t; j < columns; j += 128)
        if (row[j] > best) {
            best = row[j];
            index = j;
        }
    values[t] = best;
    indices[t] = index;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (t < d && (values[t + d] > values[t] || (values[t + d] == values[t] && indices[t + d] < indices[t]))) {
            values[t] = values[t + d];
            indices[t] = indices[t + d];
        }
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = indices[0];
}
