// SPDX-License-Identifier: Apache-2.0
#include "worker/summary.hpp"

#include "session/pieces.hpp"
#include "worker/scan_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplight::worker {

using session::magnitude;
using session::visit_pieces;

namespace {

[[noreturn]] void not_numbers(const NdArray& array) {
    throw RequestError(invalid_parameters, "elements of type " + array.dtype().name() + " are no numbers");
}

json number_or_null(double value) { return std::isnan(value) ? json(nullptr) : json(value); }

} // namespace

Summary summarise(const NdArray& array, int bins, const RequestContext& context) {
    Summary result;
    result.elements = array.size();
    double min = std::numeric_limits<double>::infinity(), max = -min;
    // Joins mean and squared deviation of pieces by Chan, Golub and LeVeque, which avoids cancellation.
    double mean = 0, deviation = 0;
    Walk first(context, "summary", std::max<std::size_t>(array.size() * 2, 1));
    bool numbers = visit_pieces(array, 0, array.size(), [&](auto values, std::size_t offset) {
        std::uint64_t count = 0;
        double sum = 0;
        for (const auto& element : values) {
            double value = magnitude(element);
            if (std::isfinite(value)) {
                ++count;
                sum += value;
                min = std::min(min, value);
                max = std::max(max, value);
                result.zeros += value == 0;
            } else if (std::isnan(value)) {
                ++result.nan;
            } else {
                ++(value > 0 ? result.positive_inf : result.negative_inf);
            }
        }
        if (count) {
            double piece_mean = sum / static_cast<double>(count), squares = 0;
            for (const auto& element : values)
                if (double value = magnitude(element); std::isfinite(value))
                    squares += (value - piece_mean) * (value - piece_mean);
            double before = static_cast<double>(result.finite), here = static_cast<double>(count);
            double step = piece_mean - mean;
            mean += step * here / (before + here);
            deviation += squares + step * step * before * here / (before + here);
            result.finite += count;
        }
        first.step(offset + values.size());
        return true;
    });
    if (!numbers) not_numbers(array);
    result.counts.assign(static_cast<std::size_t>(bins), 0);
    if (!result.finite) return result;
    result.min = result.low = min;
    result.max = result.high = max;
    result.mean = mean;
    result.std = std::sqrt(deviation / static_cast<double>(result.finite));
    // Equal values get a range around them, because bins need a width.
    if (result.low == result.high) {
        double half = result.low == 0 ? 0.5 : std::abs(result.low) * 0.5;
        result.low = std::max(result.low - half, std::numeric_limits<double>::lowest());
        result.high = std::min(result.high + half, std::numeric_limits<double>::max());
    }
    // Computes with halves, because the width of the widest range of doubles is not a double.
    double width = result.high / 2 - result.low / 2;
    double scale = static_cast<double>(bins) / width;
    visit_pieces(array, 0, array.size(), [&](auto values, std::size_t offset) {
        for (const auto& element : values) {
            double value = magnitude(element);
            if (!std::isfinite(value)) continue;
            double bin = (value / 2 - result.low / 2) * scale;
            // A tiny range makes the scale infinite, and 0 · inf is NaN.
            std::size_t index = bin > 0 ? static_cast<std::size_t>(std::min(bin, static_cast<double>(bins - 1))) : 0;
            ++result.counts[index];
        }
        first.step(array.size() + offset + values.size());
        return true;
    });
    return result;
}

json to_json(const Summary& s) {
    bool any = s.finite > 0;
    auto number = [&](double value) { return any ? json(value) : json(nullptr); };
    return {{"elements", s.elements},
            {"min", number(s.min)},
            {"max", number(s.max)},
            {"mean", number(s.mean)},
            {"std", number(s.std)},
            {"nan", s.nan},
            {"positive_inf", s.positive_inf},
            {"negative_inf", s.negative_inf},
            {"inf", s.positive_inf + s.negative_inf},
            {"zeros", s.zeros},
            {"histogram", {{"low", s.low}, {"high", s.high}, {"counts", s.counts}}}};
}

Outline decimate(const NdArray& array, std::size_t offset, std::size_t count, std::size_t points,
                 const RequestContext& context) {
    Outline result;
    result.offset = offset;
    result.count = count;
    std::size_t buckets = std::min(points, count);
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    result.min.assign(buckets, nothing);
    result.max.assign(buckets, nothing);
    // The first element of bucket i, without an overflow for any count.
    auto begin_of = [&](std::size_t i) { return count / buckets * i + count % buckets * i / buckets; };
    std::size_t bucket = 0, end = buckets ? begin_of(1) : 0;
    Walk walk(context, "plot", std::max<std::size_t>(count, 1));
    bool numbers = visit_pieces(array, offset, count, [&](auto values, std::size_t first) {
        std::size_t at = first - offset;
        for (std::size_t i = 0; i < values.size();) {
            while (at + i >= end)
                end = begin_of(++bucket + 1);
            std::size_t stop = std::min(values.size(), end - at);
            double min = result.min[bucket], max = result.max[bucket];
            for (; i < stop; ++i) {
                double value = magnitude(values[i]);
                // fmin and fmax ignore a NaN.
                min = std::fmin(min, value);
                max = std::fmax(max, value);
            }
            result.min[bucket] = min;
            result.max[bucket] = max;
        }
        walk.step(at + values.size());
        return true;
    });
    if (!numbers) not_numbers(array);
    return result;
}

json to_json(const Outline& outline) {
    json min = json::array(), max = json::array();
    for (double value : outline.min)
        min.push_back(number_or_null(value));
    for (double value : outline.max)
        max.push_back(number_or_null(value));
    return {{"min", std::move(min)},
            {"max", std::move(max)},
            {"offset", outline.offset},
            {"count", outline.count},
            {"buckets", outline.min.size()}};
}

} // namespace warplight::worker
