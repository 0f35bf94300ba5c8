// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels in every way there is.
struct Log {
    int count;
    int entries[64];
};
__device__ void mark(Log* log, int what) { log->entries[atomicAdd(&log->count, 1)] = what; }

extern "C" __global__ void leaf(Log* log, int what) { mark(log, what); }
__global__ void branch(Log* log, int what) {
    mark(log, what);
    leaf<<<1, 1>>>(log, what + 1);
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(log, what + 2);
}
/// Children before tails, tails in their order, each with its own children and tails before the next one.
extern "C" __global__ void order(Log* log) {
    branch<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 20);
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(log, 30);
    branch<<<1, 1>>>(log, 10);
    leaf<<<1, 1>>>(log, 15);
    mark(log, 1);
}

extern "C" __global__ void down(int* count, int depth) {
    atomicAdd(count, 1);
    if (depth > 1) down<<<1, 1>>>(count, depth - 1);
}
extern "C" __global__ void tail_down(int* count, int depth) {
    atomicAdd(count, 1);
    if (depth > 1) tail_down<<<1, 1, 0, cudaStreamTailLaunch>>>(count, depth - 1);
}

/// Quicksort: a stack that only kernels know.
extern "C" __global__ void sort(int* data, int left, int right) {
    if (right - left < 16) {
        for (int i = left + 1; i <= right; ++i) {
            const int value = data[i];
            int j = i;
            for (; j > left && data[j - 1] > value; --j)
                data[j] = data[j - 1];
            data[j] = value;
        }
        return;
    }
    const int pivot = data[(left + right) / 2];
    int i = left, j = right;
    while (i <= j) {
        while (data[i] < pivot) ++i;
        while (data[j] > pivot) --j;
        if (i > j) break;
        const int t = data[i];
        data[i++] = data[j];
        data[j--] = t;
    }
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (left < j) sort<<<1, 1>>>(data, left, j);
    if (i < right) sort<<<1, 1, 0, stream>>>(data, i, right);
    cudaStreamDestroy(stream);
}

struct Wide {
    char tag;
    double value;
    int list[5];
};
/// Arguments of all sizes, blocks in three dimensions, dynamic shared memory and a barrier.
extern "C" __global__ void with_arguments(int* out, char c, short s, Wide w, double d) {
    extern __shared__ int values[];
    const int linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    values[linear] = linear;
    __syncthreads();
    out[block * threads + linear] = values[threads - 1 - linear] + block * 1000 + c + s + w.tag + int(w.value) +
                                    w.list[4] + int(d);
}
extern "C" __global__ void launch_with_arguments(int* out) {
    Wide w{1, 20.5, {0, 0, 0, 0, 300}};
    with_arguments<<<dim3(2, 3, 2), dim3(4, 3, 2), 24 * sizeof(int)>>>(out, 'a', short(-7), w, 5000.25);
}

extern "C" __global__ void add_one(int* p) { atomicAdd(p, 1); }
/// All threads of the grid launch.
extern "C" __global__ void all_launch(int* count, int* failed) {
    add_one<<<1, 2, 0, threadIdx.x % 2 ? cudaStreamFireAndForget : cudaStream_t(0)>>>(count);
    if (cudaGetLastError() != cudaSuccess) atomicAdd(failed, 1);
}
extern "C" __global__ void launch_tails(int* count, int n, int* failed) {
    for (int i = 0; i < n; ++i) {
        add_one<<<1, 1, 0, cudaStreamTailLaunch>>>(count);
        if (cudaGetLastError() != cudaSuccess) ++*failed;
    }
}

extern "C" __global__ void __launch_bounds__(64) small(int* p) { *p = 1; }
extern "C" __global__ void bad_launches(int* errors, int* touched) {
    small<<<1, 128>>>(touched);
    errors[0] = cudaPeekAtLastError();
    errors[1] = cudaGetLastError();
    errors[2] = cudaGetLastError();
    add_one<<<1, 2048>>>(touched);
    errors[3] = cudaGetLastError();
    add_one<<<0, 1>>>(touched);
    errors[4] = cudaGetLastError();
    add_one<<<1, 1, 1 << 20>>>(touched);
    errors[5] = cudaGetLastError();
    add_one<<<dim3(1, 1, 70000), 1>>>(touched);
    errors[6] = cudaGetLastError();
}
/// An error is the thread's that made it.
extern "C" __global__ void errors_of_threads(int* errors, int* touched) {
    if (threadIdx.x == 3) add_one<<<1, 2048>>>(touched);
    __syncthreads();
    errors[threadIdx.x] = cudaGetLastError();
}

extern "C" __global__ void store(int* p) { *p = 1; }
extern "C" __global__ void faulty_child(int* done, int kind) {
    if (kind == 0) store<<<1, 1>>>((int*)0x10);
    if (kind == 1) store<<<1, 1, 0, cudaStreamTailLaunch>>>((int*)0x10);
    if (kind == 2) cudaMemsetAsync((void*)0x10, 0, 4, 0);
    *done = 1;
}

/// Copies and fills keep their place between launches.
extern "C" __global__ void twice(int* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}
extern "C" __global__ void copies(int* from, int* to, int n) {
    twice<<<1, 64>>>(from, n);
    cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
    twice<<<1, 64>>>(from, n);
    cudaMemsetAsync(to + n, 0x11, 8, 0);
    cudaMemcpy2DAsync(to + 2 * n, 16, from, 8, 8, 4, cudaMemcpyDeviceToDevice, 0);
    cudaMemset2DAsync(to + 3 * n, 16, 0x22, 8, 2, 0);
}

extern "C" __global__ void queries(int* out) {
    int value = -1;
    out[0] = cudaGetDevice(&value);
    out[1] = value;
    out[2] = cudaGetDeviceCount(&value);
    out[3] = value;
    out[4] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0);
    out[5] = value;
    size_t limit = 0;
    out[6] = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
    out[7] = int(limit);
    cudaFuncAttributes attributes;
    out[8] = cudaFuncGetAttributes(&attributes, (const void*)small);
    out[9] = attributes.maxThreadsPerBlock;
    void* memory = nullptr;
    out[10] = cudaMalloc(&memory, 1000);
    out[11] = memory != nullptr;
    out[12] = cudaFree(memory);
    cudaStream_t stream = nullptr;
    out[13] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEvent_t event = nullptr;
    out[14] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    out[15] = cudaEventRecord(event, stream);
    out[16] = cudaStreamWaitEvent(0, event, 0);
    out[17] = cudaEventDestroy(event);
    out[18] = cudaStreamDestroy(stream);
    const char* text = cudaGetErrorString(cudaErrorInvalidValue);
    out[19] = text[0] == 'i' && text[8] == 'a';
    int blocks = 0;
    out[20] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)small, 64, 0);
    out[21] = blocks > 0;
    out[22] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
    out[23] = cudaEventCreateWithFlags(&event, cudaEventDefault);
    out[24] = cudaGetLastError();
    small<<<1, 1, 0, (cudaStream_t)0x12345678>>>(out);
    out[25] = cudaGetLastError();
    out[26] = cudaDeviceGetAttribute(&value, (cudaDeviceAttr)99999, 0);
    out[27] = cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 5);
    out[28] = cudaMalloc(&memory, size_t(1) << 40);
    out[29] = cudaRuntimeGetVersion(&value);
    out[30] = value;
}
