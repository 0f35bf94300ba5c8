// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/notes_panel.hpp"

#include "ui/common/icons.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/notes_view.hpp"
#include "ui/welcome/examples.hpp"

#include <QAction>
#include <QDesktopServices>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace warplight::ui {
namespace {

QString toQString(const std::filesystem::path& path) { return QString::fromStdU16String(path.u16string()); }

} // namespace

NotesPanel::NotesPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), view_(new NotesView), edit_(new QPlainTextEdit), pages_(new QStackedWidget),
      problem_(new QLabel), editButton_(new QPushButton), restoreButton_(new QPushButton(tr("Restore Original…"))),
      exercise_(new ExerciseBox(theme())), writeAction_(new QAction(tr("Write notes"), this)) {
    edit_->setFrameShape(QFrame::NoFrame);
    edit_->setAccessibleName(tr("Notes in Markdown"));
    edit_->setPlaceholderText(tr("Markdown: # Heading, **bold**, `code`, - list"));
    edit_->setTabChangesFocus(true);
    pages_->addWidget(view_);
    pages_->addWidget(edit_);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    problem_->hide();
    editButton_->setObjectName(QStringLiteral("editNotes"));
    restoreButton_->setObjectName(QStringLiteral("restoreOriginal"));
    restoreButton_->setToolTip(tr("Bring source, session and notes back to how they came with Warplight"));

    auto* top = new QWidget;
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(pages_, 1);
    column->addWidget(problem_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    row->setSpacing(Theme::grid);
    row->addWidget(editButton_);
    row->addWidget(restoreButton_);
    row->addStretch(1);
    column->addLayout(row);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(top);
    splitter->addWidget(exercise_);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    setContent(splitter);

    connect(editButton_, &QPushButton::clicked, this, [this] {
        if (editing_)
            endEditing();
        else
            beginEditing();
    });
    connect(writeAction_, &QAction::triggered, this, &NotesPanel::beginEditing);
    connect(restoreButton_, &QPushButton::clicked, this, &NotesPanel::restoreRequested);
    connect(edit_, &QPlainTextEdit::textChanged, this, &NotesPanel::keepTyped);
    connect(view_, &QTextBrowser::anchorClicked, this, &NotesPanel::openLink);
    connect(&document(), &Document::sessionReplaced, this, [this] {
        // What was typed is saved, or the user has given it up.
        editing_ = false;
        exercise_->forget();
        refresh();
    });
    connect(&document(), &Document::sessionChanged, this, &NotesPanel::refresh);
    connect(&document(), &Document::pathChanged, this, &NotesPanel::refresh);
    connect(&document(), &Document::readOnlyChanged, this, &NotesPanel::refresh);
    connect(&document(), &Document::sourceOpened, this, [this](SourceFile* source) {
        connect(source, &SourceFile::textChanged, exercise_, [this, source] {
            if (source == document().mainSource()) exercise_->markStale();
        });
    });
    connect(&theme(), &Theme::themeChanged, view_, &NotesView::showAgain);
    refresh();
}

session::Reach NotesPanel::reach() const {
    return session::Reach(std::filesystem::path(document().folder().toStdU16String()));
}

bool NotesPanel::isWorthShowing() const {
    return document().session().notes.any() || document().session().exercise.has_value();
}

QString NotesPanel::problem() const { return problem_->isHidden() ? QString() : problem_->text(); }

void NotesPanel::showProblem(const QString& text) {
    problem_->setText(text);
    problem_->setVisible(!text.isEmpty());
}

std::optional<QString> NotesPanel::notesText() {
    try {
        return document().notesText();
    } catch (const session::OutsideError&) {
        showProblem(tr("The notes are not shown: their file lies outside of the session's folder. Move it there."));
    } catch (const session::SessionError& error) {
        showProblem(tr("The notes cannot be read. %1").arg(QString::fromUtf8(error.what())));
    }
    return {};
}

void NotesPanel::refresh() {
    const session::Session& session = document().session();
    if (editing_ && document().notesFile() != editedFile_) {
        // Save As has taken the notes into the session, where typing goes on. Notes of another file begin as a page.
        editedFile_.clear();
        editing_ = session.notes.path.empty();
    }
    exercise_->setVisible(session.exercise.has_value());
    if (session.exercise) exercise_->setExercise(*session.exercise);
    restoreButton_->setVisible(!originalOf(document().path()).isEmpty());
    restoreButton_->setEnabled(!document().isReadOnly());
    editButton_->setEnabled(!document().isReadOnly());
    editButton_->setText(editing_ ? tr("Done") : tr("Edit Notes"));
    editButton_->setIcon(icon(editing_ ? QStringLiteral("check") : QStringLiteral("edit")));
    pages_->setCurrentWidget(editing_ ? static_cast<QWidget*>(edit_) : view_);
    if (editing_) {
        // Undo of what was typed. The editor's own text may differ: it has other line ends.
        if (!changing_)
            if (const auto text = notesText(); text && *text != edited_) showInEditor(*text);
        showContent();
        return;
    }
    showProblem({});
    QString text = notesText().value_or(QString());
    const bool described = text.isEmpty() && problem().isEmpty();
    if (described) text = QString::fromStdString(session.description);
    if (text.isEmpty() && problem().isEmpty() && !session.exercise && restoreButton_->isHidden()) {
        showEmptyNote(QStringLiteral("note"), tr("No notes"),
                      tr("Notes explain a session: what it shows, what to try, how to solve it."), writeAction_);
        return;
    }
    if (described && !session.title.empty())
        text = QStringLiteral("## %1\n\n%2").arg(QString::fromStdString(session.title), text);
    view_->showNotes(text, reach());
    showContent();
}

void NotesPanel::beginEditing() {
    if (editing_ || document().isReadOnly()) return;
    const auto text = notesText();
    if (!text) return;
    editing_ = true;
    editedFile_ = document().notesFile();
    showInEditor(*text);
    refresh();
    edit_->setFocus();
}

void NotesPanel::showInEditor(const QString& text) {
    edited_ = text;
    changing_ = true;
    edit_->setPlainText(text);
    changing_ = false;
}

void NotesPanel::keepTyped() {
    if (!editing_ || changing_) return;
    edited_ = edit_->toPlainText();
    if (!editedFile_.isEmpty()) {
        document().typeNotes(editedFile_, edited_);
        return;
    }
    changing_ = true;
    document().modify(
        tr("Edit Notes"), [this](session::Session& session) { session.notes.text = edited_.toStdString(); },
        QStringLiteral("notes"));
    changing_ = false;
}

void NotesPanel::endEditing() {
    QString problem;
    if (!document().saveNotes(&problem)) {
        showProblem(problem);
        return; // what was typed stays in the editor
    }
    editing_ = false;
    editedFile_.clear();
    refresh();
}

void NotesPanel::openLink(const QUrl& link) {
    const QString scheme = link.scheme();
    if (scheme == QLatin1String("http") || scheme == QLatin1String("https")) {
        QDesktopServices::openUrl(link);
    } else if (link.isRelative() && link.path().isEmpty()) {
        view_->scrollToAnchor(link.fragment());
    } else if (link.isRelative()) {
        try {
            emit openRequested(toQString(reach().for_reading(reach().place(link.path().toStdString()))));
        } catch (const session::SessionError&) {
            emit workbench().statusMessage(tr("The link leads out of the session's folder, so it is not opened."));
        }
    } else {
        emit workbench().statusMessage(tr("Only links to web pages and to files of the session are opened."));
    }
}

} // namespace warplight::ui
