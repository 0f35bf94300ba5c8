// SPDX-License-Identifier: Apache-2.0
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;
extern "C" __global__ void wm(const half*a,const half*b,float*c,int K,int N){wmma::fragment<wmma::matrix_a,16,16,16,half,wmma::row_major>A;wmma::fragment<wmma::matrix_b,16,16,16,half,wmma::col_major>B;wmma::fragment<wmma::accumulator,16,16,16,float>C;wmma::fill_fragment(C,0.f);for(int k=0;k<K;k+=16){wmma::load_matrix_sync(A,a+k,K);wmma::load_matrix_sync(B,b+k,K);wmma::mma_sync(C,A,B,C);}wmma::store_matrix_sync(c,C,N,wmma::mem_row_major);}
extern "C" __global__ void wmi(const signed char*a,const signed char*b,int*c){wmma::fragment<wmma::matrix_a,16,16,16,signed char,wmma::row_major>A;wmma::fragment<wmma::matrix_b,16,16,16,signed char,wmma::col_major>B;wmma::fragment<wmma::accumulator,16,16,16,int>C;wmma::fill_fragment(C,0);wmma::load_matrix_sync(A,a,16);wmma::load_matrix_sync(B,b,16);wmma::mma_sync(C,A,B,C);wmma::store_matrix_sync(c,C,16,wmma::mem_row_major);}
#if __CUDA_ARCH__>=800
extern "C" __global__ void mm(const unsigned*a,const unsigned*b,float*c){__shared__ unsigned s[256];for(int i=threadIdx.x;i<256;i+=32)s[i]=a[i];__syncthreads();unsigned A[4],B[2];unsigned ad=(unsigned)__cvta_generic_to_shared(s+threadIdx.x*4);asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];":"=r"(A[0]),"=r"(A[1]),"=r"(A[2]),"=r"(A[3]):"r"(ad));asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];":"=r"(B[0]),"=r"(B[1]):"r"(ad));float*C=c+4*threadIdx.x;asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};":"+f"(C[0]),"+f"(C[1]),"+f"(C[2]),"+f"(C[3]):"r"(A[0]),"r"(A[1]),"r"(A[2]),"r"(A[3]),"r"(B[0]),"r"(B[1]));asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};":"+f"(C[0]),"+f"(C[1]),"+f"(C[2]),"+f"(C[3]):"r"(A[0]),"r"(A[1]),"r"(A[2]),"r"(A[3]),"r"(B[0]),"r"(B[1]));}
#endif
// Every kind of element, by rows and by columns.
template <int m, int n, int k, class T, class S, class LA, class LB>
__device__ void tile(const T* a, const T* b, S* c, S* d, int lda, int ldb, int ldc, wmma::layout_t lc) {
    wmma::fragment<wmma::matrix_a, m, n, k, T, LA> A;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LB> B;
    wmma::fragment<wmma::accumulator, m, n, k, S> C;
    wmma::load_matrix_sync(A, a, lda);
    wmma::load_matrix_sync(B, b, ldb);
    wmma::load_matrix_sync(C, c, ldc, lc);
    wmma::mma_sync(C, A, B, C);
    wmma::store_matrix_sync(d, C, ldc, lc);
}
#define TILES(name, m, n, k, T, S)                                                                                     \
    extern "C" __global__ void name##_rr(const T* a, const T* b, S* c, S* d, int lda, int ldb, int ldc) {              \
        tile<m, n, k, T, S, wmma::row_major, wmma::row_major>(a, b, c, d, lda, ldb, ldc, wmma::mem_row_major);         \
    }                                                                                                                  \
    extern "C" __global__ void name##_cc(const T* a, const T* b, S* c, S* d, int lda, int ldb, int ldc) {              \
        tile<m, n, k, T, S, wmma::col_major, wmma::col_major>(a, b, c, d, lda, ldb, ldc, wmma::mem_col_major);         \
    }
TILES(half16, 16, 16, 16, half, float)
TILES(half8, 8, 32, 16, half, half)
TILES(half32, 32, 8, 16, half, float)
TILES(byte16, 16, 16, 16, signed char, int)
TILES(byte8, 8, 32, 16, unsigned char, int)
#if __CUDA_ARCH__ >= 800
TILES(bf32, 32, 8, 16, __nv_bfloat16, float)
TILES(doubles, 8, 8, 4, double, double)
extern "C" __global__ void tf(const float* a, const float* b, float* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> A;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> B;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> C;
    wmma::fill_fragment(C, 1.0f);
    wmma::load_matrix_sync(A, a, 8);
    wmma::load_matrix_sync(B, b, 8);
    for (int i = 0; i < A.num_elements; ++i) A.x[i] = wmma::__float_to_tf32(A.x[i]);
    for (int i = 0; i < B.num_elements; ++i) B.x[i] = wmma::__float_to_tf32(B.x[i]);
    wmma::mma_sync(C, A, B, C);
    wmma::store_matrix_sync(d, C, 16, wmma::mem_row_major);
}
// Through shared memory, by warps that go different ways: half of them multiply, the others have nothing to do.
extern "C" __global__ void some(const half* a, const half* b, float* d) {
    __shared__ float s[4][256];
    const int warp = threadIdx.x / 32;
    if (warp % 2 == 0) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> B;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
        wmma::fill_fragment(C, float(warp));
        wmma::load_matrix_sync(A, a + warp * 256, 16);
        wmma::load_matrix_sync(B, b, 16);
        wmma::mma_sync(C, A, B, C);
        for (int i = 0; i < C.num_elements; ++i) C.x[i] *= 2;
        wmma::store_matrix_sync(s[warp], C, 16, wmma::mem_row_major);
    } else {
        for (int i = threadIdx.x % 32; i < 256; i += 32) s[warp][i] = -1;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 128) d[i] = s[i / 256][i % 256];
}
#endif
