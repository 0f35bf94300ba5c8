// SPDX-License-Identifier: Apache-2.0
// Calls through tables of device functions, virtual functions, recursion, and memory from the device's heap.
#include "program.hpp"

using Operation = int (*)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int product(int a, int b) { return a * b; }
__device__ Operation operations[] = {plus, minus, product};

struct Shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct Rectangle : Shape {
    int a, b;
    __device__ Rectangle(int x, int y) : a(x), b(y) {}
    __device__ int area() const override { return a * b; }
};

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void run(int* out) {
    const int i = threadIdx.x;
    int result = operations[i % 3](i, 5);
    Shape* const shape = i % 2 ? static_cast<Shape*>(new Square(i)) : new Rectangle(i, 2);
    result += 1000 * shape->area();
    delete shape;
    int* const list = static_cast<int*>(malloc(sizeof(int) * (i + 1)));
    for (int k = 0; k <= i; ++k)
        list[k] = k;
    int sum = 0;
    for (int k = 0; k <= i; ++k)
        sum += list[k];
    free(list);
    out[i] = result + 100000 * fibonacci(i % 10) + sum * 10000000;
}

int main() {
    const int n = 16;
    int* out = nullptr;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    run<<<1, n>>>(out);
    const auto result = to_host(out, n);
    const int numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    bool good = true;
    for (int i = 0; i < n; ++i) {
        const int operation = i % 3 == 0 ? i + 5 : i % 3 == 1 ? i - 5 : i * 5;
        good &= result[i] ==
                operation + 1000 * (i % 2 ? i * i : 2 * i) + 100000 * numbers[i % 10] + i * (i + 1) / 2 * 10000000;
    }
    CHECK(cudaFree(out));
    return verdict(good);
}
