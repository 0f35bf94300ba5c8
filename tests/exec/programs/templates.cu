// SPDX-License-Identifier: Apache-2.0
// Templates of kernels: functors, lambdas with captures, types and sizes.
// build: --extended-lambda
#include "program.hpp"

#include <functional>

template <class T, class F>
__global__ void transform(const T* in, T* out, int n, F function) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = function(in[i]);
}

template <class T>
struct Polynomial {
    T a, b, c;
    __host__ __device__ T operator()(T x) const { return (a * x + b) * x + c; }
};

template <int n>
struct Matrix {
    double v[n][n];
    __host__ __device__ Matrix operator*(const Matrix& o) const {
        Matrix r{};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k)
                    r.v[i][j] += v[i][k] * o.v[k][j];
        return r;
    }
};

template <int n>
__global__ void power(const Matrix<n>* in, Matrix<n>* out, int exponent) {
    Matrix<n> result = in[threadIdx.x];
    for (int i = 1; i < exponent; ++i)
        result = result * in[threadIdx.x];
    out[threadIdx.x] = result;
}

template <class T, class F>
bool same(F function) {
    const auto numbers = random_ints(1000, -100, 100);
    const std::vector<T> values(numbers.begin(), numbers.end());
    T *in = to_device(values), *out = nullptr;
    CHECK(cudaMalloc(&out, values.size() * sizeof(T)));
    transform<<<3, 64>>>(in, out, int(values.size()), function);
    std::vector<T> expected;
    for (const T v : values)
        expected.push_back(function(v));
    const bool good = to_host(out, values.size()) == expected;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return good;
}

template <int n>
bool same_power() {
    std::vector<Matrix<n>> in(4);
    for (int m = 0; m < 4; ++m)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                in[m].v[i][j] = (m + i * j) % 3;
    Matrix<n>*a = to_device(in), *b = to_device(in);
    power<<<1, 4>>>(a, b, 3);
    const auto result = to_host(b, 4);
    bool good = true;
    for (int m = 0; m < 4; ++m) {
        const Matrix<n> expected = in[m] * in[m] * in[m];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                good &= result[m].v[i][j] == expected.v[i][j];
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return good;
}

int main() {
    const int offset = 17;
    bool good = same<int>(Polynomial<int>{3, -2, 5}) && same<long long>(Polynomial<long long>{1, 1, 1});
    good &= same<double>(Polynomial<double>{1, 2, 4}) && same<short>(Polynomial<short>{1, 0, 0});
    good &= same<int>([offset] __host__ __device__(int x) { return x % 7 + offset; });
    good &= same_power<2>() && same_power<3>() && same_power<5>();
    return verdict(good);
}
