// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/difference_view.hpp"

#include "ui/code/code_view.hpp"
#include "ui/code/ptx_lexer.hpp"
#include "ui/code/sass_lexer.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"
#include "ui/editor/cuda_lexer.hpp"

#include <Qsci/qscistyle.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

using history::Line;

} // namespace

class DifferenceView::Side : public CodeView {
public:
    enum Marks { Removed = CodeView::FirstDebug, Added, Filler, RemovedSign, AddedSign };

    explicit Side(Theme& theme)
        : CodeView(theme), cuda_(new CudaLexer(this)), ptx_(new PtxLexer(this)), sass_(new SassLexer(this)) {
        setBraceMatching(NoBraceMatch);
        setCaretLineVisible(false);
        // Lines that only align the sides have no number.
        setMarginType(NumberMargin, TextMarginRightJustified);
        for (const Marks wash : {Removed, Added, Filler})
            markerDefine(Background, wash);
        markerDefine(Minus, RemovedSign); // colours are not the only sign
        markerDefine(Plus, AddedSign);
        setMarginMarkerMask(SymbolMargin, (1 << RemovedSign) | (1 << AddedSign));
        setReadOnly(true);
        applyLook();
    }

    void setKind(Kind kind) {
        QsciLexer* wanted = kind == Kind::Cuda   ? static_cast<QsciLexer*>(cuda_)
                            : kind == Kind::Ptx  ? static_cast<QsciLexer*>(ptx_)
                            : kind == Kind::Sass ? static_cast<QsciLexer*>(sass_)
                                                 : nullptr;
        if (lexer() != wanted) setLexer(wanted);
        applyLook();
    }

    void setLines(const QStringList& lines, const QList<int>& numbers, const QList<Line::Kind>& kinds) {
        setReadOnly(false);
        markerDeleteAll();
        clearMarginText();
        setText(lines.join(QLatin1Char('\n')));
        SendScintilla(SCI_EMPTYUNDOBUFFER);
        for (int line = 0; line < lines.size(); ++line) {
            if (numbers[line] == 0) {
                markerAdd(line, Filler);
                continue;
            }
            setMarginText(line, QString::number(numbers[line]), QsciStyle(STYLE_LINENUMBER));
            if (kinds[line] == Line::Kind::same) continue;
            const bool removed = kinds[line] == Line::Kind::removed;
            markerAdd(line, removed ? Removed : Added);
            markerAdd(line, removed ? RemovedSign : AddedSign);
        }
        const int most = numbers.isEmpty() ? 1 : *std::max_element(numbers.begin(), numbers.end());
        digits_ = int(QString::number(most).size());
        setReadOnly(true);
        fitMargins();
    }

protected:
    void applyLook() override {
        const Colours& colours = theme().colours();
        if (cuda_) cuda_->setLook(colours.syntax, theme().monospace());
        if (sass_) sass_->setLook(colours.syntax, theme().monospace());
        if (ptx_) ptx_->setLook(colours.syntax, theme().monospace());
        CodeView::applyLook();
        // Amber and teal also differ for eyes that do not tell red from green.
        setMarkerBackgroundColor(colours.warningSoft, Removed);
        setMarkerBackgroundColor(colours.accentSoft, Added);
        setMarkerBackgroundColor(colours.alternate, Filler);
        for (const auto& [sign, colour] : {std::pair{RemovedSign, colours.warning}, {AddedSign, colours.accent}}) {
            setMarkerForegroundColor(colour, sign);
            setMarkerBackgroundColor(colour, sign);
        }
        fitMargins();
    }

private:
    void fitMargins() {
        setMarginWidth(NumberMargin, QString(std::max(3, digits_) + 1, QLatin1Char('8')));
        setMarginWidth(SymbolMargin, QStringLiteral("88"));
    }
    CudaLexer* cuda_;
    PtxLexer* ptx_;
    SassLexer* sass_;
    int digits_ = 1;
};

DifferenceView::DifferenceView(Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), stack_(new QStackedWidget), note_(new QLabel), summary_(new QLabel) {
    const auto step = [this](const QString& name, const QString& tip, int by) {
        auto* button = new QToolButton;
        button->setIcon(icon(name));
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this, by] { this->step(by); });
        return button;
    };
    previous_ = step(QStringLiteral("arrow-up"), tr("Previous change"), -1);
    next_ = step(QStringLiteral("arrow-down"), tr("Next change"), 1);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    summary_->setAccessibleName(tr("Differences"));
    bar->addWidget(previous_);
    bar->addWidget(next_);
    bar->addWidget(summary_, 1);

    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setChildrenCollapsible(false);
    for (std::size_t i = 0; i < 2; ++i) {
        sides_[i] = new Side(theme_);
        names_[i] = new ElidedLabel;
        names_[i]->setTextFormat(Qt::PlainText);
        names_[i]->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
        QFont bold = font();
        bold.setBold(true);
        names_[i]->setFont(bold);
        auto* half = new QWidget;
        auto* rows = new QVBoxLayout(half);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        rows->addWidget(names_[i]);
        rows->addWidget(sides_[i], 1);
        splitter->addWidget(half);
    }
    sides_[0]->setAccessibleName(tr("Before"));
    sides_[1]->setAccessibleName(tr("After"));
    for (std::size_t i = 0; i < 2; ++i)
        connect(sides_[i], &QsciScintilla::SCN_UPDATEUI, this, [from = sides_[i], to = sides_[1 - i]](int updated) {
            if (updated & QsciScintilla::SC_UPDATE_V_SCROLL) to->setFirstVisibleLine(from->firstVisibleLine());
            if (updated & QsciScintilla::SC_UPDATE_H_SCROLL)
                to->SendScintilla(QsciScintilla::SCI_SETXOFFSET, from->SendScintilla(QsciScintilla::SCI_GETXOFFSET));
        });

    auto* shown = new QWidget;
    auto* column = new QVBoxLayout(shown);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(splitter, 1);
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignCenter);
    note_->setMargin(3 * Theme::grid);
    stack_->addWidget(note_);
    stack_->addWidget(shown);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(stack_);
}

