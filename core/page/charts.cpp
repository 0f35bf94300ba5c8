// SPDX-License-Identifier: Apache-2.0
#include "page/charts.hpp"

#include "page/colours.hpp"
#include "session/report.hpp"
#include "session/timing_statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <utility>

namespace warplight::page {
namespace {

constexpr Colour ink{60, 64, 72}, faint{208, 212, 220}, accent{38, 110, 190}, band{214, 229, 245}, nothing{220, 0, 200};

/// Where values are drawn: a frame with two labels at each side.
struct Frame {
    double width = 640, height = 150, left = 76, right = 12, top = 10, bottom = 24;
    double low = 0, high = 1; ///< of the values

    [[nodiscard]] double x(double share) const { return left + share * (width - left - right); }
    [[nodiscard]] double y(double value) const {
        // Halves, because the width of the widest range of doubles is not a double.
        const double span = high / 2 - low / 2;
        const double share = span > 0 ? std::clamp((value / 2 - low / 2) / span, 0.0, 1.0) : 0.5;
        return height - bottom - share * (height - top - bottom);
    }
    [[nodiscard]] Drawing begin(const std::string& first, const std::string& last) const {
        Drawing drawing{width, height, {}};
        auto& to = drawing.shapes;
        to.emplace_back(
            Stroke{{{left, top}, {left, height - bottom}, {width - right, height - bottom}}, faint, 1, false});
        to.emplace_back(Label{{left, height - 7}, first, Label::Anchor::start, ink});
        to.emplace_back(Label{{width - right, height - 7}, last, Label::Anchor::end, ink});
        return drawing;
    }
    void label_y(Drawing& drawing, double value, const std::string& text) const {
        drawing.shapes.emplace_back(Label{{left - 6, y(value) + 4}, text, Label::Anchor::end, ink});
    }
};

std::string number(double value) { return fmt::format("{:.4g}", value); }

/// A range that has a width.
void widen(double& low, double& high) {
    if (low < high) return;
    const double half = low == 0 ? 0.5 : std::abs(low) * 0.5;
    low -= half;
    high += half;
}

std::uint8_t byte_of(double share) { return static_cast<std::uint8_t>(std::lround(std::clamp(share, 0.0, 1.0) * 255)); }

} // namespace

Drawing chart_of_times(const std::vector<double>& milliseconds) {
    Frame frame;
    const auto [least, most] = std::minmax_element(milliseconds.begin(), milliseconds.end());
    frame.low = *least;
    frame.high = *most;
    widen(frame.low, frame.high);
    Drawing drawing = frame.begin("run 1", fmt::format("run {}", milliseconds.size()));
    auto& to = drawing.shapes;
    const double median = session::median_of(milliseconds);
    const double left = frame.x(0), right = frame.x(1);
    if (milliseconds.size() >= session::least_for_interval) {
        const auto interval = session::interval_of_median({&milliseconds, 1});
        const double top = frame.y(interval.high);
        to.emplace_back(Box{left, top, right - left, std::max(1.0, frame.y(interval.low) - top), band});
    }
    to.emplace_back(Stroke{{{left, frame.y(median)}, {right, frame.y(median)}}, accent, 1, true});
    const std::size_t count = milliseconds.size();
    for (std::size_t i = 0; i < count; ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        to.emplace_back(Dot{{frame.x(share), frame.y(milliseconds[i])}, count > 300 ? 1.2 : 2.5, accent});
    }
    frame.label_y(drawing, frame.low, session::format_ms(frame.low));
    frame.label_y(drawing, frame.high, session::format_ms(frame.high));
    return drawing;
}

Drawing chart_of(const worker::Outline& outline) {
    Frame frame;
    frame.low = std::numeric_limits<double>::infinity();
    frame.high = -frame.low;
    for (const auto* values : {&outline.min, &outline.max})
        for (const double value : *values)
            if (std::isfinite(value)) {
                frame.low = std::min(frame.low, value);
                frame.high = std::max(frame.high, value);
            }
    if (frame.low > frame.high) frame.low = frame.high = 0;
    const double low = frame.low, high = frame.high;
    widen(frame.low, frame.high);
    Drawing drawing = frame.begin("element 0", fmt::format("{}", outline.count == 0 ? 0 : outline.count - 1));
    const std::size_t buckets = outline.min.size();
    std::vector<Point> upper, lower;
    const auto flush = [&] {
        if (upper.size() == 1) {
            drawing.shapes.emplace_back(Dot{upper.front(), 1.5, accent});
        } else if (!upper.empty()) {
            auto corners = upper;
            corners.insert(corners.end(), lower.rbegin(), lower.rend());
            drawing.shapes.emplace_back(Area{std::move(corners), band});
            drawing.shapes.emplace_back(Stroke{upper, accent, 1, false});
            drawing.shapes.emplace_back(Stroke{lower, accent, 1, false});
        }
        upper.clear();
        lower.clear();
    };
    for (std::size_t i = 0; i < buckets; ++i) {
        // NaN leaves a gap.
        if (std::isnan(outline.min[i]) || std::isnan(outline.max[i])) {
            flush();
            continue;
        }
        const double x = frame.x((static_cast<double>(i) + 0.5) / static_cast<double>(buckets));
        upper.push_back({x, frame.y(outline.max[i])});
        lower.push_back({x, frame.y(outline.min[i])});
    }
    flush();
    frame.label_y(drawing, low, number(low));
    if (high > low) frame.label_y(drawing, high, number(high));
    return drawing;
}

Drawing histogram_of(const worker::Summary& summary) {
    Frame frame;
    frame.height = 110;
    const auto most = summary.counts.empty() ? 0 : *std::max_element(summary.counts.begin(), summary.counts.end());
    frame.high = static_cast<double>(std::max<std::uint64_t>(most, 1));
    Drawing drawing = frame.begin(number(summary.low), number(summary.high));
    const auto bins = static_cast<double>(summary.counts.size());
    for (std::size_t i = 0; i < summary.counts.size(); ++i) {
        if (summary.counts[i] == 0) continue;
        const double left = frame.x(static_cast<double>(i) / bins), right = frame.x(static_cast<double>(i + 1) / bins);
        // Few elements among many are still seen.
        const double top = std::min(frame.y(static_cast<double>(summary.counts[i])), frame.y(0) - 1);
        drawing.shapes.emplace_back(Box{left, top, std::max(0.5, right - left - 1), frame.y(0) - top, accent});
    }
    frame.label_y(drawing, 0, "0");
    frame.label_y(drawing, frame.high, fmt::format("{}", most));
    return drawing;
}

Pixels pixels_of(const worker::SampledPicture& picture, const worker::Summary& summary) {
    Pixels pixels{static_cast<int>(picture.columns), static_cast<int>(picture.rows), {}};
    pixels.values.reserve(picture.columns * picture.rows * 3);
    const auto put = [&](const Colour& colour) {
        pixels.values.insert(pixels.values.end(), {colour.red, colour.green, colour.blue});
    };
    const auto channels = static_cast<std::size_t>(picture.channels);
    if (channels == 1) {
        const double span = summary.max / 2 - summary.min / 2;
        for (const float value : picture.values) {
            const double share = span > 0 ? (static_cast<double>(value) / 2 - summary.min / 2) / span : 0.5;
            put(std::isnan(value) ? nothing : viridis(share));
        }
        return pixels;
    }
    // Colours are from 0 to 1 or from 0 to 255.
    const double white = summary.max > 1 ? 255 : 1;
    for (std::size_t i = 0; i + channels <= picture.values.size(); i += channels) {
        const float* pixel = &picture.values[i];
        const auto part = [&](std::size_t channel) { return byte_of(static_cast<double>(pixel[channel]) / white); };
        if (std::isnan(pixel[0]) || std::isnan(pixel[1]) || std::isnan(pixel[2]))
            put(nothing);
        else
            put({part(0), part(1), part(2)});
    }
    return pixels;
}

} // namespace warplight::page
