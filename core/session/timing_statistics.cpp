// SPDX-License-Identifier: Apache-2.0
#include "session/timing_statistics.hpp"

#include "session/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace warplight::session {
namespace {

constexpr std::size_t resamples = 2000;

/// A random index, from a sequence that is the same each time.
class Draw {
public:
    std::size_t operator()(std::size_t count) {
        return static_cast<std::size_t>(upper_product(numbers_.at(next_++), count));
    }
    bool coin() { return (numbers_.at(next_++) >> 63) != 0; }

private:
    SplitMix64 numbers_{20240229};
    std::uint64_t next_ = 0;
};

double median_in_place(std::vector<double>& values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 != 0) return *middle;
    return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

/// At most so many, at equal distances.
std::vector<double> thinned(std::span<const double> values, std::size_t most) {
    if (values.size() <= most) return {values.begin(), values.end()};
    std::vector<double> kept;
    kept.reserve(most);
    for (std::size_t i = 0; i < most; ++i)
        kept.push_back(values[i * values.size() / most]);
    return kept;
}

/// From 1; equal values share the mean of their ranks.
std::vector<double> ranks_of(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]])
            ++end;
        for (std::size_t i = begin; i < end; ++i)
            ranks[order[i]] = static_cast<double>(begin + 1 + end) / 2;
    }
    return ranks;
}

/// How many ways there are to choose `chosen` of `count`; `limit` + 1 where there are more than that.
std::uint64_t ways_to_choose(std::size_t chosen, std::size_t count, std::uint64_t limit) {
    std::uint64_t ways = 1;
    for (std::size_t i = 1; i <= std::min(chosen, count - chosen); ++i) {
        ways = ways * (count - i + 1) / i;
        if (ways > limit) return limit + 1;
    }
    return ways;
}

Interval middle_part(std::vector<double> estimates) {
    std::ranges::sort(estimates);
    return {quantile_of(estimates, (1 - confidence) / 2), quantile_of(estimates, (1 + confidence) / 2)};
}

} // namespace

double median_of(std::vector<double> values) { return median_in_place(values); }

double quantile_of(std::span<const double> sorted, double fraction) {
    const double place = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

bool is_steady(std::span<const double> times) {
    if (times.size() < 2) return false;
    const double fastest = *std::min_element(times.begin(), times.end() - 1);
    return times.back() >= (1 - steady_gain) * fastest;
}

std::size_t count_outliers(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    const double first = quantile_of(values, 0.25), third = quantile_of(values, 0.75);
    const double reach = 1.5 * (third - first);
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [&](double value) { return value < first - reach || value > third + reach; }));
}

Interval interval_of_median(std::span<const std::vector<double>> visits) {
    std::vector<const std::vector<double>*> filled;
    for (const auto& visit : visits)
        if (!visit.empty()) filled.push_back(&visit);
    if (filled.empty()) return {};
    Draw draw;
    std::vector<double> estimates, sample;
    estimates.reserve(resamples);
    for (std::size_t i = 0; i < resamples; ++i) {
        sample.clear();
        for (std::size_t j = 0; j < filled.size(); ++j) {
            const auto& visit = *filled[filled.size() == 1 ? 0 : draw(filled.size())];
            for (std::size_t k = 0; k < visit.size(); ++k)
                sample.push_back(visit[draw(visit.size())]);
        }
        estimates.push_back(median_in_place(sample));
    }
    return middle_part(std::move(estimates));
}

