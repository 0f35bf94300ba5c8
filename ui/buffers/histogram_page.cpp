// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/histogram_page.hpp"

#include "ui/buffers/export_button.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/theme.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace warplight::ui {

namespace {

const NumberFormat shortNumbers{NumberBase::Decimal, 6};

} // namespace

HistogramPage::HistogramPage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    range_ = new QComboBox(this);
    range_->addItems({tr("All values"), tr("1 % to 99 %"), tr("0.1 % to 99.9 %"), tr("Between")});
    range_->setAccessibleName(tr("Range of values"));
    range_->setToolTip(tr("What the bars cover; drag over the plot to choose a range"));
    low_ = new QLineEdit(this);
    high_ = new QLineEdit(this);
    low_->setAccessibleName(tr("Least value"));
    high_->setAccessibleName(tr("Largest value"));
    bins_ = new QSpinBox(this);
    bins_->setRange(1, 4096);
    bins_->setValue(64);
    bins_->setKeyboardTracking(false);
    bins_->setPrefix(tr("Bins "));
    bins_->setAccessibleName(tr("Number of bins"));
    logarithmic_ = new QCheckBox(tr("Log scale"), this);
    logarithmic_->setToolTip(tr("Bars as the logarithm of their counts: rare values can be seen"));
    readout_ = new QLabel(this);
    readout_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    plot_ = new QCustomPlot(this);
    export_ = new ExportButton({[this] { return info_.name + QStringLiteral("-histogram"); },
                                [this](QChar separator) { return valuesText(separator); },
                                plot_,
                                {}},
                               this);
    bar->addWidget(range_);
    bar->addWidget(low_);
    bar->addWidget(high_);
    bar->addWidget(bins_);
    bar->addWidget(logarithmic_);
    bar->addWidget(readout_, 1);
    bar->addWidget(export_);
    column->addLayout(bar);
    column->addWidget(plot_, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    foot->setSpacing(Theme::grid);
    counts_ = new QLabel(this);
    counts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    counts_->setAccessibleName(tr("Counts"));
    progress_ = new QProgressBar(this);
    progress_->setMaximumWidth(160);
    progress_->setMaximumHeight(12);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Counting"));
    stop_ = new QToolButton(this);
    stop_->setIcon(icon(QStringLiteral("cancel")));
    stop_->setAutoRaise(true);
    stop_->setToolTip(tr("Stop counting"));
    stop_->setAccessibleName(stop_->toolTip());
    foot->addWidget(counts_, 1);
    foot->addWidget(progress_);
    foot->addWidget(stop_);
    column->addLayout(foot);

    buildPlot();
    connect(range_, &QComboBox::currentIndexChanged, this, [this](int range) {
        low_->setVisible(range == BetweenValues);
        high_->setVisible(range == BetweenValues);
        if (range != BetweenValues || !low_->text().isEmpty()) {
            count();
        } else if (!histogram_.counts.isEmpty()) {
            low_->setText(numberText(histogram_.low, {NumberBase::Decimal, 9}));
            high_->setText(numberText(histogram_.high, {NumberBase::Decimal, 9}));
        }
    });
    // The same range again, after a stop.
    connect(range_, &QComboBox::activated, this, [this] {
        if (!isCounting()) count();
    });
    for (QLineEdit* edit : {low_, high_}) {
        edit->hide();
        connect(edit, &QLineEdit::returnPressed, this, &HistogramPage::count);
    }
    connect(bins_, &QSpinBox::valueChanged, this, &HistogramPage::count);
    connect(logarithmic_, &QCheckBox::toggled, this, &HistogramPage::draw);
    connect(stop_, &QToolButton::clicked, this, [this] {
        stop();
        counts_->setText(tr("Stopped. Choose a range to count again."));
    });
    connect(export_, &ExportButton::message, this, &HistogramPage::message);
    connect(&theme_, &Theme::themeChanged, this, &HistogramPage::restyle);
    showCounting(false);
    restyle();
}

