// SPDX-License-Identifier: Apache-2.0
// Kernels with one mistake in what a warp accesses together, or a copy by itself, and the same without it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warp_access_kernels {

/// A kernel `k`, launched with one block of 64 threads and 4096 bytes of dynamic shared memory. It has the parameters
/// of kParameters: a and b hold 256 halves, c and out 256 words, and nothing wrote to the 256 words of fresh.
struct Kernel {
    const char* name;
    const char* check;
    unsigned arch;
    std::string before; ///< declarations in front of it
    std::string body; ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of the mistake
    const char* access;        ///< read, write or atomic
    std::uint64_t size;        ///< bytes
    unsigned thread;           ///< the first that does it
    std::uint64_t count;       ///< 0: not compared, nor is the thread
    const char* says = "";     ///< part of the message
    const char* variable = ""; ///< part of its name
};

inline constexpr const char* kParameters =
    "__half* a, __half* b, float* c, unsigned* out, int n, __half* freed, __half* fresh";

inline const std::string kHalves = "#include <cuda_fp16.h>\n";
inline const std::string kTiles = "#include <mma.h>\nusing namespace nvcuda;\n";

/// Instructions that CUDA has no functions for.
inline const std::string kInstructions = R"(
__device__ unsigned at(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
#define LDMATRIX_X4(r, row) \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at(row)) : "memory")
#define LDMATRIX_X1(r, row) \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at(row)) : "memory")
#define STMATRIX_X2(row, r0, r1) \
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" :: "r"(at(row)), "r"(r0), "r"(r1) \
                 : "memory")
#define CP_ASYNC(to, from, bytes, source) \
    asm volatile("cp.async.ca.shared.global [%0], [%1], " #bytes ", %2;" \
                 :: "r"(at(to)), "l"(from), "r"(source) : "memory")
#define CP_ASYNC_WAIT() asm volatile("cp.async.wait_all;" ::: "memory")
#define BARRIER_INIT(bar, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory")
#define BARRIER_EXPECT(bar, n) \
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(at(bar)), "r"(n) : "memory")
#define BARRIER_WAIT(bar) \
    asm volatile("{ .reg .pred p; AGAIN%=: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra AGAIN%=; }" \
                 :: "r"(at(bar)) : "memory")
#define BULK_IN(to, from, bytes, bar) \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" \
                 :: "r"(at(to)), "l"(from), "r"(bytes), "r"(at(bar)) : "memory")
#define BULK_OUT(to, from, bytes) \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" \
                 :: "l"(to), "r"(at(from)), "r"(bytes) : "memory")
#define BULK_ADD(to, from, bytes) \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" \
                 :: "l"(to), "r"(at(from)), "r"(bytes) : "memory")
#define MMA_SP(d, a, b, meta) \
    asm volatile("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5, %5}, " \
                 "{%0, %1, %2, %3}, %6, 0x0;" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b), "r"(meta))
#define MMA_SP_WIDE(d, a, b, meta) \
    asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, " \
                 "{%5, %5, %5, %5}, {%0, %1, %2, %3}, %6, 0x1;" \
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a), "r"(b), "r"(meta))
#define MMA_SP_BYTES(d, a, b, meta) \
    asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4}, {%5, %5}, " \
                 "{%0, %1, %2, %3}, %6, 0x1;" \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a), "r"(b), "r"(meta))
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
)";

inline const std::string kFill = R"(
int i = threadIdx.x, lane = i % 32;
__shared__ alignas(128) __half tile[16][16];
for (int k = i; k < 256; k += 64) tile[k / 16][k % 16] = a[k];
__syncthreads();
)";

/// A bulk copy into `stage`, whose bytes thread 0 waits for as all do.
inline std::string bulk_in(const std::string& copy, const std::string& bytes) {
    return "__shared__ alignas(128) unsigned stage[128];\n__shared__ alignas(8) unsigned long long bar;\n"
           "int i = threadIdx.x;\nif (i == 0) BARRIER_INIT(&bar, 1);\n__syncthreads();\nif (i == 0) {\n"
           "BARRIER_EXPECT(&bar, " +
           bytes + ");\n" + copy + "}\nBARRIER_WAIT(&bar);\n";
}

