// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timing/timing_panel.hpp"

#include "ui/common/command_keys.hpp"
#include "ui/common/device_id.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/plot_style.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/common/timing_words.hpp"
#include "ui/history/history_page.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/timing/launches_model.hpp"
#include "ui/timing/runs_model.hpp"
#include "ui/timing/steps_table.hpp"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QSaveFile>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace warplight::ui {

namespace {

/// Gives the axis as many numbers as fit without touching.
void fitTicks(QCPAxis* axis) {
    const QFontMetrics metrics(axis->tickLabelFont());
    const bool across = axis->orientation() == Qt::Horizontal;
    QSharedPointer<QCPAxisTicker> ticker = axis->ticker();
    constexpr int most = 5;
    for (int count = most; count >= 1; --count) {
        ticker->setTickCount(count);
        QVector<double> ticks;
        QVector<QString> texts;
        ticker->generate(axis->range(), axis->parentPlot()->locale(), axis->numberFormat().at(0).toLatin1(),
                         axis->numberPrecision(), ticks, nullptr, &texts);
        bool apart = true;
        double end = 0;
        for (qsizetype i = 0; i < ticks.size() && apart; ++i) {
            const double size = across ? metrics.horizontalAdvance(texts[i]) : metrics.height();
            const double middle = (across ? 1 : -1) * axis->coordToPixel(ticks[i]);
            apart = i == 0 || middle - size / 2 >= end + (across ? Theme::grid : 0);
            end = middle + size / 2;
        }
        if (apart) return;
    }
}

/// Lays out the plot before it is drawn, with the room of its axes.
void fitTicks(QCustomPlot* plot) {
    for (const auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot->plotLayout()->update(phase);
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis})
        fitTicks(axis);
}

} // namespace

/// The runs of the window, or a note while there are none.
class TimingPanel::RunsPage : public Panel {
public:
    using Panel::Panel;
    using Panel::setContent;
    using Panel::showContent;
    using Panel::showEmptyNote;
};

