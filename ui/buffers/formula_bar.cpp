// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/formula_bar.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace warplight::ui {

FormulaBar::FormulaBar(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    column->setSpacing(Theme::half);
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::half);
    name_ = new QLineEdit(this);
    name_->setPlaceholderText(tr("Name"));
    name_->setAccessibleName(tr("Name"));
    formula_ = new QLineEdit(this);
    formula_->setPlaceholderText(tr("Formula, such as 2*x + i"));
    formula_->setAccessibleName(tr("Formula"));
    formula_->setMaxLength(4000); // as in sessions
    done_ = new QPushButton(this);
    auto* close = new QToolButton(this);
    close->setIcon(icon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the formula"));
    row->addWidget(name_);
    row->addWidget(new QLabel(QStringLiteral("="), this));
    row->addWidget(formula_, 1);
    row->addWidget(done_);
    row->addWidget(close);
    column->addLayout(row);
    note_ = new QLabel(this);
    note_->setWordWrap(true);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->setAccessibleName(tr("About the formula"));
    column->addWidget(note_);
    for (QLineEdit* edit : {name_, formula_}) {
        connect(edit, &QLineEdit::returnPressed, this, &FormulaBar::accept);
        connect(edit, &QLineEdit::textEdited, this, [this] { setProblem({}); });
    }
    connect(done_, &QPushButton::clicked, this, &FormulaBar::accept);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    connect(&theme_, &Theme::themeChanged, this, &FormulaBar::showNote);
    hide();
}

void FormulaBar::ask(const QString& name, const QString& formula, const QString& done, const QStringList& names) {
    name_->setText(name);
    formula_->setText(formula);
    done_->setText(done);
    names_ = names;
    setProblem({});
    show();
    formula_->setFocus();
    formula_->selectAll();
}

void FormulaBar::accept() {
    const QString name = name_->text().trimmed(), formula = formula_->text().trimmed();
    if (formula.isEmpty()) {
        setProblem(tr("Write a formula."));
        formula_->setFocus();
    } else if (name.isEmpty()) {
        setProblem(tr("Give it a name."));
        name_->setFocus();
    } else {
        emit accepted(name, formula);
    }
}

void FormulaBar::setProblem(const QString& problem) {
    problem_ = problem;
    showNote();
}

QString FormulaBar::problem() const { return problem_; }

void FormulaBar::showNote() {
    const Colours& colours = theme_.colours();
    QPalette palette = note_->palette();
    palette.setColor(QPalette::WindowText, problem_.isEmpty() ? colours.mutedText : colours.error);
    note_->setPalette(palette);
    name_->setFont(theme_.monospace());
    formula_->setFont(theme_.monospace());
    name_->setFixedWidth(QFontMetrics(name_->font()).averageCharWidth() * 18);
    constexpr qsizetype most = 16;
    QString names = names_.mid(0, most).join(QStringLiteral(", "));
    if (names_.size() > most) names += QStringLiteral(", …");
    note_->setText(problem_.isEmpty() ? tr("May name %1, and i, n as formulas of a session do.").arg(names)
                                      : QStringLiteral("✕ ") + problem_);
    note_->setToolTip(names_.size() > most ? names_.join(QStringLiteral(", ")) : QString());
}

void FormulaBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) {
        QWidget::keyPressEvent(event);
        return;
    }
    hide();
    emit closed();
}

} // namespace warplight::ui
