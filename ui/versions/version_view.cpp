// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/versions/version_view.hpp"

#include "ui/code/ptx_lexer.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/cuda_lexer.hpp"

#include "ui/common/document.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr int refreshDelayMs = 150;

/// Where a line begins on the screen, in the view's own pixels; of a line below the last, where that ends.
int topOf(const CodeView& view, int line) {
    const auto begin = view.SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
    if (line < view.lines() && begin >= 0)
        return int(view.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, begin));
    const int last = view.lines() - 1;
    const auto at = view.SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, static_cast<unsigned long>(last));
    return int(view.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, at)) + view.textHeight(last);
}

} // namespace

/// The other version: read only, with its own marks.
class VersionView::Other : public CodeView {
public:
    explicit Other(Theme& theme) : CodeView(theme), cuda_(new CudaLexer(this)), ptx_(new PtxLexer(this)) {
        setReadOnly(true);
        setCaretLineVisible(false);
        applyLook();
    }

    void setPtx(bool isPtx) {
        QsciLexer* wanted = isPtx ? static_cast<QsciLexer*>(ptx_) : cuda_;
        if (lexer() != wanted) setLexer(wanted);
        applyLook();
    }

    void put(const QString& text) {
        if (this->text() == text) return;
        const int first = firstVisibleLine();
        setReadOnly(false);
        setText(text);
        SendScintilla(SCI_EMPTYUNDOBUFFER);
        setReadOnly(true);
        setFirstVisibleLine(first);
    }

protected:
    void applyLook() override {
        if (cuda_) cuda_->setLook(theme().colours().syntax, theme().monospace());
        if (ptx_) ptx_->setLook(theme().colours().syntax, theme().monospace());
        CodeView::applyLook();
        setMarkerBackgroundColor(theme().colours().warningSoft, Changed);
    }

private:
    CudaLexer* cuda_ = nullptr;
    PtxLexer* ptx_ = nullptr;
};

/// Links the changes of both sides. A click on an arrow takes a change over.
class VersionView::Links : public QWidget {
public:
    explicit Links(VersionView& view) : view_(view) {
        setMouseTracking(true);
        setFixedWidth(scaledPixels(28));
    }

