// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp, and what holds a block together: shuffles, masks, barriers in branches and loops.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define LANE (threadIdx.x % 32)

// CASE warp_sum_in_step kind=race grid=2 block=64 args=i512,z8
extern "C" __global__ void warp_sum_in_step(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[THREAD];
    __syncthreads();
    if (t < 32) {
        int v = s[t] + s[t + 32];
        WRONG((void)0, __syncwarp());
        s[t] = v; WRONG((void)0, __syncwarp()); // HERE
        for (int k = 16; k > 0; k /= 2) {
            v += s[(t + k) & 31]; // HERE
            WRONG((void)0, __syncwarp());
            s[t] = v; // HERE
            WRONG((void)0, __syncwarp());
        }
        if (t == 0) out[blockIdx.x] = v;
    }
}

// CASE warp_volatile_sum grid=2 block=64 args=i512,z8
extern "C" __global__ void warp_volatile_sum(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[THREAD];
    __syncthreads();
    if (t < 32) {
        int v = s[t] + s[t + 32];
        for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);
        if (t == 0) out[blockIdx.x] = v;
    }
}

// CASE shuffle_in_branch kind=sync grid=2 block=64 args=i512,z512,48
extern "C" __global__ void shuffle_in_branch(const int* in, int* out, int n) {
    int v = in[THREAD];
    if (WRONG(threadIdx.x < n, true)) v += __shfl_down_sync(~0u, v, 1); // HERE
    out[THREAD] = v;
}

// CASE shuffle_once_more kind=sync grid=2 block=64 args=i512,z512
extern "C" __global__ void shuffle_once_more(const int* in, int* out) {
    int v = in[THREAD];
    if (WRONG(LANE < 16, true)) v += __shfl_xor_sync(~0u, v, 1); // HERE
    v += __shfl_xor_sync(~0u, v, 2); // ALSO
    out[THREAD] = v;
}

// CASE shuffle_tail kind=sync grid=2 block=64 args=i512,z512,100
extern "C" __global__ void shuffle_tail(const int* in, int* out, int n) {
    const int i = THREAD;
    if (WRONG(i >= n, false)) return;
    int v = i < n ? in[i] : 0;
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k); // HERE
    if (LANE == 0) out[i / 32] = v;
}

// CASE shuffle_mask_half kind=sync grid=2 block=64 args=i512,z512
extern "C" __global__ void shuffle_mask_half(const int* in, int* out) {
    int v = in[THREAD];
    v += __shfl_xor_sync(WRONG(0xffffu, ~0u), v, 8); // HERE
    out[THREAD] = v;
}

// CASE shuffle_active_mask kind=sync grid=2 block=64 args=i512,z512
extern "C" __global__ void shuffle_active_mask(const int* in, int* out) {
    int v = in[THREAD];
    if (LANE < 20) {
        const unsigned mask = (1u << 20) - 1;
        v += __shfl_sync(mask, v, WRONG(LANE + 1, (LANE + 1) % 20)); // HERE
    }
    out[THREAD] = v;
}

// CASE ballot_in_loop kind=sync grid=2 block=64 args=i512,z512
extern "C" __global__ void ballot_in_loop(const int* in, int* out) {
    int count = 0;
    for (int k = 0; k < WRONG(int(LANE), 8); ++k) count += __popc(__ballot_sync(~0u, in[THREAD] > k)); // HERE
    out[THREAD] = count;
}

// CASE match_any_groups grid=2 block=64 args=s512,z64
extern "C" __global__ void match_any_groups(const int* in, int* out) {
    const int v = in[THREAD];
    const unsigned peers = __match_any_sync(~0u, v);
    const int leader = __ffs(peers) - 1;
    if (LANE == leader) atomicAdd(&out[v], __popc(peers));
    __syncwarp(peers);
}

// CASE active_mask_aggregate grid=2 block=64 args=s512,z4
extern "C" __global__ void active_mask_aggregate(const int* in, int* out) {
    if (in[THREAD] > 5) {
        const unsigned mask = __activemask();
        const int leader = __ffs(mask) - 1;
        if (LANE == leader) atomicAdd(out, __popc(mask));
    }
}

// CASE warp_scan_shared kind=race grid=2 block=64 args=i512,z512
extern "C" __global__ void warp_scan_shared(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[THREAD];
    __syncwarp();
    for (int k = 1; k < 32; k *= 2) {
        const int v = LANE >= k ? s[t - k] : 0; // HERE
        WRONG((void)0, __syncwarp());
        s[t] += v; // HERE
        __syncwarp();
    }
    out[THREAD] = s[t];
}

// CASE warp_leader_writes kind=race grid=2 block=64 args=i512,z512
extern "C" __global__ void warp_leader_writes(const int* in, int* out) {
    __shared__ int base[2];
    if (LANE == 0) base[threadIdx.x / 32] = in[THREAD]; // HERE
    WRONG((void)0, __syncwarp());
    out[THREAD] = base[threadIdx.x / 32] + LANE; // HERE
}

