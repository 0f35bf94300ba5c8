// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_grid.hpp"

#include "ui/sweep/sweep_words.hpp"

#include <algorithm>
#include <map>

namespace warplight::ui {

std::optional<double> figureOf(const session::SweepPointResult& point, SweepFigure figure) {
    if (!(point.median_ms > 0) || point.state == session::PointState::wrong ||
        point.state == session::PointState::failed)
        return std::nullopt;
    switch (figure) {
    case SweepFigure::Time: return point.median_ms;
    case SweepFigure::Bandwidth:
        return point.figures.bytes ? std::optional(point.figures.gigabytes_a_second) : std::nullopt;
    case SweepFigure::Arithmetic: break;
    }
    return point.figures.operations ? std::optional(point.figures.gigaflops) : std::nullopt;
}

SweepGrid::SweepGrid(const session::SweepReport& report, int x, int y, SweepFigure figure) {
    if (x < 0 || x >= int(report.axes.size()) || y >= int(report.axes.size())) return;
    const auto places = [&](int axis) {
        std::map<std::string, int> all;
        const auto& values = report.axes[std::size_t(axis)].values;
        for (std::size_t i = 0; i < values.size(); ++i)
            all.try_emplace(values[i], int(i));
        return all;
    };
    const auto xs = places(x);
    const auto ys = y < 0 ? std::map<std::string, int>() : places(y);
    columns_ = int(report.axes[std::size_t(x)].values.size());
    rows_ = y < 0 ? 1 : int(report.axes[std::size_t(y)].values.size());
    cells_.resize(std::size_t(columns_) * std::size_t(rows_));
    const bool isLessBetter = figure == SweepFigure::Time;
    for (std::size_t i = 0; i < report.points.size(); ++i) {
        const auto value = figureOf(report.points[i], figure);
        if (!value) continue;
        const auto& values = report.points[i].values;
        const int column = xs.at(values[std::size_t(x)]), row = y < 0 ? 0 : ys.at(values[std::size_t(y)]);
        Cell& cell = cells_[std::size_t(row) * std::size_t(columns_) + std::size_t(column)];
        if (cell.point && (isLessBetter ? cell.value <= *value : cell.value >= *value)) continue;
        filled_ += cell.point ? 0 : 1;
        cell = {i, *value};
    }
    bool first = true;
    for (const Cell& cell : cells_) {
        if (!cell.point) continue;
        least_ = first ? cell.value : std::min(least_, cell.value);
        greatest_ = first ? cell.value : std::max(greatest_, cell.value);
        first = false;
    }
}

QStringList valuesOf(const session::SweepReport& report, int axis) {
    QStringList values;
    if (axis >= 0 && axis < int(report.axes.size()))
        for (const auto& value : report.axes[std::size_t(axis)].values)
            values << shownValue(value);
    return values;
}

} // namespace warplight::ui
