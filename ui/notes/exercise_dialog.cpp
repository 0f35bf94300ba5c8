// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/exercise_dialog.hpp"

#include "session/exercise_cases.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/workbench.hpp"
#include "ui/notes/case_dialog.hpp"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

QString wordsText(const std::vector<std::string>& words) {
    QStringList texts;
    for (const std::string& word : words)
        texts << QString::fromStdString(word);
    return texts.join(QLatin1Char(' '));
}

std::vector<std::string> partsOf(const QString& text, const QString& separator) {
    std::vector<std::string> parts;
    const QStringList split = text.split(QRegularExpression(separator), Qt::SkipEmptyParts);
    parts.reserve(std::size_t(split.size()));
    for (const QString& part : split)
        if (!part.trimmed().isEmpty()) parts.push_back(part.trimmed().toStdString());
    return parts;
}

} // namespace

ExerciseDialog::ExerciseDialog(Workbench& workbench, QWidget* parent)
    : FormDialog(parent), workbench_(workbench), document_(workbench.document()),
      exercise_(document_.session().exercise.value_or(session::Exercise())), cases_(new QTreeWidget),
      edit_(new QPushButton(tr("&Edit…"))), duplicate_(new QPushButton(tr("D&uplicate"))),
      remove_(new QPushButton(tr("&Remove"))), up_(new QPushButton(tr("U&p"))), down_(new QPushButton(tr("Do&wn"))),
      hints_(new QPlainTextEdit), required_(new QLineEdit), forbidden_(new QLineEdit), seconds_(new QDoubleSpinBox),
      problem_(new QLabel) {
    setWindowTitle(tr("Exercise"));
    QStringList hints;
    for (const std::string& hint : exercise_.hints)
        hints << QString::fromStdString(hint);
    hints_->setPlainText(hints.join(QLatin1Char('\n')));
    hints_->setTabChangesFocus(true);
    hints_->setPlaceholderText(tr("A hint a line, the vaguest first"));
    hints_->setMinimumHeight(5 * fontMetrics().lineSpacing());
    required_->setText(wordsText(exercise_.required));
    required_->setPlaceholderText(QStringLiteral("__shared__ __syncthreads"));
    required_->setToolTip(tr("Words that the source must use. Comments and texts do not count."));
    forbidden_->setText(wordsText(exercise_.forbidden));
    forbidden_->setPlaceholderText(QStringLiteral("atomicAdd"));
    forbidden_->setToolTip(tr("Words that the source must not use"));
    seconds_->setRange(0.01, 3600);
    seconds_->setSuffix(tr(" s"));
    seconds_->setValue(exercise_.time_limit);
    seconds_->setToolTip(tr("How long a case may take. The compilation does not count."));
    auto* fields = new QWidget;
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(2 * Theme::grid);
    form->setVerticalSpacing(Theme::grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Cases"), buildCases());
    form->addRow(tr("&Hints"), hints_);
    form->addRow(tr("Re&quired words"), required_);
    form->addRow(tr("&Forbidden words"), forbidden_);
    form->addRow(tr("&Time limit"), seconds_);
    problem_->setWordWrap(true);
    setForm(fields, new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel), problem_);
    setMinimumWidth(560);
    showCases(0);
}

