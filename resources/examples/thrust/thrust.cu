// SPDX-License-Identifier: Apache-2.0
// How many darts hit the quarter of a circle? Thrust counts them on the device, and sorts their distances.
#include <cstdio>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/random.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

// The distance of dart number i from the corner.
struct Throw {
    __host__ __device__ float operator()(int i) const {
        thrust::default_random_engine engine(2024);
        engine.discard(2 * i);
        thrust::uniform_real_distribution<float> place(0.0f, 1.0f);
        float x = place(engine), y = place(engine);
        return sqrtf(x * x + y * y);
    }
};

struct Hits {
    __host__ __device__ bool operator()(float distance) const { return distance <= 1.0f; }
};

int main() {
    const int darts = 200000;
    thrust::device_vector<float> distances(darts);
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(darts), distances.begin(),
                      Throw());
    long hits = thrust::count_if(distances.begin(), distances.end(), Hits());
    thrust::sort(distances.begin(), distances.end());
    float middle = distances[darts / 2];

    double pi = 4.0 * hits / darts;
    std::printf("%ld of %d darts hit: pi is about %.3f\n", hits, darts, pi);
    std::printf("half of the darts are nearer than %.3f\n", middle);
    // A quarter of a circle with half of the square's area has the radius sqrt(2 / pi).
    bool right = pi > 3.13 && pi < 3.15 && middle > 0.79f && middle < 0.81f;
    std::printf(right ? "As expected.\n" : "This is not as expected.\n");
    return right ? 0 : 1;
}
