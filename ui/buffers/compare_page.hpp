// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_scan.hpp"
#include "ui/buffers/mismatch_model.hpp"

#include <QWidget>

class QComboBox;
class QCustomPlot;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace warplight::ui {

class Theme;

/// Two buffers element by element: how many differ, where, by how much.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(Theme& theme, QWidget* parent = nullptr);

    /// The buffers to choose from, the one to show, and the one to compare it with at first (-1: none).
    void setBuffers(BufferSource* source, const QList<BufferInfo>& buffers, qint64 current, qint64 with);
    void setTolerances(double relative, double absolute);
    void compare();
    void stop();
    bool isRunning() const;
    void step(bool forward);
    MismatchModel* model() const { return model_; }
    QString resultText() const;
    qint64 expectedId() const;
    QCustomPlot* plot() const { return plot_; }

signals:
    void indexRequested(qint64 flatIndex);
    void finished();

private:
    void restyle();
    void showSummary(const BufferComparison& comparison);
    void startScan();
    void drawDifference();
    void setRunning(bool running);
    void flush();
    void showDetails();
    bool takeRule();

    Theme& theme_;
    QPointer<BufferSource> source_;
    QList<BufferInfo> buffers_;
    BufferInfo actual_, expected_;
    CompareRule rule_;
    BufferScan scan_;
    BufferSource::Ticket ticket_ = 0;
    QList<Mismatch> found_;
    qint64 differing_ = 0;
    QList<double> largest_; ///< |difference|, one a bucket
    QComboBox* with_;
    QLineEdit *relative_, *absolute_;
    QPushButton *compare_, *stop_;
    QToolButton *previous_, *next_;
    QProgressBar* progress_;
    QLabel *actualName_, *result_;
    QTableView* table_;
    QWidget *details_, *filler_;
    MismatchModel* model_;
    QSortFilterProxyModel* sorted_;
    QCustomPlot* plot_;
};

} // namespace warplight::ui
