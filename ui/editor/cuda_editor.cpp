// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/cuda_editor.hpp"

#include "ui/code/ptx_lexer.hpp"
#include "ui/common/colour_map.hpp"
#include "ui/common/document.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"
#include "ui/editor/cuda_apis.hpp"
#include "ui/editor/cuda_lexer.hpp"
#include "ui/editor/indentation.hpp"

#include <Qsci/qscistyle.h>

#include <QFileInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QToolTip>

#include <algorithm>

namespace warplight::ui {

CudaEditor::CudaEditor(SourceFile* file, Theme& theme, QWidget* parent) : CodeView(theme, parent), file_(file) {
    setAccessibleName(tr("Source of %1").arg(file->name()));
    setText(file->text());
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    setReadOnly(file->isReadOnly());
    setMarginWidth(SymbolMargin, 18);
    setFolding(PlainFoldStyle, FoldMargin);
    setAnnotationDisplay(AnnotationBoxed);
    markerDefine(Circle, ErrorMark);
    markerDefine(RightTriangle, WarningMark);
    markerDefine(RightArrow, NoteMark);
    setMargins(MarginCount);
    setMarginType(HeatMargin, TextMargin);
    setMarginSensitivity(HeatMargin, false);
    setMarginWidth(HeatMargin, 0);
    markerDefine(Invisible, Heat);
    setAutoCompletionSource(AcsAll);
    setAutoCompletionThreshold(3);
    setAutoCompletionCaseSensitivity(true);
    setAutoCompletionReplaceWord(false);
    setAutoCompletionUseSingle(AcusNever);
    setCallTipsStyle(CallTipsNoContext);
    setCallTipsVisible(1);

    chooseLexer();
    applyLook();

    occurrences_.setSingleShot(true);
    occurrences_.setInterval(200);
    connect(&occurrences_, &QTimer::timeout, this, &CudaEditor::markOccurrences);
    connect(this, &QsciScintilla::cursorPositionChanged, &occurrences_, qOverload<>(&QTimer::start));
    connect(this, &QsciScintilla::textChanged, this, [this] {
        if (file_ && !taking_) file_->setText(text());
    });
    connect(this, &QsciScintillaBase::SCN_MODIFIED, this, &CudaEditor::onModified);
    connect(file, &SourceFile::textChanged, this, &CudaEditor::takeText);
    connect(file, &SourceFile::readOnlyChanged, this, [this] { setReadOnly(file_->isReadOnly()); });
    connect(file, &SourceFile::pathChanged, this, [this] {
        setAccessibleName(tr("Source of %1").arg(file_->name()));
        chooseLexer();
        applyLook();
    });
}

void CudaEditor::chooseLexer() {
    setAutoIndent(file_->isPtx()); // C++ has rules of its own, see breakLine
    if (file_->isPtx()) {
        if (!ptx_) ptx_ = new PtxLexer(this);
        if (lexer() != ptx_) setLexer(ptx_);
        return;
    }
    if (!cuda_) {
        cuda_ = new CudaLexer(this);
        new CudaApis(cuda_); // the lexer's, from here on
    }
    if (lexer() != cuda_) setLexer(cuda_);
}

void CudaEditor::applyLook() {
    // The lexer comes first: setting its styles resets the view's own colours.
    const SyntaxColours& syntax = theme().colours().syntax;
    if (lexer() == cuda_ && cuda_) cuda_->setLook(syntax, theme().monospace());
    if (lexer() == ptx_ && ptx_) ptx_->setLook(syntax, theme().monospace());
    CodeView::applyLook();
    const Colours& colours = theme().colours();
    setMarkerForegroundColor(colours.error, ErrorMark);
    setMarkerBackgroundColor(colours.error, ErrorMark);
    setMarkerForegroundColor(colours.warning, WarningMark);
    setMarkerBackgroundColor(colours.warning, WarningMark);
    setMarkerForegroundColor(colours.mutedText, NoteMark);
    setMarkerBackgroundColor(colours.mutedText, NoteMark);
    applyHeatColours();
    fitHeatMargin();
    setCallTipsBackgroundColor(colours.alternate);
    setCallTipsForegroundColor(colours.text);
    setCallTipsHighlightColor(colours.accent);
    for (auto it = messages_.cbegin(); it != messages_.cend(); ++it)
        annotateLine(markerLine(it.key()));
}

void CudaEditor::takeText() {
    if (!file_ || file_->text() == text()) return;
    // Replaced, not set: the step can be undone.
    taking_ = true;
    int line = 0, column = 0;
    getCursorPosition(&line, &column);
    const int top = firstVisibleLine();
    const bool readOnly = isReadOnly();
    setReadOnly(false);
    beginUndoAction();
    const QByteArray utf8 = file_->text().toUtf8();
    SendScintilla(SCI_TARGETWHOLEDOCUMENT);
    SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(utf8.size()), utf8.constData());
    endUndoAction();
    setReadOnly(readOnly);
    setCursorPosition(std::min(line, lines() - 1), column);
    setFirstVisibleLine(top);
    taking_ = false;
}

