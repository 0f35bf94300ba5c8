// SPDX-License-Identifier: GPL-3.0-or-later
/// The base of all panels.
///
/// A panel is `class XPanel : public Panel`, constructed with `XPanel(Workbench&, QWidget* parent = nullptr)`.
/// Its constructor must not wait for anything. The panel shows its content, or, while there is none, a note that says
/// what to do next. A hidden panel may put refreshing off until `panelShown`.
#pragma once

#include "ui/common/workbench.hpp"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedLayout;

namespace warplight::ui {

class Panel : public QWidget {
    Q_OBJECT
public:
    explicit Panel(Workbench& workbench, QWidget* parent = nullptr);

    /// The panel's own actions, for the menu that its row in panel_table.cpp names.
    virtual QList<QAction*> panelActions() const { return {}; }

    bool isShowingEmptyNote() const;
    /// The least size of the content, even while the note is shown.
    QSize contentMinimum() const;

signals:
    void panelShown();

protected:
    Workbench& workbench() const { return workbench_; }
    Document& document() const { return workbench_.document(); }
    Theme& theme() const { return workbench_.theme(); }

    /// Takes the widget over; call once, in the constructor.
    void setContent(QWidget* content);
    void showContent();
    /// An icon of resources/icons, one line, one sentence of help, and a button if there is an action.
    void showEmptyNote(const QString& icon, const QString& title, const QString& hint, QAction* action = nullptr);

    void showEvent(QShowEvent* event) override;

private:
    void restyle();

    Workbench& workbench_;
    QStackedLayout* stack_;
    QWidget* note_;
    QLabel *noteIcon_, *noteTitle_, *noteHint_;
    QPushButton* noteButton_;
    QWidget* content_ = nullptr;
    QAction* noteAction_ = nullptr;
    QString noteIconName_;
};

} // namespace warplight::ui
