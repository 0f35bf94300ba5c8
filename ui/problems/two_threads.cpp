// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/problems/two_threads.hpp"

#include "ui/common/style_sheet.hpp"
#include "ui/common/theme.hpp"

#include <QFileInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <utility>

namespace warplight::ui {

namespace {

using findings::Event;
using findings::Mend;

QString indexText(const std::array<std::uint32_t, 3>& v) {
    return QStringLiteral("(%1,%2,%3)").arg(v[0]).arg(v[1]).arg(v[2]);
}

QString placeText(const Event& event) {
    return event.place.line > 0 ? TwoThreads::tr("line %1").arg(event.place.line)
                                : TwoThreads::tr("PTX line %1").arg(event.ptx_line);
}

} // namespace

TwoThreads::TwoThreads(Theme& theme, SourceLine sourceLine, QWidget* parent)
    : QWidget(parent), theme_(theme), sourceLine_(std::move(sourceLine)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Two threads"));
    connect(&theme, &Theme::themeChanged, this, [this] {
        fit();
        update();
    });
}

void TwoThreads::setFinding(std::shared_ptr<const findings::Finding> finding) {
    finding_ = std::move(finding);
    hovered_ = -1;
    current_ = 0;
    fit();
    setAccessibleDescription(finding_ ? QStringList{textOf(0), textOf(1), between(), cure()}.join(QStringLiteral(". "))
                                      : QString());
    update();
}

// --- what is told

bool TwoThreads::isWaiting() const { return finding_->access.empty(); }

/// A finding is at the access that is further down, so the other one is drawn first.
const Event& TwoThreads::eventOf(int end) const {
    return (end == 0) == isWaiting() ? static_cast<const Event&>(*finding_) : *finding_->other;
}

QString TwoThreads::textOf(int end) const {
    const Event& event = eventOf(end);
    const QString what = event.access.empty()       ? tr("waits")
                         : event.access == "atomic" ? tr("atomic operation")
                                                    : QString::fromStdString(event.access);
    QStringList lines{tr("%1, %2").arg(what, placeText(event))};
    if (const QString source = sourceLine_(event.place); !source.isEmpty()) lines << source;
    const std::string& value = event.number.empty() ? event.value : event.number;
    if (!value.empty()) lines << tr("writes %1").arg(QString::fromStdString(value));
    return lines.join(QLatin1Char('\n'));
}

QString TwoThreads::between() const {
    switch (*finding_->mend) {
    case Mend::barrier: return tr("No barrier of the block in between");
    case Mend::syncwarp: return tr("Nothing in between: the lanes of a warp need not run in step");
    case Mend::atomic:
        if (finding_->access != "atomic" && finding_->other->access != "atomic")
            return tr("A write in three steps, and a write in between");
        return tr("One is atomic, the other is not: that orders nothing");
    case Mend::flag: return tr("Two blocks: nothing orders them");
    case Mend::cluster: return tr("Two blocks of a cluster: nothing orders them");
    case Mend::fence: return tr("A fence, but of one block only");
    case Mend::scope: return tr("Both are strong, but the scope of one does not reach the other");
    case Mend::size: return tr("Both are strong, but of different sizes");
    case Mend::copy: return tr("The copy goes on by itself: nobody has waited for it");
    case Mend::one_barrier: return tr("They wait at different barriers");
    case Mend::object: return tr("More arrive at the barrier object than it counts on");
    case Mend::image: return tr("A texture or surface need not show what its own launch writes");
    case Mend::launch: return tr("A kernel, and one that it launches: nothing orders them");
    case Mend::stream: return tr("Work of two streams: nothing orders it");
    case Mend::all_come:
        if (finding_->severity == "warning") return tr("They meet in one operation, but at different places");
        return tr("Each waits for the other, and neither goes on");
    }
    return {};
}

QString TwoThreads::cure() const {
    const Event &first = eventOf(0), &second = eventOf(1);
    const auto putBetween = [&](const QString& barrier) {
        if (placeText(first) == placeText(second))
            return tr("%1 between the two accesses of %2").arg(barrier, placeText(first));
        return tr("%1 between %2 and %3").arg(barrier, placeText(first), placeText(second));
    };
    switch (*finding_->mend) {
    case Mend::barrier: return putBetween(QStringLiteral("__syncthreads()"));
    case Mend::syncwarp: return putBetween(tr("__syncwarp() or __syncthreads()"));
    case Mend::atomic: {
        const Event& plain = first.access == "atomic" ? second : first;
        return tr("atomicAdd() or the like in place of the plain %1 (%2)")
            .arg(QString::fromStdString(plain.access), placeText(plain));
    }
    case Mend::flag: return tr("atomic operations, or __threadfence() and an atomic flag");
    case Mend::cluster: return putBetween(QStringLiteral("cluster.sync()"));
    case Mend::fence: return tr("__threadfence() in place of __threadfence_block()");
    case Mend::scope: return tr("the operation for the whole device: atomicAdd() in place of atomicAdd_block()");
    case Mend::size: return tr("accesses of one size");
    case Mend::copy: return tr("a wait for the copy, and then __syncthreads()");
    case Mend::one_barrier: return tr("one __syncthreads() outside of the branch, to which both come");
    case Mend::object: return tr("the number of threads that arrive, in the object's init()");
    case Mend::image: return tr("a read by a pointer, other memory for the result, or two launches");
    case Mend::launch: return tr("a launch behind the access, or into cudaStreamTailLaunch");
    case Mend::stream: return tr("an event of the first stream, which the second waits for: cudaStreamWaitEvent()");
    case Mend::all_come: return tr("a barrier to which all come that it counts on");
    }
    return {};
}

// --- where it lies

int TwoThreads::lineHeight() const { return fontMetrics().height() + 2; }

QSize TwoThreads::sizeHint() const { return {scaledPixels(440), minimumSizeHint().height()}; }

/// Texts between the boxes take the lines that they need at this width.
void TwoThreads::fit() {
    const QRectF last = finding_ ? isWaiting() ? middle() : boxOf(1) : QRectF();
    setMinimumHeight(int(last.bottom()) + lineHeight() + 4 * Theme::grid);
}

void TwoThreads::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

QString TwoThreads::cureText() const {
    return isWaiting() ? tr("Would let both go on: %1").arg(cure()) : tr("Would order them: %1").arg(cure());
}

QSizeF TwoThreads::bandSize(const QString& text) const {
    const double most = columnOf(1).right() - columnOf(0).left() - 4.0 * Theme::grid;
    const QRectF inside =
        fontMetrics().boundingRect(QRect(0, 0, int(most), 1000), Qt::AlignCenter | Qt::TextWordWrap, text);
    return {inside.width() + 2.0 * Theme::grid, inside.height() + Theme::half};
}

QSize TwoThreads::minimumSizeHint() const { return {scaledPixels(300), 12 * lineHeight()}; }

QRectF TwoThreads::columnOf(int end) const {
    const double width = (this->width() - 4.0 * Theme::grid) / 2;
    return {end == 0 ? 2.0 * Theme::grid : 3.0 * Theme::grid + width, double(Theme::grid), width,
            height() - 2.0 * Theme::grid};
}

QRectF TwoThreads::boxOf(int end) const {
    const QRectF column = columnOf(end);
    const double height = 3.0 * lineHeight() + Theme::grid;
    const double top = column.top() + 2.0 * lineHeight() + Theme::grid;
    const QRectF box(column.left(), top, column.width(), height);
    const bool isSecond = end == 1 && finding_ && !isWaiting();
    return isSecond ? box.translated(0, middle().bottom() - top) : box;
}

/// Between the two accesses, or below the waiting threads.
QRectF TwoThreads::middle() const {
    const QRectF box = boxOf(0);
    const double height = bandSize(between()).height() + bandSize(cureText()).height() + 3.0 * Theme::grid;
    return {columnOf(0).left(), box.bottom(), columnOf(1).right() - columnOf(0).left(), height};
}

int TwoThreads::endAt(const QPointF& point) const {
    for (const int end : {0, 1})
        if (finding_ && boxOf(end).contains(point)) return end;
    return -1;
}

void TwoThreads::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Colours& colours = theme_.colours();
    painter.fillRect(rect(), colours.base);
    if (!finding_) return;
    const bool isWaiting = this->isWaiting();

