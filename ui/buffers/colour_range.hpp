// SPDX-License-Identifier: GPL-3.0-or-later
/// Which values the first and the last colour of a picture have, and pictures of values.
#pragma once

#include "ui/buffers/image_sampler.hpp"
#include "ui/common/colour_map.hpp"

#include <QImage>

namespace warplight::ui {

struct ColourRange {
    enum Kind { Fit, Percentiles, Symmetric, Manual };
    double low = 0, high = 1;

    /// Of the values that are shown. Percentiles leave out 2 % at both ends. Symmetric has 0 in the middle.
    static ColourRange of(const ImageSample& sample, Kind kind);
};

/// NaN and infinity have the colour `none`. Several channels are colours of their own.
QImage paintSample(const ImageSample& sample, const ColourRange& range, const ColourMap& map, QRgb none);

} // namespace warplight::ui
