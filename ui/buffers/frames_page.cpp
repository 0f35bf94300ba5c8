// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/frames_page.hpp"

#include "ui/buffers/image_page.hpp"
#include "ui/common/colour_map.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/theme.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <qcustomplot.h>

namespace warplight::ui {

FramesPage::FramesPage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    build();
    connect(play_, &QToolButton::clicked, this, [this] { setPlaying(!isPlaying()); });
    connect(slider_, &QSlider::valueChanged, this, &FramesPage::show);
    connect(rate_, &QSpinBox::valueChanged, this, [this](int rate) { player_.setInterval(1000 / rate); });
    connect(&player_, &QTimer::timeout, this, &FramesPage::advance);
    connect(map_, &QComboBox::currentIndexChanged, this, [this] { show(frame()); });
    connect(&theme_, &Theme::themeChanged, this, &FramesPage::restyle);
    player_.setInterval(1000 / rate_->value());
    restyle();
    setFrames(nullptr, {}, {});
}

void FramesPage::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    stack_ = new QStackedWidget(this);
    column->addWidget(stack_);
    note_ = new QLabel(stack_);
    note_->setAlignment(Qt::AlignCenter);
    note_->setWordWrap(true);
    note_->setMargin(2 * Theme::grid);
    stack_->addWidget(note_);
    auto* page = new QWidget(stack_);
    stack_->addWidget(page);
    auto* inner = new QVBoxLayout(page);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(0);

    play_ = new QToolButton(page);
    play_->setFocusPolicy(Qt::StrongFocus);
    loop_ = new QToolButton(page);
    loop_->setIcon(icon(QStringLiteral("refresh")));
    loop_->setCheckable(true);
    loop_->setChecked(true);
    loop_->setFocusPolicy(Qt::StrongFocus);
    loop_->setToolTip(tr("Begins again behind the last frame"));
    loop_->setAccessibleName(tr("Play again and again"));
    slider_ = new QSlider(Qt::Horizontal, page);
    slider_->setAccessibleName(tr("Frame"));
    slider_->setMinimumWidth(80);
    rate_ = new QSpinBox(page);
    rate_->setRange(1, 60);
    rate_->setValue(20);
    rate_->setSuffix(tr(" a second"));
    rate_->setAccessibleName(tr("Frames a second"));
    map_ = new QComboBox(page);
    map_->addItems(ColourMap::names());
    map_->setCurrentIndex(ColourMap::Heat);
    map_->setAccessibleName(tr("Colour map"));
    place_ = new QLabel(page);
    place_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::grid);
    bar->addWidget(play_);
    bar->addWidget(slider_, 1);
    bar->addWidget(loop_);
    bar->addWidget(rate_);
    bar->addWidget(map_);
    bar->addWidget(place_);
    inner->addLayout(bar);

    views_ = new QStackedWidget(page);
    inner->addWidget(views_, 1);
    canvas_ = new ImageCanvas(views_);
    canvas_->setAccessibleName(tr("Picture of the frame; plus and minus zoom, 0 shows all"));
    views_->addWidget(canvas_);
    plot_ = new QCustomPlot(views_);
    plot_->setAccessibleName(tr("Curve of the frame"));
    plot_->addGraph();
    views_->addWidget(plot_);
}

void FramesPage::restyle() {
    canvas_->setColours(theme_.colours().alternate, theme_.colours().accent);
    place_->setFont(theme_.monospace());
    stylePlot(plot_, theme_);
    plot_->graph(0)->setPen(QPen(theme_.series(0), 1.5));
    plot_->replot(QCustomPlot::rpQueuedReplot);
    setPlaying(isPlaying());
}

int FramesPage::frameCount() const { return int(rounds_.size()); }
int FramesPage::frame() const { return slider_->value(); }
void FramesPage::setFrame(int frame) { slider_->setValue(frame); }
QString FramesPage::place() const { return place_->text(); }

