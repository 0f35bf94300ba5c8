// SPDX-License-Identifier: Apache-2.0
// Cellular automaton on a torus, its cells as bytes in shared memory.
#include "program.hpp"

#include <algorithm>

constexpr int kTile = 16;
using Cell = unsigned char;

__global__ void generation(const Cell* from, Cell* to, int width, int height) {
    __shared__ Cell tile[kTile + 2][kTile + 2];
    const int x0 = blockIdx.x * kTile - 1, y0 = blockIdx.y * kTile - 1;
    for (int i = threadIdx.y * kTile + threadIdx.x; i < (kTile + 2) * (kTile + 2); i += kTile * kTile) {
        const int x = (x0 + i % (kTile + 2) + width) % width, y = (y0 + i / (kTile + 2) + height) % height;
        tile[i / (kTile + 2)][i % (kTile + 2)] = from[y * width + x];
    }
    __syncthreads();
    int alive = 0;
    for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
            if (dx != 1 || dy != 1) alive += tile[threadIdx.y + dy][threadIdx.x + dx];
    const Cell me = tile[threadIdx.y + 1][threadIdx.x + 1];
    to[(y0 + 1 + threadIdx.y) * width + x0 + 1 + threadIdx.x] = alive == 3 || (me && alive == 2);
}

int main() {
    const int width = 64, height = 48, generations = 20;
    const auto numbers = random_ints(width * height, 0, 2);
    std::vector<Cell> cells;
    for (const int n : numbers)
        cells.push_back(n == 0);
    Cell *a = to_device(cells), *b = to_device(cells);
    for (int g = 0; g < generations; ++g) {
        generation<<<dim3(width / kTile, height / kTile), dim3(kTile, kTile)>>>(a, b, width, height);
        std::swap(a, b);
        auto next = cells;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                int alive = -cells[y * width + x];
                for (int dy = height - 1; dy <= height + 1; ++dy)
                    for (int dx = width - 1; dx <= width + 1; ++dx)
                        alive += cells[(y + dy) % height * width + (x + dx) % width];
                next[y * width + x] = alive == 3 || (cells[y * width + x] && alive == 2);
            }
        cells = next;
    }
    const bool good = to_host(a, width * height) == cells;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return verdict(good);
}
