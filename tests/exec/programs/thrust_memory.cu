// SPDX-License-Identifier: Apache-2.0
// Thrust over memory of the runtime: pointers, streams, tuples, random numbers, vectors in managed memory.
#include "program.hpp"

#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/universal_vector.h>

struct Draw {
    __device__ float operator()(unsigned i) const {
        thrust::default_random_engine engine(7);
        engine.discard(i);
        return thrust::uniform_real_distribution<float>(0, 1)(engine);
    }
};
struct Dot {
    __device__ int operator()(const thrust::tuple<int, int>& t) const { return thrust::get<0>(t) * thrust::get<1>(t); }
};
struct IsLow {
    __device__ bool operator()(float x) const { return x < 0.25f; }
};

int main() {
    const int n = 10000;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int *a = nullptr, *b = nullptr;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    const auto policy = thrust::cuda::par.on(stream);
    thrust::sequence(policy, thrust::device_pointer_cast(a), thrust::device_pointer_cast(a) + n, 1);
    thrust::sequence(policy, thrust::device_pointer_cast(b), thrust::device_pointer_cast(b) + n, 0, 3);
    const auto pairs =
        thrust::make_zip_iterator(thrust::make_tuple(thrust::device_pointer_cast(a), thrust::device_pointer_cast(b)));
    thrust::transform(policy, pairs, pairs + n, thrust::device_pointer_cast(a), Dot());
    CHECK(cudaStreamSynchronize(stream));
    const auto products = to_host(a, n);
    bool good = true;
    for (int i = 0; i < n; ++i)
        good &= products[i] == (i + 1) * 3 * i;

    thrust::universal_vector<float> numbers(n);
    thrust::transform(thrust::device, thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(n),
                      numbers.begin(), Draw());
    const auto low = thrust::count_if(thrust::device, numbers.begin(), numbers.end(), IsLow());
    const auto largest = thrust::max_element(thrust::device, numbers.begin(), numbers.end());
    CHECK(cudaDeviceSynchronize());
    float expected = 0;
    int expected_low = 0;
    for (const float x : numbers) {
        expected = std::fmax(expected, x);
        expected_low += x < 0.25f;
    }
    good &= *largest == expected && low == expected_low && low > 2000 && low < 3000;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaStreamDestroy(stream));
    return verdict(good);
}
