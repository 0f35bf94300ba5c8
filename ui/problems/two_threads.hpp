// SPDX-License-Identifier: GPL-3.0-or-later
/// Two threads that nothing orders, side by side, time going down: what each did, what is missing between, and what
/// would order them.
#pragma once

#include "findings/finding.hpp"

#include <QWidget>

#include <functional>
#include <memory>

namespace warplight::ui {

class Theme;

class TwoThreads : public QWidget {
    Q_OBJECT
public:
    using SourceLine = std::function<QString(const findings::Place&)>;
    TwoThreads(Theme& theme, SourceLine sourceLine, QWidget* parent = nullptr);

    /// Whether a finding is one of two threads.
    static bool isOfTwo(const findings::Finding& finding) { return finding.other && finding.mend; }
    /// One of two threads; null: nothing is drawn.
    void setFinding(std::shared_ptr<const findings::Finding> finding);
    const findings::Finding* finding() const { return finding_.get(); }
    /// The box of a thread: 0 is on the left.
    QRectF boxOf(int end) const;
    const findings::Event& eventOf(int end) const;
    QString textOf(int end) const; ///< of its box, in lines
    QString between() const;       ///< what is there, or missing
    QString cure() const;          ///< what would order them

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void placeChosen(const QString& file, int line, int column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    /// Both wait: neither comes before the other.
    bool isWaiting() const;
    void choose(int end);
    QRectF columnOf(int end) const;
    QRectF middle() const;
    void fit();
    QString cureText() const;
    QSizeF bandSize(const QString& text) const; ///< of a text between the boxes
    int lineHeight() const;
    int endAt(const QPointF& point) const;

    Theme& theme_;
    SourceLine sourceLine_;
    std::shared_ptr<const findings::Finding> finding_;
    int hovered_ = -1, current_ = 0;
};

} // namespace warplight::ui
