// SPDX-License-Identifier: Apache-2.0
// Scopes of atomic operations, locks, the last block, queues and barriers of the grid.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define LEADER (threadIdx.x == 0)

// CASE atomic_block_counter kind=race grid=4 block=64 args=z4
extern "C" __global__ void atomic_block_counter(int* count) {
    WRONG(atomicAdd_block(count, 1), atomicAdd(count, 1)); // HERE
}

// CASE atomic_block_max_mixed kind=race grid=4 block=64 args=z4
extern "C" __global__ void atomic_block_max_mixed(int* most) {
    if (blockIdx.x == 0) WRONG(atomicMax_block(most, int(threadIdx.x)), atomicMax(most, int(threadIdx.x))); // HERE
    else atomicMax(most, int(THREAD)); // ALSO
}

// CASE atomic_block_cas_lock kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void atomic_block_cas_lock(int* lock, int* value) {
    if (LEADER) {
        while ((WRONG(atomicCAS_block(lock, 0, 1), atomicCAS(lock, 0, 1))) != 0) {} // HERE
        __threadfence();
        *value += blockIdx.x; // ALSO
        __threadfence();
        WRONG(atomicExch_block(lock, 0), atomicExch(lock, 0)); // HERE
    }
}

// CASE atomic_block_own_element grid=4 block=64 args=z16
extern "C" __global__ void atomic_block_own_element(int* count) { atomicAdd_block(&count[blockIdx.x], 1); }

// CASE atomic_system_right grid=4 block=64 args=z4
extern "C" __global__ void atomic_system_right(int* count) {
    if (blockIdx.x % 2) atomicAdd_system(count, 1);
    else atomicAdd(count, 1);
}

// CASE lock_no_acquire_fence kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void lock_no_acquire_fence(int* lock, int* value) {
    if (LEADER) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        WRONG((void)0, __threadfence());
        *value += blockIdx.x; // HERE
        __threadfence();
        atomicExch(lock, 0);
    }
}

// CASE lock_no_release_fence kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void lock_no_release_fence(int* lock, int* value) {
    if (LEADER) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        *value += blockIdx.x; // HERE
        WRONG((void)0, __threadfence());
        atomicExch(lock, 0);
    }
}

// CASE lock_block_fence kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void lock_block_fence(int* lock, int* value) {
    if (LEADER) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        WRONG(__threadfence_block(), __threadfence());
        *value += blockIdx.x; // HERE
        WRONG(__threadfence_block(), __threadfence());
        atomicExch(lock, 0);
    }
}

// CASE lock_released_by_store kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void lock_released_by_store(int* lock, int* value) {
    if (LEADER) {
        while (atomicCAS(lock, 0, 1) != 0) {} // HERE
        __threadfence();
        *value += blockIdx.x; // ALSO
        __threadfence();
        if (WRONG(true, false)) *lock = 0; // HERE
        else *(volatile int*)lock = 0;
    }
}

// CASE lock_outside kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void lock_outside(int* lock, int* value) {
    if (LEADER) {
        if (WRONG(true, false)) *value += 1; // HERE
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        *value += blockIdx.x; // HERE
        __threadfence();
        atomicExch(lock, 0);
    }
}

// CASE two_locks kind=race grid=4 block=32 args=z8,z4
extern "C" __global__ void two_locks(int* locks, int* value) {
    if (LEADER) {
        int* const lock = &locks[WRONG(blockIdx.x & 1, 0)];
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        *value += blockIdx.x; // HERE
        __threadfence();
        atomicExch(lock, 0);
    }
}

// CASE lock_per_lane kind=race grid=2 block=64 args=z64,z64
extern "C" __global__ void lock_per_lane(int* locks, int* value) {
    const int k = threadIdx.x & 15;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[k], 0, 1) == 0) {
            __threadfence();
            value[k] += 1; // HERE
            WRONG((void)0, __threadfence());
            atomicExch(&locks[k], 0);
            done = true;
        }
    }
}

// CASE ticket_lock kind=race grid=4 block=32 args=z4,z4,z4
extern "C" __global__ void ticket_lock(int* next, int* serving, int* value) {
    if (LEADER) {
        const int mine = atomicAdd(next, 1);
        while (*(volatile int*)serving != mine) {}
        WRONG((void)0, __threadfence());
        *value += mine; // HERE
        __threadfence();
        *(volatile int*)serving = mine + 1;
    }
}

// CASE ticket_lock_serving kind=race grid=4 block=32 args=z4,z4,z4
extern "C" __global__ void ticket_lock_serving(int* next, int* serving, int* value) {
    if (LEADER) {
        const int mine = atomicAdd(next, 1);
        while (atomicAdd(serving, 0) != mine) {} // HERE
        __threadfence();
        *value += mine; // ALSO
        __threadfence();
        WRONG(*serving += 1, atomicAdd(serving, 1)); // HERE
    }
}

