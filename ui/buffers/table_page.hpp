// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_scan.hpp"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QSpinBox;
class QToolButton;

namespace warplight::ui {

class BufferGrid;
class Theme;

/// The values of a buffer as a table, with its statistics.
class TablePage : public QWidget {
    Q_OBJECT
public:
    explicit TablePage(Theme& theme, QWidget* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info);
    BufferGrid* grid() const { return grid_; }
    void goTo(qint64 flatIndex);
    /// A flat index, or one index an axis: "12", "3, 4". -1 for anything else or a place outside.
    static qint64 parseIndex(const QString& text, const QList<qint64>& shape);
    void find(bool forward);
    QComboBox* findBox() const { return find_; }
    QLineEdit* findValue() const { return value_; }
    QString statisticsText() const;

signals:
    void message(const QString& text);

private:
    void restyle();
    void applyFormat();
    void applyHeat();
    void rebuildSlices();
    void startSummary();
    void stopSummary();
    void showPosition(qint64 flatIndex);

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo info_;
    BufferScan scan_;
    BufferSource::Ticket summaryTicket_ = 0;
    bool haveSummary_ = false;
    BufferSummary summary_;

    BufferGrid* grid_;
    QComboBox *format_, *find_;
    QSpinBox *precision_, *columns_;
    QLabel *columnsLabel_, *position_, *statistics_;
    QLineEdit *goTo_, *value_;
    QToolButton *heat_, *previous_, *next_, *stop_, *compute_;
    QProgressBar* progress_;
    QWidget* slices_;
    QHBoxLayout* sliceRow_;
    QList<QSpinBox*> sliceBoxes_;
};

} // namespace warplight::ui
