// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/plot_page.hpp"

#include "ui/buffers/export_button.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/theme.hpp"

#include <qcustomplot.h>

#include <cmath>

namespace warplight::ui {

PlotPage::PlotPage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::grid);
    all_ = new QToolButton(this);
    all_->setText(tr("Show All"));
    all_->setProperty("framed", true);
    all_->setToolTip(tr("Show the whole buffer (Home)"));
    readout_ = new QLabel(this);
    readout_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_ = new QLabel(tr("Select several buffers in the list to see them together."), this);
    note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    plot_ = new QCustomPlot(this);
    export_ = new ExportButton(
        {[this] { return series_.isEmpty() ? tr("plot") : series_.first().info.name + QStringLiteral("-plot"); },
         [this](QChar separator) { return valuesText(separator); },
         plot_,
         {}},
        this);
    bar->addWidget(all_);
    bar->addWidget(readout_, 1);
    bar->addWidget(note_);
    bar->addWidget(export_);
    column->addLayout(bar);
    plot_->setAccessibleName(
        tr("Plot of the buffer; arrow keys move the reading line, Enter chooses its element, plus and minus zoom"));
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot_->axisRect()->setRangeDrag(Qt::Horizontal);
    plot_->axisRect()->setRangeZoom(Qt::Horizontal);
    plot_->installEventFilter(this);
    const auto line = [this] {
        auto* item = new QCPItemLine(plot_);
        for (QCPItemPosition* end : {item->start, item->end}) {
            end->setTypeX(QCPItemPosition::ptPlotCoords);
            end->setTypeY(QCPItemPosition::ptAxisRectRatio);
        }
        item->setVisible(false);
        return item;
    };
    crosshair_ = line();
    mark_ = line();
    column->addWidget(plot_, 1);

    timer_.setSingleShot(true);
    timer_.setInterval(25);
    connect(&timer_, &QTimer::timeout, this, &PlotPage::request);
    connect(plot_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this](const QCPRange& range) {
        if (adjusting_) return;
        // The plot cannot be moved off the buffer, nor closer than a few elements.
        const double last = std::max(1.0, lastIndex());
        const double size = std::clamp(range.size(), 4.0, last * 1.02 + 4);
        const double lower =
            std::clamp(range.lower, -0.02 * last - 2, std::max(-0.02 * last - 2, last * 1.02 + 2 - size));
        adjusting_ = true;
        plot_->xAxis->setRange(lower, lower + size);
        adjusting_ = false;
        timer_.start();
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        setCrosshair(std::round(plot_->xAxis->pixelToCoord(event->position().x())));
    });
    // A click chooses an element; the mouse may shake a little.
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pressed_ = event->position(); });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        if (series_.isEmpty() || event->button() != Qt::LeftButton) return;
        if ((event->position() - pressed_).manhattanLength() > 4) return;
        setIndex(qint64(std::clamp(std::round(plot_->xAxis->pixelToCoord(pressed_.x())), 0.0, lastIndex())));
        emit indexChosen(marked_);
    });
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, &PlotPage::showAll);
    connect(export_, &ExportButton::message, this, &PlotPage::message);
    connect(all_, &QToolButton::clicked, this, &PlotPage::showAll);
    connect(&theme_, &Theme::themeChanged, this, &PlotPage::restyle);
    restyle();
}

double PlotPage::lastIndex() const {
    qint64 count = 0;
    for (const Series& series : series_)
        count = std::max(count, series.info.count());
    return double(std::max<qint64>(0, count - 1));
}

void PlotPage::restyle() {
    stylePlot(plot_, theme_);
    crosshair_->setPen(QPen(theme_.colours().accent, 1, Qt::DashLine));
    mark_->setPen(QPen(theme_.colours().accent, 2));
    QPalette palette = note_->palette();
    palette.setColor(QPalette::WindowText, theme_.colours().mutedText);
    note_->setPalette(palette);
    readout_->setFont(theme_.monospace());
}

void PlotPage::cancel() {
    if (source_)
        for (BufferSource::Ticket ticket : std::as_const(tickets_))
            if (ticket) source_->cancel(ticket);
    tickets_.clear();
    timer_.stop();
}

