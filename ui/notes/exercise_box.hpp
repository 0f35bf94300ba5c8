// SPDX-License-Identifier: GPL-3.0-or-later
/// The cases of an exercise and what became of them, its hints, and the button that checks a solution. Of hidden cases
/// it shows only whether they pass, and their hint.
#pragma once

#include "session/exercise_cases.hpp"
#include "ui/common/theme.hpp"
#include "ui/notes/exercise_job.hpp"

#include <QWidget>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QTreeWidget;

namespace warplight::ui {

class ExerciseBox : public QWidget {
    Q_OBJECT
public:
    explicit ExerciseBox(Theme& theme, QWidget* parent = nullptr);

    /// Forgets the results where the cases are others than before.
    void setExercise(const session::Exercise& exercise);
    /// No hint has been shown, and nothing was checked. A check that runs is stopped, and its results are left out.
    void forget();
    void start(worker::RunRequest request, const QString& machine = {});
    void stop() { job_->stop(); }
    bool isRunning() const { return job_->isRunning(); }
    JobLink& link() const { return job_->link(); }
    /// Why no check can start now; empty: it can.
    void setBlocked(const QString& why);
    /// The results are those of an earlier source.
    void markStale();

    QPushButton* checkButton() const { return check_; }
    QPushButton* hintButton() const { return hintButton_; }
    QTreeWidget* caseList() const { return cases_; }
    QString summary() const;
    QString hints() const;
    QString detail() const;

signals:
    void checkRequested();
    void busyChanged();
    void progressed(const QString& text, double fraction);

private:
    void showHint();
    void showLink();
    void showResult(std::size_t index, const session::CaseResult& result);
    void showDetail();
    void scrollTo(QWidget* shown);
    void showSummary(const QString& text, const QString& icon);
    void showStale();
    void finish(const QString& problem);
    void updateButtons();

    Theme& theme_;
    session::Exercise exercise_;
    std::vector<std::optional<session::CaseResult>> results_;
    std::size_t hintsShown_ = 0;
    QString blocked_;
    ExerciseJob* job_;
    QPushButton *check_, *hintButton_;
    QTreeWidget* cases_;
    QScrollArea* scroll_;
    QLabel *summary_, *summaryIcon_, *detail_, *hints_;
    bool stale_ = false;
    bool discarded_ = false; ///< the check that runs is one of other cases
};

} // namespace warplight::ui
