// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/case_dialog.hpp"

#include "session/exercise_cases.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/workbench.hpp"
#include "ui/launch/argument_edit.hpp"
#include "ui/launch/argument_guess.hpp"
#include "ui/launch/argument_text.hpp"
#include "ui/launch/checks_box.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <limits>

namespace warplight::ui {
namespace {

constexpr double longestCase = 3600; ///< seconds

session::ExerciseCase withoutValues(session::ExerciseCase each) {
    each.arguments.clear();
    each.launch.clear();
    return each;
}

/// The case as a session; without its values where they fit no longer.
session::Session madeOf(const session::Session& exercise, const session::ExerciseCase& each) {
    try {
        return session::session_of_case(exercise, each);
    } catch (const session::SessionError&) {
        return session::session_of_case(exercise, withoutValues(each));
    }
}

QString sidesText(const std::vector<std::uint32_t>& sides) {
    return showShape(session::Shape(sides.begin(), sides.end()));
}

/// One to three extents of 1 or more.
bool readSides(const QString& text, std::vector<std::uint32_t>* sides) {
    session::Shape shape;
    if (!readShape(text, &shape) || shape.size() > 3) return false;
    sides->assign(3, 1);
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] > std::numeric_limits<std::uint32_t>::max()) return false;
        (*sides)[i] = std::uint32_t(shape[i]);
    }
    return true;
}

bool isSameArgument(const session::Argument& a, const session::Argument& b) {
    session::Session one, other;
    one.arguments = {a};
    other.arguments = {b};
    return session::to_text(one) == session::to_text(other);
}

} // namespace

CaseDialog::CaseDialog(const session::ExerciseCase& each, const QStringList& others, Workbench& workbench,
                       QWidget* parent)
    : FormDialog(parent), case_(each), others_(others), workbench_(workbench), document_(workbench.document()),
      base_(session::session_of_case(document_.session(), withoutValues(each))),
      made_(madeOf(document_.session(), each)), name_(new QLineEdit), hint_(new QLineEdit), points_(new QDoubleSpinBox),
      seconds_(new QDoubleSpinBox), hidden_(new QCheckBox(tr("Hi&dden: only passing or failing is shown"))),
      ownChecks_(new QCheckBox(tr("Chec&ks of its own"))), checks_(new ChecksButton), arguments_(new QTreeWidget),
      edit_(new QPushButton(tr("&Edit…"))), reset_(new QPushButton(tr("As in the Sess&ion"))), problem_(new QLabel) {
    setWindowTitle(tr("Case of the Exercise"));
    name_->setText(QString::fromStdString(each.name));
    hint_->setText(QString::fromStdString(each.hint));
    hint_->setCursorPosition(0); // its beginning is what tells hints apart
    hint_->setPlaceholderText(tr("none; for who fails here"));
    points_->setRange(0, 1e6);
    points_->setDecimals(2);
    points_->setValue(each.points);
    seconds_->setRange(0, longestCase);
    seconds_->setSpecialValueText(tr("the exercise's"));
    seconds_->setSuffix(tr(" s"));
    seconds_->setValue(each.time_limit.value_or(0));
    hidden_->setChecked(each.hidden);
    ownChecks_->setChecked(each.checks.has_value());
    checks_->setChecks(each.checks.value_or(base_.checks));
    checks_->setEnabled(each.checks.has_value());
    connect(ownChecks_, &QCheckBox::toggled, checks_, &QWidget::setEnabled);

    auto* fields = new QWidget;
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(2 * Theme::grid);
    form->setVerticalSpacing(Theme::grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Name"), name_);
    form->addRow(tr("&Points"), points_);
    form->addRow(tr("&Time limit"), seconds_);
    form->addRow(tr("&Hint"), hint_);
    form->addRow(QString(), hidden_);
    auto* checks = new QHBoxLayout;
    checks->setSpacing(Theme::grid);
    checks->addWidget(ownChecks_);
    checks->addWidget(checks_);
    checks->addStretch(1);
    form->addRow(QString(), checks);
    if (!document_.session().pipeline) {
        grid_ = new QLineEdit(sidesText(made_.launch.grid));
        block_ = new QLineEdit(sidesText(made_.launch.block));
        shared_ = new QLineEdit(QString::number(made_.launch.shared));
        shared_->setToolTip(tr("Dynamic shared memory of a block, in bytes"));
        form->addRow(tr("&Grid"), grid_);
        form->addRow(tr("&Block"), block_);
        form->addRow(tr("&Shared"), shared_);
    }
    form->addRow(tr("Arguments"), buildArguments());
    problem_->setWordWrap(true);
    problem_->hide();
    setForm(fields, new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel), problem_);
    setMinimumWidth(520);
    showArguments();
}