void HistogramPage::buildPlot() {
    plot_->setAccessibleName(tr("Histogram; arrow keys move from bar to bar, Home shows all values"));
    plot_->setFocusPolicy(Qt::StrongFocus);
    plot_->setSelectionRectMode(QCP::srmCustom);
    plot_->installEventFilter(this);
    bars_ = new QCPBars(plot_->xAxis, plot_->yAxis);
    bars_->setPen(Qt::NoPen);
    connect(plot_->selectionRect(), &QCPSelectionRect::accepted, this, [this](const QRect& rectangle) {
        // A click is no range.
        if (rectangle.width() < 6 || histogram_.counts.isEmpty()) return;
        const double a = plot_->xAxis->pixelToCoord(rectangle.left());
        const double b = plot_->xAxis->pixelToCoord(rectangle.right());
        setValues(std::max(std::min(a, b), histogram_.low), std::min(std::max(a, b), histogram_.high));
    });
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
        if (!histogram_.counts.isEmpty())
            pointAt(qsizetype(
                std::floor((plot_->xAxis->pixelToCoord(event->position().x()) - histogram_.low) / binWidth())));
    });
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this] { setRange(AllValues); });
}

void HistogramPage::restyle() {
    stylePlot(plot_, theme_);
    plot_->selectionRect()->setPen(QPen(theme_.colours().accent));
    QColor soft = theme_.colours().accent;
    soft.setAlpha(60);
    plot_->selectionRect()->setBrush(soft);
    readout_->setFont(theme_.monospace());
    for (QLineEdit* edit : {low_, high_})
        edit->setMaximumWidth(QFontMetrics(edit->font()).averageCharWidth() * 12);
}

void HistogramPage::setBuffer(BufferSource* source, const BufferInfo& info, const QColor& colour) {
    stop();
    if (source_) disconnect(source_, nullptr, this, nullptr);
    source_ = source;
    info_ = info;
    colour_ = colour;
    histogram_ = {};
    if (source_)
        connect(source_, &BufferSource::progress, this, [this](quint64 ticket, double fraction) {
            if (ticket != ticket_ || ticket == 0) return;
            progress_->setRange(0, fraction < 0 ? 0 : 1000);
            progress_->setValue(int(fraction * 1000));
        });
    // Values of another buffer are no range of this one.
    const QSignalBlocker block(range_);
    if (range_->currentIndex() == BetweenValues) range_->setCurrentIndex(AllValues);
    for (QLineEdit* edit : {low_, high_}) {
        edit->clear();
        edit->hide();
    }
    count();
}

void HistogramPage::setRange(Range range) {
    if (range_->currentIndex() == range)
        count();
    else
        range_->setCurrentIndex(range);
}

void HistogramPage::setValues(double low, double high) {
    low_->setText(numberText(low, {NumberBase::Decimal, 9}));
    high_->setText(numberText(high, {NumberBase::Decimal, 9}));
    setRange(BetweenValues);
}

void HistogramPage::setBins(int bins) { bins_->setValue(bins); }
void HistogramPage::setLogarithmic(bool on) { logarithmic_->setChecked(on); }

void HistogramPage::stop() {
    if (source_ && ticket_) source_->cancel(ticket_);
    ticket_ = 0;
    showCounting(false);
}

void HistogramPage::showCounting(bool counting) {
    progress_->setVisible(counting);
    stop_->setVisible(counting);
    if (counting) progress_->setRange(0, 0);
}

void HistogramPage::count() {
    stop();
    if (!source_ || !info_.isValid() || !info_.type.isNumeric() || info_.count() == 0) {
        histogram_ = {};
        counts_->setText(!info_.isValid()          ? tr("Choose a buffer.")
                         : !info_.type.isNumeric() ? tr("%1 has no numbers to count.").arg(info_.name)
                                                   : tr("%1 is empty.").arg(info_.name));
        draw();
        return;
    }
    HistogramRange range;
    switch (Range(range_->currentIndex())) {
    case AllValues: break;
    case Percent98: range.lowPercent = 1, range.highPercent = 99; break;
    case Percent998: range.lowPercent = 0.1, range.highPercent = 99.9; break;
    case BetweenValues: {
        bool lowIsNumber = false, highIsNumber = false;
        range.low = low_->text().toDouble(&lowIsNumber);
        range.high = high_->text().toDouble(&highIsNumber);
        if (lowIsNumber && highIsNumber && std::isfinite(range.low) && range.high > range.low &&
            std::isfinite(range.high - range.low))
            break;
        counts_->setText(tr("Give two numbers, the smaller one first."));
        return;
    }
    }
    counts_->setText(tr("Counting…"));
    showCounting(true);
    ticket_ =
        source_->histogram(info_.id, bins_->value(), range, this, [this](const BufferReply<BufferHistogram>& reply) {
            ticket_ = 0;
            showCounting(false);
            histogram_ = reply.value;
            draw();
            if (!reply.ok()) counts_->setText(reply.error);
        });
}

