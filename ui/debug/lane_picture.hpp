// SPDX-License-Identifier: GPL-3.0-or-later
/// A value in each lane of a warp or each thread of a block, as coloured cells.
#pragma once

#include "ui/common/colour_map.hpp"
#include "ui/debug/debug_session.hpp"

#include <QWidget>

namespace warplight::ui {

class Theme;

struct LaneValues {
    int first = 0; ///< thread of the block
    Extent blockDim{};
    QString type;
    QList<double> numbers; ///< NaN: none
    QStringList texts;     ///< values, or why there is none
    QList<bool> valid;
    QList<bool> here; ///< at the line of the thread that is shown
    static LaneValues of(const nlohmann::json& answer);
    qsizetype size() const { return texts.size(); }
    /// threadIdx
    Extent index(qsizetype at) const;
};

class LanePicture : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Warp, Block };
    explicit LanePicture(Theme& theme, QWidget* parent = nullptr);

    void setValues(const LaneValues& values, Kind kind);
    void setColourMap(ColourMap::Name name);
    void setSlice(int z);       ///< of a block
    void setChosen(int thread); ///< is framed
    void setOld(bool old);      ///< nothing stands any more
    const LaneValues& values() const { return values_; }
    double minimum() const { return minimum_; }
    double maximum() const { return maximum_; }
    /// The cell of a value; empty while it is not shown.
    QRect cell(qsizetype at) const;
    /// What is said of a value.
    QString text(qsizetype at) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void threadChosen(int thread);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Grid {
        qsizetype begin = 0, count = 0; ///< values
        int columns = 1, rows = 1;
        double width = 0, height = 0; ///< of a cell
    };
    Grid grid() const;
    int legendHeight() const;
    qsizetype at(QPoint place) const;
    QString shortText(qsizetype at) const;
    QColor colour(qsizetype at) const;
    void paintLegend(QPainter& painter) const;

    Theme& theme_;
    ColourMap map_;
    LaneValues values_;
    Kind kind_ = Kind::Warp;
    double minimum_ = 0, maximum_ = 0;
    bool hasNumbers_ = false, old_ = false;
    int slice_ = 0, chosen_ = -1;
};

} // namespace warplight::ui
