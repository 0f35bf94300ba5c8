// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/image_view.hpp"

class QLabel;
class QSpinBox;

namespace warplight::ui {

/// Actual − expected as a picture in false colours: white where they are equal, blue below, red above.
class DifferencePicture : public QWidget {
    Q_OBJECT
public:
    explicit DifferencePicture(Theme& theme, QWidget* parent = nullptr);
    ~DifferencePicture() override;

    /// Numbers of two axes or more, of one shape; not colours.
    static bool canShow(const BufferInfo& actual, const BufferInfo& expected);
    void setBuffers(BufferSource* source, const BufferInfo& actual, const BufferInfo& expected);
    void clear();
    void setIndex(qint64 flatIndex); ///< marks the pixel; -1 marks none
    ImageView* view() const { return view_; }
    QString readout() const;

signals:
    void indexChosen(qint64 flatIndex);
    void indexRequested(qint64 flatIndex);

private:
    void restyle();
    void point(const QPoint& pixel);

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo difference_;
    quint64 generation_ = 0;
    qint64 index_ = -1;
    ImageView* view_;
    QSpinBox* plane_;
    QLabel *low_, *scale_, *high_, *readout_;
};

} // namespace warplight::ui
