// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/image_view.hpp"

class QComboBox;
class QLabel;
class QSpinBox;

namespace warplight::ui {

/// Actual − expected as a picture in false colours: white where they are equal, blue below, red above. Of complex
/// numbers it is the magnitude of the difference, or the difference of a part; of pixels that of the channel that
/// differs most, or of one.
class DifferencePicture : public QWidget {
    Q_OBJECT
public:
    explicit DifferencePicture(Theme& theme, QWidget* parent = nullptr);
    ~DifferencePicture() override;

    /// Numbers of two axes or more, of one shape and kind.
    static bool canShow(const BufferInfo& actual, const BufferInfo& expected);
    void setBuffers(BufferSource* source, const BufferInfo& actual, const BufferInfo& expected);
    void clear();
    void setIndex(qint64 flatIndex); ///< marks the pixel; -1 marks none
    ImageView* view() const { return view_; }
    QComboBox* kindBox() const { return kind_; } ///< hidden where there is one kind of difference only
    QString readout() const;

signals:
    void indexChosen(qint64 flatIndex);
    void indexRequested(qint64 flatIndex);

private:
    /// What is subtracted.
    enum class Kind { Numbers, Magnitude, Real, Imaginary, Phase, LargestChannel, Channel };
    void restyle();
    void reset();
    void fillKinds();
    void subtract();
    void show(const BufferInfo& difference);
    void paintScale();
    Kind kind() const;
    int channel() const;
    bool isSigned() const;
    qint64 elementsOfPixel() const;
    void point(const QPoint& pixel);

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo actual_, expected_, difference_;
    quint64 generation_ = 0;
    qint64 index_ = -1;
    ImageView* view_;
    QComboBox* kind_;
    QSpinBox* plane_;
    QLabel *low_, *scale_, *high_, *readout_;
};

} // namespace warplight::ui
