// SPDX-License-Identifier: GPL-3.0-or-later
/// What the lanes of one warp touch, execution by execution: a tool window. "Record" runs the session with the record
/// of the chosen warp (docs/profile.md).
#pragma once

#include "profile/warp_record.hpp"
#include "ui/common/workbench.hpp"

#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace warplight::ui {

class LanesPicture;
class NumberBox;

class LanesView : public QWidget {
    Q_OBJECT
public:
    explicit LanesView(Workbench& workbench, QWidget* parent = nullptr);

    /// Chooses the first instruction of a line, now or once it is recorded. An empty file is the main source.
    void showLine(const QString& file, int line);
    /// Of the last run that has one; null before.
    const profile::WarpRecord* record() const { return record_.get(); }
    LanesPicture* picture() const { return picture_; }
    QComboBox* instructions() const { return instructions_; }
    QPushButton* recordButton() const { return recordButton_; }
    NumberBox* blockBox(int axis) const { return block_[axis]; }
    NumberBox* warpBox() const { return warp_; }
    QString sentence() const;
    QString figures() const;
    QString note() const; ///< shown in place of a picture; empty while there is one
    int execution() const;
    int executionCount() const;
    void setExecution(int number);

signals:
    /// To run the session and record this warp: profile::WarpChoice as text.
    void recordRequested(const QString& choice);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeChoice();
    QWidget* makeSteps();
    void requestRecord();
    void takeReport();
    void fillInstructions();
    void showExecution();
    /// Limits of the launch, and what is wrong with the chosen warp.
    void updateChoice();
    void updateNote();
    void restyle();
    bool selectLine(const QString& file, int line);
    const profile::RecordedInstruction* instruction() const;

    Workbench& workbench_;
    std::shared_ptr<const profile::WarpRecord> record_;
    int run_ = 0;                                   ///< number of the run that recorded it
    int revision_ = -1;                             ///< of the main source then
    QString problem_;                               ///< why that run has no record
    std::optional<std::pair<QString, int>> wanted_; ///< file and line
    NumberBox *block_[3], *warp_;
    QPushButton* recordButton_;
    QComboBox* instructions_;
    QLabel *source_, *note_, *sentence_, *figures_, *position_;
    QStackedWidget* stack_;
    LanesPicture* picture_;
    QToolButton *previous_, *next_;
    QSlider* slider_;
};

} // namespace warplight::ui
