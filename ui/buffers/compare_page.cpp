// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/compare_page.hpp"

#include "ui/buffers/difference_picture.hpp"
#include "ui/common/colour_map.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/theme.hpp"

#include <qcustomplot.h>

#include <QHash>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplight::ui {

namespace {
constexpr qsizetype buckets = 512;
}

ComparePage::ComparePage(Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::half);
    actualName_ = new QLabel(this);
    with_ = new QComboBox(this);
    with_->setAccessibleName(tr("Compare with"));
    with_->setMinimumContentsLength(14);
    auto* withLabel = new QLabel(tr("with"), this);
    withLabel->setBuddy(with_);
    const auto tolerance = [this](const QString& name) {
        auto* edit = new QLineEdit(QStringLiteral("0"), this);
        edit->setAccessibleName(name);
        edit->setAlignment(Qt::AlignRight);
        edit->setToolTip(tr("Equal means |actual − expected| ≤ atol + rtol · |expected|"));
        connect(edit, &QLineEdit::returnPressed, this, &ComparePage::compare);
        return edit;
    };
    relative_ = tolerance(tr("Relative tolerance"));
    absolute_ = tolerance(tr("Absolute tolerance"));
    compare_ = new QPushButton(icon(QStringLiteral("compare")), tr("Compare"), this);
    stop_ = new QPushButton(icon(QStringLiteral("cancel")), tr("Stop"), this);
    progress_ = new QProgressBar(this);
    progress_->setMaximumWidth(120);
    progress_->setMaximumHeight(12);
    progress_->setTextVisible(false);
    const auto tool = [this](const QString& name, const QString& text, const QString& tip, const QKeySequence& keys) {
        auto* button = new QToolButton(this);
        button->setIcon(icon(name));
        if (button->icon().isNull()) button->setText(text);
        button->setAutoRaise(true);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(tip, keys.toString(QKeySequence::NativeText)));
        button->setAccessibleName(tip);
        button->setShortcut(keys);
        return button;
    };
    previous_ = tool(QStringLiteral("arrow-up"), QStringLiteral("↑"), tr("Previous mismatch"),
                     QKeySequence(Qt::SHIFT | Qt::Key_F4));
    next_ = tool(QStringLiteral("arrow-down"), QStringLiteral("↓"), tr("Next mismatch"), QKeySequence(Qt::Key_F4));
    bar->addWidget(actualName_);
    bar->addWidget(withLabel);
    bar->addWidget(with_);
    bar->addWidget(new QLabel(QStringLiteral("rtol"), this));
    bar->addWidget(relative_);
    bar->addWidget(new QLabel(QStringLiteral("atol"), this));
    bar->addWidget(absolute_);
    bar->addWidget(compare_);
    bar->addWidget(stop_);
    bar->addWidget(progress_);
    bar->addStretch();
    bar->addWidget(previous_);
    bar->addWidget(next_);
    column->addLayout(bar);
    result_ = new QLabel(this);
    result_->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    result_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    result_->setWordWrap(true);
    result_->setAccessibleName(tr("Result of the comparison"));
    column->addWidget(result_);

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    model_ = new MismatchModel(this);
    sorted_ = new QSortFilterProxyModel(this);
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(MismatchModel::SortRole);
    table_ = new QTableView(splitter);
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(MismatchModel::Index, Qt::AscendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setAlternatingRowColors(true);
    table_->setShowGrid(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setAccessibleName(tr("Elements that differ"));
    auto* right = new QWidget(splitter);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(0);
    kind_ = new QComboBox(right);
    kind_->addItems({tr("Difference over the index"), tr("Difference as a picture")});
    kind_->setCurrentIndex(1); // where there can be one
    kind_->setObjectName(QStringLiteral("differenceKind"));
    kind_->setAccessibleName(tr("How differences are shown"));
    kinds_ = new QStackedWidget(right);
    plot_ = new QCustomPlot(kinds_);
    picture_ = new DifferencePicture(theme, kinds_);
    kinds_->addWidget(plot_);
    kinds_->addWidget(picture_);
    rightColumn->addWidget(kind_, 0, Qt::AlignLeft);
    rightColumn->addWidget(kinds_, 1);
    connect(kind_, &QComboBox::currentIndexChanged, kinds_, &QStackedWidget::setCurrentIndex);
    connect(picture_, &DifferencePicture::indexRequested, this, &ComparePage::indexRequested);
    connect(picture_, &DifferencePicture::indexChosen, this, &ComparePage::indexChosen);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!row.isValid()) return;
        const qint64 index = row.siblingAtColumn(MismatchModel::Index).data(MismatchModel::SortRole).toLongLong();
        picture_->setIndex(index);
        emit indexChosen(index);
    });
    plot_->setAccessibleName(tr("Largest differences of both signs over the index"));
    plot_->setMinimumWidth(160);
    plot_->xAxis->ticker()->setTickCount(3);
    details_ = splitter;
    splitter->addWidget(table_);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 400});
    column->addWidget(splitter, 1);
    filler_ = new QWidget(this);
    column->addWidget(filler_, 1);

    connect(compare_, &QPushButton::clicked, this, &ComparePage::compare);
    connect(stop_, &QPushButton::clicked, this, &ComparePage::stop);
    connect(with_, &QComboBox::currentIndexChanged, this, [this] {
        if (with_->currentData().isValid()) compare();
    });
    connect(previous_, &QToolButton::clicked, this, [this] { step(false); });
    connect(next_, &QToolButton::clicked, this, [this] { step(true); });
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit indexRequested(index.siblingAtColumn(MismatchModel::Index).data(MismatchModel::SortRole).toLongLong());
    });
    connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
        const double index = plot_->xAxis->pixelToCoord(event->position().x());
        if (index >= 0 && index < double(actual_.count())) emit indexRequested(qint64(index));
    });
    connect(&scan_, &BufferScan::progress, this, [this](double fraction) {
        progress_->setRange(0, 1000);
        progress_->setValue(int(fraction * 1000));
        flush();
    });
    connect(&scan_, &BufferScan::finished, this, [this] {
        flush();
        drawDifference();
        setRunning(false);
        showPicture();
        marks_ = std::exchange(marking_, {});
        emit marksChanged();
        emit finished();
    });
    connect(&scan_, &BufferScan::failed, this, [this](const QString& text) {
        setRunning(false);
        result_->setText(text);
        emit finished();
    });
    connect(&theme_, &Theme::themeChanged, this, &ComparePage::restyle);
    restyle();
    setRunning(false);
}

