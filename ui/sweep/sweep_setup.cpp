// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_setup.hpp"

#include "session/pipeline.hpp"
#include "session/sweep_points.hpp"
#include "session/sweep_text.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/theme.hpp"
#include "ui/sweep/sweep_row.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace warplight::ui {
namespace {

/// With a constraint each point has to be tried.
constexpr quint64 mostCounted = 200'000;

bool isSame(const session::Sweep& a, const session::Sweep& b) {
    return a.vary == b.vary && a.set == b.set && a.zip == b.zip && a.where == b.where && a.sample == b.sample &&
           a.seed == b.seed && a.rounds == b.rounds && a.stop_slower == b.stop_slower && a.bytes == b.bytes &&
           a.operations == b.operations && a.time == b.time && a.unknown == b.unknown;
}

/// A row without values, as a new one is, is no part of the sweep yet. An option may be empty.
bool isBlank(const SweepRow& row) { return row.text().trimmed().isEmpty() && row.name() != "option"; }

/// Each launch and each loop; kernels of several launches come once more, for all of them.
QList<SweepStep> stepsOf(const session::Session& session) {
    QList<SweepStep> steps;
    if (!session.pipeline) return steps;
    std::map<std::string, int> kernels;
    session::visit_steps(session.pipeline->steps, [&](const session::PipelineStep& step, const std::string& path) {
        const auto* launch = std::get_if<session::LaunchStep>(&step.what);
        const bool isLoop = std::holds_alternative<session::LoopStep>(step.what);
        if (!launch && !isLoop) return;
        if (launch && !launch->kernel.empty()) ++kernels[launch->kernel];
        const QString name = QString::fromStdString(path);
        steps << SweepStep{name, QStringLiteral("%1 %2").arg(name, QString::fromStdString(session::label_of(step))),
                           isLoop};
    });
    for (const auto& [kernel, count] : kernels)
        if (count > 1)
            steps << SweepStep{QString::fromStdString(kernel),
                               SweepSetup::tr("%1, all launches").arg(QString::fromStdString(kernel)), false};
    return steps;
}

QLabel* partTitle(const QString& text) {
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

} // namespace

SweepSetup::SweepSetup(Document& document, Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document), theme_(theme), axesColumn_(new QVBoxLayout),
      settingsColumn_(new QVBoxLayout), addAxis_(new QToolButton), addSetting_(new QToolButton),
      zip_(new QCheckBox(tr("Zip: the first values together, then the second"))), timeOf_(new QComboBox),
      timeTitle_(new QLabel(tr("Time of"))), where_(new QLineEdit), bytes_(new QLineEdit), operations_(new QLineEdit),
      sample_(new NumberBox(tr("Points by chance"))), rounds_(new NumberBox(tr("Rounds"))), slower_(new QDoubleSpinBox),
      fieldProblem_(new QLabel) {
    const auto prepare = [](QToolButton* button, const QString& text, const QString& tip) {
        button->setIcon(icon(QStringLiteral("plus")));
        button->setText(text);
        button->setToolTip(tip);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setProperty("framed", true);
        button->setFocusPolicy(Qt::StrongFocus);
    };
    prepare(addAxis_, tr("Axis"), tr("Vary something else, too"));
    prepare(addSetting_, tr("Formula"), tr("Compute grid, block, shared memory, a scalar or a size at each point"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::grid);
    column->setSpacing(Theme::grid);
    const auto headed = [&](const QString& title, QToolButton* button, QVBoxLayout* rows) {
        auto* line = new QHBoxLayout;
        line->addWidget(partTitle(title));
        line->addStretch(1);
        line->addWidget(button);
        column->addLayout(line);
        rows->setSpacing(Theme::half);
        column->addLayout(rows);
    };
    headed(tr("Vary"), addAxis_, axesColumn_);
    zip_->setToolTip(tr("Value i of all axes makes point i. Otherwise each value meets each."));
    column->addWidget(zip_);
    headed(tr("Follows by a formula"), addSetting_, settingsColumn_);

    where_->setPlaceholderText(QStringLiteral("threads <= 1024"));
    where_->setToolTip(tr("Only points at which this formula is not 0"));
    where_->setAccessibleName(tr("Only where"));
    sample_->setSpecialValueText(tr("all"));
    sample_->setHelp(tr("So many of the points, chosen by chance; 0 takes all"));
    rounds_->setHelp(tr("Each round visits all points, in another order. Fewer than 6 cannot show a difference."));
    slower_->setAccessibleName(tr("Stop slower points"));
    slower_->setToolTip(tr("A point that takes so many times as long as the best is not measured on"));
    slower_->setRange(1, 1e6);
    slower_->setDecimals(1);
    slower_->setSingleStep(0.5);
    slower_->setSpecialValueText(tr("never"));
    slower_->setSuffix(tr(" × the best"));
    slower_->setFocusPolicy(Qt::StrongFocus);
    slower_->installEventFilter(this);
    bytes_->setPlaceholderText(QStringLiteral("12*n"));
    bytes_->setAccessibleName(tr("Bytes of a launch"));
    bytes_->setToolTip(tr("A formula of the bytes that a launch moves, for GB/s. With Profile they are counted."));
    operations_->setPlaceholderText(QStringLiteral("2*n"));
    operations_->setAccessibleName(tr("Operations of a launch"));
    operations_->setToolTip(tr("A formula of the operations of a launch, for GFLOP/s. With Profile they are counted."));
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(Theme::grid);
    form->setVerticalSpacing(Theme::half);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    const auto add = [form](const QString& text, QWidget* field) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        form->addRow(label, field);
    };
    add(tr("Only where"), where_);
    timeOf_->setAccessibleName(tr("Time of"));
    timeOf_->setToolTip(tr("The time of a point is that of the whole pipeline, or of one step in all its rounds"));
    timeOf_->setFocusPolicy(Qt::StrongFocus);
    timeOf_->installEventFilter(this);
    timeTitle_->setBuddy(timeOf_);
    form->addRow(timeTitle_, timeOf_);
    add(tr("Points"), sample_);
    add(tr("Rounds"), rounds_);
    add(tr("Stop at"), slower_);
    add(tr("Bytes"), bytes_);
    add(tr("Operations"), operations_);
    column->addLayout(form);
    fieldProblem_->setWordWrap(true);
    fieldProblem_->hide();
    column->addWidget(fieldProblem_);
    column->addStretch(1);

    connect(addAxis_, &QToolButton::clicked, this, [this] { addAxis()->edit()->setFocus(); });
    connect(addSetting_, &QToolButton::clicked, this, [this] { addSetting()->edit()->setFocus(); });
    connect(zip_, &QCheckBox::toggled, this, [this] { commit(QStringLiteral("zip")); });
    for (QLineEdit* field : {where_, bytes_, operations_})
        connect(field, &QLineEdit::textChanged, this, [this, field] { commit(field->accessibleName()); });
    connect(timeOf_, &QComboBox::currentIndexChanged, this, [this] { commit(QStringLiteral("time")); });
    for (NumberBox* box : {sample_, rounds_})
        connect(box, &NumberBox::edited, this, [this, box] { commit(box->accessibleName()); });
    connect(slower_, &QDoubleSpinBox::valueChanged, this, [this] {
        commit(QStringLiteral("slower"));
        shownSlower_ = slower_->value();
    });
    connect(&document_, &Document::sessionChanged, this, [this] {
        if (committing_) return;
        const auto& sweep = document_.session().sweep;
        if (isSame(sweep ? *sweep : session::Sweep(), sweepOfFields().value_or(session::Sweep()))) {
            showArguments();
            showSlower();
            check();
        } else {
            showSession();
        }
    });
    connect(&document_, &Document::sessionReplaced, this, &SweepSetup::showSession);
    connect(&theme_, &Theme::themeChanged, this, &SweepSetup::restyle);
    showSession();
    restyle();
}

SweepRow* SweepSetup::addAxis() { return addRow(true); }
SweepRow* SweepSetup::addSetting() { return addRow(false); }

SweepRow* SweepSetup::addRow(bool axis) {
    auto* row = new SweepRow(axis ? SweepRow::Kind::Axis : SweepRow::Kind::Setting, theme_);
    QList<SweepRow*>& rows = axis ? axes_ : settings_;
    row->setSteps(document_.session().pipeline.has_value(), stepsOf(document_.session()));
    if (!filling_) // something that is not there yet
        for (int i = 0; i < row->kindBox()->count(); ++i) {
            // One axis of the block is no second choice beside the block.
            if (std::ranges::find(session::extent_names, row->kindBox()->itemData(i).toString().toStdString()) !=
                std::end(session::extent_names))
                continue;
            row->kindBox()->setCurrentIndex(i);
            const std::string name = row->name();
            const auto hasName = [&](const SweepRow* each) { return each->name() == name; };
            if (std::ranges::none_of(axes_, hasName) && std::ranges::none_of(settings_, hasName)) break;
        }
    rows << row;
    (axis ? axesColumn_ : settingsColumn_)->addWidget(row);
    connect(row, &SweepRow::edited, this, [this, row] { commit(QString::number(quintptr(row), 16)); });
    connect(row, &SweepRow::removeRequested, this, [this, row] { removeRow(row); });
    for (QWidget* box : std::initializer_list<QWidget*>{row->kindBox(), row->stepBox(), row->subjectBox()})
        box->installEventFilter(this);
    showArguments();
    if (!filling_) check();
    return row;
}

bool SweepSetup::eventFilter(QObject* watched, QEvent* event) {
    // The wheel scrolls the setup and changes no field on the way.
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus())
        return QWidget::eventFilter(watched, event);
    event->ignore();
    return true;
}

