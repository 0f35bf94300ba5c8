// SPDX-License-Identifier: Apache-2.0
// cuda::atomic, cuda::atomic_ref and cuda::barrier, with the scopes and orders that they are given.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/latch>

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#define LEADER (threadIdx.x == 0)

template <class T> using device_ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T> using block_ref = cuda::atomic_ref<T, cuda::thread_scope_block>;

// CASE ref_block_counter kind=race grid=3 block=64 args=z4
extern "C" __global__ void ref_block_counter(int* count) {
    if (WRONG(true, false)) block_ref<int>(*count).fetch_add(1, cuda::memory_order_relaxed); // HERE
    else device_ref<int>(*count).fetch_add(1, cuda::memory_order_relaxed);
}

// CASE ref_flag_block_scope kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ref_flag_block_scope(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 5; // ALSO
        if (WRONG(true, false)) block_ref<int>(*flag).store(1, cuda::memory_order_release); // HERE
        else device_ref<int>(*flag).store(1, cuda::memory_order_release);
    } else {
        while (device_ref<int>(*flag).load(cuda::memory_order_acquire) == 0) {} // HERE
        *out = *data; // ALSO
    }
}

// CASE ref_relaxed_store kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ref_relaxed_store(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 5; // HERE
        device_ref<int>(*flag).store(1, WRONG(cuda::memory_order_relaxed, cuda::memory_order_release));
    } else {
        while (device_ref<int>(*flag).load(cuda::memory_order_acquire) == 0) {}
        *out = *data; // HERE
    }
}

// CASE ref_relaxed_load kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ref_relaxed_load(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        *data = 5; // HERE
        device_ref<int>(*flag).store(1, cuda::memory_order_release);
    } else {
        while (device_ref<int>(*flag).load(WRONG(cuda::memory_order_relaxed, cuda::memory_order_acquire)) == 0) {}
        *out = *data; // HERE
    }
}

// CASE ref_seq_cst kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ref_seq_cst(int* data, int* flag, int* out) {
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        if (WRONG(false, true)) *data = 5;
        device_ref<int>(*flag).store(1);
        if (WRONG(true, false)) *data = 6; // HERE
    } else {
        while (device_ref<int>(*flag).load() == 0) {}
        *out = *data; // HERE
    }
}

// CASE ref_spin_lock kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void ref_spin_lock(int* lock, int* value) {
    if (!LEADER) return;
    device_ref<int> l(*lock);
    while (l.exchange(1, cuda::memory_order_acquire) == 1) {}
    *value += 1; // HERE
    l.store(0, WRONG(cuda::memory_order_relaxed, cuda::memory_order_release));
}

// CASE ref_spin_lock_acquire kind=race grid=4 block=32 args=z4,z4
extern "C" __global__ void ref_spin_lock_acquire(int* lock, int* value) {
    if (!LEADER) return;
    device_ref<int> l(*lock);
    int expected = 0;
    while (!l.compare_exchange_weak(expected, 1, WRONG(cuda::memory_order_relaxed, cuda::memory_order_acquire),
                                    cuda::memory_order_relaxed))
        expected = 0;
    *value += 1; // HERE
    l.store(0, cuda::memory_order_release);
}

// CASE ref_plain_read kind=race grid=2 block=64 args=z4,z512
extern "C" __global__ void ref_plain_read(int* count, int* out) {
    device_ref<int>(*count).fetch_add(1, cuda::memory_order_relaxed); // HERE
    if (WRONG(true, false)) out[THREAD] = *count; // HERE
    else out[THREAD] = device_ref<int>(*count).load(cuda::memory_order_relaxed);
}

// CASE ref_thread_fence kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ref_thread_fence(int* data, int* flag, int* out) {
    if (!LEADER) return;
    device_ref<int> f(*flag);
    if (blockIdx.x == 0) {
        *data = 5; // HERE
        cuda::atomic_thread_fence(cuda::memory_order_release, WRONG(cuda::thread_scope_block, cuda::thread_scope_device));
        f.store(1, cuda::memory_order_relaxed);
    } else {
        while (f.load(cuda::memory_order_relaxed) == 0) {}
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *out = *data; // HERE
    }
}

// CASE atomic_float_double kind=race grid=2 block=64 args=z8,z8
extern "C" __global__ void atomic_float_double(float* a, double* b) {
    cuda::atomic_ref<float, cuda::thread_scope_device>(*a).fetch_add(1.f, cuda::memory_order_relaxed);
    if (WRONG(true, false)) *b += 1; // HERE
    else device_ref<double>(*b).fetch_add(1., cuda::memory_order_relaxed);
}

