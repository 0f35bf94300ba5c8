// SPDX-License-Identifier: Apache-2.0
// Products of matrices as libraries write them: tiles of 128 x 128, four warps of 64 x 64, copies of the next tile
// while this one is multiplied, and everything unrolled, the loop over k too where it is known: much to compile.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kTile = 128, kDepth = 32, kThreads = 128, kKnown = 256;

__device__ void copy16(void* to, const void* from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from));
}
__device__ void commit() { asm volatile("cp.async.commit_group;"); }
template <int N>
__device__ void wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(N));
}

/// D = A B of halves, row by row, sums of floats; every extent a multiple of the tile's.
template <bool known>
__device__ void wmma_tile(const half* a, const half* b, float* d, int n, int some_k) {
    const int k = known ? kKnown : some_k;
    constexpr int kPadA = kDepth + 8, kPadB = kTile + 8;
    __shared__ __align__(16) half tile_a[2][kTile * kPadA];
    __shared__ __align__(16) half tile_b[2][kDepth * kPadB];
    const int warp = threadIdx.x / 32, row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
    const int warp_row = warp / 2 * 64, warp_column = warp % 2 * 64;
    const auto fetch = [&](int stage, int at) {
#pragma unroll
        for (int i = 0; i < kTile * kDepth / 8 / kThreads; ++i) {
            const int piece = threadIdx.x + i * kThreads, row = piece / (kDepth / 8), column = piece % (kDepth / 8) * 8;
            copy16(&tile_a[stage][row * kPadA + column], a + (row0 + row) * k + at + column);
        }
#pragma unroll
        for (int i = 0; i < kTile * kDepth / 8 / kThreads; ++i) {
            const int piece = threadIdx.x + i * kThreads, row = piece / (kTile / 8), column = piece % (kTile / 8) * 8;
            copy16(&tile_b[stage][row * kPadB + column], b + (at + row) * n + column0 + column);
        }
        commit();
    };
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4][4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            wmma::fill_fragment(sums[i][j], 0.0f);
    fetch(0, 0);
#pragma unroll(known ? kKnown / kDepth : 1)
    for (int at = 0; at < k; at += kDepth) {
        const int stage = at / kDepth & 1;
        if (at + kDepth < k) {
            fetch(stage ^ 1, at + kDepth);
            wait<1>();
        } else {
            wait<0>();
        }
        __syncthreads();
#pragma unroll
        for (int step = 0; step < kDepth; step += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[4];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                wmma::load_matrix_sync(fa[i], &tile_a[stage][(warp_row + 16 * i) * kPadA + step], kPadA);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                wmma::load_matrix_sync(fb[j], &tile_b[stage][step * kPadB + warp_column + 16 * j], kPadB);
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            wmma::store_matrix_sync(d + (row0 + warp_row + 16 * i) * n + column0 + warp_column + 16 * j, sums[i][j], n,
                                    wmma::mem_row_major);
}

__device__ void load_rows(unsigned (&to)[4], const half* from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(from));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared));
}
__device__ void load_columns(unsigned (&to)[4], const half* from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(from));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared));
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// The same by ldmatrix and mma, with fragments of the next step read ahead.
template <bool known>
__device__ void mma_tile(const half* a, const half* b, float* d, int n, int some_k) {
    const int k = known ? kKnown : some_k;
    constexpr int kPadA = kDepth + 8, kPadB = kTile + 8;
    __shared__ __align__(16) half tile_a[2][kTile * kPadA];
    __shared__ __align__(16) half tile_b[2][kDepth * kPadB];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
    const int warp_row = warp / 2 * 64, warp_column = warp % 2 * 64;
    const auto fetch = [&](int stage, int at) {
#pragma unroll
        for (int i = 0; i < kTile * kDepth / 8 / kThreads; ++i) {
            const int piece = threadIdx.x + i * kThreads, row = piece / (kDepth / 8), column = piece % (kDepth / 8) * 8;
            copy16(&tile_a[stage][row * kPadA + column], a + (row0 + row) * k + at + column);
        }
#pragma unroll
        for (int i = 0; i < kTile * kDepth / 8 / kThreads; ++i) {
            const int piece = threadIdx.x + i * kThreads, row = piece / (kTile / 8), column = piece % (kTile / 8) * 8;
            copy16(&tile_b[stage][row * kPadB + column], b + (at + row) * n + column0 + column);
        }
        commit();
    };
    float sums[4][8][4] = {};
    unsigned fa[2][4][4], fb[2][4][4];
    const auto read = [&](int which, int stage, int step) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            load_rows(fa[which][i], &tile_a[stage][(warp_row + 16 * i + lane % 16) * kPadA + step + lane / 16 * 8]);
#pragma unroll
        for (int j = 0; j < 4; ++j)
            load_columns(fb[which][j],
                         &tile_b[stage][(step + lane % 16) * kPadB + warp_column + 16 * j + lane / 16 * 8]);
    };
    fetch(0, 0);
#pragma unroll(known ? kKnown / kDepth : 1)
    for (int at = 0; at < k; at += kDepth) {
        const int stage = at / kDepth & 1;
        if (at + kDepth < k) {
            fetch(stage ^ 1, at + kDepth);
            wait<1>();
        } else {
            wait<0>();
        }
        __syncthreads();
        read(0, stage, 0);
#pragma unroll
        for (int step = 0; step < kDepth; step += 16) {
            const int which = step / 16 & 1;
            if (step + 16 < kDepth) read(which ^ 1, stage, step + 16);
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    multiply(sums[i][j], fa[which][i], fb[which][j / 2][j % 2 * 2], fb[which][j / 2][j % 2 * 2 + 1]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            float* to = d + (row0 + warp_row + 16 * i + lane / 4) * n + column0 + warp_column + 8 * j + lane % 4 * 2;
            *reinterpret_cast<float2*>(to) = make_float2(sums[i][j][0], sums[i][j][1]);
            *reinterpret_cast<float2*>(to + 8 * n) = make_float2(sums[i][j][2], sums[i][j][3]);
        }
}

extern "C" __global__ void __launch_bounds__(kThreads) wmma_128(const half* a, const half* b, float* d, int n, int k) {
    wmma_tile<false>(a, b, d, n, k);
}
extern "C" __global__ void __launch_bounds__(kThreads)
    wmma_128_unrolled(const half* a, const half* b, float* d, int n, int k) {
    wmma_tile<true>(a, b, d, n, k);
}
extern "C" __global__ void __launch_bounds__(kThreads) mma_128(const half* a, const half* b, float* d, int n, int k) {
    mma_tile<false>(a, b, d, n, k);
}
extern "C" __global__ void __launch_bounds__(kThreads)
    mma_128_unrolled(const half* a, const half* b, float* d, int n, int k) {
    mma_tile<true>(a, b, d, n, k);
}
