// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/command_palette.hpp"

#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

namespace warplight::ui {
namespace {

/// The name on the left, the keys on the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QString keys = index.data(ActionsModel::ShortcutRole).toString();
        if (keys.isEmpty()) return;
        painter->save();
        painter->setPen(option.palette.color(option.state & QStyle::State_Selected ? QPalette::HighlightedText
                                                                                   : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -Theme::grid, 0), Qt::AlignRight | Qt::AlignVCenter, keys);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(option.fontMetrics.height() + Theme::grid);
        return size;
    }
};

} // namespace

int matchRank(const QString& pattern, const QString& path) {
    const QString wanted = pattern.simplified().toLower(), text = path.toLower();
    const QString name = text.section(QStringLiteral(" › "), -1);
    if (name == wanted || name == wanted + QStringLiteral("…")) return 5;
    if (name.startsWith(wanted)) return 4;
    const auto begins = [&text](const QString& word) {
        for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
            if (at == 0 || !text[at - 1].isLetterOrNumber()) return true;
        return false;
    };
    const QStringList words = wanted.split(QLatin1Char(' '));
    if (std::all_of(words.cbegin(), words.cend(), begins)) return 3;
    if (text.contains(wanted)) return 2;
    return fuzzyScore(pattern, path) > 0 ? 1 : 0;
}

int fuzzyScore(const QString& pattern, const QString& text) {
    int score = 0, at = 0, last = -2;
    for (const QChar letter : pattern) {
        if (letter.isSpace()) continue;
        int found = -1;
        for (int i = at; i < text.size(); ++i)
            if (text[i].toLower() == letter.toLower()) {
                // The start of a word is a better place than its middle, if there is one ahead.
                const bool wordStart = i == 0 || !text[i - 1].isLetterOrNumber();
                if (found < 0 || wordStart || i == last + 1) found = i;
                if (wordStart || i == last + 1) break;
            }
        if (found < 0) return -1;
        const bool wordStart = found == 0 || !text[found - 1].isLetterOrNumber();
        score += found == last + 1 ? 8 : wordStart ? 6 : 1;
        last = found;
        at = found + 1;
    }
    // Of equals the shorter text is the closer one.
    return score * 100 - static_cast<int>(std::min<qsizetype>(text.size(), 99));
}

void ActionsModel::setEntries(QList<Entry> entries) {
    entries_ = std::move(entries);
    setFilter({});
}

void ActionsModel::setFilter(const QString& pattern) {
    // Commands come before files, the better match before the worse.
    QList<std::tuple<bool, int, int, int>> found;
    for (int i = 0; i < entries_.size(); ++i) {
        if (!entries_[i].action) continue;
        if (pattern.trimmed().isEmpty()) {
            found.append({entries_[i].file, 0, 0, i});
            continue;
        }
        const int rank = matchRank(pattern, entries_[i].path);
        if (rank > 0) found.append({entries_[i].file, -rank, -fuzzyScore(pattern, entries_[i].path), i});
    }
    std::sort(found.begin(), found.end()); // the best first, equals in the menus' order
    beginResetModel();
    shown_.clear();
    for (const auto& each : found)
        shown_ << std::get<3>(each);
    endResetModel();
}

QAction* ActionsModel::action(const QModelIndex& index) const {
    return index.isValid() && index.row() < shown_.size() ? entries_[shown_[index.row()]].action.data() : nullptr;
}

int ActionsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant ActionsModel::data(const QModelIndex& index, int role) const {
    const QAction* a = action(index);
    if (!a) return {};
    switch (role) {
    case Qt::DisplayRole:
    case PathRole: return entries_[shown_[index.row()]].path;
    case Qt::DecorationRole: {
        if (!a->icon().isNull()) return a->icon();
        // Names begin at one place, with a picture and without.
        QPixmap none(scaledPixels(16), scaledPixels(16));
        none.fill(Qt::transparent);
        return QIcon(none);
    }
    case ShortcutRole: return a->shortcut().toString(QKeySequence::NativeText);
    default: return {};
    }
}

Qt::ItemFlags ActionsModel::flags(const QModelIndex& index) const {
    const QAction* a = action(index);
    return a && a->isEnabled() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

CommandPalette::CommandPalette(QList<ActionsModel::Entry> entries, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint), model_(new ActionsModel(this)), filter_(new QLineEdit),
      list_(new QListView) {
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Command palette"));
    model_->setEntries(std::move(entries));
    filter_->setPlaceholderText(tr("Type the name of a command"));
    filter_->setAccessibleName(filter_->placeholderText());
    list_->setModel(model_);
    list_->setItemDelegate(new EntryDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setIconSize(QSize(scaledPixels(16), scaledPixels(16)));
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    column->addWidget(filter_);
    column->addWidget(list_);
    filter_->installEventFilter(this);
    const auto select = [this] {
        for (int row = 0; row < model_->rowCount(); ++row)
            if (model_->flags(model_->index(row)) & Qt::ItemIsEnabled) {
                list_->setCurrentIndex(model_->index(row));
                break;
            }
    };
    connect(filter_, &QLineEdit::textChanged, this, [this, select](const QString& text) {
        model_->setFilter(text);
        select();
    });
    connect(filter_, &QLineEdit::returnPressed, this, [this] { trigger(list_->currentIndex()); });
    connect(list_, &QListView::clicked, this, &CommandPalette::trigger);
    const QFontMetrics metrics(font());
    resize(metrics.averageCharWidth() * 72, metrics.height() * 24);
    if (parent) resize(size().boundedTo(parent->size() * 7 / 8));
    if (parent) move(parent->mapToGlobal(QPoint((parent->width() - width()) / 2, parent->height() / 8)));
    select();
    filter_->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == filter_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            QApplication::sendEvent(list_, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::trigger(const QModelIndex& index) {
    const QPointer<QAction> action = model_->action(index);
    if (!action || !action->isEnabled()) return;
    close();
    // Wait until the popup is gone, so that a dialog of the action gets the focus.
    QMetaObject::invokeMethod(
        qApp,
        [action] {
            if (action) action->trigger();
        },
        Qt::QueuedConnection);
}

} // namespace warplight::ui