Difference compare_rounds(std::span<const double> first, std::span<const double> second) {
    Difference result;
    std::vector<double> logs;
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
        if (first[i] > 0 && second[i] > 0) logs.push_back(std::log(second[i] / first[i]));
    result.rounds = logs.size();
    if (logs.empty()) return result;
    const auto count = static_cast<double>(logs.size());
    double sum = 0;
    for (const double each : logs)
        sum += each;
    result.ratio = std::exp(sum / count);

    Draw draw;
    std::vector<double> estimates;
    estimates.reserve(resamples);
    for (std::size_t i = 0; i < resamples; ++i) {
        double drawn = 0;
        for (std::size_t j = 0; j < logs.size(); ++j)
            drawn += logs[draw(logs.size())];
        estimates.push_back(std::exp(drawn / count));
    }
    result.interval = middle_part(std::move(estimates));

    // Sums that are equal but for rounding count as equal.
    constexpr std::size_t most_exact = 16;
    const double observed = std::abs(sum) * (1 - 1e-12) - 1e-15;
    std::uint64_t as_far = 0;
    const std::uint64_t choices = std::uint64_t{1} << std::min(logs.size(), most_exact);
    for (std::uint64_t signs = 0; signs < choices; ++signs) {
        double other = 0;
        for (std::size_t j = 0; j < logs.size(); ++j) {
            const bool negative = logs.size() <= most_exact ? ((signs >> j) & 1) != 0 : draw.coin();
            other += negative ? -logs[j] : logs[j];
        }
        if (std::abs(other) >= observed) ++as_far;
    }
    // What was observed is one of the random choices, too.
    const std::uint64_t more = logs.size() <= most_exact ? 0 : 1;
    result.p = static_cast<double>(as_far + more) / static_cast<double>(choices + more);
    result.seen = result.rounds >= least_rounds && result.p <= level_of_test;
    return result;
}

SampleDifference compare_samples(std::span<const double> first, std::span<const double> second) {
    constexpr std::size_t most_repeats = 500;
    constexpr std::uint64_t most_exact = 65536, random_parts = 4999;
    SampleDifference result;
    result.ratio = median_of({second.begin(), second.end()}) / median_of({first.begin(), first.end()});
    const std::vector<double> a = thinned(first, most_repeats), b = thinned(second, most_repeats);

    Draw draw;
    std::vector<double> estimates, drawn_a(a.size()), drawn_b(b.size());
    estimates.reserve(resamples);
    for (std::size_t i = 0; i < resamples; ++i) {
        for (double& value : drawn_a)
            value = a[draw(a.size())];
        for (double& value : drawn_b)
            value = b[draw(b.size())];
        estimates.push_back(median_in_place(drawn_b) / median_in_place(drawn_a));
    }
    result.interval = middle_part(std::move(estimates));

    std::vector<double> all = a;
    all.insert(all.end(), b.begin(), b.end());
    const std::vector<double> ranks = ranks_of(all);
    const double expected = static_cast<double>(a.size() * (all.size() + 1)) / 2;
    const auto distance = [&](const auto& in_a) {
        double sum = 0;
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (in_a(i)) sum += ranks[i];
        return std::abs(sum - expected);
    };
    const double observed = distance([&](std::size_t i) { return i < a.size(); });
    std::uint64_t as_far = 0, parts = 0;
    std::vector<char> chosen(all.size(), 0);
    const auto count_part = [&] { // ranks are halves: their sums are exact
        ++parts;
        if (distance([&](std::size_t i) { return chosen[i] != 0; }) >= observed) ++as_far;
    };
    if (ways_to_choose(a.size(), all.size(), most_exact) <= most_exact) {
        std::fill(chosen.end() - static_cast<std::ptrdiff_t>(a.size()), chosen.end(), 1);
        do
            count_part();
        while (std::ranges::next_permutation(chosen).found);
    } else {
        as_far = parts = 1; // what was observed is one of them, too
        for (std::uint64_t i = 0; i < random_parts; ++i) {
            std::ranges::fill(chosen, 0);
            for (std::size_t k = all.size() - a.size(); k < all.size(); ++k) { // Floyd's choice without repetition
                char& wanted = chosen[draw(k + 1)];
                (wanted == 0 ? wanted : chosen[k]) = 1;
            }
            count_part();
        }
    }
    result.p = static_cast<double>(as_far) / static_cast<double>(parts);
    result.enough = std::min(first.size(), second.size()) >= least_repeats;
    result.seen = result.enough && result.p <= level_of_test;
    return result;
}

} // namespace warplight::session
