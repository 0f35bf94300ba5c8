// SPDX-License-Identifier: Apache-2.0
// Statistics of a whole buffer, and its outline for a plot. Both read piece by piece and can be cancelled.
#pragma once

#include "worker/request.hpp"

#include "warplight/ndarray.hpp"

namespace warplight::worker {

struct Summary {
    std::uint64_t elements = 0, nan = 0, positive_inf = 0, negative_inf = 0, zeros = 0;
    std::uint64_t finite = 0;
    double min = 0, max = 0, mean = 0, std = 0; ///< of the finite ones
    double low = 0, high = 0;                   ///< the histogram's ends
    std::vector<std::uint64_t> counts;          ///< equal bins; the last has its upper end in it
};
/// @throws RequestError for a dtype that is no number, and when cancelled.
Summary summarise(const NdArray& array, int bins, const RequestContext& context);
json to_json(const Summary& summary);

struct Outline {
    std::size_t offset = 0, count = 0;
    std::vector<double> min, max; ///< one for each bucket; NaN where all elements are NaN
};
/// Bucket i has the elements [i · count / n, (i + 1) · count / n) of the range; n = min(points, count).
Outline decimate(const NdArray& array, std::size_t offset, std::size_t count, std::size_t points,
                 const RequestContext& context);
json to_json(const Outline& outline);

} // namespace warplight::worker
