// SPDX-License-Identifier: Apache-2.0
// One level of a breadth-first search: a thread a vertex of the frontier. Distances not known yet are -1;
// sizes[level] counts the frontier that comes next.
extern "C" __global__ void expand(int size, const int* frontier, int* next, int* sizes, const int* offsets,
                                  const int* targets, int* distances, int level) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    const int vertex = frontier[i];
    for (int edge = offsets[vertex]; edge < offsets[vertex + 1]; ++edge) {
        const int target = targets[edge];
        if (distances[target] < 0 && atomicCAS(&distances[target], -1, level) == -1)
            next[atomicAdd(&sizes[level], 1)] = target;
    }
}
