// SPDX-License-Identifier: Apache-2.0
// Mistakes with bounds, strides and memory that nothing wrote, as they are made.
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// CASE stencil_left kind=memory grid=2 block=64 args=i400,z400,100
// CASE stencil_left_double kind=memory grid=2 block=64 args=F800,z800,100
// CASE stencil_left_char kind=memory grid=2 block=64 args=i100,z100,100
// CASE stencil_left_short kind=memory grid=2 block=64 args=i200,z200,100
template <class T> __device__ __forceinline__ void stencil(const T* in, T* out, int n) {
    const int i = THREAD;
    if (i >= WRONG(0, 1) && i < n - 1) {
        out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3; // HERE
    }
}
extern "C" __global__ void stencil_left(const int* in, int* out, int n) { stencil(in, out, n); }
extern "C" __global__ void stencil_left_double(const double* in, double* out, int n) { stencil(in, out, n); }
extern "C" __global__ void stencil_left_char(const char* in, char* out, int n) { stencil(in, out, n); }
extern "C" __global__ void stencil_left_short(const short* in, short* out, int n) { stencil(in, out, n); }

// CASE stencil_2d_right kind=memory grid=3x3 block=8x8 args=i1600,z1600,20
extern "C" __global__ void stencil_2d_right(const int* in, int* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - WRONG(0, 1)) return;
    out[y * n + x] = in[(y - 1) * n + x] + in[(y + 1) * n + x] + in[y * n + x - 1] + in[y * n + x + 1]; // HERE
}

// CASE stencil_shared_halo kind=memory grid=2 block=64 args=i512,z512
extern "C" __global__ void stencil_shared_halo(const int* in, int* out) {
    __shared__ int s[64 + WRONG(1, 2)];
    const int i = THREAD, t = threadIdx.x + 1;
    s[t] = in[i];
    if (threadIdx.x == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == 63) s[t + 1] = i < 127 ? in[i + 1] : 0; // HERE
    __syncthreads();
    out[i] = s[t - 1] + s[t] + s[t + 1]; // ALSO
}

// CASE stencil_halo_not_loaded kind=init grid=2 block=64 args=i512,z512
extern "C" __global__ void stencil_halo_not_loaded(const int* in, int* out) {
    __shared__ int s[66];
    const int i = THREAD, t = threadIdx.x + 1;
    s[t] = in[i];
    if (threadIdx.x == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (WRONG(false, threadIdx.x == 63)) s[t + 1] = i < 127 ? in[i + 1] : 0;
    __syncthreads();
    out[i] = s[t - 1] + s[t] + s[t + 1]; // HERE
}

// CASE pitch_as_width kind=memory grid=2x2 block=16x16 args=i2000,z2000,25,20
extern "C" __global__ void pitch_as_width(const int* in, int* out, int pitch, int n) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < WRONG(32, n) && y < n) out[y * pitch + x] = in[y * pitch + x] + 1; // HERE
}

// CASE pitch_in_bytes kind=memory grid=2x2 block=16x16 args=i2560,z1600,128,20
extern "C" __global__ void pitch_in_bytes(const char* in, int* out, int pitch, int n) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= n || y >= n) return;
    const int* const row = WRONG((const int*)in + y * pitch, (const int*)(in + y * pitch));
    out[y * n + x] = row[x]; // HERE
}

// CASE indices_swapped kind=memory grid=2x3 block=16x8 args=i2400,z2400,30,20
extern "C" __global__ void indices_swapped(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = in[WRONG(x * width + y, y * width + x)]; // HERE
}

// CASE stride_too_large kind=memory grid=2 block=50 args=i400,z400,100
extern "C" __global__ void stride_too_large(const int* in, int* out, int n) {
    for (int i = THREAD; i < n; i += gridDim.x * blockDim.x) out[i] = in[i * WRONG(2, 1)]; // HERE
}

// CASE loop_one_too_many kind=memory grid=1 block=32 args=i400,z400,100
extern "C" __global__ void loop_one_too_many(const int* in, int* out, int n) {
    for (int i = threadIdx.x; WRONG(i <= n, i < n); i += 32) {
        const int v = in[i]; // HERE
        out[i] = v; // ALSO
    }
}

// CASE count_of_bytes kind=memory grid=8 block=64 args=F400,z400,100
extern "C" __global__ void count_of_bytes(const float* in, float* out, int n) {
    const int i = THREAD;
    if (i < n * WRONG(int(sizeof(float)), 1)) {
        const float v = in[i]; // HERE
        out[i] = v * 2; // ALSO
    }
}

// CASE vector_tail kind=memory grid=1 block=32 args=F412,z412,103
extern "C" __global__ void vector_tail(const float* in, float* out, int n) {
    const int i = 4 * THREAD;
    if (i + WRONG(0, 3) < n) {
        const float4 v = *(const float4*)(in + i); // HERE
        *(float4*)(out + i) = make_float4(v.x, v.y, v.z, v.w); // ALSO
    } else {
        for (int k = i; k < n; ++k) out[k] = in[k];
    }
}

