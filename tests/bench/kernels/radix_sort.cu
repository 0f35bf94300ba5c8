// SPDX-License-Identifier: Apache-2.0
// Sorts keys by one digit of eight bits, keeping the order of equal ones: count, prefix sums of counts, scatter. Blocks
// of 256 threads take 2048 keys. counts[digit * blocks + block] is first a count, and then where its keys begin.
#define THREADS 256
#define WARPS 8
#define ITEMS 8
#define DIGITS 256
extern "C" __global__ void count(int shift, const unsigned* keys, int* counts) {
    __shared__ int bins[DIGITS];
    bins[threadIdx.x] = 0;
    __syncthreads();
    const int base = blockIdx.x * THREADS * ITEMS;
    for (int i = 0; i < ITEMS; ++i)
        atomicAdd(&bins[keys[base + i * THREADS + threadIdx.x] >> shift & (DIGITS - 1)], 1);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}
/// Exclusive prefix sums; n is a multiple of a block's 1024 threads. All in one block, which goes along.
extern "C" __global__ void scan(int n, int* counts) {
    __shared__ int warps[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int before = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int count = counts[i];
        int sum = count;
        for (int distance = 1; distance < 32; distance *= 2) {
            const int other = __shfl_up_sync(0xffffffff, sum, distance);
            if (lane >= distance) sum += other;
        }
        if (lane == 31) warps[warp] = sum;
        __syncthreads();
        if (warp == 0) {
            int all = warps[lane];
            for (int distance = 1; distance < 32; distance *= 2) {
                const int other = __shfl_up_sync(0xffffffff, all, distance);
                if (lane >= distance) all += other;
            }
            warps[lane] = all;
        }
        __syncthreads();
        counts[i] = before + (warp > 0 ? warps[warp - 1] : 0) + sum - count;
        before += warps[31];
        __syncthreads();
    }
}
/// A warp takes 256 keys one after the other, 32 at once. A key's place: where its digit begins for the warp, and how
/// many keys of the warp with the same digit come before it.
extern "C" __global__ void scatter(int shift, const unsigned* in, const int* counts, unsigned* out) {
    __shared__ int places[WARPS][DIGITS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int base = blockIdx.x * THREADS * ITEMS + warp * 32 * ITEMS;
    for (int i = 0; i < WARPS; ++i)
        places[i][threadIdx.x] = 0;
    __syncthreads();
    unsigned keys[ITEMS];
    int ranks[ITEMS];
    for (int i = 0; i < ITEMS; ++i) {
        keys[i] = in[base + i * 32 + lane];
        const unsigned digit = keys[i] >> shift & (DIGITS - 1);
        const unsigned same = __match_any_sync(0xffffffff, digit);
        const int before = __popc(same & ((1u << lane) - 1));
        ranks[i] = places[warp][digit] + before;
        __syncwarp();
        if (before == 0) places[warp][digit] += __popc(same);
        __syncwarp();
    }
    __syncthreads();
    int place = counts[threadIdx.x * gridDim.x + blockIdx.x];
    for (int i = 0; i < WARPS; ++i) {
        const int count = places[i][threadIdx.x];
        places[i][threadIdx.x] = place;
        place += count;
    }
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i)
        out[places[warp][keys[i] >> shift & (DIGITS - 1)] + ranks[i]] = keys[i];
}