void SweepSetup::removeRow(SweepRow* row) {
    axes_.removeOne(row);
    settings_.removeOne(row);
    row->hide();
    row->deleteLater();
    commit({});
}

void SweepSetup::showArguments() {
    QStringList scalars, arrays;
    for (const auto& argument : document_.session().arguments) {
        const QString name = QString::fromStdString(argument.name);
        if (argument.direction == session::Direction::scalar)
            scalars << name;
        else if (!std::holds_alternative<session::FileSource>(argument.source))
            arrays << name;
    }
    for (const auto& rows : {axes_, settings_})
        for (SweepRow* row : rows)
            row->setArguments(scalars, arrays);
    showSteps();
}

void SweepSetup::showSteps() {
    const session::Session& session = document_.session();
    const QList<SweepStep> steps = stepsOf(session);
    for (const auto& rows : {axes_, settings_})
        for (SweepRow* row : rows)
            row->setSteps(session.pipeline.has_value(), steps);
    const bool was = std::exchange(filling_, true);
    const QString time = session.sweep ? QString::fromStdString(session.sweep->time) : QString();
    timeOf_->clear();
    timeOf_->addItem(tr("the whole pipeline"), QString());
    for (const SweepStep& each : steps)
        if (each.name.at(0).isDigit()) timeOf_->addItem(each.title, each.name);
    if (timeOf_->findData(time) < 0) timeOf_->addItem(time, time);
    timeOf_->setCurrentIndex(timeOf_->findData(time));
    timeTitle_->setVisible(session.pipeline.has_value());
    timeOf_->setVisible(session.pipeline.has_value());
    filling_ = was;
}