bool CudaEditor::isNamed(const QString& name) const {
    if (!file_ || name.isEmpty()) return false;
    if (name == file_->path() || name == file_->name()) return true;
    return QFileInfo(name).isRelative() && QFileInfo(name).fileName() == file_->name();
}

void CudaEditor::setDiagnostics(const std::vector<compiler::Diagnostic>& diagnostics) {
    clearDiagnostics();
    for (const compiler::Diagnostic& diagnostic : diagnostics) {
        const QString file = QString::fromStdString(diagnostic.file);
        if (!isNamed(file) || diagnostic.line < 1 || diagnostic.line > lines()) continue;
        const int line = diagnostic.line - 1;
        QString text = QString::fromStdString(diagnostic.message);
        for (const std::string& note : diagnostic.notes)
            text += QStringLiteral("\n   ") + QString::fromStdString(note);
        const bool error = diagnostic.severity == compiler::Severity::error;
        const bool warning = diagnostic.severity == compiler::Severity::warning;
        int handle = -1;
        for (auto it = messages_.cbegin(); it != messages_.cend(); ++it)
            if (markerLine(it.key()) == line) handle = it.key();
        if (handle < 0) handle = markerAdd(line, error ? ErrorMark : warning ? WarningMark : NoteMark);
        messages_[handle].append({diagnostic.severity, text});

        const QString source = this->text(line);
        int from = diagnostic.column > 0 ? diagnostic.column - 1 : 0;
        if (diagnostic.column <= 0)
            while (from < source.size() && source[from].isSpace())
                ++from;
        int to = from;
        const auto isWord = [&](int i) { return source[i].isLetterOrNumber() || source[i] == QLatin1Char('_'); };
        while (to < source.size() && isWord(to))
            ++to;
        if (to == from) to = diagnostic.column > 0 ? from + 1 : int(source.trimmed().size()) + from;
        fillIndicatorRange(line, std::min<int>(from, int(source.size())), line, std::min<int>(to, int(source.size())),
                           error ? ErrorIndicator : WarningIndicator);
        annotateLine(line);
    }
}

void CudaEditor::annotateLine(int line) {
    if (line < 0) return;
    QString text;
    compiler::Severity worst = compiler::Severity::note;
    for (auto it = messages_.cbegin(); it != messages_.cend(); ++it) {
        if (markerLine(it.key()) != line) continue;
        for (const Message& message : it.value()) {
            const QString word = message.severity == compiler::Severity::error     ? tr("error")
                                 : message.severity == compiler::Severity::warning ? tr("warning")
                                                                                   : tr("note");
            if (!text.isEmpty()) text += QLatin1Char('\n');
            text += QStringLiteral(" %1: %2 ").arg(word, message.text);
            worst = std::max(worst, message.severity);
        }
    }
    if (text.isEmpty()) return;
    const Colours& colours = theme().colours();
    const bool error = worst == compiler::Severity::error, warning = worst == compiler::Severity::warning;
    QFont font = theme().monospace();
    const QsciStyle style(error     ? 200
                          : warning ? 201
                                    : 202,
                          QStringLiteral("message"), colours.text,
                          error     ? colours.errorSoft
                          : warning ? colours.warningSoft
                                    : colours.alternate,
                          font, false);
    annotate(line, text, style);
}

