// SPDX-License-Identifier: Apache-2.0
// Kernels whose profile Nsight Compute has recorded (ncu.csv): each access in a line of its own. A line "//!" names a
// kernel and its launch: grid x and y, block x and y, and n.
#define KERNEL extern "C" __global__ void
#define ARGUMENTS (float* __restrict__ out, const float* __restrict__ in, const int* __restrict__ index, int n)
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// --- strides and offsets

//! unit 4 1 128 1 0
KERNEL unit ARGUMENTS {
    const int i = THREAD;
    const float x = in[i];
    out[i] = x;
}
//! offset_one 4 1 128 1 1
KERNEL offset_one ARGUMENTS {
    const int i = THREAD;
    const float x = in[i + n];
    out[i] = x;
}
//! offset_both 4 1 128 1 5
KERNEL offset_both ARGUMENTS {
    const int i = THREAD;
    const float x = in[i + 3];
    out[i + n] = x;
}
//! stride_two 4 1 128 1 0
KERNEL stride_two ARGUMENTS {
    const int i = THREAD;
    const float x = in[i * 2];
    out[i] = x;
}
//! stride_three 4 1 96 1 0
KERNEL stride_three ARGUMENTS {
    const int i = THREAD;
    const float x = in[i * 3 + 1];
    out[i * 2] = x;
}
//! stride_eight 4 1 64 1 0
KERNEL stride_eight ARGUMENTS {
    const int i = THREAD;
    const float x = in[i * 8];
    out[i * 5] = x;
}
//! stride_unknown 2 1 128 1 33
KERNEL stride_unknown ARGUMENTS {
    const int i = THREAD;
    const float x = in[i * n];
    out[i * 32] = x;
}
//! reversed 4 1 128 1 511
KERNEL reversed ARGUMENTS {
    const int i = THREAD;
    const float x = in[n - i];
    out[i] = x;
}

// --- types

//! bytes 4 1 128 1 0
KERNEL bytes ARGUMENTS {
    const int i = THREAD;
    const char x = reinterpret_cast<const char*>(in)[i];
    reinterpret_cast<char*>(out)[i] = x;
}
//! shorts 4 1 128 1 3
KERNEL shorts ARGUMENTS {
    const int i = THREAD;
    const short x = reinterpret_cast<const short*>(in)[i + n];
    reinterpret_cast<short*>(out)[i * 2] = x;
}
//! doubles 4 1 128 1 1
KERNEL doubles ARGUMENTS {
    const int i = THREAD;
    const double x = reinterpret_cast<const double*>(in)[i + n];
    reinterpret_cast<double*>(out)[i] = x;
}
//! pairs 4 1 128 1 0
KERNEL pairs ARGUMENTS {
    const int i = THREAD;
    const float2 x = reinterpret_cast<const float2*>(in)[i];
    reinterpret_cast<float2*>(out)[i * 3] = x;
}
//! quadruples 4 1 128 1 1
KERNEL quadruples ARGUMENTS {
    const int i = THREAD;
    const float4 x = reinterpret_cast<const float4*>(in)[i + n];
    reinterpret_cast<float4*>(out)[i * 2] = x;
}
//! odd_quadruples 2 1 128 1 0
KERNEL odd_quadruples ARGUMENTS {
    const int i = THREAD;
    if (threadIdx.x & 1) {
        const float4 x = reinterpret_cast<const float4*>(in)[i];
        reinterpret_cast<float4*>(out)[i] = x;
    }
}

// --- gathers and broadcasts

