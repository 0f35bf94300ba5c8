// SPDX-License-Identifier: Apache-2.0
#include "worker/value_counts.hpp"

#include "session/array_views.hpp"
#include "session/pieces.hpp"
#include "worker/scan_walk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace warplight::worker {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_numbers(const NdArray& array) {
    if (!array.dtype().is_numeric())
        throw RequestError(invalid_parameters, "elements of type " + array.dtype().name() + " are no numbers");
}

/// Calls use(value) for each element.
template <class Use>
void for_each_value(const NdArray& array, Walk& walk, std::size_t done, const Use& use) {
    session::visit_pieces(array, 0, array.size(), [&](auto values, std::size_t offset) {
        for (const auto& value : values)
            use(session::magnitude(value));
        walk.step(done + offset + values.size());
        return true;
    });
}

/// Equal values get a range around them, because bins need a width.
ValueRange with_width(ValueRange range) {
    if (range.low < range.high) return range;
    const double half = range.low == 0 ? 0.5 : std::abs(range.low) * 0.5;
    return {std::max(range.low - half, std::numeric_limits<double>::lowest()),
            std::min(range.high + half, std::numeric_limits<double>::max())};
}

/// Finds the bin of a value as NumPy does: by a product, which rounds, and then by the edges themselves.
class Bins {
public:
    Bins(const ValueRange& range, std::size_t count) : low_(range.low), edges_(count + 1) {
        // By halves, because the width of the widest range of doubles is not a double.
        const double half_width = range.high / 2 - range.low / 2;
        const auto number = static_cast<double>(count);
        scale_ = number / half_width;
        for (std::size_t i = 0; i < count; ++i)
            edges_[i] = range.low + static_cast<double>(i) * (half_width / number) * 2;
        edges_[count] = range.high;
    }
    /// Of a value that is in the range.
    [[nodiscard]] std::size_t of(double value) const {
        const std::size_t last = edges_.size() - 2;
        const double place = (value / 2 - low_ / 2) * scale_;
        // A tiny range makes the scale infinite, and 0 · inf is NaN.
        std::size_t bin = place > 0 ? static_cast<std::size_t>(std::min(place, static_cast<double>(last))) : 0;
        if (bin > 0 && value < edges_[bin]) --bin;
        if (bin < last && value >= edges_[bin + 1]) ++bin;
        return bin;
    }

private:
    double low_, scale_ = 0;
    std::vector<double> edges_;
};

/// In the order of the values: the sign bit turned, and all bits of negative ones.
std::uint64_t key_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value); // -0 equals 0
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    return bits & sign ? ~bits : bits | sign;
}

double value_of(std::uint64_t key) {
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    return std::bit_cast<double>(key & sign ? key & ~sign : ~key);
}

json number_where(double value, bool there) { return there ? json(value) : json(nullptr); }

} // namespace

Histogram count_values(const NdArray& array, std::size_t bins, const std::optional<ValueRange>& range,
                       const RequestContext& context) {
    check_numbers(array);
    Histogram result;
    result.elements = array.size();
    result.counts.assign(bins, 0);
    double min = infinity, max = -infinity;
    Walk walk(context, "histogram", array.size() * 2);
    for_each_value(array, walk, 0, [&](double value) {
        if (std::isfinite(value)) {
            ++result.finite;
            min = std::min(min, value);
            max = std::max(max, value);
        } else if (std::isnan(value)) {
            ++result.nan;
        } else {
            ++(value > 0 ? result.positive_inf : result.negative_inf);
        }
    });
    if (range) result.range = with_width(*range);
    if (!result.finite) return result;
    result.min = min;
    result.max = max;
    if (!range) result.range = with_width({min, max});
    const Bins find(result.range, bins);
    for_each_value(array, walk, array.size(), [&](double value) {
        if (!std::isfinite(value)) return;
        if (value < result.range.low)
            ++result.below;
        else if (value > result.range.high)
            ++result.above;
        else
            ++result.counts[find.of(value)];
    });
    return result;
}

json to_json(const Histogram& h) {
    return {{"elements", h.elements},
            {"finite", h.finite},
            {"nan", h.nan},
            {"positive_inf", h.positive_inf},
            {"negative_inf", h.negative_inf},
            {"min", number_where(h.min, h.finite > 0)},
            {"max", number_where(h.max, h.finite > 0)},
            {"low", h.range.low},
            {"high", h.range.high},
            {"below", h.below},
            {"above", h.above},
            {"counts", h.counts}};
}

