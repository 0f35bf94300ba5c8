// SPDX-License-Identifier: Apache-2.0
// Breadth-first search of a graph in rows of neighbours, one launch a level.
#include "program.hpp"

#include <queue>

__global__ void visit(const int* starts, const int* neighbours, int* levels, int n, int level, bool* again) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || levels[v] != level) return;
    for (int e = starts[v]; e < starts[v + 1]; ++e)
        if (atomicCAS(&levels[neighbours[e]], -1, level + 1) == -1) *again = true;
}

int main() {
    const int n = 5000;
    const auto ends = random_ints(4 * n, 0, n - 1);
    std::vector<std::vector<int>> lists(n);
    for (int i = 0; i < 4 * n; i += 2) {
        lists[ends[i]].push_back(ends[i + 1]);
        lists[ends[i + 1]].push_back(ends[i]);
    }
    std::vector<int> starts{0}, neighbours;
    for (const auto& list : lists) {
        neighbours.insert(neighbours.end(), list.begin(), list.end());
        starts.push_back(int(neighbours.size()));
    }
    std::vector<int> levels(n, -1);
    levels[0] = 0;
    int *device_starts = to_device(starts), *device_neighbours = to_device(neighbours),
        *device_levels = to_device(levels);
    bool *again = nullptr, more = true;
    CHECK(cudaMalloc(&again, sizeof(bool)));
    for (int level = 0; more; ++level) {
        more = false;
        CHECK(cudaMemcpy(again, &more, sizeof more, cudaMemcpyHostToDevice));
        visit<<<(n + 511) / 512, 512>>>(device_starts, device_neighbours, device_levels, n, level, again);
        CHECK(cudaMemcpy(&more, again, sizeof more, cudaMemcpyDeviceToHost));
    }
    std::queue<int> waiting({0});
    while (!waiting.empty()) {
        const int v = waiting.front();
        waiting.pop();
        for (const int w : lists[v])
            if (levels[w] < 0) {
                levels[w] = levels[v] + 1;
                waiting.push(w);
            }
    }
    const bool good = to_host(device_levels, n) == levels;
    CHECK(cudaFree(device_starts));
    CHECK(cudaFree(device_neighbours));
    CHECK(cudaFree(device_levels));
    CHECK(cudaFree(again));
    return verdict(good);
}