qint64 FramesPage::elementsOfFrame() const { return frameCount() ? info_.count() / frameCount() : 0; }

void FramesPage::setFrames(BufferSource* source, const BufferInfo& info, const std::vector<std::uint64_t>& rounds) {
    ++generation_;
    setPlaying(false);
    source_ = source;
    info_ = info;
    rounds_ = rounds;
    cache_.clear();
    range_.reset();
    reading_ = shown_ = -1;
    image_ = {};
    BufferInfo one = info;
    if (!one.shape.isEmpty()) one.shape.removeFirst();
    shape_ = ImageShape::of(one);
    const bool usable = source && info.isValid() && info.type.isNumeric() && frameCount() > 0 && elementsOfFrame() > 0;
    stack_->setCurrentIndex(usable ? 1 : 0);
    if (!usable) {
        note_->setText(info.isValid() ? tr("The frames of %1 have no numbers.").arg(info.name)
                                      : tr("A pipeline can keep a buffer now and then. Choose one in Launch: Frames."));
        return;
    }
    const bool picture = shape_.isValid() && shape_.planes == 1;
    if (!picture) shape_ = {};
    views_->setCurrentWidget(picture ? static_cast<QWidget*>(canvas_) : plot_);
    map_->setVisible(picture && shape_.channels == 1);
    if (picture) canvas_->setPicture(QSize(int(shape_.width), int(shape_.height)));
    place_->setMinimumWidth(
        QFontMetrics(place_->font())
            .horizontalAdvance(tr("Frame %1 of %1, round %2").arg(frameCount()).arg(rounds_.back())));
    {
        const QSignalBlocker block(slider_);
        slider_->setRange(0, frameCount() - 1);
        slider_->setPageStep(std::max(1, frameCount() / 10));
        slider_->setValue(0);
    }
    if (!isVisible()) return; // a hidden page reads nothing
    askRange();
    show(0);
}

void FramesPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stack_->currentIndex() == 0 || shown_ >= 0) return;
    askRange();
    show(frame());
}

void FramesPage::hideEvent(QHideEvent* event) {
    setPlaying(false);
    QWidget::hideEvent(event);
}

void FramesPage::askRange() {
    if (!source_ || range_) return;
    const quint64 generation = generation_;
    source_->summary(info_.id, 2, this, [this, generation](const BufferReply<BufferSummary>& reply) {
        if (generation != generation_ || !reply.ok()) return;
        range_ = {reply.value.minimum, reply.value.maximum};
        show(frame());
    });
}

void FramesPage::setPlaying(bool playing) {
    if (playing && frameCount() < 2) return;
    if (playing && !isPlaying()) {
        if (frame() == frameCount() - 1) setFrame(0);
        player_.start();
    }
    if (!playing) player_.stop();
    play_->setIcon(icon(playing ? QStringLiteral("pause") : QStringLiteral("run")));
    play_->setToolTip(playing ? tr("Stops at this frame") : tr("Shows one frame after the other"));
    play_->setAccessibleName(playing ? tr("Pause") : tr("Play"));
}

void FramesPage::advance() {
    if (reading_ >= 0) return; // slower than it should be, and no frame is left out
    if (frame() + 1 < frameCount()) return setFrame(frame() + 1);
    if (loop_->isChecked()) return setFrame(0);
    setPlaying(false);
}

void FramesPage::show(int frame) {
    if (!source_ || frame < 0 || frame >= frameCount()) return;
    place_->setText(tr("Frame %1 of %2, round %3").arg(frame + 1).arg(frameCount()).arg(rounds_[std::size_t(frame)]));
    if (const QByteArray* bytes = cache_.object(frame)) {
        shown_ = frame;
        return paint(*bytes);
    }
    if (reading_ < 0) read(frame);
}

