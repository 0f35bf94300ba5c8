// SPDX-License-Identifier: GPL-3.0-or-later
/// A dialog that is never larger than its screen. Its fields scroll where there is too little room; its buttons stay.
#pragma once

#include <QDialog>

class QDialogButtonBox;
class QScrollArea;
class QTreeView;

namespace warplight::ui {

/// How large a dialog can be on the screen of this widget, with a frame around it.
QSize roomForDialog(const QWidget* widget);

/// How high a list must be to show its header and four rows.
int heightOfFourRows(const QTreeView& list);

class FormDialog : public QDialog {
public:
    explicit FormDialog(QWidget* parent = nullptr) : QDialog(parent) {}
    void setVisible(bool visible) override;

protected:
    /// Call once, with a widget that has all fields. The note stands above the buttons and never scrolls.
    void setForm(QWidget* form, QDialogButtonBox* buttons, QWidget* note = nullptr);
    /// Makes the dialog as large as its content, within the screen. Call it after rows came or went.
    void fitToContent();
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// Labels stand above their fields where there is no room beside them.
    void wrapRows();
    QSize wantedSize() const;
    void resizeOnScreen(const QSize& size);

    class Scroll;
    Scroll* scroll_ = nullptr;
    QSize wanted_;
};

} // namespace warplight::ui
