// SPDX-License-Identifier: Apache-2.0
// Exact counts of the values of whole buffers: histograms over any range, percentiles, and how pairs of values of two
// buffers lie. All read piece by piece and can be cancelled. Complex numbers count by magnitude.
#pragma once

#include "worker/request.hpp"

#include "warplight/ndarray.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::worker {

/// From low to high, both included.
struct ValueRange {
    double low = 0, high = 0;
};

struct Histogram {
    std::uint64_t elements = 0, finite = 0, nan = 0, positive_inf = 0, negative_inf = 0;
    double min = 0, max = 0; ///< of the finite ones
    ValueRange range;
    std::uint64_t below = 0, above = 0; ///< finite ones outside of the range
    std::vector<std::uint64_t> counts;  ///< bin i is [low + i·w, low + (i+1)·w); the last has its upper end in it
};
/// @param range empty: all finite values
/// @throws RequestError for elements that are no numbers, and when cancelled; so do the others
Histogram count_values(const NdArray& array, std::size_t bins, const std::optional<ValueRange>& range,
                       const RequestContext& context);
json to_json(const Histogram& histogram);

/// For each percentage p the least value v of the array such that p % of the finite values are v or less. Empty where
/// no value is finite.
std::vector<double> percentiles(const NdArray& array, const std::vector<double>& percentages,
                                const RequestContext& context);

/// How often values of x and y occur together.
struct Density {
    ValueRange x, y;
    std::size_t columns = 0, rows = 0;
    std::vector<std::uint32_t> counts; ///< row after row, the least y first; a cell holds 2³² - 1 at most
    std::uint64_t pairs = 0;           ///< both finite
    std::uint64_t not_finite = 0, outside = 0;
    std::vector<double> points;         ///< x and y of each pair inside, where there are few
    std::vector<std::uint64_t> indices; ///< the element of each point
};
/// @param most_points with more pairs inside there are no points
/// @throws RequestError also for arrays of different sizes
Density count_pairs(const NdArray& x, const NdArray& y, std::size_t columns, std::size_t rows,
                    const std::optional<ValueRange>& x_range, const std::optional<ValueRange>& y_range,
                    std::size_t most_points, const RequestContext& context);
json to_json(const Density& density);

} // namespace warplight::worker
