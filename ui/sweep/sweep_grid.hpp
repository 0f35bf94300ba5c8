// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/sweep_report.hpp"

#include <QStringList>
#include <optional>
#include <vector>

namespace warplight::ui {

enum class SweepFigure { Time, Bandwidth, Arithmetic };

/// Nothing where the point has no time or no such figure. Times are milliseconds.
std::optional<double> figureOf(const session::SweepPointResult& point, SweepFigure figure);

/// The points of a sweep over the values of one or two of its axes. Of points that differ only in other axes the best
/// one stands for all.
class SweepGrid {
public:
    struct Cell {
        std::optional<std::size_t> point; ///< index in the report
        double value = 0;
    };

    SweepGrid() = default;
    /// @param y below 0: there is one row
    SweepGrid(const session::SweepReport& report, int x, int y, SweepFigure figure);

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    const Cell& at(int column, int row) const {
        return cells_[std::size_t(row) * std::size_t(columns_) + std::size_t(column)];
    }
    bool isEmpty() const { return filled_ == 0; }
    double least() const { return least_; }
    double greatest() const { return greatest_; }

private:
    int columns_ = 0, rows_ = 0, filled_ = 0;
    double least_ = 0, greatest_ = 0;
    std::vector<Cell> cells_;
};

/// The values of an axis for people; nothing below 0.
QStringList valuesOf(const session::SweepReport& report, int axis);

} // namespace warplight::ui
