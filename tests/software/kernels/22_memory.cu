// SPDX-License-Identifier: Apache-2.0
// Much memory: stores of whole lines, and loops that stride through it.

extern "C" __global__ void transpose(int n, const int* in, int* out) {
    __shared__ int tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < n && y + k < n) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (tx < n && ty + k < n) out[(ty + k) * n + tx] = tile[threadIdx.x][threadIdx.y + k];
}

/// A little more than moving memory.
template <class T>
__device__ void polynomial(int n, const T* x, T* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T value = x[i];
    for (int k = 0; k < 5; ++k)
        value = value * x[i] + T(k + n % 3);
    y[i] = value;
}
extern "C" __global__ void of_bytes(int n, const unsigned char* x, unsigned char* y) { polynomial(n, x, y); }
extern "C" __global__ void of_shorts(int n, const unsigned short* x, unsigned short* y) { polynomial(n, x, y); }
extern "C" __global__ void of_ints(int n, const unsigned* x, unsigned* y) { polynomial(n, x, y); }
extern "C" __global__ void of_longs(int n, const unsigned long long* x, unsigned long long* y) { polynomial(n, x, y); }
extern "C" __global__ void of_four(int n, const uint4* x, uint4* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 v = x[i];
    for (int k = 0; k < 5; ++k)
        v = {v.y * x[i].x + k, v.z * x[i].y + n % 3, v.w + x[i].z, v.x ^ x[i].w};
    y[i] = v;
}

/// Nothing but that.
extern "C" __global__ void sums(int n, const int* x, const int* y, int* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

/// Every block writes its part, says so, and adds up what the block before it wrote.
extern "C" __global__ void hand_on(int each, int* data, int* written, long long* sums) {
    int* mine = data + static_cast<long long>(blockIdx.x) * each;
    for (int i = threadIdx.x; i < each; i += blockDim.x)
        mine[i] = i % 1000 + static_cast<int>(blockIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        *(volatile int*)&written[blockIdx.x] = 1;
        long long sum = 0;
        if (blockIdx.x > 0) {
            while (*(volatile int*)&written[blockIdx.x - 1] == 0) {
            }
            __threadfence();
            for (int i = 0; i < each; ++i)
                sum += (mine - each)[i];
        }
        sums[blockIdx.x] = sum;
    }
}

/// What each block adds up with a stride of the grid.
extern "C" __global__ void stride_sums(int n, const int* x, unsigned* sums) {
    __shared__ unsigned part[1024];
    unsigned sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = 0;
        for (int i = 0; i < blockDim.x; ++i)
            sum += part[i];
        sums[blockIdx.x] = sum;
    }
}
/// Only some warps stride, by as much as each wants; others are at the barrier already, or have ended.
extern "C" __global__ void uneven_sums(int n, const int* x, unsigned* sums) {
    __shared__ unsigned part[1024];
    const int warp = threadIdx.x / 32;
    part[threadIdx.x] = 0;
    __syncthreads();
    if (warp == 5) return;
    if (warp % 3 != 1) {
        unsigned sum = 0;
        const int end = n / (warp + 1);
        for (int i = threadIdx.x; i < end; i += blockDim.x) {
            sum += x[i];
            if (sum > 4000000000u) break;
        }
        part[threadIdx.x] = sum;
    }
    __syncthreads();
    sums[blockIdx.x * blockDim.x + threadIdx.x] = part[threadIdx.x] + part[0];
}
/// The lanes of a warp exchange what they have as they go.
extern "C" __global__ void stride_shuffles(int n, const int* x, unsigned* sums) {
    __shared__ unsigned part[32];
    unsigned sum = 0;
    const int rounds = (n + blockDim.x - 1) / blockDim.x;
    int i = threadIdx.x;
    for (int round = 0; round < rounds; ++round, i += blockDim.x) {
        const unsigned value = i < n ? x[i] : 0;
        sum = 3 * sum + value + __shfl_xor_sync(~0u, value, 5);
    }
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(~0u, sum, half);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < blockDim.x / 32) sums[blockIdx.x * blockDim.x / 32 + threadIdx.x] = part[threadIdx.x];
}

/// No thread waits for another one: where there is much of it they take turns all the same.
extern "C" __global__ void stride_products(int n, const int* x, const int* y, int* z) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = x[i] * y[i];
}

/// A thread goes from plane to plane; those of the rim have left. Where there is much of it they take turns.
extern "C" __global__ void planes(int nx, int ny, int nz, const int* in, int* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || x >= nx - 1 || y == 0 || y >= ny - 1) return;
    const int plane = nx * ny;
    int i = y * nx + x, before = in[i], here = in[i + plane];
    for (int z = 1; z < nz - 1; ++z) {
        i += plane;
        const int after = in[i + plane];
        out[i] = 7 * here + in[i - 1] + 2 * in[i + 1] + 3 * in[i - nx] + 4 * in[i + nx] + 5 * before + 6 * after;
        before = here;
        here = after;
    }
}

/// Threads store a stride apart, and blocks side by side.
extern "C" __global__ void columns(int stride, const int* in, int* out) {
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    out[threadIdx.x * stride + blockIdx.x] = 3 * value;
}

/// Neighbours in y are neighbours in memory. Tells where each thread is.
extern "C" __global__ void rows_along_x(int rows, int columns, const int* x, int* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const int at = (blockIdx.z * rows + row) * columns + column;
    const int places = threadIdx.x + 37 * threadIdx.y + 1000 * blockIdx.x + 3000 * blockIdx.y;
    y[at] = x[at] * (places + 7 * gridDim.x - 11 * gridDim.y + 100000 * blockDim.x + 200000 * blockDim.y);
}

/// As `columns`, behind a barrier.
extern "C" __global__ void columns_behind_barrier(int stride, const int* in, int* out) {
    __shared__ int tile[1024];
    tile[threadIdx.x] = 3 * in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    out[threadIdx.x * stride + blockIdx.x] = tile[threadIdx.x];
}
