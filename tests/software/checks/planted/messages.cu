// SPDX-License-Identifier: Apache-2.0
// Data of one block that a flag tells another of.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define LEADER (threadIdx.x == 0)

// CASE message_no_fence kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void message_no_fence(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 42; // HERE
        WRONG((void)0, __threadfence());
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = *data; // HERE
    }
}

// CASE message_fence_behind kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void message_fence_behind(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 42; // HERE
        if (WRONG(false, true)) __threadfence();
        atomicExch(flag, 1);
        if (WRONG(true, false)) __threadfence();
    } else {
        while (atomicAdd(flag, 0) == 0) {}
        __threadfence();
        *out = *data; // HERE
    }
}

// CASE message_flag_first kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void message_flag_first(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        if (WRONG(true, false)) {
            *(volatile int*)flag = 1;
            __threadfence();
            *data = 42; // HERE
        } else {
            *data = 42;
            __threadfence();
            *(volatile int*)flag = 1;
        }
    } else {
        while (*(volatile int*)flag == 0) {}
        __threadfence();
        *out = *data; // HERE
    }
}

// CASE message_plain_flag kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void message_plain_flag(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 42; // ALSO
        __threadfence();
        if (WRONG(true, false)) *flag = 1; // HERE
        else atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) == 0) {} // HERE
        __threadfence();
        *out = *data; // ALSO
    }
}

// CASE ptx_release_cta kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ptx_release_cta(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 42; // HERE
        if (WRONG(true, false)) asm volatile("st.release.cta.global.s32 [%0], 1;" ::"l"(flag) : "memory"); // HERE
        else asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int seen = 0;
        while (!seen) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); // HERE
        *out = *data; // HERE
    }
}

// CASE ptx_acquire_cta kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ptx_acquire_cta(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 42; // ALSO
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory"); // HERE
    } else {
        int seen = 0;
        while (!seen) {
            if (WRONG(true, false)) asm volatile("ld.acquire.cta.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); // HERE
            else asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        }
        *out = *data; // ALSO
    }
}

// CASE ptx_relaxed_flag kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ptx_relaxed_flag(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 42; // HERE
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int seen = 0;
        while (!seen) {
            if (WRONG(true, false)) asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
            else asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        }
        *out = *data; // HERE
    }
}

// CASE ptx_red_release kind=race grid=3 block=32 args=z16,z4,z4
extern "C" __global__ void ptx_red_release(int* data, int* count, int* out) {
    if (!LEADER) return;
    if (blockIdx.x < 2) {
        data[blockIdx.x] = 42; // HERE
        if (WRONG(true, false)) asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(count) : "memory");
        else asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(count) : "memory");
    } else {
        int seen = 0;
        while (seen < 2) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(count) : "memory");
        *out = data[0] + data[1]; // HERE
    }
}

// CASE ptx_acq_rel_chain kind=race grid=3 block=32 args=z16,z8,z4
extern "C" __global__ void ptx_acq_rel_chain(int* data, int* flags, int* out) {
    if (!LEADER) return;
    int seen = 0;
    if (blockIdx.x == 0) {
        data[0] = 42; // HERE
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flags) : "memory");
    } else if (blockIdx.x == 1) {
        while (!seen) {
            if (WRONG(true, false)) asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flags) : "memory");
            else asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flags) : "memory");
        }
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flags + 1) : "memory");
    } else {
        while (!seen) asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flags + 1) : "memory");
        *out = data[0]; // HERE
    }
}

// CASE ptx_fence_cta kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ptx_fence_cta(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 42; // HERE
        if (WRONG(true, false)) asm volatile("fence.acq_rel.cta;" ::: "memory");
        else asm volatile("fence.acq_rel.gpu;" ::: "memory");
        asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int seen = 0;
        while (!seen) asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        *out = *data; // HERE
    }
}

// CASE block_message_block_fence grid=2 block=64 args=z16,z16,z16
extern "C" __global__ void block_message_block_fence(int* data, int* flag, int* out) {
    if (threadIdx.x == 32) {
        data[blockIdx.x] = 42;
        __threadfence_block();
        *(volatile int*)&flag[blockIdx.x] = 1;
    } else if (threadIdx.x == 0) {
        while (*(volatile int*)&flag[blockIdx.x] == 0) {}
        __threadfence_block();
        out[blockIdx.x] = data[blockIdx.x];
    }
}

// CASE block_message_no_fence kind=race grid=2 block=64 args=z16,7
extern "C" __global__ void block_message_no_fence(int* out, int value) {
    __shared__ int data;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        data = value; // HERE
        WRONG((void)0, __threadfence_block());
        flag = 1;
    } else if (threadIdx.x == 0) {
        while (flag == 0) {}
        __threadfence_block();
        out[blockIdx.x] = data; // HERE
    }
}
