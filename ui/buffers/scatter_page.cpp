// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/scatter_page.hpp"

#include "ui/buffers/export_button.hpp"
#include "ui/common/colour_map.hpp"
#include "ui/common/format.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/theme.hpp"

#include <qcustomplot.h>

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplight::ui {

namespace {

constexpr int pixelsOfCell = 4; // on the screen
const NumberFormat scatterNumbers{NumberBase::Decimal, 6};

} // namespace

ScatterPage::ScatterPage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    static constexpr const char* letters[] = {"x", "y"};
    for (int side = 0; side < 2; ++side) {
        auto* box = new QComboBox(this);
        box->setAccessibleName(side == 0 ? tr("Values along x") : tr("Values along y"));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(10);
        auto* label = new QLabel(QLatin1String(letters[side]), this);
        label->setBuddy(box);
        bar->addWidget(label);
        bar->addWidget(box);
        sides_[side].box = box;
        connect(box, &QComboBox::currentIndexChanged, this, [this, side] { open(side); });
    }
    all_ = new QToolButton(this);
    all_->setText(tr("Show All"));
    all_->setProperty("framed", true);
    all_->setToolTip(tr("Show all pairs (a double click)"));
    progress_ = new QProgressBar(this);
    progress_->setMaximumWidth(80);
    progress_->setMaximumHeight(12);
    progress_->setTextVisible(false);
    progress_->setRange(0, 0);
    progress_->hide();
    readout_ = new QLabel(this);
    readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    readout_->setMinimumWidth(0);
    readout_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    readout_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    plot_ = new QCustomPlot(this);
    export_ = new ExportButton({[this] { return QStringLiteral("%1-%2-scatter").arg(xName(), yName()); },
                                [this](QChar separator) { return valuesText(separator); },
                                plot_,
                                {}},
                               this);
    bar->addWidget(all_);
    bar->addWidget(progress_);
    bar->addWidget(readout_, 1);
    bar->addWidget(export_);
    column->addLayout(bar);
    column->addWidget(plot_, 1);
    note_ = new QLabel(this);
    note_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setWordWrap(true);
    column->addWidget(note_);
    buildPlot();
    timer_.setSingleShot(true);
    timer_.setInterval(60);
    connect(&timer_, &QTimer::timeout, this, &ScatterPage::request);
    connect(all_, &QToolButton::clicked, this, &ScatterPage::showAll);
    connect(export_, &ExportButton::message, this, &ScatterPage::message);
    connect(&theme_, &Theme::themeChanged, this, &ScatterPage::restyle);
    restyle();
}

ScatterPage::~ScatterPage() {
    for (Side& side : sides_)
        close(side);
}

void ScatterPage::buildPlot() {
    plot_->setAccessibleName(tr("Pairs of values"));
    plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    counts_ = new QCPColorMap(plot_->xAxis, plot_->yAxis);
    counts_->setInterpolate(false);
    counts_->setTightBoundary(false);
    points_ = plot_->addGraph();
    points_->setLineStyle(QCPGraph::lsNone);
    points_->setAdaptiveSampling(false);
    mark_ = plot_->addGraph();
    mark_->setLineStyle(QCPGraph::lsNone);
    const auto moved = [this] {
        if (adjusting_) return;
        everything_ = false;
        timer_.start();
    };
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis})
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, moved);
    connect(plot_, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { point(event->position()); });
    connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { pressed_ = event->position(); });
    connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        if (event->button() != Qt::LeftButton || (event->position() - pressed_).manhattanLength() > 4) return;
        const qint64 index = indexAt(event->position());
        if (index < 0) return;
        setIndex(index);
        emit indexChosen(index);
    });
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, &ScatterPage::showAll);
}

void ScatterPage::restyle() {
    stylePlot(plot_, theme_);
    readout_->setFont(theme_.monospace());
    points_->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, theme_.series(0), 4));
    mark_->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme_.colours().accent, 2), Qt::NoBrush, 12));
    // Few pairs stand out from the background, in both themes.
    const ColourMap map(ColourMap::Viridis);
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int i = 0; i <= 16; ++i) {
        const double t = i / 16.0;
        gradient.setColorStopAt(t, QColor::fromRgb(map.at(theme_.isDark() ? 0.25 + 0.75 * t : 0.95 * t)));
    }
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    counts_->setGradient(gradient);
    draw();
}

