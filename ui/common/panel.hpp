// SPDX-License-Identifier: GPL-3.0-or-later
/// The base of all panels.
///
/// A panel is `class XPanel : public Panel`, constructed with `XPanel(Workbench&, QWidget* parent = nullptr)`.
/// Its constructor does no work that waits. It shows its content, or, while there is nothing to show, a note
/// that says what to do next. A hidden panel may put refreshing off until `panelShown`.
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

    /// Actions for the dock's or the window's menus; none by default.
    virtual QList<QAction*> panelActions() const { return {}; }

    bool isShowingEmptyNote() const;
    /// What the content needs, whether it is shown now or the note.
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

/// What the window expects of ui/editor:
///
/// class EditorArea : public QWidget {                      // tabs of editors and of PTX / report views
///     EditorArea(Workbench&, QWidget* parent = nullptr);
///     QList<QAction*> editActions() const;                 // Edit menu: undo, redo, cut, …; separators included
///     QList<QAction*> viewActions() const;                 // View menu: folding, wrap, …
///     SourceFile* currentSource() const;                   // null on a tab that is no source
///     void goTo(const QString& path, int line, int column = 0);
///     void setCurrentSource(SourceFile*);
/// signals:
///     void cursorMoved(int line, int column);              // from 1
///     void currentSourceChanged();
///     void closeRequested(SourceFile*);                    // the window asks about unsaved changes, then
///     Document::closeSource
/// };
/// ProblemsPanel, OutputPanel, BuffersPanel: Panels in ui/problems, ui/output, ui/buffers; header names
/// problems_panel.hpp, output_panel.hpp, buffers_panel.hpp, editor_area.hpp. ProblemsPanel has
/// `int problemCount() const` and `signal void countsChanged(int errors, int warnings)`.

} // namespace warplight::ui