// CASE vector_misaligned kind=memory grid=1 block=24 args=F400,z400,1
extern "C" __global__ void vector_misaligned(const float* in, float* out, int offset) {
    const float2 v = *(const float2*)(in + 2 * threadIdx.x + WRONG(offset, 0)); // HERE
    out[threadIdx.x] = v.x + v.y;
}

// CASE vector_char4_tail kind=memory grid=1 block=32 args=i102,z128,102
extern "C" __global__ void vector_char4_tail(const unsigned char* in, int* out, int n) {
    const int i = threadIdx.x;
    if (4 * i < n - WRONG(0, 3)) {
        const uchar4 v = ((const uchar4*)in)[i]; // HERE
        out[i] = v.x + v.y + v.z + v.w;
    }
}

// CASE dynamic_too_small kind=memory grid=2 block=64 shared=252 args=i512,z512
// CASE dynamic_two_arrays kind=memory grid=2 block=64 shared=508 args=i512,z512
extern "C" __global__ void dynamic_too_small(const int* in, int* out) {
    extern __shared__ int buffer[];
    const int t = threadIdx.x;
    if (t < WRONG(64, 63)) buffer[t] = in[THREAD]; // HERE
    __syncthreads();
    if (t < 62) out[THREAD] = buffer[t];
}
extern "C" __global__ void dynamic_two_arrays(const int* in, int* out) {
    extern __shared__ int buffer[];
    int *const first = buffer, *const second = buffer + 64;
    const int t = threadIdx.x;
    first[t] = in[THREAD];
    if (t < WRONG(64, 63)) second[t] = in[THREAD] + 1; // HERE
    __syncthreads();
    if (t < 62) out[THREAD] = first[t] + second[t];
}

// CASE tile_too_small kind=memory grid=1 block=16x16 args=i1024,z1024
extern "C" __global__ void tile_too_small(const int* in, int* out) {
    __shared__ int tile[WRONG(8, 16)][16];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x]; // HERE
    __syncthreads();
    if (threadIdx.y < 8) out[threadIdx.x * 16 + threadIdx.y] = tile[threadIdx.y][threadIdx.x];
}

// CASE local_array kind=memory grid=1 block=32 args=s128,z128,8
extern "C" __global__ void local_array(const int* in, int* out, int n) {
    int window[8];
    for (int k = 0; k < 8; ++k) window[k] = in[k];
    for (int k = 0; k < n; ++k) window[(in[threadIdx.x] + k) % WRONG(9, 8)] = k; // HERE
    int sum = 0;
    for (int k = 0; k < 8; ++k) sum += window[k];
    out[threadIdx.x] = sum;
}

// CASE overflow_32 kind=memory grid=1 block=32 args=z512,65536
extern "C" __global__ void overflow_32(int* out, int big) {
    const int i = threadIdx.x;
    const int at = WRONG(big * 65536 / 16 * 0 + big * i * 2048, big * i / 65536); // 2^27 * i: wraps to negative numbers
    out[at] = i; // HERE
}

// CASE unsigned_below_zero kind=memory grid=1 block=32 args=i128,z128
extern "C" __global__ void unsigned_below_zero(const int* in, int* out) {
    const unsigned i = threadIdx.x;
    if (WRONG(i - 1 >= 0u, i >= 1u)) out[i] = in[i - 1]; // HERE
    else out[i] = 0;
}

struct Particle { float x, y, z; char kind; };
// CASE struct_size kind=memory grid=1 block=32 args=F512,z128,32
extern "C" __global__ void struct_size(const char* all, float* out, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const Particle* const p = (const Particle*)(all + i * (sizeof(Particle) + WRONG(4, 0)));
    out[i] = p->x + p->z; // HERE
}

// CASE struct_array_end kind=memory grid=1 block=64 args=F512,z256,32
extern "C" __global__ void struct_array_end(const Particle* all, float* out, int n) {
    const int i = threadIdx.x;
    if (i > n - WRONG(0, 1)) return;
    out[i] = all[i].y; // HERE
}

// CASE lambda_bounds kind=memory grid=2 block=64 args=i400,z400,100
extern "C" __global__ void lambda_bounds(const int* in, int* out, int n) {
    const auto at = [=](int i) { return in[i]; }; // HERE
    const auto put = [=](int i, int v) { atomicAdd(&out[i % n], v); };
    if (THREAD < n + WRONG(1, 0)) put(THREAD, at(THREAD));
}