void ScatterPage::say(const QString& text) { note_->setText(text); }

void ScatterPage::close(Side& side) {
    if (side.derived && side.buffer >= 0 && source_) source_->close(side.buffer);
    side.buffer = -1;
    side.derived = false;
}

void ScatterPage::setChoices(BufferSource* source, const BufferInfo& info, const FormulaScope& scope) {
    stop();
    const QString before[2] = {xName(), yName()};
    for (Side& side : sides_)
        close(side);
    source_ = source;
    info_ = info;
    scope_ = scope;
    density_ = {};
    everything_ = true;
    setIndex(-1);
    for (Side& side : sides_) {
        const QSignalBlocker block(side.box);
        side.box->clear();
        for (const FormulaScope::Array& array : scope.arrays)
            side.box->addItem(array.name);
        side.box->setEnabled(!scope.arrays.isEmpty());
    }
    draw();
    if (scope.arrays.size() < 2) {
        say(!info.isValid()          ? tr("Choose a buffer.")
            : scope.arrays.isEmpty() ? tr("%1 has no numbers.").arg(info.name)
                                     : tr("Pairs need a second buffer with %1 elements, or a formula of this one.")
                                           .arg(formatCount(info.count())));
        return;
    }
    // What was chosen stays. At first it is the buffer over another one; of structs the first two fields.
    const bool known = sides_[0].box->findText(before[0]) >= 0 && sides_[1].box->findText(before[1]) >= 0;
    if (known)
        choose(before[0], before[1]);
    else if (info.isStructs())
        choose(scope.arrays[0].name, scope.arrays[1].name);
    else
        choose(scope.arrays[1].name, scope.arrays[0].name);
}

void ScatterPage::choose(const QString& x, const QString& y) {
    for (int side = 0; side < 2; ++side) {
        const QSignalBlocker block(sides_[side].box);
        sides_[side].box->setCurrentText(side == 0 ? x : y);
    }
    open(0);
    open(1);
}

QString ScatterPage::xName() const { return sides_[0].box->currentText(); }
QString ScatterPage::yName() const { return sides_[1].box->currentText(); }

/// A field of structs becomes a buffer first.
void ScatterPage::open(int which) {
    stop();
    Side& side = sides_[which];
    close(side);
    density_ = {};
    everything_ = true;
    const int at = side.box->currentIndex();
    if (!source_ || at < 0 || at >= scope_.arrays.size()) return;
    const FormulaScope::Array& array = scope_.arrays[at];
    if (array.view.isWhole()) {
        side.buffer = array.buffer;
        request();
        return;
    }
    deriveView(source_, array.buffer, array.view, this,
               [this, which, name = array.name, buffer = array.buffer](const BufferReply<BufferInfo>& reply) {
                   Side& to = sides_[which];
                   const bool wanted = to.buffer < 0 && to.box->currentText() == name && info_.id == buffer;
                   if (!wanted) {
                       if (reply.ok() && source_) source_->close(reply.value.id);
                   } else if (!reply.ok()) {
                       say(reply.error);
                   } else {
                       to.buffer = reply.value.id;
                       to.derived = true;
                       request();
                   }
               });
}

void ScatterPage::stop() {
    timer_.stop();
    ++generation_;
    if (source_ && ticket_) source_->cancel(ticket_);
    ticket_ = 0;
    progress_->hide();
}

void ScatterPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) request(); // a hidden page counts nothing
}

void ScatterPage::showAll() {
    everything_ = true;
    request();
}

void ScatterPage::showPart(double xLow, double xHigh, double yLow, double yHigh) {
    adjusting_ = true;
    plot_->xAxis->setRange(xLow, xHigh);
    plot_->yAxis->setRange(yLow, yHigh);
    adjusting_ = false;
    everything_ = false;
    request();
}

