// SPDX-License-Identifier: Apache-2.0
// Two steps of a heated plate at once: tiles of 16 x 16 whose borders are computed by neighbours too.
extern "C" __global__ void hotspot(const float* power, const float* in, float* out, int n) {
    __shared__ float now[16][16], next[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 12 + tx - 2, y = blockIdx.y * 12 + ty - 2;
    const bool inside = x >= 0 && x < n && y >= 0 && y < n;
    float heat = 0.0f;
    if (inside) {
        now[ty][tx] = in[y * n + x];
        heat = power[y * n + x];
    }
    __syncthreads();
    const int left = x > 0 ? tx - 1 : tx, right = x < n - 1 ? tx + 1 : tx;
    const int up = y > 0 ? ty - 1 : ty, down = y < n - 1 ? ty + 1 : ty;
    bool computed = false;
    for (int step = 0; step < 2; ++step) {
        computed = inside && tx > step && tx < 15 - step && ty > step && ty < 15 - step;
        if (computed) {
            const float t = now[ty][tx];
            next[ty][tx] = t + 0.1f * (heat + (now[down][tx] + now[up][tx] - 2.0f * t) * 0.3f +
                                       (now[ty][right] + now[ty][left] - 2.0f * t) * 0.2f + (80.0f - t) * 0.05f);
        }
        __syncthreads();
        if (step == 1) break;
        if (computed) now[ty][tx] = next[ty][tx];
        __syncthreads();
    }
    if (computed) out[y * n + x] = next[ty][tx];
}
