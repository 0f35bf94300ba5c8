// SPDX-License-Identifier: Apache-2.0
// Assigns points to the nearest centre, which moves to the mean of its points.
#include "program.hpp"

constexpr int kDimensions = 2, kClusters = 5;
__constant__ float centres[kClusters * kDimensions];

__global__ void assign(const float* points, int n, int* membership, int* changed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = 3.4e38f;
    int nearest = -1;
    for (int c = 0; c < kClusters; ++c) {
        float distance = 0;
        for (int d = 0; d < kDimensions; ++d) {
            const float difference = points[i * kDimensions + d] - centres[c * kDimensions + d];
            distance += difference * difference;
        }
        if (distance < best) {
            best = distance;
            nearest = c;
        }
    }
    if (membership[i] != nearest) {
        membership[i] = nearest;
        atomicAdd(changed, 1);
    }
}

int main() {
    const int n = 3000;
    // Points around five places, far from each other.
    const auto noise = random_floats(n * kDimensions, -1, 1);
    std::vector<float> points(n * kDimensions);
    for (int i = 0; i < n; ++i) {
        points[2 * i] = 10.0f * (i % kClusters) + noise[2 * i];
        points[2 * i + 1] = 7.0f * (i % kClusters) + noise[2 * i + 1];
    }
    float* device_points = to_device(points);
    int *membership = to_device(std::vector<int>(n, -1)), *changed = to_device(std::vector<int>(1));
    std::vector<float> now(points.begin(), points.begin() + kClusters * kDimensions);
    std::vector<int> members;
    int rounds = 0, moved = 1;
    for (; moved > 0 && rounds < 50; ++rounds) {
        CHECK(cudaMemcpyToSymbol(centres, now.data(), now.size() * sizeof(float)));
        CHECK(cudaMemset(changed, 0, sizeof(int)));
        assign<<<(n + 255) / 256, 256>>>(device_points, n, membership, changed);
        CHECK(cudaMemcpy(&moved, changed, sizeof moved, cudaMemcpyDeviceToHost));
        members = to_host(membership, n);
        std::vector<float> sums(now.size(), 0);
        std::vector<int> counts(kClusters, 0);
        for (int i = 0; i < n; ++i) {
            ++counts[members[i]];
            for (int d = 0; d < kDimensions; ++d)
                sums[members[i] * kDimensions + d] += points[i * kDimensions + d];
        }
        for (int c = 0; c < kClusters; ++c)
            for (int d = 0; d < kDimensions; ++d)
                if (counts[c]) now[c * kDimensions + d] = sums[c * kDimensions + d] / counts[c];
    }
    bool good = rounds < 50;
    for (int i = 0; i < n; ++i)
        good &= members[i] == members[i % kClusters];
    std::printf("%d rounds\n", rounds);
    CHECK(cudaFree(device_points));
    CHECK(cudaFree(membership));
    CHECK(cudaFree(changed));
    return verdict(good);
}
