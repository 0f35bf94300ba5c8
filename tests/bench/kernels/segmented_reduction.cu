// SPDX-License-Identifier: Apache-2.0
// Sums of values by segment; a segment's values are neighbours, and each has its segment's number. A warp adds up its
// segments by shuffles; the last lane of each adds its sum in memory, as the segment may go on. n: a multiple of 256.
extern "C" __global__ void add_segments(const int* segments, const int* values, int* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const int segment = segments[i];
    int sum = values[i];
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other_sum = __shfl_up_sync(0xffffffff, sum, distance);
        const int other_segment = __shfl_up_sync(0xffffffff, segment, distance);
        if (lane >= distance && other_segment == segment) sum += other_sum;
    }
    const int next = __shfl_down_sync(0xffffffff, segment, 1);
    if (lane == 31 || next != segment) atomicAdd(&sums[segment], sum);
}
