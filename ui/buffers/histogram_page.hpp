// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QColor>
#include <QPointer>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QCPBars;
class QCustomPlot;
class QLabel;
class QLineEdit;
class QProgressBar;
class QSpinBox;
class QToolButton;

namespace warplight::ui {

class ExportButton;
class Theme;

/// How often the values of a buffer occur: exact counts of all of them, over the range that is asked for.
class HistogramPage : public QWidget {
    Q_OBJECT
public:
    explicit HistogramPage(Theme& theme, QWidget* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info, const QColor& colour);
    enum Range { AllValues, Percent98, Percent998, BetweenValues };
    void setRange(Range range);
    void setValues(double low, double high);
    void setBins(int bins);
    void setLogarithmic(bool on);
    /// The last answer; no counts while there is none.
    const BufferHistogram& histogram() const { return histogram_; }
    bool isCounting() const { return ticket_ != 0; }
    QString readout() const;
    QString counts() const;
    void pointAt(qsizetype bin);
    QCustomPlot* plot() const { return plot_; }
    ExportButton* exportButton() const { return export_; }

signals:
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildPlot();
    void restyle();
    void count();
    void stop();
    void draw();
    void showCounting(bool counting);
    QString valuesText(QChar separator) const;
    double binWidth() const;

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo info_;
    QColor colour_;
    BufferHistogram histogram_;
    BufferSource::Ticket ticket_ = 0;
    qsizetype pointed_ = -1;
    QCustomPlot* plot_;
    QCPBars* bars_;
    QComboBox* range_;
    QLineEdit *low_, *high_;
    QSpinBox* bins_;
    QCheckBox* logarithmic_;
    ExportButton* export_;
    QLabel *readout_, *counts_;
    QProgressBar* progress_;
    QToolButton* stop_;
};

} // namespace warplight::ui