//! broadcast 8 1 64 1 3
KERNEL broadcast ARGUMENTS {
    const int i = THREAD;
    const float x = *reinterpret_cast<const volatile float*>(&in[threadIdx.x / 32 * 8 + n]);
    out[i] = x;
}
//! gather 4 1 128 1 0
KERNEL gather ARGUMENTS {
    const int i = THREAD;
    const int at = index[i];
    const float x = in[at];
    out[i] = x;
}
//! gather_near 4 1 128 1 15
KERNEL gather_near ARGUMENTS {
    const int i = THREAD;
    const int at = index[i];
    const float x = in[at & n];
    out[i] = x;
}
//! gather_doubles 4 1 128 1 255
KERNEL gather_doubles ARGUMENTS {
    const int i = THREAD;
    const int at = index[i];
    const double x = reinterpret_cast<const double*>(in)[at & n];
    out[i] = static_cast<float>(x);
}
//! gather_quadruples 4 1 128 1 63
KERNEL gather_quadruples ARGUMENTS {
    const int i = THREAD;
    const int at = index[i];
    const float4 x = reinterpret_cast<const float4*>(in)[at & n];
    out[i] = x.x + x.y * x.z + x.w;
}
//! scatter 4 1 128 1 0
KERNEL scatter ARGUMENTS {
    const int i = THREAD;
    const int at = index[i];
    out[at] = 1.0f;
}
//! scatter_same 4 1 128 1 7
KERNEL scatter_same ARGUMENTS {
    const int i = THREAD;
    out[i & n] = 2.0f;
}

// --- shapes of blocks, and threads that leave

//! rows_of_eight 2 2 8 8 16
KERNEL rows_of_eight ARGUMENTS {
    const int x = THREAD;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const float value = in[y * n + x];
    out[x * n + y] = value;
}
//! rows_of_twelve 2 1 12 5 24
KERNEL rows_of_twelve ARGUMENTS {
    const int x = THREAD;
    const float value = in[threadIdx.y * n + x];
    out[threadIdx.y * 100 + x] = value;
}
//! part_of_a_warp 3 1 50 1 0
KERNEL part_of_a_warp ARGUMENTS {
    const int i = THREAD;
    const float x = in[i];
    out[i * 2] = x;
}
//! early_return 4 1 128 1 401
KERNEL early_return ARGUMENTS {
    const int i = THREAD;
    if (i >= n) return;
    const float x = in[i];
    out[i] = x;
}
//! few_threads 2 1 64 1 0
KERNEL few_threads ARGUMENTS {
    const int i = THREAD;
    if (threadIdx.x % 32 == 5) {
        const float x = in[i * 2];
        out[i] = x;
    }
}

// --- shared memory