    for (const int end : {0, 1}) {
        const Event& event = eventOf(end);
        const QRectF column = columnOf(end), box = boxOf(end);
        // Who
        QFont strong = font();
        strong.setBold(true);
        painter.setFont(strong);
        painter.setPen(colours.text);
        painter.drawText(QRectF(column.left(), column.top(), column.width(), lineHeight()), Qt::AlignCenter,
                         tr("Thread %1").arg(indexText(event.thread)));
        painter.setFont(font());
        painter.setPen(colours.mutedText);
        painter.drawText(QRectF(column.left(), column.top() + lineHeight(), column.width(), lineHeight()),
                         Qt::AlignCenter, tr("block %1").arg(indexText(event.block)));
        // Time
        const double x = column.center().x(), below = middle().bottom() + (isWaiting ? 0 : box.height());
        painter.setPen(QPen(colours.border, 2));
        painter.drawLine(QPointF(x, column.top() + 2.0 * lineHeight()), QPointF(x, box.top()));
        painter.setPen(QPen(colours.border, 2, isWaiting ? Qt::DotLine : Qt::SolidLine));
        const double tip = below + 2.0 * Theme::grid;
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x, tip));
        painter.setBrush(colours.border);
        if (!isWaiting) painter.drawPolygon(QPolygonF{{x - 4, tip - 2}, {x + 4, tip - 2}, {x, tip + 5}});
        painter.setBrush(Qt::NoBrush);
        // What
        const bool writes = event.access == "write" || event.access == "atomic";
        const bool isMarked = end == hovered_ || (hasFocus() && end == current_);
        painter.fillRect(box, isWaiting ? colours.warningSoft : writes ? colours.errorSoft : colours.accentSoft);
        painter.setPen(QPen(isMarked    ? colours.text
                            : isWaiting ? colours.warning
                            : writes    ? colours.error
                                        : colours.accent,
                            isMarked ? 2 : 1));
        painter.drawRect(box.adjusted(0, 0, -1, -1));
        const QRectF inside = box.adjusted(Theme::grid, Theme::half, -Theme::grid, -Theme::half);
        double y = inside.top();
        const QStringList lines = textOf(end).split(QLatin1Char('\n'));
        const bool hasSource = !sourceLine_(event.place).isEmpty();
        for (qsizetype k = 0; k < lines.size(); ++k) {
            painter.setFont(k == 0 ? strong : k == 1 && hasSource ? theme_.monospace() : font());
            painter.setPen(k == 0 ? colours.text : k == 1 && hasSource ? colours.syntax.text : colours.mutedText);
            painter.drawText(QRectF(inside.left(), y, inside.width(), lineHeight()), Qt::AlignVCenter,
                             painter.fontMetrics().elidedText(lines[k], Qt::ElideRight, int(inside.width())));
            y += lineHeight();
        }
        painter.setFont(font());
    }

    // What is missing, and what would order them
    const QRectF room = middle();
    const auto band = [&](double top, const QString& text, const QColor& line, const QColor& fill, Qt::PenStyle style) {
        const QSizeF size = bandSize(text);
        const QRectF box(QPointF(room.center().x() - size.width() / 2, top), size);
        painter.setPen(QPen(line, 2, style));
        painter.drawLine(QPointF(room.left(), box.center().y()), QPointF(room.right(), box.center().y()));
        painter.fillRect(box, colours.base);
        painter.fillRect(box, fill);
        painter.setPen(line);
        painter.drawRect(box);
        painter.setPen(colours.text);
        painter.drawText(box, Qt::AlignCenter | Qt::TextWordWrap, text);
        return box.bottom();
    };
    const double below = band(room.top() + Theme::grid, between(), colours.error, colours.errorSoft, Qt::DotLine);
    band(below + Theme::grid, cureText(), colours.success, colours.successSoft, Qt::DashLine);
    if (!isWaiting) {
        painter.setPen(colours.mutedText);
        painter.drawText(QRectF(room.left(), boxOf(1).bottom() + 2.5 * Theme::grid, room.width(), lineHeight()),
                         Qt::AlignCenter, tr("Drawn in the order of the text: which comes first is chance."));
    }
}

// --- pointer and keys

void TwoThreads::choose(int end) {
    if (!finding_) return;
    const findings::Place& place = eventOf(end).place;
    if (place.line > 0) emit placeChosen(QString::fromStdString(place.file), place.line, place.column);
}

void TwoThreads::mousePressEvent(QMouseEvent* event) {
    const int end = endAt(event->position());
    if (event->button() != Qt::LeftButton || end < 0) return QWidget::mousePressEvent(event);
    current_ = end;
    choose(end);
}

void TwoThreads::mouseMoveEvent(QMouseEvent* event) {
    const int end = endAt(event->position());
    setCursor(end >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(end >= 0 ? tr("%1\nA click goes there").arg(textOf(end)) : QString());
    if (end == std::exchange(hovered_, end)) return;
    update();
}

void TwoThreads::leaveEvent(QEvent*) {
    hovered_ = -1;
    update();
}

void TwoThreads::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: current_ = 0; break;
    case Qt::Key_Right:
    case Qt::Key_Down: current_ = 1; break;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(current_); break;
    default: return QWidget::keyPressEvent(event);
    }
    update();
}

void TwoThreads::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void TwoThreads::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace warplight::ui