    /// The change whose arrow is there; -1: none.
    qsizetype arrowAt(const QPoint& at) const {
        for (qsizetype i = 0; i < view_.changes_.size(); ++i)
            if (arrow(i).contains(at)) return i;
        return -1;
    }
    /// On the side of the other version, at the first line of the change.
    QRect arrow(qsizetype change) const {
        const int side = scaledPixels(16);
        const int top = fromOther(view_.changes_[change].other);
        return {width() - side - 1, top, side, side};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const CudaEditor* editor = view_.editor_;
        if (!editor) return;
        const Colours& colours = view_.theme_.colours();
        QPainter painter(this);
        painter.fillRect(rect(), colours.syntax.lineNumberBackground);
        painter.setRenderHint(QPainter::Antialiasing);
        for (qsizetype i = 0; i < view_.changes_.size(); ++i) {
            const TextChange& change = view_.changes_[i];
            const qreal left = fromEditor(change.present), leftEnd = fromEditor(change.present + change.presentCount);
            const qreal right = fromOther(change.other), rightEnd = fromOther(change.other + change.otherCount);
            if (std::max(leftEnd, rightEnd) < 0 || std::min(left, right) > height()) continue;
            const qreal middle = width() / 2.0, end = width();
            QPainterPath path(QPointF(0, left));
            path.cubicTo(middle, left, middle, right, end, right);
            path.lineTo(end, rightEnd);
            path.cubicTo(middle, rightEnd, middle, leftEnd, 0, leftEnd);
            path.closeSubpath();
            painter.fillPath(path, colours.accentSoft);
            painter.setPen(QPen(colours.accent, 1));
            painter.drawPath(path);
            if (editor->isReadOnly()) continue;
            const QRectF box = QRectF(arrow(i)).adjusted(3, 3, -3, -3);
            QPainterPath sign(box.topRight());
            sign.lineTo(box.left(), box.center().y());
            sign.lineTo(box.bottomRight());
            sign.closeSubpath();
            painter.fillPath(sign, i == hovered_ ? colours.text : colours.accent);
        }
    }
    void mouseMoveEvent(QMouseEvent* event) override { hover(arrowAt(event->position().toPoint())); }
    void leaveEvent(QEvent*) override { hover(-1); }
    void mousePressEvent(QMouseEvent* event) override {
        const qsizetype change = arrowAt(event->position().toPoint());
        if (change >= 0 && event->button() == Qt::LeftButton) view_.takeOver(change);
    }

private:
    void hover(qsizetype change) {
        if (std::exchange(hovered_, change) == change) return;
        setCursor(change < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
        setToolTip(change < 0 ? QString() : VersionView::tr("Take this change over into the editor"));
        update();
    }
    int fromEditor(int line) const { return place(*view_.editor_, line); }
    int fromOther(int line) const { return place(*view_.other_, line); }
    int place(const CodeView& view, int line) const {
        return mapFromGlobal(view.viewport()->mapToGlobal(QPoint(0, topOf(view, line)))).y();
    }

    VersionView& view_;
    qsizetype hovered_ = -1;
};

VersionView::VersionView(Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), other_(new Other(theme)), links_(new Links(*this)), name_(new ElidedLabel),
      summary_(new ElidedLabel), take_(new QPushButton(tr("Take Over"))), takeAll_(new QPushButton(tr("Take All"))) {
    setObjectName(QStringLiteral("versions"));
    const auto button = [](const char* iconName, const QString& tip) {
        auto* made = new QToolButton;
        made->setIcon(icon(QLatin1String(iconName)));
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setAutoRaise(true);
        return made;
    };
    previous_ = button("arrow-up", tr("Previous change"));
    next_ = button("arrow-down", tr("Next change"));
    close_ = button("close", tr("Close the comparison"));
    take_->setToolTip(tr("Put the other version's lines of the change at the caret into the editor"));
    takeAll_->setToolTip(tr("Put the other version into the editor"));
    name_->setTextFormat(Qt::PlainText);
    summary_->setAccessibleName(tr("Differences"));
    other_->setAccessibleName(tr("The other version"));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(Theme::grid, Theme::half, Theme::half, 0);
    top->setSpacing(Theme::half);
    top->addWidget(name_, 1);
    top->addWidget(close_);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::half, 0, Theme::half, Theme::half);
    bar->setSpacing(Theme::half);
    bar->addWidget(previous_);
    bar->addWidget(next_);
    bar->addWidget(summary_, 1);
    bar->addWidget(take_);
    bar->addWidget(takeAll_);
    auto* middle = new QHBoxLayout;
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(0);
    middle->addWidget(links_);
    middle->addWidget(other_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addLayout(bar);
    column->addLayout(middle, 1);

    later_.setSingleShot(true);
    later_.setInterval(refreshDelayMs);
    connect(&later_, &QTimer::timeout, this, &VersionView::refresh);
    connect(previous_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { step(1); });
    connect(close_, &QToolButton::clicked, this, &VersionView::closeRequested);
    connect(take_, &QPushButton::clicked, this, [this] { takeOver(); });
    connect(takeAll_, &QPushButton::clicked, this, &VersionView::takeOverAll);
    connect(other_, &CodeView::keyToLeave, this, [this] {
        if (editor_) editor_->setFocus();
    });
    connect(other_, &QsciScintilla::SCN_UPDATEUI, this, [this](int updated) {
        links_->update();
        if (updated & QsciScintilla::SC_UPDATE_V_SCROLL) scroll(false);
    });
    connect(&theme_, &Theme::themeChanged, this, &VersionView::restyle);
    restyle();
}

VersionView::~VersionView() = default;

CudaEditor* VersionView::editor() const { return editor_; }
QString VersionView::name() const { return name_->text(); }
QString VersionView::summary() const { return summary_->text(); }
CodeView* VersionView::other() const { return other_; }

void VersionView::restyle() {
    QFont bold = font();
    bold.setBold(true);
    name_->setFont(bold);
    links_->setFixedWidth(scaledPixels(28));
}

void VersionView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    restyle();
    if (editor_) later_.start(0); // the places are known once it is laid out
}

void VersionView::compare(CudaEditor* editor, const QString& name, const QString& text) {
    if (editor != editor_) {
        clear();
        editor_ = editor;
        watching_ << connect(editor, &QsciScintilla::textChanged, &later_, qOverload<>(&QTimer::start));
        watching_ << connect(editor, &CodeView::caretMoved, this, &VersionView::updateButtons);
        watching_ << connect(editor, &QsciScintilla::SCN_UPDATEUI, this, [this](int updated) {
            links_->update();
            if (updated & QsciScintilla::SC_UPDATE_V_SCROLL) scroll(true);
        });
    }
    name_->setText(name);
    other_->setPtx(editor->file() && editor->file()->isPtx());
    setText(text);
    scroll(true);
}

void VersionView::setText(const QString& text) {
    text_ = text;
    other_->put(text);
    refresh();
}

void VersionView::clear() {
    for (const QMetaObject::Connection& each : std::exchange(watching_, {}))
        disconnect(each);
    if (editor_) editor_->markerDeleteAll(CodeView::Changed);
    later_.stop();
    editor_ = nullptr;
    changes_.clear();
}

void VersionView::refresh() {
    later_.stop();
    if (!editor_) return;
    changes_ = changesBetween(editor_->text(), text_);
    mark();
    summary_->setText(changes_.isEmpty()     ? tr("No difference")
                      : changes_.size() == 1 ? tr("1 change")
                                             : tr("%1 changes").arg(changes_.size()));
    updateButtons();
    links_->update();
}

