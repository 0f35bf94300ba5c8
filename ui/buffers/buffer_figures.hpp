// SPDX-License-Identifier: GPL-3.0-or-later
/// What is asked about buffers, and the answers: slices, histograms, and pairs of values.
#pragma once

#include <QList>
#include <QPointF>
#include <limits>

namespace warplight::ui {

/// The axes to show, in this order, each from `start` on. Other axes have the one index of `index`, which has one for
/// each axis of the buffer.
struct BufferSlice {
    struct Axis {
        qint64 axis = 0, start = 0, count = 0; ///< below 0: all that is there
        bool operator==(const Axis&) const = default;
    };
    QList<Axis> axes;
    QList<qint64> index;
    bool operator==(const BufferSlice&) const = default;
};

enum class ComplexPart { Both, Real, Imaginary, Magnitude, Phase };

/// Two values, or else two percentages of the finite values.
struct HistogramRange {
    double low = std::numeric_limits<double>::quiet_NaN(), high = low;
    double lowPercent = 0, highPercent = 100;
    bool isValues() const { return low <= high; }
    bool isEverything() const { return !isValues() && lowPercent <= 0 && highPercent >= 100; }
};

struct BufferHistogram {
    double minimum = 0, maximum = 0; ///< of the finite values; NaN where there are none
    double low = 0, high = 0;
    qint64 elements = 0, nan = 0, infinite = 0, below = 0, above = 0;
    QList<qint64> counts; ///< equal bins from low to high
};

/// What is asked of the pairs of two buffers.
struct ScatterGrid {
    int columns = 1, rows = 1;
    int mostPoints = 0; ///< with more pairs there are counts only
    /// NaN: all values.
    double xLow = std::numeric_limits<double>::quiet_NaN(), xHigh = xLow, yLow = xLow, yHigh = xLow;
    bool isPart() const { return xLow < xHigh && yLow < yHigh; }
};

/// How often values of two buffers occur together.
struct BufferDensity {
    double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
    int columns = 0, rows = 0;
    QList<quint32> counts; ///< row after row, the least y first
    qint64 pairs = 0, notFinite = 0, outside = 0;
    QList<QPointF> points; ///< each pair inside, where there are few; else empty
    QList<qint64> indices; ///< the element of each point
};

} // namespace warplight::ui
