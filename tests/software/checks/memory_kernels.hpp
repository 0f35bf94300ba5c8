// SPDX-License-Identifier: Apache-2.0
// Kernels with one wrong access each, and the same without it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memory_kernels {

/// A kernel `k`, launched with 2 blocks of 64 threads. It has the parameters of kParameters: a and b have 128 ints
/// each, table holds {a, b, freed memory}, off is b's distance from a in ints, and dynamic shared memory has 256 bytes.
struct Kernel {
    const char* name;
    std::string before; ///< declarations in front of it
    std::string body; ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of the mistake
    const char* access;     ///< read, write or atomic
    std::uint64_t size;     ///< bytes
    unsigned block, thread; ///< the first that does it, x
    std::uint64_t count;
    const char* says = "";     ///< part of the message
    const char* variable = ""; ///< part of its name
};

inline constexpr const char* kParameters =
    "int* a, const int* b, int n, long long off, int** table, int* freed, int* null, float4* quads, unsigned char* six";

inline std::vector<Kernel> all() {
    const std::string heap = "int* p = (int*)malloc(40);\nfor (int k = 0; k < 10; ++k) p[k] = i;\n";
    const std::string i = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
    return {
        {"one past the end", "", i + "a[i + WRONG(1, 0)] = i; // HERE\n", "write", 4, 1, 63, 1, "512 bytes at"},
        {"a bound that is one too large", "", i + "if (i + 1 <= n - WRONG(0, 1)) a[i + 1] = b[i]; // HERE\n", "write",
         4, 1, 63, 1},
        {"read before the start", "", i + "a[i] = b[i - 1 + WRONG(0, 1)]; // HERE\n", "read", 4, 0, 0, 1,
         "4 bytes before"},
        {"another allocation", "", i + "if (i == 70) a[WRONG(off, 0)] = 7; // HERE\n", "write", 4, 1, 6, 1,
         "past the end of"},
        {"read of another allocation", "", i + "a[i] = b[WRONG(i - off, i)]; // HERE\n", "read", 4, 0, 0, 128},
        {"freed memory", "", i + "a[i] = WRONG(freed[i], 0); // HERE\n", "read", 4, 0, 0, 128, "was freed"},
        {"freed memory by a table", "", i + "a[i] = table[WRONG(2, 1)][i]; // HERE\n", "read", 4, 0, 0, 128,
         "was freed"},
        {"null", "", i + "if (i == 3) WRONG(null[2], a[2]) = 1; // HERE\n", "write", 4, 0, 3, 1, "null pointer"},
        {"past the end by a table", "", i + "table[0][i + WRONG(2, 0)] = i; // HERE\n", "write", 4, 1, 62, 2},
        {"an atomic operation", "", i + "atomicAdd(&a[i * WRONG(2, 1)], 1); // HERE\n", "atomic", 4, 1, 0, 64},
        {"one address of all threads", "", i + "atomicAdd(&a[WRONG(n, n - 1)], 1); // HERE\n", "atomic", 4, 0, 0, 128},
        {"one address that all read", "", i + "a[i] = b[WRONG(n, 0)]; // HERE\n", "read", 4, 0, 0, 128},
        {"a misaligned vector", "",
         i + "float4 q = *(const float4*)(b + WRONG(i % 4 == 3 ? 1 : 0, i / 4 * 4)); // HERE\na[i] = int(q.x + q.w);\n",
         "read", 16, 0, 3, 32, "no multiple of 16"},
        {"across the end", "", i + "if (i == 0) a[0] = *(const int*)(six + WRONG(4, 0)); // HERE\n", "read", 4, 0, 0,
         1},
        {"a structure's last member", "struct S { int x, y, z; };\n",
         i + "if (i < n / 3 + WRONG(1, 0)) ((S*)a)[i].z = i; // HERE\n", "write", 4, 0, 42, 1},
        {"a vector beyond the end", "", i + "if (i < n / 4 + WRONG(1, 0)) quads[i].x = 1, quads[i].y = 2; // HERE\n",
         "", 0, 0, 32, 0},
        {"a grid-stride loop", "",
         i + "for (; i < n + WRONG(3, 0); i += gridDim.x * blockDim.x)\n    a[i] = b[0]; // HERE\n", "write", 4, 0, 0,
         3},
        {"a loop of one thread", "",
         i + "if (i == 5) for (int k = 0; k <= n - WRONG(0, 1); ++k)\n    a[k] += 1; // HERE\n", "", 4, 0, 5, 0},
        {"a stencil without a border", "",
         i + "int sum = 0;\nfor (int k = -1; k <= 1; ++k)\n"
             "    if (WRONG(true, i + k >= 0 && i + k < n)) sum += b[i + k]; // HERE\na[i] = sum;\n",
         "read", 4, 0, 0, 2},
        {"a gather", "", i + "a[i] = b[b[i] + WRONG(i % 2 * 200, 0)]; // HERE\n", "read", 4, 0, 1, 64},
        {"a scatter under a guard", "", i + "if (b[i] == 0 && i % 3 == 0) a[i + WRONG(126, 0)] = 1; // HERE\n", "write",
         4, 0, 3, 42},
        // Shared memory
        {"shared memory", "",
         "__shared__ int tile[64];\ntile[threadIdx.x + WRONG(1, 0)] = 1; // HERE\n__syncthreads();\n" + i +
             "a[i] = tile[63 - threadIdx.x];\n",
         "write", 4, 0, 63, 2, "shared variable", "tile"},
        {"a neighbour in shared memory", "",
         "__shared__ int first[64];\n__shared__ int second[64];\nfirst[threadIdx.x] = 1;\n"
         "second[threadIdx.x + WRONG(blockIdx.x == 1 ? 64 : 0, 0)] = 2; // HERE\n__syncthreads();\n" +
             i + "a[i] = first[threadIdx.x ^ 1] + second[threadIdx.x ^ 1];\n",
         "write", 4, 1, 0, 64, "256 bytes of the shared variable", "second"},
        {"before shared memory", "",
         "__shared__ int tile[64];\ntile[threadIdx.x] = 1;\n__syncthreads();\n" + i +
             "a[i] = tile[(int)threadIdx.x - WRONG(1, 0)]; // HERE\n",
         "read", 4, 0, 0, 2, "4 bytes before", "tile"},
        {"dynamic shared memory", "extern __shared__ int dynamic[];\n",
         "dynamic[threadIdx.x + WRONG(16, 0)] = 1; // HERE\n__syncthreads();\n" + i +
             "a[i] = dynamic[threadIdx.x ^ 1];\n",
         "write", 4, 0, 48, 32, "", "dynamic"},
        {"an atomic operation in shared memory", "",
         "__shared__ int bins[16];\nif (threadIdx.x < 16) bins[threadIdx.x] = 0;\n__syncthreads();\n"
         "atomicAdd(&bins[b[threadIdx.x] + WRONG((threadIdx.x & 31) / 2 + 1, 0)], 1); // HERE\n__syncthreads();\n" +
             i + "a[i] = bins[threadIdx.x % 16];\n",
         "atomic", 4, 0, 30, 8, "", "bins"},
        // Memory of threads and modules
        {"a local array", "",
         i + "int own[8];\nfor (int k = 0; k < 8; ++k) own[k] = b[k] + i;\nown[(b[i] + i) % 8 + WRONG(i % 8 / 7, 0)] = "
             "3; // HERE\n"
             "int sum = 0;\nfor (int k = 0; k < 8; ++k) sum += own[(k + b[i]) % 8];\na[i] = sum;\n",
         "write", 4, 0, 7, 16, "local"},
        {"a variable of the module", "__device__ int counts[32];\n",
         i + "if (i < 32 + WRONG(4, 0)) counts[i] = i; // HERE\n", "write", 4, 0, 32, 4, "variable", "counts"},
        {"a constant array", "__constant__ int weights[16];\n",
         i + "a[i] = weights[i % 16 + b[i] + WRONG(i % 16 / 15, 0)]; // HERE\n", "read", 4, 0, 15, 8, "", "weights"},
        // The heap of kernels
        {"past the end of a heap block", "",
         i + heap +
             "for (int k = 0; k < 10 + WRONG(1, 0); ++k)\n    p[k] = k + n; // HERE\na[i] = p[b[i]];\nfree(p);\n",
         "write", 4, 0, 0, 128, "right behind the 40 bytes that malloc() gave at"},
        {"before a heap block", "", i + heap + "p[WRONG(-2, 0)] = n; // HERE\na[i] = p[b[i]];\nfree(p);\n", "write", 4,
         0, 0, 128, "8 bytes before"},
        {"across the end of a heap block", "",
         i + heap + "((long long*)p)[4 + WRONG(i == 9, 0)] = n; // HERE\na[i] = p[b[i]];\nfree(p);\n", "write", 8, 0, 9,
         1, "right behind"},
        {"a heap block that was freed", "",
         i + heap + "p[0] = i;\nfree(p);\na[i] = WRONG(*(volatile int*)p, n); // HERE\n", "read", 4, 0, 0, 128,
         "they were given back at"},
        {"a list that is freed while it is followed", "struct Node { Node* next; };\n",
         i + "Node* p = (Node*)malloc(sizeof(Node));\np->next = 0;\nwhile (p) {\n    Node* const gone = p;\n"
             "    if (WRONG(true, false)) free(gone);\n    p = gone->next; // HERE\n"
             "    if (WRONG(false, true)) free(gone);\n}\na[i] = b[i];\n",
         "read", 8, 0, 0, 128, "they were given back at"},
        {"a heap block that another thread freed", "__device__ int* shared_block;\n",
         i + "if (i == 64) shared_block = (int*)malloc(40), *(volatile int*)shared_block = 1;\n__syncthreads();\n"
             "if (i == 65) free(shared_block);\n__syncthreads();\n"
             "if (i == 70) a[i] = WRONG(*(volatile int*)shared_block, 1); // HERE\n",
         "read", 4, 1, 6, 1, "thread (1,0,0)"},
        {"a heap block freed twice", "",
         i + heap + "a[i] = p[b[i]];\nfree(p);\nif (WRONG(i == 70, 0)) free(p); // HERE\n", "free", 40, 1, 6, 1,
         "were given back before"},
        {"free() of an address inside of a block", "",
         i + heap + "a[i] = p[b[i]];\nfree(WRONG(i == 3, 0) ? p + 2 : p); // HERE\n", "free", 40, 0, 3, 1,
         "8 bytes inside of the 40 bytes"},
        {"free() of the program's memory", "", i + "free(WRONG(a, 0)); // HERE\n", "free", 0, 0, 0, 128,
         "malloc() did not give"},
        // Other sizes, and functions
        {"bytes", "", i + "((unsigned char*)a)[i * 4 + WRONG(4, 3)] = 1; // HERE\n", "write", 1, 1, 63, 1},
        {"halves", "", i + "((unsigned short*)a)[i * 2 + WRONG(2, 1)] = 1; // HERE\n", "write", 2, 1, 63, 1},
        {"double words", "", i + "if (i < n / 2 + WRONG(1, 0)) ((long long*)a)[i] = 1; // HERE\n", "write", 8, 1, 0, 1},
        {"an inlined function", "__device__ __forceinline__ void put(int* p, int at) {\n    p[at] = at; // HERE\n}\n",
         i + "put(a, i + WRONG(1, 0));\n", "write", 4, 1, 63, 1},
        {"a function that is called",
         "__device__ __noinline__ void put(int* p, int at) {\n    p[at] = at; // HERE\n}\n",
         i + "put(a, i + WRONG(1, 0));\n", "write", 4, 1, 63, 1},
    };
}

} // namespace memory_kernels
