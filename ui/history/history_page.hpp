// SPDX-License-Identifier: GPL-3.0-or-later
/// The page of the history: runs of this and earlier windows, to be found, marked, compared and put back.
#pragma once

#include "history/history.hpp"

#include <QPointer>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace warplight::ui {

class ComparisonView;
class ElidedLabel;
class HistoryModel;
class Workbench;

class HistoryPage : public QWidget {
    Q_OBJECT
public:
    explicit HistoryPage(Workbench& workbench, QWidget* parent = nullptr);

    HistoryModel& model() const { return *model_; }
    QTableView* table() const { return table_; }
    QLineEdit* search() const { return search_; }
    /// True: only runs of the open session.
    void setOnlyThisSession(bool only);
    /// Why there are no rows; empty while there are some.
    QString note() const;
    /// The window of the last comparison; null once it was closed.
    ComparisonView* comparison() const;
    /// False and `problem` set when the file cannot be written.
    bool exportSource(const history::Run& run, const QString& path, QString* problem) const;

signals:
    void restoreRequested(const std::shared_ptr<const warplight::history::Run>& run);
    /// Something that was asked for was not done.
    void failed(const QString& problem);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeBar();
    void makeTable();
    QAction* makeAction(const QString& name, const QString& iconName, const QString& text, void (HistoryPage::*act)());
    /// Reads the history now, or when the page is shown.
    void ask();
    void update();
    void restyle();
    void updateActions();
    QList<int> selectedRows() const;
    void withRun(qint64 id, const std::function<void(std::shared_ptr<const history::Run>)>& then);
    void change(const std::function<void(history::History&, const std::vector<std::int64_t>&)>& act);
    void restore();
    void compare();
    void showComparison(const history::Run& before, const std::shared_ptr<const history::Run>& after);
    void editLabel();
    void editNote();
    void togglePins();
    void remove();
    void exportSource();

    Workbench& workbench_;
    HistoryModel* model_;
    QTableView* table_;
    QLineEdit* search_;
    QComboBox* filter_;
    QStackedWidget* stack_;
    QLabel* note_;
    ElidedLabel* details_;
    QAction *restore_, *compare_, *label_, *writeNote_, *pin_, *remove_, *export_;
    QPointer<ComparisonView> comparison_;
    QString problem_; ///< why the history could not be read
    bool stale_ = true, asked_ = false;
};

} // namespace warplight::ui
