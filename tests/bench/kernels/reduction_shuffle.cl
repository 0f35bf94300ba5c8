// SPDX-License-Identifier: Apache-2.0
// PoCL 3.1 has no sub-group shuffles: local memory instead.
kernel void reduce(int n, global const float* x, global float* sums) {
    local float partial[256];
    const int thread = get_local_id(0);
    float sum = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += x[i];
    partial[thread] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = 128; half_size > 0; half_size /= 2) {
        if (thread < half_size) partial[thread] += partial[thread + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (thread == 0) sums[get_group_id(0)] = partial[0];
}
