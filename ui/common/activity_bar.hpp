// SPDX-License-Identifier: GPL-3.0-or-later
/// Shows what lasts: a bar, what it is, for how long, and Stop. Hidden while nothing does.
#pragma once

#include "ui/common/activities.hpp"

#include <QLabel>
#include <QWidget>

class QMenu;
class QProgressBar;
class QToolButton;

namespace warplight::ui {

/// For how long something lasts; empty for the first half second.
class ElapsedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElapsedLabel(QWidget* parent = nullptr);
    void begin();
    /// The last time stays until the next begin.
    void end();

private:
    void show();

    QElapsedTimer since_;
    QTimer tick_;
};

class ActivityBar : public QWidget {
    Q_OBJECT
public:
    explicit ActivityBar(Activities& activities, QWidget* parent = nullptr);

    QString text() const;
    QString elapsed() const;
    QToolButton* stopButton() const { return stop_; }
    QProgressBar* progress() const { return progress_; }

private:
    void update();
    void showTimes();
    void fillMenu();

    Activities& activities_;
    QProgressBar* progress_;
    QLabel *text_, *elapsed_;
    QToolButton* stop_;
    QMenu* menu_;
    QTimer tick_;
};

} // namespace warplight::ui