void ComparePage::restyle() {
    table_->setFont(theme_.monospace());
    table_->verticalHeader()->setDefaultSectionSize(QFontMetrics(theme_.monospace()).height() + Theme::half);
    stylePlot(plot_, theme_);
    for (QLineEdit* edit : {relative_, absolute_})
        edit->setMaximumWidth(QFontMetrics(edit->font()).averageCharWidth() * 11);
    if (!above_.isEmpty()) drawDifference();
}

void ComparePage::setBuffers(BufferSource* source, const QList<BufferInfo>& buffers, qint64 current, qint64 with) {
    stop();
    source_ = source;
    buffers_ = buffers;
    actual_ = {};
    const QSignalBlocker block(with_);
    with_->clear();
    for (const BufferInfo& buffer : buffers) {
        if (buffer.id == current)
            actual_ = buffer;
        else
            with_->addItem(buffer.title(), buffer.id);
    }
    with_->setCurrentIndex(with >= 0 ? with_->findData(with) : -1);
    actualName_->setText(actual_.name);
    model_->clear({});
    above_.clear();
    below_.clear();
    forget();
    plot_->clearPlottables();
    plot_->replot(QCustomPlot::rpQueuedReplot);
    showDetails();
    expected_ = {};
    result_->setText(!actual_.isValid()    ? tr("Choose a buffer in the list.")
                     : with_->count() == 0 ? tr("There is nothing to compare with: open a file, or give the argument "
                                                "an expectation in Launch.")
                     : with_->currentIndex() < 0 ? tr("Choose what to compare %1 with.").arg(actual_.name)
                                                 : QString());
    compare_->setEnabled(actual_.isValid() && with_->count() > 0);
    with_->setEnabled(with_->count() > 0);
}