TimingPanel::TimingPanel(Workbench& workbench, QWidget* parent)
    : Panel(workbench, parent), pages_(new QTabWidget), runs_(new RunsPage(workbench)),
      history_(new HistoryPage(workbench)), sweep_(new SweepPage(workbench)),
      model_(new RunsModel(document(), theme(), this)), launches_(new LaunchesModel(this)) {
    table_ = new QTableView;
    table_->setModel(model_);
    table_->setAccessibleName(tr("Runs"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setAlternatingRowColors(true);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(RunsModel::Kernel, QHeaderView::Stretch);

    phase_ = new QComboBox;
    phase_->addItems({tr("Kernel"), tr("Host → device"), tr("Device → host")});
    phase_->setAccessibleName(tr("Which times"));
    baseline_ = new QComboBox;
    baseline_->setAccessibleName(tr("Compare with run"));
    baseline_->setSizeAdjustPolicy(QComboBox::AdjustToContents);

    export_ = new QAction(icon(QStringLiteral("save")), tr("Export Timings…"), this);
    clear_ = new QAction(icon(QStringLiteral("clear")), tr("Clear Run History"), this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    bar->setSpacing(Theme::grid);
    auto* phaseLabel = new QLabel(tr("Show"));
    phaseLabel->setBuddy(phase_);
    auto* baselineLabel = new QLabel(tr("Compare with"));
    baselineLabel->setBuddy(baseline_);
    bar->addWidget(phaseLabel);
    bar->addWidget(phase_);
    bar->addWidget(baselineLabel);
    bar->addWidget(baseline_);
    bar->addStretch();
    for (QAction* action : {export_, clear_}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setProperty("framed", true);
        bar->addWidget(button);
    }

    statistics_ = new QLabel;
    statistics_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    statistics_->setContentsMargins(Theme::grid, 0, Theme::grid, Theme::half);
    statistics_->setAccessibleName(tr("Statistics"));
    statistics_->setWordWrap(true);

    repeats_ = new QCustomPlot;
    repeats_->setAccessibleName(tr("Time of each repeat"));
    histogram_ = new QCustomPlot;
    histogram_->setAccessibleName(tr("Histogram of the times"));
    for (QCustomPlot* plot : {repeats_, histogram_}) {
        plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
        plot->axisRect()->setMinimumMargins(QMargins(Theme::grid, Theme::grid, Theme::grid, Theme::grid));
    }
    repeats_->setToolTip(tr("Each repeat's time. Drag to pan, turn the wheel to zoom, double-click to see all."));
    // Repeats are counted in whole numbers.
    QSharedPointer<QCPAxisTickerFixed> whole(new QCPAxisTickerFixed);
    whole->setTickStep(1);
    whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    histogram_->yAxis->setTicker(whole);
    histogram_->setToolTip(tr("How often each time occurred."));

    auto* plots = new QSplitter(Qt::Horizontal);
    plots->addWidget(repeats_);
    plots->addWidget(histogram_);
    steps_ = new StepsTable;
    steps_->hide();
    plots->addWidget(steps_);
    plots->setStretchFactor(2, 1);
    plots->setChildrenCollapsible(false);
    auto* right = new QWidget;
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(0);
    makeLaunchTable();
    details_ = new QStackedWidget;
    details_->addWidget(plots);
    details_->addWidget(launchTable_);
    rightLayout->addWidget(details_, 1);
    rightLayout->addWidget(statistics_);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(table_);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 4);
    splitter->setSizes({480, 520});
    splitter->setChildrenCollapsible(false);

    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(splitter, 1);
    runs_->setContent(content);
    pages_->setDocumentMode(true);
    pages_->addTab(runs_, tr("Runs"));
    pages_->addTab(history_, tr("History"));
    pages_->addTab(sweep_, tr("Sweep"));
    setContent(pages_);

    connect(export_, &QAction::triggered, this, [this] {
        const QString path = QFileDialog::getSaveFileName(this, tr("Export Timings"),
                                                          document().folder() + QStringLiteral("/timings.csv"),
                                                          tr("Comma-separated values (*.csv)"));
        if (path.isEmpty()) return;
        QString problem;
        if (!exportCsv(path, &problem)) QMessageBox::warning(this, tr("Export Timings"), problem);
    });
    connect(clear_, &QAction::triggered, &document(), &Document::clearRuns);
    connect(&document(), &Document::reportChanged, this, &TimingPanel::refresh);
    connect(&CommandKeys::instance(), &CommandKeys::changed, this, [this] {
        if (!document().hasReport()) refresh();
    });
    connect(this, &Panel::panelShown, this, [this] {
        if (stale_) refresh();
    });
    connect(&theme(), &Theme::themeChanged, this, &TimingPanel::restyle);
    const auto redraw = [this] {
        drawRepeats();
        drawHistogram();
        showStatistics();
    };
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, redraw);
    connect(phase_, &QComboBox::currentIndexChanged, this, redraw);
    connect(baseline_, &QComboBox::currentIndexChanged, this, redraw);
    for (QCustomPlot* plot : {repeats_, histogram_})
        connect(plot, &QCustomPlot::mouseDoubleClick, this, redraw);
    for (QCustomPlot* plot : {repeats_, histogram_})
        connect(plot, &QCustomPlot::beforeReplot, this, [plot] { fitTicks(plot); });
    refresh();
    restyle();
}

void TimingPanel::showSweep() { pages_->setCurrentWidget(sweep_); }

void TimingPanel::refresh() {
    // A hidden panel is brought up to date when it is shown.
    stale_ = !isVisible() && document().hasReport() && model_->rowCount() > 0;
    export_->setEnabled(document().hasReport());
    clear_->setEnabled(document().hasReport());
    if (!document().hasReport()) {
        model_->reload();
        runs_->showEmptyNote(
            QStringLiteral("timing"), tr("No run yet"),
            tr("Run the kernel (%1). Its event times, repeat by repeat, appear here.").arg(commandKeys("run.run")));
        return;
    }
    const int keptNumber = baselineRow() >= 0 ? model_->run(baselineRow()).number : 0;
    model_->reload();
    {
        const QSignalBlocker blocker(baseline_);
        baseline_->clear();
        baseline_->addItem(tr("nothing"), 0);
        for (int row = 0; row < model_->rowCount(); ++row) {
            const RunRecord& run = model_->run(row);
            if (run.report.times.kernel_ms.empty()) continue;
            baseline_->addItem(tr("run %1 (%2)").arg(run.number).arg(run.when.toString(QStringLiteral("HH:mm:ss"))),
                               run.number);
        }
        baseline_->setCurrentIndex(std::max(0, baseline_->findData(keptNumber)));
    }
    runs_->showContent();
    table_->selectRow(0);
    drawRepeats();
    drawHistogram();
    showStatistics();
}

void TimingPanel::restyle() {
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() * 0.9));
    stylePlot(repeats_, theme(), small);
    stylePlot(histogram_, theme(), small);
    for (QCustomPlot* plot : {repeats_, histogram_}) // room for some numbers at the axes
        plot->setMinimumSize(scaledPixels(160), scaledPixels(104));
    for (QTableView* table : {table_, launchTable_})
        table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + Theme::grid);
    drawRepeats();
    drawHistogram();
}