void ScatterPage::request() {
    stop();
    if (!source_ || sides_[0].buffer < 0 || sides_[1].buffer < 0) return;
    stale_ = !isVisible();
    if (stale_) return;
    ScatterGrid grid;
    grid.columns = std::clamp(plot_->axisRect()->width() / pixelsOfCell, 32, 512);
    grid.rows = std::clamp(plot_->axisRect()->height() / pixelsOfCell, 32, 512);
    grid.mostPoints = mostPoints;
    if (!everything_) {
        grid.xLow = plot_->xAxis->range().lower;
        grid.xHigh = plot_->xAxis->range().upper;
        grid.yLow = plot_->yAxis->range().lower;
        grid.yHigh = plot_->yAxis->range().upper;
    }
    progress_->show();
    ticket_ = source_->scatter(sides_[0].buffer, sides_[1].buffer, grid, this,
                               [this, generation = generation_](const BufferReply<BufferDensity>& reply) {
                                   if (generation != generation_) return;
                                   ticket_ = 0;
                                   progress_->hide();
                                   if (!reply.ok()) {
                                       density_ = {};
                                       draw();
                                       say(reply.error);
                                       return;
                                   }
                                   density_ = reply.value;
                                   draw();
                                   if (marked_ >= 0) showMark();
                               });
}

void ScatterPage::draw() {
    const bool some = density_.columns > 0;
    plot_->xAxis->setLabel(xName());
    plot_->yAxis->setLabel(yName());
    const bool few = !density_.points.isEmpty() || density_.pairs == density_.outside;
    points_->setVisible(few);
    counts_->setVisible(some && !few);
    QVector<double> x, y;
    x.reserve(density_.points.size());
    y.reserve(density_.points.size());
    for (const QPointF& each : density_.points) {
        x << each.x();
        y << each.y();
    }
    points_->setData(x, y);
    if (some && !few) drawCounts();
    if (some && everything_) {
        const double width = density_.xHigh - density_.xLow, height = density_.yHigh - density_.yLow;
        adjusting_ = true;
        plot_->xAxis->setRange(density_.xLow - width * 0.03, density_.xHigh + width * 0.03);
        plot_->yAxis->setRange(density_.yLow - height * 0.03, density_.yHigh + height * 0.03);
        adjusting_ = false;
    }
    plot_->replot(QCustomPlot::rpQueuedReplot);
    if (!some) {
        note_->clear();
        readout_->clear();
        return;
    }
    const qint64 inside = density_.pairs - density_.outside;
    QStringList parts{tr("%1 pairs").arg(formatCount(inside))};
    if (density_.outside) parts << tr("%1 outside").arg(formatCount(density_.outside));
    if (density_.notFinite) parts << tr("%1 with NaN or infinity").arg(formatCount(density_.notFinite));
    if (!few) parts << tr("zoom in to see single ones");
    say(parts.join(QStringLiteral("   ")));
}

void ScatterPage::drawCounts() {
    QCPColorMapData* data = counts_->data();
    const double width = (density_.xHigh - density_.xLow) / density_.columns;
    const double height = (density_.yHigh - density_.yLow) / density_.rows;
    data->setSize(density_.columns, density_.rows);
    // A cell of the map is around its place.
    data->setRange({density_.xLow + width / 2, density_.xHigh - width / 2},
                   {density_.yLow + height / 2, density_.yHigh - height / 2});
    double most = 0;
    for (int row = 0; row < density_.rows; ++row)
        for (int column = 0; column < density_.columns; ++column) {
            const quint32 count = density_.counts.value(qsizetype(row) * density_.columns + column);
            // Logarithms: single pairs are seen beside thousands.
            const double value = count ? std::log10(double(count)) : std::nan("");
            data->setCell(column, row, value);
            if (count) most = std::max(most, value);
        }
    counts_->setDataRange({0, most > 0 ? most : 1});
}

void ScatterPage::setIndex(qint64 index) {
    marked_ = index >= 0 && index < info_.count() ? index : -1;
    ++markGeneration_;
    mark_->setData(QVector<double>(), QVector<double>());
    if (marked_ >= 0)
        showMark();
    else
        plot_->replot(QCustomPlot::rpQueuedReplot);
}

