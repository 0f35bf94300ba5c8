// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/roofline_plot.hpp"

#include "ui/common/plot_style.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"
#include "ui/profile/figures_text.hpp"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace warplight::ui {

RooflinePlot::RooflinePlot(Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), plot_(new QCustomPlot), text_(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    text_->setWordWrap(true);
    text_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    plot_->setAccessibleName(tr("Roofline"));
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
        axis->setNumberFormat(QStringLiteral("eb"));
        axis->setNumberPrecision(0);
    }
    plot_->xAxis->setLabel(tr("Operations a byte"));
    plot_->yAxis->setLabel(tr("GFLOP/s"));
    column->addWidget(text_);
    column->addWidget(plot_, 1);
    connect(&theme_, &Theme::themeChanged, this, &RooflinePlot::restyle);
    restyle();
}

QString RooflinePlot::text() const { return text_->text(); }

void RooflinePlot::restyle() {
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.9));
    plot_->setFont(small);
    plot_->setMinimumSize(scaledPixels(160), scaledPixels(88));
    stylePlot(plot_, theme_);
    draw();
}

void RooflinePlot::setKernel(const profile::Figures& total, const profile::Gpu& gpu, double achieved) {
    gpu_ = &gpu;
    roofline_ = profile::roofline_of(total, gpu);
    achieved_ = achieved;
    const QString name = QString::fromLatin1(gpu.name.data(), qsizetype(gpu.name.size()));
    if (roofline_) {
        const QString limit = roofline_->is_bound_by_memory ? tr("memory") : tr("arithmetic");
        text_->setText(tr("A model of %1: at %2 operations a byte %3 is the limit, with %4FLOP/s at most.")
                           .arg(name, QString::number(roofline_->operations_per_byte, 'g', 3), limit,
                                scaledCount(roofline_->attainable * 1e9).replace(QLatin1Char(' '), QChar(0x2009))));
    } else if (total.floating_point() == 0) {
        text_->setText(tr("No roofline: the kernel has no operations of floating point."));
    } else if (total.sectors == 0) {
        text_->setText(tr("No roofline: the kernel does not use global memory."));
    } else {
        text_->setText(tr("No roofline: the peak of %1 for this kind of operations is not known.").arg(name));
    }
    plot_->setVisible(roofline_.has_value());
    draw();
}

void RooflinePlot::draw() {
    plot_->clearPlottables();
    if (!roofline_ || !gpu_) return;
    const double intensity = roofline_->operations_per_byte, ridge = roofline_->peak / gpu_->gigabytes_a_second;
    const double left = std::min(intensity, ridge) / 20, right = std::max(intensity, ridge) * 20;
    const double low = std::min({left * gpu_->gigabytes_a_second, roofline_->attainable / 3,
                                 achieved_ > 0 ? achieved_ / 3 : roofline_->attainable});
    const Colours& colours = theme_.colours();
    const auto line = [&](const QVector<double>& x, const QVector<double>& y, const QPen& pen) {
        QCPGraph* graph = plot_->addGraph();
        graph->setPen(pen);
        graph->setData(x, y, true);
        return graph;
    };
    const auto point = [&](double y, QCPScatterStyle::ScatterShape shape, const QColor& colour) {
        line({intensity}, {y}, Qt::NoPen)
            ->setScatterStyle(QCPScatterStyle(shape, QPen(colour, 1.5), QBrush(colour), scaledPixels(9)));
    };
    line({left, ridge, right}, {left * gpu_->gigabytes_a_second, roofline_->peak, roofline_->peak},
         QPen(colours.mutedText, 1.5));
    line({intensity, intensity}, {low / 2, roofline_->attainable}, QPen(colours.accent, 1, Qt::DashLine));
    point(roofline_->attainable, QCPScatterStyle::ssDisc, colours.accent);
    if (achieved_ > 0) point(achieved_, QCPScatterStyle::ssSquare, colours.success);
    plot_->setToolTip(achieved_ > 0 ? tr("The line is the roof, the disc what the kernel could reach under it, and the "
                                         "square what it reached.")
                                    : tr("The line is the roof, and the disc what the kernel could reach under it."));
    plot_->xAxis->setRange(left, right);
    plot_->yAxis->setRange(low, roofline_->peak * 4);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace warplight::ui