// CASE warp_leader_in_global kind=race grid=2 block=64 args=i512,z512
extern "C" __global__ void warp_leader_in_global(int* in, int* out) {
    if (LANE == 0) in[THREAD] = 100; // HERE
    WRONG((void)0, __syncwarp());
    out[THREAD] = in[THREAD - LANE]; // HERE
}

// CASE lanes_exchange_halves kind=race grid=2 block=32 args=z256
extern "C" __global__ void lanes_exchange_halves(int* out) {
    __shared__ int s[32];
    if (LANE < 16) s[LANE] = LANE; // HERE
    if (WRONG(LANE < 16, true)) __syncwarp(WRONG(0xffffu, ~0u));
    if (LANE >= 16) s[LANE] = s[LANE - 16]; // HERE
    __syncwarp();
    out[THREAD] = s[LANE];
}

// CASE barrier_loop_counts kind=sync grid=2 block=64 args=z512,50
extern "C" __global__ void barrier_loop_counts(int* out, int n) {
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    for (int k = threadIdx.x; k < WRONG(n + 64, 128); k += 64) {
        __syncthreads(); // HERE
        s[threadIdx.x] += k;
    }
    __syncthreads(); // HERE
    out[THREAD] = s[63 - threadIdx.x]; // ALSO
}

// CASE barrier_early_return kind=sync grid=2 block=64 args=i512,z512,100
extern "C" __global__ void barrier_early_return(const int* in, int* out, int n) {
    __shared__ int s[64];
    const int i = THREAD;
    if (WRONG(i < n, true)) {
        s[threadIdx.x] = i < n ? in[i] : 0;
        __syncthreads(); // HERE
    }
    out[i] = WRONG(i, s[63 - threadIdx.x]); // ALSO
}

// CASE barrier_2d_branch kind=sync grid=2x2 block=16x8 args=i4096,z4096,30
extern "C" __global__ void barrier_2d_branch(const int* in, int* out, int n) {
    __shared__ int tile[8][17];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x < n ? in[y * 32 + x] : 0; // ALSO
    if (WRONG(x < n, true)) __syncthreads(); // HERE
    out[y * 32 + x] = tile[7 - threadIdx.y][threadIdx.x]; // ALSO
}

// CASE barrier_in_switch kind=sync grid=2 block=64 args=z512
extern "C" __global__ void barrier_in_switch(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    switch (WRONG(threadIdx.x / 32, 0)) {
    case 0: s[threadIdx.x] += 1; __syncthreads(); break; // HERE
    case 1: s[threadIdx.x] += 2; __syncthreads(); break; // HERE
    }
    out[THREAD] = s[63 - threadIdx.x]; // ALSO
}

// CASE barrier_in_lambda kind=sync grid=2 block=64 args=z512
extern "C" __global__ void barrier_in_lambda(int* out) {
    __shared__ int s[64];
    const auto meet = [&](bool all) {
        if (all) __syncthreads(); // HERE
    };
    s[threadIdx.x] = threadIdx.x; // ALSO
    meet(WRONG(threadIdx.x != 5, true));
    out[THREAD] = s[63 - threadIdx.x]; // ALSO
}

// CASE barrier_while_change kind=sync grid=2 block=64 args=s512
extern "C" __global__ void barrier_while_change(int* a) {
    __shared__ int again;
    int v = a[THREAD];
    if (WRONG(true, false)) {
        while (v > 0) { --v; __syncthreads(); } // HERE
    } else {
        do {
            __syncthreads();
            if (threadIdx.x == 0) again = 0;
            __syncthreads();
            if (v > 0) { --v; atomicOr(&again, 1); }
            __syncthreads();
        } while (again);
    }
    a[THREAD] = v;
}

// CASE barrier_count_or_right grid=2 block=64 args=s512
extern "C" __global__ void barrier_count_or_right(int* a) {
    int v = a[THREAD];
    while (__syncthreads_or(v > 0)) v = max(0, v - 3);
    a[THREAD] = v;
}

// CASE tile_transpose kind=race grid=2x2 block=16x16 args=i4096,z4096
extern "C" __global__ void tile_transpose(const float* in, float* out) {
    __shared__ float tile[16][17];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * 32 + x]; // HERE
    WRONG((void)0, __syncthreads());
    const int tx = blockIdx.y * 16 + threadIdx.x, ty = blockIdx.x * 16 + threadIdx.y;
    out[ty * 32 + tx] = tile[threadIdx.x][threadIdx.y]; // HERE
}

// CASE tile_matmul_second_barrier kind=race grid=2x2 block=16x16 args=F4096,F4096,z4096
// CASE tile_matmul_second_barrier_wide kind=race grid=1x1 block=16x16 args=F4096,F4096,z4096
template <int N> __device__ __forceinline__ void matmul(const float* a, const float* b, float* c) {
    __shared__ float ta[16][16], tb[16][16];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < N; k += 16) {
        ta[threadIdx.y][threadIdx.x] = a[(y * N + k + threadIdx.x) & 1023]; // HERE
        tb[threadIdx.y][threadIdx.x] = b[((k + threadIdx.y) * N + x) & 1023]; // HERE
        __syncthreads();
        for (int j = 0; j < 16; ++j) sum += ta[threadIdx.y][j] * tb[j][threadIdx.x]; // HERE
        WRONG((void)0, __syncthreads());
    }
    c[(y * N + x) & 1023] = sum;
}
extern "C" __global__ void tile_matmul_second_barrier(const float* a, const float* b, float* c) { matmul<32>(a, b, c); }
extern "C" __global__ void tile_matmul_second_barrier_wide(const float* a, const float* b, float* c) { matmul<64>(a, b, c); }

