// SPDX-License-Identifier: Apache-2.0
// Kernels with one race each, and the same without it.
#pragma once

#include <string>
#include <vector>

namespace race_kernels {

/// A kernel `k(int* a, const int* b, int n)`, launched with 2 blocks of 64 threads and 1,024 bytes of dynamic shared
/// memory. a has 1,024 ints and b 128, all 0; n is 100.
struct Kernel {
    const char* name;
    std::string before; ///< declarations in front of it
    std::string body;   ///< WRONG(x, y) is x, or y in the kernel without the race. HERE and THERE are on the lines of
                        ///< the two accesses, HERE alone where it is one line
    const char* says;   ///< part of the message
    bool warns = false; ///< both write the same
};

inline std::vector<Kernel> all() {
    const std::string i = "int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, lane = t % 32;\n";
    const std::string s = i + "__shared__ int s[64];\n";
    const std::string no_block_barrier = "WRONG((void)0, __syncthreads());\n";
    const std::string no_fence = "WRONG((void)0, __threadfence());\n";
    const std::string spin = "while (*(volatile int*)&a[600] == 0) {}\n";
    return {
        // Within a block
        {"a value read before it is there", "",
         s + "s[t] = i; // THERE\n" + no_block_barrier + "a[i] = s[63 - t]; // HERE\n", "Put __syncthreads()"},
        {"a value replaced before it was read", "",
         s + "s[t] = i;\n__syncthreads();\nint v = s[63 - t]; // THERE\n" + no_block_barrier +
             "s[t] = v; // HERE\na[i] = v;\n",
         "Put __syncthreads()"},
        {"a variable of the module", "__device__ int g[128];\n",
         i + "g[i] = t; // THERE\n" + no_block_barrier + "a[i] = g[(i & 64) + 63 - t]; // HERE\n", "a race"},
        {"more accesses than have code of their own", "",
         i + "__shared__ int m[256];\n#pragma unroll\nfor (int k = 0; k < 256; k += 64) m[k + t] = i; // THERE\n" +
             no_block_barrier +
             "int sum = 0;\n#pragma unroll\nfor (int k = 0; k < 128; ++k) sum += m[(t + 37 * k) & 255]; // HERE\n"
             "a[i] = sum;\n",
         "variable 'm'"},
        {"one buffer in a loop", "",
         s + "int sum = 0;\n#pragma unroll 1\nfor (int k = 0; k < n; ++k) {\n    s[t] = k + b[t]; // THERE\n"
             "    __syncthreads();\n    sum += s[63 - t]; // HERE\n    WRONG((void)0, __syncthreads());\n}\n"
             "a[i] = sum;\n",
         "Put __syncthreads()"},
        {"a sum by halves", "",
         s + "s[t] = i;\n__syncthreads();\n#pragma unroll 1\nfor (int k = 32; k > 0; k /= 2) {\n"
             "    if (t < k) s[t] += s[t + k]; // HERE\n    WRONG((void)0, __syncthreads());\n}\nif (t == 0) a[i] = "
             "s[0];\n",
         "s"},
        {"two threads write one element", "",
         s + "s[WRONG(t / 2, t)] = i; // HERE\n__syncthreads();\na[i] = s[t / 2];\n", "__syncwarp()"},
        {"threads of two warps write one element", "",
         s + "s[WRONG(t % 32, t)] = i; // HERE\n__syncthreads();\na[i] = s[t % 32];\n", "'"},
        {"a counter that is not atomic", "",
         s + "if (t < 8) s[t] = 0;\n__syncthreads();\n"
             "WRONG(s[t % 8] += 1, atomicAdd(&s[t % 8], 1)); // HERE\n__syncthreads();\nif (t < 8) a[i] = s[t];\n",
         "a race"},
        {"a counter that is read too early", "",
         s + "if (t < 8) s[t] = 0;\n__syncthreads();\natomicAdd(&s[t % 8], 1); // THERE\n" + no_block_barrier +
             "if (t < 8) a[i] = s[t]; // HERE\n",
         "An atomic operation is ordered only with others"},
        {"dynamic shared memory", "extern __shared__ int d[];\n",
         i + "d[t] = i; // THERE\n" + no_block_barrier + "a[i] = d[63 - t]; // HERE\n", "variable 'd'"},
        {"bytes read as a word", "",
         s + "((volatile char*)s)[4 * t] = 0;\n__syncthreads();\n((char*)s)[t] = char(i); // THERE\n" +
             no_block_barrier + "a[i] = s[t / 4]; // HERE\n",
         "a race"},
        {"a vector over elements of others", "",
         i + "__shared__ __align__(16) int s[64];\ns[t] = i; // THERE\n" + no_block_barrier +
             "if (t < 16) ((int4*)a)[t + 16 * blockIdx.x] = ((int4*)s)[t]; // HERE\n",
         "16 bytes"},
        {"through a generic pointer", "__device__ __noinline__ int get(const int* p) { return *p; }\n",
         s + "s[t] = i; // THERE\n" + no_block_barrier + "a[i] = get(i < n ? s + 63 - t : b); // HERE\n", "a race"},
        {"in a function that is inlined",
         "__device__ __forceinline__ void put(int* p, int v) {\n    *p = v; // THERE\n}\n",
         s + "put(s + t, i);\n" + no_block_barrier + "a[i] = s[63 - t]; // HERE\n", "a race"},
        {"halves of the block with a barrier each", "",
         s + "s[t] = i; // THERE\nint half = WRONG(1 + t / 32, 0);\n"
             "if (half) asm volatile(\"bar.sync %0, 32;\" ::\"r\"(half) : \"memory\");\nelse __syncthreads();\n"
             "a[i] = s[63 - t]; // HERE\n",
         "Put __syncthreads()"},
        {"a consumer that does not wait", "",
         s + "if (t < 32) {\n    s[t] = i; // THERE\n    asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\");\n} else "
             "{\n"
             "    if (WRONG(true, false)) asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\");\n"
             "    else asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n    a[i] = s[t - 32]; // HERE\n}\n",
         "a race"},
        {"the same value from several threads", "",
         s + "if (t < WRONG(64, 32)) s[0] = n; // HERE\n__syncthreads();\na[i] = s[0];\n", "so the result is the same",
         true},
        {"a copy that is not waited for by others", "",
         s +
             "unsigned to = (unsigned)__cvta_generic_to_shared(s + t);\n"
             "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" ::\"r\"(to), \"l\"(b + t) : \"memory\"); // "
             "THERE\nasm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n" +
             no_block_barrier + "a[i] = s[63 - t]; // HERE\n",
         "a race"},
        {"an object that is not waited for", "",
         s + "__shared__ unsigned long long object;\nunsigned at = (unsigned)__cvta_generic_to_shared(&object);\n"
             "if (t == 0) asm volatile(\"mbarrier.init.shared.b64 [%0], 64;\" ::\"r\"(at) : \"memory\");\n"
             "__syncthreads();\ns[t] = i; // THERE\nunsigned long long state;\n"
             "asm volatile(\"mbarrier.arrive.shared.b64 %0, [%1];\" : \"=l\"(state) : \"r\"(at) : \"memory\");\n"
             "int done = WRONG(1, 0);\nwhile (!done)\n"
             "    asm volatile(\"{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}\"\n"
             "                 : \"=r\"(done) : \"r\"(at), \"l\"(state) : \"memory\");\na[i] = s[63 - t]; // HERE\n",
         "a race"},
        // Within a warp
        {"lanes that are taken to run in step", "",
         s + "s[t] = i; // THERE\nWRONG((void)0, __syncwarp());\na[i] = s[t ^ 1]; // HERE\n", "need not run in step"},
        {"a mask of half the warp", "",
         s + "s[t] = i; // THERE\n__syncwarp(WRONG(lane < 16 ? 0xffffu : 0xffff0000u, ~0u));\na[i] = s[t ^ 16]; // "
             "HERE\n",
         "need not run in step"},
        // Between blocks
        {"a sum over blocks", "", i + "if (t == 0) WRONG(a[512] += i, atomicAdd(&a[512], i)); // HERE\n",
         "Blocks run in any order"},
        {"elements of another block", "", i + "a[i] = i; // THERE\na[256 + i] = a[WRONG(127 - i, i)]; // HERE\n",
         "Blocks run in any order"},
        {"an atomic sum that is read", "",
         i + "atomicAdd(&a[512], 1); // THERE\na[i] = WRONG(a[512], atomicAdd(&a[512], 0)); // HERE\n",
         "An atomic operation is ordered only"},
        {"a first look before an atomic operation", "",
         i + "if (WRONG(false, true) && a[512] < i) atomicMax(&a[512], i);\n"
             "int old = a[513], seen;\ndo {\n    seen = old;\n    old = atomicCAS(&a[513], seen, seen + i);\n} while "
             "(old != seen);\natomicMax(&a[514], i); // THERE\nif (WRONG(true, false)) a[i] = a[514]; // HERE\n",
         "An atomic operation is ordered only"},
        {"a slot that is read, and counted afterwards", "",
         i + "int at = WRONG(a[512], atomicAdd(&a[512], 1)); // HERE\n"
             "if (WRONG(true, false)) atomicAdd(&a[512], 1); // THERE\na[i] = at;\n",
         "An atomic operation is ordered only"},
        {"an atomic operation that does not tell", "",
         i + "if (WRONG(a[512] == 0, true)) // HERE\n    atomicExch(&a[512], i); // THERE\na[i] = 1;\n",
         "An atomic operation is ordered only"},
        {"a volatile counter", "",
         i + "if (WRONG(true, false)) *(volatile int*)&a[512] = *(volatile int*)&a[512] + 1; // HERE\n"
             "else atomicAdd(&a[512], 1);\n",
         "what others write in between gets lost"},
        {"a volatile counter of a block", "",
         s + "if (t == 0) s[0] = 0;\n__syncthreads();\n"
             "if (WRONG(true, false)) *(volatile int*)s = *(volatile int*)s + b[t] + 1; // HERE\n"
             "else atomicAdd(s, 1);\n__syncthreads();\na[i] = s[0];\n",
         "what others write in between gets lost"},
        {"a block that runs ahead", "",
         i + "auto meet = [&](int goal) {\n    __syncthreads();\n    if (t == 0) {\n        __threadfence();\n"
             "        atomicAdd(&a[600], 1);\n        while (*(volatile int*)&a[600] < goal) {}\n"
             "        __threadfence();\n    }\n    __syncthreads();\n};\na[i] = i;\nmeet(2);\n"
             "int v = a[127 - i]; // THERE\nif (WRONG(false, true)) meet(4);\na[i] = v; // HERE\nmeet(WRONG(4, 6));\n",
         "Blocks run in any order"},
        {"atomic operations of a block", "", i + "WRONG(atomicAdd_block(&a[512], 1), atomicAdd(&a[512], 1)); // HERE\n",
         "atomicAdd_block()"},
        {"a last block without a fence", "",
         i + "__shared__ bool last;\na[i] = i; // THERE\n__syncthreads();\nif (t == 0) {\n    " + no_fence +
             "    last = atomicAdd(&a[512], 1) == 1;\n}\n__syncthreads();\nif (last) a[256 + t] = a[t] + a[64 + t]; // "
             "HERE\n",
         "__threadfence()"},
        {"fences of all threads, and one counter", "",
         i + "__shared__ bool last;\na[i] = i; // THERE\n" + no_fence +
             "__syncthreads();\nif (t == 0) last = atomicAdd(&a[512], 1) == 1;\n__syncthreads();\n"
             "if (last) a[256 + t] = a[t] + a[64 + t]; // HERE\n",
         "__threadfence()"},
        {"a flag without a fence before it", "",
         i + "if (i == 0) {\n    a[512] = n; // THERE\n    " + no_fence +
             "    *(volatile int*)&a[600] = 1;\n}\nif (i == 64) {\n    " + spin +
             "    __threadfence();\n    a[256] = a[512]; // HERE\n}\n",
         "__threadfence()"},
        {"a flag without a fence behind it", "",
         i +
             "if (i == 0) {\n    a[512] = n; // THERE\n    __threadfence();\n    *(volatile int*)&a[600] = 1;\n}\nif "
             "(i "
             "== 64) {\n    " +
             spin + "    " + no_fence + "    a[256] = a[512]; // HERE\n}\n",
         "__threadfence()"},
        {"a fence for the block alone", "",
         i +
             "if (i == 0) {\n    a[512] = n; // THERE\n    WRONG(__threadfence_block(), __threadfence());\n"
             "    *(volatile int*)&a[600] = 1;\n}\nif (i == 64) {\n    " +
             spin + "    __threadfence();\n    a[256] = a[512]; // HERE\n}\n",
         "__threadfence()"},
        {"a flag that is no atomic access", "",
         i + "if (i == 0) {\n    if (WRONG(true, false)) a[600] = 1; // THERE\n"
             "    else *(volatile int*)&a[600] = 1;\n}\nif (i == 64)\n"
             "    while (*(volatile int*)&a[600] == 0) {} // HERE\n",
         "a race"},
        {"release and acquire", "",
         i + "if (i == 0) {\n    a[512] = n; // THERE\n"
             "    if (WRONG(true, false)) asm volatile(\"st.relaxed.gpu.global.s32 [%0], 1;\" ::\"l\"(a + 600) : "
             "\"memory\");\n    else asm volatile(\"st.release.gpu.global.s32 [%0], 1;\" ::\"l\"(a + 600) : "
             "\"memory\");\n}\nif (i == 64) {\n    int v = 0;\n    while (v == 0) asm "
             "volatile(\"ld.acquire.gpu.global.s32 "
             "%0, [%1];\" : \"=r\"(v) : \"l\"(a + 600) : \"memory\");\n    a[256] = a[512]; // HERE\n}\n",
         "__threadfence()"},
        {"a lock without fences", "",
         i + "if (t == 0) {\n    while (atomicCAS(&a[600], 0, 1) != 0) {}\n    " + no_fence +
             "    a[512] += i; // HERE\n    " + no_fence + "    atomicExch(&a[600], 0);\n}\n",
         "a race"},
        {"a block of the heap", "",
         i + "__shared__ int* p;\nif (t == 0) p = (int*)malloc(256);\n__syncthreads();\n"
             "p[WRONG(t / 2, t)] = i; // HERE\n__syncthreads();\na[i] = p[t / 2];\n__syncthreads();\n"
             "if (t == 0) free(p);\n",
         "a race"},
        {"a variable of the module", "__device__ int total[128];\n", i + "total[WRONG(t, i)] = i; // HERE\na[i] = 1;\n",
         "a race"},
    };
}

} // namespace race_kernels
