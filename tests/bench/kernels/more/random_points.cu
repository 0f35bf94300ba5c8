// SPDX-License-Identifier: Apache-2.0
// Points in a circle, by a generator of Marsaglia's in each thread.
extern "C" __global__ void random_points(int* out, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = i * 2654435761u + 12345u;
    int inside = 0;
    for (int k = 0; k < rounds; ++k) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const float x = (state & 0xffff) / 65536.0f, y = (state >> 16) / 65536.0f;
        inside += x * x + y * y < 1.0f;
    }
    out[i] = inside;
}
