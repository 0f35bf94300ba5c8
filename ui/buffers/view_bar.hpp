// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QPointer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QSpinBox;

namespace warplight::ui {

/// Chooses what the pages show of a buffer: two of its axes at given indices of the others, and the part of complex
/// numbers. The choice stays for a buffer of the same type and shape. The bar is hidden where there is nothing to
/// choose.
class ViewBar : public QWidget {
    Q_OBJECT
public:
    explicit ViewBar(QWidget* parent = nullptr);
    ~ViewBar() override;

    void setBuffer(BufferSource* source, const BufferInfo& info);
    /// The buffer itself, or what is derived of it.
    const BufferInfo& shown() const { return shown_; }
    bool isDerived() const { return shown_.id != base_.id; }

    void setSliced(bool on);
    void setAxes(int rows, int columns);
    /// Of an axis that is neither rows nor columns.
    void setIndex(int axis, qint64 index);
    void setPart(int part); ///< a place in the list of parts

signals:
    void shownChanged();
    void saveRequested();
    void message(const QString& text);

private:
    /// Axes that can be chosen: of complex numbers in pairs of floats, the last one is no axis.
    QList<qint64> shape() const;
    bool isPairs() const;
    bool hasParts() const;
    void rebuild();
    void showBoxes();
    void derive();
    void slice(const BufferInfo& of);
    void take(const BufferInfo& info);
    void fail(const QString& error);
    QString name() const;

    QPointer<BufferSource> source_;
    BufferInfo base_, shown_;
    QList<qint64> used_, coming_; ///< derived buffers of what is shown, and of what is asked for
    quint64 generation_ = 0;
    QCheckBox* sliced_;
    QComboBox *rows_, *columns_, *part_;
    QWidget* axes_;
    QHBoxLayout* boxesRow_;
    QList<QSpinBox*> boxes_; ///< one for each axis
    QWidget* save_;
};

} // namespace warplight::ui
