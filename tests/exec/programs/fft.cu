// SPDX-License-Identifier: Apache-2.0
// A Fourier transform of radix 2 (Stockham), forward and back.
#include "program.hpp"

#include <algorithm>

#include <complex>

__global__ void pass(const float2* in, float2* out, int n, int p, float sign) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int k = i & (p - 1), j = ((i - k) << 1) + k;
    float s, c;
    sincospif(sign * float(k) / float(p), &s, &c);
    const float2 a = in[i], b = in[i + n / 2];
    const float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    out[j] = make_float2(a.x + turned.x, a.y + turned.y);
    out[j + p] = make_float2(a.x - turned.x, a.y - turned.y);
}

float2* transform(float2*& a, float2*& b, int n, float sign) {
    for (int p = 1; p < n; p *= 2) {
        pass<<<n / 2 / 64, 64>>>(a, b, n, p, sign);
        std::swap(a, b);
    }
    return a;
}

int main() {
    const int n = 512;
    const auto numbers = random_floats(2 * n, -1, 1);
    std::vector<float2> values(n);
    for (int i = 0; i < n; ++i)
        values[i] = make_float2(numbers[2 * i], numbers[2 * i + 1]);
    float2 *a = to_device(values), *b = to_device(values);
    const auto spectrum = to_host(transform(a, b, n, -1), n);
    bool good = true;
    for (int k = 0; k < n; ++k) {
        std::complex<double> sum = 0;
        for (int i = 0; i < n; ++i)
            sum += std::complex<double>(values[i].x, values[i].y) * std::polar(1.0, -2 * 3.141592653589793 * i * k / n);
        good &= std::fabs(spectrum[k].x - sum.real()) < 1e-3 && std::fabs(spectrum[k].y - sum.imag()) < 1e-3;
    }
    const auto back = to_host(transform(a, b, n, 1), n);
    for (int i = 0; i < n; ++i)
        good &= std::fabs(back[i].x / n - values[i].x) < 1e-5 && std::fabs(back[i].y / n - values[i].y) < 1e-5;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return verdict(good);
}