void CudaEditor::clearDiagnostics() {
    for (int mark : {ErrorMark, WarningMark, NoteMark})
        markerDeleteAll(mark);
    messages_.clear();
    clearAnnotations();
    const int last = lines() - 1;
    clearIndicatorRange(0, 0, last, lineLength(last), ErrorIndicator);
    clearIndicatorRange(0, 0, last, lineLength(last), WarningIndicator);
}

QList<int> CudaEditor::diagnosticLines() const {
    QList<int> lines;
    for (auto it = messages_.cbegin(); it != messages_.cend(); ++it)
        lines << markerLine(it.key()) + 1;
    std::sort(lines.begin(), lines.end());
    return lines;
}

void CudaEditor::setHeat(const FileHeat& heat) {
    markerDeleteAll(Heat);
    clearMarginText();
    heat_.clear();
    for (auto it = heat.cbegin(); it != heat.cend(); ++it)
        if (it.key() >= 1 && it.key() <= lines()) markHeat(it.key() - 1, it.key(), it.value());
    fitHeatMargin();
}

void CudaEditor::recolourHeat(const FileHeat& heat) {
    QList<std::pair<int, int>> places; // line now, line in the text that ran
    for (auto it = heat_.cbegin(); it != heat_.cend(); ++it)
        places.append({markerLine(it.key()), it->profiledLine});
    markerDeleteAll(Heat);
    clearMarginText();
    heat_.clear();
    for (const auto& [line, profiledLine] : places)
        if (line >= 0) markHeat(line, profiledLine, heat.value(profiledLine));
    fitHeatMargin();
}

void CudaEditor::markHeat(int line, int profiledLine, const LineHeat& heat) {
    const int handle = markerAdd(line, Heat); // which follows its line
    if (handle < 0) return;
    heat_.insert(handle, {profiledLine, heat});
    showHeat(line, heat.step);
}

QMap<int, int> CudaEditor::heatLines() const {
    QMap<int, int> lines;
    for (auto it = heat_.cbegin(); it != heat_.cend(); ++it)
        if (it->heat.step >= 0) lines.insert(markerLine(it.key()) + 1, it->heat.step);
    return lines;
}

void CudaEditor::fitHeatMargin() {
    const bool any =
        std::any_of(heat_.cbegin(), heat_.cend(), [](const HeatMark& mark) { return mark.heat.step >= 0; });
    setMarginWidth(HeatMargin, any ? scaledPixels(6) : 0);
}

/// The margin of a line has the background of its text.
void CudaEditor::showHeat(int line, int step) {
    if (step < 0) return;
    // The ends of the map that are near the background are left out, and more heat is further from the background.
    const double part = double(step) / (LineHeat::steps - 1);
    const QColor colour(ColourMap(ColourMap::Heat).at(theme().isDark() ? 0.3 + 0.7 * part : 0.95 - 0.75 * part));
    constexpr int firstStyle = 210;
    setMarginText(line, QStringLiteral(" "),
                  QsciStyle(firstStyle + step, QStringLiteral("heat"), colour, colour, theme().monospace()));
}

void CudaEditor::applyHeatColours() {
    for (auto it = heat_.cbegin(); it != heat_.cend(); ++it)
        if (const int line = markerLine(it.key()); line >= 0) showHeat(line, it->heat.step);
}

bool CudaEditor::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (showHeatTip(help->pos(), help->globalPos())) return true;
    }
    return CodeView::viewportEvent(event);
}

