// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/find_bar.hpp"

#include "ui/code/code_view.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace warplight::ui {

FindBar::FindBar(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    column->setSpacing(Theme::half);
    options_ = new QWidget(this);
    auto* row = new QHBoxLayout(options_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::half);
    const auto tool = [this](const QString& text, const QString& name, const QString& tip) {
        auto* button = new QToolButton(options_);
        button->setText(text);
        button->setAccessibleName(name);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        return button;
    };
    find_ = new QLineEdit(this);
    find_->setPlaceholderText(tr("Find"));
    find_->setAccessibleName(tr("Find"));
    case_ = tool(QStringLiteral("Aa"), tr("Match case"), tr("Match case (Alt+C)"));
    word_ = tool(QStringLiteral("“W”"), tr("Whole words"), tr("Whole words (Alt+W)"));
    regex_ = tool(QStringLiteral(".*"), tr("Regular expression"), tr("Regular expression (Alt+R)"));
    for (QToolButton* button : {case_, word_, regex_}) {
        button->setCheckable(true);
        connect(button, &QToolButton::toggled, this, &FindBar::search);
    }
    previous_ = tool(QStringLiteral("↑"), tr("Previous match"), tr("Previous match (Shift+Enter)"));
    next_ = tool(QStringLiteral("↓"), tr("Next match"), tr("Next match (Enter)"));
    close_ = tool(QStringLiteral("✕"), tr("Close the search bar"), tr("Close (Esc)"));
    count_ = new ElidedLabel(options_);
    count_->setAccessibleName(tr("Number of matches"));
    for (QWidget* widget : std::initializer_list<QWidget*>{case_, word_, regex_, count_, previous_, next_, close_})
        row->addWidget(widget);
    findLine_ = new QBoxLayout(QBoxLayout::LeftToRight);
    findLine_->addWidget(find_, 1);
    findLine_->addWidget(options_);
    column->addLayout(findLine_);

    replaceRow_ = new QWidget(this);
    replace_ = new QLineEdit(replaceRow_);
    replace_->setPlaceholderText(tr("Replace with"));
    replace_->setAccessibleName(tr("Replace with"));
    replaceButtons_ = new QWidget(replaceRow_);
    // Letters of these buttons may be those of menus and panels. They work only while the bar has the focus.
    replaceOne_ = new QPushButton(tr("Replace"), replaceButtons_);
    replaceOne_->setToolTip(tr("Replace this match (Enter)"));
    replaceAll_ = new QPushButton(tr("Replace All"), replaceButtons_);
    replaceAll_->setToolTip(tr("Replace all matches (Alt+A)"));
    auto* second = new QHBoxLayout(replaceButtons_);
    second->setContentsMargins(0, 0, 0, 0);
    second->setSpacing(Theme::half);
    second->addStretch();
    second->addWidget(replaceOne_);
    second->addWidget(replaceAll_);
    replaceLine_ = new QBoxLayout(QBoxLayout::LeftToRight, replaceRow_);
    replaceLine_->setContentsMargins(0, 0, 0, 0);
    replaceLine_->addWidget(replace_, 1);
    replaceLine_->addWidget(replaceButtons_);
    column->addWidget(replaceRow_);
    for (QBoxLayout* line : {findLine_, replaceLine_})
        line->setSpacing(Theme::half);
    for (QLineEdit* field : {find_, replace_}) {
        field->setClearButtonEnabled(true);
        field->installEventFilter(this);
    }
    // A click leaves the keyboard in the fields.
    for (QAbstractButton* button : std::initializer_list<QAbstractButton*>{case_, word_, regex_, previous_, next_,
                                                                           close_, replaceOne_, replaceAll_})
        button->setFocusPolicy(Qt::TabFocus);
    QWidget* before = find_;
    for (QWidget* after : std::initializer_list<QWidget*>{replace_, case_, word_, regex_, previous_, next_, replaceOne_,
                                                          replaceAll_, close_}) {
        setTabOrder(before, after);
        before = after;
    }

    timer_.setSingleShot(true);
    timer_.setInterval(60);
    connect(&timer_, &QTimer::timeout, this, &FindBar::search);
    connect(find_, &QLineEdit::textChanged, this, [this] {
        search();
        step(true, true);
    });
    connect(previous_, &QToolButton::clicked, this, &FindBar::findPrevious);
    connect(next_, &QToolButton::clicked, this, &FindBar::findNext);
    connect(close_, &QToolButton::clicked, this, &FindBar::close);
    connect(replaceOne_, &QPushButton::clicked, this, &FindBar::replaceOne);
    connect(replaceAll_, &QPushButton::clicked, this, &FindBar::replaceAll);
    connect(&theme_, &Theme::themeChanged, this, &FindBar::restyle);
    restyle();
    hide();
}

