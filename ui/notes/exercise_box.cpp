// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/exercise_box.hpp"

#include "session/exercise_document.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

QLabel* wrappingLabel(const QString& name) {
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->hide();
    return label;
}

/// A few words for the list; the sentence is below it.
QString shortText(const session::CaseResult& result) {
    using session::CaseOutcome;
    if (result.passed()) return ExerciseBox::tr("passes");
    if (result.hidden && !session::is_about_source(result.outcome)) return ExerciseBox::tr("fails");
    switch (result.outcome) {
    case CaseOutcome::wrong_result: return ExerciseBox::tr("wrong result");
    case CaseOutcome::findings: return ExerciseBox::tr("mistakes found");
    case CaseOutcome::broken_rule: return ExerciseBox::tr("breaks a rule");
    case CaseOutcome::cannot_run: return ExerciseBox::tr("cannot run");
    case CaseOutcome::compile_error: return ExerciseBox::tr("does not compile");
    case CaseOutcome::device_error: return ExerciseBox::tr("device error");
    case CaseOutcome::crash: return ExerciseBox::tr("crashes");
    case CaseOutcome::time: return ExerciseBox::tr("too slow");
    case CaseOutcome::memory: return ExerciseBox::tr("too much memory");
    default: return ExerciseBox::tr("stopped");
    }
}

} // namespace

ExerciseBox::ExerciseBox(Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), job_(new ExerciseJob(this)), check_(new QPushButton(tr("Check My Solution"))),
      hintButton_(new QPushButton), cases_(new QTreeWidget), scroll_(new QScrollArea), summary_(new QLabel),
      summaryIcon_(new QLabel), detail_(wrappingLabel(QStringLiteral("caseDetail"))),
      hints_(wrappingLabel(QStringLiteral("exerciseHints"))) {
    check_->setObjectName(QStringLiteral("checkSolution"));
    check_->setIcon(icon(QStringLiteral("check")));
    check_->setToolTip(tr("Run the kernel on all cases of the exercise"));
    hintButton_->setObjectName(QStringLiteral("showHint"));
    hintButton_->setIcon(icon(QStringLiteral("help")));
    cases_->setObjectName(QStringLiteral("exerciseCases"));
    cases_->setAccessibleName(tr("Cases of the exercise"));
    cases_->setHeaderLabels({tr("Case"), tr("Result")});
    cases_->setRootIsDecorated(false);
    cases_->setAllColumnsShowFocus(true);
    cases_->setFrameShape(QFrame::NoFrame);
    cases_->header()->setStretchLastSection(true);
    cases_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    // All of its rows are there; the box scrolls as a whole.
    cases_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    cases_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    cases_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    summary_->setWordWrap(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid);
    layout->setSpacing(Theme::grid);
    layout->addWidget(check_);
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::half);
    row->addWidget(summaryIcon_, 0, Qt::AlignTop);
    row->addWidget(summary_, 1);
    layout->addLayout(row);
    auto* scrolled = new QWidget;
    auto* column = new QVBoxLayout(scrolled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::grid);
    column->addWidget(cases_);
    column->addWidget(detail_);
    column->addWidget(hints_);
    column->addWidget(hintButton_);
    column->addStretch(1);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(scrolled);
    layout->addWidget(scroll_, 1);

    connect(check_, &QPushButton::clicked, this, [this] {
        if (isRunning())
            stop();
        else
            emit checkRequested();
    });
    connect(hintButton_, &QPushButton::clicked, this, &ExerciseBox::showHint);
    connect(cases_, &QTreeWidget::currentItemChanged, this, &ExerciseBox::showDetail);
    connect(job_, &ExerciseJob::runningChanged, this, &ExerciseBox::updateButtons);
    connect(job_, &ExerciseJob::runningChanged, this, &ExerciseBox::busyChanged);
    connect(&job_->link(), &JobLink::changed, this, &ExerciseBox::showLink);
    connect(job_, &ExerciseJob::visited, this, [this](std::size_t index, const session::CaseResult& result) {
        if (!discarded_) showResult(index, result);
    });
    connect(job_, &ExerciseJob::finished, this, [this](const QString& problem) {
        if (!discarded_) finish(problem);
    });
    connect(&theme, &Theme::themeChanged, this, [this] {
        for (std::size_t i = 0; i < results_.size(); ++i)
            if (results_[i]) showResult(i, *results_[i]);
    });
}

void ExerciseBox::setExercise(const session::Exercise& exercise) {
    if (session::write_exercise(exercise) == session::write_exercise(exercise_)) return;
    exercise_ = exercise;
    forget();
}

void ExerciseBox::forget() {
    discarded_ = isRunning();
    stop();
    results_.assign(exercise_.cases.size(), std::nullopt);
    hintsShown_ = 0;
    stale_ = false;
    cases_->clear();
    for (const auto& each : exercise_.cases) {
        const QString name = QString::fromStdString(each.name);
        auto* item = new QTreeWidgetItem(cases_, {each.hidden ? tr("%1 (hidden)").arg(name) : name, tr("not checked")});
        if (each.hidden) item->setToolTip(0, tr("Of a hidden case only passing or failing is shown."));
    }
    detail_->hide();
    hints_->hide();
    hints_->clear();
    showSummary({}, {});
    updateButtons();
}

void ExerciseBox::setBlocked(const QString& why) {
    blocked_ = why;
    updateButtons();
}

void ExerciseBox::updateButtons() {
    check_->setText(isRunning() ? tr("Stop Checking") : tr("Check My Solution"));
    check_->setIcon(icon(isRunning() ? QStringLiteral("stop") : QStringLiteral("check")));
    check_->setEnabled(isRunning() || blocked_.isEmpty());
    const auto hints = exercise_.hints.size();
    hintButton_->setVisible(hints > 0);
    hintButton_->setEnabled(hintsShown_ < hints);
    hintButton_->setText(hintsShown_ < hints ? tr("Show Hint %1 of %2").arg(hintsShown_ + 1).arg(hints)
                                             : tr("All hints are shown"));
}

