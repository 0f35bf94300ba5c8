// SPDX-License-Identifier: GPL-3.0-or-later
/// The 32 lanes of a warp, drawn to what they access: sectors in lines of global and local memory, words in banks of
/// shared memory, or the ways of a branch.
#pragma once

#include "profile/warp_record.hpp"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <variant>
#include <vector>

namespace warplight::ui {

class Theme;

class LanesPicture : public QWidget {
    Q_OBJECT
public:
    explicit LanesPicture(Theme& theme, QWidget* parent = nullptr);

    /// Nothing is drawn.
    void clear();
    void showAccess(std::shared_ptr<const profile::WarpRecord> record, const profile::RecordedAccess& access);
    /// @param ways a text for each way
    void showBranch(std::shared_ptr<const profile::WarpRecord> record, const profile::RecordedBranch& branch,
                    const QStringList& ways);
    /// "Lane 5, thread (69,0,0): x[330] at 0x7f00"
    QString laneText(int lane) const;
    /// What is under a point: a lane, or a cell with the lanes that touch it; empty for neither.
    QString textAt(const QPointF& point) const;
    QRectF laneRect(int lane) const;
    int cellCount() const { return int(cells_.size()); }
    int hoveredLane() const { return hovered_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepped(int by);
    void ended(bool last); ///< to the last execution, or to the first

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// A sector, a word in a bank, or a way of a branch.
    struct Cell {
        QRectF rect;
        quint32 lanes = 0; ///< that touch it; 0: fetched by none
        QString tip, label;
        std::vector<QRectF> asked; ///< parts that lanes asked for
        int shade = 0;             ///< of a bank the wavefront, of a branch the way
    };
    struct Link {
        int lane;
        QPointF to;
        int shade;
    };
    /// A text below cells.
    struct Label {
        QRectF rect;
        QString text;
        bool centred = false;
    };

    void arrange();
    double neededHeight() const;
    void arrangeSectors(const profile::RecordedAccess& access, const QRectF& room);
    void arrangeBanks(const profile::RecordedAccess& access, const QRectF& room);
    void arrangeWays(const profile::RecordedBranch& branch, const QRectF& room);
    quint32 activeLanes() const;
    QColor shadeOf(int shade) const;
    void hover(int lane);
    void paintLegend(QPainter& painter) const;
    int lineHeight() const;

    Theme& theme_;
    std::shared_ptr<const profile::WarpRecord> record_;
    std::variant<std::monostate, profile::RecordedAccess, profile::RecordedBranch> shown_;
    QStringList ways_;
    std::vector<Cell> cells_;
    std::vector<Link> links_;
    std::vector<Label> labels_;
    int hovered_ = -1;
};

} // namespace warplight::ui
