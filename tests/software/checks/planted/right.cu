// SPDX-License-Identifier: Apache-2.0
// Programs without a mistake, of the kinds that checks may take for one.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS (gridDim.x * blockDim.x)
#define LANE (threadIdx.x % 32)

// CASE atomic_double_by_cas grid=2 block=64 args=z8,F512
__device__ __forceinline__ double add_by_cas(double* at, double v) {
    unsigned long long* const bits = (unsigned long long*)at;
    unsigned long long old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(v + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}
extern "C" __global__ void atomic_double_by_cas(double* sum, float* out) { out[THREAD] = float(add_by_cas(sum, 1.)); }

// CASE atomic_float_max_by_cas grid=2 block=64 args=z4,F512
extern "C" __global__ void atomic_float_max_by_cas(float* most, const float* in) {
    int* const bits = (int*)most;
    int old = *bits;
    while (__int_as_float(old) < in[THREAD]) {
        const int seen = old;
        old = atomicCAS(bits, seen, __float_as_int(in[THREAD]));
        if (old == seen) break;
    }
}

// CASE atomic_short_by_cas grid=2 block=64 args=z512
extern "C" __global__ void atomic_short_by_cas(unsigned* words) {
    unsigned* const at = &words[THREAD / 2];
    const unsigned shift = THREAD % 2 * 16;
    unsigned old = *at, seen;
    do {
        seen = old;
        const unsigned half = ((seen >> shift) + 1) & 0xffff;
        old = atomicCAS(at, seen, (seen & ~(0xffffu << shift)) | half << shift);
    } while (old != seen);
}

// CASE test_and_test_and_set grid=4 block=32 args=z4,z4
extern "C" __global__ void test_and_test_and_set(int* lock, int* value) {
    if (threadIdx.x) return;
    do {
        while (*(volatile int*)lock) {}
    } while (atomicCAS(lock, 0, 1));
    __threadfence();
    *value += 1;
    __threadfence();
    atomicExch(lock, 0);
}

// CASE visited_first_look grid=4 block=32 args=z400,z400,z4
extern "C" __global__ void visited_first_look(int* visited, int* list, int* size) {
    const int v = THREAD * 7 % 40;
    if (visited[v] == 0 && atomicExch(&visited[v], 1) == 0) list[atomicAdd(size, 1)] = v;
}

// CASE shared_first_look grid=2 block=64 args=s512,z8
extern "C" __global__ void shared_first_look(const int* in, int* out) {
    __shared__ int most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    if (in[THREAD] > most) atomicMax(&most, in[THREAD]);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = most;
}

// CASE sum_of_bytes grid=2 block=64 args=i128,z512
extern "C" __global__ void sum_of_bytes(unsigned char* bytes, int* out) {
    bytes[THREAD] += 1;
    out[THREAD] = bytes[THREAD];
}

// CASE struct_members grid=2 block=64 args=z1024
struct Pair { short first; char second, third; int last; };
extern "C" __global__ void struct_members(Pair* all) {
    const int k = THREAD / 4;
    switch (threadIdx.x % 4) {
    case 0: all[k].first = 1; break;
    case 1: all[k].second = 2; break;
    case 2: all[k].third = 3; break;
    case 3: all[k].last = 4; break;
    }
}

// CASE scan_blelloch grid=2 block=64 args=i1024,z1024
extern "C" __global__ void scan_blelloch(const int* in, int* out) {
    __shared__ int s[128];
    const int t = threadIdx.x, base = blockIdx.x * 128;
    s[2 * t] = in[base + 2 * t];
    s[2 * t + 1] = in[base + 2 * t + 1];
    int offset = 1;
    for (int d = 64; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, x = s[a];
            s[a] = s[b];
            s[b] += x;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}

// CASE reduce_last_warp_volatile grid=2 block=64 args=i512,z8
extern "C" __global__ void reduce_last_warp_volatile(const int* in, int* out) {
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = in[THREAD];
    __syncthreads();
    if (t < 32) {
        for (int k = 32; k > 0; k /= 2) {
            const int v = t < k ? s[t + k] : 0;
            __syncwarp();
            s[t] = s[t] + v;
            __syncwarp();
        }
        if (t == 0) out[blockIdx.x] = s[0];
    }
}

// CASE radix_digit_ranks grid=2 block=64 args=s512,z512
extern "C" __global__ void radix_digit_ranks(const int* in, int* out) {
    __shared__ int counts[2][4], starts[4];
    const int warp = threadIdx.x / 32, digit = in[THREAD] & 3;
    int rank = 0;
    for (int d = 0; d < 4; ++d) {
        const unsigned votes = __ballot_sync(~0u, digit == d);
        if (digit == d) rank = __popc(votes & ((1u << LANE) - 1));
        if (LANE == 0) counts[warp][d] = __popc(votes);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int d = 0; d < 4; ++d) { starts[d] = sum; sum += counts[0][d] + counts[1][d]; }
    }
    __syncthreads();
    out[blockIdx.x * 64 + starts[digit] + (warp ? counts[0][digit] : 0) + rank] = in[THREAD];
}

// CASE warp_aggregated_filter grid=2 block=64 args=s512,z4,z512
extern "C" __global__ void warp_aggregated_filter(const int* in, int* size, int* out) {
    const bool take = in[THREAD] % 3 == 0;
    const unsigned votes = __ballot_sync(~0u, take);
    int base = 0;
    if (LANE == 0) base = atomicAdd(size, __popc(votes));
    base = __shfl_sync(~0u, base, 0);
    if (take) out[base + __popc(votes & ((1u << LANE) - 1))] = in[THREAD];
}

// CASE decoupled_lookback_words grid=4 block=64 args=i1024,z32,z1024
extern "C" __global__ void decoupled_lookback_words(const int* in, unsigned long long* state, int* out) {
    __shared__ int base, total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, in[THREAD] & 3);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicExch(&state[blockIdx.x], 1ull << 32 | unsigned(total));
        int sum = 0;
        for (int b = int(blockIdx.x) - 1; b >= 0; --b) {
            unsigned long long word;
            while (((word = *(volatile unsigned long long*)&state[b]) >> 32) == 0) {}
            sum += int(word);
        }
        base = sum;
    }
    __syncthreads();
    out[THREAD] = base;
}