void SweepSetup::showSession() {
    const session::Sweep sweep = document_.session().sweep.value_or(session::Sweep());
    filling_ = true;
    const QList<SweepRow*> old = axes_ + settings_;
    axes_.clear();
    settings_.clear();
    for (SweepRow* row : old) {
        row->hide();
        row->deleteLater();
    }
    for (const auto& axis : sweep.vary)
        addAxis()->set(axis.name, QString::fromStdString(session::values_text(axis.values)));
    for (const auto& setting : sweep.set)
        addSetting()->set(setting.name, QString::fromStdString(fmt::format("{}", fmt::join(setting.formulas, ", "))));
    showSteps();
    zip_->setChecked(sweep.zip);
    where_->setText(QString::fromStdString(sweep.where));
    sample_->setNumber(sweep.sample);
    rounds_->setNumber(quint64(sweep.rounds));
    showSlower();
    bytes_->setText(QString::fromStdString(sweep.bytes));
    operations_->setText(QString::fromStdString(sweep.operations));
    filling_ = false;
    check();
}

/// The field never says that it differs from the session, so it is shown whatever other fields say.
void SweepSetup::showSlower() {
    const session::Sweep sweep = document_.session().sweep.value_or(session::Sweep());
    const QSignalBlocker blocker(slower_);
    slower_->setValue(sweep.stop_slower == 0 ? 1 : sweep.stop_slower);
    shownSlower_ = slower_->value();
}

std::optional<session::Sweep> SweepSetup::sweepOfFields() const {
    session::Sweep sweep = document_.session().sweep.value_or(session::Sweep());
    sweep.vary.clear();
    sweep.set.clear();
    std::set<std::string> names;
    for (const SweepRow* row : axes_) {
        try {
            if (isBlank(*row) || names.contains(row->name())) continue;
            (void)session::parse_sweep_name(row->name());
            sweep.vary.push_back({row->name(), session::parse_values(row->text().toStdString())});
            names.insert(row->name());
        } catch (const session::SessionError&) { // NOLINT(bugprone-empty-catch)
            // check() marks the row.
        }
    }
    for (const SweepRow* row : settings_) {
        try {
            if (isBlank(*row)) continue;
            (void)session::parse_setting_name(row->name());
            sweep.set.push_back({row->name(), session::split_values(row->text().toStdString(), "()")});
        } catch (const session::SessionError&) { // NOLINT(bugprone-empty-catch)
            // check() marks the row.
        }
    }
    sweep.zip = zip_->isChecked();
    sweep.where = where_->text().trimmed().toStdString();
    sweep.time = timeOf_->currentData().toString().toStdString();
    sweep.sample = sample_->number();
    if (rounds_->number() >= 1 && rounds_->number() <= 1'000'000) sweep.rounds = int(rounds_->number());
    // The field may have fewer digits than the document.
    if (slower_->value() != shownSlower_) sweep.stop_slower = slower_->value() <= 1 ? 0 : slower_->value();
    sweep.bytes = bytes_->text().trimmed().toStdString();
    sweep.operations = operations_->text().trimmed().toStdString();
    if (isSame(sweep, session::Sweep())) return std::nullopt;
    return sweep;
}