using Wmma = const std::string;
inline Wmma kA = "wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;\n";
inline Wmma kB = "wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;\n";
inline Wmma kC = "wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;\n";

inline std::vector<Kernel> memory() {
    const std::string sum4 = "out[i] = r[0] ^ r[1] ^ r[2] ^ r[3];\n";
    const std::string ld = kFill + "unsigned r[4];\n";
    return {
        {"ldmatrix beyond its variable", "memory", 80, "",
         ld + "LDMATRIX_X4(r, &tile[lane % 16 + WRONG(1, 0)][lane / 16 * 8]); // HERE\n" + sum4, "read", 16, 15, 4,
         "512 bytes of the shared variable", "tile"},
        {"ldmatrix of the wrong variable", "memory", 80, "",
         ld +
             "__shared__ alignas(128) __half second[256];\nsecond[i] = a[i];\n__syncthreads();\n"
             "LDMATRIX_X4(r, &tile[lane % 16][lane / 16 * 8] + WRONG(i == 40 ? 512 : 0, 0)); // HERE\n" +
             sum4 + "out[i] += __half2int_rn(second[63 - i]);\n",
         "read", 16, 40, 1, "shared variable", "tile"},
        {"ldmatrix of one matrix", "memory", 80, "",
         ld + "unsigned one;\nint row = lane < 8 ? lane * 2 + WRONG(lane == 7 ? 2 : 0, 0) : 100;\n"
              "LDMATRIX_X1(one, &tile[row][0]); // HERE\nout[i] = one;\n",
         "read", 16, 7, 2},
        {"a misaligned row", "memory", 80, "",
         ld + "LDMATRIX_X4(r, &tile[lane % 16][lane / 16 * 8 - WRONG(lane == 31 ? 4 : 0, 0)]); // HERE\n" + sum4,
         "read", 16, 31, 2, "no multiple of 16"},
        {"rows behind a guard", "memory", 80, "",
         ld +
             "r[0] = r[1] = r[2] = r[3] = 0;\nif (n > 3)\n"
             "    LDMATRIX_X4(r, &tile[lane % 16 + WRONG(1, 0)][lane / 16 * 8]); // HERE\n" +
             sum4,
         "read", 16, 15, 4},
        {"stmatrix beyond its variable", "memory", 90, "",
         kFill + "STMATRIX_X2(&tile[lane % 16 + WRONG(2, 0)][i / 32 * 8], i, i + 1); // HERE\n__syncthreads();\n"
                 "out[i] = __half2int_rn(tile[i / 4][i % 4]);\n",
         "write", 16, 14, 4, "shared variable", "tile"},
        {"a tile beyond its memory", "memory", 80, "",
         kA + "wmma::load_matrix_sync(fa, a + WRONG(8, 0), 16); // HERE\nout[threadIdx.x] = fa.x[0] > __half(0);\n",
         "read", 16, 31, 2, "past the end of"},
        {"a tile with lines too far apart", "memory", 80, "",
         kA + "wmma::load_matrix_sync(fa, a, WRONG(32, 16)); // HERE\nout[threadIdx.x] = fa.x[0] > __half(0);\n",
         "read", 16, 16, 32},
        {"a tile by columns", "memory", 80, "",
         kB + "wmma::load_matrix_sync(fb, b + WRONG(16, 0), 16); // HERE\nout[threadIdx.x] = fb.x[0] > __half(0);\n",
         "read", 16, 30, 4},
        {"a tile in shared memory", "memory", 80, "",
         kFill + kA +
             "wmma::load_matrix_sync(fa, &tile[WRONG(i / 32, 0)][0], 16); // HERE\n"
             "out[i] = fa.x[0] > __half(0);\n",
         "read", 16, 62, 2, "512 bytes of the shared variable", "tile"},
        {"a misaligned tile", "memory", 80, "",
         kA + "wmma::load_matrix_sync(fa, (__half*)c + WRONG(threadIdx.x < 32 ? 0 : 1, 0), 16); // HERE\n"
              "out[threadIdx.x] = fa.x[0] > __half(0);\n",
         "read", 16, 32, 32},
        {"a tile of freed memory", "memory", 80, "",
         kA + "wmma::load_matrix_sync(fa, WRONG(freed, a), 16); // HERE\nout[threadIdx.x] = fa.x[0] > __half(0);\n",
         "read", 16, 0, 64, "was freed"},
        {"a stored tile", "memory", 80, "",
         kC + "wmma::fill_fragment(fc, 1.0f);\n"
              "if (threadIdx.x < 32) wmma::store_matrix_sync(c + WRONG(16, 0), fc, 16, wmma::mem_row_major); // HERE\n",
         "write", 32, 30, 2, "past the end of"},
        {"a tile that a product needs", "memory", 80, "",
         kA + kB + kC +
             "wmma::load_matrix_sync(fa, a, 16);\nwmma::fill_fragment(fc, 0.0f);\n"
             "wmma::load_matrix_sync(fb, b + WRONG(n, 0), 16); // HERE\nwmma::mma_sync(fc, fa, fb, fc);\n"
             "if (threadIdx.x < 32) wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);\n",
         "read", 16, 16, 32},
        // Copies
        {"a copy whose source is shorter", "memory", 80, "",
         "int i = threadIdx.x;\n__shared__ alignas(16) unsigned stage[64];\n"
         "CP_ASYNC(&stage[i], (const unsigned*)a + i + (i == 3 ? 125 : 0), 4, WRONG(4, i == 3 ? 0 : 4)); // HERE\n"
         "CP_ASYNC_WAIT();\n__syncthreads();\nout[i] = stage[63 - i];\n",
         "read", 4, 3, 1, "past the end of"},
        {"a part of a source", "memory", 80, "",
         "int i = threadIdx.x;\n__shared__ alignas(16) unsigned stage[256];\n"
         "CP_ASYNC(&stage[4 * i], a + (i == 9 ? 256 : 0), 16, i == 9 ? WRONG(12, 0) : 16); // HERE\n"
         "CP_ASYNC_WAIT();\n__syncthreads();\nout[i] = stage[63 - i];\n",
         "read", 12, 9, 1, "past the end of"},
        {"a bulk copy of too many bytes", "memory", 90, "",
         bulk_in("BULK_IN(stage, a + WRONG(16, 0), 512, &bar); // HERE\n", "512") + "out[i] = stage[127 - i];\n",
         "read", 512, 0, 1, "32 too long"},
        {"a bulk copy beyond its variable", "memory", 90, "",
         bulk_in("BULK_IN(&stage[WRONG(n, 0)], a, 512, &bar); // HERE\n", "512") + "out[i] = stage[127 - i];\n",
         "write", 512, 0, 1, "shared variable", "stage"},
        {"a bulk copy of half a unit", "memory", 90, "",
         bulk_in("BULK_IN(stage, a, 512 - WRONG(8, 0), &bar); // HERE\n", "512 - WRONG(8, 0)") + "out[i] = stage[i];\n",
         "", 0, 0, 0, "no multiple of 16"},
        {"a misaligned bulk copy", "memory", 90, "",
         bulk_in("BULK_IN(stage, a + WRONG(4, 0), 256, &bar); // HERE\n", "256") + "out[i] = stage[i];\n", "read", 256,
         0, 1, "no multiple of 16"},
        {"a bulk copy out of shared memory", "memory", 90, "",
         "__shared__ alignas(128) unsigned stage[64];\nint i = threadIdx.x;\nstage[i] = i;\n__syncthreads();\n"
         "if (i == 0) {\nBULK_OUT(out + WRONG(n + 200, 0), stage, 256); // HERE\nBULK_COMMIT();\nBULK_WAIT();\n}\n",
         "write", 256, 0, 1, "past the end of"},
        {"a bulk sum", "memory", 90, "",
         "__shared__ alignas(128) unsigned stage[64];\nint i = threadIdx.x;\nstage[i] = i;\n__syncthreads();\n"
         "if (i == 0) {\nBULK_ADD(out + WRONG(n + 200, 0), stage, 256); // HERE\nBULK_COMMIT();\nBULK_WAIT();\n}\n",
         "atomic", 256, 0, 1, "past the end of"},
        {"a barrier object behind the others", "memory", 90, "",
         "__shared__ alignas(8) unsigned long long bars[2];\n__shared__ unsigned long long other[2];\n"
         "int i = threadIdx.x;\nif (i < 2) other[i] = i;\nif (i == 5) BARRIER_INIT(&bars[WRONG(n / 64, 1)], 1); // "
         "HERE\n"
         "__syncthreads();\nout[i] = (unsigned)other[1 - i % 2];\n",
         "atomic", 8, 5, 1, "shared variable", "bars"},
    };
}