bool CudaEditor::showHeatTip(const QPoint& at, const QPoint& onScreen) {
    int left = 0;
    for (int margin = 0; margin < HeatMargin; ++margin)
        left += marginWidth(margin);
    if (heat_.isEmpty() || at.x() < left || at.x() >= left + marginWidth(HeatMargin)) return false;
    const int inText = left + marginWidth(HeatMargin) + Theme::grid;
    const long position = SendScintilla(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(inText), long(at.y()));
    const int line = int(SendScintilla(SCI_LINEFROMPOSITION, static_cast<unsigned long>(position)));
    for (auto it = heat_.cbegin(); it != heat_.cend(); ++it)
        if (markerLine(it.key()) == line && !it->heat.tip.isEmpty()) {
            QToolTip::showText(onScreen, it->heat.tip, this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

void CudaEditor::forgetHeat(int line) {
    if (heat_.isEmpty()) return;
    for (auto it = heat_.begin(); it != heat_.end();) {
        const int at = markerLine(it.key());
        if (at == line) {
            markerDeleteHandle(it.key());
            // Scintilla forbids a listener to change text or styles, so this waits until the change is done.
            QMetaObject::invokeMethod(
                this,
                [this, line] {
                    if (line < lines()) clearMarginText(line);
                },
                Qt::QueuedConnection);
        }
        it = at == line || at < 0 ? heat_.erase(it) : std::next(it);
    }
    if (heatLines().isEmpty()) QMetaObject::invokeMethod(this, &CudaEditor::fitHeatMargin, Qt::QueuedConnection);
}

void CudaEditor::onModified(int position, int type, const char*, int, int, int, int, int, int, int) {
    if (!(type & (SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT)) || (messages_.isEmpty() && heat_.isEmpty())) return;
    const int line = int(SendScintilla(SCI_LINEFROMPOSITION, static_cast<unsigned long>(position)));
    forgetHeat(line);
    for (auto it = messages_.begin(); it != messages_.end();) {
        const int at = markerLine(it.key());
        if (at != line && at >= 0) {
            ++it;
            continue;
        }
        const int handle = it.key();
        it = messages_.erase(it);
        markerDeleteHandle(handle);
        // Scintilla forbids a listener to change text or styles, so this waits until the change is done.
        QMetaObject::invokeMethod(
            this,
            [this, line] {
                if (line >= lines()) return;
                clearAnnotations(line);
                for (int indicator : {ErrorIndicator, WarningIndicator})
                    clearIndicatorRange(line, 0, line, lineLength(line), indicator);
            },
            Qt::QueuedConnection);
    }
}

void CudaEditor::markOccurrences() {
    SendScintilla(SCI_SETINDICATORCURRENT, OccurrenceIndicator);
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, SendScintilla(SCI_GETLENGTH));
    int line = 0, column = 0;
    getCursorPosition(&line, &column);
    const QString word = wordAtLineIndex(line, column);
    static const QRegularExpression identifier(QStringLiteral("^[A-Za-z_]\\w+$"));
    if (!identifier.match(word).hasMatch()) return;
    const QByteArray needle = word.toUtf8();
    const QByteArray haystack = text().toUtf8();
    const auto isWord = [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c | 32) >= 'a'; };
    QList<qsizetype> places;
    for (qsizetype at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + needle.size())) {
        const qsizetype end = at + needle.size();
        if ((at == 0 || !isWord(haystack[at - 1])) && (end == haystack.size() || !isWord(haystack[end]))) places << at;
        if (places.size() > 2000) return;
    }
    if (places.size() < 2) return;
    for (qsizetype at : places)
        SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(at), static_cast<long>(needle.size()));
}

