// SPDX-License-Identifier: GPL-3.0-or-later
/// The start page: examples that run with one click, recent sessions, and buttons to begin.
#pragma once

#include "ui/common/workbench.hpp"
#include "ui/welcome/examples.hpp"

#include <QWidget>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace warplight::ui {

class WelcomePage : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(Workbench& workbench, QWidget* parent = nullptr);

    /// Absolute paths, newest first. Files that are gone are not shown.
    void setRecentFiles(const QStringList& paths);

signals:
    /// Open the example's document (as it lies in the examples folder) and run it.
    void exampleRequested(const QString& document);
    void openRequested(const QString& path);
    void newRequested();
    void openDialogRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void addCards(QVBoxLayout* page, const QString& heading, const std::vector<Example>& examples);
    void layOutCards();
    void restyle();

    Workbench& workbench_;
    QLabel *title_, *subtitle_;
    QVBoxLayout* recent_;
    QWidget* recentBox_;
    struct Cards {
        QGridLayout* grid;
        QList<QWidget*> widgets;
    };
    QList<Cards> cards_; ///< of the examples and of the lessons
    int columns_ = 0;
};

} // namespace warplight::ui
