// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/editor_marks.hpp"

#include "ui/common/document.hpp"
#include "ui/common/theme.hpp"
#include "ui/debug/breakpoints.hpp"
#include "ui/debug/debug_session.hpp"
#include "ui/editor/cuda_editor.hpp"

#include <QAction>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <memory>

namespace warplight::ui {
namespace {

constexpr int caretLineAlpha = 70; ///< while the line below shows where the kernel stands

QImage markImage(int side, const std::function<void(QPainter&, double)>& draw) {
    QImage image(side, side, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    draw(painter, side);
    return image;
}

} // namespace

int EditorMarks::marker(int mark) { return CodeView::FirstDebug + mark; }

EditorMarks::EditorMarks(CudaEditor& editor, Breakpoints& breakpoints, DebugSession& session, Theme& theme)
    : QObject(&editor), editor_(editor), breakpoints_(breakpoints), session_(session), theme_(theme),
      key_(Breakpoints::keyOf(*editor.file())) {
    setObjectName(QStringLiteral("editorMarks"));
    // Another text of that name is no more.
    if (Breakpoints::isUnsaved(key_)) breakpoints_.clear(key_);

    const auto bits = [](int from, int end) {
        int mask = 0;
        for (int mark = from; mark < end; ++mark)
            mask |= 1 << marker(mark);
        return mask;
    };
    editor_.setMarginMarkerMask(CodeView::SymbolMargin,
                                editor_.marginMarkerMask(CodeView::SymbolMargin) | bits(Set, CurrentLine));
    editor_.setMarginType(CodeView::LanesMargin, QsciScintilla::SymbolMargin);
    editor_.setMarginMarkerMask(CodeView::LanesMargin, bits(Badge, BadgeEnd));
    editor_.setMarginWidth(CodeView::LanesMargin, 0);
    for (const int margin : {CodeView::NumberMargin, CodeView::SymbolMargin})
        editor_.setMarginSensitivity(margin, true);
    connect(&editor_, &QsciScintilla::marginClicked, this, [this](int margin, int line, Qt::KeyboardModifiers) {
        if (margin == CodeView::NumberMargin || margin == CodeView::SymbolMargin) breakpoints_.toggle(key_, line + 1);
    });
    connect(&editor_, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int position, int type, const char* text, int length, int linesAdded, int, int, int, int, int) {
                onModified(position, type, text, length, linesAdded);
            });
    connect(editor_.file(), &SourceFile::pathChanged, this, [this] {
        const QString key = Breakpoints::keyOf(*editor_.file());
        breakpoints_.rename(std::exchange(key_, key), key);
        showBreakpoints();
        showPlace();
    });
    const auto changed = [this](const QString& key) {
        if (key == key_) showBreakpoints();
    };
    connect(&breakpoints_, &Breakpoints::changed, this, changed);
    connect(&breakpoints_, &Breakpoints::moved, this, changed);
    connect(&breakpoints_, &Breakpoints::stateChanged, this, changed);
    for (const auto signal : {&DebugSession::stateChanged, &DebugSession::stood, &DebugSession::frameChanged})
        connect(&session_, signal, this, &EditorMarks::showPlace);
    connect(&theme_, &Theme::themeChanged, this, [this] {
        define();
        showPlace();
    });
    editor_.viewport()->installEventFilter(this);
    editor_.installEventFilter(this);
    define();
    showBreakpoints();
    showPlace();
}

EditorMarks* EditorMarks::of(const CudaEditor* editor) {
    return editor ? editor->findChild<EditorMarks*>(QString(), Qt::FindDirectChildrenOnly) : nullptr;
}

// --- drawings

void EditorMarks::define() {
    const Colours& c = theme_.colours();
    const int side = std::clamp(editor_.textHeight(0) - 4, 10, 16);
    const auto circle = [](double s) { return QRectF(1.5, 1.5, s - 3, s - 3); };
    const auto filled = [&](QPainter& p, double s) {
        p.setPen(Qt::NoPen);
        p.setBrush(c.error);
        p.drawEllipse(circle(s));
    };
    editor_.markerDefine(markImage(side, filled), marker(Set));
    editor_.markerDefine(markImage(side,
                                   [&](QPainter& p, double s) {
                                       filled(p, s);
                                       p.setPen(QPen(c.base, s / 8));
                                       for (const double y : {0.4, 0.6})
                                           p.drawLine(QPointF(s * 0.3, s * y), QPointF(s * 0.7, s * y));
                                   }),
                         marker(Conditional));
    const auto hollow = [&](const QColor& colour, bool crossed) {
        return markImage(side, [&, colour, crossed](QPainter& p, double s) {
            p.setPen(QPen(colour, 1.5));
            p.drawEllipse(circle(s));
            if (crossed) p.drawLine(QPointF(s * 0.28, s * 0.72), QPointF(s * 0.72, s * 0.28));
        });
    };
    editor_.markerDefine(hollow(c.error, false), marker(Disabled));
    editor_.markerDefine(hollow(c.mutedText, true), marker(Refused));
    const auto arrow = [&](const QColor& colour) {
        return markImage(side, [&, colour](QPainter& p, double s) {
            QPainterPath path;
            path.moveTo(s * 0.1, s * 0.35);
            for (const auto& [x, y] :
                 {std::pair{0.5, 0.35}, {0.5, 0.12}, {0.95, 0.5}, {0.5, 0.88}, {0.5, 0.65}, {0.1, 0.65}})
                path.lineTo(s * x, s * y);
            path.closeSubpath();
            p.setPen(QPen(c.base, 3)); // it stays readable on a breakpoint
            p.drawPath(path);
            p.setPen(QPen(colour, 1));
            p.setBrush(colour);
            p.drawPath(path);
        });
    };
    editor_.markerDefine(arrow(c.warning), marker(Current));
    editor_.markerDefine(arrow(c.success), marker(Caller));
    editor_.markerDefine(QsciScintilla::Background, marker(CurrentLine));
    editor_.setMarkerBackgroundColor(c.warningSoft, marker(CurrentLine));
}

QImage EditorMarks::badge(const QString& text) const {
    const Colours& c = theme_.colours();
    QFont font = theme_.monospace();
    font.setPointSizeF(font.pointSizeF() * 0.85);
    const QFontMetrics metrics(font);
    QImage image(metrics.horizontalAdvance(QStringLiteral("88")) + 6, std::min(metrics.height(), editor_.textHeight(0)),
                 QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.accentSoft);
    painter.drawRoundedRect(QRectF(image.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(c.text);
    painter.setFont(font);
    painter.drawText(image.rect(), Qt::AlignCenter, text);
    return image;
}

void EditorMarks::showBreakpoints() {
    for (int mark = Set; mark <= Refused; ++mark)
        editor_.markerDeleteAll(marker(mark));
    for (const Breakpoint& b : breakpoints_.of(key_)) {
        if (b.line > editor_.lines()) continue;
        const int mark = !b.enabled                              ? Disabled
                         : b.state == Breakpoint::State::Refused ? Refused
                         : b.condition.isEmpty()                 ? Set
                                                                 : Conditional;
        editor_.markerAdd(b.line - 1, marker(mark));
    }
}

int EditorMarks::lanesAt(int line) const {
    if (!session_.isStanding()) return 0;
    for (const DebugPlace& place : session_.standing().places)
        if (place.source == key_ && session_.lineNow(key_, place.line) == line) return int(place.lanes.size());
    return 0;
}

void EditorMarks::showPlace() {
    for (int mark = Current; mark < BadgeEnd; ++mark)
        editor_.markerDeleteAll(marker(mark));
    current_ = 0;
    const DebugFrame* frame = session_.isStanding() ? session_.shownFrame() : nullptr;
    const bool isHere = frame && frame->source == key_;
    QColor caretLine = theme_.colours().syntax.currentLine;
    if (isHere) caretLine.setAlpha(caretLineAlpha);
    editor_.setCaretLineBackgroundColor(caretLine);
    if (isHere) {
        current_ = session_.lineNow(key_, frame->line);
        if (current_ >= 1 && current_ <= editor_.lines()) {
            editor_.markerAdd(current_ - 1, marker(session_.frame() == 0 ? Current : Caller));
            editor_.markerAdd(current_ - 1, marker(CurrentLine));
        }
    }
    int used = 0, width = 0;
    if (session_.isStanding())
        for (const DebugPlace& place : session_.standing().places) {
            const int line = place.source == key_ ? session_.lineNow(key_, place.line) : 0;
            if (line < 1 || line > editor_.lines() || Badge + used >= BadgeEnd) continue;
            const QImage image = badge(QString::number(place.lanes.size()));
            width = image.width() + 4;
            editor_.setMarginWidth(CodeView::LanesMargin, width);
            editor_.markerDefine(image, marker(Badge + used));
            editor_.markerAdd(line - 1, marker(Badge + used++));
        }
    editor_.setMarginWidth(CodeView::LanesMargin, width);
}

// --- edits

void EditorMarks::onModified(int position, int type, const char*, int, int linesAdded) {
    if (!(type & (QsciScintillaBase::SC_MOD_INSERTTEXT | QsciScintillaBase::SC_MOD_DELETETEXT))) return;
    const bool isEmpty = editor_.SendScintilla(QsciScintillaBase::SCI_GETLENGTH) == 0;
    const bool isReplaced = emptied_;
    emptied_ = isEmpty;
    if (isEmpty || isReplaced) {
        // The whole text is another one: lines keep their numbers.
        session_.noteEdit(key_, {});
        if (isReplaced) {
            showBreakpoints();
            showPlace();
        }
        return;
    }
    LineEdit edit;
    if (linesAdded != 0) {
        const auto line =
            editor_.SendScintilla(QsciScintillaBase::SCI_LINEFROMPOSITION, static_cast<unsigned long>(position));
        const bool atStart = editor_.SendScintilla(QsciScintillaBase::SCI_POSITIONFROMLINE,
                                                   static_cast<unsigned long>(line)) == position;
        edit = {int(line) + (atStart ? 0 : 1), linesAdded};
    }
    session_.noteEdit(key_, edit);
    if (linesAdded == 0) return;
    breakpoints_.follow(key_, edit);
    showBreakpoints();
    showPlace();
}

// --- what the user does

void EditorMarks::toggleBreakpoint() { breakpoints_.toggle(key_, editor_.caretLine()); }
void EditorMarks::runToLine() { session_.runToLine(key_, editor_.caretLine()); }

void EditorMarks::editCondition(int line) {
    const Breakpoint* b = breakpoints_.at(key_, line);
    bool ok = false;
    const QString condition = QInputDialog::getText(
        editor_.window(), tr("Condition of a Breakpoint"),
        tr("Stop in line %1 only for threads where this is true, such as: i == 77 && blockIdx.x == 3").arg(line),
        QLineEdit::Normal, b ? b->condition : QString(), &ok);
    if (ok) breakpoints_.setCondition(key_, line, condition);
}

void EditorMarks::addTo(QMenu& menu, int line) {
    const Breakpoint* b = breakpoints_.at(key_, line);
    menu.addSeparator();
    menu.addAction(b ? tr("Remove &Breakpoint") : tr("Set &Breakpoint"), this,
                   [this, line] { breakpoints_.toggle(key_, line); });
    menu.addAction(b && !b->condition.isEmpty() ? tr("Edit Conditio&n…") : tr("Set Breakpoint with Conditio&n…"), this,
                   [this, line] { editCondition(line); });
    if (b) {
        const bool enabled = b->enabled;
        menu.addAction(enabled ? tr("Disable Breakp&oint") : tr("Enable Breakp&oint"), this,
                       [this, line, enabled] { breakpoints_.setEnabled(key_, line, !enabled); });
    }
    QAction* run = menu.addAction(tr("Run to This &Line"), this, [this, line] { session_.runToLine(key_, line); });
    run->setEnabled(!session_.isActive() || session_.isStanding());
    menu.addAction(tr("Lanes and Memor&y of This Line…"), this,
                   [this, line] { emit lanesRequested(editor_.file()->path(), line); });
}

QString EditorMarks::marginText(int line) const {
    QStringList said;
    if (const int lanes = lanesAt(line)) {
        QStringList numbers;
        for (const DebugPlace& place : session_.standing().places)
            if (place.source == key_ && session_.lineNow(key_, place.line) == line && lanes < 32)
                for (const int lane : place.lanes)
                    numbers << QString::number(lane);
        said << (lanes == 1 ? tr("1 lane of warp %1 is here").arg(session_.standing().warp)
                            : tr("%1 lanes of warp %2 are here").arg(lanes).arg(session_.standing().warp)) +
                    (numbers.isEmpty() ? QString() : QStringLiteral(": ") + numbers.join(QStringLiteral(", ")));
    }
    if (const Breakpoint* b = breakpoints_.at(key_, line)) {
        QString text = b->enabled ? tr("Breakpoint") : tr("Breakpoint, disabled");
        if (!b->condition.isEmpty()) text += tr(", where %1").arg(b->condition);
        if (b->state == Breakpoint::State::Set && b->setAt && session_.lineNow(key_, b->setAt) != line)
            text += tr(": it is at line %1, the next one with code").arg(session_.lineNow(key_, b->setAt));
        if (!b->message.isEmpty()) text += QStringLiteral(": ") + b->message;
        said << text;
    }
    return said.join(QLatin1Char('\n'));
}

QString EditorMarks::expressionAt(int line, int column) const {
    const QString text = editor_.text(line - 1);
    int fromLine = 0, fromColumn = 0, toLine = 0, toColumn = 0;
    editor_.getSelection(&fromLine, &fromColumn, &toLine, &toColumn);
    if (fromLine == line - 1 && toLine == line - 1 && column >= fromColumn && column < toColumn)
        return text.mid(fromColumn, toColumn - fromColumn).trimmed();
    const auto isWord = [&](int i) {
        return i >= 0 && i < text.size() && (text[i].isLetterOrNumber() || text[i] == QLatin1Char('_'));
    };
    if (!isWord(column)) return {};
    int from = column, to = column;
    while (isWord(to))
        ++to;
    const auto toBegin = [&] {
        while (isWord(from - 1))
            --from;
    };
    toBegin();
    for (;;) { // p->x, a.b
        const bool arrow = from >= 2 && text.mid(from - 2, 2) == QLatin1String("->");
        const int before = from - (arrow ? 2 : 1);
        if ((!arrow && (from < 1 || text[from - 1] != QLatin1Char('.'))) || !isWord(before - 1)) break;
        from = before;
        toBegin();
    }
    return text[from].isDigit() ? QString() : text.mid(from, to - from);
}

void EditorMarks::hover(QPoint place, QPoint global) {
    const long position = editor_.SendScintilla(QsciScintillaBase::SCI_POSITIONFROMPOINTCLOSE,
                                                static_cast<unsigned long>(place.x()), static_cast<long>(place.y()));
    if (position < 0 || !session_.isStanding() || !session_.shownFrame()) return QToolTip::hideText();
    int line = 0, column = 0;
    editor_.lineIndexFromPosition(int(position), &line, &column);
    const QString expression = expressionAt(line + 1, column);
    if (expression.isEmpty()) return QToolTip::hideText();
    session_.ask(
        QStringLiteral("evaluate"),
        {{"expression", expression.toStdString()}, {"frameId", session_.shownFrame()->id}, {"context", "hover"}},
        [this, expression, global, number = ++hovers_, alive = QPointer<EditorMarks>(this)](const DapReply& reply) {
            // A word that is no variable says nothing.
            if (!alive || number != hovers_ || !reply.ok || !editor_.isVisible()) return;
            const auto result = reply.body.find("result");
            if (result == reply.body.end() || !result->is_string()) return;
            QToolTip::showText(
                global, QStringLiteral("%1 = %2").arg(expression, QString::fromStdString(result->get<std::string>())),
                &editor_);
        });
}

bool EditorMarks::isInMargin(int x) const {
    int width = 0;
    for (int margin = 0; margin < CodeView::MarginCount; ++margin)
        width += editor_.marginWidth(margin);
    return x < width;
}

int EditorMarks::lineAt(QPoint place) const {
    const long position =
        editor_.SendScintilla(QsciScintillaBase::SCI_POSITIONFROMPOINT,
                              static_cast<unsigned long>(std::max(0, place.x())), static_cast<long>(place.y()));
    return int(editor_.SendScintilla(QsciScintillaBase::SCI_LINEFROMPOSITION, static_cast<unsigned long>(position))) +
           1;
}

bool EditorMarks::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ToolTip && watched == editor_.viewport()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (isInMargin(help->pos().x())) {
            const QString text = marginText(lineAt(help->pos()));
            if (text.isEmpty()) {
                QToolTip::hideText();
                return false; // the editor may have something to tell of the line's heat
            }
            QToolTip::showText(help->globalPos(), text, &editor_);
            return true;
        }
        if (!session_.isStanding()) return false;
        hover(help->pos(), help->globalPos());
        return true;
    }
    if (event->type() == QEvent::ContextMenu) {
        const auto* asked = static_cast<QContextMenuEvent*>(event);
        const bool byMouse = asked->reason() == QContextMenuEvent::Mouse;
        if (byMouse != (watched == editor_.viewport())) return false;
        const int line = byMouse ? lineAt(asked->pos()) : editor_.caretLine();
        const std::unique_ptr<QMenu> menu(editor_.createStandardContextMenu());
        addTo(*menu, line);
        menu->exec(asked->globalPos());
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace warplight::ui