std::vector<double> percentiles(const NdArray& array, const std::vector<double>& percentages,
                                const RequestContext& context) {
    check_numbers(array);
    // A radix search: each walk tells the next 16 bits of every value that is looked for.
    constexpr unsigned digit = 16;
    struct Wanted {
        std::uint64_t prefix = 0, rank = 0; ///< rank among the values with the prefix
    };
    std::vector<Wanted> wanted(percentages.size());
    std::uint64_t finite = 0;
    Walk walk(context, "percentiles", array.size() * 4);
    for (unsigned level = 0; level < 64 / digit; ++level) {
        const unsigned shift = 64 - digit * (level + 1);
        std::vector<std::uint64_t> prefixes;
        for (const Wanted& each : wanted)
            if (std::ranges::find(prefixes, each.prefix) == prefixes.end()) prefixes.push_back(each.prefix);
        std::vector<std::vector<std::uint64_t>> counts(prefixes.size(), std::vector<std::uint64_t>(1U << digit));
        for_each_value(array, walk, array.size() * level, [&](double value) {
            if (!std::isfinite(value)) return;
            const std::uint64_t key = key_of(value);
            const std::uint64_t prefix = level == 0 ? 0 : key >> (shift + digit);
            for (std::size_t i = 0; i < prefixes.size(); ++i)
                if (prefixes[i] == prefix) ++counts[i][(key >> shift) & ((1U << digit) - 1)];
        });
        if (level == 0) {
            for (const std::uint64_t count : counts.front())
                finite += count;
            if (finite == 0) return {};
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const double place = std::ceil(percentages[i] / 100 * static_cast<double>(finite));
                wanted[i].rank = static_cast<std::uint64_t>(std::clamp(place, 1.0, static_cast<double>(finite))) - 1;
            }
        }
        for (Wanted& each : wanted) {
            const auto of = static_cast<std::size_t>(std::ranges::find(prefixes, each.prefix) - prefixes.begin());
            std::size_t bucket = 0;
            for (; bucket < counts[of].size() && each.rank >= counts[of][bucket]; ++bucket)
                each.rank -= counts[of][bucket];
            // Each walk counts anew, and others may write to a file meanwhile.
            if (bucket == counts[of].size())
                throw RequestError(invalid_parameters, "the file has changed while it was read; ask again");
            each.prefix = each.prefix << digit | bucket;
        }
    }
    std::vector<double> values;
    values.reserve(wanted.size());
    for (const Wanted& each : wanted)
        values.push_back(value_of(each.prefix));
    return values;
}

Density count_pairs(const NdArray& x, const NdArray& y, std::size_t columns, std::size_t rows,
                    const std::optional<ValueRange>& x_range, const std::optional<ValueRange>& y_range,
                    std::size_t most_points, const RequestContext& context) {
    check_numbers(x);
    check_numbers(y);
    if (x.size() != y.size())
        throw RequestError(invalid_parameters, "the buffers have " + std::to_string(x.size()) + " and " +
                                                   std::to_string(y.size()) + " elements; pairs need as many");
    Density result;
    result.columns = columns;
    result.rows = rows;
    result.counts.assign(columns * rows, 0);
    Walk walk(context, "scatter", x.size() * 2);
    std::vector<double> xs, ys;
    const auto for_each_pair = [&](std::size_t done, const auto& use) {
        for (std::size_t offset = 0; offset < x.size();) {
            const std::size_t count = std::min(session::kPiece, x.size() - offset);
            xs.resize(count);
            ys.resize(count);
            session::read_numbers(x, offset, xs);
            session::read_numbers(y, offset, ys);
            for (std::size_t i = 0; i < count; ++i)
                if (std::isfinite(xs[i]) && std::isfinite(ys[i])) use(xs[i], ys[i], offset + i);
            offset += count;
            walk.step(done + offset);
        }
    };
    ValueRange x_all{infinity, -infinity}, y_all = x_all;
    for_each_pair(0, [&](double a, double b, std::size_t) {
        ++result.pairs;
        x_all = {std::min(x_all.low, a), std::max(x_all.high, a)};
        y_all = {std::min(y_all.low, b), std::max(y_all.high, b)};
    });
    result.not_finite = x.size() - result.pairs;
    if (result.pairs == 0) x_all = y_all = {0, 1};
    result.x = with_width(x_range.value_or(x_all));
    result.y = with_width(y_range.value_or(y_all));
    const Bins x_bins(result.x, columns), y_bins(result.y, rows);
    bool few = most_points > 0;
    for_each_pair(x.size(), [&](double a, double b, std::size_t index) {
        if (a < result.x.low || a > result.x.high || b < result.y.low || b > result.y.high) {
            ++result.outside;
            return;
        }
        std::uint32_t& count = result.counts[y_bins.of(b) * columns + x_bins.of(a)];
        if (count < std::numeric_limits<std::uint32_t>::max()) ++count;
        if (!few) return;
        few = result.indices.size() < most_points;
        if (!few) {
            result.points.clear();
            result.indices.clear();
            return;
        }
        result.points.insert(result.points.end(), {a, b});
        result.indices.push_back(index);
    });
    return result;
}

json to_json(const Density& d) {
    const auto binary = [](const auto& values) {
        std::vector<std::uint8_t> bytes(values.size() * sizeof values[0]);
        if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
        return json::binary(std::move(bytes));
    };
    return {{"x_low", d.x.low},           {"x_high", d.x.high},         {"y_low", d.y.low},
            {"y_high", d.y.high},         {"columns", d.columns},       {"rows", d.rows},
            {"counts", binary(d.counts)}, {"pairs", d.pairs},           {"not_finite", d.not_finite},
            {"outside", d.outside},       {"points", binary(d.points)}, {"indices", binary(d.indices)}};
}

} // namespace warplight::worker