double HistogramPage::binWidth() const {
    return (histogram_.high - histogram_.low) / double(std::max<qsizetype>(1, histogram_.counts.size()));
}

void HistogramPage::draw() {
    pointed_ = -1;
    readout_->clear();
    const qsizetype bins = histogram_.counts.size();
    const double width = binWidth();
    const bool logarithmic = logarithmic_->isChecked();
    QVector<double> x, y;
    x.reserve(bins);
    y.reserve(bins);
    double most = 1;
    for (qsizetype i = 0; i < bins; ++i) {
        most = std::max(most, double(histogram_.counts[i]));
        if (logarithmic && histogram_.counts[i] == 0) continue; // has no logarithm
        x << histogram_.low + (double(i) + 0.5) * width;
        y << double(histogram_.counts[i]);
    }
    bars_->setData(x, y, true);
    bars_->setBaseValue(logarithmic ? 0.5 : 0);
    bars_->setWidth(width * (bins > 200 ? 1 : 0.92));
    bars_->setBrush(colour_);
    plot_->yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot_->yAxis->setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                        : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    plot_->yAxis->setRange(logarithmic ? 0.5 : 0, logarithmic ? most * 1.5 : most * 1.05);
    if (bins > 0) plot_->xAxis->setRange(histogram_.low - width, histogram_.high + width);
    plot_->xAxis->setLabel(info_.type.isComplex() ? tr("magnitude of %1").arg(info_.name) : info_.name);
    plot_->yAxis->setLabel(tr("elements"));
    plot_->replot(QCustomPlot::rpQueuedReplot);
    if (bins == 0) return;
    QStringList parts{tr("%1 elements").arg(formatCount(histogram_.elements))};
    if (histogram_.minimum <= histogram_.maximum)
        parts << tr("min %1").arg(numberText(histogram_.minimum, shortNumbers))
              << tr("max %1").arg(numberText(histogram_.maximum, shortNumbers));
    if (histogram_.below) parts << tr("%1 below").arg(formatCount(histogram_.below));
    if (histogram_.above) parts << tr("%1 above").arg(formatCount(histogram_.above));
    if (histogram_.nan) parts << tr("%1 NaN").arg(formatCount(histogram_.nan));
    if (histogram_.infinite) parts << tr("%1 infinite").arg(formatCount(histogram_.infinite));
    counts_->setText(parts.join(QStringLiteral("   ")));
}

void HistogramPage::pointAt(qsizetype bin) {
    if (bin < 0 || bin >= histogram_.counts.size()) {
        pointed_ = -1;
        readout_->clear();
        return;
    }
    pointed_ = bin;
    const double width = binWidth(), low = histogram_.low + double(bin) * width;
    const double share = 100 * double(histogram_.counts[bin]) / double(std::max<qint64>(1, histogram_.elements));
    readout_->setText(tr("%1 to %2: %3 (%4 %)")
                          .arg(numberText(low, shortNumbers), numberText(low + width, shortNumbers),
                               formatCount(histogram_.counts[bin]), QString::number(share, 'g', 3)));
}

QString HistogramPage::readout() const { return readout_->text(); }
QString HistogramPage::counts() const { return counts_->text(); }

QString HistogramPage::valuesText(QChar separator) const {
    if (histogram_.counts.isEmpty()) return {};
    QStringList lines{QStringList{tr("from"), tr("to"), tr("count")}.join(separator)};
    lines.reserve(histogram_.counts.size() + 1);
    const double width = binWidth();
    for (qsizetype i = 0; i < histogram_.counts.size(); ++i) {
        const double from = histogram_.low + double(i) * width;
        const bool last = i + 1 == histogram_.counts.size();
        lines << QStringList{QString::number(from, 'g', 17),
                             QString::number(last ? histogram_.high : histogram_.low + double(i + 1) * width, 'g', 17),
                             QString::number(histogram_.counts[i])}
                     .join(separator);
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

bool HistogramPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched != plot_ || event->type() != QEvent::KeyPress || histogram_.counts.isEmpty())
        return QWidget::eventFilter(watched, event);
    const qsizetype last = histogram_.counts.size() - 1;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Left: pointAt(std::max<qsizetype>(0, pointed_ - 1)); return true;
    case Qt::Key_Right: pointAt(std::min(last, pointed_ + 1)); return true;
    case Qt::Key_Home: setRange(AllValues); return true;
    default: return QWidget::eventFilter(watched, event);
    }
}

} // namespace warplight::ui
