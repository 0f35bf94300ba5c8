// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_grid.hpp"

#include "ui/common/format.hpp"

#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScopedValueRollback>

#include <algorithm>

namespace warplight::ui {

BufferGrid::BufferGrid(QWidget* parent)
    : QWidget(parent), model_(new BufferTableModel(this)), table_(new QTableView(this)),
      bar_(new QScrollBar(Qt::Vertical, this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_);
    layout->addWidget(bar_);
    setFocusProxy(table_);

    table_->setAccessibleName(tr("Buffer values"));
    table_->setModel(model_);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->verticalHeader()->setHighlightSections(false);
    table_->setWordWrap(false);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setTabKeyNavigation(false);
    table_->installEventFilter(this);
    bar_->setAccessibleName(tr("Rows of the buffer"));

    connect(bar_, &QScrollBar::valueChanged, this, &BufferGrid::onBar);
    connect(table_->verticalScrollBar(), &QScrollBar::valueChanged, this, &BufferGrid::onTableScrolled);
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        fitColumns();
        updateBar();
    });
    // A model that resets takes the selection model's current index with it; connect once, to the one that stays.
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& current) { emit currentChanged(model_->flatIndex(current)); });
    setCellFont(font());
}

void BufferGrid::setCellFont(const QFont& font) {
    table_->setFont(font);
    table_->verticalHeader()->setFont(font);
    table_->horizontalHeader()->setFont(font);
    const QFontMetrics metrics(font);
    table_->verticalHeader()->setDefaultSectionSize(metrics.height() + 4);
    fitColumns();
    updateBar();
}

void BufferGrid::fitColumns() {
    const ElementType type = model_->info().type;
    const NumberFormat format = model_->format();
    int characters = 8;
    if (format.base == NumberBase::Hexadecimal)
        characters = type.size * 2 + 3;
    else if (type.isFloating() || type.isComplex())
        characters = format.precision + 7;
    else if (type.isInteger())
        characters = type.size == 1 ? 5 : type.size == 2 ? 7 : type.size == 4 ? 12 : 21;
    if (type.isComplex()) characters = characters * 2;
    if (!type.isNumeric()) characters = std::min(64, type.size * 3 + 1);
    const QFontMetrics metrics(table_->font());
    table_->horizontalHeader()->setDefaultSectionSize(metrics.horizontalAdvance(QLatin1Char('0')) * characters + 8);
}

qint64 BufferGrid::topRow() const { return model_->firstRow() + table_->verticalScrollBar()->value(); }

void BufferGrid::updateBar() {
    const qint64 total = model_->totalRows();
    const int height = std::max(1, table_->verticalHeader()->defaultSectionSize());
    const qint64 visible = std::max(1, table_->viewport()->height() / height);
    const qint64 most = std::max<qint64>(0, total - visible);
    unit_ = most / (1 << 30) + 1;
    const QScopedValueRollback guard(moving_, true);
    bar_->setRange(0, int((most + unit_ - 1) / unit_));
    bar_->setPageStep(int(std::max<qint64>(1, visible / unit_)));
    bar_->setValue(int(topRow() / unit_));
    bar_->setVisible(most > 0);
}

void BufferGrid::onBar(int value) {
    if (!moving_) setTopRow(std::min(value * unit_, model_->totalRows() - 1));
}

void BufferGrid::setTopRow(qint64 row) {
    row = std::clamp<qint64>(row, 0, std::max<qint64>(0, model_->totalRows() - 1));
    const qint64 margin = 256;
    const qint64 first = model_->firstRow(), rows = model_->rowCount();
    const bool before = row < first || (row < first + margin && first > 0);
    const bool after = row + margin >= first + rows && first + rows < model_->totalRows();
    if (before || after) {
        shiftWindow(row);
        return;
    }
    table_->verticalScrollBar()->setValue(int(row - first));
}

void BufferGrid::shiftWindow(qint64 topRow) {
    const qint64 current = currentIndex();
    const int sideways = table_->horizontalScrollBar()->value();
    moving_ = true;
    model_->setWindow(topRow - BufferTableModel::maximumRows / 2, model_->firstColumn());
    if (current >= 0 && model_->totalColumns() > 0 && model_->isWrapped()) {
        const qint64 row = current / model_->totalColumns() - model_->firstRow();
        if (row >= 0 && row < model_->rowCount())
            table_->selectionModel()->setCurrentIndex(
                model_->index(int(row), int(current % model_->totalColumns() - model_->firstColumn())),
                QItemSelectionModel::ClearAndSelect);
    }
    table_->verticalScrollBar()->setValue(int(topRow - model_->firstRow()));
    table_->horizontalScrollBar()->setValue(sideways);
    moving_ = false;
    updateBar();
}