// CASE atomic_object_block_scope kind=race grid=2 block=64 args=z4
extern "C" __global__ void atomic_object_block_scope(void* memory) {
    if (WRONG(true, false)) ++*(cuda::atomic<int, cuda::thread_scope_block>*)memory; // HERE
    else ++*(cuda::atomic<int, cuda::thread_scope_device>*)memory;
}

// CASE atomic_wait_notify kind=race grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void atomic_wait_notify(void* memory, int* data, int* out) {
    auto& flag = *(cuda::atomic<int, cuda::thread_scope_device>*)memory;
    if (!LEADER) return;
    if (blockIdx.x == 0) {
        if (WRONG(false, true)) *data = 7;
        flag.store(1, cuda::memory_order_release);
        if (WRONG(true, false)) *data = 8; // HERE
        flag.notify_all();
    } else {
        flag.wait(0, cuda::memory_order_acquire);
        *out = *data; // HERE
    }
}

// CASE barrier_block kind=race grid=2 block=64 args=z512
extern "C" __global__ void barrier_block(int* out) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    if (LEADER) init(&meet, 64);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x; // HERE
    if (WRONG(false, true)) meet.arrive_and_wait();
    out[THREAD] = s[63 - threadIdx.x]; // HERE
}

// CASE barrier_arrive_no_wait kind=race grid=2 block=64 args=z512
extern "C" __global__ void barrier_arrive_no_wait(int* out) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    if (LEADER) init(&meet, 64);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x; // HERE
    auto token = meet.arrive();
    if (WRONG(false, true)) meet.wait(std::move(token));
    out[THREAD] = s[63 - threadIdx.x]; // HERE
}

// CASE barrier_producer_consumer kind=race grid=1 block=64 args=z512
extern "C" __global__ void barrier_producer_consumer(int* out) {
    __shared__ int s[32];
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    if (LEADER) init(&full, 64);
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        s[lane] = lane; // HERE
        (void)full.arrive();
    } else {
        if (WRONG(true, false)) (void)full.arrive();
        else full.arrive_and_wait();
        out[lane] = s[31 - lane]; // HERE
    }
}

// CASE barrier_not_initialised_for_all kind=race grid=1 block=64 args=z512
extern "C" __global__ void barrier_not_initialised_for_all(int* out) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    if (LEADER) init(&meet, 64); // HERE
    if (WRONG(false, true)) __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    meet.arrive_and_wait(); // HERE
    out[THREAD] = s[63 - threadIdx.x];
}

// CASE memcpy_async_barrier kind=race grid=2 block=64 args=i512,z512
extern "C" __global__ void memcpy_async_barrier(const int* in, int* out) {
    __shared__ alignas(16) int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> meet;
    if (LEADER) init(&meet, 64);
    __syncthreads();
    cuda::memcpy_async(&s[threadIdx.x], &in[THREAD], cuda::aligned_size_t<4>(4), meet); // HERE
    if (WRONG(false, true)) meet.arrive_and_wait();
    out[THREAD] = s[63 - threadIdx.x]; // HERE
}

// CASE pipeline_two_stages kind=race grid=1 block=64 args=i1024,z1024
extern "C" __global__ void pipeline_two_stages(const int* in, int* out) {
    __shared__ alignas(16) int s[2][64];
    auto pipe = cuda::make_pipeline();
    const int t = threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[k][t], &in[64 * k + t], cuda::aligned_size_t<4>(4), pipe); // HERE
        pipe.producer_commit();
    }
    for (int k = 0; k < 4; ++k) {
        pipe.consumer_wait();
        __syncthreads();
        out[64 * k + t] = s[k % 2][63 - t]; // HERE
        if (WRONG(false, true)) __syncthreads();
        pipe.consumer_release();
        pipe.producer_acquire();
        if (k < 2) cuda::memcpy_async(&s[k][t], &in[64 * (k + 2) + t], cuda::aligned_size_t<4>(4), pipe); // HERE
        pipe.producer_commit();
    }
}

// CASE semaphore_right grid=2 block=32 args=z4,z4
__device__ cuda::binary_semaphore<cuda::thread_scope_device> gate{1};
extern "C" __global__ void semaphore_right(int* value, int* out) {
    if (!LEADER) return;
    gate.acquire();
    *value += 1;
    gate.release();
}

// CASE ref_system_scope grid=2 block=32 args=z4,z4,z4
extern "C" __global__ void ref_system_scope(int* data, int* flag, int* out) {
    if (!LEADER) return;
    cuda::atomic_ref<int> f(*flag);
    if (blockIdx.x == 0) {
        *data = 5;
        f.store(1, cuda::memory_order_release);
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) {}
        *out = *data;
    }
}
