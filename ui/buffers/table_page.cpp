// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/table_page.hpp"

#include "ui/buffers/buffer_grid.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

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
    bar->addStretch();
    bar->addWidget(goTo_);
    bar->addWidget(find_);
    bar->addWidget(value_);
    bar->addWidget(previous_);
    bar->addWidget(next_);
    column->addLayout(bar);
    grid_ = new BufferGrid(this);
    column->addWidget(grid_, 1);

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
    connect(grid_, &BufferGrid::currentChanged, this, &TablePage::showPosition);
    connect(grid_, &BufferGrid::message, this, &TablePage::message);
    connect(&grid_->model().pages(), &BufferPages::loaded, this, [this] { showPosition(grid_->currentIndex()); });
    connect(&grid_->model().pages(), &BufferPages::failed, this, &TablePage::message);
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

void TablePage::setBuffer(BufferSource* source, const BufferInfo& info) {
    scan_.cancel();
    stopSummary();
    if (source_) disconnect(source_, nullptr, this, nullptr);
    // A buffer of the same shape is shown at the same place.
    const qint64 place = info.shape == info_.shape ? std::max<qint64>(0, grid_->currentIndex()) : 0;
    source_ = source;
    info_ = info;
    haveSummary_ = false;
    summary_ = {};
    statistics_->clear();
    grid_->model().setBuffer(source, info);
    const bool wrapped = info.shape.size() < 2;
    columns_->setVisible(wrapped);
    columnsLabel_->setVisible(wrapped);
    rebuildSlices();
    applyFormat();
    applyHeat();
    const bool some = info.isValid() && info.count() > 0;
    compute_->setVisible(false);
    if (some) goTo(place);
    if (!source_) return;
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

void TablePage::rebuildSlices() {
    for (QSpinBox* box : std::as_const(sliceBoxes_))
        box->deleteLater();
    sliceBoxes_.clear();
    const qsizetype outer = info_.shape.size() - 2;
    slices_->setVisible(outer > 0);
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
    const char* bytes = grid_->model().pages().element(flatIndex);
    const QString value =
        bytes ? info_.type.toText(bytes, {NumberBase(format_->currentData().toInt()), 17}) : QStringLiteral("…");
    position_->setText(grid_->model().positionText(flatIndex) + QStringLiteral(" = ") + value);
}

void TablePage::find(bool forward) {
    if (!source_ || info_.count() <= 0) return;
    const int kind = find_->currentData().toInt();
    const ElementType type = info_.type;
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
    const auto matches = [=](qint64, const char* bytes, const char*) {
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
    scan_.start(source_, info_, {}, forward ? current + 1 : std::max<qint64>(0, current) - 1, forward, matches);
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

QString TablePage::statisticsText() const { return statistics_->text(); }

} // namespace warplight::ui