QWidget* CaseDialog::buildArguments() {
    arguments_->setAccessibleName(tr("Arguments"));
    arguments_->setHeaderLabels({tr("Name"), tr("Source"), tr("Expected")});
    arguments_->setRootIsDecorated(false);
    // As wide as its texts, up to long ones.
    arguments_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    arguments_->header()->setStretchLastSection(false);
    arguments_->header()->setMaximumSectionSize(60 * fontMetrics().averageCharWidth());
    arguments_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    arguments_->setAllColumnsShowFocus(true);
    arguments_->setUniformRowHeights(true);
    arguments_->setToolTip(tr("What is written bold differs from the session."));
    for (QPushButton* button : {edit_, reset_})
        button->setAutoDefault(false);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::half);
    column->addWidget(arguments_);
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::half);
    row->addWidget(edit_);
    row->addWidget(reset_);
    row->addStretch(1);
    column->addLayout(row);
    connect(edit_, &QPushButton::clicked, this, &CaseDialog::editArgument);
    connect(reset_, &QPushButton::clicked, this, &CaseDialog::resetArgument);
    connect(arguments_, &QTreeWidget::itemDoubleClicked, this, &CaseDialog::editArgument);
    connect(arguments_, &QTreeWidget::itemSelectionChanged, this, &CaseDialog::enableRows);
    return content;
}

void CaseDialog::showArguments() {
    const int row = arguments_->indexOfTopLevelItem(arguments_->currentItem());
    arguments_->clear();
    for (std::size_t i = 0; i < made_.arguments.size(); ++i) {
        const session::Argument& argument = made_.arguments[i];
        auto* item = new QTreeWidgetItem(arguments_, {QString::fromStdString(argument.name), describeSource(argument),
                                                      argument.expect ? expectationText(*argument.expect) : QString()});
        QFont font = item->font(0);
        font.setBold(!isSameArgument(argument, base_.arguments[i]));
        for (int column = 0; column < 3; ++column) {
            item->setFont(column, font);
            item->setToolTip(column, item->text(column));
        }
    }
    arguments_->setMinimumHeight(heightOfFourRows(*arguments_));
    if (arguments_->topLevelItemCount() > 0) arguments_->setCurrentItem(arguments_->topLevelItem(std::max(0, row)));
    enableRows();
}

void CaseDialog::enableRows() {
    const int row = arguments_->indexOfTopLevelItem(arguments_->currentItem());
    edit_->setEnabled(row >= 0);
    reset_->setEnabled(row >= 0 &&
                       !isSameArgument(made_.arguments[std::size_t(row)], base_.arguments[std::size_t(row)]));
}

void CaseDialog::editArgument() {
    const int row = arguments_->indexOfTopLevelItem(arguments_->currentItem());
    if (row < 0) return;
    ui::editArgument(
        workbench_, made_, made_.arguments[std::size_t(row)], this, [] { return true; },
        [this, row](const session::Argument& edited) {
            made_.arguments[std::size_t(row)] = edited;
            made_.arguments[std::size_t(row)].save.clear(); // a case saves nothing
            showArguments();
        });
}

void CaseDialog::resetArgument() {
    const int row = arguments_->indexOfTopLevelItem(arguments_->currentItem());
    if (row < 0) return;
    made_.arguments[std::size_t(row)] = base_.arguments[std::size_t(row)];
    showArguments();
}

void CaseDialog::showEvent(QShowEvent* event) {
    FormDialog::showEvent(event);
    // The list knows its width once it is shown.
    QTimer::singleShot(0, this, [this] {
        arguments_->updateGeometry();
        fitToContent();
    });
}

QString CaseDialog::read() {
    const QString name = name_->text().trimmed();
    if (name.isEmpty()) return tr("Give the case a name: results are told by the names of cases.");
    if (others_.contains(name)) return tr("Another case has the name “%1”.").arg(name);
    session::ExerciseCase read = case_;
    read.name = name.toStdString();
    read.hint = hint_->text().trimmed().toStdString();
    read.points = points_->value();
    read.hidden = hidden_->isChecked();
    read.time_limit.reset();
    if (seconds_->value() > 0) read.time_limit = seconds_->value();
    read.checks.reset();
    if (ownChecks_->isChecked()) read.checks = checks_->checks();
    session::Session made = made_;
    if (grid_) {
        if (!readSides(grid_->text(), &made.launch.grid) || !readSides(block_->text(), &made.launch.block))
            return tr("Grid and block are one to three numbers of 1 or more: 8, or 32, 8.");
        bool ok = false;
        made.launch.shared = shared_->text().trimmed().toUInt(&ok);
        if (!ok) return tr("Shared memory is a whole number of bytes.");
    }
    try {
        session::change_case(read, document_.session(), made);
        (void)session::session_of_case(document_.session(), read);
    } catch (const session::SessionError& error) {
        return QString::fromUtf8(error.what());
    }
    case_ = read;
    return {};
}

void CaseDialog::accept() {
    const QString problem = read();
    if (problem.isEmpty()) return QDialog::accept();
    problem_->setText(QStringLiteral("⚠ ") + problem);
    problem_->show();
    fitToContent();
}

} // namespace warplight::ui