QWidget* ExerciseDialog::buildCases() {
    cases_->setAccessibleName(tr("Cases of the exercise"));
    cases_->setHeaderLabels({tr("Case"), tr("Points")});
    cases_->setRootIsDecorated(false);
    cases_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    cases_->setAllColumnsShowFocus(true);
    cases_->setUniformRowHeights(true);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::half);
    column->addWidget(cases_, 1);
    auto* buttons = new QGridLayout; // one row or column would be larger than a small screen
    buttons->setSpacing(Theme::half);
    auto* add = new QPushButton(tr("&Add…"));
    for (QPushButton* button : {add, edit_, duplicate_, remove_, up_, down_}) {
        button->setAutoDefault(false);
        buttons->addWidget(button, buttons->count() / 3, buttons->count() % 3);
    }
    column->addLayout(buttons);
    connect(add, &QPushButton::clicked, this, &ExerciseDialog::addCase);
    connect(edit_, &QPushButton::clicked, this, &ExerciseDialog::editCase);
    connect(cases_, &QTreeWidget::itemDoubleClicked, this, &ExerciseDialog::editCase);
    connect(duplicate_, &QPushButton::clicked, this, &ExerciseDialog::duplicateCase);
    connect(remove_, &QPushButton::clicked, this, &ExerciseDialog::removeCase);
    connect(up_, &QPushButton::clicked, this, [this] { moveCase(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { moveCase(1); });
    connect(cases_, &QTreeWidget::itemSelectionChanged, this, [this] {
        const int row = current();
        for (QPushButton* button : {edit_, duplicate_, remove_})
            button->setEnabled(row >= 0);
        up_->setEnabled(row > 0);
        down_->setEnabled(row >= 0 && row + 1 < cases_->topLevelItemCount());
    });
    return content;
}

int ExerciseDialog::current() const { return cases_->indexOfTopLevelItem(cases_->currentItem()); }

QStringList ExerciseDialog::names(int but) const {
    QStringList all;
    for (std::size_t i = 0; i < exercise_.cases.size(); ++i)
        if (int(i) != but) all << QString::fromStdString(exercise_.cases[i].name);
    return all;
}

void ExerciseDialog::showCases(int current) {
    cases_->clear();
    for (const session::ExerciseCase& each : exercise_.cases) {
        const QString name = QString::fromStdString(each.name);
        new QTreeWidgetItem(cases_, {each.hidden ? tr("%1 (hidden)").arg(name) : name, QString::number(each.points)});
    }
    const int last = cases_->topLevelItemCount() - 1;
    cases_->setCurrentItem(last < 0 ? nullptr : cases_->topLevelItem(std::clamp(current, 0, last)));
    cases_->setMinimumHeight(heightOfFourRows(*cases_));
    emit cases_->itemSelectionChanged();
    problem_->setText(last < 0 ? tr("Without a case the session is no exercise.") : QString());
    problem_->setVisible(last < 0);
}

void ExerciseDialog::addCase() {
    session::ExerciseCase each;
    CaseDialog dialog(each, names(), workbench_, this);
    if (dialog.exec() != QDialog::Accepted) return;
    exercise_.cases.push_back(dialog.edited());
    showCases(int(exercise_.cases.size()) - 1);
}

void ExerciseDialog::editCase() {
    const int row = current();
    if (row < 0) return;
    CaseDialog dialog(exercise_.cases[std::size_t(row)], names(row), workbench_, this);
    if (dialog.exec() != QDialog::Accepted) return;
    exercise_.cases[std::size_t(row)] = dialog.edited();
    showCases(row);
}

void ExerciseDialog::duplicateCase() {
    const int row = current();
    if (row < 0) return;
    session::ExerciseCase copy = exercise_.cases[std::size_t(row)];
    const QString name = QString::fromStdString(copy.name);
    for (int number = 2; names().contains(QString::fromStdString(copy.name)); ++number)
        copy.name = QStringLiteral("%1 %2").arg(name).arg(number).toStdString();
    exercise_.cases.insert(exercise_.cases.begin() + row + 1, copy);
    showCases(row + 1);
}

void ExerciseDialog::removeCase() {
    const int row = current();
    if (row < 0) return;
    exercise_.cases.erase(exercise_.cases.begin() + row);
    showCases(row);
}

void ExerciseDialog::moveCase(int by) {
    const int row = current(), to = row + by;
    if (row < 0 || to < 0 || to >= int(exercise_.cases.size())) return;
    std::swap(exercise_.cases[std::size_t(row)], exercise_.cases[std::size_t(to)]);
    showCases(to);
}

std::optional<session::Exercise> ExerciseDialog::exercise() const {
    return exercise_.cases.empty() ? std::nullopt : std::optional(exercise_);
}

void ExerciseDialog::accept() {
    exercise_.hints = partsOf(hints_->toPlainText(), QStringLiteral("\n"));
    exercise_.required = partsOf(required_->text(), QStringLiteral("[\\s,]+"));
    exercise_.forbidden = partsOf(forbidden_->text(), QStringLiteral("[\\s,]+"));
    exercise_.time_limit = seconds_->value();
    if (!exercise_.cases.empty()) {
        session::Session checked = document_.session();
        checked.exercise = exercise_;
        try {
            session::check_exercise(checked);
        } catch (const session::SessionError& error) {
            problem_->setText(QStringLiteral("⚠ ") + QString::fromUtf8(error.what()));
            problem_->show();
            fitToContent();
            return;
        }
    }
    QDialog::accept();
}

} // namespace warplight::ui
