// SPDX-License-Identifier: Apache-2.0
// What the programs share: a check of each call, random data, and the verdict that they end with.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <random>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t error_ = (call);                                                                             \
        if (error_ != cudaSuccess) {                                                                                   \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));            \
            std::exit(2);                                                                                              \
        }                                                                                                              \
    } while (0)

/// Prints the verdict. The result is the program's exit code.
inline int verdict(bool good) {
    std::puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}

inline bool near(double a, double b, double tolerance = 1e-5) {
    return std::fabs(a - b) <= tolerance * std::fmax(1.0, std::fmax(std::fabs(a), std::fabs(b)));
}

template <class T>
bool near(const std::vector<T>& a, const std::vector<T>& b, double tolerance = 1e-5) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!near(static_cast<double>(a[i]), static_cast<double>(b[i]), tolerance)) {
            std::fprintf(stderr, "element %zu: %g, not %g\n", i, static_cast<double>(a[i]), static_cast<double>(b[i]));
            return false;
        }
    return true;
}

inline std::vector<float> random_floats(std::size_t count, float low = 0, float high = 1, unsigned seed = 1) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> number(low, high);
    std::vector<float> values(count);
    for (float& value : values)
        value = number(engine);
    return values;
}

inline std::vector<int> random_ints(std::size_t count, int low, int high, unsigned seed = 1) {
    std::mt19937 engine(seed);
    std::uniform_int_distribution<int> number(low, high);
    std::vector<int> values(count);
    for (int& value : values)
        value = number(engine);
    return values;
}

/// Device memory with a copy of the values.
template <class T>
T* to_device(const std::vector<T>& values) {
    T* device = nullptr;
    CHECK(cudaMalloc(&device, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

template <class T>
std::vector<T> to_host(const T* device, std::size_t count) {
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}
