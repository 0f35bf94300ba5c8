// SPDX-License-Identifier: Apache-2.0
// Kernels with one mistake at a barrier or in an operation of a warp each, and the same without it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sync_kernels {

/// A kernel `k(int* a, const int* b, int n)`, launched with 2 blocks of 64 threads. a and b have 128 ints each, of
/// which b's are 0; n is 100.
struct Kernel {
    const char* name;
    std::string before; ///< declarations in front of it
    std::string body; ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of the mistake
    const char* says; ///< part of the message
    unsigned block, thread; ///< the first that does it, x
    std::uint64_t count;
    bool warns = false;    ///< a warning is what is meant
    bool is_stuck = false; ///< a deadlock: the launch fails
};

/// Barrier objects, as macros, so that a mistake's line is that of its use.
inline std::string objects() {
    return R"(#define AT(o) "r"((unsigned)__cvta_generic_to_shared(&o))
#define INIT(o, n) [&] { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::AT(o), "r"(n) : "memory"); }()
#define ARRIVE(o) \
    [&] { asm volatile("{.reg .b64 s; mbarrier.arrive.shared.b64 s, [%0];}" ::AT(o) : "memory"); }()
#define OVER(o, parity) [&] { \
    unsigned over; \
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}" \
                 : "=r"(over) : AT(o), "r"(parity) : "memory"); \
    return over; }()
#define WAIT(o, parity) while (!OVER(o, parity)) {}
)";
}

