// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_chart.hpp"

#include "ui/common/format.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"
#include "ui/sweep/sweep_words.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <qcustomplot.h>

namespace warplight::ui {

SweepChart::SweepChart(Theme& theme, const QString& first, const QString& second, bool secondMayBeNone, QWidget* parent)
    : QWidget(parent), theme_(theme), plot_(new QCustomPlot), first_(new QComboBox), second_(new QComboBox),
      figure_(new QComboBox), firstLabel_(new QLabel(first)), secondLabel_(new QLabel(second)), note_(new QLabel),
      secondMayBeNone_(secondMayBeNone) {
    first_->setAccessibleName(first);
    second_->setAccessibleName(second);
    figure_->setAccessibleName(tr("Figure"));
    for (QComboBox* box : {first_, second_, figure_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumContentsLength(6);
    }
    firstLabel_->setBuddy(first_);
    secondLabel_->setBuddy(second_);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::grid);
    for (QWidget* each : std::initializer_list<QWidget*>{firstLabel_, first_, secondLabel_, second_, figure_})
        bar->addWidget(each);
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    bar->addWidget(note_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(plot_, 1);
    for (QComboBox* box : {first_, second_, figure_})
        connect(box, &QComboBox::currentIndexChanged, this, &SweepChart::refresh);
    connect(&theme_, &Theme::themeChanged, this, [this] {
        restyle();
        refresh();
    });
}

void SweepChart::setReport(std::shared_ptr<const session::SweepReport> report) {
    report_ = std::move(report);
    fillBoxes();
    refresh();
}

void SweepChart::fillBoxes() {
    const auto fill = [](QComboBox* box, const QStringList& texts, const QList<int>& data, int chosen) {
        const QSignalBlocker blocker(box);
        const QString kept = box->count() > 1 ? box->currentText() : QString(); // there was a choice
        box->clear();
        for (qsizetype i = 0; i < texts.size(); ++i)
            box->addItem(texts[i], data[i]);
        const int before = box->findText(kept);
        box->setCurrentIndex(before >= 0 ? before : std::min(chosen, box->count() - 1));
    };
    QStringList axes;
    QList<int> numbers;
    for (std::size_t i = 0; report_ && i < report_->axes.size(); ++i) {
        axes << titleOf(report_->axes[i].name);
        numbers << int(i);
    }
    fill(first_, axes, numbers, 0);
    QStringList seconds = axes;
    QList<int> secondNumbers = numbers;
    if (secondMayBeNone_ || axes.size() < 2) {
        seconds.prepend(tr("nothing"));
        secondNumbers.prepend(-1);
    }
    fill(second_, seconds, secondNumbers, axes.size() > 1 ? int(seconds.size() - axes.size()) + 1 : 0);
    const bool alone = axes.size() < 2;
    secondLabel_->setVisible(!alone);
    second_->setVisible(!alone);
    QStringList figures{tr("Time")};
    QList<int> kinds{int(SweepFigure::Time)};
    const auto has = [&](SweepFigure figure) {
        return report_ && std::ranges::any_of(report_->points, [figure](const auto& point) {
                   return figureOf(point, figure).has_value();
               });
    };
    if (has(SweepFigure::Bandwidth)) {
        figures << tr("GB/s");
        kinds << int(SweepFigure::Bandwidth);
    }
    if (has(SweepFigure::Arithmetic)) {
        figures << tr("GFLOP/s");
        kinds << int(SweepFigure::Arithmetic);
    }
    fill(figure_, figures, kinds, 0);
    figure_->setVisible(figures.size() > 1);
}

SweepFigure SweepChart::figure() const { return SweepFigure(figure_->currentData().toInt()); }

int SweepChart::firstAxis() const { return first_->currentIndex() < 0 ? -1 : first_->currentData().toInt(); }

int SweepChart::secondAxis() const {
    if (second_->currentIndex() < 0) return -1;
    const int axis = second_->currentData().toInt();
    return axis == firstAxis() ? -1 : axis;
}

void SweepChart::refresh() {
    grid_ = report_ ? SweepGrid(*report_, firstAxis(), secondAxis(), figure()) : SweepGrid();
    const int shown = secondAxis() < 0 ? 1 : 2;
    setNote(report_ && int(report_->axes.size()) > shown ? tr("The best over the other axes") : QString());
    draw();
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

double SweepChart::factor() const { return figure() == SweepFigure::Time ? unitFor(grid_.greatest()).factor : 1; }

QString SweepChart::figureTitle() const {
    switch (figure()) {
    case SweepFigure::Bandwidth: return tr("GB/s");
    case SweepFigure::Arithmetic: return tr("GFLOP/s");
    case SweepFigure::Time: break;
    }
    return tr("Median (%1)").arg(QString::fromUtf8(unitFor(grid_.greatest()).name));
}

QString SweepChart::shownFigure(double value) const {
    return figure() == SweepFigure::Time ? formatMs(value) : QString::number(value, 'g', 3);
}

void SweepChart::setNote(const QString& text) {
    note_->setText(text); // without one it keeps the boxes to the left
}

void SweepChart::restyle() {
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.9));
    plot_->setFont(small);
    plot_->setMinimumSize(scaledPixels(200), scaledPixels(96));
    plot_->axisRect()->setMinimumMargins(QMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid));
    stylePlot(plot_, theme_);
    QPalette palette = note_->palette();
    palette.setColor(QPalette::WindowText, theme_.colours().mutedText);
    note_->setPalette(palette);
}