void CudaEditor::toggleComment() {
    if (isReadOnly()) return;
    const auto start = static_cast<unsigned long>(SendScintilla(SCI_GETSELECTIONSTART));
    const auto end = static_cast<unsigned long>(SendScintilla(SCI_GETSELECTIONEND));
    const int first = int(SendScintilla(SCI_LINEFROMPOSITION, start));
    int last = int(SendScintilla(SCI_LINEFROMPOSITION, end));
    // A selection that ends where a line begins does not mean that line.
    if (last > first && SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(last)) == long(end)) --last;
    bool all = true;
    int indent = 1 << 20;
    for (int line = first; line <= last; ++line) {
        const QString source = text(line);
        if (source.trimmed().isEmpty()) continue;
        int column = 0;
        while (source[column].isSpace())
            ++column;
        indent = std::min(indent, column);
        all = all && source.mid(column).startsWith(QLatin1String("//"));
    }
    if (indent == 1 << 20) return;
    beginUndoAction();
    for (int line = first; line <= last; ++line) {
        const QString source = text(line);
        if (source.trimmed().isEmpty()) continue;
        if (all) {
            const int at = int(source.indexOf(QLatin1String("//")));
            const int length = at + 2 < source.size() && source[at + 2] == QLatin1Char(' ') ? 3 : 2;
            const long from =
                SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line)) + source.left(at).toUtf8().size();
            SendScintilla(SCI_DELETERANGE, static_cast<unsigned long>(from), static_cast<long>(length));
        } else {
            insertAt(QStringLiteral("// "), line, indent);
        }
    }
    endUndoAction();
    // Inserting text ends the selection; the lines stay chosen, for the next toggle.
    if (end > start)
        SendScintilla(
            SCI_SETSEL,
            static_cast<unsigned long>(SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(first))),
            SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(last) + 1));
}

void CudaEditor::duplicateLines() {
    if (!isReadOnly()) SendScintilla(hasSelectedText() ? SCI_SELECTIONDUPLICATE : SCI_LINEDUPLICATE);
}

void CudaEditor::moveLines(bool down) {
    if (!isReadOnly()) SendScintilla(down ? SCI_MOVESELECTEDLINESDOWN : SCI_MOVESELECTEDLINESUP);
}

void CudaEditor::setWrap(bool wrap) {
    setWrapMode(wrap ? WrapWord : WrapNone);
    setWrapVisualFlags(wrap ? WrapFlagByText : WrapFlagNone);
}

void CudaEditor::breakLine(QKeyEvent* event) {
    beginUndoAction();
    CodeView::keyPressEvent(event);
    int line = 0, column = 0;
    getCursorPosition(&line, &column);
    // Enough to know the statements that end here, and whether a comment is open.
    QStringList before;
    for (int i = std::max(0, line - 200); i < line; ++i)
        before << text(i);
    int columns = indentationAfter(before, tabWidth());
    // A brace that moves down goes to where its block began.
    if (text(line).trimmed().startsWith(QLatin1Char('}'))) columns = std::max(0, columns - tabWidth());
    setIndentation(line, columns);
    setCursorPosition(line, int(SendScintilla(SCI_GETLINEINDENTPOSITION, static_cast<unsigned long>(line)) -
                                SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line))));
    endUndoAction();
}

void CudaEditor::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool choosing = isListActive() || SendScintilla(SCI_GETSELECTIONS) > 1;
    if (enter && event->modifiers() == Qt::NoModifier && !isReadOnly() && !choosing && lexer() == cuda_) {
        breakLine(event);
        return;
    }
    const bool closing = event->text() == QLatin1String("}") && !isReadOnly();
    CodeView::keyPressEvent(event);
    if (!closing) return;
    // A closing brace alone on its line goes to where its block began.
    int line = 0, column = 0;
    getCursorPosition(&line, &column);
    if (text(line).trimmed() != QLatin1String("}")) return;
    const long brace = SendScintilla(SCI_GETCURRENTPOS) - 1;
    const long open = SendScintilla(SCI_BRACEMATCH, static_cast<unsigned long>(brace), 0L);
    if (open < 0) return;
    const int start = int(SendScintilla(SCI_LINEFROMPOSITION, static_cast<unsigned long>(open)));
    if (indentation(line) != indentation(start)) {
        setIndentation(line, indentation(start));
        setCursorPosition(line, lineLength(line) - (text(line).endsWith(QLatin1Char('\n')) ? 1 : 0));
    }
}

} // namespace warplight::ui
