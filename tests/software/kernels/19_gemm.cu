// SPDX-License-Identifier: Apache-2.0
// c = a b, half in and float out: a tile of 64 x 64 a block of four warps, the next 16 of k on their way while these
// are multiplied.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
extern "C" __global__ void gemm(const half* a, const half* b, float* c, int n) {
    __shared__ alignas(16) half as[2][64][24], bs[2][16][72];
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    float acc[8][4] = {};
    auto load = [&](int s, int k) {
        int r = tid / 2, h = tid % 2 * 8;
        __pipeline_memcpy_async(&as[s][r][h], a + (row0 + r) * n + k + h, 16);
        int r2 = tid / 8, h2 = tid % 8 * 8;
        __pipeline_memcpy_async(&bs[s][r2][h2], b + (k + r2) * n + col0 + h2, 16);
        __pipeline_commit();
    };
    load(0, 0);
    for (int k = 0; k < n; k += 16) {
        int s = k / 16 & 1;
        if (k + 16 < n) {
            load(s ^ 1, k + 16);
            __pipeline_wait_prior(1);
        } else
            __pipeline_wait_prior(0);
        __syncthreads();
        unsigned A[4];
        unsigned pa = __cvta_generic_to_shared(&as[s][warp * 16 + lane % 16][lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                     : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3])
                     : "r"(pa));
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            unsigned B[2];
            unsigned pb = __cvta_generic_to_shared(&bs[s][lane % 16][j * 8]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];"
                         : "=r"(B[0]), "=r"(B[1])
                         : "r"(pb));
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                : "+f"(acc[j][0]), "+f"(acc[j][1]), "+f"(acc[j][2]), "+f"(acc[j][3])
                : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]));
        }
        __syncthreads();
    }
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 4; ++i)
            c[(row0 + warp * 16 + lane / 4 + i / 2 * 8) * n + col0 + j * 8 + lane % 4 * 2 + i % 2] = acc[j][i];
}