void ComparePage::setTolerances(double relative, double absolute) {
    relative_->setText(QString::number(relative, 'g', 6));
    absolute_->setText(QString::number(absolute, 'g', 6));
}

qint64 ComparePage::expectedId() const { return with_->currentIndex() >= 0 ? with_->currentData().toLongLong() : -1; }

bool ComparePage::isRunning() const { return ticket_ != 0 || scan_.isRunning(); }

void ComparePage::setRunning(bool running) {
    stop_->setVisible(running);
    progress_->setVisible(running);
    compare_->setVisible(!running);
    previous_->setEnabled(model_->rowCount() > 0);
    next_->setEnabled(model_->rowCount() > 0);
    showDetails();
    if (running) progress_->setRange(0, 0);
}

// The list and the plot appear with the first difference: empty ones say nothing.
void ComparePage::showDetails() {
    const auto some = [](double difference) { return difference != 0; };
    const bool any = model_->rowCount() > 0 || std::any_of(above_.cbegin(), above_.cend(), some) ||
                     std::any_of(below_.cbegin(), below_.cend(), some);
    details_->setVisible(any);
    filler_->setVisible(!any);
}

bool ComparePage::takeRule() {
    bool first = false, second = false;
    rule_.relative = relative_->text().toDouble(&first);
    rule_.absolute = absolute_->text().toDouble(&second);
    if (first && second && rule_.relative >= 0 && rule_.absolute >= 0) return true;
    result_->setText(tr("The tolerances must be numbers of 0 or more, such as 1e-5."));
    (first && rule_.relative >= 0 ? absolute_ : relative_)->setFocus();
    return false;
}

void ComparePage::compare() {
    stop();
    if (!source_ || !actual_.isValid() || expectedId() < 0 || !takeRule()) return;
    for (const BufferInfo& buffer : std::as_const(buffers_))
        if (buffer.id == expectedId()) expected_ = buffer;
    model_->clear(actual_.shape);
    found_.clear();
    above_.clear();
    below_.clear();
    differing_ = 0;
    marking_.reset();
    picture_->clear();
    if (std::exchange(marks_, {})) emit marksChanged();
    setRunning(true);
    result_->setText(tr("Comparing…"));
    ticket_ = source_->compare(actual_.id, expected_.id, rule_.relative, rule_.absolute, this,
                               [this](const BufferReply<BufferComparison>& reply) {
                                   ticket_ = 0;
                                   if (!reply.ok()) {
                                       setRunning(false);
                                       result_->setText(reply.error);
                                       emit finished();
                                       return;
                                   }
                                   showSummary(reply.value);
                               });
}