inline std::vector<Kernel> init() {
    const auto product = [](const std::string& rest) {
        return kA + kB + kC + "if (threadIdx.x < 32) {\nwmma::fill_fragment(fc, 0.0f);\n" + rest + "}\n";
    };
    const std::string store = "wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major); // HERE\n";
    const std::string half = "__shared__ alignas(128) __half part[16][16];\n__shared__ float sums[256];\n"
                             "int i = threadIdx.x;\nif (i < 32) {\nfor (int k = i; k < 128; k += 32) "
                             "part[k / 16][k % 16] = a[k];\n__syncwarp();\n}\n";
    const std::string sparse = "int i = threadIdx.x;\n__shared__ unsigned meta[64];\nfloat d[4] = {};\n"
                               "unsigned one = 0x3c003c00;\n";
    return {
        {"a product with a factor that nothing wrote", "init", 80, "",
         product("wmma::load_matrix_sync(fa, WRONG(fresh, a), 16);\nwmma::load_matrix_sync(fb, b, 16);\n"
                 "wmma::mma_sync(fc, fa, fb, fc);\n" +
                 store),
         "write", 0, 0, 0, "stored in memory that the host reads"},
        {"the other factor", "init", 80, "",
         product("wmma::load_matrix_sync(fa, a, 16);\nwmma::load_matrix_sync(fb, WRONG(fresh, b), 16);\n"
                 "wmma::mma_sync(fc, fa, fb, fc);\n" +
                 store),
         "write", 0, 0, 0},
        {"an accumulator that nothing wrote", "init", 80, "",
         product("wmma::load_matrix_sync(fa, a, 16);\nwmma::load_matrix_sync(fb, b, 16);\n"
                 "wmma::load_matrix_sync(fc, WRONG((float*)fresh, c), 16, wmma::mem_row_major);\n"
                 "wmma::mma_sync(fc, fa, fb, fc);\n" +
                 store),
         "write", 0, 0, 0},
        {"rows that nothing wrote", "init", 80, "",
         half + product("wmma::load_matrix_sync(fa, &part[0][0], 16);\nwmma::load_matrix_sync(fb, b, 16);\n"
                        "wmma::mma_sync(fc, fa, fb, fc);\n"
                        "wmma::store_matrix_sync(sums, fc, 16, wmma::mem_row_major);\n__syncwarp();\n"
                        "for (int k = i; k < WRONG(256, 128); k += 32)\n    c[k] = sums[k]; // HERE\n"),
         "write", 4, 0, 0},
        {"columns that nothing wrote", "init", 80, "",
         half + product("wmma::load_matrix_sync(fa, a, 16);\nwmma::load_matrix_sync(fb, &part[0][0], 16);\n"
                        "wmma::mma_sync(fc, fa, fb, fc);\n"
                        "wmma::store_matrix_sync(sums, fc, 16, wmma::mem_row_major);\n__syncwarp();\n"
                        "for (int k = i; k < 256; k += 32)\n"
                        "    if (k % 16 < WRONG(16, 8)) c[k] = sums[k]; // HERE\n"),
         "write", 4, 0, 0},
        {"ldmatrix of what nothing wrote", "init", 80, "",
         "int i = threadIdx.x, lane = i % 32;\n__shared__ alignas(128) __half tile[16][16];\n"
         "for (int k = i; k < WRONG(128, 256); k += 64) tile[k / 16][k % 16] = a[k];\n__syncthreads();\n"
         "unsigned r[4];\nLDMATRIX_X4(r, &tile[lane % 16][lane / 16 * 8]);\nout[i] = r[1]; // HERE\n",
         "write", 4, 0, 64},
        {"a decision by what ldmatrix read", "init", 80, "",
         "int i = threadIdx.x, lane = i % 32;\n__shared__ alignas(128) __half tile[16][16];\n"
         "for (int k = i; k < WRONG(128, 256); k += 64) tile[k / 16][k % 16] = a[k];\n__syncthreads();\n"
         "unsigned r[4];\nLDMATRIX_X4(r, &tile[lane % 16][lane / 16 * 8]);\n"
         "if (r[3] == 7) // HERE\n    out[i] = 1;\n",
         "read", 0, 0, 64, "decides"},
        {"stmatrix takes it along", "init", 90, "",
         "int i = threadIdx.x, lane = i % 32;\n__shared__ alignas(128) __half tile[2][16][8];\n"
         "unsigned r = ((unsigned*)WRONG(fresh, a))[i];\nSTMATRIX_X2(&tile[i / 32][lane % 16][0], r, 0);\n"
         "__syncwarp();\nout[i] = ((unsigned*)tile[i / 32])[lane]; // HERE\n",
         "write", 4, 0, 64},
        {"a bulk copy of what nothing wrote", "init", 90, "",
         bulk_in("BULK_IN(stage, WRONG(fresh, a), 512, &bar);\n", "512") + "out[i] = stage[127 - i]; // HERE\n",
         "write", 4, 0, 64},
        {"a bulk copy out of shared memory", "init", 90, "",
         "__shared__ alignas(128) unsigned stage[64];\nint i = threadIdx.x;\nif (i < WRONG(32, 64)) stage[i] = i;\n"
         "__syncthreads();\nif (i == 0) {\nBULK_OUT(fresh, stage, 256);\nBULK_COMMIT();\nBULK_WAIT();\n}\n"
         "__syncthreads();\nout[i] = ((unsigned*)fresh)[i]; // HERE\n",
         "write", 4, 32, 32},
        {"a bulk sum of what nothing wrote", "init", 90, "",
         "__shared__ alignas(128) unsigned stage[64];\nint i = threadIdx.x;\nif (i < WRONG(32, 64)) stage[i] = i;\n"
         "__syncthreads();\nif (i == 0) {\n    BULK_ADD(out, stage, 256); // HERE\n    BULK_COMMIT();\n"
         "    BULK_WAIT();\n}\n",
         "atomic", 4, 0, 32, "is changed by an atomic operation"},
        {"a bulk sum that begins nowhere", "init", 90, "",
         "__shared__ alignas(128) unsigned stage[64];\nint i = threadIdx.x;\nstage[i] = i;\n"
         "if (i < WRONG(16, 64)) ((unsigned*)fresh)[i] = 1;\n"
         "__syncthreads();\nif (i == 0) {\nBULK_ADD(fresh, stage, 256);\nBULK_COMMIT();\nBULK_WAIT();\n}\n"
         "__syncthreads();\nif (((unsigned*)fresh)[i] == 7) // HERE\n    out[i] = 1;\n",
         "read", 0, 16, 48, "decides"},
        // The places of a sparse factor's elements: the lanes 0, 4, 8 … have those of two rows here.
        {"metadata of some rows", "init", 80, "",
         sparse + "if (i % 4 == 0 && i % 32 < WRONG(16, 32)) meta[i] = 0x44444444;\n__syncwarp();\n"
                  "MMA_SP(d, one, one, meta[i]);\nout[i] = __float_as_uint(d[0]) + __float_as_uint(d[3]); // HERE\n",
         "write", 4, 16, 32},
        {"metadata of the lower rows", "init", 80, "",
         sparse + "((unsigned short*)meta)[2 * i] = 0x4444;\n__syncwarp();\nMMA_SP(d, one, one, meta[i]);\n"
                  "out[i] = __float_as_uint(WRONG(d[2], d[1])); // HERE\n",
         "write", 4, 0, 64},
        {"metadata of another lane", "init", 80, "",
         sparse + "if (i % 4 > WRONG(2, 1)) meta[i] = 0x44444444;\n__syncwarp();\n"
                  "MMA_SP_WIDE(d, one, one, meta[i]);\nout[i] = __float_as_uint(d[1]); // HERE\n",
         "write", 4, 0, 64},
        {"metadata of bytes", "init", 80, "",
         sparse + "int e[4] = {};\nif (i % 4 == 2) meta[i] = 0x44444444;\n__syncwarp();\n"
                  "MMA_SP_BYTES(e, 0x01010101, 0x01010101, meta[i]);\nout[i] = WRONG(e[2], e[1]); // HERE\n",
         "write", 4, 0, 64},
    };
}

