// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_grid.hpp"

#include "ui/buffers/export_button.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/save_dialog.hpp"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
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
      bar_(new QScrollBar(Qt::Vertical, this)), reader_(new CellReader(this)) {
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
    auto* copy = new QAction(icon(QStringLiteral("copy")), tr("&Copy"), table_);
    auto* save = new QAction(icon(QStringLiteral("save")), tr("&Save Selection As…"), table_);
    copy->setShortcut(QKeySequence::Copy); // is shown; the table takes the keys itself
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &BufferGrid::copySelection);
    connect(save, &QAction::triggered, this, &BufferGrid::saveRequested);
    table_->addActions({copy, save});
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(reader_, &CellReader::failed, this, &BufferGrid::message);

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

int BufferGrid::charactersOf(const ElementType& type) const {
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
    return characters;
}

void BufferGrid::fitColumns() {
    const QFontMetrics metrics(table_->font());
    const int digit = metrics.horizontalAdvance(QLatin1Char('0'));
    QHeaderView* header = table_->horizontalHeader();
    header->setDefaultSectionSize(digit * charactersOf(model_->info().type) + 8);
    if (!model_->hasRecords()) return;
    for (int column = 0; column < model_->columnCount(); ++column) {
        const QString name = model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int room = metrics.horizontalAdvance(name) + 3 * digit;
        header->resizeSection(
            column, std::max(room, digit * charactersOf(model_->columnType(model_->firstColumn() + column)) + 8));
    }
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
    const int column = std::max(0, table_->currentIndex().column());
    const int sideways = table_->horizontalScrollBar()->value();
    moving_ = true;
    model_->setWindow(topRow - BufferTableModel::maximumRows / 2, model_->firstColumn());
    if (current >= 0 && model_->hasRecords()) {
        const qint64 row = current - model_->firstRow();
        if (row >= 0 && row < model_->rowCount())
            table_->selectionModel()->setCurrentIndex(model_->index(int(row), column),
                                                      QItemSelectionModel::ClearAndSelect);
    } else if (current >= 0 && model_->totalColumns() > 0 && model_->isWrapped()) {
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
    const qint64 column = model_->firstColumn() + std::max(0, table_->currentIndex().column());
    const QModelIndex cell = model_->reveal(flatIndex, column);
    moving_ = false;
    if (!cell.isValid()) return;
    table_->selectionModel()->setCurrentIndex(cell, QItemSelectionModel::ClearAndSelect);
    table_->scrollTo(cell, QAbstractItemView::PositionAtCenter);
    updateBar();
}

QRect BufferGrid::selectedCells() const {
    QRect all;
    for (const QItemSelectionRange& part : table_->selectionModel()->selection())
        all |= QRect(QPoint(part.left(), part.top()), QPoint(part.right(), part.bottom()));
    return all;
}

bool BufferGrid::readSelection(const CellReader::Done& done) {
    const QRect cells = selectedCells();
    if (cells.isEmpty()) {
        emit message(tr("Select cells first."));
        return false;
    }
    if (qint64(cells.width()) * cells.height() > maximumCopiedCells) {
        emit message(tr("At most %1 cells can be copied or saved at once.").arg(formatCount(maximumCopiedCells)));
        return false;
    }
    reader_->read(*model_, cells, done);
    return true;
}

void BufferGrid::copySelection() {
    if (selectedCells().isEmpty()) return;
    readSelection([this, format = model_->format()](const SelectedCells& cells) {
        QGuiApplication::clipboard()->setText(cells.text(format));
        emit message(tr("%1 cells copied.").arg(formatCount(cells.rows * cells.columns.size())));
    });
}

void BufferGrid::saveSelection(const QString& folder) {
    if (selectedCells().isEmpty()) {
        emit message(tr("Select cells first."));
        return;
    }
    const QString name = QFileInfo(model_->info().name).baseName() + QStringLiteral("-selection.npy");
    const QString path = askWhereToSave(
        this, tr("Save Selection"), QDir(folder).filePath(name),
        QStringList{tr("NumPy array (*.npy)"), tr("Comma-separated values (*.csv)")}.join(QStringLiteral(";;")));
    if (!path.isEmpty()) saveSelectionTo(path);
}

void BufferGrid::saveSelectionTo(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    const bool table = ending == QLatin1String("csv");
    if (!table && ending != QLatin1String("npy")) {
        emit message(tr("End the name with .npy or .csv."));
        return;
    }
    readSelection([this, path, table](const SelectedCells& cells) {
        const QString problem = writeWhole(path, table ? cells.csv() : cells.npy());
        emit message(problem.isEmpty() ? tr("Saved %1.").arg(path)
                                       : tr("%1 could not be written: %2").arg(path, problem));
    });
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
    const qint64 flat = current + step * (model_->hasRecords() ? 1 : columns);
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