// CASE histogram_shared kind=race grid=2 block=64 args=s512,z64
// CASE histogram_shared_chars kind=race grid=2 block=64 args=s512,z64
template <class T> __device__ __forceinline__ void histogram(const T* in, int* bins) {
    __shared__ int own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0; // ALSO
    __syncthreads();
    const int bin = in[THREAD] & 15;
    if (WRONG(true, false)) own[bin]++; // HERE
    else atomicAdd(&own[bin], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
extern "C" __global__ void histogram_shared(const int* in, int* bins) { histogram(in, bins); }
extern "C" __global__ void histogram_shared_chars(const unsigned char* in, int* bins) { histogram(in, bins); }

// CASE histogram_zero_late kind=race grid=2 block=64 args=s512,z64
extern "C" __global__ void histogram_zero_late(const int* in, int* bins) {
    __shared__ int own[64];
    own[threadIdx.x] = 0; // HERE
    WRONG((void)0, __syncthreads());
    atomicAdd(&own[in[THREAD] & 15], 1); // HERE
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// CASE reduce_strided kind=race grid=2 block=64 args=i512,z8
// CASE reduce_strided_double kind=race grid=2 block=64 args=F1024,z16
// CASE reduce_strided_short kind=race grid=2 block=64 args=i512,z8
template <class T> __device__ __forceinline__ void reduce(const T* in, T* out) {
    __shared__ T s[64];
    const int t = threadIdx.x;
    s[t] = in[THREAD];
    __syncthreads();
    for (int k = 1; k < 64; k *= 2) {
        if (t % (2 * k) == 0) s[t] += s[t + k]; // HERE
        WRONG((void)0, __syncthreads());
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void reduce_strided(const int* in, int* out) { reduce(in, out); }
extern "C" __global__ void reduce_strided_double(const double* in, double* out) { reduce(in, out); }
extern "C" __global__ void reduce_strided_short(const short* in, short* out) { reduce(in, out); }

// CASE bitonic_sort kind=race grid=1 block=64 args=s256
extern "C" __global__ void bitonic_sort(int* a) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    for (int k = 2; k <= 64; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            const int other = t ^ j;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) { // HERE
                const int x = s[t];
                s[t] = s[other]; // HERE
                s[other] = x; // HERE
            }
            if (WRONG(j >= 32, true)) __syncthreads();
        }
    a[t] = s[t]; // ALSO
}

// CASE double_buffer_flip kind=race grid=1 block=64 args=i256
extern "C" __global__ void double_buffer_flip(int* a) {
    __shared__ int s[2][64];
    const int t = threadIdx.x;
    s[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < 6; ++k) {
        const int from = k & 1, to = WRONG(from, 1 - from);
        s[to][t] = s[from][(t + 1) & 63] + 1; // HERE
        __syncthreads();
    }
    a[t] = s[0][t];
}

// CASE broadcast_then_reuse kind=race grid=1 block=64 args=i256
extern "C" __global__ void broadcast_then_reuse(int* a) {
    __shared__ int value;
    for (int k = 0; k < 4; ++k) {
        if (threadIdx.x == k) value = a[k] + 1; // HERE
        __syncthreads();
        a[threadIdx.x] += value; // HERE
        WRONG((void)0, __syncthreads());
    }
}

// CASE named_barrier_wrong_number kind=race grid=1 block=64 args=z256
extern "C" __global__ void named_barrier_wrong_number(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; // HERE
    asm volatile("bar.sync %0, 64;" ::"r"(1) : "memory");
    const int v = s[63 - threadIdx.x]; // HERE
    if (WRONG(true, false)) asm volatile("bar.sync %0, 32;" ::"r"(2 + int(threadIdx.x / 32)) : "memory");
    else asm volatile("bar.sync %0, 64;" ::"r"(2) : "memory");
    s[threadIdx.x] = v; // HERE
    out[threadIdx.x] = v;
}

// CASE cooperative_halves grid=1 block=64 args=z256
extern "C" __global__ void cooperative_halves(int* out) {
    __shared__ int s[64];
    const int half = threadIdx.x / 32;
    for (int k = 0; k < 3 + half; ++k) {
        s[threadIdx.x] = k;
        asm volatile("bar.sync %0, 32;" ::"r"(1 + half) : "memory");
        out[threadIdx.x] = s[half * 32 + 31 - LANE];
        asm volatile("bar.sync %0, 32;" ::"r"(1 + half) : "memory");
    }
}

// CASE whole_warps_return grid=2 block=96 args=i1024,z1024,100
extern "C" __global__ void whole_warps_return(const int* in, int* out, int n) {
    const int i = THREAD;
    if (i >= n) return;
    __shared__ int s[96];
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[threadIdx.x ^ 1];
}
