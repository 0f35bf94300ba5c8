// SPDX-License-Identifier: GPL-3.0-or-later
/// What a session tells people: title, description, and where its notes are.
#pragma once

#include "ui/common/document.hpp"
#include "ui/common/form_dialog.hpp"

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace warplight::ui {

class SessionDialog : public FormDialog {
    Q_OBJECT
public:
    explicit SessionDialog(const Document& document, QWidget* parent = nullptr);

    /// The edited session. Valid after accept().
    const session::Session& session() const { return session_; }
    /// The text for the notes' file where it is a new one. Valid after accept().
    const std::optional<QString>& newNotes() const { return newNotes_; }

    void accept() override;

private:
    /// @returns what is wrong, as a sentence
    QString takeNotes();
    void chooseFile();

    const Document& document_;
    session::Session session_;
    std::optional<QString> newNotes_;
    QLineEdit *title_, *notes_;
    QPlainTextEdit* description_;
    QLabel* problem_;
};

} // namespace warplight::ui
