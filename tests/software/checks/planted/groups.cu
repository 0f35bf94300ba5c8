// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: tiles, coalesced threads, and the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// CASE grid_sync_missing kind=race grid=4 block=64 cooperative args=z1024,z1024
extern "C" __global__ void grid_sync_missing(int* a, int* b) {
    cg::grid_group grid = cg::this_grid();
    a[THREAD] = THREAD; // HERE
    if (WRONG(false, true)) grid.sync();
    b[THREAD] = a[255 - THREAD]; // HERE
}

// CASE grid_sync_only_block kind=race grid=4 block=64 cooperative args=z1024,z1024
extern "C" __global__ void grid_sync_only_block(int* a, int* b) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    for (int k = 0; k < 3; ++k) {
        a[THREAD] = b[255 - THREAD] + 1; // HERE
        grid.sync();
        b[THREAD] = a[255 - THREAD]; // HERE
        if (WRONG(true, false)) block.sync();
        else grid.sync();
    }
}

// CASE grid_sync_in_branch grid=4 block=64 cooperative args=z1024
extern "C" __global__ void grid_sync_in_branch(int* a) {
    cg::grid_group grid = cg::this_grid();
    if (blockIdx.x < 4) grid.sync();
    a[THREAD] = 1;
}

// CASE tile_sync_missing kind=race grid=2 block=64 args=z512
// CASE tile_sync_missing_8 kind=race grid=2 block=64 args=z512
template <int N> __device__ __forceinline__ void exchange(int* out) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<N>(cg::this_thread_block());
    s[threadIdx.x] = threadIdx.x; // HERE
    if (WRONG(false, true)) tile.sync();
    out[THREAD] = s[threadIdx.x ^ (N / 2)]; // HERE
}
extern "C" __global__ void tile_sync_missing(int* out) { exchange<32>(out); }
extern "C" __global__ void tile_sync_missing_8(int* out) { exchange<8>(out); }

// CASE tile_too_small_for_exchange kind=race grid=2 block=64 args=z512
extern "C" __global__ void tile_too_small_for_exchange(int* out) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<WRONG(16, 32)>(cg::this_thread_block());
    s[threadIdx.x] = threadIdx.x; // HERE
    tile.sync();
    out[THREAD] = s[threadIdx.x ^ 16]; // HERE
}

// CASE tile_reduce grid=2 block=64 args=i512,z8
extern "C" __global__ void tile_reduce(const int* in, int* out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int sum = cg::reduce(tile, in[THREAD], cg::plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(out, sum);
}

// CASE tile_scan_in_branch grid=2 block=64 args=i512,z512
extern "C" __global__ void tile_scan_in_branch(const int* in, int* out) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    if (threadIdx.x / 16 % 2) out[THREAD] = cg::inclusive_scan(tile, in[THREAD]);
}

// CASE coalesced_aggregate kind=race grid=2 block=64 args=s512,z4,z512
extern "C" __global__ void coalesced_aggregate(const int* in, int* count, int* out) {
    if (in[THREAD] > 5) {
        cg::coalesced_group active = cg::coalesced_threads();
        int at = 0;
        if (active.thread_rank() == 0) {
            if (WRONG(true, false)) {
                at = *count; // ALSO
                *count = at + active.size(); // HERE
            } else {
                at = atomicAdd(count, active.size());
            }
        }
        at = active.shfl(at, 0) + active.thread_rank();
        out[at] = THREAD; // ALSO
    }
}

// CASE labeled_partition grid=2 block=64 args=s512,z64
extern "C" __global__ void labeled_partition(const int* in, int* bins) {
    auto active = cg::coalesced_threads();
    auto group = cg::labeled_partition(active, in[THREAD]);
    if (group.thread_rank() == 0) atomicAdd(&bins[in[THREAD]], group.size());
}

// CASE block_sync_group kind=sync grid=2 block=64 args=z512
extern "C" __global__ void block_sync_group(int* out) {
    cg::thread_block block = cg::this_thread_block();
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x; // ALSO
    if (WRONG(threadIdx.x < 32, true)) block.sync(); // HERE
    out[THREAD] = s[63 - threadIdx.x]; // ALSO
}

// CASE group_memcpy_async kind=race grid=2 block=64 args=i512,z512
extern "C" __global__ void group_memcpy_async(const int* in, int* out) {
    __shared__ alignas(16) int s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, in + blockIdx.x * 64, sizeof s); // HERE
    if (WRONG(true, false)) asm volatile("cp.async.wait_all;" ::: "memory");
    else cg::wait(block);
    out[THREAD] = s[63 - threadIdx.x]; // HERE
}

// CASE cluster_free_reduction kind=race grid=4 block=64 cooperative args=i1024,z16,z4
extern "C" __global__ void cluster_free_reduction(const int* in, int* part, int* out) {
    cg::grid_group grid = cg::this_grid();
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    __shared__ int sums[2];
    const int sum = cg::reduce(tile, in[THREAD], cg::plus<int>());
    if (tile.thread_rank() == 0) sums[threadIdx.x / 32] = sum; // HERE
    if (WRONG(false, true)) __syncthreads();
    if (threadIdx.x == 0) part[blockIdx.x] = sums[0] + sums[1]; // HERE
    grid.sync();
    if (grid.thread_rank() == 0) *out = part[0] + part[1] + part[2] + part[3]; // ALSO
}

// CASE barrier_arrive_wait_group kind=race grid=2 block=64 args=z512
extern "C" __global__ void barrier_arrive_wait_group(int* out) {
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    s[threadIdx.x] = threadIdx.x; // HERE
    auto token = block.barrier_arrive();
    if (WRONG(true, false)) out[THREAD] = s[63 - threadIdx.x]; // HERE
    block.barrier_wait(std::move(token));
    if (WRONG(false, true)) out[THREAD] = s[63 - threadIdx.x];
}

// CASE group_memcpy_never_waited kind=race grid=2 block=64 args=i512,z512
extern "C" __global__ void group_memcpy_never_waited(const int* in, int* out) {
    __shared__ alignas(16) int s[64];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, in + blockIdx.x * 64, sizeof s); // HERE
    if (WRONG(false, true)) cg::wait(block);
    block.sync();
    out[THREAD] = s[63 - threadIdx.x]; // HERE
}
