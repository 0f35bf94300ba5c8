// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/form_dialog.hpp"

#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QApplication>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QHeaderView>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

QSize roomForDialog(const QWidget* widget) {
    constexpr QSize frame(16, 40); // of the window manager: known only once the dialog is shown
    return widget->screen()->availableGeometry().size() - frame;
}

class FormDialog::Scroll : public QScrollArea {
public:
    explicit Scroll(QWidget* form) {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);
        setWidget(form);
    }
    /// How high the form is at this width.
    int heightFor(int width) const {
        return widget()->hasHeightForWidth() ? widget()->heightForWidth(width) : widget()->sizeHint().height();
    }
    /// QScrollArea limits its size hint to a small height.
    QSize sizeHint() const override { return widget()->sizeHint(); }
    QSize minimumSizeHint() const override { return {scaledPixels(160), scaledPixels(64)}; }
};

int heightOfFourRows(const QTreeView& list) {
    list.ensurePolished();
    const int row = std::max(list.sizeHintForRow(0), list.fontMetrics().lineSpacing() + Theme::half);
    return list.header()->sizeHint().height() + 4 * row + 2 * list.frameWidth();
}

void FormDialog::setForm(QWidget* form, QDialogButtonBox* buttons, QWidget* note) {
    scroll_ = new Scroll(form);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Theme::grid, 2 * Theme::grid, 2 * Theme::grid, 2 * Theme::grid);
    column->setSpacing(2 * Theme::grid);
    column->addWidget(scroll_, 1);
    if (note) column->addWidget(note);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    form->installEventFilter(this);
    // QScrollArea does this for the tab key only, and shows the cursor of a field instead of the field.
    connect(qApp, &QApplication::focusChanged, scroll_, [this, form](const QWidget*, const QWidget* now) {
        if (!now || !form->isAncestorOf(now)) return;
        const QPoint middle = now->mapTo(form, now->rect().center());
        scroll_->ensureVisible(middle.x(), middle.y(), 0, now->height() / 2 + Theme::half);
    });
}

QSize FormDialog::wantedSize() const {
    ensurePolished();
    const QSize room = roomForDialog(isVisible() || !parentWidget() ? this : parentWidget());
    const QMargins margins = layout()->contentsMargins();
    const auto sizeAt = [&](int width) {
        const int inner = width - margins.left() - margins.right();
        int height = margins.top() + margins.bottom() + scroll_->heightFor(inner);
        for (int i = 0; i < layout()->count(); ++i) {
            const QLayoutItem* item = layout()->itemAt(i);
            if (item->isEmpty() || item->widget() == scroll_) continue;
            height += layout()->spacing() +
                      (item->hasHeightForWidth() ? item->heightForWidth(inner) : item->sizeHint().height());
        }
        return QSize(width, height);
    };
    QSize size = sizeAt(std::max(layout()->sizeHint().width(), minimumWidth()));
    if (size.height() > room.height())
        size = sizeAt(std::min(room.width(), size.width() + scroll_->verticalScrollBar()->sizeHint().width()));
    return size.boundedTo(room);
}

void FormDialog::resizeOnScreen(const QSize& size) {
    resize(size);
    if (!isVisible()) return; // QDialog finds the place
    const QRect screen = this->screen()->availableGeometry(), frame = frameGeometry();
    move(std::max(screen.left(), std::min(frame.left(), screen.right() + 1 - frame.width())),
         std::max(screen.top(), std::min(frame.top(), screen.bottom() + 1 - frame.height())));
}

void FormDialog::wrapRows() {
    ensurePolished();
    const QMargins margins = layout()->contentsMargins();
    const int room = roomForDialog(parentWidget() ? parentWidget() : this).width() - margins.left() - margins.right() -
                     scroll_->verticalScrollBar()->sizeHint().width();
    if (scroll_->widget()->minimumSizeHint().width() <= room) return;
    for (QFormLayout* form : scroll_->widget()->findChildren<QFormLayout*>())
        form->setRowWrapPolicy(QFormLayout::WrapAllRows);
}

void FormDialog::fitToContent() {
    // Before the dialog is shown, fonts and rows are not final.
    if (!isVisible()) return;
    scroll_->updateGeometry();
    resizeOnScreen(wanted_ = wantedSize());
}

void FormDialog::setVisible(bool visible) {
    if (visible && !isVisible() && scroll_) {
        wrapRows();
        resizeOnScreen(wanted_ = wantedSize());
    }
    QDialog::setVisible(visible);
}

bool FormDialog::event(QEvent* event) {
    const bool result = QDialog::event(event);
    // The dialog grows for a longer message. Otherwise it keeps the size that the user gave it.
    if (event->type() == QEvent::LayoutRequest && scroll_ && isVisible()) {
        const QSize before = wanted_;
        wanted_ = wantedSize();
        if (wanted_.height() > before.height()) resizeOnScreen(wanted_.expandedTo(size()));
    }
    return result;
}

bool FormDialog::eventFilter(QObject* watched, QEvent* event) {
    // A scroll area does not tell its layout when its content wants another size.
    if (event->type() == QEvent::LayoutRequest) scroll_->updateGeometry();
    return QDialog::eventFilter(watched, event);
}

} // namespace warplight::ui
