// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks form clusters, with one mistake each, and the same without it.
#pragma once

#include <string>
#include <vector>

namespace cluster_kernels {

/// A kernel `k(int* a, const int* b, int n)`, launched with 4 blocks of 64 threads in clusters of two. a has 1,024 ints
/// and b 128, all 0; n is 100.
struct Kernel {
    const char* name;
    const char* check; ///< that finds it
    std::string body; ///< WRONG(x, y) is x, or y in the kernel without the mistake. HERE is on the line of the mistake,
                      ///< THERE on that of the finding's `other`
    const char* says; ///< part of the message
    unsigned block, thread; ///< the first that does it, x
    bool is_stuck = false;  ///< a deadlock: the launch fails
};

/// What kernels need of cooperative groups, whose header takes seconds to compile.
inline std::string before() {
    return R"(struct Cluster {
    __device__ void barrier_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
    __device__ void barrier_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
    __device__ void sync() { barrier_arrive(); barrier_wait(); }
    __device__ unsigned block_rank() {
        unsigned rank;
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
        return rank;
    }
    __device__ int* map_shared_rank(int* p, unsigned rank) {
        unsigned long long there;
        asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
        return (int*)there;
    }
};
)";
}

inline std::vector<Kernel> all() {
    const std::string start = "Cluster cluster;\n"
                              "int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n"
                              "unsigned rank = cluster.block_rank();\n";
    const std::string s = start + "__shared__ int s[64];\n";
    const std::string filled = s + "s[t] = i;\ncluster.sync();\n";
    const std::string other = "int* r = cluster.map_shared_rank(s, rank ^ 1);\n";
    return {
        // Memory
        {"beyond a variable of its own", "memory",
         s + "__shared__ int more[64];\nmore[t] = i;\ns[t + WRONG(1, 0)] = i; // HERE\ncluster.sync();\n"
             "a[i] = s[t] + more[63 - t];\n",
         "right behind the 256 bytes of the shared variable 's'", 0, 63},
        {"beyond a variable of another block", "memory",
         filled + other + "a[i] = r[t + WRONG(1, 0)]; // HERE\ncluster.sync();\n", "bytes of shared memory", 0, 63},
        {"before a variable of another block", "memory",
         filled + other + "a[i] = r[WRONG(t - 1, t)]; // HERE\ncluster.sync();\n", "a read of 4 bytes", 0, 0},
        {"a rank that the cluster does not have", "memory",
         filled + "unsigned at;\nasm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(at) : "
                  "\"r\"((unsigned)__cvta_generic_to_shared(s)), \"r\"(WRONG(2, 1)));\nint v;\n"
                  "asm volatile(\"ld.shared::cluster.u32 %0, [%1];\" : \"=r\"(v) : \"r\"(at)); // HERE\n"
                  "a[i] = v;\ncluster.sync();\n",
         "block 2 of the cluster, which has 2 blocks", 0, 0},
        {"a block that has ended", "memory",
         filled + other +
             "if (WRONG(rank == 1, false)) return;\nif (rank == 0) a[i] = r[t]; // HERE\ncluster.sync();\n",
         "block (1,0,0), which has ended", 0, 0},
        // Values that nothing wrote
        {"a value of another block that nothing wrote", "init",
         s + other +
             "if (WRONG(t < 32, true)) s[t] = i;\ncluster.sync();\nif (r[t] > 5) // HERE\n    a[i] = 1;\n"
             "cluster.sync();\n",
         "which nothing wrote, decides", 0, 32},
        {"a value that another block writes", "init",
         s + other + "if (WRONG(rank == 1, true)) r[t] = i;\ncluster.sync();\nif (s[t] > 5) // HERE\n    a[i] = 1;\n",
         "which nothing wrote, decides", 1, 0},
        // Races
        {"a value of another block before it is there", "race",
         s + other +
             "s[t] = i; // THERE\nWRONG(__syncthreads(), cluster.sync());\na[i] = r[t]; // HERE\n"
             "cluster.sync();\n",
         "put cluster.sync()", 0, 0},
        {"a value replaced while another block reads", "race",
         filled + other +
             "a[i] = r[t]; // THERE\nWRONG((void)0, cluster.sync());\ns[t] = 0; // HERE\ncluster.sync();\n",
         "of block (", 0, 0},
        {"two blocks write into a third memory", "race",
         s + "int* r = cluster.map_shared_rank(s, 0);\ncluster.sync();\nif (t < 32) r[WRONG(t, t + 32 * rank)] = i; // "
             "HERE\n"
             "cluster.sync();\na[i] = s[t];\n",
         "a race", 1, 0},
        {"a sum in another block that is not atomic", "race",
         s + "int* r = cluster.map_shared_rank(s, 0);\nif (t == 0) s[0] = 0;\ncluster.sync();\nif (t == 0) "
             "WRONG(*r += 1, atomicAdd(r, 1)); // HERE\ncluster.sync();\nif (t == 0) a[i] = s[0];\n",
         "a race", 0, 0},
        {"a read between arriving and waiting", "race",
         s + other +
             "s[t] = i; // THERE\ncluster.barrier_arrive();\nWRONG(a[i] = r[t], (void)0); // HERE\n"
             "cluster.barrier_wait();\na[i] += r[63 - t];\ncluster.sync();\n",
         "put cluster.sync()", 0, 0},
        {"an end that others do not wait for", "race",
         filled + other + "a[i] = r[t]; // HERE\nWRONG((void)0, cluster.sync());\n", "which may have ended before", 0,
         0},
        {"global memory of another block of the cluster", "race",
         start + "a[i] = i; // THERE\nWRONG((void)0, cluster.sync());\na[600 + i] = a[(blockIdx.x ^ 1) * 64 + t]; // "
                 "HERE\ncluster.sync();\n",
         "a race", 0, 0},
        // The barrier
        {"a barrier to which one block does not come", "sync",
         filled + "if (WRONG(rank == 0, true)) cluster.sync(); // HERE\na[i] = s[t];\n", "64 of 128 threads never come",
         0, 0},
        {"an arrival without a wait", "sync",
         s + "s[t] = i;\ncluster.barrier_arrive();\nWRONG((void)0, cluster.barrier_wait());\n"
             "cluster.barrier_arrive(); // HERE\ncluster.barrier_wait();\na[i] = s[t];\n",
         "for a second time", 0, 0},
        {"a wait without an arrival", "sync",
         s + "s[t] = i;\nWRONG((void)0, cluster.barrier_arrive());\ncluster.barrier_wait(); // HERE\na[i] = s[t];\n"
             "cluster.sync();\n",
         "has not arrived", 0, 0},
        {"a block that waits at another barrier", "sync",
         s + "s[t] = i;\nif (WRONG(rank == 1 && t < 32, false)) asm volatile(\"bar.sync 1, 64;\" ::: \"memory\"); // "
             "THERE\ncluster.sync(); // HERE\na[i] = s[t];\n",
         "a deadlock: this thread waits at the barrier of the cluster", 0, 0, true},
    };
}

} // namespace cluster_kernels