void BufferGrid::onTableScrolled(int value) {
    if (moving_) return;
    const QScrollBar* bar = table_->verticalScrollBar();
    const qint64 top = model_->firstRow() + value;
    const bool atEnd = value >= bar->maximum() && model_->firstRow() + model_->rowCount() < model_->totalRows();
    const bool atStart = value <= bar->minimum() && model_->firstRow() > 0;
    if (atEnd || atStart) {
        shiftWindow(top);
        return;
    }
    moving_ = true;
    bar_->setValue(int(top / unit_));
    moving_ = false;
}

qint64 BufferGrid::currentIndex() const { return model_->flatIndex(table_->currentIndex()); }

void BufferGrid::goTo(qint64 flatIndex) {
    moving_ = true;
    const QModelIndex cell = model_->reveal(flatIndex);
    moving_ = false;
    if (!cell.isValid()) return;
    table_->selectionModel()->setCurrentIndex(cell, QItemSelectionModel::ClearAndSelect);
    table_->scrollTo(cell, QAbstractItemView::PositionAtCenter);
    updateBar();
}

void BufferGrid::copySelection() {
    const QItemSelection selection = table_->selectionModel()->selection();
    if (selection.isEmpty()) return;
    const QItemSelectionRange& range = selection.first();
    int top = range.top(), left = range.left(), bottom = range.bottom(), right = range.right();
    for (const QItemSelectionRange& part : selection) {
        top = std::min(top, part.top());
        left = std::min(left, part.left());
        bottom = std::max(bottom, part.bottom());
        right = std::max(right, part.right());
    }
    const qint64 width = right - left + 1, height = bottom - top + 1;
    if (width * height > maximumCopiedCells) {
        emit message(tr("At most %1 cells can be copied at once.").arg(formatCount(maximumCopiedCells)));
        return;
    }
    BufferSource* source = model_->pages().source();
    if (!source) return;
    struct Job {
        QStringList lines;
        qint64 missing;
    };
    auto job = std::make_shared<Job>();
    job->missing = height;
    job->lines.resize(height);
    const ElementType type = model_->info().type;
    const NumberFormat format = model_->format();
    const qint64 row = model_->totalColumns();
    const qint64 first = model_->flatIndex(model_->index(top, left));
    if (first < 0) return;
    // A selection narrower than a quarter of a row is read row by row, a wider one many rows at a time.
    const bool whole = width * 4 >= row;
    const qint64 rowsAtOnce = whole ? std::max<qint64>(1, (1 << 18) / row) : 1;
    for (qint64 y = 0; y < height; y += rowsAtOnce) {
        const qint64 rows = std::min(rowsAtOnce, height - y);
        const qint64 count = (rows - 1) * row + width;
        source->read(model_->info().id, first + y * row, count, this, [=, this](const BufferReply<QByteArray>& reply) {
            if (!reply.ok()) {
                if (job->missing > 0) emit message(reply.error);
                job->missing = -1;
                return;
            }
            for (qint64 r = 0; r < rows; ++r) {
                QStringList cells;
                for (qint64 x = 0; x < width; ++x) {
                    const qint64 at = (r * row + x) * type.size;
                    if (at + type.size <= reply.value.size())
                        cells << type.toText(reply.value.constData() + at, format);
                }
                job->lines[y + r] = cells.join(QLatin1Char('\t'));
            }
            job->missing -= rows;
            if (job->missing != 0) return;
            QGuiApplication::clipboard()->setText(job->lines.join(QLatin1Char('\n')));
            emit message(tr("%1 cells copied.").arg(formatCount(width * height)));
        });
    }
}

bool BufferGrid::handleKey(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return true;
    }
    const qint64 current = currentIndex(), columns = model_->totalColumns();
    if (event->matches(QKeySequence::MoveToStartOfDocument)) {
        goTo(0);
        return true;
    }
    if (event->matches(QKeySequence::MoveToEndOfDocument)) {
        goTo(model_->info().count() - 1);
        return true;
    }
    // At the edge of the window the cursor goes on into the next one.
    if (current < 0 || event->modifiers() != Qt::NoModifier) return false;
    const int row = table_->currentIndex().row();
    const int page = std::max(1, table_->viewport()->height() / table_->verticalHeader()->defaultSectionSize());
    qint64 step = 0;
    if (event->key() == Qt::Key_Down) step = 1;
    if (event->key() == Qt::Key_PageDown) step = page;
    if (event->key() == Qt::Key_Up) step = -1;
    if (event->key() == Qt::Key_PageUp) step = -page;
    const qint64 target = row + step;
    if (step == 0 || (target >= 0 && target < model_->rowCount())) return false;
    const qint64 flat = current + step * columns;
    if (flat < 0 || flat >= model_->info().count()) return false;
    goTo(flat);
    return true;
}

bool BufferGrid::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        event->accept();
        return true;
    }
    if (watched == table_ && event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent*>(event)))
        return true;
    return QWidget::eventFilter(watched, event);
}

void BufferGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateBar();
}

} // namespace warplight::ui