void SweepChart::fitNames(QCPAxis* axis, const QStringList& names) {
    const QFontMetrics metrics(axis->tickLabelFont());
    const bool across = axis->orientation() == Qt::Horizontal;
    int largest = metrics.height();
    for (const QString& name : names)
        if (across) largest = std::max(largest, metrics.horizontalAdvance(name) + Theme::grid);
    const int room = across ? axis->axisRect()->width() : axis->axisRect()->height();
    const int most = std::max(1, room / std::max(1, largest));
    const qsizetype step = std::max<qsizetype>(1, (names.size() + most - 1) / most);
    QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (qsizetype i = 0; i < names.size(); i += step)
        ticker->addTick(double(i), names[i]);
    axis->setTicker(ticker);
}

SweepLines::SweepLines(Theme& theme, QWidget* parent) : SweepChart(theme, tr("Along"), tr("Lines"), true, parent) {
    plot()->setAccessibleName(tr("Line chart of the sweep"));
    plot()->setToolTip(tr("A click on a point selects it in the table. Bars show where the median lies with 95 % "
                          "confidence, and the star is the best point."));
    constexpr double least = 0.001; // of the room that nobody needs
    beside_ = new QCPLayoutGrid;
    plot()->plotLayout()->addElement(0, 1, beside_);
    plot()->plotLayout()->setColumnStretchFactor(1, least);
    beside_->addElement(1, 0, new QCPLayoutElement(plot()));
    beside_->setRowStretchFactor(0, least);
    plot()->legend->setMargins(QMargins(Theme::half, Theme::half, Theme::half, Theme::half));
    restyle();
    connect(plot(), &QCustomPlot::beforeReplot, this, [this] {
        if (report()) fitNames(plot()->xAxis, valuesOf(*report(), firstAxis()));
    });
    connect(plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        const int column = int(std::lround(plot()->xAxis->pixelToCoord(event->position().x())));
        if (column < 0 || column >= grid().columns()) return;
        std::optional<std::size_t> nearest;
        double least = 0;
        for (int row = 0; row < grid().rows(); ++row) {
            const SweepGrid::Cell& cell = grid().at(column, row);
            if (!cell.point) continue;
            const double away = std::abs(plot()->yAxis->coordToPixel(cell.value * factor()) - event->position().y());
            if (nearest && away >= least) continue;
            nearest = cell.point;
            least = away;
        }
        if (nearest) emit pointChosen(*nearest);
    });
}