void PlotPage::setSeries(BufferSource* source, QList<Series> series) {
    cancel();
    source_ = source;
    series_.clear();
    QStringList left;
    for (const Series& each : std::as_const(series)) {
        if (each.info.isValid() && each.info.type.isNumeric() && each.info.count() > 0)
            series_.append(each);
        else
            left << each.info.name;
    }
    data_ = QList<BufferPlot>(series_.size());
    plot_->clearPlottables();
    low_.clear();
    high_.clear();
    crosshair_->setVisible(false);
    mark_->setVisible(false);
    marked_ = -1;
    at_ = -1;
    readout_->setText(left.isEmpty() ? QString()
                                     : tr("Not shown, no numbers: %1").arg(left.join(QStringLiteral(", "))));
    note_->setVisible(series_.size() == 1);
    if (series_.isEmpty()) {
        plot_->legend->setVisible(false);
        plot_->replot(QCustomPlot::rpQueuedReplot);
        return;
    }
    plot_->legend->setVisible(series_.size() > 1);
    plot_->xAxis->setLabel(tr("index"));
    plot_->yAxis->setLabel(series_.size() == 1 ? series_.first().info.name : QString());
    for (const Series& each : std::as_const(series_)) {
        QCPGraph* low = plot_->addGraph();
        QCPGraph* high = plot_->addGraph();
        QColor soft = each.colour;
        soft.setAlpha(80);
        for (QCPGraph* graph : {low, high}) {
            graph->setPen(QPen(each.colour, 1));
            graph->setAdaptiveSampling(false);
        }
        high->setName(each.info.name);
        low->removeFromLegend();
        high->setBrush(soft);
        high->setChannelFillGraph(low);
        low_ << low;
        high_ << high;
    }
    showAll();
}

void PlotPage::showAll() {
    if (series_.isEmpty()) return;
    showRange(0, lastIndex());
}

void PlotPage::showRange(double first, double last) {
    adjusting_ = true;
    const double margin = std::max(1.0, (last - first) * 0.01);
    plot_->xAxis->setRange(first - margin, last + margin);
    adjusting_ = false;
    request();
}

void PlotPage::request() {
    cancel();
    if (!source_) return;
    const QCPRange range = plot_->xAxis->range();
    const int points = std::clamp(plot_->axisRect()->width(), 64, 4096);
    tickets_ = QList<BufferSource::Ticket>(series_.size(), 0);
    for (int i = 0; i < series_.size(); ++i) {
        const BufferInfo& info = series_[i].info;
        const qint64 last = info.count() - 1;
        const qint64 from = std::clamp<qint64>(qint64(std::floor(range.lower)) - 1, 0, last);
        const qint64 to = std::clamp<qint64>(qint64(std::ceil(range.upper)) + 1, 0, last);
        const auto done = [this, i](const BufferReply<BufferPlot>& reply) {
            if (i < tickets_.size()) tickets_[i] = 0;
            if (!reply.ok())
                emit message(reply.error);
            else
                take(i, reply.value);
        };
        const BufferSource::Ticket ticket = source_->plot(info.id, from, to - from + 1, points, this, done);
        if (i < tickets_.size()) tickets_[i] = ticket;
    }
}

void PlotPage::take(int series, const BufferPlot& plot) {
    if (series >= data_.size()) return;
    data_[series] = plot;
    const qsizetype buckets = plot.minimum.size();
    QVector<double> x, low, high;
    x.reserve(buckets);
    const double width = buckets ? double(plot.count) / double(buckets) : 1;
    bool band = false;
    for (qsizetype i = 0; i < buckets; ++i) {
        x << double(plot.offset) + (double(i) + 0.5) * width - 0.5;
        low << plot.minimum[i];
        high << plot.maximum.value(i);
        band = band || plot.minimum[i] != plot.maximum.value(i);
    }
    low_[series]->setData(x, low, true);
    high_[series]->setData(x, high, true);
    low_[series]->setVisible(band);
    high_[series]->setChannelFillGraph(band ? low_[series] : nullptr);
    QColor soft = series_[series].colour;
    soft.setAlpha(80);
    high_[series]->setBrush(band ? QBrush(soft) : QBrush(Qt::NoBrush));
    const bool dots = buckets <= 128;
    high_[series]->setScatterStyle(dots ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4) : QCPScatterStyle());
    fitValues();
    if (at_ >= 0) setCrosshair(at_);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotPage::fitValues() {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const BufferPlot& plot : std::as_const(data_)) {
        for (double value : plot.minimum)
            if (std::isfinite(value)) low = std::min(low, value);
        for (double value : plot.maximum)
            if (std::isfinite(value)) high = std::max(high, value);
    }
    if (low > high) return;
    const double margin = high > low ? (high - low) * 0.05 : std::max(std::abs(high) * 0.1, 0.5);
    plot_->yAxis->setRange(low - margin, high + margin);
}

