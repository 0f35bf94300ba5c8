// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/formula_scope.hpp"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QCPColorMap;
class QCPGraph;
class QCustomPlot;
class QLabel;
class QProgressBar;
class QToolButton;

namespace warplight::ui {

class ExportButton;
class Theme;

/// Pairs of values of two buffers: points where they are few, else how often values occur together, in colours. All
/// pairs count; zooming in asks anew.
class ScatterPage : public QWidget {
    Q_OBJECT
public:
    explicit ScatterPage(Theme& theme, QWidget* parent = nullptr);
    ~ScatterPage() override;

    /// Arrays of the scope are those to choose from: they have as many elements as the buffer.
    void setChoices(BufferSource* source, const BufferInfo& info, const FormulaScope& scope);
    void choose(const QString& x, const QString& y);
    QString xName() const;
    QString yName() const;
    const BufferDensity& density() const { return density_; }
    bool isCounting() const { return ticket_ != 0; }
    void showAll();
    void showPart(double xLow, double xHigh, double yLow, double yHigh);
    /// Marks the pair of an element; -1 marks none.
    void setIndex(qint64 flatIndex);
    /// The element whose point is nearest to the place in the plot; -1 where none is near.
    qint64 indexAt(const QPointF& place) const;
    QCustomPlot* plot() const { return plot_; }
    ExportButton* exportButton() const { return export_; }
    QString readout() const;

    static constexpr int mostPoints = 8192;

signals:
    void message(const QString& text);
    void indexChosen(qint64 flatIndex);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// One of the two axes: what is chosen, and the buffer of its values.
    struct Side {
        QComboBox* box = nullptr;
        qint64 buffer = -1;
        bool derived = false; ///< a field, whose buffer is closed when another is chosen
    };
    void buildPlot();
    void restyle();
    void open(int side);
    void close(Side& side);
    void request();
    void stop();
    void draw();
    void drawCounts();
    void showMark();
    void point(const QPointF& place);
    void say(const QString& text);
    QString valuesText(QChar separator) const;

    Theme& theme_;
    QPointer<BufferSource> source_;
    BufferInfo info_;
    FormulaScope scope_;
    Side sides_[2];
    BufferDensity density_;
    BufferSource::Ticket ticket_ = 0;
    quint64 generation_ = 0, markGeneration_ = 0;
    bool everything_ = true, adjusting_ = false, stale_ = false;
    qint64 marked_ = -1;
    double markedAt_[2] = {};
    int markMissing_ = 0; ///< values that are on their way
    QPointF pressed_;
    QTimer timer_;
    QCustomPlot* plot_;
    QCPGraph *points_, *mark_;
    QCPColorMap* counts_;
    QToolButton* all_;
    ExportButton* export_;
    QLabel *readout_, *note_;
    QProgressBar* progress_;
};

} // namespace warplight::ui
