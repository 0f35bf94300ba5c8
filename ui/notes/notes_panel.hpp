// SPDX-License-Identifier: GPL-3.0-or-later
/// The notes of the session, which are shown as a page and edited as Markdown, and its exercise.
#pragma once

#include "session/reach.hpp"
#include "ui/common/panel.hpp"

#include <optional>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;

namespace warplight::ui {

class ExerciseBox;
class NotesView;

class NotesPanel : public Panel {
    Q_OBJECT
public:
    explicit NotesPanel(Workbench& workbench, QWidget* parent = nullptr);

    ExerciseBox& exercise() { return *exercise_; }
    NotesView& view() { return *view_; }
    QPlainTextEdit& editor() { return *edit_; }
    QPushButton* editButton() const { return editButton_; }
    QPushButton* restoreButton() const { return restoreButton_; }
    /// The session has notes or an exercise, more than its description.
    bool isWorthShowing() const;
    /// Why the notes cannot be shown or saved; empty where they can.
    QString problem() const;

signals:
    /// A click on a link that names a file of the session's folder.
    void openRequested(const QString& path);
    void restoreRequested();

private:
    void refresh();
    void beginEditing();
    void endEditing();
    void keepTyped();
    void openLink(const QUrl& link);
    void showInEditor(const QString& text);
    /// The Markdown of the session; none, and the problem is shown, where it cannot be read.
    std::optional<QString> notesText();
    void showProblem(const QString& text);
    [[nodiscard]] session::Reach reach() const;

    NotesView* view_;
    QPlainTextEdit* edit_;
    QStackedWidget* pages_;
    QLabel* problem_;
    QPushButton *editButton_, *restoreButton_;
    ExerciseBox* exercise_;
    QAction* writeAction_;
    QString editedFile_; ///< where the notes that are edited belong; empty: into the session
    QString edited_;     ///< the notes as the editor was given them, or as they were typed since
    bool editing_ = false, changing_ = false;
};

} // namespace warplight::ui