//! conflicts_1 1 1 64 1 0
KERNEL conflicts_1 ARGUMENTS {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
//! conflicts_2 1 1 64 1 0
KERNEL conflicts_2 ARGUMENTS {
    __shared__ float s[128];
    s[threadIdx.x * 2] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x ^ 1) * 2];
}
//! conflicts_4 1 1 64 1 0
KERNEL conflicts_4 ARGUMENTS {
    __shared__ float s[256];
    s[threadIdx.x * 4] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x ^ 1) * 4];
}
//! conflicts_8 1 1 64 1 0
KERNEL conflicts_8 ARGUMENTS {
    __shared__ float s[512];
    s[threadIdx.x * 8] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x ^ 1) * 8];
}
//! conflicts_16 1 1 64 1 0
KERNEL conflicts_16 ARGUMENTS {
    __shared__ float s[1024];
    s[threadIdx.x * 16] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x ^ 1) * 16];
}
//! conflicts_32 1 1 64 1 0
KERNEL conflicts_32 ARGUMENTS {
    __shared__ float s[2048];
    s[threadIdx.x * 32] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[(threadIdx.x ^ 1) * 32];
}
//! conflicts_3_of_33 1 1 64 1 0
KERNEL conflicts_3_of_33 ARGUMENTS {
    __shared__ float s[2112];
    s[threadIdx.x * 33] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x % 3 * 32];
}
//! shared_gather 2 1 64 1 255
KERNEL shared_gather ARGUMENTS {
    __shared__ float s[256];
    const int t = threadIdx.x;
    s[t] = s[t + 64] = s[t + 128] = s[t + 192] = in[t];
    __syncthreads();
    const int at = index[THREAD] & n;
    out[THREAD] = s[at];
}
//! shared_doubles 1 1 64 1 0
KERNEL shared_doubles ARGUMENTS {
    __shared__ double s[128];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = static_cast<float>(s[(threadIdx.x ^ 3) * 2]);
}
//! shared_pairs 1 1 64 1 0
KERNEL shared_pairs ARGUMENTS {
    __shared__ float2 s[128];
    s[threadIdx.x * 2] = reinterpret_cast<const float2*>(in)[threadIdx.x];
    __syncthreads();
    reinterpret_cast<float2*>(out)[threadIdx.x] = s[threadIdx.x & 60];
}
//! shared_quadruples 1 1 64 1 0
KERNEL shared_quadruples ARGUMENTS {
    __shared__ float4 s[128];
    s[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x];
    __syncthreads();
    reinterpret_cast<float4*>(out)[threadIdx.x] = s[(threadIdx.x * 2) & 63];
}
//! shared_gather_doubles 2 1 64 1 63
KERNEL shared_gather_doubles ARGUMENTS {
    __shared__ double s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const int at = index[THREAD] & n;
    out[THREAD] = static_cast<float>(s[at]);
}
//! shared_gather_quadruples 2 1 64 1 63
KERNEL shared_gather_quadruples ARGUMENTS {
    __shared__ float4 s[64];
    s[threadIdx.x] = reinterpret_cast<const float4*>(in)[threadIdx.x];
    __syncthreads();
    const int at = index[THREAD] & n;
    reinterpret_cast<float4*>(out)[THREAD] = s[at];
}
//! shared_bytes 1 1 128 1 0
KERNEL shared_bytes ARGUMENTS {
    __shared__ char s[512];
    s[threadIdx.x * 4] = reinterpret_cast<const char*>(in)[threadIdx.x];
    __syncthreads();
    reinterpret_cast<char*>(out)[threadIdx.x] = s[(threadIdx.x ^ 5) * 4 & 255];
}
//! transpose_plain 2 2 32 8 64
KERNEL transpose_plain ARGUMENTS {
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 1
    for (int k = 0; k < 32; k += 8) {
        const float value = in[(y + k) * n + x];
        out[x * n + y + k] = value;
    }
}
//! transpose_tile 2 2 32 8 64
KERNEL transpose_tile ARGUMENTS {
    __shared__ float tile[32][32];
    const int x = threadIdx.x, y = threadIdx.y;
#pragma unroll 1
    for (int k = y; k < 32; k += 8) {
        const float value = in[(blockIdx.y * 32 + k) * n + blockIdx.x * 32 + x];
        tile[k][x] = value;
    }
    __syncthreads();
#pragma unroll 1
    for (int k = y; k < 32; k += 8) {
        const float value = tile[x][k];
        out[(blockIdx.x * 32 + k) * n + blockIdx.y * 32 + x] = value;
    }
}
//! transpose_padded 2 2 16 16 32
KERNEL transpose_padded ARGUMENTS {
    __shared__ float tile[16][17];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x];
    __syncthreads();
    out[(blockIdx.x * 16 + y) * n + blockIdx.y * 16 + x] = tile[x][y];
}

// --- atomics

//! atomic_same 2 1 64 1 0
KERNEL atomic_same ARGUMENTS {
    int* to = reinterpret_cast<int*>(out);
    const int old = atomicExch(to, static_cast<int>(THREAD));
    to[1024 + THREAD] = old;
}
//! atomic_apart 2 1 64 1 0
KERNEL atomic_apart ARGUMENTS {
    unsigned* to = reinterpret_cast<unsigned*>(out);
    atomicMax(to + THREAD * 2, THREAD);
}
//! atomic_four 2 1 64 1 7
KERNEL atomic_four ARGUMENTS {
    unsigned* to = reinterpret_cast<unsigned*>(out);
    const unsigned old = atomicMax(to + (threadIdx.x & n), THREAD);
    to[1024 + THREAD] = old;
}
//! atomic_floats 2 1 64 1 31
KERNEL atomic_floats ARGUMENTS {
    const int at = index[THREAD] & n;
    atomicAdd(out + at, in[THREAD]);
}
//! atomic_shared 1 1 64 1 15
KERNEL atomic_shared ARGUMENTS {
    __shared__ unsigned s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[index[threadIdx.x] & n], 1u);
    __syncthreads();
    reinterpret_cast<unsigned*>(out)[threadIdx.x] = s[threadIdx.x];
}

