// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/table_page.hpp"

#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/formula_bar.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace warplight::ui {

namespace {

enum FindKind { FindNaN, FindInfinite, FindSpecial, FindValue, FindOutside, FindNotZero };

// Statistics of buffers up to this size are computed unasked.
constexpr qint64 summaryAtOnce = 256LL * 1024 * 1024;

} // namespace

TablePage::TablePage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    format_ = new QComboBox(this);
    format_->setAccessibleName(tr("Number format"));
    format_->addItem(tr("Decimal"), int(NumberBase::Decimal));
    format_->addItem(tr("Scientific"), int(NumberBase::Scientific));
    format_->addItem(tr("Hexadecimal"), int(NumberBase::Hexadecimal));
    precision_ = new QSpinBox(this);
    precision_->setRange(1, 17);
    precision_->setValue(6);
    precision_->setPrefix(tr("Digits "));
    precision_->setAccessibleName(tr("Significant digits"));
    columnsLabel_ = new QLabel(tr("Columns"), this);
    columns_ = new QSpinBox(this);
    columns_->setRange(1, BufferTableModel::maximumColumns);
    columns_->setValue(8);
    columns_->setAccessibleName(tr("Columns a row"));
    columnsLabel_->setBuddy(columns_);
    slices_ = new QWidget(this);
    sliceRow_ = new QHBoxLayout(slices_);
    sliceRow_->setContentsMargins(0, 0, 0, 0);
    const auto tool = [this](const QString& name, const QString& text, const QString& tip) {
        auto* button = new QToolButton(this);
        button->setIcon(icon(name));
        if (button->icon().isNull()) button->setText(text);
        button->setAutoRaise(true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        return button;
    };
    heat_ = tool(QString(), tr("Heat"), tr("Colour cells by value"));
    heat_->setCheckable(true);
    heat_->setProperty("framed", true);
    goTo_ = new QLineEdit(this);
    goTo_->setPlaceholderText(tr("Go to index"));
    goTo_->setAccessibleName(tr("Go to index"));
    goTo_->setToolTip(tr("An index (1234), or one for each axis (3, 17)"));
    find_ = new QComboBox(this);
    find_->setAccessibleName(tr("What to find"));
    find_->addItem(tr("NaN"), FindNaN);
    find_->addItem(tr("Infinity"), FindInfinite);
    find_->addItem(tr("NaN or infinity"), FindSpecial);
    find_->addItem(tr("Value"), FindValue);
    find_->addItem(tr("Outside of range"), FindOutside);
    find_->addItem(tr("Not zero"), FindNotZero);
    // As narrow as the shortest choice: the bar is full. The list is as wide as its longest.
    find_->view()->setMinimumWidth(find_->sizeHint().width());
    find_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    find_->setMinimumContentsLength(4);
    value_ = new QLineEdit(this);
    value_->setAccessibleName(tr("Value to find"));
    previous_ = tool(QStringLiteral("arrow-up"), QStringLiteral("↑"), tr("Find previous"));
    next_ = tool(QStringLiteral("arrow-down"), QStringLiteral("↓"), tr("Find next"));
    bar->addWidget(format_);
    bar->addWidget(precision_);
    bar->addWidget(columnsLabel_);
    bar->addWidget(columns_);
    bar->addWidget(slices_);
    bar->addWidget(heat_);
    add_ = tool(QStringLiteral("plus"), QStringLiteral("+"), tr("Add a column from a formula"));
    add_->hide();
    connect(add_, &QToolButton::clicked, this, &TablePage::addColumn);
    bar->addWidget(add_);
    bar->addStretch();
    bar->addWidget(goTo_);
    bar->addWidget(find_);
    bar->addWidget(value_);
    bar->addWidget(previous_);
    bar->addWidget(next_);
    column->addLayout(bar);
    bar_ = new FormulaBar(theme, this);
    connect(bar_, &FormulaBar::accepted, this, &TablePage::takeFormula);
    column->addWidget(bar_);
    grid_ = new BufferGrid(this);
    column->addWidget(grid_, 1);
    connect(bar_, &FormulaBar::closed, grid_, qOverload<>(&QWidget::setFocus));
    buildActions();

    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    foot->setSpacing(Theme::grid);
    position_ = new QLabel(this);
    position_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    statistics_ = new QLabel(this);
    statistics_->setAccessibleName(tr("Statistics"));
    statistics_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    compute_ = new QToolButton(this);
    compute_->setText(tr("Compute statistics"));
    progress_ = new QProgressBar(this);
    progress_->setMaximumWidth(120);
    progress_->setMaximumHeight(12);
    progress_->setTextVisible(false);
    stop_ = tool(QStringLiteral("cancel"), tr("Stop"), tr("Stop"));
    foot->addWidget(position_);
    foot->addStretch();
    foot->addWidget(progress_);
    foot->addWidget(stop_);
    foot->addWidget(compute_);
    foot->addWidget(statistics_);
    column->addLayout(foot);
    progress_->hide();
    stop_->hide();
    compute_->hide();
    value_->hide();

    connect(format_, &QComboBox::currentIndexChanged, this, &TablePage::applyFormat);
    connect(precision_, &QSpinBox::valueChanged, this, &TablePage::applyFormat);
    connect(columns_, &QSpinBox::valueChanged, this, [this](int count) {
        const qint64 current = grid_->currentIndex();
        grid_->model().setWrapColumns(count);
        if (current >= 0) grid_->goTo(current);
    });
    connect(heat_, &QToolButton::toggled, this, &TablePage::applyHeat);
    connect(goTo_, &QLineEdit::returnPressed, this, [this] {
        const qint64 index = parseIndex(goTo_->text(), info_.shape);
        if (index < 0) {
            emit message(tr("There is no index %1 here.").arg(goTo_->text()));
            return;
        }
        grid_->goTo(index);
        grid_->setFocus();
    });
    connect(find_, &QComboBox::currentIndexChanged, this, [this] {
        const int kind = find_->currentData().toInt();
        value_->setVisible(kind == FindValue || kind == FindOutside);
        value_->setPlaceholderText(kind == FindOutside ? tr("low … high, as 0, 1") : tr("value"));
    });
    connect(value_, &QLineEdit::returnPressed, this, [this] { find(true); });
    connect(next_, &QToolButton::clicked, this, [this] { find(true); });
    connect(previous_, &QToolButton::clicked, this, [this] { find(false); });
    connect(stop_, &QToolButton::clicked, this, [this] {
        if (scan_.isRunning()) {
            scan_.cancel();
            progress_->hide();
            stop_->hide();
        } else {
            stopSummary();
        }
    });
    connect(compute_, &QToolButton::clicked, this, &TablePage::startSummary);
    connect(&scan_, &BufferScan::progress, this, [this](double fraction) {
        progress_->setRange(0, 1000);
        progress_->setValue(int(fraction * 1000));
    });
    connect(&scan_, &BufferScan::finished, this, [this](qint64 found) {
        progress_->hide();
        stop_->hide();
        if (found < 0)
            emit message(tr("Nothing found from here on."));
        else
            grid_->goTo(found);
    });
    connect(&scan_, &BufferScan::failed, this, [this](const QString& text) {
        progress_->hide();
        stop_->hide();
        emit message(text);
    });
    connect(grid_, &BufferGrid::currentChanged, this, [this](qint64 index) {
        showPosition(index);
        updateActions();
        if (index >= 0 && !quiet_) emit indexChosen(index);
    });
    connect(grid_, &BufferGrid::saveRequested, this, [this] { grid_->saveSelection(folder_ ? folder_() : QString()); });
    connect(grid_, &BufferGrid::message, this, &TablePage::message);
    connect(&grid_->model().pages(), &BufferPages::loaded, this, [this] { showPosition(grid_->currentIndex()); });
    connect(&grid_->model().pages(), &BufferPages::failed, this, &TablePage::message);
    connect(&grid_->model(), &BufferTableModel::failed, this, &TablePage::message);
    connect(&theme_, &Theme::themeChanged, this, &TablePage::restyle);
    restyle();
}

