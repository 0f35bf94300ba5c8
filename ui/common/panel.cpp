// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/panel.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QShowEvent>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace warplight::ui {

Panel::Panel(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), stack_(new QStackedLayout(this)), note_(new QWidget),
      noteIcon_(new QLabel), noteTitle_(new QLabel), noteHint_(new QLabel), noteButton_(new QPushButton) {
    auto* column = new QVBoxLayout(note_);
    column->setContentsMargins(3 * Theme::grid, 2 * Theme::grid, 3 * Theme::grid, 2 * Theme::grid);
    column->setSpacing(Theme::grid);
    column->addStretch(1);
    noteIcon_->setAlignment(Qt::AlignHCenter);
    noteTitle_->setAlignment(Qt::AlignHCenter);
    noteTitle_->setWordWrap(true);
    noteHint_->setAlignment(Qt::AlignHCenter);
    noteHint_->setWordWrap(true);
    noteHint_->setObjectName(QStringLiteral("emptyNoteHint"));
    noteTitle_->setObjectName(QStringLiteral("emptyNoteTitle"));
    column->addWidget(noteIcon_);
    column->addWidget(noteTitle_);
    column->addWidget(noteHint_);
    column->addWidget(noteButton_, 0, Qt::AlignHCenter);
    column->addStretch(2);
    stack_->addWidget(note_);
    connect(noteButton_, &QPushButton::clicked, this, [this] {
        if (noteAction_) noteAction_->trigger();
    });
    connect(&theme(), &Theme::themeChanged, this, &Panel::restyle);
    noteButton_->hide();
    restyle();
}

bool Panel::isShowingEmptyNote() const { return stack_->currentWidget() == note_; }

QSize Panel::contentMinimum() const {
    const QWidget* content = content_ ? content_ : this;
    for (const QWidget* child : content->findChildren<QWidget*>())
        child->ensurePolished(); // one that was never shown has no style yet
    return content->minimumSizeHint();
}

void Panel::setContent(QWidget* content) {
    content_ = content;
    stack_->addWidget(content);
    stack_->setCurrentWidget(content);
}

void Panel::showContent() {
    if (!content_) return;
    content_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    stack_->setCurrentWidget(content_);
}

void Panel::showEmptyNote(const QString& icon, const QString& title, const QString& hint, QAction* action) {
    noteIconName_ = icon;
    noteTitle_->setText(title);
    noteHint_->setText(hint);
    noteAction_ = action;
    noteButton_->setVisible(action != nullptr);
    if (action) {
        noteButton_->setText(action->iconText());
        noteButton_->setIcon(action->icon());
    }
    restyle();
    // A note needs less room than the content that is not there.
    if (content_) content_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    stack_->setCurrentWidget(note_);
}

void Panel::restyle() {
    const Colours& c = theme().colours();
    QFont font = this->font();
    font.setBold(true);
    noteTitle_->setFont(font);
    QPalette palette = noteHint_->palette();
    palette.setColor(QPalette::WindowText, c.mutedText);
    noteHint_->setPalette(palette);
    const QIcon drawn = noteIconName_.isEmpty() ? QIcon() : ui::icon(noteIconName_, c.mutedText);
    noteIcon_->setVisible(!drawn.isNull());
    noteIcon_->setPixmap(drawn.pixmap(QSize(scaledPixels(32), scaledPixels(32)), devicePixelRatioF()));
}

void Panel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    restyle(); // with a new parent the style sheet has taken the note's font and colour away
    emit panelShown();
}

} // namespace warplight::ui
