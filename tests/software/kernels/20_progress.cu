// SPDX-License-Identifier: Apache-2.0
// Threads that wait for each other: of a warp, of a block, of other blocks.

// Every lane takes a lock that its neighbours want as well.
__device__ int lock_word, locked_sum;
extern "C" __global__ void lock_of_lanes(int rounds) {
    for (int k = 0; k < rounds; ++k) {
        while (atomicCAS(&lock_word, 0, 1) != 0) {
        }
        __threadfence();
        volatile int* sum = &locked_sum;
        *sum = *sum + 1;
        __threadfence();
        atomicExch(&lock_word, 0);
    }
}

// The same, written so that it also ends where a warp has one program counter.
extern "C" __global__ void lock_of_lanes_with_flag(int rounds) {
    for (int k = 0; k < rounds; ++k) {
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock_word, 0, 1) == 0) {
                volatile int* sum = &locked_sum;
                *sum = *sum + 1;
                __threadfence();
                atomicExch(&lock_word, 0);
                done = true;
            }
        }
    }
}

// Tickets: served in the order in which they were drawn.
__device__ unsigned next_ticket, now_serving;
extern "C" __global__ void tickets(int rounds) {
    for (int k = 0; k < rounds; ++k) {
        const unsigned mine = atomicAdd(&next_ticket, 1);
        while (atomicAdd(&now_serving, 0) != mine) {
        }
        volatile int* sum = &locked_sum;
        *sum = *sum + 1;
        __threadfence();
        atomicAdd(&now_serving, 1);
    }
}

// A token goes from the last lane to the first, and on to the next warp.
extern "C" __global__ void token(int* out) {
    __shared__ volatile int turn;
    if (threadIdx.x == 0) turn = blockDim.x - 1;
    __syncthreads();
    while (turn != (int)threadIdx.x) {
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = blockDim.x - threadIdx.x;
    __threadfence_block();
    turn = (int)threadIdx.x - 1;
}

// One warp makes, the others use: a queue of one place in shared memory.
extern "C" __global__ void producer(int* out, int items) {
    __shared__ volatile int item, full;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, consumers = blockDim.x / 32 - 1;
    if (warp == 0) {
        if (lane == 0)
            for (int k = 0; k < items * consumers; ++k) {
                while (full) {
                }
                item = k;
                __threadfence_block();
                full = 1 + k % consumers;
            }
    } else {
        int sum = 0;
        for (int k = 0; k < items; ++k) {
            if (lane == 0) {
                while (full != warp) {
                }
                sum += item;
                __threadfence_block();
                full = 0;
            }
            sum = __shfl_sync(0xffffffff, sum, 0);
        }
        if (lane == 0) out[blockIdx.x * consumers + warp - 1] = sum;
    }
}

// The same with barriers of two warps, by name.
extern "C" __global__ void producer_of_named_barriers(int* out, int items) {
    __shared__ int item[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int sum = 0;
    for (int k = 0; k < items; ++k) {
        if (warp == 0) {
            item[lane] = k * lane;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += item[lane];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
    if (warp == 1) out[blockIdx.x * 32 + lane] = sum;
}

// A sum over blocks in one pass: a block waits for those before it, in the order in which they began, a warp looking at
// 32 of them at once.
__device__ unsigned begun;
extern "C" __global__ void look_back(const int* in, int* out, volatile int* state, volatile int* value) {
    __shared__ int number, before;
    if (threadIdx.x == 0) number = atomicAdd(&begun, 1);
    __syncthreads();
    const int block = number;
    const int mine = in[block * blockDim.x + threadIdx.x];
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x < 32) {
        const int lane = threadIdx.x;
        if (lane == 0) {
            value[2 * block] = total;
            __threadfence();
            state[block] = 1;
        }
        int sum = 0, at = block - 1 - lane;
        for (;;) {
            int s;
            do {
                s = at >= 0 ? state[at] : 2;
            } while (__any_sync(0xffffffff, s == 0));
            __threadfence();
            const unsigned whole = __ballot_sync(0xffffffff, s == 2);
            const int last = whole ? __ffs(whole) - 1 : 31;
            int part = lane <= last && at >= 0 ? value[2 * at + (s == 2)] : 0;
            for (int d = 16; d; d /= 2)
                part += __shfl_xor_sync(0xffffffff, part, d);
            sum += part;
            if (whole) break;
            at -= 32;
        }
        if (lane == 0) {
            value[2 * block + 1] = sum + total;
            __threadfence();
            state[block] = 2;
            before = sum;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) out[block] = before + total;
}

// Blocks that are all there at once wait for all, also for those that come later.
extern "C" __global__ void meeting(unsigned* arrived, int rounds) {
    for (int k = 1; k <= rounds; ++k) {
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(arrived, 1);
            while (atomicAdd(arrived, 0) < k * gridDim.x) {
            }
        }
        __syncthreads();
    }
}

// Each block waits for the one behind it.
extern "C" __global__ void backwards(volatile int* flag) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (flag[blockIdx.x + 1] == 0) {
            }
        flag[blockIdx.x] = 1;
    }
}