inline std::vector<Kernel> race() {
    const std::string stage = "int i = threadIdx.x;\n__shared__ alignas(128) unsigned stage[256];\n";
    return {
        {"a tile read before it is there", "race", 80, "",
         kFill + kC +
             "__shared__ float sums[256];\nif (i < 32) {\nwmma::fill_fragment(fc, 1.0f);\n"
             "wmma::store_matrix_sync(sums, fc, 16, wmma::mem_row_major);\n}\n"
             "WRONG((void)0, __syncthreads());\nc[i] = sums[i]; // HERE\n",
         "read", 0, 0, 0, "Put __syncthreads()"},
        {"a tile replaced before it was read", "race", 80, "",
         kFill + kA +
             "wmma::load_matrix_sync(fa, &tile[0][0], 16);\nWRONG((void)0, __syncthreads());\n"
             "tile[i / 4][i % 4] = a[i]; // HERE\nout[i] = fa.x[0] > __half(0);\n",
         "write", 0, 0, 0, "'tile'"},
        {"rows replaced before they were read", "race", 80, "",
         kFill + "unsigned r[4];\nLDMATRIX_X4(r, &tile[lane % 16][lane / 16 * 8]);\n"
                 "WRONG((void)0, __syncthreads());\ntile[i / 4][i % 4] = a[i]; // HERE\nout[i] = r[0] ^ r[3];\n",
         "write", 0, 0, 0, "'tile'"},
        {"rows read before they are there", "race", 90, "",
         "int i = threadIdx.x, lane = i % 32;\n__shared__ alignas(128) __half tile[2][16][8];\n"
         "STMATRIX_X2(&tile[i / 32][lane % 16][0], i, 0);\nWRONG(__syncwarp(), __syncthreads());\n"
         "out[i] = ((unsigned*)tile[1 - i / 32])[lane]; // HERE\n",
         "read", 0, 0, 0, "'tile'"},
        {"tiles of two warps in one place", "race", 80, "",
         kC + "wmma::fill_fragment(fc, float(threadIdx.x / 32));\nif (threadIdx.x < WRONG(64, 32))\n"
              "    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major); // HERE\n",
         "write", 0, 0, 0, "a race"},
        // Copies that go on by themselves
        {"a copy that nobody waits for", "race", 80, "",
         stage + "CP_ASYNC(&stage[i], (const unsigned*)a + i, 4, 4);\nif (WRONG(0, 1)) CP_ASYNC_WAIT();\n"
                 "__syncthreads();\nout[i] = stage[63 - i]; // HERE\n",
         "read", 4, 0, 0, "Wait for the copy"},
        {"a copy of one's own", "race", 80, "",
         stage + "CP_ASYNC(&stage[i], (const unsigned*)a + i, 4, 4);\nif (WRONG(0, 1)) CP_ASYNC_WAIT();\n"
                 "out[i] = stage[i]; // HERE\n",
         "read", 4, 0, 0, "itself"},
        {"a copy that only its thread waits for", "race", 80, "",
         stage + "CP_ASYNC(&stage[i], (const unsigned*)a + i, 4, 4);\nCP_ASYNC_WAIT();\n"
                 "WRONG((void)0, __syncthreads());\nout[i] = stage[63 - i]; // HERE\n",
         "read", 4, 0, 0, "a race"},
        {"a wait for too few groups", "race", 80, "",
         stage + "for (int k = 0; k < 2; ++k) {\nCP_ASYNC(&stage[64 * k + i], (const unsigned*)a + i, 4, 4);\n"
                 "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");\n}\n"
                 "asm volatile(\"cp.async.wait_group %0;\" :: \"n\"(WRONG(1, 0)) : \"memory\");\n__syncthreads();\n"
                 "out[i] = stage[63 - i] + stage[127 - i]; // HERE\n",
         "read", 4, 0, 0, "Wait for the copy"},
        {"a buffer that is filled too early", "race", 80, "",
         stage + "unsigned sum = 0;\nCP_ASYNC(&stage[i], (const unsigned*)a + i, 4, 4);\n"
                 "for (int k = 1; k < 5; ++k) {\nCP_ASYNC_WAIT();\n__syncthreads();\n"
                 "CP_ASYNC(&stage[WRONG(0, k % 2 * 64) + i], (const unsigned*)a + i, 4, 4);\n"
                 "sum += stage[WRONG(0, (k - 1) % 2 * 64) + 63 - i]; // HERE\n__syncthreads();\n}\n"
                 "CP_ASYNC_WAIT();\nout[i] = sum;\n",
         "read", 4, 0, 0, "Wait for the copy"},
        {"a copy of a group that has met", "race", 80,
         "#include <cooperative_groups.h>\n#include <cooperative_groups/memcpy_async.h>\n"
         "namespace cg = cooperative_groups;\n",
         stage + "auto block = cg::this_thread_block();\n"
                 "cg::memcpy_async(block, stage, (const unsigned*)a, 256);\n"
                 "WRONG(block.sync(), cg::wait(block));\nout[i] = stage[63 - i]; // HERE\n",
         "read", 4, 0, 0, "Wait for the copy"},
        {"a stage of a pipeline", "race", 80, "#include <cuda_pipeline.h>\n",
         stage + "for (int k = 0; k < 4; ++k) {\n"
                 "__pipeline_memcpy_async(&stage[64 * k + i], (const unsigned*)a + i, 4);\n__pipeline_commit();\n}\n"
                 "unsigned sum = 0;\n#pragma unroll\nfor (int k = 0; k < 4; ++k) {\n"
                 "__pipeline_wait_prior(WRONG(3 - k / 2, 3 - k));\n__syncthreads();\n"
                 "sum += stage[64 * k + 63 - i]; // HERE\n}\nout[i] = sum;\n",
         "read", 4, 0, 0, "Wait for the copy"},
        {"copies that a barrier object is told of", "race", 80, "",
         stage +
             "__shared__ alignas(8) unsigned long long bar;\nif (i == 0) BARRIER_INIT(&bar, 64);\n__syncthreads();\n"
             "CP_ASYNC(&stage[i], (const unsigned*)a + i, 4, 4);\n"
             "asm volatile(\"cp.async.mbarrier.arrive.noinc.shared.b64 [%0];\" :: \"r\"(at(&bar)) : \"memory\");\n"
             "if (WRONG(0, 1)) while (true) {\nunsigned done;\n"
             "asm volatile(\"{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; "
             "}\"\n"
             "    : \"=r\"(done) : \"r\"(at(&bar)) : \"memory\");\nif (done) break;\n}\n"
             "__syncthreads();\nout[i] = stage[63 - i]; // HERE\n",
         "read", 4, 0, 0, "Wait for the copy"},
        {"a bulk copy that nobody waits for", "race", 90, "",
         "__shared__ alignas(128) unsigned stage[128];\n__shared__ alignas(8) unsigned long long bar;\n"
         "int i = threadIdx.x;\nif (i == 0) BARRIER_INIT(&bar, 1);\n__syncthreads();\nif (i == 0) {\n"
         "BARRIER_EXPECT(&bar, 512);\nBULK_IN(stage, a, 512, &bar);\n}\nif (WRONG(0, 1)) BARRIER_WAIT(&bar);\n"
         "__syncthreads();\nout[i] = stage[127 - i]; // HERE\n",
         "read", 4, 0, 0, "Wait for the copy"},
        {"shared memory that a bulk copy still reads", "race", 90, "",
         stage + "stage[i] = i;\n__syncthreads();\nif (i == 0) {\nBULK_OUT(out, stage, 256);\nBULK_COMMIT();\n"
                 "if (WRONG(0, 1)) BULK_WAIT();\n}\n__syncthreads();\nstage[i] = 2 * i; // HERE\n__syncthreads();\n"
                 "c[i] = stage[63 - i];\nif (i == 0) BULK_WAIT();\n",
         "write", 4, 0, 0, "Wait for the copy"},
        {"global memory that a bulk copy still writes", "race", 90, "",
         stage + "stage[i] = i;\n__syncthreads();\nif (i == 0) {\nBULK_OUT(out, stage, 256);\nBULK_COMMIT();\n"
                 "if (WRONG(0, 1)) BULK_WAIT();\n}\n__syncthreads();\nout[i] += 1; // HERE\n",
         "", 4, 0, 0, "Wait for the copy"},
    };
}

} // namespace warp_access_kernels