void ComparePage::showSummary(const BufferComparison& comparison) {
    const NumberFormat format{NumberBase::Decimal, 6};
    if (!comparison.problem.isEmpty()) {
        setRunning(false);
        result_->setText(tr("Cannot be compared: %1").arg(comparison.problem));
        emit finished();
        return;
    }
    QString text;
    if (comparison.mismatches == 0) {
        text = QStringLiteral("✓ ") + tr("All %1 elements match.").arg(formatCount(comparison.elements));
        if (comparison.largestError > 0)
            text += QLatin1Char(' ') +
                    tr("Largest error %1 at %2.")
                        .arg(numberText(comparison.largestError, format), formatCount(comparison.largestAt));
    } else {
        QString place = formatCount(comparison.first);
        if (!comparison.firstField.isEmpty()) place += QLatin1Char(' ') + comparison.firstField;
        text = QStringLiteral("✕ ") +
               tr("%1 of %2 elements differ. First at %3: %4 instead of %5. Largest error %6 at %7; relative %8.")
                   .arg(formatCount(comparison.mismatches), formatCount(comparison.elements), place,
                        numberText(comparison.firstActual, {NumberBase::Decimal, 9}),
                        numberText(comparison.firstExpected, {NumberBase::Decimal, 9}),
                        numberText(comparison.largestError, format), formatCount(comparison.largestAt),
                        numberText(comparison.largestRelative, format));
        if (comparison.mismatches > MismatchModel::maximum)
            text += QLatin1Char(' ') + tr("The list has the first %1.").arg(formatCount(MismatchModel::maximum));
    }
    result_->setText(text);
    QPalette palette = result_->palette();
    palette.setColor(QPalette::WindowText, comparison.mismatches ? theme_.colours().error : theme_.colours().success);
    result_->setPalette(palette);
    if (actual_.count() == expected_.count())
        startScan();
    else {
        setRunning(false);
        emit finished();
    }
}

/// Structs are compared field by field, found by their names. The worker has told of fields that only one of them has.
void ComparePage::prepareScan() {
    columns_[0] = FieldColumns(actual_.fields);
    columns_[1] = FieldColumns(expected_.fields);
    partners_.clear();
    QHash<QString, qint64> places;
    for (qint64 column = 0; column < columns_[1].count(); ++column)
        places.insert(columns_[1].name(column), column);
    for (qint64 column = 0; column < columns_[0].count(); ++column)
        partners_ << places.value(columns_[0].name(column), -1);
    table_->setColumnHidden(MismatchModel::Field, partners_.isEmpty());
    const qint64 elements = actual_.count(), columns = std::max<qint64>(1, partners_.size());
    if (MismatchSet::fits(elements, columns)) marking_ = std::make_shared<MismatchSet>(actual_.id, elements, columns);
    above_ = below_ = QList<double>(std::min<qsizetype>(buckets, elements), 0.0);
}

void ComparePage::startScan() {
    prepareScan();
    if (partners_.isEmpty()) {
        scan_.start(source_, actual_, expected_, 0, true, [this](qint64 index, const char* x, const char* y) {
            const ElementType &a = actual_.type, &b = expected_.type;
            if (a == b && std::memcmp(x, y, size_t(a.size)) == 0) return false;
            compareValue(index, 0, {}, {a, x}, {b, y});
            return false;
        });
        return;
    }
    scan_.start(source_, actual_, expected_, 0, true,
                [this, x = QByteArray(), y = QByteArray()](qint64 index, const char* a, const char* b) mutable {
                    for (qint64 column = 0; column < partners_.size(); ++column) {
                        const qint64 other = partners_[column];
                        if (other < 0) continue;
                        const char* left = columns_[0].value(column, a, x);
                        const char* right = columns_[1].value(other, b, y);
                        const ElementType &type = columns_[0].field(column).type,
                                          &wanted = columns_[1].field(other).type;
                        if (type == wanted && std::memcmp(left, right, size_t(type.size)) == 0) continue;
                        compareValue(index, column, columns_[0].name(column), {type, left}, {wanted, right});
                    }
                    return false;
                });
}

