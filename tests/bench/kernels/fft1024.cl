// SPDX-License-Identifier: Apache-2.0
#define N 1024
kernel void fft(global const float2* in, global const float2* roots, global float2* out) {
    local float2 s[2][N];
    const int t = get_local_id(0), base = get_group_id(0) * N;
    s[0][t] = in[base + t];
    s[0][t + N / 2] = in[base + t + N / 2];
    int from = 0;
    for (int span = 1; span < N; span *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int k = t & (span - 1), to = 2 * t - k;
        const float2 root = roots[k * (N / 2 / span)];
        const float2 a = s[from][t], b = s[from][t + N / 2];
        const float2 c = (float2)(root.x * b.x - root.y * b.y, root.x * b.y + root.y * b.x);
        s[1 - from][to] = a + c;
        s[1 - from][to + span] = a - c;
        from = 1 - from;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + t] = s[from][t];
    out[base + t + N / 2] = s[from][t + N / 2];
}
