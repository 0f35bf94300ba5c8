// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/shortcuts_dialog.hpp"

#include "ui/common/form_dialog.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/settings/shortcuts.hpp"

#include <QAction>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace warplight::ui {
namespace {

QString nameOf(const QAction* action) {
    return QString(action->text()).remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString keysOf(const QAction* action) {
    return QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
}

} // namespace

ShortcutsDialog::ShortcutsDialog(Shortcuts& shortcuts, QWidget* parent) : QDialog(parent), shortcuts_(shortcuts) {
    setWindowTitle(tr("Keyboard Shortcuts"));
    words_ = new QLineEdit;
    words_->setPlaceholderText(tr("Find a command or keys"));
    words_->setAccessibleName(words_->placeholderText());
    words_->setClearButtonEnabled(true);
    list_ = new QTreeWidget;
    list_->setColumnCount(2);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setAlternatingRowColors(true);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->setAccessibleName(tr("Commands"));
    keys_ = new QKeySequenceEdit;
    keys_->setClearButtonEnabled(true);
    keys_->setToolTip(tr("Press the keys that the command is to have"));
    set_ = new QPushButton(tr("&Set"));
    restore_ = new QPushButton(tr("&Restore"));
    restore_->setToolTip(tr("Gives the command the keys that it came with"));
    auto* label = new QLabel(tr("New &keys"));
    label->setBuddy(keys_);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(keys_, 1);
    row->addWidget(set_);
    row->addWidget(restore_);
    note_ = new QLabel;
    note_->setObjectName(QStringLiteral("shortcutNote"));
    note_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    all_ = buttons->addButton(tr("Restore &All"), QDialogButtonBox::ResetRole);
    auto* column = new QVBoxLayout(this);
    column->addWidget(words_);
    column->addWidget(list_, 1);
    column->addLayout(row);
    column->addWidget(note_);
    note_->hide();
    column->addWidget(buttons);
    // Enter in the field of keys is a key.
    for (QPushButton* button : findChildren<QPushButton*>())
        button->setAutoDefault(false);
    resize(QSize(scaledPixels(560), scaledPixels(560)).boundedTo(roomForDialog(this)));

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(words_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    connect(list_, &QTreeWidget::currentItemChanged, this, &ShortcutsDialog::choose);
    connect(list_, &QTreeWidget::itemActivated, this, [this] { keys_->setFocus(); });
    connect(keys_, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsDialog::check);
    connect(set_, &QPushButton::clicked, this, [this] {
        shortcuts_.set(current(), keys_->keySequence());
        refresh();
    });
    connect(restore_, &QPushButton::clicked, this, [this] {
        shortcuts_.restore(current());
        refresh();
    });
    connect(all_, &QPushButton::clicked, this, [this] {
        shortcuts_.restoreAll();
        refresh();
    });
    fill();
    refresh();
}

void ShortcutsDialog::fill() {
    for (QAction* action : shortcuts_.actions()) {
        auto* item = new QTreeWidgetItem(list_, {nameOf(action), QString()});
        item->setData(0, Qt::UserRole, QVariant::fromValue(static_cast<QObject*>(action)));
    }
    list_->setCurrentItem(list_->topLevelItem(0));
}

QAction* ShortcutsDialog::current() const {
    const QTreeWidgetItem* item = list_->currentItem();
    return item ? qobject_cast<QAction*>(item->data(0, Qt::UserRole).value<QObject*>()) : nullptr;
}

void ShortcutsDialog::filter() {
    const QString words = words_->text().trimmed();
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = list_->topLevelItem(i);
        const bool found =
            item->text(0).contains(words, Qt::CaseInsensitive) || item->text(1).contains(words, Qt::CaseInsensitive);
        item->setHidden(!found);
        if (found && !first) first = item;
    }
    if (list_->currentItem() && list_->currentItem()->isHidden()) list_->setCurrentItem(first);
}

void ShortcutsDialog::choose() {
    const QAction* action = current();
    keys_->setKeySequence(action ? action->shortcut() : QKeySequence());
    check();
}

void ShortcutsDialog::check() {
    const QAction* action = current();
    const QKeySequence keys = keys_->keySequence();
    const QString problem = Shortcuts::problem(keys);
    const QAction* other = action && problem.isEmpty() ? shortcuts_.ownerOf(keys, action) : nullptr;
    if (!problem.isEmpty())
        note_->setText(QStringLiteral("⚠ ") + problem);
    else if (other)
        note_->setText(tr("%1 has these keys, or keys that begin like them. It loses them.").arg(nameOf(other)));
    note_->setVisible(!problem.isEmpty() || other); // else the list has its room
    set_->setEnabled(action && problem.isEmpty() && keys != action->shortcut());
    restore_->setEnabled(action && shortcuts_.isChanged(action));
}

void ShortcutsDialog::refresh() {
    bool any = false;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = list_->topLevelItem(i);
        const auto* action = qobject_cast<QAction*>(item->data(0, Qt::UserRole).value<QObject*>());
        item->setText(1, keysOf(action));
        QFont font = item->font(1);
        font.setBold(shortcuts_.isChanged(action));
        item->setFont(1, font);
        any = any || shortcuts_.isChanged(action);
    }
    all_->setEnabled(any);
    choose();
}

} // namespace warplight::ui
