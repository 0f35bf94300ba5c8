// SPDX-License-Identifier: Apache-2.0
// PoCL 3.1 has no sub-group shuffles: local memory instead.
#define THREADS 256
float group_sum(local float* partial, float sum) {
    const int t = get_local_id(0);
    partial[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = THREADS / 2; half_size > 0; half_size /= 2) {
        if (t < half_size) partial[t] += partial[t + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sum = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}
kernel void layer_norm(int columns, global const float* in, global const float* scale, global const float* shift,
                       global float* out) {
    local float partial[THREADS];
    const int t = get_local_id(0);
    in += get_group_id(0) * columns;
    out += get_group_id(0) * columns;
    float sum = 0.0f;
    for (int i = t; i < columns; i += THREADS)
        sum += in[i];
    const float mean = group_sum(partial, sum) / columns;
    float squares = 0.0f;
    for (int i = t; i < columns; i += THREADS) {
        const float deviation = in[i] - mean;
        squares += deviation * deviation;
    }
    const float inverse = rsqrt(group_sum(partial, squares) / columns + 1e-5f);
    for (int i = t; i < columns; i += THREADS)
        out[i] = (in[i] - mean) * inverse * scale[i] + shift[i];
}