// CASE functor_bounds kind=memory grid=2 block=64 args=F400,z400,100
template <class F> struct Apply {
    F f;
    __device__ float operator()(const float* in, int i) const {
        return f(in[i]); // HERE
    }
};
extern "C" __global__ void functor_bounds(const float* in, float* out, int n) {
    const auto twice = [](float x) { return 2 * x; };
    const Apply<decltype(twice)> apply{twice};
    const int i = THREAD;
    if (WRONG(true, i < n)) {
        const float v = apply(in, i);
        out[i] = v; // ALSO
    }
}

// CASE recursion_bounds kind=memory grid=1 block=32 args=i128,z128
__device__ __noinline__ int sum_from(const int* in, int i, int n) {
    if (i >= n) return 0;
    return in[i] + sum_from(in, i + 1, n); // HERE
}
extern "C" __global__ void recursion_bounds(const int* in, int* out) {
    out[threadIdx.x] = sum_from(in, threadIdx.x, WRONG(33, 32));
}

// CASE heap_list_use_after_free kind=memory grid=1 block=32 args=z128
struct Node { int value; Node* next; };
extern "C" __global__ void heap_list_use_after_free(int* out) {
    Node* head = nullptr;
    for (int k = 0; k < 4; ++k) {
        Node* const node = (Node*)malloc(sizeof(Node));
        node->value = k + threadIdx.x;
        node->next = head;
        head = node;
    }
    int sum = 0;
    while (head) {
        Node* const gone = head;
        if (WRONG(true, false)) {
            free(gone);
            sum += gone->value; // HERE
            head = gone->next; // HERE
        } else {
            sum += gone->value;
            head = gone->next;
            free(gone);
        }
    }
    out[threadIdx.x] = sum;
}

// CASE heap_double_free kind=memory grid=1 block=32 args=z128
extern "C" __global__ void heap_double_free(int* out) {
    int* const p = (int*)malloc(64);
    int* const q = WRONG(p, (int*)malloc(64));
    p[0] = threadIdx.x;
    q[1] = 2;
    out[threadIdx.x] = p[0] + q[1];
    free(p);
    free(q); // HERE
}

// CASE heap_leak_on_return kind=leak grid=1 block=32 args=s128,z128
extern "C" __global__ void heap_leak_on_return(const int* in, int* out) {
    int* const p = (int*)malloc(64); // HERE
    p[0] = in[threadIdx.x];
    if (p[0] > 6) {
        if (WRONG(false, true)) free(p);
        return;
    }
    out[threadIdx.x] = p[0];
    free(p);
}

// CASE heap_new_delete kind=leak grid=1 block=32 args=z128
struct Matrix {
    float* data;
    __device__ explicit Matrix(int n) : data(new float[n]) { // HERE
        for (int k = 0; k < n; ++k) data[k] = k;
    }
    __device__ ~Matrix() { if (WRONG(false, true)) delete[] data; }
};
extern "C" __global__ void heap_new_delete(float* out) {
    Matrix m(4 + threadIdx.x % 3);
    out[threadIdx.x] = m.data[3];
}

// CASE heap_too_small kind=memory grid=1 block=32 args=z128,8
extern "C" __global__ void heap_too_small(int* out, int n) {
    int* const p = (int*)malloc(n * WRONG(1, sizeof(int)));
    for (int k = 0; k < n; ++k) p[k] = k; // HERE
    out[threadIdx.x] = p[n - 1]; // ALSO
    free(p);
}

// CASE heap_not_written kind=init grid=1 block=32 args=z128,8
extern "C" __global__ void heap_not_written(int* out, int n) {
    int* const p = (int*)malloc(n * sizeof(int));
    for (int k = 0; k < n - WRONG(1, 0); ++k) p[k] = k;
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += p[k];
    out[threadIdx.x] = sum; // HERE
    free(p);
}

// CASE histogram_bins_not_zeroed kind=init grid=2 block=64 args=s512,z64
extern "C" __global__ void histogram_bins_not_zeroed(const int* in, int* bins) {
    __shared__ int own[16];
    if (threadIdx.x < WRONG(15, 16)) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&own[in[THREAD] + (in[THREAD] == 5 ? 10 : 0)], 1); // ALSO
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]); // HERE
}

// CASE accumulator_not_zeroed kind=init grid=2 block=64 args=s512,u512
extern "C" __global__ void accumulator_not_zeroed(const int* in, int* out) {
    if (WRONG(false, true)) out[THREAD] = 0;
    for (int k = 0; k < 4; ++k) out[THREAD] += in[(THREAD + k) & 127]; // HERE
}

// CASE output_partly_written kind=init grid=2 block=64 args=s512,u512,z512
extern "C" __global__ void output_partly_written(const int* in, int* scratch, int* out) {
    if (in[THREAD] > WRONG(2, -1)) scratch[THREAD] = in[THREAD];
    __syncthreads();
    out[THREAD] = scratch[THREAD] + 1; // HERE
    if (scratch[THREAD] > 100) out[THREAD] = 0; // HERE
    scratch[THREAD] = 0;
}