void TablePage::restyle() {
    grid_->setCellFont(theme_.monospace());
    statistics_->setFont(theme_.monospace());
    position_->setFont(theme_.monospace());
    const QFontMetrics metrics(goTo_->font());
    goTo_->setFixedWidth(metrics.horizontalAdvance(goTo_->placeholderText()) + 4 * Theme::grid);
    value_->setMaximumWidth(metrics.averageCharWidth() * 14);
    applyHeat();
}

void TablePage::applyFormat() {
    const NumberFormat format{NumberBase(format_->currentData().toInt()), precision_->value()};
    precision_->setEnabled(format.base != NumberBase::Hexadecimal && !info_.type.isInteger());
    grid_->model().setFormat(format);
    grid_->fitColumns();
    showPosition(grid_->currentIndex());
}

void TablePage::applyHeat() {
    const bool on = heat_->isChecked() && haveSummary_;
    const Colours& colours = theme_.colours();
    grid_->model().setHeat(on, summary_.minimum, summary_.maximum, colours.base, theme_.series(1));
    heat_->setEnabled(haveSummary_);
    heat_->setToolTip(haveSummary_ ? tr("Colour cells by value") : tr("Colour cells by value (needs the statistics)"));
}

void TablePage::setBuffer(BufferSource* source, const BufferInfo& info, const QList<FormulaColumn>& formulas) {
    scan_.cancel();
    stopSummary();
    closeColumns();
    bar_->hide();
    formulas_ = formulas;
    if (source_) disconnect(source_, nullptr, this, nullptr);
    // A buffer of the same shape is shown at the same place.
    const qint64 place = info.shape == info_.shape ? std::max<qint64>(0, grid_->currentIndex()) : 0;
    source_ = source;
    info_ = info;
    haveSummary_ = false;
    summary_ = {};
    statistics_->clear();
    grid_->model().setBuffer(source, info);
    rebuildSlices();
    showShape();
    add_->setVisible(scope_ && info.isValid() && info.count() > 0);
    applyFormat();
    applyHeat();
    const bool some = info.isValid() && info.count() > 0;
    compute_->setVisible(false);
    if (some) goTo(place);
    updateActions();
    if (!source_) return;
    deriveColumns();
    connect(source_, &BufferSource::progress, this, [this](quint64 ticket, double fraction) {
        if (ticket != summaryTicket_ || ticket == 0) return;
        progress_->setRange(0, fraction < 0 ? 0 : 1000);
        progress_->setValue(int(fraction * 1000));
    });
    if (!some || !info.type.isNumeric()) return;
    if (info.bytes <= summaryAtOnce)
        startSummary();
    else
        compute_->show();
}

