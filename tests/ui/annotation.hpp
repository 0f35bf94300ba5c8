// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

namespace warplight::ui {

/// What is shown under a line (from 0). QScintilla 2.14.1's own annotation() returns memory that it has freed.
inline QString annotationOf(const QsciScintilla& editor, int line) {
    const auto at = static_cast<unsigned long>(line);
    QByteArray text(editor.SendScintilla(QsciScintilla::SCI_ANNOTATIONGETTEXT, at, static_cast<void*>(nullptr)) + 1,
                    '\0');
    editor.SendScintilla(QsciScintilla::SCI_ANNOTATIONGETTEXT, at, static_cast<void*>(text.data()));
    return QString::fromUtf8(text.constData());
}

} // namespace warplight::ui