inline std::vector<Kernel> all() {
    const std::string i = "int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, lane = t % 32;\n";
    const std::string o = i + "__shared__ unsigned long long bar;\n";
    const std::string sum = "int v = i;\n";
    return {
        // Barriers
        {"a barrier in a branch", "", i + "if (WRONG(t < 32, true)) __syncthreads(); // HERE\na[i] = i;\n",
         "32 of 64 threads never come", 0, 0, 2},
        {"a barrier whose threads were sent past it", "",
         i + "if (i == 0) a[1] = 1;\nif (WRONG(i < n, true)) {\n    a[i] = i;\n    __syncthreads(); // HERE\n}\n"
             "if (b[i] == 0) a[i] += 1;\n",
         "28 of 64 threads never come", 1, 0, 1},
        {"two barriers in two branches", "",
         i + "if (WRONG(t < 32, true)) {\n    a[i] = 1;\n    __syncthreads();\n} else {\n    a[i] = 2;\n"
             "    __syncthreads(); // HERE\n}\n",
         "waits here while thread (0,0,0) waits at", 0, 32, 64},
        {"barriers of a loop with different counts", "",
         i + "for (int k = 0; k < WRONG(1 + t / 32, 2); ++k) {\n    a[i] += k;\n    __syncthreads(); // HERE\n}\na[i] "
             "+= 1;\n",
         "32 of 64 threads never come", 0, 32, 2},
        {"a reducing barrier in a branch", "",
         i + "a[i] = 0;\nif (WRONG(t >= 16, true)) a[i] = __syncthreads_count(i & 1); // HERE\na[i] += 1;\n",
         "16 of 64 threads never come", 0, 16, 2},
        // All lanes of a warp do the same, so they run side by side.
        {"a barrier to which a whole warp does not come", "",
         i + "int w = __shfl_sync(~0u, t / 32, 0);\nif (WRONG(w == 0, true)) __syncthreads(); // HERE\na[i] = i;\n",
         "32 of 64 threads never come", 0, 0, 2},
        {"two barriers, each of a whole warp", "",
         i + "int w = __shfl_sync(~0u, t / 32, 0);\nif (WRONG(w == 0, true)) {\n    a[i] = 1;\n    __syncthreads();\n} "
             "else {\n    a[i] = 2;\n    __syncthreads(); // HERE\n}\n",
         "waits here while thread (0,0,0) waits at", 0, 32, 64},
        {"a count that is no multiple of a warp", "",
         i + "a[i] = i;\nasm volatile(\"bar.sync 1, %0;\" ::\"r\"(WRONG(48, 64)) : \"memory\"); // HERE\n",
         "multiple of 32", 0, 0, 0, false, true},
        {"two counts at one barrier", "",
         i + "a[i] = i;\nif (t < 32) asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n"
             "else asm volatile(\"bar.sync 1, %0;\" ::\"r\"(WRONG(96, 64)) : \"memory\"); // HERE\n",
         "same number of threads", 0, 32, 0, false, true},
        {"a barrier that counts on more threads than come", "",
         i + "a[i] = i;\nif (t < 32) asm volatile(\"bar.sync 1, %0;\" ::\"r\"(WRONG(96, 32)) : \"memory\"); // HERE\n",
         "a deadlock: this thread waits at barrier 1", 0, 0, 0, false, true},
        {"two barriers, crosswise", "",
         i + "a[i] = i;\nif (t < 32) {\n    asm volatile(\"bar.sync 1, 64;\" ::: \"memory\"); // HERE\n"
             "    asm volatile(\"bar.sync 2, 64;\" ::: \"memory\");\n} else {\n"
             "    if (WRONG(true, false)) asm volatile(\"bar.sync 2, 64;\" ::: \"memory\");\n"
             "    asm volatile(\"bar.sync 1, 64;\" ::: \"memory\");\n"
             "    if (WRONG(false, true)) asm volatile(\"bar.sync 2, 64;\" ::: \"memory\");\n}\n",
         "waits at", 0, 0, 0, false, true},
        // Barrier objects
        {"an object that was never initialised", objects(),
         o + "if (t == 0) WRONG((void)0, INIT(bar, 64));\n__syncthreads();\nARRIVE(bar); // HERE\na[i] = i;\n",
         "never initialised", 0, 0, 128},
        {"an object that is initialised while others wait", objects(),
         o + "if (t == 0) INIT(bar, 64);\n__syncthreads();\nif (t == 32) WRONG(INIT(bar, 32), (void)0); // HERE\n"
             "ARRIVE(bar);\nWAIT(bar, 0)\na[i] = i;\n",
         "waits at it", 0, 32, 2},
        {"more arrivals than an object counts on", objects(),
         o + "if (t == 0) INIT(bar, WRONG(32, 64));\n__syncthreads();\nARRIVE(bar); // HERE\nWAIT(bar, 0)\na[i] = i;\n",
         "a phase ends before", 0, 63, 0, false, true},
        {"a phase that never ends", objects(),
         o + "if (t == 0) INIT(bar, WRONG(65, 64));\n__syncthreads();\nARRIVE(bar);\nWAIT(bar, 0) // HERE\na[i] = i;\n",
         "counts on 65 arrivals, of which 1 is missing", 0, 0, 0, false, true},
        {"a phase that never ends, with pauses that grow", objects(),
         o + "if (t == 0) INIT(bar, WRONG(65, 64));\n__syncthreads();\nARRIVE(bar);\n"
             "for (int k = 0; !OVER(bar, 0); ++k) // HERE\n    if (k > 16) __nanosleep(clock64() & 255);\na[i] = i;\n",
         "counts on 65 arrivals, of which 1 is missing", 0, 0, 0, false, true},
        {"two objects, crosswise", objects(),
         o + "__shared__ unsigned long long more;\nif (t == 0) {\n    INIT(bar, 32);\n    INIT(more, 32);\n}\n"
             "__syncthreads();\nif (t < 32) {\n    WRONG((void)0, ARRIVE(bar));\n    WAIT(more, 0) // HERE\n"
             "    ARRIVE(bar);\n} else {\n    WAIT(bar, 0)\n    ARRIVE(more);\n}\na[i] = i;\n",
         "a deadlock: this thread waits at the barrier object 'more'", 0, 0, 0, false, true},
        {"a flag that nobody sets", "",
         i + "__shared__ volatile int flag;\nif (t == 0) flag = 0;\n__syncthreads();\n"
             "if (t == 63) flag = WRONG(0, 1);\nwhile (flag == 0) {} // HERE\na[i] = i;\n",
         "a deadlock: this thread waits for memory 'flag'", 0, 0, 0, false, true},
        // Masks
        {"a mask without the caller", "",
         i + "if (lane < 16) a[i] = __ballot_sync(WRONG(0x00ff, 0xffff), i & 1); // HERE\n", "does not name lane 8", 0,
         8, 0},
        {"a mask that was computed", "",
         i + "unsigned mask = __ballot_sync(~0u, lane < WRONG(8, 12));\n"
             "if (lane < 12) a[i] = __any_sync(mask, b[i]); // HERE\n",
         "does not name lane 8", 0, 8, 0},
        {"a full mask in a branch", "",
         i + "a[i] = 0;\nif (t < WRONG(40, 64)) a[i] = __shfl_sync(~0u, i, 0); // HERE\n", "names lanes 8 to 31", 0, 32,
         16, true},
        {"a full mask behind an early return", "",
         i + "if (i >= n) return;\na[i] = __ballot_sync(WRONG(~0u, i < 96 ? ~0u : 0xfu), i & 1); // HERE\n",
         "names lanes 4 to 31", 1, 32, 4, true},
        {"__syncwarp() of lanes that never come", "",
         i + "a[i] = i;\nif (lane < 8) __syncwarp(WRONG(0xffff, 0xff)); // HERE\n__syncwarp();\n",
         "a deadlock: this thread waits for the lanes of the mask 0x0000ffff", 0, 0, 0, false, true},
        {"lanes that wait elsewhere", "",
         i + "int v = 0;\nif (lane < 16) v = __shfl_sync(WRONG(~0u, 0xffff), i, 3); // HERE\n"
             "else v = __reduce_add_sync(WRONG(~0u, 0xffff0000), i);\na[i] = v;\n",
         "waits at", 0, 0, 0, false, true},
        {"a branch that half of the warp takes", "",
         i + "int v = i;\nif (WRONG(lane < 16, true)) v += __shfl_xor_sync(~0u, v, 1); // HERE\n"
             "v += __shfl_xor_sync(~0u, v, 2);\na[i] = v;\n",
         "lanes of one operation (mask 0xffffffff) are at different places", 0, 0, 4, true},
        // Shuffles
        {"a shuffle from a lane that has ended", "",
         i + "if (i >= n) return;\nint v = i;\nfor (int k = 16; k > 0; k /= 2)\n"
             "    v += __shfl_down_sync(i < 96 ? ~0u : 0xfu, v, WRONG(k, 0)); // HERE\na[i] = v;\n",
         "lane", 1, 32, 0},
        {"a shuffle from a lane that is not in the mask", "",
         i + "a[i] = 0;\nif (lane < 16) a[i] = __shfl_sync(0xffff, i, WRONG(20, 12)); // HERE\n",
         "a shuffle from lane 20 (mask 0x0000ffff), which the mask does not name", 0, 0, 64},
        {"a butterfly beyond the lanes that take part", "",
         i + "a[i] = 0;\nif (lane < 16) a[i] = __shfl_xor_sync(0xffff, i, WRONG(16, 8)); // HERE\n",
         "which the mask does not name", 0, 0, 64},
        {"in a function that is called",
         "__device__ __noinline__ int add_up(int v, unsigned mask, int by) {\n"
         "    return v + __shfl_down_sync(mask, v, by); // HERE\n}\n",
         i + "a[i] = 0;\nif (lane < 8) a[i] = add_up(i, 0xff, WRONG(8, 0));\n", "which the mask does not name", 0, 0,
         32},
    };
}

} // namespace sync_kernels