/// Records have a row each, so there is nothing to wrap and no axis to choose.
void TablePage::showShape() {
    const bool records = grid_->model().hasRecords(), wrapped = grid_->model().isWrapped();
    columns_->setVisible(wrapped);
    columnsLabel_->setVisible(wrapped);
    slices_->setVisible(!records && !sliceBoxes_.isEmpty());
}

void TablePage::rebuildSlices() {
    for (QSpinBox* box : std::as_const(sliceBoxes_))
        box->deleteLater();
    sliceBoxes_.clear();
    const qsizetype outer = info_.shape.size() - 2;
    for (qsizetype axis = 0; axis < outer; ++axis) {
        auto* box = new QSpinBox(slices_);
        box->setRange(0, int(std::min<qint64>(std::max<qint64>(0, info_.shape[axis] - 1), 1 << 30)));
        box->setPrefix(tr("axis %1: ").arg(axis));
        box->setAccessibleName(tr("Index on axis %1").arg(axis));
        connect(box, &QSpinBox::valueChanged, this, [this] {
            QList<qint64> slice;
            for (QSpinBox* each : std::as_const(sliceBoxes_))
                slice << each->value();
            grid_->model().setSlice(slice);
        });
        sliceRow_->addWidget(box);
        sliceBoxes_ << box;
    }
}