// CASE last_block_no_fence kind=race grid=4 block=64 args=F1024,z16,z4,z4
extern "C" __global__ void last_block_no_fence(const float* in, float* part, unsigned* count, float* out) {
    __shared__ float sums[64];
    __shared__ bool last;
    sums[threadIdx.x] = in[THREAD];
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (threadIdx.x < k) sums[threadIdx.x] += sums[threadIdx.x + k];
        __syncthreads();
    }
    if (LEADER) {
        part[blockIdx.x] = sums[0]; // HERE
        WRONG((void)0, __threadfence());
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && LEADER) {
        float sum = 0;
        for (int k = 0; k < gridDim.x; ++k) sum += part[k]; // HERE
        *out = sum;
    }
}

// CASE last_block_flag_no_barrier kind=race grid=4 block=64 args=z1024,z16,z4
extern "C" __global__ void last_block_flag_no_barrier(int* out, int* part, unsigned* count) {
    __shared__ bool last;
    if (LEADER) {
        part[blockIdx.x] = 3;
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1; // HERE
    }
    WRONG((void)0, __syncthreads());
    if (last) out[threadIdx.x] = *(volatile int*)&part[threadIdx.x & 3]; // HERE
}

// CASE last_block_not_leader kind=race grid=4 block=64 args=i1024,z16,z4
extern "C" __global__ void last_block_not_leader(int* out, int* part, unsigned* count) {
    __shared__ bool last;
    if (threadIdx.x == 40) part[blockIdx.x] = out[0]; // HERE
    __threadfence();
    WRONG((void)0, __syncthreads());
    if (LEADER) last = atomicAdd(count, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && LEADER) {
        int sum = 0;
        for (int k = 0; k < gridDim.x; ++k) sum += part[k]; // HERE
        out[255] = sum;
    }
}

// CASE ring_producer_consumer kind=race grid=2 block=32 args=z16,z4,z4,z128
extern "C" __global__ void ring_producer_consumer(int* ring, int* head, int* tail, int* out) {
    if (!LEADER) return;
    volatile int *const h = head, *const t = tail;
    for (int k = 0; k < 20; ++k) {
        if (blockIdx.x == 0) {
            while (k - *t >= 4) {}
            __threadfence();
            ring[k & 3] = k; // HERE
            WRONG((void)0, __threadfence());
            *h = k + 1;
        } else {
            while (*h <= k) {}
            __threadfence();
            out[k] = ring[k & 3]; // HERE
            __threadfence();
            *t = k + 1;
        }
    }
}

// CASE ring_consumer_no_fence kind=race grid=2 block=32 args=z16,z4,z4,z128
extern "C" __global__ void ring_consumer_no_fence(int* ring, int* head, int* tail, int* out) {
    if (!LEADER) return;
    volatile int *const h = head, *const t = tail;
    for (int k = 0; k < 20; ++k) {
        if (blockIdx.x == 0) {
            while (k - *t >= 4) {}
            __threadfence();
            ring[k & 3] = k; // HERE
            __threadfence();
            *h = k + 1;
        } else {
            while (*h <= k) {}
            __threadfence();
            out[k] = ring[k & 3]; // HERE
            WRONG((void)0, __threadfence());
            *t = k + 1;
        }
    }
}

// CASE lookback_scan kind=race grid=4 block=64 args=i1024,z16,z16,z1024
extern "C" __global__ void lookback_scan(const int* in, int* total, int* state, int* out) {
    __shared__ int base, sums[64];
    sums[threadIdx.x] = in[THREAD];
    __syncthreads();
    for (int k = 1; k < 64; k *= 2) {
        const int v = threadIdx.x >= k ? sums[threadIdx.x - k] : 0;
        __syncthreads();
        sums[threadIdx.x] += v;
        __syncthreads();
    }
    if (LEADER) {
        int before = 0;
        if (blockIdx.x > 0) {
            while (*(volatile int*)&state[blockIdx.x - 1] == 0) {}
            __threadfence();
            before = total[blockIdx.x - 1]; // HERE
        }
        base = before;
        total[blockIdx.x] = before + sums[63]; // HERE
        WRONG((void)0, __threadfence());
        *(volatile int*)&state[blockIdx.x] = 1;
    }
    __syncthreads();
    out[THREAD] = base + sums[threadIdx.x];
}

