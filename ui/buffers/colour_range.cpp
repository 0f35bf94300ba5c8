// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/colour_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplight::ui {

ColourRange ColourRange::of(const ImageSample& sample, Kind kind) {
    QList<float> values;
    values.reserve(sample.values.size());
    for (const float value : sample.values)
        if (std::isfinite(value)) values.append(value);
    if (values.isEmpty()) return {};
    if (kind == Percentiles) {
        const auto rank = [&](double part) {
            const auto place = values.begin() + qsizetype(std::lround(part * double(values.size() - 1)));
            std::nth_element(values.begin(), place, values.end());
            return double(*place);
        };
        return {rank(0.02), rank(0.98)};
    }
    const auto [low, high] = std::minmax_element(values.cbegin(), values.cend());
    if (kind != Symmetric) return {double(*low), double(*high)};
    // Of zeros alone, too, 0 is the middle.
    const double most =
        std::max({std::abs(double(*low)), std::abs(double(*high)), double(std::numeric_limits<float>::min())});
    return {-most, most};
}

QImage paintSample(const ImageSample& sample, const ColourRange& range, const ColourMap& map, QRgb none) {
    const int channels = sample.channels;
    const double low = range.low, width = range.high > range.low ? range.high - range.low : 1;
    QImage image(sample.columns, sample.rows, channels == 4 ? QImage::Format_ARGB32 : QImage::Format_RGB32);
    for (int y = 0; y < sample.rows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const float* values = sample.values.constData() + qsizetype(y) * sample.columns * channels;
        for (int x = 0; x < sample.columns; ++x, values += channels) {
            if (channels == 1) {
                line[x] = std::isfinite(values[0]) ? map.at((double(values[0]) - low) / width) : none;
                continue;
            }
            int parts[4] = {0, 0, 0, 255};
            for (int c = 0; c < channels; ++c) {
                const double t = (double(values[c]) - low) / width;
                parts[c] = std::isfinite(t) ? int(std::lround(std::clamp(t, 0.0, 1.0) * 255)) : 0;
            }
            line[x] = qRgba(parts[0], parts[1], parts[2], parts[3]);
        }
    }
    return image;
}

} // namespace warplight::ui