qint64 TablePage::parseIndex(const QString& text, const QList<qint64>& shape) {
    qint64 count = 1;
    for (qint64 length : shape)
        count *= length;
    static const QRegularExpression separators(QStringLiteral("[,;\\s\\[\\]()]+"));
    const QStringList parts = text.split(separators, Qt::SkipEmptyParts);
    if (parts.isEmpty()) return -1;
    qint64 index = 0;
    const bool flat = parts.size() == 1;
    if (!flat && parts.size() != shape.size()) return -1;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        bool ok = false;
        const qint64 value = parts[i].toLongLong(&ok, 0);
        const qint64 length = flat ? count : shape[i];
        if (!ok || value < 0 || value >= length) return -1;
        index = flat ? value : index * length + value;
    }
    return index;
}

void TablePage::goTo(qint64 flatIndex) {
    grid_->goTo(flatIndex);
    const QList<qint64> slice = grid_->model().slice();
    for (qsizetype i = 0; i < slice.size() && i < sliceBoxes_.size(); ++i) {
        const QSignalBlocker block(sliceBoxes_[i]);
        sliceBoxes_[i]->setValue(int(slice[i]));
    }
}

void TablePage::showPosition(qint64 flatIndex) {
    if (flatIndex < 0) {
        position_->clear();
        return;
    }
    position_->setText(grid_->model().valueText(grid_->table()->currentIndex(), 17));
}

void TablePage::find(bool forward) {
    if (!source_ || info_.count() <= 0) return;
    const int kind = find_->currentData().toInt();
    BufferTableModel& model = grid_->model();
    // Of records the column of the current cell is searched.
    const QModelIndex cell = grid_->table()->currentIndex();
    const qint64 column = cell.isValid() ? model.firstColumn() + cell.column() : 0;
    const int beside = besideAt();
    const BufferInfo searched = beside >= 0 ? model.columnsBeside()[beside].info : info_;
    if (!searched.isValid()) return;
    const FieldColumns fields = beside >= 0 ? FieldColumns() : model.fields();
    const ElementType type = model.columnType(column);
    double low = 0, high = 0;
    if (kind == FindValue || kind == FindOutside) {
        const QStringList parts =
            value_->text().split(QRegularExpression(QStringLiteral("[,;\\s]+")), Qt::SkipEmptyParts);
        bool first = false, second = true;
        low = parts.value(0).toDouble(&first);
        if (kind == FindOutside) high = parts.value(1).toDouble(&second);
        if (!first || !second) {
            emit message(kind == FindOutside ? tr("Give the range as two numbers: 0, 1.")
                                             : tr("Give a number to find."));
            value_->setFocus();
            return;
        }
    }
    const auto matches = [=, room = QByteArray()](qint64, const char* bytes, const char*) mutable {
        if (fields.count() > 0) bytes = fields.value(column, bytes, room);
        switch (kind) {
        case FindNaN: return type.isNaN(bytes);
        case FindInfinite: return type.isInfinite(bytes);
        case FindSpecial: return type.isNaN(bytes) || type.isInfinite(bytes);
        case FindNotZero: return !(type.toDouble(bytes) == 0);
        case FindOutside: {
            const double value = type.toDouble(bytes);
            return !(value >= low && value <= high);
        }
        default: {
            // A value typed in decimal means the nearest one that the type has.
            const double value = type.toDouble(bytes);
            return type.kind == ElementKind::Float32 ? float(value) == float(low) : value == low;
        }
        }
    };
    const qint64 current = grid_->currentIndex();
    progress_->setRange(0, 1000);
    progress_->setValue(0);
    progress_->show();
    stop_->show();
    scan_.start(source_, searched, {}, forward ? current + 1 : std::max<qint64>(0, current) - 1, forward, matches);
}