// CASE lookback_base_no_barrier kind=race grid=4 block=64 args=z16,z16,z1024
extern "C" __global__ void lookback_base_no_barrier(int* total, int* state, int* out) {
    __shared__ int base;
    if (LEADER) {
        int before = 0;
        if (blockIdx.x > 0) {
            while (atomicAdd(&state[blockIdx.x - 1], 0) == 0) {}
            __threadfence();
            before = total[blockIdx.x - 1];
        }
        base = before; // HERE
        total[blockIdx.x] = before + 64;
        __threadfence();
        atomicExch(&state[blockIdx.x], 1);
    }
    WRONG((void)0, __syncthreads());
    out[THREAD] = base + threadIdx.x; // HERE
}

// CASE double_checked kind=race grid=4 block=32 args=z4,z4,z4,z16
extern "C" __global__ void double_checked(int* ready, int* lock, int* table, int* out) {
    if (!LEADER) return;
    if (*(volatile int*)ready == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        if (*(volatile int*)ready == 0) {
            *table = 5; // HERE
            WRONG((void)0, __threadfence());
            *(volatile int*)ready = 1;
        }
        __threadfence();
        atomicExch(lock, 0);
    }
    __threadfence();
    out[blockIdx.x] = *table; // HERE
}

// CASE double_checked_no_acquire kind=race grid=4 block=32 args=z4,z4,z4,z16
extern "C" __global__ void double_checked_no_acquire(int* ready, int* lock, int* table, int* out) {
    if (!LEADER) return;
    if (*(volatile int*)ready == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        if (*(volatile int*)ready == 0) {
            *table = 5; // HERE
            __threadfence();
            *(volatile int*)ready = 1;
        }
        __threadfence();
        atomicExch(lock, 0);
    }
    WRONG((void)0, __threadfence());
    out[blockIdx.x] = *table; // HERE
}

// CASE grid_barrier_no_fence kind=race grid=4 block=64 cooperative args=z1024,z1024,z4
extern "C" __global__ void grid_barrier_no_fence(int* a, int* b, int* count) {
    a[THREAD] = THREAD; // HERE
    WRONG((void)0, __threadfence());
    __syncthreads();
    if (LEADER) {
        atomicAdd(count, 1);
        while (*(volatile int*)count < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();
    b[THREAD] = a[(THREAD + 64) & 255]; // HERE
}

// CASE grid_barrier_no_barrier_behind kind=race grid=4 block=64 cooperative args=z1024,z1024,z4
extern "C" __global__ void grid_barrier_no_barrier_behind(int* a, int* b, int* count) {
    a[THREAD] = THREAD; // HERE
    __syncthreads();
    if (LEADER) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile int*)count < gridDim.x) {}
        __threadfence();
    }
    WRONG((void)0, __syncthreads());
    b[THREAD] = a[(THREAD + 64) & 255]; // HERE
}

// CASE grid_barrier_used_twice kind=race grid=4 block=64 cooperative args=z1024,z1024,z4
__device__ __forceinline__ void grid_barrier(int* count, int goal) {
    __syncthreads();
    if (LEADER) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile int*)count < goal) {}
        __threadfence();
    }
    __syncthreads();
}
extern "C" __global__ void grid_barrier_used_twice(int* a, int* b, int* count) {
    a[THREAD] = THREAD;
    grid_barrier(count, gridDim.x);
    b[THREAD] = a[(THREAD + 64) & 255]; // HERE
    grid_barrier(count, gridDim.x * WRONG(1, 2));
    a[THREAD] = b[THREAD] + 1; // HERE
}

// CASE deque_steal kind=race grid=2 block=32 args=i64,z4,z256
extern "C" __global__ void deque_steal(int* tasks, int* top, int* out) {
    if (!LEADER) return;
    for (int k = 0; k < 8; ++k) {
        int mine;
        if (WRONG(true, false)) {
            mine = *(volatile int*)top; // ALSO
            *top = mine + 1; // HERE
        } else {
            mine = atomicAdd(top, 1);
        }
        if (mine < 16) atomicAdd(&out[mine], tasks[mine]);
    }
}

// CASE deque_push_pop kind=race grid=2 block=32 args=z64,z4,z4
extern "C" __global__ void deque_push_pop(int* tasks, int* bottom, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        tasks[0] = 9; // HERE
        WRONG((void)0, __threadfence());
        atomicAdd(bottom, 1);
    } else if (atomicAdd(bottom, 0) == 1) {
        __threadfence();
        *out = tasks[0]; // HERE
    } else {
        while (atomicAdd(bottom, 0) == 0) {}
        __threadfence();
        *out = tasks[0] + 1; // HERE
    }
}

// CASE stack_push kind=race grid=2 block=32 args=m4,z1024,i1024
extern "C" __global__ void stack_push(int* head, int* next, int* value) {
    const int mine = THREAD;
    int old = *(volatile int*)head; // ALSO
    if (WRONG(true, false)) {
        next[mine] = old;
        *head = mine; // HERE
    } else {
        int seen;
        do {
            seen = old;
            next[mine] = seen;
            __threadfence();
            old = atomicCAS(head, seen, mine);
        } while (old != seen);
    }
}