// --- branches

//! loops_apart 2 1 64 1 7
KERNEL loops_apart ARGUMENTS {
    const int i = THREAD;
    const int rounds = index[i] & n;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        const float x = in[i + k * 1024];
        sum += x;
    }
    out[i] = sum;
}
//! loops_in_loops 2 1 64 1 3
KERNEL loops_in_loops ARGUMENTS {
    const int i = THREAD;
    const int rounds = index[i] & n;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k <= rounds; ++k) {
        const int inner = index[i + k * 64] & n;
#pragma unroll 1
        for (int j = 0; j < inner; ++j) {
            const float x = in[i + k * 256 + j * 32];
            sum = sum * 0.5f + x;
        }
        out[i + k * 1024] = sum;
    }
}
//! same_rounds 2 1 64 1 9
KERNEL same_rounds ARGUMENTS {
    const int i = THREAD;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
        const float x = in[i + k * 64];
        sum += x * x;
    }
    out[i] = sum;
}
//! two_ways 2 1 64 1 4
KERNEL two_ways ARGUMENTS {
    const int i = THREAD;
    float sum = 0;
    if (index[i] & 1) {
#pragma unroll 1
        for (int k = 0; k < n; ++k) {
            const float x = in[i + k * 64];
            sum += x;
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < n + 2; ++k) {
            const float y = in[i * 2 + k * 128];
            sum -= y;
        }
    }
    out[i] = sum;
}
//! leaves_loop 2 1 64 1 20
KERNEL leaves_loop ARGUMENTS {
    const int i = THREAD;
    int at = i;
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
        const int next = index[at];
        if (next % 5 == 0) break;
        at = (next + k) & 1023;
    }
    reinterpret_cast<int*>(out)[i] = at;
}
//! search 2 1 64 1 512
KERNEL search ARGUMENTS {
    const int i = THREAD;
    const int wanted = index[i] & 511;
    int low = 0, high = n;
#pragma unroll 1
    while (low < high) {
        const int middle = (low + high) / 2;
        const float x = in[middle];
        if (x < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// --- memory of a thread, and products

//! local_array 2 1 64 1 15
KERNEL local_array ARGUMENTS {
    const int i = THREAD;
    float own[16];
#pragma unroll 1
    for (int k = 0; k < 16; ++k)
        own[k ^ n] = in[i + k];
    const int at = index[i] & n;
    out[i] = own[at];
}
//! polynomial 2 1 128 1 8
KERNEL polynomial ARGUMENTS {
    const int i = THREAD;
    const float x = in[i];
    float sum = 1;
#pragma unroll 1
    for (int k = 0; k < n; ++k)
        sum = fmaf(sum, x, 0.25f);
    out[i] = sum * x + 3.0f;
}
//! polynomial_double 2 1 128 1 8
KERNEL polynomial_double ARGUMENTS {
    const int i = THREAD;
    const double x = in[i];
    double sum = 1;
#pragma unroll 1
    for (int k = 0; k < n; ++k)
        sum = fma(sum, x, 0.25);
    out[i] = static_cast<float>(sum * x);
}
//! product_tile 2 2 16 16 32
KERNEL product_tile ARGUMENTS {
    __shared__ float a[16][16], b[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < n; k += 16) {
        a[y][x] = in[row * n + k + x];
        b[y][x] = in[(k + y) * n + column];
        __syncthreads();
#pragma unroll 1
        for (int j = 0; j < 16; ++j) {
            const float left = a[y][j];
            const float right = b[j][x];
            sum += left * right;
        }
        __syncthreads();
    }
    out[row * n + column] = sum;
}
