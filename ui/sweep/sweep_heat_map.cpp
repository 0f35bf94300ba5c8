// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/colour_map.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"
#include "ui/sweep/sweep_chart.hpp"
#include "ui/sweep/sweep_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <qcustomplot.h>

namespace warplight::ui {
namespace {

/// Numbers are written into the cells of a map that has no more.
constexpr int mostTexts = 400;

/// Better is brighter: of times the small ones.
QCPColorGradient gradientOf(bool isLessBetter) {
    const ColourMap colours(ColourMap::Viridis);
    QCPColorGradient gradient;
    gradient.clearColorStops();
    constexpr int stops = 32;
    for (int i = 0; i <= stops; ++i) {
        const double place = double(i) / stops;
        gradient.setColorStopAt(place, QColor(colours.at(isLessBetter ? 1 - place : place)));
    }
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    return gradient;
}

} // namespace

class SweepHeatMap::Parts {
public:
    QCPColorMap* map = nullptr;
    QCPColorScale* scale = nullptr;
    QCPMarginGroup* group = nullptr;
    QCPItemRect* best = nullptr;
    QList<QCPItemText*> texts;
};

SweepHeatMap::SweepHeatMap(Theme& theme, QWidget* parent)
    : SweepChart(theme, tr("Across"), tr("Up"), false, parent), parts_(std::make_shared<Parts>()) {
    QCustomPlot* chart = plot();
    chart->setAccessibleName(tr("Heat map of the sweep"));
    chart->setToolTip(tr("Brighter is better, and the framed cell is the best point. A click selects a point in the "
                         "table."));
    parts_->scale = new QCPColorScale(chart);
    chart->plotLayout()->addElement(0, 1, parts_->scale);
    parts_->scale->setBarWidth(scaledPixels(12));
    parts_->group = new QCPMarginGroup(chart);
    chart->axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, parts_->group);
    parts_->scale->setMarginGroup(QCP::msBottom | QCP::msTop, parts_->group);
    restyle();
    connect(chart, &QCustomPlot::beforeReplot, this, [this] {
        if (!report()) return;
        fitNames(plot()->xAxis, valuesOf(*report(), firstAxis()));
        fitNames(plot()->yAxis, valuesOf(*report(), secondAxis()));
        fitTexts();
    });
    connect(chart, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        const int column = int(std::lround(plot()->xAxis->pixelToCoord(event->position().x())));
        const int row = int(std::lround(plot()->yAxis->pixelToCoord(event->position().y())));
        if (column < 0 || column >= grid().columns() || row < 0 || row >= grid().rows()) return;
        if (const auto point = grid().at(column, row).point) emit pointChosen(*point);
    });
}

void SweepHeatMap::restyle() {
    SweepChart::restyle();
    if (!parts_) return;
    const Colours& colours = theme().colours();
    QCPAxis* axis = parts_->scale->axis();
    axis->setBasePen(QPen(colours.border));
    axis->setTickPen(QPen(colours.border));
    axis->setSubTickPen(Qt::NoPen);
    axis->setTickLabelColor(colours.mutedText);
    axis->setLabelColor(colours.mutedText);
    axis->setTickLabelFont(plot()->font());
    axis->setLabelFont(plot()->font());
    for (QCPAxis* each : {plot()->xAxis, plot()->yAxis}) {
        each->grid()->setVisible(false);
        each->setTickLength(0, Theme::half); // not into the cells
    }
}