void FramesPage::read(int frame) {
    reading_ = frame;
    const quint64 generation = generation_;
    const qint64 count = elementsOfFrame();
    const auto whole = std::make_shared<QByteArray>();
    // The worker gives a large frame in several pieces.
    const auto next = std::make_shared<std::function<void()>>();
    const std::weak_ptr<std::function<void()>> again = next;
    *next = [this, frame, generation, count, whole, next = again] {
        const auto self = next.lock();
        const qint64 done = whole->size() / info_.type.size;
        source_->read(info_.id, frame * count + done, count - done, this,
                      [this, self, frame, generation, count, whole](const BufferReply<QByteArray>& reply) {
                          if (generation != generation_) return;
                          if (reply.ok() && !reply.value.isEmpty()) {
                              whole->append(reply.value);
                              if (whole->size() < count * info_.type.size) return (*self)();
                          }
                          reading_ = -1;
                          if (whole->size() < count * info_.type.size) {
                              setPlaying(false);
                              emit message(reply.ok() ? tr("The frame cannot be read.") : reply.error);
                              return;
                          }
                          // Painted from here: the cache drops a frame that is larger than itself.
                          if (frame == this->frame()) {
                              shown_ = frame;
                              paint(*whole);
                          }
                          cache_.insert(frame, new QByteArray(*whole), std::max<qsizetype>(1, whole->size()));
                          if (frame != this->frame()) show(this->frame());
                      });
    };
    (*next)();
}

std::pair<double, double> FramesPage::colourRange() const {
    if (shape_.channels > 1 && info_.type.kind == ElementKind::UInt8) return {0, 255};
    return range_.value_or(std::pair(0.0, 1.0));
}

void FramesPage::paint(const QByteArray& bytes) {
    if (shape_.isValid())
        paintPicture(bytes);
    else
        paintCurve(bytes);
}

void FramesPage::paintPicture(const QByteArray& bytes) {
    const auto [low, high] = colourRange();
    const double range = high > low ? high - low : 1;
    const ColourMap map(ColourMap::Name(map_->currentIndex()));
    const QRgb none = theme_.colours().error.rgb(); // NaN and infinity stand out
    const int width = int(shape_.width), height = int(shape_.height), channels = shape_.channels;
    QImage image(width, height, channels == 4 ? QImage::Format_ARGB32 : QImage::Format_RGB32);
    const char* at = bytes.constData();
    const auto take = [&] {
        const double value = info_.type.toDouble(at);
        at += info_.type.size;
        return value;
    };
    for (int y = 0; y < height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < width; ++x) {
            if (channels == 1) {
                const double value = take();
                line[x] = std::isfinite(value) ? map.at((value - low) / range) : none;
                continue;
            }
            int parts[4] = {0, 0, 0, 255};
            for (int c = 0; c < channels; ++c) {
                const double t = (take() - low) / range;
                parts[c] = std::isfinite(t) ? int(std::lround(std::clamp(t, 0.0, 1.0) * 255)) : 0;
            }
            line[x] = qRgba(parts[0], parts[1], parts[2], parts[3]);
        }
    }
    image_ = image;
    canvas_->setImage(image_, QRect(0, 0, width, height));
}

void FramesPage::paintCurve(const QByteArray& bytes) {
    constexpr qint64 mostPoints = 4096;
    const qint64 count = elementsOfFrame();
    const qint64 step = std::max<qint64>(1, count / mostPoints);
    QVector<double> x, y;
    x.reserve(count / step + 1);
    y.reserve(count / step + 1);
    for (qint64 i = 0; i < count; i += step) {
        x.append(double(i));
        y.append(info_.type.toDouble(bytes.constData() + i * info_.type.size));
    }
    QCPGraph* graph = plot_->graph(0);
    graph->setData(x, y, true);
    if (count == 1) graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 7));
    plot_->xAxis->setRange(0, double(std::max<qint64>(1, count - 1)));
    const auto [low, high] = range_.value_or(std::pair(0.0, 1.0));
    const double margin = high > low ? (high - low) * 0.05 : 0.5;
    plot_->yAxis->setRange(low - margin, high + margin);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace warplight::ui