void VersionView::mark() {
    editor_->markerDeleteAll(CodeView::Changed);
    other_->markerDeleteAll(CodeView::Changed);
    for (const TextChange& change : std::as_const(changes_)) {
        for (int line = 0; line < change.presentCount; ++line)
            editor_->markerAdd(change.present + line, CodeView::Changed);
        for (int line = 0; line < change.otherCount; ++line)
            other_->markerAdd(change.other + line, CodeView::Changed);
    }
}

void VersionView::updateButtons() {
    const bool any = !changes_.isEmpty();
    previous_->setEnabled(any);
    next_->setEnabled(any);
    const bool writable = any && editor_ && !editor_->isReadOnly();
    take_->setEnabled(writable);
    takeAll_->setEnabled(writable);
}

void VersionView::scroll(bool fromEditor) {
    if (scrolling_ || !editor_) return;
    const QScopedValueRollback guard(scrolling_, true);
    CodeView* const from = fromEditor ? static_cast<CodeView*>(editor_) : other_;
    CodeView* const to = fromEditor ? static_cast<CodeView*>(other_) : editor_;
    const long first = from->firstVisibleLine();
    // Beside each other are the lines a third below the top; at the very top both begin.
    const long below = std::min(first, from->SendScintilla(QsciScintilla::SCI_LINESONSCREEN) / 3);
    const auto line =
        from->SendScintilla(QsciScintilla::SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(first + below));
    const int beside = besideLine(changes_, int(line), !fromEditor);
    const auto shown = to->SendScintilla(QsciScintilla::SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(beside));
    to->setFirstVisibleLine(std::max(0, int(shown - below)));
    links_->update();
}

qsizetype VersionView::changeAtCaret() const {
    if (!editor_ || changes_.isEmpty()) return -1;
    const int line = editor_->caretLine() - 1;
    for (qsizetype i = 0; i < changes_.size(); ++i)
        if (line < changes_[i].present + std::max(1, changes_[i].presentCount)) return i;
    return 0;
}

void VersionView::step(int by) {
    if (later_.isActive()) refresh();
    if (!editor_ || changes_.isEmpty()) return;
    const int line = editor_->caretLine() - 1;
    qsizetype to = by > 0 ? 0 : changes_.size() - 1;
    for (qsizetype i = 0; i < changes_.size(); ++i) {
        if (by > 0 && changes_[i].present > line) {
            to = i;
            break;
        }
        if (by < 0 && changes_[i].present < line) to = i;
    }
    editor_->goTo(std::min(changes_[to].present, editor_->lines() - 1) + 1);
    editor_->setFirstVisibleLine(
        std::max(0, int(editor_->SendScintilla(QsciScintilla::SCI_VISIBLEFROMDOCLINE,
                                               static_cast<unsigned long>(changes_[to].present))) -
                        int(editor_->SendScintilla(QsciScintilla::SCI_LINESONSCREEN)) / 3));
    scroll(true);
}

void VersionView::takeOver() { takeOver(changeAtCaret()); }

void VersionView::takeOver(qsizetype change) {
    // While one types, the changes are those of a moment ago.
    if (later_.isActive()) {
        refresh();
        change = std::min(change, changes_.size() - 1);
    }
    if (!editor_ || change < 0 || change >= changes_.size() || editor_->isReadOnly()) return;
    const TextChange taken = changes_[change];
    put(withTakenOver(editor_->text(), text_, taken));
    editor_->goTo(std::min(taken.present, editor_->lines() - 1) + 1);
    refresh();
}

void VersionView::takeOverAll() {
    if (!editor_ || editor_->isReadOnly()) return;
    put(text_);
    refresh();
}

/// As one step of undo, and only where it differs: marks and caret elsewhere stay.
void VersionView::put(const QString& text) {
    const QByteArray before = editor_->text().toUtf8(), after = text.toUtf8();
    const auto differs = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const auto same = differs.first - before.begin();
    qsizetype tail = 0;
    while (tail < std::min(before.size(), after.size()) - same &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    // Whole characters, not parts of their bytes.
    auto begin = qsizetype(same);
    const auto isInside = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; };
    while (begin > 0 && begin < before.size() && isInside(before[begin]))
        --begin;
    while (tail > 0 && isInside(before[before.size() - tail]))
        --tail;
    const QByteArray middle = after.mid(begin, after.size() - tail - begin);
    editor_->beginUndoAction();
    editor_->SendScintilla(QsciScintilla::SCI_SETTARGETRANGE, static_cast<unsigned long>(begin),
                           static_cast<long>(before.size() - tail));
    editor_->SendScintilla(QsciScintilla::SCI_REPLACETARGET, static_cast<uintptr_t>(middle.size()), middle.constData());
    editor_->endUndoAction();
}

} // namespace warplight::ui