/// Reads both values, for the pair need not be among those that are drawn.
void ScatterPage::showMark() {
    if (!source_ || sides_[0].buffer < 0 || sides_[1].buffer < 0 || density_.columns == 0) return;
    ++markGeneration_;
    markMissing_ = 2;
    for (int which = 0; which < 2; ++which) {
        const qint64 buffer = sides_[which].buffer;
        source_->plot(buffer, marked_, 1, 1, this,
                      [this, which, generation = markGeneration_](const BufferReply<BufferPlot>& reply) {
                          if (generation != markGeneration_ || !reply.ok() || reply.value.minimum.isEmpty()) return;
                          markedAt_[which] = reply.value.minimum.first();
                          if (--markMissing_ > 0) return;
                          mark_->setData({markedAt_[0]}, {markedAt_[1]});
                          readout_->setText(QStringLiteral("%1   %2 %3   %4 %5")
                                                .arg(positionText(info_.shape, marked_), xName(),
                                                     numberText(markedAt_[0], scatterNumbers), yName(),
                                                     numberText(markedAt_[1], scatterNumbers)));
                          plot_->replot(QCustomPlot::rpQueuedReplot);
                      });
    }
}

qint64 ScatterPage::indexAt(const QPointF& place) const {
    constexpr double near = 8; // pixels
    double best = near * near;
    qint64 found = -1;
    for (qsizetype i = 0; i < density_.points.size() && i < density_.indices.size(); ++i) {
        const double dx = plot_->xAxis->coordToPixel(density_.points[i].x()) - place.x();
        const double dy = plot_->yAxis->coordToPixel(density_.points[i].y()) - place.y();
        if (dx * dx + dy * dy > best) continue;
        best = dx * dx + dy * dy;
        found = density_.indices[i];
    }
    return found;
}

void ScatterPage::point(const QPointF& place) {
    if (density_.columns == 0) return;
    const double x = plot_->xAxis->pixelToCoord(place.x()), y = plot_->yAxis->pixelToCoord(place.y());
    QString text = QStringLiteral("%1 %2   %3 %4")
                       .arg(xName(), numberText(x, scatterNumbers), yName(), numberText(y, scatterNumbers));
    const bool inside = x >= density_.xLow && x <= density_.xHigh && y >= density_.yLow && y <= density_.yHigh;
    if (inside && density_.points.isEmpty()) {
        const int column = std::min(density_.columns - 1,
                                    int((x - density_.xLow) / (density_.xHigh - density_.xLow) * density_.columns));
        const int row =
            std::min(density_.rows - 1, int((y - density_.yLow) / (density_.yHigh - density_.yLow) * density_.rows));
        const quint32 count = density_.counts.value(qsizetype(row) * density_.columns + column);
        text += QStringLiteral("   ") + tr("%1 pairs here").arg(formatCount(count));
    } else if (const qint64 index = indexAt(place); index >= 0) {
        text = positionText(info_.shape, index) + QStringLiteral("   ") + text;
    }
    readout_->setText(text);
}

QString ScatterPage::readout() const { return readout_->text(); }

/// The points that are drawn, else the counts.
QString ScatterPage::valuesText(QChar separator) const {
    QStringList lines;
    if (!density_.points.isEmpty()) {
        lines << QStringList{tr("index"), xName(), yName()}.join(separator);
        for (qsizetype i = 0; i < density_.points.size(); ++i)
            lines << QStringList{QString::number(density_.indices.value(i)),
                                 QString::number(density_.points[i].x(), 'g', 17),
                                 QString::number(density_.points[i].y(), 'g', 17)}
                         .join(separator);
    } else {
        if (density_.columns == 0) return {};
        lines << QStringList{xName(), yName(), tr("count")}.join(separator);
        for (qsizetype i = 0; i < density_.counts.size(); ++i) {
            if (density_.counts[i] == 0) continue;
            const qsizetype column = i % density_.columns, row = i / density_.columns;
            const double width = (density_.xHigh - density_.xLow) / density_.columns;
            const double height = (density_.yHigh - density_.yLow) / density_.rows;
            const double x = density_.xLow + (double(column) + 0.5) * width;
            const double y = density_.yLow + (double(row) + 0.5) * height;
            lines << QStringList{QString::number(x, 'g', 9), QString::number(y, 'g', 9),
                                 QString::number(density_.counts[i])}
                         .join(separator);
        }
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace warplight::ui
