// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/image_canvas.hpp"
#include "ui/buffers/image_view.hpp"

#include <functional>
#include <optional>
#include <utility>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace warplight::ui {

class ExportButton;
class PlaneBox;

/// A two-dimensional buffer as a picture: RGB where it has three or four channels, else a heat map.
class ImagePage : public QWidget {
    Q_OBJECT
public:
    explicit ImagePage(Theme& theme, QWidget* parent = nullptr);

    /// @param beside shown at the right where it has the same height and width, with the same zoom, colours and cursor
    void setBuffer(BufferSource* source, const BufferInfo& info, const BufferInfo& beside = {});
    /// Tells which buffers are given as textures and surfaces.
    void setTextureKinds(std::function<std::optional<session::TextureKind>(const BufferInfo&)> kinds) {
        kinds_ = std::move(kinds);
    }
    PlaneBox* planeBox() const { return plane_; }
    ImageView* view() const { return view_; }
    ImageView* beside() const { return beside_; }
    ImageCanvas* canvas() const { return view_->canvas(); }
    const QImage& image() const { return view_->image(); }
    QComboBox* mapBox() const { return map_; }
    QComboBox* rangeBox() const { return range_; }
    void setManualRange(double low, double high);
    ExportButton* exportButton() const { return export_; }
    QString readout() const;
    bool isShowingNote() const;
    /// Marks the pixel of an element, in its plane; -1 marks none.
    void setIndex(qint64 flatIndex);
    void setMarks(std::shared_ptr<const MismatchSet> marks) { view_->setMarks(std::move(marks)); }

signals:
    void indexChosen(qint64 flatIndex);
    void message(const QString& text);

private:
    void restyle();
    void recolour();
    void link(ImageView* view, ImageView* other);
    void point(const QPoint& pixel);
    void paintScale();
    QString valuesText(QChar separator) const;

    Theme& theme_;
    QStackedWidget* stack_;
    ImageView *view_, *beside_;
    QComboBox *map_, *range_;
    PlaneBox* plane_;
    std::function<std::optional<session::TextureKind>(const BufferInfo&)> kinds_;
    QLineEdit *low_, *high_;
    ExportButton* export_;
    QLabel *readout_, *note_, *scale_;
};

} // namespace warplight::ui