void SweepSetup::commit(const QString& key) {
    if (filling_) return;
    committing_ = true;
    document_.modify(
        tr("Change Sweep"), [&](session::Session& session) { session.sweep = sweepOfFields(); },
        key.isEmpty() ? key : QStringLiteral("sweep.") + key);
    committing_ = false;
    check();
}

QString SweepSetup::problemOf(const session::Sweep& sweep) const {
    session::Session session = document_.session();
    session.sweep = sweep;
    try {
        const session::SweepPoints points(session);
    } catch (const session::SessionError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void SweepSetup::mark(QLineEdit* field, const QString& problem) {
    if (problem_.isEmpty()) problem_ = problem;
    if (!problem.isEmpty() && fieldProblem_->text().isEmpty()) fieldProblem_->setText(QStringLiteral("⚠ ") + problem);
    if (field->property("invalid").toBool() == !problem.isEmpty()) return;
    field->setProperty("invalid", !problem.isEmpty());
    field->style()->unpolish(field);
    field->style()->polish(field);
}

/// Part by part, so that a problem stands at the part that has it.
void SweepSetup::check() {
    problem_.clear();
    fieldProblem_->clear();
    points_ = 0;
    upperLimit_ = false;
    session::Sweep valid;
    std::set<std::string> names;
    const auto judge = [&](SweepRow* row, const auto& parse) {
        QString problem;
        try {
            if (isBlank(*row))
                problem = tr("A row has no values yet.");
            else if (!names.insert(row->name()).second)
                problem = tr("This is there twice. One row takes all its values.");
            else
                problem = parse();
        } catch (const session::SessionError& error) {
            problem = QString::fromUtf8(error.what());
        }
        // A new row is no mistake yet.
        row->setProblem(isBlank(*row) ? QString() : problem);
        if (problem_.isEmpty()) problem_ = problem;
    };
    for (SweepRow* row : axes_)
        judge(row, [&]() -> QString {
            (void)session::parse_sweep_name(row->name());
            session::SweepAxis axis{row->name(), session::parse_values(row->text().toStdString())};
            session::Sweep alone;
            alone.vary = {axis};
            const QString problem = problemOf(alone);
            if (problem.isEmpty()) valid.vary.push_back(std::move(axis));
            return problem;
        });
    for (SweepRow* row : settings_)
        judge(row, [&]() -> QString {
            (void)session::parse_setting_name(row->name());
            session::Sweep with = valid;
            with.set.push_back({row->name(), session::split_values(row->text().toStdString(), "()")});
            const QString problem = valid.vary.empty() ? QString() : problemOf(with);
            if (problem.isEmpty()) valid = std::move(with);
            return problem;
        });
    const session::Sweep all = sweepOfFields().value_or(session::Sweep());
    const auto judgeFormula = [&](QLineEdit* field, std::string session::Sweep::* member) {
        session::Sweep with = valid;
        with.*member = all.*member;
        mark(field, all.*member == "" || valid.vary.empty() ? QString() : problemOf(with));
    };
    judgeFormula(where_, &session::Sweep::where);
    judgeFormula(bytes_, &session::Sweep::bytes);
    judgeFormula(operations_, &session::Sweep::operations);
    const bool roundsFit = rounds_->number() >= 1 && rounds_->number() <= 1'000'000;
    rounds_->setProblem(roundsFit ? QString() : tr("There can be 1 to 1000000 rounds."));
    if (!roundsFit && problem_.isEmpty()) problem_ = tr("There can be 1 to 1000000 rounds.");
    if (document_.isProgram())
        problem_ = tr("A program with main() launches its kernels itself. Sweeps vary the launch of a session.");
    else if (axes_.isEmpty())
        problem_ = tr("Nothing is varied yet.");
    if (problem_.isEmpty()) {
        session::Session session = document_.session();
        session.sweep = all;
        try {
            const session::SweepPoints points(session);
            upperLimit_ = !all.where.empty() && points.product() > mostCounted;
            points_ =
                upperLimit_ ? (all.sample ? std::min(all.sample, points.product()) : points.product()) : points.count();
        } catch (const session::SessionError& error) {
            problem_ = QString::fromUtf8(error.what());
            fieldProblem_->setText(QStringLiteral("⚠ ") + problem_);
        }
    }
    fieldProblem_->setVisible(!fieldProblem_->text().isEmpty());
    emit checked();
}

void SweepSetup::restyle() {
    for (QLineEdit* field : {where_, bytes_, operations_})
        field->setFont(theme_.monospace());
    QPalette palette = fieldProblem_->palette();
    palette.setColor(QPalette::WindowText, theme_.colours().error);
    fieldProblem_->setPalette(palette);
}

} // namespace warplight::ui
