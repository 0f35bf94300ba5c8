// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QColor>
#include <QPointer>
#include <QTimer>
#include <QWidget>

class QCustomPlot;
class QCPGraph;
class QCPItemLine;
class QLabel;
class QToolButton;

namespace warplight::ui {

class ExportButton;
class Theme;

/// Plots the values of one or several buffers over their index. The worker decimates them to what the screen can show.
class PlotPage : public QWidget {
    Q_OBJECT
public:
    struct Series {
        BufferInfo info;
        QColor colour;
    };

    explicit PlotPage(Theme& theme, QWidget* parent = nullptr);

    void setSeries(BufferSource* source, QList<Series> series);
    QCustomPlot* plot() const { return plot_; }
    ExportButton* exportButton() const { return export_; }
    /// Shows the elements from `first` to `last`.
    void showRange(double first, double last);
    void showAll();
    /// Points that arrived for series i.
    const BufferPlot& data(int series) const { return data_[series]; }
    QString readout() const;
    void setCrosshair(double index);
    /// Marks an element, and moves the range to it; -1 marks none.
    void setIndex(qint64 index);
    qint64 index() const { return marked_; }

signals:
    void indexChosen(qint64 flatIndex);
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restyle();
    void request();
    void take(int series, const BufferPlot& plot);
    void fitValues();
    void cancel();
    QString valuesText(QChar separator) const;
    double lastIndex() const;

    Theme& theme_;
    QPointer<BufferSource> source_;
    QList<Series> series_;
    QList<BufferPlot> data_;
    QList<QCPGraph*> low_, high_;
    QList<BufferSource::Ticket> tickets_;
    QCustomPlot* plot_;
    QCPItemLine *crosshair_, *mark_;
    ExportButton* export_;
    QToolButton* all_;
    QLabel *readout_, *note_;
    QTimer timer_;
    bool adjusting_ = false;
    double at_ = -1;
    qint64 marked_ = -1;
    QPointF pressed_;
};

} // namespace warplight::ui
