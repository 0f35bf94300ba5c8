// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"
#include "ui/buffers/image_sampler.hpp"

#include <QCache>
#include <QImage>
#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

class QComboBox;
class QCustomPlot;
class QLabel;
class QSlider;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace warplight::ui {

class ImageCanvas;
class Theme;

/// The frames of a pipeline, played: pictures where a frame has two dimensions, curves where it has one. Colours and
/// axes are the same for all of them.
class FramesPage : public QWidget {
    Q_OBJECT
public:
    explicit FramesPage(Theme& theme, QWidget* parent = nullptr);

    /// @param rounds behind which the frames were kept
    void setFrames(BufferSource* source, const BufferInfo& info, const std::vector<std::uint64_t>& rounds);
    int frameCount() const;
    int frame() const; ///< that is shown or on its way
    void setFrame(int frame);
    bool isPlaying() const { return player_.isActive(); }
    void setPlaying(bool playing);
    const QImage& image() const { return image_; }
    QString place() const; ///< "Frame 3 of 201, round 20"
    QSlider* slider() const { return slider_; }
    QSpinBox* rate() const { return rate_; }
    QToolButton* playButton() const { return play_; }
    QToolButton* loopButton() const { return loop_; }

signals:
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build();
    void restyle();
    void advance();
    void show(int frame);
    void read(int frame);
    void paint(const QByteArray& bytes);
    void paintPicture(const QByteArray& bytes);
    void paintCurve(const QByteArray& bytes);
    void askRange();
    qint64 elementsOfFrame() const;
    std::pair<double, double> colourRange() const;

    static constexpr qint64 cacheBytes = 96 * 1024 * 1024;

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo info_;
    std::vector<std::uint64_t> rounds_;
    ImageShape shape_; ///< of one frame; not valid: it is a curve
    QCache<int, QByteArray> cache_{cacheBytes};
    std::optional<std::pair<double, double>> range_; ///< of all frames
    int reading_ = -1, shown_ = -1;
    quint64 generation_ = 0;
    QImage image_;
    QTimer player_;
    QStackedWidget *stack_, *views_;
    ImageCanvas* canvas_;
    QCustomPlot* plot_;
    QLabel *note_, *place_;
    QToolButton *play_, *loop_;
    QSlider* slider_;
    QSpinBox* rate_;
    QComboBox* map_;
};

} // namespace warplight::ui