DifferenceView::~DifferenceView() = default;

void DifferenceView::setNames(const QString& before, const QString& after) {
    names_[0]->setText(before);
    names_[1]->setText(after);
}

void DifferenceView::setNote(const QString& note) {
    note_->setText(note);
    stack_->setCurrentIndex(0);
}

QString DifferenceView::note() const { return stack_->currentIndex() == 0 ? note_->text() : QString(); }
QString DifferenceView::summary() const { return summary_->text(); }
QString DifferenceView::alignedText(int side) const { return sides_[std::size_t(side)]->text(); }
int DifferenceView::firstVisibleLine(int side) const { return sides_[std::size_t(side)]->firstVisibleLine(); }
void DifferenceView::scrollTo(int side, int line) { sides_[std::size_t(side)]->setFirstVisibleLine(line); }

void DifferenceView::setTexts(const QString& before, const QString& after, Kind kind) {
    for (Side* side : sides_)
        side->setKind(kind);
    std::vector<history::SassRow> rows;
    for (Line& line : history::line_difference(before.toStdString(), after.toStdString()))
        rows.push_back({line.kind, line.text, line.text});
    show(rows);
    stack_->setCurrentIndex(1);
}

void DifferenceView::setRows(const std::vector<history::SassRow>& rows) {
    for (Side* side : sides_)
        side->setKind(Kind::Sass);
    show(rows);
    stack_->setCurrentIndex(1);
}

void DifferenceView::show(const std::vector<history::SassRow>& rows) {
    struct Column {
        QStringList lines;
        QList<int> numbers; ///< 0 of a line that only aligns
        QList<Line::Kind> kinds;
        int number = 0;
        void add(const std::string& text, Line::Kind kind) {
            lines << QString::fromStdString(text);
            numbers << ++number;
            kinds << kind;
        }
        void fill(qsizetype size) {
            while (lines.size() < size) {
                lines << QString();
                numbers << 0;
                kinds << Line::Kind::same;
            }
        }
    };
    std::array<Column, 2> columns;
    changes_.clear();
    at_ = -1;
    int removed = 0, added = 0;
    bool inChange = false;
    const auto align = [&columns] {
        const qsizetype size = std::max(columns[0].lines.size(), columns[1].lines.size());
        for (Column& column : columns)
            column.fill(size);
    };
    for (const history::SassRow& line : rows) {
        const bool same = line.kind == Line::Kind::same;
        if (same || !inChange) align();
        if (!same && !inChange) changes_ << int(columns[0].lines.size());
        inChange = !same;
        if (line.kind != Line::Kind::added) columns[0].add(line.before, line.kind);
        if (line.kind != Line::Kind::removed) columns[1].add(line.after, line.kind);
        removed += line.kind == Line::Kind::removed;
        added += line.kind == Line::Kind::added;
    }
    align();
    for (std::size_t i = 0; i < 2; ++i)
        sides_[i]->setLines(columns[i].lines, columns[i].numbers, columns[i].kinds);
    const auto count = [](int n, const QString& one, const QString& many) { return n == 1 ? one : many.arg(n); };
    summary_->setText(changes_.isEmpty() ? tr("No difference")
                                         : tr("%1: %2, %3")
                                               .arg(count(int(changes_.size()), tr("1 change"), tr("%1 changes")),
                                                    count(removed, tr("1 line removed"), tr("%1 lines removed")),
                                                    count(added, tr("1 added"), tr("%1 added"))));
    for (QToolButton* button : {previous_, next_})
        button->setEnabled(!changes_.isEmpty());
    if (!changes_.isEmpty()) step(1);
}

void DifferenceView::step(int by) {
    if (changes_.isEmpty()) return;
    const int count = int(changes_.size());
    at_ = at_ < 0 && by < 0 ? count - 1 : (at_ + by + count) % count;
    for (Side* side : sides_) {
        side->setCursorPosition(changes_[at_], 0);
        side->setFirstVisibleLine(std::max(0, changes_[at_] - 3));
    }
}

} // namespace warplight::ui