int TimingPanel::selectedRow() const {
    const QModelIndex index = table_->currentIndex();
    return index.isValid() && index.row() < model_->rowCount() ? index.row() : (model_->rowCount() > 0 ? 0 : -1);
}

int TimingPanel::baselineRow() const {
    const int number = baseline_->currentData().toInt();
    for (int row = 0; number > 0 && row < model_->rowCount(); ++row)
        if (model_->run(row).number == number) return row;
    return -1;
}

const std::vector<double>& TimingPanel::series(const RunRecord& run) const {
    switch (Phase(phase_->currentIndex())) {
    case Phase::HostToDevice: return run.report.times.htod_ms;
    case Phase::DeviceToHost: return run.report.times.dtoh_ms;
    case Phase::Kernel: break;
    }
    return run.report.times.kernel_ms;
}

void TimingPanel::drawRepeats() {
    repeats_->clearGraphs();
    double largest = 0;
    std::size_t most = 1;
    std::vector<int> rows;
    if (baselineRow() >= 0 && baselineRow() != selectedRow()) rows.push_back(baselineRow());
    if (selectedRow() >= 0) rows.push_back(selectedRow());
    for (int row : rows) {
        const auto& values = series(model_->run(row));
        most = std::max(most, values.size());
        for (double value : values)
            largest = std::max(largest, value);
    }
    const AxisUnit unit = unitFor(largest);
    for (int row : rows) {
        const RunRecord& run = model_->run(row);
        const auto& values = series(run);
        QVector<double> x, y;
        for (std::size_t i = 0; i < values.size(); ++i) {
            x.append(double(i + 1));
            y.append(values[i] * unit.factor);
        }
        QCPGraph* graph = repeats_->addGraph();
        graph->setName(tr("run %1").arg(run.number));
        const QColor colour = theme().series(run.number - 1);
        graph->setPen(QPen(colour, 1.5));
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, colour, values.size() > 200 ? 3 : 6));
        graph->setData(x, y, true);
    }
    repeats_->xAxis->setLabel(tr("Repeat"));
    repeats_->yAxis->setLabel(tr("Time (%1)").arg(QString::fromUtf8(unit.name)));
    QSharedPointer<QCPAxisTickerFixed> ticker(new QCPAxisTickerFixed);
    ticker->setTickStep(1);
    ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    repeats_->xAxis->setTicker(ticker);
    repeats_->xAxis->setRange(0.5, double(most) + 0.5);
    repeats_->yAxis->setRange(0, largest > 0 ? largest * unit.factor * 1.08 : 1);
    const bool two = rows.size() > 1;
    repeats_->legend->setVisible(two);
    if (two) {
        repeats_->legend->setBrush(theme().colours().base);
        repeats_->legend->setBorderPen(QPen(theme().colours().border));
        repeats_->legend->setTextColor(theme().colours().text);
    }
    repeats_->replot(QCustomPlot::rpQueuedReplot);
}

