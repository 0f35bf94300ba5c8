// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/session_dialog.hpp"

#include "session/reach.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/input_file.hpp"
#include "ui/common/theme.hpp"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>

namespace warplight::ui {

SessionDialog::SessionDialog(const Document& document, QWidget* parent)
    : FormDialog(parent), document_(document), session_(document.session()), title_(new QLineEdit),
      notes_(new QLineEdit), description_(new QPlainTextEdit), problem_(new QLabel) {
    setWindowTitle(tr("Session Properties"));
    title_->setText(QString::fromStdString(session_.title));
    title_->setToolTip(tr("Stands in the window's title, in reports and in the history"));
    description_->setPlainText(QString::fromStdString(session_.description));
    description_->setToolTip(tr("A few sentences. Notes shows them where a session has no notes."));
    description_->setTabChangesFocus(true);
    description_->setMinimumHeight(6 * fontMetrics().lineSpacing());
    notes_->setText(QString::fromStdString(session_.notes.path));
    notes_->setPlaceholderText(tr("in the session itself"));
    notes_->setToolTip(tr("A Markdown file in the session's folder, such as notes.md. A new one gets the notes that "
                          "there are."));
    auto* browse = new QToolButton;
    browse->setIcon(icon(QStringLiteral("folder")));
    browse->setToolTip(tr("Choose a file"));
    browse->setAccessibleName(tr("Choose a file"));
    auto* fields = new QWidget;
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(2 * Theme::grid);
    form->setVerticalSpacing(Theme::grid);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Title"), title_);
    form->addRow(tr("&Description"), description_);
    auto* row = new QHBoxLayout;
    row->setSpacing(Theme::half);
    row->addWidget(notes_, 1);
    row->addWidget(browse);
    auto* label = new QLabel(tr("&Notes are in"));
    label->setBuddy(notes_);
    form->addRow(label, row);
    problem_->setWordWrap(true);
    problem_->hide();
    setForm(fields, new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel), problem_);
    connect(browse, &QToolButton::clicked, this, &SessionDialog::chooseFile);
    setMinimumWidth(480);
}

void SessionDialog::chooseFile() {
    const QString chosen = QFileDialog::getOpenFileName(this, tr("Choose Notes"), document_.folder(),
                                                        tr("Markdown (*.md);;All files (*)"));
    if (!chosen.isEmpty()) notes_->setText(document_.pathInSession(chosen));
}

QString SessionDialog::takeNotes() {
    const session::Notes& before = document_.session().notes;
    session::Notes after = before;
    after.path = QDir::fromNativeSeparators(notes_->text().trimmed()).toStdString();
    newNotes_.reset();
    if (after.path == before.path) return {};
    QString text;
    try {
        text = document_.notesText();
    } catch (const session::SessionError& error) {
        // Notes that cannot be read stay where they are.
        if (after.path.empty()) return QString::fromUtf8(error.what());
    }
    after.text.clear();
    after.unknown.clear();
    if (after.path.empty()) {
        after.text = text.toStdString();
    } else {
        session::Session asked = session_;
        asked.notes = after;
        const QString file = document_.notesFileOf(asked);
        if (file.isEmpty()) return tr("Notes lie in the session's folder, so that they go with it.");
        if (!QFileInfo::exists(file)) {
            newNotes_ = text;
        } else if (const auto there = readInputFile(file, files::Kind::source);
                   before.path.empty() && !text.isEmpty() && (!there || QString::fromUtf8(*there) != text)) {
            return tr("There is a file %1 with another text, and the session has notes. Name a new file, or remove "
                      "the notes of one of them.")
                .arg(QString::fromStdString(after.path));
        }
    }
    session_.notes = after;
    return {};
}

void SessionDialog::accept() {
    session_ = document_.session();
    session_.title = title_->text().toStdString();
    session_.description = description_->toPlainText().toStdString();
    const QString problem = takeNotes();
    if (problem.isEmpty()) return QDialog::accept();
    problem_->setText(QStringLiteral("⚠ ") + problem);
    problem_->show();
    fitToContent();
}

} // namespace warplight::ui
