// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace warplight::ui {

class Theme;

/// Beside the tabs of Buffers: how many elements differ from what is expected, and ways to the next one. It takes no
/// room where none differs. A button that is put elsewhere tells whether buffers of a shape have one cursor.
class LinkBar : public QWidget {
    Q_OBJECT
public:
    explicit LinkBar(Theme& theme, QWidget* parent = nullptr);

    /// 0 hides what is about them.
    void setMismatches(qint64 count, qint64 elements);
    /// Compare has a list with ways of its own.
    void setStepsShown(bool shown);
    bool isMarking() const;
    void setMarking(bool on);
    QToolButton* linkButton() const { return link_; }
    bool isLinking() const;
    void setLinking(bool on);
    QString text() const;

signals:
    void marksToggled(bool on);
    void linkToggled(bool on);
    void stepRequested(bool forward);

private:
    void showParts();
    void restyle();

    Theme& theme_;
    qint64 mismatches_ = 0;
    bool stepsShown_ = true;
    QLabel* count_;
    QToolButton *previous_, *next_, *marks_, *link_;
};

} // namespace warplight::ui
