// SPDX-License-Identifier: Apache-2.0
// PoCL 3.1 has no sub-group shuffles: local memory instead. No row is left out, as all have to reach
// the barriers: rows is a multiple of 8.
kernel void spmv(int rows, global const int* offsets, global const int* columns, global const float* values,
                 global const float* x, global float* y) {
    local float partial[256];
    const int row = get_global_id(0) / 32, t = get_local_id(0), lane = t % 32;
    float sum = 0.0f;
    for (int i = offsets[row] + lane; i < offsets[row + 1]; i += 32)
        sum += values[i] * x[columns[i]];
    partial[t] = sum;
    for (int distance = 16; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < distance) partial[t] += partial[t + distance];
    }
    if (lane == 0) y[row] = partial[t];
}