void TimingPanel::drawHistogram() {
    histogram_->clearPlottables();
    std::vector<int> rows;
    if (baselineRow() >= 0 && baselineRow() != selectedRow()) rows.push_back(baselineRow());
    if (selectedRow() >= 0) rows.push_back(selectedRow());
    double low = 0, high = 0;
    bool any = false;
    for (int row : rows)
        for (double value : series(model_->run(row))) {
            low = any ? std::min(low, value) : value;
            high = any ? std::max(high, value) : value;
            any = true;
        }
    // Without a time the numbers at the axes would mean nothing.
    for (QCPAxis* axis : {histogram_->xAxis, histogram_->yAxis}) {
        axis->setTicks(any);
        axis->setTickLabels(any);
        axis->grid()->setVisible(any);
    }
    for (QCPAxis* axis : {repeats_->xAxis, repeats_->yAxis}) {
        axis->setTicks(any);
        axis->setTickLabels(any);
        axis->grid()->setVisible(any);
    }
    if (!any) {
        histogram_->xAxis->setLabel(tr("Nothing was measured"));
        histogram_->yAxis->setLabel({});
        repeats_->xAxis->setLabel(tr("Nothing was measured"));
        repeats_->yAxis->setLabel({});
        histogram_->replot(QCustomPlot::rpQueuedReplot);
        return;
    }
    // All alike: one bin around the value. Otherwise about √n bins, so that few repeats do not look like noise.
    if (high - low < 1e-9) {
        low *= 0.95;
        high = high * 1.05 + 1e-9;
    }
    std::size_t count = 1;
    for (int row : rows)
        count = std::max(count, series(model_->run(row)).size());
    const int bins = std::clamp(int(std::lround(std::sqrt(double(count)))), 4, 50);
    const AxisUnit unit = unitFor(high);
    const double width = (high - low) / bins;
    double tallest = 0;
    for (int row : rows) {
        const RunRecord& run = model_->run(row);
        QVector<double> x(bins), y(bins);
        for (int i = 0; i < bins; ++i)
            x[i] = (low + (i + 0.5) * width) * unit.factor;
        for (double value : series(run))
            y[std::min(bins - 1, int((value - low) / width))] += 1;
        auto* bars = new QCPBars(histogram_->xAxis, histogram_->yAxis);
        bars->setWidth(width * unit.factor * 0.96);
        QColor fill = theme().series(run.number - 1);
        bars->setPen(Qt::NoPen);
        fill.setAlpha(rows.size() > 1 ? 150 : 220);
        bars->setBrush(fill);
        bars->setData(x, y, true);
        tallest = std::max(tallest, *std::max_element(y.begin(), y.end()));
    }
    histogram_->xAxis->setLabel(tr("Time (%1)").arg(QString::fromUtf8(unit.name)));
    histogram_->yAxis->setLabel(tr("Repeats"));
    histogram_->xAxis->setRange(low * unit.factor, high * unit.factor);
    histogram_->yAxis->setRange(0, tallest * 1.08);
    histogram_->replot(QCustomPlot::rpQueuedReplot);
}

void TimingPanel::showStatistics() {
    if (selectedRow() < 0) return;
    const RunRecord& run = model_->run(selectedRow());
    details_->setCurrentIndex(run.program ? 1 : 0);
    if (run.program) return showProgram(run);
    const auto& pipeline = run.report.pipeline;
    steps_->setVisible(pipeline.has_value());
    histogram_->setVisible(!pipeline);
    if (pipeline) steps_->setPipeline(*pipeline);
    const TimingStatistics own = timingStatistics(series(run));
    repeats_->setVisible(!pipeline || own.count > 1); // one point tells less than the steps
    if (own.count == 0) {
        statistics_->setText(tr("Run %1 measured nothing: it ended with an error.").arg(run.number));
        return;
    }
    QString text = tr("Run %1: median %2, mean %3 ± %4, min %5, p95 %6, max %7; %8 measured.")
                       .arg(run.number)
                       .arg(formatMs(own.median), formatMs(own.mean), formatMs(own.deviation), formatMs(own.min),
                            formatMs(own.p95), formatMs(own.max))
                       .arg(own.count == 1 ? tr("one repeat") : tr("%1 repeats").arg(own.count));
    if (baselineRow() >= 0 && baselineRow() != selectedRow()) {
        const RunRecord& other = model_->run(baselineRow());
        const TimingStatistics base = timingStatistics(series(other));
        if (base.count > 0 && own.median > 0) {
            const double ratio = base.median / own.median;
            text += QLatin1Char(' ');
            text += ratio >= 1 ? tr("%1 times as fast as run %2.").arg(ratio, 0, 'f', 2).arg(other.number)
                               : tr("%1 times as slow as run %2.").arg(1 / ratio, 0, 'f', 2).arg(other.number);
        }
    }
    if (pipeline) text += QLatin1Char(' ') + pipelineText(*pipeline);
    if (const QString conditions = conditionsText(run.report); !conditions.isEmpty())
        text += QLatin1Char(pipeline ? ' ' : '\n') + conditions;
    statistics_->setText(text);
}

