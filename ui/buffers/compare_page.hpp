// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_scan.hpp"
#include "ui/buffers/mismatch_model.hpp"
#include "ui/buffers/mismatch_set.hpp"

#include <QWidget>
#include <memory>

class QComboBox;
class QCustomPlot;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace warplight::ui {

class DifferencePicture;
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
    void setIndex(qint64 flatIndex); ///< marks it in the picture
    void stop();
    void forget(); ///< the comparison before, also one that runs
    bool isRunning() const;
    void step(bool forward);
    MismatchModel* model() const { return model_; }
    QString resultText() const;
    qint64 expectedId() const;
    QCustomPlot* plot() const { return plot_; }
    DifferencePicture* picture() const { return picture_; }
    /// All elements of the first buffer that differ. Null while a comparison runs, where there was none, and of buffers
    /// that are too large to mark.
    std::shared_ptr<const MismatchSet> marks() const { return marks_; }

signals:
    void indexRequested(qint64 flatIndex);
    void finished();
    void marksChanged();
    void indexChosen(qint64 flatIndex);

private:
    void restyle();
    void showSummary(const BufferComparison& comparison);
    void startScan();
    void drawDifference();
    void showPicture();
    struct Value {
        ElementType type;
        const char* bytes;
    };
    /// Values that are not the same bytes.
    void compareValue(qint64 index, qint64 column, const QString& field, const Value& actual, const Value& expected);
    void prepareScan();
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
    QList<double> above_, below_;          ///< the largest differences of both signs, one a bucket
    FieldColumns columns_[2];              ///< of structs: the actual ones and those that are expected
    QList<qint64> partners_;               ///< the expected column of each actual one
    std::shared_ptr<MismatchSet> marking_; ///< of the scan that runs
    std::shared_ptr<const MismatchSet> marks_;
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
    DifferencePicture* picture_;
    QComboBox* kind_;
    QStackedWidget* kinds_;
};

} // namespace warplight::ui