void ComparePage::compareValue(qint64 index, qint64 column, const QString& field, const Value& x, const Value& y) {
    const double actual = x.type.toDouble(x.bytes), expected = y.type.toDouble(y.bytes);
    const double error = absoluteError(x.type, x.bytes, y.type, y.bytes);
    if (error > 0) { // a difference without a sign, as that of NaN, counts as above
        QList<double>& side = actual < expected ? below_ : above_;
        double& most = side[qsizetype(double(index) * double(side.size()) / double(actual_.count()))];
        most = std::max(most, error);
    }
    if (rule_.matches(x.type, x.bytes, y.type, y.bytes)) return;
    ++differing_;
    if (marking_) marking_->add(index, column);
    if (found_.size() + model_->rowCount() >= MismatchModel::maximum) return;
    const NumberFormat format{NumberBase::Decimal, 9};
    found_.append({index, field, x.type.toText(x.bytes, format), y.type.toText(y.bytes, format), error,
                   expected != 0 ? error / std::abs(expected) : std::numeric_limits<double>::infinity()});
}

void ComparePage::flush() {
    if (found_.isEmpty()) return;
    const bool first = model_->rowCount() == 0;
    model_->append(found_);
    found_.clear();
    if (!first) return;
    showDetails();
    table_->resizeColumnsToContents();
}

void ComparePage::drawDifference() {
    plot_->clearPlottables();
    if (above_.isEmpty()) return;
    const double width = double(actual_.count()) / double(above_.size());
    double most = 0;
    for (const QList<double>* side : {&above_, &below_})
        for (const double error : *side)
            if (std::isfinite(error)) most = std::max(most, error);
    if (most == 0) most = 1;
    bool negative = false, positive = false;
    // The colours are those of the picture: both ends of a map that suits eyes that tell few colours apart.
    const ColourMap map(ColourMap::Diverging);
    for (const bool up : {true, false}) {
        const QList<double>& side = up ? above_ : below_;
        QVector<double> x, y;
        for (qsizetype i = 0; i < side.size(); ++i) {
            if (side[i] == 0) continue;
            (up ? positive : negative) = true;
            // A difference without a size (NaN against a number) is shown at the top.
            const double height = std::isfinite(side[i]) ? side[i] : most * 1.05;
            x << (double(i) + 0.5) * width - 0.5;
            y << (up ? height : -height);
        }
        auto* bars = new QCPBars(plot_->xAxis, plot_->yAxis);
        bars->setData(x, y, true);
        bars->setWidth(width);
        bars->setPen(Qt::NoPen);
        bars->setBrush(QColor::fromRgb(map.at(up ? 0.9 : 0.1)));
    }
    plot_->xAxis->setLabel(tr("index"));
    plot_->yAxis->setLabel(tr("actual − expected"));
    plot_->xAxis->setRange(-width, double(actual_.count()) + width);
    plot_->yAxis->setRange(negative ? -most * 1.1 : 0, positive || !negative ? most * 1.1 : 0);
    plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ComparePage::showPicture() {
    const bool possible = DifferencePicture::canShow(actual_, expected_);
    const bool differs = details_->isVisibleTo(this);
    kind_->setVisible(possible && differs);
    if (!possible || !differs) {
        kinds_->setCurrentIndex(0);
        return;
    }
    picture_->setBuffers(source_, actual_, expected_);
    kinds_->setCurrentIndex(kind_->currentIndex());
}

void ComparePage::forget() {
    stop();
    picture_->clear();
    if (std::exchange(marks_, {})) emit marksChanged();
}

void ComparePage::setIndex(qint64 index) { picture_->setIndex(index); }

void ComparePage::stop() {
    const bool was = isRunning();
    if (ticket_ && source_) source_->cancel(ticket_);
    ticket_ = 0;
    scan_.cancel();
    marking_.reset();
    if (!was) return;
    setRunning(false);
    result_->setText(tr("Stopped. The list is not complete."));
}

void ComparePage::step(bool forward) {
    const int rows = sorted_->rowCount();
    if (rows == 0) return;
    const QModelIndex current = table_->currentIndex();
    const int row = !current.isValid() ? (forward ? 0 : rows - 1) : (current.row() + (forward ? 1 : rows - 1)) % rows;
    table_->setCurrentIndex(sorted_->index(row, 0));
}

QString ComparePage::resultText() const { return result_->text(); }

} // namespace warplight::ui