void TablePage::startSummary() {
    if (!source_) return;
    compute_->hide();
    statistics_->setText(tr("Computing statistics…"));
    progress_->setRange(0, 0);
    progress_->show();
    stop_->show();
    summaryTicket_ = source_->summary(info_.id, 64, this, [this](const BufferReply<BufferSummary>& reply) {
        summaryTicket_ = 0;
        progress_->hide();
        stop_->hide();
        if (!reply.ok()) {
            statistics_->setText(reply.error);
            return;
        }
        haveSummary_ = true;
        summary_ = reply.value;
        const NumberFormat format{NumberBase::Decimal, 6};
        QStringList parts{tr("min %1").arg(numberText(summary_.minimum, format)),
                          tr("max %1").arg(numberText(summary_.maximum, format)),
                          tr("mean %1").arg(numberText(summary_.mean, format))};
        if (!info_.type.isInteger()) {
            parts << tr("NaN %1").arg(formatCount(summary_.nan)) << tr("Inf %1").arg(formatCount(summary_.infinite));
            if (summary_.nan || summary_.infinite) parts.last() += QStringLiteral(" ⚠");
        }
        statistics_->setText(parts.join(QStringLiteral("   ")));
        applyHeat();
    });
}

void TablePage::stopSummary() {
    if (summaryTicket_ && source_) source_->cancel(summaryTicket_);
    if (summaryTicket_) {
        statistics_->clear();
        compute_->show();
    }
    summaryTicket_ = 0;
    progress_->hide();
    stop_->hide();
}

TablePage::~TablePage() { closeColumns(); }

void TablePage::buildActions() {
    edit_ = new QAction(icon(QStringLiteral("edit")), tr("&Edit Column…"), this);
    remove_ = new QAction(icon(QStringLiteral("clear")), tr("&Remove Column"), this);
    alone_ = new QAction(icon(QStringLiteral("filter")), tr("Show Field &Alone"), this);
    connect(edit_, &QAction::triggered, this, [this] { editColumn(besideAt()); });
    connect(remove_, &QAction::triggered, this, [this] { removeColumn(besideAt()); });
    connect(alone_, &QAction::triggered, this, [this] {
        const QModelIndex cell = grid_->table()->currentIndex();
        const qint64 column = grid_->model().firstColumn() + cell.column();
        if (cell.isValid() && column < grid_->model().fields().count())
            emit fieldRequested(grid_->model().fields().field(column).name);
    });
    QTableView* table = grid_->table();
    table->addActions({alone_, edit_, remove_});
    QHeaderView* header = table->horizontalHeader();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, [this, table, header](const QPoint& place) {
        const int section = header->logicalIndexAt(place);
        if (section < 0 || !grid_->model().hasRecords()) return;
        const int row = std::max(0, table->currentIndex().isValid() ? table->currentIndex().row() : table->rowAt(0));
        table->setCurrentIndex(grid_->model().index(row, section));
        QList<QAction*> actions;
        for (QAction* action : {alone_, edit_, remove_})
            if (action->isVisible()) actions << action;
        if (!actions.isEmpty()) QMenu::exec(actions, header->mapToGlobal(place), nullptr, this);
    });
    connect(header, &QHeaderView::sectionDoubleClicked, this, [this](int section) {
        const BufferTableModel& model = grid_->model();
        const qint64 which = model.firstColumn() + section - model.ownColumns();
        if (model.hasRecords() && which >= 0) editColumn(int(which));
    });
    updateActions();
}

int TablePage::besideAt() const {
    const BufferTableModel& model = grid_->model();
    const QModelIndex cell = grid_->table()->currentIndex();
    if (!model.hasRecords() || !cell.isValid()) return -1;
    const qint64 which = model.firstColumn() + cell.column() - model.ownColumns();
    return which >= 0 && which < model.columnsBeside().size() ? int(which) : -1;
}

void TablePage::updateActions() {
    const bool beside = besideAt() >= 0;
    edit_->setVisible(beside);
    remove_->setVisible(beside);
    alone_->setVisible(!beside && grid_->model().fields().count() > 0 && grid_->table()->currentIndex().isValid());
}

void TablePage::setScope(std::function<FormulaScope()> scope) { scope_ = std::move(scope); }

void TablePage::setMarks(std::shared_ptr<const MismatchSet> marks) {
    grid_->model().setMarks(std::move(marks), theme_.colours().errorSoft);
}