void SweepHeatMap::draw() {
    QCustomPlot* chart = plot();
    chart->clearPlottables();
    chart->clearItems();
    parts_->texts.clear();
    parts_->best = nullptr;
    parts_->map = nullptr;
    const bool there = report() && !grid().isEmpty() && secondAxis() >= 0;
    for (QCPAxis* axis : {chart->xAxis, chart->yAxis})
        axis->setTickLabels(there);
    parts_->scale->setVisible(there);
    if (!there) {
        chart->xAxis->setLabel(report() && report()->axes.size() < 2 ? tr("A heat map needs two axes")
                                                                     : tr("Nothing was measured"));
        chart->yAxis->setLabel({});
        return;
    }
    chart->xAxis->setLabel(titleOf(report()->axes[std::size_t(firstAxis())].name));
    chart->yAxis->setLabel(titleOf(report()->axes[std::size_t(secondAxis())].name));
    const int columns = grid().columns(), rows = grid().rows();
    parts_->map = new QCPColorMap(chart->xAxis, chart->yAxis);
    parts_->map->data()->setSize(columns, rows);
    // Cells lie around whole numbers. A single one has no extent of its own.
    parts_->map->data()->setRange(QCPRange(columns > 1 ? 0 : -0.5, columns > 1 ? columns - 1 : 0.5),
                                  QCPRange(rows > 1 ? 0 : -0.5, rows > 1 ? rows - 1 : 0.5));
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const SweepGrid::Cell& cell = grid().at(column, row);
            parts_->map->data()->setCell(column, row,
                                         cell.point ? cell.value * factor() : std::numeric_limits<double>::quiet_NaN());
        }
    parts_->map->setInterpolate(false);
    parts_->map->setTightBoundary(false);
    const double low = grid().least() * factor(), high = grid().greatest() * factor();
    constexpr double wide = 20; // beyond that ratio the small ones would all look alike
    const bool logarithmic = low > 0 && high / low > wide;
    parts_->map->setDataScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    parts_->scale->setDataScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    parts_->map->setColorScale(parts_->scale);
    const QCPColorGradient gradient = gradientOf(figure() == SweepFigure::Time);
    parts_->scale->setGradient(gradient);
    parts_->scale->setDataRange(high > low ? QCPRange(low, high) : QCPRange(low * 0.99, high * 1.01 + 1e-12));
    parts_->scale->axis()->setLabel(figureTitle());
    chart->xAxis->setRange(-0.5, columns - 0.5);
    chart->yAxis->setRange(-0.5, rows - 0.5);

    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const SweepGrid::Cell& cell = grid().at(column, row);
            if (!cell.point) continue;
            const double value = cell.value * factor();
            const double place = high <= low   ? 0.5
                                 : logarithmic ? std::log(value / low) / std::log(high / low)
                                               : (value - low) / (high - low);
            const QColor behind(ColourMap(ColourMap::Viridis).at(figure() == SweepFigure::Time ? 1 - place : place));
            const QColor ink = qGray(behind.rgb()) > 140 ? QColor(Qt::black) : QColor(Qt::white);
            if (report()->best == cell.point) {
                parts_->best = new QCPItemRect(chart);
                parts_->best->topLeft->setCoords(column - 0.47, row + 0.47);
                parts_->best->bottomRight->setCoords(column + 0.47, row - 0.47);
                parts_->best->setPen(QPen(ink, 2));
            }
            if (columns * rows > mostTexts) continue;
            auto* text = new QCPItemText(chart);
            text->position->setCoords(column, row);
            text->setText(shownFigure(cell.value));
            text->setColor(ink);
            text->setFont(plot()->font());
            parts_->texts << text;
        }
}

/// Numbers that do not fit their cells are not shown.
void SweepHeatMap::fitTexts() {
    const QFontMetrics metrics(plot()->font());
    parts_->scale->axis()->ticker()->setTickCount(
        std::clamp(plot()->axisRect()->height() / (2 * metrics.height()), 1, 5));
    if (parts_->texts.isEmpty()) return;
    const double width = std::abs(plot()->xAxis->coordToPixel(1) - plot()->xAxis->coordToPixel(0));
    const double height = std::abs(plot()->yAxis->coordToPixel(1) - plot()->yAxis->coordToPixel(0));
    int largest = 0;
    for (const QCPItemText* text : std::as_const(parts_->texts))
        largest = std::max(largest, metrics.horizontalAdvance(text->text()));
    const bool fits = largest + 2 < width && metrics.height() < height + 2;
    for (QCPItemText* text : std::as_const(parts_->texts))
        text->setVisible(fits);
}

} // namespace warplight::ui
