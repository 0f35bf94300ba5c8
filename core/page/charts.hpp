// SPDX-License-Identifier: Apache-2.0
/// Charts of a run's figures.
#pragma once

#include "page/image.hpp"
#include "worker/array_view.hpp"

#include <vector>

namespace warplight::page {

/// A dot for each repeat, in their order, with the median and where it lies with 95 % confidence.
Drawing chart_of_times(const std::vector<double>& milliseconds);
/// The least and the greatest value along an array.
Drawing chart_of(const worker::Outline& outline);
/// How often which values are there.
Drawing histogram_of(const worker::Summary& summary);
/// In the colours of the array, or from dark for its least value to bright for its greatest.
/// NaN is magenta; infinities are the ends.
Pixels pixels_of(const worker::SampledPicture& picture, const worker::Summary& summary);

} // namespace warplight::page
