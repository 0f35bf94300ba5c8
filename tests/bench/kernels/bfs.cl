// SPDX-License-Identifier: Apache-2.0
kernel void expand(int size, global const int* frontier, global int* next, volatile global int* sizes,
                   global const int* offsets, global const int* targets, volatile global int* distances, int level) {
    const int i = get_global_id(0);
    if (i >= size) return;
    const int vertex = frontier[i];
    for (int edge = offsets[vertex]; edge < offsets[vertex + 1]; ++edge) {
        const int target = targets[edge];
        if (distances[target] < 0 && atomic_cmpxchg(&distances[target], -1, level) == -1)
            next[atomic_inc(&sizes[level])] = target;
    }
}