void FindBar::restyle() {
    const auto use = [](QToolButton* button, const QString& name, const QString& fallback) {
        const QIcon picture = icon(name);
        button->setIcon(picture);
        button->setText(picture.isNull() ? fallback : QString());
    };
    use(previous_, QStringLiteral("arrow-up"), QStringLiteral("↑"));
    use(next_, QStringLiteral("arrow-down"), QStringLiteral("↓"));
    use(close_, QStringLiteral("close"), QStringLiteral("✕"));
    fit();
    search();
}

int FindBar::fieldWidth() const {
    const QString longest = std::max(find_->placeholderText(), replace_->placeholderText(),
                                     [](const QString& a, const QString& b) { return a.size() < b.size(); });
    return fontMetrics().horizontalAdvance(longest) + scaledPixels(20) + 2 * Theme::grid; // with the cross
}

int FindBar::countWidth() const { return fontMetrics().horizontalAdvance(tr("%1 of %2").arg(9999).arg(9999)); }

int FindBar::optionsWidth() const { return options_->minimumSizeHint().width() - count_->minimumWidth(); }

QSize FindBar::minimumSizeHint() const {
    int least = std::max(fieldWidth(), optionsWidth());
    if (!replaceRow_->isHidden()) least = std::max(least, replaceButtons_->minimumSizeHint().width());
    const QMargins margins = layout()->contentsMargins();
    return {least + margins.left() + margins.right(), QWidget::minimumSizeHint().height()};
}

void FindBar::fit() {
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right() - fieldWidth() - Theme::half;
    const auto place = [](QBoxLayout* line, bool beside) {
        line->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    };
    const bool beside = room >= optionsWidth() + countWidth();
    place(findLine_, beside);
    place(replaceLine_, room >= replaceButtons_->minimumSizeHint().width());
    // Buttons beside the field do not move when the number of matches changes.
    count_->setMinimumWidth(beside ? countWidth() : 0);
    for (QLineEdit* field : {find_, replace_})
        field->setMinimumWidth(fieldWidth());
    updateGeometry();
}

void FindBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void FindBar::setView(CodeView* view) {
    if (view_ == view) return;
    if (view_) {
        disconnect(view_, nullptr, this, nullptr);
        view_->setFindMarks({});
    }
    view_ = view;
    if (view_) {
        connect(view_, &QsciScintilla::textChanged, &timer_, qOverload<>(&QTimer::start));
        replaceRow_->setVisible(replaceRow_->isVisibleTo(this) && !view_->isReadOnly());
    }
    if (isVisibleTo(parentWidget())) search();
}

void FindBar::open(bool replace) {
    if (!view_) return;
    replaceRow_->setVisible(replace && !view_->isReadOnly());
    const QString selected = view_->selectedText();
    if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n'))) {
        const QSignalBlocker block(find_);
        find_->setText(selected);
    }
    show();
    find_->setFocus();
    find_->selectAll();
    search();
}

void FindBar::close() {
    hide();
    matches_.clear();
    current_ = -1;
    if (!view_) return;
    view_->setFindMarks({});
    view_->setFocus();
}

void FindBar::setOptions(SearchOptions options) {
    case_->setChecked(options.caseSensitive);
    word_->setChecked(options.wholeWord);
    regex_->setChecked(options.regularExpression);
}

SearchOptions FindBar::options() const { return {case_->isChecked(), word_->isChecked(), regex_->isChecked()}; }

QString FindBar::countText() const { return count_->text(); }

void FindBar::search() {
    timer_.stop();
    if (!view_ || isHidden()) return;
    const TextSearch search(find_->text(), options());
    matches_ = search.matches(view_->text(), replace_->text());
    current_ = -1;
    const int position = int(view_->SendScintilla(QsciScintilla::SCI_GETSELECTIONSTART));
    for (int i = 0; i < matches_.size(); ++i)
        if (matches_[i].position == position && view_->hasSelectedText()) current_ = i;
    QList<QPair<int, int>> marks;
    for (const SearchMatch& match : std::as_const(matches_))
        marks.append({match.position, match.length});
    view_->setFindMarks(marks);
    QString text;
    if (!search.problem().isEmpty())
        text = tr("Not valid");
    else if (find_->text().isEmpty())
        text.clear();
    else if (matches_.isEmpty())
        text = tr("No matches");
    else if (current_ >= 0)
        text = tr("%1 of %2").arg(current_ + 1).arg(matches_.size());
    else
        text = matches_.size() == 1 ? tr("1 match") : tr("%1 matches").arg(matches_.size());
    count_->setText(text);
    count_->setToolTip(search.problem());
    const bool bad = !find_->text().isEmpty() && matches_.isEmpty();
    QPalette palette = count_->palette();
    palette.setColor(QPalette::WindowText, bad ? theme_.colours().error : theme_.colours().mutedText);
    count_->setPalette(palette);
    // Where there is no room for the words either.
    if (find_->property("invalid").toBool() != bad) {
        find_->setProperty("invalid", bad);
        find_->style()->unpolish(find_);
        find_->style()->polish(find_);
    }
    // A disabled button loses the focus, so the button with the focus stays enabled.
    for (QWidget* widget : std::initializer_list<QWidget*>{previous_, next_, replaceOne_, replaceAll_})
        widget->setEnabled(!matches_.isEmpty() || widget->hasFocus());
}

