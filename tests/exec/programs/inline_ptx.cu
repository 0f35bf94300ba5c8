// SPDX-License-Identifier: Apache-2.0
// Instructions written by hand: products of matrices from ldmatrix, special registers, predicates, wide adds.
#include "program.hpp"

#include <cstdint>
#include <cuda_fp16.h>

__global__ void product(const half* a, const half* b, float* c) { // 16 x 16 by 16 x 8, b by columns
    __shared__ __align__(16) half as[16 * 16], bs[8 * 16];
    const int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32)
        as[i] = a[i];
    for (int i = lane; i < 128; i += 32)
        bs[i] = b[i];
    __syncwarp();
    uint32_t fa[4], fb[2];
    const auto at = [](const half* p) { return uint32_t(__cvta_generic_to_shared(p)); };
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(at(&as[(lane % 16) * 16 + (lane / 16) * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(at(&bs[(lane % 8) * 16 + (lane / 8 % 2) * 8])));
    float d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    for (int i = 0; i < 4; ++i)
        c[(lane / 4 + (i / 2) * 8) * 8 + (lane % 4) * 2 + i % 2] = d[i];
}

__device__ void add_wide(uint32_t* r, const uint32_t* a, const uint32_t* b) {
    asm("add.cc.u32 %0, %4, %8; addc.cc.u32 %1, %5, %9; addc.cc.u32 %2, %6, %10; addc.u32 %3, %7, %11;"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
}

__global__ void others(uint32_t* out) {
    uint32_t lane, selected, a[4] = {0xffffffff, 0xffffffff, 1, 2}, b[4] = {1, 0, 5, 6};
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("{ .reg .pred p; setp.gt.u32 p, %1, 15; selp.u32 %0, 7, 9, p; }" : "=r"(selected) : "r"(lane));
    out[threadIdx.x] = lane * 100 + selected;
    if (threadIdx.x == 0) add_wide(out + 32, a, b);
    uint32_t bits;
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(bits) : "r"(lane), "r"(3u), "r"(5u));
    out[36 + threadIdx.x] = bits;
    uint64_t begin, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    const long long clock = clock64();
    __nanosleep(100);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    if (threadIdx.x == 0) out[68] = end >= begin && clock64() >= clock;
}

int main() {
    const auto as = random_ints(256, -8, 8), bs = random_ints(128, -8, 8, 2);
    std::vector<half> a, b;
    for (const int v : as)
        a.push_back(__int2half_rn(v));
    for (const int v : bs)
        b.push_back(__int2half_rn(v));
    half *da = to_device(a), *db = to_device(b);
    float* dc = nullptr;
    CHECK(cudaMalloc(&dc, 128 * sizeof(float)));
    product<<<1, 32>>>(da, db, dc);
    const auto c = to_host(dc, 128);
    bool good = true;
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j) {
            int sum = 0;
            for (int k = 0; k < 16; ++k)
                sum += as[i * 16 + k] * bs[j * 16 + k];
            good &= c[i * 8 + j] == float(sum);
        }
    uint32_t* out = nullptr;
    CHECK(cudaMalloc(&out, 69 * sizeof *out));
    others<<<1, 32>>>(out);
    const auto values = to_host(out, 69);
    for (uint32_t l = 0; l < 32; ++l)
        good &= values[l] == l * 100 + (l > 15 ? 7 : 9) && values[36 + l] == (l ^ 3 ^ 5);
    good &= values[32] == 0 && values[33] == 0 && values[34] == 7 && values[35] == 8 && values[68] == 1;
    for (void* each : {(void*)da, (void*)db, (void*)dc, (void*)out})
        CHECK(cudaFree(each));
    return verdict(good);
}