// CASE last_block_cleans_up grid=4 block=64 args=i1024,z16,z4,z4
extern "C" __global__ void last_block_cleans_up(const int* in, int* part, unsigned* count, int* out) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[THREAD]);
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < 32) {
        int v = threadIdx.x < gridDim.x ? *(volatile int*)&part[threadIdx.x] : 0;
        for (int k = 16; k; k /= 2) v += __shfl_xor_sync(~0u, v, k);
        if (threadIdx.x == 0) *out = v;
    }
}

// CASE grid_stride_2d grid=2x2 block=8x8 args=i4000,z4000,37,27
extern "C" __global__ void grid_stride_2d(const int* in, int* out, int width, int height) {
    for (int y = blockIdx.y * 8 + threadIdx.y; y < height; y += gridDim.y * 8)
        for (int x = blockIdx.x * 8 + threadIdx.x; x < width; x += gridDim.x * 8)
            out[y * width + x] = in[y * width + x] + 1;
}

// CASE padded_struct_output grid=1 block=32 args=u512
struct Padded { char tag; double value; };
extern "C" __global__ void padded_struct_output(Padded* all) {
    Padded p;
    p.tag = 'a';
    p.value = threadIdx.x;
    all[threadIdx.x] = p;
}

// CASE partly_used_local grid=1 block=32 args=s128,z128
extern "C" __global__ void partly_used_local(const int* in, int* out) {
    int stack[16];
    int top = 0;
    stack[top++] = in[threadIdx.x];
    int sum = 0;
    while (top) {
        const int v = stack[--top];
        sum += v;
        if (v > 1 && top < 14) { stack[top++] = v / 2; stack[top++] = v / 3; }
    }
    out[threadIdx.x] = sum;
}

// CASE shared_partly_written grid=1 block=50 args=i200,z4
extern "C" __global__ void shared_partly_written(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k && t + k < 50) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

// CASE heap_list_of_block grid=2 block=32 args=z128
struct Link { int value; Link* next; };
extern "C" __global__ void heap_list_of_block(int* out) {
    __shared__ Link* head;
    __shared__ int lock;
    if (threadIdx.x == 0) { head = nullptr; lock = 0; }
    __syncthreads();
    Link* const mine = (Link*)malloc(sizeof(Link));
    mine->value = threadIdx.x;
    bool done = false;
    while (!done)
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            mine->next = head;
            head = mine;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        while (head) {
            Link* const next = head->next;
            sum += head->value;
            free(head);
            head = next;
        }
        out[blockIdx.x] = sum;
    }
}

// CASE block_flag_in_shared grid=2 block=64 args=z8
extern "C" __global__ void block_flag_in_shared(int* out) {
    __shared__ int data;
    __shared__ int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        data = blockIdx.x + 7;
        __threadfence_block();
        atomicExch(&ready, 1);
    }
    if (threadIdx.x == 0) {
        while (atomicAdd(&ready, 0) == 0) {}
        __threadfence_block();
        out[blockIdx.x] = data;
    }
}

// CASE two_phase_barrier_reuse grid=2 block=64 args=i512,z512
extern "C" __global__ void two_phase_barrier_reuse(const int* in, int* out) {
    __shared__ int s[64];
    int v = in[THREAD];
    for (int k = 0; k < 4; ++k) {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + 1) % 64];
        __syncthreads();
    }
    out[THREAD] = v;
}

// CASE spin_on_own_block_and_others grid=4 block=64 args=z16,z1024
extern "C" __global__ void spin_on_own_block_and_others(int* flags, int* data) {
    data[THREAD] = THREAD;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0) {
            while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0) {}
            __threadfence();
        }
        __syncthreads();
        atomicAdd(&data[THREAD], 1);
    }
}

// CASE int_min_over_minus_one_not_taken grid=1 block=32 args=i128,z128
extern "C" __global__ void int_min_over_minus_one_not_taken(const int* in, int* out) {
    const int d = in[threadIdx.x] - 16;
    out[threadIdx.x] = d ? 100 / d : 0;
}

// CASE pointer_walk_to_end grid=1 block=32 args=i400,z4,100
extern "C" __global__ void pointer_walk_to_end(const int* in, int* out, int n) {
    int sum = 0;
    for (const int* p = in + threadIdx.x; p < in + n; p += 32) sum += *p;
    atomicAdd(out, sum);
}

// CASE vector_and_scalar_tail grid=1 block=32 args=F412,z412,103
extern "C" __global__ void vector_and_scalar_tail(const float* in, float* out, int n) {
    for (int k = threadIdx.x; k < n / 4; k += 32) ((float4*)out)[k] = ((const float4*)in)[k];
    for (int k = n / 4 * 4 + threadIdx.x; k < n; k += 32) out[k] = in[k];
}