void ExerciseBox::showHint() {
    if (hintsShown_ == exercise_.hints.size()) return;
    const QString hint =
        tr("Hint %1: %2").arg(hintsShown_ + 1).arg(QString::fromStdString(exercise_.hints[hintsShown_]));
    hints_->setText(hints_->text().isEmpty() ? hint : hints_->text() + QLatin1Char('\n') + hint);
    hints_->show();
    ++hintsShown_;
    updateButtons();
    scrollTo(hintButton_);
}

void ExerciseBox::start(worker::RunRequest request, const QString& machine) {
    if (isRunning()) return;
    results_.assign(exercise_.cases.size(), std::nullopt);
    stale_ = false;
    discarded_ = false;
    for (int i = 0; i < cases_->topLevelItemCount(); ++i) {
        cases_->topLevelItem(i)->setText(1, tr("waits"));
        cases_->topLevelItem(i)->setIcon(1, {});
    }
    cases_->setCurrentItem(nullptr);
    detail_->hide();
    showSummary(tr("Checking…"), {});
    emit progressed(tr("Checking the solution"), -1);
    job_->start(std::move(request), machine);
}

void ExerciseBox::showLink() {
    if (!isRunning() || job_->isStopping() || discarded_) return;
    const QString text = link().text();
    showSummary(text.isEmpty() ? tr("Checking…") : text, link().isLost() ? QStringLiteral("warning") : QString());
    emit progressed(text.isEmpty() ? tr("Checking the solution") : text, link().fraction());
}

void ExerciseBox::showResult(std::size_t index, const session::CaseResult& result) {
    if (index >= results_.size()) return;
    results_[index] = result;
    const Colours& c = theme_.colours();
    auto* item = cases_->topLevelItem(static_cast<int>(index));
    item->setText(1, shortText(result));
    item->setIcon(1, result.passed() ? icon(QStringLiteral("success"), c.success)
                                     : icon(QStringLiteral("error"), c.error));
    emit progressed(tr("Checking the solution"), static_cast<double>(index + 1) / static_cast<double>(results_.size()));
}

void ExerciseBox::showDetail() {
    const auto index = cases_->indexOfTopLevelItem(cases_->currentItem());
    QStringList lines;
    if (index >= 0 && results_[static_cast<std::size_t>(index)]) {
        const auto& result = *results_[static_cast<std::size_t>(index)];
        if (!result.message.empty() && (!result.hidden || session::is_about_source(result.outcome)))
            lines << QString::fromStdString(result.message);
        else if (!result.passed() && result.hidden)
            lines << tr("This case is hidden. Think about what inputs the visible ones leave out.");
        if (!result.hint.empty()) lines << tr("Hint: %1").arg(QString::fromStdString(result.hint));
    }
    detail_->setText(lines.join(QLatin1Char('\n')));
    detail_->setVisible(!lines.isEmpty());
    if (!lines.isEmpty()) scrollTo(detail_);
}

void ExerciseBox::scrollTo(QWidget* shown) {
    // After the layout has made room for it.
    QTimer::singleShot(0, this, [this, shown] { scroll_->ensureWidgetVisible(shown); });
}

void ExerciseBox::finish(const QString& problem) {
    std::size_t passed = 0;
    int firstFailed = -1;
    for (std::size_t i = 0; i < results_.size(); ++i) {
        if (results_[i] && results_[i]->passed())
            ++passed;
        else if (firstFailed < 0)
            firstFailed = static_cast<int>(i);
        if (!results_[i]) cases_->topLevelItem(static_cast<int>(i))->setText(1, tr("not checked"));
    }
    if (!problem.isEmpty())
        showSummary(problem, QStringLiteral("error"));
    else if (passed == results_.size())
        showSummary(tr("All %1 cases pass.").arg(results_.size()), QStringLiteral("success"));
    else
        showSummary(tr("%1 of %2 cases pass.").arg(passed).arg(results_.size()), QStringLiteral("error"));
    if (stale_) showStale();
    if (firstFailed >= 0) cases_->setCurrentItem(cases_->topLevelItem(firstFailed));
    showDetail();
}

void ExerciseBox::showSummary(const QString& text, const QString& iconName) {
    summary_->setText(text);
    summary_->setVisible(!text.isEmpty());
    const Colours& c = theme_.colours();
    const int side = scaledPixels(16);
    const QColor& colour = iconName == QLatin1String("success")   ? c.success
                           : iconName == QLatin1String("warning") ? c.warning
                                                                  : c.error;
    if (!iconName.isEmpty()) summaryIcon_->setPixmap(icon(iconName, colour).pixmap(side, side));
    summaryIcon_->setVisible(!iconName.isEmpty());
}

void ExerciseBox::markStale() {
    // A check that runs has the source as it was. Its end says so.
    if (stale_ || isRunning()) {
        stale_ = true;
        return;
    }
    if (std::none_of(results_.begin(), results_.end(), [](const auto& r) { return r.has_value(); })) return;
    stale_ = true;
    showStale();
}

void ExerciseBox::showStale() { showSummary(tr("%1 The source has changed since.").arg(summary_->text()), {}); }

QString ExerciseBox::summary() const { return summary_->text(); }
QString ExerciseBox::hints() const { return hints_->text(); }
QString ExerciseBox::detail() const { return detail_->isVisibleTo(this) ? detail_->text() : QString(); }

} // namespace warplight::ui
