// SPDX-License-Identifier: Apache-2.0
// Thrust: vectors, sorts, reductions, scans, iterators, its device memory resource.
#include "program.hpp"

#include <algorithm>
#include <numeric>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

struct Square {
    __host__ __device__ long operator()(int x) const { return long(x) * x; }
};
struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

int main() {
    const int n = 20000;
    const auto values = random_ints(n, 0, 1000);
    thrust::host_vector<int> host(values.begin(), values.end());
    thrust::device_vector<int> device = host;
    bool good = thrust::reduce(device.begin(), device.end(), 0) == std::accumulate(values.begin(), values.end(), 0);

    const long squares = thrust::transform_reduce(device.begin(), device.end(), Square(), 0L, thrust::plus<long>());
    long expected = 0;
    for (const int v : values)
        expected += long(v) * v;
    good &= squares == expected;

    thrust::device_vector<int> odd(n);
    const auto end = thrust::copy_if(device.begin(), device.end(), odd.begin(), IsOdd());
    good &= end - odd.begin() == std::count_if(values.begin(), values.end(), IsOdd());

    thrust::device_vector<int> scanned(n);
    thrust::inclusive_scan(device.begin(), device.end(), scanned.begin());
    std::vector<int> sums(n);
    std::partial_sum(values.begin(), values.end(), sums.begin());
    host = scanned;
    good &= std::equal(sums.begin(), sums.end(), host.begin());

    thrust::device_vector<int> order(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n));
    thrust::sort_by_key(device.begin(), device.end(), order.begin());
    host = device;
    good &= std::is_sorted(host.begin(), host.end());
    const thrust::host_vector<int> places = order;
    for (int i = 0; i < n; ++i)
        good &= values[places[i]] == host[i];

    thrust::device_vector<int> keys(n), counts(n);
    const auto ends = thrust::reduce_by_key(device.begin(), device.end(), thrust::make_constant_iterator(1),
                                            keys.begin(), counts.begin());
    good &= thrust::reduce(counts.begin(), ends.second) == n;
    return verdict(good);
}
