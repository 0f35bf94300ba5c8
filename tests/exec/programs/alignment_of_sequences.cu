// SPDX-License-Identifier: Apache-2.0
// Needleman and Wunsch: a table that is filled along its diagonals.
#include "program.hpp"

#include <algorithm>

#include <string>

__global__ void diagonal(const char* a, const char* b, int* table, int n, int m, int d, int gap) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + max(1, d - m), j = d - i;
    if (i > n || j < 1) return;
    const int match = table[(i - 1) * (m + 1) + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
    const int up = table[(i - 1) * (m + 1) + j] - gap, left = table[i * (m + 1) + j - 1] - gap;
    table[i * (m + 1) + j] = max(match, max(up, left));
}

int main() {
    const int n = 150, m = 110, gap = 2;
    const auto numbers = random_ints(n + m, 0, 3);
    std::vector<char> a, b;
    for (int i = 0; i < n + m; ++i)
        (i < n ? a : b).push_back("ACGT"[numbers[i]]);
    std::vector<int> table((n + 1) * (m + 1));
    for (int i = 0; i <= n; ++i)
        table[i * (m + 1)] = -gap * i;
    for (int j = 0; j <= m; ++j)
        table[j] = -gap * j;
    char *da = to_device(a), *db = to_device(b);
    int* device = to_device(table);
    for (int d = 2; d <= n + m; ++d)
        diagonal<<<4, 32>>>(da, db, device, n, m, d, gap);
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j)
            table[i * (m + 1) + j] =
                std::max(table[(i - 1) * (m + 1) + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1),
                         std::max(table[(i - 1) * (m + 1) + j] - gap, table[i * (m + 1) + j - 1] - gap));
    const bool good = to_host(device, table.size()) == table;
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(device));
    return verdict(good);
}