/// Beside the axes, where it covers no point.
void SweepLines::placeLegend(bool visible) {
    QCPLegend* legend = plot()->legend;
    if (visible == legend->visible()) return;
    legend->setVisible(visible);
    if (visible)
        beside_->addElement(0, 0, legend);
    else
        plot()->axisRect()->insetLayout()->addElement(legend, Qt::AlignTop | Qt::AlignRight);
}

void SweepLines::draw() {
    QCustomPlot* chart = plot();
    chart->clearPlottables();
    placeLegend(false);
    if (!report() || grid().isEmpty()) {
        chart->xAxis->setLabel(tr("Nothing was measured"));
        for (QCPAxis* axis : {chart->xAxis, chart->yAxis})
            axis->setTickLabels(false);
        chart->yAxis->setLabel({});
        return;
    }
    const Colours& colours = theme().colours();
    const QStringList names = valuesOf(*report(), secondAxis());
    constexpr QCPScatterStyle::ScatterShape shapes[] = {QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare,
                                                        QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond};
    for (int row = 0; row < grid().rows(); ++row) {
        QVector<double> x, y, below, above;
        for (int column = 0; column < grid().columns(); ++column) {
            const SweepGrid::Cell& cell = grid().at(column, row);
            if (!cell.point) continue;
            x << column;
            y << cell.value * factor();
            const auto& interval = report()->points[*cell.point].interval_ms;
            const bool known = figure() == SweepFigure::Time && interval.high > 0;
            below << (known ? (cell.value - interval.low) * factor() : 0);
            above << (known ? (interval.high - cell.value) * factor() : 0);
        }
        const QColor colour = theme().series(row);
        QCPGraph* graph = chart->addGraph();
        graph->setName(secondAxis() < 0 ? figureTitle() : names.value(row));
        graph->setPen(QPen(colour, 1.5));
        graph->setScatterStyle(QCPScatterStyle(shapes[std::size_t(row) % std::size(shapes)], colour, colour,
                                               scaledPixels(x.size() > 60 ? 3 : 7)));
        graph->setData(x, y, true);
        auto* bars = new QCPErrorBars(chart->xAxis, chart->yAxis);
        bars->removeFromLegend();
        bars->setDataPlottable(graph);
        bars->setPen(QPen(colour, 1));
        bars->setData(below, above);
        bars->setWhiskerWidth(scaledPixels(6));
    }
    for (int row = 0; row < grid().rows(); ++row)
        for (int column = 0; column < grid().columns(); ++column) {
            const SweepGrid::Cell& cell = grid().at(column, row);
            if (!cell.point || report()->best != cell.point) continue;
            QCPGraph* best = chart->addGraph();
            best->removeFromLegend();
            best->setPen(Qt::NoPen);
            best->setScatterStyle(
                QCPScatterStyle(QCPScatterStyle::ssStar, QPen(colours.text, 2), QBrush(), scaledPixels(16)));
            best->setData({double(column)}, {cell.value * factor()}, true);
        }
    constexpr int mostInLegend = 12;
    placeLegend(secondAxis() >= 0 && grid().rows() <= mostInLegend);
    chart->xAxis->setLabel(titleOf(report()->axes[std::size_t(firstAxis())].name));
    chart->yAxis->setLabel(figureTitle());
    for (QCPAxis* axis : {chart->xAxis, chart->yAxis})
        axis->setTickLabels(true);
    chart->xAxis->setRange(-0.5, grid().columns() - 0.5);
    const double low = grid().least() * factor(), high = grid().greatest() * factor();
    const double room = std::max((high - low) * 0.15, high * 0.05);
    chart->yAxis->setRange(std::max(0.0, low - room), high + room);
}

} // namespace warplight::ui
