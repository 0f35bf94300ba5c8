// SPDX-License-Identifier: GPL-3.0-or-later
/// What the line chart and the heat map of a sweep have in common: the boxes that choose axes and figure, and a plot.
#pragma once

#include "ui/sweep/sweep_grid.hpp"

#include <QWidget>
#include <memory>

class QComboBox;
class QCPAxis;
class QCPLayoutGrid;
class QCustomPlot;
class QLabel;

namespace warplight::ui {

class Theme;

class SweepChart : public QWidget {
    Q_OBJECT
public:
    /// Null: none yet. The report may change afterwards, see refresh().
    void setReport(std::shared_ptr<const session::SweepReport> report);
    /// Draws the report as it is now.
    void refresh();
    QCustomPlot* plot() const { return plot_; }
    QComboBox* firstBox() const { return first_; }
    QComboBox* secondBox() const { return second_; }
    QComboBox* figureBox() const { return figure_; }
    const SweepGrid& grid() const { return grid_; }

signals:
    /// The user has clicked on it.
    void pointChosen(std::size_t point);

protected:
    SweepChart(Theme& theme, const QString& first, const QString& second, bool secondMayBeNone,
               QWidget* parent = nullptr);
    /// The grid is new.
    virtual void draw() = 0;
    virtual void restyle();

    Theme& theme() const { return theme_; }
    const session::SweepReport* report() const { return report_.get(); }
    SweepFigure figure() const;
    int firstAxis() const;
    int secondAxis() const; ///< below 0: none
    /// The figure's factor and name with its unit, for times as large as those of the grid.
    double factor() const;
    QString figureTitle() const;
    QString shownFigure(double value) const;
    /// Names at an axis at 0, 1, 2, …; as many as there is room for.
    static void fitNames(QCPAxis* axis, const QStringList& names);
    void setNote(const QString& text);

private:
    void fillBoxes();

    Theme& theme_;
    std::shared_ptr<const session::SweepReport> report_;
    SweepGrid grid_;
    QCustomPlot* plot_;
    QComboBox *first_, *second_, *figure_;
    QLabel *firstLabel_, *secondLabel_, *note_;
    bool secondMayBeNone_;
};

/// A line for each value of a second axis over the values of a first one.
class SweepLines : public SweepChart {
    Q_OBJECT
public:
    explicit SweepLines(Theme& theme, QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    void placeLegend(bool visible);
    QCPLayoutGrid* beside_ = nullptr; ///< has the legend while there is one
};

/// A coloured cell for each pair of values of two axes.
class SweepHeatMap : public SweepChart {
    Q_OBJECT
public:
    explicit SweepHeatMap(Theme& theme, QWidget* parent = nullptr);

protected:
    void draw() override;
    void restyle() override;

private:
    void fitTexts();
    class Parts;
    std::shared_ptr<Parts> parts_;
};

} // namespace warplight::ui
