// SPDX-License-Identifier: Apache-2.0
// What a page shows of an array: figures of all elements, and few enough values to draw.
#pragma once

#include "worker/summary.hpp"

#include <cstddef>
#include <vector>

namespace warplight::worker {

/// Every step-th row and column of the array's last two axes, at index 0 of the others. [height, width, 3] and
/// [height, width, 4] are colours.
struct SampledPicture {
    std::size_t width = 0, height = 0; ///< of the array; 0: it has no such axes
    std::size_t columns = 0, rows = 0; ///< of the values
    std::size_t step = 1;
    int channels = 1;
    std::vector<float> values; ///< row after row, channels together
};

struct ArrayView {
    Summary summary;
    Outline outline; ///< of arrays without a picture
    SampledPicture picture;
};

inline constexpr int most_view_bins = 256;
inline constexpr int most_view_size = 1024; ///< columns and rows of a picture, points of an outline

/// @param size columns and rows at most, or points. @throws RequestError for a dtype that is no number, and when
/// cancelled
ArrayView view_of(const NdArray& array, int bins, int size, const RequestContext& context);
json to_json(const ArrayView& view);
/// @throws json::exception, and RequestError where sizes do not fit each other
ArrayView array_view_from_json(const json& object);

} // namespace warplight::worker
