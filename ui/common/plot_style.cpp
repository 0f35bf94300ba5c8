// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/plot_style.hpp"

#include "ui/common/theme.hpp"

#include <qcustomplot.h>

namespace warplight::ui {

void stylePlot(QCustomPlot* plot, const Theme& theme) { stylePlot(plot, theme, plot->font()); }

void stylePlot(QCustomPlot* plot, const Theme& theme, const QFont& font) {
    const Colours& colours = theme.colours();
    plot->setBackground(colours.base);
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis, plot->xAxis2, plot->yAxis2}) {
        axis->setBasePen(QPen(colours.border));
        axis->setTickPen(QPen(colours.border));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(colours.mutedText);
        axis->setLabelColor(colours.mutedText);
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->grid()->setPen(QPen(colours.border, 1, Qt::DotLine));
        axis->grid()->setZeroLinePen(QPen(colours.border));
    }
    plot->legend->setBrush(QBrush(colours.base));
    plot->legend->setBorderPen(QPen(colours.border));
    plot->legend->setTextColor(colours.text);
    plot->legend->setFont(font);
    plot->replot(QCustomPlot::rpQueuedReplot);
}

AxisUnit unitFor(double largestMs) {
    if (largestMs < 1e-3) return {1e6, "ns"};
    if (largestMs < 1.0) return {1e3, "µs"};
    if (largestMs < 1e3) return {1.0, "ms"};
    return {1e-3, "s"};
}

} // namespace warplight::ui
