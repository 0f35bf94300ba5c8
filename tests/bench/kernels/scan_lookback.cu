// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sums in one pass: a block takes the next tile, publishes its sum, and adds what the tiles before it
// have published, back to one that knows all that is before it (decoupled look-back). Blocks of 256 threads, four
// numbers each. A tile's state is one word: two bits of flag, 30 of sum, so that both come together.
#define THREADS 256
#define SUM 0x40000000u
#define PREFIX 0x80000000u
#define VALUE 0x3fffffffu
extern "C" __global__ void scan(const int4* in, int4* out, unsigned* state, int* next_tile) {
    __shared__ int s[2][THREADS];
    __shared__ int shared_tile, shared_prefix;
    const int t = threadIdx.x;
    if (t == 0) shared_tile = atomicAdd(next_tile, 1);
    __syncthreads();
    const int tile = shared_tile;

    const int4 v = in[tile * THREADS + t];
    int from = 0;
    s[0][t] = v.x + v.y + v.z + v.w;
    for (int distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads();
        s[1 - from][t] = t >= distance ? s[from][t] + s[from][t - distance] : s[from][t];
        from = 1 - from;
    }
    __syncthreads();

    if (t == 0) {
        const int sum = s[from][THREADS - 1];
        int prefix = 0;
        if (tile > 0) {
            atomicExch(&state[tile], SUM | sum);
            for (int before = tile - 1;;) {
                const unsigned word = *(volatile unsigned*)&state[before];
                if (word & PREFIX) {
                    prefix += word & VALUE;
                    break;
                }
                if (word & SUM) {
                    prefix += word & VALUE;
                    --before;
                }
            }
        }
        atomicExch(&state[tile], PREFIX | (prefix + sum));
        shared_prefix = prefix;
    }
    __syncthreads();
    int4 result;
    result.x = shared_prefix + (t > 0 ? s[from][t - 1] : 0);
    result.y = result.x + v.x;
    result.z = result.y + v.y;
    result.w = result.z + v.z;
    out[tile * THREADS + t] = result;
}
