// SPDX-License-Identifier: Apache-2.0
// What programs for compute capability 9.0 do: clusters by cooperative groups, bulk copies by cuda::barrier, groups of
// more than a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/std/utility>

namespace cg = cooperative_groups;
namespace cde = cuda::device::experimental;

// The bins lie in the shared memory of all blocks of a cluster, as many in each.
extern "C" __global__ void cluster_histogram(int* bins, int count, int bins_per_block, const int* input, int size) {
    extern __shared__ int mine[];
    const cg::cluster_group cluster = cg::this_cluster();
    for (int k = static_cast<int>(threadIdx.x); k < bins_per_block; k += static_cast<int>(blockDim.x))
        mine[k] = 0;
    cluster.sync();
    for (int k = static_cast<int>(cg::this_grid().thread_rank()); k < size;
         k += static_cast<int>(gridDim.x * blockDim.x)) {
        const int bin = min(max(input[k], 0), count - 1);
        int* there = cluster.map_shared_rank(mine, static_cast<unsigned>(bin / bins_per_block));
        atomicAdd(there + bin % bins_per_block, 1);
    }
    cluster.sync();
    int* to = bins + cluster.block_rank() * static_cast<unsigned>(bins_per_block);
    for (int k = static_cast<int>(threadIdx.x); k < bins_per_block; k += static_cast<int>(blockDim.x))
        atomicAdd(to + k, mine[k]);
}

// Ranks and sizes as cooperative groups tell them.
extern "C" __global__ void __cluster_dims__(2, 2, 1) cluster_shape(unsigned* out) {
    const cg::cluster_group cluster = cg::this_cluster();
    __shared__ unsigned here;
    if (cg::this_thread_block().thread_rank() == 0) here = 1000 + cluster.block_rank();
    cluster.sync();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    const unsigned there = *cluster.map_shared_rank(&here, next);
    unsigned* to = out + 4 * (blockIdx.x + gridDim.x * blockIdx.y);
    if (threadIdx.x == 0) {
        to[0] = there;
        to[1] = cluster.query_shared_rank(cluster.map_shared_rank(&here, next));
        to[2] = static_cast<unsigned>(cluster.num_threads());
        to[3] = cluster.block_index().y * 16 + cluster.block_index().x;
    }
    cluster.sync();
}

// Tiles of 1024 numbers come and go as a whole; each is increased by one.
extern "C" __global__ void bulk_increment(int* data) {
    __shared__ alignas(128) int tile[1024];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    int* from = data + blockIdx.x * 1024;
    if (threadIdx.x == 0) {
        init(&bar, static_cast<int>(blockDim.x));
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(tile, from, sizeof(tile), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
    } else {
        token = bar.arrive();
    }
    bar.wait(cuda::std::move(token));
    for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x)
        tile[k] += 1;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_shared_to_global(from, tile, sizeof(tile));
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

// Sums over groups of 64 threads, which meet in memory that the system keeps for them.
extern "C" __global__ void wide_groups(const int* in, int* out) {
    const auto group = cg::tiled_partition<64>(cg::this_thread_block());
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const int sum = cg::reduce(group, in[i], cg::plus<int>());
    group.sync();
    out[i] = group.shfl(sum, 0) * 100 + static_cast<int>(group.meta_group_rank());
}
