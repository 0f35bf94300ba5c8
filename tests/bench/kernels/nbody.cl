// SPDX-License-Identifier: Apache-2.0
#define TILE 256
kernel void accelerate(int n, global const float4* bodies, global float4* accelerations) {
    local float4 tile[TILE];
    const int t = get_local_id(0), i = get_global_id(0);
    const float4 me = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tile[t] = bodies[start + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < TILE; ++j) {
            const float4 other = tile[j];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1e-2f);
            const float pull = other.w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    accelerations[i] = (float4)(ax, ay, az, 0.0f);
}