// CASE reduce_broken_tail kind=init grid=1 block=50 args=i200,z4
extern "C" __global__ void reduce_broken_tail(const int* in, int* out) {
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = in[t];
    if (WRONG(false, true) && t + 50 < 64) s[t + 50] = 0;
    __syncthreads();
    for (int k = 32; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) *out = s[0]; // HERE
}

// CASE minimum_not_begun kind=init grid=1 block=64 args=i256,z4
extern "C" __global__ void minimum_not_begun(const int* in, int* out) {
    __shared__ int least;
    if (WRONG(false, threadIdx.x == 0)) least = 1 << 30;
    __syncthreads();
    atomicMin(&least, in[threadIdx.x]); // HERE
    __syncthreads();
    if (threadIdx.x == 0) *out = least; // HERE
}

// CASE local_struct_member kind=init grid=1 block=32 args=i128,z128
struct Range { int begin, end, step; };
__device__ __forceinline__ Range range_of(const int* in) {
    Range r;
    r.begin = in[threadIdx.x];
    if (WRONG(in[threadIdx.x] > 40, true)) r.end = 50;
    r.step = 1;
    return r;
}
extern "C" __global__ void local_struct_member(const int* in, int* out) {
    __shared__ Range all[32];
    all[threadIdx.x].begin = in[threadIdx.x];
    if (WRONG(in[threadIdx.x] > 20, true)) all[threadIdx.x].end = 50;
    __syncthreads();
    int sum = 0;
    for (int k = all[threadIdx.x].begin; k < all[threadIdx.x].end; k += 4) sum += k; // HERE
    out[threadIdx.x] = sum; // ALSO
}

// CASE division_by_block kind=arithmetic grid=2 block=64 args=i512,z512
// CASE division_by_block_long kind=arithmetic grid=2 block=64 args=z1024,z1024
template <class T> __device__ __forceinline__ void divide(const T* in, T* out) {
    const T d = in[THREAD] & ~T(7); // HERE
    out[THREAD] = WRONG(T(1000) / d, d ? T(1000) / d : T(0)); // HERE
}
extern "C" __global__ void division_by_block(const int* in, int* out) { divide(in, out); }
extern "C" __global__ void division_by_block_long(const unsigned long long* in, unsigned long long* out) { divide(in, out); }

// CASE remainder_short kind=arithmetic grid=1 block=64 args=s512,z512
extern "C" __global__ void remainder_short(const short* in, short* out) {
    const short d = in[threadIdx.x];
    if (WRONG(true, d != 0)) out[threadIdx.x] = short(77) % d; // HERE
}

// CASE freed_by_other_thread kind=memory grid=1 block=64 args=z256
extern "C" __global__ void freed_by_other_thread(int* out) {
    __shared__ int* p;
    if (threadIdx.x == 0) p = (int*)malloc(256);
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (WRONG(threadIdx.x == 0, false)) free(p);
    if (WRONG(true, false)) __syncthreads();
    out[threadIdx.x] = p[63 - threadIdx.x]; // HERE
    __syncthreads();
    if (WRONG(false, threadIdx.x == 0)) free(p);
}

// CASE constant_table kind=memory grid=1 block=64 args=z256
__constant__ float coefficients[32] = {1, 2, 3};
extern "C" __global__ void constant_table(float* out) {
    out[threadIdx.x] = coefficients[WRONG(threadIdx.x, threadIdx.x & 31)]; // HERE
}

// CASE module_array kind=memory grid=1 block=64 args=z256
__device__ int table[8][8];
extern "C" __global__ void module_array(int* out) {
    table[threadIdx.x / 8 + WRONG(1, 0)][threadIdx.x % 8] = threadIdx.x; // HERE
    out[threadIdx.x] = 0;
}

// CASE null_pointer kind=memory grid=1 block=32 args=i128,z128
extern "C" __global__ void null_pointer(int* in, int* out) {
    __shared__ int* pointers[32];
    pointers[threadIdx.x] = WRONG(threadIdx.x == 7 ? nullptr : in, in);
    __syncwarp();
    out[threadIdx.x] = pointers[threadIdx.x ^ 1][threadIdx.x]; // HERE
}

// CASE half_written kind=init grid=1 block=32 args=u128,z128
extern "C" __global__ void half_written(int* scratch, int* out) {
    short* const halves = (short*)scratch;
    halves[2 * threadIdx.x] = 1;
    if (WRONG(false, true)) halves[2 * threadIdx.x + 1] = 0;
    __syncwarp();
    if (scratch[threadIdx.x] == 1) out[threadIdx.x] = 1; // HERE
    if (WRONG(true, false)) scratch[threadIdx.x] = 0;
}
