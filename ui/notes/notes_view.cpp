// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/notes_view.hpp"

#include "ui/common/input_file.hpp"
#include "ui/common/theme.hpp"

#include <QImage>
#include <QScrollBar>
#include <QTextDocument>

namespace warplight::ui {

NotesView::NotesView(QWidget* parent) : QTextBrowser(parent) {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Notes"));
}

void NotesView::showNotes(const QString& markdown, const session::Reach& reach) {
    if (markdown == shown_ && reach.folder() == reach_.folder()) return;
    shown_ = markdown;
    reach_ = reach;
    setPage();
    moveCursor(QTextCursor::Start);
}

void NotesView::showAgain() {
    const int place = verticalScrollBar()->value();
    setPage();
    verticalScrollBar()->setValue(place);
}

void NotesView::setPage() {
    // HTML could name files and pages that this class does not see.
    document()->setMarkdown(
        shown_, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub | QTextDocument::MarkdownNoHTML));
    document()->setDocumentMargin(2 * Theme::grid);
}

QVariant NotesView::loadResource(int type, const QUrl& name) {
    if (type != QTextDocument::ImageResource || !name.isRelative()) return {};
    try {
        const auto file = reach_.for_reading(reach_.place(name.path().toStdString()));
        const auto bytes = readInputFile(QString::fromStdU16String(file.u16string()), files::Kind::image);
        return bytes ? QVariant(QImage::fromData(*bytes)) : QVariant();
    } catch (const session::SessionError&) {
        return {}; // a picture outside of the folder stays empty
    }
}

} // namespace warplight::ui