QString PlotPage::readout() const { return readout_->text(); }

/// What is drawn: a line for each bucket, or for each element where they are few.
QString PlotPage::valuesText(QChar separator) const {
    if (data_.isEmpty()) return {};
    const BufferPlot& first = data_.first();
    QStringList heading{tr("from index"), tr("to index")};
    for (const Series& each : series_)
        heading << tr("%1 min").arg(each.info.name) << tr("%1 max").arg(each.info.name);
    for (QString& field : heading)
        if (field.contains(QLatin1Char(',')) || field.contains(QLatin1Char('"')))
            field = QLatin1Char('"') + field.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
    QStringList lines{heading.join(separator)};
    const qint64 buckets = first.minimum.size();
    lines.reserve(buckets + 1);
    for (qint64 i = 0; i < buckets; ++i) {
        const qint64 from = first.offset + i * first.count / buckets;
        const qint64 to = first.offset + (i + 1) * first.count / buckets - 1;
        QStringList fields{QString::number(from), QString::number(to)};
        for (const BufferPlot& plot : data_)
            // Of a shorter buffer the buckets are other ones.
            for (const QList<double>& values : {plot.minimum, plot.maximum})
                fields << (plot.offset == first.offset && plot.count == first.count
                               ? QString::number(values.value(i), 'g', 17)
                               : QString());
        lines << fields.join(separator);
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void PlotPage::setCrosshair(double index) {
    if (series_.isEmpty()) return;
    at_ = std::clamp(index, 0.0, lastIndex());
    crosshair_->start->setCoords(at_, 0);
    crosshair_->end->setCoords(at_, 1);
    crosshair_->setVisible(true);
    const NumberFormat format{NumberBase::Decimal, 6};
    QString text = positionText(series_.first().info.shape, qint64(at_));
    for (int i = 0; i < series_.size(); ++i) {
        const BufferPlot& plot = data_[i];
        if (plot.count <= 0 || plot.minimum.isEmpty()) continue;
        const qsizetype bucket =
            qsizetype((at_ - double(plot.offset) + 0.5) * double(plot.minimum.size()) / double(plot.count));
        if (bucket < 0 || bucket >= plot.minimum.size()) continue;
        const double low = plot.minimum[bucket], high = plot.maximum.value(bucket);
        text += QStringLiteral("   %1 ").arg(series_[i].info.name);
        text += low == high || std::isnan(low)
                    ? numberText(low, format)
                    : numberText(low, format) + QStringLiteral(" … ") + numberText(high, format);
    }
    readout_->setText(text);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotPage::setIndex(qint64 index) {
    const bool some = index >= 0 && double(index) <= lastIndex() && !series_.isEmpty();
    marked_ = some ? index : -1;
    mark_->setVisible(some);
    if (some) {
        mark_->start->setCoords(double(index), 0);
        mark_->end->setCoords(double(index), 1);
        const QCPRange range = plot_->xAxis->range();
        if (!range.contains(double(index))) {
            plot_->xAxis->setRange(double(index), range.size(), Qt::AlignCenter);
        }
        setCrosshair(double(index));
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

bool PlotPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const QCPRange range = plot_->xAxis->range();
    const double step = std::max(1.0, std::round(range.size() / 100));
    switch (key->key()) {
    case Qt::Key_Left: setCrosshair(at_ - step); return true;
    case Qt::Key_Right: setCrosshair(at_ + step); return true;
    case Qt::Key_Home: showAll(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (at_ < 0) return true;
        setIndex(qint64(at_));
        emit indexChosen(marked_);
        return true;
    case Qt::Key_PageUp: plot_->xAxis->moveRange(-range.size() / 2); break;
    case Qt::Key_PageDown: plot_->xAxis->moveRange(range.size() / 2); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: plot_->xAxis->scaleRange(0.5, at_ >= 0 ? at_ : range.center()); break;
    case Qt::Key_Minus: plot_->xAxis->scaleRange(2, at_ >= 0 ? at_ : range.center()); break;
    default: return QWidget::eventFilter(watched, event);
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
    return true;
}

} // namespace warplight::ui