void FindBar::select(int index) {
    const SearchMatch& match = matches_[index];
    const long line =
        view_->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, static_cast<unsigned long>(match.position));
    view_->ensureLineVisible(int(line));
    view_->SendScintilla(QsciScintilla::SCI_SETSEL, static_cast<unsigned long>(match.position),
                         static_cast<long>(match.position) + match.length);
    view_->reveal(int(line) + 1);
    current_ = index;
    count_->setText(tr("%1 of %2").arg(index + 1).arg(matches_.size()));
}

void FindBar::step(bool forward, bool fromStart) {
    if (!view_) return;
    if (isHidden()) {
        // F3 with the bar closed still goes on with the last search.
        const TextSearch search(find_->text(), options());
        matches_ = search.matches(view_->text(), replace_->text());
    }
    if (matches_.isEmpty()) return;
    const int start = int(view_->SendScintilla(QsciScintilla::SCI_GETSELECTIONSTART));
    const int end = int(view_->SendScintilla(QsciScintilla::SCI_GETSELECTIONEND));
    int index = -1;
    if (forward) {
        for (int i = 0; i < matches_.size() && index < 0; ++i)
            if (matches_[i].position >= (fromStart ? start : end)) index = i;
        if (index < 0) index = 0;
    } else {
        for (int i = 0; i < matches_.size(); ++i)
            if (matches_[i].position < start) index = i;
        if (index < 0) index = int(matches_.size()) - 1;
    }
    select(index);
}

void FindBar::findNext() {
    if (timer_.isActive()) search();
    step(true, false);
}

void FindBar::findPrevious() {
    if (timer_.isActive()) search();
    step(false, false);
}

void FindBar::replaceOne() {
    if (!view_ || view_->isReadOnly()) return;
    search();
    if (current_ < 0) {
        step(true, true);
        return;
    }
    const SearchMatch match = matches_[current_];
    const QByteArray text = match.replacement.toUtf8();
    view_->SendScintilla(QsciScintilla::SCI_SETTARGETRANGE, static_cast<unsigned long>(match.position),
                         static_cast<long>(match.position) + match.length);
    view_->SendScintilla(QsciScintilla::SCI_REPLACETARGET, static_cast<uintptr_t>(text.size()), text.constData());
    const unsigned long after = static_cast<unsigned long>(match.position) + static_cast<unsigned long>(text.size());
    view_->SendScintilla(QsciScintilla::SCI_SETSEL, after, static_cast<long>(after));
    search();
    step(true, true);
}

int FindBar::replaceAll() {
    if (!view_ || view_->isReadOnly()) return 0;
    search();
    const QList<SearchMatch> matches = matches_;
    if (matches.isEmpty()) return 0;
    view_->beginUndoAction();
    // From the end, so that the places before stay where they are.
    for (auto match = matches.crbegin(); match != matches.crend(); ++match) {
        const QByteArray text = match->replacement.toUtf8();
        view_->SendScintilla(QsciScintilla::SCI_SETTARGETRANGE, static_cast<unsigned long>(match->position),
                             static_cast<long>(match->position) + match->length);
        view_->SendScintilla(QsciScintilla::SCI_REPLACETARGET, static_cast<uintptr_t>(text.size()), text.constData());
    }
    view_->endUndoAction();
    search();
    count_->setText(tr("%1 replaced").arg(matches.size()));
    return int(matches.size());
}

QAbstractButton* FindBar::buttonOf(const QKeyEvent* event) const {
    if (event->modifiers() != Qt::AltModifier) return nullptr;
    switch (event->key()) {
    case Qt::Key_C: return case_;
    case Qt::Key_W: return word_;
    case Qt::Key_R: return regex_;
    case Qt::Key_A: return replaceAll_;
    default: return nullptr;
    }
}

bool FindBar::event(QEvent* event) {
    // While the bar has the focus these keys are its own, not those of a menu or a panel.
    if (event->type() == QEvent::ShortcutOverride && buttonOf(static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fit();
    return done;
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    // A field would take the letter as text.
    if (event->type() == QEvent::KeyPress && buttonOf(static_cast<QKeyEvent*>(event))) {
        keyPressEvent(static_cast<QKeyEvent*>(event));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void FindBar::keyPressEvent(QKeyEvent* event) {
    if (QAbstractButton* button = buttonOf(event)) {
        if (button->isVisible()) button->click();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        close();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (replace_->hasFocus())
            replaceOne();
        else if (event->modifiers() & Qt::ShiftModifier)
            findPrevious();
        else
            findNext();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace warplight::ui