void TablePage::addColumn() {
    if (!scope_ || !source_ || !info_.isValid()) return;
    edited_ = -1;
    bar_->ask(QStringLiteral("c%1").arg(formulas_.size() + 1), {}, tr("Add Column"), scope_().names());
}

void TablePage::editColumn(int which) {
    if (!scope_ || which < 0 || which >= formulas_.size()) return;
    edited_ = which;
    bar_->ask(formulas_[which].name, formulas_[which].formula, tr("Change Column"), scope_().names());
}

void TablePage::removeColumn(int which) {
    if (which < 0 || which >= formulas_.size()) return;
    ++generation_; // what is on its way was asked for other columns
    bar_->hide();
    if (which < columnsBeside_.size()) {
        const BufferInfo info = columnsBeside_.takeAt(which).info;
        if (source_ && info.isValid()) source_->close(info.id);
    }
    formulas_.removeAt(which);
    showColumns();
    emit formulasChanged();
}

void TablePage::takeFormula(const QString& name, const QString& formula) {
    if (!scope_ || !source_) return;
    const BufferTableModel& model = grid_->model();
    for (qsizetype i = 0; i < formulas_.size(); ++i)
        if (i != edited_ && formulas_[i].name == name) {
            bar_->setProblem(tr("There is a column %1 already. Give another name.").arg(name));
            return;
        }
    if (model.fields().find(name) >= 0 || (model.fields().count() == 0 && name == info_.name)) {
        bar_->setProblem(tr("There is a column %1 already. Give another name.").arg(name));
        return;
    }
    deriveFormula(source_, info_.id, formula, scope_(), this,
                  [this, name, formula, generation = ++generation_](const BufferReply<BufferInfo>& reply) {
                      if (generation != generation_) {
                          if (reply.ok() && source_) source_->close(reply.value.id);
                          return;
                      }
                      if (!reply.ok()) {
                          bar_->setProblem(reply.error);
                          return;
                      }
                      const ColumnBeside column{name, QStringLiteral("%1 = %2").arg(name, formula), reply.value, {}};
                      if (edited_ >= 0 && edited_ < columnsBeside_.size()) {
                          const BufferInfo old = std::exchange(columnsBeside_[edited_], column).info;
                          if (source_ && old.isValid()) source_->close(old.id);
                          formulas_[edited_] = {name, formula};
                      } else {
                          columnsBeside_ << column;
                          formulas_ << FormulaColumn{name, formula};
                      }
                      bar_->hide();
                      showColumns();
                      grid_->setFocus();
                      emit formulasChanged();
                  });
}

/// Columns of the formulas that the buffer had before, one after the other.
void TablePage::deriveColumns() {
    if (!scope_ || !source_ || !info_.isValid() || info_.count() == 0) return;
    const qsizetype at = columnsBeside_.size();
    if (at == formulas_.size()) {
        if (at > 0) showColumns();
        return;
    }
    const FormulaColumn column = formulas_[at];
    deriveFormula(source_, info_.id, column.formula, scope_(), this,
                  [this, column, generation = generation_](const BufferReply<BufferInfo>& reply) {
                      if (generation != generation_) {
                          if (reply.ok() && source_) source_->close(reply.value.id);
                          return;
                      }
                      columnsBeside_ << ColumnBeside{column.name,
                                                     QStringLiteral("%1 = %2").arg(column.name, column.formula),
                                                     reply.value, reply.error};
                      deriveColumns();
                  });
}

void TablePage::showColumns() {
    const QScopedValueRollback guard(quiet_, true);
    const qint64 place = grid_->currentIndex();
    grid_->model().setColumnsBeside(columnsBeside_);
    showShape();
    if (place >= 0) goTo(place);
    updateActions();
}

void TablePage::closeColumns() {
    ++generation_;
    for (const ColumnBeside& column : std::as_const(columnsBeside_))
        if (source_ && column.info.isValid()) source_->close(column.info.id);
    columnsBeside_.clear();
}

QString TablePage::statisticsText() const { return statistics_->text(); }

} // namespace warplight::ui
