// SPDX-License-Identifier: Apache-2.0
// Systems of linear equations: elimination with a launch for each column, and substitution on the host.
#include "program.hpp"

__global__ void factors(const double* a, double* m, int n, int t) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + t + 1;
    if (i < n) m[i] = a[i * n + t] / a[t * n + t];
}
__global__ void eliminate(double* a, double* b, const double* m, int n, int t) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y + t + 1, j = blockIdx.x * blockDim.x + threadIdx.x + t;
    if (i >= n || j >= n) return;
    a[i * n + j] -= m[i] * a[t * n + j];
    if (j == t) b[i] -= m[i] * b[t];
}

int main() {
    const int n = 50;
    const auto numbers = random_floats(n * n + n, -1, 1);
    std::vector<double> a(numbers.begin(), numbers.begin() + n * n), x(numbers.begin() + n * n, numbers.end()),
        b(n, 0.0);
    for (int i = 0; i < n; ++i)
        a[i * n + i] += n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            b[i] += a[i * n + j] * x[j];
    double *da = to_device(a), *db = to_device(b), *m = to_device(std::vector<double>(n));
    for (int t = 0; t < n - 1; ++t) {
        factors<<<1, 64>>>(da, m, n, t);
        eliminate<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(da, db, m, n, t);
    }
    a = to_host(da, n * n);
    b = to_host(db, n);
    std::vector<double> solution(n);
    for (int i = n - 1; i >= 0; --i) {
        double sum = b[i];
        for (int j = i + 1; j < n; ++j)
            sum -= a[i * n + j] * solution[j];
        solution[i] = sum / a[i * n + i];
    }
    const bool good = near(solution, x, 1e-10);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(m));
    return verdict(good);
}