// CASE packed_bytes grid=2 block=32 args=z256
extern "C" __global__ void packed_bytes(unsigned char* bytes) { bytes[THREAD] = THREAD; }

// CASE packed_bits kind=race grid=2 block=32 args=z8
extern "C" __global__ void packed_bits(unsigned* bits) {
    const unsigned bit = 1u << (THREAD & 31);
    WRONG(bits[THREAD / 32 & 1 & blockIdx.x] |= bit, atomicOr(&bits[THREAD / 32 & 1 & blockIdx.x], bit)); // HERE
}

// CASE float_flag_volatile_sum kind=race grid=2 block=32 args=z4
extern "C" __global__ void float_flag_volatile_sum(float* sum) {
    if (WRONG(true, false)) *sum = *(volatile float*)sum + 1.f; // HERE
    else atomicAdd(sum, 1.f);
}

// CASE store_buffering kind=race grid=2 block=32 args=z8,z8
extern "C" __global__ void store_buffering(int* x, int* seen) {
    if (!LEADER) return;
    const int mine = blockIdx.x;
    if (WRONG(true, false)) x[mine] = 1; // HERE
    else *(volatile int*)&x[mine] = 1;
    __threadfence();
    seen[mine] = *(volatile int*)&x[1 - mine]; // HERE
}

// CASE volatile_counter kind=race grid=4 block=64 args=z4
extern "C" __global__ void volatile_counter(int* count) {
    volatile int* const c = count;
    if (WRONG(true, false)) *c = *c + 1; // HERE
    else atomicAdd(count, 1);
}

// CASE volatile_histogram kind=race grid=2 block=64 args=s512,z64
extern "C" __global__ void volatile_histogram(const int* in, int* bins) {
    volatile int* const b = bins;
    if (WRONG(true, false)) b[in[THREAD] & 15] += 1; // HERE
    else atomicAdd(&bins[in[THREAD] & 15], 1);
}

// CASE volatile_sum_of_leaders kind=race grid=4 block=64 args=i1024,z4
extern "C" __global__ void volatile_sum_of_leaders(const float* in, float* sum) {
    volatile float* const s = sum;
    if (LEADER) {
        if (WRONG(true, false)) s[0] += in[blockIdx.x * 64]; // HERE
        else atomicAdd(sum, in[blockIdx.x * 64]);
    }
}

// CASE volatile_head_of_one_producer grid=2 block=32 args=z16,z4,z64
extern "C" __global__ void volatile_head_of_one_producer(int* data, int* head, int* out) {
    if (!LEADER) return;
    volatile int* const h = head;
    for (int k = 0; k < 4; ++k) {
        if (blockIdx.x == 0) {
            data[k] = k;
            __threadfence();
            *h = *h + 1;
        } else {
            while (*h <= k) {}
            __threadfence();
            out[k] = data[k];
        }
    }
}

// CASE volatile_serving_of_the_holder grid=4 block=32 args=z4,z4,z4
extern "C" __global__ void volatile_serving_of_the_holder(int* next, int* serving, int* value) {
    if (!LEADER) return;
    volatile int* const s = serving;
    const int mine = atomicAdd(next, 1);
    while (*s != mine) {}
    __threadfence();
    *value += 1;
    __threadfence();
    *s = *s + 1;
}

// CASE slot_read_then_counted kind=race grid=2 block=64 args=z4,z1024
extern "C" __global__ void slot_read_then_counted(int* size, int* list) {
    if (threadIdx.x % 3) return;
    int at;
    if (WRONG(true, false)) {
        at = *size; // HERE
        atomicAdd(size, 1); // HERE
    } else {
        at = atomicAdd(size, 1);
    }
    list[at] = THREAD; // ALSO
}

// CASE checked_then_exchanged kind=race grid=2 block=64 args=z400,z4
extern "C" __global__ void checked_then_exchanged(int* visited, int* count) {
    const int v = THREAD % 50;
    if (WRONG(true, false)) {
        if (visited[v] == 0) { // HERE
            atomicExch(&visited[v], 1); // HERE
            atomicAdd(count, 1);
        }
    } else if (atomicExch(&visited[v], 1) == 0) {
        atomicAdd(count, 1);
    }
}

// CASE limited_counter kind=race grid=2 block=64 args=z4
extern "C" __global__ void limited_counter(int* count) {
    if (WRONG(true, false)) {
        if (*count < 20) atomicAdd(count, 1); // HERE
    } else if (atomicAdd(count, 1) >= 20) {
        atomicSub(count, 1);
    }
}
