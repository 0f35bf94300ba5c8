// SPDX-License-Identifier: Apache-2.0
// PoCL 3.1 has no sub-group shuffles: local memory instead.
#define THREADS 128
kernel void softmax(int columns, global const float* in, global float* out) {
    local float partial[THREADS];
    const int t = get_local_id(0);
    in += get_group_id(0) * columns;
    out += get_group_id(0) * columns;
    float most = -INFINITY;
    for (int i = t; i < columns; i += THREADS)
        most = fmax(most, in[i]);
    partial[t] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = THREADS / 2; half_size > 0; half_size /= 2) {
        if (t < half_size) partial[t] = fmax(partial[t], partial[t + half_size]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int i = t; i < columns; i += THREADS) {
        const float power = exp(in[i] - most);
        out[i] = power;
        sum += power;
    }
    partial[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = THREADS / 2; half_size > 0; half_size /= 2) {
        if (t < half_size) partial[t] += partial[t + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float factor = 1.0f / partial[0];
    for (int i = t; i < columns; i += THREADS)
        out[i] *= factor;
}
