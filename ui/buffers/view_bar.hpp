// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/derived_view.hpp"

#include <QPointer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QSpinBox;

namespace warplight::ui {

/// Chooses what the pages show of a buffer: a field of structs, two of its axes at given indices of the others, and the
/// part of complex numbers. The choice stays for a buffer of the same type and shape. The bar is hidden where there is
/// nothing to choose.
class ViewBar : public QWidget {
    Q_OBJECT
public:
    explicit ViewBar(QWidget* parent = nullptr);
    ~ViewBar() override;

    void setBuffer(BufferSource* source, const BufferInfo& info);
    /// The buffer itself, or what is derived of it.
    const BufferInfo& shown() const { return shown_; }
    bool isDerived() const { return shown_.id != given_.id; }
    /// What is chosen of the buffer. It can be made of another one of the same type.
    BufferView choice() const;
    /// The bar does not close what is shown any more.
    BufferInfo release();
    /// The place in the whole buffer of an element that is shown, and the other way; -1 where it is not shown.
    qint64 wholeIndex(qint64 shownIndex) const;
    qint64 shownIndex(qint64 wholeIndex) const;
    /// As in BufferInfo::fields; empty: all of them.
    void setField(const QString& name);

    void setSliced(bool on);
    void setAxes(int rows, int columns);
    /// Of an axis that is neither rows nor columns.
    void setIndex(int axis, qint64 index);
    void setPart(int part); ///< a place in the list of parts

signals:
    void shownChanged();
    void saveRequested();
    void keepRequested(); ///< as a buffer of its own
    void message(const QString& text);

private:
    /// Axes that can be chosen: of complex numbers in pairs of floats, the last one is no axis.
    QList<qint64> shape() const;
    void chooseField();
    void setBase(const BufferInfo& info);
    void closeField();
    bool isSliced() const;
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
    BufferInfo given_, base_, shown_; ///< base: the buffer, or the field of it that is chosen
    QList<qint64> used_, coming_;     ///< derived buffers of what is shown, and of what is asked for
    qint64 fieldId_ = -1;             ///< of the field that is chosen
    QList<qint64> fields_;            ///< of fields that were shown
    quint64 generation_ = 0, fieldGeneration_ = 0;
    QCheckBox* sliced_;
    QComboBox *field_, *rows_, *columns_, *part_;
    QWidget* axes_;
    QHBoxLayout* boxesRow_;
    QList<QSpinBox*> boxes_; ///< one for each axis
    QWidget *save_, *keep_;
};

} // namespace warplight::ui
