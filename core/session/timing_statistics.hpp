// SPDX-License-Identifier: Apache-2.0
/// What measured times say: a median with its confidence, outliers, and whether two variants differ. docs/sweep.md
/// tells the rules. Everything is the same for the same times: random numbers have a fixed seed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warplight::session {

struct Interval {
    double low = 0, high = 0;

    bool operator==(const Interval&) const = default;
};

/// The middle value, or the mean of the two middle ones. 0 of nothing.
double median_of(std::vector<double> values);
/// Between the values at both sides of `fraction` of the way from the least to the greatest, as NumPy's `linear`.
/// `sorted` is not empty.
double quantile_of(std::span<const double> sorted, double fraction);

/// Warm-up ends with the first run that is at most 2 % faster than the fastest run before it.
inline constexpr double steady_gain = 0.02;
/// It ends anyway after so many runs, and after so many milliseconds.
inline constexpr int most_warm_up_runs = 50;
inline constexpr double longest_warm_up_ms = 500;
/// True if the last of these times ends the warm-up.
bool is_steady(std::span<const double> times);

/// Values more than 1.5 interquartile ranges below the first or above the third quartile. They are counted, and stay.
std::size_t count_outliers(std::vector<double> values);

inline constexpr double confidence = 0.95;
/// Fewer times tell too little.
inline constexpr std::size_t least_for_interval = 5;
/// Where the median lies with the confidence above, by bootstrap: 2000 times as many visits are drawn as there are,
/// with replacement, and from each as many times as it has. Times of one visit share what disturbed it, so several
/// visits tell more than one long visit. Without times it is zero.
Interval interval_of_median(std::span<const std::vector<double>> visits);

/// Of two variants that ran in turn: element i of both is the median of round i.
struct Difference {
    double ratio = 1;       ///< second / first: the geometric mean over the rounds
    Interval interval;      ///< of the ratio, with the confidence above, by bootstrap over rounds
    double p = 1;           ///< how often chance alone makes a ratio as far from 1
    std::size_t rounds = 0; ///< that both have
    bool seen = false;      ///< p is at most the level
};
inline constexpr double level_of_test = 0.05;
/// Fewer rounds cannot show a difference at that level.
inline constexpr std::size_t least_rounds = 6;
/// A permutation test of the logarithms of the rounds' ratios: without a difference each is as likely with the other
/// sign. Exact for up to 16 rounds, else with 65,536 random choices of signs.
Difference compare_rounds(std::span<const double> first, std::span<const double> second);

/// Of two runs that ran one after the other, with repeats that belong to no rounds.
struct SampleDifference {
    double ratio = 1;    ///< of the medians, second / first
    Interval interval;   ///< of the ratio, with the confidence above, by bootstrap over the repeats
    double p = 1;        ///< how often chance alone parts the ranks of the times so far
    bool enough = false; ///< there are enough repeats to see a difference
    bool seen = false;   ///< there are, and p is at most the level

    bool operator==(const SampleDifference&) const = default;
};
/// Fewer repeats of each cannot show a difference at that level.
inline constexpr std::size_t least_repeats = 4;
/// A permutation test of the sum of ranks (Wilcoxon's): without a difference each time could as well be of the other
/// run. Outliers count no more than other times. Exact where there are at most 65,536 ways to part the times, else with
/// 4999 random ones; of more than 500 repeats, 500 are taken at equal distances. Neither list is empty, and all times
/// are positive.
SampleDifference compare_samples(std::span<const double> first, std::span<const double> second);

} // namespace warplight::session
