// SPDX-License-Identifier: Apache-2.0
// Kernels that use memory which nothing wrote, and the same without the mistake.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace init_kernels {

/// A kernel `k`, launched with 2 blocks of 64 threads, of which t is the number in the block. `out` and `in` have 256
/// ints each: nothing wrote `out`, `in` is an input. Both are copied to the host afterwards. Dynamic shared memory has
/// 1,024 bytes.
struct Kernel {
    const char* name;
    std::string before; ///< declarations in front of it
    std::string body;   ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of the use
    const char* access = "read"; ///< or write, atomic
    std::uint64_t count = 0;     ///< threads; 0: it depends
    const char* says = "";       ///< part of the message
    bool reads_there = false;    ///< the memory was read at THERE
};

inline constexpr const char* kParameters = "int* out, int* in, int n, float* values, double* wide";

inline std::vector<Kernel> all() {
    const std::string i = "int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n";
    const std::string s = i + "__shared__ int s[64];\n";
    const std::string zero = "WRONG((void)0, out[i] = 0);\n";
    return {
        // Global memory
        {"a sum into an output", "", i + zero + "out[i] += in[i]; // HERE\n", "write", 128, "is stored in memory"},
        {"a histogram that is not cleared", "",
         i + "if (WRONG(false, true)) {\n    out[t] = 0;\n    __syncthreads();\n}\n"
             "atomicAdd(&out[WRONG(in[i] & 7, t)], 1); // HERE\n",
         "atomic", 0, "is changed by an atomic operation"},
        {"a result of an atomic operation", "",
         i + zero + "int old = atomicAdd(&out[i], 1); // THERE\nif (old > 3) in[i] = 1; // HERE\n", "", 0, "", true},
        {"a branch by an output", "", i + zero + "int v = out[i]; // THERE\nif (v > 0) in[i] = 1; // HERE\n", "read",
         128, "decides", true},
        {"an index from an output", "", i + zero + "int v = out[i] & 63; // THERE\nin[v] = 1; // HERE\n", "read", 128,
         "is part of an address", true},
        {"a copy of an output", "", i + zero + "in[i] = out[i]; // HERE\n", "write", 128},
        {"the other half of an output", "",
         i + "if (t < 32) out[i] = i;\n__syncthreads();\nin[i] = out[WRONG(i, i & ~32)]; // HERE\n", "write", 64},
        {"beyond what was filled", "",
         i + "out[i] = i;\n__syncthreads();\nin[i] = out[i + WRONG(t == 63 ? 128 : 0, 0)]; // HERE\n", "write", 2},
        {"a maximum that begins nowhere", "", i + zero + "atomicMax(&out[i], in[i]); // HERE\n", "atomic", 128},
        {"exchanged, then read", "",
         i + "int old = atomicExch(&out[i], 5); // THERE\nin[i] = WRONG(old, out[i]); // HERE\n", "write", 128, "",
         true},
        {"compare and swap", "",
         i + zero + "int old = atomicCAS(&out[i], 0, 1); // THERE\nif (old == 0) in[i] = 1; // HERE\n", "read", 128, "",
         true},
        {"a float that is not a number", "",
         i + "WRONG((void)0, values[i] = 0.f);\nvalues[i] = values[i] * 0.f + 1.f; // HERE\n", "write", 128},
        {"a double", "", i + "WRONG((void)0, wide[i] = 0.);\nif (wide[i] > 1.) in[i] = 2; // HERE\n", "read", 128,
         "decides"},
        {"a vector", "",
         i + "if (WRONG(t % 4 == 0, true)) out[i] = i;\n__syncthreads();\n"
             "if (i < 16) ((int4*)in)[i] = ((int4*)out)[i]; // HERE\n",
         "write", 16},
        {"a byte of a word", "",
         i + "((char*)out)[4 * i] = 1;\nWRONG((void)0, ((char*)out)[4 * i + 2] = 1);\n"
             "if (((char*)out)[4 * i + 2] > 0) in[i] = 1; // HERE\n",
         "read", 128, "decides"},
        {"bits of a word", "", i + "((short*)out)[2 * i] = 3;\nif (out[i] & WRONG(0x10000, 1)) in[i] = 1; // HERE\n",
         "read", 128},
        {"shifted bytes", "",
         i + "((unsigned char*)out)[4 * i + 3] = 3;\nunsigned w = ((unsigned*)out)[i];\n"
             "if ((w >> WRONG(16, 24)) == 3) in[i] = 1; // HERE\n",
         "read", 128},
        {"sign of a byte", "",
         i + "((char*)out)[4 * i] = -1;\nint v = ((signed char*)out)[4 * i + WRONG(1, 0)];\nif (v < 0) in[i] = 1; // "
             "HERE\n",
         "read", 128},
        {"through a table of pointers", "__device__ int* table[2];\n",
         i + "if (i == 0) table[0] = out, table[1] = in;\n__syncthreads();\n"
             "if (blockIdx.x == 0) { int v = table[WRONG(0, 1)][t]; if (v > 7) in[t] = 1; } // HERE\n",
         "read", 64},
        {"a chain of computations", "",
         i + zero +
             "int v = out[i]; // THERE\nfor (int k = 0; k < 10; ++k) v = v * 3 + k;\nif (v % 5 == 2) in[i] = v; "
             "// HERE\n",
         "read", 0, "", true},
        {"a value chosen by it", "", i + zero + "int v = out[i] > 0 ? 3 : 4; // THERE\nin[i] = v; // HERE\n", "write",
         128, "", true},
        {"a loop as long as it says", "",
         i + "WRONG((void)0, out[0] = 4);\n__syncthreads();\nint m = 0;\n"
             "for (int k = 0; k < (out[WRONG(200, 0)] & 7); ++k) // HERE\n    m += k;\nif (t == 99) in[i] = m;\n",
         "read", 0},
        // Shared memory
        {"shared memory that nobody filled", "",
         s + "WRONG((void)0, s[t] = 1);\n__syncthreads();\nout[i] = s[t]; // HERE\n", "write", 128},
        {"half of a tile", "",
         s + "if (t < WRONG(32, 64)) s[t] = in[i];\n__syncthreads();\nout[i] = s[63 - t]; // HERE\n", "write", 64},
        {"a sum over shared memory", "",
         s + "if (t < WRONG(63, 64)) s[t] = i;\n__syncthreads();\n"
             "for (int k = 32; k > 0; k /= 2) {\n    if (t < k) s[t] += s[t + k];\n    __syncthreads();\n}\n"
             "if (t == 0) out[blockIdx.x] = s[0]; // HERE\n",
         "write", 2},
        {"a counter in shared memory", "",
         s + "if (WRONG(false, t == 0)) s[0] = 0;\n__syncthreads();\natomicAdd(&s[0], 1);\n__syncthreads();\n"
             "if (t == 0) out[blockIdx.x] = s[0]; // HERE\n",
         "write", 2},
        {"dynamic shared memory", "extern __shared__ float dynamic[];\n",
         i + "dynamic[t] = 1.f;\n__syncthreads();\nif (dynamic[t + WRONG(1, 0)] > 0.5f) out[i] = 1; // HERE\n", "read",
         2, "decides"},
        {"the halo of a tile", "",
         i + "__shared__ float tile[66];\ntile[t + 1] = in[i];\nif (WRONG(t == 0, t == 0 || t == 63)) tile[t == 0 ? 0 "
             ": "
             "65] = 0;\n__syncthreads();\nvalues[i] = tile[t] + tile[t + 1] + tile[t + 2]; // HERE\n",
         "write", 2},
        {"shared memory of the block before", "",
         s + "if (blockIdx.x == 0 || WRONG(false, true)) s[t] = 7;\n__syncthreads();\n"
             "if (s[t] == 7) out[i] = 1; // HERE\n",
         "read", 64},
        {"an index from shared memory", "",
         s + "if (t < WRONG(60, 64)) s[t] = t;\n__syncthreads();\nint k = s[t] & 63; // THERE\nout[i] = in[k]; // "
             "HERE\n",
         "read", 8, "is part of an address", true},
        {"an asynchronous copy of it", "",
         s + "unsigned to = (unsigned)__cvta_generic_to_shared(s + t);\nint* from = WRONG(out, in) + 64 + t;\n"
             "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" ::\"r\"(to), \"l\"(from) : \"memory\");\n"
             "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n__syncthreads();\nif (s[t] > 0) in[i] = 1; // "
             "HERE\n",
         "read", 128},
        // Operations of warps
        {"a shuffle", "",
         i + "int v = WRONG(out, in)[i];\nv += __shfl_xor_sync(~0u, v, 1);\nif (v == 12345) in[i] = 1; // HERE\n",
         "read", 128},
        {"a vote", "", i + "if (__any_sync(~0u, WRONG(out, in)[i] > 0)) in[i] = 1; // HERE\n", "read", 128},
        {"a sum of a warp", "",
         i + "int v = t % 32 == 5 ? WRONG(out, in)[i] : 0;\n"
             "for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);\n"
             "if (t % 32 == 0) in[i] = v; // HERE\n",
         "write", 4},
        {"a barrier that counts", "", i + "if (__syncthreads_or(WRONG(out, in)[i])) in[i] = 1; // HERE\n", "read", 128},
        // Local memory and the heap
        {"a local array", "",
         i + "int local[40], one = n >> 8;\nfor (int k = 0; k < WRONG(39, 40); ++k) local[k * one] = i;\n"
             "in[i] = local[39 * one]; // HERE\n",
         "write", 128},
        {"a local array by index", "",
         i + "float local[40];\nint one = n >> 8;\nlocal[in[i] & 31] = 1.f;\n"
             "if (local[(in[i] & 31) + WRONG(one, 0)] == 1.f) in[i] = 1; // HERE\n",
         "read", 128},
        {"a part of a local array", "",
         i + "char local[64];\nint one = n >> 8;\nfor (int k = 0; k < 32; ++k) local[k * one] = char(k);\n"
             "int sum = 0;\nfor (int k = 0; k < WRONG(40, 32); ++k) sum += local[(k + t) % WRONG(40, 32) * one];\n"
             "in[i] = sum; // HERE\n",
         "write", 128},
        {"a block of malloc()", "",
         i + "int* p = (int*)malloc(16);\np[0] = i;\nif (p[WRONG(1, 0)] == 3) in[i] = 1; // HERE\nfree(p);\n", "read",
         128},
        {"a member of a structure", "struct S { int x, y; };\n",
         i + "S* p = (S*)out + t;\np->x = i;\nWRONG((void)0, p->y = 2);\nif (p->y > 1) in[i] = 1; // HERE\n", "read",
         128},
        // In functions
        {"in a function that is inlined", "__device__ __forceinline__ int get(const int* p) { return *p; }\n",
         i + zero + "if (get(out + i) > 1) in[i] = 1; // HERE\n", "read", 128},
        {"in a function that is called", "__device__ __noinline__ int get(const int* p) { return *p + 1; }\n",
         i + zero + "if (get(out + i) > 1) in[i] = 1; // HERE\n", "read", 128},
        {"through memory that a function fills",
         "__device__ __noinline__ void fill(int* p, int n) { for (int k = 0; k < n; ++k) p[k] = k; }\n",
         i + "int local[40];\nfill(local, WRONG(3, 4));\nin[i] = local[n >> 6 & 3 | 3]; // HERE\n", "write", 128},
        // What is no mistake in either
        {"a copy of a structure with padding", "struct S { char c; int x; };\n",
         i + "__shared__ S s[64];\ns[t].c = 1;\ns[t].x = 2;\n__syncthreads();\n((S*)in)[t] = s[t];\n"
             "if (WRONG(out, in)[i + 128] == 77) out[i] = 1; // HERE\n",
         "read", 128},
        {"a value that is read and not used", "",
         i + "volatile int* p = out;\nint v = p[i];\nout[i] = i;\nif (v == 3 && WRONG(true, false)) in[i] = 2; // "
             "HERE\n",
         "read", 128},
        {"a bit field", "struct F { unsigned a : 4, b : 4, c : 24; };\n",
         i + "F* p = (F*)out + t;\np->a = 3;\nWRONG((void)0, p->b = 4);\nif (p->b == 4) in[t] = 1; // HERE\n", "read",
         128},
    };
}

} // namespace init_kernels
