// SPDX-License-Identifier: Apache-2.0
// What the machine could reach: how fast it moves memory and calculates, measured with OpenMP's threads.
#pragma once

#include "benchmark.hpp"

#include <functional>

namespace warplight::bench {

struct Limit {
    double memory_ms = 0;     ///< to read and write as many bytes in order, in a loop over the same size
    double arithmetic_ms = 0; ///< for the operations, of whichever kind takes longer

    double ms() const { return memory_ms > arithmetic_ms ? memory_ms : arithmetic_ms; }
};

class Limits {
public:
    /// `milliseconds` says what the time is, by a clock or of processors.
    explicit Limits(std::function<double()> milliseconds);
    double float_rate() const { return float_rate_; }     ///< operations in a millisecond
    double integer_rate() const { return integer_rate_; } ///< the same
    Limit of(const Work& work) const;

private:
    std::function<double()> milliseconds_;
    double float_rate_ = 0, integer_rate_ = 0;
};

} // namespace warplight::bench
