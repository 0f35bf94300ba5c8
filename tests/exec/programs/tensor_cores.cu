// SPDX-License-Identifier: Apache-2.0
// Products of matrices by wmma, a warp for each tile of 16 × 16.
#include "program.hpp"

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void product(const half* a, const half* b, float* c, int m, int n, int k, float alpha, float beta) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize * 16,
              column = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
    if (row >= m || column >= n) return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, before;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(fa, a + row * k + i, k);
        wmma::load_matrix_sync(fb, b + column * k + i, k);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::load_matrix_sync(before, c + row * n + column, n, wmma::mem_row_major);
    for (int i = 0; i < before.num_elements; ++i)
        before.x[i] = alpha * sum.x[i] + beta * before.x[i];
    wmma::store_matrix_sync(c + row * n + column, before, n, wmma::mem_row_major);
}

int main() {
    const int m = 64, n = 48, k = 80;
    const auto as = random_ints(m * k, -4, 4), bs = random_ints(n * k, -4, 4, 2), cs = random_ints(m * n, -9, 9, 3);
    std::vector<half> a, b;
    for (const int v : as)
        a.push_back(__int2half_rn(v));
    for (const int v : bs)
        b.push_back(__int2half_rn(v));
    const std::vector<float> c(cs.begin(), cs.end());
    half *da = to_device(a), *db = to_device(b);
    float* dc = to_device(c);
    product<<<dim3(1, 2), dim3(128, 2)>>>(da, db, dc, m, n, k, 2.0f, 3.0f);
    CHECK(cudaGetLastError());
    const auto result = to_host(dc, m * n);
    bool good = true;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            int sum = 0;
            for (int l = 0; l < k; ++l)
                sum += as[i * k + l] * bs[j * k + l];
            // Four warps in x and two in y make 64 rows and 64 columns, of which 48 are there.
            good &= result[i * n + j] == 2.0f * sum + 3.0f * cs[i * n + j];
        }
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return verdict(good);
}