void TimingPanel::makeLaunchTable() {
    launchTable_ = new QTableView;
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(launches_);
    sorted->setSortRole(LaunchesModel::SortRole);
    launchTable_->setModel(sorted);
    launchTable_->setObjectName(QStringLiteral("launches"));
    launchTable_->setAccessibleName(tr("Kernels that the program launched"));
    launchTable_->setSortingEnabled(true);
    launchTable_->sortByColumn(LaunchesModel::Total, Qt::DescendingOrder);
    launchTable_->setSelectionBehavior(QAbstractItemView::SelectRows);
    launchTable_->setShowGrid(false);
    launchTable_->setAlternatingRowColors(true);
    launchTable_->setWordWrap(false);
    launchTable_->verticalHeader()->hide();
    launchTable_->horizontalHeader()->setHighlightSections(false);
    launchTable_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    launchTable_->horizontalHeader()->setMaximumSectionSize(26 * launchTable_->fontMetrics().averageCharWidth());
    launchTable_->horizontalHeader()->setStretchLastSection(true);
    auto* make = new QAction(tr("Make a Session of This Launch…"), this);
    make->setObjectName(QStringLiteral("sessionOfLaunch"));
    make->setToolTip(tr("Run the program again, and make a session of the kernel with the data that it was given"));
    launchTable_->addAction(make);
    launchTable_->setContextMenuPolicy(Qt::ActionsContextMenu);
    launchTable_->setSelectionMode(QAbstractItemView::SingleSelection);
    const auto chosen = [this, sorted] { return sorted->mapToSource(launchTable_->currentIndex()).row(); };
    const auto enable = [make, chosen] { make->setEnabled(chosen() >= 0); };
    connect(launchTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, enable);
    connect(launches_, &QAbstractItemModel::modelReset, this, enable);
    connect(make, &QAction::triggered, this, [this, chosen] {
        if (const int row = chosen(); row >= 0)
            emit sessionOfLaunchRequested(launches_->kernel(row), launches_->numbers(row));
    });
    enable();
}

void TimingPanel::showProgram(const RunRecord& run) {
    const auto& launches = run.program->launches;
    launches_->setLaunches(launches);
    launchTable_->setColumnHidden(LaunchesModel::Device,
                                  std::all_of(launches.begin(), launches.end(),
                                              [](const launch_log::Launch& launch) { return launch.device == 0; }));
    statistics_->setText(tr("Run %1: %2").arg(run.number).arg(run.program->summary));
}

bool TimingPanel::exportCsv(const QString& path, QString* problem) const {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        *problem = tr("Cannot write %1: %2. Choose another folder.").arg(path, file.errorString());
        return false;
    }
    QTextStream out(&file);
    out << "run,when,kernel,device,repeat,kernel_ms,htod_ms,dtoh_ms\n";
    for (const RunRecord& run : document().runs()) {
        const auto& times = run.report.times;
        const auto cell = [](const std::vector<double>& values, std::size_t i) {
            return i < values.size() ? QString::number(values[i], 'g', 9) : QString();
        };
        QString driver = QString::fromStdString(run.report.device.driver);
        if (const std::string& machine = run.report.machine; !machine.empty())
            driver = driverOn(QString::fromStdString(machine), driver);
        const auto line = [&](const std::string& kernel, int device, std::size_t i,
                              const std::vector<double>& kernelMs) {
            const QString quoted = QString::fromStdString(kernel).replace(QLatin1Char('"'), QStringLiteral("\"\""));
            out << run.number << ',' << run.when.toString(Qt::ISODate) << ",\"" << quoted << "\"," << driver << ':'
                << device << ',' << i + 1 << ',' << cell(kernelMs, i) << ',' << cell(times.htod_ms, i) << ','
                << cell(times.dtoh_ms, i) << '\n';
        };
        if (run.program) { // a line for each launch, in their order
            std::vector<double> all;
            for (const launch_log::Launch& launch : run.program->launches)
                all.push_back(launch.ms.value_or(std::nan("")));
            for (std::size_t i = 0; i < all.size(); ++i)
                line(run.program->launches[i].kernel, run.program->launches[i].device, i, all);
            continue;
        }
        for (std::size_t i = 0; i < times.kernel_ms.size(); ++i)
            line(run.report.kernel, run.report.device.ordinal, i, times.kernel_ms);
    }
    out.flush();
    if (!file.commit()) {
        *problem = tr("Cannot write %1: %2. The disk may be full.").arg(path, file.errorString());
        return false;
    }
    return true;
}

} // namespace warplight::ui
